"""E[(L_1 + ... + L_n)_+]/n at most, where mostly one large loss makes the sum positive: BEYOND.any-law-one-large-loss.

Heavy tails, such as those of narrow Gaussian noise, leave no grid that is both fine and long enough, and no tilt that helps. Let b be the
part of the distribution of L above a cut c > 0, a the rest, p = b's mass. By the number of users with a large loss

    E[(sum L)_+]/n  <=  mean of f(a_1 + ... + a_(n-1)),  f(r) = integral of (x + r)_+ db(x)          (one user)
                        + E[(a_1 + ... + a_n)_+]/n                                                  (none)
                        + (n - 1) p E[b] + ((n - 1) p)^2/2 E[a_+]                                   (two and more: each for itself).

From below one user alone is counted: by Jensen's inequality f's mean is at least (1 - p)^(n - 1) f((n - 1) E[a]/(1 - p)).

f is convex and rises, so a is spread over the points of a grid, its mean kept; sums below the floor of the grid are raised to it. Sums
above its ceiling T are left out: a block of m users gets there with probability E[e^(theta a)]^m e^(-theta T) at most, and what the
positive losses of all users are then worth is at most (E[b] + 2 E[a_+ e^(theta a)]) max(1, E[e^(theta a)])^n e^(-theta T) for each block,
as (n - 1) p is below 1 (`_Rest.left_out`).

All terms are positive, and products of arrays are summed term by term, so that roundings are relative: no power is lost to cancellation,
and delta = 1e-300 costs what 1e-6 costs.
"""

import math
from dataclasses import dataclass

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.numeric.results import EXP_ERROR, U

_FLOOR = 4.0
"""Sums are distinguished down to so many times their mean: of heavy tails a few in a hundred lie below, where f is far below its value."""
_CELLS = 2048
"""Grid points between 0 and the floor; what spreading adds to the sum's deviation is then a twentieth of its mean."""
_CUTS = (256, 128, 64, 32, 16, 8, 4, 2)
"""A loss is large above the mean of the sum over one of these: over the first at which two large losses hardly count."""
_CEILING = 8
"""Sums are kept up to so many cuts."""
_TWO_LARGE = 1e-4
"""What two large losses may add to one, next to it: the cut is the first at which they add less."""
_TWO_LARGE_AT_MOST = 3e-2
"""The same where there is no such cut: the last one at which they add less than this."""
_STEEPNESS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""theta c, of which the best is taken."""
_TINY = 1e-300
"""Above all that underflow takes."""


@dataclass(frozen=True)
class _Rest:
    """The distribution a on the grid: masses of (first + i) h; error: relative, of each mass; positive: masses and losses above 0."""

    first: int
    masses: Floats
    h: float
    error: float
    positive: tuple[Floats, Floats]

    def left_out(self, n: int, cut: float, large: float) -> float:
        """Bound what sums above the ceiling add: in fewer than 4 n blocks, of n/m products with m users each. large: E[b]."""
        at = (self.first + np.arange(len(self.masses))) * self.h
        found = []
        for steep in _STEEPNESS:
            theta = steep / cut
            one = float((self.masses * np.exp(theta * at)).sum()) * (1 + 1e-9)
            gain = large + 2 * float((self.positive[0] * self.positive[1] * np.exp(theta * self.positive[1])).sum()) * (1 + 1e-9)
            found.append(math.log(4 * n) + n * max(0.0, math.log(one)) - theta * _CEILING * cut + math.log(gain + _TINY))
        return math.exp(min(*found, 700.0)) * (1 + 1e-9)


def upper_side(losses: Losses, *, n: int) -> float | None:
    """The bound, rounded up; None where large losses are not rare enough, or too few to count."""
    found = parts(losses, n=n)
    return None if found is None else sum(found) * (1 + 4 * U)


def parts(losses: Losses, *, n: int) -> tuple[float, float, float] | None:
    """Return what one user with a large loss adds at most, what none adds, and what more and sums above the ceiling add."""
    mass, at = losses.mass, losses.at
    mean = float((mass * at).sum())
    if not (n >= 1 and mean < 0.0 < float(at.max()) and np.isfinite(at).all()):
        return None
    cut = _cut(mass, at, mean * n, n)
    if cut is None:
        return None
    large = at > cut
    b, x, small = mass[large], at[large], ~large
    p, gain = float(b.sum()) * (1 + 1e-9), float((b * x).sum()) * (1 + 1e-9)
    a = mass[small], at[small]
    rest = _on_grid(losses, a, -_FLOOR * mean * n, cut)
    gain_of_rest = float((rest.positive[0] * rest.positive[1]).sum()) * (1 + 1e-9)

    others, error = _power(rest, n - 1, cut)
    r: Floats = (others.first + np.arange(len(others.masses), dtype=np.float64)) * rest.h
    one = float((others.masses * _worth(b, x, r)).sum())
    everybody = _trimmed(np.convolve(others.masses, rest.masses), others.first + rest.first, rest, cut) if n > 1 else others
    sums: Floats = (everybody.first + np.arange(len(everybody.masses), dtype=np.float64)) * rest.h
    none = float((everybody.masses * np.maximum(sums, 0.0)).sum()) / n if n > 1 else gain_of_rest
    two = (n - 1) * p * gain + ((n - 1) * p) ** 2 / 2 * gain_of_rest
    relative = 1 + error + losses.error + (len(r) + len(b) + 64) * U + 1e-9
    return one * relative, none * relative, (two + rest.left_out(n, cut, gain)) * (1 + 1e-6) + _TINY


def lower_side(losses: Losses, *, n: int) -> float:
    """A number that E[(L_1 + ... + L_n)_+]/n is not below, rounded down: the best of some cuts."""
    mass, at = losses.mass, losses.worth
    mean, best = float((mass * at).sum()), 0.0
    if not mean < 0.0:
        return 0.0
    for part in _CUTS:
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


def _cut(mass: Floats, at: Floats, mean: float, n: int) -> float | None:
    """Where a loss begins to be large. mean: of the sum, below 0."""
    last = None
    for part in _CUTS:
        cut = -mean / part
        large = at > cut
        if not large.any():
            return None
        b, x = mass[large], at[large]
        one = float((b * np.maximum(x + mean, 0.0)).sum())
        two = (n - 1) * float(b.sum()) * float((b * x).sum())
        if two <= _TWO_LARGE * one:
            return cut
        last = cut if two <= _TWO_LARGE_AT_MOST * one else None
    return last


def _on_grid(losses: Losses, a: tuple[Floats, Floats], floor: float, cut: float) -> _Rest:
    """a, and 0 with the probability that is left, each atom on its two neighbours, its mean kept; below the floor raised to it."""
    mass, at = a
    h = math.ldexp(1.0, math.ceil(math.log2(floor / _CELLS)))  # a power of two: places on the grid are exact
    place = np.maximum(at / h, -float(_CELLS))
    below = np.floor(place)
    part, below = place - below, below.astype(np.int64)
    first = -_CELLS
    masses = np.zeros(_CELLS + math.ceil(cut / h) + 2)
    np.add.at(masses, below - first, mass * (1.0 - part))
    np.add.at(masses, below + 1 - first, mass * part)
    masses[-first] += losses.rest
    above = at > 0.0
    return _Rest(first, masses, h, losses.error + (len(at) + 4) * U, (mass[above], at[above]))


def _power(rest: _Rest, n: int, cut: float) -> tuple[_Rest, float]:
    """a's n-fold convolution, n >= 0, and a bound on the relative error of its masses."""
    if n == 0:
        return _Rest(0, np.ones(1), rest.h, 0.0, rest.positive), 0.0
    block, error = rest, rest.error
    for bit in bin(n)[3:]:
        error = 2 * error + (len(block.masses) + 4) * U
        block = _trimmed(np.convolve(block.masses, block.masses), 2 * block.first, rest, cut)
        if bit == "1":
            error = error + rest.error + (len(rest.masses) + 4) * U
            block = _trimmed(np.convolve(block.masses, rest.masses), block.first + rest.first, rest, cut)
    return block, math.expm1(error * (1 + 1e-6))


def _trimmed(masses: Floats, first: int, rest: _Rest, cut: float) -> _Rest:
    """Raised to the floor, and left out above the ceiling."""
    under = -_CELLS - first
    if under > 0:
        kept = masses[under:].copy()
        kept[0] += masses[:under].sum()
        masses, first = kept, -_CELLS
    return _Rest(first, masses[: max(math.floor(_CEILING * cut / rest.h) - first + 1, 1)], rest.h, 0.0, rest.positive)


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
