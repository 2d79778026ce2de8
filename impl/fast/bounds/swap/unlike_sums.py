"""E(X_1 + ... + X_B)_+ at most, of independent sums X of unlike losses, in float64: BEYOND.any-law-alike-blocks.

A part stands for a distribution in the increasing convex order: a distribution is at most a_k on the grid and an unknown rest whose tilted
mass is `lost`. For what follows any such part will do, so that all that is cut off, and all errors, go into the rest: x_+ <= e^(theta x -
1)/theta makes it worth lost/(e theta) at the end. Tilt and grid are those of `one_sum`; here no lower side travels along.

The least part above several: E(X - t)_+ for each on a grid, the largest of these, and the second differences of that, which is convex.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shuffleproof.impl.fast.numeric.convolution import AT_ONCE, Floats, convolved, convolved_often, worst
from shuffleproof.impl.fast.numeric.results import EXP_ERROR, U, out_of_range

_CUT = 1e-14
"""The share of the tilted mass that may be cut off of a part's ends."""
_ALLOWED = 10.0
"""How much more a transform may add than is cut off."""
_SHORTEST = 256
"""Grid points of a part, at least."""
_LARGEST_EXPONENT = 600.0
"""Theta x at most: e^600 and its products with masses are floats."""
_MOST_OFTEN = 20
"""Large losses a sum has on average, at most, and an eighth of the terms of their compound measure."""
_SLACK = 1 + 1e-9
"""Covers the roundings of a few sums and products of floats."""


@dataclass(frozen=True)
class Part:
    """2^doubled e^(-theta x) (a at x = k 2^level, k from first on), and a rest of which 2^doubled lost is the tilted mass at most."""

    first: int
    level: int
    a: Floats
    lost: float
    doubled: int

    @cached_property
    def total(self) -> float:
        """The tilted mass, next to 2^doubled, rounded up."""
        return float(self.a.sum()) * (1 + len(self.a) * U) + self.lost


@dataclass(frozen=True)
class _MeansBeyond:
    """E(X - t)_+ of several parts, in steps of a grid that they share, for the thresholds t one step below its points; and the masses.

    tilt: e^(theta x) at the points; 2^doubled: a factor of all. Thresholds end where none is reached.
    """

    parts: list[Part]
    first: int
    level: int
    doubled: int
    exponent: Floats
    tilt: Floats
    rows: Floats
    masses: Floats

    @property
    def step(self) -> float:
        return math.ldexp(1.0, self.level)


@dataclass(frozen=True)
class Tilt:
    """The arithmetic of parts for one theta > 0. length: about the most grid points of one.

    cut: of their ends hardly counts so much; cut_of_sum: of the upper end of a sum, and of parts by their share of its losses. At the lower
    end that would not do: what is far below 0 and likely without the tilt is missed by distributions above several, which rise.
    """

    theta: float
    length: int
    cut: float = _CUT
    cut_of_sum: float = 0.0
    share: float = 1.0

    @property
    def cutting(self) -> float:
        """Return the share that may be cut off of the upper end of a part."""
        return max(self.cut, self.cut_of_sum * self.share)

    def of(self, mass: Floats, at: Floats, *, level: int, error: float, all_of_it: bool = True) -> Part:
        """Atoms of these masses, each known to a relative error, and 0 else; spread to the grid of step 2^level, their means kept.

        all_of_it: whether there is anything else.
        """
        if all_of_it:
            rest = max(0.0, 1.0 - float(mass.sum()) * (1 - error)) + 4 * len(mass) * U
            mass, at = np.append(mass, rest), np.append(at, 0.0)
        h = math.ldexp(1.0, level)
        below = np.floor(at / h).astype(np.int64)
        share = at / h - below
        first = int(below.min())
        a = np.zeros(int(below.max()) - first + 2)
        for index, part in ((below, 1.0 - share), (below + 1, share)):
            exponent: Floats = (self.theta * h) * index.astype(np.float64)
            self._check(exponent)
            np.add.at(a, index - first, mass * part * np.exp(exponent) * (1 + error + EXP_ERROR + (8 + 3 * np.abs(exponent)) * U))
        return self.trimmed(Part(first, level, a * (1 + (len(at) + 4) * U), 0.0, 0))

    def product(self, x: Part, y: Part) -> Part:
        """Return the part of the sum of two independent ones."""
        level = max(x.level, y.level)
        same = x is y
        x = self.coarser(x, level)
        y = x if same else self.coarser(y, level)
        a, wrong = convolved(x.a, y.a, allowed=_ALLOWED * self.cutting)
        np.maximum(a, 0.0, out=a)
        lost = (wrong + x.lost * y.total + x.total * y.lost) * _SLACK
        return self.trimmed(Part(x.first + y.first, level, a, lost, x.doubled + y.doubled))

    def power(self, x: Part, times: int) -> Part:
        """Return the part of a sum of so many independent copies, at least one."""
        rest, doubled, left = None, 1, times
        while left > 1:
            if left & 1:
                rest = self.beside(2 * doubled / times).joined(rest, x)
            x, doubled, left = self.part(2 * doubled / times).product(x, x), 2 * doubled, left >> 1
        return self.joined(rest, x)

    def joined(self, x: Part | None, y: Part, times: int = 1) -> Part:
        """Return the part of the sum of x, if there is one, and of so many independent copies of y."""
        if x is None:
            y = self.part(1 / times).trimmed(y)
            return y if times == 1 else self.joined(y, y, times - 1)
        size = len(x.a) + times * len(y.a)
        if times == 1 or times > AT_ONCE or (times + 1) * worst(size << abs(x.level - y.level)) > _ALLOWED * self.cutting:
            return self.product(x, self.power(y, times))
        level = max(x.level, y.level)
        x, y = self.coarser(x, level), self.coarser(y, level)
        a, wrong = convolved_often(x.a, y.a, times=times)
        np.maximum(a, 0.0, out=a)
        of_others = y.total ** (times - 1)
        lost = (wrong + of_others * (x.lost * y.total + x.total * y.lost * times)) * _SLACK
        return self.trimmed(Part(x.first + times * y.first, level, a, lost, x.doubled + times * y.doubled))

    def part(self, share: float) -> Tilt:
        """For parts with this share of the losses."""
        return Tilt(self.theta, self.length, self.cut, self.cut_of_sum, min(1.0, share) * self.share)

    def beside(self, share: float) -> Tilt:
        """For parts with this share of the losses of a sum: no finer than the sum's."""
        length = min(self.length, max(_SHORTEST, math.ceil(2 * self.length * math.sqrt(share))))
        return Tilt(self.theta, length, self.cut, self.cut_of_sum, min(1.0, share) * self.share)

    def compound(self, x: Part, times: int) -> Part:
        """Return the sum of the measures times^j/j! x^j over all j >= 0; x^j of j independent ones."""
        mass = times * math.ldexp(x.total, x.doubled) * _SLACK
        last, rest = 1, math.inf
        while rest > _CUT:
            last += 1
            if mass > _MOST_OFTEN or last > 8 * _MOST_OFTEN:
                raise out_of_range("large losses are too frequent")
            rest = math.exp((last + 1) * math.log(mass) - math.lgamma(last + 2)) / (1 - mass / (last + 2)) if mass < last + 1 else math.inf
        found = one = Part(0, x.level, np.ones(1), 0.0, 0)
        for j in range(last, 0, -1):
            of_j = self.product(x, found)
            of_j = Part(of_j.first, of_j.level, of_j.a * (times / j * (1 + 4 * U)), of_j.lost * (times / j) * _SLACK, of_j.doubled)
            found = self.together(self.coarser(one, of_j.level), of_j)
        return Part(found.first, found.level, found.a, found.lost + math.ldexp(rest, -found.doubled) * _SLACK, found.doubled)

    def together(self, x: Part, y: Part) -> Part:
        """The sum of two measures on grids of one step."""
        doubled, first = max(x.doubled, y.doubled), min(x.first, y.first)
        a = np.zeros(max(x.first + len(x.a), y.first + len(y.a)) - first)
        for part in (x, y):
            a[part.first - first : part.first - first + len(part.a)] += np.ldexp(part.a, part.doubled - doubled)
        lost = (math.ldexp(x.lost, x.doubled - doubled) + math.ldexp(y.lost, y.doubled - doubled)) * _SLACK
        return self.trimmed(Part(first, x.level, a * (1 + 4 * U), lost, doubled))

    def trimmed(self, x: Part) -> Part:
        """Without ends that hardly count, with a sum near 1, on a grid that is not too fine."""
        running = x.a.cumsum()
        total = float(running[-1])
        if not (0.0 < total < math.inf):
            raise out_of_range("the sums leave the floats")
        low = int(running.searchsorted(total * self.cut / 2))
        high = int(running.searchsorted(total * (1 - self.cutting))) + 1  # U below 1 is not distinguished: nothing is said of it
        kept = x.a[low:high]
        lost = x.lost + ((float(running[low - 1]) if low else 0.0) + float(x.a[high:].sum())) * _SLACK
        doubled = math.frexp(total)[1]
        x = Part(x.first + low, x.level, np.ldexp(kept, -doubled), math.ldexp(lost, -doubled), x.doubled + doubled)
        while len(x.a) > self.length:
            x = self.coarser(x, x.level + 1)
        return x

    def coarser(self, x: Part, level: int) -> Part:
        """On the grid of step 2^level: odd points go half to each neighbour."""
        while x.level < level:
            exponent = self.theta * math.ldexp(1.0, x.level)
            if exponent > 8.0:
                raise out_of_range("the grid is too coarse for the threshold")
            up, down = math.exp(exponent) / 2, math.exp(-exponent) / 2
            begin = x.first // 2
            lead = x.first - 2 * begin
            size = (len(x.a) + lead) // 2 + 1
            padded = np.zeros(2 * size)
            padded[lead : lead + len(x.a)] = x.a
            a, odd = padded[0::2].copy(), padded[1::2]
            a += odd * down
            a[1:] += odd[:-1] * up
            spread = up + down
            x = Part(begin, x.level + 1, a * (1 + (16 + 2 * exponent) * U), x.lost * (spread * _SLACK), x.doubled)
        return x

    def above(self, parts: Sequence[Part]) -> Part:
        """One that dominates each of these in the increasing convex order, and is no larger than need be, up to the grid and roundings."""
        return parts[0] if len(parts) == 1 else self._least_above(self._means_beyond(parts))

    def merged(self, parts: Sequence[Part], share: float) -> tuple[list[Part], Part]:
        """The same parts, where one that dominates two of them replaces both if its tilted mass is hardly larger; and one for all.

        share: how much larger, about, next to the larger one of the two.
        """
        if len(parts) == 1:
            return list(parts), parts[0]
        found = self._means_beyond(parts)
        totals = [math.ldexp(x.total, x.doubled - found.doubled) for x in found.parts]
        # Of the measure that E(X - t)_+ = c(t) belongs to, the tilted mass is the sum of c(k h) e^(theta (k + 1) h) (1 - e^(-theta h))^2.
        weights = found.tilt * math.expm1(-self.theta * found.step) ** 2
        groups: list[list[int]] = []
        for i in sorted(range(len(parts)), key=lambda i: -totals[i]):
            for group in groups:
                more = float((np.maximum(found.rows[i] - found.rows[group[0]], 0.0) * weights).sum())
                if more <= share * totals[group[0]]:
                    group.append(i)
                    break
            else:
                groups.append([i])
        loss_types = [parts[group[0]] if len(group) == 1 else self._least_above(found, group) for group in groups]
        return loss_types, loss_types[0] if len(loss_types) == 1 else self._least_above(found)

    def _means_beyond(self, parts: Sequence[Part]) -> _MeansBeyond:
        level, doubled = max(x.level for x in parts), max(x.doubled for x in parts)
        parts = [self.coarser(x, level) for x in parts]
        first, last = min(x.first for x in parts), max(x.first + len(x.a) for x in parts) - 1
        h = math.ldexp(1.0, level)
        k = np.arange(first - 1, last + 1)  # thresholds t = k h; nothing is beyond the last
        exponent: Floats = (self.theta * h) * (k + 1).astype(np.float64)
        self._check(exponent)
        tilt = np.exp(exponent)
        weights = 1.0 / tilt
        rows = np.zeros((len(parts), len(k)))
        for row, x in zip(rows, parts, strict=True):
            start = x.first - first
            np.multiply(np.ldexp(x.a, x.doubled - doubled), weights[start : start + len(x.a)], out=row[start : start + len(x.a)])
        tails = np.cumsum(rows[:, ::-1], axis=1)  # P(X > t), in steps of h
        return _MeansBeyond(parts, first, level, doubled, exponent, tilt, np.cumsum(tails, axis=1)[:, ::-1], tails[:, -1])

    def _least_above(self, found: _MeansBeyond, chosen: Sequence[int] | None = None) -> Part:
        """The least that dominates these parts, or all of them."""
        parts = found.parts if chosen is None else [found.parts[i] for i in chosen]
        highest = (found.rows if chosen is None else found.rows[list(chosen)]).max(axis=0)
        mass = float((found.masses if chosen is None else found.masses[list(chosen)]).max())
        tail = _differences(highest)
        tail[0] = max(tail[0], mass)
        p = _differences(tail)
        # What has been lost by roundings is put back by a factor, which is checked.
        reached = np.cumsum(np.cumsum(p[::-1]))[::-1]
        if bool(((reached <= 0.0) & (highest > 0.0)).any()):
            raise out_of_range("the sums leave the floats")
        ratios = np.divide(highest, reached, out=np.zeros(len(p)), where=reached > 0.0)
        factor = max(1.0, float(ratios.max()), mass / float(p.sum())) * (1 + 8 * len(p) * U)
        a = p * found.tilt * factor * (1 + 2 * EXP_ERROR + (16 + 6 * np.abs(found.exponent)) * U)
        lost = max(math.ldexp(x.lost, x.doubled - found.doubled) for x in parts) * _SLACK
        return self.trimmed(Part(found.first, found.level, a, lost, found.doubled))

    def positive(self, x: Part) -> float:
        """E X_+ at most."""
        h = math.ldexp(1.0, x.level)
        start = max(0, 1 - x.first)
        k = np.arange(x.first + start, x.first + len(x.a), dtype=np.float64)
        exponent = np.minimum(self.theta * h * k, 740.0)
        parts = x.a[start:] * (k * h) * np.exp(-exponent) * (1 + EXP_ERROR + (8 + 3 * exponent) * U)
        value = float(parts.sum()) * (1 + (len(k) + 8) * U) + x.lost / (math.e * self.theta) * _SLACK
        if not math.isfinite(value):
            raise out_of_range("the sums leave the floats")
        if x.doubled > 1000:
            return math.inf
        return math.ldexp(value, max(x.doubled, -1000)) + 1e-300

    def _check(self, exponent: Floats) -> None:
        if float(np.abs(exponent).max()) > _LARGEST_EXPONENT:
            raise out_of_range("a loss is too large for its probability")


def _differences(x: Floats) -> Floats:
    """Return by how much each is larger than the next, which is 0 after the last; or 0 if it is not."""
    found = x.copy()
    found[:-1] -= x[1:]
    np.maximum(found, 0.0, out=found)
    return found
