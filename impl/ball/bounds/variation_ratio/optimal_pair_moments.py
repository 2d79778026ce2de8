"""Renyi moments of the optimal pair from the centred moments of its counts: no sum over counts, so any n takes the same time.

x = 1/p, kappa = 2/(1 + x), beta_0 = (1 - x)/(1 + x). Of n draws from (r, r, rho/q, none), c = a + b, t = a - b and d count, |t| <= c. With
N = c + kappa d, BEYOND.LemL5 says P = M_n (q/(kappa n))(N + beta_0 t) and Q = M_n (q/(kappa n))(N - beta_0 t), and N has the mean
Nbar = kappa n/q. Given (c, d), t is a sum of c random signs, whose odd powers vanish. With e_j > 0, j >= 1, and h of renyi_series at T = p,

    Exp_Q[(P/Q)^alpha] - 1 = (1/Nbar) sum over j of e_j Exp[t^2j N^(1 - 2j)],   the sum of all e_j is h - 1.

Where N = 0 so is t, and nothing is added. Write N = Nbar (1 + w), nu = 2j - 1, T_K(w) = sum over k < K of choose(-nu, k) w^k, K even. For
every w > -1

    0 <= (1 + w)^-nu - T_K(w) <= choose(nu + K - 1, K) w^K max(1, (1 + w)^(-nu - K))

by Taylor's theorem, since the K-th derivative is positive and falls. Hence, with any J and any 0 < eta < 1,

    lower  the sum over j < J of e_j Exp[(t/Nbar)^2j T_K(w)];
    upper  that, plus for w >= -eta: e_j choose(nu + K - 1, K) (1 - eta)^(-nu - K) Exp[(t/Nbar)^2j w^K] for each j < J, and for all
           j >= J together h_J (1 - eta)^(1 - 2J) Exp[(t/Nbar)^2J], h_J = h - 1 - sum over j < J of e_j, as (t/N)^2j <= (t/N)^2J;
           (or, for J <= j < L, e_j (1 - eta)^(1 - 2j) (2j - 1)!! Exp[c^j] Nbar^-2j each, and the same with h_L in place of e_L for the
           others: Exp[t^2j | c] <= (2j - 1)!! c^j, and Exp[c^j] <= (m/e)^j exp(m (e^(j/m) - 1)), m = Exp c, as c <= (j/s) e^(s c/j - 1)
           for every s > 0, here j/m);
           plus for w < -eta, where T_K > 0 so that leaving it in only adds: (1 - eta)(h - 1) Pr(w < -eta), and
           Pr(w < -eta) <= exp(-n KL((1 - eta)/q || 1/q)), Hoeffding's bound for n variables in [0, 1] of mean 1/q (N/kappa is their sum).

The moments are coefficients of the n-th power of Exp[e^(y t + z w)] of a single draw, a power series in y^2 and z.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_series, ctx

from shuffleproof.impl.ball.bounds.clones.renyi_series import Series
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_masses import Masses
from shuffleproof.impl.ball.numeric.arithmetic import UP_TO_1, ball
from shuffleproof.impl.ball.numeric.binomial import relative_entropy

_CUTS = tuple(Fraction(eighths, 8) for eighths in (1, 2, 3, 4, 5, 6))
_UNSEEN = arb(2) ** -90
"""Relative size, 2^-90, below which what powers add is not bounded more closely: 27 digits."""
_FARTHEST = 30_000
"""The last power that is bounded by itself."""
_HOPELESS = 2_000
"""Powers after which no more are tried where what they add is more than what is there: not one digit would be certain."""


@dataclass(frozen=True)
class Moments:
    """Exp[(t/Nbar)^2j w^k] for j <= terms and k <= powers, an even number; they serve every order."""

    n: int
    q: Fraction
    mean: arb
    mean_c: Fraction
    terms: int
    powers: int
    values: list[list[arb]]

    @classmethod
    def of(cls, *, n: int, masses: Masses, terms: int, powers: int) -> Moments:
        """At the working precision."""
        kappa = 2 / (1 + masses.x)
        mean = ball(kappa * n / masses.q)
        draw = list(_one_draw(masses, kappa, mean, terms, powers))
        with power_series_length(terms + 1):
            logs = [draw[0].log()]
            for k in range(1, powers + 1):
                rest = draw[k]
                for i in range(1, k):
                    rest = rest - ball(Fraction(i, k)) * logs[i] * draw[k - i]
                logs.append(rest / draw[0])
            all_draws = [(n * logs[0]).exp()]
            for k in range(1, powers + 1):
                total = arb_series([0])
                for i in range(1, k + 1):
                    total = total + ball(Fraction(n * i, k)) * logs[i] * all_draws[k - i]
                all_draws.append(total)
        return cls(n, masses.q, mean, n * masses.either, terms, powers, [_scaled(row, k, terms) for k, row in enumerate(all_draws)])

    def excess(self, series: Series) -> arb:
        """Exp_Q[(P/Q)^alpha] - 1 for the order of the series, enclosed."""
        total, h_rest, K = arb(0), series.edge_minus_1, self.powers
        last = [arb(0)] * len(_CUTS)
        for j in range(1, self.terms):
            e, nu = series.coefficient(j), 2 * j - 1
            h_rest -= e
            polynomial = arb(0)
            for k in range(K):
                polynomial += (-1) ** k * math.comb(nu + k - 1, k) * self.values[k][j]
            total += e * polynomial
            remainder = e * math.comb(nu + K - 1, K) * self.values[K][j]
            for i, eta in enumerate(_CUTS):
                last[i] += remainder / ball(1 - eta) ** (nu + K)
        uppers = [
            each + series.edge_minus_1 * ball(1 - eta) * probability_below(self.n, self.q, eta)
            for each, eta in zip(last, _CUTS, strict=True)
        ]
        least = min(range(len(_CUTS)), key=lambda i: uppers[i].mid())
        return total + (uppers[least] + self._beyond(series, h_rest, ball(1 - _CUTS[least]), total)) * UP_TO_1

    def _beyond(self, series: Series, h_rest: arb, kept: arb, total: arb) -> arb:
        """An upper bound on what the powers from J on add for w >= -eta. kept: 1 - eta; total: of the powers before J."""
        least = h_rest * self.values[0][self.terms] / kept ** (2 * self.terms - 1)
        if least < total * _UNSEEN:
            return least
        mean = ball(self.mean_c)
        scale = mean / (arb(1).exp() * (self.mean * kept) ** 2)
        power, found = scale**self.terms * kept, arb(0)
        for j in range(1, self.terms):
            power *= 2 * j + 1
        for j in range(self.terms, _FARTHEST):
            factor = power * (mean * (j / mean).expm1()).exp()
            rest = found + h_rest * factor
            least = rest if rest < least else least
            if rest - found < total * _UNSEEN or found > least or (j > _HOPELESS and found > total):
                break
            e = series.coefficient(j)
            found += e * factor
            h_rest -= e
            power *= (2 * j + 1) * scale
        return least


def probability_below(n: int, q: Fraction, eta: Fraction) -> arb:
    """An upper bound on Pr(w < -eta), for q > 1."""
    return (-n * relative_entropy(ball((1 - eta) / q), ball(1 / q), rest=ball(1 - 1 / q))).exp()


def _one_draw(masses: Masses, kappa: Fraction, mean: arb, terms: int, powers: int) -> Iterator[arb_series]:
    """The coefficients of z^k, k = 0 .. powers, in Exp[e^(y t/Nbar + z w)] of one draw, as series in v = y^2."""
    centre = kappa / masses.q  # what one draw adds to Nbar
    signs = [1 / (arb(2 * j).fac() * mean ** (2 * j)) for j in range(terms + 1)]
    for k in range(powers + 1):
        either, d, none = (
            ball(mass) * (ball(value - centre) / mean) ** k / arb(k).fac()
            for mass, value in ((masses.either, Fraction(1)), (masses.d, kappa), (masses.none, Fraction(0)))
        )
        coefficients = [either * sign for sign in signs]
        # a probability adds up to 1, and w has mean 0: known exactly
        coefficients[0] = arb(1) if k == 0 else arb(0) if k == 1 else either + d + none
        yield arb_series(coefficients, terms + 1)


def _scaled(row: arb_series, k: int, terms: int) -> list[arb]:
    """Moments from the coefficients of an exponential series."""
    found: Sequence[arb] = row.coeffs()
    found = [*found, *[arb(0)] * (terms + 1 - len(found))]
    return [arb(2 * j).fac() * arb(k).fac() * coefficient for j, coefficient in enumerate(found)]


@contextmanager
def power_series_length(terms: int) -> Iterator[None]:
    """Power series keep so many terms inside the block; flint's length is global."""
    before = ctx.cap
    ctx.cap = terms
    try:
        yield
    finally:
        ctx.cap = before
