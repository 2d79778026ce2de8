"""A window of the number of clones C ~ Bin(m, p): masses relative to the one at an anchor, by products of ratios.

    Pr(c + 1)/Pr(c) = odds (m - c)/(c + 1),   odds = p/(1 - p) = k/(T - 1), k the odds factor.

No special function enters, so the error is counted, not measured: each step multiplies by a ratio made with two roundings from the
once-rounded odds, and rounds the product: 4 roundings a step, counted from the anchor.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.numeric.convolution import give_back_with, lent

Floats = NDArray[np.float64]
SMALLEST = 1e-250
"""Least mass of a window, relative to the anchor's. What is smaller goes to the tails, so that no entry is ever subnormal."""
LARGEST = 1e250
"""Largest mass of a window, relative to the anchor's. What is larger goes to the tails, so that no sum is ever infinite."""
_PIECE = 16_384
"""Entries worked on at once: 128 KiB of floats, which stay in a processor's second cache."""
STEPS = np.arange(_PIECE, dtype=np.float64)
"""0, 1, ..., as long as a piece is."""
_BERNSTEIN = 2 / 3
"""Per unit of spread, added to the half width of a window: twice Bernstein's 1/3, as rounding the mean must not matter.
A choice only: what lies outside is bounded."""


@dataclass(frozen=True)
class Mixture:
    """Masses Pr(C = c)/Pr(C = anchor) for c = left .. right, all within SMALLEST and LARGEST.

    cumulative: running sums of the masses from the left.
    mass_roundings, sum_roundings: how many roundings went into each mass and each running sum at most.
    The arrays are valid as long as the mixture is kept; then others get their memory.
    """

    m: int
    odds: float
    left: int
    anchor: int
    right: int
    masses: Floats
    cumulative: Floats
    mass_roundings: int
    sum_roundings: int

    @classmethod
    def around(cls, *, m: int, odds: float, left: int, anchor: int, right: int) -> Mixture:
        """For 0 <= left <= anchor <= right <= m <= 2^30 - 3; the window is narrowed where masses leave the range of floats."""
        with np.errstate(over="ignore", under="ignore"):
            middle = anchor - left
            whole, sums = lent(right - left + 1), lent(right - left + 1)
            masses = whole[: right - left + 1]
            for piece in pieces(right - left):  # the steps from c to c + 1 inside the window
                c_plus_1 = consecutive(left + 1, piece)
                remaining = (m + 1) - c_plus_1
                up = min(max(middle - piece.start, 0), len(c_plus_1))
                above, below = masses[piece.start + up + 1 : piece.stop + 1], masses[piece.start : piece.start + up]
                np.divide(remaining[up:], c_plus_1[up:], out=above)
                above *= odds
                np.divide(c_plus_1[:up], remaining[:up], out=below)
                below /= odds
            masses[middle] = 1.0
            np.cumprod(masses[middle + 1 :], out=masses[middle + 1 :])
            np.cumprod(masses[:middle][::-1], out=masses[:middle][::-1])
        first, last = _usable(masses, middle)
        masses = masses[first : last + 1]
        mixture = cls(
            m=m,
            odds=odds,
            left=left + first,
            anchor=anchor,
            right=left + last,
            masses=masses,
            cumulative=np.cumsum(masses, out=sums[: len(masses)]),
            mass_roundings=4 * max(middle - first, last - middle) + 4,
            sum_roundings=4 * max(middle - first, last - middle) + 4 + len(masses),
        )
        give_back_with(mixture, whole, sums)
        return mixture

    def counts(self, piece: slice) -> Floats:
        """c + 1 for c = left + i, i in the piece."""
        return consecutive(self.left + 1, piece)

    def left_tail(self, growth: float) -> float:
        """A bound on the sum over j >= 1 of mass(left - j) growth^j, infinite where the series need not converge.

        Ratios fall as c falls, so the series is below the geometric one with its first ratio.
        """
        if self.left == 0:
            return 0.0
        return self._geometric(self.masses[0], self.left / (self.m - self.left + 1) / self.odds * growth)

    def right_tail(self, decay: float) -> float:
        """A bound on the sum over j >= 0 of mass(right + 1 + j) decay^j, infinite where the series need not converge."""
        if self.right == self.m:
            return 0.0
        next_mass = float(self.masses[-1]) * self.odds * (self.m - self.right) / (self.right + 1)
        ratio = self.odds * (self.m - self.right - 1) / (self.right + 2) * decay
        return next_mass / (1 - ratio) * (1 + 2.0**-20) if ratio < 0.9999999 else math.inf

    def _geometric(self, mass: float, ratio: float) -> float:
        return float(mass) * ratio / (1 - ratio) * (1 + 2.0**-20) if ratio < 0.9999999 else math.inf


def consecutive(first: int, piece: slice) -> Floats:
    """first + i for i in a piece, below 2^53."""
    numbers: Floats = STEPS[: piece.stop - piece.start] + (first + piece.start)
    return numbers


def pieces(length: int) -> Iterator[slice]:
    """Slices that cover range(length), each short enough for a processor's cache."""
    for start in range(0, length, _PIECE):
        yield slice(start, min(start + _PIECE, length))


def window(*, m: int, odds: float, phi: float, spread: float) -> tuple[int, int, int]:
    """(left, anchor, right): where the binomial tilted by phi^c has all but about e^-spread of its mass (Bernstein's inequality).

    Only a choice: what lies outside is bounded by the tails, not by this.
    """
    tilted = odds * phi / (1 + odds * phi) if odds * phi < 1e15 else 1.0
    mean, variance = m * tilted, m * tilted / (1 + odds * phi)
    half = math.sqrt(2 * spread * variance) + _BERNSTEIN * spread
    anchor = min(m, round(mean))
    return max(0, math.floor(min(mean - half, anchor))), anchor, min(m, math.ceil(max(mean + half, anchor)))


def _usable(masses: Floats, middle: int) -> tuple[int, int]:
    """First and last index of the run around the middle where masses are within SMALLEST and LARGEST."""
    if SMALLEST <= masses[0] <= LARGEST and SMALLEST <= masses[-1] <= LARGEST and masses.max() <= LARGEST:
        return 0, len(masses) - 1  # a binomial mass function has one mode, so its minimum is at an end
    outside = np.flatnonzero(~((masses >= SMALLEST) & (masses <= LARGEST)))
    below, above = outside[outside < middle], outside[outside > middle]
    return int(below[-1]) + 1 if len(below) else 0, int(above[0]) - 1 if len(above) else len(masses) - 1
