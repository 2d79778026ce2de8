"""The optimal pair at exact parameters."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair as ThreeCounts
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_N = 10**9
"""Users at most: sums over counts are refused before, moments and closed forms are tested to here."""
_EXACT_POWERS_TO = 1000
"""Users up to which delta is compared with what is revealed in exact rationals, so that a tie is one."""


@dataclass(frozen=True)
class Masses:
    """The pair at exact parameters: x = 1/p (0: infinite p), q, and for one of n draws the masses 2r of a or b, d, none."""

    x: Fraction
    q: Fraction
    either: Fraction
    d: Fraction
    none: Fraction

    @classmethod
    def of(cls, *, x: Fraction, beta: Fraction, q: Fraction) -> Masses:
        """For 0 <= x < 1 and a beta that is clipped and positive."""
        p_alpha = beta / (1 - x)
        rho = 1 - p_alpha * (1 + x)
        return cls(x, q, 2 * p_alpha / q, rho / q, 1 - (1 + beta) / q)

    def counted(self, n: int) -> ThreeCounts:
        """The pair of three counts, z = d, at the current precision.

        P = (q/n) M (a + x b + d), which is (q/n) (1 - x) M (a + L), L = (x (a + b) + d)/(1 - x).
        """
        w = 1 / (1 - self.x)
        r, g, none, scale = ball(self.either / 2), ball(self.d), ball(self.none), ball(self.q * (1 - self.x) / n)
        return ThreeCounts(n=n, r=r, g=g, none=none, scale=scale, w=ball(w), y=ball(self.x * w), h=arb(0))


@dataclass(frozen=True)
class Pair:
    """The pair at clipped parameters. top: ln p, None for infinite p; masses: None where beta is 0."""

    n: int
    beta: Fraction
    top: Epsilon | None
    masses: Masses | None

    @classmethod
    def of(cls, *, n: int, p: Fraction | None, beta: Fraction, q: Fraction) -> Pair:
        """Clip beta to (p-1)/(p+1) and q-1 (BEYOND.LemL0). p: None for an infinite one. Raises ResourceLimitError beyond 10^9 users."""
        if n > LARGEST_N:
            raise ResourceLimitError(what="sums over the pair's counts", needed=f"n = {n}", limit=f"n up to {LARGEST_N}")
        cover = max(q, Fraction(2)) if n == 1 else q  # of one user there is no R_k: any q is true, even one that would clip beta
        clipped = min(beta, cover - 1, Fraction(1) if p is None else (p - 1) / (p + 1))
        masses = Masses.of(x=Fraction(0) if p is None else 1 / p, beta=clipped, q=cover) if clipped else None
        return cls(n, clipped, None if p is None else Epsilon(None, p), masses)

    @property
    def largest_ratio(self) -> int:
        """For infinite p, the largest finite likelihood ratio (a + d)/(b + d): n where d exists, else n - 1; at least 1."""
        assert self.masses is not None
        return max(1, self.n if self.masses.d else self.n - 1)

    def revealed(self) -> arb:
        """For infinite p, the probability that the special report has infinite privacy loss: it is a, and nobody else sends b or d."""
        assert self.masses is not None
        return ball(self.beta) * ball(1 - self.masses.either / 2 - self.masses.d) ** (self.n - 1)

    def compared_with_revealed(self, delta: Fraction) -> int:
        """-1, 0, 1 as delta is below, equal to, above what is revealed. Raises UndecidedError where ball arithmetic cannot tell."""
        assert self.masses is not None
        if self.n <= _EXACT_POWERS_TO:
            exact = self.beta * (1 - self.masses.either / 2 - self.masses.d) ** (self.n - 1)
            return (delta > exact) - (delta < exact)
        with precision(4096):
            revealed = self.revealed()
            if ball(delta) < revealed:
                return -1
            if ball(delta) > revealed:
                return 1
        raise UndecidedError(quantity="delta at infinite epsilon", enclosure=(str(delta), str(delta)), precision=4096)
