"""Guess where the root of a clones-family profile lies, to about nine digits, in plain floats: the certified search starts there.

Where there are many clones, a normal approximation of the profile gives the first three to five digits at no cost, else Chernoff's bound
does. From there Newton's iteration walks over the clones as `clones_sums` does, each step about five times cheaper than in ball arithmetic;
only a walk's start, where logarithms of factorials cancel, is computed in that.
"""

import math
from fractions import Fraction

from shuffleproof.impl.ball.bounds.clones.clones_sums import EACH, LARGEST_WINDOW, Constants, log_start, window
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.ball.numeric.budget import require_affordable, spend
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

_SPREAD = 32.0
"""Minus the logarithm of what the window of the walk leaves out: e^-32 is 1e-14, below the nine digits that are looked for."""
_EACH = 0.2
"""Units of work of a step in floats: half a microsecond."""
_CERTIFIED = 2.6
"""Certified walks that follow, as multiples of one in floats: two, each wider by the root of what their windows leave out."""
_BITS_BEYOND_N = 100
"""Bits beyond n's own of a walk's first mass, where logarithms of factorials as large as n ln n cancel."""
_MOST_STEPS = 12
"""Steps of Newton's iteration at most; from a normal approximation two or three do."""
_LARGEST_EPSILON0 = Fraction(600)
"""Largest epsilon0 that floats are asked about: e^600 = 4e260 leaves room for factors."""
_SMALLEST_EPSILON0 = Fraction(1, 10**9)
"""Least epsilon0 that floats are asked about: differences such as e^epsilon0 - e^epsilon keep seven digits there, and fewer below."""
_MANY_CLONES = 1000.0
"""Mean number of clones from which a normal approximation gives three to five digits of the root."""
_FARTHEST = 30.0
"""Standard deviations, or units of epsilon0, beyond which the normal approximation is not believed: its tail leaves the floats at 38."""
_HALVINGS = 40
"""Bisections of an interval of at most 30: down to 3e-11, far below the approximation's own error."""
_ENOUGH_DIGITS = 8
"""Digits after which the walk ends: one certified evaluation then confirms the root or takes the last step."""
_MOST_DIGITS = 9
"""Digits claimed at most: after a step below 1e-5, ten times its square; a walk in doubles shows hardly more."""


def initial_guess(*, n: int, odds_factor: int, epsilon0: Epsilon, delta: Fraction, guess: Fraction) -> tuple[Fraction, int]:
    """Return a better guess than `guess` for epsilon(delta), and about how many of its digits are right.

    The certified search only loses time
    if they are not. (guess, 0) where floats do not do, and where the root is so near 0 that the search begins there anyway."""
    low, high = epsilon0.bounds(bits=64)
    if not _SMALLEST_EPSILON0 < low <= high < _LARGEST_EPSILON0:
        return guess, 0
    wanted = math.log(delta.numerator) - math.log(delta.denominator)
    x, top = float(guess), float(low)
    try:
        if (n - 1) * odds_factor / math.expm1(top) > _MANY_CLONES:
            if _normal(n, odds_factor, top, 0.0)[1] < wanted + math.log(2):
                return guess, 0
            x = _normal_root(n, odds_factor, top, wanted) or x
        for _ in range(_MOST_STEPS):
            if not 0 < x < top:
                return guess, 0
            log_delta, steepness = _profile(n, odds_factor, epsilon0, x)
            step = (log_delta - wanted) / steepness
            x += step
            digits = _digits_after(abs(step) / x)
            if digits >= _ENOUGH_DIGITS:
                return (Fraction(x), digits) if 0 < x < top else (guess, 0)
    except (UndecidedError, OverflowError, ValueError, ZeroDivisionError):
        pass
    return guess, 0


def rough_epsilon0(*, n: int, odds_factor: int, epsilon: Fraction, delta: Fraction) -> float | None:
    """About the epsilon0 at which delta(epsilon) is delta, by the normal approximation; None where floats cannot say."""
    x, wanted = float(epsilon), math.log(delta.numerator) - math.log(delta.denominator)
    low, high = x, x + _FARTHEST
    try:
        for _ in range(_HALVINGS):
            at = (low + high) / 2
            low, high = (at, high) if _normal(n, odds_factor, at, x)[1] < wanted else (low, at)
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    return high


def _digits_after(step: float) -> int:
    """Return the digits that are right after a step of Newton's of this relative size: the next error is about ten times its square."""
    return _MOST_DIGITS if step < 1e-5 else math.floor(-2 * math.log10(step)) - 1


def _normal_root(n: int, odds_factor: int, top: float, wanted: float) -> float | None:
    """Where the normal approximation of ln delta is `wanted`; None where it would be that of a far tail."""
    low, high = 0.0, top
    while high - low > 1e-9 * high:
        x = (low + high) / 2
        distance, log_delta = _normal(n, odds_factor, top, x)
        low, high = (x, high) if log_delta > wanted else (low, x)
    return high if distance < _FARTHEST else None


def _normal(n: int, odds_factor: int, epsilon0: float, x: float) -> tuple[float, float]:
    """How many standard deviations the mean of S lies below 0, and about ln delta(x).

    S is u and, for each of the other users, u where a clone counts on the right and -v where it counts on the left, independently;
    delta(x) is the mean of S_+ divided by one more than the clones on the right.
    """
    T, E = math.exp(epsilon0), math.exp(x)
    u, v = (T - E) / (T + 1), (E * T - 1) / (T + 1)
    either = odds_factor / (T - 1 + odds_factor) / 2
    mean = u + (n - 1) * either * (u - v)
    deviation = math.sqrt((n - 1) * (either * (u * u + v * v) - (either * (u - v)) ** 2))
    z = -mean / deviation
    positive_part = math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * math.erfc(z / math.sqrt(2)) / 2
    if positive_part <= 0:
        return z, -math.inf
    return z, math.log(deviation) + math.log(positive_part) - math.log((n - 1) * either + 1)


def _profile(n: int, odds_factor: int, epsilon0: Epsilon, x: float) -> tuple[float, float]:
    """About ln delta(x), and -d ln delta / dx."""
    m = n - 1
    with precision(n.bit_length() + _BITS_BEYOND_N):
        constants = Constants.at(odds_factor, epsilon0, Epsilon(Fraction(x), None))
        low, high = window(m, constants, spread=_SPREAD)
        if high - low > LARGEST_WINDOW:
            raise OverflowError
        # What could not be paid after this walk is refused before it.
        require_affordable(high - low + 1, each=_EACH + _CERTIFIED * EACH, bits=0, what=f"certified sums for n = {n}")
        spend(high - low + 1, each=_EACH, bits=0, what=f"certified sums for n = {n}")
        beta = float(constants.beta.mid())
        t = math.floor((low + 1) * beta)
        log_g, ratio = log_start(m, low, t, constants, bits=64)
        shift = math.floor(float(log_g.mid()))
        h = math.exp(float((log_g - shift).mid())) / 2
        M = h * (2 * float(ratio.mid()) - 1)
        odds, q = float(constants.odds.mid()), float(constants.q.mid())
        v, E_minus_1, E = (float(each.mid()) for each in (constants.v, constants.E_minus_1, constants.E))
    sum_h = sum_M = 0.0
    for c in range(low, high + 1):
        sum_h += h
        sum_M += M
        k = odds * (m - c)
        if (c + 2) * beta < t + 1:
            h *= k / (2 * (c + 1 - t))
            M = M * k / (c + 1) - h
        else:
            t += 1
            h *= k / (2 * t)
            M = M * k / (c + 1) + h
    sum_f, sum_F = 2 * sum_h, sum_M + sum_h
    value, in_q = v * sum_f - E_minus_1 * sum_F, sum_F - q * sum_f
    return math.log(value) + shift, E * in_q / value
