"""The optimal pair at its parameters, and the window of an evaluation: what depends on e^epsilon, and which counts are summed.

The sum itself is in optimal_pair_sums.

X_+ <= e^(theta X)/(e theta) for every theta > 0, so whatever a set holds contributes at most (q/(n e theta)) Z^n times its
probability under the multinomial tilted by e^(theta X), Z its normalisation. Left out is c outside a range, with Pr(Bin(n, y) beyond k) <=
exp(-n KL(k/n || y)); and, given c, d further than h from its tilted mean, with Bernstein's exp(-h^2/(2 (v + h/3))), v the variance. theta,
near the saddle point, the range and h are choices.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, expm1_of, precision
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_N = 10**9
"""Users at most: sums over counts are refused before, moments and closed forms are tested to here."""
_EXACT_POWERS_TO = 1000
"""Users up to which delta is compared with what is revealed in exact rationals, so that a tie is one."""
NOWHERE = arb(2) ** 1000
"""A distance at which there is nothing."""


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

    @property
    def floats(self) -> tuple[float, float, float, float]:
        """Return the masses of a, b, d and none, about."""
        return float(self.either) / 2, float(self.either) / 2, float(self.d), float(self.none)

    @property
    def share(self) -> Fraction:
        """s: of the draws that are not a or b, those of d; 0 where there are none."""
        return self.d / (self.d + self.none) if self.d else Fraction(0)


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


@dataclass(frozen=True)
class Order:
    """Holds what depends on E: the values A = 1 - E x > 0 of a, B = x - E of b, -(E - 1) of d; D, sigma = A/D, kappa as above."""

    E: arb
    E_minus_1: arb
    A: arb
    B: arb
    D: arb
    sigma: arb
    kappa: arb

    @classmethod
    def at(cls, x: Fraction, epsilon: Epsilon) -> Order:
        """For 1 <= E < p. Raises UndecidedError if the precision does not separate E from p."""
        E, E_minus_1 = exp_of(epsilon), expm1_of(epsilon)
        A = 1 - ball(x) * E
        if not A > 0:
            raise UndecidedError(quantity="p - e^eps", enclosure=("0", "?"), precision=0)
        D = ball(1 - x) * (1 + E)
        return cls(E, E_minus_1, A, ball(x) - E, D, A / D, E_minus_1 / D)


@dataclass(frozen=True)
class Window:
    """The range of c, ends included, and, where d varies, those of chains and what d has given c under the tilted distribution.

    outside: a certified bound on what c outside the range contributes; scale: of what a set contributes at most, over its tilted
    probability; chains: the first and the last t; half: how far d is followed from its tilted mean, centre N.
    """

    c: tuple[int, int]
    outside: arb
    scale: arb
    chains: tuple[int, int] | None
    centre: Fraction
    half: int
    tilted_share: arb

    def left_out(self, distance: arb, n: int) -> arb:
        """Return what d contributes at most that is so far from its tilted mean, given any c of the range: by Bernstein's inequality."""
        if not distance > 0:
            return self.scale
        if distance == NOWHERE:
            return arb(0)
        variance = (n - self.c[0]) * self.tilted_share * (1 - self.tilted_share)
        return self.scale * (-(distance**2) / (2 * (variance + distance / 3))).exp()

    @property
    def steps(self) -> int:
        """About how many c of chains there are."""
        wide = self.c[1] - self.c[0] + 1
        return wide if self.chains is None else wide * (self.chains[1] - self.chains[0] + 1) // 2


def window_of(n: int, masses: Masses, order: Order, *, spread: float) -> Window:
    """Where the tilted multinomial has all but about e^-spread of its mass. Raises UndecidedError where the precision does not say."""
    values = tuple(float(value.mid()) for value in (order.A, order.B, -order.E_minus_1))
    theta = ball(Fraction(saddle(n, masses, values)))
    either = ball(masses.either / 2) * ((theta * order.A).exp() + (theta * order.B).exp())
    d = ball(masses.d) * (-theta * order.E_minus_1).exp()
    none = ball(masses.none)
    Z = either + d + none
    if not (either / Z).is_finite():  # A is known too roughly for theta A
        raise UndecidedError(quantity="p - e^eps", enclosure=("0", "?"), precision=0)
    scale = ball(masses.q) / (n * arb(1).exp() * theta) * (n * Z.log()).exp()
    low, high, tails = n, n, arb(0)
    if masses.either != 1:
        share, p = (either / Z, (d + none) / Z), min(max(float((either / Z).mid()), 0.0), 1.0)
        half = math.sqrt(2 * spread * n * p * (1 - p)) + spread
        low, high = max(0, math.floor(n * p - half)), min(n, math.ceil(n * p + half))
        tails = (_chernoff(n, low - 1, *share) if low > 0 else arb(0)) + (_chernoff(n, high + 1, *share) if high < n else arb(0))
    if masses.share in (0, 1) or order.E_minus_1 == 0:
        return Window((low, high), scale * tails, scale, None, masses.share, 0, arb(0))
    tilted_share = d / (d + none)
    centre = Fraction(min(max(float(tilted_share.mid()), 0.0), 1.0))
    variance = (n - low) * float(centre) * (1 - float(centre))
    half_d = math.ceil(spread / 3 + math.sqrt((spread / 3) ** 2 + 2 * spread * variance))
    twice_kappa, mean_c = 2 * Fraction(float(order.kappa.mid())), (1 + masses.x) / 2
    lines = [mean_c * c + centre * (n - c) for c in (low, high)]  # u(t, c) is at the tilted mean of d where t is 2 kappa times this
    first, last = math.floor(twice_kappa * (min(lines) - half_d)), math.ceil(twice_kappa * (max(lines) + half_d)) + 1
    return Window((low, high), scale * tails, scale, (max(first, 1), min(max(last, 1), high)), centre, half_d, tilted_share)


def tilted(theta: float, masses: Masses, values: tuple[float, ...]) -> list[float]:
    """The masses of a, b, d and none times e^(theta value), for the values of a, b, d."""
    return _tilted(theta, masses.floats, (*values, 0.0))


def _tilted(theta: float, weights: tuple[float, ...], values: tuple[float, ...]) -> list[float]:
    return [w * math.exp(min(theta * v, 600.0)) for v, w in zip(values, weights, strict=True)]


def saddle(n: int, masses: Masses, values: tuple[float, ...]) -> float:
    """About the minimum of n ln Z(theta) - ln theta over theta > 0, for the values of a, b, d; only a choice."""
    untilted, all_values = masses.floats, (*values, 0.0)
    low, high = -80.0, 690.0
    for _ in range(50):
        middle = (low + high) / 2
        theta = math.exp(middle)
        weights = _tilted(theta, untilted, all_values)
        slope = n * theta * sum(map(mul, all_values, weights)) / max(sum(weights), 1e-300) - 1
        low, high = (middle, high) if slope < 0 else (low, middle)
    return min(math.exp(low), 500.0 / max(values[0], 1e-300))


def _chernoff(n: int, k: int, share: arb, rest: arb) -> arb:
    """Pr(Bin(n, share) at k or further away from its mean) <= exp(-n KL(k/n || share)); 1 where k is not surely off the mean."""
    y = ball(Fraction(k, n))
    if not (share < y or share > y):
        return arb(1)
    kl = (y * (y / share).log() if k > 0 else arb(0)) + ((1 - y) * ((1 - y) / rest).log() if k < n else arb(0))
    return arb((-n * kl).exp())
