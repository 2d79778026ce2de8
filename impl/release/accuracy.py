"""How far estimates are off: mean squared errors, as rationals that are exact or rounded up, and errors that are exceeded only so often."""

import math
from fractions import Fraction
from math import isqrt

from shuffleproof.impl.release.binomial_table import distribution_function
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon

_BITS = 128
"""Bits of the rational ends of e^epsilon0 that errors are bounded with: far more than the digits that are shown."""


def randomized_response_error(*, n: int, epsilon0: Epsilon) -> Fraction:
    """At least n T/(T - 1)^2, T = e^epsilon0: the mean squared error of the sum of n bits, the same on every dataset.

    epsilon0 above 0. Raises DomainError (BEYOND.estimate-errors).
    """
    T = epsilon0.exp_bounds(bits=_BITS)[0]
    if not T > 1:
        raise DomainError(parameter="epsilon0", value=str(epsilon0), requirement="above 0: at 0 messages say nothing")
    return n * T / (T - 1) ** 2


def bit_sum_error(*, n: int, lam: Fraction) -> Fraction:
    """The mean squared error of the bit sum of n users at lambda < n, the same on every dataset (CSUZZ19, Claim B.2)."""
    require(lam < n, parameter="lambda", value=lam, requirement=f"below n = {n}")
    return (n / (n - lam)) ** 2 * lam / 2 * (1 - lam / (2 * n))


def zero_sum_errors(*, n: int, silent: Fraction) -> tuple[Fraction, Fraction]:
    """Mean squared errors of a count by P^zsum: of c* - p whatever c* is, exact; of P^zsum's own estimate, at most, over all counts.

    silent: m = n (1 - p), in [0, n]. With Z ~ Bin(n, 1 - p) messages left out the own estimate of a count c is off by Z - m where Z < c and
    by c <= Z elsewhere: its mean square is at most E (Z - m)^2 + E Z^2, and 0 at c = 0. Without the threshold it is the variance of Z.
    Raises DomainError (BEYOND.estimate-errors).
    """
    require(0 <= silent <= n, parameter="silent", value=silent, requirement=f"in [0, n = {n}]")
    variance = silent * (1 - silent / n)
    return variance, 2 * variance + silent**2


def laplace_error(*, n: int, epsilon0: Epsilon) -> Fraction:
    """At least 2 n/epsilon0^2: the mean squared error of a sum of n numbers with Laplace noise of scale 1/epsilon0 each.

    epsilon0 above 0. Raises DomainError (BEYOND.estimate-errors).
    """
    lower = epsilon0.bounds(bits=_BITS)[0]
    if not lower > 0:
        raise DomainError(parameter="epsilon0", value=str(epsilon0), requirement="above 0: at 0 messages say nothing")
    return 2 * n / lower**2


def sum_deviations(*, n: int, lam: Fraction, r: int | None, beta: Fraction) -> tuple[Fraction, Fraction]:
    """Return the standard deviation of a sum's estimate, and an error exceeded with probability at most beta, for all data; upper ends.

    lam: lambda, below n; r: messages of a user, None for a bit sum, whose messages are not rounded. The n r messages are independent. Those
    of a rounded number have variance 1/4 at most, the others q (1 - q) with q = lambda/(2n); a bit sum has only the latter (CSUZZ19, Claims
    B.1 and B.2). Raises DomainError (BEYOND.estimate-confidence).
    """
    require(lam < n, parameter="lambda", value=lam, requirement=f"below n = {n}")
    runs, q = r or 1, lam / (2 * n)
    scale = n / (n - lam) / runs
    variance = n * q * (1 - q) if r is None else n * ((runs - 1) * q * (1 - q) + Fraction(1, 4))
    return scale * square_root_above(variance), scale * bernstein_deviation(variance=variance, beta=beta)


def bernstein_deviation(*, variance: Fraction, beta: Fraction) -> Fraction:
    """t with Pr[|S - E S| > t] <= beta for a sum S of independent variables in [0, 1] of at most this variance in all.

    Bernstein's inequality: 2 exp(-t^2/(2 (V + t/3))) <= beta from t = L/3 + sqrt(L^2/9 + 2 L V) on, L = ln(2/beta); rounded up.
    """
    L = log_bounds(2 / beta, bits=64)[1]
    return L / 3 + square_root_above(L**2 / 9 + 2 * L * variance)


def square_root_above(x: Fraction, *, bits: int = 64) -> Fraction:
    """A rational number of at least the square root of x >= 0, by at most about 2^-bits too large."""
    scaled = x * (1 << (2 * bits))
    return Fraction(isqrt(-(-scaled.numerator // scaled.denominator)) + 1, 1 << bits)


def histogram_error(*, n: int, silent: Fraction, beta: Fraction, items: int) -> int:
    """The least whole error of a count that is certified to be exceeded in some of `items` bins with probability at most beta."""
    low, high = -1, n  # an error of n is never exceeded
    while high - low > 1:
        error = (low + high) // 2
        low, high = (low, error) if histogram_failure(error=error, n=n, silent=silent, items=items) <= beta else (error, high)
    return high


def histogram_failure(*, error: int, n: int, silent: Fraction, items: int) -> Fraction:
    """An upper end of the probability that any of `items` bins of P^hist errs by more than `error`, for all counts.

    With Z ~ Bin(n, 1 - p) and m = n (1 - p) = silent, a bin of count c >= 1 is estimated c - Z + m if Z < c, else 0: it errs by more than A
    only if Z < m - A, or if Z > A and c > A. From A >= m on only the second can be, in at most n/(A + 1) bins (BEYOND.estimate-confidence).
    """
    above = 1 - distribution_function(n=n, p=silent / n, k=error, bits=_BITS)[0]
    below = distribution_function(n=n, p=silent / n, k=math.ceil(silent - error) - 1, bits=_BITS)[1]
    if error >= silent:
        items, below = min(items, n // (error + 1)), Fraction(0)
    return min(items * (above + below), Fraction(1))
