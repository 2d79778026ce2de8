"""Opening a data set: a CSV file, "-" for standard input, or a Parquet file, distinguished by its first bytes."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, cast

from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.quotation_marks import Watched

STANDARD_INPUT = "-"
BATCH = 1 << 16
"""Rows that are handed on at once."""
NOT_SHOWN = "(a value not shown)"
_BLOCK = 1 << 20
"""Bytes that are read at once: 1 MiB."""
MOST_OF_A_STREAM = 1 << 30
"""Bytes of a stream, at most: 1 GiB, 10^8 short rows. A file has an end, a pipe or a device may have none, and is read for a minute."""
LARGEST_DOMAIN = 10**7
"""Items of a public domain: each is held in memory and gets a row of the answer."""
LONGEST_DOMAIN = 1 << 28
"""Characters of all items of a domain together, which are held in memory: 256 MiB."""
_PARQUET = b"PAR1"
_ANY_LENGTH = 2**31 - 1
"""Characters of a cell, at most: the largest number that the csv module takes on every platform."""


def bad_value(*, data: str, column: str, line: int, wanted: str, unit: str = "line") -> DomainError:
    """The refusal of one value, with its place; the value itself is never shown."""
    return DomainError(parameter=f"{data}, {unit} {line}, column {column!r}", value=NOT_SHOWN, requirement=wanted)


def standard_input() -> BinaryIO:
    """Its bytes. Raises DomainError where it is closed."""
    if sys.stdin is None:
        raise DomainError(parameter="data", value=STANDARD_INPUT, requirement="something to read: standard input is closed")
    return sys.stdin.buffer


def is_stream(data: str) -> bool:
    """Return whether a data set can be read only once: standard input, or a pipe. What is read from it too early is missing afterwards."""
    return data == STANDARD_INPUT or (os.path.exists(data) and not os.path.isfile(data) and not os.path.isdir(data))


def is_parquet(data: str) -> bool:
    """Return whether a data set is a Parquet file; a stream is none. Raises DomainError where it cannot be read."""
    if is_stream(data):
        return False
    with _refusing_unreadable(data), open(data, "rb") as file:
        return file.read(len(_PARQUET)) == _PARQUET


class Table:
    """A CSV stream with a header line: rows as texts, batch by batch, or its bytes as blocks of whole lines.

    columns: the names that must be there, each once; most: bytes of the stream, or None for a file that has an end.
    Raises DomainError for a file that is empty or unreadable, for a column that is missing, and for a quotation mark that is not closed.
    """

    def __init__(self, stream: BinaryIO, *, data: str, columns: Sequence[str], most: int | None = None) -> None:
        self.data, self._columns, self._line = data, columns, 0
        self._stream = Pushed(Watched(stream, data=data, most=most))
        with self._refusing_csv():
            first = self._stream.whole_line()
            if not first.strip():
                raise DomainError(parameter="data", value=data, requirement="a file with a header line and at least one row")
            self._header = next(csv.reader([first.decode("utf-8-sig")], strict=True))
        self._places = [self._place(name) for name in columns]
        self._line = 1

    @property
    def has_one_column(self) -> bool:
        """Return whether the column asked for is all that the file has."""
        return len(self._header) == 1

    def blocks(self) -> Iterator[bytes]:
        """Bytes of whole lines, about 1 MiB at a time, each line ending in a newline. A block may be given back with `put_back`."""
        while block := self._stream.whole_lines(_BLOCK):
            lines = block.count(b"\n")
            self._line += lines
            yield block

    def put_back(self, block: bytes) -> None:
        """Give back the block that was read last, to be read again as rows."""
        self._line -= block.count(b"\n")
        self._stream.put_back(block)

    def rows(self, *, forgiving: bool = False) -> Iterator[Rows]:
        """The texts of the columns asked for, batch by batch, to the end of the stream; blank lines are no rows.

        forgiving: no cell decides whether there is an answer, or how many users it counts. A row that is too short has empty texts at its
        end, what it has too many is left out, a cell may have any length, a blank line of a file of one column is a user's empty cell, and
        bytes that are not UTF-8 become one character each; else DomainError.
        """
        before = self._line
        found, lines = list[tuple[str, ...]](), list[int]()
        blank_is_a_row = forgiving and self.has_one_column
        with self._refusing_csv(), _cells_of_any_length(forgiving):
            buffered = io.BufferedReader(self._stream, _BLOCK)
            errors = "replace" if forgiving else "strict"
            reader = csv.reader(io.TextIOWrapper(buffered, encoding="utf-8", errors=errors, newline=""), strict=not forgiving)
            for row in reader:
                self._line = before + reader.line_num
                if not row and not blank_is_a_row:
                    continue
                if forgiving:
                    row += [""] * (len(self._header) - len(row))
                elif len(row) != len(self._header):
                    place = f"{self.data}, line {self._line}"
                    wanted = f"{len(self._header)}, as in the header line"
                    raise DomainError(parameter=f"{place}: number of fields", value=len(row), requirement=wanted)
                found.append(tuple([row[place] for place in self._places]))
                lines.append(self._line)
                if len(found) == BATCH:
                    yield Rows(found, lines)
                    found, lines = [], []
        if found:
            yield Rows(found, lines)

    def _place(self, name: str) -> int:
        present = self._header.count(name)
        if present != 1:
            held = ", ".join(map(repr, self._header))
            wanted = f"one of the columns {held}" if present == 0 else f"a column name that occurs once among {held}"
            raise DomainError(parameter="column", value=name, requirement=wanted)
        return self._header.index(name)

    @contextmanager
    def _refusing_csv(self) -> Iterator[None]:
        try:
            yield
        except csv.Error as error:
            place = f"{self.data}, after line {self._line}"
            raise DomainError(parameter=place, value=NOT_SHOWN, requirement=f"comma-separated values ({error})") from None
        except UnicodeDecodeError:
            place = f"{self.data}, after line {self._line}"
            raise DomainError(parameter=place, value=NOT_SHOWN, requirement="text in UTF-8") from None


@contextmanager
def _cells_of_any_length(allowed: bool) -> Iterator[None]:
    """Lift the process's limit on a cell's length while a file is read, where one long cell may not refuse all others."""
    before = csv.field_size_limit()
    if allowed:
        csv.field_size_limit(_ANY_LENGTH)
    try:
        yield
    finally:
        csv.field_size_limit(before)


@dataclass(frozen=True)
class Rows:
    """Some rows of a table, as texts, and the lines on which they end."""

    texts: list[tuple[str, ...]]
    lines: list[int]


@contextmanager
def opened(data: str, *, columns: Sequence[str]) -> Iterator[Table]:
    """A CSV data set as a Table; errors as there."""
    if data == STANDARD_INPUT:
        yield Table(standard_input(), data="standard input", columns=columns, most=MOST_OF_A_STREAM)
        return
    with _refusing_unreadable(data), open(data, "rb") as file:
        yield Table(cast(BinaryIO, file), data=data, columns=columns, most=most_of(data))


def most_of(data: str) -> int | None:
    """Return how many bytes of a data set are read at most, or None for a file, which has an end."""
    return MOST_OF_A_STREAM if is_stream(data) else None


@contextmanager
def _refusing_unreadable(data: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DomainError(parameter="data", value=data, requirement=f"a readable file ({error.strerror or error})") from None


class Pushed(io.RawIOBase):
    """A stream to which what was read too far can be given back."""

    def __init__(self, stream: Watched) -> None:
        self._stream, self._waiting = stream, b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read what was given back first."""
        taken = self._take(len(buffer))
        buffer[: len(taken)] = taken
        return len(taken)

    def put_back(self, block: bytes) -> None:
        """Give back what was read last."""
        self._waiting = block + self._waiting

    def whole_line(self) -> bytes:
        """One line, of whatever length."""
        return self._stream.readline()

    def whole_lines(self, size: int) -> bytes:
        """At least one line, about `size` bytes; empty at the end. A last line without a newline gets one."""
        block = self._take(size)
        if block and not block.endswith(b"\n"):
            block += self._stream.readline()
        return block if not block or block.endswith(b"\n") else block + b"\n"

    def _take(self, size: int) -> bytes:
        if self._waiting:
            taken, self._waiting = self._waiting[:size], self._waiting[size:]
            return taken
        return self._stream.read(size)
