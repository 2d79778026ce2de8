"""Loss types in rows, as the transforms E e^(zL) along a line need them: `alike_line`.

Each is a finite set of losses, or parts of a distribution whose losses lie around their means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import TRIG_ERROR, Complex, Floats
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import Type
from shuffleproof.impl.fast.bounds.swap.loss_types import in_rows
from shuffleproof.impl.fast.numeric.results import EXP_ERROR, U

_STEPS_OF_OCTAVE = 8
"""From w to 2 w, in the middles of which powers are bounded beyond those: a power of 2,"""
_CLOSE_STEPS = (64, 512)
"""and for types for which these are too far apart: as many times more work, which is little beside sums in blocks."""
_OF_MOMENTS = 5.0
"""w up to this times (variance/2)/(third moment) is bounded by these, about: all of that would be gained is gone again at 6 times."""
_LARGEST_EXPONENT = 600.0
"""Of a tilt."""
_TINY = 1e-300
"""Less than any sum."""
_ROUNDED = 12
"""Roundings of a factor of a power: of cosine and sine, and of a product."""
_SMALL = 1 << 15
"""Products of two numbers in a product of matrices so small that no library starts threads for it."""
_STEPS = 60
"""To a tilt, at most: any is sound."""


@dataclass(frozen=True)
class Rows:
    """Loss types in rows, filled up with masses of 0: of each part of one the mass, the mean, and the variance in it.

    reach: how far a part reaches from its mean, at most; wrong, apart: of a mass times e^(zL), how wrong it is at most is wrong + |z|
    apart (1 + |z| apart) of itself.
    """

    mass: Floats
    at: Floats
    variance: Floats | None = None
    reach: Floats | None = None
    wrong: float = 0.0
    apart: Floats | None = None

    @classmethod
    def of(cls, laws: Sequence[Type]) -> Rows:
        """Return these types, each loss alone."""
        mass, at = in_rows([(law.mass, law.at) for law in laws])
        return cls(mass, at)

    def transforms(self, theta: float, tau: float, points: int) -> tuple[Complex, Floats]:
        """Return E e^(zL) at theta + i j tau, j = 0, ..., points, and how wrong these are at most: with z^2/2 times variances in parts."""
        tilted, steps = self.mass * np.exp(theta * self.at), math.isqrt(points) + 1
        if self.variance is None:
            slow = _turned(tau * steps * np.arange(points // steps + 1.0), self.at)
            fast = _turned(tau * np.arange(float(steps)), self.at)
        else:  # powers: of each step up to _ROUNDED roundings
            fast = _powers(_turned(np.array([tau]), self.at), steps + 1)
            slow = _powers(fast[steps:], points // steps + 1)
        slow, fast = slow.swapaxes(0, 1), fast[:steps].transpose(1, 2, 0)
        found = _products(slow * tilted[:, None], fast)[:, : points + 1]
        w, size = tau * np.arange(points + 1.0), np.abs(theta * self.at)
        totals = tilted.sum(axis=1)
        wrong = (tilted * (self.wrong + EXP_ERROR + (8 + 3 * size) * U)).sum(axis=1)
        wrong += totals * (4 * TRIG_ERROR + 4 * (self.at.shape[1] + 4) * U)
        doubt = wrong[:, None] + 8 * U * (tilted * np.abs(self.at)).sum(axis=1)[:, None] * w
        if self.variance is not None and self.reach is not None and self.apart is not None:
            doubt += totals[:, None] * (_ROUNDED * U * 2 * (steps + points // steps + 1))
            z, far = theta + 1j * w, np.hypot(theta, w)
            found += z * z / 2 * _products(slow * (tilted * self.variance)[:, None], fast)[:, : points + 1]
            wide = tilted * np.exp(theta * self.reach)
            thirds = (wide * self.variance * self.reach).sum(axis=1)
            first, second = ((wide * self.apart**power).sum(axis=1)[:, None] for power in (1, 2))
            doubt += (far**3 * thirds[:, None] / 6 + far * first + far * far * second) * (1 + 1e-9)
            doubt += far * far * (wrong[:, None] + 64 * U * totals[:, None]) * float(self.variance.max())
        return found, doubt

    def some(self, rows: NDArray[np.bool_]) -> Rows:
        """Return these rows."""
        variance, reach, apart = (None if each is None else each[rows] for each in (self.variance, self.reach, self.apart))
        return Rows(self.mass[rows], self.at[rows], variance, reach, self.wrong, apart)

    def together(self, parts: int) -> Rows:
        """Return the rows with so many neighbouring parts as one, but for the last three."""
        assert self.variance is not None
        assert self.reach is not None
        few = self.mass.shape[1] - 3
        starts = np.append(np.arange(0, few, parts), few + np.arange(3))
        whole = np.add.reduceat(self.mass, starts, axis=1)
        mean = np.add.reduceat(self.mass * self.at, starts, axis=1) / np.maximum(whole, _TINY)
        apart = np.where(self.mass > 0.0, self.at - mean.repeat(np.diff(starts, append=few + 3), axis=1), 0.0)
        square = np.add.reduceat(self.mass * (self.variance + apart * apart), starts, axis=1) / np.maximum(whole, _TINY)
        reach = np.maximum.reduceat(np.abs(apart) + self.reach, starts, axis=1) * (1 + 1e-9)
        misplaced = None if self.apart is None else np.maximum.reduceat(self.apart, starts, axis=1)
        return Rows(whole, mean, square * (1 + 1e-9), reach, self.wrong, misplaced)

    def decays(self, theta: float, first: float, last: float, gone: float) -> bool:
        """Return whether |E e^(zL)| is at most `gone` of that at theta for all rows at theta + i w, w from `first` to `last`, surely.

        Each part counts with its mean, and what that is wrong by, 2 at most. Of small w by E(L - a)^2 and E|L - a|^3, tilted, a the mean.
        Then from w to 2 w in the middles of steps, from which it rises by no more than half a step times E|L - a|, nor than that times 2 w
        E(L - a)^2. Errors of masses and places count as they are at the end of each range.
        """
        assert self.variance is not None
        assert self.reach is not None
        tilted = self.mass * np.exp(theta * self.at) * (1 + 1e-9)
        totals = tilted.sum(axis=1) * (1 - 3e-9)
        centred = self.at - (tilted * self.at).sum(axis=1)[:, None] / totals[:, None]
        mean, second, third = ((tilted * np.abs(centred) ** power).sum(axis=1) for power in (1, 2, 3))
        uneven = 1e-8 * (tilted * np.abs(self.at)).sum(axis=1)  # what is left of the mean of L - a
        wide = tilted * np.exp(theta * self.reach) * (1 + 1e-9)
        inside = (wide * self.variance).sum(axis=1) / 2
        least = (1.0 - gone + 1e-8) * totals
        apart = np.zeros(wide.shape) if self.apart is None else self.apart

        def misplaced(w: float) -> Floats:
            far = math.hypot(theta, w) * apart
            found: Floats = (wide * (self.wrong + far * (1 + far))).sum(axis=1)
            return found

        def by_moments(w: float, wrong: Floats) -> bool:
            gained = w * w * (second * (1 - 1e-8) / 2 - inside - w * third / 6)
            return bool((gained > theta * theta * inside + w * uneven + wrong + least).all())

        w = float(np.minimum(_OF_MOMENTS * (second / 2 - inside) / third, np.sqrt(2 * totals / second)).min()) * (1 - 1e-9)
        if not (w > first and by_moments(first, misplaced(w)) and by_moments(w, misplaced(w))):  # what is gained rises, and then falls
            w = first
        if w >= last:
            return True
        turned = _in_steps(w * centred, _STEPS_OF_OCTAVE)
        while w < last:
            rises = np.minimum(mean, 2 * w * second + uneven) * w
            spread = (np.minimum(2 * wide, (theta**2 + 4 * w * w) / 2 * self.variance * wide)).sum(axis=1)
            allowed = ((gone - 1e-9) * totals - spread - misplaced(2 * w)) / (1 + 1e-9)
            left = np.arange(len(tilted))
            for steps in (_STEPS_OF_OCTAVE, *_CLOSE_STEPS):
                middles = turned if steps == _STEPS_OF_OCTAVE else _in_steps(w * centred[left], steps)
                largest = _largest(middles, tilted[left])
                if not (largest < allowed[left]).all():  # closer steps would not help
                    return False
                left = left[~(largest + rises[left] / (2 * steps) < allowed[left])]
                if not len(left):
                    break
            else:
                return False
            turned, w = turned * turned, 2 * w
        return True

    def tilt(self, row: int, users: float, rise: float) -> float:
        """Return the tilt at which ln E e^(theta S) rises like theta^rise, about; 0 where there is none in floats."""
        mass, at = self.mass[row], self.at[row]
        highest, low, high = float(at.max()), 0.0, math.inf
        first, second = float(mass @ at), float(mass @ (at * at))
        if not (second > 0.0 and highest > 0.0):
            return 0.0
        theta = (math.sqrt(first * first + 4 * second * rise / users) - first) / (2 * second)
        for _ in range(_STEPS):
            weights = mass * np.exp(theta * (at - highest))
            if not (total := float(weights.sum())) > 0.0:  # a tilt beyond the floats
                return 0.0
            mean = float(weights @ at) / total
            over = users * theta * mean - rise
            low, high = (low, theta) if over > 0.0 else (theta, high)
            slope = users * (mean + theta * (float(weights @ (at * at)) / total - mean * mean))
            following = min(theta - over / slope, 4 * theta) if slope > 0.0 else 2 * theta
            following = following if low < following < high else (low + high) / 2
            if not abs(following - theta) > 1e-4 * theta:
                break
            theta = following
        return min(theta, _LARGEST_EXPONENT / (highest if self.variance is None else max(highest, -float(at.min()))))


def _products(slow: Complex, fast: Complex) -> Complex:
    """Return the products of these matrices, of each its rows one after the other."""
    found: Complex = np.empty((len(slow), slow.shape[1], fast.shape[2]), dtype=np.complex128)
    rows = max(1, _SMALL // (fast.shape[1] * fast.shape[2]))
    for row in range(0, slow.shape[1], rows):
        np.matmul(slow[:, row : row + rows], fast, out=found[:, row : row + rows])
    return found.reshape(len(slow), -1)


def _largest(turned: Complex, tilted: Floats) -> Floats:
    """Return the largest of these sums of parts in each row, by no product of matrices, for which libraries start threads."""
    found: Floats = np.abs(np.einsum("jrp,rp->rj", turned, tilted)).max(axis=1)
    return found


def _powers(x: Complex, count: int) -> Complex:
    """Return x^0, ..., x^(count - 1) of one row x."""
    found: Complex = np.ones((count, *x.shape[1:]), dtype=np.complex128)
    for k in range(1, count):
        np.multiply(found[k - 1], x[0], out=found[k])
    return found


def _in_steps(x: Floats, steps: int) -> Complex:
    """Return e^(i y) in the middles y of steps from x to 2 x: of each some roundings a step."""
    found: Complex = np.empty((steps, *x.shape), dtype=np.complex128)
    half = np.exp(1j / (2 * steps) * x)
    step = power = half * half
    for _ in range(steps.bit_length() - 1):
        power = power * power
    np.multiply(power, half, out=found[0])
    for k in range(1, steps):
        np.multiply(found[k - 1], step, out=found[k])
    return found


def _turned(w: Floats, x: Floats) -> Complex:
    """e^(i w x)."""
    angles: Floats = np.multiply.outer(w, x)
    found: Complex = np.empty(angles.shape, dtype=np.complex128)
    found.real, found.imag = np.cos(angles), np.sin(angles)
    return found
