"""The privacy profile of binomial noise on a sum in float64, both sides sound (BEYOND.binomial-sum).

The masses are log-concave, so that the divergence from the shift by s is the largest F(t) - E F(t - s) over all t; the other direction is
the same with 1 - p for p.
"""

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.impl.fast.bounds.noise.noise_window import Sides, binomial_window, delta_of, epsilon_of, shifted_sides, widening
from shuffleproof.impl.fast.numeric.results import in_floats, out_of_range
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.protocols import BINOMIAL_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_binomial_sum

LARGEST_COINS = 10**10
"""Coins of all users together, at most: windows of 4 10^6 outcomes hold what counts of so many."""
_LARGEST = Epsilon(Fraction(600), None)


@in_floats(BINOMIAL_SUM)
def delta(*, n: int, sensitivity: int, coins: int, p: Fraction, epsilon: Epsilon) -> Found:
    """Two sides on the least delta for which the sum is (epsilon, delta)-DP, for epsilon up to 600 (BEYOND.binomial-sum).

    coins: of each of the n honest users, at most 10^10 of all together. Only the upper side says something below about 1e-200.
    """
    N = _together(n, coins)
    if p in (0, 1) or sensitivity > N:
        return Found.exactly(1)
    return delta_of(_sides(N, sensitivity, p), epsilon)


@in_floats(BINOMIAL_SUM)
def epsilon(*, n: int, sensitivity: int, coins: int, p: Fraction, delta: Fraction, inputs: Mapping[str, str]) -> Found:
    """Two sides on the least epsilon for which the sum is (epsilon, delta)-DP; delta 1, or from 1e-200 on (BEYOND.binomial-sum).

    Raises RegimeError where delta is surely below the probability that the sum gives the data away.
    """
    N = _together(n, coins)
    if delta == 1:
        return Found.exactly(0)
    if p in (0, 1) or sensitivity > N:
        raise no_epsilon_for_binomial_sum(revealed="1", delta=inputs["delta"])
    sides = _sides(N, sensitivity, p)
    found = epsilon_of(sides, delta)
    if found is None:
        low = Fraction(sides(_LARGEST)[0])
        if low > delta:
            raise no_epsilon_for_binomial_sum(revealed=decimal_text(low, digits=6, direction="up"), delta=inputs["delta"])
        raise out_of_range("delta is next to the probability that the sum gives the data away")
    return found


def directions(*, coins: int, sensitivity: int, p: Fraction) -> tuple[Sides, ...]:
    """Sides of D(Z || s + Z) and of D(s + Z || Z), 0 < p < 1; of p = 1/2 one of both, which agree. coins: of all users together."""

    def one_way(heads: Fraction) -> Sides:
        return widening(
            lambda exponent: binomial_window(coins, heads, exponent=exponent),
            lambda window, epsilon: shifted_sides(window, sensitivity, epsilon),
        )

    return tuple(one_way(heads) for heads in ([p] if p == Fraction(1, 2) else [p, 1 - p]))


def _sides(coins: int, shift: int, p: Fraction) -> Sides:
    """Those of the larger direction."""
    ways = directions(coins=coins, sensitivity=shift, p=p)

    def larger(epsilon: Epsilon) -> tuple[float, float]:
        found = [way(epsilon) for way in ways]
        return max(low for low, _ in found), max(high for _, high in found)

    return larger


def _together(n: int, coins: int) -> int:
    if n * coins > LARGEST_COINS:
        raise out_of_range(f"n coins exceeds {LARGEST_COINS:.0e}")
    return n * coins
