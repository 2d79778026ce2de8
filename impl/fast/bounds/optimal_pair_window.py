"""What an evaluation of the optimal pair needs that does not depend on epsilon: the masses of C = a + b, and the law of d given C.

C ~ Bin(n, 2r) in a window; what lies outside contributes at most q A Pr(C outside) to delta, as (a A + b B - d (E - 1))_+ <= a A, its
factor is q/n, and a <= n. Given C = c, d ~ Bin(N, s), N = n - c, and with u in counts of d

    put(u) = E(u - d)_+,   call(u) = E(d - u)_+   at the integers, and linear between two of them: exactly so.

They are sums over a window of d. Left out are values d < first, which contribute at most q A Pr(d < first) to delta, and d > last, at
most (q/n)(E - 1) E[d; d > last] <= q (E - 1) Pr(d > last). Where the law has up to m more draws than N, as below, d < s N then gains up
to s m on its mean, and d < first contributes at most q (A + (E - 1) s m/n) Pr(d < first).

The laws of one N serve a panel of counts c: d - s N grows with N in convex order, by a centred term for each further draw, so that the
largest N of the panel gives the upper side of every convex function of d - s N, and the smallest N the lower one (BEYOND.Reduction).

Masses are relative to one near the mean, each with 4 roundings a step; put and call are running sums of running sums.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.clones_mixture import Floats, Mixture
from shuffleproof.impl.fast.bounds.clones_mixture import window as binomial_window
from shuffleproof.impl.fast.bounds.optimal_pair_constants import PairMasses
from shuffleproof.impl.fast.rounding import accumulated

_BERNSTEIN = 2 / 3
_SMALLEST = 1e-250
"""Smaller relative masses of d are left out, and counted as left out."""
_LOOSE = 1 + 2.0**-16


@dataclass(frozen=True)
class Tables:
    """put and call of Bin(N, s) for several N, one row each, at u = first + i for i = 0 .. 2 half, where u = s N is at i = centres.

    half <= centres < half + 1. values: put at i = 0 .. half + 2, then call at i = half - 1 .. 2 half: others are not asked for. They are
    sums over first <= d <= last of masses divided by their total: `up` and `down` make them upper and lower bounds of the sums of
    probabilities. below, above: at least the largest Pr(d < first) and Pr(d > last).
    """

    values: Floats
    centres: Floats
    half: int
    up: float
    down: float
    below: float
    above: float


@dataclass(frozen=True)
class Window:
    """c = left .. right with masses relative to the one at the anchor, and the running sums of mass times m = (1 + x)/2 c + s (n - c).

    moments_up_to: of c and those before it; moments_after: of those after c. outside: at least Pr(C outside).
    ends: where panels begin, and where the last one ends, as indices; tables: their row of a panel is for its largest N, and the one
    `next_row` rows further on is for its smallest or fewer (the same where every panel is a single c); None where d cannot vary.
    """

    left: int
    anchor: int
    c: Floats
    masses: Floats
    mass_roundings: int
    moments: Floats
    moments_up_to: Floats
    moments_after: Floats
    outside: float
    ends: NDArray[np.int64]
    tables: Tables | None
    next_row: int

    @classmethod
    def of(cls, masses: PairMasses, *, spread: float, panels: int) -> Window:
        """What lies outside has a probability of about e^-spread; as many panels of counts c as asked for, at most one for each."""
        n, odds = masses.n, _odds(masses.either)
        left, anchor, right = binomial_window(m=n, odds=odds, phi=1.0, spread=spread) if math.isfinite(odds) else (n, n, n)
        mixture = Mixture.around(m=n, odds=odds, left=left, anchor=anchor, right=right)
        kept = mixture.masses.copy()
        c = np.arange(mixture.left, mixture.right + 1, dtype=np.float64)
        slope, share = float((1 + masses.x) / 2), float(masses.share)
        moments = n - c
        moments *= share
        moments += c * slope
        moments *= kept
        after = np.empty(len(c))
        after[-1] = 0.0
        after[:-1] = np.cumsum(moments[:0:-1])[::-1]
        total = float(kept.sum()) * (1 - accumulated(mixture.sum_roundings))
        outside = (mixture.left_tail(1.0) + mixture.right_tail(1.0)) / total * _LOOSE
        ends = np.unique(np.linspace(0, len(c), min(panels, len(c)) + 1).astype(np.int64))
        single = len(ends) == len(c) + 1
        of_d = None
        if 0 < masses.share < 1:
            draws = np.maximum(n - mixture.left - (ends[:-1] if single else ends), 0)
            of_d = tables(masses, draws, half=_half_width(masses, int(draws[0]), spread))
        return cls(
            left=mixture.left,
            anchor=anchor,
            c=c,
            masses=kept,
            mass_roundings=mixture.mass_roundings,
            moments=moments,
            moments_up_to=np.cumsum(moments),
            moments_after=after,
            outside=outside,
            ends=ends,
            tables=of_d,
            next_row=0 if single else 1,
        )


def tables(masses: PairMasses, draws: NDArray[np.int64], *, half: int) -> Tables:
    """put and call of Bin(N, s) for each N of `draws`, over the counts at most `half` away from floor(s N)."""
    share, odds = masses.share, _odds(masses.share)
    middles, fractions = [], []
    for N in draws.tolist():
        middle, rest = divmod(share.numerator * N, share.denominator)
        middles.append(middle)
        fractions.append(rest / share.denominator)
    N, middle = draws.astype(np.float64)[:, None], np.array(middles, dtype=np.float64)[:, None]
    values = np.empty((len(draws), 2 * half + 5))
    values[:, 0] = values[:, -1] = 0.0
    # masses at i = 0 .. half + 1, and at i = half .. 2 half, where the running sums of their running sums go
    low, high = values[:, 1 : half + 3], values[:, half + 3 : 2 * half + 4]
    steps = np.arange(1, half + 1, dtype=np.float64)
    with np.errstate(under="ignore"):
        k, up, down = middle + steps, high[:, 1:], low[:, :half]
        np.subtract(N + 1, k, out=up)
        np.maximum(up, 0.0, out=up)
        up /= k
        up *= odds
        np.cumprod(up, axis=1, out=up)
        k = middle + 1 - steps[::-1]
        np.maximum(k, 0.0, out=down)
        down /= (N + 1) - k
        down /= odds
        np.cumprod(down[:, ::-1], axis=1, out=down[:, ::-1])
    up[up < _SMALLEST] = 0.0
    down[down < _SMALLEST] = 0.0
    low[:, half] = high[:, 0] = 1.0
    low[:, half + 1] = up[:, 0]
    unseen = 2 * half * _SMALLEST
    first, last = middle[:, 0] - half, middle[:, 0] + half
    below = _beyond(down[:, 0], np.maximum(first, 0.0) / (N[:, 0] - first + 1) / odds) + unseen
    above = _beyond(up[:, -1], np.maximum(N[:, 0] - last, 0.0) / (last + 1) * odds) + unseen
    total = down.sum(axis=1) + high.sum(axis=1)
    error = accumulated(3 * (4 * half + 2 * half + 8))  # of the total, of the quotient, and of the sums of sums below
    for each in (low, high[:, ::-1]):
        np.cumsum(each, axis=1, out=each)
        np.cumsum(each, axis=1, out=each)
    values /= total[:, None]
    return Tables(
        values=values,
        centres=np.array(fractions) + half,
        half=half,
        up=1 + 2 * error,
        down=max(0.0, (1 - 2 * error) * (1 - float(((below + above) / total).max()) * _LOOSE)),
        below=float((below / total).max()) * _LOOSE,
        above=float((above / total).max()) * _LOOSE,
    )


def _beyond(mass: Floats, ratio: Floats) -> Floats:
    """A bound on the sum of the masses beyond one, whose ratio to the next is given and falls: infinite where it need not converge."""
    inside = np.minimum(ratio, 0.9999999)
    bound: Floats = np.maximum(mass, _SMALLEST) * inside / (1 - inside)
    bound[ratio > inside] = np.inf
    return bound


def _half_width(masses: PairMasses, draws: int, spread: float) -> int:
    """So that about e^-spread of d's mass lies further away (Bernstein's inequality); only a choice."""
    s = float(masses.share)
    return min(max(math.ceil(math.sqrt(2 * spread * draws * s * (1 - s)) + _BERNSTEIN * spread), 1) + 1, draws + 2)


def _odds(mass: Fraction) -> float:
    """mass/(1 - mass), once rounded; infinite for 1."""
    return math.inf if mass == 1 else float(mass / (1 - mass))
