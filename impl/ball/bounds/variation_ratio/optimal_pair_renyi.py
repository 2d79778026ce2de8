"""Renyi divergences of the optimal pair, certified for every real order above 1, by two routes.

Moments: from the centred moments of the counts, for n well above q, at the same cost for any n (optimal_pair_moments). Counts: a sum over
all of them, for moderate n (optimal_pair_counts).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

from flint import arb

from shuffleproof.impl.ball.bounds.clones.renyi_series import Series
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_counts import LARGEST_WORK, Counts
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_masses import Pair
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_moments import Moments
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, precision
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.refusals import infinite_renyi

Route = Literal["auto", "moments", "counts"]
_SIZES = ((24, 12), (64, 20), (144, 28))
"""(J, K) of the moments, tried in turn."""
_COUNTS = (48, 96, 192, 384)
"""J, four times the last c that is summed term by term."""


class PairRenyi:
    """One pair; the moments of its counts serve every order."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        if self.pair.masses is not None and self.pair.top is None:
            raise infinite_renyi(OPTIMAL_PAIR)
        self._kept: dict[tuple[int, int], tuple[int, Moments]] = {}

    def divergence(
        self, *, order: Fraction, digits: int, route: Route = "auto", most: int = LARGEST_WORK
    ) -> tuple[Fraction, Fraction, int]:
        """Certified ends, to `digits` digits, and the bits they took, for a beta above 0. most: terms of a sum over counts.

        Raises as `renyi`.
        """
        masses, top = self.pair.masses, self.pair.top
        assert masses is not None
        assert top is not None
        least = math.ceil(3.33 * digits) + 4 * self.pair.n.bit_length() + 2 * (order.numerator // order.denominator).bit_length() + 96
        # e^-epsilon0 is about 1 - beta_0, which is about epsilon0 where that is small.
        local = top.bounds(bits=64)[1]
        least += math.ceil(1.45 * float(local)) + 2 * max(0, local.denominator.bit_length() - local.numerator.bit_length())
        known, bits = (Fraction(0), Fraction(0)), least
        by_moments = route == "moments" or (route == "auto" and self._many_enough(order, digits))
        for sizes in (_SIZES if by_moments else (), _COUNTS if route != "moments" else ()):
            bits, width = least, math.inf
            for size in sizes:
                with precision(bits):
                    series = Series.of(epsilon0=top, order=order)
                    value = (
                        self._by_moments(series, *size, bits) if isinstance(size, tuple) else self._by_counts(series, size, digits, most)
                    )
                    found = (value.log1p() / ball(order - 1)) if value > -1 and value.is_finite() else arb(0, 1)
                    if found.is_finite() and found > 0:
                        known = ends(found)
                if known[0] > 0 and (known[1] - known[0]) * 10**digits <= known[1]:
                    return *known, bits
                if route == "auto" and isinstance(size, tuple) and float(value.rad()) > width:  # more moments are of no use
                    break
                bits, width = bits + bits // 4, float(value.rad())
        raise UndecidedError(quantity="the Renyi divergence", enclosure=(str(float(known[0])), str(float(known[1]))), precision=bits)

    def _many_enough(self, order: Fraction, digits: int) -> bool:
        """Return whether Pr(w < -3/4), at most e^-n KL, can be left out; only a choice."""
        assert self.pair.masses is not None
        assert self.pair.top is not None
        q = float(min(self.pair.masses.q, Fraction(10**300)))
        y = 1 / (4 * q)
        rest = (1 - y) * (math.log1p(-y) - math.log1p(-1 / q)) if q > 1 else math.inf
        largest = float(order - 1) * float(self.pair.top.bounds(bits=64)[0])  # about ln h
        return self.pair.n * (rest - y * math.log(4)) > 2.31 * digits + largest

    def _by_moments(self, series: Series, terms: int, powers: int, bits: int) -> arb:
        assert self.pair.masses is not None
        known = self._kept.get((terms, powers))
        if known is None or known[0] < bits:
            known = bits, Moments.of(n=self.pair.n, masses=self.pair.masses, terms=terms, powers=powers)
            self._kept[terms, powers] = known
        return known[1].excess(series)

    def _by_counts(self, series: Series, terms: int, digits: int, most: int) -> arb:
        masses = self.pair.masses
        assert masses is not None
        # What comes out is about e_1 Exp[t^2]/Nbar^2, and at most (h - 1) Exp[c]/Nbar, as t^2j <= c^2j and c <= N: a guess.
        share = masses.either * masses.q * (1 + masses.x) / 2
        target = min(series.coefficient(1) * ball(share * masses.q * (1 + masses.x) / 2 / self.pair.n), series.edge_minus_1 * ball(share))
        smallest = target * arb(-2.31 * digits - 6 * terms / _COUNTS[0]).exp()  # a wider window where the first one had no answer
        return Counts.of(n=self.pair.n, masses=masses, series=series, smallest=smallest).excess(
            series, terms=terms, direct_to=terms // 4, most=most
        )
