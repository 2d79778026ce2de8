"""The controlled sum of users whose data are fixed, in float64: blocks of users with one loss type (BEYOND.swap-in-levels.blocks).

Of S independent losses of finitely many types, however many of each, users of one type are put in blocks of g = 2^J, those left over in
blocks of g/2, g/4, ..., 1. Each block's sum has one of few distributions, so that E(sum)_+ is at most the controlled sum that takes at
every step the block of a given size that is worst: V_(i+1)(s) = max over types of E V_i(s + X). Splitting a block raises it. From some
size on one distribution above those of two types may stand for both; fewer blocks are left over then.

One pass serves for all numbers of users: the binary digits of those that are over come last, where V is asked at 0 alone.

Distributions stand on multiples of a power of two, means kept, which raises them in the convex order. All terms are positive: roundings are
factors. Blocks are doubled by transforms of masses times e^(theta x), and what these err by is added; far below 0 that is more than all
masses are, so that what is more than these is left out again, from below. Steps are taken by transforms of
V e^(-theta s), which is about as large wherever it counts, however far out that is; what these err by is added. V is kept near 0; beyond
it is at most what its chords say, and e^(t s) next to its largest e^(-t s) V for any t > 0.
What is cut off at the lower end is moved up. Where p_i is kept of the i-th block and c_i cut off at its upper end, and M(c_i) =
E e^(theta x) over c_i is at most r_i M(p_i), the largest of all types, all that is lost is at most (prod (1 + r_i) - 1) prod M(p_i)
e^(theta s - 1)/theta, since (s + x)_+ is at most e^(theta (s + x) - 1)/theta. With theta where the whole sum counts, a block keeps what
counts in the end, which is far less than what is likelier than delta.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.swap.controlled_sum import all_on_grid
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import types_of
from shuffleproof.impl.fast.numeric.convolution import LargestMeans, squares
from shuffleproof.impl.fast.numeric.results import U, out_of_range
from shuffleproof.spec.vocabulary.errors import UnsupportedError

LEAST_BLOCKS = 30
"""Blocks of the largest size, at least: with fewer, users that are left over cost more than what is still chosen in each."""
_NORMAL = 512
"""Users of a block from which on its sum is nearly normal."""
_FEWER = 6
"""Blocks of the largest size, at least, of so many users or more."""
_ONE_BY_ONE = 160
"""Users up to which each is a step of its own: few are left over by blocks then, and next to few users these count."""
_POINTS = 256.0
"""The deviation of the whole sum over the step of the grid on which V is kept, at least: each step on it adds at most 1/260 000 to the
variance, mostly a third of that.
"""
_QUICK = 4
"""Distributions of a size up to which twice as many points take little time, of many users."""
_FINER = 64.0
"""The same for the sums of users of one type, where it costs less and adds up over the sizes."""
_STEEPEST = 16.0
"""One over theta h, at least: a step adds 1/2000 to ln delta at most, however much rarer what counts is than the deviation."""
_MOST_POINTS = 2048
"""Points to either side up to which that holds."""
_STEEP = 25.0
"""theta times the deviation of the whole sum from which on sums of one type are finer as well, in proportion,"""
_MOST_FINER = 4.0
"""at most so many times."""
_MANY = 50_000
"""Users from which on, of few types, both are twice as fine: ln delta is up to 1e-3 smaller, for 0.05 s a value."""
_CUT = 1e-6
"""Next to what is wanted, what all that is cut off is worth."""
_LEAST_CUT = 1e-15
"""Next to what a distribution is worth: roundings of transforms are more."""
_SIZES = 32
"""Sizes of blocks at most, about: of each an equal share of that may be cut off."""
_HARDLY = 1e-9
"""Of what is wanted, what hardly counts."""
_TILTS = 2.0 ** np.arange(0.0, 4.0, 0.25)
"""Times the tilt for most users, those for fewer where blocks leave the floats."""
_OF_A_POWER = 1e-12
"""More than roundings of E e^(theta L), of losses that are 0 on average or less."""
_MERGED = 3e-4
"""Of ln delta, what one distribution for two types may add."""
_SMALLER = 20.0
"""Of ln delta, how far below the largest a distribution for several types has to be to stand for them, however much larger than theirs its
delta is."""
_PARTS = 64
"""Parts of a grid by which most distributions are told apart."""
_LONGEST = 1 << 14
"""Points of a grid: with more, losses are too far apart for the number of users."""
_LONGEST_STEP = 1 << 18
"""Points of the grid on which V is kept that a block may reach over."""
_TINY = 1e-305
"""More than what underflows."""
_UNDERFLOW = 1e-290
"""More than what underflows in the square of a distribution, next to what it is worth."""
_NOISE = 1e-6
"""Of ln delta, what errors of a size's transforms may add."""
_DIRECT = 2048
"""Points up to which these take no longer than a few milliseconds a row."""
_FEW_ATOMS = 100
"""Values of all loss types together, with which steps that take each of them by itself are quicker."""
_ON_A_LINE = 50_000
"""Users from which on that is quicker, and nearer, than blocks."""
_MANY_ATOMS = 1000
"""Values of all loss types together, from which on blocks are."""
_GATHERED = 8
"""Neighbours that count as one where a tilt is chosen, of many,"""
_AS_GATHERED = 0.1
"""and by how much ln of what the whole sum is worth may differ for that."""
_LARGEST_EXPONENT = 600.0
"""Of e, at most, so that products of masses and e^x are normal floats."""
_UNDERFLOWS = 700.0
"""-x from which on e^x may not be a normal float."""
_EXPONENTIAL = 1 + 2.0**13 * U
"""For an exponential of the sum of a few such exponents, 3 roundings of each, and a few products."""
_ROUNDED_SUM = 2.0**-42
"""For a sum of such exponents, by twice so much at least: 600 U is a quarter of it."""
_OTHERS = np.array([-45.0, -30.0, -20.0, -13.0, -9.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 9.0, 13.0, 20.0, 30.0, 45.0])
"""Over the deviation of the whole sum, what is added to theta for bounds on what is beyond the ends of V."""
_SLACK = 1 + 1e-12
"""For a dozen roundings."""
_ROUNDED = 1 + 1e-6
"""For roundings of exponents, in what is cut off."""
_SKEWED = 3.0
"""The deviation that counts over that of tilted losses, at most: of rare losses far below 0 sums do not come back."""
_FAR_OUT = 20.0
"""theta times the deviation of the whole sum, tilted, from which on it is that of tilted losses, up to 3 times what is wanted."""
_WITHIN = 3.3
"""Deviations of the whole sum within which sums on the way to one near 0 stay, in steps of a thirtieth of it,"""
_RISEN = 10.0
"""and over theta, how far it is above 0 at most where it counts."""
_BEHIND = 40.0
"""ln of what the whole sum is worth if all users have one type, below that of the largest, from where on not all users have it."""
_WORTHLESS = 40.0
"""One over theta, times which a loss is below 0 from where on it may be moved up."""
_FARTHEST = 2.0**40
"""How many times one over the deviation of the sum a tilt is at most, or that is this: then it may be any."""
_NEAR = 1.01
"""The largest tilt over the least between which the one that is chosen is."""
_AT_A_KINK = 0.1
"""ln of what the whole sum is worth, by which the larger of these may be above the other: it rises fast where another type follows."""
_ENDS = 5.0
"""Deviations of a block beside these, for the first and the last ones."""
_ALIGNED = 8
"""The part of the way down from the next larger number of users that a number may be moved further, to one with fewer binary digits."""
_BESIDE = 24
"""Points of the grid beside these: of many users the first steps are far smaller than those of the grid."""
_AROUND = 4.6
"""Deviations of a bridge on either side of which V is kept: ln delta grows by less than 10^-7."""


@dataclass(frozen=True)
class Blocks:
    """Distributions above those of the sums of a block's users, in rows: masses at k 2^level, k from first on, and what is cut off.

    cut: E e^(theta x) over what is cut off of any of them, next to the largest over the masses of one, at most.
    """

    first: int
    level: int
    mass: Floats
    cut: float

    @property
    def step(self) -> float:
        """2^level."""
        return math.ldexp(1.0, self.level)

    @property
    def at(self) -> Floats:
        """Where the masses are."""
        places: Floats = self.step * np.arange(self.first, self.first + self.mass.shape[1], dtype=np.float64)
        return places

    def tilt(self, theta: float) -> tuple[Floats, float]:
        """Return e^(theta x - top) and top, about the largest ln of a mass times e^(theta x)."""
        exponent, highest = theta * self.at, self.mass.max(axis=0)
        logs = np.full(len(highest), -math.inf)
        np.log(highest, out=logs, where=highest > 0.0)
        exponent -= (top := float((logs + exponent).max()))
        if not abs(top) < _LARGEST_EXPONENT or float(exponent.max(initial=0.0, where=highest > 0.0)) > _UNDERFLOWS:
            raise out_of_range("losses of one report are too far apart for the number of users")
        return np.exp(np.minimum(exponent, _UNDERFLOWS)), top

    def cumulant(self, theta: float) -> float:
        """Return the largest ln E e^(theta x) over the masses."""
        tilt, top = self.tilt(theta)
        return top + math.log(float((self.mass * tilt).sum(axis=1).max()))


def averages(
    types: Sequence[Losses], numbers: Sequence[int], *, wanted: float, blocks: int = LEAST_BLOCKS, enough: float = math.inf
) -> list[float]:
    """Upper bounds on the largest E(L_1 + ... + L_S)_+/S of independent losses of these types, for each S of `numbers`, 1 at least.

    types: masses with their relative error, places rounded up; 0 with what is left of a mass; `worth` is not used. wanted: about what comes
    out; blocks: of the largest size, at least; enough: a bound that one type alone is not to be above: choices. Raises UnsupportedError
    beyond the floats.
    """
    most = max(numbers)
    if max(float(law.at.max()) for law in types) <= 0.0:
        return [0.0 for _ in numbers]
    if blocks > 1 and most < _ONE_BY_ONE and sum(len(law.at) for law in types) < _FEW_ATOMS:
        return all_on_grid(types_of(types), numbers, wanted)
    if blocks > 1 and most >= _ON_A_LINE and sum(len(law.at) for law in types) < _MANY_ATOMS:
        from shuffleproof.impl.fast.bounds.swap import alike_line  # of many users alone

        line, close = alike_line.averages(types, numbers, enough=enough) or (None, False)
        found = line if line and close else _in_blocks(types, numbers, wanted, blocks)
        return [min(pair) for pair in zip(found, line or found, strict=True)]
    return _in_blocks(types, numbers, wanted, blocks)


def _in_blocks(types: Sequence[Losses], numbers: Sequence[int], wanted: float, blocks: int) -> list[float]:
    """Return these bounds by blocks."""
    most = max(numbers)
    widest = max(types, key=lambda law: float((law.mass * law.at**2).sum()))
    whole = math.sqrt(float((widest.mass * widest.at**2).sum()))
    if not 0.0 < whole < math.inf:
        raise out_of_range("losses of one report leave the range of floats")
    tilted, finer = _Tilted.of(types), _FINER * (2 if most >= _MANY and len(types) <= _QUICK else 1)
    few = tilted.gathered() if tilted.mass.shape[1] > _GATHERED * _FEW_ATOMS else tilted
    theta = few.least(1 / whole / math.sqrt(most), most)
    cumulants = tilted.cumulants(theta)
    if not most * float(np.abs(cumulants - few.cumulants(theta)).max()) < _AS_GATHERED:
        theta = tilted.least(theta, most)
        cumulants = tilted.cumulants(theta)
    error = max(law.error for law in types)
    rough = tilted.bounds([theta], numbers, error)
    if max(rough) < _HARDLY * wanted:
        return rough
    squares = tilted.moments(theta, 2)
    behind = most * (cumulants.max() - cumulants)  # so few users are of a type far behind that their losses count less
    square = float((squares * np.minimum(1.0, _BEHIND / np.maximum(behind, _BEHIND))).max())
    skewed = max(1.0, min(_SKEWED, _FAR_OUT / (theta * math.sqrt(square * most))))
    deviation = min(whole, skewed * math.sqrt(square))
    spread = deviation * math.sqrt(most)
    farthest = max(float(tilted.at.max()), min(-float(tilted.at.min()), _WORTHLESS / theta))
    finer *= max(1.0, min(_MOST_FINER, theta * spread / _STEEP, _LONGEST / 2 / (farthest * finer / deviation)))
    finer = min(finer, 0.49 * _LONGEST * deviation / float(tilted.at.max()))
    level = max(math.floor(math.log2(deviation / finer)), math.ceil(math.log2(farthest / (_LONGEST - 1))))
    # next to prod M(p_i)/(e theta), of one user
    counts_most = math.log(most) + math.log(wanted) + math.log(theta) + 1 - most * float(cumulants.max())
    cut = max(_LEAST_CUT, _CUT / _SIZES / most * math.exp(min(0.0, counts_most)))
    z = min(theta * spread, max(0.0, -float((widest.mass * widest.at).sum()) * most / spread))
    ends = min(14.0 * spread, (z / 4 + (6 + math.log(most) / 2) / max(z, 1.0) + 1) * spread, _WITHIN * spread + _RISEN / theta)
    steep = theta * ends > _LARGEST_EXPONENT  # steps are tilted by less then, where what is added for errors of transforms would count
    try:
        sizes = [_merged(_trimmed(_of_one(types, level), theta, cut), theta, _MERGED / most)]
        while _largest([*sizes, sizes[-1]], most) >= (_FEWER if 1 << len(sizes) >= _NORMAL else blocks):
            g = 2.0 ** len(sizes)
            doubled = _doubled(sizes[-1], deviation * math.sqrt(g) / finer, theta, cut * g, math.inf if steep else most / g)
            sizes.append(_merged(doubled, theta, _MERGED * g / most))
        sums = _Pass.on(sizes, theta, ends=ends, spread=spread, users=most).sums(numbers)
        found = [sums[S] / S * (1 + 4 * U) for S in numbers]
    except UnsupportedError:  # masses of large blocks leave the floats, and tilts know how much they are worth
        found = [math.inf for _ in numbers]
    if found[0] > rough[0]:
        rough = tilted.bounds(theta * _TILTS, numbers, error)
    return [min(pair) for pair in zip(found, rough, strict=True)]


@dataclass(frozen=True)
class _Tilted:
    """Loss types in rows, filled up with 0, tilted by e^(theta L): choices. rest: what is left of each mass, at 0."""

    mass: Floats
    at: Floats
    rest: Floats

    @classmethod
    def of(cls, types: Sequence[Losses]) -> Self:
        """Return these types in rows."""
        mass, at = np.zeros((2, len(types), max(len(law.at) for law in types)))
        for row, law in enumerate(types):
            mass[row, : len(law.at)], at[row, : len(law.at)] = law.mass, law.at
        return cls(mass, at, np.array([law.rest for law in types]))

    def gathered(self) -> Self:
        """Return the same with neighbours together."""
        places = np.arange(0, self.mass.shape[1], _GATHERED)
        mass = np.add.reduceat(self.mass, places, axis=1)
        return replace(self, mass=mass, at=np.add.reduceat(self.mass * self.at, places, axis=1) / np.maximum(mass, _TINY))

    def cumulants(self, theta: float) -> Floats:
        """Return ln E e^(theta L)."""
        top = np.maximum(0.0, theta * self.at.max(axis=1))
        found: Floats = top + np.log((self.mass * np.exp(theta * self.at - top[:, None])).sum(axis=1) + self.rest * np.exp(-top))
        return found

    def bounds(self, thetas: Iterable[float], numbers: Sequence[int], error: float) -> list[float]:
        """Return upper bounds on these means by the best of some tilts: x_+ is at most e^(theta x - 1)/theta. error: of masses."""
        users, least = np.array(numbers, dtype=np.float64), np.full(len(numbers), _LARGEST_EXPONENT)
        for theta in thetas:
            power = math.log(math.exp(min(_LARGEST_EXPONENT, float(self.cumulants(theta).max()))) * (1 + error + _OF_A_POWER) + _OF_A_POWER)
            least = np.minimum(least, users * power - 1 - np.log(theta * users))
        found: list[float] = (np.exp(least) * _SLACK).tolist()
        return found

    def moments(self, theta: float, power: int) -> Floats:
        """Return the means of L^power, tilted."""
        found: Floats = (self.mass * np.exp(theta * self.at - self.cumulants(theta)[:, None]) * self.at**power).sum(axis=1)
        return found

    def least(self, start: float, users: int) -> float:
        """Return where the largest (E e^(theta L))^users/theta^2 of all types is least, to about one percent."""

        def at(theta: float) -> tuple[float, bool, float]:
            """Return theta, whether ln of that rises there, and ln of the power."""
            cumulants = self.cumulants(theta)
            worst = int(cumulants.argmax())
            mean = float((self.mass[worst] * np.exp(theta * self.at[worst] - cumulants[worst]) * self.at[worst]).sum())
            return theta, not users * mean <= 2 / theta, users * float(cumulants[worst])

        low = high = at(start)
        while not high[1] and high[0] < start * _FARTHEST:
            low, high = high, at(2 * high[0])
        while low[1] and low[0] > start / _FARTHEST:
            low, high = at(low[0] / 2), low
        while high[0] > _NEAR * low[0] or high[2] - low[2] > _AT_A_KINK:
            middle = at(math.sqrt(low[0] * high[0]))
            if not low[0] < middle[0] < high[0]:
                break
            low, high = (low, middle) if middle[1] else (middle, high)
        return high[0]


def _largest(sizes: Sequence[Blocks], users: int) -> int:
    """How many blocks of the largest size there are."""
    smaller = sum(len(blocks.mass) << j for j, blocks in enumerate(sizes[:-1]))
    return (users - smaller) >> (len(sizes) - 1)


def _of_one(types: Sequence[Losses], level: int) -> Blocks:
    """Losses of one user, spread to multiples of 2^level; with what is left of a mass they are 0. What is too far below 0 is moved up."""
    mass, at = np.zeros((2, len(types), 1 + max(len(law.at) for law in types)))
    for own, places, law in zip(mass, at, types, strict=True):
        own[: len(law.at)], places[: len(law.at)] = law.mass * (1 + law.error), law.at / math.ldexp(1.0, level)
        own[-1] = max(0.0, 1.0 - float(law.mass.sum()) * (1 - law.error)) + 4 * len(law.mass) * U
    at = np.maximum(at, 1.0 - _LONGEST)
    if not float(at.max()) < _LONGEST:
        raise out_of_range("losses of one report are too far apart for the number of users")
    below = np.floor(at)
    share, index = at - below, below.astype(np.int64)
    first = int(index.min())
    length = int(index.max()) - first + 2
    index += np.arange(-first, len(types) * length - first, length)[:, None]
    parts = [np.bincount((index + j).ravel(), (mass * part).ravel(), len(types) * length) for j, part in ((0, 1.0 - share), (1, share))]
    return Blocks(first, level, (parts[0] + parts[1]).reshape(-1, length) * (1 + (at.shape[1] + 4) * U), 0.0)


def _doubled(x: Blocks, step: float, theta: float, cut: float, blocks: float) -> Blocks:
    """Return the sums of two independent ones, on a grid whose step is above half of this one, by transforms of tilted masses.

    blocks: how many there are of that size, about, each of which has what is added for errors: where that would count, products are summed.
    """
    tilt, top = x.tilt(theta)
    tilted, errors = squares(x.mass * tilt)
    noise = float(errors.max()) * tilted.shape[1] / float(tilted.sum(axis=1).max())
    if x.mass.shape[1] <= _DIRECT and noise > _NOISE / blocks:
        tilted, noise = np.array([np.convolve(row, row) for row in x.mass * tilt]) * (1 + (x.mass.shape[1] + 4) * U), 0.0
        errors = np.zeros(len(tilted))
    exponent = 2 * top - theta * x.step * np.arange(2 * x.first, 2 * x.first + tilted.shape[1])
    if not float(exponent.max()) < _UNDERFLOWS:
        raise out_of_range("losses of one report are too far apart for the number of users")
    tilted += errors[:, None] + _UNDERFLOW
    length = int(np.count_nonzero(exponent > -_LARGEST_EXPONENT))  # beyond it masses leave the floats, and are cut off
    kept, off = (float(part.sum(axis=1).max()) for part in (tilted[:, :length], tilted[:, length:]))
    if off:
        kept -= 2 * length * (float(errors.max()) + _UNDERFLOW)
        off = off / kept * _ROUNDED if kept > 0.0 else math.inf
    mass = tilted[:, :length] * np.exp(exponent[:length]) * _EXPONENTIAL + _TINY
    most = float(x.mass.sum(axis=1).max()) ** 2 * (1 + 4 * mass.shape[1] * U)
    above = np.cumsum(mass[:, :0:-1], axis=1)[:, ::-1]
    mass[:, :-1] = np.minimum(mass[:, :-1], np.maximum(most - above, 0.0))  # far below, errors over e^(theta x) are more than there is
    found = _trimmed(
        Blocks(2 * x.first, x.level, mass, (2 + x.cut) * x.cut * (1 + off) * _SLACK + off), theta, max(cut, noise), most
    )  # no less than noise is worth keeping
    while 2 * found.step <= step:
        found = _coarser(found)
    return found


def _coarser(x: Blocks) -> Blocks:
    """On a grid of twice the step: odd points go half to each neighbour."""
    lead, length = x.first % 2, x.mass.shape[1]
    padded = np.zeros((len(x.mass), 2 * ((length + lead) // 2 + 1)))
    padded[:, lead : lead + length] = x.mass
    mass, odd = padded[:, 0::2].copy(), padded[:, 1::2] / 2
    mass += odd
    mass[:, 1:] += odd[:, :-1]
    return Blocks(x.first // 2, x.level + 1, mass * (1 + 4 * U), x.cut)


def _trimmed(x: Blocks, theta: float, share: float, most: float = math.inf) -> Blocks:
    """Without ends that are worth less than this share, if x is worth e^(theta x): the upper one is cut off, the lower one moved up.

    most: what all masses of a row are that are known to be there; x may have more, far below where it counts.
    """
    tilt, _ = x.tilt(theta)
    highest = x.mass.max(axis=0)
    above = np.append(np.cumsum((highest * tilt)[::-1])[::-1], 0.0)
    total = float((x.mass * tilt).sum(axis=1).max())
    high = max(0, int(np.searchsorted(-above, -share * total)) - 1)
    low = int(np.searchsorted(np.minimum(np.cumsum(highest[:high]), most) * tilt[1 : high + 1], share * total))
    mass = x.mass[:, low : high + 1].copy()
    mass[:, 0] += np.minimum(x.mass[:, :low].sum(axis=1), most) * _SLACK
    off = float(above[high + 1])
    cut = (x.cut * total + off) / (total - off) * _ROUNDED + _TINY
    return Blocks(x.first + low, x.level, mass * (1 + (mass.shape[1] + 4) * U), cut)


def _merged(x: Blocks, theta: float, share: float) -> Blocks:
    """The same, where one above several stands for these if its mean of e^(theta x) is hardly larger, or below the largest of all.

    share: by how much of itself, about.
    """
    if len(x.mass) == 1:
        return x
    rows = np.cumsum(np.cumsum(x.mass[:, ::-1], axis=1), axis=1)[:, ::-1]  # E(X - t)_+ in steps, t from one below the first point on
    exponent = theta * x.at
    weights = np.exp(np.clip(exponent - exponent.max(), -_UNDERFLOWS, 0.0)) * math.expm1(-theta * x.step) ** 2
    totals = np.einsum("rk,k->r", rows, weights)  # for products of long arrays libraries start threads, which take longer
    apart, parts = math.exp(-_SMALLER / _MERGED * share), np.arange(0, rows.shape[1], 1 + rows.shape[1] // _PARTS)
    in_parts = np.add.reduceat(rows * weights, parts, axis=1)
    groups: list[list[int]] = []
    joints: list[Floats] = []
    for i in np.argsort(-totals).tolist():
        for j, group in enumerate(groups):
            most = max((1 + share) * totals[group[0]], apart * totals.max())
            if float(np.maximum(in_parts[group].max(axis=0), in_parts[i]).sum()) > most * _SLACK:  # the joint is no less
                continue
            joint = np.maximum(joints[j], rows[i])
            if float(np.einsum("k,k->", joint, weights)) <= most:
                group.append(i)
                joints[j] = joint
                break
        else:
            groups.append([i])
            joints.append(rows[i])
    return replace(x, mass=np.array([x.mass[group[0]] if len(group) == 1 else _above(x.mass[group], rows[group]) for group in groups]))


def _above(masses: Floats, rows: Floats) -> Floats:
    """The least distribution on the grid that dominates these; what roundings took from it is put back by a factor, which is checked."""
    highest, mass = rows.max(axis=0), float(masses.sum(axis=1).max())
    tail = np.maximum(highest - np.append(highest[1:], 0.0), 0.0)
    tail[0] = max(tail[0], mass)
    p = np.maximum(tail - np.append(tail[1:], 0.0), 0.0)
    reached = np.cumsum(np.cumsum(p[::-1]))[::-1]
    if bool(((reached <= 0.0) & (highest > 0.0)).any()):
        raise out_of_range("the sums leave the floats")
    ratios = np.divide(highest, reached, out=np.zeros(len(p)), where=reached > 0.0)
    found: Floats = p * (max(1.0, float(ratios.max()), mass / float(p.sum())) * (1 + 16 * len(p) * U))
    return found


@dataclass(frozen=True)
class _Step:
    """The largest mean of V(s + x) over some distributions on multiples of h, by W(k) = V(k h) e^(-rate k - growth).

    growth: what a step adds to that of V, so that at most one mean is left of tilted masses; slope: to ln of the slope of V e^-growth, at
    most; others: to ln of the largest W(k) e^(-more k), at most, for several `more`, since (k h)_+ is at most h e^(r k - 1)/r. cumulant,
    cut: those of blocks, the largest.
    """

    first: int
    means: LargestMeans
    rate: float
    growth: float
    slope: float
    more: Floats
    others: Floats
    cumulant: float
    cut: float

    @classmethod
    def of(cls, blocks: Blocks, h: float, theta: float, rate: float, others: Floats) -> Self:
        """On multiples of h, a power of 2."""
        first, weights = _kernels(blocks, h)
        total, length = max(1.0, float(weights.sum(axis=1).max())), weights.shape[1]
        k, reach, growth = np.arange(first, first + length), max(abs(first), abs(first + length)), blocks.cumulant(rate / h)
        if not reach * rate + abs(growth) < _LARGEST_EXPONENT:
            raise out_of_range("losses of one report are too far apart for the number of users")
        weights = weights * np.exp(rate * k - growth) * _EXPONENTIAL
        tilted = float(weights.sum(axis=1).max()) * (1 + 2 * length * U)
        growth, weights = growth + math.log(tilted) + _ROUNDED_SUM, weights / tilted
        more = others - rate
        sums = (weights @ np.exp(np.clip(np.multiply.outer(k, more), -_LARGEST_EXPONENT, _LARGEST_EXPONENT))).max(axis=0)
        logs = np.where(reach * np.abs(more) < _LARGEST_EXPONENT, np.log(sums), math.inf) + 2 * length * U + 8 * _ROUNDED_SUM
        slope = math.log(total) - growth + 2 * length * U + 8 * _ROUNDED_SUM
        return cls(first, LargestMeans(weights), rate, growth, slope, more, logs, blocks.cumulant(theta), blocks.cut)

    def after(self, W: Floats, reach: int, slope: float, largest: Floats) -> Floats:
        """At `reach` points on either side of 0, as W is: beyond its ends V rises like s above, and does not fall below, at most.

        slope: ln of h times the slope of V e^-growth, at most; largest: of W(k) e^(-more k).
        """
        last, low, high = len(W) // 2, self.first - reach, self.first + self.means.length - 1 + reach
        even, parts = int(np.searchsorted(self.more, 0.0)), [W]
        if low < -last:
            below = np.arange(low, -last + 0.0)
            level = math.log(max(float(W[0]), _TINY)) - self.rate * (below + last)
            under = (np.multiply.outer(self.more[even:], below) + largest[even:, None]).min(axis=0)
            parts.insert(0, np.exp(np.minimum(level, under)) * _EXPONENTIAL)
        if high > last:
            above = np.arange(last + 1.0, high + 1)
            rising = W[-1] * np.exp(self.rate * (last - above)) + (above - last) * np.exp(slope - self.rate * above)
            over = (np.multiply.outer(self.more[: even + 1], above) + largest[: even + 1, None]).min(axis=0)
            parts.append(np.minimum(rising, np.exp(over)) * _EXPONENTIAL)
        padded, start = np.concatenate(parts) if len(parts) > 1 else W, max(0, low + last)
        found, wrong = self.means.of(padded[start : start + high - low + 1])
        return found + wrong


@dataclass(frozen=True)
class _Kept:
    """V after some blocks of `done` users: V(k h) is at most W(k) e^(rate k + growth) on either side of 0, and what is cut off.

    slope, others: see `_Step.after`; lost: ln of prod M(p_i) e^-1/theta; cut: what is cut off, next to that.
    """

    W: Floats
    slope: float
    others: Floats
    lost: float
    done: int = 0
    growth: float = 0.0
    cut: float = _TINY

    @property
    def at_zero(self) -> float:
        """V(0), at most: x_+ is at most e^(theta x - 1)/theta, which is nearer where steps are tilted by less."""
        if not self.cut < _LARGEST_EXPONENT:
            return math.inf
        kept, worth = float(self.W[len(self.W) // 2]) * math.exp(max(self.growth, -_UNDERFLOWS)), math.exp(self.lost) + _TINY
        return (min(kept, worth) + worth * math.expm1(self.cut)) * _ROUNDED


@dataclass(frozen=True)
class _Pass:
    """Steps on a grid from -half to half times h: blocks of 1, 2, 4, ... users, of each smaller size as many as there are distributions.

    spread: the deviation of the sum of so many users.
    """

    steps: Sequence[_Step]
    counts: Sequence[int]
    first: _Kept
    half: int
    spread: float
    users: int

    @classmethod
    def on(cls, sizes: Sequence[Blocks], theta: float, *, ends: float, spread: float, users: int) -> Self:
        """On a grid from -ends to ends, less where that hardly counts."""
        points = _POINTS * (2 if users >= _MANY and max(len(blocks.mass) for blocks in sizes) <= _QUICK else 1)
        h = math.ldexp(1.0, math.floor(math.log2(min(spread / points, max(1 / (_STEEPEST * theta), ends / _MOST_POINTS)))))
        half = math.ceil(ends / h)
        if not half < _LONGEST:
            raise out_of_range("losses of one report are too far apart for the number of users")
        rate = min(theta * h, _LARGEST_EXPONENT / half)
        k, others = np.arange(-half, half + 1.0), rate + _OTHERS * (h / spread)
        others = others[(others > 0.0) & (others * half <= _LARGEST_EXPONENT * _SLACK)]  # rate itself among them
        W, largest = np.maximum(h * k, 0.0) * np.exp(-rate * k) * _EXPONENTIAL, np.log(h / others) - 1.0 + _ROUNDED_SUM
        first = _Kept(W, slope=math.log(h) + _ROUNDED_SUM, others=largest, lost=-1.0 - math.log(theta))
        steps = [_Step.of(blocks, h, theta, rate, others) for blocks in sizes]
        return cls(steps, [*(len(blocks.mass) for blocks in sizes[:-1]), _largest(sizes, users)], first, half, spread / h, users)

    def sums(self, numbers: Sequence[int]) -> dict[int, float]:
        """Return V_S(0) for so many users, at most: blocks up to one size, and the binary digits of the users that are over."""
        found, kept = dict[int, float](), self.first
        of_fewer = self._aligned(numbers)
        asked = sorted(set(of_fewer.values()))
        for j, times in enumerate(self.counts):
            for _ in range(times + (j == len(self.counts) - 1)):
                here = asked[bisect_left(asked, kept.done) : bisect_left(asked, kept.done + (1 << j))]
                self._with_digits(kept, j, [S - kept.done for S in here], found)
                if self.users - kept.done >= 1 << j:
                    kept = self._after(kept, j, self.users - kept.done - (1 << j))
        if not all(map(math.isfinite, found.values())):
            raise out_of_range("the sums leave the floats")
        return {S: found[fewer] * (S / fewer) * (1 + 4 * U) for S, fewer in of_fewer.items()}

    def _aligned(self, numbers: Sequence[int]) -> dict[int, int]:
        """Return of each number a smaller one with few digits, at most a part of the way below as the next one is above.

        The mean of sums over users does not grow with them.
        """
        smaller = sum(count << j for j, count in enumerate(self.counts[:-1]))
        found, following = dict[int, int](), self.users + 1
        for S in sorted(numbers, reverse=True):
            digits = max(0, ((following - S) // _ALIGNED).bit_length() - 1)
            found[S] = S - (S - smaller) % (1 << min(digits, len(self.counts) - 1)) if smaller < S else S
            following = S
        return found

    def _with_digits(self, kept: _Kept, j: int, over: Sequence[int], found: dict[int, float]) -> None:
        """Add V(0) after so many users more, each fewer than 2^j."""
        if j == 0 and over:
            found[kept.done] = kept.at_zero
        for digit in (0, 1) if j else ():
            rest = [each & ~(1 << j - 1) for each in over if each >> j - 1 == digit]
            if rest:
                self._with_digits(self._after(kept, j - 1, max(rest)) if digit else kept, j - 1, rest, found)

    def _after(self, kept: _Kept, j: int, left: int) -> _Kept:
        """Return V after a block of 2^j more, where it counts if so many users are left then."""
        step, done = self.steps[j], kept.done + (1 << j)
        # a sum that counts is near 0 before and after, hence about as near to it in between as a bridge
        there = _AROUND * math.sqrt(done * left / (done + left)) + _ENDS * math.sqrt(min(left, 1 << j))
        W = step.after(
            kept.W,
            min(self.half, math.ceil(there * self.spread / math.sqrt(self.users)) + (_BESIDE if left else 0)),
            kept.slope,
            kept.others,
        )
        growth, slope, others = kept.growth + step.growth, kept.slope + step.slope, kept.others + step.others
        if not max(growth, kept.lost + step.cumulant) < _LARGEST_EXPONENT:
            raise out_of_range("the sums leave the floats")
        return _Kept(W, slope, others, kept.lost + step.cumulant, done, growth, kept.cut + step.cut)


def _kernels(blocks: Blocks, h: float) -> tuple[int, Floats]:
    """The masses of these blocks on multiples of h, a power of 2, in rows from a first one on."""
    while blocks.step < h:
        blocks = _coarser(blocks)
    apart = int(blocks.step / h)
    if not apart * blocks.mass.shape[1] < _LONGEST_STEP:
        raise out_of_range("losses of one report are too far apart for the number of users")
    rows = np.zeros((len(blocks.mass), apart * (blocks.mass.shape[1] - 1) + 1))
    rows[:, ::apart] = blocks.mass
    return apart * blocks.first, rows
