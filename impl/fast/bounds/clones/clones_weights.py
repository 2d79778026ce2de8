"""What the profile of a pair of the clones family is made of, for one n and one epsilon0: tables that do not depend on epsilon.

    P(c) = x^c/c!,   G(k) = y^k/k!,   H(j) = (x/2)^j/j!,   each relative to an anchor, with x/y = p/(1-p) and y of 26 bits,
    Pr(C = c) = P(c) G(m-c),   W(c) = sum of Pr(C = c') over left <= c' <= c,   X(c) = W(c)/P(c),   relative to Pr(C = anchor).

For i + j = c + 1 the powers of x cancel, and with K made of the anchors alone

    W(c) c! 2^-c/(i! j!) = K X(c) H(i) H(j).

y is near m (1-p), so that x is near m p, and P, G and H have their modes in the middle: nothing leaves the range of floats but what
is far away. Errors: 2 U for an entry of P, G and H (poisson_weights.py), 5 U for a mass, 7 U for W, 10 U for X.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.clones.clones_constants import LocalConstants
from shuffleproof.impl.fast.bounds.clones.clones_mixture import Floats, window
from shuffleproof.impl.fast.numeric.poisson_weights import PoissonWeights, running_sums, short
from shuffleproof.impl.fast.numeric.results import working

H_AT_ANCHOR = 2.0**300
"""So that products of two entries of H are normal where delta is 1e-305 or more."""
_LEAST_MASS = 1e-250
"""Least Pr(C = c) that is kept, relative to the anchor's: sums of fewer than 10^9 lost ones stay far below TAIL_SHARE."""
_LEAST_X = 1e-150
"""Least X(c) kept, so that its products with entries of H are normal floats; clones_table.py refuses the products that are not."""
_LARGEST_X = 1e100
"""Largest X(c) kept: with two entries of H, at most H_AT_ANCHOR = 2^300 = 2e90 each, a term is at most 4e280."""
_LEAST_K = 1e-90
"""Least K answered here; clones_profile.py, which starts afresh, answers below."""
_LARGEST_K = 1e90
"""Largest K answered here; clones_profile.py answers above."""


@dataclass(frozen=True)
class ClonesWeights:
    """Holds weights for a range of c.

    Masses and X for c = left .. right, P for c up to right + 1, H, which grows on demand and is H_AT_ANCHOR at its anchor; K for an H
    that is 1 there."""

    m: int
    odds: float
    left: int
    right: int
    masses: Floats
    X: Floats
    P: PoissonWeights
    H: PoissonWeights
    K: float

    @classmethod
    @np.errstate(under="ignore")  # what is lost to it is not kept
    def of(cls, local: LocalConstants, *, m: int, least_phi: float, spread: float) -> ClonesWeights | None:
        """For m >= 1: counts in the windows of clones_mixture.py for phi from least_phi to 1, as far as they are in the range of floats.

        None where not even their middle is.
        """
        with working():
            odds = local.odds_factor / local.T_minus_1
            anchor = min(m, round(m * local.odds_factor / local.total))
            y = short(float(m * local.T_minus_1 / local.total))
            x = odds * Decimal(y)
        first = window(m=m, odds=float(odds), phi=least_phi, spread=spread)[0]
        last = window(m=m, odds=float(odds), phi=1.0, spread=spread)[2]
        P = PoissonWeights(x=x, anchor=anchor, at_anchor=1.0)
        G = PoissonWeights(x=Decimal(y), anchor=m - anchor, at_anchor=1.0)
        P.cover(first, last + 1)
        G.cover(m - last, m - first)
        first, last = max(first, P.first, m - G.last), min(last, P.last - 1, m - G.first)
        if not first <= anchor <= last:
            return None
        masses = P.values[first - P.first : last - P.first + 1] * G.values[m - last - G.first : m - first - G.first + 1][::-1]
        first, masses = _kept(masses, first, anchor, masses >= _LEAST_MASS)
        X = running_sums(masses)
        X /= P.values[first - P.first : first - P.first + len(X)]
        left, X = _kept(X, first, anchor, (X >= _LEAST_X) & (X <= _LARGEST_X))
        masses = masses[left - first : left - first + len(X)]
        half = (anchor + 1) // 2
        with working():
            H = PoissonWeights(x=x / 2, anchor=half, at_anchor=H_AT_ANCHOR)
            K = float(local.log_mass(m=m, c=anchor, t=half).exp() / (half if anchor % 2 else x / 2))
        if not _LEAST_K < K < _LARGEST_K:
            return None
        return cls(m, float(odds), left, left + len(X) - 1, masses, X, P, H, K)

    def left_tail(self, left: int, growth: float) -> float:
        """A bound on the sum over j >= 1 of Pr(left - j) growth^j: ratios fall as c falls, so the first one makes a geometric majorant."""
        if left == 0:
            return 0.0
        return _geometric(float(self.masses[left - self.left]), left / (self.m - left + 1) / self.odds * growth)

    def right_tail(self, right: int, decay: float) -> float:
        """A bound on the sum over j >= 0 of Pr(right + 1 + j) decay^j."""
        if right == self.m:
            return 0.0
        ratio = self.odds * (self.m - right) / (right + 1)
        return _geometric(float(self.masses[right - self.left]) / decay, ratio * decay)


def _geometric(mass: float, ratio: float) -> float:
    return mass * ratio / (1 - ratio) * (1 + 2.0**-20) if ratio < 0.9999999 else math.inf


def _kept(values: Floats, first: int, anchor: int, usable: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[int, Floats]:
    """The longest run of usable entries around the anchor's, and the count it begins at; the anchor's are usable."""
    lost = np.flatnonzero(~usable)
    middle = anchor - first
    below, above = lost[lost < middle], lost[lost > middle]
    start, stop = int(below[-1]) + 1 if len(below) else 0, int(above[0]) if len(above) else len(values)
    return first + start, values[start:stop]
