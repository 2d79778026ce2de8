"""What keeps the results of a sweep: a journal of lines (journal.py), or parts of a Parquet file (parts.py). Both are continued alike."""

from collections.abc import Collection, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from shuffleproof.planning.sweep.batches import key_of
from shuffleproof.planning.sweep.points import Settings
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError


class Results(Protocol):
    """Rows that survive a crash, one for each point. done: keys of the points that have one; refused: how many rows are refusals."""

    done: set[str]
    refused: int

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    def add(self, rows: Iterable[dict[str, Any]]) -> int:
        """Keep the rows of points that are not there yet. Returns how many."""

    def finish(self) -> None:
        """Write what is left, as no more rows come."""


def admitted(row: Any, *, settings: Settings, done: Collection[str], path: Path, place: str) -> str:
    """The key of a stored row. Raises IntegrityError where it is no row or its point is done, DomainError where settings differ.

    place: of the row in the file at path, for the message.
    """
    try:
        key = key_of(row)
        made_with = Settings(row["quantity"], row["method"], row["asked_engine"], row["digits"])
    except (KeyError, TypeError):
        raise IntegrityError(path=str(path), reason=f"{place} is not a row of a sweep") from None
    if made_with != settings:
        raise DomainError(parameter="output", value=str(path), requirement=f"new, or made with {settings} (not {made_with})")
    if key in done:
        raise IntegrityError(path=str(path), reason=f"{place} answers a point for the second time")
    return key


def locked(descriptor: int, path: Path) -> None:
    """Take the lock of an open file or folder, which a process loses only by ending. Raises DomainError where another sweep has it."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise DomainError(parameter="output", value=str(path), requirement="a file to which no other sweep writes") from None
