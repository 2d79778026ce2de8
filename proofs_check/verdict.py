"""What a check found, over which domain, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a statement stands, from the strongest support to none."""

    PROVED = "proved"
    """Symbolic or interval proof over the whole stated range, or a stated part of it."""
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


_WEAKEST_FIRST = (Status.REFUTED, Status.OPEN, Status.VACUOUS, Status.SAMPLED, Status.CERTIFIED, Status.EXHAUSTED, Status.PROVED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The outcome of one check.

    status: how the statement stands. domain: exactly over what, in words. cases: how many cases, boxes or identities were decided.
    slack: the worst margin found, with its place. witness: a counterexample, complete enough to be computed again by hand.
    rests_on: arithmetic, libraries, cited theorems and other statements that carry the conclusion.
    corrected: beside a refutation, the statement that does hold (as far as the check shows). note: anything a reader must know.
    """

    status: Status
    domain: str
    cases: int
    slack: str | None = None
    witness: str | None = None
    rests_on: tuple[str, ...] = ()
    corrected: str | None = None
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


def conjunction(parts: Sequence[Verdict], *, note: str | None = None) -> Verdict:
    """The verdict on a statement made of several parts: as strong as its weakest part, refuted if one is.

    parts: at least one. note: replaces the parts' notes if given.
    """
    if not parts:
        raise ValueError("a statement without parts")
    weakest = min(parts, key=lambda part: _WEAKEST_FIRST.index(part.status))
    return Verdict(
        status=weakest.status,
        domain="; ".join(dict.fromkeys(f"{part.domain} ({part.status})" if len(parts) > 1 else part.domain for part in parts)),
        cases=sum(part.cases for part in parts),
        slack=_joined(part.slack for part in parts),
        witness=_joined(part.witness for part in parts),
        rests_on=tuple(dict.fromkeys(source for part in parts for source in part.rests_on)),
        corrected=_joined(part.corrected for part in parts),
        note=note if note is not None else _joined(part.note for part in parts),
    )


def erratum(
    *,
    witness: str,
    is_witness: bool,
    corrected: str,
    counterexample: str | None,
    domain: str,
    cases: int,
    rests_on: tuple[str, ...],
    slack: str | None = None,
    note: str | None = None,
) -> Verdict:
    """The verdict on a statement that is false as printed, beside one that is not.

    witness: against the printed statement; is_witness: whether it was found to be one just now (if not, the verdict is open).
    corrected: the statement that does hold; counterexample: what the check found against it, or None. With a counterexample the
    verdict keeps no corrected statement: that is how a mutant of the corrected statement shows that it was rejected.
    """
    if not is_witness:
        return Verdict(status=Status.OPEN, domain=domain, cases=cases, note=f"no longer refuted by its witness: {witness}")
    standing = corrected if counterexample is None else None
    shown = witness if counterexample is None else counterexample
    return Verdict(
        status=Status.REFUTED,
        domain=domain,
        cases=cases,
        slack=slack,
        witness=shown,
        rests_on=rests_on,
        corrected=standing,
        note=note,
    )


def _joined(texts: Iterable[str | None]) -> str | None:
    return "; ".join(dict.fromkeys(text for text in texts if text)) or None
