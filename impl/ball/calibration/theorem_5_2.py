"""The local epsilon0 that FMT21 prescribes for frequency estimation: Theorem 5.2 as printed, and with branches that meet."""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, log_of, precision
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

STATEMENT = "FMT21.Thm5.2"
MEETING_POINT = 17
"""Where t/16 and 2 ln(t/10), t = epsilon sqrt(n/ln(1/delta)), meet, nearly: FMT21.Thm5.2.explicit changes branches there, not at 1."""
_BITS = (128, 1024, 8192)
"""Precisions, in bits, with which the theorem's branch is decided, tried in turn."""


@dataclass(frozen=True, slots=True)
class Prescription:
    """Holds what the theorem gives for one target.

    epsilon0: ends around the printed choice, None where there is none. fails: which condition fails then. corrected: ends around the
    choice with the branches joined, None outside epsilon in (0, 1).
    """

    epsilon0: tuple[Fraction, Fraction] | None
    fails: str | None
    corrected: tuple[Fraction, Fraction] | None


def prescribed(*, n: int, epsilon: Epsilon, delta: Fraction) -> Prescription:
    """Theorem 5.2's epsilon0 for n users, epsilon in (0, 1), delta in (0, 1). Raises UndecidedError."""
    if epsilon.rational == 0 or epsilon >= Epsilon(Fraction(1), None):
        where = "0" if epsilon.rational == 0 else decimal_text(epsilon.bounds(bits=64)[1], digits=6, direction="up")
        return Prescription(None, f"it needs eps in (0, 1); eps is {where}", None)
    for bits in _BITS:
        with precision(bits):
            t = log_of(epsilon) * (n / -ball(delta).log()).sqrt()
            small, early = _at_most(t, 1), _at_most(t, MEETING_POINT)
            if small is None or early is None:
                continue
            first, second = t / 16, 2 * (t / 10).log()
            corrected = ends(first if early else second)
            if small:
                return Prescription(ends(first), None, corrected)
            if second > 0:
                return Prescription(ends(second), None, corrected)
            if second < 0:
                shown = decimal_text(ends(second)[0], digits=6, direction="down")
                least = decimal_text(ends(10 * log_of(epsilon) / t)[1], digits=6, direction="up")
                fails = f"its second branch gives eps0 = {shown}, below 0, unless eps >= 10 sqrt(ln(1/delta)/n) = {least}"
                return Prescription(None, fails, corrected)
    raise UndecidedError(quantity="eps sqrt(n/ln(1/delta))", enclosure=("?", "?"), precision=_BITS[-1])


def _at_most(t: arb, limit: int) -> bool | None:
    if t <= limit:
        return True
    return False if t > limit else None
