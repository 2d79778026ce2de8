"""Guess where the root of the optimal pair's profile lies, in plain floats: the certified search starts there.

delta = (q/n) E[X_+] for a sum X of n draws. Under the distribution tilted by e^(theta X), theta near the saddle point, X is about normal,
and

    E[X_+] = Z(theta)^n E~[e^(-theta X) X_+],

the latter by Simpson's rule over the normal density with Edgeworth's corrections for skewness and kurtosis: four to six digits of epsilon
where reports of a or b are many. Where they are few, Chernoff's bound on delta says where to start.
"""

import math
from fractions import Fraction

from shuffleproof.impl.ball.bounds.blanket import root_along_a_line
from shuffleproof.impl.ball.bounds.blanket.root_along_a_line import Law
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_sums import in_floats
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_window import Masses, saddle, tilted
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

_MANY = 50.0
"""Mean number of reports of a or b from which Edgeworth's expansion is tried; Chernoff's bound guesses below."""
_FARTHEST = 9.0
"""Standard deviations to which the normal density is integrated: e^-40 is beyond."""
_POINTS = 200
"""Points of Simpson's rule there: to six digits, which is what the expansion gives."""
_SAFELY = math.log(4)
"""Logarithm by which delta(0) has to be above the target for the root to be taken as positive: the guess is nearer than
a factor of four."""
_NEAR_ZERO = 1e-9
"""Where the search begins, as a part of the largest epsilon."""
_STEPS = 40
"""Bisections, on a logarithmic scale: 21/2^40, 2e-11, is left."""
_GOOD_DIGITS = 4
"""Digits claimed of the root by Edgeworth's expansion."""
_FEW = 10_000
"""Users whose sums in floats cost little, so that a last step by them pays."""
_MOST_DIGITS = 9
"""Digits claimed after that step: one from five digits leaves nine."""
_BITS = 64
"""Bits, beyond those of n, with which the first terms of the sums in floats are made."""
_SPREAD = 23.0
"""Minus the logarithm of what these sums leave out: e^-23 is 1e-10."""
_NEAR = 20_000
"""x over a step that is small enough for the next error not to be seen in nine digits."""


def initial_guess(n: int, masses: Masses, top: Epsilon, delta: Fraction) -> tuple[Fraction, int, bool]:
    """(where epsilon(delta) is about, how many digits of that are right, about, and whether the root may be 0): speed depends on them."""
    wanted = math.log(delta.numerator) - math.log(delta.denominator)
    highest = top.bounds(bits=64)[0]
    last = float(min(highest, Fraction(700)))

    def inside(guess: float) -> Fraction:
        return min(max(Fraction(guess), highest / 10**30), highest * Fraction(999, 1000))

    try:
        if n * float(masses.either) > _MANY and _log_delta(n, masses, 0.0) > wanted + _SAFELY:
            low, high = _NEAR_ZERO * last, last
            for _ in range(_STEPS):
                middle = math.sqrt(low * high)
                low, high = (middle, high) if _log_delta(n, masses, math.expm1(middle)) > wanted else (low, middle)
            return inside(high), _GOOD_DIGITS, False
    except (OverflowError, ValueError, ZeroDivisionError):
        pass
    low, high = 0.0, last
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _chernoff_exponent(n, masses, math.exp(middle)) > wanted else (low, middle)
    return inside(high), 0, True


def near_root(n: int, masses: Masses, largest: float, delta: Fraction) -> tuple[Fraction, int] | None:
    """The same, for less, to so many digits; None where floats do not do. largest: the largest log-ratio."""
    x, either = float(masses.x), float(masses.either)

    def law(E_minus_1: float) -> Law:
        return (either / 2, either / 2, float(masses.d)), (1 - x - E_minus_1 * x, x - 1 - E_minus_1, -E_minus_1)

    log_scale, few = _log_q(masses) - math.log(n), n <= _FEW
    found = root_along_a_line.near_root(n, law, log_scale=log_scale, largest=largest, delta=delta, closely=not few)
    if found is None or not few:
        return found
    better = _nearer(n, masses, found[0], delta)
    return found if better is None else (better, _MOST_DIGITS)


def _nearer(n: int, masses: Masses, x: Fraction, delta: Fraction) -> Fraction | None:
    """A step of Newton's from there, by the sums themselves in floats; None where these do not do."""
    wanted = math.log(delta.numerator) - math.log(delta.denominator)
    try:
        with precision(_BITS + n.bit_length()):
            found = in_floats(n=n, masses=masses, epsilon=Epsilon(x, None), spread=_SPREAD, shift=math.floor(-wanted))
        if found is None:
            return None
        step = Fraction((found[0] - wanted) / found[1])
    except (OverflowError, ValueError, ZeroDivisionError, UndecidedError, ResourceLimitError):
        return None
    return x + step if abs(step) < x / _NEAR else None


def _chernoff_exponent(n: int, masses: Masses, E: float) -> float:
    """ln of about (q/(n e theta)) Z^n at the best theta, for 1 <= E: near ln delta, mostly above."""
    x = float(masses.x)
    values = (max(1 - E * x, 1e-300), x - E, 1 - E)
    theta = saddle(n, masses, values)
    return n * math.log(sum(tilted(theta, masses, values))) + _log_q(masses) - math.log(n * math.e * theta)


def _log_q(masses: Masses) -> float:
    """q itself may be beyond a float."""
    return math.log(masses.q.numerator) - math.log(masses.q.denominator)


def _log_delta(n: int, masses: Masses, E_minus_1: float) -> float:
    """About ln delta at e^eps - 1; ValueError where the corrected density is no density."""
    x = float(masses.x)
    values = (1 - x - E_minus_1 * x, x - 1 - E_minus_1, -E_minus_1)
    if values[0] <= 0:
        return -math.inf
    theta = saddle(n, masses, values)
    weights = tilted(theta, masses, values)
    total = sum(weights)
    mean = sum(w * v for w, v in zip(weights, (*values, 0.0), strict=True)) / total
    second, third, fourth = (sum(w * (v - mean) ** k for w, v in zip(weights, (*values, 0.0), strict=True)) / total for k in (2, 3, 4))
    spread = math.sqrt(n * second)
    skewness, kurtosis = n * third / spread**3, n * (fourth - 3 * second**2) / spread**4
    most = min(n * mean + _FARTHEST * spread, 60 / theta)
    height, integral = most / _POINTS, 0.0
    for k in range(1, _POINTS + 1):
        y = k * height
        z = (y - n * mean) / spread
        corrections = skewness / 6 * (z**3 - 3 * z) + kurtosis / 24 * (z**4 - 6 * z**2 + 3)
        corrections += skewness**2 / 72 * (z**6 - 15 * z**4 + 45 * z**2 - 15)
        weight = 1 if k == _POINTS else 4 if k % 2 else 2
        integral += weight * y * math.exp(-theta * y - z * z / 2) * (1 + corrections)
    return _log_q(masses) - math.log(n) + n * math.log(total) + math.log(integral * height / 3 / (spread * math.sqrt(2 * math.pi)))
