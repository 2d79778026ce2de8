"""Reports of Laplace noise on both sides of a cell of inputs, in rows of parts of a half-line, and inside of it (see `laplace_places`).

With x how far a report is from where m is largest on its side, over the scale, m falls like e^-x, and u and v are constant or rise like
e^2x. So where e^x is from X to Y e^2x has the mean X Y and the variance X Y (Y - X)^2/3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS

if TYPE_CHECKING:
    from shuffleproof.impl.fast.bounds.swap.along_a_line.loss_rows import Rows as LossRows

ERROR = 1e-13
"""Relative, of a mass or a ratio: a dozen operations and two exponentials of arguments up to 700."""


class Side(NamedTuple):
    """Reports on one side of a cell of inputs: their m beyond x = 0, and u and v as multiples of 1 and of e^2x."""

    mass: float
    u: float
    u_rising: float
    v: float
    v_rising: float


class Ratios(NamedTuple):
    """Mass of the reports inside of a cell of inputs under m, and of u and v the means, the least and the largest values."""

    mass: float = 0.0
    u: float = 1.0
    u_low: float = 1.0
    u_high: float = 1.0
    v: float = 1.0
    v_low: float = 1.0
    v_high: float = 1.0


class Distribution(NamedTuple):
    """Reports on the left, up to `low`, where x is counted from `start`; on the right, from `high`, where it is from there; and inside.

    All three in points.
    """

    start: int
    low: int
    high: int
    left: Side
    right: Side
    inside: Ratios = Ratios()

    def swapped(self) -> Distribution:
        """Return it with the two inputs of the special user exchanged."""
        left, right = (Side(side.mass, *side[3:], *side[1:3]) for side in (self.left, self.right))
        return self._replace(left=left, right=right, inside=Ratios(self.inside.mass, *self.inside[4:], *self.inside[1:4]))

    def mean_square(self, rate: float, E: float) -> float:
        """Return that of the losses, about. rate: x of a point."""
        inside, (low, high) = self.inside, (self.inside.u_low - E * self.inside.v_high, self.inside.u_high - E * self.inside.v_low)
        found = inside.mass * ((low + high) * (inside.u - E * inside.v) - low * high)
        for side, last, of_half_line in ((self.left, self.low, self.start), (self.right, POINTS - self.high, POINTS - self.high)):
            q, at, rising = rate * last, side.u - E * side.v, side.u_rising - E * side.v_rising
            inner = (at + rising * math.exp(q)) ** 2 + (rising * math.expm1(q)) ** 2 * math.exp(q) / 3
            found += side.mass * -math.expm1(-q) * inner
            found += side.mass * math.exp(-rate * of_half_line) * (at + rising * math.exp(2 * rate * of_half_line)) ** 2
        return found


class Rows:
    """Distributions of L on parts of reports, in rows: on both sides towards the half-line, which is the last one.

    mass: of parts under m; near, far: e^x at their ends; centre, spread, root: the mean of e^2x, its deviation, and the root of its
    mean square; reach: of e^2x from its mean.
    """

    def __init__(self, distributions: Sequence[Distribution], rate: float, parts: int, *, even: bool) -> None:
        """rate: x of a point; parts: of each side; even: of equal length, else with equal steps of e^x."""
        start, low, high = np.array([law[:3] for law in distributions]).T[..., None]
        mass, *self.sides = np.array([law[3:5] for law in distributions]).transpose(2, 1, 0)[..., None]
        self.inside = np.array([law.inside for law in distributions]).T
        lengths, i = rate * np.array([low, POINTS - high]), np.arange(parts + 1)
        if even:
            ends = np.exp(lengths / parts * i)
            step = ends[..., :-1] * np.expm1(lengths / parts)
        else:
            step = np.repeat(np.expm1(lengths) / parts, parts, axis=2)
            ends = 1 + step[..., :1] * i
        for known in (step, ends):
            known[0] = np.where(start > 0, known[0], known[0, :, ::-1])  # x is counted from the half-line
        near, far = (np.dstack([end(ends[..., 1:], ends[..., :-1]), ends[..., -1:]]) for end in (np.minimum, np.maximum))
        step = np.dstack([step, np.zeros_like(mass)])
        self.centre, self.near, self.far = near * far, near, far
        self.mass = mass * step / self.centre
        self.mass[..., -1:] = mass / ends[..., -1:]
        self.spread, self.reach = step * np.sqrt(self.centre / 3), step * far
        self.root = np.hypot(self.centre, self.spread)

    def _losses(self, E: float, power: Floats) -> tuple[Floats, Floats]:
        """Return losses where e^2x is that, and how large the terms are of which they are made."""
        u, u_rising, v, v_rising = self.sides
        return u - E * v + (u_rising - E * v_rising) * power, u + E * v + (u_rising + E * v_rising) * power

    def losses(self, E: float) -> Atoms:
        """Return the losses, of each part at both of its ends, its mean kept, raised by more than all roundings."""
        ends, (inside, at_inside) = (self._losses(E, end**2) for end in (self.near, self.far)), self.losses_inside(E)
        low, high = (at + 80 * ERROR * size for at, size in ends)
        upper = self.mass * self.near / (self.near + self.far)
        return np.hstack([*upper, *(self.mass - upper), inside]), np.hstack([*high, *low, at_inside]), 4 * ERROR

    def about(self, E: float) -> tuple[Floats, Floats]:
        """Return masses and losses with the moments of each part: guesses."""
        (at, _), (inside, at_inside) = self._losses(E, self.centre), self.losses_inside(E)
        spread = (self.sides[1] - E * self.sides[3]) * self.spread
        return np.hstack([*self.mass / 2, *self.mass / 2, inside]), np.hstack([*(at - spread), *(at + spread), at_inside])

    def losses_inside(self, E: float) -> tuple[Floats, Floats]:
        """Return masses at two places that are the same for all distributions of a cell, and these."""
        m, u, u_low, u_high, v, v_low, v_high = self.inside
        mean, doubt = u - E * v, 80 * ERROR * (u_high + E * v_high)
        low, high = u_low - E * v_high - doubt, u_high - E * v_low + 2 * doubt
        share = (mean + doubt - low) / (high - low)
        return np.column_stack([m * share, m * (1 - share)]), np.column_stack([high + doubt, low + doubt])

    @np.errstate(over="ignore")  # a variance that is infinite bounds nothing
    def in_parts(self, E: float, wrong: float) -> LossRows:
        """Return the losses in parts, for sums along a line. wrong: the relative error of a mass."""
        from shuffleproof.impl.fast.bounds.swap.along_a_line.loss_rows import Rows as LossRows  # of many users alone

        (at, _), (_, size), (inside, at_inside) = *(self._losses(E, power) for power in (self.centre, self.root)), self.losses_inside(E)
        rising = self.sides[1] - E * self.sides[3]
        mass, nothing = np.hstack([*self.mass, inside]), np.zeros((len(inside), 3))
        return LossRows(
            np.column_stack([mass, np.maximum(0.0, 1.0 - mass.sum(axis=1))]),
            np.hstack([*at, at_inside, nothing[:, :1]]),
            np.hstack([*(rising * self.spread) ** 2, nothing]),
            np.hstack([*(np.abs(rising) * self.reach), nothing]),
            wrong,
            200 * ERROR * np.hstack([*size, np.abs(at_inside), nothing[:, :1]]),
        )
