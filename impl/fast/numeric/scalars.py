"""Constants of an evaluation in decimal arithmetic of 60 digits: exponentials, their differences, logarithms of factorials.

Each function says how large its error can be. `decimal` rounds +, -, *, / correctly (relative error 5e-60); ln and exp are documented
as correctly rounded and granted twenty times as much (rounding.ASSUMPTIONS).
"""

import math
from contextlib import AbstractContextManager
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from fractions import Fraction
from functools import lru_cache

from shuffleproof.impl.fast.numeric.rounding import DIGITS
from shuffleproof.spec.vocabulary.errors import FloatRangeError
from shuffleproof.spec.vocabulary.numerals import Epsilon

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628621")
"""To 77 decimals; 60 digits are carried."""
_STIRLING_FROM = 256
"""From here Stirling's series is used: its first term left out, 3617/122400/256^15, is 2.3e-38."""
_STIRLING = (
    Fraction(1, 12),
    Fraction(-1, 360),
    Fraction(1, 1260),
    Fraction(-1, 1680),
    Fraction(1, 1188),
    Fraction(-691, 360360),
    Fraction(1, 156),
)
"""B_2j/(2j (2j - 1)) for j = 1 .. 7: the coefficients of Stirling's series for ln k!."""
LARGEST_EPSILON = 10**4
"""Largest epsilon whose exponential is computed: the limit of every engine's parameters."""
_MOST_DIGITS = 1200
"""Digits at which e^a - e^b is refused: half of them agree then."""


def working(digits: int = DIGITS) -> AbstractContextManager[Context]:
    """Decimal arithmetic of so many digits, whatever the caller's own context is."""
    return localcontext(_context(digits))  # a copy


@lru_cache(maxsize=64)
def _context(digits: int) -> Context:
    traps = [InvalidOperation, DivisionByZero, Overflow]
    return Context(prec=digits, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=traps, clamp=0)


def decimal_of(x: Fraction) -> Decimal:
    """x in the working precision, three roundings at most."""
    return (+Decimal(x.numerator)) / (+Decimal(x.denominator))


@lru_cache(maxsize=64)
def value(epsilon: Epsilon) -> Decimal:
    """epsilon > 0, relative error at most 1e-57."""
    if epsilon.exp is None:
        assert epsilon.rational is not None
        with working():
            return decimal_of(epsilon.rational)
    lost = max(0, -_order(epsilon.exp - 1)) if epsilon.exp < 2 else 0
    with working(DIGITS + 2 * lost):
        logarithm = decimal_of(epsilon.exp).ln()
    with working():
        return +logarithm


def exponential(epsilon: Epsilon) -> Decimal:
    """e^epsilon in the precision of the caller's context: its last six digits are uncertain. Raises FloatRangeError above 10^4."""
    if epsilon.exp is not None:
        return decimal_of(epsilon.exp)
    assert epsilon.rational is not None
    if epsilon.rational > LARGEST_EPSILON:
        raise FloatRangeError(what="the float64 engine", reason=f"it answers for epsilon up to {LARGEST_EPSILON}")
    return decimal_of(epsilon.rational).exp()


def exponential_minus_1(epsilon: Epsilon) -> Decimal:
    """e^epsilon - 1 for epsilon > 0, relative error at most 1e-46."""
    with working():
        if epsilon.exp is not None:
            return decimal_of(epsilon.exp - 1)
        assert epsilon.rational is not None
        return _expm1(decimal_of(epsilon.rational))


def exponential_difference(larger: Epsilon, smaller: Epsilon) -> Decimal:
    """e^larger - e^smaller > 0, relative error at most 1e-40. Raises UnsupportedError if a thousand digits do not separate them."""
    with working():
        if larger.rational is not None and smaller.rational is not None:
            return exponential(smaller) * _expm1(decimal_of(larger.rational - smaller.rational))
        if larger.exp is not None and smaller.exp is not None:
            return decimal_of(larger.exp - smaller.exp)
    digits = DIGITS
    while digits <= _MOST_DIGITS:
        with working(digits):
            above = exponential(larger)
            difference = above - exponential(smaller)
        if difference > 0 and above.adjusted() - difference.adjusted() <= digits - 48:
            with working():
                return +difference
        digits *= 2
    raise FloatRangeError(
        what="the float64 engine at an epsilon this close to epsilon0",
        reason=f"e^epsilon0 and e^epsilon agree to {_MOST_DIGITS // 2} digits or more",
    )


@lru_cache(maxsize=512)
def log_factorial(k: int) -> Decimal:
    """ln k! for 0 <= k <= 10^12, absolute error at most 1e-37.

    Stirling's series for k >= 256; its terms alternate and envelop the value, so the error is below the first term left out,
    3617/(122400 k^15) < 2.3e-38; rounding adds at most 1e-45 (numbers up to 3e13, a dozen operations).
    """
    with working():
        if k < _STIRLING_FROM:
            return Decimal(math.factorial(k)).ln()
        x = Decimal(k)
        series = Decimal(0)
        for coefficient in reversed(_STIRLING):
            series = series / (x * x) + decimal_of(coefficient)
        return (x + Decimal("0.5")) * x.ln() - x + (2 * PI).ln() / 2 + series / x


def _expm1(y: Decimal) -> Decimal:
    """e^y - 1 for y > 0, relative error at most 1e-46 for 60 digits: the difference loses 8, the series leaves out y^6/5040."""
    if y > Decimal("1e-8"):
        return y.exp() - 1
    series = Decimal(1)
    for k in range(6, 1, -1):
        series = 1 + y * series / k
    return y * series


def _order(x: Fraction) -> int:
    """About log10 x, for x > 0."""
    return math.floor((x.numerator.bit_length() - x.denominator.bit_length()) * 0.30103)
