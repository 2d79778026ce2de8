"""What an evaluation of the optimal pair needs that does not depend on epsilon: the masses of C = a + b, and the law of d given C.

C ~ Bin(n, 2r) in a window; what lies outside contributes at most q A Pr(C outside) to delta, as (a A + b B - d (E - 1))_+ <= a A, its
factor is q/n, and a <= n. Given C = c, d ~ Bin(N, s), N = n - c (optimal_pair_tables.py).

The law of one N may serve a panel of counts c: d - s N grows with N in convex order, by a centred term for each further draw, so that the
largest N of the panel gives the upper side of every convex function of d - s N, and the smallest N the lower one (BEYOND.Reduction).
Where every c has the law of its own N, both sides are the same.
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
from shuffleproof.impl.fast.bounds.optimal_pair_tables import LOOSE, Tables, half_width
from shuffleproof.impl.fast.numeric.rounding import accumulated


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
        """What lies outside has a probability of about e^-spread; at least as many panels of counts c as asked for, or one for each."""
        n, odds = masses.n, _odds(masses.either)
        left, anchor, right = binomial_window(m=n, odds=odds, phi=1.0, spread=spread) if math.isfinite(odds) else (n, n, n)
        right = _last(n * float(masses.either), anchor, right, spread)
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
        outside = (mixture.left_tail(1.0) + mixture.right_tail(1.0)) / total * LOOSE
        most, half = n - mixture.left, half_width(masses, n - mixture.left, spread)
        single = panels >= len(c)
        ends = np.linspace(0, len(c), (len(c) if single else panels) + 1).astype(np.int64)
        of_d = None
        if 0 < masses.share < 1 and single:
            of_d = Tables.of_consecutive(masses, most, n - mixture.right, half=half)
        elif 0 < masses.share < 1:
            of_d = Tables.of(masses, np.maximum(most - ends, 0), half=half)
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


def _last(mean: float, anchor: int, right: int, spread: float) -> int:
    """Fewer counts where few are expected: Pr(C >= k) <= e^(k - mean) (mean/k)^k. Only a choice, as the window is."""
    while right > max(anchor + 1, 2 * mean) and right * math.log(right / mean) - right + mean >= spread:
        right -= 1
    return right


def _odds(mass: Fraction) -> float:
    """mass/(1 - mass), once rounded; infinite for 1."""
    return math.inf if mass == 1 else float(mass / (1 - mass))
