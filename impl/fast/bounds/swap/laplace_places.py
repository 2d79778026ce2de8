"""The distributions of L for Laplace noise on [0, 1], whatever x_0, x_1 and another user hold, in float64: BEYOND.any-law-laplace-triples.

Three inputs on a line are no worse than those with the same order and ratio of distances that reach from 0 to 1, since Laplace noise of
scale b is that of scale d b and independent noise: the three curves of `input_triples`. For |s - c| <= w R_s is within e^(eps0 w) of R_c.

Reports: cells of a grid on which all s are points, and the two half-lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, blanket_distributions, thinned
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS, Cell, TripleLosses, losses_of, ranges
from shuffleproof.impl.fast.bounds.swap.loss_types import Thinned
from shuffleproof.impl.fast.bounds.swap.unlike_sums import Tilt
from shuffleproof.impl.fast.numeric.results import U, out_of_range, require_normal
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

if TYPE_CHECKING:
    from shuffleproof.impl.fast.bounds.swap.loss_rows import Rows as LossRows

_STEEPEST = 300.0
"""The largest local epsilon: losses up to e^300 and their squares are floats."""

_NOTHING = np.array([[0.0], *[[0.0], [0.0], [1.0]] * 2])
"""`ranges` without mass."""
_TINY = 1e-300
"""Less than any mass that counts."""
_AWAY = 2.0
"""How many times another E - 1 may be for the same cells to be foremost."""
_TOLERATED = 2.5e-4
"""Of epsilon, what a sum along a line may lose: blocks lose more."""
_CELLS_OF_A_PART = 8
"""Cells of reports that are one part of a sum along a line, where means and variances in it count."""
_TOGETHER = 16
"""Reports that count as one where they are compared."""
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


@dataclass(frozen=True)
class Rows:
    """Parts that do not depend on E, of the distributions of some cells, in rows.

    outside: `ranges` of reports outside of the cell; inside: the same of all reports inside; thin: the share of each distribution that is
    left; starts: the first distribution of each cell.
    """

    outside: Floats
    inside: Floats
    thin: Floats
    starts: NDArray[np.int64]

    @classmethod
    def together(cls, cells: Sequence[Rows]) -> Rows:
        """Return those of all these cells."""
        outside, inside = (np.concatenate([getattr(each, name) for each in cells], axis=1) for name in ("outside", "inside"))
        starts = np.cumsum([0, *(len(each.thin) for each in cells[:-1])])
        return cls(outside, inside, np.concatenate([each.thin for each in cells]), starts)

    def apart(self) -> list[Rows]:
        """Return those of each cell."""
        ends = np.append(self.starts[1:], len(self.thin))
        parts = map(slice, self.starts, ends)
        return [Rows(self.outside[:, rows], self.inside[:, rows], self.thin[rows], self.starts[:1]) for rows in parts]

    def losses(self, E: float) -> Atoms:
        """Return the losses in rows. Reports inside of a cell stand at two places that are the same for all of its distributions."""
        (mass, at, error), (inside, at_inside) = losses_of(self.outside, E, LaplaceLosses.error), self.losses_inside(E)
        return thinned((np.column_stack([mass, inside]), np.column_stack([at, at_inside]), error), self.thin[:, None])

    def losses_inside(self, E: float) -> tuple[Floats, Floats]:
        """Return masses of those at the two places, and these."""
        m, u, u_low, u_high, v, v_low, v_high = self.inside
        means, doubt, sizes = u - E * v, 80 * LaplaceLosses.error * (u_high + E * v_high), np.diff(self.starts, append=len(m))
        low = np.minimum(u_low - E * v_high, np.minimum.reduceat(means, self.starts).repeat(sizes)) - doubt
        high = np.maximum(u_high - E * v_low, np.maximum.reduceat(means, self.starts).repeat(sizes)) + 2 * doubt
        share = (means + doubt - low) / (high - low)
        return np.column_stack([m * share, m * (1 - share)]), np.column_stack([high + doubt, low + doubt])

    @cached_property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """Return of parts of reports outside the masses, by 1, u and v; the squares of losses, by powers of -E; and ends of u and v.

        Losses at both ends of where L lies on a cell have the mean square (low + high) mean - low high, of which these are sums.
        """
        m, u, u_low, u_high, v, v_low, v_high = self.outside
        starts = np.arange(0, m.shape[1], _CELLS_OF_A_PART)
        mean, crossed = u_low + u_high, v_low + v_high
        squares = np.array(
            [
                m * (u * mean - u_low * u_high),
                m * (u * crossed + v * mean - u_low * v_low - u_high * v_high),
                m * (v * crossed - v_low * v_high),
            ]
        )
        low, high = (
            np.where(m > 0.0, each, end) for each, end in ((np.array([u_low, v_low]), np.inf), (np.array([u_high, v_high]), -np.inf))
        )
        ends = np.concatenate([np.minimum.reduceat(low, starts, axis=-1), np.maximum.reduceat(high, starts, axis=-1)])
        return np.add.reduceat(np.array([m, m * u, m * v]), starts, axis=-1), np.add.reduceat(squares, starts, axis=-1), ends

    def in_parts(self, E: float, wrong: float) -> LossRows:
        """Return the losses in parts, for sums along a line. wrong: the relative error of a mass."""
        from shuffleproof.impl.fast.bounds.swap.loss_rows import Rows as LossRows  # of many users alone

        (m, u, v), (by_1, by_E, by_square), (u_low, v_low, u_high, v_high) = self.parts
        there, (inside, at_inside), thin = m > 0.0, self.losses_inside(E), self.thin[:, None]
        mean = np.divide(u - E * v, m, out=np.zeros(m.shape), where=there)
        square = np.divide(by_1 - E * by_E + E * E * by_square, m, out=np.zeros(m.shape), where=there)
        far, reach = (np.where(there, each, 0.0) for each in (u_high + E * v_high, u_high - u_low + E * (v_high - v_low)))
        mass = np.column_stack([m, inside]) * thin
        nothing, apart = np.zeros((len(m), 3)), np.abs(at_inside)
        return LossRows(
            np.column_stack([mass, np.maximum(0.0, 1.0 - mass.sum(axis=1))]),
            np.column_stack([mean / thin, at_inside / thin, nothing[:, :1]]),
            np.column_stack([np.maximum(square - mean * mean, 0.0) / thin**2, nothing]),
            np.column_stack([reach / thin, nothing]),
            wrong,
            200 * LaplaceLosses.error * np.column_stack([far / thin, apart / thin, nothing[:, :1]]),
        )


class LaplaceLosses(TripleLosses):
    """The triples of inputs of Laplace noise."""

    error = 1e-13
    """A dozen operations and two exponentials of arguments up to 700."""

    def __init__(self, epsilon0: float) -> None:
        self.epsilon0, self.known = epsilon0, dict[int, tuple[Floats, Floats]]()
        self._wrong, self._rows = (160 + 40 * epsilon0) * U, dict[Cell, Rows]()
        tilt, level = Tilt(1e-9 * math.exp(-epsilon0), 1 << 11), math.floor(math.log2(2 * math.exp(epsilon0) / (1 << 11)))
        super().__init__(math.exp(-epsilon0 / 2) * (1 - 1e-12), (tilt, level))
        self.rows = Rows.together([self.rows_of(cell) for cell in self.cells])
        self._rows = dict(zip(self.cells, self.rows.apart(), strict=True))  # views of these; cells that were only tried are gone
        self._leading = dict[int, Rows]()

    within = 1.0005
    """See `TripleLosses`: of epsilon for many users half of what is above 1."""

    def kept(self, cell: Cell) -> tuple[float, float]:
        """The least share of R_s that is R_a or R_b, s in [a, b], and what it lacks of 1."""
        w = self.epsilon0 * (cell.high - cell.low) / 2 / POINTS
        return 1 / math.cosh(w), 2 * math.sinh(w / 2) ** 2 / math.cosh(w)

    def distributions_of(self, cell: Cell, E: float) -> list[Atoms]:
        """See `TripleLosses`: L_s is at most a mixture of these for every s of [a, b], by R_s = alpha R_a + beta R_b + rest on [a, b]."""
        return _split(self.rows_of(cell).losses(E))

    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        """See `LossesOfOthers`."""
        laws = iter(_split(thinned(self.rows.losses(exp_epsilon), kept)))
        known = {cell: list(islice(laws, 2 if cell.curve == "between" else 4)) for cell in self.cells}
        return [[law for cell in group for law in known[cell]] for group in self.groups]

    def averages(self, exp_epsilon: float, numbers: Sequence[int]) -> list[float] | None:
        """See `LossesOfOthers`."""
        from shuffleproof.impl.fast.bounds.swap.alike_line import averages_of_rows  # of many users alone

        parts = self.rows.in_parts(exp_epsilon, self._wrong)
        found, close = averages_of_rows(parts, numbers, tolerated=_TOLERATED) or (None, False)
        return found if close else None

    def about(self, exp_epsilon: float, users: float) -> float | None:
        """See `LossesOfOthers`."""
        from shuffleproof.impl.fast.bounds.swap.alike_line import about  # of many users alone

        return about(self._extreme.in_parts(exp_epsilon, self._wrong), users)

    @cached_property
    def _extreme(self) -> Rows:
        """The distributions of the foremost cell, and of the one furthest behind, which holds back t of lines the most."""
        return Rows.together([self.rows_of(cell) for cell in self.extreme])

    def squares(self, E: float) -> list[float]:
        """See `TripleLosses`."""
        mass, at, _ = self.rows.losses(E)
        found: list[float] = np.maximum.reduceat((mass * at**2).sum(axis=1), self.rows.starts).tolist()
        return found

    def foremost(self, exp_epsilon: float, kept: float) -> Atoms:
        """See `LossesOfOthers`: in parts, and as wide as its group where a share is left, of which groups are summed."""
        rows = self.rows_of(self.extreme[0]).in_parts(exp_epsilon, 0.0)
        mass, at = max(zip(rows.mass, rows.at, strict=True), key=lambda law: float(law[0] @ law[1] ** 2))
        return thinned((mass, at * (self.wider if kept < 1.0 else 1.0), 0.0), kept)

    def foremost_types(self, exp_epsilon: float) -> list[Atoms]:
        """See `LossesOfOthers`: those that grow most at one tilt or another, at an E nearby."""
        if (near := round(math.log(max(exp_epsilon - 1, _TINY), _AWAY))) not in self._leading:
            mass, at, _ = self.rows.losses(exp_epsilon)
            few = np.arange(0, mass.shape[1], _TOGETHER)
            mass, at = np.add.reduceat(mass, few, axis=1), np.add.reduceat(mass * at, few, axis=1)
            at /= np.maximum(mass, _TINY)
            exponents = np.multiply.outer(_TILTS / math.sqrt(float((mass * at * at).sum(axis=1).max())), at)
            moments = (mass * np.exp(np.minimum(exponents, _LARGEST_EXPONENT))).sum(axis=-1)
            ends = np.append(self.rows.starts[1:], len(mass))
            leading = np.unique(np.searchsorted(ends, moments.argmax(axis=1), side="right"))
            self._leading[near] = Rows.together([self.rows_of(self.cells[i]) for i in leading])
        return _split(self._leading[near].losses(exp_epsilon))

    def rows_of(self, cell: Cell) -> Rows:
        """Return the distributions of R_a and of R_b, which are computed once."""
        if cell not in self._rows:
            self._rows[cell] = self._rows_of(cell)
        return self._rows[cell]

    def _rows_of(self, cell: Cell) -> Rows:
        """Compute the distributions of R_a and of R_b.

        Between: the least share of each is left. First and second: whole and with that share, outside of the cell; reports inside, which
        have the rest, stand at the two ends of where L lies there.
        """
        (m, at_m), (end, at_end) = self.distribution(0), self.distribution(POINTS)
        share, rest = self.kept(cell)
        inputs = sorted({cell.low, cell.high})
        own, at_own = (np.stack(each, axis=-2) for each in zip(*map(self.distribution, inputs), strict=True))
        nothing, start = np.repeat(_NOTHING, len(inputs), axis=1), np.zeros(1, dtype=np.int64)
        if cell.curve == "between":
            known = ranges(own, at_own, m[None], at_m[:, None], end[None], at_end[:, None])
            return Rows(known, nothing, np.full(len(inputs), share), start)
        inside = np.zeros(len(m), dtype=bool)
        inside[cell.low + 1 : cell.high + 1] = True
        parts = [(1.0, 0.0), (share, rest)] if rest else [(1.0, 0.0)]
        own, at_own = np.repeat(own, len(parts), axis=0), np.repeat(at_own, len(parts), axis=1)
        part, lost = np.tile(np.array(parts).T, len(inputs))
        mass, (a, b, one) = float(m[inside].sum()), (self.epsilon0 * x / POINTS for x in (cell.low, cell.high, POINTS))
        of_own = own[:, inside].sum(axis=1) + lost * own[:, ~inside].sum(axis=1), math.exp(2 * a - b), math.exp(b)
        of_end = end[inside].sum(), math.exp(2 * a - one), math.exp(2 * b - one)
        reports = [(own * part[:, None], at_own * part[:, None], of_own), (end[None], at_end[:, None], of_end)]
        (first, at_first, u), (second, at_second, v) = reports[::-1] if cell.curve == "second" else reports
        outside = ranges(m[None], at_m[:, None], first, at_first, second, at_second)
        outside[:, :, inside] = _NOTHING[:, :, None]
        if not rest:
            return Rows(outside, nothing, np.ones(len(part)), start)
        known = np.stack(np.broadcast_arrays(np.full(len(part), mass), u[0] / mass, *u[1:], v[0] / mass, *v[1:]))
        return Rows(outside, known, np.ones(len(part)), start)

    def distribution(self, x: int) -> tuple[Floats, Floats]:
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


def _split(rows: Atoms) -> list[Atoms]:
    """Return each row alone."""
    mass, at, error = rows
    return [(*law, error) for law in zip(mass, at, strict=True)]


@lru_cache(maxsize=8)
def _loss_types(local: float) -> LaplaceLosses:
    return LaplaceLosses(local)
