"""The laws of L for Laplace noise on [0, 1], whatever x_0, x_1 and another user hold, in float64: BEYOND.any-law-laplace-triples.

Three inputs on a line are no worse than those with the same order and ratio of distances that reach from 0 to 1, since Laplace noise of
scale b is that of scale d b and independent noise. Up to reflection this leaves three curves of (first, second, other): "between"
(0, 1, s), "first" (s, 1, 0) and "second" (1, s, 0). Each is cut into cells of s.

Between: m = min(R_a, R_b) is below R_s for all s of [a, b]. First, second: with c the middle of a cell of half-width w the loss differs
from that at c by a Delta of mean 0, |Delta| <= B = (e^(eps0 w) - 1) R_c/R_0 (E times as much for "second"), so that L is below the mixture
of L_c/(1 - q) and, with probability q, of +-2 B/q, both signs alike, in the convex order.

Reports: cells of a grid on which all s are points, and the two half-lines; a cell's mass goes to the ends of where L lies there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from shuffleproof.impl.fast.bounds.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.randomizer_laws import Atoms, Kinds, thinned
from shuffleproof.impl.fast.bounds.unlike_sums import Part, Tilt
from shuffleproof.impl.fast.numeric.results import out_of_range
from shuffleproof.spec.vocabulary.numerals import Epsilon

_POINTS = 1 << 10
_WITHIN = 1.02
"""Cells are as wide as keeps their chi-square this near to the largest."""
_TOGETHER = 1.03
_ERROR = 1e-13
"""Relative, granted to every mass and ratio here: a dozen operations and two exponentials of arguments up to 700."""
_STEEPEST = 300.0


@dataclass(frozen=True)
class Cell:
    """A part of one curve: [low, high] in points of the grid, both even."""

    curve: str
    low: int
    high: int


def kinds_of_laplace(epsilon0: Epsilon) -> LaplaceKinds:
    """For eps0 in (0, 300]. Raises UnsupportedError beyond."""
    local = float(epsilon0.bounds(bits=64)[1])
    if local > _STEEPEST:
        raise out_of_range(f"eps0 = {local}: Laplace noise is answered for up to {_STEEPEST}")
    return _kinds(local)


class LaplaceKinds(Kinds):
    """Kinds of another user: cells of the three curves that one law near the largest chi-square serves."""

    def __init__(self, epsilon0: float) -> None:
        super().__init__(math.exp(-epsilon0 / 2) * (1 - 1e-12), [], even=False)
        self.epsilon0 = epsilon0
        self.worst = _variance(self.of_cell(Cell("between", 0, 0), 1.0))
        cells = self._cells()
        self.groups: list[list[Cell]] = []
        tilt, level = Tilt(1e-9 * math.exp(-epsilon0), 1 << 11), math.floor(math.log2(2 * math.exp(epsilon0) / (1 << 11)))
        merged: list[Part] = []
        for cell in cells:
            part = tilt.of(*self.of_cell(cell, 1.0)[:2], level=level, error=0.0)
            for i, known in enumerate(merged):
                both = tilt.above([known, part])
                k = (both.first + np.arange(len(both.a))) * math.ldexp(1.0, both.level)
                if float((both.a * k * k).sum()) * 2.0**both.doubled <= _TOGETHER * self.worst:
                    merged[i] = both
                    self.groups[i].append(cell)
                    break
            else:
                merged.append(part)
                self.groups.append([cell])

    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        """As for `Kinds`."""
        return [[thinned(self.of_cell(cell, exp_epsilon), kept) for cell in group] for group in self.groups]

    def chi_square(self) -> float:
        """As for `Kinds`."""
        return self.worst

    def _cells(self) -> list[Cell]:
        cells: list[Cell] = []
        for curve in ("between", "first", "second"):
            low, last = 0, _POINTS // 2 if curve == "between" else _POINTS
            while low < last:
                width = 2
                while low + 2 * width <= last and _variance(self.of_cell(Cell(curve, low, low + 2 * width), 1.0)) <= _WITHIN * self.worst:
                    width *= 2
                high = min(low + width, last)
                cells.append(Cell(curve, low, high))
                if curve == "between":
                    cells.append(Cell(curve, _POINTS - high, _POINTS - low))
                low = high
        return cells

    def of_cell(self, cell: Cell, E: float) -> Atoms:
        """One law above those of all s of the cell."""
        middle = (cell.low + cell.high) // 2
        if cell.curve == "between":
            (m, at_m), (first, at_first), (second, at_second) = self.least(cell.low, cell.high), self.law(0), self.law(_POINTS)
            return self.losses(m, at_m, first, at_first, second, at_second, E)
        (m, at_m), (end, at_end), (own, at_own) = self.law(0), self.law(_POINTS), self.law(middle)
        grown = self.apart(cell)
        if cell.curve == "first":
            mass, at, error = self.losses(m, at_m, own, at_own, end, at_end, E)
            scale = 2 * grown * (1 + 1e-9)
        else:
            mass, at, error = self.losses(m, at_m, end, at_end, own, at_own, E)
            scale = 2 * grown * E * (1 + 1e-9)
        if not grown:
            return mass, at, error
        noise = scale * (at_own / at_m).max(axis=0) * (1 + _ERROR)
        own_part, other = math.sqrt(float((mass * at * at).sum())), math.sqrt(float((m * noise * noise).sum()))
        q = min(0.5, max(1e-6, other / (own_part + other)))
        return (
            np.concatenate([mass * (1 - q), m * (q / 2), m * (q / 2)]),
            np.concatenate([at / (1 - q) + 1e-15 * np.abs(at), noise / q, -noise / q * (1 - 1e-14)]),
            error,
        )

    def apart(self, cell: Cell) -> float:
        """How much R_s/R_c - 1 may be for s of the cell, c its middle."""
        return math.expm1(self.epsilon0 * (cell.high - cell.low) / 2 / _POINTS)

    def law(self, x: int) -> tuple[Floats, Floats]:
        """R_x, x in points: masses of y <= 0, the cells and y >= 1, and the density at both ends of these, up to eps0/2."""
        rate = self.epsilon0 / _POINTS
        y = np.arange(_POINTS + 1)
        height = np.exp(-rate * np.abs(y - x))
        cells = np.maximum(height[:-1], height[1:]) * (-math.expm1(-rate) / 2)
        ends = np.array([np.concatenate([height[:1], height[:-1], height[-1:]]), np.concatenate([height[:1], height[1:], height[-1:]])])
        return np.concatenate([height[:1] / 2, cells, height[-1:] / 2]), ends

    def least(self, low: int, high: int) -> tuple[Floats, Floats]:
        """min(R_low, R_high): one of the two on each cell, their middle being a point."""
        (one, at_one), (other, at_other) = self.law(low), self.law(high)
        return np.minimum(one, other), np.minimum(at_one, at_other)

    def losses(self, m: Floats, at_m: Floats, first: Floats, at_first: Floats, second: Floats, at_second: Floats, E: float) -> Atoms:
        """Masses under m of where L may lie on a cell, its mean kept, and raised by more than all roundings."""
        u, v = at_first / at_m, at_second / at_m
        high = u.max(axis=0) - E * v.min(axis=0)
        low = u.min(axis=0) - E * v.max(axis=0)
        doubt = 40 * _ERROR * (u.max(axis=0) + E * v.max(axis=0))
        high, low = high + doubt, low - doubt
        share = np.clip(((first - E * second) / m + doubt - low) / (high - low), 0.0, 1.0)
        return np.concatenate([m * share, m * (1 - share)]), np.concatenate([high + doubt, low + doubt]), 4 * _ERROR


@lru_cache(maxsize=16)
def _kinds(local: float) -> LaplaceKinds:
    return LaplaceKinds(local)


def _variance(atoms: Atoms) -> float:
    """About, at E = 1, where the mean is 0."""
    return float((atoms[0] * atoms[1] ** 2).sum())
