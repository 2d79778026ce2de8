"""The Renyi moments of a pair of the clones family as a series with positive terms.

T = e^eps0, beta = (T - 1)/(T + 1), N = C + 1 the number of messages that count. Given N, the first count a is Bin(N, 1/2) up to a factor
that depends on x = (2a - N)/N only: P = g_N(a)(1 + beta x), Q = g_N(a)(1 - beta x), g_N the mass function of Bin(N, 1/2). So

    Exp_Q[(P/Q)^alpha] = Exp_N H(N),   H(N) = Exp[(1 + beta x)^alpha (1 - beta x)^(1 - alpha)] = sum over j of e_j Exp[x^2j],

where x is a mean of N random signs, odd powers vanish, and e_j = (d_2j + d_2j-1) beta^2j with ((1 + u)/(1 - u))^(alpha - 1) = sum d_k u^k,
(k + 1) d_k+1 = 2 (alpha - 1) d_k + (k - 1) d_k-1: all e_j > 0. The sum of all e_j is h = (T^alpha + T^(1 - alpha))/(T + 1). Hence

    Exp[x^2j] <= (2j - 1)!! N^-j          as for a normal variable, compared monomial by monomial
    H(N) does not increase with N          by Jensen: the mean of N + 1 signs is the conditional mean of the mean of N of them
    sum over j >= K of e_j Exp[x^2j] <= h (2K - 1)!! N^-K     as x^2j <= x^2K.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, expm1_of, log_of
from shuffleproof.spec.vocabulary.numerals import Epsilon

_MOST_TERMS = 12_000
"""Powers that are bounded one by one at most; the last bound covers all that follow, so that the value is sound for any number."""


@dataclass
class Series:
    """The coefficients e_j of one order, as balls at the precision they were made with; e[0] = 1.

    edge_minus_1: h - 1, the value of H(1) - 1.
    """

    order: Fraction
    beta: arb
    edge_minus_1: arb
    _d: list[arb] = field(default_factory=list)
    _e: list[arb] = field(default_factory=lambda: [arb(1)])
    _scale: arb = field(default_factory=lambda: arb(1))

    @classmethod
    def of(cls, *, epsilon0: Epsilon, order: Fraction) -> Series:
        """For epsilon0 > 0 and order > 1."""
        T, T_minus_1, local = exp_of(epsilon0), expm1_of(epsilon0), log_of(epsilon0)
        gamma = ball(order - 1)
        # h - 1 = (T^(alpha - 1) - 1)(T - T^(1 - alpha))/(T + 1): a product of positive numbers
        power = (gamma * local).expm1()
        edge = power * (T_minus_1 + 1 - (-gamma * local).exp()) / (T + 1)
        return cls(order, T_minus_1 / (T + 1), edge, [arb(1), 2 * gamma])

    def coefficient(self, j: int) -> arb:
        """e_j."""
        d = self._d
        while len(self._e) <= j:
            gamma = ball(self.order - 1)
            for k in (len(d) - 1, len(d)):
                d.append((2 * gamma * d[k] + (k - 1) * d[k - 1]) / (k + 1))
            at = len(self._e)
            self._scale = self._scale * (self.beta * self.beta)
            self._e.append((d[2 * at] + d[2 * at - 1]) * self._scale)
        return self._e[j]

    def terms(self, *, N: int, target: arb, most: int) -> int | None:
        """How many powers leave out less than target for all counts of at least N; None if more than `most` are needed."""
        bounds, rest = self._normal_bounds(N, target / 2)
        if not rest < target / 2:
            return None
        for at in range(len(bounds), 1, -1):
            rest += bounds[at - 1]
            if not rest < target:
                return at + 1 if at < most else None
        return 2

    def beyond(self, *, terms: int, N: int, smallest: arb) -> arb:
        """An upper bound on the sum over j >= terms of e_j Exp[x^2j] for all counts of at least N: by normal moments, then by h.

        terms: at least 1. smallest: below this nothing need be gained.
        """
        bounds, rest = self._normal_bounds(N, smallest)
        for bound in bounds[terms - 1 :]:
            rest += bound
        known = self.edge_minus_1
        return rest if rest < known else known

    def _normal_bounds(self, N: int, smallest: arb) -> tuple[list[arb], arb]:
        """e_j (2j - 1)!! N^-j for 1 <= j < K, and h (2K - 1)!! N^-K, until that is below smallest or grows."""
        bounds: list[arb] = []
        rest = self.edge_minus_1 + 1
        for j in range(1, _MOST_TERMS):
            following = rest * (2 * j - 1) / N
            if rest < smallest or 2 * j - 1 > N:
                break
            rest, factor = following, following / (self.edge_minus_1 + 1)
            bounds.append(self.coefficient(j) * factor)
        if bounds:
            bounds.pop()  # the last power belongs to the rest
        return bounds, rest
