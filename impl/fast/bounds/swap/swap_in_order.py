"""The random-swap bound by the first user, in a random order, who draws from the blanket, in float64: BEYOND.swap-in-order.

Who come after that user are as they were, so that losses against the whole R_k serve for all of them: one pass has the sums of every
number of users (`alike_blocks.averages`), and levels, whose limit this is, need none of their own. In which part of the order the blanket
is drawn from, and which numbers of users count as one, are choices: any are sound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.swap.controlled_sum import none_in

_ALIKE = 2e-6
"""Of all users, how many fewer there are in the mean where several numbers of them count as one: of ln delta 14 times that, of 1e-6, and of
epsilon a tenth of it or less."""
MANY = 90_000
"""Users from which on guesses are near enough as they are."""
_AT_ONCE = 128
"""The part of all users that at most so many of them are which count as one."""
_NUMBERS = 300
"""Such numbers at most: with more of them more count as one."""
_TAIL = 1e-7
"""Of the delta that is wanted, the probability of a first draw so late that one user counts as left."""
_NOBODY = 1e-6
"""Of the bound, what nobody's drawing from the blanket adds for it to be drawn from in all of the order."""
_MOST_OTHERS = 1 << 16
"""Others who may draw from the blanket in a part of the order: of more of them mostly somebody does."""
_SLACK = 1 + 1e-10
"""For a dozen roundings, and those of exponents up to 10^4."""
_TINY = 1e-305
"""More than what underflows."""


def in_order(
    averages: Callable[[Sequence[int]], Sequence[float]],
    mass: float,
    *,
    others: int,
    wanted: float,
    parts: Sequence[float] = (),
    told: float = 1.0,
    nobody: Callable[[float], float] = lambda _: math.inf,
    blanket: Callable[[float], bool] = lambda _: True,
) -> float:
    """Return the bound.

    averages: G with losses against R_k, from above, infinite where it is not known; mass: of the blanket, at most, in (0, 1); wanted: about
    what comes out; parts: of the order, rising, below 1: choices; told: what the mean positive part of one loss is at most; nobody: the
    blanket's bound where its share eta is gone; blanket: whether that where nothing is may be less than so much: a choice.
    """
    draws = first_draws(others, mass, tail=wanted * _TAIL)
    values = averages([others - last + 1 for _, last, _ in draws])
    if not all(map(math.isfinite, values)):  # losses are too far apart
        return nobody(0.0)
    hidden = np.array([p * min(told, value) for (_, _, p), value in zip(draws, values, strict=True)])
    arrived, revealed = float(hidden.sum()) * _SLACK, none_in(others, Fraction(mass)) * told
    if revealed < _NOBODY * arrived or others > _MOST_OTHERS:
        found = (arrived + revealed) * _SLACK
        return min(found, nobody(0.0)) if blanket(found) else found
    without, arrived, none, part = nobody(0.0), 0.0, 1.0, 0.0
    for following in (*parts, 1.0):
        beyond = _at_least(np.array([first for first, _, _ in draws]), others, following) if following < 1.0 else 1.0
        here, left = float((hidden * beyond).sum()) * _SLACK, none_in(others, Fraction(following) * Fraction(mass))
        if not here - arrived < (none - left) * without:
            break
        arrived, none, part = here, left, following
    return min(without, (arrived + none * (nobody(part * mass) if part < 1.0 else told)) * _SLACK)


@lru_cache(maxsize=16)
def first_draws(others: int, mass: float, *, tail: float) -> list[tuple[int, int, float]]:
    """Return (first, last, probability) of places 1, ..., `others` of the first user who draws, of whom those up to `last` count as it."""
    alike, logarithm = _ALIKE * others, math.log1p(-mass)
    while True:
        found, first = list[tuple[int, int, float]](), 1
        while first <= others and len(found) <= _NUMBERS:
            before = math.exp((first - 1) * logarithm)
            size = 1 if before > tail else others
            while size <= others // _AT_ONCE and before * (2 * size + math.expm1(2 * size * logarithm) / mass) <= alike:
                size *= 2
            size = min(size, others - first + 1)
            found.append((first, first + size - 1, before * -math.expm1(size * logarithm) * _SLACK + _TINY))
            first += size
        if first > others:
            return found
        alike *= 4


def _at_least(places: Floats, others: int, share: float) -> Floats:
    """Return the probability that at least so many of the others are in this share of the order, at most: from where they mostly are on."""
    j, middle = np.arange(others), int(others * share)
    ratios = (others - j) / (j + 1.0) * (share / (1.0 - share))
    weights = np.concatenate([np.cumprod(1.0 / ratios[:middle][::-1])[::-1], [1.0], np.cumprod(ratios[middle:])])
    above = np.cumsum(weights[::-1])[::-1] / weights.sum()
    found: Floats = np.minimum(1.0, above[places] * (1 + 1e-9) + _TINY)
    return found
