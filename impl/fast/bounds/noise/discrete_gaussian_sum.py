"""The privacy profile of a sum with discrete Gaussian noise from each user, in float64 with sound sides (BEYOND.discrete-gaussian-sum).

Discrete Gaussians of k sigma^2 and sigma^2 together have masses c e^(-x^2/(2 (k + 1) sigma^2)) (1 + h(x)), |h| <= r_k by Poisson
summation, r_k = 2 sum over j >= 1 of e^(-2 pi^2 j^2 sigma^2 k/(k + 1)). So the masses of the sum lie within a factor L of those of the
discrete Gaussian of n sigma^2, L the product of all (1 + r_k)/(1 - r_k), and its divergences follow by windows of that one.
"""

import math
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.noise.noise_window import EXPONENTS, LARGEST_WINDOW, Window, delta_of, epsilon_of, shifted_sides
from shuffleproof.impl.fast.numeric.results import exactly, out_of_range
from shuffleproof.impl.fast.numeric.rounding import U, accumulated
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import DISCRETE_GAUSSIAN_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, noise_variance, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_discrete_gaussian_sum

SMALLEST_VARIANCE = Fraction(1, 2)
"""Least variance of one user's noise: below it a sum is far from the discrete Gaussian of the sum of variances."""
SMALLEST_DELTA = Fraction(1, 10**200)
"""Least delta > 0 whose epsilon is asked: masses relative to the mode stay normal floats."""
_LARGEST_FACTOR = 1.1
"""Largest factor between the masses of the sum and those of the discrete Gaussian. It enters both sides; beyond, they
would say little."""
_SUMMED = 1000
"""Factors that are multiplied one by one; the others, fewer than n, are at most the largest of them."""


def delta(*, n: Number, sensitivity: Number, variance: Number, epsilon: Number | Epsilon) -> Bound:
    """Two sides on the least delta for which the sum is (epsilon, delta)-DP (BEYOND.discrete-gaussian-sum).

    n: honest users; sensitivity: at least 1; variance: sigma^2 of each, 1/2 or more, so large that the sum's distribution is within a tenth
    of a discrete Gaussian's; epsilon in [0, 600]. Returns an enclosure, as wide as these two distributions are apart. Raises DomainError,
    UnsupportedError.
    """
    profile = _Profile(*_checked(n, sensitivity, variance))
    inputs = as_given(n=n, sensitivity=sensitivity, variance=variance, eps=epsilon)
    return delta_of(DISCRETE_GAUSSIAN_SUM, profile, parse_epsilon(epsilon), inputs=inputs)


def epsilon(*, n: Number, sensitivity: Number, variance: Number, delta: Number) -> Bound:
    """Two sides on the least epsilon for which the sum is (epsilon, delta)-DP; delta 1, or from 1e-200 on (BEYOND.discrete-gaussian-sum).

    The rest as for `delta`. Raises RegimeError at delta = 0.
    """
    profile = _Profile(*_checked(n, sensitivity, variance))
    target = probability(delta, parameter="delta")
    inputs = as_given(n=n, sensitivity=sensitivity, variance=variance, delta=delta)
    if target == 1:
        return exactly(DISCRETE_GAUSSIAN_SUM, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == 0:
        raise no_epsilon_for_discrete_gaussian_sum()
    if target < SMALLEST_DELTA:
        raise out_of_range("delta is below 1e-200")
    found = epsilon_of(DISCRETE_GAUSSIAN_SUM, profile, target, inputs=inputs)
    if found is None:
        raise out_of_range("epsilon exceeds 600")
    return found


class _Profile:
    """Its sides, by the smallest window that is wide enough."""

    def __init__(self, n: int, shift: int, sigma2: Fraction) -> None:
        self.shift, self.variance = shift, float(n * sigma2)
        self.apart = _apart(n, sigma2)
        self.windows: dict[float, Window] = {}

    def __call__(self, epsilon: Epsilon) -> tuple[float, float]:
        low, high = 0.0, 1.0
        for exponent in EXPONENTS:
            if exponent not in self.windows:
                self.windows[exponent] = self._window(exponent)
            window = self.windows[exponent]
            low, high = shifted_sides(window, self.shift, epsilon)
            if window.outside <= 1e-12 * low:
                break
        return low, high

    def _window(self, exponent: float) -> Window:
        """The masses of the discrete Gaussian, the error including that of its distribution.

        Pr(|Y| > h) <= 2 e^(-h^2/(2 n sigma^2)), as for it.
        """
        half = math.ceil(math.sqrt(2 * exponent * self.variance)) + 2
        if 2 * half > LARGEST_WINDOW:
            raise out_of_range("its sums would have millions of terms")
        x = np.arange(-half, half + 1, dtype=np.float64)
        values = np.exp(-x * x / (2 * self.variance)) / (math.sqrt(2 * math.pi * self.variance) * (1 + _theta(self.variance)))
        steps = 64 * U * (1 + exponent)  # an argument of at most the exponent and a little, rounded four times, and an exponential
        outside = 2 * math.exp(-exponent) + (1e-290 if float(values.min()) < 1e-300 else 0.0)
        return Window.of(-half, values, error=steps + (self.apart - 1) * (1 + 2**-20) + accumulated(8), outside=outside)


def _apart(n: int, sigma2: Fraction) -> float:
    """L, from above."""
    logarithm, last = 0.0, 0.0
    for k in range(1, min(n, _SUMMED)):
        r = _theta(float(sigma2 * k / (k + 1)))
        last = math.log1p(r) - math.log1p(-r)
        logarithm += last
    logarithm += last * max(n - 1 - _SUMMED + 1, 0)  # r_k falls with k
    found = math.exp(logarithm * (1 + 2**-30)) * (1 + 2**-40) if logarithm < 1 else math.inf
    if found > _LARGEST_FACTOR:
        raise out_of_range("so many users with so little noise each add up to a distribution of their own")
    return found


def _theta(variance: float) -> float:
    """At least 2 sum over j >= 1 of e^(-2 pi^2 j^2 variance), by 2^-30 of it at most, for a variance of at least 1/4."""
    return 2 * math.exp(-2 * math.pi**2 * variance) * (1 + 2 * math.exp(-6 * math.pi**2 * variance)) * (1 + 2**-31)


def _checked(n: Number, sensitivity: Number, variance: Number) -> tuple[int, int, Fraction]:
    sigma2 = noise_variance(variance)
    if sigma2 < SMALLEST_VARIANCE:
        raise out_of_range("the variance is below 1/2")
    return count(n, parameter="n"), count(sensitivity, parameter="sensitivity"), sigma2
