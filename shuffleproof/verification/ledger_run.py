"""Running the ledger in parallel: statements, and their mutants, as independent tasks in a pool of processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager
from dataclasses import dataclass

from shuffleproof.proofs_check import ledger
from shuffleproof.proofs_check.ledger import Bent, Budget, MutantResult, Result, Statement, Steps, Verdict

MOST_WORKERS = 8
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
    kinds = (False, True) if mutants else (False,)
    tasks: list[Task] = [(entry.id, kind) for kind in kinds for entry in statements if not kind or entry.mutants]
    known = {entry.id: entry for entry in statements}
    outcomes: dict[Task, list[tuple[Verdict, float, Steps]]] = {}
    faults: dict[Task, str] = {}
    for task, outcome in _outcomes(tasks, budget):
        if isinstance(outcome, str):
            faults[task] = outcome
        else:
            outcomes[task] = outcome
        finished(task[0])
    in_order = [(known[id], is_mutants, outcomes.get((id, is_mutants), [])) for id, is_mutants in tasks]
    return LedgerRun(
        results=tuple(Result(entry, *found[0]) for entry, is_mutants, found in in_order if found and not is_mutants),
        mutants=tuple(
            MutantResult(entry, mutant, *outcome)
            for entry, is_mutants, found in in_order
            if is_mutants and found
            for mutant, outcome in zip(entry.mutants, found, strict=True)
        ),
        faults=tuple(f"{id}{', a mutant' if is_mutants else ''}: {fault}" for (id, is_mutants), fault in faults.items()),
    )


def run_bent(statements: Sequence[Statement], budget: Budget, *, finished: Callable[[str], object] = lambda _: None) -> tuple[Bent, ...]:
    """Every number of every check bent by machine (see proofs_check.ledger.bending), in paper order, in parallel as above."""
    found: dict[str, list[Bent]] = {}
    with _pool(min(os.cpu_count() or 1, MOST_WORKERS)) as pool:
        pending = {pool.submit(_bend, entry.id, budget): entry.id for entry in statements}
        for future in as_completed(pending):
            found[pending[future]] = future.result()
            finished(pending[future])
    return tuple(bent for entry in statements for bent in found[entry.id])


def _bend(id: str, budget: Budget) -> list[Bent]:
    return list(ledger.bend(ledger.registry()[id], budget))


def _outcomes(tasks: Sequence[Task], budget: Budget) -> Iterator[tuple[Task, Outcome]]:
    if len(tasks) == 1:
        yield tasks[0], _carry_out(tasks[0], budget)
        return
    with _pool(min(os.cpu_count() or 1, MOST_WORKERS)) as pool:
        pending: dict[Future[Outcome], Task] = {pool.submit(_carry_out, task, budget): task for task in tasks}
        while pending:
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield pending.pop(future), future.result()


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    before = set(multiprocessing.active_children())
    # Fresh interpreters: a progress bar's thread may be running in this one, and a fork would copy the locks that it holds.
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_end_quietly_on_interrupt)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        raise
    pool.shutdown()


def _end_quietly_on_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


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
