"""Work side by side: as many jobs at once as there are workers, in worker processes or waiting for a process of somebody else's."""

import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from shuffleproof.conformance.running import harness
from shuffleproof.planning.sweep.executors import PROCESSES, named_executor

MOST_WORKERS = 8
"""Processes at most: there are hardly more long pieces than that."""
T = TypeVar("T")
A = TypeVar("A")


class Workers:
    """Does jobs in the order in which they are given. stopped: set when the work is given up; jobs that take long look at it."""

    def __init__(self, many: int, processes: Executor) -> None:
        self.stopped = threading.Event()
        self._processes = processes
        self._threads = ThreadPoolExecutor(many, thread_name_prefix="worker")

    def waiting(self, job: Callable[[], T]) -> Future[T]:
        """A job whose work is done by another process, say a harness: it is called in a thread of this process."""
        return self._threads.submit(job)

    def computing(self, function: Callable[..., T], *given: Any) -> Future[T]:
        """A job that computes: the function and what it is given go to a worker process."""
        return self.waiting(lambda: self._processes.submit(function, *given).result())

    def each(self, function: Callable[[A], T], cases: Iterable[A], *, at_once: int = 5) -> Iterator[T]:
        """The function of every case, in their order, computed so many at once."""
        left, parts = iter(cases), []
        while part := tuple(itertools.islice(left, at_once)):
            parts.append(self.computing(_all_of, function, part))
        for found in parts:
            yield from found.result()

    def close(self, *, at_once: bool) -> None:
        """Begin nothing more. at_once: harnesses that are at work are interrupted, until `ended`."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if at_once:
            self.stopped.set()

    def ended(self) -> None:
        """Wait until nothing is done any more."""
        ending = threading.Thread(target=self._threads.shutdown, daemon=True)
        ending.start()
        while ending.is_alive():
            if self.stopped.is_set():
                harness.interrupt_all()
            ending.join(0.05)


@contextmanager
def side_by_side(many: int | None = None) -> Iterator[Workers]:
    """Workers for as long as the block lasts, one for each processor, at most 8. Where it fails or is interrupted, all ends with it."""
    many = many or min(os.cpu_count() or 1, MOST_WORKERS)
    workers: Workers | None = None
    try:
        with named_executor(PROCESSES, workers=many) as renew:
            workers = Workers(many, renew())
            try:
                yield workers
            except BaseException:
                workers.close(at_once=True)
                raise
            workers.close(at_once=False)
            workers.ended()
    finally:
        if workers is not None:
            workers.ended()


def _all_of(function: Callable[[A], T], cases: Sequence[A]) -> list[T]:
    return [function(case) for case in cases]
