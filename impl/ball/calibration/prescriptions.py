"""The noise that the papers prescribe, and where their theorems apply: decided by balls, with as many bits as it takes.

`papers_noise` is BC20's n (1 - p), `papers_lambda` CSUZZ19's lambda of the bit sum, `prescribed` FMT21's local epsilon0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, log_of, precision
from shuffleproof.spec.vocabulary.calibration import PapersNoise
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

LEMMA_4_8, THEOREM_5_2 = "CSUZZ19.Lem4.8", "FMT21.Thm5.2"
CONSTANT = 50
"""The 50 of BC20, Theorem 3.1: the noise is (50/epsilon^2) ln(2/delta)."""
MEETING_POINT = 17
"""Where t/16 and 2 ln(t/10), t = epsilon sqrt(n/ln(1/delta)), meet, nearly: FMT21.Thm5.2.explicit changes branches there, not at 1."""
_BITS = (192, 384, 768, 1536, 3072, 6144)
"""Precisions, in bits, with which a theorem's conditions are decided, tried in turn."""
_BITS_OF_BRANCH = (128, 1024, 8192)
"""The same for the branch of FMT21's Theorem 5.2."""


@dataclass(frozen=True, slots=True)
class Prescribed:
    """BC20's noise for (epsilon, delta), as a ball at any precision. per_bin: 2 where two bins share epsilon and delta, else 1."""

    epsilon: Epsilon
    delta: Fraction
    per_bin: int = 1

    @property
    def share(self) -> str:
        """Return what a condition has to add where bins share."""
        return "" if self.per_bin == 1 else f" (each bin gets eps/{self.per_bin} and delta/{self.per_bin})"

    def ball(self) -> arb:
        """(50/epsilon^2) ln(2/delta) for epsilon and delta over per_bin, at the working precision."""
        epsilon, delta = log_of(self.epsilon) / self.per_bin, self.delta / self.per_bin
        return CONSTANT * ball(2 / delta).log() / (epsilon * epsilon)


def papers_noise(
    *, n: int, prescribed: Prescribed, dishonest: int, statement: str, delta_at: Callable[[arb, int], tuple[Fraction, Fraction]]
) -> PapersNoise:
    """BC20's noise where its theorem applies, with the delta that it certainly has; otherwise which condition fails, by how much.

    It is n (1 - p) = (50/epsilon^2) ln(2/delta), for epsilon and delta in (0, 1] and n of at least twice that.
    delta_at(g, bits): certified ends of delta for 1 - p in the ball g. Raises UndecidedError.
    """
    fails = _domain(prescribed) or (
        f"the theorem counts on every user's noise; {dishonest} of the {n} users send none" if dishonest else None
    )
    if fails is not None:
        return PapersNoise(statement=statement, fails=fails)
    for bits in _BITS:
        with precision(bits + 2 * n.bit_length()):
            noise = prescribed.ball()
            low, high = ends(noise)
            if 2 * low <= n < 2 * high:
                continue
            if n < 2 * low:
                needed = decimal_text(2 * high, digits=8, direction="up")
                missing = decimal_text(2 * high - n, digits=4, direction="up")
                fails = f"it needs n >= (100/eps^2) ln(2/delta) = {needed}; n = {n} is {missing} too few{prescribed.share}"
                return PapersNoise(statement=statement, fails=fails)
            return PapersNoise(statement=statement, lower=low, upper=high, delta=delta_at(noise / n, bits))
    raise UndecidedError(quantity="(100/eps^2) ln(2/delta) - n", enclosure=("?", "?"), precision=_BITS[-1])


def _domain(prescribed: Prescribed) -> str | None:
    share = prescribed.share
    if prescribed.delta == 0:
        return f"it needs delta in (0, 1]; delta is 0{share}"
    if prescribed.epsilon <= Epsilon(Fraction(0), Fraction(1)):
        return f"it needs eps in (0, 1]; eps is 0{share}"
    if prescribed.epsilon > Epsilon(Fraction(prescribed.per_bin), None):
        over = prescribed.epsilon.bounds(bits=64)[1] / prescribed.per_bin - 1
        return f"it needs eps in (0, 1]; eps is {decimal_text(over, digits=4, direction='up')} above 1{share}"
    return None


def papers_lambda(n: int, epsilon: Epsilon, delta: Fraction) -> PapersNoise:
    """Rational ends around the lambda of CSUZZ19, Lemma 4.8, or the conditions that fail, and by how much. Raises UndecidedError.

    It is 64 L/eps^2 where eps >= sqrt(192 L/n), else n - eps n^(3/2)/sqrt(432 L), L = ln(4/delta), for delta in (0, 1), n >= 14 L and
    sqrt(3456) L/n < eps < 1.
    """
    if not 0 < delta < 1:
        return PapersNoise(statement=LEMMA_4_8, fails=f"it needs delta in (0, 1); delta is {delta}")
    for bits in _BITS:
        with precision(bits + 2 * n.bit_length()):
            found = _decided(n, log_of(epsilon), ball(4 / delta).log(), small=epsilon < Epsilon(Fraction(1), None))
        if found is not None:
            return found
    raise UndecidedError(quantity="the conditions of Lemma 4.8", enclosure=("?", "?"), precision=_BITS[-1])


def _decided(n: int, epsilon: arb, length: arb, *, small: bool) -> PapersNoise | None:
    """length: L = ln(4/delta); small: whether epsilon < 1. None where a comparison is not decided at this precision."""
    fails = []
    if not n >= 14 * length:
        if not n < 14 * length:
            return None
        fails.append(f"n >= 14 ln(4/delta) = {_up(ends(14 * length)[1])} (n is {_up(ends(14 * length)[1] - n)} too small)")
    least = ball(3456).sqrt() * length / n
    if not epsilon > least:
        if not epsilon < least:
            return None
        missing = "eps is 0" if epsilon == 0 else f"eps is {_up(ends(least / epsilon)[1])} times too small"
        fails.append(f"eps > sqrt(3456) ln(4/delta)/n = {_up(ends(least)[1])} ({missing})")
    if not small:
        over = ends(epsilon - 1)[1]
        fails.append(f"eps < 1 (eps is {_up(over)} above)" if over else "eps < 1 (eps is 1)")
    if fails:
        return PapersNoise(statement=LEMMA_4_8, fails=f"it needs {', and '.join(fails)}")
    turn = (192 * length / n).sqrt()
    if epsilon >= turn:
        noise = 64 * length / (epsilon * epsilon)
    elif epsilon < turn:
        noise = n - epsilon * n * ball(n).sqrt() / (432 * length).sqrt()
    else:
        return None
    low, high = ends(noise)
    return PapersNoise(statement=LEMMA_4_8, lower=low, upper=high)


def _up(x: Fraction) -> str:
    return decimal_text(x, digits=4, direction="up")


@dataclass(frozen=True, slots=True)
class Prescription:
    """Holds what FMT21, Theorem 5.2, gives for one target: as printed, and with branches that meet.

    epsilon0: ends around the printed choice, None where there is none. fails: which condition fails then. corrected: ends around the
    choice with the branches joined, None outside epsilon in (0, 1).
    """

    epsilon0: tuple[Fraction, Fraction] | None
    fails: str | None
    corrected: tuple[Fraction, Fraction] | None


def prescribed(*, n: int, epsilon: Epsilon, delta: Fraction) -> Prescription:
    """The local epsilon0 of FMT21, Theorem 5.2, for frequency estimation by n users; epsilon, delta in (0, 1). Raises UndecidedError."""
    if epsilon.rational == 0 or epsilon >= Epsilon(Fraction(1), None):
        where = "0" if epsilon.rational == 0 else decimal_text(epsilon.bounds(bits=64)[1], digits=6, direction="up")
        return Prescription(None, f"it needs eps in (0, 1); eps is {where}", None)
    for bits in _BITS_OF_BRANCH:
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
    raise UndecidedError(quantity="eps sqrt(n/ln(1/delta))", enclosure=("?", "?"), precision=_BITS_OF_BRANCH[-1])


def _at_most(t: arb, limit: int) -> bool | None:
    if t <= limit:
        return True
    return False if t > limit else None
