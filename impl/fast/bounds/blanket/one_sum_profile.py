"""delta(epsilon) and epsilon(delta) of sums of losses in float64: the larger of both directions, and its inverse."""

import math
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import RESTS_ON, Losses, approached, by_tilts, saddle, summed
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import LossDistribution
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, SURE, exponential, out_of_range, outward, value, working
from shuffleproof.impl.fast.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, float_toward

LARGEST_N = 10**9
"""Users at most: the range in which roundings of n-th powers are counted and tested."""
SMALLEST_DELTA = Fraction(1, 10**300)
"""Least delta > 0 whose epsilon is asked: below it sides are not normal floats."""
LENGTH = 1 << 15
"""Points of a grid for one answer. More make its sides closer and slower, in proportion."""
_OF_PROFILES = 1 << 12
"""Points of a grid where many orders are asked: ends are some 1e-5 apart, and much wider for Gaussian noise of few users."""
_COARSE = 1 << 11
"""Points of a grid that only has to show which of many distributions is the largest, or where the root is."""
_MANY = 4
"""Distributions beyond which a coarse grid first sorts out those that cannot be the largest."""
TOLERANCE = 1e-6
"""Relative distance of the ends of epsilon aimed for."""
_FEW_ATOMS_TOLERANCE = 1e-7
"""The same where the line answers, whose sides are closer."""
_EXACT = 1e-7
"""Of delta, the width of sides from a coarse grid with which no finer one is asked: losses on a lattice, or next to the last epsilon."""
_ROUGH = 6e-3
"""Width of the smoothing where the root is looked for."""
_NEAR = 1e-4
"""Relative step that is the last there."""
_FAR_BELOW = 1e-3
"""Of the largest value, what another distribution has to have for the next step to ask it again: only where to look depends on it."""
_FEW_STEPS = 12
"""Steps of secants at most there; else saddle points on a grid show where to begin."""
_LATTICE = 10**4
"""Up to so many users the grid is tried too where delta is asked for."""
_STEPS = 60
"""Steps at most of the search by saddle points: halvings alone come to 2^-60."""


def delta_of(distributions: list[LossDistribution], *, n: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """delta at epsilon for distributions whose likelihood ratios are at most e^epsilon0, enclosed; exactly 0 from there on.

    Raises UnsupportedError for more than 10^9 users.
    """
    if epsilon >= epsilon0:
        return Found.exactly(0)
    profile = _Profile(distributions, supported(n), both=n <= _LATTICE)
    lower, upper = profile.sides(epsilon, LENGTH)
    lower, upper = (lower if lower >= SURE else 0.0), (max(upper, SURE) if upper else 0.0)
    return Found(Fraction(lower), Fraction(min(upper, 1.0)), told=profile.worst(), rests_on=RESTS_ON)


def epsilon_of(distributions: list[LossDistribution], *, n: int, epsilon0: Epsilon, delta: Fraction) -> Found:
    """The least epsilon with delta(epsilon) <= delta, enclosed; exactly epsilon0, the largest log-ratio, at delta = 0.

    Both ends are certain, as in `root.solve`. Raises UnsupportedError for more than 10^9 users, and for delta below 1e-300.
    """
    supported(n)
    if delta == 1:
        return Found.exactly(0)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=64)
    require_floats(delta)
    profile = _Profile(distributions, n)
    with working():
        bottom, top = (Fraction(value(epsilon0) * (1 + sign * SCALAR_ERROR)) for sign in (-1, 1))
    last = float_toward(bottom, direction="down")
    (guess, slope), few_atoms = profile.guess(delta, last)

    def evaluate(x: float) -> tuple[float, float]:
        there = Epsilon(Fraction(x), None)
        low, high = (0.0, 1.0) if few_atoms else profile.sides(there, _COARSE)
        return (low, high) if high - low <= _EXACT * high else profile.sides(there, LENGTH)

    root = solve(
        evaluate,
        target=delta,
        top=top,
        last=last,
        guess=guess,
        slope=slope,
        tolerance=_FEW_ATOMS_TOLERANCE if few_atoms else TOLERANCE,
        doubt=0.02,
        caution=0.75,
        convex=True,
    )
    return Found.exactly(0) if root.upper == 0 else replace(root, told=profile.worst(), rests_on=RESTS_ON)


def profile_of(distribution: LossDistribution, *, n: int, epsilons: Iterable[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Ends of D(P || Q) at each epsilon for one distribution, in this direction alone. Raises UnsupportedError beyond the floats."""
    profile = _Profile([distribution], supported(n), turned=False)
    found = (profile.sides(Epsilon(epsilon, None), _OF_PROFILES) for epsilon in epsilons)
    return [(Fraction(low), Fraction(min(high, 1.0))) for low, high in found]


def require_floats(delta: Fraction) -> None:
    """Refuse a delta above 0 whose sides are not normal floats. Raises UnsupportedError."""
    if delta < SMALLEST_DELTA:
        raise out_of_range(f"delta = {decimal_text(delta, digits=2, direction='up')}: above 0 it answers from 1e-300 on")


def supported(n: int) -> int:
    """n, if float64 counts so many users. Raises UnsupportedError."""
    if n > LARGEST_N:
        raise out_of_range(f"n = {n}: it answers for n up to {LARGEST_N:.0e}")
    return n


def _above(high: float, more: Decimal) -> float:
    """Return a float not below the sum of these; more: 0, or to a relative error that is granted."""
    if not more:
        return high
    with working():
        return outward(Decimal(high), (Decimal(high) + more) * (1 + SCALAR_ERROR))[1]


class _Profile:
    """Bounds of delta on both sides, computed once, and a guess of where it comes down to a target."""

    def __init__(self, distributions: list[LossDistribution], n: int, *, both: bool = False, turned: bool = True) -> None:
        self.distributions = [
            each for one in distributions for each in ([one, one.swapped()] if turned and not one.is_symmetric() else [one])
        ]
        self.n, self.dataset, self.both = n, "", both
        self.known: dict[tuple[Epsilon, int], tuple[float, float]] = {}
        self.by_line: set[tuple[int, int]] = set()

    def losses(self, epsilon: Epsilon) -> list[Losses]:
        with working():
            E = float(exponential(epsilon))
        with np.errstate(over="ignore", invalid="ignore"):
            found = [each.losses(E) for each in self.distributions]
        if not all(np.isfinite(each).all() for losses in found for each in (losses.at, losses.worth)):
            raise out_of_range("losses of one report leave the range of floats")
        return found

    def sides(self, epsilon: Epsilon, length: int) -> tuple[float, float]:
        """Floats around the largest of all distributions and both directions."""
        if (epsilon, length) not in self.known:
            losses, beside = self.losses(epsilon), self.beside(epsilon)
            # What stays below what another one surely reaches is not summed: the other direction of one pair, most of many.
            most = [_above(by_tilts(each, self.n), beside[i][1]) for i, each in enumerate(losses)] if len(losses) > 1 else [math.inf]
            foremost = max(range(len(losses)), key=most.__getitem__)
            first = _COARSE if len(losses) > _MANY else length
            found = {foremost: self._sides(losses, beside, [foremost], first)[0]}
            near = [i for i, high in enumerate(most) if i != foremost and high >= found[foremost][0]]
            found.update(zip(near, self._sides(losses, beside, near, first), strict=True))
            if first != length:
                surely = max(low for low, _ in found.values())
                near = [i for i, (_, high) in found.items() if high >= surely]
                found = dict(zip(near, self._sides(losses, beside, near, length), strict=True))
            self.dataset = self.distributions[max(found, key=lambda i: found[i][0])].dataset
            self.known[epsilon, length] = max(low for low, _ in found.values()), max(high for _, high in found.values())
        return self.known[epsilon, length]

    def _sides(
        self, losses: list[Losses], beside: list[tuple[Decimal, Decimal]], which: Iterable[int], length: int
    ) -> list[tuple[float, float]]:
        found = []
        for i in which:
            low, high, no_use = summed(losses[i], n=self.n, length=length, both=self.both, line_alone=(i, length) in self.by_line)
            if no_use:  # nor would a grid be at other orders
                self.by_line.add((i, length))
            if math.isnan(low) or math.isnan(high):  # the largest of several would pass over it
                raise out_of_range("sums of losses leave the range of floats")
            below, above = beside[i]
            if below:
                with working():
                    low = outward(max(Decimal(0), Decimal(low) + below) * (1 - SCALAR_ERROR), Decimal(1))[0]
            found.append((low, _above(high, above)))
        return found

    def beside(self, epsilon: Epsilon) -> list[tuple[Decimal, Decimal]]:
        """Return what each distribution adds at E beside its atoms, at least and at most: what it reveals, and what stands beyond them."""
        with working():
            E = exponential(epsilon)
            bare = [each.given_away(E) for each in self.distributions]
            return [(own - each.raised(E, self.n), own + each.beyond[0]) for own, each in zip(bare, self.distributions, strict=True)]

    def worst(self) -> dict[str, str]:
        """Which datasets the last value is of, where it is of any."""
        return {"datasets": self.dataset} if self.dataset else {}

    def guess(self, delta: Fraction, last: float) -> tuple[tuple[float, float], bool]:
        """About where delta(epsilon) = delta, and d ln delta/d epsilon there; whether that took no grid."""
        with working():
            wanted = float((Decimal(delta.numerator) / Decimal(delta.denominator)).ln())
        leading = self.distributions
        if len(leading) > _MANY:
            leading = sorted(leading, key=lambda each: -each.chi_square())[:_MANY]
        with np.errstate(all="ignore"):  # what is not finite is no guess
            found = self._by_secants(leading, wanted, last)
            return (self._by_saddles(leading, wanted, last), False) if found is None else (found, True)

    def _by_secants(self, leading: list[LossDistribution], wanted: float, last: float) -> tuple[float, float] | None:
        """Guess the root from cheap sides; None where there are none, or steps leave (0, last)."""
        chi_square = max(each.chi_square() for each in leading)
        x, before = min(last / 2, math.sqrt(2 * max(1.0, -wanted) * chi_square / self.n)), None
        for _ in range(_FEW_STEPS):
            with working():
                E = float(exponential(Epsilon(Fraction(x), None)))
            found = [approached(each.losses(E), n=self.n, width=_ROUGH) for each in leading]
            known = [(low + high) / 2 for low, high in (each or (0.0, 0.0) for each in found)]
            if not min(known) > 0.0:
                return None
            leading = [each for each, about in zip(leading, known, strict=True) if about > _FAR_BELOW * max(known)]
            height = math.log(max(known)) - wanted
            slope = 2 * (wanted - 2) / x if before is None else (height - before[1]) / (x - before[0])
            step = -height / slope if slope < 0 else math.inf
            before, x = (x, height), x + step
            if not 0.0 < x < last:
                return None
            if abs(step) <= _NEAR * x:
                return x, slope
        return None

    def _by_saddles(self, leading: list[LossDistribution], wanted: float, last: float) -> tuple[float, float]:
        """Guess the root from saddle points, and one step from the sides on a coarse grid."""

        def height(x: float) -> float:
            with working():
                E = float(exponential(Epsilon(Fraction(x), None)))
            try:
                return max(saddle(each.losses(E), self.n)[1] for each in leading) - wanted
            except (ValueError, OverflowError, ZeroDivisionError):  # no loss is positive
                return -math.inf

        low, high = 0.0, last
        x = min(last / 2, 3 * math.sqrt(2 * max(-wanted, 1) / self.n))
        for _ in range(_STEPS):
            at_x = height(x)
            low, high = (x, high) if at_x > 0 else (low, x)
            step = min(1e-5 * x, (last - x) / 4)  # near the last epsilon ln delta falls ever faster
            slope = (height(x + step) - at_x) / step if x < x + step < last else -math.inf
            following = x - at_x / slope if math.isfinite(at_x) and math.isfinite(slope) and slope < 0 else math.nan
            if not low < following < high:
                following = (low + high) / 2
            if abs(following - x) <= min(1e-4 * x, (last - x) / 8):
                break
            x = following
        slope = slope if math.isfinite(slope) and slope < 0 else -1 / last
        lower, upper = self.sides(Epsilon(Fraction(x), None), _COARSE)
        if 0 < lower < upper < 1 and (power := -slope * (last - x)) > 0:
            # next to the last epsilon delta is about a power of the distance to it
            above = (math.log(lower) + math.log(upper)) / 2 - wanted
            x = max(x / 2, last - (last - x) * math.exp(max(-1.0, min(1.0, -above / power))))
        return min(x, last * (1 - _FEW_ATOMS_TOLERANCE)), slope  # nearer to it the sides say nothing of a small delta
