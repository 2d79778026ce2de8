"""Sums of losses of which nearly all are of the type that is worst alone, along a line: BEYOND.swap-in-levels.few-others.

In terms of `alike_line`, let b be that type and x_c of the S users have other types c. E(sum)_+ is at most

    F(x) = tau/(2 pi) sum over j of Re e^(zeta_j(x)),     zeta_j(x) = zeta_j(0) + sum over c of x_c ln(M_c/M_b)(z_j),

with any branch of each logarithm. Let m_c > 0 be any numbers, d_jc = m_c ln(M_c/M_b)(z_j), and y_c = x_c/m_c. Where the sum of y_c is 1
at most, by Taylor's formula and as |sum of y_c d_c|^2 is at most the sum of y_c |d_c|^2, F(x) - F(0) is at most tau/(2 pi) times

    sum over c of y_c sum over j of (Re e^(zeta_j(0)) d_jc + 1/2 |e^(zeta_j(0))| |d_jc|^2 max(1, e^(Re d_jk), k any other type)).

That is below 0 where the derivatives are and m is small. All x beyond it, up to other such numbers, are mixtures of x_c = m_c and of that
number, for one other type c each. What `alike_line` has for a product over users is a sum of exponentials of what is linear in x, which is
convex: it is largest at one of these, where it may be above F by as much as F falls from 0 to there. Near b phases are those of b, about;
farther away t is 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.numeric.results import U

_ANGLE = 1.2
"""arctan t at most."""
_BELOW = 1e-4
"""Of the sum of one type, how far below it those are where no longer few users are of others."""
_TINY = 1e-300
"""Less than any sum."""
_NEWTON = 8
"""Steps to a share: from below, as what falls there is convex."""
_HARDLY = -25.0
"""ln of terms, next to the sum, that do not count there."""
_NEAR = 1e-2
"""Of a share, the last of these steps."""
SURE = 0.01
"""How wrong ln of a term is at most, or it counts with its size alone."""
LARGEST_PHASE = 4.7
"""3 pi/2, less room for roundings."""


@dataclass(frozen=True)
class Terms:
    """Terms of the sum along a line. size, angle, doubt: of M there, in rows, and how wrong both are at most; known: where angles are.

    weight: ln of that of a point, with 1/|z|^2; turn: Im of what is added to zeta; at_theta: ln M(theta), not less; outside: what all other
    points add for a type, over M(theta)^S, at most; best: the type by whose phases t is chosen.
    """

    size: Floats
    angle: Floats
    doubt: Floats
    known: NDArray[np.bool_]
    weight: Floats
    turn: Floats
    at_theta: Floats
    outside: Floats
    best: int

    def tangents_of(self, t: Floats) -> tuple[Floats, Floats]:
        """Return ln of the right side at each point with these t, not less: of no users, and of a user of each type."""
        often = 1 + 2 * np.abs(t)
        once = self.weight - t * self.turn + (t * np.arctan(t) - np.log1p(t * t) / 2) + often * (16 * U * (np.abs(self.turn) + 16))
        return once, self.size - t * self.angle + often * (self.doubt + 16 * U * (np.abs(self.size) + np.abs(self.angle)))

    def beside_one_type(self, numbers: Sequence[int]) -> tuple[list[float], float]:
        """Return ln of these sums, not less, and of that of one type for the first number; the others are hardly less."""
        users = numbers[0]
        best, alone = self.of_one_type(users)
        line = replace(self, best=best)
        none, everybody = np.zeros(len(self.turn)), np.full(len(self.size) - 1, float(users))
        many = line.others(none, users, alone - _BELOW)
        t = line.tangents_near(_ANGLE, many, numbers)
        few = np.minimum(line.others(t, users, alone - _BELOW), many)
        beyond = line.with_more_others(t, (few, many), numbers), line.with_more_others(none, (many, everybody), numbers)
        found: list[float] = np.max([line.with_few_others(few, numbers), *beyond], axis=0).tolist()
        return found, alone

    def of_one_type(self, users: float) -> tuple[int, float]:
        """Return the type with the largest sum if all users have it, and about ln of that."""
        height = users * float(self.at_theta.max())
        found = (np.exp(self.weight + users * self.size - height) * np.cos(users * self.angle + self.turn)).sum(axis=1)
        return int(found.argmax()), height + math.log(max(_TINY, float(found.max())))

    def tangents_near(self, angle: float, others: Floats, numbers: Sequence[int]) -> Floats:
        """Return t by phases of the best type with arctan t up to an angle, and 0 where so many others may have phases too large for it."""
        phases = np.append(np.zeros((1, len(self.turn))), others[:, None] * self._from_best(self.angle), axis=0) + self.turn
        highest = max(numbers) * self.angle[self.best] + phases
        t: Floats = np.tan(np.clip(highest[0], -angle, angle))
        phases = np.append(highest, min(numbers) * self.angle[self.best] + phases, axis=0)
        allowed = np.where(t >= 0.0, phases.max(axis=0) <= LARGEST_PHASE, phases.min(axis=0) >= -LARGEST_PHASE)
        return np.where(allowed & self.known & (max(numbers) * self.doubt < SURE).all(axis=0), t, 0.0)

    def others(self, t: Floats, users: float, target: float) -> Floats:
        """Return of each other type about how few users bring the right side down to e^target, all of them where none do."""
        once, of_one = self.tangents_of(t)
        alone = once + users * of_one[self.best] - target
        counts = alone > _HARDLY
        slopes, found = self._from_best(of_one[:, counts]), np.zeros(len(of_one) - 1)
        for _ in range(_NEWTON):
            terms, before = np.exp(alone[counts] + found[:, None] * slopes), found
            falls = -(terms * slopes).sum(axis=1)
            steps = np.divide(terms.sum(axis=1) - 1.0, falls, out=np.full(len(found), float(users)), where=falls > 0.0)
            found = np.clip(found + steps, 0.0, users)
            if (found - before <= _NEAR * found).all():
                break
        return found

    def with_few_others(self, others: Floats, numbers: Sequence[int]) -> list[float]:
        """Return ln of the largest of these sums with up to so many users of other types, not less, for so many users each."""
        wrong = self.doubt + 16 * U * (np.abs(self.size) + np.abs(self.angle) + 1)
        real, apart = others[:, None] * self._from_best(self.size), others[:, None] * (wrong[self._rest] + wrong[self.best])
        turns = others[:, None] * _turned(self._from_best(self.angle))
        far, raised = np.hypot(real, turns) + apart, np.exp((real + apart).max(axis=0, initial=0.0))
        return [self._with_few_others(S, wrong[self.best], real, turns, apart, far, raised, self._outside(others, S)) for S in numbers]

    def _with_few_others(
        self, users: int, wrong: Floats, real: Floats, turns: Floats, apart: Floats, far: Floats, raised: Floats, outside: Floats
    ) -> float:
        b, top = self.best, users * float(self.at_theta[self.best])
        error = users * wrong + 16 * U * (np.abs(self.turn) + np.abs(self.weight) + 16)
        sizes, phase = np.exp(self.weight + users * self.size[b] - top), users * self.angle[b] + self.turn
        largest, sure = sizes * np.exp(error) * raised, self.known & (error < SURE)
        uncertain, certain = np.where(sure, 2 * sizes * error, largest), np.where(sure, sizes, 0.0)
        cosines = certain * np.cos(phase)
        first = _sums(real, cosines) - _sums(turns, certain * np.sin(phase)) + 2 * _sums(apart, certain)
        second = _sums(far * far, np.where(sure, largest, 0.0)) / 2
        rises = first + second * (1 + 1e-9) + _sums(far, np.where(sure, uncertain, 0.0) + 1e-9 * certain)
        slack = 1e-9 + 64 * U * (abs(top) + len(self.weight))
        found = float(cosines.sum() + uncertain.sum() + slack * certain.sum() + np.exp(outside - top).max())
        found += float(np.maximum(0.0, rises).max(initial=0.0))  # what is not a number is none here
        return top + math.log(found) + slack if 0.0 < found < math.inf else math.inf

    def with_more_others(self, t: Floats, others: Sequence[Floats], numbers: Sequence[int]) -> list[float]:
        """Return ln of the largest of these sums from so many users of another type to so many, not less, for so many users each."""
        if not len(others[0]):
            return [-math.inf for _ in numbers]
        once, of_one = self.tangents_of(t)
        apart, found = self._from_best(of_one), list[float]()
        for S in numbers:
            ends = [(once + S * of_one[self.best] + few[:, None] * apart, self._outside(few, S)[1:]) for few in others]
            found.append(float(np.max([largest_logarithm(exponents, outside) for exponents, outside in ends])))
        return found

    @cached_property
    def _rest(self) -> NDArray[np.int64]:
        """The other types."""
        return np.delete(np.arange(len(self.size)), self.best)

    def _from_best(self, rows: Floats) -> Floats:
        """Return those of other types less that of the best."""
        found: Floats = rows[self._rest] - rows[self.best]
        return found

    def _outside(self, others: Floats, users: float) -> Floats:
        """Return ln of what all other points add with users of the best type, and with so many of another one, at most."""
        alone = self.at_theta + np.log(self.outside) / users
        found: Floats = users * alone[self.best] + np.append(0.0, others * self._from_best(alone))
        return found


def largest_logarithm(exponents: Floats, outside: Floats) -> float:
    """Return ln of the largest sum of exponentials of a row, with e^outside, not less."""
    top = np.maximum(exponents.max(axis=1), outside)
    sums = np.exp(exponents - top[:, None]).sum(axis=1) + np.exp(outside - top)
    slack = 1e-9 + 64 * U * (np.abs(top) + exponents.shape[1])
    return float((top + np.log(sums) + slack).max())


def _sums(rows: Floats, terms: Floats) -> Floats:
    """Return the sums of these products, for which no library starts threads."""
    found: Floats = np.einsum("rk,k->r", rows, terms)
    return found


def _turned(angles: Floats) -> Floats:
    """Return these angles less a multiple of 2 pi, near 0."""
    found: Floats = angles - 2 * math.pi * np.round(angles / (2 * math.pi))
    return found
