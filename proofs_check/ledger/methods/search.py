"""What a search for a counterexample found, whether it enumerated or drew at random."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from shuffleproof.proofs_check.ledger.verdict import Status, Verdict
from shuffleproof.spec.vocabulary.numerals import decimal_text

C = TypeVar("C")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Search(Generic[C]):
    """cases: how many were decided. counterexample: a case that fails, or None.

    slack: the least slack (None if only truth was asked for). worst: the case that has it. names: of what was asked of each case.
    """

    shows: ClassVar[Status]
    cases: int
    counterexample: C | None
    slack: Fraction | None = None
    worst: C | None = None
    names: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """True iff there was at least one case and none failed."""
        return self.cases > 0 and self.counterexample is None

    @property
    def described(self) -> str | None:
        """The counterexample, with the names that its parts have in what was asked of it; None where there is none."""
        return None if self.counterexample is None else self._named(self.counterexample)

    def verdict(
        self,
        *,
        domain: str,
        witness: Callable[[C], str] | None = None,
        claims: Status | None = None,
        slack: str | None = None,
        note: str | None = None,
        given: bool = True,
    ) -> Verdict:
        """Refuted with the described counterexample if there is one, open where a step is not `given`, else what this search shows.

        witness: describes a case; by default with the names that its parts have in what was asked of it.
        claims: `argued`, where a written argument stands among the statement's grounds and the cases only accompany it; or a weaker
        word than the search's own. Raises ValueError for any other: no number of cases proves a statement about all.
        """
        if claims not in (None, Status.ARGUED) and claims.weight > self.shows.weight:
            raise ValueError(f"a search cannot show that a statement is {claims}: at most {self.shows}")
        if self.counterexample is not None:
            return Verdict.refuted((witness or self._named)(self.counterexample), domain=domain, cases=self.cases)
        if slack is None and self.slack is not None and self.worst is not None:
            slack = decimal_text(self.slack, digits=3, direction="down")
        return Verdict.found(claims or self.shows, domain=domain, cases=self.cases, slack=slack, note=note, given=given)

    def _named(self, case: Any) -> str:
        parts = case if len(self.names) > 1 else [case]
        return ", ".join(f"{name} = {part}" for name, part in zip(self.names, parts, strict=True))


def of_case(asked: Callable[..., T]) -> tuple[Callable[[Any], T], tuple[str, ...]]:
    """Return what is asked of a case, or of its parts where it takes several, as a function of the case; and the names of what it takes."""
    taken = inspect.signature(asked).parameters.values()
    names = tuple(each.name for each in taken if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD)
    return (lambda case: asked(*case)) if len(names) > 1 else asked, names
