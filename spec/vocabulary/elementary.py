"""Rational enclosures of e^x and ln x, with every rounding outward: what exact comparison of privacy parameters rests on."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Literal

Direction = Literal["down", "up"]
_LN_2 = Fraction(6931471805599453, 10**16)
"""About ln 2: nothing but speed depends on it."""


@lru_cache(maxsize=1024)
def exp_bounds(x: Fraction, *, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals lower <= e^x <= upper, upper/lower - 1 <= 2^-bits: Taylor's series after halving, all rounding outward."""
    if x < 0:
        lower, upper = exp_bounds(-x, bits=bits + 2)
        return 1 / upper, 1 / lower
    halvings = max(0, math.ceil(x).bit_length() + 2)
    working = bits + halvings + 16
    y_lower = rounded(x / 2**halvings, bits=working, direction="down")
    y_upper = rounded(x / 2**halvings, bits=working, direction="up")
    lower = _taylor(y_lower, bits=working, direction="down")
    upper = _taylor(y_upper, bits=working, direction="up")
    for _ in range(halvings):
        lower = rounded(lower * lower, bits=working, direction="down")
        upper = rounded(upper * upper, bits=working, direction="up")
    return lower, upper


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
    scaled = x * 2**shift if shift >= 0 else x / 2**-shift
    whole = math.floor(scaled) if direction == "down" else math.ceil(scaled)
    return Fraction(whole, 2**shift) if shift >= 0 else Fraction(whole * 2**-shift)


def _taylor(y: Fraction, *, bits: int, direction: Direction) -> Fraction:
    """One-sided bound on e^y for 0 <= y <= 1/2 by the partial sum; the remainder is below its first term times 2."""
    total, term, k = Fraction(1), Fraction(1), 0
    while term and term * 2**bits > 1:
        k += 1
        term = rounded(term * y / k, bits=bits, direction=direction) if y else Fraction(0)
        total += term
    return total if direction == "down" else total + 2 * term
