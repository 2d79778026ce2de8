"""What a check found and over which domain: the words for it, and the one place where verdicts are put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partialmethod


class Status(StrEnum):
    """How a statement stands, from the strongest support to none."""

    FORMAL = "formal"
    """A theorem checked by Coq's kernel."""
    PROVED = "proved"
    """Symbolic or interval proof over the whole stated range, or a stated part of it."""
    ARGUED = "argued"
    """A written argument stands in the repository, or is cited; what a computer checked of it is named."""
    EXHAUSTED = "exhausted"
    """Exact enumeration of every case in a stated finite domain."""
    CERTIFIED = "certified"
    """Rigorous balls, or exact rationals, at listed points or boxes."""
    SAMPLED = "sampled"
    """Randomly drawn cases only; never presented as more."""
    REFUTED = "refuted"
    """A certified counterexample inside the stated range."""
    VACUOUS = "vacuous"
    """Nothing satisfies the hypothesis in part of the stated range."""
    OPEN = "open"
    """Not machine-checked, or not decided."""

    @property
    def weight(self) -> int:
        """How much rests on it safely: 0 for refuted, rising to that of formal."""
        return _WEAKEST_FIRST.index(self)


_WEAKEST_FIRST = (
    Status.REFUTED,
    Status.OPEN,
    Status.VACUOUS,
    Status.SAMPLED,
    Status.CERTIFIED,
    Status.EXHAUSTED,
    Status.ARGUED,
    Status.PROVED,
    Status.FORMAL,
)


class Kind(StrEnum):
    """Says what is wrong with a refuted statement, most serious first."""

    FALSE = "false"
    """It fails, and not only at the edge of its range."""
    PART = "false in part"
    """It fails in part of its stated range, and holds in the rest."""
    GAP = "gap"
    """A step of a proof does not follow as written; what it is for still holds."""
    MISPRINT = "misprint"
    """A sign, an index, a condition at an edge: what is meant is plain."""
    READING = "reading"
    """A reading, a recalled formula or a question, which the text does not force: never an erratum."""


NOT_GIVEN = "a step of the proof was not decided: an identity, a comparison, or a constant that is below the proof's"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The outcome of one check.

    status: how the statement stands. domain: exactly over what, in words. cases: how many cases, boxes or identities were decided.
    slack: the worst margin found, with its place. witness: a counterexample, complete enough to be computed again by hand.
    corrected: beside a refutation, the statement that does hold (as far as the check shows); corrected_status: how that one stands.
    note: anything a reader must know.
    """

    status: Status
    domain: str
    cases: int
    slack: str | None = None
    witness: str | None = None
    corrected: str | None = None
    corrected_status: Status | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        if not self.domain:
            raise ValueError("a verdict names its domain")
        if self.cases < 0 or (self.cases == 0 and self.status not in (Status.OPEN, Status.VACUOUS)):
            raise ValueError(f"{self.status} after {self.cases} cases: a check that looked at nothing has found nothing")
        if self.status is Status.REFUTED and not self.witness:
            raise ValueError("a refutation needs its witness")
        if self.status is Status.OPEN and not self.note:
            raise ValueError("an open verdict says why")

    @classmethod
    def refuted(cls, witness: str, *, domain: str, cases: int) -> Verdict:
        """Return the verdict on a statement that the last of these cases, the witness, refutes."""
        return cls(status=Status.REFUTED, domain=domain, cases=cases, witness=witness)

    @classmethod
    def found(
        cls,
        holds: Status,
        *,
        domain: str,
        cases: int,
        slack: str | None = None,
        note: str | None = None,
        against: str | None = None,
        given: bool = True,
    ) -> Verdict:
        """Return the verdict with this status: refuted where there is a witness `against` it, else open where a step is not `given`."""
        if against is None and not given:
            return cls.undecided(NOT_GIVEN, domain=domain, cases=cases)
        status = holds if against is None else Status.REFUTED
        return cls(status=status, domain=domain, cases=cases, slack=slack, witness=against, note=note)

    proved = partialmethod(found, Status.PROVED)
    argued = partialmethod(found, Status.ARGUED)
    exhausted = partialmethod(found, Status.EXHAUSTED)
    certified = partialmethod(found, Status.CERTIFIED)
    sampled = partialmethod(found, Status.SAMPLED)

    @classmethod
    def undecided(cls, why: str, *, domain: str, cases: int) -> Verdict:
        """Return the verdict where a step was not decided, and no case speaks against the statement."""
        return cls(status=Status.OPEN, domain=domain, cases=cases, note=why)

    @property
    def holds(self) -> bool:
        """True iff the check decided, and found nothing against the statement."""
        return self.status not in (Status.REFUTED, Status.VACUOUS, Status.OPEN)

    @property
    def rejects(self) -> bool:
        """True iff a changed statement is not accepted: refuted with no corrected statement beside it, vacuous, or open."""
        return self.status in (Status.VACUOUS, Status.OPEN) or (self.status is Status.REFUTED and self.corrected is None)


def conjunction(parts: Iterable[Verdict], *, note: str | None = None) -> Verdict:
    """The verdict on a statement made of several parts: as strong as its weakest part, refuted if one is.

    parts: at least one; an iterator, which makes each part when it is asked for, is asked no further than to the first one that is
    refuted. note: replaces the parts' notes if given.
    """
    parts = _to_refuted(parts) if isinstance(parts, Iterator) else list(parts)
    if not parts:
        raise ValueError("a statement without parts")
    weakest = min(parts, key=lambda part: part.status.weight)
    return Verdict(
        status=weakest.status,
        domain="; ".join(dict.fromkeys(f"{part.domain} ({part.status})" if len(parts) > 1 else part.domain for part in parts)),
        cases=sum(part.cases for part in parts),
        slack=_joined(part.slack for part in parts),
        witness=_joined(part.witness for part in parts),
        corrected=_joined(part.corrected for part in parts),
        note=note if note is not None else _joined(part.note for part in parts),
    )


def _to_refuted(parts: Iterator[Verdict]) -> list[Verdict]:
    found = []
    for part in parts:
        found.append(part)
        if part.status is Status.REFUTED:
            break
    return found


def erratum(
    *,
    witness: str,
    is_witness: bool,
    corrected: str,
    beside: Verdict | None = None,
    counterexample: str | None = None,
    domain: str = "",
    cases: int = 0,
    slack: str | None = None,
    note: str | None = None,
    given: bool = True,
) -> Verdict:
    """The verdict on a statement that is false as printed, beside one that is not.

    witness: against the printed statement; is_witness: whether it was found to be one just now (if not, the verdict is open).
    corrected: the statement that does hold; counterexample: what the check found against it, or None. With a counterexample the
    verdict keeps no corrected statement: that is how a mutant of the corrected statement shows that it was rejected. given: whether the
    steps were decided that the corrected statement rests on; if not, and nothing speaks against it, the verdict is open.
    beside: the verdict on the corrected statement, where it has one: for the counterexample, and by default for domain and cases; where
    it is open, so is this one.
    """
    if beside is not None:
        counterexample, domain, cases = beside.witness, domain or beside.domain, cases or beside.cases
        if beside.status is Status.VACUOUS:
            counterexample = beside.note or "what is to hold instead is vacuous"
        if beside.status is Status.OPEN:
            return Verdict.undecided(beside.note or NOT_GIVEN, domain=domain, cases=cases)
    if counterexample is None and not given:
        return Verdict.undecided(NOT_GIVEN, domain=domain, cases=cases)
    if not is_witness:
        return Verdict(status=Status.OPEN, domain=domain, cases=cases, note=f"no longer refuted by its witness: {witness}")
    standing = corrected if counterexample is None else None
    shown = witness if counterexample is None else counterexample
    return Verdict(status=Status.REFUTED, domain=domain, cases=cases, slack=slack, witness=shown, corrected=standing, note=note)


def _joined(texts: Iterable[str | None]) -> str | None:
    return "; ".join(dict.fromkeys(text for text in texts if text)) or None
