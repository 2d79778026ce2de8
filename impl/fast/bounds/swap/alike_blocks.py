"""The controlled sum of users whose data are fixed, in float64: blocks of users with one loss type (BEYOND.swap-in-levels.blocks).

Of S independent losses of finitely many types, however many of each, users of one type are put in blocks of g = 2^J, those left over in
blocks of g/2, g/4, ..., 1. Each block's sum has one of few distributions, so that E(sum)_+ is at most the controlled sum that takes at
every step the block of a given size that is worst: V_(i+1)(s) = max over types of E V_i(s + X). Splitting a block raises it. From some
size on one distribution above those of two types may stand for both; fewer blocks are left over then.

Distributions stand on multiples of a power of two, means kept, which raises them in the convex order. All terms are positive: roundings are
factors. What is cut off at the upper end counts with E(X - x)_+, as V does not rise faster than s; at the lower end it is moved up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses, saddle
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.swap import controlled_sum
from shuffleproof.impl.fast.numeric.results import out_of_range
from shuffleproof.impl.fast.numeric.rounding import U

LEAST_BLOCKS = 80
"""Blocks of the largest size, at least: what a user may still choose in each is of the order of the skewness of its sum."""
_FEWER = 30
"""The same where blocks have so many users that their sums are nearly normal: `_MANY` or more."""
_MANY = 32
"""Users of a block from which on its sum is nearly normal."""
_POINTS = 128.0
"""The deviation of the whole sum over the step of the grid on which V is kept, at least: each step on it adds at most 1/65 000 to the
variance, mostly a third of that.
"""
_FINER = 40.0
"""The same for the sums of users of one type, where it costs less and adds up over the sizes."""
_CUT = 1e-5
"""Next to what is wanted, what all that is cut off is worth."""
_SIZES = 32
"""Sizes of blocks at most, about: of each an equal share of that may be cut off."""
_MERGED = 1e-2
"""Of ln delta, what one distribution for two types may add."""
_LONGEST = 1 << 14
"""Points of a grid: with more, losses are too far apart for the number of users."""
_TINY = 1e-305
"""More than what underflows."""
_FEW_ATOMS = 100
"""Values of all loss types together, with which steps that take each of them by itself are quicker."""
_MANY_ROWS = 6
"""Rows from which on a product of matrices is quicker than one sum of products after the other."""
_ONE_THREAD = 1 << 18
"""Products of a matrix product that OpenBLAS leaves to one thread: threads wait for each other."""
_SLACK = 1 + 1e-12
"""For a dozen roundings."""


@dataclass(frozen=True)
class Block:
    """A distribution above that of a block's sum: masses at k 2^level, k from first on, and beyond, which V rises by at most besides."""

    first: int
    level: int
    mass: Floats
    beyond: float

    @property
    def step(self) -> float:
        """2^level."""
        return math.ldexp(1.0, self.level)

    @property
    def at(self) -> Floats:
        """Where the masses are."""
        places: Floats = self.step * np.arange(self.first, self.first + len(self.mass), dtype=np.float64)
        return places


def averages(types: Sequence[Losses], numbers: Sequence[int], *, wanted: float, blocks: int = LEAST_BLOCKS) -> list[float]:
    """Upper bounds on the largest E(L_1 + ... + L_S)_+/S of independent losses of these types, for each S of `numbers`, 1 at least.

    types: masses with their relative error, places rounded up; 0 with what is left of a mass; `worth` is not used. wanted: about what comes
    out; blocks: of the largest size, at least: choices. Raises UnsupportedError beyond the floats.
    """
    most = max(numbers)
    if max(float(law.at.max()) for law in types) <= 0.0:
        return [0.0 for _ in numbers]
    if most < 2 * blocks and sum(len(law.at) for law in types) < _FEW_ATOMS:  # all would be blocks of one user
        return controlled_sum.averages(types, numbers, wanted=wanted)
    widest = max(types, key=lambda law: float((law.mass * law.at**2).sum()))
    deviation, drift = math.sqrt(float((widest.mass * widest.at**2).sum())), -float((widest.mass * widest.at).sum())
    if not 0.0 < deviation < math.inf:
        raise out_of_range("losses of one report leave the range of floats")
    cut, theta = wanted * _CUT / _SIZES, saddle(widest, most)[0]
    laws = _distinct([_block(law, math.floor(math.log2(deviation / _FINER)), cut) for law in types])
    sizes = [_merged(laws, theta, _MERGED / most)]
    while _largest([*sizes, []], most) >= (_FEWER if 1 << len(sizes) >= _MANY else blocks):
        g = 2.0 ** len(sizes)
        doubled = [_doubled(block, deviation * math.sqrt(g), cut * g) for block in sizes[-1]]
        sizes.append(_merged(doubled, theta, _MERGED * 2.0 ** len(sizes) / most))
    number, counts = _counts(sizes, most)
    spread = deviation * math.sqrt(most)
    z = max(0.0, drift) * most / spread
    k = min(14.0, z / 4 + (6 + math.log(most) / 2) / max(z, 1.0) + 1)
    values = _passed(sizes, counts, number, ends=k * spread, spread=spread)
    g = 1 << (len(sizes) - 1)
    return [_value(values, number - -(-(most - S) // g)) / (most - -(-(most - S) // g) * g) * (1 + 4 * U) for S in numbers]


def _value(values: Floats, number: int) -> float:
    if number < 1:  # so few that the blocks of smaller sizes are too many
        raise out_of_range("too few users are left")
    return float(values[number])


def _largest(sizes: Sequence[Sequence[Block]], users: int) -> int:
    """How many blocks of the largest size there are."""
    smaller = sum(len(blocks) << j for j, blocks in enumerate(sizes[:-1]))
    return (users - smaller) >> (len(sizes) - 1)


def _counts(sizes: Sequence[Sequence[Block]], users: int) -> tuple[int, list[int]]:
    """Blocks of the largest size, and of each smaller one: as many as there are distributions, and the binary digits of the rest."""
    J = len(sizes) - 1
    number, extra = divmod(users - sum(len(blocks) << j for j, blocks in enumerate(sizes[:-1])), 1 << J)
    return number, [len(sizes[j]) + (extra >> j & 1) for j in range(J)]


def _block(law: Losses, level: int, cut: float) -> Block:
    """One loss, spread to multiples of 2^level; with what is left of its mass it is 0."""
    rest = max(0.0, 1.0 - float(law.mass.sum()) * (1 - law.error)) + 4 * len(law.mass) * U
    mass, at = np.append(law.mass * (1 + law.error), rest), np.append(law.at, 0.0) / math.ldexp(1.0, level)
    if not float(np.abs(at).max()) < _LONGEST:
        raise out_of_range("losses of one report are too far apart for the number of users")
    below = np.floor(at)
    share, index = at - below, below.astype(np.int64)
    first = int(index.min())
    found = np.zeros(int(index.max()) - first + 2)
    np.add.at(found, index - first, mass * (1.0 - share))
    np.add.at(found, index + 1 - first, mass * share)
    return _trimmed(Block(first, level, found * (1 + (len(at) + 4) * U), 0.0), cut)


def _doubled(x: Block, deviation: float, cut: float) -> Block:
    """Return the sum of two independent ones, on a grid that is as fine as their sum needs. deviation: of that."""
    mass = np.convolve(x.mass, x.mass) * (1 + (len(x.mass) + 4) * U)
    total = max(1.0, float(x.mass.sum())) * _SLACK
    found = _trimmed(Block(2 * x.first, x.level, mass, 2 * x.beyond * total + _TINY), cut)
    while deviation / found.step >= 2 * _FINER:
        found = _coarser(found)
    return found


def _coarser(x: Block) -> Block:
    """On a grid of twice the step: odd points go half to each neighbour."""
    lead = x.first % 2
    padded = np.zeros(2 * ((len(x.mass) + lead) // 2 + 1))
    padded[lead : lead + len(x.mass)] = x.mass
    mass, odd = padded[0::2].copy(), padded[1::2] / 2
    mass += odd
    mass[1:] += odd[:-1]
    return Block(x.first // 2, x.level + 1, mass * (1 + 4 * U), x.beyond)


def _trimmed(x: Block, cut: float) -> Block:
    """Without ends that are worth less than cut: V rises by no more than the mean of what is beyond the upper end."""
    above = np.cumsum(np.cumsum(x.mass[::-1]))[::-1] * x.step  # E(X - x_k)_+ is the entry of the next point
    below = np.cumsum(np.cumsum(x.mass)) * x.step
    high = int(np.searchsorted(-above, -cut))
    low = min(int(np.searchsorted(below, cut)), len(x.mass) - 1)
    high = max(min(high, len(x.mass) - 1), low)
    mass = x.mass[low : high + 1].copy()
    beyond = x.beyond
    if high + 1 < len(x.mass):
        mass[-1] += float(x.mass[high + 1 :].sum()) * _SLACK
        beyond += float(above[high + 1]) * (1 + 2 * len(x.mass) * U) * _SLACK
    mass[0] += float(x.mass[:low].sum()) * _SLACK
    return Block(x.first + low, x.level, mass * (1 + (len(x.mass) + 4) * U), beyond)


def _distinct(blocks: Sequence[Block]) -> list[Block]:
    """Each once."""
    found: list[Block] = []
    for block in blocks:
        if not any(x.first == block.first and np.array_equal(x.mass, block.mass) for x in found):
            found.append(block)
    return found


def _merged(blocks: Sequence[Block], theta: float, share: float) -> list[Block]:
    """The same, where one above several stands for these if its mean of e^(theta x) is hardly larger: by this share, about."""
    blocks = _distinct(blocks)
    if len(blocks) == 1:
        return blocks
    level = max(x.level for x in blocks)
    blocks = [x if x.level == level else _coarser(x) for x in blocks]
    first, last = min(x.first for x in blocks), max(x.first + len(x.mass) for x in blocks)
    rows = np.zeros((len(blocks), last - first + 1))  # E(X - t)_+ in steps, t from one below the first point on
    for row, x in zip(rows, blocks, strict=True):
        row[x.first - first : x.first - first + len(x.mass)] = x.mass
    rows = np.cumsum(np.cumsum(rows[:, ::-1], axis=1), axis=1)[:, ::-1]
    exponent = theta * math.ldexp(1.0, level) * np.arange(first, last + 1)
    tilt = np.exp(np.clip(exponent - exponent.max(), -700.0, 0.0))
    weights = tilt * math.expm1(-theta * math.ldexp(1.0, level)) ** 2
    totals = [float((x.mass * tilt[x.first - first : x.first - first + len(x.mass)]).sum()) for x in blocks]
    groups: list[list[int]] = []
    for i in sorted(range(len(blocks)), key=lambda i: -totals[i]):
        for group in groups:
            if float((np.maximum(rows[i] - rows[group].max(axis=0), 0.0) * weights).sum()) <= share * totals[group[0]]:
                group.append(i)
                break
        else:
            groups.append([i])
    return [blocks[group[0]] if len(group) == 1 else _above([blocks[i] for i in group], rows[group], first) for group in groups]


def _above(blocks: Sequence[Block], rows: Floats, first: int) -> Block:
    """The least distribution above these on the grid; what roundings have taken from it is put back by a factor, which is checked."""
    highest, mass = rows.max(axis=0), max(float(x.mass.sum()) for x in blocks)
    tail = np.maximum(highest - np.append(highest[1:], 0.0), 0.0)
    tail[0] = max(tail[0], mass)
    p = np.maximum(tail - np.append(tail[1:], 0.0), 0.0)
    reached = np.cumsum(np.cumsum(p[::-1]))[::-1]
    if bool(((reached <= 0.0) & (highest > 0.0)).any()):
        raise out_of_range("the sums leave the floats")
    ratios = np.divide(highest, reached, out=np.zeros(len(p)), where=reached > 0.0)
    factor = max(1.0, float(ratios.max()), mass / float(p.sum())) * (1 + 16 * len(p) * U)
    return Block(first, blocks[0].level, p * factor, max(x.beyond for x in blocks))


def _passed(sizes: Sequence[Sequence[Block]], counts: Sequence[int], number: int, *, ends: float, spread: float) -> Floats:
    """Return V(0) after all smaller blocks and 0, ..., `number` of the largest ones, at most.

    One pass on a grid from -ends to ends. spread: the
    deviation of all of it.
    """
    level = math.floor(math.log2(spread / _POINTS))
    h = math.ldexp(1.0, level)
    half = math.ceil(ends / h)
    if not half < _LONGEST:
        raise out_of_range("losses of one report are too far apart for the number of users")
    V, beyond, growth, found = np.maximum(h * np.arange(-half, half + 1.0), 0.0), 0.0, 0.0, np.zeros(number + 1)
    steps = [(blocks, times) for blocks, times in zip(sizes, [*counts, number], strict=True)]
    for j, (blocks, times) in enumerate(steps):
        first, weights = _kernels(blocks, level)
        length = weights.shape[1]
        left, right = max(0, -first), max(0, first + length - 1)
        total = float(weights.sum(axis=1).max()) * (1 + 2 * length * U)
        padded, rising = np.empty(left + len(V) + right), h * np.arange(1.0, right + 1)
        read = slice(left + first, left + first + len(V) + length - 1)
        if j + 1 == len(steps):
            found[0] = V[half] * math.exp(growth) * _SLACK + beyond
        for i in range(times):
            padded[:left], padded[left : left + len(V)], padded[left + len(V) :] = V[0], V, V[-1] + rising
            V = _means(padded[read], weights).max(axis=0) / total
            growth += math.log(total) + (length + 16) * U
            beyond = (beyond * total + max(x.beyond for x in blocks) + _TINY) * _SLACK
            if j + 1 == len(steps):
                found[i + 1] = V[half] * math.exp(growth) * _SLACK + beyond
    if not np.isfinite(found).all():
        raise out_of_range("the sums leave the floats")
    return found


def _means(values: Floats, weights: Floats) -> Floats:
    """For each row of weights its mean of the values from every place on: of many rows by products of matrices."""
    if len(weights) < _MANY_ROWS:
        return np.array([np.correlate(values, row, "valid") for row in weights])
    windows = np.lib.stride_tricks.sliding_window_view(values, weights.shape[1]).T
    width = max(16, _ONE_THREAD // weights.size)
    return np.concatenate([weights @ windows[:, i : i + width] for i in range(0, windows.shape[1], width)], axis=1)


def _kernels(blocks: Sequence[Block], level: int) -> tuple[int, Floats]:
    """The masses of these blocks on multiples of 2^level, in rows from a common first one on."""
    spread: list[tuple[int, Floats]] = []
    for x in blocks:
        at = x.at / math.ldexp(1.0, level)
        below = np.floor(at)
        share, index = at - below, below.astype(np.int64)
        row = np.zeros(int(index[-1] - index[0]) + 2)
        np.add.at(row, index - index[0], x.mass * (1.0 - share))
        np.add.at(row, index + 1 - index[0], x.mass * share)
        spread.append((int(index[0]), row * (1 + (len(x.mass) + 4) * U)))
    first, last = min(start for start, _ in spread), max(start + len(row) for start, row in spread)
    rows = np.zeros((len(spread), last - first))
    for to, (start, row) in zip(rows, spread, strict=True):
        to[start - first : start - first + len(row)] = row
    return first, rows
