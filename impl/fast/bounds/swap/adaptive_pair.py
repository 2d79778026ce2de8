"""Adaptive sequences of eps0-DP randomizers from below, in float64: V_n(0)/n of corner distributions (BEYOND.controlled-sum-attained).

Each point of a grid keeps an affine function below V_j. The mean of those that serve at s + L_c, whichever c and whichever functions are
taken, is one below V_(j+1): no rounding to the grid is needed, and what a point loses is of second order in the step. T is rounded down and
E up. For more users than are worth such a sum the sequence that never changes, 2- or 3-ary response, stands for it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.lower import leaking_response
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import around
from shuffleproof.impl.fast.bounds.swap.first_arrival import LARGEST, Atoms, Class
from shuffleproof.impl.fast.bounds.swap.search import at_least, largest
from shuffleproof.impl.fast.numeric.results import SURE, U, in_floats
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import ADAPTIVE_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, float_toward

_MOST_STEPS = 2000
"""Users up to which the sum is computed, step by step: with more, 2- or 3-ary response attains nearly as much."""
_CHOSEN = slice(1, 4)
"""Of the five corner distributions those of 3-ary and binary response: the others were at no point the largest (n = 20 to 2,000)."""
_MOST_POINTS = 1 << 15
"""Points of a grid at most: with more, losses are too far apart for the number of users."""
_ROUNDINGS = 24
"""Roundings of a step, at most: a product and two sums for a value, a product and a sum for each atom of a mean, the end."""
_FINE = 8
"""Points of the grid to a standard deviation of one loss, at least."""
_FINER = 300
"""The same times the root of the number of users: what a point loses counts more where they are few."""


@dataclass(frozen=True)
class Grid:
    """Multiples of h, from which V_S(0) is computed; V_j is kept on `middle[j]` of them on either side of 0."""

    h: Fraction
    middle: Sequence[int]


@in_floats(ADAPTIVE_PAIR)
def delta(*, n: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """delta at epsilon at least, of an adaptive sequence of eps0-DP randomizers: never below 2- and 3-ary response."""
    fixed = leaking_response.delta(n=n, epsilon0=epsilon0, delta0=0, epsilon=epsilon)
    if fixed.side == "exact":
        return Found(fixed.lower, fixed.upper, exact=fixed.exact)
    found = fixed.lower
    if n <= _MOST_STEPS and epsilon0 <= LARGEST:
        reached = _at_least(Class.at(epsilon0, epsilon, n, upper=False))
        found = max(found, Fraction(reached)) if reached >= SURE else found
    return at_least(found)


@in_floats(ADAPTIVE_PAIR)
def epsilon(*, n: int, epsilon0: Epsilon, delta: Fraction) -> Found:
    """An epsilon at which an adaptive sequence of eps0-DP randomizers has a larger delta: never below 2- and 3-ary response."""
    fixed = leaking_response.epsilon(n=n, epsilon0=epsilon0, delta0=0, delta=delta)
    if fixed.side == "exact" and (delta in (0, 1) or epsilon0.exp == 1):
        return Found(fixed.lower, fixed.upper, exact=fixed.exact)
    found = fixed.lower
    if n <= _MOST_STEPS and epsilon0 <= LARGEST and found > 0:

        def at(x: Fraction) -> Class:
            return Class.at(epsilon0, Epsilon(x, None), n, upper=False)

        found = largest(lambda x: _at_least(at(x)), lambda x: at(x).guess(), delta, epsilon0.bounds(bits=64)[0], found)
    return at_least(found)


def _at_least(given: Class) -> float:
    grid = grid_for(given) if given.T > 1 else None
    if grid is None:
        return 0.0
    return attained(given.corner_losses(Fraction(0))[_CHOSEN], given.n, grid) / given.n * (1 - 4 * U)


def grid_for(given: Class) -> Grid | None:
    """A grid whose ends hardly count; None where it would be too long."""
    laws = given.corner_losses(Fraction(0))
    deviation = math.sqrt(max(float(sum(p * x * x for x, p in law)) - float(given.E - 1) ** 2 for law in laws))
    z = float(given.E - 1) * math.sqrt(given.n) / deviation
    h = Fraction(float(np.float32(deviation / max(_FINE, math.ceil(_FINER / math.sqrt(given.n))))))
    middle = np.ceil(around(z, given.n) * (deviation / float(h))).astype(np.int64)
    return Grid(h, middle.tolist()) if 2 * middle.max() < _MOST_POINTS else None


def attained(laws: Sequence[Atoms], steps: int, grid: Grid) -> float:
    """V_steps(0), not more.

    A point has H and S: s -> H + S (s - s_k) is at most V_j everywhere. H is lowered by more than what a mean of these loses, next to what
    they may be a step h away. Beside the points that are kept 0 serves to the left and the last of these functions to the right.
    """
    values = sorted({x for law in laws for x, _ in law})
    below = [math.floor(x / grid.h) for x in values]
    rest = [float_toward(x - m * grid.h, direction="down") for x, m in zip(values, below, strict=True)]
    means = np.zeros((len(laws), len(values)))
    for row, law in zip(means, laws, strict=True):
        row[[values.index(x) for x, _ in law]] = [float_toward(p, direction="down") for _, p in law]
    h, left, right = float(grid.h), max(0, -min(below)), max(0, max(below) + 1)
    reach = grid.middle[0]
    V = np.maximum(h * np.arange(-reach, reach + 1.0), 0.0) * (1 - 2 * U)
    slope = (V > 0.0).astype(np.float64)
    for j in range(1, steps + 1):
        doubt, before, reach = _ROUNDINGS * (j + 2) * U, reach, grid.middle[j]
        # the points -reach - left, ..., reach + right, as far as V_(j-1) has them
        first, size = before - reach - left, 2 * reach + 1
        beyond = max(0, reach + right - before)
        V -= doubt * (V + h * slope)
        more = (V[-1] + slope[-1] * h * np.arange(1.0, beyond + 1)) * (1 - doubt)
        zeros, start = np.zeros(max(0, -first)), max(0, first)
        heights = np.concatenate([zeros, V[start:], more])
        slopes = np.concatenate([zeros, slope[start:], np.full(beyond, slope[-1])])
        served, steep = np.empty((len(values), size)), np.empty((len(values), size))
        for i, (m, d) in enumerate(zip(below, rest, strict=True)):
            low = slice(left + m, left + m + size)
            high = slice(left + m + 1, left + m + 1 + size)
            of_low, of_high = heights[low] + slopes[low] * d, heights[high] + slopes[high] * (d - h)
            np.maximum(of_low, of_high, out=served[i])
            steep[i] = np.where(of_high > of_low, slopes[high], slopes[low])
        mean = means @ served
        best = mean.argmax(axis=0)
        V, slope = mean[best, np.arange(size)], (means @ steep)[best, np.arange(size)]
        slope[V <= 0.0], V[V <= 0.0] = 0.0, 0.0
    return float(V[reach])
