"""The constants of a pair of the clones family at one (n, epsilon0, epsilon), and its closed form where epsilon is near epsilon0.

C ~ Bin(n - 1, p), p = k/(T - 1 + k), T = e^eps0, so that its odds are k/(T - 1); k, the odds factor, is 1 for the clones pair, where
p = 1/T (FMT21, Theorem 3.2), and 2 for the stronger clones pair, where p = 2/(T + 1) (BEYOND.CorF2). Nothing else depends on k.

E = e^eps, u = (T - E)/(T + 1), v = (E T - 1)/(T + 1), r = v/u; given C = c, the event that the hockey-stick divergence
takes is {a < tau_c}, tau_c = (c + 1) rho, rho = u/(u + v) = 1/(1 + r) = (T - E)/((T - 1)(E + 1)) <= 1/2   (FMT21, Appendix F).

Thresholds tau = k rho for consecutive k come as their integer parts and fractions in float64, from rho as an integer over 2^LONG. In each
piece tau = (its integer part at the start) + x + y, x = F + j R with F < 1 and R < 1 multiples of 2^-36 and j < 2^14, exact in floats, and
y < 2^-36 + 2^14 2^-36, from the rest of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.clones.clones_mixture import STEPS, Floats, pieces
from shuffleproof.impl.fast.numeric.convolution import scratch
from shuffleproof.impl.fast.numeric.results import (
    U,
    exponential,
    exponential_difference,
    exponential_minus_1,
    log_factorial,
    value,
    working,
)
from shuffleproof.spec.vocabulary.numerals import Epsilon

_FAR = Decimal("1e-10")
"""Above it, T - E over T may be subtracted as they are."""
_KL_WEIGHTS = tuple(1 / (2 * k * (2 * k - 1)) for k in range(1, 9))
_KL_REST = 0.69314718056 - sum(_KL_WEIGHTS)
"""Above ln 2 minus the weights: what the rest of the series adds up to at y = 1."""
LONG = 140
"""Bits to which rho is cut off: n = 10^9 steps move a threshold by less than 2^-109."""
_SHIFT = 36
"""Bits of the first part of a fraction: its products with fewer than 2^14 steps are exact in 53 bits."""
ETA = 4 * U
"""Error of tau - t: a fraction exact in floats plus less than 2^-20, known to within 2^-70: one rounding below 2, one more for 1 - it."""


@dataclass(frozen=True)
class LocalConstants:
    """Holds what depends on epsilon0 and the odds factor k alone. Decimals carry a relative error of at most 1e-40.

    T_minus_1: relative error at most 1e-46. total: T - 1 + k, of the same quality; log_total and log_complement = ln(T - 1): absolute error
    2e-46; log_half_odds: ln(k/2).
    """

    epsilon0: Epsilon
    odds_factor: int
    T: Decimal
    T_minus_1: Decimal
    total: Decimal
    log_total: Decimal
    log_complement: Decimal
    log_half_odds: Decimal

    @classmethod
    def at(cls, epsilon0: Epsilon, *, odds_factor: int) -> LocalConstants:
        """For epsilon0 > 0 and an odds factor of at least 1."""
        T_minus_1 = exponential_minus_1(epsilon0)
        with working():
            total = T_minus_1 + odds_factor
            log_total = value(epsilon0) if odds_factor == 1 else total.ln()
            log_half_odds = (Decimal(odds_factor) / 2).ln()
            return cls(epsilon0, odds_factor, T_minus_1 + 1, T_minus_1, total, log_total, T_minus_1.ln(), log_half_odds)

    def log_mass(self, *, m: int, c: int, t: int) -> Decimal:
        """ln [Bin(m, p)(c) Bin(c, 1/2)(t)] for 0 <= t <= c <= m <= 10^9, absolute error at most 1e-36.

        = ln m!/(t! (c-t)! (m-c)!) + c ln(k/2) + (m - c) ln(T - 1) - m ln(T - 1 + k): numbers below 10^13; each of the four factorials
        and the last two terms carries an error of at most 2e-37 (10^9 times 2e-46), the rest of 1e-45.
        """
        with working():
            coefficient = log_factorial(m) - log_factorial(t) - log_factorial(c - t) - log_factorial(m - c)
            return coefficient + c * self.log_half_odds + (m - c) * self.log_complement - m * self.log_total


@dataclass(frozen=True)
class ClonesConstants:
    """Holds what depends on epsilon too.

    u_plus_v, u, rho: Decimals, relative error at most 1e-39. y = 1 - 2 rho = (r - 1)/(r + 1) as a float, rounded to within 2^-52.
    phi_lower, phi_upper: floats around phi = r^(1/(1+r)) (1 + 1/r)/2 = exp(-KL(rho || 1/2)).
    """

    local: LocalConstants
    u: Decimal
    u_plus_v: Decimal
    rho: Decimal
    y: float
    phi_lower: float
    phi_upper: float

    @classmethod
    def at(cls, local: LocalConstants, epsilon: Epsilon) -> ClonesConstants:
        """For 0 <= epsilon < epsilon0. Raises UnsupportedError where the two cannot be distinguished."""
        with working():
            E = exponential(epsilon)
            E_plus_1, difference = E + 1, local.T - E  # both to within 1e-53
        if not difference > local.T * _FAR:
            difference = exponential_difference(local.epsilon0, epsilon)
        with working():
            rho = min(difference / (local.T_minus_1 * E_plus_1), Decimal("0.5"))
            u = difference / (local.T + 1)
            u_plus_v = local.T_minus_1 * E_plus_1 / (local.T + 1)
            y = float(1 - 2 * rho)
        phi_lower, phi_upper = _phi_bounds(y)
        return cls(local, u, u_plus_v, rho, y, phi_lower, phi_upper)

    def single_atom(self, *, m: int) -> Decimal | None:
        """The profile itself where only a = 0 counts, i.e. tau_m <= 1: u E[2^-C] = u (1 - p/2)^m; else None.

        Relative error 1e-36. Whether tau_m exceeds 1 by less than 1e-30 does not matter: the integrand vanishes at a = tau_c.
        """
        with working():
            if (m + 1) * self.rho > 1:
                return None
            return self.u * (m * (1 - self.local.odds_factor / (2 * self.local.total)).ln()).exp()


def _phi_bounds(y: float) -> tuple[float, float]:
    """exp(-KL) from below and above, for KL = sum over k >= 1 of y^(2k)/(2k(2k - 1)), 0 <= y < 1.

    At y = 1 the series sums to ln 2, so what the partial sum leaves out is at most y^(2K+2) (ln 2 - its sum at 1). The slack covers
    y's own error (2^-53 relative or 1e-39; KL' = artanh y <= 11 as rho >= 1e-9 here) and some 60 roundings.
    """
    square, slack = y * y, 2.0**-40
    partial = sum(weight * square**k for k, weight in enumerate(_KL_WEIGHTS, 1))
    rest = square ** (len(_KL_WEIGHTS) + 1) * _KL_REST
    lower_kl, upper_kl = max(partial - slack * y, 0.0), partial + rest + slack * y
    return _exp_minus(upper_kl, 13) * (1 - slack), min(1.0, _exp_minus(lower_kl, 12) * (1 + slack))


def _exp_minus(x: float, degree: int) -> float:
    """Taylor's polynomial of e^-x for 0 <= x <= 1: from above where the degree is even, from below where it is odd (it alternates)."""
    total = 1.0
    for k in range(degree, 0, -1):
        total = 1 - x * total / k
    return total


def _split(fraction: int) -> tuple[float, float]:
    """fraction/2^LONG < 1 as a multiple of 2^-36 and the rest, rounded."""
    high, low = divmod(fraction, 2 ** (LONG - _SHIFT))
    return high / 2**_SHIFT, low / 2**LONG


def thresholds(first: int, length: int, rho: Decimal) -> tuple[Floats, Floats]:
    """t = floor(tau) and a = tau - t in [0, 1] for tau = k rho, k = first, first + 1, ... <= 2^30.

    rho: above 10^-9 and at most 1/2; cutting it off to 2^-LONG changes tau by at most 2^30 2^-140 of it. All is positive, so where tau < 1
    it is known relatively too. Both arrays are valid until they are asked for again.
    """
    with working():
        slope = int(rho * 2**LONG)
    high, low = _split(slope)
    t, a = scratch("t", length), scratch("a", length)
    for piece in pieces(length):
        whole, fraction = divmod((first + piece.start) * slope, 2**LONG)
        start, rest = _split(fraction)
        j = STEPS[: piece.stop - piece.start]
        integer, x = t[piece], a[piece]
        np.multiply(j, high, out=x)
        x += start
        np.floor(x, out=integer)
        x -= integer
        x += j * low + rest
        integer += whole
        if x.max() > 1:
            over = x > 1
            integer += over
            x -= over
    return t, a
