"""What was found last, for later runs to be compared with: each statement's own status, the computed one, and the kind of a refutation."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.proofs_check.ledger.formal import Theorem, theorems
from shuffleproof.proofs_check.ledger.statements import MutantResult, Result, Statement
from shuffleproof.proofs_check.ledger.trust import Standing, Trusts, compute, json_row, own_status, standing
from shuffleproof.proofs_check.ledger.verdict import Kind, Status
from shuffleproof.spec.vocabulary.errors import IntegrityError
from shuffleproof.spec.vocabulary.files import write_whole

RECORDED = Path(__file__).resolve().parents[1] / "recorded.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Holds what is recorded of a statement. unreached: the steps of its check that no mutant falsifies, known and not yet mended."""

    own_status: Status
    status: Status
    corrected_status: Status | None = None
    kind: Kind | None = None
    unreached: tuple[str, ...] = ()

    @property
    def standing(self) -> Standing:
        """For those who rest on it."""
        return Standing(self.own_status, self.corrected_status)


def recorded(path: Path = RECORDED) -> dict[str, Entry]:
    """Return what is recorded of each statement. Raises IntegrityError if the file is missing or is not such a record."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {str(id): _entry(fields) for id, fields in entries.items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise IntegrityError(path=path.name, reason=f"not a record of statuses: {error}") from error


def _entry(fields: Mapping[str, object]) -> Entry:
    corrected, kind, unreached = fields.get("corrected_status"), fields.get("kind"), fields.get("unreached", [])
    if not isinstance(unreached, list):
        raise TypeError("unreached is not a list")
    return Entry(
        own_status=Status(str(fields["own_status"])),
        status=Status(str(fields["status"])),
        corrected_status=None if corrected is None else Status(str(corrected)),
        kind=None if kind is None else Kind(str(kind)),
        unreached=tuple(map(str, unreached)),
    )


def write_recorded(entries: Mapping[str, Entry], path: Path = RECORDED) -> None:
    """Write the record that later runs are compared with (to a temporary name, then renamed)."""
    rows = []
    for id, entry in entries.items():
        fields: dict[str, object] = {"own_status": entry.own_status, "status": entry.status}
        fields |= {"corrected_status": entry.corrected_status} if entry.corrected_status else {}
        fields |= {"kind": entry.kind} if entry.kind else {}
        fields |= {"unreached": list(entry.unreached)} if entry.unreached else {}
        rows.append(f" {json.dumps(id)}: {json.dumps(fields)}")
    text = "{\n" + ",\n".join(rows) + "\n}\n"
    write_whole(path, text.encode("utf-8"))


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
        return [f"{id}: {found.status}, not recorded"]
    differing = [
        f"{field.replace('_', ' ')} {getattr(found, field)}, recorded as {getattr(was, field)}"
        for field in ("own_status", "status", "corrected_status", "kind")
        if getattr(found, field) != getattr(was, field)
    ]
    lines = [f"{id}: {'; '.join(differing)}"] if differing else []
    if found.own_status is Status.REFUTED and result.verdict.corrected is None:
        lines.append(f"{id}: refuted as recorded, but its corrected statement fails as well: {result.verdict.witness}")
    if found.own_status is Status.REFUTED and found.kind is None:
        lines.append(f"{id}: refuted, and its statement does not say what kind of mistake that is")
    return lines
