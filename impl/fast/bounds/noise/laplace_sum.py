"""The privacy profile of discrete Laplace noise on a sum in float64, both sides sound (BEYOND.laplace-sum).

delta(E) is the largest over 0 <= t < s of 1 - (a^(t + 1) + E a^(s - t))/(1 + a), a = e^(-u), u = eps0/s. It is concave in t, so that
the integers next to its top, ((s - 1) - eps/u)/2, are enough.
"""

import math
from fractions import Fraction

from shuffleproof.impl.fast.numeric.results import enclosed, exactly
from shuffleproof.impl.fast.numeric.rounding import EXPONENTIALS, U
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import FloatRangeError
from shuffleproof.spec.vocabulary.methods.protocols import LAPLACE_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon, probability

_LARGEST = 700.0
"""Largest epsilon0: e^700 is 1e304, a float."""
_STEPS = 60
"""Halvings at most: an interval of floats is exhausted by about as many."""
_SLACK = 64 * U
"""Relative error of an exponential and what is done with it: libm's is at most four units, arguments of at most 1400 add theirs."""
_RESTS_ON = ("IEEE 754 binary64: +, -, *, / are rounded to nearest", str(EXPONENTIALS))


def delta(*, n: Number, sensitivity: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """Two sides on the least delta for which the sum is (epsilon, delta)-DP (BEYOND.laplace-sum).

    n: honest users, at least 1; sensitivity: 1 to 2^53; epsilon0 in [0, 700]; epsilon >= 0. Returns an enclosure, absolutely about 10^-12
    wide. Raises DomainError; UnsupportedError beyond these.
    """
    s, local = _checked(n, sensitivity, epsilon0)
    central = parse_epsilon(epsilon)
    inputs = as_given(n=n, sensitivity=sensitivity, eps0=epsilon0, eps=epsilon)
    if local <= central:
        return exactly(LAPLACE_SUM, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    low, high = _sides(s, local, central)
    return enclosed(LAPLACE_SUM, "delta", low, high, inputs=inputs, rests_on=_RESTS_ON)


def epsilon(*, n: Number, sensitivity: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Two sides on the least epsilon for which the sum is (epsilon, delta)-DP; delta in [0, 1], the rest as for `delta`."""
    s, local = _checked(n, sensitivity, epsilon0)
    target = probability(delta, parameter="delta")
    inputs = as_given(n=n, sensitivity=sensitivity, eps0=epsilon0, delta=delta)
    least, most = local.bounds(bits=64)
    if target == 0 or local.exp == 1:
        return exactly(LAPLACE_SUM, "epsilon", str(local), least, most, inputs=inputs)
    found = []
    for side in (0, 1):
        low, high = Fraction(0), most
        for _ in range(_STEPS):  # at every step delta is above the target at low, by its lower or its upper side
            middle = Fraction(float(low + high) / 2)
            if not low < middle < high:
                break
            low, high = (middle, high) if _sides(s, local, Epsilon(middle, None))[side] > target else (low, middle)
        zero = _sides(s, local, Epsilon(Fraction(0), Fraction(1)))[side] <= target
        found.append(Fraction(0) if zero else low if side == 0 else high)
    return enclosed(LAPLACE_SUM, "epsilon", found[0], max(found), inputs=inputs, rests_on=_RESTS_ON)


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


def _checked(n: Number, sensitivity: Number, epsilon0: Number | Epsilon) -> tuple[int, Epsilon]:
    count(n, parameter="n")
    s, local = count(sensitivity, parameter="sensitivity"), epsilon0_parameter(epsilon0)
    if s > 2**53 or not local <= Epsilon(Fraction(_LARGEST), None):
        raise FloatRangeError(what=f"sensitivity {s} at epsilon0 = {local} in float64", reason="outside its range")
    return s, local
