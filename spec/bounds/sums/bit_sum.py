"""The exact privacy profile of the bit sum, over all neighbouring datasets (CSUZZ19, section 4.2).

The view is the number of ones, and its distribution depends on the number of ones of the dataset only: two neighbouring datasets that
differ give the pair (k, k + 1), k the number of ones among the n - 1 others, in one order or the other. Which k is worst moves with lambda
and epsilon, so all of them are looked at.
"""

from fractions import Fraction
from itertools import pairwise

from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, integer_order, rational_exp, worst_renyi
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.protocols.bit_sum import ones_law
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, lambda_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_bit_sum, no_renyi_without_noise

LARGEST_N = 100
"""Users of whom all datasets are enumerated; the certified engine goes further."""


def pair(*, n: int, lam: Fraction, ones: int) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of the number of messages 1 where `ones` of the other n - 1 users hold 1, and the user in question holds 0, then 1.

    n: number of users, at least 1; lam: lambda in [0, n], exact; ones from 0 to n - 1. Raises DomainError outside the domain.
    """
    require(0 <= ones <= n - 1, parameter="ones", value=ones, requirement=f"an integer from 0 to {n - 1}")
    return ones_law(n=n, lam=lam, ones=ones), ones_law(n=n, lam=lam, ones=ones + 1)


def profiles(*, n: int, lam: Fraction) -> list[PrivacyProfile[int]]:
    """The profile of every pair (k, k + 1), k = 0, ..., n - 1. Domains and errors as for `pair`."""
    laws = [ones_law(n=n, lam=lam, ones=k) for k in range(n + 1)]
    return [PrivacyProfile(p, q) for p, q in pairwise(laws)]


def worst_ones(*, n: int, lam: Fraction, exp_epsilon: Fraction) -> tuple[Fraction, list[int]]:
    """The least delta of all pairs at this e^epsilon >= 1, and every k that needs it.

    >>> worst_ones(n=3, lam=Fraction(2), exp_epsilon=Fraction(1))
    (Fraction(5, 27), [1])
    """
    deltas = [profile.delta(exp_epsilon=exp_epsilon) for profile in profiles(n=n, lam=lam)]
    return max(deltas), [k for k, delta in enumerate(deltas) if delta == max(deltas)]


def delta(*, n: Number, lam: Number, epsilon: Number | Epsilon) -> Bound:
    """The least delta for which the bit sum is (epsilon, delta)-DP, exact: the largest over all k and both directions.

    n: users, 1 to 100; lam: lambda in [0, n]; epsilon >= 0 with rational exponential ("ln 3").
    Returns a Bound of side "exact". Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=3, lam=2, epsilon=0).exact
    '5/27'
    """
    users = enumerable(n, LARGEST_N)
    noise, central = lambda_parameter(lam, n=users), parse_epsilon(epsilon)
    value, _ = worst_ones(n=users, lam=noise, exp_epsilon=rational_exp(central, "epsilon"))
    return exact_value(BIT_SUM, "delta", value, inputs=as_given(n=n, **{"lambda": lam}, eps=epsilon))


def epsilon(*, n: Number, lam: Number, delta: Number) -> Bound:
    """Least epsilon for which the bit sum is (epsilon, delta)-DP, exact: the largest over all k and both directions.

    n: users, 1 to 100; lam: lambda in [0, n]; delta in [0, 1].
    Returns a Bound of side "exact". Raises DomainError, ResourceLimitError; RegimeError for lambda = 0 and delta < 1: without noise
    no epsilon is enough.

    >>> epsilon(n=1, lam="1/2", delta=0).exact
    'ln 3'
    """
    users = enumerable(n, LARGEST_N)
    noise, target = lambda_parameter(lam, n=users), probability(delta, parameter="delta")
    if noise == 0 and target < 1:
        raise no_epsilon_for_bit_sum(BIT_SUM, delta=str(delta))
    found = [profile.exp_epsilon(delta=target) for profile in profiles(n=users, lam=noise)]
    value = max(exp for exp in found if exp is not None)  # with noise all distributions have the same support
    return exact_value(BIT_SUM, "epsilon", value, inputs=as_given(n=n, **{"lambda": lam}, delta=delta))


def renyi(*, n: Number, lam: Number, order: Number) -> Bound:
    """The Renyi divergence of the bit sum: the largest over all k and both directions.

    n: users, 1 to 100; lam: lambda in [0, n]; order: an integer of at least 2. Returns a Bound of side "exact" for order 2, else an
    enclosure of some 60 digits. Raises DomainError, UnsupportedError, ResourceLimitError; RegimeError for lambda = 0.

    >>> renyi(n=1, lam="1/2", order=2).exact
    'ln 7/3'
    """
    users, alpha = enumerable(n, LARGEST_N), integer_order(order)
    noise = lambda_parameter(lam, n=users)
    if noise == 0:
        raise no_renyi_without_noise(BIT_SUM)
    pairs = [(each.p, each.q) for each in profiles(n=users, lam=noise)]
    return worst_renyi(BIT_SUM, pairs, order=alpha, inputs=as_given(n=n, **{"lambda": lam}, order=order))
