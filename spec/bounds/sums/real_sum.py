"""The exact privacy profiles of the real sum in both views, over all neighbouring datasets (CSUZZ19, section 5.3).

By joint convexity only inputs that are multiples of 1/r count (ledger: CSUZZ19.Sec5.3.grid). Of the pairs of one user's inputs, 0 against
1 is the worst: in the untagged view because the distributions of the total are ordered by likelihood ratio, in the tagged view because runs
that do not change can be left out (CSUZZ19.Sec5.3.untagged, CSUZZ19.Sec5.3.tagged).

>>> untagged.delta(n=2, lam=1, r=2, epsilon="ln 2").exact, tagged.delta(n=2, lam=1, r=2, epsilon="ln 2").exact
('0.28515625', '0.29296875')
>>> tagged.epsilon(n=1, lam="1/2", r=2, delta=0).exact, tagged.renyi(n=1, lam="1/2", r=2, order=2).exact
('ln 9', 'ln 49/9')
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

from shuffleproof.spec.bounds.sums import bit_sum
from shuffleproof.spec.composition import Ratio, by_likelihood_ratio, composed
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial, convolution
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require
from shuffleproof.spec.vocabulary.methods.protocols import REAL_SUM_TAGGED, REAL_SUM_UNTAGGED

LARGEST_UNTAGGED = 100
"""Of n r, the number of messages."""
LARGEST_TAGGED = 100_000
"""Of C(n + r - 1, r) (n + 1)^r, the number of pairs times that of their outcomes."""


def untagged_pair(*, n: int, lam: Fraction, r: int, ones: int) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of the total number of ones where the others' (n - 1) r bits hold `ones` ones and the user's are all 0, then all 1.

    n, r at least 1; lam: lambda in [0, n], exact; ones from 0 to (n - 1) r. Raises DomainError outside the domain.
    """
    require(r >= 1, parameter="r", value=r, requirement="an integer of at least 1")
    require(0 <= ones <= (n - 1) * r, parameter="ones", value=ones, requirement=f"an integer from 0 to {(n - 1) * r}")
    return total_distribution(n=n, lam=lam, r=r, ones=ones), total_distribution(n=n, lam=lam, r=r, ones=ones + r)


def total_distribution(*, n: int, lam: Fraction, r: int, ones: int) -> Distribution[int]:
    """The distribution of the total when `ones` of n r rounded bits are 1: Bin(ones, 1 - q) + Bin(n r - ones, q), q = lambda/(2n)."""
    flipped = lam / (2 * n)
    return convolution(binomial(ones, 1 - flipped), binomial(n * r - ones, flipped))


def untagged_profiles(*, n: int, lam: Fraction, r: int) -> list[PrivacyProfile[int]]:
    """The profile of every `untagged_pair`, ones = 0, ..., (n - 1) r. Domains and errors as there."""
    laws = [total_distribution(n=n, lam=lam, r=r, ones=k) for k in range(n * r + 1)]
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


def _untagged(*, n: int, lam: Fraction, r: int) -> Iterable[PrivacyProfile[int]]:
    if n * r > LARGEST_UNTAGGED:
        needed, limit = f"n r = {n * r}", f"n r = {LARGEST_UNTAGGED}"
        raise ResourceLimitError(what="exact arithmetic on every total", needed=needed, limit=limit)
    return untagged_profiles(n=n, lam=lam, r=r)


def _tagged(*, n: int, lam: Fraction, r: int) -> Iterable[PrivacyProfile[Ratio]]:
    if not (r <= LARGEST_UNTAGGED and n <= LARGEST_UNTAGGED and comb(n + r - 1, r) * (n + 1) ** r <= LARGEST_TAGGED):
        needed, limit = f"n = {n} and r = {r}", f"C(n + r - 1, r) (n + 1)^r = {LARGEST_TAGGED}"
        raise ResourceLimitError(what="exact arithmetic on every vector of counts", needed=needed, limit=limit)
    return tagged_profiles(n=n, lam=lam, r=r)


untagged, tagged = bit_sum.of_noisy_bits(REAL_SUM_UNTAGGED, _untagged), bit_sum.of_noisy_bits(REAL_SUM_TAGGED, _tagged)
