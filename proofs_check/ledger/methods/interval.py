"""Proofs of f > 0 on a box by adaptive subdivision in ball arithmetic; the answer is yes, no or undecided."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from flint import arb, fmpq

from shuffleproof.impl.ball.numeric.arithmetic import lower_end, precision as bits_of_precision, upper_end
from shuffleproof.proofs_check.ledger.steps import step
from shuffleproof.proofs_check.ledger.verdict import Status
from shuffleproof.spec.vocabulary.numerals import decimal_text

Box = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True, slots=True)
class BoxProof:
    """Holds what a subdivision found.

    outcome: "yes" (positive on the whole box), "no" (negative at `point`) or "undecided". boxes: how many were evaluated.
    slack: the least certified lower bound over the accepted boxes, as text rounded down; for "no", an upper bound on the value at
    the point, rounded up. worst: the box that has it.
    point: where the function is certainly negative (or not positive, if strict), for "no"; for "undecided", a box that stayed so.
    """

    outcome: Literal["yes", "no", "undecided"]
    boxes: int
    slack: str | None
    worst: Box | None
    point: tuple[Fraction, ...] | None
    undecided: Box | None = None

    @property
    def holds(self) -> bool:
        """True iff the function was proved positive (or non-negative) on the whole box."""
        return self.outcome == "yes"


def ball(lower: Fraction | int, upper: Fraction | int | None = None) -> arb:
    """The smallest ball, at the working precision, that contains the number lower, or all of [lower, upper]."""
    left = arb(fmpq(lower.numerator, lower.denominator))
    return left if upper is None else left.union(arb(fmpq(upper.numerator, upper.denominator)))


def prove_on_box(
    function: Callable[..., arb],
    *,
    box: Sequence[tuple[Fraction | int, Fraction | int]],
    strict: bool = True,
    most_boxes: int = 20_000,
    precision: int = 64,
) -> BoxProof:
    """Prove function > 0 (>= 0 unless strict) on a closed box by bisection of its relatively widest side.

    function: takes one ball per side and returns a ball that contains every value over them (nan counts as undecided).
    box: (lower, upper) for each variable. most_boxes: how many evaluations before giving up. precision: bits.
    A function with a zero in the box needs the zero divided out first: no subdivision decides it.
    """
    found = _subdivided(function, box, strict, most_boxes, precision)
    step(found.holds, shows=Status.PROVED)
    return found


def _subdivided(
    function: Callable[..., arb], box: Sequence[tuple[Fraction | int, Fraction | int]], strict: bool, most_boxes: int, precision: int
) -> BoxProof:
    whole: Box = tuple((Fraction(lower), Fraction(upper)) for lower, upper in box)
    widths = [upper - lower or Fraction(1) for lower, upper in whole]
    waiting, boxes = [whole], 0
    least: arb | None = None
    worst: Box | None = None
    with bits_of_precision(precision):
        while waiting:
            part = waiting.pop()
            if boxes >= most_boxes:
                return BoxProof("undecided", boxes, _text(least), worst, None, part)
            boxes += 1
            low = function(*(ball(lower, upper) for lower, upper in part)).lower()
            if low > 0 or (not strict and low >= 0):
                if least is None or low < least:
                    least, worst = low, part
                continue
            middle = tuple((lower + upper) / 2 for lower, upper in part)
            high = function(*(ball(x) for x in middle)).upper()
            if high < 0 or (strict and high <= 0):
                return BoxProof("no", boxes, decimal_text(upper_end(high), digits=6, direction="up"), part, middle)
            side = max(range(len(part)), key=lambda i: (part[i][1] - part[i][0]) / widths[i])
            lower, upper = part[side]
            if lower == upper:
                return BoxProof("undecided", boxes, _text(least), worst, None, part)
            for half in ((lower, middle[side]), (middle[side], upper)):
                waiting.append((*part[:side], half, *part[side + 1 :]))
    return BoxProof("yes", boxes, _text(least), worst, None)


def is_positive(value: arb) -> bool | None:
    """True, False (certainly not positive) or None (undecided, nan included)."""
    if value > 0:
        return True
    return False if value <= 0 else None


def _text(value: arb | None) -> str | None:
    return None if value is None else decimal_text(lower_end(value), digits=6, direction="down")
