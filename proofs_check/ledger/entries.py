"""What is recorded of each statement: its own status, the computed one, and the kind of a refutation. Reading it takes no ledger."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.proofs_check.ledger.verdict import Kind, Status
from shuffleproof.spec.vocabulary.errors import IntegrityError
from shuffleproof.spec.vocabulary.files import write_whole

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
