"""Closed forms evaluated in mpmath: exact numbers in, a record out that says it is an estimate."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mpmath import expm1, mp, mpf

from shuffleproof.spec.vocabulary.bound import Bound
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


def estimate(method: Method, value: Any, *, digits: int, inputs: Mapping[str, str]) -> Bound:
    """The record of a method's epsilon near this value, at the working precision that it was computed with.

    digits: how many are believed to be right; nothing proves it, so the side is "estimate" and there is no claim.
    """
    margin = abs(value) * mpf(10) ** -digits
    return Bound(
        quantity="epsilon",
        side="estimate",
        lower=_fraction(value - margin),
        upper=_fraction(value + margin),
        value_of=method.value_of("epsilon"),
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
