"""Shuffled k-ary randomized response on one neighbouring pair, (1, 3, ..., 3) and (2, 3, ..., 3): a lower bound for its privacy."""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, multinomial, with_one_more
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.clones import K_RR_PAIR
from shuffleproof.spec.vocabulary.numerals import count

Counts = tuple[int, ...]
LARGEST_N = 25
"""The pair has about n^3/6 outcomes, built from n^4/24 terms: n = 25 takes seconds."""


def pair(*, n: int, k: int, exp_epsilon0: Fraction) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """The counts of the reports 1, 2, 3 and of all others, on X_0 = (1, 3, ..., 3) and X_1 = (2, 3, ..., 3).

    The reports 4, ..., k are equally likely under both, whatever the others are: merging them loses nothing.

    n: number of users, at least 1; k: categories, at least 3; exp_epsilon0: e^epsilon0 >= 1, exact. Raises DomainError outside these.
    """
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(k >= 3, parameter="k", value=k, requirement="an integer of at least 3")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    first, second, third = (_report(x, k, Fraction(exp_epsilon0)) for x in range(3))
    others = multinomial(n - 1, [third[y] for y in range(4)])
    return with_one_more(others, first), with_one_more(others, second)


def _profiles(*, n: int, k: int, exp_epsilon0: Fraction) -> list[PrivacyProfile[Counts]]:
    count(k, parameter="k", minimum=3)
    return [PrivacyProfile(*pair(n=n, k=k, exp_epsilon0=exp_epsilon0))]


delta, epsilon, _ = answers(K_RR_PAIR, _profiles, largest_n=LARGEST_N)


def _report(x: int, k: int, T: Fraction) -> Distribution[int]:
    """kRR on input x of 0, 1, 2 (written 1, 2, 3 above), with all further categories merged into 3."""
    law = {y: (T if y == x else Fraction(1)) / (T + k - 1) for y in range(3)}
    return Distribution({**law, 3: (k - 3) / (T + k - 1)})
