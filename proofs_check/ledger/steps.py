"""The steps that a check computes, and whether each held: by them a method, not a literal, decides what a check has shown."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from shuffleproof.proofs_check.ledger.verdict import Status

_METHODS = __name__.rpartition(".")[0] + "."


@dataclass(slots=True)
class Steps:
    """Holds what ran while a check ran. shows: place -> the most that a step there can show; failed: the places where one did not hold.

    A place is a function and the line in it, "section2._shuffle_commutes+14", or the name that the step was given.
    """

    shows: dict[str, Status] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)

    def strongest(self) -> Status:
        """The most that the check may claim: what its strongest step shows, or exact arithmetic at listed points if it has no steps."""
        return max(self.shows.values(), key=lambda status: status.weight, default=Status.CERTIFIED)

    def weakest(self) -> Status:
        """Return what all of its steps show."""
        return min(self.shows.values(), key=lambda status: status.weight, default=Status.CERTIFIED)


_running: ContextVar[Steps | None] = ContextVar("steps of the running check", default=None)


@contextmanager
def recorded_steps() -> Iterator[Steps]:
    """Keep the steps of what runs inside."""
    steps = Steps()
    token = _running.set(steps)
    try:
        yield steps
    finally:
        _running.reset(token)


def step(holds: bool, *, shows: Status, name: str | None = None) -> bool:
    """Note a step of the running check, at the nearest caller outside this package, and give back whether it holds."""
    running = _running.get()
    if running is not None:
        place = name or place_of_caller()
        running.shows[place] = shows
        if not holds:
            running.failed.add(place)
    return holds


def place_of_caller() -> str:
    """The nearest caller outside this package: its function, and the line in it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_METHODS):
        frame = frame.f_back
    code = frame.f_code
    return f"{frame.f_globals.get('__name__', '').rpartition('.')[2]}.{code.co_qualname}+{frame.f_lineno - code.co_firstlineno}"
