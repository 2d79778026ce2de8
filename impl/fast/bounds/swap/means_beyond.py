"""E(L - t)_+ of distributions of losses at knots t, and the least distribution above several, in float64.

As a function of t it is convex, so that it is below chords between its values. For t < 0 it is held with t added, as E max(L, t), so that
roundings are next to E|L| and not to t, and means next to 0 are kept; 0 is one of the knots.
"""

import math

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms
from shuffleproof.impl.fast.numeric.results import U


def means_beyond(atoms: Atoms, knots: Floats) -> Floats:
    """E max(L - t, 0) for knots t >= 0, E max(L, t) for t < 0, at most; 0 has the mass that is left.

    Masses go to the two knots next to where they stand, their means kept, which raises it; what is below all knots goes to the first one.
    """
    mass, at, error = atoms
    error = (1 + error) * (1 + (len(mass) + 3 * len(knots)) * U) - 1
    at, zero = np.maximum(at + 1e-12 * np.abs(at), knots[0]), int(np.searchsorted(knots, 0.0))
    low = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    share = np.clip((at - knots[low]) / (knots[low + 1] - knots[low]), 0.0, 1.0)
    spread = np.bincount(low, mass * (1 - share), len(knots)) + np.bincount(low + 1, mass * share, len(knots))
    steps = np.diff(knots)
    beyond = np.cumsum(spread[:zero:-1])[::-1] * steps[zero:]  # P(L > t) from each knot to the next
    below = np.cumsum(spread[:zero]) * steps[:zero]  # P(L <= t) there
    more = np.append(np.cumsum(beyond[::-1])[::-1], 0.0) * (1 + error)
    less = np.cumsum(below[::-1])[::-1] * (1 - error)
    found: Floats = np.concatenate([more[0] - less, more])
    return found


def above(means: Floats, knots: Floats) -> Losses:
    """A distribution on the knots that has at least these means; 0 has what is left.

    A step's share of a mean is its slope times its length, up to four roundings, and so is what masses make of it.
    """
    zero, slopes = int(np.searchsorted(knots, 0.0)), np.diff(means) / np.diff(knots)
    beyond = np.maximum.accumulate(np.append(-slopes[zero:], 0.0)[::-1])[::-1]
    below = np.maximum(np.minimum.accumulate(np.minimum(slopes[:zero], 1.0 - beyond[0])[::-1])[::-1], 0.0)
    slack = (8 * len(knots) + 64) * U
    mass = np.concatenate([np.diff(below, prepend=0.0) * (1 - slack), -np.diff(beyond) * (1 + slack)])
    at = np.delete(knots, zero)
    return Losses(mass, at, at, 32 * U)


def knots_to(fine: float, last: float, largest: float, ratio: float) -> Floats:
    """Return knots on both sides of 0 in steps up to `last`, and beyond it each so many times the one before, to `largest` or more."""
    near = np.arange(math.ceil(last / fine) + 1) * fine
    far = near[-1] * ratio ** np.arange(1, math.ceil(math.log(max(1.0, largest / near[-1])) / math.log(ratio)) + 2)
    up = np.concatenate([near, far])
    return np.concatenate([-up[:0:-1], up])
