"""How the command line ends: one number per class of outcomes; of verdicts, the worst wins."""

from enum import IntEnum

from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    HarnessError,
    IntegrityError,
    OutputError,
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
)


class ExitCode(IntEnum):
    """The exit codes, from good to worst; those of signals stand in `program`, which hears them."""

    ANSWERED = 0
    """Answered, or conforms."""
    NEGATIVE = 1
    """A negative verdict: unsound, mismatch, ledger drift, stored vectors that `vectors lint` finds damaged."""
    USAGE = 2
    """A wrong option, a parameter outside its domain or its theorem's regime, or a file that is missing, foreign or damaged."""
    UNDECIDED = 3
    """Undecided, or over a resource limit."""
    HARNESS = 4
    """A harness failed as a program."""
    NOTHING_RAN = 5
    """There was nothing to decide."""
    BUG = 70
    """An error of shuffleproof itself."""
    OUTPUT = 74
    """Output could not be written: full, closed or broken (EX_IOERR)."""


_BY_ERROR: tuple[tuple[type[ShuffleproofError], ExitCode], ...] = (
    (DomainError, ExitCode.USAGE),
    (RegimeError, ExitCode.USAGE),
    (UnsupportedError, ExitCode.USAGE),
    (UndecidedError, ExitCode.UNDECIDED),
    (ResourceLimitError, ExitCode.UNDECIDED),
    (HarnessError, ExitCode.HARNESS),
    (IntegrityError, ExitCode.USAGE),
    (OutputError, ExitCode.OUTPUT),
)


def of_error(error: BaseException) -> ExitCode:
    """The exit code that goes with an error; BUG for whatever shuffleproof did not raise on purpose."""
    for kind, code in _BY_ERROR:
        if isinstance(error, kind):
            return code
    return ExitCode.BUG
