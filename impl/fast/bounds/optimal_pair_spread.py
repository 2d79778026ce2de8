"""What the spread of the optimal pair's third count adds to the sum with d at its mean, both sides in float64.

Given C = c and b, with y = tau_c - b and d' = kappa (d - s N), N = n - c, of mean 0,

    E(y - d')_+ = y_+ + psi(y),      psi(y) = kappa put(s N + y/kappa) for y <= 0,  kappa call(s N + y/kappa) for y >= 0,

where put(u) = E(u - d)_+ and call(u) = E(d - u)_+ (optimal_pair_window.py). So the sum adds Pr(c) f_c(b) psi(tau_c - b) over c and b:
positive terms, of which only those with |y| within the spread of d' count, and values further out are 0 in the window's tables.

Short windows take every (c, b), f_c(b) from ratios of neighbours. Long ones sort c by the fraction a of tau = t + a into bins: psi(a - j)
is convex in a on [0, 1] for every integer j, so by a bin's mean of a it is above psi there (Jensen), and below the chord between the bin's
ends; f_c(t + j)/f_c(t) lies between products of the extreme ratios of neighbours in the panel.

The law of d serves a panel of counts c: larger N above, smaller N below. Positions in the tables are known to within `doubt` = ETA/kappa
+ 8 U (width + 4), and psi falls on both sides of 0: it is taken at a position moved by that much towards 0, which is too large by at most
2 doubt kappa times the table's slope there, the steepest between there and as far on the other side. (Within the doubt of 0, where psi
may rise and fall, that slope is at most 1.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.clones_mixture import Floats
from shuffleproof.impl.fast.bounds.optimal_pair_walk import ETA, Walk, out_of_range
from shuffleproof.impl.fast.bounds.optimal_pair_window import Tables, Window
from shuffleproof.impl.fast.rounding import U, accumulated

_LONG = 4096
"""Panels of so many counts c are sorted into bins."""
_BINS = 64
_CELLS = 200_000
_MOST_CELLS = 30_000_000
_LOOSE = 1 + 2.0**-10
_UNDERFLOW = 1e-280
"""More than 10^8 terms lose, over the largest weight, by falling below the normal floats: f_c(b) has one mode, so nothing grows again."""
_SLOPE_ERROR = 2.0**-20
"""Relative to the values themselves: far more than the error of a difference of two of them."""


def added(window: Window, path: Walk, kappa: float) -> tuple[float, float]:
    """(lower, upper) around the sum over the window of Pr(c) f_c(b) psi(tau_c - b), relative to the anchor's; kappa: once rounded."""
    if window.lower is None or window.upper is None or kappa == 0.0:
        return 0.0, 0.0
    if int(np.diff(window.ends).max()) >= _LONG and path.t[0] >= 1:
        return _by_bins(window, path, kappa, window.lower, window.upper)
    rows = np.repeat(np.arange(len(window.ends) - 1), np.diff(window.ends))
    lower = upper = steep = 0.0
    reach = _reach(window.upper, kappa, path)
    if sum(reach) * len(window.c) > _MOST_CELLS:
        raise out_of_range(f"{sum(reach) * len(window.c):.1e} terms")
    doubt = ETA / kappa + 8 * U * (window.upper.width + 4)
    columns = max(1, _CELLS // (sum(reach) + 1))
    for start in range(0, len(window.c), columns):
        part = slice(start, min(start + columns, len(window.c)))
        b, relative = _neighbours(window.c[part], path.b[part], reach)
        y = path.t[part] - b + path.a[part]
        relative *= path.weights[part]
        value, slope = _psi(window.upper, rows[part], y, kappa, doubt)
        high = float((relative * value).sum())
        upper += high
        if window.lower is not window.upper:
            value, slope = _psi(window.lower, rows[part], y, kappa, doubt)
            high = float((relative * value).sum())
        lower += high
        steep += float((relative * slope).sum())
    if not upper < np.inf:
        raise out_of_range("sums leave the range of floats")
    error = accumulated(path.roundings + 4 * sum(reach) + len(window.c) + _CELLS + 32)
    unseen = _UNDERFLOW * float(path.weights.max())
    return _sides(lower, upper, error, 2 * doubt * kappa * steep * _LOOSE + unseen, unseen, window)


def _sides(lower: float, upper: float, error: float, less: float, more: float, window: Window) -> tuple[float, float]:
    assert window.lower is not None and window.upper is not None
    low = lower * window.lower.down * (1 - error) - less * (1 + error)
    return max(low, 0.0), (upper * window.upper.up * (1 + error) + more) * (1 + 4 * U)


def _reach(table: Tables, kappa: float, path: Walk) -> tuple[int, int]:
    """How far below and above b the tables are not 0."""
    half = kappa * (table.width / 2 + 2) * _LOOSE + 2
    return int(min(half, path.b[-1])), int(half)


def _neighbours(c: Floats, b: Floats, reach: tuple[int, int]) -> tuple[Floats, Floats]:
    """The counts b - reach[0] .. b + reach[1], one row each, and f_c there over f_c(b): 3 roundings a step, 0 outside [0, c]."""
    below, above = reach
    relative = np.ones((below + 1 + above, len(c)))
    shifts = np.arange(-below, above + 1, dtype=np.float64)[:, None]
    counts = b + shifts
    with np.errstate(over="ignore", under="ignore"):
        upward = counts[below + 1 :]
        np.cumprod(np.maximum(c - upward + 1, 0.0) / np.maximum(upward, 1.0), axis=0, out=relative[below + 1 :])
        downward = counts[:below][::-1]
        relative[:below] = np.cumprod(np.maximum(downward + 1, 0.0) / (c - np.maximum(downward, -1.0)), axis=0)[::-1]
    return counts, relative


def _psi(table: Tables, rows: NDArray[np.int64], y: Floats, kappa: float, doubt: float) -> tuple[Floats, Floats]:
    """psi(y) by the table as it is, `doubt` counts nearer to 0, and the slope there; y with one column for each of `rows`."""
    negative = y < 0
    place = y * (1 / kappa) + table.centres[rows]
    place += np.where(negative, doubt, -doubt)
    np.clip(place, 0.0, table.width, out=place)
    index = np.minimum(place.astype(np.int64), table.width - 1)
    part = place - index
    index += rows * (table.width + 1)
    puts, calls = table.put.reshape(-1), table.call.reshape(-1)
    first = np.where(negative, puts[index], calls[index])
    index += 1
    second = np.where(negative, puts[index], calls[index])
    slope = np.abs(second - first)
    slope += (first + second) * _SLOPE_ERROR
    slope[np.abs(y) <= 2 * doubt * kappa] = 1.0
    value: Floats = (first * (1 - part) + second * part) * kappa
    return value, slope


def _by_bins(window: Window, path: Walk, kappa: float, low_table: Tables, high_table: Tables) -> tuple[float, float]:
    below, above = _reach(high_table, kappa, path)
    edges = np.arange(_BINS + 1) / _BINS
    shifts = np.arange(-below, above + 1, dtype=np.float64)[:, None]
    # Each sum and product of positive numbers here has fewer roundings than this; a bin's mean is known to within twice the error.
    error = accumulated(path.roundings + 2 * len(window.c) + 8 * (below + above) + len(window.ends) + 2 * _BINS + 64)
    doubt = ETA / kappa + 8 * U * (high_table.width + 4)
    low_doubt = doubt + 4 * error / kappa
    lower = upper = less = more = 0.0
    for row, (start, end) in enumerate(zip(window.ends[:-1].tolist(), window.ends[1:].tolist(), strict=True)):
        part, at = slice(start, end), np.full(1, row)
        a, weights = path.a[part], path.weights[part]
        bins = np.minimum((a * _BINS).astype(np.int64), _BINS - 1)
        mass = np.bincount(bins, weights=weights, minlength=_BINS)
        moment = np.bincount(bins, weights=weights * a, minlength=_BINS)
        mean = np.clip(np.divide(moment, mass, out=edges[:-1].copy(), where=mass > 0), edges[:-1], edges[1:])
        smallest, largest = _ratio_products(window.c[part], path.b[part], path.up[part], below, above)
        chord, _ = _psi(high_table, at, edges - shifts, kappa, doubt)
        rise = (mean - edges[:-1]) * _BINS
        upper += float((largest @ ((chord[:, :-1] * (1 - rise) + chord[:, 1:] * rise) * mass)).sum())
        more += 4 * error * _BINS * float((largest @ (np.abs(chord[:, 1:] - chord[:, :-1]) * mass)).sum())
        value, slope = _psi(low_table, at, mean - shifts, kappa, low_doubt)
        lower += float((smallest @ (value * mass)).sum())
        less += 2 * low_doubt * kappa * float((smallest @ (slope * mass)).sum())
    unseen = _UNDERFLOW * float(path.weights.max())
    return _sides(lower, upper, error, less * _LOOSE + unseen, more * _LOOSE + unseen, window)


def _ratio_products(c: Floats, b: Floats, up: Floats, below: int, above: int) -> tuple[Floats, Floats]:
    """Below and above f_c(b + j)/f_c(b) for j = -below .. above and every c of a panel: products of (c - b - i)/(b + 1 + i), each the
    ratio (c - b)/(b + 1) times (1 - i/(c - b))/(1 + i/(b + 1)); downwards of (b - i)/(c - b + 1 + i) likewise."""
    rest = c - b
    rising = _products((float(up.min()), float(up.max())), (rest.min(), rest.max()), (b.min() + 1, b.max() + 1), above)
    down = b / (rest + 1)
    falling = _products((float(down.min()), float(down.max())), (b.min(), b.max()), (rest.min() + 1, rest.max() + 1), below)
    low, high = (np.concatenate([side[::-1], [1.0], other]) for side, other in zip(falling, rising, strict=True))
    return low, high


def _products(ratio: tuple[float, float], top: tuple[float, float], bottom: tuple[float, float], steps: int) -> tuple[Floats, Floats]:
    i = np.arange(steps, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        low = np.cumprod(np.maximum(ratio[0] * (1 - i / max(top[0], 1.0)) / (1 + i / bottom[0]), 0.0))
        high = np.cumprod(np.maximum(ratio[1] * (1 - i / max(top[1], 1.0)) / (1 + i / bottom[1]), 0.0))
    return low, high
