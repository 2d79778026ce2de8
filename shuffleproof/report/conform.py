"""The report of one conformance run as a single HTML page that needs nothing else."""

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shuffleproof.conformance.reporting.findings import findings
from shuffleproof.conformance.reporting.matrix import Matrix
from shuffleproof.conformance.reporting.measures import Looseness, looseness, timings
from shuffleproof.report.pages import render
from shuffleproof.report.texts import MEANINGS, printable, rank, with_commas
from shuffleproof.spec.vocabulary.numerals import decimal_text

_SAID = {0: "Nothing is held against it.", 1: "It claims what is not true, or declines what has an answer.", 5: "Nothing ran."}
_FAILED = "It failed as a program, so the other verdicts are incomplete."


_MOST_ROWS = 10
"""Cases of a finding that its section lists; the table below has all."""
_WIDTH = 320
"""Of a plot, in pixels."""
_HEIGHT = 150
"""Of a plot, in pixels."""
_EDGE = 34
"""Pixels left of and below a plot for its numbers."""
_FEWEST_POINTS = 3
"""Points from which on a plot shows more than a table."""
_MAY_BE_ABSENT: Mapping[str, Any] = {"about": {}, "command": None, "peak_memory": None}
"""What reports of earlier versions do not have."""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Dots for a page. label: of the axis; dots: (x, y) in pixels; ends: what stands at its two ends; top: at the top of the other."""

    label: str
    dots: tuple[tuple[float, float], ...]
    ends: tuple[str, str]
    top: str
    width: int = _WIDTH
    height: int = _HEIGHT
    edge: int = _EDGE


def plots(loose: Looseness) -> list[Plot]:
    """Bits lost against the number of users, and against epsilon0, where there are enough points to look at."""
    axes = {
        "n": [(math.log10(n), n, bits) for n, _, bits in loose.points if n is not None and n > 0],
        "epsilon0": [(local, local, bits) for _, local, bits in loose.points if local is not None],
    }
    return [_plot(label, points) for label, points in axes.items() if len({x for x, _, _ in points}) >= _FEWEST_POINTS]


def _plot(label: str, points: list[tuple[float, float, float]]) -> Plot:
    points = sorted(points)
    low, high, top = points[0][0], points[-1][0], max(bits for _, _, bits in points)
    dots = []
    for x, _, bits in points:
        across = _EDGE + (_WIDTH - _EDGE - 8) * (x - low) / (high - low)
        down = 8 + (_HEIGHT - _EDGE - 8) * (1 - bits / top if top > 0 else 1.0)
        dots.append((round(across, 1), round(down, 1)))
    return Plot(label=label, dots=tuple(dots), ends=(f"{points[0][1]:g}", f"{points[-1][1]:g}"), top=f"{top:.2g}")


def loose_told(loose: Looseness) -> str:
    """The looseness of claims, in one line."""
    told = f"{loose.loose} of {loose.claims} sound claims"
    if loose.median is not None and loose.worst is not None and loose.bits is not None:
        median, worst = (decimal_text(factor, digits=3, direction="up") for factor in (loose.median, loose.worst))
        told += f", by a factor of {median} (median), {worst} at worst: {loose.bits:.2g} bits lost, at {loose.worst_case}"
    return told + (f"; {loose.infinite} where the truth is 0" if loose.infinite else "")


def earlier_told(part: Mapping[str, str], about: Mapping[str, str]) -> str:
    """Return what distinguishes the run that a journal was begun with from the one that took it up."""
    names = {"date": "of", "deadline": "with a deadline of", "kit": "with version", "platform": "on"}
    differing = [key for key in names if key in part and part[key] != about.get(key)]
    told = [f"{names[key]} {part[key]}{' s' if key == 'deadline' else ''}" for key in differing]
    return f": {', '.join(told)}" if told else ""


def matrix_page(found: Matrix, by_flag: Matrix) -> str:
    """The page of several reports side by side, by operation and by flag."""
    return render("matrix.html", page=None, found=found, by_flag=by_flag)


def page(report: Mapping[str, Any], *, code: int, again: Sequence[str] | None = None) -> str:
    """The whole page. report: as `conform run --format json` prints it; code: its exit code; again: the command that asks again."""
    asked = ["--cases", report["cases_file"]] if "cases_file" in report else ["--suite", report["suite"]]
    command = again or ["shuffleproof", "conform", "run", "-i", report["connect"], *asked, "--seed", report["seed"]]
    said = f"Interrupted: {report['unasked']} cases were not asked." if "unasked" in report else _SAID.get(code, _FAILED)
    return render(
        "conform.html",
        page=None,
        report={**_MAY_BE_ABSENT, **report},
        code=code,
        said=said,
        cases=sorted(report["cases"], key=rank),
        findings=findings(report["cases"]),
        looseness=[(each, loose_told(each), plots(each)) for each in looseness(report["cases"])],
        timings=timings(report["cases"]),
        earlier=[f"{part['answers']} answers{earlier_told(part, report.get('about', {}))}" for part in report.get("earlier", ())],
        most=_MOST_ROWS,
        meanings={verdict: meaning for verdict, meaning in MEANINGS.items() if verdict in report["summary"]},
        again=shlex.join(command) if report["suite"] != "start" else None,
        with_commas=with_commas,
        printable=printable,
    )
