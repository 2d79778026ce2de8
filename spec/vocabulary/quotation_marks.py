"""Quotation marks of comma-separated values: one that is never closed would make a single cell of all the rows that follow."""

import re
from typing import BinaryIO

from shuffleproof.spec.vocabulary.errors import DomainError

_MARKS = re.compile(rb'"+')
_ENDS = frozenset(b",\r\n")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONGEST_LINE = 1 << 26
"""Bytes of one line, at most: no user's answer is so long, and a device without newlines would fill the memory."""


class QuotationMarks:
    """Holds what has been seen of a file, fed in pieces: which quotation mark is open, and whether each that is closed pairs with its own.

    A mark opens a cell at the cell's beginning and nowhere else, and inside a cell two stand for one. Refused are a mark that is not
    closed at the end of the file, and one that a mark on another line closes in the midst of a cell, which is not its own. What is
    wrong within one line is the reader's to judge.
    """

    def __init__(self, data: str) -> None:
        self._data, self._line, self._opened, self._open_on = data, 1, False, 0
        self._before, self._marks = ord("\n"), 0
        self._head: bytes | None = b""  # until a byte order mark would be whole

    def feed(self, piece: bytes) -> None:
        """Look at the next bytes of the file. Raises DomainError naming the line where the mark stands."""
        if self._head is not None:
            self._head += piece
            if len(self._head) < len(_BYTE_ORDER_MARK):
                return
            piece, self._head = self._head.removeprefix(_BYTE_ORDER_MARK), None
        if not piece:
            return
        if self._marks:  # of a run that the last piece ended with, so that its end was not yet known
            piece, self._marks = b'"' * (2 - self._marks % 2) + piece, 0  # what counts is whether they are even in number
        last = len(piece)
        while last and piece.endswith(b'"', 0, last):
            last -= 1
        self._marks = len(piece) - last
        seen = 0
        if b'"' in piece[:last]:
            for found in _MARKS.finditer(piece, 0, last):
                start, end = found.span()
                self._line += piece.count(b"\n", seen, start)
                seen = start
                self._run(end - start, before=piece[start - 1] if start else self._before, after=piece[end])
        self._line += piece.count(b"\n", seen, last)
        if last:
            self._before = piece[last - 1]

    def end(self) -> None:
        """The file ends here. Raises DomainError as `feed` does, and where a mark is open."""
        if self._head:
            piece, self._head = self._head, None
            self.feed(piece)
        if self._marks:
            self._run(self._marks, before=self._before, after=ord("\n"))
            self._marks = 0
        if self._opened:
            raise self._refusal("a quotation mark that is never closed")

    def _run(self, marks: int, *, before: int, after: int) -> None:
        if not self._opened:
            if before not in _ENDS:
                return
            self._opened, self._open_on = True, self._line
            marks -= 1
        if marks % 2:
            if after not in _ENDS and self._open_on != self._line:
                raise self._refusal(f"a quotation mark that line {self._line} closes in the midst of a cell")
            self._opened = False

    def _refusal(self, what: str) -> DomainError:
        return DomainError(
            parameter=f"{self._data}, line {self._open_on}", value=what, requirement='closed where its cell ends ("" is one inside a cell)'
        )


def require_closed(content: bytes, *, data: str) -> None:
    """Refuse a whole file at once; data: what it is called. Raises DomainError as `QuotationMarks` does."""
    marks = QuotationMarks(data)
    marks.feed(content)
    marks.end()


class Watched:
    """A stream of bytes whose quotation marks, length, and lengths of lines are checked as it is read.

    most: bytes of the whole stream, or None for a file that has an end.
    """

    def __init__(self, stream: BinaryIO, *, data: str, most: int | None = None) -> None:
        self._stream, self._marks, self._data, self._in_line = stream, QuotationMarks(data), data, 0
        self._most, self._read = most, 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes, as the stream has them.

        Raises DomainError as `QuotationMarks` does, for a line above LONGEST_LINE, and for a stream above `most` bytes."""
        return self._seen(self._stream.read(size))

    def readline(self, size: int = -1) -> bytes:
        """The next line, or so many bytes of it. Raises DomainError as `read` does."""
        return self._seen(self._stream.readline(size if size >= 0 else LONGEST_LINE + 1))

    def _seen(self, piece: bytes) -> bytes:
        end = piece.rfind(b"\n")
        self._in_line = self._in_line + len(piece) if end < 0 else len(piece) - end - 1
        if self._in_line > LONGEST_LINE:
            wanted = f"a file of lines of at most {LONGEST_LINE >> 20} MiB"
            raise DomainError(parameter="data", value=self._data, requirement=wanted)
        self._read += len(piece)
        if self._most is not None and self._read > self._most:
            raise DomainError(parameter=self._data, value="a longer one", requirement=f"at most {self._most >> 20} MiB long")
        if piece:
            self._marks.feed(piece)
        else:
            self._marks.end()
        return piece
