"""The reports as text on stdout: of `verify` a page with the verdict first, of the ledger a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

from shuffleproof.conformance.judging.judge import UNREPROACHED
from shuffleproof.report.records import StatementRow, TargetRow, VerificationReport
from shuffleproof.report.texts import (
    COLOURS,
    WIDTH_WITHOUT_TERMINAL,
    counted,
    cross_check_line,
    judged_again,
    mutants_counted,
    printable,
    say,
    shortened,
)

_LONGEST_EXAMPLE = {"longest": 240, "longest_word": 45}
_NOT_AS_PRINTED = ("refuted", "vacuous", "open")


def print_report(content: VerificationReport, *, folder: str | None = None) -> None:
    """Print what is ours and whether it holds, then the ledger in counts, then what was found about other people's packages.

    content: the report of `verify`; folder: where its pages lie, if they were written.
    """
    rows, problems = content["ledger"], content["problems"]
    if problems:
        say(f"{len(problems)} of our own promises broken:")
        for problem in problems:
            say(f"  {printable(problem)}")
    else:
        say("Every promise of our own holds: no drift, no surviving mutant, no engine contradicted.")
    say("")
    say(f"ledger        {len(rows)} statements: {counted(rows)}; {mutants_counted(rows)}")
    for paper in dict.fromkeys(row["paper"] for row in rows):
        own = [row for row in rows if row["paper"] == paper]
        say(f"  {paper:<11} {len(own)}: {counted(own)}")
    for check in content["cross_checks"]:
        say(f"cross-check   {cross_check_line(check)}")
    for targets, verb, label in ((content["engines"], "run -i", "our engine"), (content["third_party"], "third-party", "third party")):
        for target in targets:
            say(f"{label:<13} {target_line(target)}")
            found = examples(target)
            for line in [*found, f"again: {judged_again(target, verb)}"] if found else []:
                say(f"{'':<13}   {line}")
    say("")
    refuted = [row["id"] for row in rows if row["status"] == "refuted"]
    if refuted:
        say(f"{len(refuted)} statements do not hold as printed, {refuted[0]} among them: that is a result, not a failure.")
    where = f"{folder}/index.html has the pages; " if folder else ""
    say(f"{where}one statement: shuffleproof ledger check ID; all of this for programs: --format json")


def print_rows(rows: Sequence[StatementRow]) -> None:
    """The table: statement, status, domain with its number of cases, slack."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
    table.add_column("statement", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("domain [cases]", ratio=3)
    table.add_column("slack", ratio=2)
    for row in rows:
        shown = "witness below" if row["status"] == "refuted" else row["slack"] or ""
        table.add_row(row["id"], Text(row["status"], style=COLOURS[row["status"]]), Text(f"{row['domain']} [{row['cases']}]"), Text(shown))
    _print(table)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of texts, of which the last column is broken where the terminal ends."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in header[:-1]:
        table.add_column(name, no_wrap=True)
    table.add_column(header[-1])
    for row in rows:
        table.add_row(*map(Text, row))
    _print(table)


def _print(table: Table) -> None:
    """Print a table as wide as the terminal; with colours on a terminal alone."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else WIDTH_WITHOUT_TERMINAL, highlight=False)
    with console.capture() as rendered:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in rendered.get().splitlines()))


def print_exceptions(rows: Sequence[StatementRow]) -> None:
    """Print what does not hold as printed: the statement, why, and what holds instead; and what is still open."""
    for row in rows:
        if row["status"] not in _NOT_AS_PRINTED:
            continue
        say("")
        say(f"{row['id']} is {row['status']}: {row['says']}")
        for label, told in (("witness", row["witness"]), ("holds instead", row["corrected"]), ("note", row["note"])):
            if told:
                say(f"  {label}: {told}")
    for row in rows:
        theorem, checked_with = row.get("theorem"), row.get("checked_with")
        if theorem and checked_with:
            say("")
            say(f"{row['id']} is {row['status']} by Coq's {theorem}: {not_checked_here(checked_with)}")


def not_checked_here(checked_with: str) -> str:
    """Return what is known of a theorem of Coq where Coq has not run."""
    return f"not checked here; last recorded with {checked_with} (shuffleproof ledger check --formal checks it)"


def examples(target: TargetRow) -> list[str]:
    """One case for each verdict that is not in the target's favour, in words."""
    seen: dict[str, str] = {}
    for case in target.get("cases", ()):
        if case["verdict"] not in UNREPROACHED:
            seen.setdefault(case["verdict"], f"{case['verdict']}, for example {case['id']}: {case['detail']}")
    return [shortened(line, **_LONGEST_EXAMPLE) for line in seen.values()]


def target_line(target: TargetRow) -> str:
    """One target of the conformance suite, in one line."""
    if target["failed"]:
        return printable(f"{target['target']}: not judged: {target['failed']}")
    about = target["implementation"]
    summary = ", ".join(f"{number} {verdict}" for verdict, number in target["summary"].items())
    return printable(f"{about['name']} {about['version']}: {summary}")
