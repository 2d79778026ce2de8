"""Distributions of Gaussian noise on inputs in [0, 1], on cells of reports, in float64: masses, and densities at both ends of each cell.

In units of sigma, from z below 0 to z above 1; of densities without their constant. Inputs are counted in `POINTS`. Of losses a cell's mass
goes to the ends of where L lies there.
"""

import math
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS

ERROR = 2e-12
"""Relative, of a mass and a ratio: a dozen operations, sums of eight terms, and two exponentials of arguments up to 700 that are known to
1e-12."""
_CELLS = 1 << 11
"""Cells of reports, from one end to the other."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
Masses = tuple[Floats, Floats]
"""Masses of the cells, and densities at the lower and at the upper end of each."""


class Inputs:
    """Distributions of noise of this sigma."""

    def __init__(self, sigma: Fraction, z: Fraction, cells: int = _CELLS) -> None:
        self.rate = float(1 / sigma)
        self.y = np.linspace(-float(z), self.rate + float(z), cells + 1)
        self.known = dict[int, Masses]()

    def distribution(self, x: int) -> Masses:
        """R_x, masses by Gauss and Legendre's rule."""
        if x in self.known:
            return self.known[x]
        centre = self.rate * x / POINTS
        height = np.exp(-((self.y - centre) ** 2) / 2)
        half = (self.y[1:] - self.y[:-1]) / 2
        nodes = (self.y[1:] + self.y[:-1])[:, None] / 2 + half[:, None] * _NODES
        masses = np.exp(-((nodes - centre) ** 2) / 2) @ _WEIGHTS * half / math.sqrt(2 * math.pi)
        self.known[x] = masses, np.array([height[:-1], height[1:]])
        return self.known[x]

    def least(self, low: int, high: int) -> Masses:
        """A distribution that is at most min(R_low, R_high), and so at most R_x for x in between.

        R_high to the left of the middle, R_low to the right; on the cell of the middle a part of R_low.
        """
        (one, at_one), (other, at_other) = self.distribution(low), self.distribution(high)
        ratio = at_other / at_one
        left = ratio.max(axis=0) <= 1.0
        part = np.minimum(ratio.min(axis=0), 1.0)
        return np.where(left, other, one * part), np.where(left, at_other, at_one * part)

    def raised(self, x: int, points: int) -> tuple[float, Floats]:
        """Return what R_s is at most and at least, next to the mixture of the ends' distributions of its mean; on each cell of reports.

        For both cells of so many points, at most, that end at x.
        """
        wide = points * self.rate / POINTS
        return beside_mixture(wide, self.farthest(x) + wide / 2)

    def farthest(self, x: float) -> Floats:
        """Return how far reports of each cell are from an input at most."""
        far = np.abs(self.y - self.rate * x / POINTS)
        return np.maximum(far[:-1], far[1:])


def beside_mixture(wide: float, far: Floats) -> tuple[float, Floats]:
    """Return R_s/M at most and at least: M is the mixture of two inputs so far apart, of the mean s; far: of reports from their middle."""
    return math.exp(wide**2 / 8) * (1 + 1e-12), np.exp(-((wide * far) ** 2) / 8) * (1 - 1e-12)


def ranges(m: Floats, at_m: Floats, first: Floats, at_first: Floats, second: Floats, at_second: Floats) -> Floats:
    """Return m, and of u and v the mean, the least and the largest value, on each cell of reports, from the values at its ends."""
    u, v = at_first / at_m, at_second / at_m
    known = np.broadcast_arrays(m, first / m, u.min(axis=0), u.max(axis=0), second / m, v.min(axis=0), v.max(axis=0))
    return np.stack(known)


def losses_of(known: Floats, E: float) -> Atoms:
    """Return masses under m of where L may lie, its mean kept, and raised by more than all roundings. known: `ranges`, to ERROR."""
    m, u, u_low, u_high, v, v_low, v_high = known
    doubt = 40 * ERROR * (u_high + E * v_high)
    high, low = u_high - E * v_low + doubt, u_low - E * v_high - doubt
    share = np.clip((u - E * v + doubt - low) / (high - low), 0.0, 1.0)
    return np.concatenate([m * share, m * (1 - share)], axis=-1), np.concatenate([high + doubt, low + doubt], axis=-1), 4 * ERROR
