"""The largest sum of independent losses of finitely many types, however many of each, along a line: BEYOND.swap-in-levels.line.

S is the sum, M_c(z) = E e^(zL_c), Z a normal variable of its own. E S_+ <= E(S + sZ)_+, and with z_j = theta + i j tau that is at most

    tau/(2 pi) sum over j of Re e^(zeta_j),    zeta_j = sum over users of ln M_c(z_j) + s^2 z_j^2/2 - 2 ln z_j,

for any theta, tau > 0 (`one_sum_contour`). For real t and Im zeta as described below, since ln cos is concave,

    Re e^zeta <= exp(Re zeta - t Im zeta + t arctan t - ln(1 + t^2)/2),

of which the right side is a product over users. By Hoelder's inequality the sum over j of such products is at most the largest over types
of what it is with one type for all users. With t_j = tan Im zeta_j of the worst type nothing is lost on that type, and another one is
hardly ever above it. So the cost does not depend on the number of users.

|Im zeta| <= pi/2 need not hold: for t >= 0 Im zeta <= 3 pi/2 is enough, for t <= 0 Im zeta >= -3 pi/2, and for t = 0 nothing is needed.

t_j is one for all types, as users of some may be among users of others. Those whose M_c(theta) is less than the largest would have phases
of their own: t is so small that these do not become the largest. Where no type near the largest counts t is 0, and |M_c(z_j)| is at most
M_c(theta): of types far behind nothing else is needed there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import LARGEST_ANGLE, Floats
from shuffleproof.impl.fast.bounds.swap.along_a_line.few_others import LARGEST_PHASE, SURE, Terms, largest_logarithm
from shuffleproof.impl.fast.bounds.swap.along_a_line.loss_rows import Rows
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import Type, measures_of, undominated
from shuffleproof.impl.fast.numeric.results import U

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
_RISES = ((2.0, 3.0), (1.0, 1.0))
"""d ln E e^(theta S)/d ln theta that are tried, and the least -d ln V/d ln(E - 1) for these: 2 at the saddle point; below it phases are
small for longer, where the kink is near."""
_MOST_DOUBT = 0.001
"""Of the largest power, how wrong any power's phase or size is at most where a sum is a guess."""
_MOVED = 1e-12
"""Of the largest loss, by how much more losses are that stand for others that they dominate."""
_FAR = 3.0
"""Of ln E e^(theta S), how far below the largest a type is held back by t wherever it is;"""
_FARTHER = 1.5
"""and how far below, and ln of theta times the deviation, it need not be looked at where no other type counts."""
_BELOW = 4.0
"""Of ln of powers, how far below the largest they hardly count: there no type may come nearer."""
_PUSHED = 6.0
"""By how much more ln of powers may be raised by a phase of its own: no type comes nearer by so much."""
_ENOUGH = 1e-6
"""Of epsilon, what t may lose for the search for a better one to end;"""
_TOLERATED = 2e-5
"""the same for this to be the way at all;"""
_OF_SKEWED = 2e-3
"""the same over theta times the largest loss, of which blocks lose more,"""
_MOST_TOLERATED = 2e-4
"""and the most."""
_UNLESS = 5e-5
"""Of epsilon, what could be gained at most where nothing nearer is asked."""
_LOOKED_AT = (32, 80, 240, 1000, 4000)
"""Points of types in parts that are looked at one by one: powers seldom count beyond 40 of them."""
_TOGETHER = 2
"""Neighbouring parts that are one beyond these points."""
_LARGEST_EXPONENT = 600.0
"""Of a float: a sum that is larger bounds nothing."""
_TINY = 1e-300
"""Less than any sum."""
_WORTHLESS = 60.0
"""One over theta, times which a loss is below 0 from where on it may be moved up."""
_NEARLY = 0.995
"""Quotient of two numbers of users from which on t of the larger one serves for both."""
_ALIKE = 0.6
"""Least quotient of two numbers of users that share one line."""


def averages(types: Sequence[Losses], numbers: Sequence[int], *, enough: float = math.inf) -> tuple[list[float], bool] | None:
    """Floats not below the largest E(L_1 + ... + L_S)_+/S of independent losses of these types, for each S, and whether they are close.

    types: masses with their relative error, places rounded up; 0 with what is left of a mass; `worth` is not used. None: no line.
    enough: where one type alone has so much, nothing is asked to be close.
    """
    if max(float(law.at.max()) for law in types) <= 0.0:
        return [0.0 for _ in numbers], True
    if min(numbers) < _ALIKE * max(numbers):
        return None
    laws = measures_of(types)
    rows = Rows.of(laws)
    with np.errstate(all="ignore"):
        tilts = [rows.tilt(row, max(numbers), _RISES[-1][0]) for row, law in enumerate(laws) if law.highest > 0.0]
    if min(tilts) > 0.0:
        laws = [Type.of(law.mass, np.maximum(law.at, -_WORTHLESS / min(tilts))) for law in laws]
    return averages_of_rows(Rows.of(undominated(laws, moved=_MOVED)), numbers, tolerated=_TOLERATED, enough=enough)


def averages_of_rows(rows: Rows, numbers: Sequence[int], *, tolerated: float, enough: float = math.inf) -> tuple[list[float], bool] | None:
    """Return the same of rows. tolerated: of epsilon, what sums may lose that are close: 0 where it is less than by blocks."""
    found, known = list[tuple[list[float], float, float]](), list[_Line]()
    with np.errstate(all="ignore"):
        for line in lines(rows, max(numbers), min(numbers)):
            known.append(line)
            found.append(line.near_one_type(numbers, enough) if rows.variance is None else line.averages(numbers))
            if (found[-1][1] < tolerated) if rows.variance is None else (found[-1][2] < tolerated / 2):  # the other may lose far less
                break
        else:
            found += [line.averages(numbers) for line in known if rows.variance is None]
    lost = min((lost for _, _, lost in found), default=math.inf)
    return (list(map(min, *(sums for sums, _, _ in found), [math.inf for _ in numbers])), lost < tolerated) if found else None


def about(rows: Rows, users: float) -> float | None:
    """Return about ln of that for so many users: a guess; None where roundings decide."""
    with np.errstate(all="ignore"):
        line = next(lines(rows, users, users, surely=False), None)
        if line is None or not users * float((line.doubt * np.exp(users * (line.size - line.at_theta.max()))).max()) < _MOST_DOUBT:
            return None
        return line.logarithms(line.tangents(_ANGLES[0], users), [users])[0] - math.log(users)


def of_worst_type(rows: Rows, users: float) -> float | None:
    """Return about ln of the largest E(L_1 + ... + L_S)_+/S of users of one type; None where there is no line."""
    with np.errstate(all="ignore"):
        line = next(lines(rows, users, users), None)
        return None if line is None else line.of_one_type(users)[1] - math.log(users)


def lines(rows: Rows, most: float, least: float, *, surely: bool = True) -> Iterator[_Line]:
    """Yield those that there are, but for the saddle point's where sums fall so slowly that another one is nearer."""
    for rise, falling in _RISES:
        line = _Line.through(rows, most, least, rise, surely=surely)
        if line is not None and line.rising >= falling:
            yield line


@dataclass(frozen=True)
class _Line(Terms):
    """Points theta + i w on which powers count, for the users from `least` to `most`; best: the type with the largest M(theta), at first.

    rising: -d ln V/d ln(E - 1), about, or 1; steepest: theta times the largest loss.
    """

    rising: float
    steepest: float
    most: float
    least: float

    @classmethod
    def through(cls, rows: Rows, most: float, least: float, rise: float, *, surely: bool = True) -> _Line | None:
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
        every, last = 1 / (2 * theta * math.tanh(math.pi * theta / tau)), points * tau
        for looked in (points,) if rows.variance is None else _LOOKED_AT:
            M, kappa = rows.transforms(theta, tau, looked)
            at_theta = np.log(np.abs(M[:, 0]) + kappa[:, 0]) + 4 * U
            near = least * (at_theta.max() - at_theta) <= _FARTHER + math.log1p(theta * deviation)
            j = np.flatnonzero((least * (np.log(np.abs(M) + kappa) - at_theta[:, None])[near] > -_GONE).any(axis=0))
            gone = math.exp(-_GONE / least)
            if not surely or looked >= points or rows.some(near).together(_TOGETHER).decays(theta, tau * looked, last, gone):
                break
        else:
            return None
        w, size, kappa = tau * j.astype(np.float64), np.abs(M[:, j]), kappa[:, j]
        over = theta * theta + w * w
        weight = np.log(np.where(j == 0, 1.0, 2.0) * (tau / (2 * math.pi)) / over) + s * s * (theta * theta - w * w) / 2
        beyond = math.exp(-((s * last) ** 2) / 2) / (math.pi * last * (s * last) ** 2)
        return cls(
            np.log(np.where(kappa < size / 2, size, size + kappa)),
            np.angle(M[:, j]),
            np.where(kappa < size / 2, 2 * kappa / size, 0.0) + 16 * U,
            np.all(kappa < size / 2, axis=0),
            weight,
            s * s * theta * w - 2 * np.arctan2(w, theta),
            at_theta,
            (np.where(near, math.exp(-_GONE), 1.0) * every + beyond) * math.exp((s * theta) ** 2 / 2) * (1 + 1e-9),
            best,
            max(1.0, -theta * most * float((rows.mass * rows.at).sum(axis=1).min())),
            theta * float(np.abs(rows.at).max()),
            most,
            least,
        )

    def averages(self, numbers: Sequence[int]) -> tuple[list[float], float, float]:
        """Return the bounds with the best of some t, of epsilon how far they may be above one type's value, and that or 0: it is little."""
        top, alone = self.most * float(self.at_theta.max()), self.alone()
        t, least, chosen, in_vain = self.turn, math.inf, 0.0, 0
        for angle in _ANGLES:
            tried = self.tangents(angle, self.most)
            if (value := self.logarithms(tried, [self.most])[0] - top) < least:
                t, least, chosen, in_vain = tried, value, angle, 0
            else:
                in_vain += 1
            if least - alone < _ENOUGH * self.rising or in_vain == _IN_VAIN:
                break
        found, left, of_users = dict[int, float](), sorted(numbers, reverse=True), self.most
        while left:
            if _NEARLY * of_users > left[0]:
                of_users, t = left[0], self.tangents(chosen, left[0])
            served = [S for S in left if _NEARLY * of_users <= S]
            found |= _means(self.logarithms(t, served), served)
            left = left[len(served) :]
        rounded = 4 * self.most * float(self.doubt.max())  # of most users roundings count
        return [found[S] for S in numbers], *self._lost(least - alone - rounded)

    def near_one_type(self, numbers: Sequence[int], enough: float = math.inf) -> tuple[list[float], float, float]:
        """Return the same by what is near the worst type, where few users are of others, and by bounds where more are.

        enough: where that type alone has so much, nothing counts as lost.
        """
        found, left, lost = dict[int, float](), sorted(numbers, reverse=True), 0.0
        while left:
            served = [S for S in left if _NEARLY * left[0] <= S]
            heights, alone = self.beside_one_type(served)
            found |= _means(heights, served)
            if not alone > math.log(enough * left[0]) - _UNLESS * self.rising:
                lost = max(lost, heights[0] - alone)
            left = left[len(served) :]
        return [found[S] for S in numbers], *self._lost(lost)

    def _lost(self, above: float) -> tuple[float, float]:
        """Return of epsilon how much is lost where ln of a sum is above that of one type by so much."""
        lost = above / self.rising
        return lost, 0.0 if lost < min(_MOST_TOLERATED, _OF_SKEWED * self.steepest) else lost

    def alone(self) -> float:
        """Return about ln of the sum of the type with the largest M(theta), over M(theta)^S, for most users."""
        height, phase = self.most * (self.size[self.best] - self.at_theta.max()), self.most * self.angle[self.best] + self.turn
        return math.log(max(_TINY, float((np.exp(self.weight + height) * np.cos(phase)).sum())))

    def tangents(self, angle: float, users: float) -> Floats:
        """Return t for so many users, so small that no type far behind comes to the top, and 0 where it may not be anything else."""
        height, phase = users * self.size, users * self.angle + self.turn
        t: Floats = np.tan(np.clip(phase[self.best], -angle, angle))
        top = users * float(self.at_theta.max())
        counts, behind = height[self.best] > top - _BELOW, top - users * self.at_theta > _FAR
        room = np.maximum(np.maximum(height[self.best], top - _BELOW) - height, 0.0)
        pushed = t * (phase[self.best] - phase)
        held = (pushed > room) & (behind[:, None] | ~counts | (pushed > _PUSHED))
        t = t * np.divide(room, pushed, out=np.ones(room.shape), where=held).min(axis=0)
        rising, falling = self.allowed
        return np.where(np.where(t >= 0.0, rising, falling), t, 0.0)

    @cached_property
    def allowed(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Where t may be positive, and where negative: phases that there may be are not too large for it."""
        sure = self.known & (self.most * self.doubt < SURE).all(axis=0)
        phases = [users * self.angle + self.turn for users in (self.least, self.most)]
        highest, lowest = (np.array([end(phase, axis=0) for phase in phases]) for end in (np.max, np.min))
        return sure & (highest <= LARGEST_PHASE).all(axis=0), sure & (lowest >= -LARGEST_PHASE).all(axis=0)

    def logarithms(self, t: Floats, numbers: Sequence[float]) -> list[float]:
        """Return ln of the largest of these sums over the types, not less, for so many users each."""
        once, of_one = self.tangents_of(t)
        return [largest_logarithm(once + users * of_one, users * self.at_theta + np.log(self.outside)) for users in numbers]


def _means(heights: Iterable[float], numbers: Iterable[int]) -> dict[int, float]:
    """Return of each number of users what a user has of the sum whose ln is that, not less."""
    known = zip(numbers, heights, strict=True)
    return {S: math.exp(height) / S * (1 + 1e-12) if height < _LARGEST_EXPONENT else math.inf for S, height in known}
