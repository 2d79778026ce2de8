"""Reports compared: several side by side, with a badge for each implementation; and two, case by case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from shuffleproof.conformance.judging.judge import NOT_JUDGED, SOUND, Verdict
from shuffleproof.conformance.reporting.findings import Severity, kind, named, severity
from shuffleproof.conformance.reporting.report import UNDECIDED
from shuffleproof.spec.vocabulary.files import write_whole

Report = Mapping[str, Any]
"""As `report.read` gives it."""
Rows = Literal["operation", "flag"]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """Says what one implementation makes of the cases of one row. worst: the severity of its worst failure, None where there is none."""

    sound: int
    loose: int
    against: int
    not_asked: int
    worst: str | None

    @property
    def text(self) -> str:
        """In a few words: `57 of 60, wrong`."""
        judged = self.sound + self.against
        if not judged:
            return "not answered"
        told = f"{self.sound} of {judged}"
        loose = f", {self.loose} loose" if self.loose else ""
        return told + (f", {self.worst}" if self.worst else loose)

    @property
    def colour(self) -> str:
        """Green where nothing speaks against it, red for what is wrong or broken, yellow for less, quiet where nothing was judged."""
        if not self.sound + self.against:
            return "quiet"
        if self.worst is None:
            return "green"
        return "red" if self.worst in ("wrong", "broken", "numeric") else "yellow"

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values."""
        counts = {"sound": self.sound, "loose": self.loose, "against": self.against, "not_asked": self.not_asked}
        return {**{name: str(number) for name, number in counts.items()}, "worst": self.worst}


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """Shows what implementations make of the same cases.

    columns: the implementations, as they are distinguished; rows: name -> a cell for each column, None where a report has no such case;
    totals: of each column; suites: which suite each report is of, and with what the kit has asked it.
    """

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Cell | None, ...]]
    totals: tuple[Cell, ...]
    suites: tuple[str, ...]

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """Each implementation, and of which suite its report is."""
        return tuple(zip(self.columns, self.suites, strict=True))

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values."""
        told = {name: [None if cell is None else cell.as_json() for cell in cells] for name, cells in self.rows.items()}
        totals = [cell.as_json() for cell in self.totals]
        return {"implementations": list(self.columns), "of": list(self.suites), "rows": told, "totals": totals}


def matrix(reports: Sequence[Report], *, by: Rows = "operation") -> Matrix:
    """The reports side by side. by: what a row is: an operation with what it was asked about, or a flag."""
    rows: dict[str, None] = {}
    sorted_out: list[dict[str, list[Mapping[str, Any]]]] = []
    for report in reports:
        found: dict[str, list[Mapping[str, Any]]] = {}
        for case in report["cases"]:
            for name in case["flags"] if by == "flag" else [named(kind(case))]:
                found.setdefault(name, []).append(case)
                rows.setdefault(name)
        sorted_out.append(found)
    cells = {name: tuple(_cell(found[name]) if name in found else None for found in sorted_out) for name in sorted(rows)}
    return Matrix(
        columns=_names(reports),
        rows=cells,
        totals=tuple(_cell(report["cases"]) for report in reports),
        suites=tuple(_asked(report) for report in reports),
    )


def badge(label: str, cell: Cell) -> str:
    """An SVG badge: how many of the judged cases hold, in the colour of the cell."""
    from html import escape

    said = cell.text
    widths = [round(6.6 * len(text) + 12) for text in (label, said)]
    colour = {"green": "#1a7f37", "yellow": "#8a6100", "red": "#b3261e", "quiet": "#6e6e6e"}[cell.colour]
    left, right = widths
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{escape(f"{label}: {said}")}">'
        f"<title>{escape(f'{label}: {said}')}</title>"
        f'<rect width="{left}" height="20" fill="dimgray"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2}" y="14">{escape(label)}</text><text x="{left + right / 2}" y="14">{escape(said)}</text></g></svg>\n'
    )


def badges(found: Matrix, directory: Path) -> tuple[Path, ...]:
    """Write a badge for each implementation into a folder that exists; their files, named by the implementations."""
    import re

    written = []
    for name, cell in zip(found.columns, found.totals, strict=True):
        path = directory / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name).strip('-.') or 'implementation'}.svg"
        write_whole(path, badge("shuffle-model conformance", cell).encode("utf-8"))
        written.append(path)
    return tuple(written)


def _cell(cases: Sequence[Mapping[str, Any]]) -> Cell:
    verdicts = [case["verdict"] for case in cases]
    bad = [found for case in cases if (found := severity(case)) is not None]
    return Cell(
        sound=sum(verdict in SOUND for verdict in verdicts),
        loose=verdicts.count("loose"),
        against=len(bad),
        not_asked=sum(verdict in NOT_JUDGED for verdict in verdicts),
        worst=min(bad, key=list(Severity).index).value if bad else None,
    )


def _names(reports: Sequence[Report]) -> tuple[str, ...]:
    """Name and version; numbered where two reports are of the same."""
    told = [f"{report['implementation']['name']} {report['implementation']['version']}" for report in reports]
    return tuple(name if told.count(name) == 1 else f"{name} ({told[:place].count(name) + 1})" for place, name in enumerate(told))


def _asked(report: Report) -> str:
    about = report.get("about", {})
    when = f", {about['date']}, kit {about['kit']}" if about else ""
    return f"{report['implementation']['language']}, suite {report['suite']}{when}"


_GRAVITY = {
    Verdict.REFUSED: 1,
    Verdict.UNSKIPPED: 1,
    Verdict.MISMATCH: 2,
    Verdict.UNSOUND: 3,
    Verdict.PROTOCOL: 4,
    Verdict.TIMED_OUT: 4,
    Verdict.CRASHED: 4,
}
"""What speaks against an implementation, and how much; 0 for every other verdict."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """A case whose verdict is another one. old, new: the verdicts, None where a report does not have the case."""

    id: str
    old: str | None
    new: str | None
    detail: str


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Holds what became of the cases of two reports.

    worse: what speaks against the implementation now and did not, or did less, cases that are new included; fixed: what did and does not
    any more; changed: any other change of verdict; gone: cases that the new report does not have.
    """

    worse: tuple[Change, ...]
    fixed: tuple[Change, ...]
    changed: tuple[Change, ...]
    gone: tuple[Change, ...]

    @property
    def exit_code(self) -> int:
        """1 where something got worse; else 3 where cases are gone, of which nothing is known; else 0."""
        return 1 if self.worse else UNDECIDED if self.gone else 0


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference:
    """Compare two reports, each as `report.read` gives it. Cases are the same where their ids are."""
    before, after = ({case["id"]: case for case in report["cases"]} for report in (old, new))
    found: dict[str, list[Change]] = {"worse": [], "fixed": [], "changed": [], "gone": []}
    for name in [*after, *(name for name in before if name not in after)]:
        one, other = before.get(name), after.get(name)
        verdicts = [None if case is None else case["verdict"] for case in (one, other)]
        change = Change(id=name, old=verdicts[0], new=verdicts[1], detail=(other or one or {})["detail"])
        was, now = (0 if verdict is None else _GRAVITY.get(Verdict(verdict), 0) for verdict in verdicts)
        if other is None:
            found["gone"].append(change)
        elif now > was:
            found["worse"].append(change)
        elif was and not now and other["verdict"] in SOUND:
            found["fixed"].append(change)
        elif one is not None and verdicts[0] != verdicts[1]:
            found["changed"].append(change)
    return Difference(**{name: tuple(changes) for name, changes in found.items()})
