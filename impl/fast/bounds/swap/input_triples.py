"""The distributions of L for three inputs on a line that reach from 0 to 1, in float64: what Laplace and Gaussian noise have in common.

Up to reflection there are three curves of (first, second, other): "between" (0, 1, s), "first" (s, 1, 0) and "second" (1, s, 0). Each is
cut into cells of s.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, LossesOfOthers, thinned, widest
from shuffleproof.impl.fast.bounds.swap.unlike_sums import Part, Tilt

POINTS = 1 << 10
"""Of s, from 0 to 1."""
_ABOVE = 1.1
"""The E at which the foremost distribution is chosen: at 1 several have the same variance, of which one grows most with E."""


@dataclass(frozen=True)
class Cell:
    """A part of one curve: [low, high] in points, both even."""

    curve: str
    low: int
    high: int


class TripleLosses(LossesOfOthers):
    """Losses of another user: cells of the three curves that one distribution near the largest chi-square serves."""

    within: float = 1.02
    """Cells are as wide as keeps their chi-square this near to the largest."""
    together: float = 1.03
    """Cells share a distribution where that keeps its chi-square this near to the largest."""

    def __init__(self, blanket: float, compared_by: tuple[Tilt, int]) -> None:
        """compared_by: the grid on which distributions are merged, a choice."""
        super().__init__(blanket)
        self._compared_by = compared_by
        self.worst = self._largest_square(Cell("between", 0, 0))
        self.cells = self._cells()

    @cached_property
    def extreme(self) -> tuple[Cell, Cell]:
        """The foremost cell, and the one furthest behind."""
        by_square = sorted(self.cells, key=lambda cell: self._largest_square(cell, _ABOVE))
        return by_square[-1], by_square[0]

    @cached_property
    def groups(self) -> list[list[Cell]]:
        """Cells that share a distribution."""
        return [cells for cells, _ in self._grouped]

    @cached_property
    def wider(self) -> float:
        """How much wider the widest distribution of a group is than that of the foremost cell."""
        return math.sqrt(max(_mean_square(part) for _, part in self._grouped) / self._largest_square(self.extreme[0]))

    @cached_property
    def _grouped(self) -> list[tuple[list[Cell], Part]]:
        """Groups of cells, and the distribution of each."""
        tilt, level = self._compared_by
        found: list[tuple[list[Cell], Part]] = []
        for cell in self.cells:
            part = tilt.above(
                [tilt.of(mass, self.compared(at), level=level, error=0.0) for mass, at, _ in self.distributions_of(cell, 1.0)]
            )
            for i, (cells, known) in enumerate(found):
                both = tilt.above([known, part])
                if _mean_square(both) <= self.together * self.worst:
                    found[i] = [*cells, cell], both
                    break
            else:
                found.append(([cell], part))
        return found

    def compared(self, at: Floats) -> Floats:
        """Losses at E = 1 as cells are grouped by them."""
        return at

    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        """See `LossesOfOthers`."""
        return [[thinned(atoms, kept) for cell in group for atoms in self.distributions_of(cell, exp_epsilon)] for group in self.groups]

    def foremost(self, exp_epsilon: float, kept: float) -> Atoms:
        """See `LossesOfOthers`: that of the cell where it is at E = 1, as wide as the distribution of its group is there."""
        mass, at, error = widest(self.distributions_of(self.extreme[0], exp_epsilon))
        return thinned((mass, at * self.wider, error), kept)

    def chi_square(self) -> float:
        """See `LossesOfOthers`."""
        return self.worst

    def _cells(self) -> list[Cell]:
        """Return cells from left to right, each as wide as one distribution serves. "second" has those of "first": at E = 1 L is -L."""
        cells, width = list[Cell](), POINTS // 8
        for curve, last, most in (("between", POINTS // 2, POINTS // 2), ("first", POINTS, POINTS)):
            low = 0
            while low < last:
                tried = width
                while width > 2 and not (width <= most and self._serves(curve, low, min(low + width, last))):
                    width //= 2
                while width >= tried and 2 * width <= most and low + width < last and self._serves(curve, low, min(low + 2 * width, last)):
                    width *= 2
                high = min(low + width, last)
                cells.append(Cell(curve, low, high))
                if curve == "between":
                    cells.append(Cell(curve, POINTS - high, POINTS - low))
                low = high
        return [*cells, *(Cell("second", cell.low, cell.high) for cell in cells if cell.curve == "first")]

    def _serves(self, curve: str, low: int, high: int) -> bool:
        """Return whether one distribution serves this cell."""
        return self._largest_square(Cell(curve, low, high)) <= self.within * self.worst

    def _largest_square(self, cell: Cell, E: float = 1.0) -> float:
        """Return the largest mean square of its losses, about; at E = 1 the variance, since the mean is 0."""
        return max(float((mass * at**2).sum()) for mass, at, _ in self.distributions_of(cell, E))

    @abstractmethod
    def distributions_of(self, cell: Cell, E: float) -> list[Atoms]:
        """Distributions of which a mixture is above that of each s of the cell."""


def _mean_square(part: Part) -> float:
    """Return the mean square of hardly tilted losses, about."""
    k = (part.first + np.arange(len(part.a))) * math.ldexp(1.0, part.level)
    return float((part.a * k * k).sum()) * 2.0**part.doubled
