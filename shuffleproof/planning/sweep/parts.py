"""A Parquet file that grows while it is being made: until it is whole, its rows are part files in a folder beside it.

FILE.parquet.parts holds part-000000.parquet, part-000001.parquet, ... and nothing else. A part is written beside the folder under a
hidden name and renamed into it, so at any moment the folder is a plain dataset of whole files: pandas.read_parquet, polars.read_parquet
and pyarrow.dataset take its name. (pyarrow skips hidden files of a dataset, polars tries to read them: hence beside, not inside.) The
lock is on the folder itself, and needs no file. When every point is answered the parts are joined under a hidden name, which is renamed
to FILE.parquet, and are removed: what remains is one file, as its name says, which any tool reads without a pattern and can be sent.

A part is written when rows come and the last one is older than a second, or than a thousandth of the time so far where that is longer:
so a day makes some thousand files. Who is killed loses the rows that wait, and no others; their points are answered again. A crash
between the two last steps leaves parts whose rows the finished file has: they are removed when it is opened again. More points can be
asked of a finished file: it is then one more source of the join.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from shuffleproof.data.table import Columns, join_tables, read_table, require_parquet, write_table
from shuffleproof.planning.sweep.journal import admitted, locked
from shuffleproof.planning.sweep.points import COLUMNS, Settings, key_of
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError
from shuffleproof.spec.vocabulary.files import cannot_write, unfinished

PARTS = ".parts"
TABLE = Columns(texts=COLUMNS, numbers=("seconds",))
_IDENTIFYING = ("n", "eps0", "delta", "eps", "quantity", "method", "asked_engine", "digits", "refused")
_NAME = re.compile(r"part-([0-9]{6,})\.parquet")
_SECONDS = 1.0
"""Seconds between two parts at least, so that quick points do not make thousands of files."""
_SHARE = 0.001
"""The same as a part of the time gone by: a sweep of days has fewer, larger parts."""


class Parts:
    """Rows on disk, one for each point, in part files and in the finished file.

    done: keys of the points that have a row; refused: how many rows are refusals.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        """Open or create the folder.

        Raises DomainError where that fails, another sweep writes to it, or it was made with other settings;
        IntegrityError where a file is damaged or foreign; UnsupportedError without pyarrow."""
        require_parquet()
        self.path, self.folder = path, path.with_name(path.name + PARTS)
        self.done: set[str] = set()
        self.refused = 0
        self._waiting: list[dict[str, Any]] = []
        self._began, self._written = time.monotonic(), -math.inf
        self._lock: int | None = None
        self._is_ours = False
        try:
            self.folder.mkdir(exist_ok=True)
            if hasattr(os, "O_DIRECTORY"):  # elsewhere a folder cannot be opened
                self._lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise cannot_write(str(self.folder), error) from None
        try:
            self._take_lock()
            for left in unfinished(self.path):
                left.unlink()
            self._parts = self._read(settings)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Parts:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._write()
        finally:
            self._close()

    def add(self, rows: Iterable[dict[str, Any]]) -> int:
        """Keep the rows of points that are not there yet, on disk soon (see above). Returns how many."""
        new = {key: row for row in rows if (key := key_of(row)) not in self.done}
        self._waiting += new.values()
        self.done |= new.keys()
        self.refused += sum("refused" in row for row in new.values())
        now = time.monotonic()
        if now - self._written >= max(_SECONDS, _SHARE * (now - self._began)):
            self._write()
            self._written = now
        return len(new)

    def finish(self) -> None:
        """Join the parts, and the finished file where there is one, to the finished file; remove the parts."""
        self._write()
        if self._parts:
            finished = [self.path] if self.path.exists() else []
            join_tables(self.path, sources=finished + self._parts, columns=TABLE)
            for part in self._parts:
                part.unlink()
            self._parts = []

    def _write(self) -> None:
        if not self._waiting:
            return
        last = int(_NAME.fullmatch(self._parts[-1].name)[1]) if self._parts else -1  # type: ignore[index]
        part = self.folder / f"part-{last + 1:06d}.parquet"
        write_table(part, rows=self._waiting, columns=TABLE, beside=self.path)
        self._parts.append(part)
        self._waiting = []

    def _read(self, settings: Settings) -> list[Path]:
        """The parts in their order; their rows are done, and those of the finished file."""
        held = {path.name: path for path in self.folder.iterdir() if not path.name.startswith((".", "_"))}
        for name in held:
            if not _NAME.fullmatch(name):
                raise IntegrityError(path=str(self.folder), reason=f"holds {name}, which no sweep has written: move it away")
        if self.path.exists():
            self._admit(self.path, self._rows(self.path), settings)
        finished = frozenset(self.done)
        parts = []
        for part in sorted(held.values(), key=lambda path: int(path.stem.removeprefix("part-"))):
            rows = list(self._rows(part))
            if all(key_of(row) in finished for row in rows):  # joined already, and not removed any more
                part.unlink()
            else:
                self._admit(part, iter(rows), settings)
                parts.append(part)
        return parts

    def _admit(self, path: Path, rows: Iterator[dict[str, Any]], settings: Settings) -> None:
        for number, row in enumerate(rows, 1):
            self.done.add(admitted(row, settings=settings, done=self.done, path=path, place=f"row {number}"))
            self.refused += "refused" in row

    def _rows(self, path: Path) -> Iterator[dict[str, Any]]:
        for row in read_table(path, columns=TABLE, wanted=_IDENTIFYING):
            digits = row.get("digits")
            yield row | {"digits": None if digits is None else int(digits)}

    def _take_lock(self) -> None:
        if self._lock is not None:
            locked(self._lock, self.path)
            # The folder may have been removed by a sweep that had the lock until now.
            if not self.folder.exists() or not os.path.samestat(os.fstat(self._lock), os.stat(self.folder)):
                raise DomainError(parameter="output", value=str(self.path), requirement="a file to which no other sweep writes")
        self._is_ours = True

    def _close(self) -> None:
        if self._is_ours:
            with contextlib.suppress(OSError):  # parts, or hidden files of others
                self.folder.rmdir()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
