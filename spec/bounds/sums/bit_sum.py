"""The exact privacy profile of the bit sum, over all neighbouring datasets (CSUZZ19, section 4.2).

The view is the number of ones, and its distribution depends on the number of ones of the dataset only: two neighbouring datasets that
differ give the pair (k, k + 1), k the number of ones among the n - 1 others, in one order or the other. Which k is worst moves with lambda
and epsilon, so all of them are looked at.

>>> delta(n=3, lam=2, epsilon=0).exact, epsilon(n=1, lam="1/2", delta=0).exact, renyi(n=1, lam="1/2", order=2).exact
('5/27', 'ln 3', 'ln 7/3')
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from shuffleproof.spec.bounds.exact_pair import Answers, answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.protocols.bit_sum import ones_distribution
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_bit_sum, no_renyi_without_noise

LARGEST_N = 100
"""Users of whom all datasets are enumerated; the certified engine goes further."""


def pair(*, n: int, lam: Fraction, ones: int) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of the number of messages 1 where `ones` of the other n - 1 users hold 1, and the user in question holds 0, then 1.

    n: number of users, at least 1; lam: lambda in [0, n], exact; ones from 0 to n - 1. Raises DomainError outside the domain.
    """
    require(0 <= ones <= n - 1, parameter="ones", value=ones, requirement=f"an integer from 0 to {n - 1}")
    return ones_distribution(n=n, lam=lam, ones=ones), ones_distribution(n=n, lam=lam, ones=ones + 1)


def profiles(*, n: int, lam: Fraction) -> list[PrivacyProfile[int]]:
    """The profile of every pair (k, k + 1), k = 0, ..., n - 1. Domains and errors as for `pair`."""
    laws = [ones_distribution(n=n, lam=lam, ones=k) for k in range(n + 1)]
    return [PrivacyProfile(p, q) for p, q in pairwise(laws)]


def of_noisy_bits(method: Method, profiles: Callable[..., Iterable[PrivacyProfile[Any]]], *, largest_n: int | None = None) -> Answers:
    """Answer by these profiles: with noise all distributions have the same support, so that lambda = 0 alone is refused."""
    return answers(
        method,
        profiles,
        largest_n=largest_n,
        refused=lambda _, delta, __: no_epsilon_for_bit_sum(method, delta=delta),
        refused_renyi=lambda: no_renyi_without_noise(method),
    )


def worst_ones(*, n: int, lam: Fraction, exp_epsilon: Fraction) -> tuple[Fraction, list[int]]:
    """The least delta of all pairs at this e^epsilon >= 1, and every k that needs it.

    >>> worst_ones(n=3, lam=Fraction(2), exp_epsilon=Fraction(1))
    (Fraction(5, 27), [1])
    """
    deltas = [profile.delta(exp_epsilon=exp_epsilon) for profile in profiles(n=n, lam=lam)]
    return max(deltas), [k for k, delta in enumerate(deltas) if delta == max(deltas)]


delta, epsilon, renyi = of_noisy_bits(BIT_SUM, profiles, largest_n=LARGEST_N)
