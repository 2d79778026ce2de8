"""All adaptive sequences of eps0-DP randomizers, in float64: BEYOND.first-arrival above, BEYOND.controlled-sum-attained below.

The controlled sum V_(j+1)(s) = max over c of E V_j(s + L_c) is computed at the points of a grid, one pass for all numbers of steps.

From above: V_j is convex, its slope lies in [0, 1]. Linear interpolation is above it; beyond the upper end a slope of 1, below the lower
end the value there. Every term is positive, so that roundings are a factor. From below: each point keeps an affine function below V_j; the
mean of those that serve at s + L_c is one below V_(j+1), whichever c and whichever functions are taken.

T is rounded up and E down for the upper bound, which rises with T and falls with E; the other way for the lower one. They are floats then,
and what is made of them, values, probabilities and places on the grid, is computed in rationals and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds import leaking_response, stronger_clones
from shuffleproof.impl.fast.numeric.results import exactly
from shuffleproof.impl.fast.numeric.rounding import RESTS_ON, SCALAR_ERROR, U, outward
from shuffleproof.impl.fast.numeric.scalars import decimal_of, exponential, working
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_laws import ADAPTIVE_PAIR, FIRST_ARRIVAL
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

Floats = NDArray[np.float64]
Atoms = tuple[tuple[int, float, float], ...]
_MOST_STEPS = 500
"""Users up to which the sum is computed step by step; beyond, both sides are those of pairs, which are quicker."""
_MOST_POINTS = 1 << 15
"""Points of a grid at most: with more, losses are too far apart for the number of users, and clones are as good."""
_LEVELS = (0.4, 1.0, 2.0, 3.5, 6.0, 9.0)
"""eta_l N: in finer levels delta would be less by a few thousandths."""
_MOST_SHARE = 0.9
"""eta_L (T + 1) at most: nearer to 1 the losses against what is left grow without bound."""
_ROUNDINGS = 24
"""Roundings of a step, at most: a weight, two products and a sum for an interpolated value; a product and two sums for a mean; the end."""
_TINY = 1e-290
"""More than what underflows."""
_CLOSE, _AIMED, _STEPS, _COARSE, _NEAR = 2.5e-3, 6e-4, 8, 5, 1e-2
"""How near ln delta is brought to what is wanted, where it is aimed, and how often it is asked; grids for a guess, and how near that is."""
_LARGEST = Epsilon(Fraction(12), None)
"""A local epsilon up to which losses are near enough to each other for a grid."""
_FINE, _FINER = 12, 400
"""Points of a grid to a standard deviation of one loss: so many, or so many over the root of the number of users."""
_SHOWN = Fraction(1, 10**6)


@dataclass(frozen=True)
class Grid:
    """Points h (k - below), k = 0, ..., size - 1, from which V_S(0) is computed."""

    h: Fraction
    below: int
    size: int


@dataclass(frozen=True)
class Class:
    """All eps0-DP randomizers at one order: T and E as rationals that are floats, n users; fine: points to a standard deviation."""

    T: Fraction
    E: Fraction
    n: int
    fine: int

    def corner_losses(self, share: Fraction) -> list[list[tuple[Fraction, Fraction]]]:
        """C_l, against (R_k - eta omega)/(1 - eta), omega = (T R_0 - R_1)/(T - 1): (value, probability) at the corners (u, v)."""
        T, E, one = self.T, self.E, Fraction(1)
        low, high, first, second, under, over = (1 / T, 1 / T), (T, T), (T, one), (one, T), (1 / T, one), (one, 1 / T)
        laws: list[list[tuple[tuple[Fraction, Fraction], Fraction]]] = [
            [(low, T / (T + 1)), (high, 1 / (T + 1))],
            [(low, T / (T + 2)), (first, 1 / (T + 2)), (second, 1 / (T + 2))],
            [(first, 1 / (T + 1)), (under, T / (T + 1))],
            [(second, 1 / (T + 1)), (over, T / (T + 1))],
            [(high, 1 / (2 * T + 1)), (over, T / (2 * T + 1)), (under, T / (2 * T + 1))],
        ]
        left = {at: (1 - share * (T * at[0] - at[1]) / (T - 1)) / (1 - share) for at in (low, high, first, second, under, over)}
        return [[((at[0] - E * at[1]) / left[at], p * left[at]) for at, p in law] for law in laws]

    def clones_losses(self, share: Fraction) -> list[list[tuple[Fraction, Fraction]]]:
        """Of clones with what is left of max(R_0, R_1)/T; 0 with the rest of the probability."""
        T, E = self.T, self.E
        a, b, d = (1 - share * (T + 1)) / (1 - share), 1 / (1 - share), (1 - share * T) / (1 - share)
        apart = [((T - E) / a, a / (T + 1)), ((1 - T * E) / b, b / (T + 1))]
        alike = [(T * (1 - E) / d, d / T)]
        return [[*law, (Fraction(0), 1 - sum((p for _, p in law), Fraction(0)))] for law in (apart, alike)]

    def grid(self) -> Grid | None:
        """A grid whose ends hardly count; None where it would be too long.

        From its ends the sum comes back, or up, with a probability of about e^(-2 z k) at most, z and k the drift of all steps and the
        end in standard deviations, next to e^(-z^2/2) for what is wanted.
        """
        laws = self.corner_losses(Fraction(0))
        deviation = math.sqrt(max(float(sum(p * x * x for x, p in law)) - float(self.E - 1) ** 2 for law in laws))
        z = float(self.E - 1) * math.sqrt(self.n) / deviation
        k = min(12.0, z / 4 + (6 + math.log(self.n) / 2) / max(z, 1.0) + 1)
        h = Fraction(float(np.float32(deviation / self.fine)))
        ends = math.ceil(k * deviation * math.sqrt(self.n) / float(h))
        return Grid(h, ends, 2 * ends + 1) if 2 * ends < _MOST_POINTS else None


def controlled_sums(laws: Sequence[Sequence[tuple[Fraction, Fraction]]], steps: int, grid: Grid) -> Floats:
    """V_0(0), ..., V_steps(0), not less."""
    values = sorted({x for law in laws for x, _ in law})
    places = [_place(x, grid.h) for x in values]
    means = [[(values.index(x), float(p)) for x, p in law] for law in laws]
    h, below = float(grid.h), grid.below
    left, right = max(0, -min(m for m, _ in places)), max(0, max(m for m, _ in places) + 1)
    padded = np.empty(left + grid.size + right)
    beyond = h * np.arange(1.0, right + 1)
    V = np.maximum(h * (np.arange(grid.size) - below), 0.0)
    found = np.zeros(steps + 1)
    size, other = grid.size, np.empty(grid.size)
    moved = [np.empty(size) for _ in places]
    for j in range(1, steps + 1):
        padded[:left], padded[left : left + size], padded[left + size :] = V[0], V, V[-1] + beyond
        for (m, part), into in zip(places, moved, strict=True):
            np.multiply(padded[left + m : left + m + size], 1.0 - part, out=into)
            if part:
                into += np.multiply(padded[left + m + 1 : left + m + 1 + size], part, out=other)
        V = np.zeros(size)
        for law in means:
            mean = moved[law[0][0]] * law[0][1]
            for i, p in law[1:]:
                mean += np.multiply(moved[i], p, out=other)
            np.maximum(V, mean, out=V)
        found[j] = V[below]
    raised: Floats = found * (1 + _ROUNDINGS * U * np.arange(steps + 1.0) * (1 + 1e-6)) + _TINY
    return raised


def _place(x: Fraction, h: Fraction) -> tuple[int, float]:
    """The grid's step below x, and the rest as a share of one, rounded up: V does not fall."""
    m = math.floor(x / h)
    part = float_toward(x / h - m, direction="up")
    return m, part


def attained(laws: Sequence[Sequence[tuple[Fraction, Fraction]]], steps: int, grid: Grid) -> float:
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


def levels_of(N: int, T: Fraction) -> list[Fraction]:
    """eta_1 < ... < eta_L, below 1/(T + 1)."""
    most = _MOST_SHARE / float(T + 1)
    return [Fraction(each / N) for each in _LEVELS if each / N < most]


def first_arrival(given: Class, clones: float) -> float:
    """delta at most, by levels as long as what they add is worth it. clones: delta at most without any."""
    grid, N = given.grid(), given.n - 1
    if grid is None or N < 1:
        return clones
    before, arrived, none_before = Fraction(0), 0.0, 1.0
    for eta in levels_of(N, given.T):
        V = controlled_sums(given.corner_losses(eta), N, grid)
        here = none_before * _in_the_pool(V, N, float((eta - before) / (1 - before)))
        none = _none_before(eta, N)
        if not here < (none_before - none) * clones:
            break
        before, arrived, none_before = eta, (arrived + here) * (1 + 4 * U), none
    if not before:
        return clones
    nobody = float(controlled_sums(given.clones_losses(before), given.n, grid)[-1]) / given.n
    return min(clones, (arrived + none_before * nobody) * (1 + 1e-12))


def _none_before(share: Fraction, N: int) -> float:
    """(1 - eta)^N, not less."""
    with working():
        power = (N * decimal_of(1 - share).ln()).exp() * (1 + SCALAR_ERROR)
        return outward(power, power)[1]


def _in_the_pool(V: Floats, N: int, share: float) -> float:
    """The mean of V_S(0)/S over r of Bin(N, d), r >= 1, S = N - r + 1: not less."""
    p, total = math.exp(N * math.log1p(-share)), 0.0
    for r in range(1, N + 1):
        p *= share / (1 - share) * (N - r + 1) / r
        total += p * float(V[N - r + 1]) / (N - r + 1)
        if p < _TINY and r > 2 * N * share / (1 - share):  # the rest falls at least by half each time, and V_S(0)/S is at most 1
            break
    return total * (1 + (16 * N + 64) * U) + 2 * _TINY


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon at most, for every adaptive sequence of eps0-DP randomizers, in float64.

    n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; epsilon >= 0. Returns a Bound of side "upper", never above stronger clones.
    Raises DomainError, UnsupportedError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = as_given(n=n, eps0=epsilon0, eps=epsilon)
    clones = stronger_clones.delta(n=n, epsilon0=epsilon0, epsilon=epsilon)
    if central >= local:
        return exactly(FIRST_ARRIVAL, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    found = float_toward(clones.upper, direction="up")
    if users <= _MOST_STEPS and local <= _LARGEST:
        found = first_arrival(_class(local, central, users, "up"), found)
    return _of_side(FIRST_ARRIVAL, "delta", "upper", Fraction(found), inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """An epsilon at which delta is at most that for every adaptive sequence of eps0-DP randomizers, in float64.

    n, epsilon0: as for `delta`; delta = 0 or in [1e-300, 1]. Returns a Bound of side "upper", never above stronger clones.
    Raises DomainError, UnsupportedError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = as_given(n=n, eps0=epsilon0, delta=delta)
    clones = stronger_clones.epsilon(n=n, epsilon0=epsilon0, delta=delta)
    if clones.side == "exact":
        return exactly(FIRST_ARRIVAL, "epsilon", clones.exact or "", clones.lower, clones.upper, inputs=inputs)
    found = clones.upper
    if users <= _MOST_STEPS and local <= _LARGEST:
        found = min(found, _least(lambda x: _at_most(x, local, users), float(target), *_guess(local, users, float(target), float(found))))
    return _of_side(FIRST_ARRIVAL, "epsilon", "upper", found, inputs)


def delta_below(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
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
    if users <= _MOST_STEPS and local <= _LARGEST:
        found = max(found, Fraction(_at_least(central, local, users)))
    return _of_side(ADAPTIVE_PAIR, "delta", "lower", found, inputs)


def epsilon_below(*, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """An epsilon at which an adaptive sequence of eps0-DP randomizers has a larger delta, in float64.

    n, epsilon0: as for `delta_below`; delta = 0 or in [1e-300, 1]. Returns a Bound of side "lower", never below 2- and 3-ary response.
    Raises DomainError, UnsupportedError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = as_given(n=n, eps0=epsilon0, delta=delta)
    fixed = leaking_response.epsilon(n=n, epsilon0=epsilon0, delta0=0, delta=delta)
    if fixed.side == "exact" and (target in (0, 1) or local.exp == 1):
        return exactly(ADAPTIVE_PAIR, "epsilon", fixed.exact or "", fixed.lower, fixed.upper, inputs=inputs)
    found = fixed.lower
    if users <= _MOST_STEPS and local <= _LARGEST and found > 0:
        start = _guess(local, users, float(target), float(found))
        found = max(found, _most(lambda x: _at_least(Epsilon(Fraction(x), None), local, users), float(target), *start))
    return _of_side(ADAPTIVE_PAIR, "epsilon", "lower", found, inputs)


def _of_side(method: Method, quantity: Quantity, side: Literal["upper", "lower"], value: Fraction, inputs: dict[str, str]) -> Bound:
    """The record of one side; nothing is claimed of the other end."""
    lower, upper = (value * (1 - _SHOWN), value) if side == "upper" else (value, value * (1 + _SHOWN))
    return method.bound(quantity, side=side, lower=lower, upper=upper, engine="fast", precision=53, rests_on=RESTS_ON, inputs=inputs)


def _class(local: Epsilon, central: Epsilon, users: int, direction: Literal["up", "down"]) -> Class:
    """T rounded to this side, and E to the other, to floats."""
    with working():
        T, E = exponential(local), exponential(central)
        sign = 1 if direction == "up" else -1
        T, E = T * (1 + sign * SCALAR_ERROR), max(Decimal(1), E * (1 - sign * SCALAR_ERROR))
    other: Literal["up", "down"] = "down" if direction == "up" else "up"
    fine = max(_FINE, math.ceil(_FINER / math.sqrt(users)))
    rounded = [Fraction(float_toward(Fraction(x), direction=to)) for x, to in ((T, direction), (E, other))]
    return Class(rounded[0], max(Fraction(1), rounded[1]), users, fine)


def _at_most(x: float, local: Epsilon, users: int) -> float:
    clones = stronger_clones.delta(n=users, epsilon0=local, epsilon=Fraction(x)).upper
    return first_arrival(_class(local, Epsilon(Fraction(x), None), users, "up"), float_toward(clones, direction="up"))


def _at_least(central: Epsilon, local: Epsilon, users: int) -> float:
    given = _class(local, central, users, "down")
    grid = given.grid()
    if grid is None or not given.T > 1:
        return 0.0
    return attained(given.corner_losses(Fraction(0)), users, grid) / users * (1 - 4 * U)


def _guess(local: Epsilon, users: int, target: float, start: float) -> tuple[float, float]:
    """About where delta is that, and the slope of its logarithm, by one sum on a coarse grid: any guess is sound."""

    def about(x: float) -> float:
        given = replace(_class(local, Epsilon(Fraction(x), None), users, "up"), fine=_COARSE)
        grid, share = given.grid(), Fraction(1, users)
        if grid is None or not share * (given.T + 1) < 1:
            return 0.0
        return float(controlled_sums(given.corner_losses(share), users, grid)[-1]) / users

    x, _, slope = list(_secants(about, target, start, -_NEAR, math.nan, _NEAR))[-1]
    return x, slope


def _least(delta_at: Callable[[float], float], target: float, start: float, slope: float) -> Fraction:
    """Where delta is at most that, near the least such epsilon; 10^4 where it has not been found."""
    found = [x for x, value, _ in _secants(delta_at, target, start, -_AIMED, slope, _CLOSE) if value <= target]
    return Fraction(min(found, default=1e4))


def _most(delta_at: Callable[[float], float], target: float, start: float, slope: float) -> Fraction:
    """Where delta is above that, near the largest such epsilon; 0 where it has not been found."""
    found = [x for x, value, _ in _secants(delta_at, target, start, _AIMED, slope, _CLOSE) if value > target]
    return Fraction(max(found, default=0.0))


def _secants(
    delta_at: Callable[[float], float], target: float, start: float, aside: float, slope: float, close: float
) -> Iterator[tuple[float, float, float]]:
    """Points nearer and nearer to where ln delta is aside of what is wanted, what is found there, and the slope of ln delta."""
    x, wanted = start, math.log(target) + aside
    slope = slope if slope < 0 else -2 * max(1.0, -wanted) / x
    before: tuple[float, float] | None = None
    for _ in range(_STEPS):
        found = delta_at(x)
        height = math.log(found) - wanted if found > 0.0 else math.nan
        if before is not None and (height - before[1]) * (x - before[0]) < 0:
            slope = (height - before[1]) / (x - before[0])
        yield x, found, slope
        if not abs(height) < math.inf or (abs(height) < close and height * aside >= 0):
            return
        before, x = (x, height), min(max(x - height / slope, x / 2), 2 * x)
        if x == before[0]:
            return
