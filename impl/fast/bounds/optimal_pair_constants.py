"""The optimal pair V(n, p, beta, q) as exact numbers, and its constants at one epsilon in decimal arithmetic.

With x = 1/p (0 for infinite p), E = e^eps < p, A = 1 - E x, D = (1 - x)(1 + E) and C = a + b ~ Bin(n, 2r), BEYOND.LemL5 gives

    delta = (q/n) D E[(tau - b)_+],   b | C ~ Bin(C, 1/2),   tau = sigma C - kappa d,   sigma = A/D <= 1/2,   kappa = (E - 1)/D < 1,

and d | C ~ Bin(n - C, s), s = (rho/q)/(1 - 2r), independent of b. With d at its mean, tau = slope C - shift, where
slope = sigma + kappa s < 1 (sigma + kappa = E/(1 + E)) and shift = kappa s n; as 1/2 - sigma = kappa (1 + x)/2,

    C/2 - tau = kappa ((1 + x)/2 C + s (n - C)) >= 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from shuffleproof.impl.fast.numeric.scalars import (
    decimal_of,
    exponential,
    exponential_difference,
    exponential_minus_1,
    log_factorial,
    working,
)
from shuffleproof.spec.vocabulary.numerals import Epsilon


@dataclass(frozen=True)
class PairMasses:
    """The pair at clipped parameters with 0 < beta, for n users: x = 1/p, q, and of one of n draws the masses 2r of a or b, and of d.

    top: ln p, None for infinite p. share: s above, 0 where a or b is certain.
    """

    n: int
    top: Epsilon | None
    x: Fraction
    q: Fraction
    either: Fraction
    d: Fraction
    share: Fraction

    @classmethod
    def of(cls, *, n: int, p: Fraction | None, beta: Fraction, q: Fraction) -> PairMasses:
        """For p > 1 or None, and a clipped beta > 0."""
        x = Fraction(0) if p is None else 1 / p
        p_alpha = beta / (1 - x)
        either, d = 2 * p_alpha / q, (1 - p_alpha * (1 + x)) / q
        return cls(n, None if p is None else Epsilon(None, p), x, q, either, d, d / (1 - either) if either < 1 else Fraction(0))

    @cached_property
    def log_r(self) -> Decimal:
        """ln r."""
        with working():
            return decimal_of(self.either / 2).ln()

    @cached_property
    def log_rest(self) -> Decimal:
        """ln(1 - 2r)."""
        with working():
            return decimal_of(1 - self.either).ln()


@dataclass(frozen=True)
class PairConstants:
    """What depends on epsilon too: Decimals, relative error at most 1e-38 (E_minus_1, slope and shift may be 0, exactly then)."""

    E_minus_1: Decimal
    A: Decimal
    D: Decimal
    kappa: Decimal
    slope: Decimal
    shift: Decimal

    @classmethod
    def at(cls, masses: PairMasses, epsilon: Epsilon) -> PairConstants:
        """For 0 <= epsilon < ln p. Raises UnsupportedError where the two cannot be told apart."""
        E_minus_1 = exponential_minus_1(epsilon) if epsilon.exp != 1 else Decimal(0)
        difference = Decimal(1) if masses.top is None else exponential_difference(masses.top, epsilon)
        with working():
            A = difference if masses.top is None else difference * decimal_of(masses.x)
            D = decimal_of(1 - masses.x) * (exponential(epsilon) + 1)
            kappa, share = E_minus_1 / D, decimal_of(masses.share)
            return cls(E_minus_1, A, D, kappa, A / D + kappa * share, kappa * share * masses.n)


def log_mass(masses: PairMasses, *, c: int, b: int) -> Decimal:
    """ln [Bin(n, 2r)(c) Bin(c, 1/2)(b)] for 0 <= b <= c <= n <= 10^9, absolute error at most 1e-36.

    = ln n!/(b! (c - b)! (n - c)!) + c ln r + (n - c) ln(1 - 2r): four factorials at 1e-37; the logarithms, of magnitude below 10^4 as
    masses are ratios of rationals of bounded length, carry 1e-54 and are multiplied by 10^9 at most.
    """
    n = masses.n
    with working():
        total = log_factorial(n) - log_factorial(b) - log_factorial(c - b) - log_factorial(n - c)
        if c:
            total += c * masses.log_r
        if n > c:
            total += (n - c) * masses.log_rest
        return total
