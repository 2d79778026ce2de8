"""The discrete Gaussian distribution, Pr[X = x] proportional to e^(-x^2/(2 variance)), drawn exactly.

(Canonne, Kamath, Steinke: The Discrete Gaussian for Differential Privacy, Algorithm 3)
"""

import math

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.bernoulli import bernoulli_exp
from shuffleproof.impl.release.discrete_laplace import discrete_laplace
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.spec.vocabulary.numerals import Number, count, positive


def discrete_gaussian(*, variance: Number, source: BitSource) -> int:
    """One draw: a discrete Laplace variable, accepted with the probability that makes the ratio of masses right.

    variance: sigma^2 above 0, exact (the parameter; the variable's own variance is at most that). Raises DomainError.
    """
    wanted = positive(variance, parameter="variance")
    scale = math.isqrt(math.floor(wanted)) + 1  # floor(sigma) + 1
    while True:
        proposed = discrete_laplace(scale=scale, source=source)
        if bernoulli_exp(x=(abs(proposed) - wanted / scale) ** 2 / (2 * wanted), source=source):
            return proposed


def discrete_gaussians(*, variance: Number, size: int, source: BitSource) -> NDArray[np.int64]:
    """`size` independent draws. Domain and errors as for `discrete_gaussian`."""
    wanted = count(size, parameter="size", minimum=0)
    return np.fromiter((discrete_gaussian(variance=variance, source=source) for _ in range(wanted)), dtype=np.int64, count=wanted)
