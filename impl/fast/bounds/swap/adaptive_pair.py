"""An adaptive sequence of eps0-DP randomizers from below, in float64: V_n(0)/n of the corner laws (BEYOND.controlled-sum-attained).

Each point of a grid keeps an affine function below V_j. The mean of those that serve at s + L_c, whichever c and whichever functions are
taken, is one below V_(j+1): no rounding to the grid is needed, and what a point loses is of second order in the step. T is rounded down and
E up. For more users than are worth such a sum the sequence that never changes, 2- or 3-ary response, stands for it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import RESTS_ON
from shuffleproof.impl.fast.bounds.lower import leaking_response
from shuffleproof.impl.fast.bounds.swap.first_arrival import LARGEST, Atoms, Class
from shuffleproof.impl.fast.bounds.swap.search import largest
from shuffleproof.impl.fast.numeric.results import exactly
from shuffleproof.impl.fast.numeric.rounding import U
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.methods.randomizer_laws import ADAPTIVE_PAIR
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    epsilon0_parameter,
    float_toward,
    parse_epsilon,
    probability,
)

_MOST_STEPS = 500
"""Users up to which the sum is computed, step by step: with more, 2- or 3-ary response attains nearly as much."""
_MOST_POINTS = 1 << 15
"""Points of a grid at most: with more, losses are too far apart for the number of users."""
_ROUNDINGS = 24
"""Roundings of a step, at most: a product and two sums for a value, a product and a sum for each atom of a mean, the end."""
_FINE = 12
"""Points of the grid to a standard deviation of one loss, at least."""
_FINER = 400
"""The same times the root of the number of users: what a point loses counts more where they are few."""
_SHOWN = Fraction(1, 10**6)
"""Width of what is shown beside the bound, of itself: six digits; nothing is claimed of that end."""


@dataclass(frozen=True)
class Grid:
    """Points h (k - below), k = 0, ..., size - 1, from which V_S(0) is computed."""

    h: Fraction
    below: int
    size: int


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon at least, of an adaptive sequence of eps0-DP randomizers, in float64.

    n: users, 1 to 10^9; epsilon0 in [0, 690]; epsilon >= 0. Returns a Bound of side "lower", never below 2- and 3-ary response.
    Raises DomainError, UnsupportedError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = as_given(n=n, eps0=epsilon0, eps=epsilon)
    fixed = leaking_response.delta(n=n, epsilon0=epsilon0, delta0=0, epsilon=epsilon)
    if fixed.side == "exact":
        return exactly(ADAPTIVE_PAIR, "delta", fixed.exact or "", fixed.lower, fixed.upper, inputs=inputs)
    found = fixed.lower
    if users <= _MOST_STEPS and local <= LARGEST:
        found = max(found, Fraction(_at_least(Class.at(local, central, users, upper=False))))
    return _at_least_of("delta", found, inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """An epsilon at which an adaptive sequence of eps0-DP randomizers has a larger delta, in float64.

    n, epsilon0: as for `delta`; delta = 0 or in [1e-300, 1]. Returns a Bound of side "lower", never below 2- and 3-ary response.
    Raises DomainError, UnsupportedError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = as_given(n=n, eps0=epsilon0, delta=delta)
    fixed = leaking_response.epsilon(n=n, epsilon0=epsilon0, delta0=0, delta=delta)
    if fixed.side == "exact" and (target in (0, 1) or local.exp == 1):
        return exactly(ADAPTIVE_PAIR, "epsilon", fixed.exact or "", fixed.lower, fixed.upper, inputs=inputs)
    found = fixed.lower
    if users <= _MOST_STEPS and local <= LARGEST and found > 0:

        def at(x: Fraction) -> Class:
            return Class.at(local, Epsilon(x, None), users, upper=False)

        found = largest(lambda x: _at_least(at(x)), lambda x: at(x).guess(), target, local.bounds(bits=64)[0], found)
    return _at_least_of("epsilon", found, inputs)


def _at_least_of(quantity: Quantity, value: Fraction, inputs: dict[str, str]) -> Bound:
    """The record of a lower side; nothing is claimed of the other end."""
    upper = value * (1 + _SHOWN)
    return ADAPTIVE_PAIR.bound(
        quantity, side="lower", lower=value, upper=upper, engine="fast", precision=53, rests_on=RESTS_ON, inputs=inputs
    )


def _at_least(given: Class) -> float:
    grid = grid_for(given)
    if grid is None or not given.T > 1:
        return 0.0
    return attained(given.corner_losses(Fraction(0)), given.n, grid) / given.n * (1 - 4 * U)


def grid_for(given: Class) -> Grid | None:
    """A grid whose ends hardly count; None where it would be too long.

    From its ends the sum comes back, or up, with a probability of about e^(-2 z k) at most, z and k the drift of all steps and the end in
    standard deviations, next to e^(-z^2/2) for what is wanted.
    """
    laws = given.corner_losses(Fraction(0))
    deviation = math.sqrt(max(float(sum(p * x * x for x, p in law)) - float(given.E - 1) ** 2 for law in laws))
    z = float(given.E - 1) * math.sqrt(given.n) / deviation
    k = min(12.0, z / 4 + (6 + math.log(given.n) / 2) / max(z, 1.0) + 1)
    h = Fraction(float(np.float32(deviation / max(_FINE, math.ceil(_FINER / math.sqrt(given.n))))))
    ends = math.ceil(k * deviation * math.sqrt(given.n) / float(h))
    return Grid(h, ends, 2 * ends + 1) if 2 * ends < _MOST_POINTS else None


def attained(laws: Sequence[Atoms], steps: int, grid: Grid) -> float:
    """V_steps(0), not more."""
    values = sorted({x for law in laws for x, _ in law})
    below = [math.floor(x / grid.h) for x in values]
    rest = [float_toward(x - m * grid.h, direction="down") for x, m in zip(values, below, strict=True)]
    means = [[(values.index(x), float_toward(p, direction="down")) for x, p in law] for law in laws]
    h, size = float(grid.h), grid.size
    left, right = max(0, -min(below)), max(0, max(below) + 1)
    beyond = h * np.arange(1.0, right + 1)
    s = h * (np.arange(size) - grid.below)
    V, slope = np.maximum(s, 0.0) * (1 - 2 * U), (s > 0.0).astype(np.float64)
    heights, slopes = np.zeros(left + size + right), np.zeros(left + size + right)
    for j in range(1, steps + 1):
        doubt = _ROUNDINGS * (j + 2) * U
        heights[left : left + size], slopes[left : left + size] = V, slope
        heights[left + size :], slopes[left + size :] = (V[-1] + slope[-1] * beyond) * (1 - doubt), slope[-1]
        V, slope = np.zeros(size), np.zeros(size)
        served = []
        for m, d in zip(below, rest, strict=True):
            low, high = slice(left + m, left + m + size), slice(left + m + 1, left + m + 1 + size)
            of_low, of_high = heights[low] + slopes[low] * d, heights[high] + slopes[high] * (d - h)
            upper = of_high > of_low
            sizes = heights[low] + heights[high] + (slopes[low] + slopes[high]) * h
            served.append((np.where(upper, of_high, of_low), np.where(upper, slopes[high], slopes[low]), sizes))
        for law in means:
            mean = sum(served[i][0] * p for i, p in law) - doubt * sum(served[i][2] * p for i, p in law)
            better = mean > V
            V = np.where(better, mean, V)
            slope = np.where(better, sum(served[i][1] * p for i, p in law), slope)
    return float(V[grid.below])
