"""Steps of the controlled sum on a grid, from above, and what is reached as a measure, in float64 (see controlled_sum).

V_j is convex, does not fall, and its slope is at most the j-th power of the masses, 1. It is kept at the points s_k = h (k - below): linear
interpolation is above it; beyond the upper end a slope of 1 is; below the lower end the value there. Every term is positive, so that
roundings are a factor. h has 20 binary digits, so that its multiples are exact.

What is reached. f(s) = E(s + X)_+ has the slopes of these values at the points, X the measure of their differences at -s_k, and V_J <=
raised f + below everywhere: `below` is the value at the lower end, `raised` makes up for roundings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.blanket import one_sum, one_sum_contour
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.numeric.results import U
from shuffleproof.spec.vocabulary.errors import UnsupportedError

Floats = NDArray[np.float64]
_TINY = 1e-290
"""More than what underflows."""
TILTS = 2.0 ** np.arange(-6.0, 6.0, 0.25)
"""Over the deviation of a loss, the tilts by which ends of a grid are chosen."""
_UPPER_END = 1e-8
"""Of a deviation, about what cutting the sum off below costs at the upper end of the grid."""
_COARSE = 32.0
"""Points on a deviation of the sum that is reached, to which its measure is spread: a part in 6 000 of its variance is added."""
_LOCAL = 0.25
"""Of the deviation of a loss, the step of that measure at most: one type is largest far out only where it is nearly continuous."""
_MOST_DIRECT = 10
"""Blocks that are convolved term by term."""
_NARROW = 1e-4
"""Next to the mean square of a loss, what its variance counts as at least: grids get no finer."""
_MOST_REACHED = float(1 << 21)
"""Points of a grid between the places of a loss at most, where e^eps0 is large: 16 MB a row."""
_CANDIDATES = 200
"""Steps of a grid among which one is chosen."""
_BRIDGE = 5.5
"""Deviations of a bridge on either side of which V_j is kept, at least: epsilon grows by less than 3 parts in 10^8 of itself."""
_NARROWER = 4.6
"""The same for loss types of few values, next to which the ends count less: by less than 5 parts in 10^6."""
_STEEPER = 0.5
"""The same beyond those at which the tail is what is wanted: without its tilt a sum mostly falls below the bridge, where V_j counts as the
value at its end.
"""
_ENDS = 4.0
"""Deviations of a loss beside these, for the first and the last steps."""
_RAISED = 1e-12
"""Of itself, by how much less a loss type may be than one that it dominates, in place of roundings: next to 10^6 steps that is nothing."""
_ROUNDINGS = 32 * U
"""The same where losses are moved, too."""
_ROWS = 512
"""Rows of such a product at a time: so small that no library starts threads for it."""
_COLUMNS = 2048
"""Points at a time of a step with few values, for the same reason."""


@dataclass(frozen=True)
class Type:
    """A loss type as a measure that is taken exactly as it is: places in rising order, masses that are not less than the probabilities.

    square: E L^2; total: the mass, not less; highest: the largest place.
    """

    at: Floats
    mass: Floats
    square: float
    total: float
    highest: float

    @classmethod
    def of(cls, mass: Floats, at: Floats) -> Type:
        """Return the measure with these masses at these places, in rising order."""
        total = float(mass.sum()) * (1 + (len(mass) + 1) * U)
        return cls(at, mass, float((mass * at * at).sum()), total, float(at.max()))

    def cumulants(self, tilts: Floats) -> Floats:
        """Return ln E e^(t L), about."""
        exponent = np.multiply.outer(tilts, self.at)
        top = exponent.max(axis=1)
        logs: Floats = top + np.log(np.exp(exponent - top[:, None]) @ self.mass)
        return logs


def types_of(types: Sequence[Losses]) -> list[Type]:
    """Return the measures without those that another one dominates."""
    return undominated(measures_of(types))


def measures_of(types: Sequence[Losses]) -> list[Type]:
    """Return the measures: masses raised by their error, with what a mass lacks of 1 at 0, or where that is a rounding, at the top."""
    found = []
    for losses in types:
        raised = dict[float, float]()
        for x, p in zip(losses.at.tolist(), losses.mass.tolist(), strict=True):
            if p > 0.0:
                more = p * (1 + losses.error) * (1 + 2 * U)
                raised[x] = (raised[x] + more) * (1 + U) if x in raised else more
        rest, top = losses.rest, max(raised, default=0.0)
        if 0.0 < rest < 1e-9 and top >= 0.0 and raised:
            raised[top] = (raised[top] + rest) * (1 + U)
        elif rest > 0.0:
            raised[0.0] = (raised[0.0] + rest) * (1 + U) if 0.0 in raised else rest
        at = sorted(raised)
        found.append(Type.of(np.array([raised[x] for x in at]), np.array(at)))
    return found


def undominated(laws: list[Type], *, moved: float = 0.0) -> list[Type]:
    """Return loss types whose controlled sums are not less: without those that another one dominates, raised for each that is left out.

    E(s + L)_+ <= (1 + a) E(s + h + L')_+ for all s gives E V(s + L) <= (1 + a) E V(s + h + L') for every V that is convex and does not
    fall: it is a constant, of which the masses are 1 up to roundings, and a mean of such functions. The difference is linear between
    places of losses, 0 far below, and no less at all places above where it is so at the largest and its slope is not negative. moved: h,
    over the largest loss: of many users that costs less than a, which is hardly more than roundings then.
    """
    h, raised = moved * max(float(np.abs(law.at).max()) for law in laws), _ROUNDINGS if moved else _RAISED
    places = -np.unique(np.concatenate([at for law in laws for at in (law.at, law.at + h)]))
    means, above = (np.array([np.maximum(places[:, None] + (law.at + x)[None, :], 0.0) @ law.mass for law in laws]) for x in (0.0, h))
    sizes, totals = np.array([len(law.at) for law in laws]), np.array([law.total for law in laws])
    doubt = (8 * U * (sizes[:, None] + sizes[None, :] + 4))[:, :, None]
    enough = above[None] * (1 + raised * (1 - 1e-6)) * (1 - doubt) >= means[:, None] * (1 + doubt)
    less = enough.all(axis=2) & (totals[None] * (1 + raised / 2) >= totals[:, None])
    kept = list(range(len(laws)))
    for i in sorted(kept, key=lambda i: laws[i].square):
        if any(less[i, other] for other in kept if other != i):
            kept.remove(i)
    left = len(laws) - len(kept)  # one may dominate another that has dominated a third
    return [Type.of(laws[i].mass * (1 + 2 * raised * left), laws[i].at + h * left) for i in kept] if left else laws


@dataclass(frozen=True)
class Grid:
    """Points h (k - below), k = 0, ..., size - 1; `coarse` of its steps are one step of what is reached.

    middle: where V_j is asked at 0 alone, on how many points on either side of 0 V_j is kept, for j = 0, ..., J: any numbers are sound,
    since V_j is extended from above; moves: by so many steps of the grid its points are shifted with each j, a multiple of 2^-10: they are
    s_k + j moves h, so that losses are moves h more on them, which may bring these nearer to points.
    """

    h: float
    below: int
    size: int
    coarse: int
    middle: Floats | None = None
    moves: float = 0.0

    def points(self, steps: int) -> list[range]:
        """The points at which V_0, ..., V_steps are kept."""
        if self.middle is None:
            return [range(self.size)] * (steps + 1)
        reach = np.ceil(self.middle[: steps + 1]).astype(np.int64).tolist()
        zeros = [self.below - math.ceil(j * self.moves) for j in range(steps + 1)]
        return [range(max(0, zero - x), min(self.size, zero + x + 2)) for zero, x in zip(zeros, reach, strict=True)]

    @classmethod
    def until(cls, laws: Sequence[Type], steps: int, tail: float, *, fine: float, upper_tail: float = math.inf) -> Grid:
        """A grid on which V_steps is `tail` at most at the lower end, about, and s plus a constant, to `upper_tail`, at the upper one.

        By V_j(s) <= e^(t s) (max E e^(t L))^j/(e t), and the same for what V_j is above s.
        """
        deviation = deviation_of(laws)
        tilts = TILTS / deviation
        up, down = np.max([law.cumulants(np.concatenate([tilts, -tilts])) for law in laws], axis=0).reshape(2, -1)
        lower = float(np.min((steps * up - math.log(max(tail, _TINY)) - 1 - np.log(tilts)) / tilts))
        upper = float(np.min((steps * down - math.log(max(min(upper_tail, _UPPER_END * deviation), _TINY)) - 1 - np.log(tilts)) / tilts))
        h, _ = _spacing(laws, deviation, fine)
        coarse = 2 ** max(0, math.floor(math.log2(deviation * min(math.sqrt(steps) / _COARSE, _LOCAL) / h)))
        return cls._between(h, max(lower, 8 * h), max(upper, 8 * h), coarse)

    @classmethod
    def for_all(cls, laws: Sequence[Type], steps: int, wanted: float, *, fine: float) -> Grid:
        """A grid for V_steps(0) alone, whose ends hardly count: from these the sum seldom comes back.

        It does with a probability of about e^(-2 z k), z and k the drift of all steps and the end in deviations, next to e^(-z^2/2).
        """
        deviation = deviation_of(laws)
        drift = -min(float((law.mass * law.at).sum()) for law in laws)
        z = max(0.0, drift) * math.sqrt(steps) / deviation
        k = min(12.0, z / 4 + (6 + math.log(steps) / 2) / max(z, 1.0) + 1)
        whole = cls.until(laws, steps, wanted * steps * 1e-6, fine=fine)
        h, moves = _spacing(laws, deviation, fine, moving=True)
        end, shift = k * deviation * math.sqrt(steps), -steps * moves * h
        lower, upper = (min(end, length * whole.h) for length in (whole.below, whole.size - whole.below))
        found = cls._between(h, lower + max(0.0, -shift), upper + max(0.0, shift), 1)
        return replace(found, middle=around(z, steps, _NARROWER) * (deviation / h), moves=moves)

    @classmethod
    def _between(cls, h: float, lower: float, upper: float, coarse: int) -> Grid:
        below, above = (coarse * math.ceil(x / (h * coarse)) for x in (lower, upper))
        return cls(h, below, below + above + 1, coarse)


def bridge(z: float, least: float = _BRIDGE) -> float:
    """Return how many deviations of a bridge V_j is kept on either side of 0, where all steps drift down by z deviations."""
    return max(least, z + _STEEPER)


def around(z: float, steps: int, least: float = _BRIDGE) -> Floats:
    """Return on how many deviations of a loss on either side of 0 V_j is kept, for j = 0, ..., steps, which drift down by z of their own.

    A sum of losses that counts is near 0 before and after, hence about as near to it in between as a bridge.
    """
    j = np.arange(steps + 1.0)
    found: Floats = bridge(z, least) * np.sqrt(j * (steps - j) / steps) + _ENDS
    return found


def _spacing(laws: Sequence[Type], deviation: float, fine: float, *, moving: bool = False) -> tuple[float, float]:
    """A step h up to 1.6 deviation/fine at which rounding to the grid adds no more variance than h = deviation/fine would on average.

    Of 20 binary digits, so that its multiples are exact. Where it is lucky, places of losses are nearly points of the grid, or all beside
    them by as much: that is returned, too, if they may be, in steps.
    """
    best = max(laws, key=lambda law: law.square)
    reach = max(float(np.abs(law.at).max()) for law in laws)
    fine = min(fine, _MOST_REACHED * deviation / reach)  # any step is sound
    steps = deviation / fine * np.linspace(1.6, 0.8, _CANDIDATES)
    steps = np.ldexp(np.round(np.ldexp(np.frexp(steps)[0], 20)), np.frexp(steps)[1] - 20)
    places = np.multiply.outer(1 / steps, best.at)
    moves = np.round(-places % 1.0 * 1024) / 1024 if moving else np.zeros((len(steps), 1))
    part = (places[:, None, :] + moves[:, :, None]) % 1.0
    added = ((part * (1 - part)) @ best.mass) * steps[:, None] ** 2
    good = np.argwhere(added <= (deviation / fine) ** 2 / 6)
    step, move = good[0] if len(good) else np.unravel_index(int(np.argmin(added)), added.shape)
    least = float(moves[step, move])
    return float(steps[step]), least - 1.0 if least > 0.5 else least


def deviation_of(laws: Sequence[Type]) -> float:
    """The largest standard deviation of a loss, about."""
    return math.sqrt(max(max(law.square - float((law.mass * law.at).sum()) ** 2, _NARROW * law.square) for law in laws))


@dataclass(frozen=True)
class Reached:
    """V_J(s) <= raised (E(s + X)_+ + below) for all s: X has these masses at these places, in falling order, H apart."""

    mass: Floats
    at: Floats
    H: float
    below: float
    raised: float

    def trimmed(self, tail: float) -> Reached:
        """Return it without ends that are worth less than `tail`: the upper one is moved down, and added to `below`, the lower one up."""
        raised = 1 + 4 * len(self.mass) * U
        above = np.concatenate([[0.0], np.cumsum(np.cumsum(self.mass)[:-1]) * self.H])  # E(X - x_k)_+
        beneath = np.concatenate([np.cumsum(np.cumsum(self.mass[::-1])[:-1])[::-1] * self.H, [0.0]])
        first = int(np.searchsorted(above, tail, side="right")) - 1
        last = max(first, len(self.mass) - int(np.searchsorted(beneath[::-1], tail, side="right")))
        mass = self.mass[first : last + 1].copy()
        mass[0] += float(self.mass[:first].sum())
        mass[-1] += float(self.mass[last + 1 :].sum())
        return Reached(mass * raised, self.at[first : last + 1], self.H, self.below + float(above[first]) * raised, self.raised)

    def continued(self, best: Type, laws: Sequence[Type], *, e: float, share: float) -> tuple[Type, Reached, float]:
        """Return L, a measure X' and e' with E f(s + L_c) <= E f(s + L) + e' for all s and c, f(s) = E(s + X')_+ not below E(s + X)_+.

        L is `best`, its mass raised to the largest of all; e' is about e, or what is left. Where another type is the largest for X, far
        from its middle, a share of X' that is twice as wide, at most `share`, makes up for it: for wide X the largest variance wins
        further out.

        What is compared is linear between the points s_k - x, x a place of a loss, and convex only at those of L: it is least there, or
        0 at the left, since its slope is not negative at the right.
        """
        most = max(law.total for law in laws) * (1 + 16 * U * len(best.at))
        lifted = 1 + 16 * U * (len(best.at) + max(len(law.at) for law in laws) + 4)  # far above 0 this is more than the doubt of `_more`
        best = Type.of(best.mass * max(1.0, most / float(best.mass.sum())) * lifted, best.at)
        left = max(0.0, -float(self._gap(best, laws, self._points(best)).min()))
        if left <= e:
            return best, self, left
        own, wide = self._widened()
        gaps = [each._gap(best, laws, own._points(best)) for each in (own, wide)]
        helped = (gaps[0] < -e) & (gaps[1] > 0.0)
        share = min(share, float((-(gaps[0][helped] + e / 2) / gaps[1][helped]).max(initial=0.0)))
        left = max(0.0, -float((gaps[0] + share * gaps[1]).min())) * (1 + 1e-9)
        return best, Reached((own.mass + share * wide.mass) * (1 + 2 * U), own.at, self.H, self.below, self.raised), left

    def _points(self, best: Type) -> Floats:
        """Where what is compared for `best` and X is least."""
        found: Floats = (-self.at[:, None] - best.at[None, :]).ravel()
        return found

    def _gap(self, best: Type, laws: Sequence[Type], points: Floats) -> Floats:
        """Return by how much `best` has at least more than any other type at these s, no more than 1, which is finite."""
        gap, of_best = np.ones(len(points)), self._means(best, points)
        for law in laws:
            if law.at is not best.at:
                np.minimum(gap, self._more(of_best, best, law, points), out=gap)
        return gap

    def _widened(self) -> tuple[Reached, Reached]:
        """X, and X drawn out to twice its width about its middle, on one grid."""
        size = len(self.mass)
        middle = int(np.argmax(self.mass))
        at = self.at[middle] - self.H * (np.arange(2 * size - 1) - 2 * middle)
        own, wide = np.zeros(2 * size - 1), np.zeros(2 * size - 1)
        own[middle : middle + size], wide[::2] = self.mass, self.mass
        return tuple(Reached(mass, at, self.H, self.below, self.raised) for mass in (own, wide))  # type: ignore[return-value]

    def _more(self, of_best: tuple[Floats, ...], best: Type, law: Type, points: Floats) -> Floats:
        """Return what E(s + L + X)_+ is more for `best` than for `law` at these s, not more: by positive or by negative parts."""
        calls, puts, doubt_of_calls, doubt_of_puts = self._means(law, points)
        gap = float((best.mass * best.at).sum()) - float((law.mass * law.at).sum())
        drift = float((self.mass * self.at).sum())
        shift = float(self.mass.sum()) * gap + (drift + points) * (float(best.mass.sum()) - float(law.mass.sum()))
        sizes = float((best.mass * np.abs(best.at)).sum() + (law.mass * np.abs(law.at)).sum()) + abs(drift) + np.abs(points)
        doubt = 8 * U * (len(best.at) + len(law.at) + 4) * sizes
        by_calls = of_best[0] - calls - (of_best[2] + doubt_of_calls)
        by_puts = of_best[1] - puts - (of_best[3] + doubt_of_puts) + shift - doubt
        found: Floats = np.maximum(by_calls, by_puts)
        return found

    @cached_property
    def _pieces(self) -> Floats:
        """Return, for each point that may follow s, what E(s + X)_+ and E(s + X)_- are: values, slopes and the largest slopes nearby."""
        m = len(self.at)
        slopes = np.concatenate([[0.0], np.cumsum(self.mass)])
        rising = np.concatenate([np.cumsum(self.mass[::-1])[::-1], [0.0]])
        values = np.concatenate([[0.0, 0.0], np.cumsum(slopes[1:-1] * self.H)])
        other = np.concatenate([np.cumsum((rising[1:-1] * self.H)[::-1])[::-1], [0.0, 0.0]])
        after, before = np.minimum(np.arange(m + 1) + 1, m), np.maximum(np.arange(m + 1) - 1, 0)
        return np.column_stack([values, slopes, other, rising, slopes[after], rising[before]])

    def _means(self, law: Type, points: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """E(s + L + X)_+ and E(s + L + X)_- at these s, and how wrong they are at most."""
        reach = float(np.abs(points).max()) + float(np.abs(law.at).max()) + float(np.abs(self.at).max())
        relative = (6 * len(self.at) + 4 * len(law.at) + 64) * U
        calls, puts, steep, falling = (np.zeros(len(points)) for _ in range(4))
        for x, p in zip(law.at.tolist(), law.mass.tolist(), strict=True):
            place = (points + (x + self.at[0])) / self.H
            following = np.minimum(np.maximum(np.floor(place) + 1, 0.0), float(len(self.at)))
            piece = self._pieces.take(following.astype(np.int64), axis=0)  # several times as fast as an index
            part = place - following
            calls += p * (piece[:, 0] + piece[:, 1] * ((part + 1) * self.H))
            puts += p * (piece[:, 2] - piece[:, 3] * (part * self.H))
            steep += p * piece[:, 4]
            falling += p * piece[:, 5]
        return calls, puts, relative * calls + 16 * U * reach * steep, relative * puts + 16 * U * reach * falling


@dataclass(frozen=True)
class Passed:
    """values: V_j at the points of the grid, over `raised`, for the j that are kept; at_zero: V_0(0), ..., V_J(0), not less."""

    grid: Grid
    values: dict[int, Floats]
    at_zero: Floats
    raised: float

    @classmethod
    def of(cls, laws: Sequence[Type], grid: Grid, steps: int, kept: Iterable[int] = ()) -> Passed:
        """Take the steps: a mean over the places of each type, then the maximum over types. kept: beside the last one."""
        step = _Step(laws, grid)
        points, kept = grid.points(steps), {*kept, steps}
        V = np.maximum(grid.h * (np.arange(points[0].start, points[0].stop) - grid.below), 0.0)
        found, values = np.zeros(steps + 1), dict[int, Floats]()
        for j in range(1, steps + 1):
            V = step.after(V, points[j - 1].start, points[j])
            zero = grid.below - j * grid.moves
            at, part = math.floor(zero) - points[j].start, zero % 1.0  # exact; the chord of a convex function is above it
            found[j] = V[at] if not part else V[at] * (1.0 - part) + V[at + 1] * part
            if j in kept:
                values[j] = V
        # of a value: a share, two products and a sum; of a mean: a product and a sum for each atom
        roundings = 8 + 2 * max(len(law.at) for law in laws)
        raised = 1 + roundings * U * np.arange(steps + 1.0) * (1 + 1e-6)
        return cls(grid, values, found * raised + _TINY, float(raised[-1]) * (1 + 2 * U))

    def reached(self, j: int) -> Reached:
        """V_j as the positive part of a measure, at every `coarse`-th point: the chord of a convex function is above it."""
        H, V = self.grid.h * self.grid.coarse, self.values[j][:: self.grid.coarse]
        slopes = np.concatenate([[0.0], np.diff(V) / H, [1.0]])
        mass = np.maximum(np.diff(slopes), 0.0)
        own = np.concatenate([[0.0], np.cumsum(np.cumsum(mass)[:-1]) * H])  # E(s + X)_+ at the points, to within 3 roundings each
        above = V - V[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            short = np.where(above > 0.0, above / own, 0.0)
        raised = max(1.0, float(short.max()), 1 / float(mass.sum())) * (1 + 6 * len(V) * U)
        kept = mass > 0.0
        at: Floats = -H * (np.arange(len(V)) - self.grid.below // self.grid.coarse).astype(np.float64)
        return Reached(np.where(kept, mass, 0.0), at, H, float(V[0]) + _TINY, raised * self.raised)


class _Step:
    """One step, from the points of one part of a grid to those of another: a product with a matrix.

    Few values have two columns each, for the points on both sides of s + x; otherwise each point within reach has one.
    """

    def __init__(self, distributions: Sequence[Type], grid: Grid) -> None:
        values = sorted({float(x) for law in distributions for x in law.at})
        # not less than they are, as V does not fall: the quotient, the sums and the difference are rounded
        places = [x / grid.h + grid.moves + 4 * U * (abs(x / grid.h) + 1) for x in values]
        cells = [math.floor(place) for place in places]
        parts = [place - cell for place, cell in zip(places, cells, strict=True)]
        self.least, self.most = min(0, cells[0]), max(0, cells[-1] + 1)
        kernel = np.zeros((len(distributions), self.most - self.least + 1))
        pairs = np.zeros((len(distributions), 2 * len(values)))
        index = {x: i for i, x in enumerate(values)}
        for row, law in enumerate(distributions):
            for x, p in zip(law.at, law.mass, strict=True):
                i = index[float(x)]
                pairs[row, 2 * i : 2 * i + 2] = p * (1.0 - parts[i]), p * parts[i]
                kernel[row, cells[i] - self.least : cells[i] - self.least + 2] += pairs[row, 2 * i : 2 * i + 2]
        # V and what is beyond its ends, from the point `least` on: `inside` begins at the point 0
        self.padded = np.zeros(grid.size + self.most - self.least + _COLUMNS)
        self.beyond = grid.h * np.arange(1.0, len(self.padded) + 1)
        self.dense = kernel.shape[1] < pairs.shape[1]
        self.windows = np.lib.stride_tricks.sliding_window_view(self.padded, kernel.shape[1] if self.dense else _COLUMNS)
        used = np.flatnonzero(pairs.any(axis=0))
        self.pairs, self.kernel = np.ascontiguousarray(pairs[:, used]), np.ascontiguousarray(kernel.T)
        self.starts = np.array(cells)[used // 2] + used % 2 - self.least

    def after(self, V: Floats, first: int, until: range) -> Floats:
        """Return max over c of E V(s + L_c) at the points `until` of the grid, not less up to roundings; V begins at the point `first`."""
        start, stop = until.start, until.stop + self.most - self.least
        low, high = first - self.least, first - self.least + len(V)
        padded = self.padded
        padded[low:high] = V
        padded[start:low] = V[0]
        if high < stop:
            np.add(self.beyond[: stop - high], V[-1], out=padded[high:stop])
        following = np.empty(len(until))
        if self.dense:
            for row in range(0, len(until), _ROWS):
                here = self.windows[start + row : min(start + row + _ROWS, until.stop)]
                np.max(here @ self.kernel, axis=1, out=following[row : row + _ROWS])
            return following
        for column in range(0, len(until), _COLUMNS):
            size = min(_COLUMNS, len(until) - column)
            means, into = self.pairs @ self.windows[start + column + self.starts, :size], following[column : column + size]
            into[:] = means[0]
            for mean in means[1:]:  # few rows, of which numpy's reduction is slow
                np.maximum(into, mean, out=into)
        return following


def power(blocks: Sequence[tuple[Reached, int]], length: int) -> float:
    """Return what the sum of all the steps of these blocks, each so many times, gives at 0, not less: E(X_1 + ... + X_B)_+.

    All blocks are on one grid, or there are many of one; length: about the number of points of a grid, for many.
    """
    try:
        below, raised = _beside(blocks)
        if len(blocks) == 1 and blocks[0][1] > _MOST_DIRECT:
            block, B = blocks[0]
            kept = block.mass > 0.0
            losses = Losses(block.mass[kept], block.at[kept], block.at[kept], 0.0)
            found = one_sum.sides(losses, n=B, length=length, width=one_sum_contour.WIDE)[1] * B
        else:
            half = _added([(block, times // 2) for block, times in blocks])
            rest = _added([(block, times - times // 2) for block, times in blocks]) if any(times % 2 for _, times in blocks) else half
            found = _met(half, rest, blocks[0][0].H)
    except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):  # beyond the floats: nothing is claimed
        return math.inf
    value = (found + below) * raised * (1 + 8 * U)
    return value if math.isfinite(value) else math.inf


def summed(blocks: Sequence[tuple[Reached, int]]) -> Reached:
    """Return the sum X_1 + ... + X_B of these blocks on one grid, each so many times, and what is beside it: V after all their steps."""
    mass, first = _added(blocks)
    at: Floats = first - blocks[0][0].H * np.arange(len(mass), dtype=np.float64)
    return Reached(mass, at, blocks[0][0].H, *_beside(blocks))


def _added(blocks: Sequence[tuple[Reached, int]]) -> tuple[Floats, float]:
    """Return the masses of X_1 + ... + X_B, not less, and the place of the first of them; blocks as for `summed`."""
    mass, first, roundings = np.ones(1), 0.0, 4
    for block, times in blocks:
        own, of_own = _convolved(block.mass, times)
        roundings += of_own + min(len(mass), len(own)) + 1  # of a term of positive products, of which there are so many at most
        mass, first = np.convolve(mass, own), first + times * float(block.at[0])
    return mass * (1 + roundings * U), first


def _convolved(mass: Floats, times: int) -> tuple[Floats, int]:
    """Return the masses of the sum of `times` variables, from its halves, and how many roundings each of them has at most."""
    if times <= 1:
        return mass if times else np.ones(1), 0
    half, roundings = _convolved(mass, times // 2)
    found, roundings = np.convolve(half, half), 2 * roundings + len(half) + 1
    return (np.convolve(found, mass), roundings + len(mass) + 1) if times % 2 else (found, roundings)


def _met(first: tuple[Floats, float], second: tuple[Floats, float], H: float) -> float:
    """Return E(X + Y)_+, not less, for measures whose first places are given, multiples of H, and whose others follow H apart, falling.

    With k the sum of the first places, over H, which is exact, it is H times the sum over i, j <= k - i of p_i q_j (k - i - j): of q it
    takes the sums, and the sums of these, in place of the product of all with all. Every term is positive.
    """
    (p, at), (q, other) = first, second
    reach = round((at + other) / H) - np.arange(len(p))
    inner = np.cumsum(q)
    means = np.concatenate([[0.0], np.cumsum(inner[:-1])])
    beyond = np.maximum(reach - (len(q) - 1), 0)
    terms = np.where(reach > 0, means[np.clip(reach, 0, len(q) - 1)] + beyond * inner[-1], 0.0)
    return H * float((p * terms).sum()) * (1 + (2 * len(q) + len(p) + 8) * U)


def _beside(blocks: Sequence[tuple[Reached, int]]) -> tuple[float, float]:
    """Return what all these blocks add to E(s + X_1 + ... + X_B)_+, and the factor on that."""
    raised = math.prod(block.raised**times for block, times in blocks) * (1 + 4 * U * sum(times for _, times in blocks))
    total = max(1.0, max(float(block.mass.sum()) * (1 + len(block.mass) * U) for block, _ in blocks))
    growth = total ** sum(times for _, times in blocks) * (1 + 1e-9)
    return sum(times * block.below for block, times in blocks) * growth, raised
