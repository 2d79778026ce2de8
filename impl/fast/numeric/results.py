"""How results of the float64 engine become Bounds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.impl.fast.numeric.rounding import RESTS_ON
from shuffleproof.spec.vocabulary.bound import Bound, Quantity, Side
from shuffleproof.spec.vocabulary.errors import FloatRangeError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import Epsilon

_BITS = 53
_LEAST_TOLD_APART = Epsilon(Fraction(1, 10**15), None)
"""Likelihood ratios lie within this of 1, of which float64 keeps 1e-16: about where bounds stop being better than epsilon0."""


def out_of_range(reason: str, *, at: str = "these parameters") -> FloatRangeError:
    """The refusal where sums leave the range of floats."""
    return FloatRangeError(what=f"the float64 engine at {at}", reason=reason)


def require_told_apart(epsilon0: Epsilon) -> None:
    """Refuse randomizers whose reports float64 hardly distinguishes: losses are then smaller than their rounding errors."""
    if epsilon0 < _LEAST_TOLD_APART:
        raise out_of_range("epsilon0 is below 1e-15")


def exactly(method: Method, quantity: Quantity, text: str, lower: Fraction, upper: Fraction, *, inputs: Mapping[str, str]) -> Bound:
    """A value known exactly, given as text in the number grammar and as rational ends that enclose it."""
    return method.bound(quantity, side="exact", lower=lower, upper=upper, exact=text, engine="fast", inputs=inputs)


def enclosed(
    method: Method,
    quantity: Quantity,
    lower: Fraction,
    upper: Fraction,
    *,
    lower_certified: bool = True,
    inputs: Mapping[str, str],
    rests_on: tuple[str, ...] = RESTS_ON,
) -> Bound:
    """An enclosure, resting on the assumptions about rounding; of side "upper" where nothing is certain about the lower end."""
    side: Side = "enclosure" if lower_certified else "upper"
    return method.bound(quantity, side=side, lower=lower, upper=upper, engine="fast", precision=_BITS, rests_on=rests_on, inputs=inputs)
