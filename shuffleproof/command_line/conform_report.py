"""Reports of `shuffleproof conform`: as text on stdout and as files, read back, and compared (`show`, `diff`, `matrix`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Name, Verb, format_option, print_json
from shuffleproof.report.texts import answered, printable, say, shortened
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.files import made_folder, require_writable, write_whole
from shuffleproof.spec.vocabulary.numerals import amount

if TYPE_CHECKING:
    from shuffleproof.conformance.searching.search import Found

PATH = click.Path(path_type=Path)
REPORT = click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FILE",
    type=PATH,
    help="Also write the whole report there: FILE.json, FILE.xml (JUnit) or FILE.html (one page); may be given several times.",
)
_SHOWN = {"longest": 300, "longest_word": 45}
"""Characters of an answer, or of a verdict's reason, and of a number in it, that a line shows; `--format json` has them all."""

_MOST_CASES = 3
"""Cases of a finding that the terminal is given."""
_MOST_LINES = 12
"""Lines of what a harness wrote on stderr that the terminal is given."""


def check_reports(paths: Iterable[Path]) -> None:
    """Refuse a report that could not be written, before anything is asked. Raises DomainError naming the file."""
    for path in paths:
        known = path.suffix in (".json", ".xml", ".html")
        require(known, parameter="report", value=str(path), requirement="a file whose name ends in .json, .xml (JUnit) or .html")
        require_writable(path, parameter="report")


def shown(
    report: Mapping[str, Any],
    *,
    as_json: bool,
    reports: Iterable[Path] = (),
    again: Sequence[str] | None = None,
    right_alone: Sequence[str] = (),
) -> int:
    """Write a conformance report to files and print it; its exit code.

    report: as `Report.as_json` gives it; again: the command that asks again, where that is not `conform run`; right_alone: ids of failing
    cases that a fresh process answers rightly.
    """
    from shuffleproof.conformance.judging.judge import Verdict
    from shuffleproof.conformance.reporting.report import exit_code

    code = exit_code((Verdict(case["verdict"]) for case in report["cases"]), unasked=int(report.get("unasked", "0")))
    for path in reports:
        _write(report, path, code=code, again=again)
    if as_json:
        from shuffleproof.conformance.reporting.findings import findings
        from shuffleproof.conformance.reporting.measures import looseness, timings

        found, loose, times = findings(report["cases"]), looseness(report["cases"]), timings(report["cases"])
        measured = {
            "findings": [each.as_json() for each in found],
            "looseness": [each.as_json() for each in loose],
            "timings": [each.as_json() for each in times],
        }
        print_json({**report, **measured, "right_alone": list(right_alone), "exit_code": code})
    else:
        left = sum(case["verdict"] == Verdict.UNSUPPORTED.value for case in report["cases"])
        if 2 * left > len(report["cases"]):
            told = f"{left} of {len(report['cases'])} cases are not within what the harness declares"
            say(f"{told}; `conform list -i` counts those of every suite that are")
        _print(report, right_alone)
    return code


def shown_search(found: Found, *, connect: str, seed: int, save: Path | None, as_json: bool) -> int:
    """Print what a search has found; its exit code. save: where the cases are stored, if anywhere."""
    from shuffleproof.conformance.reporting.reproduction import by_the_kit
    from shuffleproof.conformance.searching.search import by_hand
    from shuffleproof.report.published import explained

    rows: list[dict[str, Any]] = []
    for result in found.results:
        before = found.before.get(result.id)
        lines = {"by_hand": by_hand(result, connect=connect, seed=seed, before=before or ())}
        if save is not None and before is None:
            lines["by_the_kit"] = by_the_kit(connect=connect, seed=seed, case_id=result.id, cases=str(save))
        row = {**explained(result).as_json(), "seen": str(found.seen.get(result.id, 1)), "reproduce": lines}
        rows.append(row if before is None else {**row, "after": [each.id for each in before]})
    if as_json:
        counts = {"asked": found.asked, "undecided": found.undecided, "interrupted": found.interrupted, "out_of_time": found.out_of_time}
        print_json({**counts, "seed": str(seed), "findings": rows, "exit_code": found.exit_code})
        return found.exit_code
    for row in rows:
        _print_case(row)
        if row["seen"] != "1":
            say(f"  seen {row['seen']} times; this is its simplest input")
        if "after" in row:
            say(f"  it remembers: a fresh process answers this rightly; {_after([each.id for each in found.before[str(row['id'])]])}")
    left = f"; of {found.undecided} more our own code could not say the truth" if found.undecided else ""
    ended = "interrupted: " if found.interrupted else "ended by --time: " if found.out_of_time else ""
    said = f"{len(rows) or 'nothing'} found" if found.asked else "the harness declares none of those that were asked for"
    say(f"{ended}{amount(found.asked, 'question')} asked{left}; {said}")
    return found.exit_code


def _after(earlier: Sequence[str]) -> str:
    """Return what must be asked first."""
    if not earlier:
        return "which question before it made it wrong was not found"
    more = f", and {len(earlier) - 1} more" if len(earlier) > 1 else ""
    return f"asked first: {shortened(earlier[0], longest=300, longest_word=120)}{more}"


def _write(report: Mapping[str, Any], path: Path, *, code: int, again: Sequence[str] | None) -> None:
    from shuffleproof.conformance import stored_json
    from shuffleproof.conformance.reporting import junit
    from shuffleproof.report.conform import page

    if path.suffix == ".json":
        stored_json.write(path, report)
    else:
        whole = junit.junit(report) if path.suffix == ".xml" else page(report, code=code, again=again).encode("utf-8")
        write_whole(path, whole)


def _print(report: Mapping[str, Any], right_alone: Sequence[str] = ()) -> None:
    """Print what was found, each finding at its worst cases; what is loose, in numbers; and the counts."""
    from shuffleproof.conformance.reporting.findings import findings
    from shuffleproof.conformance.reporting.measures import looseness
    from shuffleproof.report.conform import earlier_told, loose_told

    about, cases = report["implementation"], report["cases"]
    name = printable(f"{about['name']} {about['version']} ({about['language']})")
    say(f"{name}, suite {report['suite']}, {amount(len(cases), 'case')}")
    for found in findings(cases):
        say(f"{found.severity}: {printable(found.title)} ({len(found.cases)} of {found.judged} judged)")
        if len(found.cases) > 1:
            flags = ", ".join(f"{flag} {number}" for flag, number in found.flags.items())
            say(f"  flags: {flags or 'none'}")
        for place, case in enumerate(found.cases[:_MOST_CASES]):
            _print_case(case, before="  ", by_hand=not place)
            if case["id"] in right_alone:
                say('    a fresh process answers this rightly: it remembers what was asked before ("conform search" finds what), or draws')
        if len(found.cases) > _MOST_CASES:
            say(f"  and {len(found.cases) - _MOST_CASES} more: --format json and --report have them all")
    for loose in looseness(cases):
        say(f"loose: {printable(loose.about)}: {loose_told(loose)}")
    for part in report.get("earlier", ()):
        say(f"{part['answers']} answers are of an earlier run{earlier_told(part, report.get('about', {}))}")
    if report["replayed"] != "0":
        say(f"it crashed and was asked again on {report['replayed']} of them")
    if "unasked" in report:
        say(f"interrupted: {report['unasked']} cases were not asked")
    say(", ".join(f"{number} {verdict}" for verdict, number in report["summary"].items()) or "nothing ran")


def _print_case(case: Mapping[str, Any], *, before: str = "", by_hand: bool = True) -> None:
    """A verdict, the answer and why, what it wrote on stderr, and the lines that ask again; by_hand: also that without the kit."""
    said = f"answered {shortened(answered(case), **_SHOWN)}; " if case["value"] is not None else ""
    say(f"{before}{case['verdict']}: {case['id']}")
    say(f"{before}  {said}{shortened(case['detail'], **_SHOWN)}")
    lines = case.get("stderr", "").splitlines()
    for line in lines[-_MOST_LINES:]:
        say(f"{before}  | {shortened(line, longest=200, longest_word=200)}")
    if len(lines) > _MOST_LINES:
        say(f"{before}  the last {_MOST_LINES} of {len(lines)} lines on stderr: --format json and --report have them all")
    for name, line in case.get("reproduce", {}).items():
        if by_hand or name == "by_the_kit":
            say(f"{before}  $ {printable(line)}")


@click.command("show", cls=Verb)
@click.argument("report", metavar="FILE", type=PATH)
@REPORT
@format_option
def conform_show(report: Path, reports: tuple[Path, ...], as_json: bool) -> int:
    """Show a report that an earlier run has written, or the journal of a run, ended or not.

    A file that was changed or cut since is refused.
    """
    check_reports(reports)
    return shown(_read(report), as_json=as_json, reports=reports)


def _read(path: Path) -> dict[str, Any]:
    """A report, or what a journal would report."""
    from shuffleproof.conformance.reporting.report import read
    from shuffleproof.conformance.running.journal import is_journal
    from shuffleproof.conformance.running.runner import from_journal

    page = path.suffix in (".html", ".xml")
    require(not page, parameter="FILE", value=str(path), requirement="a report in .json: a page is written from it, and not read")
    return from_journal(path).as_json() if is_journal(path) else read(path)


@click.command("diff", cls=Verb)
@click.argument("old", type=PATH)
@click.argument("new", type=PATH)
@format_option
def conform_diff(old: Path, new: Path, as_json: bool) -> int:
    """Compare two reports (.json) case by case: of two versions, or of two implementations.

    \b
    Exit codes: 0 nothing got worse; 1 something did; 3 nothing did, but NEW lacks cases that OLD has.
    """
    from shuffleproof.conformance.reporting.matrix import difference

    found = difference(_read(old), _read(new))
    if as_json:
        print_json({**asdict(found), "exit_code": found.exit_code})
        return found.exit_code
    kinds = {"worse": found.worse, "fixed": found.fixed, "changed": found.changed, "gone": found.gone}
    for kind, changes in kinds.items():
        for change in changes:
            say(f"{kind}: {printable(change.id)}: {change.old or 'not asked'} -> {change.new or 'not asked'}")
            if kind == "worse":
                say(f"  {shortened(change.detail, longest=300, longest_word=45)}")
    say(", ".join(f"{len(changes)} {kind}" for kind, changes in kinds.items()))
    return found.exit_code


@click.command("matrix", cls=Verb)
@click.argument("reports", metavar="REPORT...", nargs=-1, required=True, type=PATH)
@click.option("--by", type=Name(["operation", "flag"]), default="operation", show_default=True, help="What a row is.")
@click.option("-o", "--output", "page", default=None, metavar="FILE", type=PATH, help="Also write a page there: a .html.")
@click.option(
    "--badges", default=None, metavar="FOLDER", type=PATH, help="Also write an SVG badge for each implementation there; the folder is made."
)
@format_option
def conform_matrix(
    reports: tuple[Path, ...], by: Literal["operation", "flag"], page: Path | None, badges: Path | None, as_json: bool
) -> int:
    """Reports (.json, or journals) of several implementations, or versions, side by side.

    \b
    Exit codes: 0 nothing speaks against any of them; 1 something does.
    """
    from shuffleproof.conformance.reporting import matrix as tabled
    from shuffleproof.report.conform import matrix_page

    if page is not None:
        require(page.suffix == ".html", parameter="output", value=str(page), requirement="a file whose name ends in .html")
        require_writable(page)
    if badges is not None:
        made_folder(badges, parameter="badges")
    read = [_read(path) for path in reports]
    found = tabled.matrix(read, by=by)
    if page is not None:
        write_whole(page, matrix_page(tabled.matrix(read), tabled.matrix(read, by="flag")).encode("utf-8"))
    if badges is not None:
        written = tabled.badges(found, badges)
        for earlier in sorted({*badges.glob("*.svg")} - {*written}):
            say(f"shuffleproof: {earlier} is of none of these reports: left as it is", err=True)
    code = ExitCode.NEGATIVE if any(cell.against for cell in found.totals) else ExitCode.ANSWERED
    if as_json:
        print_json({**found.as_json(), "exit_code": code})
        return code
    answered = {name: cells for name, cells in found.rows.items() if any(cell and cell.sound + cell.against for cell in cells)}
    rows = [*answered.items(), ("all cases", found.totals)]
    widths = [max(len(name) for name, _ in rows), *(max(20, len(name)) for name in found.columns)]
    for name, cells in [("", [printable(name) for name in found.columns]), *((n, [c.text if c else "-" for c in cs]) for n, cs in rows)]:
        say("  ".join(text.ljust(width) for text, width in zip((name, *cells), widths, strict=True)).rstrip())
    if len(answered) < len(found.rows):
        say(f"not answered by any: {', '.join(name for name in found.rows if name not in answered)}")
    return code
