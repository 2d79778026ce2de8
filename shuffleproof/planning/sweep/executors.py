"""Executors that have a name: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError

PROCESSES = "processes"
_DASK = "dask://"
_CONNECT_SECONDS = 20
Renew = Callable[[], Executor]


@contextmanager
def named_executor(name: str, *, workers: int) -> Iterator[Renew]:
    """A function that gives an executor, a new one where the last one has broken: "processes", or "dask://HOST:PORT" of a scheduler.

    workers: processes of this machine; a Dask cluster has its own. Raises DomainError for other names or where nobody answers,
    UnsupportedError without the extra "sweep".
    """
    if name == PROCESSES:
        made: list[ProcessPoolExecutor] = []

        def renew() -> Executor:
            for old in made:
                old.shutdown(wait=False, cancel_futures=True)
            made.append(ProcessPoolExecutor(max_workers=workers, mp_context=get_context("spawn")))
            return made[-1]

        try:
            yield renew
        finally:
            for pool in made:
                pool.shutdown(wait=True, cancel_futures=True)
        return
    if not name.startswith(_DASK):
        raise DomainError(parameter="executor", value=name, requirement=f'"{PROCESSES}" or "{_DASK}HOST:PORT"')
    try:
        from distributed import Client
    except ImportError:
        advice = 'install "shuffleproof[sweep]", or use processes'
        raise UnsupportedError(what="a Dask cluster", reason="dask is not installed", advice=advice) from None
    connect: Any = Client  # without types
    try:
        client = connect("tcp://" + name.removeprefix(_DASK), timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise DomainError(parameter="executor", value=name, requirement=f"the address of a Dask scheduler ({error})") from None
    try:
        yield lambda: client.get_executor(pure=False)
    finally:
        client.close()
