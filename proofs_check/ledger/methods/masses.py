"""Exact masses by value, of any total: of values that are listed more than once, and of sums of independent ones."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
N = TypeVar("N", int, Fraction)


def merged(listed: Iterable[tuple[K, Fraction]]) -> dict[K, Fraction]:
    """Return the mass of each value, of pairs (value, mass) in which a value may stand more than once."""
    found: defaultdict[K, Fraction] = defaultdict(Fraction)
    for value, mass in listed:
        found[value] += mass
    return dict(found)


def sum_of(laws: Iterable[Mapping[N, Fraction | int]]) -> dict[N, Fraction]:
    """Return the distribution of the sum of independent values of these distributions."""
    total: dict[Any, Fraction] = {0: Fraction(1)}
    for law in laws:
        total = merged((x + y, p * q) for (x, p), (y, q) in product(total.items(), law.items()))
    return total


def positive_part(law: Mapping[Fraction, Fraction]) -> Fraction:
    """Return the mean of its positive part."""
    return sum((mass * value for value, mass in law.items() if value > 0), Fraction(0))
