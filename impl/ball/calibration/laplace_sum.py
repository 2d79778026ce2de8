"""The least discrete Laplace noise in parts that meets (epsilon, delta): the largest epsilon0 with delta(epsilon) at most delta."""

from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball.bounds.noise import laplace_sum
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, parse_epsilon
from shuffleproof.spec.vocabulary.parameters import DELTA, SENSITIVITY

_DIGITS = 8
"""Digits of each certified delta, and of the epsilon0 that is returned."""


@reads(SENSITIVITY, DELTA, epsilon=partial(parse_epsilon, maximum=1000))
def largest_epsilon0(*, sensitivity: int, epsilon: Epsilon, delta: Fraction) -> tuple[Fraction, Fraction]:
    """(value, fails): an epsilon0 that is certified to meet the target, and a larger one that is certified not to, 7 digits apart.

    sensitivity: at least 1; epsilon: above 0, at most 1000; delta: in [0, 1). A larger epsilon0 is less noise, and its delta is no smaller.
    Raises DomainError, UndecidedError.
    """
    low = epsilon.bounds(bits=64)[0]
    require(low > 0, parameter="epsilon", value=str(epsilon), requirement="above 0")
    require(delta < 1, parameter="delta", value=delta, requirement="below 1: no noise is needed at 1")

    def above(local: Fraction) -> Fraction:
        return laplace_sum.delta(n=1, sensitivity=sensitivity, epsilon0=local, epsilon=epsilon, digits=_DIGITS).upper

    value, fails = Fraction(decimal_text(low, digits=_DIGITS, direction="down")), 2 * low
    while above(fails) <= delta:
        value, fails = fails, 2 * fails
    while True:
        middle = Fraction(decimal_text((value + fails) / 2, digits=_DIGITS, direction="down"))
        if not value < middle < fails:
            break
        value, fails = (middle, fails) if above(middle) <= delta else (value, middle)
    while laplace_sum.delta(n=1, sensitivity=sensitivity, epsilon0=fails, epsilon=epsilon, digits=_DIGITS).lower <= delta:
        fails = Fraction(decimal_text(fails * Fraction(10**7 + 1, 10**7), digits=_DIGITS, direction="up"))
    return value, fails
