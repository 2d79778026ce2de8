"""The status that a statement's chain of grounds allows: the weakest own status along it, and the way there."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.proofs_check.ledger.entries import Standing
from shuffleproof.proofs_check.ledger.formal import Theorem
from shuffleproof.proofs_check.ledger.ground import Argument, Cited, Coq, Ground, Library, Row
from shuffleproof.proofs_check.ledger.statements import Result, Statement
from shuffleproof.proofs_check.ledger.verdict import Kind, Status

ARGUMENTS = Path(__file__).resolve().parents[2] / "docs" / "mathematics"
_NEGATIVE = (Status.REFUTED, Status.VACUOUS, Status.OPEN)


@dataclass(frozen=True, slots=True)
class Trust:
    """status: the weakest along the chain. chain: from the statement to what is weakest, as (id, status). grounds: each with its status."""

    status: Status
    chain: tuple[tuple[str, Status], ...]
    grounds: tuple[tuple[Ground, Status], ...]


@dataclass(frozen=True, slots=True)
class Trusts:
    """Trust by id, and what is wrong with the grounds, a line each."""

    by_id: dict[str, Trust]
    problems: tuple[str, ...]


def compute(
    statements: Mapping[str, Statement],
    standings: Mapping[str, Standing],
    *,
    theorems: Mapping[str, Theorem] | None = None,
    arguments: Path = ARGUMENTS,
) -> Trusts:
    """Trust for every statement that has a standing.

    statements, standings: the whole ledger, by id. theorems: what Coq's kernel has checked, by name. arguments: the folder of the written
    ones; in an installation without it they are taken to exist. Problems: ids that are not in the ledger, cycles, rows that rest on a
    refuted one as printed or on a correction that is none, theorems and arguments that are not there.
    """
    return _Chains(statements, standings, theorems or {}, arguments).all()


class _Chains:
    def __init__(
        self, statements: Mapping[str, Statement], standings: Mapping[str, Standing], theorems: Mapping[str, Theorem], arguments: Path
    ) -> None:
        self.statements, self.standings, self.theorems, self.arguments = statements, standings, theorems, arguments
        self.headings: dict[Path, set[str]] = {}
        self.weakest: dict[tuple[str, bool], tuple[tuple[str, Status], ...]] = {}
        self.problems: list[str] = []

    def all(self) -> Trusts:
        """Trust for all, in the ledger's order."""
        found = {}
        for id in self.statements:
            if id not in self.standings:
                continue
            own = self.standings[id].own_status
            chain = ((id, own),) if own in _NEGATIVE else self._chain(id, False, ())
            grounds = tuple((ground, self._status(id, ground)) for ground in self.statements[id].grounds)
            found[id] = Trust(chain[-1][1], chain, grounds)
        for id in found:
            self._faults(id)
        return Trusts(found, tuple(dict.fromkeys(self.problems)))

    def _chain(self, id: str, corrected: bool, above: tuple[str, ...]) -> tuple[tuple[str, Status], ...]:
        """Return the statements from this one to what is weakest below it."""
        if id in above:
            self.problems.append(f"{id} rests on itself: {' -> '.join((*above[above.index(id) :], id))}")
            return ((id, Status.OPEN),)
        if (id, corrected) in self.weakest:
            return self.weakest[id, corrected]
        own = self.standings[id].used(corrected) if id in self.standings else Status.OPEN
        if own is Status.FORMAL:  # Coq has checked all of the statement: what its check here rests on besides takes nothing away
            self.weakest[id, corrected] = ((id, own),)
            return self.weakest[id, corrected]
        below: list[tuple[tuple[str, Status], ...]] = []
        for ground in self.statements[id].grounds:
            if not isinstance(ground, Row):
                below.append(((str(ground), self._status(id, ground)),))
            elif ground.id in self.statements:
                below.append(self._chain(ground.id, ground.corrected, (*above, id)))
            else:
                below.append(((ground.id, Status.OPEN),))
        worst = min(below, key=lambda chain: chain[-1][1].weight, default=())
        chain = ((id, own), *worst) if worst and worst[-1][1].weight < own.weight else ((id, own),)
        self.weakest[id, corrected] = chain
        return chain

    def _status(self, id: str, ground: Ground) -> Status:
        match ground:
            case Library():
                return ground.most
            case Cited():
                return Status.ARGUED
            case Argument():
                return Status.ARGUED if self._is_written(ground.id) else Status.OPEN
            case Coq():
                return Status.FORMAL if _says_what_was_reviewed(self.theorems.get(ground.theorem), ground) else Status.OPEN
            case Row():
                return self._chain(ground.id, ground.corrected, ())[-1][1] if ground.id in self.statements else Status.OPEN

    def _faults(self, id: str) -> None:
        for ground in self.statements[id].grounds:
            match ground:
                case Row() if ground.id not in self.statements:
                    self.problems.append(f"{id} rests on {ground.id}, which is not in the ledger")
                case Row():
                    refuted = ground.id in self.standings and self.standings[ground.id].own_status is Status.REFUTED
                    if refuted and not ground.corrected:
                        self.problems.append(f"{id} rests on {ground.id}, which is refuted, and does not say: as corrected")
                    if ground.corrected and not refuted:
                        self.problems.append(f"{id} rests on {ground.id} as corrected, which is not refuted")
                case Coq() if ground.theorem not in self.theorems:
                    self.problems.append(f"{id} rests on Coq's theorem {ground.theorem}, of which there is no record")
                case Coq() if not _says_what_was_reviewed(self.theorems[ground.theorem], ground):
                    now = self.theorems[ground.theorem].states or "none"
                    self.problems.append(
                        f"{id} rests on Coq's theorem {ground.theorem} as reviewed in {ground.states or 'nothing'}: now it states {now}"
                    )
                case Argument() if not self._is_written(ground.id):
                    self.problems.append(f"{id} rests on {ground}, which is not written")
                case Cited(written=place) if place and not self._is_written(place):
                    self.problems.append(f"{id} rests on {ground}, which is not written at {place}")

    def _is_written(self, place: str) -> bool:
        if not self.arguments.is_dir():
            return True
        page, _, anchor = place.partition("#")
        path = self.arguments / f"{page}.md"
        if path not in self.headings:
            lines = path.read_text("utf-8").splitlines() if path.is_file() else []
            self.headings[path] = {_anchor(line) for line in lines if line.startswith("#")}
        return anchor in self.headings[path]


def _anchor(heading: str) -> str:
    """Return a heading's anchor, as GitHub makes it: "## The positive part" -> "the-positive-part"."""
    return re.sub(r"[^\w -]", "", heading.lstrip("#").strip().lower()).replace(" ", "-")


def own_status(result: Result, theorems: Mapping[str, Theorem]) -> Status:
    """Return what is known of a statement by itself: formal where Coq has checked a theorem that says all of it, else what its check found.

    Where its grounds argue it over all of its range (`missing` says what of that is not checked), it is argued if its check is weaker.
    """
    formal = any(
        isinstance(ground, Coq) and _says_it(theorems.get(ground.theorem), ground, result.statement) for ground in result.statement.grounds
    )
    found = result.verdict.status
    if not result.verdict.holds:
        return found
    if formal:
        return Status.FORMAL
    return max(found, Status.ARGUED, key=lambda status: status.weight) if result.statement.missing else found


def standing(result: Result, theorems: Mapping[str, Theorem]) -> Standing:
    """The standing that a result gives its statement."""
    return Standing(own_status(result, theorems), result.verdict.corrected_status)


def _says_it(theorem: Theorem | None, ground: Coq, statement: Statement) -> bool:
    return theorem is not None and theorem.row == statement.id and _says_what_was_reviewed(theorem, ground)


def _says_what_was_reviewed(theorem: Theorem | None, ground: Coq) -> bool:
    return theorem is not None and theorem.states == ground.states


def json_row(result: Result, trust: Trust | None = None, *, theorems: Mapping[str, Theorem] | None = None) -> dict[str, object]:
    """One result as JSON-ready values. trust: None gives the status that the statement has by itself."""
    entry, verdict, known = result.statement, result.verdict, theorems or {}
    own = own_status(result, known)
    row: dict[str, object] = {
        "id": entry.id,
        "paper": entry.paper,
        "status": (trust.status if trust else own).value,
        "own_status": own.value,
        "where": entry.where,
        "says": entry.says,
        "range": entry.range,
        "provenance": entry.provenance,
        "kind": (entry.kind or Kind.FALSE).value if verdict.status is Status.REFUTED else None,
        "weight": entry.weight if verdict.status is Status.REFUTED else None,
        "governs": list(entry.governs),
        "domain": verdict.domain,
        "cases": verdict.cases,
        "slack": verdict.slack,
        "witness": verdict.witness,
        "corrected": verdict.corrected,
        "corrected_status": verdict.corrected_status.value if verdict.corrected_status else None,
        "found": verdict.status.value,
        "missing": entry.missing,
        "of_engines": entry.of_engines,
        "note": verdict.note,
        "rests_on": [str(ground) for ground in entry.grounds],
        "grounds": [_ground_row(ground, status) for ground, status in trust.grounds] if trust else [],
        "chain": [{"id": id, "status": status.value} for id, status in trust.chain] if trust else [],
        "mutants": [mutant.change for mutant in entry.mutants],
        "seconds": round(result.seconds, 3),
    }
    for ground in entry.grounds:
        if isinstance(ground, Coq) and (theorem := known.get(ground.theorem)) is not None and _says_it(theorem, ground, entry):
            row |= {"theorem": theorem.name, "assumptions": list(theorem.assumptions), "checked_with": theorem.checked_with}
    return row


def _ground_row(ground: Ground, status: Status) -> dict[str, object]:
    row: dict[str, object] = {"kind": ground.kind, "id": ground.id, "status": status.value}
    if isinstance(ground, Cited) and ground.written:
        row["written"] = str(Argument(ground.written))
    return {**row, "as": "corrected" if ground.corrected else "printed"} if isinstance(ground, Row) else row
