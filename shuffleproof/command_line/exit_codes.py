"""How the command line ends: one number per kind of outcome, the worst wins."""

from __future__ import annotations

from enum import IntEnum

from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    HarnessError,
    IntegrityError,
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
)


class ExitCode(IntEnum):
    """The exit codes, from good to worst."""

    ANSWERED = 0
    """Answered, or conforms."""
    NEGATIVE = 1
    """A negative verdict: unsound, mismatch, ledger drift, a damaged file."""
    USAGE = 2
    """A wrong option, or a parameter outside its domain or its theorem's regime."""
    UNDECIDED = 3
    """Undecided, or over a resource limit."""
    HARNESS = 4
    """A harness failed as a program."""
    NOTHING_RAN = 5
    """There was nothing to decide."""
    BUG = 70
    """An error of shuffleproof itself."""


_BY_ERROR: tuple[tuple[type[ShuffleproofError], ExitCode], ...] = (
    (DomainError, ExitCode.USAGE),
    (RegimeError, ExitCode.USAGE),
    (UnsupportedError, ExitCode.USAGE),
    (UndecidedError, ExitCode.UNDECIDED),
    (ResourceLimitError, ExitCode.UNDECIDED),
    (HarnessError, ExitCode.HARNESS),
    (IntegrityError, ExitCode.NEGATIVE),
)


def of_error(error: BaseException) -> ExitCode:
    """The exit code that goes with an error; BUG for whatever shuffleproof did not raise on purpose."""
    for kind, code in _BY_ERROR:
        if isinstance(error, kind):
            return code
    return ExitCode.BUG
