"""Printing a number as a format specification asks, rounded toward a stated side: "nearest" would claim too much half of the time."""

import math
import re
from fractions import Fraction

from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.numerals import decimal_text

_SPECIFICATION = re.compile(r"(?P<place>(?P<align>.?[<>^])?\d*)(?:\.(?P<digits>\d+))?(?P<form>[efg%]?)", re.DOTALL)
_MOST_DIGITS = 400
"""Digits that a format may ask for."""


def formatted(x: Fraction, specification: str, *, direction: Direction) -> str:
    """x as f"{x:{specification}}" would show it, but never on the wrong side of x.

    specification: [[fill]align][width][.digits][e|f|g|%], g and 6 digits if not given. Raises ValueError for any other, as float does.

    >>> formatted(Fraction(2, 3), ".3f", direction="up"), formatted(Fraction(2, 3), "10.2e", direction="down")
    ('0.667', '   6.66e-01')
    """
    match = _SPECIFICATION.fullmatch(specification)
    digits = 6 if match is None or match["digits"] is None else int(match["digits"])
    if match is None or digits > _MOST_DIGITS:
        raise ValueError(f"format {specification!r} is not [[fill]align][width][.digits][e|f|g|%] with at most {_MOST_DIGITS} digits")
    if match["form"] == "e":
        text = _scientific(x, digits, direction)
    elif match["form"] == "f":
        text = _fixed(x, digits, direction)
    elif match["form"] == "%":
        text = _fixed(100 * x, digits, direction) + "%"
    else:
        text = decimal_text(x, digits=max(digits, 1), direction=direction)
    return format(text, match["place"] if match["align"] else f">{match['place']}" if match["place"] else "")


def _fixed(x: Fraction, digits: int, direction: Direction) -> str:
    if x < 0:
        return "-" + _fixed(-x, digits, "up" if direction == "down" else "down")
    scaled = x * 10**digits
    whole = str(math.floor(scaled) if direction == "down" else math.ceil(scaled)).zfill(digits + 1)
    return f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole


def _scientific(x: Fraction, digits: int, direction: Direction) -> str:
    if x < 0:
        return "-" + _scientific(-x, digits, "up" if direction == "down" else "down")
    if x == 0:
        return f"{0:.{digits}e}"
    exponent = len(str(x.numerator)) - len(str(x.denominator))
    while Fraction(10) ** exponent > x:
        exponent -= 1
    while Fraction(10) ** (exponent + 1) <= x:
        exponent += 1
    mantissa = _fixed(x / Fraction(10) ** exponent, digits, direction)
    if mantissa.startswith("10"):
        mantissa, exponent = _fixed(Fraction(1), digits, direction), exponent + 1
    return f"{mantissa}e{exponent:+03d}"
