"""The report of `verify` as text on stdout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from shuffleproof.ledger_text import counted, print_exceptions, print_rows

Content = Mapping[str, Any]


def print_report(content: Content) -> None:
    """The ledger's table, what does not hold as printed, and a line for every comparison and every target."""
    rows = content["ledger"]
    print_rows(rows)
    print_exceptions(rows)
    click.echo("")
    click.echo(f"ledger        {len(rows)} statements: {counted(rows)}; {mutants_counted(rows)}")
    for check in content["cross_checks"]:
        click.echo(f"cross-check   {cross_check_line(check)}")
    for target in content["engines"]:
        click.echo(f"our engine    {target_line(target)}")
    for target in content["third_party"]:
        click.echo(f"third party   {target_line(target)}")
    click.echo("")
    if content["problems"]:
        click.echo(f"{len(content['problems'])} of our own promises broken:")
        for problem in content["problems"]:
            click.echo(f"  {problem}")
    else:
        click.echo(
            "Every promise of our own holds: no drift, no surviving mutant, no engine contradicted. What is refuted above is a result."
        )


def mutants_counted(rows: Sequence[Content]) -> str:
    """How many mutants the checks rejected."""
    mutants = [mutant for row in rows for mutant in row["mutants"]]
    return f"{sum(mutant['killed'] for mutant in mutants)} of {len(mutants)} mutants killed"


def cross_check_line(check: Content) -> str:
    """One comparison of engines, in one line."""
    outcome = f"{len(check['failures'])} contradictions" if check["failures"] else "none contradicted"
    refused = f", {check['refused']} more refused ({check['refused_share']} of all)" if check["refused"] else ""
    return f"{check['name']}: {check['cases']} parameter sets, {outcome}{refused}; widest enclosure {check['widest']} (relative)"


def target_line(target: Content) -> str:
    """One target of the conformance suite, in one line."""
    if target["failed"]:
        return f"{target['target']}: not judged: {target['failed']}"
    about = target["implementation"]
    summary = ", ".join(f"{number} {verdict}" for verdict, number in target["summary"].items())
    return f"{about['name']} {about['version']}: {summary}"
