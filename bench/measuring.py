"""Processor seconds: medians and spreads, of what is compared in turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
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
        return f"{_short(self.median)} ({_short(self.least)} to {_short(self.largest)}, {self.runs} runs)"


@dataclass(frozen=True)
class Row:
    """One comparison. ours: seconds; peer: the other's seconds, and its name; target: what was aimed for, in words; note: whatever else."""

    name: str
    ours: Seconds
    peer: Seconds | None = None
    against: str = ""
    target: str = ""
    met: bool | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the peer's time is ours, by medians."""
        return None if self.peer is None else self.peer.median / max(self.ours.median, 1e-9)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio}

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.ours}"]
        if self.peer is not None and self.ratio is not None:
            lowest = self.peer.least / max(self.ours.largest, 1e-9)
            highest = self.peer.largest / max(self.ours.least, 1e-9)
            spread = f"{lowest:.3g} to {highest:.3g}"
            lines.append(f"    {self.against}: {self.peer}: {self.ratio:.3g} times ours ({spread})")
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


def _short(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"
