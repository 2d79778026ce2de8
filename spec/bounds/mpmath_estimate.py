"""Closed forms evaluated in mpmath: exact numbers in, a record out that says it is an estimate."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from mpmath import expm1, mp, mpf

from shuffleproof.spec.vocabulary.asking import EngineFunction, Found
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import Epsilon

GUARD_DIGITS = 25
"""Digits carried beyond those that are shown: an estimate is no bound, but its last digit should be right."""


def number(x: Fraction) -> Any:
    """A rational at the working precision."""
    return mpf(x.numerator) / x.denominator


def exp(epsilon: Epsilon) -> Any:
    """e^epsilon at the working precision."""
    return number(epsilon.exp) if epsilon.exp is not None else mp.exp(number(epsilon.bounds(bits=1)[0]))


def exp_minus_1(epsilon: Epsilon) -> Any:
    """e^epsilon - 1 at the working precision, without cancellation."""
    return number(epsilon.exp - 1) if epsilon.exp is not None else expm1(number(epsilon.bounds(bits=1)[0]))


def estimated(method: Method) -> Callable[[Callable[..., Found | Bound]], EngineFunction]:
    """Declare a function of exact values as an estimate: mpmath gives digits without a proof of them, so there is no claim."""
    return partial(EngineFunction, method, finish=_finish)


def near(value: Any, *, digits: int) -> Found:
    """Return what lies around a value at the working precision that it was computed with; digits: how many are believed to be right."""
    margin = abs(value) * mpf(10) ** -digits
    return Found(_fraction(value - margin), _fraction(value + margin))


def _finish(method: Method, quantity: Quantity, found: Found, inputs: Mapping[str, str], _: Any) -> Bound:
    return Bound(
        quantity=quantity,
        side="estimate",
        lower=found.lower,
        upper=found.upper,
        value_of=method.value_of(quantity),
        claim="none: mpmath evaluates the formula without a proved error; the ball engine certifies it",
        mechanisms=method.mechanisms,
        method=method.name,
        statement=method.statement,
        relation=method.relation,
        engine="mpmath",
        inputs=dict(inputs),
    )


def _fraction(x: Any) -> Fraction:
    sign, mantissa, exponent, _ = x._mpf_
    return (-1 if sign else 1) * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
