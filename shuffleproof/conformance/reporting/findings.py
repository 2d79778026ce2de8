"""What a report has found, for whoever has to mend it: failures under what they have in common, the worst first."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from shuffleproof.conformance.catalogue.inputs import BETWEEN
from shuffleproof.conformance.judging.judge import BROKEN, DECLINED, NOT_JUDGED, WRONG
from shuffleproof.conformance.reporting.conditions import Condition, condition
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import exact_fraction, ratio_text

Case = Mapping[str, Any]
"""A case of a report, as `report.read` gives it."""
_ROUNDING = 1e-12
"""Relative error below which a failure is one of the last digits."""
_NUMERIC = 1e-3
"""Relative error from which it is taken for a wrong answer; a smaller one is a loss of digits."""
_KINDS = ("method", "randomizer", "protocol", "rule")


class Severity(StrEnum):
    """How bad a finding is, the worst first."""

    WRONG = "wrong"
    """Off by a thousandth or more, at odds with itself, or an answer where there is none."""
    NUMERIC = "numeric"
    """Off by less: a loss of digits."""
    ROUNDING = "rounding"
    """Off by less than 1e-12: the last digits, on the wrong side."""
    BROKEN = "broken"
    """The program failed: it crashed, was too late, or wrote what the protocol does not allow."""
    DECLINED = "declined"
    """No answer where there is one; or on the list of known failures without failing."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Failures of one severity, of one operation and of what it was asked about.

    of: the method, randomizer, protocol or rule, "" where the operation has none; verdict: of its cases; condition: what half of them or
    more have in common, and no other judged case of the same class, None where nothing was found; cases: the failing ones, the worst first;
    judged: how many of this class were judged; flags: flag -> how many of the cases carry it.
    """

    severity: Severity
    operation: str
    of: str
    verdict: str
    condition: Condition | None
    cases: tuple[Case, ...]
    judged: int
    flags: Mapping[str, int]

    @property
    def title(self) -> str:
        """In one line: `epsilon of clones: answers 0 whenever n <= 100`."""
        verb = {"refused": "refuses", "crashed": "crashes", "timed-out": "is too late", "protocol": "breaks the protocol"}
        did = verb.get(self.verdict, "is wrong" if self.verdict != "unsound" else "claims too much")
        answers = {_answer(case) for case in self.cases}
        same = len(self.cases) > 1 and len(answers) == 1 and self.verdict in WRONG
        if same and (answer := answers.pop()) is not None and len(answer) <= 40:
            did = f"answers {answer}"
        where = "" if self.condition is None else f" {self.condition}"
        if self.condition is not None and self.condition.failing < len(self.cases):
            where += f", and in {len(self.cases) - self.condition.failing} more"
        return f"{named((self.operation, self.of))}: {did}{where}"

    @property
    def off(self) -> str | None:
        """How far the worst of its cases is from the truth."""
        return self.cases[0].get("off")

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values; cases by their ids."""
        return {
            "severity": self.severity.value,
            "title": self.title,
            "operation": self.operation,
            "of": self.of,
            "verdict": self.verdict,
            "condition": None if self.condition is None else str(self.condition),
            "failing": str(len(self.cases)),
            "judged": str(self.judged),
            "off": self.off,
            "flags": dict(self.flags),
            "cases": [case["id"] for case in self.cases],
        }


def findings(cases: Sequence[Case]) -> list[Finding]:
    """The findings of a report, the most severe first, and of one severity those first that most cases share."""
    found = [finding for kind, among in grouped(cases).items() for finding in _of_kind(kind, among)]
    return sorted(found, key=lambda each: (list(Severity).index(each.severity), -len(each.cases), each.title))


def severity(case: Case) -> Severity | None:
    """How bad the failure of a case is; None where it is none."""
    verdict = case["verdict"]
    if verdict in BROKEN:
        return Severity.BROKEN
    if verdict in DECLINED:
        return Severity.DECLINED
    if verdict not in WRONG:
        return None
    off = _distance(case)
    if off is None or off >= _NUMERIC:
        return Severity.WRONG
    return Severity.NUMERIC if off >= _ROUNDING else Severity.ROUNDING


def _of_kind(kind: tuple[str, str], among: Sequence[Case]) -> Iterator[Finding]:
    """The findings among the cases of one operation and what it is about."""
    failing = sorted((case for case in among if severity(case) is not None), key=_alike)
    for (bad, verdict, _), alike in groupby(failing, key=_alike):
        left = list(alike)
        left_out = NOT_JUDGED if verdict in BROKEN else NOT_JUDGED | BROKEN
        others = [case for case in among if case["verdict"] not in left_out and case not in left]
        found = condition([case["input"] for case in left], [case["input"] for case in others])
        if found is not None and 2 * found.failing < len(left):
            found = None  # what holds for a few of them is chance
        flags = [flag for case in left for flag in case["flags"]]
        yield Finding(
            severity=bad,
            operation=kind[0],
            of=kind[1],
            verdict=verdict,
            condition=found,
            cases=tuple(sorted(left, key=_worst_first)),
            judged=len(left) + len(others),
            flags={flag: flags.count(flag) for flag in sorted(set(flags), key=lambda each: (-flags.count(each), each))},
        )


def grouped(cases: Sequence[Case]) -> dict[tuple[str, str], list[Case]]:
    """The cases by operation and what it is asked about."""
    found: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        found.setdefault(kind(case), []).append(case)
    return found


def kind(case: Case) -> tuple[str, str]:
    """Return the operation, and the method, randomizer, protocol or rule that it is asked about, "" where it has none."""
    return case["operation"], next((case["input"][key] for key in _KINDS if key in case["input"]), "")


def named(kind: tuple[str, str]) -> str:
    """Return both in words: `epsilon of clones`."""
    return " of ".join(filter(None, kind))


def _alike(case: Case) -> tuple[Severity, str, str]:
    """Return what makes failures one finding, before conditions part them: answers of 0, of infinity and of 1 are classes of their own."""
    bad = severity(case)
    assert bad is not None
    answer = _answer(case)
    special = answer if bad is Severity.WRONG and answer in ("0", "1") else ""
    related = "at odds with itself" if any(BETWEEN in text for text in case["input"].values()) else ""
    return bad, case["verdict"], special or related


def _answer(case: Case) -> str | None:
    """The answer as a number written in one way; None where it is none."""
    value = case["value"]
    if not isinstance(value, str):
        return None
    try:
        return ratio_text(exact_fraction(value.strip(), parameter="value"))
    except DomainError:
        return value


def _worst_first(case: Case) -> tuple[float, int, str]:
    off = _distance(case)
    return -(off if off is not None else math.inf), len(case["id"]), case["id"]


def _distance(case: Case) -> float | None:
    """How far off the answer is, infinite beyond what a float holds: an answer may be as long as it likes."""
    return float(case["off"]) if case.get("off") is not None else None
