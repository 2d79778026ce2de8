"""Randomly drawn cases (hypothesis), reproducible from the seed; a failing case is shrunk and kept as a witness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.strategies import SearchStrategy
from shuffleproof.proofs_check.ledger import Budget

RESTS_ON = "hypothesis (random cases), decided in exact rationals"
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Sample(Generic[C]):
    """What random cases showed.

    cases: how many were decided, repeats included. counterexample: a failing case, shrunk, or None.
    slack: the least slack seen (None if only truth was asked for). worst: the case that has it.
    """

    cases: int
    counterexample: C | None
    slack: Fraction | None
    worst: C | None

    @property
    def holds(self) -> bool:
        """True iff there was at least one case and none failed."""
        return self.cases > 0 and self.counterexample is None


class _FailsError(Exception):
    pass


def for_all(cases: SearchStrategy[C], *, holds: Callable[[C], bool], budget: Budget, quick: int, full: int) -> Sample[C]:
    """Decide random cases; quick and full say how many for either depth."""
    found = least_slack(cases, slack=lambda case: Fraction(0 if holds(case) else -1), budget=budget, quick=quick, full=full)
    return Sample(found.cases, found.counterexample, None, None)


def least_slack(
    cases: SearchStrategy[C], *, slack: Callable[[C], Fraction], budget: Budget, quick: int, full: int, strict: bool = False
) -> Sample[C]:
    """Decide slack(case) >= 0 (> 0 if strict) for random cases; keeps the least slack and its case."""
    decided = 0
    least: Fraction | None = None
    worst: C | None = None
    failing: list[C] = []

    @seed(budget.seed)
    @settings(
        max_examples=budget.pick(quick=quick, full=full),
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(cases)
    def decide(case: C) -> None:
        nonlocal decided, least, worst
        decided += 1
        margin = slack(case)
        if least is None or margin < least:
            least, worst = margin, case
        if margin < 0 or (strict and margin == 0):
            failing.append(case)  # the last one that fails is the shrunk one: it is run again before the error is raised
            raise _FailsError

    try:
        decide()
    except _FailsError:
        return Sample(decided, failing[-1], slack(failing[-1]), failing[-1])
    return Sample(decided, None, least, worst)
