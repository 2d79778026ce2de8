"""Discrete Gaussian noise calibrated like the continuous one, where the grid is fine enough for that; certified, in any dimension.

x + round(N(0, sigma^2 I)), x integral, is the Gaussian mechanism followed by rounding, so (eps, hs(eps, s/sigma))-DP. In one coordinate
its noise R(k) = int of phi over [k - 1/2, k + 1/2] is close to the discrete Gaussian D(k) = phi(k)/Z: by Taylor |R(k) - phi(k)| is at most
(1/8) int of |phi''| over that interval, and over the line int of |phi''| = 4 max|phi'| = 4 e^(-1/2)/(sqrt(2 pi) sigma^2) < 1/sigma^2. So
sum |R - phi| <= 1/(8 sigma^2), hence sum |phi - D| = |Z - 1| <= 1/(8 sigma^2), and the total variation distance of R and D is at most
1/(8 sigma^2). With d coordinates, and on both sides of the definition, discrete noise is (eps, delta)-DP for

    delta = hs(eps, s/sigma) + (1 + e^eps) d/(8 sigma^2).
"""

from fractions import Fraction

from shuffleproof.impl.ball.gaussian import noise_multiplier
from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, exact_fraction, parse_epsilon, probability

_SHARE = Fraction(1, 1 << 10)
"""Of delta, for the distance between discrete and rounded noise."""


def distance_bound(*, variance: Number) -> Fraction:
    """An upper bound on the total variation distance of the discrete Gaussian and the rounded continuous one: 1/(8 sigma^2).

    variance: sigma^2 above 0, in squared units of the grid. Raises DomainError.
    """
    sigma2 = exact_fraction(variance, parameter="variance")
    require(sigma2 > 0, parameter="variance", value=variance, requirement="above 0")
    return 1 / (8 * sigma2)


def variance(*, sensitivity_squared: Number, dimension: int, epsilon: Number | Epsilon, delta: Number) -> Fraction:
    """A variance at which discrete Gaussian noise on integer-valued sums is certified (epsilon, delta)-DP, all larger ones being so too.

    sensitivity_squared: largest squared l2 distance of the sums on neighbouring datasets, in squared units of the grid, above 0;
    dimension: d, how many coordinates get noise, at least 1; epsilon in [0, 10000]; 0 < delta < 1. A little above the variance of the
    continuous calibration. Raises DomainError; RegimeError where the grid is too coarse for this argument.
    """
    squared = exact_fraction(sensitivity_squared, parameter="sensitivity_squared")
    require(squared > 0, parameter="sensitivity_squared", value=sensitivity_squared, requirement="above 0")
    require(dimension >= 1, parameter="dimension", value=dimension, requirement="an integer of at least 1")
    central, target = parse_epsilon(epsilon), probability(delta, parameter="delta")
    sigma2 = noise_multiplier(epsilon=central, delta=target * (1 - _SHARE)).value ** 2 * squared
    between = (1 + central.exp_bounds(bits=32)[1]) * dimension * distance_bound(variance=sigma2)
    if between > target * _SHARE:
        raise RegimeError(
            statement="LSZKG22.Alg1.discrete-gaussian",
            condition=f"(1 + e^eps) d/(8 sigma^2) <= delta/{1 / _SHARE}",
            given=f"a grid on which it is {float(between / target):.2g} delta",
            advice="use a finer grid, or the calibration by concentrated differential privacy, which holds on every grid",
        )
    return sigma2
