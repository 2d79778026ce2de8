"""What one certified evaluation of a privacy profile knows, and how certified results become Bounds."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import TINY, ball, ends, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.spec.vocabulary.asking import EngineFunction, Found
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import decimal_text

MOST_BITS = 1 << 17
"""Precision, in bits, at which an evaluation is refused as undecided: 1000 digits of an answer take a tenth."""
_FURTHER = 15.0
"""By how much the exponent of what a window leaves out rises at least from one attempt to the next."""
_BITS_OF_DIGIT = 3.33
"""Bits of a decimal digit."""
_LONGEST_DENOMINATOR = 40_000
"""Bits of a denominator beyond which an end stays a rational: its decimal would have as many digits."""


class Enclosure(NamedTuple):
    """Rational ends that are certified to enclose a number."""

    lower: Fraction
    upper: Fraction


@dataclass(frozen=True)
class Evaluation:
    """The profile at one e^epsilon = E: delta lies in [lower, upper].

    excess, in_q: P(S) - E Q(S) and Q(S) for an event S, so that delta(E') >= P(S) - E' Q(S) = excess + (E - E') Q(S) for every order E'.
    bits: the precision they were computed with.
    """

    E: arb
    excess: arb
    in_q: arb
    lower: Fraction
    upper: Fraction
    bits: int

    def lower_at(self, E: arb) -> Fraction:
        """A certified lower bound on delta at another order E."""
        return lower_end(self.excess + (self.E - E) * self.in_q)


@one_answer()
def refined(attempt: Callable[[int, float], Evaluation], *, digits: int, bits: int, spread: float, tangent: bool = True) -> Evaluation:
    """The first evaluation of relative width at most 10^-digits, or below TINY, under rising precision and wider windows.

    tangent: it also settles that Q(S) > 0, which the tangent needs and which cancels to nothing where e^epsilon0 exceeds 2^bits.

    attempt(bits, spread): an evaluation with that working precision (already set) and window. Raises UndecidedError beyond 2^17
    bits, ResourceLimitError where the attempts together cost too much.
    """
    known: Evaluation | None = None
    while bits <= MOST_BITS:
        try:
            with precision(bits):
                found = attempt(bits, spread)
                known = replace(found, upper=min(found.upper, Fraction(1)))
        except UndecidedError:
            bits *= 2
            continue
        narrow = (known.upper - known.lower) * 10**digits <= known.upper
        if (narrow and (known.in_q > 0 or not tangent)) or known.upper <= TINY:
            return known
        spread += _further(found, digits)
        bits += bits // 2
    enclosure = ("0", "1") if known is None else (shown(known.lower, "down"), shown(known.upper, "up"))
    raise UndecidedError(quantity="delta", enclosure=enclosure, precision=bits)


def _further(known: Evaluation, digits: int) -> float:
    """Return by how much the window's exponent rises: where the excess has its digits, the whole width is what the window leaves out."""
    if not 0 < known.lower < known.upper or known.excess.rel_accuracy_bits() < _BITS_OF_DIGIT * digits:
        return _FURTHER
    wider = (known.upper - known.lower) * 10**digits / known.lower
    return max(_FURTHER, math.log(wider.numerator) - math.log(wider.denominator) + 2)


def surely_at_most(value: Callable[[], arb], most: int, *, more_bits: int) -> bool:
    """Return whether a number is certified to be at most this; where balls do not tell, up to 1024 bits, it is not.

    value: at the current precision, `more_bits` of which it may lose.
    """
    for bits in (128, 1024):
        with precision(bits + more_bits):
            found = value()
            if not upper_end(found) > most:
                return True
            if lower_end(found) > most:
                break
    return False


def is_floor(
    delta: Fraction,
    *,
    exact: Callable[[], Fraction] | None,
    enclosed: Callable[[int], arb],
    more_bits: int,
    what: str,
    refused: Callable[[str], Exception],
) -> bool:
    """Return whether delta is what a profile falls to, and stays at: no epsilon has less.

    exact: the floor, where that is short, so that a tie is one; enclosed: at a precision, with more_bits of it set; what: it, in words;
    refused: the error for a smaller delta, from the floor as text. Raises that; UndecidedError where ball arithmetic cannot tell.
    """
    bits = 128
    while bits <= MOST_BITS:
        with precision(bits + more_bits):
            floor = enclosed(bits)
            if floor < ball(delta):
                return False
            if floor > ball(delta) or (exact is not None and delta < exact()):
                raise refused(decimal_text(exact() if exact is not None else upper_end(floor), digits=6, direction="up"))
        if exact is not None:
            return delta == exact()
        bits *= 2
    raise UndecidedError(quantity=f"{what} - delta", enclosure=("?", "?"), precision=bits)


def shown(x: Fraction, direction: Direction) -> str:
    """An end of an enclosure as an error message shows it."""
    return decimal_text(x, digits=12, direction=direction)


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


def narrowed(value: Callable[[], tuple[Fraction, Fraction]], *, digits: int, bits: int, quantity: str, most: int = MOST_BITS) -> Found:
    """Ends to a relative width of 10^-digits, or below TINY, with twice as many bits as long as they are not.

    value: the ends at the current precision. Raises UndecidedError beyond `most` bits.
    """
    enclosure = ("?", "?")
    while bits <= most:
        with precision(bits), suppress(UndecidedError):  # of a ball without an end
            lower, upper = value()
            if (upper - lower) * 10**digits <= upper or upper <= TINY:
                return Found(lower, upper, precision=bits)
            enclosure = shown(lower, "down"), shown(upper, "up")
        bits *= 2
    raise UndecidedError(quantity=quantity, enclosure=enclosure, precision=bits)


def share(x: arb) -> tuple[Fraction, Fraction]:
    """The ends of what lies in [0, 1]."""
    lower, upper = ends(x)
    return max(lower, Fraction(0)), min(upper, Fraction(1))


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
