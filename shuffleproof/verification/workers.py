"""Work side by side: as many jobs at once as there are workers, in worker processes or waiting for a process of somebody else's."""

import heapq
import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, TypeVar

from shuffleproof.conformance.running import harness
from shuffleproof.planning.sweep.executors import PROCESSES, named_executor

MOST_WORKERS = 8
"""Processes at most: there are hardly more long pieces than that."""
T = TypeVar("T")
A = TypeVar("A")


class Workers:
    """Takes jobs and does the most urgent first. stopped: set when the work is given up; jobs that wait look at it."""

    def __init__(self, many: int, processes: Executor) -> None:
        self.stopped = threading.Event()
        self._processes = processes
        self._waiting: list[tuple[int, int, Future[Any], Callable[[], Any]]] = []
        self._number = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [threading.Thread(target=self._work, name=f"worker {i}", daemon=True) for i in range(many)]
        for worker in self._threads:
            worker.start()

    def waiting(self, job: Callable[[], T], *, urgency: int) -> Future[T]:
        """A job whose work is done by another process, say a harness: it is called in a thread of this process."""
        future: Future[T] = Future()
        with self._changed:
            heapq.heappush(self._waiting, (-urgency, next(self._number), future, job))
            self._changed.notify()
        return future

    def computing(self, function: Callable[..., T], *given: Any, urgency: int) -> Future[T]:
        """A job that computes: the function and what it is given go to a worker process."""
        return self.waiting(lambda: self._processes.submit(function, *given).result(), urgency=urgency)

    def each(self, function: Callable[[A], T], cases: Iterable[A], *, urgency: int, at_once: int = 5) -> Iterator[T]:
        """The function of every case, in their order, computed so many at once."""
        left, parts = iter(cases), []
        while part := tuple(itertools.islice(left, at_once)):
            parts.append(self.computing(_all_of, function, part, urgency=urgency))
        for found in parts:
            yield from found.result()

    def close(self, *, at_once: bool) -> None:
        """Begin nothing more. at_once: harnesses that are at work are interrupted, until `ended`."""
        with self._changed:
            self._closed = True
            for _, _, future, _ in self._waiting:
                future.cancel()
            self._waiting.clear()
            self._changed.notify_all()
        if at_once:
            self.stopped.set()

    def ended(self) -> None:
        """Wait until nothing is done any more."""
        while any(worker.is_alive() for worker in self._threads):
            if self.stopped.is_set():
                harness.interrupt_all()
            for worker in self._threads:
                worker.join(0.05)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if not self._waiting:
                    return
                _, _, future, job = heapq.heappop(self._waiting)
            if not future.set_running_or_notify_cancel():
                continue
            try:
                found = job()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(found)


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
