"""The controlled sum whose steps take the worst distribution of a block, on a grid (see `alike_blocks`).

One pass serves for all numbers of users: the binary digits of those that are over come last, where V is asked at 0 alone. Steps are taken
by transforms of V e^(-theta s), which is about as large wherever it counts, however far out that is; what these err by is added. V is kept
near 0; beyond it is at most what its chords say, and e^(t s) next to its largest e^(-t s) V for any t > 0.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.swap.user_blocks.block_sums import (
    EXPONENTIAL,
    LARGEST_EXPONENT,
    LONGEST,
    ROUNDED,
    SLACK,
    TINY,
    UNDERFLOWS,
    Blocks,
    on_multiples,
)
from shuffleproof.impl.fast.numeric.convolution import LargestMeans
from shuffleproof.impl.fast.numeric.results import U, out_of_range

_POINTS = 256.0
"""The deviation of the whole sum over the step of the grid on which V is kept, at least: each step on it adds at most 1/260 000 to the
variance, mostly a third of that.
"""
QUICK = 4
"""Distributions of a size up to which twice as many points take little time, of many users."""
_STEEPEST = 16.0
"""One over theta h, at least: a step adds 1/2000 to ln delta at most, however much rarer what counts is than the deviation."""
_MOST_POINTS = 2048
"""Points to either side up to which that holds."""
MANY = 50_000
"""Users from which on, of few types, grids are twice as fine: ln delta is up to 1e-3 smaller, for 0.05 s a value."""
_ROUNDED_SUM = 2.0**-42
"""For a sum of a few exponents of up to 600, by twice so much at least: 600 U is a quarter of it."""
_OTHERS = np.array([-45.0, -30.0, -20.0, -13.0, -9.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 9.0, 13.0, 20.0, 30.0, 45.0])
"""Over the deviation of the whole sum, what is added to theta for bounds on what is beyond the ends of V."""
_AROUND = 4.6
"""Deviations of a bridge on either side of which V is kept: ln delta grows by less than 10^-7."""
_ENDS = 5.0
"""Deviations of a block beside these, for the first and the last ones."""
_ALIGNED = 4
"""The part of the way down from the next larger number of users that a number may be moved further, to one with fewer binary digits."""
_BESIDE = 24
"""Points of the grid beside these: of many users the first steps are far smaller than those of the grid."""


@dataclass(frozen=True)
class Step:
    """The largest mean of V(s + x) over some distributions on multiples of h, by W(k) = V(k h) e^(-rate k - growth).

    growth: what a step adds to that of V, so that at most one mean is left of tilted masses; slope: to ln of the slope of V e^-growth, at
    most; others: to ln of the largest W(k) e^(-more k), at most, for several `more`, since (k h)_+ is at most h e^(r k - 1)/r. cumulant,
    cut: those of blocks, the largest.
    """

    first: int
    means: LargestMeans
    rate: float
    growth: float
    slope: float
    more: Floats
    others: Floats
    cumulant: float
    cut: float

    @classmethod
    def of(cls, blocks: Blocks, h: float, theta: float, rate: float, others: Floats) -> Self:
        """On multiples of h, a power of 2."""
        first, weights = on_multiples(blocks, h)
        total, length = max(1.0, float(weights.sum(axis=1).max())), weights.shape[1]
        k, reach, growth = np.arange(first, first + length), max(abs(first), abs(first + length)), blocks.cumulant(rate / h)
        if not reach * rate + abs(growth) < LARGEST_EXPONENT:
            raise out_of_range("losses of one report are too far apart for the number of users")
        weights = weights * np.exp(rate * k - growth) * EXPONENTIAL
        tilted = float(weights.sum(axis=1).max()) * (1 + 2 * length * U)
        growth, weights = growth + math.log(tilted) + _ROUNDED_SUM, weights / tilted
        more = others - rate
        sums = (weights @ np.exp(np.clip(np.multiply.outer(k, more), -LARGEST_EXPONENT, LARGEST_EXPONENT))).max(axis=0)
        logs = np.where(reach * np.abs(more) < LARGEST_EXPONENT, np.log(sums), math.inf) + 2 * length * U + 8 * _ROUNDED_SUM
        slope = math.log(total) - growth + 2 * length * U + 8 * _ROUNDED_SUM
        return cls(first, LargestMeans(weights), rate, growth, slope, more, logs, blocks.cumulant(theta), blocks.cut)

    def after(self, W: Floats, reach: int, slope: float, largest: Floats) -> Floats:
        """At `reach` points on either side of 0, as W is: beyond its ends V rises like s above, and does not fall below, at most.

        slope: ln of h times the slope of V e^-growth, at most; largest: of W(k) e^(-more k).
        """
        last, low, high = len(W) // 2, self.first - reach, self.first + self.means.length - 1 + reach
        even, parts = int(np.searchsorted(self.more, 0.0)), [W]
        if low < -last:
            below = np.arange(low, -last + 0.0)
            level = math.log(max(float(W[0]), TINY)) - self.rate * (below + last)
            under = (np.multiply.outer(self.more[even:], below) + largest[even:, None]).min(axis=0)
            parts.insert(0, np.exp(np.minimum(level, under)) * EXPONENTIAL)
        if high > last:
            above = np.arange(last + 1.0, high + 1)
            rising = W[-1] * np.exp(self.rate * (last - above)) + (above - last) * np.exp(slope - self.rate * above)
            over = (np.multiply.outer(self.more[: even + 1], above) + largest[: even + 1, None]).min(axis=0)
            parts.append(np.minimum(rising, np.exp(over)) * EXPONENTIAL)
        padded, start = np.concatenate(parts) if len(parts) > 1 else W, max(0, low + last)
        found, wrong = self.means.of(padded[start : start + high - low + 1])
        return found + wrong


@dataclass(frozen=True)
class Kept:
    """V after some blocks of `done` users: V(k h) is at most W(k) e^(rate k + growth) on either side of 0, and what is cut off.

    slope, others: see `Step.after`; lost: ln of prod M(p_i) e^-1/theta; cut: what is cut off, next to that.
    """

    W: Floats
    slope: float
    others: Floats
    lost: float
    done: int = 0
    growth: float = 0.0
    cut: float = TINY

    @property
    def at_zero(self) -> float:
        """V(0), at most: x_+ is at most e^(theta x - 1)/theta, which is nearer where steps are tilted by less."""
        if not self.cut < LARGEST_EXPONENT:
            return math.inf
        kept, worth = float(self.W[len(self.W) // 2]) * math.exp(max(self.growth, -UNDERFLOWS)), math.exp(self.lost) + TINY
        return (min(kept, worth) + worth * math.expm1(self.cut)) * ROUNDED


@dataclass(frozen=True)
class Pass:
    """Steps on a grid from -half to half times h: blocks of 1, 2, 4, ... users, of each smaller size as many as there are distributions.

    around: the deviation of the sum of so many users, on whose way V is kept.
    """

    steps: Sequence[Step]
    counts: Sequence[int]
    first: Kept
    half: int
    around: float
    users: int

    @classmethod
    def on(cls, sizes: Sequence[Blocks], theta: float, *, ends: float, spread: float, around: float, users: int) -> Self:
        """On a grid from -ends to ends, less where that hardly counts. spread: the deviation of the sum, or more."""
        points = _POINTS * (2 if users >= MANY and max(len(blocks.mass) for blocks in sizes) <= QUICK else 1)
        h = math.ldexp(1.0, math.floor(math.log2(min(spread / points, max(1 / (_STEEPEST * theta), ends / _MOST_POINTS)))))
        half = math.ceil(ends / h)
        if not half < LONGEST:
            raise out_of_range("losses of one report are too far apart for the number of users")
        rate = min(theta * h, LARGEST_EXPONENT / half)
        k, others = np.arange(-half, half + 1.0), rate + _OTHERS * (h / spread)
        others = others[(others > 0.0) & (others * half <= LARGEST_EXPONENT * SLACK)]  # rate itself among them
        W, largest = np.maximum(h * k, 0.0) * np.exp(-rate * k) * EXPONENTIAL, np.log(h / others) - 1.0 + _ROUNDED_SUM
        first = Kept(W, slope=math.log(h) + _ROUNDED_SUM, others=largest, lost=-1.0 - math.log(theta))
        steps = [Step.of(blocks, h, theta, rate, others) for blocks in sizes]
        return cls(steps, [*(len(blocks.mass) for blocks in sizes[:-1]), largest_blocks(sizes, users)], first, half, around / h, users)

    def sums(self, numbers: Sequence[int]) -> dict[int, float]:
        """Return V_S(0) for so many users, at most: blocks up to one size, and the binary digits of the users that are over."""
        found, kept = dict[int, float](), self.first
        of_fewer = self._aligned(numbers)
        asked = sorted(set(of_fewer.values()))
        for j, times in enumerate(self.counts):
            for _ in range(times + (j == len(self.counts) - 1)):
                here = asked[bisect_left(asked, kept.done) : bisect_left(asked, kept.done + (1 << j))]
                self._with_digits(kept, j, [S - kept.done for S in here], found)
                if self.users - kept.done >= 1 << j:
                    kept = self._after(kept, j, self.users - kept.done - (1 << j))
        if not all(map(math.isfinite, found.values())):
            raise out_of_range("the sums leave the floats")
        return {S: found[fewer] * (S / fewer) * (1 + 4 * U) for S, fewer in of_fewer.items()}

    def _aligned(self, numbers: Sequence[int]) -> dict[int, int]:
        """Return of each number a smaller one with few digits, at most a part of the way below as the next one is above.

        The mean of sums over users does not grow with them.
        """
        smaller = sum(count << j for j, count in enumerate(self.counts[:-1]))
        found, following = dict[int, int](), self.users + 1
        for S in sorted(numbers, reverse=True):
            digits = max(0, ((following - S) // _ALIGNED).bit_length() - 1)
            found[S] = S - (S - smaller) % (1 << min(digits, len(self.counts) - 1)) if smaller < S else S
            following = S
        return found

    def _with_digits(self, kept: Kept, j: int, over: Sequence[int], found: dict[int, float]) -> None:
        """Add V(0) after so many users more, each fewer than 2^j."""
        if j == 0 and over:
            found[kept.done] = kept.at_zero
        for digit in (0, 1) if j else ():
            rest = [each & ~(1 << j - 1) for each in over if each >> j - 1 == digit]
            if rest:
                self._with_digits(self._after(kept, j - 1, max(rest)) if digit else kept, j - 1, rest, found)

    def _after(self, kept: Kept, j: int, left: int) -> Kept:
        """Return V after a block of 2^j more, where it counts if so many users are left then."""
        step, done = self.steps[j], kept.done + (1 << j)
        # a sum that counts is near 0 before and after, hence about as near to it in between as a bridge
        there = _AROUND * math.sqrt(done * left / (done + left)) + _ENDS * math.sqrt(min(left, 1 << j))
        W = step.after(
            kept.W,
            min(self.half, math.ceil(there * self.around / math.sqrt(self.users)) + (_BESIDE if left else 0)),
            kept.slope,
            kept.others,
        )
        growth, slope, others = kept.growth + step.growth, kept.slope + step.slope, kept.others + step.others
        if not max(growth, kept.lost + step.cumulant) < LARGEST_EXPONENT:
            raise out_of_range("the sums leave the floats")
        return Kept(W, slope, others, kept.lost + step.cumulant, done, growth, kept.cut + step.cut)


def largest_blocks(sizes: Sequence[Blocks], users: int) -> int:
    """How many blocks of the largest size there are."""
    smaller = sum(len(blocks.mass) << j for j, blocks in enumerate(sizes[:-1]))
    return (users - smaller) >> (len(sizes) - 1)
