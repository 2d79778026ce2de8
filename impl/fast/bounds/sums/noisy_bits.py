"""The divergence of two neighbouring datasets of noisy bits in float64, with sound sides: one bit differs, each flips with probability p.

With S the number of ones among the other bits after flipping, `ones` of which were 1 and `zeros` were 0, the number of ones of everybody
is S + Ber(1 - p) in one dataset and S + Ber(p) in the other, and for E = e^epsilon below (1 - p)/p

    D_E = max over u of  c Pr(S = u) - (E - 1) Pr(S > u),   c = 1 - p - E p,

the event being "more than u ones". The step from u to u + 1 adds (c + E - 1) Pr(S = u + 1) - c Pr(S = u), and S is log-concave, so that
it changes its sign once, from plus to minus: a u between two steps whose signs are certain is the maximum, and any u gives a lower side.

S = ones - B + A, A ~ Bin(zeros, p), B ~ Bin(ones, p): Pr(S = ones + v) = sum over i of Pr(B = i) Pr(A = v + i), and Pr(S > ones + v)
likewise with Pr(A > v + i), both log-concave in i. Terms are relative to one anchor, so that tiny divergences stay in the range of floats;
what lies outside the window of i is below geometric series. Roundings: 4 a step away from the anchor of each binomial, one a summand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.numeric.results import (
    SCALAR_ERROR,
    accumulated,
    decimal_of,
    exponential,
    exponential_difference,
    exponential_minus_1,
    log_factorial,
    out_of_range,
    outward,
    working,
)
from shuffleproof.spec.vocabulary.numerals import Epsilon

Floats: TypeAlias = NDArray[np.float64]
LARGEST_WINDOW = 4_000_000
"""Numbers of ones summed at most: 32 MB an array."""
_EXPONENT = 46.0
"""Natural orders of magnitude that a window keeps: what is left out is far below the roundings."""
_MOST_MOVES = 60
"""Steps from the guessed cut to the best one, at most: any cut gives a lower side, and the upper one is searched."""
_MOST_UNSETTLED = 60
"""Neighbouring cuts that rounding cannot tell apart, at most: all of them enter the upper side."""
_NEAR = 2
"""Numbers of ones on each side of u for which Pr(S = .) is computed at once."""
_STEEPEST = 700.0
"""Largest tilt, as an exponent: e^700 is a float."""
_VANISHING = 1e-290
"""Added to a last mass that may have underflowed, before the geometric series beyond it: above all that it lost."""
_SMALLEST = 1e-200
"""Least term at an edge from which a series beyond it is bounded."""
_LARGEST = 1e200
"""Largest mass, over the one at the cut: what underflows is then below 1e-100 of its sum."""


@dataclass(frozen=True)
class Flips:
    """Bits that are flipped with probability p in (0, 1/2), and its constants.

    p: with a relative error of at most 1e-50, which SCALAR_ERROR holds for up to 10^9 bits; largest: the largest privacy loss,
    ln((1 - p)/p).
    """

    p: Fraction
    largest: Epsilon

    @classmethod
    def exactly(cls, p: Fraction) -> Flips:
        """Make flips of this probability p."""
        return cls(p, Epsilon(None, (1 - p) / p))

    @classmethod
    def binary_randomized_response(cls, epsilon0: Epsilon) -> Flips:
        """Make the flips of binary randomized response, p = 1/(e^epsilon0 + 1), epsilon0 > 0."""
        with working():
            return cls(1 / (Fraction(exponential(epsilon0)) + 1), epsilon0)

    @cached_property
    def odds(self) -> float:
        """p/(1 - p), rounded once."""
        return float(self.p / (1 - self.p))

    @cached_property
    def log_odds(self) -> float:
        """ln((1 - p)/p), approximate."""
        q = 1 - self.p
        return math.log1p(float((q - self.p) / self.p)) if 4 * self.p > 1 else float(self.largest.bounds(bits=64)[0])

    @cached_property
    def logarithms(self) -> tuple[Decimal, Decimal]:
        """ln p and ln(1 - p)."""
        with working():
            return decimal_of(self.p).ln(), decimal_of(1 - self.p).ln()

    def mean(self, theta: float, *, ones: int, zeros: int) -> float:
        """Return the mean of S - ones under a tilt by e^theta."""
        return zeros * _logistic(theta - self.log_odds) - ones * _logistic(-theta - self.log_odds)


@dataclass(frozen=True)
class Order:
    """c = 1 - p - E p and E - 1 for one epsilon, each with a relative error of at most SCALAR_ERROR."""

    c: Decimal
    less_1: Decimal

    @classmethod
    def of(cls, flips: Flips, epsilon: Epsilon) -> Order:
        """For 0 <= epsilon < flips.largest. Raises UnsupportedError where a thousand digits do not separate the two."""
        with working():
            c = decimal_of(flips.p) * exponential_difference(flips.largest, epsilon)
            return cls(c, Decimal(0) if epsilon.exp == 1 or epsilon.rational == 0 else exponential_minus_1(epsilon))


def sides(flips: Flips, order: Order, *, ones: int, zeros: int) -> tuple[float, float]:
    """Floats around D_E where `ones` of the other bits are 1 and `zeros` are 0. Raises UnsupportedError outside the range of floats."""
    with working():
        theta = min(float(((order.c + order.less_1) / order.c).ln()), _STEEPEST)
    u = min(max(math.floor(flips.mean(theta, ones=ones, zeros=zeros) + ones), 0), ones + zeros)
    seen: dict[int, _Around] = {}

    def around(u: int) -> _Around:
        if u not in seen:
            seen[u] = _Around.of(flips, order, ones=ones, zeros=zeros, u=u)
        return seen[u]

    for _ in range(_MOST_MOVES):
        here = around(u)
        step = here.move(order)
        if step == 0 or u + step in seen:
            break
        u = min(max(u + step, 0), ones + zeros)
    lower, upper = around(u).value(order)
    for direction in (-1, 1):
        at, left = u, _MOST_UNSETTLED
        while around(at).sign(order, at=direction) * direction >= 0:  # the step away from here may still lead upwards
            at, left = at + direction, left - 1
            if left == 0:
                raise out_of_range("which numbers of ones the likelihood ratio separates cannot be decided")
            more = around(at).value(order)
            lower, upper = max(lower, more[0]), max(upper, more[1])
    return outward(max(lower, Decimal(0)), max(upper, Decimal(0)))


@dataclass(frozen=True)
class _Around:
    """Pr(S = u + j), j = -2 .. 2, and Pr(S > u), lower and upper sides relative to the product of the anchors."""

    u: int
    variance: float
    masses: tuple[tuple[float, float], ...]
    beyond: tuple[float, float]
    flips: Flips
    anchor_b: tuple[int, int]
    anchor_a: tuple[int, int]

    @classmethod
    @np.errstate(all="ignore")  # what leaves the range of floats is noticed below
    def of(cls, flips: Flips, order: Order, *, ones: int, zeros: int, u: int) -> _Around:
        v = u - ones
        centre, half, further, beyond, variance = _window(flips, ones, zeros, v)
        if 2 * half + further + beyond > LARGEST_WINDOW:
            raise out_of_range("its sums would have millions of terms")
        anchor_a = min(max(v + centre, 0), zeros)
        lowest, first, last = max(0, centre - half - further), max(0, centre - half), min(ones, centre + half)
        b = relative_masses(ones, flips.odds, lowest, last, centre)
        a_first, a_last = v + lowest - _NEAR, v + last + _NEAR + beyond
        a = relative_masses(zeros, flips.odds, a_first, a_last, anchor_a)
        above = np.cumsum(a[::-1])[::-1]  # Pr(A >= s), without what lies beyond the window
        # Four roundings for each step from an anchor, one for a product, and one for each summand.
        far = max(centre - lowest, last - centre) + max(anchor_a - a_first, a_last - anchor_a)
        roundings = accumulated(4 * far + len(a) + len(b) + 16)

        def summed(terms: Floats, *, from_first: bool, inside: tuple[bool, bool]) -> tuple[float, float]:
            """inside: whether the outermost terms belong to the range of A; there they are not 0, but where they left that of floats."""
            total = float(terms.sum())
            left = _after(terms[0], terms[1], inside[0]) if from_first else 0.0
            right = _after(terms[-1], terms[-2], inside[1]) if last < ones else 0.0
            return total * (1 - roundings), (total + left + right) * (1 + 2 * roundings)

        masses = []
        for j in range(-_NEAR, _NEAR + 1):
            start = first - lowest + _NEAR + j
            terms = b[first - lowest :] * a[start : start + last - first + 1]
            masses.append(summed(terms, from_first=first > 0, inside=(v + first + j >= 0, v + last + j <= zeros)))
        tail = above[_NEAR + 1 : _NEAR + 1 + len(b)]
        low, high = summed(b * tail, from_first=lowest > 0, inside=(True, v + last < zeros))
        high += _further(a[-1], flips.odds, zeros, a_last) * float(b.sum()) * (1 + 2 * roundings)
        largest = float(max(b.max(), a.max(), 1.0))
        if not (largest < _LARGEST and all(math.isfinite(side) for pair in (*masses, (low, high)) for side in pair)):
            raise out_of_range("its sums leave the range of floats")
        return cls(u, variance, tuple(masses), (low, high), flips, (ones, centre), (zeros, anchor_a))

    def sign(self, order: Order, *, at: int) -> int:
        """Return the sign of the step from u - 1 to u (at = -1) or from u to u + 1 (at = 1), as far as it is certain: 1, -1, or 0."""
        before, after = (self.masses[_NEAR - 1], self.masses[_NEAR]) if at < 0 else (self.masses[_NEAR], self.masses[_NEAR + 1])
        with working():
            whole, slack = order.c + order.less_1, 1 + SCALAR_ERROR * 8
            if whole * Decimal(after[0]) > order.c * Decimal(before[1]) * slack:
                return 1
            return -1 if whole * Decimal(after[1]) * slack < order.c * Decimal(before[0]) else 0

    def move(self, order: Order) -> int:
        """Where to look next, 0 for here: Newton's step on ln(Pr(S = u)/Pr(S = u + 1)), at least 1, where the direction is certain."""
        up, down = self.sign(order, at=1) > 0, self.sign(order, at=-1) < 0
        if not up and not down:
            return 0
        before, after = (self.masses[_NEAR], self.masses[_NEAR + 1]) if up else (self.masses[_NEAR - 1], self.masses[_NEAR])
        if not (before[0] > 0 and after[0] > 0):
            return 1 if up else -1
        with working():
            target = float(((order.c + order.less_1) / order.c).ln())
        gap = abs(target - math.log(before[0] / after[0]))
        return max(1, math.floor(gap * self.variance)) * (1 if up else -1)

    def value(self, order: Order) -> tuple[Decimal, Decimal]:
        """Return both sides of c Pr(S = u) - (E - 1) Pr(S > u)."""
        here = self.masses[_NEAR]
        with working():
            slack = 1 + SCALAR_ERROR * 8
            lower = order.c * Decimal(here[0]) / slack - order.less_1 * Decimal(self.beyond[1]) * slack
            upper = order.c * Decimal(here[1]) * slack - order.less_1 * Decimal(self.beyond[0]) / slack
            scale = (log_mass(self.flips, *self.anchor_b) + log_mass(self.flips, *self.anchor_a)).exp()
            return lower * scale * (1 - SCALAR_ERROR * lower.compare(0)), upper * scale * (1 + SCALAR_ERROR * upper.compare(0))


def _window(flips: Flips, ones: int, zeros: int, v: int) -> tuple[int, int, int, int, float]:
    """Return the i that make up Pr(A - B = v), and what they leave out.

    Their centre, how many on each side; how many more of them below, and
    of A above, Pr(A - B > v) takes; the variance.

    Approximate: what it leaves out is bounded by its edges.
    """
    low, high = -flips.log_odds - _STEEPEST, flips.log_odds + _STEEPEST
    for _ in range(48):
        theta = (low + high) / 2
        low, high = (theta, high) if flips.mean(theta, ones=ones, zeros=zeros) < v else (low, theta)
    up, down = _logistic(low - flips.log_odds), _logistic(-low - flips.log_odds)
    of_a, of_b = zeros * up * (1 - up), ones * down * (1 - down)
    share = of_b / (of_a + of_b) if of_a + of_b > 0 else 0.0
    half = math.ceil(half_window(of_a * share, _EXPONENT)) + 4
    reach = half_window(of_a + of_b, _EXPONENT)
    reach = min(reach, _EXPONENT / low) if low > 0 else reach
    return min(max(round(ones * down), 0), ones), half, math.ceil(share * reach), math.ceil(reach) + 4, of_a + of_b


def half_window(variance: float, exponent: float) -> float:
    """Return a half width beyond which less than e^-exponent lies, by Bernstein's inequality."""
    third = exponent / 3
    return third + math.sqrt(third * third + 2 * exponent * variance)


def relative_masses(count: int, odds: float, first: int, last: int, anchor: int) -> Floats:
    """Pr(Bin(count, p) = s)/Pr(Bin(count, p) = anchor) for s = first .. last, 0 outside the range; odds = p/(1 - p)."""
    values = np.zeros(last - first + 1)
    low, high = max(first, 0), min(last, count)
    anchored = min(max(anchor, low), high)
    if low > high or anchored != anchor:  # the anchor is in every window that _window makes
        raise out_of_range("its sums leave their window")
    values[anchor - first] = 1.0
    s = np.arange(anchor, high, dtype=np.float64)
    np.cumprod((count - s) / (s + 1) * odds, out=values[anchor - first + 1 : high - first + 1])
    s = np.arange(anchor, low, -1, dtype=np.float64)
    values[low - first : anchor - first] = np.cumprod(s / (count - s + 1) / odds)[::-1]
    return values


def log_mass(flips: Flips, count: int, s: int) -> Decimal:
    """ln Pr(Bin(count, p) = s) in the caller's precision of at least 60 digits, absolute error far below SCALAR_ERROR."""
    ln_p, ln_q = flips.logarithms
    return log_factorial(count) - log_factorial(s) - log_factorial(count - s) + s * ln_p + (count - s) * ln_q


def _after(outer: float, inner: float, inside: bool) -> float:
    """Return what a log-concave sequence adds up to beyond its last two terms, from above; infinite where they do not show it."""
    if outer < _SMALLEST:
        return math.inf if inside or outer > 0.0 else 0.0
    ratio = float(outer / inner) * (1 + 2.0**-20)
    return float(outer) * ratio / (1 - ratio) * (1 + 2.0**-20) if ratio < 0.999999 else math.inf


def _further(mass: float, odds: float, count: int, s: int) -> float:
    """Pr(Bin(count, p) > s) from above, from the mass at s, which may have left the range of floats."""
    if s >= count:
        return 0.0
    ratio = odds * (count - s) / (s + 1) * (1 + 2.0**-20)
    return (float(mass) + _VANISHING) * ratio / (1 - ratio) * (1 + 2.0**-20) if ratio < 0.999999 else math.inf


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
