"""What a claim is about: which mechanisms, which datasets, which neighbours, and what the adversary sees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from shuffleproof.spec.vocabulary.relation import Relation

SHUFFLED_REPORTS = "the shuffled reports"


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
