"""Neighbouring relations between datasets (FMT21, section 2; LSZKG22 uses both)."""

from collections.abc import Hashable, Iterator, Sequence
from enum import Enum
from itertools import product
from typing import TypeVar

X = TypeVar("X", bound=Hashable)


class Relation(Enum):
    """Which pairs of datasets count as neighbours; there is no default, every bound names its relation."""

    REPLACE_ONE = "replace-one"
    """Same number of users, one user's data replaced by any other (FMT21, section 2)."""

    ADD_REMOVE = "add-remove"
    """One user more or less."""

    DELETION = "deletion"
    """Same number of users, one user's data replaced by nothing: a vector without an item, a histogram's user in no bin.

    It is a smaller change than a replacement, so that a bound for it says nothing of replace-one neighbours. It is not add-remove either:
    the user is there, and adds noise, in both datasets.
    """


COUNTED_OR_NOT = (Relation.REPLACE_ONE, Relation.ADD_REMOVE)
"""The relations of what is asked without a user's "nothing": user histograms and central noise."""


def neighbouring_datasets(domain: Sequence[X], *, n: int) -> Iterator[tuple[tuple[X, ...], tuple[X, ...]]]:
    """All ordered pairs of replace-one neighbours of n users that differ in the first user.

    domain: the values one user may hold; n >= 1. After a shuffler the order of users is immaterial, so these
    pairs represent all of them: n = 2 over {0, 1} gives four pairs, two data values of the other user each way.

    >>> list(neighbouring_datasets("ab", n=1))
    [(('a',), ('b',)), (('b',), ('a',))]
    """
    for others in product(domain, repeat=n - 1):
        for x0, x1 in product(domain, repeat=2):
            if x0 != x1:
                yield (x0, *others), (x1, *others)
