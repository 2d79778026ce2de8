"""The ledger as a table for people. Rows are those of `ledger check --format json`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

Row = Mapping[str, Any]
COLOURS = {
    "proved": "green",
    "exhausted": "green",
    "certified": "green",
    "sampled": "cyan",
    "refuted": "red",
    "vacuous": "yellow",
    "open": "yellow",
}
"""Status -> colour, strongest support first."""
_NOT_AS_PRINTED = ("refuted", "vacuous", "open")
_WIDTH_WITHOUT_TERMINAL = 140


def domain_and_slack(row: Row) -> tuple[str, str]:
    """What a row covers, with its number of cases; and its slack, or the witness of a refutation."""
    margin = row["witness"] if row["status"] == "refuted" else row["slack"]
    return f"{row['domain']} [{row['cases']}]", margin or ""


def print_rows(rows: Sequence[Row]) -> None:
    """The table: statement, status, domain with its number of cases, slack. As wide as the terminal; colours on a terminal only."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
    table.add_column("statement", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("domain [cases]", ratio=3)
    table.add_column("slack", ratio=2)
    for row in rows:
        domain, slack = domain_and_slack(row)
        shown = "witness below" if row["status"] == "refuted" else slack
        table.add_row(row["id"], Text(row["status"], style=COLOURS[row["status"]]), Text(domain), Text(shown))
    console = Console(width=None if sys.stdout.isatty() else _WIDTH_WITHOUT_TERMINAL, highlight=False)
    with console.capture() as rendered:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in rendered.get().splitlines()))


def print_exceptions(rows: Sequence[Row]) -> None:
    """What does not hold as printed: the statement, why, and what holds instead; and what is still open."""
    for row in rows:
        if row["status"] not in _NOT_AS_PRINTED:
            continue
        click.echo("")
        click.echo(f"{row['id']} is {row['status']}: {row['says']}")
        for label, key in (("witness", "witness"), ("holds instead", "corrected"), ("note", "note")):
            if row[key]:
                click.echo(f"  {label}: {row[key]}")


def counted(rows: Sequence[Row]) -> str:
    """How many rows have which status, strongest support first."""
    counts = {status: sum(row["status"] == status for row in rows) for status in COLOURS}
    return ", ".join(f"{number} {status}" for status, number in counts.items() if number) or "none"
