"""A sign of life on a terminal for whatever takes long and has no bar of its own."""

import math
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from shuffleproof.spec.vocabulary.progress import progress, watch

_PATIENCE = 1.5
"""Seconds before anything is shown: two, with the start of Python."""
_EVERY = 1.0
"""Seconds until it is brought up to date."""
_ENOUGH = 0.02
"""The share of the work after which what is left can be estimated; a smaller one says next to nothing."""
_ROUND = (1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90)
"""Seconds left that are shown; whole minutes beyond."""
_CLEAR = "\r\x1b[K"


def watched() -> bool:
    """Return whether a person looks at stderr: a terminal, and no CI."""
    return sys.stderr is not None and sys.stderr.isatty() and not os.environ.get("CI")


class _Line:
    """The line that is shown, until somebody draws a bar or writes the answer."""

    def __init__(self, what: str) -> None:
        self._what, self._began, self._shown = what, time.monotonic(), False
        self._ended, self._lock = threading.Event(), threading.Lock()
        self._teller = threading.Thread(target=self._tell, daemon=True)
        self._teller.start()

    def end(self) -> None:
        with self._lock:
            self._ended.set()
            if self._shown:
                print(_CLEAR, end="", file=sys.stderr, flush=True)
                self._shown = False

    def _tell(self) -> None:
        self._ended.wait(_PATIENCE)
        while not self._ended.wait(_EVERY if self._shown else 0):
            with self._lock:
                if not self._ended.is_set():
                    print(f"{_CLEAR}{self._said()}", end="", file=sys.stderr, flush=True)
                    self._shown = True

    def _said(self) -> str:
        worked, found = time.monotonic() - self._began, progress()
        told = [f"at work for {worked:.0f} s"]
        if found is not None:
            told += [found.says] if found.says else []
            if found.share >= _ENOUGH:
                left = in_round_numbers(worked * (1 - found.share) / found.share)
                told.append(f"at most about {left} more" if found.at_most else f"about {left} left")
        return f"{self._what}: {', '.join(told)} (Ctrl-C ends it)"


def in_round_numbers(seconds: float) -> str:
    """Return the next larger of _ROUND seconds, or whole minutes: parts of the work differ, and no estimate has two digits."""
    for size in _ROUND:
        if seconds <= size:
            return f"{size} s"
    return f"{math.ceil(seconds / 60)} min"


class _EndsLine:
    """stdout: the first thing that is written there ends the line."""

    def __init__(self, stream: TextIO, line: _Line) -> None:
        self._stream, self._line = stream, line

    def write(self, text: str) -> int:
        self._line.end()
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_line: _Line | None = None


def hush() -> None:
    """Take the line away for the rest of this run: somebody draws a bar."""
    if _line is not None:
        _line.end()


@contextmanager
def sign_of_life(what: str) -> Iterator[None]:
    """While the block lasts, and from the third second on, a line on a terminal's stderr that says for how long; it leaves no trace."""
    global _line
    if not watched():
        yield
        return
    watch()
    _line, stdout = _Line(what), sys.stdout
    sys.stdout = cast(TextIO, _EndsLine(stdout, _line))
    try:
        yield
    finally:
        _line.end()
        sys.stdout, _line = stdout, None
