"""What a claim is about: which mechanisms, which datasets, which neighbours, and what the adversary sees.

Neighbouring relations are those of FMT21, section 2; LSZKG22 uses both.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import TypeVar

X = TypeVar("X", bound=Hashable)
SHUFFLED_REPORTS = "the shuffled reports"


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


class Mechanisms(Enum):
    """Which mechanisms a claim speaks of: (whose, in words; by which rank it contains others; whether adaptive).

    Adaptive: the randomizer of a step may be chosen by the reports of earlier steps. Else it is one for all users, chosen before.
    """

    ONE = ("this mechanism, the same for all users", 0, False)
    ONE_ADAPTIVE = ("this mechanism, of functions of the data that may answer to earlier reports", 0, True)
    RATIOS_ADAPTIVE = ("every adaptive sequence of randomizers with these p, beta and q", 1, True)
    EVERY_ADAPTIVE = ("every adaptive sequence of eps0-DP randomizers", 2, True)
    LEAKING_ADAPTIVE = ("every adaptive sequence of (eps0, delta0)-DP randomizers", 3, True)

    def __init__(self, words: str, rank: int, adaptive: bool) -> None:
        self.words, self.rank, self.adaptive = words, rank, adaptive

    def __str__(self) -> str:
        return self.words

    def contains(self, other: Mechanisms) -> bool:
        """Return whether what the other speaks of is among these: an upper bound for these holds for it, a lower bound on it for these."""
        return other.rank <= self.rank and other.adaptive <= self.adaptive


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """The scope of a claim.

    mechanisms: those that it is true of; of a lower bound, what has reached it; datasets: "all" where it holds for all neighbouring
    datasets, "some" where some reach it; relation: which are neighbours; view: what the adversary sees.
    """

    mechanisms: Mechanisms
    datasets: str = "all"
    relation: Relation = Relation.REPLACE_ONE
    view: str = SHUFFLED_REPORTS

    def as_json(self) -> dict[str, str]:
        """The record as texts."""
        return {"mechanisms": str(self.mechanisms), "datasets": self.datasets, "relation": self.relation.value, "view": self.view}
