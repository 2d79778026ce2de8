"""Distributions above those of the sums of users of one loss type each, in blocks of 1, 2, 4, ... users (see `alike_blocks`).

They stand on multiples of a power of two, means kept, which raises them in the convex order. All terms are positive: roundings are factors.
Blocks are doubled by transforms of masses times e^(theta x), and what these err by is added; far below 0 that is more than all masses are,
so that what is more than these is left out again, from below.

What is cut off at the lower end is moved up. Where p_i is kept of the i-th block and c_i cut off at its upper end, and M(c_i) =
E e^(theta x) over c_i is at most r_i M(p_i), the largest of all types, all that is lost is at most (prod (1 + r_i) - 1) prod M(p_i)
e^(theta s - 1)/theta, since (s + x)_+ is at most e^(theta (s + x) - 1)/theta. With theta where the whole sum counts, a block keeps what
counts in the end, which is far less than what is likelier than delta.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.numeric.convolution import squares
from shuffleproof.impl.fast.numeric.results import U, out_of_range

MERGED = 3e-4
"""Of ln delta, what one distribution for two types may add."""
_SMALLER = 20.0
"""Of ln delta, how far below the largest a distribution for several types has to be to stand for them, however much larger than theirs its
delta is."""
_PARTS = 64
"""Parts of a grid by which most distributions are told apart."""
LONGEST = 1 << 14
"""Points of a grid: with more, losses are too far apart for the number of users."""
_LONGEST_STEP = 1 << 18
"""Points of the grid on which V is kept that a block may reach over."""
TINY = 1e-305
"""More than what underflows."""
_UNDERFLOW = 1e-290
"""More than what underflows in the square of a distribution, next to what it is worth."""
_NOISE = 1e-6
"""Of ln delta, what errors of a size's transforms may add."""
_DIRECT = 2048
"""Points up to which these take no longer than a few milliseconds a row."""
LARGEST_EXPONENT = 600.0
"""Of e, at most, so that products of masses and e^x are normal floats."""
UNDERFLOWS = 700.0
"""-x from which on e^x may not be a normal float."""
EXPONENTIAL = 1 + 2.0**13 * U
"""For an exponential of the sum of a few such exponents, 3 roundings of each, and a few products."""
SLACK = 1 + 1e-12
"""For a dozen roundings."""
ROUNDED = 1 + 1e-6
"""For roundings of exponents, in what is cut off."""


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
        if not abs(top) < LARGEST_EXPONENT or float(exponent.max(initial=0.0, where=highest > 0.0)) > UNDERFLOWS:
            raise out_of_range("losses of one report are too far apart for the number of users")
        return np.exp(np.minimum(exponent, UNDERFLOWS)), top

    def cumulant(self, theta: float) -> float:
        """Return the largest ln E e^(theta x) over the masses."""
        tilt, top = self.tilt(theta)
        return top + math.log(float((self.mass * tilt).sum(axis=1).max()))


def of_one_user(types: Sequence[Losses], level: int, lowest: float = -math.inf) -> Blocks:
    """Losses of one user, spread to multiples of 2^level; with what is left of a mass they are 0. What is too far below 0 is moved up.

    lowest: what is below it may be, too.
    """
    mass, at = np.zeros((2, len(types), 1 + max(len(law.at) for law in types)))
    for own, places, law in zip(mass, at, types, strict=True):
        own[: len(law.at)], places[: len(law.at)] = law.mass * (1 + law.error), law.at / math.ldexp(1.0, level)
        own[-1] = max(0.0, 1.0 - float(law.mass.sum()) * (1 - law.error)) + 4 * len(law.mass) * U
    at = np.maximum(at, max(1.0 - LONGEST, lowest / math.ldexp(1.0, level)))
    if not float(at.max()) < LONGEST:
        raise out_of_range("losses of one report are too far apart for the number of users")
    below = np.floor(at)
    share, index = at - below, below.astype(np.int64)
    first = int(index.min())
    length = int(index.max()) - first + 2
    index += np.arange(-first, len(types) * length - first, length)[:, None]
    parts = [np.bincount((index + j).ravel(), (mass * part).ravel(), len(types) * length) for j, part in ((0, 1.0 - share), (1, share))]
    return Blocks(first, level, (parts[0] + parts[1]).reshape(-1, length) * (1 + (at.shape[1] + 4) * U), 0.0)


def doubled(x: Blocks, step: float, theta: float, cut: float, blocks: float) -> Blocks:
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
    if not float(exponent.max()) < UNDERFLOWS:
        raise out_of_range("losses of one report are too far apart for the number of users")
    tilted += errors[:, None] + _UNDERFLOW
    length = int(np.count_nonzero(exponent > -LARGEST_EXPONENT))  # beyond it masses leave the floats, and are cut off
    kept, off = (float(part.sum(axis=1).max()) for part in (tilted[:, :length], tilted[:, length:]))
    if off:
        kept -= 2 * length * (float(errors.max()) + _UNDERFLOW)
        off = off / kept * ROUNDED if kept > 0.0 else math.inf
    mass = tilted[:, :length] * np.exp(exponent[:length]) * EXPONENTIAL + TINY
    most = float(x.mass.sum(axis=1).max()) ** 2 * (1 + 4 * mass.shape[1] * U)
    above = np.cumsum(mass[:, :0:-1], axis=1)[:, ::-1]
    mass[:, :-1] = np.minimum(mass[:, :-1], np.maximum(most - above, 0.0))  # far below, errors over e^(theta x) are more than there is
    found = trimmed(
        Blocks(2 * x.first, x.level, mass, (2 + x.cut) * x.cut * (1 + off) * SLACK + off), theta, max(cut, noise), most
    )  # no less than noise is worth keeping
    while 2 * found.step <= step:
        found = coarser(found)
    return found


def coarser(x: Blocks) -> Blocks:
    """On a grid of twice the step: odd points go half to each neighbour."""
    lead, length = x.first % 2, x.mass.shape[1]
    padded = np.zeros((len(x.mass), 2 * ((length + lead) // 2 + 1)))
    padded[:, lead : lead + length] = x.mass
    mass, odd = padded[:, 0::2].copy(), padded[:, 1::2] / 2
    mass += odd
    mass[:, 1:] += odd[:, :-1]
    return Blocks(x.first // 2, x.level + 1, mass * (1 + 4 * U), x.cut)


def trimmed(x: Blocks, theta: float, share: float, most: float = math.inf) -> Blocks:
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
    mass[:, 0] += np.minimum(x.mass[:, :low].sum(axis=1), most) * SLACK
    off = float(above[high + 1])
    cut = (x.cut * total + off) / (total - off) * ROUNDED + TINY
    return Blocks(x.first + low, x.level, mass * (1 + (mass.shape[1] + 4) * U), cut)


def merged(x: Blocks, theta: float, share: float) -> Blocks:
    """The same, where one above several stands for these if its mean of e^(theta x) is hardly larger, or below the largest of all.

    share: by how much of itself, about.
    """
    if len(x.mass) == 1:
        return x
    rows = np.cumsum(np.cumsum(x.mass[:, ::-1], axis=1), axis=1)[:, ::-1]  # E(X - t)_+ in steps, t from one below the first point on
    exponent = theta * x.at
    weights = np.exp(np.clip(exponent - exponent.max(), -UNDERFLOWS, 0.0)) * math.expm1(-theta * x.step) ** 2
    totals = np.einsum("rk,k->r", rows, weights)  # for products of long arrays libraries start threads, which take longer
    apart, parts = math.exp(-_SMALLER / MERGED * share), np.arange(0, rows.shape[1], 1 + rows.shape[1] // _PARTS)
    in_parts = np.add.reduceat(rows * weights, parts, axis=1)
    groups: list[list[int]] = []
    joints: list[Floats] = []
    for i in np.argsort(-totals).tolist():
        for j, group in enumerate(groups):
            most = max((1 + share) * totals[group[0]], apart * totals.max())
            if float(np.maximum(in_parts[group].max(axis=0), in_parts[i]).sum()) > most * SLACK:  # the joint is no less
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


def on_multiples(blocks: Blocks, h: float) -> tuple[int, Floats]:
    """The masses of these blocks on multiples of h, a power of 2, in rows from a first one on."""
    while blocks.step < h:
        blocks = coarser(blocks)
    apart = int(blocks.step / h)
    if not apart * blocks.mass.shape[1] < _LONGEST_STEP:
        raise out_of_range("losses of one report are too far apart for the number of users")
    rows = np.zeros((len(blocks.mass), apart * (blocks.mass.shape[1] - 1) + 1))
    rows[:, ::apart] = blocks.mass
    return apart * blocks.first, rows
