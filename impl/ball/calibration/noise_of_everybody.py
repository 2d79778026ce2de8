"""The fewest coins, and the least variance of discrete Gaussian noise, that everybody adds to a sum for it to meet (epsilon, delta)."""

import math
from fractions import Fraction

from shuffleproof.impl.ball.bounds.noise import binomial_sum, discrete_gaussian_sum
from shuffleproof.impl.ball.calibration import crossing
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, decimal_text, parse_epsilon, probability

MOST_COINS = 10**12
"""Coins a user up to which a search goes."""
MOST_VARIANCE = 10**9
"""Variance of each user's noise up to which a search goes."""
_DIGITS = 8
"""Digits of each certified delta, and of the variance that is returned."""


def fewest_coins(*, n: Number, sensitivity: Number, p: Number, epsilon: Number | Epsilon, delta: Number) -> tuple[int, int | None]:
    """(value, fails): coins of each of n users that are certified to be enough, and fewer that are certified not to be, if there are any.

    More coins are post-processing. p: in (0, 1); epsilon: at least 0; delta: above 0 and below 1. Raises DomainError, UnsupportedError,
    UndecidedError, ResourceLimitError.
    """
    noise = probability(p, parameter="p")
    require(0 < noise < 1, parameter="p", value=p, requirement="above 0 and below 1: else it is no noise")
    target = _checked(epsilon, delta)

    def of(coins: int) -> Bound:
        return binomial_sum.delta(n=n, sensitivity=sensitivity, coins=coins, p=noise, epsilon=epsilon, digits=_DIGITS)

    refusal = UnsupportedError(what=f"more than {MOST_COINS:.0e} coins a user", reason="not searched", advice="ask for less privacy")
    return crossing.fewest(of, target, most=MOST_COINS, refusal=refusal)


def least_variance(
    *, n: Number, sensitivity: Number, epsilon: Number | Epsilon, delta: Number, digits: int = 6
) -> tuple[Fraction, Fraction | None]:
    """(value, fails): sigma^2 of each of n users that is certified to be enough, and a smaller one that is certified not to be.

    They are about 10^-digits apart. Nothing is claimed of variances above the value. epsilon: above 0; delta: above 0 and below 1.
    Raises DomainError, UnsupportedError, UndecidedError, ResourceLimitError.
    """
    target, users, s = _checked(epsilon, delta), count(n, parameter="n"), count(sensitivity, parameter="sensitivity")
    size = parse_epsilon(epsilon).bounds(bits=64)[0]
    require(size > 0, parameter="epsilon", value=str(epsilon), requirement="above 0")

    def ends(variance: Fraction) -> tuple[bool, bool]:
        found = discrete_gaussian_sum.delta(n=users, sensitivity=s, variance=variance, epsilon=epsilon, digits=digits + 2)
        return found.upper <= target, found.lower > target

    guess = float(s * s / size) * (2 * (math.log(target.denominator) - math.log(target.numerator)) / float(size) + 1) / users
    enough = _short(Fraction(guess), digits)
    while enough <= MOST_VARIANCE and not ends(enough)[0]:
        enough *= 2
    if enough > MOST_VARIANCE:
        raise UnsupportedError(what="a variance of each user above 10^9", reason="not searched", advice="take a coarser grid")
    fails = enough / 2
    while ends(fails)[0]:
        enough, fails = fails, fails / 2
        if fails < Fraction(1, 10**9):
            return enough, None
    while True:
        middle = _short((enough + fails) / 2, digits)
        if not fails < middle < enough:
            break
        fails, enough = (fails, middle) if ends(middle)[0] else (middle, enough)
    for _ in range(_DIGITS):
        if ends(fails)[1]:
            return enough, fails
        fails = _short(fails * (1 - Fraction(1, 10 ** (digits - 1))), digits)
    return enough, None


def _checked(epsilon: Number | Epsilon, delta: Number) -> Fraction:
    parse_epsilon(epsilon)
    target = probability(delta, parameter="delta")
    if not 0 < target < 1:
        raise DomainError(parameter="delta", value=delta, requirement="above 0 and below 1: without delta no noise is enough")
    return target


def _short(x: Fraction, digits: int) -> Fraction:
    return Fraction(decimal_text(x, digits=digits + 1, direction="up"))
