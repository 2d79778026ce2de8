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
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Atoms, blanket_laws
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

    def apart(self, cell: Cell) -> float:
        """How much R_s/R_c - 1 may be for s of the cell, c its middle."""
        return math.expm1(self.epsilon0 * (cell.high - cell.low) / 2 / POINTS)

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

    def least(self, low: int, high: int) -> tuple[Floats, Floats]:
        """min(R_low, R_high): one of the two on each cell, their middle being a point."""
        (one, at_one), (other, at_other) = self.law(low), self.law(high)
        return np.minimum(one, other), np.minimum(at_one, at_other)


@lru_cache(maxsize=16)
def _kinds(local: float) -> LaplaceKinds:
    return LaplaceKinds(local)
