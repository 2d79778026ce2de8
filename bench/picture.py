"""Seconds of the certified bound against n with a square root beside it, and points a second against workers."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_POINT = re.compile(r"certified epsilon, 12 digits, eps0 = (\w+), n = 10\^(\d+)$")
_SWEEP = re.compile(r"(certified|float64) sweep, two processes, elapsed$")
_MANY = 200
"""Workers of the projection: a hundred machines of two processors."""


def draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """A picture in the format that the path ends in, one panel for each class of rows that there is; nothing where there are none."""
    import matplotlib
    from matplotlib.figure import Figure

    panels = [panel for panel, found in ((_cost, _curves(rows)), (_scaling, _sweeps(rows))) if found]
    if not panels:
        return
    with matplotlib.rc_context({"svg.hashsalt": "shuffleproof"}):
        figure = Figure(figsize=(6.4 * len(panels), 4.2), layout="constrained")
        for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            panel(axes, rows)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _curves(rows: Sequence[dict[str, Any]]) -> dict[str, list[tuple[float, float]]]:
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if match := _POINT.match(str(row.get("name", ""))):
            curves.setdefault(match[1], []).append((10.0 ** int(match[2]), row["ours"]["median"]))
    return {epsilon0: sorted(points) for epsilon0, points in sorted(curves.items())}


def _cost(axes: Any, rows: Sequence[dict[str, Any]]) -> None:
    curves = _curves(rows)
    for epsilon0, points in curves.items():
        axes.loglog(*zip(*points, strict=True), marker="o", label=f"eps0 = {epsilon0}")
    n, seconds = zip(*curves[min(curves)], strict=True)
    axes.loglog(n, [seconds[-1] * (x / n[-1]) ** 0.5 for x in n], linestyle=":", color="grey", label="square root of n")
    axes.set(xlabel="n", ylabel="processor seconds", title="Certified epsilon of the clones pair, 12 digits")
    axes.legend(frameon=False)


def _sweeps(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    found = {}
    for row in rows:
        if (match := _SWEEP.match(str(row.get("name", "")))) and row.get("facts"):
            found[match[1]] = row["facts"]
    return found


def _scaling(axes: Any, rows: Sequence[dict[str, Any]]) -> None:
    for colour, (kind, facts) in enumerate(_sweeps(rows).items()):
        rates = [facts["points"] / facts[name] for name in ("one", "two")]
        own = f"C{colour}"
        axes.loglog([1, 2], rates, marker="o", color=own, label=f"{kind}, processes")
        if "dask" in facts:
            axes.loglog([2], [facts["points"] / facts["dask"]], marker="x", linestyle="", color=own, label=f"{kind}, Dask")
        axes.loglog([2, _MANY], [rates[1], rates[1] * _MANY / 2], linestyle=":", color=own)
        axes.loglog(
            [_MANY], [rates[1] * _MANY / 2], marker="o", markerfacecolor="none", linestyle="", color=own, label=f"{kind}, projected"
        )
    axes.set(xlabel="workers", ylabel="points a second", title="A sweep on more workers (n to 10^7)")
    axes.set_xticks([1, 2, 20, _MANY], labels=["1", "2", "20", "200"])
    axes.legend(frameon=False)
