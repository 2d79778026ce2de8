"""The distributions of L for three inputs on a line that reach from 0 to 1, in float64: what Laplace and Gaussian noise have in common.

Up to reflection there are three curves of (first, second, other): "between" (0, 1, s), "first" (s, 1, 0) and "second" (1, s, 0). Each is
cut into cells of s.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, LossesOfOthers

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

    within: float
    """Cells are as wide as keeps their chi-square this near to the largest."""

    def __init__(self, blanket: float) -> None:
        super().__init__(blanket)
        self.worst = self._largest_square(Cell("between", 0, 0))
        self.cells = self._cells()

    @cached_property
    def extreme(self) -> tuple[Cell, Cell]:
        """The foremost cell, and the one furthest behind."""
        by_square = sorted(self.cells, key=lambda cell: self._largest_square(cell, _ABOVE))
        return by_square[-1], by_square[0]

    def chi_square(self) -> float:
        """See `LossesOfOthers`."""
        return self.worst

    def _cells(self) -> list[Cell]:
        """Return cells from left to right, each as wide as one distribution serves. "second" has those of "first": at E = 1 L is -L."""
        cells, width = list[Cell](), POINTS // 8
        for curve, last in (("between", POINTS // 2), ("first", POINTS)):
            low = 0
            while low < last:
                tried = width
                while width > 2 and not (width <= last and self._serves(curve, low, min(low + width, last))):
                    width //= 2
                while width >= tried and 2 * width <= last and low + width < last and self._serves(curve, low, min(low + 2 * width, last)):
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
