"""The largest sum of independent losses of finitely many types, however many of each, along a line: BEYOND.swap-in-levels.line.

S is the sum, M_c(z) = E e^(zL_c), Z a normal variable of its own. E S_+ <= E(S + sZ)_+, and with z_j = theta + i j tau that is at most

    tau/(2 pi) sum over j of Re e^(zeta_j),    zeta_j = sum over users of ln M_c(z_j) + s^2 z_j^2/2 - 2 ln z_j,

for any theta, tau > 0 (`one_sum_contour`). For real t and Im zeta as described below, since ln cos is concave,

    Re e^zeta <= exp(Re zeta - t Im zeta + t arctan t - ln(1 + t^2)/2),

of which the right side is a product over users. By Hoelder's inequality the sum over j of such products is at most the largest over types
of what it is with one type for all users. With t_j = tan Im zeta_j of the worst type nothing is lost on that type, and another one is
hardly ever above it. So the cost does not depend on the number of users.

|Im zeta| <= pi/2 need not hold: for t >= 0 Im zeta <= 3 pi/2 is enough, for t <= 0 Im zeta >= -3 pi/2, and for t = 0 nothing is needed.

Types whose e^(theta L) is far less than the largest would have phases of their own: t is so small that these do not become the largest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import LARGEST_ANGLE, TRIG_ERROR, Complex, Floats
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import Type, measures_of, undominated
from shuffleproof.impl.fast.numeric.results import EXP_ERROR, U

_WIDTH = 2e-3
"""s over the deviation of S under the tilt: half of its square is added to epsilon."""
_REACH = 4.0
"""s times the largest w that is looked at: what is beyond is bounded, and far below a part in 10^6 of the sum."""
_GONE = 40.0
"""Powers below e^-40 of the largest one count with that."""
_PERIOD = (7.0, 14.0)
"""The period 2 pi/tau, in deviations: a and b/(theta deviation)."""
_ANGLES = (1.45, 1.2, 1.0, 0.8, 0.6, 0.45, 0.3, 0.15)
"""arctan t at most, of which the best is taken."""
_RISES = (2.0, 1.0)
"""d ln E e^(theta S)/d ln theta that are tried: 2 at the saddle point; below it phases are small for longer, where the kink is near."""
_DOMINATED = 10_000_000
"""Users from which on types that another one dominates are left out only where nothing else is close: that costs 10^-12 of a mass."""
_FAR = 3.0
"""Of ln E e^(theta S), how far below the largest a type is held back by t;"""
_FARTHER = 8.0
"""and how far below one is where it need not be looked at beyond the points that count for others."""
_BELOW = 4.0
"""ln of how far below the largest all that such a type adds may be."""
_LARGEST_PHASE = 4.7
"""3 pi/2, less room for roundings."""
_SURE = 0.01
"""How wrong a phase is at most, or t is 0."""
_ENOUGH = 1e-6
"""Of epsilon, what t may lose for the search for a better one to end;"""
_TOLERATED = 2e-5
"""the same for this to be the way at all."""
_LARGEST_EXPONENT = 600.0
"""Of a tilt."""
_TINY = 1e-300
"""Less than any sum."""
_STEPS = 60
"""To a tilt, at most: any is sound."""
_ALIKE = 0.6
"""Least quotient of two numbers of users that share one line."""


def averages(types: Sequence[Losses], numbers: Sequence[int], *, tolerated: float = _TOLERATED) -> list[float] | None:
    """Floats not below the largest E(L_1 + ... + L_S)_+/S of independent losses of these types, for each S; None where it is not close.

    types: masses with their relative error, places rounded up; 0 with what is left of a mass; `worth` is not used. tolerated: of epsilon,
    what is close.
    """
    if max(float(law.at.max()) for law in types) <= 0.0:
        return [0.0 for _ in numbers]
    if min(numbers) < _ALIKE * max(numbers):
        return None
    laws = measures_of(types)
    fewer = undominated(laws)
    for rise in _RISES:
        for each in (laws, fewer) if max(numbers) > _DOMINATED and len(fewer) < len(laws) else (fewer,):
            with np.errstate(all="ignore"):
                line = _Line.through(each, max(numbers), min(numbers), rise)
                found = None if line is None else line.averages(numbers, tolerated)
            if found is not None:
                return found
    return None


@dataclass(frozen=True)
class _Rows:
    """Loss types in rows, filled up with masses of 0."""

    mass: Floats
    at: Floats

    @classmethod
    def of(cls, laws: Sequence[Type]) -> _Rows:
        mass, at = np.zeros((2, len(laws), max(len(law.at) for law in laws)))
        for row, law in enumerate(laws):
            mass[row, : len(law.at)], at[row, : len(law.at)] = law.mass, law.at
        return cls(mass, at)

    def tilt(self, row: int, users: int, rise: float) -> float:
        """Return the tilt at which ln E e^(theta S) rises like theta^rise, about."""
        mass, at = self.mass[row], self.at[row]
        highest, low, high = float(at.max()), 0.0, math.inf
        first, second = float(mass @ at), float(mass @ (at * at))
        theta = (math.sqrt(first * first + 4 * second * rise / users) - first) / (2 * second)
        for _ in range(_STEPS):
            weights = mass * np.exp(theta * (at - highest))
            total = float(weights.sum())
            mean = float(weights @ at) / total
            over = users * theta * mean - rise
            low, high = (low, theta) if over > 0.0 else (theta, high)
            slope = users * (mean + theta * (float(weights @ (at * at)) / total - mean * mean))
            following = min(theta - over / slope, 4 * theta) if slope > 0.0 else 2 * theta
            following = following if low < following < high else (low + high) / 2
            if not abs(following - theta) > 1e-4 * theta:
                break
            theta = following
        return min(theta, _LARGEST_EXPONENT / max(highest, -float(at.min())))


@dataclass(frozen=True)
class _Line:
    """Points theta + i w on which powers count, for the users from `least` to `most`. rising: -d ln V/d ln(E - 1), about, or 1.

    logarithm, angle, doubt: of M there, in rows, and how wrong both are at most; weight: ln of that of a point, with 1/|z|^2; turn: Im of
    what is added to zeta; at_theta: ln M(theta), not less; outside: what all other points add for a type, over M(theta)^S, at most; best:
    the type with the largest M(theta).
    """

    rising: float
    most: int
    least: int
    logarithm: Floats
    angle: Floats
    doubt: Floats
    weight: Floats
    turn: Floats
    at_theta: Floats
    outside: Floats
    best: int

    @classmethod
    def through(cls, laws: Sequence[Type], most: int, least: int, rise: float) -> _Line | None:
        rows = _Rows.of(laws)
        best = int(np.argmax([law.square for law in laws]))
        for _ in laws:
            theta = rows.tilt(best, most, rise)
            tilted = rows.mass * np.exp(theta * rows.at)
            totals = tilted.sum(axis=1)
            if (worst := int(totals.argmax())) == best:
                break
            best = worst
        mean = float(tilted[best] @ rows.at[best]) / totals[best]
        deviation = math.sqrt(most * (float(tilted[best] @ rows.at[best] ** 2) / totals[best] - mean * mean))
        s, tau = _WIDTH * deviation, 2 * math.pi / (_PERIOD[0] * deviation + _PERIOD[1] / theta)
        points, reach = math.ceil(_REACH / (s * tau)), float(np.abs(rows.at).max())
        if not (0.0 < s * theta < 1.0 and points * tau * reach < LARGEST_ANGLE):
            return None
        sizes = np.abs(theta * rows.at)
        wrong = (tilted * (EXP_ERROR + (8 + 3 * sizes) * U)).sum(axis=1) + totals * (4 * TRIG_ERROR + 4 * (rows.at.shape[1] + 4) * U)
        of_angles, at_theta = 8 * U * (tilted * np.abs(rows.at)).sum(axis=1), np.log(totals + wrong) + 4 * U
        behind = most * (at_theta.max() - at_theta)
        near = behind <= _FARTHER
        steps = math.isqrt(points) + 1
        slow, fast = tau * steps * np.arange(points // steps + 1.0), tau * np.arange(float(steps))
        M = np.stack([(_turned(slow, x) * w) @ _turned(fast, x).T for x, w in zip(rows.at[near], tilted[near], strict=True)])
        M = M.reshape(len(M), -1)[:, : points + 1]
        counts = (least * (np.log(np.abs(M) + (wrong + of_angles * points * tau)[near, None]) - at_theta[near, None]) > -_GONE).any(axis=0)
        j = np.flatnonzero(counts)
        w, found = tau * j.astype(np.float64), np.empty((len(laws), len(j)), dtype=np.complex128)
        found[near] = M[:, j]
        for row in np.flatnonzero(~near):
            found[row] = _turned(w, rows.at[row]) @ tilted[row]
        size, kappa = np.abs(found), wrong[:, None] + of_angles[:, None] * w
        over = theta * theta + w * w
        weight = np.log(np.where(j == 0, 1.0, 2.0) * (tau / (2 * math.pi)) / over) + s * s * (theta * theta - w * w) / 2
        every, last = 1 / (2 * theta * math.tanh(math.pi * theta / tau)), points * tau
        beyond = math.exp(-((s * last) ** 2) / 2) / (math.pi * last * (s * last) ** 2)
        outside = (np.where(near, math.exp(-_GONE), 1.0) * every + beyond) * math.exp((s * theta) ** 2 / 2) * (1 + 1e-9)
        return cls(
            max(1.0, theta * most * -min(float(law.mass @ law.at) for law in laws)),
            most,
            least,
            np.log(size),
            np.angle(found),
            np.where(kappa < size / 2, 2 * kappa / size + 16 * U, math.inf),
            weight,
            s * s * theta * w - 2 * np.arctan2(w, theta),
            at_theta,
            outside,
            best,
        )

    def averages(self, numbers: Sequence[int], tolerated: float) -> list[float] | None:
        """Return the bounds with the best of some t; None where none is close to one type's value."""
        height, phase = self.most * self.logarithm, self.most * self.angle + self.turn
        top = self.most * float(self.at_theta.max())
        alone = math.log(max(_TINY, float((np.exp(self.weight + height[self.best] - top) * np.cos(phase[self.best])).sum())))
        far = self.most * (self.at_theta.max() - self.at_theta) > _FAR
        allowed = np.maximum(height[self.best], top - _BELOW)
        room = np.maximum(allowed - height[far], 0.0)
        chosen, least = self.turn, math.inf
        for angle in _ANGLES:
            t = np.tan(np.clip(phase[self.best], -angle, angle))
            if far.any():
                pushed = t * (phase[self.best] - phase[far])
                t = t * np.where(pushed > room, room / pushed, 1.0).min(axis=0)
            t = self._allowed(t)
            if (value := self._logarithm(t, self.most) - top) < least:
                chosen, least = t, value
            if least - alone < _ENOUGH * self.rising:
                break
        if not least - alone < tolerated * self.rising:
            return None
        return [math.exp(self._logarithm(chosen, S)) / S * (1 + 1e-12) for S in numbers]

    def _allowed(self, t: Floats) -> Floats:
        """Return t, and 0 where the phases that there may be are too large for it."""
        sure = (self.most * self.doubt < _SURE).all(axis=0)
        for users in (self.least, self.most):
            phase = users * self.angle + self.turn
            sure &= np.where(t >= 0.0, phase.max(axis=0) <= _LARGEST_PHASE, phase.min(axis=0) >= -_LARGEST_PHASE)
        return np.where(sure, t, 0.0)

    def _logarithm(self, t: Floats, users: int) -> float:
        """Return ln of the largest of these sums over the types, not less."""
        height, phase = users * self.logarithm, users * self.angle + self.turn
        doubt = users * self.doubt + 16 * U * (np.abs(height) + np.abs(phase) + 16)
        exponent = self.weight + height - t * phase + (t * np.arctan(t) - np.log1p(t * t) / 2) + (1 + 2 * np.abs(t)) * doubt
        at_theta = users * self.at_theta
        top = np.maximum(exponent.max(axis=1), at_theta)
        sums = np.exp(exponent - top[:, None]).sum(axis=1) + self.outside * np.exp(at_theta - top)
        slack = 1e-9 + 64 * U * (np.abs(top) + exponent.shape[1])
        return float((top + np.log(sums) + slack).max())


def _turned(w: Floats, x: Floats) -> Complex:
    """e^(i w x)."""
    angles: Floats = np.multiply.outer(w, x)
    found: Complex = np.empty(angles.shape, dtype=np.complex128)
    found.real, found.imag = np.cos(angles), np.sin(angles)
    return found
