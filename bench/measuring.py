"""Processor seconds: medians and spreads, of what is compared in turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Seconds:
    """Median, least and largest of some runs."""

    median: float
    least: float
    largest: float
    runs: int

    @classmethod
    def of(cls, times: Sequence[float]) -> Seconds:
        return cls(statistics.median(times), min(times), max(times), len(times))

    def __str__(self) -> str:
        return short(self.median) + (
            f" ({short(self.least)} to {short(self.largest)}, {self.runs} runs)" if self.runs > 1 else " (one run)"
        )


@dataclass(frozen=True)
class Row:
    """One comparison.

    ours: seconds; peer: the other's seconds, against: its name; target: what was aimed for, in words; note: whatever else; facts: numbers
    of the note, for programs and for the plot.
    """

    name: str
    ours: Seconds
    peer: Seconds | None = None
    against: str = ""
    target: str = ""
    met: bool | None = None
    note: str = ""
    facts: Mapping[str, float] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """How many times the peer's time is ours, by medians."""
        return None if self.peer is None else self.peer.median / max(self.ours.median, 1e-9)

    def beside(self, before: Row | None) -> str:
        """The row as text, without what the row before it, about the same work, has said already."""
        text = str(self)
        return text.partition("\n")[2] if before is not None and (before.name, before.ours) == (self.name, self.ours) else text

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio}

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.ours}"]
        if self.peer is not None and self.ratio is not None:
            lowest = self.peer.least / max(self.ours.largest, 1e-9)
            highest = self.peer.largest / max(self.ours.least, 1e-9)
            spread = f" ({times(lowest)} to {times(highest)})" if highest > lowest else ""
            lines.append(f"    {self.against}: {self.peer}: {times(self.ratio)} times ours{spread}")
        if self.target:
            lines.append(f"    aimed for: {self.target}{'' if self.met is None else ': met' if self.met else ': MISSED'}")
        if self.note:
            lines.append(f"    {self.note}")
        return "\n".join(lines)


def in_turns(*work: Callable[[], object], runs: int) -> list[Seconds]:
    """Processor seconds of each, measured one after the other so that a busy machine is busy for all of them."""
    times: list[list[float]] = [[] for _ in work]
    for _ in range(runs):
        for own, each in zip(times, work, strict=True):
            started = time.process_time()
            each()
            own.append(time.process_time() - started)
    return [Seconds.of(own) for own in times]


def times(ratio: float) -> str:
    """A ratio in three digits, and in no more than a whole number."""
    return f"{ratio:.3g}" if ratio < 100 else f"{float(f'{ratio:.3g}'):,.0f}"


def short(seconds: float) -> str:
    """Seconds in three digits, with a unit that suits them."""
    if seconds < 1e-6:
        return f"{seconds * 1e9:.3g} ns"
    return f"{times(seconds)} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"
