"""The fewest coins, and the least variance of discrete Gaussian noise, that everybody adds to a sum for it to meet (epsilon, delta)."""

import math
from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball.bounds.noise import binomial_sum, discrete_gaussian_sum
from shuffleproof.impl.ball.calibration import crossing
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, proper_share
from shuffleproof.spec.vocabulary.parameters import EPSILON, SENSITIVITY, N

MOST_COINS = 10**12
"""Coins a user up to which a search goes."""
MOST_VARIANCE = 10**9
"""Variance of each user's noise up to which a search goes."""
_DIGITS = 8
"""Digits of each certified delta, and of the variance that is returned."""


_target = partial(proper_share, why=": without delta no noise is enough")


@reads(N, SENSITIVITY, EPSILON, p=partial(proper_share, why=": else it is no noise"), delta=_target)
def fewest_coins(*, n: int, sensitivity: int, p: Fraction, epsilon: Epsilon, delta: Fraction) -> tuple[int, int | None]:
    """(value, fails): coins of each of n users that are certified to be enough, and fewer that are certified not to be, if there are any.

    More coins are post-processing. p: in (0, 1); epsilon: at least 0; delta: above 0 and below 1. Raises DomainError, UnsupportedError,
    UndecidedError, ResourceLimitError.
    """

    def of(coins: int) -> Bound:
        return binomial_sum.delta(n=n, sensitivity=sensitivity, coins=coins, p=p, epsilon=epsilon, digits=_DIGITS)

    refusal = UnsupportedError(what=f"more than {MOST_COINS:.0e} coins a user", reason="not searched", advice="ask for less privacy")
    return crossing.fewest(of, delta, most=MOST_COINS, refusal=refusal)


@reads(N, SENSITIVITY, EPSILON, delta=_target)
def least_variance(*, n: int, sensitivity: int, epsilon: Epsilon, delta: Fraction, digits: int = 6) -> tuple[Fraction, Fraction | None]:
    """(value, fails): sigma^2 of each of n users that is certified to be enough, and a smaller one that is certified not to be.

    They are about 10^-digits apart. Nothing is claimed of variances above the value. epsilon: above 0; delta: above 0 and below 1.
    Raises DomainError, UnsupportedError, UndecidedError, ResourceLimitError.
    """
    size = epsilon.bounds(bits=64)[0]
    require(size > 0, parameter="epsilon", value=str(epsilon), requirement="above 0")

    def ends(variance: Fraction) -> tuple[bool, bool]:
        found = discrete_gaussian_sum.delta(n=n, sensitivity=sensitivity, variance=variance, epsilon=epsilon, digits=digits + 2)
        return found.upper <= delta, found.lower > delta

    guess = float(sensitivity**2 / size) * (2 * (math.log(delta.denominator) - math.log(delta.numerator)) / float(size) + 1) / n
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


def _short(x: Fraction, digits: int) -> Fraction:
    return Fraction(decimal_text(x, digits=digits + 1, direction="up"))
