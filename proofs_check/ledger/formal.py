"""What Coq's kernel has checked, as `proofs_check/formal` records it; nothing where there is no record."""

import json
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.proofs_check.formal.sources import modules
from shuffleproof.proofs_check.formal.statements import statements
from shuffleproof.spec.vocabulary.errors import IntegrityError

RECORDS = Path(__file__).resolve().parents[1] / "formal" / "records.json"


@dataclass(frozen=True, slots=True)
class Theorem:
    """A checked theorem.

    row: the statement that it says, all of it. assumptions: what `Print Assumptions` lists beyond its hypotheses. states: the digest of the
    reviewed statement that it was checked against; "" where there is none.
    """

    name: str
    row: str
    assumptions: tuple[str, ...]
    checked_with: str
    states: str = ""


def theorems(path: Path = RECORDS) -> dict[str, Theorem]:
    """The theorems by name; none if there is no record. Raises IntegrityError for a record that is not one.

    path: JSON, a list of objects with theorem, row, assumptions and checked_with, and of the theorems of `proofs_check/formal` the digest
    of their sources and of their reviewed statement: where these have changed since, the theorem counts as not checked.
    """
    if not path.is_file():
        return {}
    try:
        listed = json.loads(path.read_text("utf-8"))
        old = _outdated(path) if listed and "sources" in listed[0] else set()
        known = [
            Theorem(
                str(one["theorem"]),
                str(one["row"]),
                tuple(map(str, one["assumptions"])),
                str(one["checked_with"]),
                str(one.get("states") or ""),
            )
            for one in listed
            if one["theorem"] not in old
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IntegrityError(path=path.name, reason=f"not a record of theorems: {error}") from error
    return {theorem.name: theorem for theorem in known}


def reviewed(theorem: str) -> str:
    """The reviewed statement that the theorem proves, as it stands in `formal/Statements.v`; "" where there is none."""
    return statements(modules()).get(theorem, "")


def _outdated(path: Path) -> set[str]:
    from shuffleproof.proofs_check.formal import build

    return set(build.outdated(build.recorded(path), modules()))
