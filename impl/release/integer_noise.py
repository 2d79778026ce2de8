"""Integer noise drawn exactly: discrete Laplace and discrete Gaussian variables, and Polya variables, parts of the former.

(Canonne, Kamath, Steinke: The Discrete Gaussian for Differential Privacy, Algorithms 2 and 3; BEYOND.laplace-sum)
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.bernoulli import bernoulli, bernoulli_exp
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.impl.release.uniform import uniform_below
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, count, exact_fraction, positive


def discrete_laplace(*, scale: Number, source: BitSource) -> int:
    """One draw of the discrete Laplace distribution: Pr[X = x] = e^(-|x|/scale) (e^(1/scale) - 1)/(e^(1/scale) + 1).

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


def discrete_gaussian(*, variance: Number, source: BitSource) -> int:
    """One draw, Pr[X = x] proportional to e^(-x^2/(2 variance)): a discrete Laplace variable, accepted so that ratios of masses are right.

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


def polya(*, share: Number, scale: Number, source: BitSource) -> int:
    """One draw of a Polya variable: Pr(X = k) = (1 - a)^share share (share + 1) ... (share + k - 1)/k! a^k, a = e^(-1/scale).

    It is negative binomial. share: in (0, 1], exact; scale: above 0, exact. A geometric variable is drawn and accepted with the product of
    (share + i)/(1 + i), i below it; (1 - a)^(share - 1) trials on average. Raises DomainError.
    """
    part, wide = exact_fraction(share, parameter="share"), positive(scale, parameter="scale")
    require(0 < part <= 1, parameter="share", value=share, requirement="above 0, at most 1")
    while True:
        found = 0
        while bernoulli_exp(x=1 / wide, source=source):
            if not bernoulli(p=(part + found) / (1 + found), source=source):
                break
            found += 1
        else:
            return found


def noise_of(*, users: int, honest: int, scale: Number, source: BitSource) -> int:
    """Draw what so many users add together, each the honest-th part of discrete Laplace noise: whole noises, and the part left over.

    users: at least 1; honest: at least 1; scale: above 0. Raises DomainError.
    """
    require(users >= 1, parameter="users", value=users, requirement="at least 1")
    require(honest >= 1, parameter="honest", value=honest, requirement="at least 1")
    whole, left = divmod(Fraction(users, honest), 1)
    total = sum(discrete_laplace(scale=scale, source=source) for _ in range(int(whole)))
    if left:
        total += polya(share=left, scale=scale, source=source) - polya(share=left, scale=scale, source=source)
    return total
