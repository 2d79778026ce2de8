"""The privacy of the bit sum over all neighbouring datasets, in float64 with sound sides (CSUZZ19, Algorithm 1, Definition 3.4).

The view is the number of ones among n bits, each flipped with probability lambda/(2n). For all datasets with k_0 to k_1 ones among the
other bits at once: they share k_0 ones and others - k_1 zeros, and the other noisy bits are added to both distributions alike, which is
post-processing (CSUZZ19.Profile.blocks). So the divergence with the shared bits alone is an upper side for the block, and blocks are
halved, worst first, until one dataset is nearly as bad as all. Both directions of a dataset are those of k and of others - k in one.
"""

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, Generic, TypeVar

from shuffleproof.impl.fast.bounds.sums.noisy_bits import Flips, Order, sides
from shuffleproof.impl.fast.numeric.results import in_floats, out_of_range
from shuffleproof.impl.fast.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, float_toward
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_bit_sum

D = TypeVar("D")
"""What a search calls a dataset: numbers of ones among the others' bits."""
LARGEST_N = 10**9
"""Users. Windows and roundings are counted and tested for as many."""
_HALF = Fraction(1, 2)
"""The flip probability at which a message says nothing."""
_FIRST_BLOCKS = 16
"""Blocks of datasets with which the branch and bound begins."""
_MOST_PAIRS = 600
"""Blocks halved in one search, at most: the bounds are sound wherever it stops, and wider the sooner."""
_FEWEST_PAIRS = 60
"""Blocks that may be halved however long their windows are."""
_MOST_TERMS = 10**6
"""Of all windows of one search, about: so many deviations of the number of ones."""
_GAP = 1e-3
"""The relative distance of the ends of epsilon that the search over datasets aims for, four times as wide each time it takes too long."""
GAP_OF_DELTA = 1e-2
"""Of delta, which moves more."""
_MOST_ROUNDS = 12
"""Searches over datasets for one epsilon, at most, each with a wider gap after one that took too long."""
_MOST_HALVINGS = 8
"""How often an epsilon too near the largest is halved, towards 0, for an upper side: delta falls with it."""
_TOLERANCE = 1e-9
"""Relative distance of the ends of epsilon of one dataset."""
SMALLEST_DELTA = Fraction(1, 10**300)
"""Least delta > 0 whose epsilon is asked: below it sides are not normal floats."""


@in_floats(BIT_SUM)
def delta(*, n: int, lam: Fraction, epsilon: Epsilon) -> Found:
    """The least delta for which the bit sum is (epsilon, delta)-DP (CSUZZ19, Definition 3.4); the sides are about 1 % apart.

    n: at most 10^9. Lower is one dataset's delta, upper holds for all.
    """
    require_supported(n)
    p = lam / (2 * n)
    if p == 0:
        return Found.exactly(1)
    flips = Flips.exactly(p)
    if p == _HALF or epsilon >= flips.largest:
        return Found.exactly(0)
    return sides_of(worst(flips, n - 1, epsilon, gap=GAP_OF_DELTA))


@in_floats(BIT_SUM)
def epsilon(*, n: int, lam: Fraction, delta: Fraction, inputs: Mapping[str, str]) -> Found:
    """Least epsilon for which the bit sum is (epsilon, delta)-DP; exactly ln(2n/lambda - 1) at delta = 0, else delta from 1e-300.

    Some dataset exceeds delta below lower, none does at upper. Raises RegimeError for lambda = 0 and delta < 1: without noise no epsilon is
    enough.
    """
    require_supported(n)
    p = lam / (2 * n)
    if delta == 1 or p == _HALF:
        return Found.exactly(0)
    if p == 0:
        raise no_epsilon_for_bit_sum(BIT_SUM, delta=inputs["delta"])
    flips = Flips.exactly(p)
    if delta == 0:  # the number of ones is as large, or as small, as it can be
        return Found.exactly_epsilon(flips.largest, bits=128)
    if delta < SMALLEST_DELTA:
        raise out_of_range("delta is below 1e-300")
    return least_epsilon(flips, n - 1, delta)


def require_supported(n: int, most: int = LARGEST_N) -> None:
    """Raise UnsupportedError where the sums are too long, or a search over datasets is."""
    if n > most:
        raise out_of_range(f"n exceeds {most:.0e}")


@dataclass(frozen=True)
class Worst(Generic[D]):
    """At one epsilon: the least delta for all datasets is in [lower, upper], and this one has `lower`: so many ones among the others."""

    lower: float
    upper: float
    dataset: D


def sides_of(found: Worst[Any]) -> Found:
    """Return what a search over datasets knows of delta."""
    return Found(Fraction(found.lower), min(Fraction(found.upper), Fraction(1)))


def worst(
    flips: Flips, others: int, epsilon: Epsilon, *, gap: float, target: Fraction | None = None, first: tuple[int, ...] = ()
) -> Worst[int]:
    """The worst of all datasets at epsilon < flips.largest.

    gap: of delta, relative, where to stop; with a target, stop as soon as it is clear on which side of it the least delta is.
    first: numbers of ones to look at before all others. Raises UnsupportedError.
    """
    best, k = 0.0, 0
    for each in sorted({*first, 0, others}):
        lower, _ = _sides(flips, epsilon, ones=each, zeros=others - each)
        best, k = (lower, each) if lower > best else (best, k)
    edges = sorted({(others + 1) * i // _FIRST_BLOCKS for i in range(_FIRST_BLOCKS + 1)})
    blocks: list[tuple[float, int, int]] = []

    def look(least: int, most: int) -> None:
        nonlocal best, k
        lower, upper = _sides(flips, epsilon, ones=least, zeros=others - most)
        if least == most and lower > best:
            best, k = lower, least
        heapq.heappush(blocks, (-upper, least, most))

    for least, after in pairwise(edges):
        look(least, after - 1)
    deviation = math.sqrt((others + 1) * float(flips.p * (1 - flips.p)))
    for _ in range(min(_MOST_PAIRS, max(_FEWEST_PAIRS, int(_MOST_TERMS / deviation)))):
        upper, least, most = -blocks[0][0], *blocks[0][1:]
        if target is not None and (Fraction(upper) <= target or Fraction(best) > target):
            break
        if least == most or upper <= best * (1 + gap):
            break
        heapq.heappop(blocks)
        middle = (least + most) // 2
        look(least, middle)
        look(middle + 1, most)
    return Worst(best, -blocks[0][0], k)


def _sides(flips: Flips, epsilon: Epsilon, *, ones: int, zeros: int) -> tuple[float, float]:
    """Around the divergence of a dataset; from above by that at a smaller epsilon where it leaves the range of floats."""
    smaller = epsilon
    for _ in range(_MOST_HALVINGS):
        try:
            lower, upper = sides(flips, _order(flips, smaller), ones=ones, zeros=zeros)
        except UnsupportedError:
            smaller = Epsilon(smaller.bounds(bits=64)[0] / 2, None)
        else:
            return (lower if smaller is epsilon else 0.0), upper
    return 0.0, 1.0


_order = lru_cache(maxsize=64)(Order.of)


def least_epsilon(flips: Flips, others: int, delta: Fraction) -> Found:
    """One dataset's epsilon from below; a little above it all datasets are certified."""
    zero = Epsilon(Fraction(0), None)
    if Fraction(worst(flips, others, zero, gap=GAP_OF_DELTA, target=delta).upper) <= delta:
        return Found(Fraction(0), Fraction(0), False)
    top = flips.largest.bounds(bits=128)[1]
    wanted = math.log(delta.denominator) - math.log(delta.numerator)
    guess = min(math.sqrt(2 * wanted / max((others + 1) * float(flips.p * (1 - flips.p)), 1e-300)), 0.9 * float(top))
    k = worst(flips, others, Epsilon(Fraction(guess), None), gap=0.1).dataset
    root = _of_dataset(flips, others, k, delta, guess, top)
    gap = _GAP
    for _ in range(_MOST_ROUNDS):
        upper = min(root.upper * Fraction(1 + gap), top) if root.lower > 0 else min(root.upper + Fraction(gap * guess), top)
        if not Epsilon(upper, None) < flips.largest:
            break
        upper = Fraction(float_toward(upper, direction="up"))
        found = worst(flips, others, Epsilon(upper, None), gap=0.0, target=delta, first=(k,))
        if Fraction(found.upper) <= delta:
            return Found(root.lower, upper, root.lower_certified and root.lower > 0)
        if Fraction(found.lower) > delta and found.dataset != k:  # a worse dataset
            k = found.dataset
            root = _of_dataset(flips, others, k, delta, float(upper), top)
        else:
            gap *= 4
    return Found(root.lower, top, root.lower_certified and root.lower > 0)


def _of_dataset(flips: Flips, others: int, k: int, delta: Fraction, guess: float, top: Fraction) -> Found:
    def evaluate(x: float) -> tuple[float, float]:
        return _sides(flips, Epsilon(Fraction(x), None), ones=k, zeros=others - k)

    last = float_toward(top * Fraction(999_999_999, 10**9), direction="down")
    slope = -guess * (others + 1) * float(flips.p * (1 - flips.p))
    return solve(evaluate, target=delta, top=top, last=last, guess=guess, slope=slope, tolerance=_TOLERANCE, convex=True)
