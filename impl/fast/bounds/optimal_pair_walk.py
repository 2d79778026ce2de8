"""The optimal pair with its third count at its mean: one sum over C = a + b, both sides in float64.

With f_c, F_c the PMF and CDF of Bin(c, 1/2), t = floor(tau_c) and m_c = (1 + x)/2 c + s (n - c), so that c/2 - tau_c = kappa m_c,

    E[(tau_c - b)_+ | C = c] = (c - t)/2 f_c(t) - kappa m_c F_c(t),
    F_{c+1}(t) = F_c(t) - f_c(t)/2,   F_{c+1}(t + 1) = F_c(t) + f_c(t + 1)/2,

since b f_c(b) sums to (c/2) F_{c-1}(t - 1) = (c/2)(F_c(t) - f_{c-1}(t)/2) and f_{c-1}(t) = 2 (c - t)/c f_c(t). Summation by parts leaves
F_c at one end of the window, the one where f_c(t) is smaller, and the sums over c of f_c(t) times the running sums of Pr(c) m_c. The two
parts cancel to about the square of the number of standard deviations that the event is away: the error is counted for both, and
subtracted last.

Thresholds. tau - t is known to within ETA. Where that moves t by one, a term (tau - b) of at most ETA is counted or missed, for one b
at distance one of t at most: ETA f_c(t) max(1, (c - t)/(t + 1)) for each such c covers it, on both sides.

Underflow. Pr(c) and f_c(t) are both normal floats, their products need not be: where tau >= 0 only far from the anchor, all of them may
vanish. Each of at most 2^21 counts c then loses at most 2^-1074 times factors c - t, t + 1 or (c - t)/(t + 1), below 2^60 together:
less than UNSEEN in all, on both sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.clones_mixture import LARGEST, SMALLEST, Floats, pieces
from shuffleproof.impl.fast.bounds.optimal_pair_window import Window
from shuffleproof.impl.fast.bounds.thresholds import ETA, parts, scaled
from shuffleproof.impl.fast.numeric.results import out_of_range
from shuffleproof.impl.fast.numeric.rounding import U, accumulated
from shuffleproof.impl.fast.numeric.scratch import scratch

UNSEEN = 1e-290
_NEAR = 1e-9
"""Only where tau is that near to an integer may t be off by one."""
_SERIES_SPREAD = 36.0


@dataclass(frozen=True)
class Walk:
    """For every c of the window: t = floor(tau) and a = tau - t in [0, 1], b = max(t, 0), and f_c(b) relative to the anchor's.

    roundings: of f_c(b) times the mass of c at most.
    """

    t: Floats
    a: Floats
    b: Floats
    pmf: Floats
    roundings: int


@np.errstate(over="ignore", under="ignore")
def walk(window: Window, *, slope: Decimal, shift: Decimal) -> Walk:
    """f_{c+1}(b)/f_c(b) = (c + 1)/2/(c + 1 - b) and f_{c+1}(b + 1)/f_c(b) = (c + 1)/2/(b + 1): 2 roundings a step; slope < 1."""
    t, a = _thresholds(window.left, len(window.c), slope, shift)
    b = np.maximum(t, 0.0) if t[0] < 0 else t
    c, middle = window.c, window.anchor - window.left
    pmf = scratch("pmf", len(c))
    for piece in pieces(len(c) - 1):
        before, after, c_plus_1 = b[piece], b[piece.start + 1 : piece.stop + 1], c[piece.start + 1 : piece.stop + 1]
        rises = after - before
        if rises.max() > 1:  # only where the slope is within ETA of 1
            raise out_of_range("thresholds rise by more than one count")
        half, divisor = c_plus_1 * 0.5, np.where(rises > 0, after, c_plus_1 - before)
        up = min(max(middle - piece.start, 0), len(half))
        np.divide(half[up:], divisor[up:], out=pmf[piece.start + up + 1 : piece.stop + 1])
        np.divide(divisor[:up], half[:up], out=pmf[piece.start : piece.start + up])
    pmf[middle] = 1.0
    np.cumprod(pmf[middle + 1 :], out=pmf[middle + 1 :])
    np.cumprod(pmf[:middle][::-1], out=pmf[:middle][::-1])
    if not (pmf.min() > SMALLEST and pmf.max() < LARGEST):
        raise out_of_range("sums leave the range of floats")
    return Walk(t, a, b, pmf, 2 * max(middle, len(c) - middle) + window.mass_roundings + 1)


def upward(window: Window, path: Walk, piece: slice) -> Floats:
    """(c - b)/(b + 1) = f_c(b + 1)/f_c(b): 1 rounding."""
    ratio: Floats = window.c[piece] - path.b[piece]
    ratio /= path.b[piece] + 1
    return ratio


def at_the_mean(window: Window, path: Walk, kappa: float) -> tuple[float, float]:
    """(lower, upper) around the sum over the window of Pr(c) E[(tau_c - b)_+], relative to the anchor's; kappa: once rounded."""
    t, c, pmf = path.t, window.c, path.pmf
    first = int(np.searchsorted(t, 0.0))  # t does not decrease
    from_left = first < len(t) and pmf[first] <= pmf[-1]
    sums = window.moments_after if from_left else window.moments_up_to
    if first and not from_left:
        sums = np.concatenate([window.moments[:first], np.cumsum(window.moments[first:])])
    slack = gain = rises = falls = 0.0
    for piece in pieces(len(c)):
        up, weights, a = upward(window, path, piece), pmf[piece] * window.masses[piece], path.a[piece]
        near = np.flatnonzero(np.abs(a - 0.5) > 0.5 - _NEAR)
        near = near[t[piece][near] >= -1]
        slack += float((weights[near] * np.maximum(up[near], 1.0)).sum())
        inside = slice(max(first, piece.start), min(piece.stop, len(c) - 1))
        own = slice(max(first - piece.start, 0), None)
        weights *= c[piece] - path.b[piece]
        gain += float(weights[own].sum())
        if inside.start < inside.stop:
            steps = pmf[inside] * sums[inside]
            rising = steps * (t[inside.start + 1 : inside.stop + 1] - t[inside])
            steps -= rising
            falls += float(steps.sum())
            rising *= up[own][: len(rising)]
            rises += float(rising.sum())
    slack *= ETA * (1 + 2.0**-10)
    if first == len(t):
        return 0.0, slack + UNSEEN
    end = first if from_left else len(t) - 1
    terms = float(window.moments_after[first] + window.moments[first] if from_left else sums[-1])
    series, rest, roundings = _tail_over_mass(float(c[end]), float(t[end]))
    anchored, unseen = terms * float(pmf[end]) * series, kappa * terms * float(pmf[end]) * rest * (1 + 2.0**-10)
    gain, rises, falls = gain / 2, rises / 2, falls / 2
    loss = kappa * (anchored + (rises - falls if from_left else falls - rises))
    error = accumulated(path.roundings + 3 * len(c) + roundings + 16) * (gain + kappa * (anchored + rises + falls)) * (1 + 2.0**-10)
    error += slack + UNSEEN + 8 * U * (gain + abs(loss))  # the latter: of the difference, and of what is added to it here
    return max(gain - loss - error - unseen, 0.0), max(gain - loss + error, 0.0)


def _tail_over_mass(c: float, t: float) -> tuple[float, float, int]:
    """F_c(t)/f_c(t) for t <= c/2: a partial sum, a bound on what it leaves out, and its roundings.

    The sum over k of Pi_k = product over i < k of (t - i)/(c - t + 1 + i): ratios fall below 1, so the rest is below a geometric series.
    """
    steepness = math.log((c + 1 - t) / t) if t > 0 else math.inf
    wanted = 2 * _SERIES_SPREAD / (steepness + math.sqrt(steepness**2 + 8 * _SERIES_SPREAD / (c + 1)))
    terms = int(min(t, wanted + 2))
    k = np.arange(terms, dtype=np.float64)
    products = np.cumprod((t - k) / (c - t + 1 + k))
    rest = 0.0
    if terms < t:
        ratio = (t - terms) / (c - t + 1 + terms)
        rest = float(products[-1]) * ratio / (1 - ratio) * (1 + 2.0**-10) if terms else ratio / (1 - ratio)
    return 1.0 + float(products.sum()), rest, 3 * terms + 8


def _thresholds(first: int, length: int, slope: Decimal, shift: Decimal) -> tuple[Floats, Floats]:
    """t = floor(tau) and a = tau - t for tau = c slope - shift, c = first, first + 1, ... <= 2^30, 0 <= slope < 1, 0 <= shift <= 2^30.

    Both are within 2^31 2^-140 of tau, and 10^9 2e-38.
    """
    t, a = parts(first, length, slope=scaled(slope), shift=scaled(shift))
    if length > 1 and (t[1:] < t[:-1]).any():  # tau does not decrease, so these lie within ETA of the integer before
        highest = np.maximum.accumulate(t)
        a[highest > t] = 0.0
        t = highest
    return t, a
