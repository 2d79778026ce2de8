"""The controlled sum of users whose data are fixed, in float64: blocks of users with one loss type (BEYOND.swap-in-levels.blocks).

Of S independent losses of finitely many types, however many of each, users of one type are put in blocks of g = 2^J, those left over in
blocks of g/2, g/4, ..., 1. Each block's sum has one of few distributions (`block_sums`), so that E(sum)_+ is at most the controlled sum
that takes at every step the block of a given size that is worst (`block_steps`): V_(i+1)(s) = max over types of E V_i(s + X). Splitting a
block raises it. From some size on one distribution above those of two types may stand for both; fewer blocks are left over then.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.swap.controlled_sum import all_on_grid
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import types_of
from shuffleproof.impl.fast.bounds.swap.loss_types import in_rows
from shuffleproof.impl.fast.bounds.swap.user_blocks.block_steps import MANY, QUICK, Pass, largest_blocks
from shuffleproof.impl.fast.bounds.swap.user_blocks.block_sums import (
    LARGEST_EXPONENT,
    LONGEST,
    MERGED,
    SLACK,
    TINY,
    doubled,
    merged,
    of_one_user,
    trimmed,
)
from shuffleproof.impl.fast.numeric.results import U, out_of_range
from shuffleproof.spec.vocabulary.errors import UnsupportedError

_LEAST_BLOCKS = 30
"""Blocks of the largest size, at least: with fewer, users that are left over cost more than what is still chosen in each."""
_NORMAL = 512
"""Users of a block from which on its sum is nearly normal."""
_FEWER = 6
"""Blocks of the largest size, at least, of so many users or more."""
_ONE_BY_ONE = 160
"""Users up to which each is a step of its own: few are left over by blocks then, and next to few users these count."""
_FINER = 64.0
"""The deviation of a block over the step of the grid of its sum, at least: what that adds to the variance adds up over the sizes."""
_STEEP = 25.0
"""theta times the deviation of the whole sum from which on these grids are finer, in proportion,"""
_MOST_FINER = 4.0
"""at most so many times."""
_CUT = 1e-6
"""Next to what is wanted, what all that is cut off is worth."""
_LEAST_CUT = 1e-15
"""Next to what a distribution is worth: roundings of transforms are more."""
_SIZES = 32
"""Sizes of blocks at most, about: of each an equal share of that may be cut off."""
_HARDLY = 1e-9
"""Of what is wanted, what hardly counts."""
_TILTS = 2.0 ** np.arange(0.0, 4.0, 0.25)
"""Times the tilt for most users, those for fewer where blocks leave the floats."""
_FEW_ATOMS = 100
"""Values of all loss types together, with which steps that take each of them by itself are quicker."""
ON_A_LINE = 50_000
"""Users from which on a sum along a line is quicker, and nearer, than blocks."""
_MANY_ATOMS = 1000
"""Values of all loss types together, from which on blocks are."""
_ALIKE = 0.3
"""By how much ln of what the whole sum is worth may differ by what types are like: then a tilt for these is one for them."""
_SKEWED = 3.0
"""The deviation that counts over that of tilted losses, at most: of rare losses far below 0 sums do not come back."""
_FAR_OUT = 20.0
"""theta times the deviation of the whole sum, tilted, from which on it is that of tilted losses, up to 3 times what is wanted."""
_STEEPER = 50.0
"""The same from which on what is far from 0 is bounded well by tilts, and V is kept nearer to it, in proportion,"""
_NEARER = 3.0
"""up to so many times."""
_WITHIN = 3.3
"""Such deviations of the whole sum within which sums on the way to one near 0 stay, in steps of a thirtieth of it,"""
_RISEN = 10.0
"""and over theta, how far it is above 0 at most where it counts."""
_BEHIND = 40.0
"""ln of what the whole sum is worth if all users have one type, below that of the largest, from where on not all users have it."""
_WORTHLESS = 40.0
"""One over theta, times which a loss is below 0 from where on it may be moved up."""
_OF_A_POWER = 1e-12
"""More than roundings of E e^(theta L), of losses that are 0 on average or less."""
_FARTHEST = 2.0**40
"""How many times one over the deviation of the sum a tilt is at most, or that is this: then it may be any."""
_FIRST_STEP = 1.02
"""Times a tilt, the next one that is tried on the way from a first one: that may be near, or not at all, as steps grow"""
_MOST_STEP = 3.0
"""up to this."""
_NEAR = 1.01
"""The largest tilt over the least between which the one that is chosen is."""
_AT_A_KINK = 0.1
"""ln of what the whole sum is worth, by which the larger of these may be above the other: it rises fast where another type follows."""


def averages(
    types: Sequence[Losses],
    numbers: Sequence[int],
    *,
    wanted: float,
    blocks: int = _LEAST_BLOCKS,
    enough: float = math.inf,
    like: tuple[Floats, Floats] | None = None,
) -> list[float]:
    """Upper bounds on the largest E(L_1 + ... + L_S)_+/S of independent losses of these types, for each S of `numbers`, 1 at least.

    types: masses with their relative error, places rounded up; 0 with what is left of a mass; `worth` is not used. wanted: about what comes
    out; blocks: of the largest size, at least; enough: a bound that one type alone is not to be above; like: masses and places, in rows, of
    which the worst types are like one: choices. Raises UnsupportedError beyond the floats.
    """
    most, types = max(numbers), [law if law.mass.all() else _with_masses(law) for law in types]
    if max(float(law.at.max()) for law in types) <= 0.0:
        return [0.0 for _ in numbers]
    if blocks > 1 and most < _ONE_BY_ONE and sum(len(law.at) for law in types) < _FEW_ATOMS:
        return all_on_grid(types_of(types), numbers, wanted)
    if blocks > 1 and most >= ON_A_LINE and sum(len(law.at) for law in types) < _MANY_ATOMS:
        from shuffleproof.impl.fast.bounds.swap.along_a_line import alike_line  # of many users alone

        line, close = alike_line.averages(types, numbers, enough=enough) or (None, False)
        found = line if line and close else _in_blocks(types, numbers, wanted, blocks, like)
        return [min(pair) for pair in zip(found, line or found, strict=True)]
    return _in_blocks(types, numbers, wanted, blocks, like)


def _with_masses(law: Losses) -> Losses:
    """Return it without places that have none, which may be far from all others; one is left."""
    there = law.mass > 0.0
    there[law.at.argmin()] = True
    return replace(law, mass=law.mass[there], at=law.at[there], worth=law.worth[there])


def _in_blocks(
    types: Sequence[Losses], numbers: Sequence[int], wanted: float, blocks: int, like: tuple[Floats, Floats] | None
) -> list[float]:
    """Return these bounds by blocks."""
    most = max(numbers)
    widest = max(types, key=lambda law: float((law.mass * law.at**2).sum()))
    whole = math.sqrt(float((widest.mass * widest.at**2).sum()))
    if not 0.0 < whole < math.inf:
        raise out_of_range("losses of one report leave the range of floats")
    tilted, finer = _Tilted.of(types), _FINER * (2 if most >= MANY and len(types) <= QUICK else 1)
    few = tilted if like is None else _Tilted(*like, np.maximum(0.0, 1.0 - like[0].sum(axis=1)))
    theta = few.least(1 / whole / math.sqrt(most), most)
    cumulants, squares = tilted.moments(theta)
    if not most * abs(float(cumulants.max() - few.cumulants(theta).max())) < _ALIKE:
        theta = tilted.least(theta, most)
        cumulants, squares = tilted.moments(theta)
    error = max(law.error for law in types)
    rough = _bounds([(theta, float(cumulants.max()))], numbers, error)
    if max(rough) < _HARDLY * wanted:
        return rough
    behind = most * (cumulants.max() - cumulants)  # so few users are of a type far behind that their losses count less
    square = float((squares * np.minimum(1.0, _BEHIND / np.maximum(behind, _BEHIND))).max())
    skewed = max(1.0, min(_SKEWED, _FAR_OUT / (theta * math.sqrt(square * most))))
    deviation = min(whole, skewed * math.sqrt(square))
    spread = deviation * math.sqrt(most)
    farthest = max(float(tilted.at.max()), min(-float(tilted.at.min()), _WORTHLESS / theta))
    finer *= max(1.0, min(_MOST_FINER, theta * spread / _STEEP, LONGEST / 2 / (farthest * finer / deviation)))
    finer = min(finer, 0.49 * LONGEST * deviation / float(tilted.at.max()))
    level = max(math.floor(math.log2(deviation / finer)), math.ceil(math.log2(farthest / (LONGEST - 1))))
    # next to prod M(p_i)/(e theta), of one user
    counts_most = math.log(most) + math.log(wanted) + math.log(theta) + 1 - most * float(cumulants.max())
    cut = max(_LEAST_CUT, _CUT / _SIZES / most * math.exp(min(0.0, counts_most)))
    z = min(theta * spread, max(0.0, -float((widest.mass * widest.at).sum()) * most / spread))
    around = spread / max(1.0, min(_NEARER, theta * spread / _STEEPER))
    ends = min(14.0 * spread, (z / 4 + (6 + math.log(most) / 2) / max(z, 1.0) + 1) * spread, _WITHIN * around + _RISEN / theta)
    steep = theta * ends > LARGEST_EXPONENT  # steps are tilted by less then, where what is added for errors of transforms would count
    try:
        sizes = [
            merged(trimmed(of_one_user(types, level, (float(cumulants.max()) - _WORTHLESS) / theta), theta, cut), theta, MERGED / most)
        ]
        while largest_blocks([*sizes, sizes[-1]], most) >= (_FEWER if 1 << len(sizes) >= _NORMAL else blocks):
            g = 2.0 ** len(sizes)
            of_twice = doubled(sizes[-1], deviation * math.sqrt(g) / finer, theta, cut * g, math.inf if steep else most / g)
            sizes.append(merged(of_twice, theta, MERGED * g / most))
        sums = Pass.on(sizes, theta, ends=ends, spread=spread, around=around, users=most).sums(numbers)
        found = [sums[S] / S * (1 + 4 * U) for S in numbers]
    except UnsupportedError:  # masses of large blocks leave the floats, and tilts know how much they are worth
        found = [math.inf for _ in numbers]
    if found[0] > rough[0]:
        rough = _bounds([(tilt, float(tilted.cumulants(tilt).max())) for tilt in theta * _TILTS], numbers, error)
    return [min(pair) for pair in zip(found, rough, strict=True)]


def _bounds(tilts: Iterable[tuple[float, float]], numbers: Sequence[int], error: float) -> list[float]:
    """Return upper bounds on these means by the best of some tilts: x_+ is at most e^(theta x - 1)/theta.

    tilts: theta, and the largest ln E e^(theta L); error: of masses.
    """
    users, least = np.array(numbers, dtype=np.float64), np.full(len(numbers), LARGEST_EXPONENT)
    for theta, cumulant in tilts:
        if cumulant < LARGEST_EXPONENT:
            power = math.log(math.exp(cumulant) * (1 + error + _OF_A_POWER) + _OF_A_POWER)
            least = np.minimum(least, users * power - 1 - np.log(theta * users))
    found: list[float] = (np.exp(least) * SLACK).tolist()
    return found


@dataclass(frozen=True)
class _Tilted:
    """Loss types in rows, filled up with 0, tilted by e^(theta L): choices. rest: what is left of each mass, at 0."""

    mass: Floats
    at: Floats
    rest: Floats

    @classmethod
    def of(cls, types: Sequence[Losses]) -> Self:
        """Return these types in rows."""
        mass, at = in_rows([(law.mass, law.at) for law in types])
        return cls(mass, at, np.array([law.rest for law in types]))

    def cumulants(self, theta: float) -> Floats:
        """Return ln E e^(theta L), with what underflows."""
        top = np.maximum(0.0, theta * self.at.max(axis=1))
        found: Floats = top + np.log((self.mass * np.exp(theta * self.at - top[:, None])).sum(axis=1) + self.rest * np.exp(-top) + TINY)
        return found

    def moments(self, theta: float) -> tuple[Floats, Floats]:
        """Return ln E e^(theta L), with what underflows, and the means of L^2, tilted."""
        cumulants = self.cumulants(theta)
        weights = self.mass * np.exp(theta * self.at - cumulants[:, None])
        return cumulants, (weights * self.at**2).sum(axis=1)

    def least(self, start: float, users: int) -> float:
        """Return where the largest (E e^(theta L))^users/theta^2 of all types is least, to about one percent."""

        def at(theta: float, types: _Tilted = self) -> tuple[float, bool, float, Floats]:
            """Return theta, whether ln of that rises there, ln of the power, and those of one user."""
            cumulants = types.cumulants(theta)
            worst = int(cumulants.argmax())
            mean = float((types.mass[worst] * np.exp(theta * types.at[worst] - cumulants[worst]) * types.at[worst]).sum())
            return theta, not users * mean <= 2 / theta, users * float(cumulants[worst]), cumulants

        low, step = (high := at(start)), _FIRST_STEP
        while not high[1] and high[0] < start * _FARTHEST:
            low, high, step = high, at(step * high[0]), min(step * step, _MOST_STEP)
        while low[1] and low[0] > start / _FARTHEST:
            low, high, step = at(low[0] / step), low, min(step * step, _MOST_STEP)
        near = np.maximum(*(ends[3] - ends[3].max() for ends in (low, high))) > -_BEHIND / users
        few = _Tilted(self.mass[near], self.at[near], self.rest[near])
        while high[0] > _NEAR * low[0] or high[2] - low[2] > _AT_A_KINK:
            middle = at(math.sqrt(low[0] * high[0]), few)
            if not low[0] < middle[0] < high[0]:
                break
            low, high = (low, middle) if middle[1] else (middle, high)
        return high[0]
