"""E(L_1 + ... + L_S)_+/S at most for users of any loss types, in float64: BEYOND.any-law-alike-blocks and BEYOND.any-law-rare-losses.

Distributions of L come in a few loss types: for each, S_c users. Users of one loss type are put in blocks of g, those left over in blocks
of g/2, g/4, ..., 1; every block is replaced by a distribution above all loss types' (`unlike_sums.Tilt.above`). So one sum serves for all
datasets, and the price falls with g, since sums of g losses of any loss type are nearly normal. From some size on one distribution may
stand for several loss types: fewer users are left over then, and fewer sums are computed. Which loss types, where blocks end, and theta:
any choice is sound.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses, saddle
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, LossesOfOthers, as_losses, widest
from shuffleproof.impl.fast.bounds.swap.unlike_sums import Part, Tilt
from shuffleproof.impl.fast.numeric.results import U

_LENGTH = 1 << 11
"""Points of a grid; twice as many where losses are skewed."""
_SKEWED = 4.0
"""Deviations that the largest loss may be for the shorter grid."""
_CUT_OF_SUM = 1e-7
"""The share of the tilted mass that may be cut off of the upper end of the whole sum."""
_DEAR = 1e-4
"""Of ln delta: what the blocks of the largest size add, about, so that larger ones would not help."""
_MERGED = 1e-3
"""Of ln delta: what one distribution for two loss types may add."""
_COARSE = 8
"""The deviation of losses over the step of a grid, at least, where all losses are on it."""
_FINE = 12
"""The same where rare ones are aside."""
_FAR = 6
"""Deviations of the sum beyond which losses hardly count."""
_LONGEST = 1 << 18
"""Points of a grid, at most."""
_LONG = 1 << 17
"""Points of a grid, at most, where no losses are rare: more take long, and help little."""
_RARE = 1e-2
"""Expected number of users with a loss beyond the grid's end, at most."""
_OUTGROWN = 15.0
"""By how much the logarithm of a sum's tilted mass may exceed the first loss type's before theta is chosen anew."""
_RETILTED = 3
"""How often theta is chosen anew, at most."""


def summed(loss_types: LossesOfOthers, E: float, *, hidden: float, users: int) -> float:
    """The bound.

    hidden: the share of each distribution that is left where something is taken from it; users: S.
    """
    laws = _distributions(loss_types.atoms(E, hidden), users, E)
    whole = Tilt(laws.theta, laws.length, laws.cut, laws.cut_of_sum)
    tilt = whole.part(1 / users)
    alike = [
        tilt.above([tilt.of(mass, at, level=laws.level, error=error) for mass, at, error in loss_type]) for loss_type in laws.loss_types
    ]
    alike, block = tilt.merged(alike, _MERGED / users)
    blocks, groups, g = [block], [len(alike)], 1
    while numbers_of_blocks(users, [*groups, 1])[-1] >= 1 and users / g * _dearer(block, alike) > _DEAR:
        g = 2 * g
        tilt = replace(whole.part(g / users), length=max(laws.shortest, math.ceil(laws.length / math.sqrt(g))))
        alike, block = tilt.merged([tilt.product(x, x) for x in alike], _MERGED * g / users)
        blocks.append(block)
        groups.append(len(alike))
    *few, many = numbers_of_blocks(users, groups)
    rest, tilt = None, replace(whole, length=tilt.length)
    for j, number in enumerate(few):
        coarse = tilt.beside((2 * number << j) / users)
        rest = coarse.joined(rest, coarse.part(1 / number).trimmed(blocks[j]), number)
    total = tilt.joined(rest, blocks[-1], many)
    if laws.rare:
        large = tilt.above([tilt.of(mass, at, level=total.level, error=error, all_of_it=False) for mass, at, error in laws.rare])
        total = tilt.product(total, tilt.compound(large, users))
    return (tilt.positive(total) / users + laws.beyond) * (1 + 1e-12)


def numbers_of_blocks(users: int, groups: Sequence[int]) -> list[int]:
    """How many blocks of 1, 2, 4, ... stand for so many users, however many are of each loss type.

    groups: of blocks of 1, 2, 4, ..., how many distributions there are; the last is of no account. Of each at most one block is left over
    by blocks of twice its size.
    """
    sizes = range(len(groups) - 1)
    largest, extra = divmod(users - sum(groups[j] << j for j in sizes), 1 << (len(groups) - 1))
    return [*(groups[j] + (extra >> j & 1) for j in sizes), largest]


def _dearer(block: Part, loss_types: list[Part]) -> float:
    """Return by how much ln of the mean of e^(theta x) is larger for a block above all loss types' than for the largest of these, about."""
    largest = max(math.ldexp(loss_type.total, loss_type.doubled - block.doubled) for loss_type in loss_types)
    return math.log(block.total / largest)


def _widest(loss_types: list[list[Atoms]], *, least: float = -math.inf) -> Losses:
    """The distribution that decides where the sum is tilted: the one with the largest mean square of losses not less than `least`."""
    return as_losses(widest((atoms for loss_type in loss_types for atoms in loss_type), least=least))


@dataclass(frozen=True)
class _Distributions:
    """Holds what is summed on a grid of this level and length, of losses of each loss type; and the rest of them.

    shortest: points of the grids of large blocks, at least; cut, cut_of_sum: as in Tilt. rare: losses beyond the grid, by loss type, with
    what their user's others contribute below 0; beyond: the most that what is above the last of these contributes.
    """

    loss_types: list[list[Atoms]]
    theta: float
    level: int
    length: int
    shortest: int
    cut: float
    cut_of_sum: float
    rare: list[Atoms]
    beyond: float


def _distributions(loss_types: list[list[Atoms]], users: int, E: float) -> _Distributions:
    """On a grid as fine as the range of losses lets it be, or where that is far above their deviation, rare ones aside.

    L = min(L, c) + (L - c)_+ and (x + y)_+ <= x_+ + y_+ for every c: where sums seldom come to -c that costs little.
    """
    first = _widest(loss_types)
    theta, span = _tilted(loss_types, first, users), max(float(np.abs(at).max()) for loss_type in loss_types for _, at, _ in loss_type)
    deviation = math.sqrt(float((first.mass * first.at**2).sum()))
    length = _LENGTH if span < _SKEWED * deviation else 2 * _LENGTH
    level = math.floor(math.log2(2 * span / length))
    plain = _Distributions(loss_types, theta, level, length, length, Tilt.cut, _CUT_OF_SUM, [], 0.0)
    if math.ldexp(1.0, level) <= deviation / _COARSE:
        return plain
    last = users * (E - 1) + _FAR * deviation * math.sqrt(users)
    beyond = max(above(*atoms, last) for loss_type in loss_types for atoms in loss_type)
    loss_types = [[(mass, np.clip(at, -last, last), error) for mass, at, error in loss_type] for loss_type in loss_types]
    theta = saddle(_widest(loss_types, least=0.0), users)[0]
    end = 8 * deviation
    while end < span and users * max(float(mass[np.abs(at) > end].sum()) for loss_type in loss_types for mass, at, _ in loss_type) > _RARE:
        end *= 1.25
    level = max(math.floor(math.log2(deviation / _FINE)), math.ceil(math.log2(2 * end / _LONGEST)))
    parts = [[divided(atoms, end) for atoms in loss_type] for loss_type in loss_types]
    rare = [large for loss_type in parts for _, large in loss_type if len(large[0])]
    length, cut = max(2 * _LENGTH, math.ceil(4 * end / 2.0**level)), min(1e-11, max(Tilt.cut, 1e-5 / users))
    if not rare and length > _LONG:  # it would take long, and help little
        return plain
    return _Distributions(
        [[small for small, _ in loss_type] for loss_type in parts], theta, level, length, 2 * _LENGTH, cut, 0.0, rare, beyond
    )


def _tilted(loss_types: list[list[Atoms]], first: Losses, users: int) -> float:
    """theta: the widest distribution's, or where others then grow far above it, that of the one that grows most."""
    found = saddle(first, users)[0]
    for _ in range(_RETILTED):
        own = _grown(first.mass, first.at, found, users)
        most = max((atoms for loss_type in loss_types for atoms in loss_type), key=lambda each: _grown(each[0], each[1], found, users))
        if not _grown(most[0], most[1], found, users) > own + _OUTGROWN:
            break
        first = as_losses(most)
        found = saddle(first, users)[0]
    return found


def _grown(mass: Floats, at: Floats, theta: float, users: int) -> float:
    """The logarithm of the tilted mass of a sum, about."""
    top = max(0.0, theta * float(at.max()))
    rest = max(0.0, 1.0 - float(mass.sum())) * math.exp(-top)
    return users * (top + math.log(float((mass * np.exp(theta * at - top)).sum()) + rest))


def above(mass: Floats, at: Floats, error: float, last: float) -> float:
    """E(L - last)_+ at most."""
    return float((mass * np.maximum(at - last, 0.0)).sum()) * (1 + error + 4 * len(at) * U)


def divided(atoms: Atoms, end: float) -> tuple[Atoms, Atoms]:
    """Losses up to `end`, 0 where one is larger; and those that are, raised by what the mean of the others is below 0."""
    mass, at, error = atoms
    small = np.abs(at) <= end
    kept, of_kept = mass[small], at[small]
    below = -float((kept * of_kept).sum()) + float((kept * np.abs(of_kept)).sum()) * (error + 4 * len(at) * U)
    return (kept, of_kept, error), (mass[~small], at[~small] + max(0.0, below), error)
