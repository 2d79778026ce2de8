"""A Parquet file of results: its rows are lines of JSON beside it until every point is answered, and then one table.

FILE.parquet.jsonl is the journal of a sweep into lines of JSON: what is in it stays, and any tool reads it meanwhile. When every point is
answered, the rows of FILE.parquet, where it is there already, and those of the journal are written under a hidden name, which is renamed
to FILE.parquet, and the journal is removed. After a crash between these two the table has all rows of the journal.
"""

import json
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from shuffleproof.data.table import Columns, read_table, require_parquet, write_table
from shuffleproof.planning.sweep.journal import DIGEST, Journal, admitted
from shuffleproof.planning.sweep.points import COLUMNS, Settings
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError
from shuffleproof.spec.vocabulary.files import unfinished

TABLE = Columns(texts=COLUMNS, numbers=("seconds",))
ROWS = ".jsonl"
_PARTS = ".parts"
"""The folder of an unfinished sweep by version 0.1."""


class GrowingTable(Journal):
    """A journal whose rows become a table, or more rows of one, when it is finished; done and refused count those of the table, too."""

    def __init__(self, path: Path, settings: Settings) -> None:
        """Open or create the journal, and read the table if it is there.

        Raises what `Journal` does, DomainError beside parts of an earlier version, IntegrityError for a table that is damaged or foreign;
        UnsupportedError without pyarrow."""
        require_parquet()
        self.table = path
        parts = path.with_name(path.name + _PARTS)
        if parts.exists():
            requirement = f"a file without {parts.name} beside it: finish that sweep with version 0.1, which began it, or move it away"
            raise DomainError(parameter="output", value=str(path), requirement=requirement)
        super().__init__(path.with_name(path.name + ROWS), settings)
        try:
            for left in unfinished(path):
                left.unlink()
            self._read_table(settings)
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def finish(self) -> None:
        """Write the table with all rows, and empty the journal."""
        if os.fstat(self._file.fileno()).st_size:
            write_table(self.table, rows=chain(self._rows_of_table(), self._rows_of_journal()), columns=TABLE)
            self._file.truncate(0)

    def _read_table(self, settings: Settings) -> None:
        waiting, refused = self.done, self.refused
        self.done, self.refused = set(), 0
        for number, row in enumerate(self._rows_of_table(), 1):
            digits = row.get("digits")
            stored = row | {"digits": None if digits is None else int(digits)}
            self.done.add(admitted(stored, settings=settings, done=self.done, path=self.table, place=f"row {number}"))
            self.refused += "refused" in row
        if waiting <= self.done:  # they are in the table
            self._file.truncate(0)
            return
        if waiting & self.done:
            raise IntegrityError(path=str(self.path), reason=f"answers points of {self.table.name} for the second time")
        self.done |= waiting
        self.refused += refused

    def _rows_of_table(self) -> Iterator[dict[str, Any]]:
        if self.table.exists():
            yield from read_table(self.table, columns=TABLE, wanted=(*TABLE.texts, *TABLE.numbers))

    def _rows_of_journal(self) -> Iterator[dict[str, Any]]:
        with self.path.open("rb") as lines:
            for line in lines:
                row = json.loads(line)
                row.pop(DIGEST, None)
                yield row
