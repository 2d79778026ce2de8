"""About ln delta of the random-swap bound by saddle points of all loss types: guesses, which decide where the bound itself is asked.

From a few hundred users on they are within a few percent of it. (Three to seven bounds fewer are asked than by one loss type.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.swap.controlled_sum import CROWDED, in_the_pool, levels_for
from shuffleproof.impl.fast.bounds.swap.loss_types import LossTypes, Thinned, in_rows
from shuffleproof.impl.fast.bounds.swap.swap_in_order import MANY, first_draws
from shuffleproof.impl.fast.bounds.swap.user_blocks.alike_blocks import ON_A_LINE

_STEPS = 40
"""To a saddle point, at most."""
_NEAR = 3e-3
"""Of ln theta, the last of these steps."""
_NODES = 8
"""Of such numbers of users."""
_LITTLE = 1 / 200
"""Of what may be taken of omega, what hardly makes others hide less."""
_TAIL = 1e-7
"""See `first_draws`."""
_MANY_DRAW = 1000.0
"""Of many users, who draw from the blanket in the mean, above which those who are left in the mean stand for all numbers of them."""
_CLEARLY = 0.02
"""Of ln delta, by how much two such guesses have to differ for it to be clear which is less."""
_HARDLY = 1e-6
"""Of what comes out, what need not be known any nearer."""
_RARELY = 1e-3
"""Of what comes out, what nobody's drawing may add for the blanket as a whole to stand for what is left of it."""
_LARGEST_EXPONENT = 600.0
"""Of a tilt."""


def nodes(others: int) -> Floats:
    """Return numbers of users between which ln of their sums is nearly a line, 1 and all among them."""
    found: Floats = 1 + np.floor((others - 1) * np.linspace(0.0, 1.0, _NODES) ** 2)
    return found


def about(types: LossTypes, E: float, others: int, wanted: float, more: Floats | float = 0.0, *, by_levels: bool = False) -> float:
    """Return about ln of the bound with this choice of omega.

    wanted: about e to that; more: of ln of sums, what saddle points lack, of thinned loss types at each of the `nodes`; by_levels: without
    the blanket's bound.
    """
    if (nearly := of_sums(types, E, others, wanted)) is not None:
        return nearly
    levels = np.array([float(eta) for eta in levels_for(others, wanted, types.most)])
    many = others >= MANY and not (isinstance(types, Thinned) and others * types.mass < _MANY_DRAW)
    mass, at = types.foremost(E, np.zeros(1), many=many)
    told, decided = min(1.0, float((mass * np.maximum(at, 0.0)).sum(axis=-1).max())), by_levels or levels_decide(types, others, levels)
    if not decided:
        told = min(told, max((float((p * np.maximum(x, 0.0)).sum()) for p, x, _ in types.blanket(E, 0.0)), default=1.0))

    def hidden(share: float) -> float:
        if decided or not (laws := types.blanket(E, share)):
            return told
        (masses, places), everybody = in_rows(laws), np.array([others + 1.0])
        return min(told, math.exp(min(0.0, float(largest_sums(masses[None], places[None], everybody)[0]))))

    without = hidden(0.0)
    if not len(levels):
        return math.log(max(without, 1e-320))
    if isinstance(types, Thinned):
        if many:
            users, probabilities = np.array([others + 1 - 1 / types.mass]), np.ones(1)
            sums = np.exp(largest_sums(mass, at, users))
        else:
            users, probabilities = _draws(others, types.mass, wanted)
            numbers = nodes(others)
            sums = np.exp(np.interp(users, numbers, largest_sums(mass, at, numbers) + more))
        none = math.exp(others * math.log1p(-types.mass) * float(levels[-1]) / types.mass)
        nobody = told * math.exp(others * math.log1p(-types.mass) * (1 - float(levels[-1]) / types.mass))
    else:
        below = np.append(0.0, levels[:-1])
        part, none_in = (levels - below) / (1 - below), np.exp(others * np.log1p(-levels))
        users = others + 1 + others * part / np.expm1(others * np.log1p(-part))
        sums = np.exp(largest_sums(*types.foremost(E, levels), users) + more)
        probabilities, none, nobody = np.append(1.0, none_in[:-1]) - none_in, float(none_in[-1]), told
    found = float((np.minimum(told, sums) * probabilities).sum())
    if none * nobody > _HARDLY * found:
        nobody = min(nobody, hidden(float(levels[-1])) if none * nobody > _RARELY * found or decided else without)
    return math.log(max(min(without, found + none * nobody), 1e-320))


@lru_cache(maxsize=16)
def of_sums(types: LossTypes, E: float, others: int, wanted: float) -> float | None:
    """Return about ln of the bound by a sum along a line for those who are left in the mean; None where that is not known."""
    return types.about(E, _left(others, types.mass, wanted)) if others >= MANY and isinstance(types, Thinned) else None


def of_one_level(types: LossTypes, E: float, others: int, wanted: float, ahead: float) -> tuple[float, float] | None:
    """Return about ln of the bound of one level, by sums along a line of the worst types, and `ahead` by these; None without a line.

    ahead: see `blanket_ahead`; where it is clear which is less the other one is not asked.
    """
    levels = levels_for(others, wanted, types.most)
    if isinstance(types, Thinned) or others < ON_A_LINE or len(levels) != 1:
        return None
    from shuffleproof.impl.fast.bounds.swap.along_a_line import alike_line, loss_rows  # of many users alone

    found: float | None = None
    hidden: float | None = None
    if ahead < _CLEARLY:
        pools, _ = in_the_pool(others, levels[0], tail=wanted * CROWDED)
        users = others + 1 - sum(r * p for r, p in pools) / sum(p for _, p in pools)
        (mass,), (at,) = types.foremost(E, np.array([float(levels[0])]))
        found = alike_line.of_worst_type(loss_rows.Rows(mass, at), users)
    if ahead > -_CLEARLY:
        laws = [(np.append(mass, 1.0 - mass.sum()), np.append(at, 0.0)) for mass, at, _ in types.blanket(E, 0.0)]
        mass, at = in_rows(laws)
        hidden = alike_line.of_worst_type(loss_rows.Rows(mass, at), others + 1.0)
    if found is not None and hidden is not None:
        return min(found, hidden), found - hidden
    least = hidden if found is None else found
    return None if least is None else (least, ahead)


def blanket_ahead(types: LossTypes, E: float, others: int, wanted: float) -> float:
    """Return about by how much ln of the blanket's bound is below that of levels: both guesses lack the same, about."""
    if not (laws := types.blanket(E, 0.0)):
        return -math.inf
    (masses, places), everybody = in_rows(laws), np.array([others + 1.0])
    return about(types, E, others, wanted, by_levels=True) - float(largest_sums(masses[None], places[None], everybody)[0])


@lru_cache(maxsize=16)
def _left(others: int, mass: float, wanted: float) -> float:
    """Return in the mean how many users are left after the first draw."""
    _, last, probabilities = np.array(first_draws(others, mass, tail=wanted * _TAIL)).T
    return others + 1 - float(last @ probabilities)


def counting_from(types: LossTypes, E: float, others: int, levels: Sequence[Fraction], hardly: float) -> int:
    """Return the first level, the last one at the latest, with sums of more than `hardly`, about, where all before it are left out."""
    if len(levels) < 2 or not hardly > 0.0:
        return 0
    eta = np.array([float(each) for each in levels])
    users = np.maximum(1.0, others + 1 + others * eta / np.expm1(others * np.log1p(-eta)))
    counting = largest_sums(*types.foremost(E, eta), users) > math.log(hardly)
    return int(counting.argmax()) if counting.any() else len(levels) - 1


def levels_decide(types: LossTypes, others: int, levels: Sequence[float | Fraction] | Floats) -> bool:
    """Return whether the blanket alone hides clearly less: users are many, and the last level takes little of omega, or nothing does."""
    return others >= MANY and 0.0 < float(max(levels, default=0.0)) < (types.most if isinstance(types, Thinned) else _LITTLE * types.most)


@lru_cache(maxsize=16)
def _draws(others: int, mass: float, wanted: float) -> tuple[Floats, Floats]:
    """Return numbers of users who are left, and their probabilities."""
    first, last, probabilities = np.array(first_draws(others, mass, tail=wanted * _TAIL)).T
    return others + 1 - (first + last) / 2, probabilities


def largest_sums(mass: Floats, at: Floats, users: Floats) -> Floats:
    """Return about ln of the largest E(L_1 + ... + L_S)_+/S of the loss types in each row, for so many users.

    Types may follow each other, so that S max K(t) - 2 ln t is least at the saddle point, K of each type. Newton's steps in ln t, of 3 at
    most, are kept inside a bracket; from where the variance of the widest would take them.
    """
    rest, scale = np.maximum(0.0, 1.0 - mass.sum(axis=-1)), np.abs(at).max(axis=(-2, -1))
    x = at / scale[:, None, None]
    highest = x.max(axis=-1)

    def moments(t: Floats) -> tuple[Floats, Floats, Floats]:
        top = np.maximum(0.0, t[:, None] * highest)
        weights = mass * np.exp(t[:, None, None] * x - top[..., None])
        total = weights.sum(axis=-1) + rest * np.exp(-top)
        cumulants = top + np.log(total)
        worst, row = cumulants.argmax(axis=-1), np.arange(len(t))
        weights, total = weights[row, worst], total[row, worst]
        places = x[row % len(x), worst]
        mean = (weights * places).sum(axis=-1) / total
        return cumulants[row, worst], mean, np.maximum((weights * places * places).sum(axis=-1) / total - mean * mean, 1e-300)

    first, second = (mass * x).sum(axis=-1), (mass * x * x).sum(axis=-1)
    t, widest = (np.sqrt(first**2 + 8 * second / users[:, None]) - first) / (2 * second), second.argmax(axis=-1)
    y = np.log(t[np.arange(len(t)), np.broadcast_to(widest, len(t))])
    low, high = np.full(y.shape, -math.inf), np.full(y.shape, math.inf)
    (at_low, falls), (at_high, rises) = np.zeros((2, 2, len(y)))
    for _ in range(_STEPS):
        K, mean, variance = moments(t := np.exp(y))
        f, slope, height = users * mean * t - 2.0, users * t * (mean + t * variance), users * K - 2 * y
        rising = f > 0.0
        low, at_low, falls = np.where(rising, low, y), np.where(rising, at_low, height), np.where(rising, falls, f)
        high, at_high, rises = np.where(rising, y, high), np.where(rising, height, at_high), np.where(rising, f, rises)
        step = np.clip(np.where(slope > 0.0, -f / slope, -3.0 * np.sign(f)), -3.0, 3.0)
        moved = np.minimum(np.abs(step), high - low) > _NEAR
        if not moved.any():
            break
        following, middle = y + step, (low + high) / 2
        following = np.where(((low < following) & (following < high)) | ~np.isfinite(middle), following, middle)
        y = np.where(moved, np.minimum(following, _LARGEST_EXPONENT), y)  # a step that ends at an end of the bracket would go to its middle
    crossing = (at_high - at_low + falls * low - rises * high) / (falls - rises)  # of both tangents, where one type follows another
    between = high - low < _NEAR
    y, height = np.where(between, crossing, y), np.where(between, at_low + falls * (crossing - low), height + f * step / 2)
    _, _, variance = moments(np.exp(y - 3 * _NEAR))  # of the type before the one that follows, where there are two
    t = np.exp(y)
    found = height - 0.5 * np.log(2 * math.pi * (users * variance + 2 / (t * t))) + np.log(scale / users)
    return np.nan_to_num(np.where(highest.max(axis=-1) > 0.0, found, -math.inf), nan=0.0, posinf=0.0, neginf=-1e300)
