"""Rational enclosures of e^x and ln x, with every rounding outward: what exact comparison of privacy parameters rests on."""

import math
from fractions import Fraction
from functools import lru_cache
from typing import Literal

Direction = Literal["down", "up"]
_LN_2 = Fraction(6931471805599453, 10**16)
"""About ln 2: nothing but speed depends on it."""


def approximate_log(x: Fraction) -> float:
    """About ln x for x > 0 of any size, unlike a float's."""
    return math.log(x.numerator) - math.log(x.denominator)


@lru_cache(maxsize=1024)
def exp_bounds(x: Fraction, *, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals lower <= e^x <= upper, upper/lower - 1 <= 2^-bits: Taylor's series after halving, all rounding outward."""
    if x < 0:
        lower, upper = exp_bounds(-x, bits=bits + 2)
        return 1 / upper, 1 / lower
    halvings = max(0, math.ceil(x).bit_length() + 2)
    working = bits + halvings + 16
    # In units of 2^-working, so that all steps are of integers: a sum of Fractions takes a greatest common divisor for each term.
    y_below = (x.numerator << (working - halvings)) // x.denominator
    y_above = -((-x.numerator << (working - halvings)) // x.denominator)
    below, unit_below = _taylor(y_below, bits=working, direction="down"), working
    above, unit_above = _taylor(y_above, bits=working, direction="up"), working
    for _ in range(halvings):
        below, unit_below = _squared(below, unit_below, bits=working, direction="down")
        above, unit_above = _squared(above, unit_above, bits=working, direction="up")
    return below * Fraction(2) ** -unit_below, above * Fraction(2) ** -unit_above


@lru_cache(maxsize=1024)
def log_bounds(ratio: Fraction, *, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals lower <= ln ratio <= upper for ratio >= 1, relative distance at most 2^-bits (both 0 at ratio = 1).

    Newton's step y - 1 + ratio e^-y from any y is at least ln ratio (concavity of ln); its mirror bounds from below.
    """
    if ratio == 1:
        return Fraction(0), Fraction(0)
    if (beyond := ratio - 1) * 2**bits <= 1:  # u - u^2/2 <= ln(1 + u) <= u: Newton would need as many bits as u has zeros
        return rounded(beyond - beyond**2 / 2, bits=bits + 8, direction="down"), rounded(beyond, bits=bits + 8, direction="up")
    working = 64
    # Where to start: ln ratio = doublings ln 2 + 2 artanh z, five terms of artanh; no float, so that every platform takes the same steps.
    doublings = 0 if ratio < 2 else ratio.numerator.bit_length() - ratio.denominator.bit_length() - 1
    mantissa = ratio / 2**doublings
    z = rounded((mantissa - 1) / (mantissa + 1), bits=working, direction="down")
    artanh = sum((z ** (2 * k + 1) / (2 * k + 1) for k in range(5)), Fraction(0))
    y = rounded(doublings * _LN_2 + 2 * artanh, bits=working, direction="down")
    while True:
        lower_exp, upper_exp = exp_bounds(y, bits=working)
        # ln ratio = y + ln(ratio / e^y), and 1 - 1/z <= ln z <= z - 1
        lower = y + 1 - upper_exp / ratio
        upper = y - 1 + ratio / lower_exp
        if lower > 0 and (upper - lower) * 2**bits <= lower:
            return rounded(lower, bits=bits + 8, direction="down"), rounded(upper, bits=bits + 8, direction="up")
        working = min(2 * working, working + bits + 64)
        y = rounded(upper if lower <= 0 else (lower + upper) / 2, bits=working, direction="down")


def rounded(x: Fraction, *, bits: int, direction: Direction) -> Fraction:
    """x > 0 rounded to a dyadic number of `bits` significant bits, on the stated side."""
    shift = bits - (x.numerator.bit_length() - x.denominator.bit_length())
    # In integers: a quotient of Fractions takes a greatest common divisor, which takes seconds of numbers with 100,000 digits.
    above, below = x.numerator << max(shift, 0), x.denominator << max(-shift, 0)
    whole = above // below if direction == "down" else -(-above // below)
    return Fraction(whole, 2**shift) if shift >= 0 else Fraction(whole * 2**-shift)


def _taylor(y: int, *, bits: int, direction: Direction) -> int:
    """One-sided bound on e^y for 0 <= y <= 1/2, both in units of 2^-bits: the partial sum, and above twice its last term for the rest."""
    total = term = 1 << bits
    k = 0
    while term > 1:
        k += 1
        term = _shifted(term * y, bits, direction=direction)
        term = term // k if direction == "down" else -(-term // k)
        total += term
    return total if direction == "down" else total + 2 * term


def _squared(x: int, unit: int, *, bits: int, direction: Direction) -> tuple[int, int]:
    """The square of x 2^-unit to so many bits, as an integer and its unit."""
    excess = max(0, (x * x).bit_length() - bits)
    return _shifted(x * x, excess, direction=direction), 2 * unit - excess


def _shifted(x: int, places: int, *, direction: Direction) -> int:
    """x / 2^places as an integer, rounded to the stated side."""
    return x >> places if direction == "down" else -(-x >> places)
