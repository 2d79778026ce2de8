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
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import LARGEST_ANGLE, TRIG_ERROR, Complex, Floats
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import Type, measures_of, undominated
from shuffleproof.impl.fast.numeric.results import EXP_ERROR, U

_WIDTH = 2e-3
"""s over the deviation of S under the tilt: half of its square is added to epsilon."""
_WIDTH_OF_PARTS = 5e-3
"""The same of types in parts, whose cells of inputs add more, so that what is far out is bounded with less work."""
_REACH = 4.0
"""s times the largest w that is looked at: what is beyond is bounded, and far below a part in 10^6 of the sum."""
_MOST_POINTS = 1 << 16
"""Points of a line: with more, what is wanted is not far out for so many users, and blocks are as near."""
_GONE = 40.0
"""Powers below e^-40 of the largest one count with that."""
_PERIOD = (7.0, 14.0)
"""The period 2 pi/tau, in deviations: a and b/(theta deviation)."""
_ANGLES = (1.45, 1.2, 1.0, 0.8, 0.6, 0.45, 0.3, 0.15)
"""arctan t at most, of which the best is taken."""
_IN_VAIN = 2
"""Of these one after the other that are no better than one before, from which on none is, but where all are worthless."""
_RISES = (2.0, 1.0)
"""d ln E e^(theta S)/d ln theta that are tried: 2 at the saddle point; below it phases are small for longer, where the kink is near."""
_MOVED = 1e-12
"""Of the largest loss, by how much more losses are that stand for others that they dominate."""
_FAR = 3.0
"""Of ln E e^(theta S), how far below the largest a type is held back by t wherever it is;"""
_FARTHER = 1.5
"""and how far below, and ln of theta times the deviation, one need not be looked at beyond the points that count for others."""
_BELOW = 4.0
"""Of ln of powers, how far below the largest they hardly count: there no type may come nearer."""
_LARGEST_PHASE = 4.7
"""3 pi/2, less room for roundings."""
_SURE = 0.01
"""How wrong a phase is at most, or t is 0."""
_ENOUGH = 1e-6
"""Of epsilon, what t may lose for the search for a better one to end;"""
_TOLERATED = 2e-5
"""the same for this to be the way at all;"""
_OF_SKEWED = 2e-3
"""the same over theta times the largest loss, of which blocks lose more,"""
_MOST_TOLERATED = 2e-4
"""and the most."""
_LOOKED_AT = (32, 80, 240)
"""Points of types in parts that are looked at one by one: powers seldom count beyond 40 of them."""
_TOGETHER = 2
"""Neighbouring parts that are one beyond these points."""
_STEPS_OF_OCTAVE = 8
"""From w to 2 w, in the middles of which powers are bounded beyond those: a power of 2,"""
_CLOSE_STEPS = 64
"""and for types for which these are too far apart."""
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
_NEARLY = 0.995
"""Quotient of two numbers of users from which on t of the larger one serves for both."""
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
    return averages_of_rows(Rows.of(undominated(measures_of(types), moved=_MOVED)), numbers, tolerated=tolerated)


def averages_of_rows(rows: Rows, numbers: Sequence[int], *, tolerated: float = _TOLERATED) -> list[float] | None:
    """Return the same of rows."""
    for rise in _RISES:
        with np.errstate(all="ignore"):
            line = _Line.through(rows, max(numbers), min(numbers), rise)
            found = None if line is None else line.averages(numbers, tolerated)
        if found is not None:
            return found
    return None


def about(rows: Rows, users: int) -> float | None:
    """Return about ln of that for so many users: a guess."""
    with np.errstate(all="ignore"):
        line = _Line.through(rows, users, users, _RISES[0], surely=False)
    return None if line is None else line.logarithm(line.tangents(_ANGLES[0], users), users) - math.log(users)


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
        mass, at = np.zeros((2, len(laws), max(len(law.at) for law in laws)))
        for row, law in enumerate(laws):
            mass[row, : len(law.at)], at[row, : len(law.at)] = law.mass, law.at
        return cls(mass, at)

    def transforms(self, theta: float, tau: float, points: int) -> tuple[Complex, Floats]:
        """Return E e^(zL) at theta + i j tau, j = 0, ..., points, and how wrong these are at most: with z^2/2 times variances in parts."""
        tilted, steps = self.mass * np.exp(theta * self.at), math.isqrt(points) + 1
        slow: Complex
        fast: Complex
        if not points:
            slow = fast = np.ones((1, *self.at.shape), dtype=np.complex128)
        elif self.variance is None:
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
            thirds = (tilted * self.variance * self.reach * np.exp(theta * self.reach)).sum(axis=1)
            first, second = ((tilted * self.apart**power).sum(axis=1)[:, None] for power in (1, 2))
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
        return Rows(whole, mean, square * (1 + 1e-9), np.maximum.reduceat(np.abs(apart) + self.reach, starts, axis=1) * (1 + 1e-9))

    def decays(self, theta: float, first: float, last: float, gone: float) -> bool:
        """Return whether |E e^(zL)| is at most `gone` of that at theta for all rows at theta + i w, w from `first` to `last`, surely.

        Each part counts with its mean, and what that is wrong by, 2 at most. Of small w by E(L - a)^2 and E|L - a|^3, tilted, a the mean.
        Then from w to 2 w in the middles of steps, from which it rises by no more than half a step times E|L - a|, nor than that times 2 w
        E(L - a)^2.
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

        def by_moments(w: float) -> bool:
            gained = w * w * (second * (1 - 1e-8) / 2 - inside - w * third / 6)
            return bool((gained > theta * theta * inside + w * uneven + least).all())

        w = float(np.minimum(_OF_MOMENTS * (second / 2 - inside) / third, np.sqrt(2 * totals / second)).min()) * (1 - 1e-9)
        if not (w > first and by_moments(first) and by_moments(w)):  # what is gained rises, and then falls
            w = first
        if w >= last:
            return True
        turned = _in_steps(w * centred, _STEPS_OF_OCTAVE)
        while w < last:
            rises = np.minimum(mean, 2 * w * second + uneven) * w
            apart = (np.minimum(2 * wide, (theta**2 + 4 * w * w) / 2 * self.variance * wide)).sum(axis=1)
            allowed = ((gone - 1e-9) * totals - apart) / (1 + 1e-9)
            left = np.flatnonzero(~(_largest(turned, tilted) + rises / (2 * _STEPS_OF_OCTAVE) < allowed))
            if len(left):
                closely = _in_steps(w * centred[left], _CLOSE_STEPS)
                if not (_largest(closely, tilted[left]) + rises[left] / (2 * _CLOSE_STEPS) < allowed[left]).all():
                    return False
            turned, w = turned * turned, 2 * w
        return True

    def tilt(self, row: int, users: int, rise: float) -> float:
        """Return the tilt at which ln E e^(theta S) rises like theta^rise, about; 0 where there is none in floats."""
        mass, at = self.mass[row], self.at[row]
        highest, low, high = float(at.max()), 0.0, math.inf
        first, second = float(mass @ at), float(mass @ (at * at))
        if not second > 0.0:
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
        return min(theta, _LARGEST_EXPONENT / max(highest, -float(at.min())))


@dataclass(frozen=True)
class _Line:
    """Points theta + i w on which powers count, for the users from `least` to `most`. rising: -d ln V/d ln(E - 1), about, or 1.

    steepest: theta times the largest loss; size, angle, doubt: of M there, in rows, and how wrong both are at most; known: where
    angles are; weight: ln of that of a point, with 1/|z|^2; turn: Im of what is added to zeta; at_theta: ln M(theta), not less; outside:
    what all other points add for a type, over M(theta)^S, at most; far, of_far: ln M(theta) of types far behind, at most, and all of what
    they add over M(theta)^S; best: the type with the largest M(theta).
    """

    rising: float
    steepest: float
    most: int
    least: int
    size: Floats
    angle: Floats
    doubt: Floats
    known: NDArray[np.bool_]
    weight: Floats
    turn: Floats
    at_theta: Floats
    outside: float
    far: float
    of_far: float
    best: int

    @classmethod
    def through(cls, rows: Rows, most: int, least: int, rise: float, *, surely: bool = True) -> _Line | None:
        """Return it; None where there is none in floats, or too many points would count. surely: whether it is more than a guess."""
        best = int(np.argmax((rows.mass * rows.at**2).sum(axis=1)))
        for _ in rows.mass:
            if not (theta := rows.tilt(best, most, rise)) > 0.0:
                return None
            totals = (rows.mass * np.exp(theta * rows.at)).sum(axis=1)
            if (worst := int(totals.argmax())) == best:
                break
            best = worst
        tilted = rows.mass[best] * np.exp(theta * rows.at[best]) / totals[best]
        deviation = math.sqrt(most * (float(tilted @ rows.at[best] ** 2) - float(tilted @ rows.at[best]) ** 2))
        s = (_WIDTH if rows.variance is None else _WIDTH_OF_PARTS) * deviation
        tau = 2 * math.pi / (_PERIOD[0] * deviation + _PERIOD[1] / theta)
        if not (0.0 < s * theta < 1.0):
            return None
        if not (0.0 < _REACH / _MOST_POINTS < s * tau):
            return None
        points = math.ceil(_REACH / (s * tau))
        if not points * tau * float(np.abs(rows.at).max()) < LARGEST_ANGLE:
            return None
        M, kappa = rows.transforms(theta, tau, 0)
        at_theta = np.log(np.abs(M[:, 0]) + kappa[:, 0]) + 4 * U
        behind = least * (at_theta.max() - at_theta)
        near = behind <= _FARTHER + math.log1p(theta * deviation)
        every, last = 1 / (2 * theta * math.tanh(math.pi * theta / tau)), points * tau
        far = float(at_theta[~near].max(initial=-_LARGEST_EXPONENT))
        rows, best, at_theta = rows.some(near), int(near[:best].sum()), at_theta[near]
        for looked in (points,) if rows.variance is None else _LOOKED_AT:
            M, kappa = rows.transforms(theta, tau, looked)
            j = np.flatnonzero((least * (np.log(np.abs(M) + kappa) - at_theta[:, None]) > -_GONE).any(axis=0))
            if not surely or looked >= points or rows.together(_TOGETHER).decays(theta, tau * looked, last, math.exp(-_GONE / least)):
                break
        else:
            return None
        w, size, kappa = tau * j.astype(np.float64), np.abs(M[:, j]), kappa[:, j]
        over = theta * theta + w * w
        weight = np.log(np.where(j == 0, 1.0, 2.0) * (tau / (2 * math.pi)) / over) + s * s * (theta * theta - w * w) / 2
        beyond, more = math.exp(-((s * last) ** 2) / 2) / (math.pi * last * (s * last) ** 2), math.exp((s * theta) ** 2 / 2) * (1 + 1e-9)
        return cls(
            max(1.0, -theta * most * float((rows.mass * rows.at).sum(axis=1).min())),
            theta * float(np.abs(rows.at).max()),
            most,
            least,
            np.log(np.where(kappa < size / 2, size, size + kappa)),
            np.angle(M[:, j]),
            np.where(kappa < size / 2, 2 * kappa / size, 0.0) + 16 * U,
            np.all(kappa < size / 2, axis=0),
            weight,
            s * s * theta * w - 2 * np.arctan2(w, theta),
            at_theta,
            (math.exp(-_GONE) * every + beyond) * more,
            far,
            (every + beyond) * more,
            best,
        )

    def averages(self, numbers: Sequence[int], tolerated: float) -> list[float] | None:
        """Return the bounds with the best of some t; None where none is close to one type's value."""
        top, alone = self.most * float(self.at_theta.max()), self.alone()
        chosen, least, in_vain = 0.0, math.inf, 0
        for angle in _ANGLES:
            if (value := self.logarithm(self.tangents(angle, self.most), self.most) - top) < least:
                chosen, least, in_vain = angle, value, 0
            else:
                in_vain += 1
            if least - alone < _ENOUGH * self.rising or in_vain == _IN_VAIN:
                break
        allowed = max(tolerated, min(_MOST_TOLERATED, _OF_SKEWED * self.steepest)) * self.rising
        if not least - alone < allowed + 4 * self.most * float(self.doubt.max()):  # of most users roundings count
            return None
        found, of_users, t = dict[int, float](), math.inf, self.turn
        for S in sorted(numbers, reverse=True):
            if _NEARLY * of_users > S:
                of_users, t = S, self.tangents(chosen, S)
            height = self.logarithm(t, S)
            found[S] = math.exp(height) / S * (1 + 1e-12) if height < _LARGEST_EXPONENT else math.inf
        return [found[S] for S in numbers]

    def alone(self) -> float:
        """Return about ln of the sum of the type with the largest M(theta), over M(theta)^S, for most users."""
        height, phase = self.most * (self.size[self.best] - self.at_theta.max()), self.most * self.angle[self.best] + self.turn
        return math.log(max(_TINY, float((np.exp(self.weight + height) * np.cos(phase)).sum())))

    def tangents(self, angle: float, users: int) -> Floats:
        """Return t for so many users, so small that no type far behind comes to the top, and 0 where it may not be anything else."""
        height, phase = users * self.size, users * self.angle + self.turn
        t: Floats = np.tan(np.clip(phase[self.best], -angle, angle))
        top = users * float(self.at_theta.max())
        counts, behind = height[self.best] > top - _BELOW, top - users * self.at_theta > _FAR
        room = np.maximum(np.maximum(height[self.best], top - _BELOW) - height, 0.0)
        pushed = np.where(behind[:, None] | ~counts, t * (phase[self.best] - phase), 0.0)
        t = t * np.divide(room, pushed, out=np.ones(room.shape), where=pushed > room).min(axis=0)
        return self._allowed(t)

    def _allowed(self, t: Floats) -> Floats:
        """Return t, and 0 where the phases that there may be are too large for it."""
        sure = self.known & (self.most * self.doubt < _SURE).all(axis=0)
        for users in (self.least, self.most):
            phase = users * self.angle + self.turn
            sure &= np.where(t >= 0.0, phase.max(axis=0) <= _LARGEST_PHASE, phase.min(axis=0) >= -_LARGEST_PHASE)
        return np.where(sure, t, 0.0)

    def logarithm(self, t: Floats, users: int) -> float:
        """Return ln of the largest of these sums over the types, not less."""
        height, phase = users * self.size, users * self.angle + self.turn
        doubt = users * self.doubt + 16 * U * (np.abs(height) + np.abs(phase) + 16)
        exponent = self.weight + height - t * phase + (t * np.arctan(t) - np.log1p(t * t) / 2) + (1 + 2 * np.abs(t)) * doubt
        at_theta = users * self.at_theta
        top = np.maximum(exponent.max(axis=1), at_theta)
        sums = np.exp(exponent - top[:, None]).sum(axis=1) + self.outside * np.exp(at_theta - top)
        slack = 1e-9 + 64 * U * (np.abs(top) + exponent.shape[1])
        far = users * self.far
        return max(float((top + np.log(sums) + slack).max()), far + math.log(self.of_far) + 1e-9 + 64 * U * abs(far))


def _products(slow: Complex, fast: Complex) -> Complex:
    """Return the products of these matrices, of each its rows one after the other."""
    found: Complex = np.empty((len(slow), slow.shape[1], fast.shape[2]), dtype=np.complex128)
    rows = max(1, _SMALL // (fast.shape[1] * fast.shape[2]))
    for row in range(0, slow.shape[1], rows):
        np.matmul(slow[:, row : row + rows], fast, out=found[:, row : row + rows])
    return found.reshape(len(slow), -1)


def _largest(turned: Complex, tilted: Floats) -> Floats:
    """Return the largest of these sums of parts in each row. (By no product of matrices: libraries start threads for it.)"""
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
