"""E[(L_1 + ... + L_n)_+]/n at most, where mostly one large loss makes the sum positive: BEYOND.any-law-one-large-loss.

Heavy tails, such as those of narrow Gaussian noise, leave no grid that is both fine and long enough, and no tilt that helps. Let b be the
part of the distribution of L above a cut c > 0, a the rest, p = b's mass. By the number of users with a large loss

    E[(sum L)_+]/n  <=  mean of f(a_1 + ... + a_(n-1)),  f(r) = integral of (x + r)_+ db(x)          (one user)
                        + E[(a_1 + ... + a_n)_+]/n                                                  (none)
                        + (n - 1)/2 mean of g(a_1 + ... + a_(n-2)),  g(r) = double integral of (x + y + r)_+ db(x) db(y)     (two)
                        + ((n - 1) p)^2/2 E[b] + ((n - 1) p)^3/6 E[a_+]                             (three and more: each for itself).

From below one user alone is counted: by Jensen's inequality f's mean is at least (1 - p)^(n - 1) f((n - 1) E[a]/(1 - p)).

f is convex and rises, so a is spread over the points of a grid, its mean kept; sums below the floor of the grid are raised to it. Sums
above its ceiling T are left out: a block of m users gets there with probability E[e^(theta a)]^m e^(-theta T) at most, and what the
positive losses of all users are then worth is at most (2 E[b] + 3 E[a_+ e^(theta a)]) max(1, E[e^(theta a)])^n e^(-theta T) for each
block, as (n - 1) p is below 1 (`_left_out`).

All terms are positive, and products of arrays are summed term by term, so that roundings are relative: no power is lost to cancellation,
and delta = 1e-300 costs what 1e-6 costs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.numeric.results import EXP_ERROR, U

_FLOOR = 4.0
"""Sums are distinguished down to so many times their mean: of heavy tails a few in a hundred lie below, where f is far below its value."""
_CELLS = 2048
"""Grid points between 0 and the floor; what spreading adds to the sum's deviation is then a twentieth of its mean."""
_NEAR_FLOOR = 2.0
"""The same of two distributions, of which one has no heavy tail below 0, where large losses are rare,"""
_WIDE_FLOOR = 4.0
"""and where sums without them count."""
_WIDE = 0.25
"""These count where the cut is at least so many times the mean of the sum."""
_POINTS = 1 << 11
"""Grid points from there to the ceiling, at most."""
_PARTS = 128
"""Of all others, in which it is counted how many have one of two distributions."""
_BOUNDS = (0, 8, 16, 32, 48, 64, 80, 96, 104, 112, 120, 124, 126, 127, 128)
"""How many of these parts have the first one, from one to the next: more narrowly where that is worst."""
_CUTS = (256, 128, 64, 32, 16, 8, 4, 2)
"""A loss is large above the mean of the sum over one of these: over the first at which three large losses hardly count."""
_LARGER_CUTS = (1, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32)
"""And of two distributions, whose grid is short, and from below."""
_CEILING = 8
"""Sums are kept up to so many cuts;"""
_WIDE_CEILING = 4
"""and where the cut is wide, which keeps the grid short."""
_PAIRS = 1.25
"""Of one size of large losses to the next, where two are counted: as convex as one is, these add a hundredth at most."""
_THREE_LARGE = 1e-4
"""What three large losses may add to one, next to it: the cut is the first at which they add less."""
_THREE_LARGE_AT_MOST = 3e-2
"""The same where there is no such cut: the last one at which they add less than this."""
_STEEPNESS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""theta c, of which the best is taken."""
_MOST_ERROR = 0.5
"""Relative error of a sum's masses, of so many users that roundings decide, beyond which there is no answer."""
_TINY = 1e-300
"""Above all that underflow takes."""


@dataclass(frozen=True)
class _Rest:
    """The distribution of a sum of a on the grid: masses of (first + i) h; error: relative, of each mass.

    positive: masses and losses above 0 of one user; floor: the first place that is distinguished; last: the last one that is kept.
    """

    first: int
    masses: Floats
    h: float
    error: float
    positive: tuple[Floats, Floats]
    floor: int
    last: int

    @property
    def places(self) -> Floats:
        """Where the masses are."""
        at: Floats = (self.first + np.arange(len(self.masses), dtype=np.float64)) * self.h
        return at

    def tilted(self, theta: float) -> tuple[float, float]:
        """E[e^(theta a)] and E[a_+ e^(theta a)] of one user, rounded up."""
        (mass, at), up = self.positive, 1 + 1e-9
        return float((self.masses * np.exp(theta * self.places)).sum()) * up, float((mass * at * np.exp(theta * at)).sum()) * up

    def and_of(self, other: _Rest) -> _Rest:
        """Return the distribution of both sums together, raised to the floor, and left out above the ceiling."""
        masses, first = np.convolve(self.masses, other.masses), self.first + other.first
        if (under := self.floor - first) > 0:
            kept = masses[under:].copy()
            kept[0] += masses[:under].sum()
            masses, first = kept, self.floor
        error = self.error + other.error + (min(len(self.masses), len(other.masses)) + 4) * U
        return replace(self, first=first, masses=masses[: max(self.last - first + 1, 1)], error=error)


class _Sums:
    """Sums of independent copies of one, by squares."""

    def __init__(self, one: _Rest) -> None:
        self.squares = [one]

    def of(self, n: int) -> _Rest:
        """Return the distribution of n of them together."""
        while len(self.squares) < n.bit_length():
            self.squares.append(self.squares[-1].and_of(self.squares[-1]))
        parts = [square for i, square in enumerate(self.squares) if n >> i & 1]
        return reduce(_Rest.and_of, parts) if parts else replace(self.squares[0], first=0, masses=np.ones(1), error=0.0)


class _Class:
    """Users of one distribution: the mass and the worth of its large losses, which are b at x, and the rest."""

    def __init__(self, losses: Losses, *, floor: float, cells: int, cut: float, ceiling: int = _CEILING) -> None:
        large = losses.at > cut
        self.b, self.x, self.error = losses.mass[large], losses.at[large], losses.error
        self.p, self.gain = float(self.b.sum()) * (1 + 1e-9), float((self.b * self.x).sum()) * (1 + 1e-9)
        self.rest = _on_grid(losses, (losses.mass[~large], losses.at[~large]), floor, cells, ceiling * cut)
        self.gain_of_rest = float((self.rest.positive[0] * self.rest.positive[1]).sum()) * (1 + 1e-9)

    def worth(self, others: _Rest, moved: float = 0.0) -> float:
        """Return what a large loss adds beside these, moved up, at most: the mean of f."""
        return _mean_worth(self.b, self.x, self.error, others, moved)

    def in_place(self) -> tuple[float, float]:
        """Return the mass of what is not large, and how far its mean is below 0: E f(X) <= E f(X + Y - E Y) for one user's Y."""
        mass, parts = float(self.rest.masses.sum()), self.rest.masses * self.rest.places
        doubt = (len(parts) + 64) * U * float(np.abs(parts).sum())  # the mean is a difference
        return mass * (1 - 1e-9), max(0.0, doubt - float(parts.sum())) / mass * (1 + 1e-9)

    def worth_in(self, everybody: _Rest) -> float:
        """Return what a large loss adds beside these but for one of this class, at most."""
        mass, moved = self.in_place()
        return self.worth(everybody, moved) / mass * (1 + 1e-9)


def _in_place(classes: Sequence[_Class]) -> tuple[float, float]:
    """Return `in_place` of one user of any class: the least mass, and the farthest mean."""
    masses, means = zip(*(each.in_place() for each in classes), strict=True)
    return min(masses), max(means)


def two_large(shares: Sequence[int], classes: Sequence[_Class], everybody: _Rest, cut: float) -> float:
    """Return what two large losses add beside these but for two, at most; shares: how many users are of each class.

    Large losses are first put at powers of a ratio times the cut: each at its two neighbours, its mean kept.
    """
    b = np.concatenate([share * each.b for share, each in zip(shares, classes, strict=True)])
    x = np.concatenate([each.x for each in classes])
    sizes = cut * _PAIRS ** np.arange(math.ceil(math.log(x.max(initial=cut) / cut) / math.log(_PAIRS)) + 2)
    low = np.searchsorted(sizes, x, side="right") - 1
    masses, width = np.zeros(len(sizes)), sizes[low + 1] - sizes[low]
    np.add.at(masses, low, b * ((sizes[low + 1] - x) / width))  # differences of what is within twice of each other are exact
    np.add.at(masses, low + 1, b * ((x - sizes[low]) / width))
    error = 2 * (max(each.error for each in classes) + (len(b) + 8) * U)
    kept, moved = _in_place(classes)
    both = (np.outer(masses, masses) / 2).ravel(), np.add.outer(sizes, sizes).ravel()
    return _mean_worth(*both, error, everybody, 2 * moved) / kept**2 * (1 + 1e-9)


def _mean_worth(b: Floats, x: Floats, error: float, others: _Rest, moved: float = 0.0) -> float:
    """The mean of the sum of b (x + r)_+ over sums r, moved up, rounded up; error: of each mass of b, relative."""
    doubt = math.expm1(others.error * (1 + 1e-6)) + error + (len(others.masses) + len(b) + 64) * U + 1e-9
    return float((others.masses * _worth(b, x, others.places + moved)).sum()) * (1 + doubt)


def _left_out(classes: Sequence[_Class], n: int, cut: float, ceiling: int) -> float:
    """Bound what sums above the ceiling add: in fewer than 8 n blocks, of n/m products with m users each; moved, as `in_place` says.

    To raise a sum to the floor adds e^(theta floor) to its E[e^(theta sum)], at most, which is at least 1 as it is counted.
    """
    kept, moved = _in_place(classes)
    found, large, rest = [], max(each.gain + each.p * moved for each in classes), classes[0].rest
    for steep in _STEEPNESS:
        theta = steep / cut
        one, gain = (max(values) for values in zip(*(each.rest.tilted(theta) for each in classes), strict=True))
        grown = max(0.0, math.log(one)) + math.exp(theta * rest.floor * rest.h)
        found.append(math.log(8 * n / kept**2) + n * grown - steep * ceiling + math.log(2 * large + 3 * gain + _TINY))
    return math.exp(min(*found, 700.0)) * (1 + 1e-9)


def upper_side(losses: Losses, *, n: int) -> float | None:
    """The bound, rounded up; None where large losses are not rare enough, or too few to count."""
    found = parts(losses, n=n)
    return None if found is None else sum(found) * (1 + 4 * U)


def decides(losses: Losses, *, n: int) -> bool:
    """Return whether `of_two_classes` may answer: large losses are rare enough, and not too few to count."""
    return _cut(losses, n, (*_CUTS, *_LARGER_CUTS)) is not None


def parts(losses: Losses, *, n: int) -> tuple[float, float, float, float] | None:
    """Return what one user with a large loss adds at most, what none adds, what two add, and what more and sums above the ceiling add."""
    known = _cut(losses, n)
    if known is None or not np.isfinite(losses.at).all():
        return None
    cut, below = known
    users = _Class(losses, floor=_FLOOR * below, cells=_CELLS, cut=cut)
    others = _Sums(users.rest).of(n - 1)
    everybody = others.and_of(users.rest)
    if everybody.error > _MOST_ERROR:
        return None
    none = _positive(everybody) / n if n > 1 else users.gain_of_rest
    two = two_large([n], [users], everybody, cut) / n * ((n - 1) / n) * (1 + 4 * U) if n > 1 else 0.0
    return users.worth(others), none, two, _more([users], n, cut)


def of_two_classes(first: Losses, second: Losses, either: Losses, *, n: int) -> float | None:
    """Bound the largest E[(L_1 + ... + L_n)_+]/n of n losses of two distributions, however many of each; None as for `upper_side`.

    either: a distribution that dominates both in the increasing convex order. Where from k_0 to k_1 have the first distribution,
    k_0 do, n - k_1 have the second, and k_1 - k_0 may have that one (BEYOND.any-law-one-large-loss-of-classes).
    """
    known = _cut(first, n, (*_CUTS, *_LARGER_CUTS))
    if known is None or not np.isfinite(either.at).all():
        return None
    cut, below = known
    floor, ceiling = (_NEAR_FLOOR * below, _CEILING) if cut < _WIDE * below else (max(_WIDE_FLOOR * below, cut), _WIDE_CEILING)
    cells = 1 << math.floor(math.log2(_POINTS / (1 + ceiling * cut / floor)))
    classes = [_Class(each, floor=floor, cells=cells, cut=cut, ceiling=ceiling) for each in (first, second, either)]
    if not n * max(each.p for each in classes) < 1.0:
        return None
    parts = min(_PARTS, n)
    of_part, over = divmod(n, parts)
    found, sums = 0.0, [_Sums(each.rest) for each in classes]
    left, of_parts = sums[-1].of(over), [_Sums(each.of(of_part)) for each in sums]
    for low, high in pairwise(sorted({part * parts // _PARTS for part in _BOUNDS})):
        numbers = low, parts - high, high - low
        everybody = reduce(_Rest.and_of, (known.of(number) for known, number in zip(of_parts, numbers, strict=True)), left)
        if everybody.error > _MOST_ERROR:
            return None
        shares = low * of_part, (parts - high) * of_part, (high - low) * of_part + over
        alone = sum(share * each.worth_in(everybody) for share, each in zip(shares, classes, strict=True) if share)
        found = max(found, (alone + _positive(everybody) + two_large(shares, classes, everybody, cut)) / n)
    return (found + _more(classes, n, cut, ceiling)) * (1 + 16 * U)


def _positive(sums: _Rest) -> float:
    """E of the positive part, rounded up."""
    doubt = math.expm1(sums.error * (1 + 1e-6)) + (len(sums.masses) + 64) * U + 1e-9
    return float((sums.masses * np.maximum(sums.places, 0.0)).sum()) * (1 + doubt)


def _more(classes: Sequence[_Class], n: int, cut: float, ceiling: int = _CEILING) -> float:
    """Bound what three large losses and more add, and sums above the ceiling."""
    p, gain, of_rest = max(each.p for each in classes), max(each.gain for each in classes), max(each.gain_of_rest for each in classes)
    return (((n - 1) * p) ** 2 / 2 * (gain + (n - 1) * p / 3 * of_rest) + _left_out(classes, n, cut, ceiling)) * (1 + 1e-6) + _TINY


def lower_side(losses: Losses, *, n: int) -> float:
    """A number that E[(L_1 + ... + L_n)_+]/n is not below, rounded down: the best of some cuts."""
    mass, at = losses.mass, losses.worth
    mean, best = float((mass * at).sum()), 0.0
    if not mean < 0.0:
        return 0.0
    for part in (*_CUTS, *_LARGER_CUTS):
        large = at > -mean * n / part
        b, x = mass[large], at[large]
        p = float(b.sum())
        if not 0.0 < p < 1.0:
            continue
        small = (mass * np.abs(at))[~large]
        doubt = losses.error + (len(mass) + 16) * U
        others = (n - 1) * (float((mass * at)[~large].sum()) - doubt * float(small.sum())) / (1 - p) * (1 + (4 * U if n > 1 else 0.0))
        # x + others is a difference: what it errs by is taken from each term
        gained = np.maximum(x + others - 4 * U * (np.abs(x) + abs(others)), 0.0)
        alone = math.exp((n - 1) * math.log1p(-p * (1 + doubt)) * (1 + 1e-12)) * (1 - EXP_ERROR)
        best = max(best, float((b * gained).sum()) * alone * (1 - 2 * doubt))
    return best


def _cut(losses: Losses, n: int, cuts: Sequence[float] = _CUTS) -> tuple[float, float] | None:
    """Where a loss begins to be large, and how far the mean of the sum is below 0; None where large ones are not rare, or do not count."""
    mass, at, last = losses.mass, losses.at, None
    below = -float((mass * at).sum()) * n
    if not below > 0.0:
        return None
    for part in cuts:
        cut = below / part
        large = at > cut
        if not large.any():
            return None
        b, x = mass[large], at[large]
        one = float((b * np.maximum(x - below, 0.0)).sum())
        three = ((n - 1) * float(b.sum())) ** 2 / 2 * float((b * x).sum())
        if three <= _THREE_LARGE * one:
            return cut, below
        last = (cut, below) if three <= _THREE_LARGE_AT_MOST * one else None
    return last


def _on_grid(losses: Losses, a: tuple[Floats, Floats], floor: float, cells: int, top: float) -> _Rest:
    """a, and 0 with the probability that is left, each atom on its two neighbours, its mean kept; below the floor raised to it."""
    mass, at = a
    h = math.ldexp(1.0, math.ceil(math.log2(floor / cells)))  # a power of two: places on the grid are exact
    place = np.maximum(at / h, -float(cells))
    below = np.floor(place)
    part, below = place - below, below.astype(np.int64)
    masses = np.zeros(cells + math.ceil(max(at.max(initial=0.0), 0.0) / h) + 2)
    np.add.at(masses, below + cells, mass * (1.0 - part))
    np.add.at(masses, below + 1 + cells, mass * part)
    masses[cells] += losses.rest
    above = at > 0.0
    error = losses.error + (len(at) + 4) * U
    return _Rest(-cells, masses, h, error, (mass[above], at[above]), -cells, math.floor(top / h))


def _worth(b: Floats, x: Floats, r: Floats) -> Floats:
    """f(r) = sum of b (x + r)_+ at each r."""
    order = np.argsort(-x)
    b, x = b[order], x[order]
    count = np.searchsorted(-x, r)  # x > -r
    mass, gain = np.concatenate([[0.0], np.cumsum(b)]), np.concatenate([[0.0], np.cumsum(b * x)])
    # A difference of nearly equal numbers where x + r is small beside r: r mass and gain err by a few U each.
    slack = (len(b) + 8) * U * (gain[count] + np.abs(r) * mass[count])
    found: Floats = np.maximum(gain[count] + r * mass[count], 0.0) + slack
    return found
