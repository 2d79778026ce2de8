"""The distributions of L for Laplace noise on [0, 1], whatever x_0, x_1 and another user hold, in float64: BEYOND.any-law-laplace-triples.

Three inputs on a line are no worse than those with the same order and ratio of distances that reach from 0 to 1, since Laplace noise of
scale b is that of scale d b and independent noise: the three curves of `input_triples`. For |s - c| <= w R_s is within e^(eps0 w) of R_c.

Reports: cells of a grid on which all s are points, and the two half-lines.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Atoms, blanket_laws, thinned
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS, Cell, TripleKinds
from shuffleproof.impl.fast.bounds.swap.loss_types import Thinned
from shuffleproof.impl.fast.bounds.swap.unlike_sums import Tilt
from shuffleproof.impl.fast.numeric.results import out_of_range, require_normal
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

_STEEPEST = 300.0
"""The largest local epsilon: losses up to e^300 and their squares are floats."""


def types_of_laplace(randomizer: NamedRandomizer, epsilon0: Epsilon) -> Thinned:
    """Its loss types, and the blanket's losses. For eps0 in [1e-300, 300]. Raises UnsupportedError beyond."""

    def blanket(exp_epsilon: float) -> list[Atoms]:
        known = [law.losses(exp_epsilon) for law in blanket_laws(randomizer, epsilon0)]
        return [(each.mass, each.at, each.error) for each in known]

    return Thinned(kinds_of_laplace(epsilon0), blanket)


def kinds_of_laplace(epsilon0: Epsilon) -> LaplaceKinds:
    """For eps0 in [1e-300, 300]. Raises UnsupportedError beyond."""
    require_normal(epsilon0)
    local = float(epsilon0.bounds(bits=64)[1])
    if local > _STEEPEST:
        raise out_of_range(f"eps0 = {local}: Laplace noise is answered for up to {_STEEPEST}")
    return _kinds(local)


class LaplaceKinds(TripleKinds):
    """The triples of inputs of Laplace noise."""

    error = 1e-13
    """A dozen operations and two exponentials of arguments up to 700."""

    def __init__(self, epsilon0: float) -> None:
        self.epsilon0, self.known = epsilon0, dict[int, tuple[Floats, Floats]]()
        tilt, level = Tilt(1e-9 * math.exp(-epsilon0), 1 << 11), math.floor(math.log2(2 * math.exp(epsilon0) / (1 << 11)))
        super().__init__(math.exp(-epsilon0 / 2) * (1 - 1e-12), (tilt, level))

    within = 1.0005
    """See `TripleKinds`: of epsilon for many users half of what is above 1."""

    def kept(self, cell: Cell) -> tuple[float, float]:
        """The least share of R_s that is R_a or R_b, s in [a, b], and what it lacks of 1."""
        w = self.epsilon0 * (cell.high - cell.low) / 2 / POINTS
        return 1 / math.cosh(w), 2 * math.sinh(w / 2) ** 2 / math.cosh(w)

    def laws_of(self, cell: Cell, E: float) -> list[Atoms]:
        """See `TripleKinds`: L_s is at most a mixture of these for every s of [a, b], by R_s = alpha R_a + beta R_b + rest on [a, b].

        Between: those of R_a and of R_b, of which the least share is left. First and second: of R_a and of R_b, whole and with that share,
        outside of the cell; reports inside, which have the rest, stand at the two ends of where L lies there.
        """
        (m, at_m), (end, at_end) = self.law(0), self.law(POINTS)
        share, rest = self.kept(cell)
        known = [self.law(x) for x in sorted({cell.low, cell.high})]
        if cell.curve == "between":
            return [thinned(self.losses(own, at_own, m, at_m, end, at_end, E), share) for own, at_own in known]
        inside = np.zeros(len(m), dtype=bool)
        inside[cell.low + 1 : cell.high + 1] = True
        out, found, means = ~inside, list[Atoms](), list[float]()
        for own, at_own in known:
            for part, lost in ((1.0, 0.0), (share, rest)) if rest else ((1.0, 0.0),):
                reports = (own[out] * part, at_own[:, out] * part), (end[out], at_end[:, out])
                own_inside = float(own[inside].sum()) + lost * float(own[out].sum())
                masses = own_inside, float(end[inside].sum())
                if cell.curve == "second":
                    reports, masses = reports[::-1], masses[::-1]
                found.append(self.losses(m[out], at_m[:, out], *reports[0], *reports[1], E))
                means.append(masses[0] - E * masses[1])
        mass = float(m[inside].sum())
        return self.with_cell(found, [mean / mass for mean in means], cell, mass, E) if rest else found

    def with_cell(self, laws: list[Atoms], means: list[float], cell: Cell, mass: float, E: float) -> list[Atoms]:
        """Return these laws, and in each losses of that mass and its mean at two places that are the same for all."""
        a, b, one = (self.epsilon0 * x / POINTS for x in (cell.low, cell.high, POINTS))
        own, end = (math.exp(2 * a - b), math.exp(b)), (math.exp(2 * a - one), math.exp(2 * b - one))
        first, second = (own, end) if cell.curve == "first" else (end, own)
        doubt = 80 * self.error * (first[1] + E * second[1])
        low, high = min(first[0] - E * second[1], *means) - doubt, max(first[1] - E * second[0], *means) + 2 * doubt
        shares = [(mean + doubt - low) / (high - low) for mean in means]
        places = np.array([high + doubt, low + doubt])
        return [
            (np.append(law[0], [mass * each, mass * (1 - each)]), np.append(law[1], places), law[2])
            for law, each in zip(laws, shares, strict=True)
        ]

    def law(self, x: int) -> tuple[Floats, Floats]:
        """R_x, x in points: masses of y <= 0, the cells and y >= 1, and the density at both ends of these, up to eps0/2."""
        if x in self.known:
            return self.known[x]
        rate = self.epsilon0 / POINTS
        y = np.arange(POINTS + 1)
        height = np.exp(-rate * np.abs(y - x))
        cells = np.maximum(height[:-1], height[1:]) * (-math.expm1(-rate) / 2)
        ends = np.array([np.concatenate([height[:1], height[:-1], height[-1:]]), np.concatenate([height[:1], height[1:], height[-1:]])])
        self.known[x] = np.concatenate([height[:1] / 2, cells, height[-1:] / 2]), ends
        return self.known[x]


@lru_cache(maxsize=16)
def _kinds(local: float) -> LaplaceKinds:
    return LaplaceKinds(local)
