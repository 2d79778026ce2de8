"""The privacy profile of binomial noise on a sum in float64, both sides sound (BEYOND.binomial-sum).

The masses are log-concave, so that the divergence from the shift by s is the largest F(t) - E F(t - s) over all t; the other direction is
the same with 1 - p for p.
"""

from fractions import Fraction

from shuffleproof.impl.fast.bounds.noise.noise_window import EXPONENTS, Window, binomial_window, delta_of, epsilon_of, shifted_sides
from shuffleproof.impl.fast.numeric.results import exactly, out_of_range
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import BINOMIAL_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, decimal_text, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_binomial_sum

LARGEST_COINS = 10**10
"""Coins of all users together, at most: windows of 4 10^6 outcomes hold what counts of so many."""
SMALLEST_DELTA = Fraction(1, 10**200)
"""Least delta > 0 whose epsilon is asked: masses relative to the mode stay normal floats."""
_LARGEST = Epsilon(Fraction(600), None)


def delta(*, n: Number, sensitivity: Number, coins: Number, p: Number, epsilon: Number | Epsilon) -> Bound:
    """Two sides on the least delta for which the sum is (epsilon, delta)-DP (BEYOND.binomial-sum).

    n: honest users; sensitivity: at least 1; coins: of each of them, at most 10^10 of all together; p in [0, 1]; epsilon in [0, 600].
    Returns an enclosure, of side "upper" below about 1e-200. Raises DomainError, UnsupportedError.
    """
    N, s, noise = _checked(n, sensitivity, coins, p)
    central = parse_epsilon(epsilon)
    inputs = as_given(n=n, sensitivity=sensitivity, coins=coins, p=p, eps=epsilon)
    if noise in (0, 1) or s > N:
        return exactly(BINOMIAL_SUM, "delta", "1", Fraction(1), Fraction(1), inputs=inputs)
    return delta_of(BINOMIAL_SUM, _Profile(N, s, noise), central, inputs=inputs)


def epsilon(*, n: Number, sensitivity: Number, coins: Number, p: Number, delta: Number) -> Bound:
    """Two sides on the least epsilon for which the sum is (epsilon, delta)-DP; delta 1, or from 1e-200 on (BEYOND.binomial-sum).

    The rest as for `delta`. Raises RegimeError where delta is surely below the probability that the sum gives the data away.
    """
    N, s, noise = _checked(n, sensitivity, coins, p)
    target = probability(delta, parameter="delta")
    inputs = as_given(n=n, sensitivity=sensitivity, coins=coins, p=p, delta=delta)
    if target == 1:
        return exactly(BINOMIAL_SUM, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if noise in (0, 1) or s > N:
        raise no_epsilon_for_binomial_sum(revealed="1", delta=str(delta))
    profile = _Profile(N, s, noise)
    if target < SMALLEST_DELTA:
        raise out_of_range("delta is below 1e-200")
    found = epsilon_of(BINOMIAL_SUM, profile, target, inputs=inputs)
    if found is None:
        low = Fraction(profile(_LARGEST)[0])
        if low > target:
            raise no_epsilon_for_binomial_sum(revealed=decimal_text(low, digits=6, direction="up"), delta=str(delta))
        raise out_of_range("delta is next to the probability that the sum gives the data away")
    return found


class _Profile:
    """Its sides, by the smallest windows that are wide enough, in both directions."""

    def __init__(self, coins: int, shift: int, p: Fraction) -> None:
        self.coins, self.shift = coins, shift
        self.ways = [p] if p == Fraction(1, 2) else [p, 1 - p]
        self.windows: dict[tuple[Fraction, float], Window] = {}

    def __call__(self, epsilon: Epsilon) -> tuple[float, float]:
        found = [self._one_way(p, epsilon) for p in self.ways]
        return max(low for low, _ in found), max(high for _, high in found)

    def _one_way(self, p: Fraction, epsilon: Epsilon) -> tuple[float, float]:
        low, high = 0.0, 1.0
        for exponent in EXPONENTS:
            if (p, exponent) not in self.windows:
                self.windows[p, exponent] = binomial_window(self.coins, p, exponent=exponent)
            window = self.windows[p, exponent]
            low, high = shifted_sides(window, self.shift, epsilon)
            if window.outside <= 1e-12 * low:
                break
        return low, high


def _checked(n: Number, sensitivity: Number, coins: Number, p: Number) -> tuple[int, int, Fraction]:
    together = count(n, parameter="n") * count(coins, parameter="coins")
    if together > LARGEST_COINS:
        raise out_of_range(f"n coins exceeds {LARGEST_COINS:.0e}")
    return together, count(sensitivity, parameter="sensitivity"), probability(p, parameter="p")
