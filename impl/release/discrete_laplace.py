"""The discrete Laplace distribution, Pr[X = x] proportional to e^(-|x|/scale), drawn exactly.

(Canonne, Kamath, Steinke: The Discrete Gaussian for Differential Privacy, Algorithm 2)
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.bernoulli import bernoulli_exp
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.impl.release.uniform import uniform_below
from shuffleproof.spec.vocabulary.numerals import Number, count, positive


def discrete_laplace(*, scale: Number, source: BitSource) -> int:
    """One draw: Pr[X = x] = e^(-|x|/scale) (e^(1/scale) - 1)/(e^(1/scale) + 1).

    scale: above 0, exact. Raises DomainError.
    """
    wanted = positive(scale, parameter="scale")
    t, s = wanted.numerator, wanted.denominator
    while True:
        # u + t v is geometric with Pr[u + t v = y] proportional to e^(-y/t): the remainder by rejection, the quotient by counting.
        u = uniform_below(m=t, source=source)
        if not bernoulli_exp(x=Fraction(u, t), source=source):
            continue
        v = 0
        while bernoulli_exp(x=1, source=source):
            v += 1
        magnitude = (u + t * v) // s
        negative = source.bits(1) == 1
        if not (negative and magnitude == 0):  # 0 has one sign only
            return -magnitude if negative else magnitude


def discrete_laplaces(*, scale: Number, size: int, source: BitSource) -> NDArray[np.int64]:
    """`size` independent draws. Domain and errors as for `discrete_laplace`."""
    wanted = count(size, parameter="size", minimum=0)
    return np.fromiter((discrete_laplace(scale=scale, source=source) for _ in range(wanted)), dtype=np.int64, count=wanted)
