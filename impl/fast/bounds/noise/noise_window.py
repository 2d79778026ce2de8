"""The distribution of integer noise on a window, in float64 with counted roundings, and what halving inverts: for sums hidden by noise.

Masses are running products away from the mode, and distribution functions are running sums of them, all of positive terms: the relative
errors of both are counted. What lies outside the window is bounded by Bernstein's inequality and added to the upper side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from shuffleproof.impl.fast.bounds.sums.noisy_bits import Floats, half_window, relative_masses
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, accumulated, decimal_of, exponential, log_factorial, out_of_range, working
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WINDOW = 4_000_000
"""Outcomes of a window at most: 32 MB an array."""
EXPONENTS = (60.0, 500.0)
"""Natural orders of magnitude that a window keeps: few at first, more where what is left out shows."""
SMALLEST_DELTA = Fraction(1, 10**200)
"""Least delta > 0 whose epsilon is asked: masses relative to the mode stay normal floats."""
_LARGEST_EPSILON = 600
"""Largest epsilon that is tried: e^600 = 4e260 leaves room for the masses."""
_HALVINGS = 60
"""Halvings for one end of epsilon at most."""
_CLOSE = 1e-9
"""Relative width at which they stop."""
_UNDERFLOWS = 1e-295
"""Relative masses from which on what underflows may be missed: all of it is below 1e-290."""

Sides = Callable[[Epsilon], tuple[float, float]]


@dataclass(frozen=True)
class Window:
    """Masses at first, first + 1, ... and their running sums, with the relative error of both; `outside` is at least the mass elsewhere."""

    first: int
    masses: Floats
    below: Floats
    error: float
    outside: float

    @classmethod
    def of(cls, first: int, masses: Floats, *, error: float, outside: float) -> Window:
        """Return the window with its running sums."""
        return cls(first, masses, np.cumsum(masses), error + accumulated(len(masses) + 4), outside)

    def up_to(self, t: Floats | np.ndarray) -> Floats:
        """The running sum at every one of these integers."""
        at = np.clip(t - self.first + 1, 0, len(self.masses)).astype(np.int64)
        return np.concatenate([[0.0], self.below])[at]

    def at(self, t: Floats | np.ndarray) -> Floats:
        """The mass at every one of these integers, 0 outside."""
        found = np.zeros(len(t))
        inside = (t >= self.first) & (t < self.first + len(self.masses))
        found[inside] = self.masses[(t[inside] - self.first).astype(np.int64)]
        return found


def binomial_window(count: int, p: Fraction, *, exponent: float) -> Window:
    """Bin(count, p), 0 < p < 1. Raises UnsupportedError for windows of millions of terms."""
    mode = min(math.floor((count + 1) * p), count)
    half = math.ceil(half_window(float(count * p * (1 - p)), exponent)) + 4
    first, last = max(mode - half, 0), min(mode + half, count)
    if last - first > LARGEST_WINDOW:
        raise out_of_range("its sums would have millions of terms")
    with np.errstate(all="ignore"):  # what underflows is below 1e-300 of the mode's mass
        values = relative_masses(count, float(p / (1 - p)), first, last, mode)
    with working():
        logarithm = log_factorial(count) - log_factorial(mode) - log_factorial(count - mode)
        logarithm += mode * decimal_of(p).ln() + (count - mode) * decimal_of(1 - p).ln()
        at_mode = float(logarithm.exp())
    steps = max(mode - first, last - mode)
    outside = 0.0 if first == 0 and last == count else 2 * math.exp(-exponent)
    outside += 1e-290 if float(values.min()) < _UNDERFLOWS else 0.0
    return Window.of(first, values * at_mode, error=accumulated(4 * steps + 8) + float(SCALAR_ERROR), outside=outside)


def shifted_sides(window: Window, shift: int, epsilon: Epsilon) -> tuple[float, float]:
    """Floats around the largest F(t) - E F(t - s) over all t: the divergence of noise with log-concave masses from its shift by s."""
    E, slack = order(epsilon)
    t = np.arange(window.first, window.first + len(window.masses) + 1)
    here, there = window.below, window.up_to(t[:-1] - shift) * E
    error = (window.error + slack) * 2
    with np.errstate(all="ignore"):
        low = float((here * (1 - error) - there * (1 + error)).max()) - 2 * E * window.outside
        high = float((here * (1 + error) - there * (1 - error)).max()) + 2 * window.outside
    return max(low * (1 - error), 0.0), min(max(high * (1 + error), 0.0), 1.0)


def order(epsilon: Epsilon) -> tuple[float, float]:
    """E = e^epsilon as a float, and a bound on its relative error. Raises UnsupportedError where it is too large."""
    if not epsilon <= Epsilon(Fraction(_LARGEST_EPSILON), None):
        raise out_of_range(f"epsilon exceeds {_LARGEST_EPSILON}")
    with working():
        return float(exponential(epsilon)), accumulated(2)


def widening(window: Callable[[float], Window], at: Callable[[Window, Epsilon], tuple[float, float]]) -> Sides:
    """The sides of a profile by the smallest window that is wide enough. window: the one for an exponent; at: its sides at an epsilon."""
    kept = cache(window)

    def sides(epsilon: Epsilon) -> tuple[float, float]:
        low, high = 0.0, 1.0
        for exponent in EXPONENTS:
            low, high = at(kept(exponent), epsilon)
            if kept(exponent).outside <= 1e-12 * low:
                break
        return low, high

    return sides


def delta_of(sides: Sides, epsilon: Epsilon) -> Found:
    """The enclosure at one epsilon."""
    low, high = sides(epsilon)
    return Found(Fraction(low), Fraction(high), low > 0)


def epsilon_of(sides: Sides, target: Fraction) -> Found | None:
    """Two sides on the least epsilon with delta(epsilon) <= target, by halving; None where 600 is not certified to be enough.

    sides: around the profile, which does not rise; target: in (0, 1). Raises UnsupportedError below 1e-200.
    """
    if target < SMALLEST_DELTA:
        raise out_of_range("delta is below 1e-200")
    zero = sides(Epsilon(Fraction(0), Fraction(1)))
    if zero[1] <= target:
        return Found.exactly(0)
    high = 2.0**-30
    while sides(Epsilon(Fraction(high), None))[1] > target:
        if high >= _LARGEST_EPSILON:
            return None
        high = min(2 * high, float(_LARGEST_EPSILON))
    ends = []
    for side in (0, 1):  # at every step delta is above the target at low, by its lower or its upper side
        low, top = 0.0, high
        for _ in range(_HALVINGS):
            middle = (low + top) / 2
            if top - low <= _CLOSE * top:
                break
            low, top = (middle, top) if sides(Epsilon(Fraction(middle), None))[side] > target else (low, middle)
        ends.append(low if side == 0 else top)
    return Found(Fraction(ends[0]), Fraction(ends[1]), ends[0] > 0)
