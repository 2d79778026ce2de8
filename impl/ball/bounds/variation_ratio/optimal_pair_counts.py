"""Renyi moments of the optimal pair by a sum over its counts: c = a + b and d in a rectangle, each with all t = a - b.

In the notation of optimal_pair_moments, Exp_Q[(P/Q)^alpha] - 1 = (1/Nbar) sum over (c, d) of M(c, d) G(c, N), N = c + kappa d, with

    G(c, N) = sum over t of Pr(t | c) (N + beta_0 t)^alpha (N - beta_0 t)^(1 - alpha) - N          term by term, for small c
            = N sum over j of e_j Exp[t^2j | c] N^-2j                                              for the others, e_j > 0.

Powers from J on leave out at most h_J N Exp[t^2J | c] N^-2J, h_J = h - 1 - sum over j < J of e_j, since |t| <= c <= N. The moments of t,
a sum of c random signs, are coefficients of cosh^c, one short product for each c.

Outside the rectangle G <= N B(N), B(N) = sum over j >= 1 of e_j (2j - 1)!! N^-j or h - 1, since Exp[t^2j | c] <= (2j - 1)!! c^j and c <= N;
B falls. For levels 0 = y_0 < ... < y_i of N, what is outside with N >= y_i adds at most q B(y_i) times its probability, as N <= kappa n,
and Pr(Bin(n, s) beyond k) <= exp(-n KL(k/n || s)) for each of both counts; all with N < y_i adds at most the sum over k < i of
(y_k+1/Nbar) B(y_k) Pr(N < y_k+1), and this probability is that of optimal_pair_moments.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_poly, arb_series, ctx

from shuffleproof.impl.ball.bounds.clones.renyi_series import Series
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_masses import Masses
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_moments import power_series_length, probability_below
from shuffleproof.impl.ball.numeric.arithmetic import UP_TO_1, ball, power_to
from shuffleproof.impl.ball.numeric.binomial import log_multinomial, relative_entropy
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about

LARGEST_WORK = 20_000_000
"""Terms: about half a minute."""
_LEVELS = 16
"""Parts of Nbar, each a level of N."""


@dataclass(frozen=True)
class Counts:
    """The rectangle of (c, d), ends included, and a certified bound on what the others add to Exp_Q[(P/Q)^alpha] - 1."""

    n: int
    masses: Masses
    c: tuple[int, int]
    d: tuple[int, int]
    outside: arb

    @classmethod
    def of(cls, *, n: int, masses: Masses, series: Series, smallest: arb) -> Counts:
        """The rectangle outside which about `smallest` is added."""
        bound, below = _above_level(n, masses, series, smallest)
        bound = bound * ball(masses.q)
        spread = max(0.1, float((bound / smallest).log().mid()))
        ranges, outside = [], arb(0)
        for mass in (masses.either, masses.d):
            p = float(mass)
            half = math.sqrt(2 * spread * n * p * (1 - p)) + 2 * spread / 3  # by Bernstein, and below by Chernoff
            low, high = max(0, math.floor(n * p - min(half, math.sqrt(2 * spread * n * p)))), min(n, math.ceil(n * p + half))
            if mass in (0, 1):
                low = high = n * int(mass)
            ranges.append((low, high))
            outside += _beyond(n, low - 1, mass) + _beyond(n, high + 1, mass)
        return cls(n, masses, ranges[0], ranges[1], bound * outside + below)

    def excess(self, series: Series, *, terms: int, direct_to: int, most: int = LARGEST_WORK) -> arb:
        """Exp_Q[(P/Q)^alpha] - 1 for the order of the series, enclosed. terms: J; direct_to: the last c that is summed term by term.

        Raises ResourceLimitError where it takes more than `most` terms of one to two microseconds.
        """
        self._refuse_too_much(terms, direct_to, most)
        kappa = ball(2 / (1 + self.masses.x))
        total, left_out, h_rest = arb(0), arb(0), series.edge_minus_1
        for j in range(1, terms):
            h_rest -= series.coefficient(j)
        with power_series_length(terms + 1):
            first = max(self.c[0], 1)
            cosh = arb_series([1 / arb(2 * j).fac() for j in range(terms + 1)], terms + 1)
            power = cosh**first
            for c in range(first, self.c[1] + 1):
                direct = _Direct.of(c, series) if c <= direct_to else None
                moments = [arb(2 * j).fac() * coefficient for j, coefficient in enumerate(power.coeffs())] if direct is None else []
                polynomial = arb_poly([0, *(series.coefficient(j) * moments[j] for j in range(1, terms))]) if direct is None else None
                for d, mass in self._masses(c):
                    N = c + kappa * d
                    if direct is not None:
                        total += mass * direct.excess(N)
                    elif polynomial is not None:
                        inverse = 1 / (N * N)
                        total += mass * N * polynomial(inverse)
                        left_out += mass * N * inverse**terms * moments[terms]
                power = power * cosh
        mean = kappa * self.n / ball(self.masses.q)
        return (total + left_out * h_rest * UP_TO_1) / mean + self.outside * UP_TO_1

    def _masses(self, c: int) -> list[tuple[int, arb]]:
        """(d, M(c, d)) for one c."""
        n, (low, high) = self.n, (self.d[0], min(self.d[1], self.n - c))
        if not self.masses.none:  # c + d = n
            low, high = max(low, n - c), min(high, n - c)
        if low > high:
            return []
        parts = ((c, self.masses.either), (low, self.masses.d), (n - c - low, self.masses.none))
        found = [(low, log_multinomial((count, ball(mass)) for count, mass in parts).exp())]
        odds = ball(self.masses.d / self.masses.none) if self.masses.none else arb(0)
        for d in range(low, high):
            found.append((d + 1, found[-1][1] * odds * (n - c - d) / (d + 1)))
        return found

    def _refuse_too_much(self, terms: int, direct_to: int, most: int) -> None:
        wide, high = self.d[1] - self.d[0] + 1, self.c[1] - self.c[0] + 1
        few = max(0, min(direct_to, self.c[1]) - self.c[0] + 1)
        work = wide * (few * (self.c[0] + few) // 2 + (high - few) * (1 + terms // 20)) + high * terms
        work *= 1 + ctx.prec // 512
        if work > most:
            what = f"a certified Renyi divergence of the optimal pair for n = {self.n}"
            raise ResourceLimitError(what=what, needed=f"{about(work)} terms", limit=f"{most:.0e} terms")


@dataclass(frozen=True)
class _Direct:
    """t and Pr(t or -t | c) for t > 0, with beta_0 and the order."""

    order: Fraction
    weighted: tuple[tuple[arb, arb], ...]

    @classmethod
    def of(cls, c: int, series: Series) -> _Direct:
        weight, found = arb(2) ** (1 - c), []
        for b in range((c + 1) // 2):
            found.append((series.beta * (c - 2 * b), weight))
            weight = weight * (c - b) / (b + 1)
        return cls(series.order, tuple(found))

    def excess(self, N: arb) -> arb:
        """G(c, N), the terms of t and -t together."""
        total, power = arb(0), power_to(self.order)
        for shift, weight in self.weighted:
            above, below = N + shift, N - shift
            raised = power(above / below)
            total += weight * ((below * raised + above / raised) / 2 - N)
        return total


def _above_level(n: int, masses: Masses, series: Series, smallest: arb) -> tuple[arb, arb]:
    """B at the highest level of N below which at most `smallest` is added, and what is added there at most."""
    mean = 2 * n / (1 + masses.x) / masses.q
    bound, below = series.edge_minus_1, arb(0)
    for k in range(1, _LEVELS):
        share = Fraction(k, _LEVELS)
        more = below + ball(share) * bound * probability_below(n, masses.q, 1 - share)
        if not more < smallest:
            break
        below, N = more, math.floor(share * mean)
        bound = series.beyond(terms=1, N=N, smallest=smallest) if N else bound
    return bound, below


def _beyond(n: int, k: int, mass: Fraction) -> arb:
    """An upper bound on Pr(Bin(n, mass) at k or further from its mean); 0 where k is no count."""
    if not 0 <= k <= n or mass in (0, 1):
        return arb(0)
    return (-n * relative_entropy(ball(Fraction(k, n)), ball(mass), rest=ball(1 - mass))).exp()
