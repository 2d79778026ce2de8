"""Randomly drawn cases (hypothesis), reproducible from the seed; a failing case is shrunk (see Budget) and kept as a witness."""

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.strategies import SearchStrategy

from shuffleproof.proofs_check.ledger.methods.search import Search, of_case
from shuffleproof.proofs_check.ledger.statements import Budget
from shuffleproof.proofs_check.ledger.steps import step
from shuffleproof.proofs_check.ledger.verdict import Status

C = TypeVar("C")

if "pytest" not in sys.modules and "HYPOTHESIS_STORAGE_DIRECTORY" not in os.environ:
    # What hypothesis remembers of modules would lie in a folder .hypothesis wherever a user happens to be.
    set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "shuffleproof-hypothesis")


class Sample(Search[C]):
    """Holds what random cases showed, repeats counted."""

    __slots__ = ()
    shows = Status.SAMPLED


class _FailsError(Exception):
    pass


def for_all(cases: SearchStrategy[C], *, holds: Callable[..., bool], budget: Budget, quick: int, full: int) -> Sample[C]:
    """Decide random cases, or their parts if `holds` takes several; quick and full say how many for either depth."""
    asked, names = of_case(holds)
    found = least_slack(cases, slack=lambda case: Fraction(0 if asked(case) else -1), budget=budget, quick=quick, full=full)
    return replace(found, slack=None, worst=None, names=names)


def least_slack(
    cases: SearchStrategy[C], *, slack: Callable[..., Fraction], budget: Budget, quick: int, full: int, strict: bool = False
) -> Sample[C]:
    """Decide slack(case) >= 0 (> 0 if strict) for random cases; keeps the least slack and its case."""
    asked, names = of_case(slack)
    found = replace(_drawn(cases, asked, strict, budget.pick(quick=quick, full=full), budget), names=names)
    step(found.holds, shows=Status.SAMPLED)
    return found


def _drawn(cases: SearchStrategy[C], slack: Callable[[C], Fraction], strict: bool, examples: int, budget: Budget) -> Sample[C]:
    decided = 0
    least: Fraction | None = None
    worst: C | None = None
    failing: list[C] = []

    @seed(budget.seed)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink) if budget.shrink else (Phase.generate,),
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
            failing.append(case)  # the last one that fails is the smallest: it is run again before the error is raised
            raise _FailsError

    try:
        decide()
    except _FailsError:
        return Sample(decided, failing[-1], slack(failing[-1]), failing[-1])
    return Sample(decided, None, least, worst)
