"""The ledger of the papers' statements: what each says, which hold as printed, what that rests on, and deciding them again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from shuffleproof.keywords import formerly, own_names
from shuffleproof.spec.vocabulary.errors import require_one_of
from shuffleproof.spec.vocabulary.tables import Tabular

if TYPE_CHECKING:
    from shuffleproof.proofs_check.ledger import Entry, Statement

__dir__ = own_names(__name__)

Depth = Literal["quick", "full"]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Recorded(Tabular):
    """A statement as it stands in the ledger.

    id: such as "FMT21.Lem2.3"; where: the place in the paper; says: the statement; range: its full stated range; provenance: where the
    formula is from; governs: the code whose meaning it fixes; rests_on: its grounds; status: the weakest along their chain, None where
    nothing is recorded; own_status: by itself; rejects: the changed statements that its check rejects; formally: of each theorem of Coq
    that it rests on, the name, the digest of the reviewed statement with all definitions under it, and that statement;
    of_engines: what of the engines that it governs no statement reaches.
    kind: of a refuted statement, what is wrong with it: "false", "false in part", "gap", "misprint" or "reading"; all but a reading of it
    are errata of the paper. weight: what people use that depends on an erratum. Of a statement that
    `show` decided again because it does not hold as printed: witness, a counterexample; instead, the statement that does hold; note.
    holds_too: what `show` says of its numbers, changed by 1 percent or 1: which changed statements hold, and with which word.
    """

    id: str
    paper: str
    where: str
    says: str
    range: str
    provenance: str
    governs: tuple[str, ...]
    rests_on: tuple[str, ...]
    status: str | None
    own_status: str | None
    rejects: tuple[str, ...]
    formally: tuple[tuple[str, str, str], ...] = ()
    of_engines: str | None = None
    kind: str | None = None
    weight: str | None = None
    witness: str | None = None
    instead: str | None = None
    note: str | None = None
    holds_too: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Recorded {self.id}: {self.status or 'nothing yet'}>"

    def __str__(self) -> str:
        """A line for each thing that is known of it, and how to decide it again."""
        theorems = {f"Coq: {name}" for name, _, _ in self.formally} if self.own_status == "formal" else set(self.rests_on)
        printed = {True: "yes", False: "no", None: "not decided"}[self.holds_as_printed]
        own = "" if self.status in (None, self.own_status) else f" ({self.own_status} by itself)"
        known = (
            ("says", self.says),
            ("range", self.range),
            ("governs", ", ".join(self.governs)),
            ("recorded", f"{self.status or 'nothing yet'}{own}"),
            ("holds", f"as printed: {printed}{f' ({self.kind})' if self.kind else ''}"),
            ("weight", self.weight),
            ("witness", self.witness),
            ("instead", self.instead),
            ("note", self.note),
            ("rests on", "; ".join(ground for ground in self.rests_on if ground in theorems)),
            ("beside", "; ".join(ground for ground in self.rests_on if ground not in theorems)),
            ("no row", self.of_engines),
            *(("by Coq", f"{name} [{states}]: {text}") for name, states, text in self.formally),
            *(("holds too", f"with {changed}") for changed in self.holds_too),
            *(("rejects", change) for change in self.rejects),
        )
        lines = [f"{self.id}  ({self.where}; formula from: {self.provenance})"]
        lines += [f"  {label:<9} {text}" for label, text in known if text]
        return "\n".join([*lines, f"  to decide it again: shuffleproof ledger check {self.id}"])

    @property
    def headline(self) -> str:
        """Its id, and where it stands."""
        return str(self).partition("\n")[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """All else that is printed of it."""
        return tuple(each.strip() for each in str(self).split("\n")[1:])

    def columns(self) -> dict[str, list[Any]]:
        """One row: its id, its recorded status and kind, and whether it holds as printed."""
        return {"statement": [self.id], "status": [self.status], "kind": [self.kind], "holds_as_printed": [self.holds_as_printed]}

    @property
    def is_erratum(self) -> bool:
        """Return whether the paper's text is wrong there: refuted, and no reading, recalled formula or question."""
        return self.kind not in (None, "reading")

    @property
    def holds_as_printed(self) -> bool | None:
        """Return whether the statement holds as printed, as far as is recorded of it alone; None where that is open or only sampled."""
        return None if self.own_status in (None, "open", "sampled") else self.own_status not in ("refuted", "vacuous")

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values, under the names of the command line."""
        return {
            "id": self.id,
            "paper": self.paper,
            "where": self.where,
            "says": self.says,
            "range": self.range,
            "provenance": self.provenance,
            "governs": list(self.governs),
            "rests_on": list(self.rests_on),
            "recorded": self.status,
            "own_status": self.own_status,
            "kind": self.kind,
            "weight": self.weight,
            "holds_as_printed": self.holds_as_printed,
            "witness": self.witness,
            "corrected": self.instead,
            "note": self.note,
            "holds_too": list(self.holds_too),
            "mutants": list(self.rejects),
            "of_engines": self.of_engines,
            "formally": [{"theorem": name, "digest": states, "states": text} for name, states, text in self.formally],
        }


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Checked(Tabular):
    """Holds what deciding statements again has found.

    rows: one for each, as `ledger check --format json` prints them; drift: where a status is not the recorded one; problems: where what a
    statement rests on does not carry it; faults: checks that themselves went wrong.
    """

    rows: tuple[Mapping[str, object], ...]
    drift: tuple[str, ...]
    problems: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def headline(self) -> str:
        """How many statements, and what is not as it should be."""
        return f"{len(self.rows)} statements: {len(self.drift)} drift, {len(self.problems)} problems, {len(self.faults)} faults"

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what is not as it should be, a line each."""
        wrong = (("drift", self.drift), ("problem", self.problems), ("a check itself failed", self.faults))
        return tuple(f"{label}: {each}" for label, found in wrong for each in found)

    def columns(self) -> dict[str, list[Any]]:
        """Each statement, and the status that it has now."""
        return {"statement": [row["id"] for row in self.rows], "status": [row["status"] for row in self.rows]}

    def __str__(self) -> str:
        """A line for each statement, then what is not as it should be."""
        return "\n".join([*(f"{row['id']}  {row['status']}" for row in self.rows), *self.notes])


def statements(*, paper: str | None = None, status: str | None = None, errata: bool = False) -> tuple[Recorded, ...]:
    """Every statement of the ledger in the papers' order, section by section.

    paper: only this one's ("FMT21"); status: only what is recorded with it ("refuted"); errata: only what is wrong in a paper's text.
    Raises DomainError for an unknown paper or status.
    """
    from shuffleproof.proofs_check import ledger

    if status is not None:
        require_one_of(status, (each.value for each in ledger.Status), parameter="status")
    record = ledger.recorded()
    found = (_as_recorded(each, record.get(each.id)) for each in ledger.select(paper=paper))
    return tuple(each for each in found if status in (None, each.status) and (each.is_erratum or not errata))


def show(id: str) -> Recorded:
    """One statement by its id; one that does not hold as printed is decided again, for its witness. Raises DomainError.

    >>> show("FMT21.LemF.2").status
    'refuted'
    """
    from shuffleproof.proofs_check import ledger

    entry = ledger.select([id])[0]
    too = (
        f"{mutant.part} = {mutant.is_now} for {mutant.was}: {mutant.outcome}{', weaker' if ledger.is_weaker(entry, mutant) else ''}"
        for mutant in ledger.recorded_number_mutants().get(id, ())
        if mutant.is_accepted
    )
    known = replace(_as_recorded(entry, ledger.recorded().get(id)), holds_too=tuple(too))
    if known.holds_as_printed is not False:
        return known
    verdict = next(iter(ledger.check([entry], ledger.Budget()))).verdict
    return replace(known, witness=verdict.witness, instead=verdict.corrected, note=verdict.note)


def statuses() -> dict[str, str]:
    """The recorded status of every statement, by id. Needs no extra, unlike the statements themselves.

    >>> statuses()["FMT21.LemF.2"]
    'refuted'
    """
    from shuffleproof.proofs_check.ledger import recorded

    return {id: known.status.value for id, known in recorded().items()}


def weakest(ids: Iterable[str]) -> str:
    """The weakest of the recorded statuses of these statements: that of what rests on all of them. Raises KeyError for an unknown id.

    >>> weakest(["BEYOND.ThmF3", "BEYOND.Renyi"])
    'argued'
    """
    from shuffleproof.proofs_check.ledger import recorded

    known = recorded()
    return min((known[id].status for id in ids), key=lambda status: status.weight).value


def check(*ids: str, paper: str | None = None, depth: Depth = "quick", on_finished: Callable[[str], object] = lambda _: None) -> Checked:
    """Decide statements again, all of them if none is named, and compare with what is recorded.

    paper: only this one's; depth: "quick" for seconds, "full" for more cases and larger n; on_finished: called with each id.
    A refuted statement is a result, not a failure. Raises DomainError for an unknown id or paper.
    """
    from shuffleproof.proofs_check import ledger
    from shuffleproof.verification.ledger_run import run_ledger

    run = run_ledger(ledger.select(ids, paper=paper), ledger.Budget(depth=depth), mutants=False, finished=on_finished)
    found = ledger.judge(run.results, ledger.recorded(), statements=ledger.registry())
    return Checked(rows=tuple(found.rows), drift=tuple(found.drift), problems=tuple(found.problems), faults=tuple(run.faults))


@formerly(bend="mutate")
def record(*ids: str, mutate: bool = False) -> tuple[str, ...]:
    """Decide statements with their mutants, write a mutant for every step that needs one, and record what was found.

    For those who work on the ledger: it writes `proofs_check/recorded.json` and `generated.json`; mutate: what becomes of each number of
    these statements instead, in `number_mutants.json`. Returns what is still wrong, and which statuses are new. Raises DomainError for an
    unknown id.
    """
    from shuffleproof.proofs_check import ledger
    from shuffleproof.proofs_check.ledger import writing

    chosen = ledger.select(ids)
    if mutate:
        writing.record_number_mutants(chosen, ledger.Budget())
        return ()
    return tuple(writing.write(chosen, ledger.Budget()))


def _as_recorded(entry: Statement, known: Entry | None) -> Recorded:
    from shuffleproof.proofs_check.ledger import Coq
    from shuffleproof.proofs_check.ledger.formal import reviewed

    return Recorded(
        id=entry.id,
        paper=entry.paper,
        where=entry.where,
        says=entry.says,
        range=entry.range,
        provenance=entry.provenance,
        governs=tuple(entry.governs),
        rests_on=tuple(str(ground) for ground in entry.grounds),
        status=None if known is None else known.status.value,
        own_status=None if known is None else known.own_status.value,
        kind=None if known is None or known.kind is None else known.kind.value,
        weight=entry.weight,
        rejects=tuple(mutant.change for mutant in entry.mutants),
        formally=tuple((ground.id, ground.states, reviewed(ground.id)) for ground in entry.grounds if isinstance(ground, Coq)),
        of_engines=entry.of_engines,
    )
