"""The privacy profile of discrete Laplace noise on a sum in float64, both sides sound (BEYOND.laplace-sum).

delta(E) is the largest over 0 <= t < s of 1 - (a^(t + 1) + E a^(s - t))/(1 + a), a = e^(-u), u = eps0/s. It is concave in t, so that
the integers next to its top, ((s - 1) - eps/u)/2, are enough.
"""

import math
from fractions import Fraction

from shuffleproof.impl.fast.numeric.results import EXPONENTIALS, U, in_floats
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import FloatRangeError
from shuffleproof.spec.vocabulary.methods.protocols import LAPLACE_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon

_LARGEST = 700.0
"""Largest epsilon0: e^700 is 1e304, a float."""
_STEPS = 60
"""Halvings at most: an interval of floats is exhausted by about as many."""
_SLACK = 64 * U
"""Relative error of an exponential and what is done with it: libm's is at most four units, arguments of at most 1400 add theirs."""
_RESTS_ON = ("IEEE 754 binary64: +, -, *, / are rounded to nearest", str(EXPONENTIALS))


@in_floats(LAPLACE_SUM)
def delta(*, n: int, sensitivity: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """Two sides on the least delta for which the sum is (epsilon, delta)-DP, absolutely about 10^-12 wide (BEYOND.laplace-sum).

    n users change nothing; sensitivity: at most 2^53; epsilon0 at most 700.
    """
    _require_in_range(sensitivity, epsilon0)
    return Found.exactly(0) if epsilon0 <= epsilon else Found(*_sides(sensitivity, epsilon0, epsilon), rests_on=_RESTS_ON)


@in_floats(LAPLACE_SUM)
def epsilon(*, n: int, sensitivity: int, epsilon0: Epsilon, delta: Fraction) -> Found:
    """Two sides on the least epsilon for which the sum is (epsilon, delta)-DP; the rest as for `delta`."""
    _require_in_range(sensitivity, epsilon0)
    if delta == 0 or epsilon0.exp == 1:
        return Found.exactly_epsilon(epsilon0, bits=64)
    found = []
    for side in (0, 1):
        low, high = Fraction(0), epsilon0.bounds(bits=64)[1]
        for _ in range(_STEPS):  # at every step delta is above the target at low, by its lower or its upper side
            middle = Fraction(float(low + high) / 2)
            if not low < middle < high:
                break
            low, high = (middle, high) if _sides(sensitivity, epsilon0, Epsilon(middle, None))[side] > delta else (low, middle)
        zero = _sides(sensitivity, epsilon0, Epsilon(Fraction(0), Fraction(1)))[side] <= delta
        found.append(Fraction(0) if zero else low if side == 0 else high)
    return Found(found[0], max(found), rests_on=_RESTS_ON)


def _sides(s: int, local: Epsilon, central: Epsilon) -> tuple[Fraction, Fraction]:
    """delta from below and above."""
    whole, spent = local.bounds(bits=64)[0], central.bounds(bits=64)[0]
    u = whole / s
    top = math.floor((Fraction(s - 1) - spent / u) / 2)
    inside = sorted({min(max(t, 0), s - 1) for t in range(top - 1, top + 3)})  # the top itself is known to less than 1
    terms = [_terms(u, s, spent, t) for t in inside]
    low, high = max(1 - above for _, above in terms), max(1 - below for below, _ in terms)
    return Fraction(max(math.nextafter(low, -1.0), 0.0)), Fraction(min(max(math.nextafter(high, 2.0), 0.0), 1.0))


def _terms(u: Fraction, s: int, spent: Fraction, t: int) -> tuple[float, float]:
    """(a^(t + 1) + E a^(s - t))/(1 + a), a little below and above; the exponents are rounded once, from rationals."""
    total = math.exp(-float(u * (t + 1))) + math.exp(float(spent - u * (s - t)))
    value = total / (1 + math.exp(-float(u)))
    slack = _SLACK * (1 + float(u * (s + 1)) + float(spent))
    return math.nextafter(value * (1 - slack), 0.0), math.nextafter(value * (1 + slack), 3.0)


def _require_in_range(s: int, epsilon0: Epsilon) -> None:
    if s > 2**53 or not epsilon0 <= Epsilon(Fraction(_LARGEST), None):
        raise FloatRangeError(what=f"sensitivity {s} at epsilon0 = {epsilon0} in float64", reason="outside its range")
