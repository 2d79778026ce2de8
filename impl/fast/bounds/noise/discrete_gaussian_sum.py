"""The privacy profile of a sum with discrete Gaussian noise from each user, in float64 with sound sides (BEYOND.discrete-gaussian-sum).

Discrete Gaussians of k sigma^2 and sigma^2 together have masses c e^(-x^2/(2 (k + 1) sigma^2)) (1 + h(x)), |h| <= r_k by Poisson
summation, r_k = 2 sum over j >= 1 of e^(-2 pi^2 j^2 sigma^2 k/(k + 1)). So the masses of the sum lie within a factor L of those of the
discrete Gaussian of n sigma^2, L the product of all (1 + r_k)/(1 - r_k), and its divergences follow by windows of that one.
"""

import math
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.noise.noise_window import LARGEST_WINDOW, Sides, Window, delta_of, epsilon_of, shifted_sides, widening
from shuffleproof.impl.fast.numeric.results import U, accumulated, in_floats, out_of_range
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.protocols import DISCRETE_GAUSSIAN_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_discrete_gaussian_sum

SMALLEST_VARIANCE = Fraction(1, 2)
"""Least variance of one user's noise: below it a sum is far from the discrete Gaussian of the sum of variances."""
_LARGEST_FACTOR = 1.1
"""Largest factor between the masses of the sum and those of the discrete Gaussian. It enters both sides; beyond, they
would say little."""
_SUMMED = 1000
"""Factors that are multiplied one by one; the others, fewer than n, are at most the largest of them."""


@in_floats(DISCRETE_GAUSSIAN_SUM)
def delta(*, n: int, sensitivity: int, variance: Fraction, epsilon: Epsilon) -> Found:
    """Two sides on the least delta for which the sum is (epsilon, delta)-DP, for epsilon up to 600 (BEYOND.discrete-gaussian-sum).

    variance: sigma^2 of each of the n honest users, 1/2 or more, so large that the sum's distribution is within a tenth of a discrete
    Gaussian's: the sides are as wide as these two are apart.
    """
    return delta_of(_sides(n, sensitivity, variance), epsilon)


@in_floats(DISCRETE_GAUSSIAN_SUM)
def epsilon(*, n: int, sensitivity: int, variance: Fraction, delta: Fraction) -> Found:
    """Two sides on the least epsilon for which the sum is (epsilon, delta)-DP; delta 1, or from 1e-200 on (BEYOND.discrete-gaussian-sum).

    Raises RegimeError at delta = 0.
    """
    sides = _sides(n, sensitivity, variance)
    if delta == 1:
        return Found.exactly(0)
    if delta == 0:
        raise no_epsilon_for_discrete_gaussian_sum()
    found = epsilon_of(sides, delta)
    if found is None:
        raise out_of_range("epsilon exceeds 600")
    return found


def _sides(n: int, shift: int, sigma2: Fraction) -> Sides:
    if sigma2 < SMALLEST_VARIANCE:
        raise out_of_range("the variance is below 1/2")
    variance, apart = float(n * sigma2), _apart(n, sigma2)
    return widening(lambda exponent: _window(variance, apart, exponent), lambda window, epsilon: shifted_sides(window, shift, epsilon))


def _window(variance: float, apart: float, exponent: float) -> Window:
    """The masses of the discrete Gaussian, the error including that of its distribution.

    Pr(|Y| > h) <= 2 e^(-h^2/(2 n sigma^2)), as for it.
    """
    half = math.ceil(math.sqrt(2 * exponent * variance)) + 2
    if 2 * half > LARGEST_WINDOW:
        raise out_of_range("its sums would have millions of terms")
    x = np.arange(-half, half + 1, dtype=np.float64)
    values = np.exp(-x * x / (2 * variance)) / (math.sqrt(2 * math.pi * variance) * (1 + _theta(variance)))
    steps = 64 * U * (1 + exponent)  # an argument of at most the exponent and a little, rounded four times, and an exponential
    outside = 2 * math.exp(-exponent) + (1e-290 if float(values.min()) < 1e-300 else 0.0)
    return Window.of(-half, values, error=steps + (apart - 1) * (1 + 2**-20) + accumulated(8), outside=outside)


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
