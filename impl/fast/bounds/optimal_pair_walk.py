"""The optimal pair with its third count at its mean: one sum over C = a + b, both sides in float64.

With f_c, F_c the PMF and CDF of Bin(c, 1/2), t = floor(tau_c) and m_c = (1 + x)/2 c + s (n - c), so that c/2 - tau_c = kappa m_c,

    E[(tau_c - b)_+ | C = c] = (c - t)/2 f_c(t) - kappa m_c F_c(t),        F_{c+1}(t) = F_c(t) - f_c(t)/2,  F_{c+1}(t+1) = F_c(t) + f_c(t+1)/2,

since b f_c(b) sums to (c/2) F_{c-1}(t - 1) = (c/2)(F_c(t) - f_{c-1}(t)/2) and f_{c-1}(t) = 2 (c - t)/c f_c(t). Summation by parts leaves
F_c at one end of the window, the one where f_c(t) is smaller, and the sums over c of f_c(t) times the running sums of Pr(c) m_c. The two
parts cancel to about the square of the number of standard deviations that the event is away: the error is counted for both, and
subtracted last.

Thresholds. tau - t is known to within ETA. Where that moves t by one, a term (tau - b) of at most ETA is counted or missed, for one b
at distance one of t at most: ETA f_c(t) max(1, (c - t)/(t + 1)) for each such c covers it, on both sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.clones_mixture import LARGEST, SMALLEST, STEPS, Floats, pieces
from shuffleproof.impl.fast.bounds.optimal_pair_window import Window
from shuffleproof.impl.fast.rounding import U, accumulated
from shuffleproof.impl.fast.scalars import working
from shuffleproof.spec.errors import UnsupportedError

ETA = 4 * U
"""Error of tau - t: a fraction exact in floats plus less than 2^-21, known to within 2^-70: one rounding below 2, one more for 1 - it."""
_NEAR = 1e-9
"""Only where tau is that near to an integer may t be off by one."""
_SHIFT = 36
_LONG = 140
_SERIES_SPREAD = 36.0


@dataclass(frozen=True)
class Walk:
    """For every c of the window: t = floor(tau) and a = tau - t in [0, 1], b = max(t, 0) and f_c(b) relative to the anchor's.

    weights: Pr(c) f_c(b), relative to the anchor's; up: (c - b)/(b + 1) = f_c(b + 1)/f_c(b); roundings: of each weight at most.
    """

    t: Floats
    a: Floats
    b: Floats
    pmf: Floats
    weights: Floats
    up: Floats
    roundings: int


@np.errstate(over="ignore", under="ignore")
def walk(window: Window, *, slope: Decimal, shift: Decimal) -> Walk:
    """f_{c+1}(b)/f_c(b) = (c + 1)/2/(c + 1 - b) and f_{c+1}(b + 1)/f_c(b) = (c + 1)/2/(b + 1): 2 roundings a step; slope < 1."""
    t, a = _thresholds(window.left, len(window.c), slope, shift)
    b = np.maximum(t, 0.0)
    c, middle = window.c, window.anchor - window.left
    pmf = np.empty(len(c))
    before, after = b[:-1], c[1:]
    rises = b[1:] - before
    if len(rises) and rises.max() > 1:  # only where the slope is within ETA of 1
        raise out_of_range("thresholds rise by more than one count")
    ratio = after * 0.5
    ratio /= np.where(rises > 0, before + 1, after - before)
    pmf[middle] = 1.0
    np.cumprod(ratio[middle:], out=pmf[middle + 1 :])
    np.cumprod(1 / ratio[:middle][::-1], out=pmf[:middle][::-1])
    if not (pmf.min() > SMALLEST and pmf.max() < LARGEST):
        raise out_of_range("sums leave the range of floats")
    up = c - b
    up /= b + 1
    return Walk(t, a, b, pmf, pmf * window.masses, up, 3 * max(middle, len(c) - middle) + window.mass_roundings + 1)


def at_the_mean(window: Window, path: Walk, kappa: float) -> tuple[float, float]:
    """(lower, upper) around the sum over the window of Pr(c) E[(tau_c - b)_+], relative to the anchor's; kappa: once rounded."""
    t, c, weights = path.t, window.c, path.weights
    near = np.flatnonzero(((path.a < _NEAR) | (path.a > 1 - _NEAR)) & (t >= -1))
    slack = ETA * float((weights[near] * np.maximum(path.up[near], 1.0)).sum()) * (1 + 2.0**-10)
    first = int(np.argmax(t >= 0)) if t[-1] >= 0 else len(t)  # t does not decrease
    if first == len(t):
        return 0.0, slack
    gain = 0.5 * float((weights[first:] * (c[first:] - t[first:])).sum())
    steps = path.pmf[first:-1] * np.where(path.b[first + 1 :] > path.b[first:-1], path.up[first:-1], -1.0)
    from_left = first > 0 or path.pmf[0] <= path.pmf[-1]
    if from_left:
        steps *= window.moments_after[first:-1]
        end, terms = first, float(window.moments_after[first] + window.moments[first])
    else:
        steps *= -window.moments_up_to[:-1]
        end, terms = -1, float(window.moments_up_to[-1])
    series, rest, roundings = _tail_over_mass(float(c[end]), float(t[end]))
    rises = float(steps[steps > 0].sum()) / 2
    falls = -float(steps[steps < 0].sum()) / 2
    anchored = terms * float(path.pmf[end]) * series
    loss = kappa * (anchored + rises - falls)
    counted = path.roundings + 3 * len(c) + roundings + 16
    error = accumulated(counted) * (gain + kappa * (anchored + rises + falls)) * (1 + 2.0**-10)
    unseen = kappa * terms * float(path.pmf[end]) * rest * (1 + 2.0**-10)
    # of the difference, and of what is added to it here
    last = 8 * U * (gain + abs(loss))
    return max(gain - loss - error - unseen - slack - last, 0.0), max(gain - loss + error + slack + last, 0.0)


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

    In each piece tau = (its integer part at the start) + x + y, x = F + j R with F < 1 and R < 1 multiples of 2^-36 and j < 2^14, exact
    in floats, and y < 2^-36 + 2^14 2^-36, from the rest of both.
    """
    with working():
        scaled, offset = int(slope * 2**_LONG), int(shift * 2**_LONG)  # both within 2^31 2^-140 of tau, and 10^9 2e-38
    high, low = _split(scaled)
    t, a = np.empty(length), np.empty(length)
    for piece in pieces(length):
        whole, fraction = divmod((first + piece.start) * scaled - offset, 2**_LONG)
        start, rest = _split(fraction)
        j = STEPS[: piece.stop - piece.start]
        integer, x = t[piece], a[piece]
        np.multiply(j, high, out=x)
        x += start
        np.floor(x, out=integer)
        x -= integer
        x += j * low + rest
        integer += whole
        if x.max() > 1:
            over = x > 1
            integer += over
            x -= over
    if length > 1 and (t[1:] < t[:-1]).any():  # tau does not decrease, so these lie within ETA of the integer before
        highest = np.maximum.accumulate(t)
        a[highest > t] = 0.0
        t = highest
    return t, a


def _split(scaled: int) -> tuple[float, float]:
    """scaled/2^_LONG < 1 as a multiple of 2^-_SHIFT and the rest, rounded."""
    high, low = divmod(scaled, 2 ** (_LONG - _SHIFT))
    return high / 2**_SHIFT, low / 2**_LONG


def out_of_range(reason: str) -> UnsupportedError:
    """The refusal of this engine, with the advice that helps."""
    return UnsupportedError(what="the float64 engine at these parameters", reason=reason, advice='use engine "ball"')
