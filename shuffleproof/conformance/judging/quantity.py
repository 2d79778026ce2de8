"""Numbers as claimed and as stored, negative ones and logarithms among them, compared exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.vocabulary import numerals
from shuffleproof.spec.vocabulary.elementary import Direction, log_bounds, rounded
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Epsilon, exact_fraction

_WANTED = 'a number such as 3, "1e-6" or "7/24", or the logarithm of a positive one, such as "ln 3"'
_BITS = 256
"""Bits of a logarithm's ends: 77 digits, so that an answer is compared with the truth, not with rounding."""
_SIDES: tuple[Direction, Direction] = ("down", "up")
LARGEST_EXPONENT = 99_999
"""The largest power of ten in an answer: the five digits that the protocol's schema allows, so that whatever it accepts can be judged."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact real number: a rational, or the logarithm of one (never both).

    rational: the number itself, or None; exp: e to the number, or None.
    """

    rational: Fraction | None
    exp: Fraction | None

    def __lt__(self, other: Quantity) -> bool:
        return compare(self, other) < 0

    def __le__(self, other: Quantity) -> bool:
        return compare(self, other) <= 0

    def __gt__(self, other: Quantity) -> bool:
        return compare(self, other) > 0

    def __ge__(self, other: Quantity) -> bool:
        return compare(self, other) >= 0

    @property
    def negative(self) -> bool:
        """Return whether the number is below 0."""
        return self.rational < 0 if self.rational is not None else _some(self.exp) < 1

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Rationals lower <= number <= upper, equal for a rational, within 2^-256 of each other relatively for a logarithm."""
        if self.rational is not None:
            return self.rational, self.rational
        exp = _some(_magnitude(self).exp)
        below, above = exp, exp
        if (
            exp >= 2 and exp.numerator.bit_length() > 4 * _BITS
        ):  # a relative error of 2^-512 moves a logarithm above ln 2 by less than 2^-511
            below, above = (rounded(exp, bits=2 * _BITS, direction=side) for side in _SIDES)
        lower, upper = log_bounds(below, bits=_BITS)[0], log_bounds(above, bits=_BITS)[1]
        return (-upper, -lower) if self.negative else (lower, upper)


def parse_quantity(text: str, *, parameter: str = "value") -> Quantity:
    """The exact number that a text stands for. Raises DomainError.

    >>> parse_quantity("ln 3") > parse_quantity("1.0986122886681096")
    True
    """
    stripped = text.strip()
    if not stripped.startswith("ln"):
        return Quantity(exact_fraction(stripped, parameter=parameter, requirement=_WANTED, largest_exponent=LARGEST_EXPONENT), None)
    inside = stripped[2:]
    bracketed = inside.strip().startswith("(") and inside.strip().endswith(")")
    require(bracketed or inside[:1].isspace(), parameter=parameter, value=text, requirement=_WANTED)
    argument = inside.strip()[1:-1] if bracketed else inside
    exp = exact_fraction(argument, parameter=parameter, requirement=_WANTED, largest_exponent=LARGEST_EXPONENT)
    require(exp > 0, parameter=parameter, value=text, requirement=_WANTED)
    return Quantity(Fraction(0), None) if exp == 1 else Quantity(None, exp)


def compare(left: Quantity, right: Quantity) -> int:
    """-1, 0 or 1 as left is below, equal to or above right; always decided, in rational arithmetic."""
    if left.negative != right.negative:
        return -1 if left.negative else 1
    if left.negative:
        return numerals.compare(_magnitude(right), _magnitude(left))
    return numerals.compare(_magnitude(left), _magnitude(right))


def _magnitude(x: Quantity) -> Epsilon:
    """|x|, which the vocabulary of privacy parameters can compare."""
    if x.rational is not None:
        return Epsilon(abs(x.rational), Fraction(1) if x.rational == 0 else None)
    exp = _some(x.exp)
    return Epsilon(None, exp if exp > 1 else 1 / exp)


def _some(x: Fraction | None) -> Fraction:
    assert x is not None
    return x
