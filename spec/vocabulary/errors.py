"""The error tree: whatever shuffleproof refuses, it refuses with one of these, before any work starts.

Every error can be pickled, and so can leave a worker process: one bad point of many is one failed answer, not a broken pool.
"""

import pickle
from collections.abc import Iterable
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from importlib import import_module
from typing import Any

_SHOWN = 60
"""Characters of a value that an error repeats."""


def _shown(value: object) -> str:
    try:
        text = str(value) if isinstance(value, str | Fraction) else repr(value)
    except ValueError:  # an integer beyond the interpreter's limit for conversion to text
        text = f"{'an integer' if isinstance(value, int) else f'a {type(value).__name__} with one'} of too many digits to print"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}… ({len(text)} characters)"


class ShuffleproofError(Exception):
    """Every error that shuffleproof raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Exception's own would call the class with the message, which none of them takes.
        return _revived, (type(self), self.args), {name: _portable(value) for name, value in self.__dict__.items()}


def _revived(kind: type[ShuffleproofError], arguments: tuple[object, ...]) -> ShuffleproofError:
    return kind.__new__(kind, *arguments)


def _portable(value: object) -> object:
    """The value, or its text where it could not be read back: that would end the pool that waits for the answer."""
    try:
        pickle.loads(pickle.dumps(value))
    except Exception:
        return _shown(value)
    return value


class DomainError(ShuffleproofError, ValueError):
    """A parameter lies outside its domain.

    parameter: its name; value: what was given; requirement: what would be accepted; line: of a file, where it stands, if known.
    """

    def __init__(self, *, parameter: str, value: object, requirement: str, line: int | None = None) -> None:
        self.parameter, self.value, self.requirement, self.line = parameter, value, requirement, line
        super().__init__(f"{'' if line is None else f'line {line}: '}{parameter} = {_shown(value)}: must be {requirement}")


class RegimeError(ShuffleproofError):
    """A theorem was used outside its own condition.

    statement: ledger id; condition: what it needs; given: what it got, and by how much that misses; advice: what to use instead.
    """

    def __init__(self, *, statement: str, condition: str, given: str, advice: str) -> None:
        self.statement, self.condition, self.given, self.advice = statement, condition, given, advice
        super().__init__(f"{statement} needs {condition}, got {given}: {advice}")


class UndecidedError(ShuffleproofError):
    """Certified arithmetic reached its precision limit without an answer of the quality asked for.

    quantity: what was computed; enclosure: the best enclosure so far, as (lower, upper) texts; precision: bits used.
    """

    def __init__(self, *, quantity: str, enclosure: tuple[str, str], precision: int) -> None:
        self.quantity, self.enclosure, self.precision = quantity, enclosure, precision
        super().__init__(f"{quantity}: undecided at {precision} bits; known so far: between {enclosure[0]} and {enclosure[1]}")


class ResourceLimitError(ShuffleproofError):
    """The work asked for exceeds a stated limit. what: the work; needed: what it would take; limit: what is allowed."""

    def __init__(self, *, what: str, needed: str, limit: str) -> None:
        self.what, self.needed, self.limit = what, needed, limit
        super().__init__(f"{what}: would take {needed}; the limit is {limit}")


class UnsupportedError(ShuffleproofError):
    """An engine cannot give the guarantee asked for. what: the request; reason: why not; advice: what can."""

    def __init__(self, *, what: str, reason: str, advice: str) -> None:
        self.what, self.reason, self.advice = what, reason, advice
        super().__init__(f"{what}: {reason}; {advice}")


class FloatRangeError(UnsupportedError):
    """Float64 guarantees no side at these parameters; balls may. balls: whether they carry what was asked."""

    def __init__(self, *, what: str, reason: str, balls: bool = True) -> None:
        advice = 'use engine "ball"' if balls else "use another method, float64 alone carries it"
        super().__init__(what=what, reason=reason, advice=advice)


class MissingExtraError(UnsupportedError, ImportError):
    """An optional package is not installed. extra: that of shuffleproof with which it is, as in `pip install shuffleproof[extra]`."""

    def __init__(self, *, package: str, extra: str, what: str, otherwise: str | None = None) -> None:
        self.package, self.extra, self.otherwise = package, extra, otherwise
        install = f"pip install 'shuffleproof[{extra}]', or '.[{extra}]' in a clone"
        advice = f"install the extra `{extra}` ({install})" + (f", or {otherwise}" if otherwise else "")
        super().__init__(what=what, reason=f"{package} is not installed", advice=advice)


class IntegrityError(ShuffleproofError):
    """A stored file is not what it was when it was written. path: the file; reason: what does not hold."""

    def __init__(self, *, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}")


class HarnessError(ShuffleproofError):
    """A harness under test failed as a program. implementation: how it was named; reason: what happened; stderr: all that it said of it."""

    def __init__(self, *, implementation: str, reason: str, stderr: str = "") -> None:
        self.implementation, self.reason, self.stderr = implementation, reason, stderr
        super().__init__(f"{implementation}: {reason}")


class HarnessStartError(HarnessError):
    """The harness could not be started, or did not greet."""


class HarnessProtocolError(HarnessError):
    """The harness wrote something that the protocol does not allow."""


class HarnessTimeoutError(HarnessError):
    """The harness did not answer before its deadline."""


class HarnessCrashError(HarnessError):
    """The harness ended while an answer was due."""


class OutputError(ShuffleproofError):
    """Output could not be written because a device is full, closed or broken. place: the file, or "standard output"; reason: why."""

    def __init__(self, place: str, reason: str) -> None:
        self.place, self.reason = place, reason
        super().__init__(f"{place}: cannot be written ({reason})")


def about(number: int | float) -> str:
    """Two digits of a number, which may be too large for float64: 10^1000 is "1.0e+1000"."""
    try:
        return f"{number:.1e}"
    except OverflowError:
        return f"{Decimal(number):.1e}"


def require(condition: bool, *, parameter: str, value: object, requirement: str) -> None:
    """Raise DomainError unless the condition holds."""
    if not condition:
        raise DomainError(parameter=parameter, value=value, requirement=requirement)


def as_named(value: object, names: Iterable[str]) -> str:
    """The one of these names that differs from a value in nothing but hyphens, underscores and capitals; the value's text if none does.

    `krr-pair` is `k-rr-pair`.
    """
    meant = {_letters(name): name for name in names}
    return meant.get(_letters(str(value)), str(value))


def _letters(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def require_one_of(value: object, names: Iterable[str], *, parameter: str) -> str:
    """The value, which is one of these names. Raises DomainError, with the nearest name first where one is near."""
    known = tuple(names)
    if isinstance(value, str) and value in known:
        return value
    raise DomainError(parameter=parameter, value=value, requirement=f"one of {', '.join(known)}{did_you_mean(value, known)}")


def did_you_mean(value: object, names: Iterable[str]) -> str:
    """ " (did you mean ...?)", with the nearest of these names, if one is near."""
    known = {name.lower().replace("_", "-"): name for name in names}
    near = get_close_matches(value.lower().replace("_", "-"), known, n=1) if isinstance(value, str) else []
    return f" (did you mean {known[near[0]]!r}?)" if near else ""


def optional(module: str, *, extra: str, what: str, otherwise: str | None = None) -> Any:
    """Return a module of an optional package.

    module: its import path; extra: that of shuffleproof which has it; what: what was asked for; otherwise: what can be done without.
    Raises MissingExtraError where the package is not installed.
    """
    package = module.partition(".")[0]
    try:
        import_module(package)
    except ImportError:
        raise MissingExtraError(package=package, extra=extra, what=what, otherwise=otherwise) from None
    return import_module(module)
