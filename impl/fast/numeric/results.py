"""How results of the float64 engine become Bounds: what it assumes about rounding, how sums become sides, and its constants.

Analysis. Every float of this engine is obtained from exactly represented integers and once-rounded constants by +, -, *, / of binary64
in any order of evaluation, with all intermediate results normal. Where all summands and factors are positive, a result that went
through k such operations lies within a factor 1 +- gamma_k of its exact value, gamma_k = k U/(1 - k U), U = 2^-53 (Higham, Accuracy
and Stability of Numerical Algorithms, lemma 3.1). The modules count k; nothing else is estimated.

Constants, the few logarithms and exponentials per evaluation, are computed in decimal arithmetic of DIGITS digits: exponentials, their
differences, logarithms of factorials. Each function says how large its error can be. `decimal` rounds +, -, *, / correctly (relative error
5e-60); ln and exp are documented as correctly rounded and granted twenty times as much (ASSUMPTIONS).
"""

import math
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from shuffleproof.spec.vocabulary.asking import EngineFunction, Found
from shuffleproof.spec.vocabulary.bound import Bound, Quantity, Side
from shuffleproof.spec.vocabulary.errors import FloatRangeError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import Epsilon

U = 2.0**-53
"""Unit roundoff of binary64, rounding to nearest."""
SURE = 1e-305
"""An end of a delta that rests on relative roundings is 0 or no smaller: among subnormal numbers they are not relative."""
DIGITS = 60
"""Decimal digits carried by the constants of an evaluation."""
SCALAR_ERROR = Decimal("1e-30")
"""Relative error granted to a product of constants; the analysis of the constants gives less than 1e-36."""
_BITS = 53
"""The precision named with a result, in bits: that of binary64."""
_LEAST_LOCAL = Epsilon(Fraction(1, 10**300), None)
"""The least epsilon0 in float64: its square roots, quotients and products with weights stay above the least normal float, 2e-308."""
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


@dataclass(frozen=True)
class Assumption:
    """Something about a library that carries no proof here.

    what: the operations; assumed: relative error granted to one of them; box: the arguments it was measured over, against balls;
    worst: the largest relative error seen there, at 10^5 points or more.
    """

    what: str
    assumed: float
    box: str
    worst: float

    def __str__(self) -> str:
        return f"{self.what}: relative error at most {self.assumed:.1e} (measured: {self.worst:.1e} over {self.box})"


ASSUMPTIONS = (
    Assumption(
        what="decimal.Context.ln and exp at 60 digits", assumed=1e-58, box="ln on [1e-300, 1e510], exp on [-2000, 2000]", worst=5.0e-60
    ),
)
"""One row per library function. The running products are not library functions, but tests measure them all the same."""
EXP_ERROR = 4 * U
EXPONENTIALS = Assumption(what="numpy.exp and math.exp", assumed=EXP_ERROR, box="[-700, 700]", worst=2.1e-16)
"""Of the modules that take exponentials of floats."""
RESTS_ON = (
    "IEEE 754 binary64: +, -, *, / of numpy arrays are rounded to nearest (cumulative products and sums: one rounding per step)",
    *(str(assumption) for assumption in ASSUMPTIONS),
)


def accumulated(roundings: int) -> float:
    """An upper bound on gamma_k, the relative error after k roundings, itself rounded up. Needs k < 2^40."""
    assert 0 <= roundings < 2**40
    return roundings * U * (1 + 2.0**-11)


def outward(lower: Decimal, upper: Decimal) -> tuple[float, float]:
    """Floats around [lower, upper]."""
    return -_not_below(lower.copy_negate()), _not_below(upper)  # a minus sign would round as the caller's context says


def _not_below(x: Decimal) -> float:
    """Return the least float that is not below x; decimals and floats are compared exactly."""
    nearest = float(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


def out_of_range(reason: str, *, at: str = "these parameters") -> FloatRangeError:
    """The refusal where sums leave the range of floats."""
    return FloatRangeError(what=f"the float64 engine at {at}", reason=reason)


def require_normal(epsilon0: Epsilon) -> None:
    """Raise FloatRangeError where epsilon0 is below the floats that have full precision."""
    if epsilon0 < _LEAST_LOCAL:
        raise out_of_range("epsilon0 is below 1e-300")


def in_floats(method: Method | None = None) -> Callable[[Callable[..., Found | Bound]], EngineFunction]:
    """Declare a function of exact values as what float64 answers for the quantity of its name, under the assumptions about rounding.

    method: None for pairs that have theirs as a field.
    """
    return partial(EngineFunction, method, finish=_finish)


def _finish(method: Method, quantity: Quantity, found: Found, inputs: Mapping[str, str], _: Any) -> Bound:
    exact = found.exact is not None
    side: Side = "exact" if exact else "lower" if not found.upper_certified else "enclosure" if found.lower_certified else "upper"
    return method.bound(
        quantity,
        side=side,
        lower=found.lower,
        upper=found.upper,
        exact=found.exact,
        engine="fast",
        precision=None if exact else _BITS,
        rests_on=() if exact else found.rests_on or RESTS_ON,
        inputs=inputs,
    )


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
