"""Executors that have a name: processes of this machine, or the workers of a Dask cluster."""

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import active_children, current_process, get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UnsupportedError, optional

PROCESSES = "processes"
_DASK = "dask://"
_ANSWER_SECONDS = 20
"""Seconds that a scheduler has to answer."""
_CLOSE_SECONDS = 5
"""Seconds that one has to take leave, which a dead one does not."""
_GUARDED = 'in a script, the call stands under `if __name__ == "__main__":`'
"""What Python asks of a script whose functions begin processes."""
Renew = Callable[[], Executor]


@contextmanager
def named_executor(name: str, *, workers: int) -> Iterator[Renew]:
    """A function that gives an executor, a new one where the last one has broken: "processes", or "dask://HOST:PORT" of a scheduler.

    workers: processes of this machine; a Dask cluster has its own. Raises DomainError for other names or where nobody answers,
    UnsupportedError without the extra "sweep".
    """
    if name == PROCESSES:
        with _processes(workers) as renew:
            yield renew
        return
    if not name.startswith(_DASK):
        raise DomainError(parameter="executor", value=name, requirement=f'"{PROCESSES}" or "{_DASK}HOST:PORT"')
    connect = optional("distributed", extra="sweep", what="a Dask cluster", otherwise="use processes").Client
    try:
        client = connect("tcp://" + name.removeprefix(_DASK), timeout=_ANSWER_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise DomainError(parameter="executor", value=name, requirement=f"the address of a Dask scheduler ({error})") from None
    try:
        yield lambda: OnCluster(client, name)
    finally:
        client.close(timeout=_CLOSE_SECONDS)


class OnCluster(Executor):
    """A Dask cluster, whose scheduler may be gone: then futures neither end nor fail, whatever one waits."""

    def __init__(self, client: Any, name: str) -> None:
        self._client, self._name, self._executor = client, name, client.get_executor(pure=False)

    def submit(self, *work: Any, **named: Any) -> Any:
        """Hand work out. Raises ResourceLimitError where the scheduler is gone."""
        try:
            return self._executor.submit(*work, **named)
        except Exception:
            self.require_scheduler()
            raise

    def require_scheduler(self) -> None:
        """Wait until the scheduler answers. Raises ResourceLimitError where it does not."""
        try:
            self._client.sync(self._client.scheduler.identity, callback_timeout=_ANSWER_SECONDS)
        except Exception as failure:  # whatever Dask makes of a broken connection
            needed = f"a scheduler that answers ({type(failure).__name__})"
            limit = f"{_ANSWER_SECONDS} seconds without one; the rows so far are kept: run it again to go on"
            raise ResourceLimitError(what=f"a sweep on {self._name}", needed=needed, limit=limit) from failure


def end_where_workers_begin_workers() -> None:
    """End this process with a line if it is a worker that still imports the script which began it: what that calls would begin others."""
    if getattr(current_process(), "_inheriting", False):
        raise SystemExit(f"shuffleproof: a worker imports this script, which begins workers again: {_GUARDED}")


@contextmanager
def _processes(workers: int) -> Iterator[Renew]:
    """Worker processes that end with the block at the latest: at once where it fails or is interrupted, and when this process is killed.

    Each watches a pipe whose other end only this process has, so that it ends when that is closed, by whatever. Ctrl-C is for this
    process alone: it is blocked while workers are begun, which inherit that.
    """
    end_where_workers_begin_workers()
    context = get_context("spawn")
    watched, ours = context.Pipe(duplex=False)
    begun, beginning = context.Pipe(duplex=False)
    made: list[ProcessPoolExecutor] = []

    def renew() -> Executor:
        for old in made:
            old.shutdown(wait=False, cancel_futures=True)
        made.append(OnProcesses(workers, context, watched, begun, beginning))
        return made[-1]

    try:
        yield renew
    except BaseException:
        ours.close()
        _kill(begun)
        raise
    finally:
        for pool in made:
            pool.shutdown(wait=True, cancel_futures=True)
        for end in (ours, watched, begun, beginning):
            end.close()


def _kill(begun: Connection) -> None:
    """End the workers that have begun: one that is within a long call of a library hears nothing before that ends."""
    numbers = set()
    while begun.poll():
        numbers.add(int(begun.recv_bytes()))
    for child in active_children():
        if child.pid in numbers:
            child.kill()


class OnProcesses(ProcessPoolExecutor):
    """Worker processes, which tell when they have begun: one that ends before lost no work, and its successors will do the same."""

    def __init__(self, workers: int, context: Any, watched: Connection, begun: Connection, beginning: Connection) -> None:
        super().__init__(max_workers=workers, mp_context=context, initializer=_end_with, initargs=(watched, beginning))
        self._begun = begun

    def submit(self, *work: Any, **named: Any) -> Any:
        """Hand work out, and begin the workers that it needs."""
        with _interruptions_wait():
            return super().submit(*work, **named)

    def require_begun(self) -> None:
        """Raise UnsupportedError where no worker has ever begun."""
        if not self._begun.poll():
            reason = "none begins, as where each runs the script again that asks for them"
            raise UnsupportedError(what="worker processes", reason=reason, advice=_GUARDED)


@contextmanager
def _interruptions_wait() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # unblocks the signal, where it has to begin
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(parent: Connection, beginning: Connection) -> None:
    """In a worker: report its number; end, in the middle of whatever it does, when the other end of the first pipe is closed."""
    beginning.send_bytes(str(os.getpid()).encode())
    gc.set_threshold(50_000)  # numbers make no cycles, and looking for them after every 700 objects is a twentieth of the time

    def watch() -> None:
        with suppress(EOFError, OSError):
            parent.recv_bytes()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
