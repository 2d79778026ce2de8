"""The exact privacy profiles of the real sum in both views, over all neighbouring datasets (CSUZZ19, section 5.3).

By joint convexity only inputs that are multiples of 1/r count (ledger: CSUZZ19.Sec5.3.grid). Of the pairs of one user's inputs, 0 against
1 is the worst: in the untagged view because the distributions of the total are ordered by likelihood ratio, in the tagged view because runs
that do not change can be left out (CSUZZ19.Sec5.3.untagged, CSUZZ19.Sec5.3.tagged).
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Literal, get_args

from shuffleproof.spec.bounds.exact_pair import exact_value, integer_order, rational_exp, worst_renyi
from shuffleproof.spec.bounds.sums import bit_sum
from shuffleproof.spec.composition import Ratio, by_likelihood_ratio, composed
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.protocols import REAL_SUM_TAGGED, REAL_SUM_UNTAGGED
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, lambda_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_bit_sum, no_renyi_without_noise

LARGEST_UNTAGGED = 100
"""Of n r, the number of messages."""
LARGEST_TAGGED = 100_000
"""Of C(n + r - 1, r) (n + 1)^r, the number of pairs times that of their outcomes."""

View = Literal["untagged", "tagged"]


def untagged_pair(*, n: int, lam: Fraction, r: int, ones: int) -> tuple[Distribution[int], Distribution[int]]:
    """The laws of the total number of ones where the others' (n - 1) r bits hold `ones` ones and the user's r bits are all 0, then all 1.

    n, r at least 1; lam: lambda in [0, n], exact; ones from 0 to (n - 1) r. Raises DomainError outside the domain.
    """
    require(r >= 1, parameter="r", value=r, requirement="an integer of at least 1")
    require(0 <= ones <= (n - 1) * r, parameter="ones", value=ones, requirement=f"an integer from 0 to {(n - 1) * r}")
    return total_law(n=n, lam=lam, r=r, ones=ones), total_law(n=n, lam=lam, r=r, ones=ones + r)


def total_law(*, n: int, lam: Fraction, r: int, ones: int) -> Distribution[int]:
    """The law of the total when `ones` of the n r rounded bits are 1: Bin(ones, 1 - q) + Bin(n r - ones, q) with q = lambda/(2n)."""
    flipped = lam / (2 * n)
    return convolution(binomial(ones, 1 - flipped), binomial(n * r - ones, flipped))


def untagged_profiles(*, n: int, lam: Fraction, r: int) -> list[PrivacyProfile[int]]:
    """The profile of every `untagged_pair`, ones = 0, ..., (n - 1) r. Domains and errors as there."""
    laws = [total_law(n=n, lam=lam, r=r, ones=k) for k in range(n * r + 1)]
    return [PrivacyProfile(laws[k], laws[k + r]) for k in range((n - 1) * r + 1)]


def tagged_pair(*, n: int, lam: Fraction, ones: tuple[int, ...]) -> tuple[Distribution[Ratio], Distribution[Ratio]]:
    """The pair of the r counts, as likelihood ratios: ones[j] of the others hold 1 in run j, the user's bits are all 0, then all 1.

    n at least 1; lam: lambda in [0, n], exact; r = len(ones) at least 1, each from 0 to n - 1. Raises DomainError outside the domain.
    """
    require(len(ones) >= 1, parameter="ones", value=ones, requirement="a number for every run, at least one")
    return composed([bit_sum.pair(n=n, lam=lam, ones=k) for k in ones])


def tagged_profiles(*, n: int, lam: Fraction, r: int) -> Iterator[PrivacyProfile[Ratio]]:
    """The profile of every `tagged_pair`: roundings have n - 1 >= ones[0] >= ... >= ones[r - 1] >= 0, and order is immaterial."""
    pairs = [by_likelihood_ratio(*bit_sum.pair(n=n, lam=lam, ones=k)) for k in range(n)]
    for chosen in combinations_with_replacement(range(n), r):
        yield PrivacyProfile(*composed([pairs[k] for k in chosen]))


def delta(*, n: Number, lam: Number, r: Number, epsilon: Number | Epsilon, view: View) -> Bound:
    """The least delta for which the real sum is (epsilon, delta)-DP in this view, exact: the largest over all neighbouring datasets.

    n: users; lam: lambda in [0, n]; r: bits per user, at least 1; epsilon >= 0 with rational exponential ("ln 3");
    view: "untagged" (n r at most 100) or "tagged" (C(n + r - 1, r) (n + 1)^r at most 10^5).
    Returns a Bound of side "exact". Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=2, lam=1, r=2, epsilon="ln 2", view="untagged").exact, delta(n=2, lam=1, r=2, epsilon="ln 2", view="tagged").exact
    ('0.28515625', '0.29296875')
    """
    users, runs, noise = _parameters(n, lam, r, view)
    exp_epsilon = rational_exp(parse_epsilon(epsilon), "epsilon")
    value = max(profile.delta(exp_epsilon=exp_epsilon) for profile in _profiles(users, noise, runs, view))
    return exact_value(METHODS[view], "delta", value, inputs=as_given(n=n, **{"lambda": lam}, r=r, eps=epsilon))


def epsilon(*, n: Number, lam: Number, r: Number, delta: Number, view: View) -> Bound:
    """Least epsilon for which the real sum is (epsilon, delta)-DP in this view, exact: the largest over all neighbouring datasets.

    n, lam, r, view: as for `delta`; delta in [0, 1]. Returns a Bound of side "exact".
    Raises DomainError, ResourceLimitError; RegimeError for lambda = 0 and delta < 1: without noise no epsilon is enough.

    >>> epsilon(n=1, lam="1/2", r=2, delta=0, view="tagged").exact
    'ln 9'
    """
    users, runs, noise = _parameters(n, lam, r, view)
    target = probability(delta, parameter="delta")
    if noise == 0 and target < 1:
        raise no_epsilon_for_bit_sum(METHODS[view], delta=str(delta))
    found = [profile.exp_epsilon(delta=target) for profile in _profiles(users, noise, runs, view)]
    value = max(exp for exp in found if exp is not None)  # with noise all distributions have the same support
    return exact_value(METHODS[view], "epsilon", value, inputs=as_given(n=n, **{"lambda": lam}, r=r, delta=delta))


def renyi(*, n: Number, lam: Number, r: Number, order: Number, view: View) -> Bound:
    """The Renyi divergence of the real sum in this view: the largest over all neighbouring datasets.

    n, lam, r, view: as for `delta`; order: an integer of at least 2. Returns a Bound of side "exact" for order 2, else an enclosure.
    Raises DomainError, UnsupportedError, ResourceLimitError; RegimeError for lambda = 0.

    >>> renyi(n=1, lam="1/2", r=2, order=2, view="tagged").exact
    'ln 49/9'
    """
    users, runs, noise = _parameters(n, lam, r, view)
    alpha = integer_order(order)
    if noise == 0:
        raise no_renyi_without_noise(METHODS[view])
    pairs = ((each.p, each.q) for each in _profiles(users, noise, runs, view))
    return worst_renyi(METHODS[view], pairs, order=alpha, inputs=as_given(n=n, **{"lambda": lam}, r=r, order=order))


METHODS: dict[View, Method] = {"untagged": REAL_SUM_UNTAGGED, "tagged": REAL_SUM_TAGGED}


def _profiles(n: int, lam: Fraction, r: int, view: View) -> Iterable[PrivacyProfile[Any]]:
    return untagged_profiles(n=n, lam=lam, r=r) if view == "untagged" else tagged_profiles(n=n, lam=lam, r=r)


def _parameters(n: Number, lam: Number, r: Number, view: View) -> tuple[int, int, Fraction]:
    require(view in get_args(View), parameter="view", value=view, requirement='"untagged" or "tagged"')
    users, runs = count(n, parameter="n"), count(r, parameter="r")
    noise = lambda_parameter(lam, n=users)
    if view == "untagged" and users * runs > LARGEST_UNTAGGED:
        needed, limit = f"n r = {users * runs}", f"n r = {LARGEST_UNTAGGED}"
        raise ResourceLimitError(what="exact arithmetic on every total", needed=needed, limit=limit)
    if view == "tagged":
        fits = (
            runs <= LARGEST_UNTAGGED and users <= LARGEST_UNTAGGED and comb(users + runs - 1, runs) * (users + 1) ** runs <= LARGEST_TAGGED
        )
        if not fits:
            needed, limit = f"n = {users} and r = {runs}", f"C(n + r - 1, r) (n + 1)^r = {LARGEST_TAGGED}"
            raise ResourceLimitError(what="exact arithmetic on every vector of counts", needed=needed, limit=limit)
    return users, runs, noise
