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
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.numerals import Epsilon, count, parse_epsilon, positive, probability

_SHARE = Fraction(1, 1 << 10)
"""Of delta, for the distance between discrete and rounded noise."""


@reads(variance=positive)
def distance_bound(*, variance: Fraction) -> Fraction:
    """An upper bound on the total variation distance of the discrete Gaussian and the rounded continuous one: 1/(8 sigma^2).

    variance: sigma^2 above 0, in squared units of the grid. Raises DomainError.
    """
    return 1 / (8 * variance)


@reads(sensitivity_squared=positive, dimension=count, epsilon=parse_epsilon, delta=probability)
def variance(*, sensitivity_squared: Fraction, dimension: int, epsilon: Epsilon, delta: Fraction) -> Fraction:
    """A variance at which discrete Gaussian noise on integer-valued sums is certified (epsilon, delta)-DP, all larger ones being so too.

    sensitivity_squared: largest squared l2 distance of the sums on neighbouring datasets, in squared units of the grid, above 0;
    dimension: d, how many coordinates get noise, at least 1; epsilon in [0, 10000]; 0 < delta < 1. A little above the variance of the
    continuous calibration. Raises DomainError; RegimeError where the grid is too coarse for this argument.
    """
    sigma2: Fraction = noise_multiplier(epsilon=epsilon, delta=delta * (1 - _SHARE)).value ** 2 * sensitivity_squared
    between = (1 + epsilon.exp_bounds(bits=32)[1]) * dimension * distance_bound(variance=sigma2)
    if between > delta * _SHARE:
        raise RegimeError(
            statement="LSZKG22.Alg1.discrete-gaussian",
            condition=f"(1 + e^eps) d/(8 sigma^2) <= delta/{1 / _SHARE}",
            given=f"a grid on which it is {float(between / delta):.2g} delta",
            advice="use a finer grid, or the calibration by concentrated differential privacy, which holds on every grid",
        )
    return sigma2
