"""`shuffleproof ledger`: the statements of the papers, what was found about each, and finding it again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from shuffleproof import ledger as statements
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Verbs, depth_option, format_option, print_json, progress_bar, refuse_idle
from shuffleproof.report.texts import cut_to_terminal, say
from shuffleproof.spec.vocabulary.errors import UnsupportedError

if TYPE_CHECKING:
    from shuffleproof.ledger import Depth
    from shuffleproof.report.records import StatementRow


@click.group(cls=Verbs)
def ledger() -> None:
    """The papers' statements: which hold, where, with what slack."""


@ledger.command("list")
@click.option("--paper", default=None, metavar="NAME", help="Only this paper, such as FMT21.")
@click.option("--status", default=None, metavar="NAME", help="Only what is recorded with this status, such as refuted.")
@click.option("--errata", is_flag=True, help="Only what is wrong in a paper's text: what is refuted, and no mere reading of it.")
@format_option
def ledger_list(paper: str | None, status: str | None, errata: bool, as_json: bool) -> None:
    """Every statement on a line, cut where the terminal ends, with the status recorded for it; `ledger show ID` has the whole.

    Beside `refuted` stands what is wrong: false, false in part, gap (in a proof) and misprint are errata of the paper; a reading is none.
    Ids and statuses alone where the extra `verify` is not installed.
    """
    try:
        entries = statements.statements(paper=paper, status=status, errata=errata)
    except UnsupportedError:
        if errata:
            raise
        recorded = statements.statuses().items()
        known = {id: known for id, known in recorded if (paper is None or id.startswith(f"{paper}.")) and status in (None, known)}
        if as_json:
            print_json([{"id": id, "recorded": status} for id, status in known.items()])
        else:
            for id, status in known.items():
                say(f"{id}  {status}")
        return
    if as_json:
        print_json([each.as_json() for each in entries])
        return
    if not entries:
        say("shuffleproof: no statement is all of that", err=True)
    cells = [(each.id, f"{each.status or 'not recorded'}{f' ({each.kind})' if each.kind else ''}", each.says) for each in entries]
    wide, wider = (max((len(cell[i]) for cell in cells), default=0) for i in (0, 1))
    for id, stands, says in cells:
        say(cut_to_terminal(f"{id:<{wide}}  {stands:<{wider}}  {says}"))


@ledger.command("show")
@click.argument("statement", metavar="ID")
@format_option
def ledger_show(statement: str, as_json: bool) -> None:
    """One statement: its words, range and provenance, the code it governs, and the mutants that its check rejects."""
    entry = statements.show(statement)
    if as_json:
        print_json(entry.as_json())
        return
    say(str(entry))


@ledger.command("check")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--paper", default=None, metavar="NAME", help="Only this paper, such as FMT21.")
@click.option("--formal", is_flag=True, help="Only the theorems checked by Coq: build them in build/formal and read what was proved.")
@depth_option
@format_option
def ledger_check(ids: tuple[str, ...], paper: str | None, formal: bool, depth: Depth, as_json: bool) -> int:
    """Decide statements again (all of them, if none is named) and compare with what is recorded.

    The status of a statement is the weakest along the chain of what it rests on. A refuted statement is a result, not a failure. Exit
    code 1 means that a status is not the recorded one, or that what a statement rests on does not carry it.
    """
    if formal:
        refuse_idle("beside --formal, which checks all theorems", "ids", "paper", "depth")
        return _check_formal(as_json)
    from shuffleproof.report.terminal import print_exceptions, print_rows

    total = len(ids) or len(statements.statements(paper=paper))
    with progress_bar() as progress:
        task = progress.add_task("statements", total=total, now="")
        found = statements.check(*ids, paper=paper, depth=depth, on_finished=lambda name: progress.update(task, advance=1, now=name))
    if not found.rows and not found.faults:
        say("shuffleproof: no statement to check", err=True)
        return ExitCode.NOTHING_RAN
    rows = cast("tuple[StatementRow, ...]", found.rows)
    if as_json:
        print_json(rows)
    else:
        print_rows(rows)
        print_exceptions(rows)
        say("\nMutants were not run: shuffleproof verify runs them, and ledger record.")
    for line in found.drift:
        say(f"shuffleproof: drift: {line}", err=True)
    for line in found.problems:
        say(f"shuffleproof: {line}", err=True)
    for fault in found.faults:
        say(f"shuffleproof: a check itself failed: {fault}", err=True)
    return ExitCode.BUG if found.faults else ExitCode.NEGATIVE if found.drift or found.problems else ExitCode.ANSWERED


@ledger.command("record")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--mutate", is_flag=True, help="Record what becomes of changed numbers instead (number_mutants.json).")
def ledger_record(ids: tuple[str, ...], mutate: bool) -> int:
    """Decide statements with their mutants and write down what was found, in a checkout.

    A step of a check that no mutant falsifies is given one, in the check's code, where one is found. Written are
    proofs_check/recorded.json and generated.json; commit a changed status by itself, and say why. Exit code 1 means that something is still
    wrong, or that a status is new.
    """
    found = statements.record(*ids, mutate=mutate)
    say(f"recorded: {', '.join(ids)}")
    for line in found:
        say(f"shuffleproof: {line}", err=True)
    return ExitCode.NEGATIVE if found else ExitCode.ANSWERED


@ledger.command("mutate")
@click.argument("statements", metavar="[ID]...", nargs=-1)
@click.option("--paper", default=None, metavar="NAME", help="Only this paper, such as FMT21.")
@depth_option
@format_option
def ledger_mutate(statements: tuple[str, ...], paper: str | None, depth: Depth, as_json: bool) -> int:
    """Change every number in the statements by 1 percent, or by 1; list which of the changed statements hold as well.

    A constant with slack holds in the direction of the slack: what holds is changed further, up to tenfold. One that holds all of it has no
    effect on its check.
    """
    from shuffleproof.proofs_check.ledger import Budget, select, without_effect
    from shuffleproof.verification.ledger_run import run_number_mutants

    entries = select(statements, paper=paper)
    with progress_bar() as progress:
        task = progress.add_task("statements", total=len(entries), now="")
        found = run_number_mutants(entries, Budget(depth=depth), finished=lambda name: progress.update(task, advance=1, now=name))
    idle = set(without_effect(found))
    if as_json:
        print_json([{**asdict(each), "without_effect": (each.statement, each.part) in idle} for each in found])
        return ExitCode.ANSWERED
    for each in found:
        if each.is_accepted:
            effect = "; no effect at all" if (each.statement, each.part) in idle else ""
            say(f"{each.statement}  {each.part} = {each.was}: {each.outcome} with {each.is_now} too{effect}")
    counts = {outcome: sum(each.outcome == outcome for each in found) for outcome in dict.fromkeys(each.outcome for each in found)}
    say(f"{len(found)} mutants: {', '.join(f'{number} {outcome}' for outcome, number in counts.items()) or 'no number to change'}")
    return ExitCode.ANSWERED


def _check_formal(as_json: bool) -> int:
    """Build and read the formal proofs; where Coq is missing, say what was recorded, and that nothing was checked."""
    from shuffleproof.proofs_check.formal.build import FormalError, check, coq_version, outdated, recorded
    from shuffleproof.proofs_check.formal.sources import modules

    here = coq_version() is not None
    try:
        rows = check(Path("build/formal")) if here else recorded()
    except FormalError as error:
        say(f"shuffleproof: {error}", err=True)
        return ExitCode.NEGATIVE
    stale = set(outdated(rows, modules()))
    rows = [row for row in rows if row.theorem not in stale]
    if as_json:
        print_json([{**asdict(row), "checked_here": here} for row in rows])
    else:
        for row in rows:
            how = f"{row.checked_with}, {row.seconds} s" if here else f"not checked here; last recorded with {row.checked_with}"
            say(f"{row.theorem}  ({row.module}.v; {how}; closed under the global context)")
            say(f"  {row.says}")
            say(f"  {row.statement}")
    if not here:
        say("shuffleproof: Coq is not installed, so nothing was checked", err=True)
        return ExitCode.NOTHING_RAN
    return ExitCode.ANSWERED
