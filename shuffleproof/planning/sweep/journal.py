"""A file of results in lines of JSON that may be stopped at any moment: what is in it stays, and the rest is added later."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from shuffleproof.planning.sweep.points import Settings, key_of
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError
from shuffleproof.spec.vocabulary.files import cannot_write

_BEGINNING = b'{"n": "'
_LONGEST_ROW = 1 << 20
"""Bytes in a line: no row has a hundredth of it, and a file without newlines is not read to its end."""


DIGEST = "digest"
"""The name under which a row has the beginning of the SHA-256 of all else that it has: a number that rotted on the disk is noticed."""


class Journal:
    """Rows on disk, one for each point: a point that is there is never written again.

    done: keys of the points that have a row; refused: how many rows are refusals. A last line that a crash has cut is removed when the
    file is opened again.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        """Open or create the file.

        Raises DomainError where that fails, another sweep writes to it, or it was made with other settings;
        IntegrityError where a line other than the last is not a row."""
        self.path = path
        try:
            self._file: IO[bytes] = open(path, "a+b")  # noqa: SIM115 (closed by __exit__)
        except OSError as error:
            raise cannot_write(str(path), error) from None
        try:
            if not path.is_file():
                raise DomainError(parameter="output", value=str(path), requirement="a file (it is something else)")
            _lock(self._file.fileno(), path)
            self.done: set[str] = set()
            self.refused = 0
            self._read(settings)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not os.fstat(self._file.fileno()).st_size:  # nothing was written: a sweep that could not begin leaves no file behind
            self.path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # of a full disk: what could not be flushed is not counted as done
            self._file.close()

    def add(self, rows: Iterable[dict[str, Any]]) -> int:
        """Write the rows of points that are not there yet; on disk when this returns. Returns how many."""
        new = {key: row for row in rows if (key := key_of(row)) not in self.done}
        if new:
            try:
                self._file.write(b"".join(json.dumps({**row, DIGEST: _digest(row)}).encode() + b"\n" for row in new.values()))
                self._file.flush()
                os.fsync(self._file.fileno())
            except OSError as error:
                raise cannot_write(str(self.path), error) from None
            self.done |= new.keys()
            self.refused += sum("refused" in row for row in new.values())
        return len(new)

    def finish(self) -> None:
        """Nothing is left to be done: every row is a line of the file already."""

    def _read(self, settings: Settings) -> None:
        self._file.seek(0)
        whole = number = 0
        while line := self._file.readline(_LONGEST_ROW):
            number += 1
            place = f"line {number}"
            if not line.endswith(b"\n") and len(line) < _LONGEST_ROW:  # cut off by a crash
                if number == 1 and not _BEGINNING.startswith(line[: len(_BEGINNING)]):
                    raise IntegrityError(path=str(self.path), reason="line 1 is not a row of a sweep")
                break
            whole += len(line)
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                raise IntegrityError(path=str(self.path), reason=f"{place} is not a row of a sweep") from None
            if isinstance(row, dict) and DIGEST in row and row.pop(DIGEST) != _digest(row):  # rows of earlier versions have none
                raise IntegrityError(path=str(self.path), reason=f"{place}: row and digest differ")
            self.done.add(admitted(row, settings=settings, done=self.done, path=self.path, place=place))
            self.refused += "refused" in row
        self._file.truncate(whole)  # only now: a file that is none of ours stays as it is


def _digest(row: dict[str, Any]) -> str:
    """Return 16 digits that a row without a digest has, whatever the order of its entries."""
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:16]


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


def _lock(descriptor: int, path: Path) -> None:
    """Take the lock of an open file, which a process loses only by ending. Raises DomainError where another sweep has or had it."""
    refusal = DomainError(parameter="output", value=str(path), requirement="a file to which no other sweep writes")
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise refusal from None
    # The file may have been removed by a sweep that had the lock until now.
    if not path.exists() or not os.path.samestat(os.fstat(descriptor), os.stat(path)):
        raise refusal
