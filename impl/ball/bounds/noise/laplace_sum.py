"""The privacy profile of discrete Laplace noise on a sum, in closed form (BEYOND.laplace-sum).

Z has mass proportional to a^|z|, a = e^(-eps0/s). Where P is above E Q is {z <= t}, so that delta(E) is the largest over 0 <= t < s of

    f_t(E) = 1 - (a^(t + 1) + E a^(s - t))/(1 + a),

or 0. It is concave in t, with its top between the neighbours of ((s - 1) - eps/u)/2, u = eps0/s; f_t = delta at E_t = a^(t - s) ((1 -
delta)(1 + a) - a^(t + 1)), and the least E is their largest, near t with a^t = (1 - delta)(1 + a)/(2 a).
"""

import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, log_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import MOST_BITS, certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.protocols import LAPLACE_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon

_NOWHERE = -(10**9)
"""Below the logarithm of every E that matters, eps0 being at most 10^4."""


@certified(LAPLACE_SUM)
def delta(*, n: int, sensitivity: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
    """The least delta for which the sum is (epsilon, delta)-DP: n users change nothing; exactly 0 from epsilon0 on (BEYOND.laplace-sum)."""
    if epsilon0 <= epsilon:
        return Found.exactly(0)
    s = sensitivity

    def value() -> tuple[arb, arb]:
        unit, E = log_of(epsilon0) / s, exp_of(epsilon)
        a = (-unit).exp()
        best = _largest(
            lambda t: 1 - ((-unit * (t + 1)).exp() + E * (-unit * (s - t)).exp()) / (1 + a), ((s - 1) - log_of(epsilon) / unit) / 2, s
        )
        return best, best

    return _refined("delta", value, digits=digits)


@certified(LAPLACE_SUM)
def epsilon(*, n: int, sensitivity: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
    """Least epsilon for which the sum is (epsilon, delta)-DP: epsilon0 at delta = 0, 0 where delta >= delta(0) (BEYOND.laplace-sum)."""
    if delta == 0 or epsilon0.exp == 1:
        return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
    if delta == 1:
        return Found.exactly(0)
    s = sensitivity

    def value() -> tuple[arb, arb]:
        unit = log_of(epsilon0) / s
        a, kept = (-unit).exp(), ball(1 - delta)
        top = -(kept * (1 + a) / (2 * a)).log() / unit
        # The logarithm of the largest E_t, with a^(t - s) taken out of it.
        best = _largest(lambda t: unit * (s - t) + _log(kept * (1 + a) - (-unit * (t + 1)).exp()), top, s)
        return best, best.max(arb(0))

    return _refined("epsilon", value, digits=digits)


def _log(x: arb) -> arb:
    """Its logarithm; far below everything where x < 0; a ball that says nothing where that is not known."""
    return x.log() if x > 0 else arb(_NOWHERE) if x < 0 else arb(0, math.inf)


def _largest(value: Callable[[int], arb], top: arb, s: int) -> arb:
    """The largest value over 0 <= t < s of what rises up to `top` and falls after it."""
    low, high = ends(top)
    first, last = max(0, min(s - 1, math.floor(low))), max(0, min(s - 1, math.ceil(high)))
    if last - first > 3:
        return arb(0, math.inf)
    found = value(first)
    for t in range(first + 1, last + 1):
        found = found.max(value(t))
    return found


def _refined(quantity: Quantity, value: Callable[[], tuple[arb, arb]], *, digits: int) -> Found:
    """Enclose a number with as many bits as it takes; value: that number, and the same where it is below 0 as 0."""
    bits = 64 + 4 * digits
    while bits <= MOST_BITS:
        with precision(bits):
            best, kept = value()
            if best.is_finite():
                if best < 0 or best == 0:
                    return Found.exactly(0)
                low, high = max(lower_end(kept), Fraction(0)), upper_end(kept)
                if (high - low) * 10 ** (digits + 1) <= high or (low == 0 and high * 10 ** (3 * digits + 9) < 1):  # or it is 0
                    return Found(low, high, precision=bits)
        bits *= 2
    raise UndecidedError(quantity=quantity, enclosure=("0", "?"), precision=bits)
