"""Writing down what checks found: mutants for the steps that none falsifies, and the record that later runs are compared with.
`shuffleproof ledger record` runs it.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from shuffleproof.proofs_check.ledger.checking import all_mutants, check, decide, registry, run_mutants
from shuffleproof.proofs_check.ledger.code_changes import Offered, offers, place_of, store, stored
from shuffleproof.proofs_check.ledger.entries import Entry, recorded, write_recorded
from shuffleproof.proofs_check.ledger.formal import theorems
from shuffleproof.proofs_check.ledger.number_mutants import RECORD, mutate_numbers, recorded_number_mutants, write_number_mutants
from shuffleproof.proofs_check.ledger.record import judge, unreached
from shuffleproof.proofs_check.ledger.statements import Budget, CodeChange, Mutant, MutantResult, Result, Statement
from shuffleproof.proofs_check.ledger.trust import compute

MOST_TRIES = 80
"""Changes that are tried for one step, the nearest to its line first."""
MOST_SECONDS = 40.0
"""Of one statement: a step that nothing has falsified by then wants a mutant by hand."""


def falsifying(entry: Statement, places: Iterable[str], budget: Budget) -> dict[str, CodeChange]:
    """Return by step a change of the code for which it fails and the check does not accept the statement; steps without one are absent."""
    wanted, found = sorted(places), dict[str, CodeChange]()
    for place in wanted:
        spot = None if place in found else place_of(place, entry)
        if spot is None:
            continue
        function, line = spot
        started = time.perf_counter()
        for offered in _nearest_first(offers(function), line)[:MOST_TRIES]:
            failed = _rejecting(entry, offered, budget)
            found |= {other: offered.change for other in wanted if other in failed and other not in found}
            if place in found or time.perf_counter() - started > MOST_SECONDS:
                break
    return found


def _nearest_first(known: Sequence[Offered], line: int) -> list[Offered]:
    """Changes of the statement at a line, then of those before it, then of those after it."""

    def distance(one: Offered) -> tuple[bool, bool, int]:
        return not one.first <= line <= one.last, one.first > line, abs(line - one.last)

    return sorted(known, key=distance)


def _rejecting(entry: Statement, offered: Offered, budget: Budget) -> set[str]:
    """The steps that fail under this change; none where the check accepts it, or does not run."""
    try:
        verdict, _, steps = decide(entry, budget, Mutant(str(offered.change), code=offered.change))
    except Exception:  # the code makes no sense with this change, which says nothing about the check
        return set()
    return steps.failed if verdict.rejects else set()


def write(chosen: Sequence[Statement], budget: Budget) -> list[str]:
    """Run these statements and their mutants, write mutants where steps need them, and record all of it. Returns what is still wrong."""
    known, record, generated = registry(), recorded(), stored()
    results: list[Result] = []
    outcomes: list[MutantResult] = []
    for entry in chosen:
        generated[entry.id] = tuple(mutant.code for mutant in all_mutants(entry) if mutant.code and _fits(mutant.code))
        here = list(check([entry], budget))
        mutants = list(run_mutants(entry, budget, [mutant for mutant in all_mutants(entry) if not mutant.code or _fits(mutant.code)]))
        missed = unreached(here, mutants)[entry.id]
        if missed and not entry.not_falsified:
            more = tuple(dict.fromkeys(falsifying(entry, missed, budget).values()))
            generated[entry.id] += more
            store({id: generated[id] for id in known if id in generated})
            mutants = list(run_mutants(entry, budget, all_mutants(entry)))
        results, outcomes = results + here, outcomes + mutants
        print(entry.id, here[0].verdict.status, *unreached(here, mutants)[entry.id], flush=True)
    store({id: generated[id] for id in known if id in generated})
    finding = judge(results, record, statements=known, mutants=outcomes)
    entries = {id: finding.entries.get(id) or record[id] for id in known if id in finding.entries or id in record}
    write_recorded(_along_chains(known, entries))
    survivors = [f"{one.statement.id}: a mutant survives: {one.mutant.change}" for one in outcomes if not one.killed]
    return [*survivors, *finding.problems, *(f"changed: {line}" for line in finding.drift)]


def _fits(change: CodeChange) -> bool:
    try:
        return any(offered.change == change for offered in offers(change.function))
    except (AttributeError, ModuleNotFoundError):  # the function is gone, or somewhere else
        return False


def _along_chains(known: dict[str, Statement], entries: dict[str, Entry]) -> dict[str, Entry]:
    """The entries with statuses computed again, those of rows that rest on what was run too."""
    trusts = compute(known, {id: entry.standing for id, entry in entries.items()}, theorems=theorems())
    return {id: replace(entry, status=trusts.by_id[id].status) for id, entry in entries.items()}


def record_number_mutants(chosen: Sequence[Statement], budget: Budget) -> None:
    """Change the numbers of these statements as little as there is, and keep what became of them, a statement at a time."""
    known = registry()
    found = dict(recorded_number_mutants()) if RECORD.is_file() else {}
    for entry in chosen:
        found[entry.id] = tuple(mutate_numbers(entry, budget, nearest=True))
        write_number_mutants({id: found[id] for id in known if id in found})
