"""What the float64 engine assumes about rounding, and how it turns sums into sides.

Analysis. Every float of this engine is obtained from exactly represented integers and once-rounded constants by +, -, *, / of binary64
in any order of evaluation, with all intermediate results normal. Where all summands and factors are positive, a result that went
through k such operations lies within a factor 1 +- gamma_k of its exact value, gamma_k = k U/(1 - k U), U = 2^-53 (Higham, Accuracy
and Stability of Numerical Algorithms, lemma 3.1). The modules count k; nothing else is estimated.

Constants, the few logarithms and exponentials per evaluation, are computed in decimal arithmetic of DIGITS digits (scalars.py).
"""

import math
from dataclasses import dataclass
from decimal import Decimal

U = 2.0**-53
"""Unit roundoff of binary64, rounding to nearest."""
DIGITS = 60
"""Decimal digits carried by the constants of an evaluation."""
SCALAR_ERROR = Decimal("1e-30")
"""Relative error granted to a product of constants; the analysis in scalars.py gives less than 1e-36."""


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
