"""How results of the float64 engine become Bounds."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from shuffleproof.impl.fast.numeric.rounding import RESTS_ON
from shuffleproof.spec.vocabulary.asking import EngineFunction, Found
from shuffleproof.spec.vocabulary.bound import Bound, Quantity, Side
from shuffleproof.spec.vocabulary.errors import FloatRangeError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import Epsilon

_BITS = 53
"""The precision named with a result, in bits: that of binary64."""
_LEAST_LOCAL = Epsilon(Fraction(1, 10**300), None)
"""The least epsilon0 in float64: its square roots, quotients and products with weights stay above the least normal float, 2e-308."""


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
