"""The distributions of L for Laplace noise on [0, 1], whatever x_0, x_1 and another user hold, in float64: BEYOND.any-law-laplace-triples.

Three inputs on a line are no worse than those with the same order and ratio of distances that reach from 0 to 1, since Laplace noise of
scale b is that of scale d b and independent noise: the three curves of `input_triples`. For |s - c| <= w R_s is within e^(eps0 w) of R_c.

Reports: parts on each side of a cell of inputs, and the two half-lines (`laplace_rows`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, blanket_distributions, thinned
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS, Cell, TripleLosses
from shuffleproof.impl.fast.bounds.swap.laplace_rows import Distribution, Ratios, Rows, Side
from shuffleproof.impl.fast.bounds.swap.loss_types import Thinned
from shuffleproof.impl.fast.numeric.results import U, out_of_range, require_normal
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

_STEEPEST = 300.0
"""The largest local epsilon: losses up to e^300 and their squares are floats."""

_TINY = 1e-300
"""Less than any mass that counts."""
_AWAY = 2.0
"""How many times another E - 1 may be for the same cells to be foremost."""
_TOLERATED = 2.5e-4
"""Of epsilon, what a sum along a line may lose: blocks lose more."""
_PARTS = (64.0, 512, 1024)
"""Parts of reports on each side of a cell of inputs, times epsilon0, and at least and at most so many: of equal length, as large losses are
at either end. 64 add 4 in 10^5 to the variance;"""
_FEW_PARTS = (4.0, 32, 1024)
"""the same for guesses;"""
_PARTS_OF_A_LINE = ((6.0, 33), (10.0, 65), (_STEEPEST, 193))
"""and in a sum along a line, where means and variances in a part count, of equal steps of e^x, for epsilon0 up to so much: by 33 sums of
10^5 users at epsilon0 = 8 are no nearer than blocks, by 129 those of 10^6 at 11. All odd: neighbours become one far out, half-lines with
their own."""
_MOSTLY_ON_A_LINE = 6.0
"""epsilon0 up to which nearly always there is a sum along a line for many users."""
_TILTS = 2.0 ** np.arange(-6.0, 9.0, 0.375)
"""Over the deviation of a loss, tilts at which they are."""
_LARGEST_EXPONENT = 600.0
"""Of a tilt."""


def types_of_laplace(randomizer: NamedRandomizer, epsilon0: Epsilon) -> Thinned:
    """Its loss types, and the blanket's losses. For eps0 in [1e-300, 300]. Raises UnsupportedError beyond."""

    def blanket(exp_epsilon: float) -> list[Atoms]:
        known = [law.losses(exp_epsilon) for law in blanket_distributions(randomizer, epsilon0)]
        return [(each.mass, each.at, each.error) for each in known]

    return Thinned(loss_types_of_laplace(epsilon0), blanket)


def loss_types_of_laplace(epsilon0: Epsilon) -> LaplaceLosses:
    """For eps0 in [1e-300, 300]. Raises UnsupportedError beyond."""
    require_normal(epsilon0)
    local = float(epsilon0.bounds(bits=64)[1])
    if local > _STEEPEST:
        raise out_of_range(f"eps0 = {local}: Laplace noise is answered for up to {_STEEPEST}")
    return _loss_types(local)


class LaplaceLosses(TripleLosses):
    """The triples of inputs of Laplace noise."""

    within = 1.0005
    """See `TripleLosses`: of epsilon for many users half of what is above 1."""

    def __init__(self, epsilon0: float) -> None:
        self.epsilon0, self._wrong, self._known = epsilon0, (160 + 40 * epsilon0) * U, dict[Cell, list[Distribution]]()
        super().__init__(math.exp(-epsilon0 / 2) * (1 - 1e-12))
        self._leading, self._parts = dict[int, NDArray[np.int64]](), next(parts for most, parts in _PARTS_OF_A_LINE if epsilon0 <= most)

    def kept(self, cell: Cell) -> float:
        """Return the least share of R_s that is R_a or R_b, s in [a, b]."""
        return 1 / math.cosh(self.epsilon0 * (cell.high - cell.low) / 2 / POINTS)

    def distributions(self, cell: Cell) -> list[Distribution]:
        """Return what is computed once of each cell."""
        if cell not in self._known:
            self._known[cell] = self._distributions(cell)
        return self._known[cell]

    def _distributions(self, cell: Cell) -> list[Distribution]:
        """Return those of R_a and R_b, of which a mixture is above L_s for all s of [a, b]: R_s = alpha R_a + beta R_b + rest on [a, b].

        Between: the least share of each is left. First and second: whole and with that share, outside of the cell; reports inside, which
        have the rest, stand at the two ends of where L lies there.
        """
        if cell.curve == "second":
            return [law.swapped() for law in self.distributions(Cell("first", cell.low, cell.high))]
        (a, b, one), share = (self.epsilon0 * x / POINTS for x in (cell.low, cell.high, POINTS)), self.kept(cell)
        inputs, found = sorted({(cell.low, a), (cell.high, b)}), list[Distribution]()
        if cell.curve == "between":
            for point, s in inputs:
                own, end = math.exp(-s) / share, math.exp(s - one) / share
                found.append(Distribution(point, point, point, Side(share / 2, 0.0, own, end, 0.0), Side(share / 2, own, 0.0, 0.0, end)))
            return found
        for (_, c), (part, whole) in product(inputs, ((1.0, True), (share, False)) if a < b else ((1.0, True),)):
            left = Side(0.5, 0.0, part * math.exp(-c), 0.0, math.exp(-one))
            right = Side(math.exp(-b) / 2, part * math.exp(c), 0.0, 0.0, math.exp(2 * b - one))
            found.append(Distribution(0, cell.low, cell.high, left, right, self.inside(a, b, whole=whole)))
        return found

    def inside(self, a: float, b: float, *, whole: bool) -> Ratios:
        """Return the reports inside of a cell of "first".

        If R_a is not whole outside, it has the rest inside, which is tanh((b - a)/4) of what is there of it, and R_b likewise.
        """
        u, v = math.exp(a) * (1.0 if whole else 1 + math.tanh((b - a) / 4)), math.exp(a + b - self.epsilon0)
        ends = math.exp(2 * a - b), math.exp(b), v, math.exp(2 * a - self.epsilon0), math.exp(2 * b - self.epsilon0)
        return Ratios(math.exp(-a) * -math.expm1(a - b) / 2, u, *ends)

    def distributions_of(self, cell: Cell, E: float) -> list[Atoms]:
        """See `TripleLosses`."""
        return _split(self._even([cell], _PARTS).losses(E))

    def _even(self, cells: Iterable[Cell], parts: tuple[float, int, int]) -> Rows:
        """Return the distributions of these cells in parts of equal length, see `_PARTS`."""
        often, least, most = parts
        return self._of(cells, max(least, min(most, math.ceil(often * self.epsilon0))), even=True)

    def _of(self, cells: Iterable[Cell], parts: int, *, even: bool = False) -> Rows:
        """Return the distributions of these cells. parts: of each side."""
        return Rows([law for cell in cells for law in self.distributions(cell)], self.epsilon0 / POINTS, parts, even=even)

    def _largest_square(self, cell: Cell, E: float = 1.0) -> float:
        """See `TripleLosses`."""
        return max(law.mean_square(self.epsilon0 / POINTS, E) for law in self.distributions(cell))

    @cached_property
    def rows(self) -> Rows:
        """The distributions of all cells."""
        return self._even(self.cells, _PARTS)

    @cached_property
    def _rough(self) -> Rows:
        """The same in few parts."""
        return self._even(self.cells, _FEW_PARTS)

    @cached_property
    def parts(self) -> Rows:
        """The same in parts, for sums along a line."""
        return self._of(self.cells, self._parts)

    @cached_property
    def _extreme(self) -> Rows:
        """The same of the foremost cell, and of the one furthest behind, which holds back t of lines the most."""
        return self._of(self.extreme, self._parts)

    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        """See `LossesOfOthers`."""
        rows = self.rows.losses(exp_epsilon)
        return [[law] for law in _split(rows if kept == 1.0 else thinned(rows, kept))]

    def averages(self, exp_epsilon: float, numbers: Sequence[int]) -> list[float] | None:
        """See `LossesOfOthers`."""
        from shuffleproof.impl.fast.bounds.swap.along_a_line.alike_line import averages_of_rows  # of many users alone

        parts = self.parts.in_parts(exp_epsilon, self._wrong)
        if self.epsilon0 > _MOSTLY_ON_A_LINE:  # there is none for all types where those that count have none, which takes far less time
            few = parts.some(np.isin(np.arange(len(parts.mass)), self._leading_at(exp_epsilon)))
            if not (first := averages_of_rows(few, [max(numbers)], tolerated=_TOLERATED)) or not first[0][0] < 1.0:
                return None
        found, close = averages_of_rows(parts, numbers, tolerated=_TOLERATED) or (None, False)
        return found if close else None

    def about(self, exp_epsilon: float, users: float) -> float | None:
        """See `LossesOfOthers`."""
        from shuffleproof.impl.fast.bounds.swap.along_a_line.alike_line import about  # of many users alone

        return about(self._extreme.in_parts(exp_epsilon, self._wrong), users)

    def foremost(self, exp_epsilon: float, kept: float) -> Atoms:
        """See `LossesOfOthers`: in parts."""
        rows = self._extreme.in_parts(exp_epsilon, 0.0)
        mass, at = max(zip(rows.mass, rows.at, strict=True), key=lambda law: float(law[0] @ law[1] ** 2))
        return thinned((mass, at, 0.0), kept)

    def foremost_types(self, exp_epsilon: float) -> list[Atoms]:
        """See `LossesOfOthers`: those that grow most at one tilt or another, at an E nearby, and with the largest loss, at the end."""
        leading, (mass, at) = self._leading_at(exp_epsilon), self._rough.about(exp_epsilon)
        return _split((mass[leading], at[leading], 0.0))

    def _leading_at(self, exp_epsilon: float) -> NDArray[np.int64]:
        """Return which these are."""
        if (near := round(math.log(max(exp_epsilon - 1, _TINY), _AWAY))) not in self._leading:
            mass, at = self._rough.about(exp_epsilon)
            scale = math.sqrt(float((mass * at**2).sum(axis=1).max()))
            exponents = np.multiply.outer(_TILTS / scale, at)
            moments = (mass * np.exp(np.minimum(exponents, _LARGEST_EXPONENT))).sum(axis=-1)
            self._leading[near] = np.unique([*moments.argmax(axis=1), at.max(axis=1).argmax()])
        return self._leading[near]


def _split(rows: Atoms) -> list[Atoms]:
    """Return each row alone."""
    mass, at, error = rows
    return [(*law, error) for law in zip(mass, at, strict=True)]


@lru_cache(maxsize=8)
def _loss_types(local: float) -> LaplaceLosses:
    return LaplaceLosses(local)
