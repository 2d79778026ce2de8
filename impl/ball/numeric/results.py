"""How certified results become Bounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.ball.numeric.evaluation import MOST_BITS, Evaluation, shown
from shuffleproof.spec.vocabulary.asking import EngineFunction, Found
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import decimal_text

_LONGEST_DENOMINATOR = 40_000
"""Bits of a denominator beyond which an end stays a rational: its decimal would have as many digits."""


def certified(method: Method | None = None) -> Callable[[Callable[..., Found | Bound]], EngineFunction]:
    """Declare a function of exact values as the certified engine for the quantity of its name: its enclosure, to the digits asked for.

    method: None for pairs that have theirs as a field.
    """
    return partial(EngineFunction, method, finish=bound)


def evaluated(found: Evaluation) -> Found:
    """Return what one evaluation encloses."""
    return Found(found.lower, found.upper, precision=found.bits)


def larger(*found: Evaluation) -> Found:
    """The largest of several directions."""
    return Found(max(each.lower for each in found), max(each.upper for each in found), precision=max(each.bits for each in found))


def narrowed(value: Callable[[], tuple[Fraction, Fraction]], *, digits: int, bits: int, quantity: str) -> Found:
    """Ends that are as close as asked for, with twice as many bits as long as they are not.

    value: the ends at the current precision. Raises UndecidedError beyond 2^17 bits.
    """
    while bits <= MOST_BITS:
        with precision(bits):
            lower, upper = value()
        if (upper - lower) * 10 ** (digits + 1) <= upper:
            return Found(lower, upper, precision=bits)
        bits *= 2
    raise UndecidedError(quantity=quantity, enclosure=(shown(lower, "down"), shown(upper, "up")), precision=bits)


def between(found: Sequence[Found]) -> Found:
    """The upper end of the first value, and the lower end of the last, where it is certified: one bounds from above, one from below."""
    first, last = found[0], found[-1]
    return Found(min(last.lower if last.lower_certified else Fraction(0), first.upper), first.upper, precision=first.precision)


def rounded(found: Found, *, digits: int) -> Found:
    """Move the ends outward to short decimals: no more digits than asked for, and three. Exact where both are 0."""
    if found.exact is not None:
        return found
    if found.lower == found.upper == 0:
        return Found.exactly(0)
    lower, upper = _decimal(found.lower, digits + 3, "down"), _decimal(found.upper, digits + 3, "up")
    return replace(found, lower=lower, upper=upper, lower_certified=found.lower_certified and lower > 0)


def bound(method: Method, quantity: Quantity, found: Found, inputs: Mapping[str, str], digits: int) -> Bound:
    """The record of what was found, its ends rounded to so many digits and three more."""
    known = rounded(found, digits=found.digits or digits)
    return method.bound(
        quantity,
        side="exact" if known.exact is not None else "enclosure" if known.lower_certified else "upper",
        lower=known.lower,
        upper=known.upper,
        exact=known.exact,
        engine="ball",
        precision=None if known.exact is not None else known.precision,
        inputs=inputs,
    )


def _decimal(x: Fraction, digits: int, direction: Direction) -> Fraction:
    if x.denominator.bit_length() > _LONGEST_DENOMINATOR:  # far below 10^-10000: not worth writing out as a decimal here
        return x
    return Fraction(decimal_text(x, digits=digits, direction=direction))
