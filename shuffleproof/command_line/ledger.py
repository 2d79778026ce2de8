"""`shuffleproof ledger`: the statements of the papers, what was found about each, and finding it again."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import depth_option, format_option, print_json, progress_bar

if TYPE_CHECKING:
    from shuffleproof.proofs_check.ledger import Depth, Entry, Statement


@click.group()
def ledger() -> None:
    """The papers' statements: which hold, where, with what slack."""


@ledger.command("list")
@click.option("--paper", default=None, metavar="NAME", help="Only this paper, such as FMT21.")
@format_option
def ledger_list(paper: str | None, as_json: bool) -> None:
    """Every statement, with the status recorded for it."""
    from shuffleproof.proofs_check.ledger import recorded, select

    entries, record = select(paper=paper), recorded()
    if as_json:
        print_json([_described(entry, record.get(entry.id)) for entry in entries])
        return
    width = max(len(entry.id) for entry in entries)
    for entry in entries:
        known = record.get(entry.id)
        click.echo(f"{entry.id:<{width}}  {known.status.value if known else 'not recorded':<12}  {entry.says}")


@ledger.command("show")
@click.argument("statement", metavar="ID")
@format_option
def ledger_show(statement: str, as_json: bool) -> None:
    """One statement: its words, range and provenance, the code it governs, and the mutants that its check rejects."""
    from shuffleproof.proofs_check.ledger import recorded, select

    entry, known = select([statement])[0], recorded().get(statement)
    if as_json:
        print_json(_described(entry, known))
        return
    click.echo(f"{entry.id}  ({entry.where}; formula from: {entry.provenance})")
    for label, text in (
        ("says", entry.says),
        ("range", entry.range),
        ("governs", ", ".join(entry.governs)),
        ("recorded", _standing(known)),
        ("rests on", "; ".join(map(str, entry.grounds))),
    ):
        if text:
            click.echo(f"  {label:<9} {text}")
    for mutant in entry.mutants:
        click.echo(f"  {'rejects':<9} {mutant.change}")
    click.echo(f"  to decide it again: shuffleproof ledger check {entry.id}")


@ledger.command("check")
@click.argument("statements", metavar="[ID]...", nargs=-1)
@click.option("--paper", default=None, metavar="NAME", help="Only this paper, such as FMT21.")
@depth_option
@format_option
def ledger_check(statements: tuple[str, ...], paper: str | None, depth: Depth, as_json: bool) -> int:
    """Decide statements again (all of them, if none is named) and compare with what is recorded.

    The status of a statement is the weakest along the chain of what it rests on. A refuted statement is a result, not a failure. Exit
    code 1 means that a status is not the recorded one, or that what a statement rests on does not carry it.
    """
    from shuffleproof.proofs_check.ledger import Budget, judge, recorded, registry, select
    from shuffleproof.report.terminal import print_exceptions, print_rows
    from shuffleproof.verification.ledger_run import run_ledger

    entries, record = select(statements, paper=paper), recorded()
    if not entries:
        click.echo("shuffleproof: no statement to check", err=True)
        return ExitCode.NOTHING_RAN
    with progress_bar() as progress:
        task = progress.add_task("statements", total=len(entries), now="")
        run = run_ledger(entries, Budget(depth=depth), mutants=False, finished=lambda name: progress.update(task, advance=1, now=name))
    found = judge(run.results, record, statements=registry())
    rows = found.rows
    if as_json:
        print_json(rows)
    else:
        print_rows(rows)
        print_exceptions(rows)
    for line in found.drift:
        click.echo(f"shuffleproof: drift: {line}", err=True)
    for line in found.problems:
        click.echo(f"shuffleproof: {line}", err=True)
    for fault in run.faults:
        click.echo(f"shuffleproof: a check itself failed: {fault}", err=True)
    return ExitCode.BUG if run.faults else ExitCode.NEGATIVE if found.drift or found.problems else ExitCode.ANSWERED


@ledger.command("bend")
@click.argument("statements", metavar="[ID]...", nargs=-1)
@click.option("--paper", default=None, metavar="NAME", help="Only this paper, such as FMT21.")
@depth_option
@format_option
def ledger_bend(statements: tuple[str, ...], paper: str | None, depth: Depth, as_json: bool) -> int:
    """Change every number in the statements by a tenth, or by 1, and list what their checks accept all the same.

    A constant with slack survives in the direction of the slack. One that survives in both directions has no effect on its check.
    """
    from shuffleproof.proofs_check.ledger import Budget, select, without_effect
    from shuffleproof.verification.ledger_run import run_bent

    entries = select(statements, paper=paper)
    with progress_bar() as progress:
        task = progress.add_task("statements", total=len(entries), now="")
        found = run_bent(entries, Budget(depth=depth), finished=lambda name: progress.update(task, advance=1, now=name))
    idle = set(without_effect(found))
    if as_json:
        print_json([{**asdict(bent), "without_effect": (bent.statement, bent.part) in idle} for bent in found])
        return ExitCode.ANSWERED
    for bent in found:
        if bent.outcome == "accepted":
            effect = "; no effect either way" if (bent.statement, bent.part) in idle else ""
            click.echo(f"{bent.statement}  {bent.part} = {bent.was}: accepted with {bent.is_now}{effect}")
    counts = {outcome: sum(bent.outcome == outcome for bent in found) for outcome in dict.fromkeys(bent.outcome for bent in found)}
    click.echo(
        f"{len(found)} bent statements: {', '.join(f'{number} {outcome}' for outcome, number in counts.items()) or 'nothing to bend'}"
    )
    return ExitCode.ANSWERED


def _standing(known: Entry | None) -> str:
    if known is None:
        return "nothing yet"
    return known.status.value if known.status is known.own_status else f"{known.status.value} ({known.own_status.value} by itself)"


def _described(entry: Statement, known: Entry | None) -> dict[str, object]:
    return {
        "id": entry.id,
        "paper": entry.paper,
        "where": entry.where,
        "says": entry.says,
        "range": entry.range,
        "provenance": entry.provenance,
        "governs": list(entry.governs),
        "rests_on": [str(ground) for ground in entry.grounds],
        "recorded": known.status.value if known else None,
        "own_status": known.own_status.value if known else None,
        "mutants": [mutant.change for mutant in entry.mutants],
    }
