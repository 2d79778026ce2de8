"""The coordinate sums of asymmetric RAPPOR reports over all neighbouring datasets, in float64 with sound sides (BEYOND.asymmetric-sums).

Of n users k hold an item; its coordinate is Bin(k, 1/2) + Bin(n - k, q), q = 1/(e^eps0 + 1). The coordinate that loses a user is
P = S + Ber(1/2) against Q = S + Ber(q), the one that gains a user, its zeros counted, P = T + Ber(1 - q) against Q = T + Ber(1/2). Both
likelihood ratios rise, so the divergence of the product is that of two recognisable sums, as in `coordinate_sums`.

Datasets with k to k' holders among the others share k fair bits and n - 1 - k' bits of q, in each coordinate by itself; boxes of them are
halved, worst first. Where only one coordinate changes both directions are looked at, one as a lost user and one as a gained one.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count as counter, pairwise

import numpy as np

from shuffleproof.impl.fast.bounds.sums.bit_sum import Worst, require_supported, sides_of
from shuffleproof.impl.fast.bounds.sums.coordinate_sums import (
    LARGEST_EPSILON0,
    LARGEST_N,
    SMALLEST_DELTA,
    Distribution,
    Search,
    above,
    divergence,
    halves,
    masses,
    worst_tails,
)
from shuffleproof.impl.fast.bounds.sums.noisy_bits import Flips
from shuffleproof.impl.fast.numeric.results import in_floats, out_of_range
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.elementary import exp_bounds, log_bounds
from shuffleproof.spec.vocabulary.methods.protocols import ASYMMETRIC_SUMS
from shuffleproof.spec.vocabulary.numerals import Epsilon

_FAIR = Flips(Fraction(1, 2), Epsilon(Fraction(0), None))
_GAP_OF_DELTA = 5e-2
"""Relative width of delta at which the search over datasets ends. It costs boxes; the bounds are sound for any."""
_MOST_BOXES = 2000
"""Boxes of datasets that a search looks at, at most."""
_FEWEST_BOXES = 300
"""Boxes that it may look at however many terms they have."""
_MOST_TERMS = 3 * 10**6
"""Terms of all windows of one search, about."""
_BLOCKS_OF_A_PROFILE = 32
"""Blocks of datasets for which a profile is bounded as one. More make it closer, in proportion to their time."""
_BITS = 128
"""Bits of the ends of epsilon0 and of the largest loss: more than twice those of a float."""
_ONE, _TAIL = np.array([1.0]), np.array([1.0, 0.0])
_SURE = Distribution(_ONE, _ONE, _TAIL, _TAIL, _ONE, error=0.0, outside=0.0)
"""A coordinate that does not change."""
Block = tuple[int, int]
_NONE = -1
"""Stands for a coordinate in which nobody's bit changes."""


@in_floats(ASYMMETRIC_SUMS)
def delta(*, n: int, changed: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """The least delta for which the coordinate sums of n asymmetric reports are (epsilon, delta)-DP; the sides are some percent apart.

    n: at most 10^7; epsilon0: of one report where an item is replaced, at most 100. Lower is one dataset's delta, upper holds for all.
    """
    require_supported(n, LARGEST_N)
    if epsilon0.exp == 1 or epsilon.bounds(bits=_BITS)[0] >= _largest(epsilon0, changed):
        return Found.exactly(0)
    return sides_of(_search(epsilon0, n, changed, float(SMALLEST_DELTA)).worst(epsilon, gap=_GAP_OF_DELTA))


@in_floats(ASYMMETRIC_SUMS)
def epsilon(*, n: int, changed: int, epsilon0: Epsilon, delta: Fraction) -> Found:
    """Least epsilon for which the coordinate sums of n asymmetric reports are (epsilon, delta)-DP; delta = 0 or from 1e-60.

    Some dataset exceeds delta below lower, none does at upper.
    """
    require_supported(n, LARGEST_N)
    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    search = _search(epsilon0, n, changed, float(delta or SMALLEST_DELTA))
    top = _largest(epsilon0, changed)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=_BITS) if changed == 2 else Found(_largest(epsilon0, 1, upward=False), top)
    if delta < SMALLEST_DELTA:
        raise out_of_range(f"delta is below {float(SMALLEST_DELTA):.0e}")
    return search.least_epsilon(delta, top=top)


def one_coordinate(*, n: int, epsilon0: Epsilon, epsilons: Sequence[Fraction], least: Fraction) -> list[Fraction]:
    """Upper bounds on the delta of one coordinate's sum at every one of these epsilons, over all datasets and both directions.

    n, epsilon0: as for `delta`; epsilons: at least 0. Within some percent of the truth down to delta = least, which is at least 1e-60.
    Raises DomainError, UnsupportedError.
    """
    require_supported(n, LARGEST_N)
    if epsilon0.exp == 1:
        return [Fraction(0) for _ in epsilons]
    return worst_tails(_distributions_of_blocks(n, epsilon0, max(least, SMALLEST_DELTA)), epsilons, top=_largest(epsilon0, 1))


@lru_cache(maxsize=8)
def _distributions_of_blocks(n: int, epsilon0: Epsilon, least_delta: Fraction) -> list[Distribution]:
    """Even blocks, and the first of them halved towards 0, where the noise is least."""
    search = _search(epsilon0, n, 1, float(least_delta))
    edges = {n * i // _BLOCKS_OF_A_PROFILE for i in range(_BLOCKS_OF_A_PROFILE + 1)} | {n >> i for i in range(6, n.bit_length())}
    return [search.distribution_of(gains, (least, after - 1)) for least, after in pairwise(sorted(edges)) for gains in (False, True)]


def _largest(epsilon0: Epsilon, changed: int, *, upward: bool = True) -> Fraction:
    """A bound on the largest privacy loss: epsilon0 where two coordinates change, ln((e^epsilon0 + 1)/2) where one does."""
    if epsilon0.bounds(bits=64)[0] > LARGEST_EPSILON0:
        raise out_of_range(f"epsilon0 exceeds {LARGEST_EPSILON0}")
    ends = epsilon0.bounds(bits=_BITS)
    if changed == 2:
        return ends[upward]
    T = epsilon0.exp or exp_bounds(ends[upward], bits=_BITS)[upward]
    return log_bounds((T + 1) / 2, bits=_BITS)[upward]


def _search(epsilon0: Epsilon, users: int, changed: int, left_out: float) -> _Asymmetric:
    _largest(epsilon0, changed)
    return _Asymmetric(Flips.binary_randomized_response(epsilon0), users - 1, left_out, changed)


@dataclass
class _Asymmetric(Search):
    """Over the numbers of holders among the others of the item that loses a user, and of the one that gains a user.

    changed: in how many coordinates neighbours differ; where in one, the other number is -1.
    """

    changed: int = 2

    def distribution_of(self, gains: bool, block: Block | None) -> Distribution:
        """Return what all numbers of holders in the block have in common."""
        if block is None:
            return _SURE
        key = (block[0], block[1] + gains * (self.others + 1))
        if key not in self._distributions:
            self._distributions[key] = self._made(gains, *block)
        return self._distributions[key]

    def _made(self, gains: bool, least: int, most: int) -> Distribution:
        fair, rare = masses(_FAIR, least, self._exponent), masses(self.flips, self.others - most, self._exponent)
        q = float(self.flips.p)
        first, second = (1 - q, q) if gains else (0.5, 0.5), (0.5, 0.5) if gains else (q, 1 - q)
        return Distribution.with_bit(fair, rare[::-1] if gains else rare, first, second, exponent=self._exponent)

    def pair(self, dataset: tuple[int, int]) -> tuple[Distribution, Distribution]:
        """The distributions of both coordinates; -1 stands for one that does not change."""
        lost, gained = ((k, k) if k >= 0 else None for k in dataset)
        return self.distribution_of(False, lost), self.distribution_of(True, gained)

    def worst(self, epsilon: Epsilon, *, gap: float, target: Fraction | None = None) -> Worst[tuple[int, int]]:
        """At one epsilon below the largest loss; gap, target: when to stop, as in `bit_sum.worst`."""
        E, N = above(epsilon), self.others
        best, dataset = 0.0, (0, 0) if self.changed == 2 else (0, _NONE)
        boxes: list[tuple[float, int, Block | None, Block | None]] = []
        order = counter()

        def look(lost: Block | None, gained: Block | None) -> None:
            nonlocal best, dataset
            if lost is not None and gained is not None and lost[0] + gained[0] > N:
                return  # nobody holds two items
            lower, upper = divergence(self.distribution_of(False, lost), self.distribution_of(True, gained), E)
            if lower > best and all(block is None or block[0] == block[1] for block in (lost, gained)):
                best, dataset = lower, (_NONE if lost is None else lost[0], _NONE if gained is None else gained[0])
            heapq.heappush(boxes, (-upper, next(order), lost, gained))

        for k in sorted({0, N // 8, N // 2, N}):
            for pair in self._starts((k, k), (0, 0)):
                look(*pair)
        boxes.clear()
        for pair in self._starts((0, N), (0, N)):
            look(*pair)
        terms = math.sqrt(N + 1) * self._exponent**0.5 / 2 + 1
        for _ in range(min(_MOST_BOXES, max(_FEWEST_BOXES, int(_MOST_TERMS / terms)))):
            upper, _, lost, gained = -boxes[0][0], *boxes[0][1:]
            if target is not None and (Fraction(upper) <= target or Fraction(best) > target):
                break
            widths = tuple(0 if block is None else block[1] - block[0] for block in (lost, gained))
            if widths == (0, 0) or upper <= best * (1 + gap):
                break
            heapq.heappop(boxes)
            for at in (0, 1):
                block = (lost, gained)[at]
                if block is not None and widths[at] == max(widths):
                    for half in halves(block):
                        look(*((half, gained) if at == 0 else (lost, half)))
                    break
        return Worst(best, max(-boxes[0][0], best), dataset)

    def _starts(self, one: Block, other: Block) -> list[tuple[Block | None, Block | None]]:
        """Both orders of two coordinates, or one coordinate that loses a user, or gains one."""
        if self.changed == 1:
            return [(one, None), (None, one)]
        return [(one, other), (other, one)] if one != other else [(one, other)]
