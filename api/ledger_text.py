"""The ledger as a table for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from shuffleproof.proofs_check.ledger import Result, text_row
from shuffleproof.proofs_check.verdict import Status

if TYPE_CHECKING:
    from rich.console import Console

_COLOURS = {
    Status.PROVED: "green",
    Status.EXHAUSTED: "green",
    Status.CERTIFIED: "green",
    Status.SAMPLED: "cyan",
    Status.REFUTED: "red",
    Status.VACUOUS: "yellow",
    Status.OPEN: "yellow",
}
_WIDTH_WITHOUT_TERMINAL = 140


def console() -> Console:
    """A console on stdout: as wide as the terminal, or wide enough for the table where there is none; colours on a terminal only."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _WIDTH_WITHOUT_TERMINAL, highlight=False)


def print_results(results: Sequence[Result]) -> None:
    """The table: statement, status, domain with its number of cases, slack (or the witness of a refutation)."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("statement", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("domain [cases]", ratio=3)
    table.add_column("slack, or witness", ratio=2)
    for result in results:
        id, status, domain, slack = text_row(result)
        table.add_row(id, Text(status, style=_COLOURS[result.verdict.status]), Text(domain), Text(slack))
    console().print(table)


def print_details(results: Sequence[Result]) -> None:
    """What does not hold as printed: the statement, why, and what holds instead; and what is still open."""
    for result in results:
        verdict = result.verdict
        if verdict.status not in (Status.REFUTED, Status.VACUOUS, Status.OPEN):
            continue
        click.echo(f"{result.statement.id} is {verdict.status.value}: {result.statement.says}")
        for label, text in (("witness", verdict.witness), ("holds instead", verdict.corrected), ("note", verdict.note)):
            if text:
                click.echo(f"  {label}: {text}")
