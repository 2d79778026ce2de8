"""Hand batches out to an executor, collect what comes back, and hand out again what a dead worker has lost."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any

from shuffleproof.planning.sweep.executors import OnCluster, OnProcesses
from shuffleproof.planning.sweep.points import Batch, answer_batch
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, ShuffleproofError

_ATTEMPTS = 4
"""How often a batch is given to workers, and how many batches in a row may be lost, before the sweep gives up."""
_LOOK_SECONDS = 10.0
"""Seconds without a result after which the scheduler of a cluster is asked whether it is there."""
Rows = list[dict[str, Any]]


def run(
    batches: Iterable[Batch], *, renew: Callable[[], Executor], in_flight: int = 8, work: Callable[[Batch], Rows] = answer_batch
) -> Iterator[Rows]:
    """The rows of each batch, in the order in which they are finished; every batch exactly once.

    renew: gives any `concurrent.futures.Executor`, and is asked again after one has broken. in_flight: batches handed out at once.
    A batch that fails for a reason other than its own points is handed out again, four times in all. Raises what the points raise
    (DomainError), ResourceLimitError where workers keep dying on a batch, UnsupportedError where none begins. Left early, it takes back
    what is not begun.
    """
    executor = renew()
    waiting: deque[tuple[Batch, int]] = deque((batch, 1) for batch in batches)
    handed_out: dict[Future[Rows], tuple[Batch, int]] = {}
    barren = 0  # executors that broke before they took anything
    try:
        while waiting or handed_out:
            while waiting and len(handed_out) < in_flight:
                batch, attempt = waiting.popleft()
                try:
                    handed_out[executor.submit(work, batch)] = (batch, attempt)
                    barren = 0
                except BrokenExecutor as failure:
                    waiting.appendleft((batch, attempt))
                    barren += 1
                    if barren > _ATTEMPTS:
                        raise _given_up(batch, failure) from failure
                    break
            finished = _finished(handed_out, executor) if handed_out else set()
            broken = not finished
            for future in finished:
                batch, attempt = handed_out.pop(future)
                try:
                    rows = future.result()
                except ShuffleproofError:
                    raise
                except (Exception, CancelledError) as failure:
                    if isinstance(executor, OnProcesses) and isinstance(failure, BrokenExecutor):
                        executor.require_begun()
                    if attempt == _ATTEMPTS:
                        raise _given_up(batch, failure) from failure
                    waiting.append((batch, attempt + 1))
                    broken = broken or isinstance(failure, BrokenExecutor)
                else:
                    yield rows
            if broken:  # what else was handed out to this executor will not come back either
                waiting.extend(handed_out.values())
                handed_out.clear()
                executor = renew()
    finally:
        for future in handed_out:
            future.cancel()


def _finished(handed_out: Iterable[Future[Rows]], executor: Executor) -> set[Future[Rows]]:
    """Return what has ended, one at least. Raises ResourceLimitError where nothing can end any more: the scheduler is gone."""
    while not (finished := wait(handed_out, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED).done):
        if isinstance(executor, OnCluster):
            executor.require_scheduler()
    return finished


def _given_up(batch: Batch, failure: BaseException) -> ResourceLimitError:
    first = batch.points[0]
    what = f"a batch of {len(batch.points)} points from n = {first.n}, eps0 = {first.epsilon0}"
    needed = f"a worker that survives it ({type(failure).__name__}: {failure})"
    return ResourceLimitError(what=what, needed=needed, limit=f"{_ATTEMPTS} attempts")
