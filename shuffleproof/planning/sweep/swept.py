"""A bound at every point of a grid, in parallel, into a file that can be continued."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shuffleproof.answering import ENGINE_CHOICES, EngineChoice
from shuffleproof.keywords import by_keyword, own_arithmetic, own_names
from shuffleproof.methods import method_named
from shuffleproof.planning.sweep.points import Points, Settings, Swept, batches, checked, grid, numbers
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.errors import DomainError, require_one_of
from shuffleproof.spec.vocabulary.methods import MethodName
from shuffleproof.spec.vocabulary.numerals import Number, count, float_toward, parse_epsilon
from shuffleproof.spec.vocabulary.tables import Tabular, logarithmic, new_axes

if TYPE_CHECKING:
    from shuffleproof.planning.sweep.journal import Journal

__dir__ = own_names(__name__)

_PARQUET = ".parquet"
_ENDS: tuple[tuple[str, Direction], ...] = (("lower", "down"), ("upper", "up"))
"""The ends of a stored row, and the side to which each is rounded."""
_BATCHES_A_WORKER = 8
"""Batches for each worker at least, so that none is left waiting for the last one."""
_LARGEST_BATCH = 64
"""Points of a batch in float64, whose answers take less time than handing them on."""
_MOST_WORKERS = 10_000
"""Batches in flight: more than any cluster has, and few enough to be kept in memory."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Sweep(Tabular):
    """Says what a sweep has done. output: its file; points: of the grid; already_there: before it began; refused: without an answer."""

    output: str
    points: int
    already_there: int
    refused: int
    seconds: float

    def __str__(self) -> str:
        """Return what was done, in a line."""
        there = f", {self.already_there} of them before" if self.already_there else ""
        refused = f", {self.refused} without an answer" if self.refused else ""
        return f"{self.output}: {self.points} points{there}{refused}; {self.seconds:.1f} s"

    @property
    def headline(self) -> str:
        """The line that is printed."""
        return str(self)

    def columns(self) -> dict[str, list[Any]]:
        """The file's rows: the point, what the method claims there as floats (nan elsewhere), and why there is no answer."""
        rows, nothing = list(_rows(Path(self.output))), float("nan")
        ends = []
        for row in rows:
            side = "none" if "refused" in row else method_named(row["method"]).side
            low, high = (float_toward(Fraction(row.get(end, "0")), direction=way) for end, way in _ENDS)
            ends.append((low if side == "lower" else nothing, high if side == "upper" else nothing))
        points = ("n", "eps0", "delta" if "delta" in (rows or [{}])[0] else "eps")
        return {
            **{name: [float(parse_epsilon(row[name], parameter=name).bounds(bits=60)[0]) for row in rows] for name in points},
            "at_least": [low for low, _ in ends],
            "at_most": [high for _, high in ends],
            "refused": [row.get("refused") for row in rows],
        }

    def plot(self, axes: Any = None) -> Any:
        """Draw the claimed ends over the parameter that takes most values, a line for each pair of the two others.

        axes: where to draw; new ones if None. Raises MissingExtraError without matplotlib (extra `plot`).
        """
        axes, table = axes or new_axes(), self.columns()
        points = list(table)[:3]
        over = max(points, key=lambda name: len(set(table[name])))
        others = [name for name in points if name != over]
        lines: dict[tuple[float, ...], list[tuple[float, float]]] = {}
        for place, (low, high) in enumerate(zip(table["at_least"], table["at_most"], strict=True)):
            key = tuple(table[name][place] for name in others)
            lines.setdefault(key, []).append((table[over][place], low if low == low else high))
        for key, line in sorted(lines.items()):
            axes.plot(*zip(*sorted(line), strict=True), "o-", label=", ".join(f"{a} = {x:g}" for a, x in zip(others, key, strict=True)))
        drawn = [y for line in lines.values() for _, y in line if y == y]
        axes.set(xlabel=over, ylabel="eps" if "delta" in points else "delta")
        axes.set(xscale="log" if logarithmic(table[over]) else "linear", yscale="log" if logarithmic(drawn) else "linear")
        axes.legend()
        return axes


@by_keyword
@own_arithmetic()
def sweep(
    *,
    n: Points,
    epsilon0: Points,
    output: str | Path,
    delta: Points | None = None,
    epsilon: Points | None = None,
    method: MethodName = "clones",
    engine: EngineChoice = "fast",
    digits: Number | None = None,
    executor: str = "processes",
    workers: Number | None = None,
    on_progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> Sweep:
    """A bound at every point of a grid of n, epsilon0 and delta (or epsilon), written as it is finished.

    Run again, stopped or not, it adds what is missing.
    n, epsilon0, and one of delta and epsilon: numbers, or text such as "1000,1e4" and "1e3:1e9:13" for 13 numbers in equal ratios; method:
    one that takes n and epsilon0; output: a file of lines of JSON, or of Parquet if it ends in .parquet; executor: "processes" or
    "dask://HOST:PORT"; workers: processes, or batches in flight, one a processor if None; on_progress: called with (points that are
    there, points). Raises DomainError before any work starts, IntegrityError for a file that is not this sweep's, ResourceLimitError where
    workers keep dying, UnsupportedError in a script that does not call it under `if __name__ == "__main__":`.
    """
    from shuffleproof.planning.sweep.execution import run
    from shuffleproof.planning.sweep.executors import end_where_workers_begin_workers, named_executor

    end_where_workers_begin_workers()
    if (delta is None) == (epsilon is None):
        requirement = "given to sweep epsilon, or epsilon to sweep delta, but not both"
        raise DomainError(parameter="delta", value=delta, requirement=requirement)
    quantity: Swept = "epsilon" if delta is not None else "delta"
    settings = Settings(quantity, method, engine, None if digits is None else count(digits, parameter="digits"))
    _require_sweepable(settings)
    central = epsilon if delta is None else delta
    third = numbers("" if central is None else central, parameter="epsilon" if delta is None else "delta")
    users, locals_ = numbers(n, parameter="n", whole=True), numbers(epsilon0, parameter="epsilon0")
    checked(settings, n=users, epsilon0=locals_, central=third)
    points = grid(n=users, epsilon0=locals_, central=third)
    at_once = (os.cpu_count() or 1) if workers is None else count(workers, parameter="workers", maximum=_MOST_WORKERS)
    started = time.perf_counter()
    with _results(str(output), settings) as results:
        missing = [point for point in points if point.key not in results.done]
        before = len(points) - len(missing)
        if missing:
            largest = _LARGEST_BATCH if engine == "fast" else 1  # other points take long: each row reaches the disk as it is finished
            size = max(1, min(largest, len(missing) // (at_once * _BATCHES_A_WORKER)))
            with named_executor(executor, workers=at_once) as renew:
                there = before
                on_progress(there, len(points))
                for rows in run(batches(settings, missing, size=size), renew=renew, in_flight=2 * at_once):
                    there += results.add(rows)
                    on_progress(there, len(points))
        results.finish()
    seconds = round(time.perf_counter() - started, 3)
    return Sweep(output=str(output), points=len(points), already_there=before, refused=results.refused, seconds=seconds)


def _require_sweepable(settings: Settings) -> None:
    chosen = method_named(settings.method)
    require_one_of(settings.engine, ENGINE_CHOICES, parameter="engine")
    if not chosen.for_all or settings.quantity not in chosen.quantities:
        wanted = f"a method that answers {settings.quantity} for n and eps0 alone"
        raise DomainError(parameter="method", value=settings.method, requirement=wanted)
    if settings.digits is not None and settings.engine in ("fast", "exact"):
        requirement = f"left out with engine {settings.engine!r}, whose precision is not chosen"
        raise DomainError(parameter="digits", value=settings.digits, requirement=requirement)


def _results(output: str, settings: Settings) -> Journal:
    """Open what keeps the rows. Raises DomainError, IntegrityError, UnsupportedError where it cannot begin."""
    from shuffleproof.data.writers import require_writable

    require_writable(output)
    if output.endswith(_PARQUET):
        from shuffleproof.planning.sweep.growing_table import GrowingTable

        return GrowingTable(Path(output), settings)
    from shuffleproof.planning.sweep.journal import Journal

    return Journal(Path(output), settings)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a finished sweep's file."""
    if path.suffix == _PARQUET:
        from shuffleproof.data.table import read_table
        from shuffleproof.planning.sweep.growing_table import TABLE

        yield from read_table(path, columns=TABLE, wanted=TABLE.texts)
    else:
        yield from map(json.loads, path.read_text("utf-8").splitlines())
