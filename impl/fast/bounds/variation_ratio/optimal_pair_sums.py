"""The two sums of the optimal pair over C = a + b, both sides in float64: with d at its mean, and what the spread of d adds.

With d at its mean. With f_c, F_c the PMF and CDF of Bin(c, 1/2), t = floor(tau_c) and m_c = (1 + x)/2 c + s (n - c), so that
c/2 - tau_c = kappa m_c,

    E[(tau_c - b)_+ | C = c] = (c - t)/2 f_c(t) - kappa m_c F_c(t),
    F_{c+1}(t) = F_c(t) - f_c(t)/2,   F_{c+1}(t + 1) = F_c(t) + f_c(t + 1)/2,

since b f_c(b) sums to (c/2) F_{c-1}(t - 1) = (c/2)(F_c(t) - f_{c-1}(t)/2) and f_{c-1}(t) = 2 (c - t)/c f_c(t). Summation by parts leaves
F_c at one end of the window, the one where f_c(t) is smaller, and the sums over c of f_c(t) times the running sums of Pr(c) m_c. The two
parts cancel to about the square of the number of standard deviations that the event is away: the error is counted for both, and
subtracted last.

Its thresholds. tau - t is known to within ETA. Where that moves t by one, a term (tau - b) of at most ETA is counted or missed, for one b
at distance one of t at most: ETA f_c(t) max(1, (c - t)/(t + 1)) for each such c covers it, on both sides.

Its underflow. Pr(c) and f_c(t) are both normal floats, their products need not be: where tau >= 0 only far from the anchor, all of them may
vanish. Each of at most 2^21 counts c then loses at most 2^-1074 times factors c - t, t + 1 or (c - t)/(t + 1), below 2^60 together:
less than UNSEEN in all, on both sides.

What the spread of d adds. Given C = c and b, with y = tau_c - b and d' = kappa (d - s N), N = n - c, of mean 0,

    E(y - d')_+ = y_+ + psi(y),      psi(y) = kappa put(s N + y/kappa) for y <= 0,  kappa call(s N + y/kappa) for y >= 0,

where put(u) = E(u - d)_+ and call(u) = E(d - u)_+ (tables of optimal_pair_laws.py). So the sum adds Pr(c) f_c(b) psi(tau_c - b) over
c and b: positive terms, of which only those with |y| within the spread of d' count, and values further out are 0 in the tables.

Short windows take every (c, b), f_c(b) from ratios of neighbours. Long ones sort c by the fraction a of tau = t + a into bins: psi(a - j)
is convex in a on [0, 1] for every integer j, so by a bin's mean of a it is above psi there (Jensen), and below the chord between the bin's
ends; f_c(t + j)/f_c(t) lies between products of the extreme ratios of neighbours for the panel and the bin.

The distribution of d serves a panel of counts c: larger N above, smaller N below. Positions in the tables are known to within `doubt` =
ETA/kappa + 8 U width, and psi falls on both sides of 0: it is taken at a position moved by that much towards 0, which is too large by at
most 2 doubt kappa times the table's slope there, the steepest between there and as far on the other side; and a table that falls to 0 is
nowhere steeper than its value one count nearer to 0. (Within the doubt of 0, where psi may rise and fall, the slope is at most 1.)
"""

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.clones.clones_constants import ETA, parts, scaled
from shuffleproof.impl.fast.bounds.clones.clones_mixture import LARGEST, SMALLEST, Floats, pieces
from shuffleproof.impl.fast.bounds.variation_ratio.optimal_pair_laws import Tables, Window
from shuffleproof.impl.fast.numeric.convolution import scratch
from shuffleproof.impl.fast.numeric.results import U, accumulated, out_of_range

UNSEEN = 1e-290
"""More than all terms lose by falling below the normal floats (see above): added to both sides."""
_NEAR = 1e-9
"""Only where tau is that near to an integer may t be off by one."""
_SERIES_SPREAD = 36.0
"""Minus the logarithm of what a tail's series leaves out: e^-36 is 2e-16, a rounding. A choice only: the rest is bounded."""
SHORT = 48
"""Counts c from which a panel is sorted into bins where that is good enough."""
LONG = 256
"""Counts c from which a panel is sorted into bins in any case. Fewer make the sides wider, not wrong."""
_BINS = 24
"""Bins for the fractions of thresholds of one panel. More make the sides closer and slower."""
_CELLS = 20_000
"""Entries summed at once: they stay in a processor's cache."""
_MOST_CELLS = 30_000_000
"""Entries summed term by term at most, beyond which the answer is refused."""
_PADDING = 2.0**-44
"""Relative widening of the extremes of ratios: more than ETA and roundings move a corner. Less would be unsound."""
_LOOSE = 1 + 2.0**-10
"""Factor on widths and small terms: far more than their roundings."""
_UNDERFLOW = 1e-280
"""More than 10^8 terms lose, over the largest weight, by falling below the normal floats: nothing lost is multiplied by much again."""
_SMALLEST_WEIGHT = 1e-300
"""Least weight of c in a bin, where f_c(b) may be _MOST_GROWTH as large as at the threshold."""
_MOST_GROWTH = 1e10
"""Growth of f_c(b) over its value at the threshold, beyond which such a weight is refused."""


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


def added(window: Window, path: Walk, kappa: float, *, shortest_sorted: int) -> tuple[float, float]:
    """(lower, upper) around the sum over the window of Pr(c) f_c(b) psi(tau_c - b), relative to the anchor's; kappa: once rounded.

    shortest_sorted: panels of as many counts c are sorted into bins, if their weights allow it.
    """
    table = window.tables
    if table is None or kappa == 0.0:
        return 0.0, 0.0
    half = kappa * (table.half + table.steps + 2) * _LOOSE + 2
    reach = int(min(half, path.b[-1])), int(half)
    longest = int(np.diff(window.ends).max())
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # what is not finite is refused below
        binned = _by_bins(window, path, table, kappa, reach) if longest >= shortest_sorted and path.t[0] >= 1 else None
        lower, upper, error, less, more = binned or _term_by_term(window, path, table, kappa, reach)
    if not (lower < np.inf and upper < np.inf):  # nor no number
        raise out_of_range("sums leave the range of floats")
    unseen = _UNDERFLOW * float(path.pmf.max()) * float(window.masses.max())
    low = lower * table.down * (1 - error) - (less * _LOOSE + unseen) * (1 + error)
    return max(low, 0.0), (upper * table.up * (1 + error) + more * _LOOSE + unseen) * (1 + 4 * U)


def _term_by_term(window: Window, path: Walk, table: Tables, kappa: float, reach: tuple[int, int]) -> tuple[float, ...]:
    """Both sums, their relative error, what more to take from the lower one, and to add to the upper one."""
    if (sum(reach) + 1) * len(window.c) > _MOST_CELLS:
        raise out_of_range(f"{sum(reach) * len(window.c):.1e} terms")
    rows = np.repeat(np.arange(len(window.ends) - 1), np.diff(window.ends))
    doubt = ETA / kappa + 8 * U * table.width
    lower = upper = steep = 0.0
    below, columns = reach[0], max(1, _CELLS // (sum(reach) + 1))
    for start in range(0, len(window.c), columns):
        part = slice(start, min(start + columns, len(window.c)))
        b, relative = _neighbours(window.c[part], path.b[part], path.pmf[part], reach)
        relative *= window.masses[part]  # last: the product may be tiny at the threshold, but not where f_c(b) has grown
        y = path.t[part] - b
        y += path.a[part]
        near_0 = slice(below, below + 2)
        steep += float(relative[near_0][np.abs(y[near_0]) <= 2 * doubt * kappa].sum())
        at = relative[below].copy()
        calls = path.t[part] >= 0  # where t < 0, b = 0 is above tau already, and nothing is below it
        for put, block, weights in ((True, slice(below, None), ~calls), (False, slice(0, below + 1), calls)):
            relative[below] = at * weights
            value, slope = _psi(table, table.rows[rows[part]], y[block], kappa, doubt, put=put)
            high = _weighted_sum(value, relative[block])
            upper += high
            if window.next_row:
                value, slope = _psi(table, table.rows[rows[part] + window.next_row], y[block], kappa, doubt, put=put)
                high = _weighted_sum(value, relative[block])
            lower += high
            steep += _weighted_sum(slope, relative[block])
    error = accumulated(path.roundings + 4 * sum(reach) + 2 * len(window.c) + 2 * _CELLS + 32)
    return lower, upper, error, 2 * doubt * kappa * steep, 0.0


def _weighted_sum(values: Floats, weights: Floats) -> float:
    """Sum values times weights, in place of the values: a value of 0 is nothing, also where the weight is beyond the floats."""
    values *= weights
    total = float(values.sum())
    return float(np.nansum(values)) if np.isnan(total) else total


def _neighbours(c: Floats, b: Floats, pmf: Floats, reach: tuple[int, int]) -> tuple[Floats, Floats]:
    """The counts b - reach[0] .. b + reach[1], one row each, and f_c there from that at b: 3 roundings a step.

    0 outside [0, c]; but infinite where it grows beyond the floats, and no number where that is followed by 0.
    """
    below, above = reach
    relative = np.empty((below + 1 + above, len(c)))
    relative[below] = pmf
    counts = b + np.arange(-below, above + 1, dtype=np.float64)[:, None]
    rising, falling = counts[below + 1 :], counts[:below][::-1]
    ratio = relative[below + 1 :]
    np.subtract(c + 1, rising, out=ratio)
    np.maximum(ratio, 0.0, out=ratio)
    ratio /= rising
    ratio[:1] *= pmf
    np.cumprod(ratio, axis=0, out=ratio)
    ratio = relative[:below][::-1]
    np.maximum(falling + 1, 0.0, out=ratio)
    ratio /= c - np.maximum(falling, -1.0)
    ratio[:1] *= pmf
    np.cumprod(ratio, axis=0, out=ratio)
    return counts, relative


def _psi(table: Tables, rows: NDArray[np.int64], y: Floats, kappa: float, doubt: float, *, put: bool) -> tuple[Floats, Floats]:
    """psi(y) by the table as it is, `doubt` counts nearer to 0, and no less than the slope there; y: a column for each of `rows`, or one.

    put: whether y <= 0 or y >= 0, up to the doubt; elsewhere values are finite and mean nothing.
    """
    place = y * (1 / kappa)
    place += table.centres[rows] + (doubt if put else -doubt)
    least, most = (0, table.half + 2 + table.steps) if put else (table.half - 1, 2 * table.half + table.steps)
    place.clip(least, most, out=place)
    index = place.astype(np.int64)
    np.minimum(index, most - 1, out=index)
    place -= index
    index += rows * table.values.shape[1] + (0 if put else 4 + 2 * table.steps)
    flat = table.values.reshape(-1)
    first, second = flat.take(index), flat[1:].take(index)
    slope = first + second
    second *= place
    np.subtract(1, place, out=place)
    first *= place
    first += second
    first *= kappa
    return first, slope


def _by_bins(window: Window, path: Walk, table: Tables, kappa: float, reach: tuple[int, int]) -> tuple[float, ...] | None:
    """The same five, or None where weights leave the range of floats."""
    below, above = reach
    edges = np.arange(_BINS + 1) / _BINS
    shifts = np.arange(-below, above + 1, dtype=np.float64)[:, None]
    # Each sum and product of positive numbers here has fewer roundings than this; a bin's mean is known to within twice the error.
    error = accumulated(path.roundings + 2 * len(window.c) + 8 * sum(reach) + 2 * len(window.ends) + 4 * _BINS + 64)
    doubt = ETA / kappa + 8 * U * table.width
    low_doubt = doubt + 4 * error / kappa
    panels = len(window.ends) - 1
    mass, moment = _sorted_by_fraction(window, path)
    smallest, largest = _ratios(window, path, edges, reach)
    growth, weight = float(largest.max()), float(path.pmf.min()) * float(window.masses.min())
    if not growth < np.inf or (growth > _MOST_GROWTH and weight < _SMALLEST_WEIGHT):
        return None
    mean = np.clip(np.divide(moment, mass, out=np.tile(edges[:-1], (panels, 1)), where=mass > 0), edges[:-1], edges[1:])

    def psi(y: Floats, next_row: int, error_of_y: float) -> tuple[Floats, Floats]:
        """psi and its slopes for y - shift: calls where the shift is at most 0, puts where it is positive; (shift, panel, place)."""
        rows = np.repeat(table.rows[next_row : next_row + panels], y.shape[1])
        calls, puts = (
            _psi(table, rows, y.reshape(-1) - part, kappa, error_of_y, put=put)
            for put, part in ((False, shifts[: below + 1]), (True, shifts[below + 1 :]))
        )
        value, slope = (np.concatenate(each).reshape(len(shifts), *y.shape) for each in zip(calls, puts, strict=True))
        return value, slope

    chord, _ = psi(np.tile(edges, (panels, 1)), 0, doubt)
    rise = (mean - edges[:-1]) * _BINS
    upper = _weighted(chord[..., :-1] * (1 - rise) + chord[..., 1:] * rise, largest, mass)
    more = 4 * error * _BINS * _weighted(np.abs(chord[..., 1:] - chord[..., :-1]), largest, mass)
    value, slope = psi(mean, window.next_row, low_doubt)
    slope[below] += mean <= 2 * low_doubt * kappa
    slope[below + 1] += 1 - mean <= 2 * low_doubt * kappa
    less = 2 * low_doubt * kappa * _weighted(slope, smallest, mass)
    return _weighted(value, smallest, mass), upper, error, less, more


def _weighted(values: Floats, of_shifts: Floats, of_bins: Floats) -> float:
    """The sum of values (shift, panel, bin) times the weights of shifts, for each panel and bin, and of bins, for each panel."""
    return float((values * of_shifts * of_bins).sum())


def _sorted_by_fraction(window: Window, path: Walk) -> tuple[Floats, Floats]:
    """The weights Pr(c) f_c(t) in each bin of a, and their first moments: a row for each panel."""
    cells = (len(window.ends) - 1) * _BINS
    mass, moment = np.zeros(cells), np.zeros(cells)
    first_bins = np.repeat(np.arange(0, cells, _BINS), np.diff(window.ends))
    for part in pieces(len(window.c)):
        a, weights = path.a[part], path.pmf[part] * window.masses[part]
        bins = np.minimum((a * _BINS).astype(np.int64), _BINS - 1)
        bins += first_bins[part]
        mass += np.bincount(bins, weights=weights, minlength=cells)
        weights *= a
        moment += np.bincount(bins, weights=weights, minlength=cells)
    return mass.reshape(-1, _BINS), moment.reshape(-1, _BINS)


def _ratios(window: Window, path: Walk, edges: Floats, reach: tuple[int, int]) -> tuple[Floats, Floats]:
    """Bounds on f_c(t + j)/f_c(t) for the counts c and fractions a of each panel and bin: (shift, panel, bin).

    Products of (c - t - i)/(t + 1 + i) upwards, (t - i)/(c - t + 1 + i) downwards, t = tau_c - a. As tau is linear in c, each factor is
    monotone in c for fixed a, and in a for fixed c: its extremes are at corners. ETA and roundings move it by less than _PADDING.
    """
    corners = window.ends[:-1], window.ends[1:] - 1
    steps_down, steps_up = (np.arange(each, dtype=np.float64)[:, None, None] for each in reach)

    def factors(corner: int, *, up: bool, most: bool) -> Floats:
        at = corners[corner]
        c, t = window.c[at][:, None], (path.t[at] + path.a[at])[:, None] - (edges[1:] if up == most else edges[:-1])
        top, bottom, i = (c - t, t + 1, steps_up) if up else (t, c - t + 1, steps_down)
        ratio: Floats = (top - i) / (bottom + i)
        return ratio

    def side(extreme: np.ufunc, padding: float, *, most: bool) -> Floats:
        falling, rising = (extreme(factors(0, up=up, most=most), factors(1, up=up, most=most)) for up in (False, True))
        for each in (falling, rising):
            np.maximum(each, 0.0, out=each)
            each *= padding
            np.cumprod(each, axis=0, out=each)
        return np.concatenate([falling[::-1], np.ones((1, *falling.shape[1:])), rising])

    return side(np.minimum, 1 - _PADDING, most=False), side(np.maximum, 1 + _PADDING, most=True)
