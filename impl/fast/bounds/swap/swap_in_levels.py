"""The random-swap bound in levels for one randomizer, in float64: BEYOND.swap-in-levels.

Levels of eta: the special user's report is swapped with that of a random user among those who drew from omega first. Each costs one
controlled sum (`alike_blocks.averages`) of N - r + 1 losses for every size r of the pool that counts. Where nobody has drawn from omega
by the last level, the blanket that is left hides the report. Levels, and which omega: any choice is sound.

Epsilon: ln delta differs from what a saddle point of the widest loss type says by little that depends on epsilon, so that few bounds are
enough.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses, of_one, saddle, sides
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import WIDE
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Atoms, widest
from shuffleproof.impl.fast.bounds.swap.alike_blocks import averages
from shuffleproof.impl.fast.bounds.swap.controlled_sum import in_the_pool, none_in
from shuffleproof.impl.fast.bounds.swap.loss_types import LossTypes
from shuffleproof.impl.fast.numeric.rounding import U
from shuffleproof.impl.fast.numeric.scalars import exponential, working
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

_LEVELS = (0.7, 1.7, 3.5, 7.0, 12.0, 20.0, 30.0, 45.0, 70.0, 110.0, 170.0, 260.0, 400.0, 700.0)
"""eta_l N of a few hundred users: in twice as many levels epsilon would be less by 4 parts in 10^4 of itself."""
_FEWER = (2.0, 6.0, 18.0, 40.0, 90.0, 200.0, 400.0, 700.0)
"""From some thousand users on, where one user in the pool hardly counts."""
_FEW_USERS = 3000
"""Users from which `_FEWER` levels are as good."""
_CLOSE = 2e-3
"""The search stops where ln delta is this little below its target: epsilon is then too large by 1e-4 of itself at most, mostly."""
_AIMED = 5e-4
"""How far below its target ln delta is aimed at."""
_STEPS = 12
"""Bounds that a search takes at most; three are common."""
_HARDLY = 1e-4
"""Levels end where at none of them the blanket adds less than this part."""
_LARGE = 1e-4
"""From such a delta on epsilon may be 0, which is asked first."""
_NEAR = 1e-6
"""Where secants of guesses stop: relative to epsilon."""
_ENOUGH = 13.0
"""eta_L N up to which omega has to last for it to be the only one that is tried."""
_LENGTH = 1 << 12
"""Points of a grid, about, where losses of the blanket are summed on one."""
_PASSES = 8
"""Times that delta is asked, at most."""
_MUCH_LESS = 100.0
"""How far delta may be below what was guessed: what is cut off is far less than that part of the guess."""
_UNKNOWN = -13.8
"""ln of the delta that is expected where nothing is known: 1e-6."""


class InLevels:
    """Delta at most, for all datasets of so many users of one randomizer.

    types: by choices of omega; epsilon0: the least epsilon from which on nothing but what is uncovered counts.
    """

    def __init__(self, types: Sequence[LossTypes], epsilon0: Epsilon, n: int) -> None:
        self.types, self.guessed, self.epsilon0, self.n = list(types), types[-1], epsilon0, n
        if self._levels(self.types[0])[-1:] >= [_ENOUGH / max(1, n - 1)]:  # omega of the first lasts for all levels
            del self.types[1:]

    def delta(self, epsilon: Epsilon, wanted: float) -> float:
        """At this epsilon. wanted: about what comes out, a choice."""
        with working():
            E = float(exponential(epsilon))
        found = [self._of(types, E, wanted) for types in self.types]
        if 0.0 < (least := min(found)) < 1.0:  # the other omegas are not asked again: any choice is sound
            self.types = [self.types[found.index(least)]]
        return min(1.0, least)

    def settled(self, epsilon: Epsilon) -> float:
        """At this epsilon, asked again with what has come out where that is far below what was guessed: any guess is sound."""
        guessed = self.logarithm(float(epsilon.bounds(bits=64)[0]))
        wanted, least = math.exp(max(-680.0, min(-2.3, guessed))), 1.0
        for _ in range(_PASSES):
            found = self.delta(epsilon, wanted)
            least = min(least, found)
            if not 0.0 < found < wanted / _MUCH_LESS:
                break
            wanted = found
        return least

    def epsilon(self, delta: Fraction) -> Fraction:
        """At which delta is at most that, near the least such one."""
        target, (last, top) = float(delta), (float(self.epsilon0.bounds(bits=64)[0]), self.epsilon0.bounds(bits=64)[1])
        if target > _LARGE and self.delta(Epsilon(Fraction(0), Fraction(1)), target) <= delta:
            return Fraction(0)
        wanted, enough, low, high = math.log(target), top, 0.0, last
        x, scale, before = self._moved(last / 2, wanted, last), 1.0, None
        for _ in range(_STEPS):
            found = self.delta(Epsilon(Fraction(x), None), target)
            if found <= delta:  # not by logarithms, which are rounded
                enough = min(enough, Fraction(x))
            height = math.log(found) - wanted if 0.0 < found < 1.0 else math.copysign(math.inf, found - target)
            if -_CLOSE < height <= 0.0 or high - low < _NEAR * high:
                break
            low, high = (low, x) if height <= 0.0 else (x, high)
            there, level = math.nan, self.logarithm(x)
            if math.isfinite(height):  # by how much the bound moves while the guess moves by one
                if before is not None and (height - before[1]) * (level - before[0]) > 0.0:
                    scale = (height - before[1]) / (level - before[0])
                before = level, height
                there = self._moved(x, level - (height + _AIMED) / scale, last)
            x = there if low < there < high else (low + high) / 2
        return enough

    def logarithm(self, epsilon: float) -> float:
        """About ln delta, by a saddle point of the widest loss type where one other user in all has drawn from omega."""
        types, others = self.guessed, max(1, self.n - 1)
        try:
            with np.errstate(all="ignore"):
                laws = types.others(math.exp(epsilon), min(1 / others, types.most))
                guessed = saddle(_losses(widest(laws)), others)[1]
        except (ValueError, OverflowError, ZeroDivisionError):
            guessed = math.nan
        return guessed if math.isfinite(guessed) else _UNKNOWN

    def _of(self, types: LossTypes, E: float, wanted: float) -> float:
        """Return the bound with this choice of omega."""
        try:
            with np.errstate(all="ignore"):  # what is not finite is refused, or ends as 1
                found = (self._in_levels(types, E, wanted) + types.uncovered(E)) * (1 + 4 * U)
        except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):  # beyond the floats: nothing is claimed
            return 1.0
        return found if found <= 1.0 else 1.0

    def _in_levels(self, types: LossTypes, E: float, wanted: float) -> float:
        """The least of the blanket's bound and the sum over levels, as long as these are worth it."""

        def nobody(share: float) -> float:
            found = [sides(_losses(law), n=self.n, length=_LENGTH, width=WIDE)[1] for law in types.blanket(E, share)]
            return max(found) if all(map(math.isfinite, found)) else math.inf

        others, before, arrived, none_before = self.n - 1, Fraction(0), 0.0, 1.0
        without = nobody(0.0)
        told = min(1.0, max(of_one(_losses(law)) for law in types.others(E, 0.0)))  # everything may be revealed
        for eta in map(Fraction, self._levels(types)):
            pools, beyond = in_the_pool(others, (eta - before) / (1 - before))
            laws = [_losses(law) for law in types.others(E, float(eta))]
            means = averages(laws, [others - r + 1 for r, _ in pools], wanted=wanted)
            here = sum(p * min(told, mean) for (_, p), mean in zip(pools, means, strict=True)) + beyond * told
            none = none_in(others, eta)
            if not none_before * here < (none_before - none) * without:
                break
            arrived, before, none_before = (arrived + none_before * here) * (1 + 1e-13), eta, none
            if none * without < _HARDLY * arrived:
                break
        return min(without, (arrived + none_before * nobody(float(before))) * (1 + 1e-12)) if before else without

    def _levels(self, types: LossTypes) -> list[float]:
        """eta_1 < ... < eta_L, as far as omega lasts."""
        others = self.n - 1
        return [each / others for each in (_LEVELS if others < _FEW_USERS else _FEWER) if each < types.most * others]

    def _moved(self, x: float, wanted: float, last: float) -> float:
        """Where about ln delta is that, by secants from x; inside of (0, last)."""
        at_x = self.logarithm(x)
        slope = 2 * (wanted - 2) / x if at_x == _UNKNOWN else -2 * max(1.0, -at_x) / x
        for _ in range(_STEPS):
            following = min(max(x - (at_x - wanted) / slope, x / 4), (x + last) / 2)
            there = self.logarithm(following)
            if (there - at_x) * (following - x) < 0:
                slope = (there - at_x) / (following - x)
            near, x, at_x = abs(following - x) < _NEAR * x, following, there
            if near:
                break
        return x


def _losses(law: Atoms) -> Losses:
    mass, at, error = law
    return Losses(mass, at, at, error)
