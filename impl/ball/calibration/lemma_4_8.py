"""The lambda of CSUZZ19, Lemma 4.8: 64 L/eps^2 where eps >= sqrt(192 L/n), else n - eps n^(3/2)/sqrt(432 L), L = ln(4/delta).

The lemma is stated for delta in (0, 1), n >= 14 L and sqrt(3456) L/n < eps < 1.
"""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, log_of, precision
from shuffleproof.spec.vocabulary.calibration import PapersNoise
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

STATEMENT = "CSUZZ19.Lem4.8"
_BITS = 192
"""Precision, in bits, of the first attempt to decide the lemma's conditions."""
_MOST_BITS = 1 << 13
"""Precision, in bits, of the last."""


def papers_lambda(n: int, epsilon: Epsilon, delta: Fraction) -> PapersNoise:
    """Rational ends around the lambda of Lemma 4.8, or the conditions that fail, and by how much. Raises UndecidedError."""
    if not 0 < delta < 1:
        return PapersNoise(statement=STATEMENT, fails=f"it needs delta in (0, 1); delta is {delta}")
    bits = _BITS
    while bits <= _MOST_BITS:
        with precision(bits + 2 * n.bit_length()):
            found = _decided(n, log_of(epsilon), ball(4 / delta).log(), small=epsilon < Epsilon(Fraction(1), None))
        if found is not None:
            return found
        bits *= 2
    raise UndecidedError(quantity="the conditions of Lemma 4.8", enclosure=("?", "?"), precision=bits)


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
        return PapersNoise(statement=STATEMENT, fails=f"it needs {', and '.join(fails)}")
    turn = (192 * length / n).sqrt()
    if epsilon >= turn:
        noise = 64 * length / (epsilon * epsilon)
    elif epsilon < turn:
        noise = n - epsilon * n * ball(n).sqrt() / (432 * length).sqrt()
    else:
        return None
    low, high = ends(noise)
    return PapersNoise(statement=STATEMENT, lower=low, upper=high)


def _up(x: Fraction) -> str:
    return decimal_text(x, digits=4, direction="up")
