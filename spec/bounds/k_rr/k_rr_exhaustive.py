"""Shuffled k-ary randomized response over all neighbouring datasets, exhausted up to symmetry: its exact privacy, for few users."""

from collections.abc import Iterator
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.model import LocalRandomizer, Multiset, shuffled_distribution
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.clones import K_RR_EXHAUSTIVE

Others = tuple[int, ...]
LARGEST_N = 6
"""At n = 6 there are 28 classes of datasets, and distributions of up to 1716 outcomes: seconds."""


def classes_of_others(*, n: int, k: int) -> Iterator[Others]:
    """x_2, ..., x_n up to symmetry, for X_0 = (0, x_2, ..., x_n) and X_1 = (1, x_2, ..., x_n).

    Users may change places, the values 2, ..., k - 1 may be renamed, and 0 and 1 may be exchanged, which exchanges X_0 and X_1.
    n: number of users, at least 1; k: categories, at least 2.
    """
    for zeros in range(n):
        for ones in range(min(zeros, n - 1 - zeros) + 1):
            for sizes in _partitions(n - 1 - zeros - ones, most_parts=k - 2, largest=n):
                rest = (value for value, size in enumerate(sizes, start=2) for _ in range(size))
                yield (*(0,) * zeros, *(1,) * ones, *rest)


def profile(*, others: Others, k: int, exp_epsilon0: Fraction) -> PrivacyProfile[Multiset[int]]:
    """The profile of shuffled kRR on (0, others) and (1, others), with the values that nobody holds merged into one report.

    others: values in range(k); k: categories, at least 2; exp_epsilon0: e^epsilon0 >= 1, exact. Raises DomainError outside these.
    """
    require(k >= 2, parameter="k", value=k, requirement="an integer of at least 2")
    require(all(0 <= x < k for x in others), parameter="others", value=others, requirement=f"values in range({k})")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    held = sorted({0, 1, *others})
    total, T = exp_epsilon0 + k - 1, Fraction(exp_epsilon0)
    unheld = {-1: (k - len(held)) / total}
    laws = {x: Distribution({**{y: (T if y == x else Fraction(1)) / total for y in held}, **unheld}) for x in held}
    randomizer = LocalRandomizer(held, laws)
    return PrivacyProfile(*(shuffled_distribution(randomizer, (b, *others)) for b in (0, 1)))


def _profiles(*, n: int, k: int, exp_epsilon0: Fraction) -> Iterator[PrivacyProfile[Multiset[int]]]:
    return (profile(others=others, k=k, exp_epsilon0=exp_epsilon0) for others in classes_of_others(n=n, k=k))


delta, epsilon, renyi = answers(K_RR_EXHAUSTIVE, _profiles, largest_n=LARGEST_N)


def _partitions(total: int, *, most_parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The ways to write total as a sum of at most most_parts parts, largest first."""
    if total == 0:
        yield ()
    elif most_parts > 0:
        for first in range(min(total, largest), 0, -1):
            yield from ((first, *rest) for rest in _partitions(total - first, most_parts=most_parts - 1, largest=first))
