"""Which numbers of messages count towards a Renyi moment of the clones family, and what the others add at most."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb

from shuffleproof.impl.ball.bounds.clones.renyi_series import Series
from shuffleproof.impl.ball.numeric.arithmetic import expm1_of
from shuffleproof.impl.ball.numeric.binomial import log_mass_by_odds, tail_against
from shuffleproof.spec.vocabulary.numerals import Epsilon

_TAIL_BITS = 32
"""Bits of what a window leaves out."""


@dataclass(frozen=True)
class Window:
    """N - 1 ~ Bin(m, p), p/(1 - p) = odds, summed over low <= N <= high; mean and deviation of N, as floats for guesses."""

    m: int
    odds: arb
    low: int
    high: int
    mean: float

    @classmethod
    def of(cls, *, n: int, odds_factor: int, epsilon0: Epsilon, spread: float, below: float | None = None) -> Window:
        """The window that leaves out a mass of about e^-spread, e^-below on its left."""
        below = spread if below is None else below
        m, odds = n - 1, odds_factor / expm1_of(epsilon0)
        ratio = min(float(odds.mid()), 1e300)
        p = ratio / (1 + ratio)
        mean, variance = 1 + m * p, m * p * (1 - p)
        low = math.floor(mean - math.sqrt(2 * below * variance) - below / 3)
        high = math.ceil(mean + math.sqrt(2 * spread * variance) + spread)
        return cls(m, odds, min(max(1, low), n), max(1, min(n, high)), mean)

    def mass(self, N: int) -> arb:
        """Pr(N)."""
        return log_mass_by_odds(self.m, N - 1, log_odds=self.odds.log(), log_total=self.odds.log1p()).exp()

    def masses(self) -> Iterator[arb]:
        """Pr(N) for low <= N <= high, one after the other: there may be millions."""
        mass = self.mass(self.low)
        yield mass
        for c in range(self.low - 1, self.high - 1):
            mass = mass * self.odds * (self.m - c) / (c + 1)
            yield mass

    def outside(self, series: Series, *, smallest: arb) -> arb:
        """An upper bound on what N outside the window adds to Exp H(N) - 1, by levels: H(N) does not increase with N."""
        total, level, step = arb(0), self.low, max(1, math.ceil(self.mean - self.low))
        if self.high <= self.m:
            total += self._tail(self.high, downward=False) * series.beyond(terms=1, N=self.high + 1, smallest=smallest)
        while level > 1:
            following = max(1, level - step)
            total += self._tail(level - 2, downward=True) * series.beyond(terms=1, N=following, smallest=smallest)
            level, step = following, 2 * step
        return total

    def _tail(self, c: int, *, downward: bool) -> arb:
        """Pr(N - 1 <= c), or >= c."""
        return tail_against(self.m, c, 1 / self.odds, downward=downward, bits=_TAIL_BITS)
