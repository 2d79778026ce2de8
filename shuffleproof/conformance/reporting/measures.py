"""What a run measures beside verdicts: how loose sound claims are, how long answers take, and how that grows with the number of users."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import linear_regression, median
from typing import Any

from shuffleproof.conformance.judging.judge import SOUND, WRONG
from shuffleproof.conformance.judging.quantity import parse_quantity
from shuffleproof.conformance.reporting.findings import grouped, named
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import decimal_text

Case = Mapping[str, Any]
_FEWEST_POINTS = 4
"""Numbers of users of which a growth is reported, at least."""
_LEAST_RANGE = 100.0
"""How many times the fewest users the most of them must be."""
_LEAST_SECONDS = 0.002
"""What the slowest answer must take: less is the cost of the conversation."""


@dataclass(frozen=True, kw_only=True)
class Looseness:
    """Says how loose the sound claims about one thing are.

    about: the operation, and what it is asked about; claims: how many were sound; loose: how many
    beyond their slack; infinite: how many of these where the truth is 0; median, worst: factors beyond the truth of the loose ones, None
    where all are infinite; worst_case: its id; points: (n, epsilon0, bits lost) of each loose claim, None for what its input does not have.
    """

    about: str
    claims: int
    loose: int
    infinite: int
    median: Fraction | None
    worst: Fraction | None
    worst_case: str
    points: tuple[tuple[float | None, float | None, float], ...]

    @property
    def bits(self) -> float | None:
        """Bits lost at worst: the binary logarithm of the factor."""
        return None if self.worst is None else _bits(self.worst)

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values: numbers that matter are strings."""
        factors = {"median": self.median, "worst": self.worst}
        told = {name: None if x is None else decimal_text(x, digits=6, direction="up") for name, x in factors.items()}
        bits = None if self.bits is None else f"{self.bits:.2f}"
        counts = {"claims": str(self.claims), "loose": str(self.loose), "infinite": str(self.infinite)}
        return {"about": self.about, **counts, **told, "bits": bits, "worst_case": self.worst_case}


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Says how long answers about one thing took, without starting or restarting the harness.

    median, worst: seconds; growth: the exponent g for which
    the time grows like n^g, fitted, None where too little is known.
    """

    about: str
    answers: int
    median: float
    worst: float
    worst_case: str
    growth: float | None

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values: numbers that matter are strings."""
        times = {"median": f"{self.median:.6f}", "worst": f"{self.worst:.6f}"}
        growth = None if self.growth is None else f"{self.growth:.2f}"
        return {"about": self.about, "answers": str(self.answers), **times, "worst_case": self.worst_case, "growth": growth}


def looseness(cases: Sequence[Case]) -> list[Looseness]:
    """Return what the sound claims of a report lose, the most first; nothing of what has no loose claim."""
    found = []
    for kind, among in grouped(cases).items():
        sound = [case for case in among if case["verdict"] in SOUND and case["claim"] in ("upper", "lower")]
        loose = [case for case in sound if case["verdict"] == "loose"]
        counted = [(Fraction(case["ratio"]), case) for case in loose if case["ratio"] not in (None, "infinite")]
        factors = sorted(counted, key=lambda each: each[0])
        if not loose:
            continue
        found.append(
            Looseness(
                about=named(kind),
                claims=len(sound),
                loose=len(loose),
                infinite=sum(case["ratio"] == "infinite" for case in loose),
                median=factors[(len(factors) - 1) // 2][0] if factors else None,
                worst=factors[-1][0] if factors else None,
                worst_case=(factors[-1][1] if factors else loose[0])["id"],
                points=tuple((_size(case, "n"), _size(case, "epsilon0"), _bits(factor)) for factor, case in factors),
            )
        )
    return sorted(found, key=lambda each: -(each.bits if each.bits is not None else math.inf))


def timings(cases: Sequence[Case]) -> list[Timing]:
    """How long the answers of a report took, the slowest first."""
    found = []
    for kind, among in grouped(cases).items():
        asked = [(float(case["seconds"]), case) for case in among if case["seconds"] is not None and case["verdict"] in SOUND | WRONG]
        if not asked:
            continue
        slowest = max(asked, key=lambda each: each[0])
        found.append(
            Timing(
                about=named(kind),
                answers=len(asked),
                median=median(seconds for seconds, _ in asked),
                worst=slowest[0],
                worst_case=slowest[1]["id"],
                growth=_growth(asked),
            )
        )
    return sorted(found, key=lambda each: -each.worst)


def _growth(asked: Sequence[tuple[float, Case]]) -> float | None:
    """The slope of log seconds over log n, through the slowest answer for each n."""
    slowest: dict[float, float] = {}
    for seconds, case in asked:
        users = _size(case, "n")
        if users is not None and users >= 1 and seconds > 0:
            slowest[users] = max(seconds, slowest.get(users, 0.0))
    if len(slowest) < _FEWEST_POINTS or max(slowest) < _LEAST_RANGE * min(slowest) or max(slowest.values()) < _LEAST_SECONDS:
        return None
    return linear_regression([math.log(n) for n in slowest], [math.log(seconds) for seconds in slowest.values()]).slope


def _bits(factor: Fraction) -> float:
    return math.log2(factor.numerator) - math.log2(factor.denominator)


def _size(case: Case, key: str) -> float | None:
    try:
        low = parse_quantity(case["input"][key]).bounds()[0]
        return float(low)
    except (KeyError, DomainError, OverflowError):
        return None
