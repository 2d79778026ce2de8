"""Any finite distribution that is given, in float64, from above: the random-swap bound (BEYOND.any-law-place).

A loss type is a set of (x_0, x_1, x_k), x_k another user's input. Its distribution is above those of all of L = (R_0 - E R_1)/R_k under
R_k: the largest of their E(L - t)_+ at points t, and chords between these, which convex functions are below. Which triples are put together
is a choice: those whose common distribution has little more variance than the largest has. Where the inputs in reverse have the same
columns, (x_0, x_1, x_k) in reverse has the same losses, and one of the two stands for both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import require_floats, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, LossesOfOthers, thinned
from shuffleproof.impl.fast.bounds.swap.loss_types import Thinned
from shuffleproof.impl.fast.bounds.swap.search import at_most
from shuffleproof.impl.fast.bounds.swap.swap_in_levels import InLevels
from shuffleproof.impl.fast.numeric.results import U, in_floats, out_of_range
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about
from shuffleproof.spec.vocabulary.given_distribution import PLACE_OF_DISTRIBUTION, GivenDistribution
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WORK = 2 * 10**6
"""Triples of inputs, times outcomes that differ."""
_AWAY = 3.0
"""Factor on E - 1 within which a guess is made by triples that were the largest ones."""
_LEAST = 1e-280
"""The least probability with which losses stay within the floats."""
_LARGEST = 10**100
"""The largest ratio of probabilities with which they do."""
_NEAR = 384
"""Points within five deviations of 0 at which distributions of losses are compared."""
_FAR = 64
"""Points beyond them, to either side."""
_AT_ONCE = 1 << 22
"""Numbers of one array: 32 MiB."""
_TOGETHER = 1.02
"""How many times the largest mean square a distribution for several triples may have."""
_COARSE = 96
"""Points within five deviations at which triples are put together, and a quarter to either side."""
_FEW = 24
"""1e-9 of the largest mean square, times this, is no difference between two triples."""
_ASKED = 128
"""Triples at a time that are asked whether they belong to a group."""
Triples = NDArray[np.int64]


@in_floats(PLACE_OF_DISTRIBUTION)
def delta(*, n: int, distribution: GivenDistribution, epsilon: Epsilon) -> Found:
    """delta at epsilon at most, for all neighbouring datasets. n: at most 10^9."""
    bounded = Epsilon(None, distribution.largest_ratio)
    if epsilon >= bounded:  # what is left has infinite privacy loss, whatever epsilon is
        supported(n)
        return replace(Found.exactly(distribution.given_away), told=distribution.told())
    asked = InLevels([Thinned(_loss_types(distribution))], bounded, supported(n))
    return replace(at_most(Fraction(asked.settled(epsilon))), told=distribution.told())


@in_floats(PLACE_OF_DISTRIBUTION)
def epsilon(*, n: int, distribution: GivenDistribution, delta: Fraction) -> Found:
    """An epsilon at which delta, 0 or at least 1e-300, is at most that. Raises RegimeError where no epsilon is enough."""
    supported(n)
    return replace(_least(n, distribution, delta, distribution.covered(delta)), told=distribution.told())


def _least(n: int, law: GivenDistribution, delta: Fraction, bounded: Epsilon) -> Found:
    if law.largest_ratio == 1 or delta == 1:
        return Found.exactly(0)
    if delta == 0:
        return at_most(bounded.bounds(bits=64)[1])
    require_floats(delta)
    return at_most(InLevels([Thinned(_loss_types(law))], bounded, n).epsilon(delta))


@lru_cache(maxsize=16)
def _loss_types(law: GivenDistribution) -> OfDistribution:
    inputs, columns = len(law.inputs), len(law.columns)
    work = inputs**2 * (inputs - 1) * columns
    if work > LARGEST_WORK:
        raise ResourceLimitError(
            what="all triples of inputs of the distribution", needed=f"{about(work)} probabilities", limit=f"{LARGEST_WORK:.0e}"
        )
    least = min(p for column in law.columns for p in column if p)
    if least < _LEAST or law.largest_ratio > _LARGEST:
        raise out_of_range("probabilities are too unlike")
    return OfDistribution(law)


class OfDistribution(LossesOfOthers):
    """Loss types of a given distribution: of which triples, and what R_0 and R_1 send where R_k is 0."""

    def __init__(self, distribution: GivenDistribution) -> None:
        columns = list(distribution.columns.items())
        blanket = sum((min(column) * times for column, times in columns), Fraction(0))
        super().__init__(float(blanket) * (1 - 1e-12))
        self.table: Floats = np.array([[float(p * times) for p in column] for column, times in columns]).T
        inputs = range(len(distribution.inputs))
        triples: Triples = np.array([(x, z, k) for x in inputs for z in inputs if x != z for k in inputs], dtype=np.int64)
        if sorted(map(tuple, self.table.T)) == sorted(map(tuple, self.table[::-1].T)):
            place = triples @ np.array([len(inputs) ** 2, len(inputs), 1])
            triples = triples[2 * place <= len(inputs) ** 3 - 1]
        mass, at = self._losses(triples, 1.0)
        sizes = (mass * at * at).sum(axis=1)
        self._largest = float(sizes.max())
        self.groups = self._grouped(triples, sizes)
        self._leading, self._leading_at = self.groups[0], -1.0

    def chi_square(self) -> float:
        """See `LossesOfOthers`."""
        return self._largest

    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        """See `LossesOfOthers`."""
        return [[thinned(self._together(group, exp_epsilon), kept)] for group in self.groups]

    def foremost(self, exp_epsilon: float, kept: float) -> Atoms:
        """See `LossesOfOthers`: that of the largest at E = 1, of whose triples those count that were above all others at an E nearby."""
        if not self._leading_at / _AWAY <= exp_epsilon - 1 <= self._leading_at * _AWAY:
            self._leading = self._above_all_others(self.groups[0], exp_epsilon)
            self._leading_at = exp_epsilon - 1
        return thinned(self._together(self._leading, exp_epsilon), kept)

    def given_away(self, exp_epsilon: float) -> float:
        """See `LossesOfOthers`."""
        if self.table.all():
            return 0.0
        x, z = self.table[:, None, :], self.table[None, :, :]
        beyond = np.maximum(x - exp_epsilon * z, 0.0) + 8 * U * (x + exp_epsilon * z)
        bare: Floats = np.einsum("xzc,kc->xzk", beyond, (self.table == 0).astype(np.float64))
        return float(bare.max()) * (1 + 4 * len(self.table[0]) * U)

    def _losses(self, triples: Triples, E: float) -> tuple[Floats, Floats]:
        """Masses, and losses rounded up, a row for each triple; 0 of no mass where R_k is 0."""
        first, second, other = (self.table[triples[:, i]] for i in range(3))
        some = other > 0
        safe = np.where(some, other, 1.0)
        at = (first - E * second + 16 * U * (first + E * second)) / safe
        return other, np.where(some, at + 2 * U * np.abs(at), 0.0)

    def _together(self, group: Triples, E: float) -> Atoms:
        """A distribution above those of all triples of the group."""
        t, parts = self._heights(group, E)
        highest = np.zeros(len(t))
        for heights in parts:
            np.maximum(highest, heights.max(axis=0), out=highest)
        return (*_distribution_of(highest, t), 4 * U)

    def _heights(self, group: Triples, E: float, *, near: int = _NEAR) -> tuple[Floats, Iterator[Floats]]:
        """Points t, so many within five deviations, and E(L - t)_+ there of so many triples at a time."""
        rows = max(1, _AT_ONCE // (_NEAR + 2 * _FAR))
        losses = [self._losses(group[i : i + rows], E) for i in range(0, len(group), rows)]
        t = _points(losses, near=near, far=near * _FAR // _NEAR)
        return t, (_beyond(mass, at, t) for mass, at in losses)

    def _above_all_others(self, group: Triples, E: float) -> Triples:
        """The triples of the group whose E(L - t)_+ is the largest at a point t."""
        t, parts = self._heights(group, E, near=_COARSE)
        first, largest, seen = np.zeros(len(t), dtype=np.int64), np.full(len(t), -1.0), 0
        for heights in parts:
            here, at = heights.max(axis=0), heights.argmax(axis=0)
            first[here > largest] = seen + at[here > largest]
            seen += len(heights)
            np.maximum(largest, here, out=largest)
        return group[np.unique(first)]

    def _grouped(self, triples: Triples, sizes: Floats) -> list[Triples]:
        """The largest first, each with whatever its distribution serves already, then with what makes that hardly larger."""
        order = np.argsort(-sizes)
        left, least = triples[order], _FEW * self._largest * 1e-9
        losses = self._losses(left, 1.0)
        t = _points([losses], near=_COARSE, far=_COARSE // 4)
        heights = np.concatenate([_beyond(*each, t) for each in _rows(losses, max(1, _AT_ONCE // len(t)))])
        nothing = _variances(np.zeros((1, len(t))), t)
        squares = _variances(np.eye(len(t)), t) - nothing  # mean squares are linear, and rise, in heights
        groups: list[Triples] = []
        while len(left):
            own, highest, i = np.zeros(len(left), dtype=bool), heights[0], 0
            while i < len(left):  # what is too large beside this distribution is too large beside a larger one: each is asked once
                here = heights[i : i + _ASKED]
                served = (here <= highest * (1 + 1e-9) + least).all(axis=1)
                own[i : i + _ASKED] |= served
                able = np.flatnonzero(~served & (np.maximum(here, highest) @ squares + nothing <= _TOGETHER * self._largest))
                if len(able):
                    own[i + able[0]] = True
                    highest = np.maximum(highest, here[able[0]])
                i += able[0] + 1 if len(able) else len(here)
            own |= (heights <= highest * (1 + 1e-9) + least).all(axis=1)
            groups.append(left[own])
            left, heights = left[~own], heights[~own]
        return groups


def _rows(losses: tuple[Floats, Floats], most: int) -> Iterator[tuple[Floats, Floats]]:
    mass, at = losses
    for i in range(0, len(mass), most):
        yield mass[i : i + most], at[i : i + most]


def _points(losses: list[tuple[Floats, Floats]], *, near: int, far: int) -> Floats:
    """Return points from below the least loss to above the largest, closer together where most of them are."""
    low = min(float(at.min()) for _, at in losses)
    high = max(float(at.max()) for _, at in losses)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise out_of_range("losses leave the floats")
    scale = max(math.sqrt(float((mass * at * at).sum(axis=1).max())) for mass, at in losses)
    scale = max(scale, 1e-12 * (high - low), 1e-290)
    low, high = low - 1e-9 * scale - 4 * U * abs(low), high + 1e-9 * scale + 4 * U * abs(high)
    middle = np.linspace(max(low, -5 * scale), min(high, 5 * scale), near)
    ends = [np.geomspace(5 * scale, max(abs(end), 5 * scale) + scale, far) * sign for end, sign in ((low, -1.0), (high, 1.0))]
    inner = np.concatenate([middle, *ends])
    return np.unique(np.concatenate([[low, high], inner[(low < inner) & (inner < high)]]))


def _beyond(mass: Floats, at: Floats, t: Floats) -> Floats:
    """E(L - t)_+ at the points t, a row for each distribution: at least; atoms are spread to neighbouring points with their mean kept."""
    j = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    below, above = t[j], t[j + 1]
    width = above - below
    row = np.arange(len(mass))[:, None] * len(t)
    p = np.zeros(len(mass) * len(t))
    for index, share in ((j, (above - at) / width), (j + 1, (at - below) / width)):
        p += np.bincount((row + index).ravel(), (mass * share).ravel(), minlength=len(p))
    tail = np.cumsum(p.reshape(len(mass), len(t))[:, ::-1], axis=1)[:, ::-1]
    steps = tail[:, 1:] * np.diff(t)
    heights: Floats = np.zeros((len(mass), len(t)))
    heights[:, :-1] = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
    heights *= 1 + (4 * len(t) + 4 * mass.shape[1] + 32) * U
    return heights


def _variances(heights: Floats, t: Floats) -> Floats:
    """Mean squares of distributions with these E(L - t)_+, about: twice the integral of that over t > 0, and the other half's."""
    tail = -np.diff(heights, axis=1) / np.diff(t)
    p = -np.diff(tail, axis=1, prepend=1.0, append=0.0)
    squares: Floats = (p * t * t).sum(axis=1)
    return squares


def _distribution_of(highest: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Probabilities at the points t of a distribution with E(L - t)_+ at least that, and for lower t at least the line below it."""
    tail = np.append(np.maximum(-np.diff(highest) / np.diff(t), 0.0), 0.0)
    p = np.append(1.0, tail[:-1]) - tail
    p = np.maximum(p, 0.0)
    reached = np.zeros(len(t))
    reached[:-1] = np.cumsum((np.cumsum(p[::-1])[::-1][1:] * np.diff(t))[::-1])[::-1]
    some = highest > 0.0
    if bool((reached[some] <= 0.0).any()):
        raise out_of_range("the losses leave the floats")
    factor = max(1.0, float((highest[some] / reached[some]).max()) if some.any() else 1.0, 1.0 / float(p.sum()))
    return p * factor * (1 + (16 * len(t) + 64) * U), t
