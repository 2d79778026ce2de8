"""Running the ledger in parallel: statements, and their mutants, as independent tasks for worker processes."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from shuffleproof.proofs_check import ledger
from shuffleproof.proofs_check.ledger import Budget, MutantResult, NumberMutant, Result, Statement, Steps, Verdict
from shuffleproof.verification.workers import Workers, side_by_side

Task = tuple[str, bool]
"""A statement by id, and whether its mutants are run too: in the same process, where what they share is computed once."""
Outcome = list[tuple[Verdict, float, Steps]] | str
"""Verdicts with their seconds and steps, one for a statement and one for each mutant; or what went wrong in the check itself."""


@dataclass(frozen=True, slots=True)
class LedgerRun:
    """Holds what a run of the ledger found. results and mutants: in paper order. faults: a line for every check that itself went wrong."""

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
        outcomes = _carry_out(tasks[0], budget)
        finished(tasks[0][0])
        return _gathered(statements, {tasks[0]: outcomes})
    with side_by_side() as workers:
        return begin_ledger(workers, statements, budget, mutants=mutants, finished=finished)()


def begin_ledger(
    workers: Workers, statements: Sequence[Statement], budget: Budget, *, mutants: bool, finished: Callable[[str], object]
) -> Callable[[], LedgerRun]:
    """The same, beside other work: what is returned waits for the outcome."""
    pending: dict[Task, Future[list[Outcome]]] = {}
    for task in _tasks(statements, mutants=mutants):
        pending[task] = workers.computing(_carry_out, task, budget)
        pending[task].add_done_callback(lambda _, id=task[0]: finished(id))  # type: ignore[misc]
    return lambda: _gathered(statements, {task: future.result() for task, future in pending.items()})


def _tasks(statements: Sequence[Statement], *, mutants: bool) -> list[Task]:
    ledger.require_assertions()
    return [(entry.id, mutants and bool(ledger.all_mutants(entry))) for entry in statements]


def _gathered(statements: Sequence[Statement], outcomes: dict[Task, list[Outcome]]) -> LedgerRun:
    """Everything in the order of the tasks, whatever order it was found in."""
    known = {entry.id: entry for entry in statements}
    found = [(known[id], kind, outcome) for (id, _), each in outcomes.items() for kind, outcome in enumerate(each)]
    of_mutants = [(entry, outcome) for entry, is_mutants, outcome in found if is_mutants]
    return LedgerRun(
        results=tuple(Result(entry, *outcome[0]) for entry, kind, outcome in found if not kind and not isinstance(outcome, str)),
        mutants=tuple(
            MutantResult(entry, mutant, *done)
            for entry, outcome in of_mutants
            if not isinstance(outcome, str)
            for mutant, done in zip(ledger.all_mutants(entry), outcome, strict=True)
        ),
        faults=tuple(
            f"{entry.id}{', a mutant' if is_mutants else ''}: {outcome}"
            for is_mutants in (0, 1)
            for entry, kind, outcome in found
            if kind == is_mutants and isinstance(outcome, str)
        ),
    )


def run_number_mutants(
    statements: Sequence[Statement], budget: Budget, *, finished: Callable[[str], object] = lambda _: None
) -> tuple[NumberMutant, ...]:
    """Run the number mutants of every check (see proofs_check.ledger.number_mutants), in paper order, in parallel as above."""
    if len(statements) == 1:
        found = _number_mutants(statements[0].id, budget)
        finished(statements[0].id)
        return tuple(found)
    with side_by_side() as workers:
        pending = [workers.computing(_number_mutants, entry.id, budget) for entry in statements]
        for entry, future in zip(statements, pending, strict=True):
            future.add_done_callback(lambda _, id=entry.id: finished(id))  # type: ignore[misc]
        return tuple(mutant for future in pending for mutant in future.result())


def _number_mutants(id: str, budget: Budget) -> list[NumberMutant]:
    return list(ledger.mutate_numbers(ledger.registry()[id], budget))


def _carry_out(task: Task, budget: Budget) -> list[Outcome]:
    """The statement's outcome, and that of its mutants if they are run. Callables stay here: only plain values cross processes."""
    id, with_mutants = task
    runs = (lambda entry: ledger.check([entry], budget), lambda entry: ledger.run_mutants(entry, budget))
    return [_outcome(id, run) for run in runs[: 1 + with_mutants]]


def _outcome(id: str, run: Callable[[Statement], Iterable[Result | MutantResult]]) -> Outcome:
    try:
        return [(result.verdict, result.seconds, result.steps) for result in run(ledger.registry()[id])]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
