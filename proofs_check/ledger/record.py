"""What checks amount to, beside what is recorded: statuses along their chains, drift, and steps that no mutant falsifies."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shuffleproof.proofs_check.ledger.entries import Entry
from shuffleproof.proofs_check.ledger.formal import Theorem, theorems
from shuffleproof.proofs_check.ledger.statements import MutantResult, Result, Statement
from shuffleproof.proofs_check.ledger.trust import Trusts, compute, json_row, own_status, standing
from shuffleproof.proofs_check.ledger.verdict import Status


@dataclass(frozen=True, slots=True)
class Finding:
    """Holds what checks amount to, beside what is recorded.

    rows: JSON-ready, one for each result. entries: what there is to record of them. drift: a line for whatever is not as recorded.
    problems: a line for whatever is wrong with the grounds of these statements, and for every step that no mutant falsifies.
    """

    rows: tuple[dict[str, object], ...]
    entries: dict[str, Entry]
    drift: tuple[str, ...]
    problems: tuple[str, ...]


def judge(
    results: Sequence[Result],
    record: Mapping[str, Entry],
    *,
    statements: Mapping[str, Statement],
    mutants: Sequence[MutantResult] | None = None,
    complete: bool = False,
) -> Finding:
    """Compute every status along its chain, with what has just been found where there is a result and what is recorded elsewhere.

    statements: the whole ledger. mutants: of these results, if they were run. complete: recorded statements without a result are drift.
    """
    known = theorems()
    standings = {id: entry.standing for id, entry in record.items() if id in statements}
    standings |= {result.statement.id: standing(result, known) for result in results}
    computed = compute(statements, standings, theorems=known)
    missed = unreached(results, mutants) if mutants is not None else {}
    rows, entries, drift = [], {}, []
    for result in results:
        id, was = result.statement.id, record.get(result.statement.id)
        steps = missed.get(id, ()) if mutants is not None else was.unreached if was else ()
        entries[id] = found = _found(result, computed, known, steps)
        why = result.statement.not_falsified if steps else None
        rows.append({**json_row(result, computed.by_id[id], theorems=known), "unreached": list(steps), "not_falsified": why})
        drift += _drift(result, found, was)
    drift += [f"{id}: recorded as {was.status}, not in the ledger" for id, was in record.items() if complete and id not in entries]
    problems = [line for line in computed.problems if line.partition(" ")[0] in entries]
    for id, steps in missed.items():
        excused = record[id].unreached if id in record and statements[id].not_falsified else ()
        problems += [f"{id}: a step that no mutant falsifies: {step}" for step in _beyond(steps, excused)]
        if statements[id].not_falsified and not steps:
            problems.append(f"{id}: says why no mutant falsifies some of its steps, and every one is falsified")
    return Finding(tuple(rows), entries, tuple(drift), tuple(problems))


def unreached(results: Sequence[Result], mutants: Sequence[MutantResult]) -> dict[str, tuple[str, ...]]:
    """Return by statement the steps that its check computed and that no mutant falsified."""
    failed: dict[str, set[str]] = {}
    for found in mutants:
        failed.setdefault(found.statement.id, set()).update(found.steps.failed)
    return {
        result.statement.id: tuple(sorted(set(result.steps.shows) - result.steps.failed - failed.get(result.statement.id, set())))
        for result in results
    }


def _beyond(steps: Sequence[str], excused: Sequence[str]) -> list[str]:
    """The steps that are not excused; a step is known by its function, so that lines may move."""
    left = Counter(step.rpartition("+")[0] for step in excused)
    new = [step for step in steps if step not in excused]
    left -= Counter(step.rpartition("+")[0] for step in steps if step in excused)
    found = []
    for step in new:
        function = step.rpartition("+")[0]
        if not left[function]:
            found.append(step)
        left[function] -= 1
    return found


def _found(result: Result, computed: Trusts, known: Mapping[str, Theorem], steps: Sequence[str]) -> Entry:
    return Entry(
        own_status=own_status(result, known),
        status=computed.by_id[result.statement.id].status,
        corrected_status=result.verdict.corrected_status,
        kind=result.statement.kind if result.verdict.status is Status.REFUTED else None,
        unreached=tuple(steps),
    )


def _drift(result: Result, found: Entry, was: Entry | None) -> list[str]:
    id = result.statement.id
    if was is None:
        own = "" if found.own_status is found.status else f"{found.own_status} by itself, with what it rests on "
        return [f"{id}: {own}{found.status}, not recorded"]
    differing = [
        f"{field.replace('_', ' ')} {getattr(found, field)}, recorded as {getattr(was, field)}"
        for field in ("own_status", "status", "corrected_status", "kind")
        if getattr(found, field) != getattr(was, field)
    ]
    lines = [f"{id}: {'; '.join(differing)}"] if differing else []
    if found.own_status is Status.REFUTED and result.verdict.corrected is None:
        lines.append(f"{id}: refuted as recorded, but its corrected statement fails as well: {result.verdict.witness}")
    if found.own_status is Status.REFUTED and found.kind is None:
        lines.append(f"{id}: refuted, and its statement does not say which category of mistake that is")
    return lines
