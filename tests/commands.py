"""How tests ask the command line in this process: the exit code and what was printed."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from shuffleproof.command_line import program


class Ended(NamedTuple):
    """Holds an exit code, and what stood on stdout and stderr."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


def ended(capture: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """Ask the command line with these arguments."""
    with pytest.raises(SystemExit) as end:
        program.main(list(arguments))
    return Ended(int(end.value.code or 0), *capture.readouterr())


def output_of(capture: pytest.CaptureFixture[str], *arguments: str, code: int | None = 0) -> str:
    """What the command line prints for these arguments, ending with this exit code, or with any (None)."""
    found = ended(capture, *arguments)
    assert code in (None, found.code), found
    return found.out
