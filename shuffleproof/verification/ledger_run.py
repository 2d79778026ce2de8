"""Running the ledger in parallel: statements, and their mutants, as independent tasks for worker processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from shuffleproof.proofs_check import ledger
from shuffleproof.proofs_check.ledger import Bent, Budget, MutantResult, Result, Statement, Steps, Verdict
from shuffleproof.verification.lanes import Lanes, side_by_side

Task = tuple[str, bool]
"""A statement by id, and whether it is its mutants that are run instead of itself."""
Outcome = list[tuple[Verdict, float, Steps]] | str
"""Verdicts with their seconds and steps, one for a statement and one for each mutant; or what went wrong in the check itself."""


@dataclass(frozen=True, slots=True)
class LedgerRun:
    """What a run of the ledger found. results and mutants: in paper order. faults: a line for every check that itself went wrong."""

    results: tuple[Result, ...]
    mutants: tuple[MutantResult, ...]
    faults: tuple[str, ...]


def run_ledger(
    statements: Sequence[Statement], budget: Budget, *, mutants: bool, finished: Callable[[str], object] = lambda _: None
) -> LedgerRun:
    """Check the statements, and their mutants if asked, as many at once as there are processors (at most 8).

    finished: called with the id whenever a task ends. A check that raises is a fault of the ledger: it is reported, the others go on.
    """
    tasks = _tasks(statements, mutants=mutants)
    if len(tasks) == 1:
        outcome = _carry_out(tasks[0], budget)
        finished(tasks[0][0])
        return _gathered(statements, {tasks[0]: outcome})
    with side_by_side() as lanes:
        return begin_ledger(lanes, statements, budget, mutants=mutants, finished=finished)()


def begin_ledger(
    lanes: Lanes, statements: Sequence[Statement], budget: Budget, *, mutants: bool, finished: Callable[[str], object], urgency: int = 0
) -> Callable[[], LedgerRun]:
    """The same, beside other work: what is returned waits for the outcome."""
    pending: dict[Task, Future[Outcome]] = {}
    for task in _tasks(statements, mutants=mutants):
        pending[task] = lanes.computing(_carry_out, task, budget, urgency=urgency)
        pending[task].add_done_callback(lambda _, id=task[0]: finished(id))  # type: ignore[misc]
    return lambda: _gathered(statements, {task: future.result() for task, future in pending.items()})


def _tasks(statements: Sequence[Statement], *, mutants: bool) -> list[Task]:
    kinds = (False, True) if mutants else (False,)
    return [(entry.id, kind) for kind in kinds for entry in statements if not kind or ledger.all_mutants(entry)]


def _gathered(statements: Sequence[Statement], outcomes: dict[Task, Outcome]) -> LedgerRun:
    """Everything in the order of the tasks, whatever order it was found in."""
    known = {entry.id: entry for entry in statements}
    found = {task: outcome for task, outcome in outcomes.items() if not isinstance(outcome, str)}
    return LedgerRun(
        results=tuple(Result(known[id], *found[id, False][0]) for id, is_mutants in outcomes if not is_mutants and (id, False) in found),
        mutants=tuple(
            MutantResult(known[id], mutant, *outcome)
            for id, is_mutants in outcomes
            if is_mutants and (id, True) in found
            for mutant, outcome in zip(ledger.all_mutants(known[id]), found[id, True], strict=True)
        ),
        faults=tuple(
            f"{id}{', a mutant' if is_mutants else ''}: {outcome}"
            for (id, is_mutants), outcome in outcomes.items()
            if isinstance(outcome, str)
        ),
    )


def run_bent(statements: Sequence[Statement], budget: Budget, *, finished: Callable[[str], object] = lambda _: None) -> tuple[Bent, ...]:
    """Every number of every check bent by machine (see proofs_check.ledger.bending), in paper order, in parallel as above."""
    if len(statements) == 1:
        found = _bend(statements[0].id, budget)
        finished(statements[0].id)
        return tuple(found)
    with side_by_side() as lanes:
        pending = [lanes.computing(_bend, entry.id, budget, urgency=0) for entry in statements]
        for entry, future in zip(statements, pending, strict=True):
            future.add_done_callback(lambda _, id=entry.id: finished(id))  # type: ignore[misc]
        return tuple(bent for future in pending for bent in future.result())


def _bend(id: str, budget: Budget) -> list[Bent]:
    return list(ledger.bend(ledger.registry()[id], budget))


def _carry_out(task: Task, budget: Budget) -> Outcome:
    """Callables stay where they are: only plain values cross between processes."""
    id, is_mutants = task
    try:
        entry = ledger.registry()[id]
        if is_mutants:
            return [(result.verdict, result.seconds, result.steps) for result in ledger.run_mutants(entry, budget)]
        return [(result.verdict, result.seconds, result.steps) for result in ledger.check([entry], budget)]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
