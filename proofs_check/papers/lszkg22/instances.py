"""Small datasets on which statements about histograms are decided in exact arithmetic."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import isqrt

from shuffleproof.spec.protocols.thresholds import User

Counts = tuple[int, ...]
F = Fraction


def histograms(*, d: int, most: int) -> Iterator[Counts]:
    """All histograms on d elements with counts from 0 to most."""
    return product(range(most + 1), repeat=d)


def with_rational_norm(*, d: int, most: int) -> Iterator[Counts]:
    """Those whose l2 norm is an integer."""
    return (h for h in histograms(d=d, most=most) if isqrt(sum(x * x for x in h)) ** 2 == sum(x * x for x in h))


def user_sets(*, norms: tuple[Fraction, ...], weights: tuple[Fraction, ...], most: int) -> Iterator[tuple[User, ...]]:
    """All multisets of at most `most` users with a norm and a weight from these lists."""
    kinds = [User(m, w) for m in norms for w in weights]
    for n in range(most + 1):
        yield from combinations_with_replacement(kinds, n)


def replaced(users: tuple[User, ...], by: User) -> Iterator[tuple[User, ...]]:
    """The replace-one neighbours in which one user has become `by`."""
    for i in range(len(users)):
        yield (*users[:i], by, *users[i + 1 :])
