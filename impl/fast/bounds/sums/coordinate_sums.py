"""Two recognisable bit sums over all neighbouring datasets, in float64 with sound sides: the coordinate sums of RAPPOR reports.

Who moves from one item to another changes one bit in each of two coordinates, and the others' bits are arbitrary; seen from the side where
the likelihood ratio rises, both are P = S + Ber(1 - p) against Q = S + Ber(p), S the number of ones among the other bits, and independent.
The divergence of the product is a sum over one coordinate of tails of the other, since both likelihood ratios rise:

    D_E = sum over y of  P'(y) P(>= t(y)) - E Q'(y) Q(>= t(y)),   t(y) the first x with P(x)/Q(x) > E Q'(y)/P'(y).

Datasets with k to k' ones in one coordinate share what `bit_sum` says, in each coordinate by itself; rectangles of datasets are halved,
worst first. What lies outside a window is bounded by Bernstein's inequality; cells that rounding may put on the wrong side of t(y)
add at most their mass times the rounding. Roundings: 4 a step from a binomial's anchor, then one a summand.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np

from shuffleproof.impl.fast.bounds.sums import bit_sum
from shuffleproof.impl.fast.bounds.sums.noisy_bits import Flips, Floats, half_window, log_mass, relative_masses
from shuffleproof.impl.fast.numeric.results import accumulated, exponential, in_floats, out_of_range, working
from shuffleproof.impl.fast.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.protocols import COORDINATE_SUMS
from shuffleproof.spec.vocabulary.numerals import Epsilon, float_toward

LARGEST_N = 10**7
"""Users: the search over two coordinates is quick enough, and tested, up to here."""
LARGEST_EPSILON0 = 100
"""Largest epsilon0: e^100 = 3e43 leaves room for products of two coordinates' masses."""
SMALLEST_DELTA = Fraction(1, 10**60)
"""Least delta > 0 whose epsilon is asked: products of two tails of that size are normal floats."""
_BEYOND = 30.0
"""Natural orders of magnitude below the delta in question at which something is left out, and counted on the upper side."""
_SMALLEST = 1e-200
"""Least mass in a window: times both flip probabilities it is a normal float, so that likelihood ratios rise; SMALLEST_DELTA leaves 1e-73
outside, of which a millionth is set aside for what is smaller."""
_MOST_PAIRS = 2000
"""Rectangles of datasets halved in one search, at most."""
_FEWEST_PAIRS = 300
"""Rectangles that may be halved however many terms they have."""
_MOST_TERMS = 3 * 10**6
"""Terms of all windows of one search, about."""
_GAP = 1e-2
"""Relative distance of the ends of epsilon that the search over datasets aims for."""
_GAP_OF_DELTA = 5e-2
"""The same of delta, which moves more."""
_MOST_ROUNDS = 8
"""Searches over datasets for one epsilon, at most."""
_BLOCKS_OF_A_PROFILE = 192
"""Of datasets, by their number of ones: the users in which those of a block differ hide nobody; each percent of them costs half of one."""
_ZERO = Epsilon(Fraction(0), None)


@in_floats(COORDINATE_SUMS)
def delta(*, n: int, changed: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """The least delta for which the coordinate sums of n RAPPOR reports are (epsilon, delta)-DP; the sides are some percent apart.

    n: at most 10^7; epsilon0: of the whole change, at most 100. Lower is one dataset's delta, upper holds for all.
    """
    bit_sum.require_supported(n, LARGEST_N)
    if epsilon >= epsilon0:
        return Found.exactly(0)
    if changed == 1:
        return bit_sum.sides_of(bit_sum.worst(_flips(epsilon0, 1), n - 1, epsilon, gap=_GAP_OF_DELTA))
    return bit_sum.sides_of(Search(_flips(epsilon0, 2), n - 1, left_out=float(SMALLEST_DELTA)).worst(epsilon, gap=_GAP_OF_DELTA))


@in_floats(COORDINATE_SUMS)
def epsilon(*, n: int, changed: int, epsilon0: Epsilon, delta: Fraction) -> Found:
    """Least epsilon for which the sums of n RAPPOR reports are (epsilon, delta)-DP; epsilon0 at delta = 0, else delta from 1e-60.

    Some dataset exceeds delta below lower, none does at upper.
    """
    bit_sum.require_supported(n, LARGEST_N)
    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=128)
    if delta < SMALLEST_DELTA:
        raise out_of_range(f"delta is below {float(SMALLEST_DELTA):.0e}")
    if changed == 1:
        return bit_sum.least_epsilon(_flips(epsilon0, 1), n - 1, delta)
    return Search(_flips(epsilon0, 2), n - 1, left_out=float(delta)).least_epsilon(delta, top=epsilon0.bounds(bits=128)[1])


def one_coordinate(*, n: int, epsilon0: Epsilon, epsilons: Sequence[Fraction], least: Fraction) -> list[Fraction]:
    """Upper bounds on the delta of one coordinate's sum at every one of these epsilons, over all datasets: a profile for composition.

    n, epsilon0: as for `delta` with changed = 1; epsilons: at least 0. Within some percent of the truth down to delta = least, which is at
    least 1e-60. Raises DomainError, UnsupportedError.
    """
    bit_sum.require_supported(n, LARGEST_N)
    if epsilon0.exp == 1:
        return [Fraction(0) for _ in epsilons]
    return worst_tails(_distributions_of_blocks(n, epsilon0, max(least, SMALLEST_DELTA)), epsilons, top=epsilon0.bounds(bits=128)[0])


@lru_cache(maxsize=8)
def _distributions_of_blocks(n: int, epsilon0: Epsilon, least_delta: Fraction) -> list[Distribution]:
    search = Search(_flips(epsilon0, 1), n - 1, left_out=float(least_delta))
    edges = sorted({n * i // _BLOCKS_OF_A_PROFILE for i in range(_BLOCKS_OF_A_PROFILE + 1)})
    return [search.distribution(least, after - 1) for least, after in pairwise(edges)]


def _flips(epsilon0: Epsilon, changed: int) -> Flips:
    """Each changed bit has its share of epsilon0."""
    if epsilon0.bounds(bits=64)[0] > LARGEST_EPSILON0:
        raise out_of_range(f"epsilon0 exceeds {LARGEST_EPSILON0}")
    if changed == 1:
        return Flips.binary_randomized_response(epsilon0)
    with working():
        T = exponential(epsilon0).sqrt()
    return Flips(1 / (Fraction(T) + 1), Epsilon(epsilon0.bounds(bits=200)[1] / 2, None))


@dataclass(frozen=True)
class Distribution:
    """P and Q on a window, their tails from each place on, P/Q; the relative error of each entry, and how much mass lies outside."""

    P: Floats
    Q: Floats
    P_from: Floats
    Q_from: Floats
    ratio: Floats
    error: float
    outside: float

    @classmethod
    def of(cls, flips: Flips, *, ones: int, zeros: int, exponent: float) -> Distribution:
        """Return the distribution of a bit kept in P and flipped in Q, beside `ones` bits 1 and `zeros` bits 0, each flipped."""
        p = float(flips.p)
        # ones - B + A: the masses of B from the right.
        return cls.with_bit(masses(flips, ones, exponent)[::-1], masses(flips, zeros, exponent), (1 - p, p), (p, 1 - p), exponent=exponent)

    @classmethod
    def with_bit(
        cls, one: Floats, other: Floats, first: tuple[float, float], second: tuple[float, float], *, exponent: float
    ) -> Distribution:
        """The sum of two numbers of ones, by their `masses`, and a bit which is 1 or 0 with these probabilities in P and in Q.

        It is 1 more often in P.
        """
        S = np.convolve(one, other)
        roundings = 4 * (len(one) + len(other)) + min(len(one), len(other)) + 2 * len(S) + 40
        S = S[S >= _SMALLEST]  # of a log-concave sequence: the rest, at both ends, is far below the slack of what lies outside
        here, before = np.append(S, 0.0), np.append(0.0, S)
        P, Q = first[0] * before + first[1] * here, second[0] * before + second[1] * here
        P_from, Q_from = (np.append(np.cumsum(each[::-1])[::-1], 0.0) for each in (P, Q))
        return cls(P, Q, P_from, Q_from, P / Q, accumulated(roundings), 4 * math.exp(-exponent) * (1 + 1e-6))


def masses(flips: Flips, count: int, exponent: float) -> Floats:
    """Return the masses of Bin(count, p) in a window around its mode that holds all but 2 e^-exponent, by Bernstein's inequality."""
    p = float(flips.p)
    half = math.ceil(half_window(count * p * (1 - p), exponent)) + 2
    mode = min(round(count * p), count)
    first, last = max(0, mode - half), min(count, mode + half)
    with working():
        at_mode = float(log_mass(flips, count, mode).exp())
    return relative_masses(count, flips.odds, first, last, mode) * at_mode


@dataclass
class Search:
    """Over the numbers of ones among the others' bits in the two coordinates, each from 0 to others."""

    flips: Flips
    others: int
    left_out: float

    def __post_init__(self) -> None:
        self._exponent = _BEYOND - math.log(self.left_out)
        self._distributions: dict[tuple[int, int], Distribution] = {}

    def distribution(self, least: int, most: int) -> Distribution:
        """Return what all numbers of ones from least to most have in common."""
        if (least, most) not in self._distributions:
            self._distributions[least, most] = Distribution.of(self.flips, ones=least, zeros=self.others - most, exponent=self._exponent)
        return self._distributions[least, most]

    def pair(self, dataset: tuple[int, int]) -> tuple[Distribution, Distribution]:
        """The distributions of both coordinates."""
        return self.distribution(dataset[0], dataset[0]), self.distribution(dataset[1], dataset[1])

    def worst(self, epsilon: Epsilon, *, gap: float, target: Fraction | None = None) -> bit_sum.Worst[tuple[int, int]]:
        """At one epsilon below epsilon0; gap, target: when to stop, as in `bit_sum.worst`."""
        E = above(epsilon)
        best, dataset = 0.0, (0, 0)
        N = self.others
        for k in sorted({0, N // 2, N}):
            for j in sorted({0, N // 2, N}):
                if k <= j:
                    lower, _ = divergence(self.distribution(k, k), self.distribution(j, j), E)
                    best, dataset = (lower, (k, j)) if lower > best else (best, dataset)
        rectangles: list[tuple[float, tuple[int, int], tuple[int, int]]] = []

        def look(one: tuple[int, int], other: tuple[int, int]) -> None:
            nonlocal best, dataset
            lower, upper = divergence(self.distribution(*one), self.distribution(*other), E)
            if one[0] == one[1] and other[0] == other[1] and lower > best:
                best, dataset = lower, (one[0], other[0])
            heapq.heappush(rectangles, (-upper, one, other))

        look((0, N), (0, N))
        terms = math.sqrt((N + 1) * float(self.flips.p)) * self._exponent**0.5 + 1
        for _ in range(min(_MOST_PAIRS, max(_FEWEST_PAIRS, int(_MOST_TERMS / terms)))):
            upper, one, other = -rectangles[0][0], *rectangles[0][1:]
            if target is not None and (Fraction(upper) <= target or Fraction(best) > target):
                break
            widths = (one[1] - one[0], other[1] - other[0])
            if widths == (0, 0) or upper <= best * (1 + gap):
                break
            heapq.heappop(rectangles)
            if one == other:  # what lies below the diagonal is the mirror image of what lies above
                low, high = halves(one)
                pairs = [(low, low), (low, high), (high, high)]
            elif widths[0] >= widths[1]:
                pairs = [(half, other) for half in halves(one)]
            else:
                pairs = [(one, half) for half in halves(other)]
            for pair in pairs:
                look(*pair)
        return bit_sum.Worst(best, -rectangles[0][0], dataset)

    def least_epsilon(self, delta: Fraction, *, top: Fraction) -> Found:
        """One dataset's epsilon from below; a little above it all datasets are certified."""
        if Fraction(self.worst(_ZERO, gap=0.0, target=delta).upper) <= delta:
            return Found(Fraction(0), Fraction(0), False)
        wanted = math.log(delta.denominator) - math.log(delta.numerator)
        p = float(self.flips.p)
        guess = min(2 * math.sqrt(wanted / max((self.others + 1) * p * (1 - p), 1e-300)), 0.9 * float(top))
        dataset = self.worst(Epsilon(Fraction(guess), None), gap=0.5).dataset
        root, gap = self._of_dataset(dataset, delta, guess, top), _GAP
        for _ in range(_MOST_ROUNDS):
            upper = min(root.upper * Fraction(1 + gap) if root.lower > 0 else root.upper + Fraction(gap * guess), top)
            if upper >= top * Fraction(999, 1000):
                break
            upper = Fraction(float_toward(upper, direction="up"))
            found = self.worst(Epsilon(upper, None), gap=0.0, target=delta)
            if Fraction(found.upper) <= delta:
                return Found(root.lower, upper, root.lower_certified and root.lower > 0)
            if Fraction(found.lower) > delta and found.dataset != dataset:
                dataset = found.dataset
                root = self._of_dataset(dataset, delta, float(upper), top)
            else:
                gap *= 2
        return Found(root.lower, top, root.lower_certified and root.lower > 0)

    def _of_dataset(self, dataset: tuple[int, int], delta: Fraction, guess: float, top: Fraction) -> Found:
        one, other = self.pair(dataset)
        evaluate: Callable[[float], tuple[float, float]] = lambda x: divergence(one, other, above(Epsilon(Fraction(x), None)))  # noqa: E731
        slope = -guess * (self.others + 1) * float(self.flips.p * (1 - self.flips.p)) / 2
        last = float_toward(top * Fraction(999_999, 10**6), direction="down")
        return solve(evaluate, target=delta, top=top, last=last, guess=guess, slope=slope, tolerance=1e-6, convex=True)


def halves(block: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Split a block, from its first number to its last one, into two."""
    middle = (block[0] + block[1]) // 2
    return (block[0], middle), (middle + 1, block[1])


def above(epsilon: Epsilon) -> tuple[float, float]:
    """Floats around e^epsilon."""
    with working():
        E = Fraction(exponential(epsilon))
    slack = Fraction(1, 10**40)
    return float_toward(E * (1 - slack), direction="down"), float_toward(E * (1 + slack), direction="up")


def worst_tails(distributions: Sequence[Distribution], epsilons: Sequence[Fraction], *, top: Fraction) -> list[Fraction]:
    """Upper sides of the largest divergence of these distributions at every epsilon; 0 above the largest loss."""
    E = np.array([above(Epsilon(each, None))[0] for each in epsilons])
    worst = np.zeros(len(E))
    for distribution in distributions:
        np.maximum(worst, tails_beyond(distribution, E), out=worst)
    return [Fraction(0) if each > top else min(Fraction(float(value)), Fraction(1)) for each, value in zip(epsilons, worst, strict=True)]


def tails_beyond(distribution: Distribution, E: Floats) -> Floats:
    """Upper sides of the divergence of one coordinate at every E of an array, each no larger than the order meant."""
    error = distribution.error + accumulated(len(distribution.P) + 20)
    start = np.searchsorted(distribution.ratio, E, side="right")
    first = np.searchsorted(distribution.ratio, E * (1 - 8 * error), side="left")
    last = np.searchsorted(distribution.ratio, E * (1 + 8 * error), side="right")
    unsure = (distribution.P_from[first] - distribution.P_from[last]) * 20 * error
    upper = distribution.P_from[start] * (1 + 2 * error) - E * distribution.Q_from[start] * (1 - 2 * error) + unsure + distribution.outside
    return np.asarray(np.maximum(upper, 0.0) * (1 + 1e-12), dtype=np.float64)


def divergence(one: Distribution, other: Distribution, E: tuple[float, float]) -> tuple[float, float]:
    """Floats around the divergence of the product, E between the two floats."""
    error = (1 + one.error) * (1 + other.error) * (1 + accumulated(len(one.P) + len(other.P) + 20)) - 1 + 2.0**-50
    wanted = E[0] * other.Q / other.P
    start = np.searchsorted(one.ratio, wanted, side="right")
    first = np.searchsorted(one.ratio, wanted * (1 - 8 * error), side="left")
    last = np.searchsorted(one.ratio, wanted * (1 + 8 * error), side="right")
    in_P, in_Q = float((other.P * one.P_from[start]).sum()), float((other.Q * one.Q_from[start]).sum())
    unsure = float((other.P * (one.P_from[first] - one.P_from[last])).sum()) * 20 * error + in_P * 4 * error**2
    outside = one.outside + other.outside
    upper = in_P * (1 + 2 * error) - E[0] * in_Q * (1 - 2 * error) + unsure + outside
    lower = in_P * (1 - 2 * error) - E[1] * (in_Q * (1 + 2 * error) + outside)
    return max(0.0, lower * (1 - 1e-12)), max(0.0, upper * (1 + 1e-12))
