"""What a search for a counterexample found, whether it enumerated or drew at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from shuffleproof.proofs_check.verdict import Status, Verdict
from shuffleproof.spec.vocabulary.numerals import decimal_text

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Search(Generic[C]):
    """cases: how many were decided. counterexample: a case that fails, or None.

    slack: the least slack (None if only truth was asked for). worst: the case that has it.
    """

    cases: int
    counterexample: C | None
    slack: Fraction | None = None
    worst: C | None = None

    @property
    def holds(self) -> bool:
        """True iff there was at least one case and none failed."""
        return self.cases > 0 and self.counterexample is None

    def verdict(
        self,
        status: Status,
        *,
        domain: str,
        witness: Callable[[C], str],
        rests_on: tuple[str, ...],
        slack: str | None = None,
        note: str | None = None,
    ) -> Verdict:
        """Refuted with the described counterexample if there is one, otherwise this status."""
        if self.counterexample is not None:
            described = witness(self.counterexample)
            return Verdict(status=Status.REFUTED, domain=domain, cases=self.cases, witness=described, rests_on=rests_on)
        if slack is None and self.slack is not None and self.worst is not None:
            slack = decimal_text(self.slack, digits=3, direction="down")
        return Verdict(status=status, domain=domain, cases=self.cases, slack=slack, rests_on=rests_on, note=note)
