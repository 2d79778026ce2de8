"""How far a long piece of work has come, for whoever watches: whoever has many things to do says so, and nobody has to listen."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
_TOLD = 2
"""Stages of the work that are shown, the outermost first: more would not fit in a line."""


@dataclass
class _Stage:
    of: str
    total: int
    done: int = 0


@dataclass(frozen=True)
class Progress:
    """share: of the work, from 0 to 1; says: where it stands, in words; at_most: whether it may end long before, at any share."""

    share: float
    says: str = ""
    at_most: bool = False


class _Stages(threading.local):
    """The work of this thread, the outermost first."""

    def __init__(self) -> None:
        self.open: list[_Stage] = []
        self.spent: list[float] = [0]


_stages = _Stages()
_watched: tuple[list[_Stage], list[float]] = [], [0]


def watch() -> None:
    """Have `progress` speak of the calling thread from now on."""
    global _watched
    _watched = _stages.open, _stages.spent


def progress() -> Progress | None:
    """Where the work of the watched thread stands; None where nothing is known."""
    stages = list(_watched[0])
    if not stages:
        return Progress(share=_watched[1][0], at_most=True) if _watched[1][0] else None
    share: float = 0
    for stage in reversed(stages):
        share = (stage.done + share) / max(1, stage.total)
    return Progress(share=min(1, share), says=", ".join(f"{each.done} of {each.total} {each.of}" for each in stages[:_TOLD]))


def within_limit(share: float) -> None:
    """Say how much of what it may cost at most an answer has taken."""
    _stages.spent[0] = share


def steps(items: Iterable[T], *, of: str) -> Iterator[T]:
    """The items, one after the other: what is done between two of them is a step of the work.

    of: what they are, in the plural. Steps within a step count as parts of it.
    """
    chosen = list(items)
    stage = _Stage(of, len(chosen))
    mine = _stages.open
    mine.append(stage)
    try:
        for item in chosen:
            yield item
            stage.done += 1
    finally:
        if stage in mine:
            mine.remove(stage)
