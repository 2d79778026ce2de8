"""The report of `shuffleproof conform`: as text on stdout, and as files in the forms that their names ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shuffleproof.command_line.options import print_json
from shuffleproof.report.texts import answered, printable, say, shortened

if TYPE_CHECKING:
    from shuffleproof.conformance.search import Found

_SHOWN = {"longest": 300, "longest_word": 45}
"""Characters of an answer, or of a verdict's reason, and of a number in it, that a line shows; `--format json` has them all."""


def check_reports(paths: Iterable[Path]) -> None:
    """Refuse a report that could not be written, before anything is asked. Raises DomainError naming the file."""
    from shuffleproof.spec.vocabulary.errors import require

    for path in paths:
        known = path.suffix in (".json", ".xml", ".html")
        require(known, parameter="report", value=str(path), requirement="a file whose name ends in .json, .xml (JUnit) or .html")
        require(path.absolute().parent.is_dir(), parameter="report", value=str(path), requirement="in a folder that exists")
        require(not path.is_dir(), parameter="report", value=str(path), requirement="a file, and not a folder")


def shown(report: Mapping[str, Any], *, as_json: bool, reports: Iterable[Path] = (), again: Sequence[str] | None = None) -> int:
    """Write a conformance report to files and print it; its exit code.

    report: as `Report.as_json` gives it; again: the command that asks again, where that is not `conform run`.
    """
    from shuffleproof.conformance.judge import Verdict
    from shuffleproof.conformance.report import exit_code

    code = exit_code((Verdict(case["verdict"]) for case in report["cases"]), unasked=int(report.get("unasked", "0")))
    for path in reports:
        _write(report, path, code=code, again=again)
    if as_json:
        print_json({**report, "exit_code": code})
    else:
        _print(report)
    return code


def shown_search(found: Found, *, connect: str, seed: int, save: Path | None, as_json: bool) -> int:
    """Print what a search has found; its exit code. save: where the cases are stored, if anywhere."""
    from shuffleproof.conformance.reproduction import by_the_kit
    from shuffleproof.conformance.search import by_hand

    rows = []
    for result in found.results:
        lines = {"by_hand": by_hand(result, connect=connect, seed=seed)}
        if save is not None:
            lines["by_the_kit"] = by_the_kit(connect=connect, seed=seed, case_id=result.id, cases=str(save))
        rows.append({**result.as_json(), "reproduce": lines})
    if as_json:
        counts = {"asked": found.asked, "undecided": found.undecided}
        print_json({**counts, "seed": str(seed), "findings": rows, "exit_code": found.exit_code})
        return found.exit_code
    for row in rows:
        _print_case(row)
    left = f"; of {found.undecided} more our own code could not say the truth" if found.undecided else ""
    say(f"{found.asked} questions asked{left}; {len(rows) or 'nothing'} found")
    return found.exit_code


def _write(report: Mapping[str, Any], path: Path, *, code: int, again: Sequence[str] | None) -> None:
    from shuffleproof.conformance import junit, stored_json
    from shuffleproof.report.conform import page
    from shuffleproof.spec.vocabulary.files import write_whole

    if path.suffix == ".json":
        stored_json.write(path, report)
    else:
        whole = junit.junit(report) if path.suffix == ".xml" else page(report, code=code, again=again).encode("utf-8")
        write_whole(path, whole)


def _print(report: Mapping[str, Any]) -> None:
    """What does not conform, case by case, and the counts."""
    about, cases = report["implementation"], report["cases"]
    name = printable(f"{about['name']} {about['version']} ({about['language']})")
    say(f"{name}, suite {report['suite']}, {len(cases)} case{'' if len(cases) == 1 else 's'}")
    for case in cases:
        if case["verdict"] in ("conforms", "unsupported", "skipped"):
            continue
        _print_case(case)
    if report["replayed"] != "0":
        say(f"it crashed and was asked again on {report['replayed']} of them")
    if "unasked" in report:
        say(f"interrupted: {report['unasked']} cases were not asked")
    say(", ".join(f"{number} {verdict}" for verdict, number in report["summary"].items()) or "nothing ran")


def _print_case(case: Mapping[str, Any]) -> None:
    """A verdict, the answer and why, and the lines that ask again."""
    said = f"answered {shortened(answered(case), **_SHOWN)}; " if case["value"] is not None else ""
    say(f"{case['verdict']}: {case['id']}")
    say(f"  {said}{shortened(case['detail'], **_SHOWN)}")
    for line in case.get("reproduce", {}).values():
        say(f"  $ {printable(line)}")
