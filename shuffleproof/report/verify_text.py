"""The report of `verify` as text on stdout."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import click

from shuffleproof.report.ledger_text import counted, print_exceptions, print_rows

Content = Mapping[str, Any]
_LONGEST_EXAMPLE = 240
_KINDS = {"engines": "our engine", "third_party": "third party"}


def print_report(content: Content) -> None:
    """The ledger's table, what does not hold as printed, and a line for every comparison and every target."""
    rows = content["ledger"]
    print_rows(rows)
    print_exceptions(rows)
    click.echo("")
    click.echo(f"ledger        {len(rows)} statements: {counted(rows)}; {mutants_counted(rows)}")
    for check in content["cross_checks"]:
        click.echo(f"cross-check   {cross_check_line(check)}")
    for kind, verb in (("engines", "run -i"), ("third_party", "third-party")):
        for target in content[kind]:
            click.echo(f"{_KINDS[kind]:<13} {target_line(target)}")
            found = examples(target)
            for line in [*found, f"again: {judged_again(target, verb)}"] if found else []:
                click.echo(f"{'':<13}   {line}")
    click.echo("")
    if content["problems"]:
        click.echo(f"{len(content['problems'])} of our own promises broken:")
        for problem in content["problems"]:
            click.echo(f"  {problem}")
    else:
        click.echo(
            "Every promise of our own holds: no drift, no surviving mutant, no engine contradicted. What is refuted above is a result."
        )


def examples(target: Content) -> list[str]:
    """One case for each verdict that is not in the target's favour, in words."""
    seen: dict[str, str] = {}
    for case in target.get("cases", ()):
        if case["verdict"] not in ("conforms", "loose", "unsupported"):
            seen.setdefault(case["verdict"], f"{case['verdict']}, for example {case['id']}: {case['detail']}")
    return [line if len(line) <= _LONGEST_EXAMPLE else f"{line[: _LONGEST_EXAMPLE - 1]}…" for line in seen.values()]


def judged_again(target: Content, verb: str) -> str:
    """The command that judges a target again. verb: "run -i" for one that is connected to, "third-party" for one known by name."""
    return f"shuffleproof conform {verb} {shlex.quote(target['target'])}"


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
