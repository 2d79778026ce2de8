"""What is recorded of each statement: its own status, the computed one, and the category of a refutation. Reading it takes no ledger."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from shuffleproof.proofs_check.ledger.verdict import Kind, Status
from shuffleproof.spec.vocabulary.errors import IntegrityError
from shuffleproof.spec.vocabulary.files import write_whole

T = TypeVar("T")
RECORDED = Path(__file__).resolve().parents[1] / "recorded.json"


@dataclass(frozen=True, slots=True)
class Standing:
    """Holds what a check found of a statement by itself, and of its corrected form if it is refuted."""

    own_status: Status
    corrected_status: Status | None = None

    def used(self, corrected: bool) -> Status:
        """How it stands for somebody who rests on it, as printed or as corrected."""
        return (self.corrected_status or Status.OPEN) if corrected and self.own_status is Status.REFUTED else self.own_status


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
    return read_by_id(path, lambda _, fields: _entry(fields), what="a record of statuses")


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
    rows: dict[str, str] = {}
    for id, entry in entries.items():
        fields: dict[str, object] = {"own_status": entry.own_status, "status": entry.status}
        fields |= {"corrected_status": entry.corrected_status} if entry.corrected_status else {}
        fields |= {"kind": entry.kind} if entry.kind else {}
        fields |= {"unreached": list(entry.unreached)} if entry.unreached else {}
        rows[id] = json.dumps(fields)
    write_by_id(path, rows)


def read_by_id(path: Path, of: Callable[[str, Any], T], *, what: str) -> dict[str, T]:
    """Return what a file keeps of each statement, by its id. Raises IntegrityError if the file is missing or holds something else."""
    try:
        return {id: of(id, kept) for id, kept in json.loads(path.read_text("utf-8")).items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise IntegrityError(path=path.name, reason=f"not {what}: {error}") from error


def read_mutants(path: Path, of: Callable[..., T], *, what: str) -> dict[str, tuple[T, ...]]:
    """Return what a file keeps of each statement's mutants, made of its id and of their fields. Raises IntegrityError as above."""
    return read_by_id(path, lambda id, rows: tuple(of(id, *fields) for fields in rows), what=what)


def write_mutants(path: Path, mutants: Mapping[str, Iterable[Iterable[object]]]) -> None:
    """Keep the mutants of each statement, a list of fields on a line each."""
    kept = {id: ",\n".join(f"  {json.dumps(list(fields))}" for fields in each) for id, each in mutants.items()}
    write_by_id(path, {id: f"[\n{lines}\n ]" if lines else "[]" for id, lines in kept.items()})


def write_by_id(path: Path, rows: Mapping[str, str]) -> None:
    """Keep a text of JSON for each statement (in a temporary file, then renamed)."""
    write_whole(path, ("{\n" + ",\n".join(f" {json.dumps(id)}: {text}" for id, text in rows.items()) + "\n}\n").encode())
