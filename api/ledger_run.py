"""Running the ledger in parallel: statements and their mutants as independent tasks in a pool of processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

from shuffleproof.proofs_check import ledger
from shuffleproof.proofs_check.ledger import Budget, MutantResult, Result, Statement
from shuffleproof.proofs_check.verdict import Verdict

Task = tuple[str, int | None]
"""A statement by id, and which of its mutants (None: the statement itself)."""


@dataclass(frozen=True, slots=True)
class LedgerRun:
    """What a run of the ledger found. results and mutants: in paper order. faults: task -> what went wrong in the check itself."""

    results: tuple[Result, ...]
    mutants: tuple[MutantResult, ...]
    faults: dict[str, str]


def run_ledger(
    statements: Sequence[Statement],
    budget: Budget,
    *,
    mutants: bool,
    finished: Callable[[str], None] = lambda _: None,
    workers: int | None = None,
) -> LedgerRun:
    """Check the statements, and their mutants if asked.

    finished: called with a task's name whenever one ends. workers: processes, as many as there are processors (at most 8) if None.
    A check that raises is a fault of the ledger: it is reported, and the others go on.
    """
    tasks: list[Task] = [(entry.id, None) for entry in statements]
    if mutants:
        tasks += [(entry.id, index) for entry in statements for index in range(len(entry.mutants))]
    known = {entry.id: entry for entry in statements}
    outcomes: dict[Task, tuple[Verdict, float]] = {}
    faults: dict[str, str] = {}
    for task, outcome in _outcomes(tasks, budget, workers or min(os.cpu_count() or 1, 8)):
        if isinstance(outcome, str):
            faults[_name(known, task)] = outcome
        else:
            outcomes[task] = outcome
        finished(task[0])
    return LedgerRun(
        results=tuple(Result(known[id], *outcomes[id, index]) for id, index in tasks if index is None and (id, index) in outcomes),
        mutants=tuple(
            MutantResult(known[id], known[id].mutants[index], *outcomes[id, index])
            for id, index in tasks
            if index is not None and (id, index) in outcomes
        ),
        faults=faults,
    )


def _outcomes(tasks: Sequence[Task], budget: Budget, workers: int) -> Iterator[tuple[Task, tuple[Verdict, float] | str]]:
    if len(tasks) == 1:
        yield tasks[0], _guarded(tasks[0], budget)
        return
    with _pool(workers) as pool:
        pending: dict[Future[tuple[Verdict, float] | str], Task] = {pool.submit(_guarded, task, budget): task for task in tasks}
        while pending:
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield pending.pop(future), future.result()


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    # Fresh interpreters: a progress bar's thread is running in this one, and a fork would copy its locks.
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_die_quietly_on_interrupt)
    before = set(multiprocessing.active_children())
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        raise
    pool.shutdown()


def _die_quietly_on_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _guarded(task: Task, budget: Budget) -> tuple[Verdict, float] | str:
    """The verdict and its seconds, or what went wrong. Callables stay where they are: only plain values cross between processes."""
    id, index = task
    try:
        entry = ledger.registry()[id]
        if index is None:
            result = next(ledger.check([entry], budget))
            return result.verdict, result.seconds
        started = time.perf_counter()
        verdict = entry.mutants[index].check(budget)
        return verdict, time.perf_counter() - started
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _name(known: dict[str, Statement], task: Task) -> str:
    id, index = task
    return id if index is None else f"{id}, mutant: {known[id].mutants[index].change}"
