"""The noise that BC20 prescribes: n (1 - p) = (50/epsilon^2) ln(2/delta), for epsilon and delta in (0, 1] and n of at least twice that."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, log_of, precision
from shuffleproof.spec.vocabulary.calibration import PapersNoise
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

CONSTANT = 50
"""The 50 of BC20, Theorem 3.1: the noise is (50/epsilon^2) ln(2/delta)."""
_BITS = 192
"""Precision, in bits, of the first attempt to decide the theorem's conditions."""
_MOST_BITS = 1 << 13
"""Precision, in bits, of the last."""


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
    """The paper's noise where its theorem applies, with the delta that it certainly has; otherwise which condition fails, by how much.

    delta_at(g, bits): certified ends of delta for 1 - p in the ball g. Raises UndecidedError.
    """
    fails = _domain(prescribed) or (
        f"the theorem counts on every user's noise; {dishonest} of the {n} users send none" if dishonest else None
    )
    if fails is not None:
        return PapersNoise(statement=statement, fails=fails)
    bits = _BITS
    while bits <= _MOST_BITS:
        with precision(bits + 2 * n.bit_length()):
            noise = prescribed.ball()
            low, high = ends(noise)
            if 2 * low <= n < 2 * high:
                bits *= 2
                continue
            if n < 2 * low:
                needed = decimal_text(2 * high, digits=8, direction="up")
                missing = decimal_text(2 * high - n, digits=4, direction="up")
                fails = f"it needs n >= (100/eps^2) ln(2/delta) = {needed}; n = {n} is {missing} too few{prescribed.share}"
                return PapersNoise(statement=statement, fails=fails)
            return PapersNoise(statement=statement, lower=low, upper=high, delta=delta_at(noise / n, bits))
    raise UndecidedError(quantity="(100/eps^2) ln(2/delta) - n", enclosure=("?", "?"), precision=bits)


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
