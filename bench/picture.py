"""Seconds of the certified bound against n, with a square root beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_POINT = re.compile(r"certified epsilon, 12 digits, eps0 = (\w+), n = 10\^(\d+)$")


def draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """An SVG file from the rows that have a point of the curve; nothing where there are none."""
    import matplotlib
    from matplotlib.figure import Figure

    curves: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if match := _POINT.match(str(row.get("name", ""))):
            curves.setdefault(match[1], []).append((10.0 ** int(match[2]), row["ours"]["median"]))
    if not curves:
        return
    with matplotlib.rc_context({"svg.hashsalt": "shuffleproof"}):
        figure = Figure(figsize=(6.4, 4.2))
        axes = figure.subplots()
        for epsilon0, points in sorted(curves.items()):
            axes.loglog(*zip(*sorted(points), strict=True), marker="o", label=f"eps0 = {epsilon0}")
        n, seconds = zip(*sorted(curves[min(curves)]), strict=True)
        axes.loglog(n, [seconds[-1] * (x / n[-1]) ** 0.5 for x in n], linestyle=":", color="grey", label="square root of n")
        axes.set(xlabel="n", ylabel="processor seconds", title="Certified epsilon of the clones pair, 12 digits")
        axes.legend(frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None}, bbox_inches="tight")
