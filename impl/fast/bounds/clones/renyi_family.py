"""Renyi divergences of a pair of the clones family in float64, for every real order above 1, with both sides.

With N = C + 1 and x a mean of N random signs, Exp_Q[(P/Q)^alpha] - 1 = Exp_N V(N), V(N) = sum over j >= 1 of e_j Exp[x^2j], all e_j > 0:
((1 + u)/(1 - u))^(alpha - 1) (1 + u) = sum over k of c_k u^k and e_j = c_2j beta^2j, beta = (T - 1)/(T + 1); the sum of all e_j is below
h = (T^alpha + 1)/(T + 1). Moments r_j(N) = Exp[S^2j]/((2j - 1)!! N^j), S the sum of N signs, never exceed 1 and follow by conditioning on
one sign:  r_j(N) = sum over i < j of K_ji (N - 1)^i N^(1 - j) r_i(N - 1),   K_ji = choose(2j - 1, 2i) (2i - 1)!!/(2j - 1)!!:
positive terms only, for all N of a window at once. Left out: powers from J on, below h (2J - 1)!! N^-J; N above the window, where V is at
most its normal bound there; N below it, level by level, since V does not increase with N.

Errors. Every r_j comes from r_i, i < j, by fewer than 8 j + 10 roundings, so it has fewer than 4 J^2 + 14 J of them; constants come from
decimal arithmetic. What is left out is computed in decimals and given a relative slack of 2^-20.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.clones.clones_mixture import Floats, Mixture, window
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, accumulated, decimal_of, exponential_minus_1, log_factorial, working
from shuffleproof.spec.vocabulary.errors import FloatRangeError
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_N = 10**9
"""Users: one rounding count and one window, as for delta (clones.py)."""
MOST_MOMENTS = 80
"""Powers of x^2 that are summed at most: work grows with their square, times the length of the window. More are refused."""
_LEAST, _MOST = Epsilon(Fraction(1, 1000), None), Epsilon(Fraction(50), None)
_SPREAD = 44.0
"""Minus the logarithm of what the window of N leaves out, about: e^-44 is 8e-20. A choice only: `outside` bounds it."""
_LONGEST = 1000
"""Powers that are bounded one by one, none of them beyond MOST_MOMENTS being computed."""
_SHARE = Decimal("1e-11")
"""What the powers that are left out may add, relative to the first: a thousandth of the relative width 1e-8 that is promised."""
_LOOSE = Decimal(1) + Decimal(2) ** -20
"""Factor on what is left out: more than the rounding of the odds and of some dozen decimals (see Errors above)."""
_LARGEST = 1e250
"""Largest sum, relative to the first term, that is answered: beyond, products of two of them would leave the floats."""
_UNDERFLOW = 1e-250
"""Terms relative to the first that leave the normal floats: fewer than 10^9 of them, below 1e-300 each."""


class RenyiFamily:
    """The pair for one n and one epsilon0; the moments of its window serve every order."""

    def __init__(self, *, n: int, odds_factor: int, epsilon0: Epsilon) -> None:
        self.n, self.epsilon0 = n, epsilon0
        self._odds_factor = odds_factor
        if self.n > LARGEST_N or (self.epsilon0.exp != 1 and not _LEAST <= self.epsilon0 <= _MOST):
            raise _unsupported(f"n is at most {LARGEST_N:.0e} and epsilon0 0 or in [{float(_LEAST.rational or 0)}, 50]")
        self._moments: _Moments | None = None

    def divergence(self, *, order: Fraction) -> tuple[Fraction, Fraction]:
        """Both sides, for epsilon0 > 0. Raises UnsupportedError where the series takes too many moments."""
        if self._moments is None:
            self._moments = _Moments.of(n=self.n, odds_factor=self._odds_factor, epsilon0=self.epsilon0)
        moments = self._moments
        series = _Series.of(epsilon0=self.epsilon0, order=order)
        target = series.e(1) / moments.middle * _SHARE
        terms = series.terms(N=moments.first, target=target)
        if terms is None or terms > MOST_MOMENTS:
            raise _unsupported(f"more than {MOST_MOMENTS} moments are needed at this order")
        inside, error = moments.inside(series, terms)
        left_out = (series.beyond(terms=terms, N=moments.first, smallest=target) + moments.outside(series, target)) * _LOOSE
        if not inside < _LARGEST:
            raise _unsupported("sums leave the range of floats")
        with working():
            scale = series.e(1) / moments.middle
            lower = Decimal(inside * (1 - error)) * scale * (1 - moments.share_outside * _LOOSE)
            upper = Decimal(inside * (1 + error) + _UNDERFLOW) * scale + left_out
            if not upper - lower < upper * Decimal("1e-8"):
                raise _unsupported("the tails do not become small")
            gamma = decimal_of(order - 1)
            ends = _log1p(lower * (1 - SCALAR_ERROR)) / gamma, _log1p(upper * (1 + SCALAR_ERROR)) / gamma
            return Fraction(ends[0] * (1 - SCALAR_ERROR)), Fraction(ends[1] * (1 + SCALAR_ERROR))


@dataclass
class _Series:
    """e_j of one order in decimals, h, and the bounds by normal moments."""

    gamma: Decimal
    beta_squared: Decimal
    h: Decimal
    _d: list[Decimal]
    _e: list[Decimal] = field(default_factory=lambda: [Decimal(1)])

    @classmethod
    def of(cls, *, epsilon0: Epsilon, order: Fraction) -> _Series:
        T_minus_1 = exponential_minus_1(epsilon0)
        with working():
            T, gamma = T_minus_1 + 1, decimal_of(order - 1)
            h = ((gamma + 1) * T.ln()).exp() * _LOOSE / (T + 1) + 1
            return cls(gamma, (T_minus_1 / (T + 1)) ** 2, h, [Decimal(1), 2 * gamma])

    def e(self, j: int) -> Decimal:
        with working():
            while len(self._e) <= j:
                at, d = len(self._e), self._d
                for k in (2 * at - 1, 2 * at):
                    d.append((2 * self.gamma * d[k] + (k - 1) * d[k - 1]) / (k + 1))
                self._e.append((d[2 * at] + d[2 * at - 1]) * self.beta_squared**at)
        return self._e[j]

    def terms(self, *, N: int, target: Decimal) -> int | None:
        """How many powers leave out less than target for counts of at least N; None if the series does not tell."""
        with working():
            bounds, rest = self._normal_bounds(N, target / 2)
            if not rest < target / 2:
                return None
            for at in range(len(bounds), 1, -1):
                rest += bounds[at - 1]
                if not rest < target:
                    return at + 1
        return 2

    def beyond(self, *, terms: int, N: int, smallest: Decimal) -> Decimal:
        """An upper bound on the sum over j >= terms of e_j Exp[x^2j] for counts of at least N."""
        with working():
            bounds, rest = self._normal_bounds(N, smallest)
            return min(sum(bounds[terms - 1 :], rest), self.h)

    def _normal_bounds(self, N: int, smallest: Decimal) -> tuple[list[Decimal], Decimal]:
        bounds: list[Decimal] = []
        factor, j = Decimal(1), 1
        while self.h * factor >= smallest and 2 * j - 1 <= N and j < _LONGEST:
            factor = factor * (2 * j - 1) / N
            bounds.append(self.e(j) * factor)
            j += 1
        if bounds:
            bounds.pop()
        return bounds, self.h * factor


@dataclass
class _Moments:
    """A window of N with its masses, and Exp[x^2j] for as many j as were needed so far.

    first, middle: the least N and the one at the anchor; total: the sum of the masses relative to the anchor's.
    """

    mixture: Mixture
    first: int
    middle: int
    total: float

    @classmethod
    def of(cls, *, n: int, odds_factor: int, epsilon0: Epsilon) -> _Moments:
        with working():
            odds = float(odds_factor / exponential_minus_1(epsilon0))
        left, anchor, right = window(m=n - 1, odds=odds, phi=1.0, spread=_SPREAD)
        mixture = Mixture.around(m=n - 1, odds=odds, left=left, anchor=anchor, right=right)
        return cls(mixture, mixture.left + 1, anchor + 1, float(mixture.masses.sum()))

    def __post_init__(self) -> None:
        self._weighted: list[float] = [self.total]

    @property
    def share_outside(self) -> Decimal:
        """Return what the window leaves out of the mass, from above, relative to the window."""
        tails = self.mixture.left_tail(1.0) + self.mixture.right_tail(1.0)
        if not tails < self.total:
            raise _unsupported("the tails do not converge")
        return Decimal(tails) / Decimal(self.total)

    def inside(self, series: _Series, terms: int) -> tuple[float, float]:
        """Exp[V; window and powers below terms] over Pr(window), over e_1/middle, and its relative error."""
        self._extend(terms)
        with working():
            scale, factor, weights = series.e(1) / self.middle, Decimal(1), []
            for j in range(1, terms):
                factor = factor * (2 * j - 1) / self.middle
                weights.append(float(series.e(j) * factor / scale))
        value = sum(weight * moment for weight, moment in zip(weights, self._weighted[1:], strict=False)) / self.total
        roundings = 4 * terms**2 + 30 * terms + self.mixture.mass_roundings + 2 * len(self.mixture.masses) + 40
        return value, 2 * accumulated(roundings) + 2.0**-45

    def outside(self, series: _Series, smallest: Decimal) -> Decimal:
        """An upper bound on what N outside the window adds to Exp V(N)."""
        with working():
            above = Decimal(self.mixture.right_tail(1.0)) / Decimal(self.total)
            total = above * _LOOSE * series.beyond(terms=1, N=self.mixture.right + 2, smallest=smallest) if above else Decimal(0)
            level, step = self.first, max(1, self.middle - self.first)
            while level > 1:
                following = max(1, level - step)
                total += self._mass_below(level) * series.beyond(terms=1, N=following, smallest=smallest)
                level, step = following, 2 * step
            return total

    def _mass_below(self, N: int) -> Decimal:
        """Pr(C <= N - 2) over Pr(window), from above: Pr(C = N - 2) relative to the anchor, times a geometric series."""
        m, c, anchor = self.mixture.m, N - 2, self.mixture.anchor
        odds = Decimal(self.mixture.odds)
        ratio = c / (odds * (m - c + 1))
        log_mass = log_factorial(anchor) + log_factorial(m - anchor) - log_factorial(c) - log_factorial(m - c) + (c - anchor) * odds.ln()
        mass = min(log_mass, Decimal(0)).exp() / (1 - ratio) if ratio < 1 else Decimal(math.inf)
        # odds is rounded: (c - anchor) of them matter less than the slack
        return mass * _LOOSE / Decimal(self.total)

    def _extend(self, terms: int) -> None:
        """Rows of r_j over N = first - depth .. last: each row needs the one before at N - 1, so the window starts `depth` lower."""
        if len(self._weighted) >= terms:
            return
        depth = min(terms, self.first - 1)
        N = np.arange(self.first - depth, self.mixture.right + 2, dtype=np.float64)
        inverse, rest = 1 / N, (N - 1) / N
        base = np.ones(depth + len(self.mixture.masses))
        base[depth:] = self.mixture.masses
        weighted, power = [self.total], rest[1:].copy()
        previous: list[Floats] = [np.ones(len(N) - 1)]  # r_i(N - 1) rest^i
        for j in range(1, terms):
            row = np.zeros(len(N))
            for i in range(j):  # Horner in 1/N, from i = 0 up: sum over i of K_ji rest^i N^-(j - 1 - i) r_i(N - 1)
                row *= inverse
                row[1:] += _weight(j, i) * previous[i]
            if N[0] == 1.0:
                row[0] = 1 / _double_factorial(j)  # a single sign: S^2j = 1
            previous.append(row[:-1] * power)
            power *= rest[1:]
            base *= self.middle / N
            weighted.append(float((base[depth:] * row[depth:]).sum()))
        self._weighted = weighted


def _weight(j: int, i: int) -> float:
    """K_ji."""
    return float(Fraction(math.comb(2 * j - 1, 2 * i) * _double_factorial(i), _double_factorial(j)))


def _double_factorial(j: int) -> int:
    """(2j - 1)!!"""
    return math.prod(range(1, 2 * j, 2))


def _log1p(x: Decimal) -> Decimal:
    """ln(1 + x) for x > 0, relative error far below SCALAR_ERROR."""
    if x > Decimal("1e-12"):
        return (1 + x).ln()
    return x * (1 - x * (Decimal("0.5") - x * (1 / Decimal(3) - x / 4)))


def _unsupported(reason: str) -> FloatRangeError:
    return FloatRangeError(what="the Renyi divergence in the float64 engine", reason=reason)
