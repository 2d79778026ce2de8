"""How certified results become Bounds."""

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.impl.ball.numeric.root import Root
from shuffleproof.spec.vocabulary.bound import Bound, Quantity, Side
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import decimal_text

_LONGEST_DENOMINATOR = 40_000
"""Bits of a denominator beyond which an end stays a rational: its decimal would have as many digits."""


def exactly(method: Method, quantity: Quantity, text: str, lower: Fraction, upper: Fraction, *, inputs: Mapping[str, str]) -> Bound:
    """A value known exactly, given as text in the number grammar and as rational ends that enclose it."""
    return method.bound(quantity, side="exact", lower=lower, upper=upper, exact=text, engine="ball", inputs=inputs)


def enclosed(
    method: Method,
    quantity: Quantity,
    lower: Fraction,
    upper: Fraction,
    *,
    digits: int,
    precision: int | None = None,
    lower_certified: bool = True,
    inputs: Mapping[str, str],
) -> Bound:
    """An enclosure; exact where both ends are 0, of side "upper" where only the upper end is informative."""
    if lower == upper == 0:
        return exactly(method, quantity, "0", lower, upper, inputs=inputs)
    # No more digits than asked for (and three): the ends move outward to short decimals.
    lower, upper = _decimal(lower, digits + 3, "down"), _decimal(upper, digits + 3, "up")
    side: Side = "enclosure" if lower_certified and lower > 0 else "upper"
    return method.bound(quantity, side=side, lower=lower, upper=upper, engine="ball", precision=precision, inputs=inputs)


def solved(method: Method, root: Root, *, digits: int, inputs: Mapping[str, str]) -> Bound:
    """The epsilon that a search has enclosed."""
    return enclosed(
        method, "epsilon", root.lower, root.upper, digits=digits, precision=root.bits, lower_certified=root.lower_certified, inputs=inputs
    )


def _decimal(x: Fraction, digits: int, direction: Direction) -> Fraction:
    if x.denominator.bit_length() > _LONGEST_DENOMINATOR:  # far below 10^-10000: not worth writing out as a decimal here
        return x
    return Fraction(decimal_text(x, digits=digits, direction=direction))
