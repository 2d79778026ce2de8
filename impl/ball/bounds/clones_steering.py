"""Where the root of a clones-family profile lies, to about nine digits, in plain floats: it steers the certified search and proves nothing.

The walk is that of `clones_sums`, each step about five times cheaper than in balls; only its start, where logarithms of factorials
cancel, is computed in balls.
"""

from __future__ import annotations

import math
from fractions import Fraction

from shuffleproof.impl.ball.arithmetic import precision
from shuffleproof.impl.ball.bounds.clones_sums import LARGEST_WINDOW, Constants, log_start, window
from shuffleproof.spec.errors import UndecidedError
from shuffleproof.spec.numerals import Epsilon

_SPREAD = 32.0
_BITS_BEYOND_N = 100
_MOST_STEPS = 12
_LARGEST_EPSILON0 = Fraction(600)
_SMALLEST_EPSILON0 = Fraction(1, 10**9)
DIGITS = 9
"""How many digits of the root are expected to be right; the certified search only loses time if they are not."""


def steered(*, n: int, odds_factor: int, epsilon0: Epsilon, delta: Fraction, guess: Fraction) -> tuple[Fraction, int]:
    """A better guess than `guess` for epsilon(delta), and about how many of its digits are right; (guess, 0) where floats do not do."""
    low, high = epsilon0.bounds(bits=64)
    if not _SMALLEST_EPSILON0 < low <= high < _LARGEST_EPSILON0:
        return guess, 0
    wanted = math.log(delta.numerator) - math.log(delta.denominator)
    x, top = float(guess), float(low)
    try:
        for _ in range(_MOST_STEPS):
            if not 0 < x < top:
                return guess, 0
            log_delta, steepness = _profile(n, odds_factor, epsilon0, x)
            step = (log_delta - wanted) / steepness
            x += step
            if abs(step) < 1e-5 * x:  # Newton: the next error is about the square of this one
                return (Fraction(x), DIGITS) if 0 < x < top else (guess, 0)
    except (UndecidedError, OverflowError, ValueError, ZeroDivisionError):
        pass
    return guess, 0


def _profile(n: int, odds_factor: int, epsilon0: Epsilon, x: float) -> tuple[float, float]:
    """About ln delta(x), and -d ln delta / dx."""
    m = n - 1
    with precision(n.bit_length() + _BITS_BEYOND_N):
        constants = Constants.at(odds_factor, epsilon0, Epsilon(Fraction(x), None))
        low, high = window(m, constants, spread=_SPREAD)
        if high - low > LARGEST_WINDOW:
            raise OverflowError
        beta = float(constants.beta.mid())
        t = math.floor((low + 1) * beta)
        log_g, ratio = log_start(m, low, t, constants, bits=64)
        shift = math.floor(float(log_g.mid()))
        g = math.exp(float((log_g - shift).mid()))
        G = g * float(ratio.mid())
        odds, q = float(constants.odds.mid()), float(constants.q.mid())
        v, E_minus_1, E = (float(each.mid()) for each in (constants.v, constants.E_minus_1, constants.E))
    sum_f = sum_F = 0.0
    for c in range(low, high + 1):
        sum_f += g
        sum_F += G
        k = odds * (m - c)
        G = (G - 0.5 * g) * k / (c + 1)
        if (c + 2) * beta >= t + 1:
            t += 1
            g = 0.5 * g * k / t
            G += g
        else:
            g = 0.5 * g * k / (c + 1 - t)
    value, in_q = v * sum_f - E_minus_1 * sum_F, sum_F - q * sum_f
    return math.log(value) + shift, E * in_q / value
