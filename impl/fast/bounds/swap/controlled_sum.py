"""The controlled sum V_(j+1)(s) = max over c of E V_j(s + L_c), V_0(s) = s_+, from above in float64, for any number of steps.

C is a finite set of loss types. The first J steps are taken on a grid (controlled_sum_grid): V_J is at most f + v, f(s) = E(s + X)_+ for a
measure X on few points and a small constant v. The rest is one sum of independent losses (BEYOND.controlled-sum-continued): if

    E f(s + L_c) <= E f(s + L) + e    for all c in C and all s,

then V_(J+m)(s) <= E f(s + L_1 + ... + L_m) + m e + v, the L_i independent and distributed like L: by induction, since the maximum of means
is at most the mean of maxima. L is the type of the largest variance. Both sides are linear between points that are known, finitely many,
so the condition is checked there, and what it lacks, mostly in tails that hardly count and in roundings, is e. The last sum is an integral
along a line (one_sum_contour). So its cost does not depend on the number of steps, and nothing is lost but the grid's J h^2/4 of variance.

Where no type wins, since variances are nearly alike, one type takes all of many steps, and what others gain is added (one_type). Of fewer,
g steps make a block: V_g(s) <= E(s + X)_+ + v gives V_(Bg)(0) <=
E(X_1 + ... + X_B)_+ + B v (BEYOND.controlled-sum-blocks), which adds about half the variance of one loss to each block.

V_S(0)/S does not grow with S (BEYOND.controlled-sum-antitone).
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np

from shuffleproof.impl.fast.bounds.blanket import one_sum_contour
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.swap.controlled_sum_grid import TILTS, Grid, Passed, Type, deviation_of, power, summed, types_of
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, U, decimal_of, outward, working

_LEAST_STEPS = 96
"""Steps on a grid at least, and as many as are hardly worth a line."""
_MOST_STEPS = 600
"""Steps on a grid at most, before one type alone: more take longer than blocks."""
_LEAST_BEFORE = 56
"""Half of the steps before one type alone, at least: a kink is too near."""
_WORTHWHILE = 3
"""Times these steps, how many there have to be in all: fewer are quicker on the grid, next to the line."""
_FAR = 0.8
"""Of the deviations at which the tail is the delta that is wanted, those up to which one type has to win after the steps on the grid."""
_UNBLOCKED = 1100
"""Steps up to which all are taken on the grid: one or two blocks of so many cost as much, and more of the variance."""
AT_ONCE = 45_000
"""Steps from which on one type alone takes all of them where no type wins: what others gain is less than what blocks add."""
_LOST = 3e-5
"""Of epsilon, what that may lose where one type wins after steps on a grid, which take longer."""
_ALONE = 0.25
"""Times -ln delta over the number of steps, what one type alone loses at least (mostly from 0.3 on): it is not tried where that is more."""
_BLOCKED = 3e-3
"""The same where no type wins: what blocks lose, about."""
_LIGHT = 0.3
"""Values that count for less than this may lose more, as many times."""
_LEAST_BLOCK = 96
"""Steps of a block at least: what blocks add to the variance is estimated with so many."""
_MOST_BLOCK = 640
"""Steps of a block at most: its grid takes time that grows like the power 1.5."""
_DEARER = 1e-3
"""Of the variance, what blocks may add where they are long enough: half of that of epsilon."""
_ROUGHEST = 16.0
"""How many times coarser grids and blocks may be, in what they add to the variance, where values hardly count."""
_HEAVY = 0.04
"""Values that count for more than this are as near as can be."""
_HARDLY = 5e-4
"""Of delta, what the tails may cost: epsilon moves by less than 4 10^-5 of itself."""
_FINE = 16.0
"""The deviation of a loss over the step of the grid, at least, where the grid serves few of the steps."""
_COARSEST = 5.0
"""The same at least, where it serves so few of them that what it adds does not count: in coarser ones no type is the largest for long."""
_ADDED = 1e-4
"""Blocks of the steps before one type alone, next to all steps: each adds half the variance of a loss."""
_MOST_BLOCKS = 4
"""Such blocks at most: of losses far apart a few steps reach many points, and the sum of 16 blocks took 10 s where four take 12 ms."""
_LEAST_OF_SMOOTHING = 24
"""Steps of such a block at least: of fewer the kink is all that there is."""
_ROUNDED = 3e-4
"""Of the variance of all steps, six times what rounding these few to the grid may add."""
_FINER = 8000.0
"""The same times the number of steps, where it serves all of them: next to few users what rounding to the grid adds counts more."""
_FEW = 10
"""Blocks that are convolved term by term."""
_LENGTH = 1 << 11
"""Points of a grid on which blocks are summed, about."""
_NOBODY = 4e-4
"""Of the sum over levels, what the rest may add for the levels to end: little of it would be left by one more."""
_LEVELS_OF_FEW = (0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 2.7, 3.5, 4.5, 6.0, 7.5, 9.0, 12.0, 16.0)
"""eta_l N for very few users, where levels take hardly any time: epsilon is up to 3 parts in 1000 smaller than with the next ones."""
FEW_USERS = 400
"""Users up to which these serve, and values that count for little are as near as others."""
_LEVELS = (0.28, 0.7, 1.25, 2.0, 3.0, 4.6, 7.5)
"""eta_l N for few users: in finer levels delta would be less by a few thousandths."""
_LEVELS_OF_LARGE = (0.5, 1.2, 2.3, 4.0, 7.0)
"""The same of a larger delta: epsilon is larger by 10^-4 of itself, or less."""
_USUAL = 13.8
"""-ln delta for which these numbers of users are, of a larger delta fewer already hide as much, and for which values may be so rough."""
_FEWER = (1.0, 3.0, 8.0)
"""The same where a pool counts less: epsilon is larger by 2 in 10^4 of itself, or less."""
_TWO = (1.2, 4.0)
"""The same where it counts still less."""
_ONE = (3.0,)
"""The same of so many users that a level more would take a good part of the time: epsilon is larger by 2 in 10^4 of itself, or less."""
_FOR_ONE = 90_000
"""Users from which on that serves in place of the two."""
MANY = 2500
"""Users from which on these serve."""
ONE_LEVEL = 50_000
"""Users from which on one level is enough: its whole pool is a few parts in 10^4 of them."""
_REVEALED = 8.0
"""eta_L N, next to -ln delta: everything is revealed with e^-8 of delta."""
_LIGHTEST = 5e-4
"""Of a guess, what the value of the level before serves for."""
_DEEP = 30.0
"""-ln delta, from delta = 10^-13 down, from which on there are levels between these and the last one, which is far from them."""
_WIDER = 1.75
"""Each of those over the one before: with no such levels delta was up to 10^5 times larger at 10^-240."""
CROWDED = 1e-7
"""Of the delta that is wanted, the probability of larger pools than are summed, at most about."""
_UNDERFLOW = 1e-315
"""More than what probabilities lose where they leave the normal floats."""


def averages(types: Sequence[Losses], numbers: Sequence[int], *, wanted: float, weight: float = 1.0) -> list[float]:
    """Return a float not below V_S(0)/S for each S of `numbers`, which are at least 1.

    types: the loss types C. Masses are known to their relative error, places (`at`) are rounded up, 0 has what a mass lacks of 1; `worth`
    is not used. wanted: about what comes out, which decides how far out tails count; weight: how much these values count, at most 1, next
    to which they may be coarser: any positive numbers are sound.
    """
    laws = types_of(types)
    rough = min(_ROUGHEST, max(1.0, _HEAVY / weight)) if max(numbers) > FEW_USERS else 1.0
    depth = -math.log(max(1e-300, min(wanted, 0.5)))  # where the variance grows by a share, delta grows by about so many times that
    rough = max(1.0, rough * min(1.0, _USUAL / depth))
    if max(law.highest for law in laws) <= 0.0:
        return [0.0 for _ in numbers]
    if max(numbers) <= _LEAST_STEPS * 2:
        return all_on_grid(laws, numbers, wanted, rough)
    if len(laws) == 1:
        found = _one_sum(laws[0], numbers)
        if found is not None:
            return found
    steps = _before_one_type(laws, wanted)
    goes_on = steps <= _MOST_STEPS and _WORTHWHILE * steps < max(numbers)
    lost = _LOST * max(1.0, _LIGHT / weight) if goes_on else _BLOCKED
    if max(numbers) >= AT_ONCE and lost * max(numbers) > _ALONE * depth:
        from shuffleproof.impl.fast.bounds.swap import one_type  # of many users alone

        found = one_type.averages(laws, numbers, lost=lost * 2 * depth)
        if found is not None:
            return found
    if goes_on:
        found = _continued(laws, numbers, steps, wanted)
        if found is not None:
            return found
    return (all_on_grid if max(numbers) <= _UNBLOCKED else _in_blocks)(laws, numbers, wanted, rough)


def all_on_grid(laws: Sequence[Type], numbers: Sequence[int], wanted: float, rough: float = 1.0) -> list[float]:
    """Return the same with all steps on the grid. rough: how many times what it adds to the variance may be more."""
    most = max(numbers)
    fine = max(_FINE, _FINER / most) / math.sqrt(rough)
    passed = Passed.of(laws, Grid.for_all(laws, most, wanted, fine=fine), most)
    return [passed.at_zero[S] / S * (1 + 2 * U) for S in numbers]


def _before_one_type(laws: Sequence[Type], wanted: float) -> int:
    """Return a number of steps on a grid after which one type may go on alone: twice of those where it is the largest as far out as counts.

    Far out V_J is about e^(t s), t the distance from the middle over the variance: the type with the largest E e^(t L) wins. So many steps
    again make up for what is not in this picture: with one and a half times of them, or fewer, the attempt mostly fails. Nor is there any
    such middle before a sum is nearly normal.
    """
    best = max(laws, key=lambda law: law.square)
    tilts = np.concatenate([TILTS, -TILTS])
    ahead = np.max([law.cumulants(tilts / deviation_of(laws)) for law in laws if law is not best], axis=0, initial=-math.inf)
    lost = float(np.abs(tilts[ahead > best.cumulants(tilts / deviation_of(laws)) + 1e-12]).min(initial=math.inf))
    far = _FAR * math.sqrt(2 * max(1.0, -math.log(min(wanted, 0.5))))
    skewed = float((best.mass * best.at**3).sum()) ** 2 / math.pow(best.square, 3)
    return 2 * max(_LEAST_BEFORE, math.ceil(math.pow(far / lost, 2)), math.ceil(2 * skewed))


def in_levels(
    sums: Callable[[Fraction, Sequence[int], float], Sequence[float]],
    nobody: Callable[[Fraction], float],
    *,
    others: int,
    levels: Sequence[Fraction],
    wanted: float,
    most: float = 1.0,
) -> float:
    """Return a float not below the sum over levels eta_1 < ... < eta_L of first arrival, of which as many are taken as make it smaller.

    sums: G at eta for numbers of users, from above, by how much these values count; nobody: F(eta) from above; others: N, at least 1;
    wanted: about what comes out, a choice; most: what the mean positive part of one loss is at most, where each G is cut off.
    """
    nobody = cache(nobody)
    before, arrived, none_before = Fraction(0), 0.0, 1.0
    without = min(most, nobody(before))
    for eta in levels:
        assert eta > before, "levels rise"
        pools, rest = in_the_pool(others, (eta - before) / (1 - before), tail=wanted * CROWDED)
        none = none_in(others, eta)
        G = sums(eta, [others - r + 1 for r, _ in pools], max(none_before - none, 1e-9))
        mean = sum(p * min(most, g) for (_, p), g in zip(pools, G, strict=True)) + rest * most
        here = none_before * mean * (1 + (len(G) + 6) * U)
        if not here < (none_before - none) * without:
            break
        arrived, before, none_before = (arrived + here) * (1 + 4 * U), eta, none
        if none * without < _NOBODY * arrived and none * nobody(eta) < _NOBODY * arrived:
            break
    return min(without, (arrived + none_before * nobody(before)) * (1 + 1e-12)) if before else without


def about_in_levels(about: Callable[[float, float], float], *, others: int, levels: Sequence[float], most: float) -> float:
    """Return about ln of what `in_levels` gives. about: ln G at eta, for a number of users that need not be whole, about."""
    found, before, none_before, value = 0.0, 0.0, 1.0, most
    for eta in levels:
        d, none = (eta - before) / (1 - before), math.exp(others * math.log1p(-eta))
        if none_before > _LIGHTEST:
            pool = others * d / -math.expm1(others * math.log1p(-d))
            value = min(most, math.exp(min(0.0, about(eta, others - pool + 1))))
        found += (none_before - none) * value
        before, none_before = eta, none
    return math.log(max(found + none_before * most, 1e-320))  # in floats E may be no less than T


def levels_for(
    others: int, wanted: float, most: float, *, alone: float = ONE_LEVEL, three: float = math.inf, large: bool = False
) -> list[Fraction]:
    """0 < eta_1 < ... < eta_L < most for about this delta; none where most is 0, as floats have it with epsilon0 of hundreds.

    alone, three: users from which on one level is enough, where there may be one, and three are; large: whether those of a large delta are.
    """
    if others < 1:
        return []
    enough = _REVEALED - math.log(wanted)
    if others >= alone and enough / others < most:
        return [Fraction(enough / others)]
    large = large or others * _USUAL > MANY * max(1.0, -math.log(wanted))
    before: tuple[float, ...] = _FEWER if others < three else _TWO if others < _FOR_ONE else _ONE
    if others < MANY:
        before = _LEVELS_OF_FEW if others <= FEW_USERS else _LEVELS_OF_LARGE if large else _LEVELS
    last = min(enough, most * others * (1 - 1e-9))
    if -math.log(wanted) > _DEEP:
        further = [before[-1] * _WIDER]
        while further[-1] * _WIDER < enough / 2:
            further.append(further[-1] * _WIDER)
        before = (*before, *further)
    shares = (each / others for each in (*(each for each in before if each < last), last))
    return [Fraction(share) for share in shares if share > 0.0]


@lru_cache(maxsize=64)  # of each level it is asked four times
def none_in(others: int, share: Fraction) -> float:
    """Return (1 - eta)^N, not less."""
    with working():
        power = (others * decimal_of(1 - share).ln()).exp() * (1 + SCALAR_ERROR)
        return outward(power, power)[1]


def in_the_pool(others: int, share: Fraction, *, tail: float) -> tuple[list[tuple[int, float]], float]:
    """Return (r, probability) with which Theorem A's mean over r of Bin(N, d), r >= 1, is taken, and the probability of larger r.

    Several r count as the largest of them, since G does not grow with the number of users left, N - r + 1. No probability is less than the
    sum of those that it stands for. tail: about the probability that may be left for larger r, a choice.
    """
    mean = others * float(share)
    d, p, r, probabilities = float(share), none_in(others, share), 0, list[float]()
    while r < others and (r <= 2 * mean / (1 - d) or p > tail / 4):  # then each is at most half of the one before
        r += 1
        p *= d / (1 - d) * (others - r + 1) / r
        probabilities.append(p)
    last, rest = r, 2 * p + _UNDERFLOW if r < others else 0.0
    found, first = [], 1
    while first <= last:
        end, mass, lost = first, probabilities[first - 1], 0.0
        while end < last and lost + mass <= _ALIKE * others:
            lost, mass, end = lost + mass, mass + probabilities[end], end + 1
        found.append((end, mass * (1 + (16 * last + 64) * U) + _UNDERFLOW))
        first = end + 1
    return found, rest


_ALIKE = 1e-5
"""Of all users, how many fewer there are in the mean where several numbers of them count as one: of ln delta 14 times that, of 1e-6."""


def _one_sum(law: Type, numbers: Sequence[int]) -> list[float] | None:
    """Sums of one type, along a line; None where there is none, or where the numbers are too far apart for it."""
    found = one_sum_contour.upper_after(law.mass, law.at, beside=(np.ones(1), np.zeros(1)), like=0, numbers=list(numbers))
    return None if found is None else [value / S * (1 + 2 * U) for S, value in zip(numbers, found, strict=True)]


def _continued(laws: Sequence[Type], numbers: Sequence[int], steps: int, wanted: float) -> list[float] | None:
    """J steps, on the grid or in blocks of so many, and then one type alone; None where that loses too much, or there is no line."""
    B = max(1, min(_MOST_BLOCKS, int(_ADDED * max(numbers)), steps // _LEAST_OF_SMOOTHING)) if min(numbers) > steps + _LEAST_STEPS else 1
    g, tail = -(-steps // B), wanted * _HARDLY / 10
    steps = B * g
    fine = min(_FINE, max(_COARSEST, math.sqrt(steps / (_ROUNDED * max(numbers)))))
    passed = Passed.of(laws, Grid.until(laws, g, tail / B, fine=fine, upper_tail=tail), g)
    allowed = _HARDLY * wanted * min(numbers)
    # a share twice as wide adds about that share of delta, times what delta grows by with 3 J times the variance of a loss
    far = max(1.0, -math.log(min(wanted, 0.5)))
    share = _HARDLY * math.exp(-far * 3 * steps / (min(numbers) + 3 * steps))
    best = max(laws, key=lambda law: law.square)
    reached = passed.reached(g) if B == 1 else summed([(passed.reached(g), B)]).trimmed(tail)
    best, reached, lacking = reached.continued(best, laws, e=allowed / max(numbers) / 4, share=share)
    more = sorted({S for S in numbers if steps < S}, reverse=True)
    growth = math.expm1(max(numbers) * max(0.0, best.total - 1)) + 1
    if (max(numbers) * lacking + reached.below) * growth > allowed:
        return None
    sums: dict[int, float] = {}
    while more:  # numbers that are alike have one line
        group = [S for S in more if S - steps >= 0.7 * (more[0] - steps)]
        found = one_sum_contour.upper_after(
            best.mass, best.at, beside=(reached.mass, reached.at), like=steps, numbers=[S - steps for S in group]
        )
        if found is None:
            return None
        for S, value in zip(group, found, strict=True):
            sums[S] = (value + ((S - steps) * lacking + reached.below) * growth) * reached.raised * (1 + 8 * U)
        more = more[len(group) :]
    return [(sums[S] if steps < S else passed.at_zero[S]) / S * (1 + 2 * U) for S in numbers]


def _in_blocks(laws: Sequence[Type], numbers: Sequence[int], wanted: float, rough: float) -> list[float]:
    """B blocks of g or g + 1 steps for each number, or for one that is a little less."""
    variance, most, first = deviation_of(laws) ** 2, max(numbers), min(*numbers, _LEAST_BLOCK)
    small = Passed.of(laws, Grid.until(laws, first, wanted * _HARDLY, fine=_FINE), first).reached(first)
    dearer = max(0.0, float((small.mass * small.at**2).sum()) - float((small.mass * small.at).sum()) ** 2 - first * variance)
    shortest = min(most, _MOST_BLOCK // 2, max(_LEAST_BLOCK, math.ceil(dearer / (_DEARER * rough * variance))))
    B = max(1, most // (2 * shortest)) if most <= _FEW * 2 * shortest else most // shortest
    taken: dict[int, int] = {}
    for S in sorted(set(numbers), reverse=True):  # the next one down to a distance that doubles, and so on
        top = min(taken.values(), default=most)
        taken[S] = S if top - 1 <= S else top - max(1, 2 ** math.ceil(math.log2(top - S)))
        taken[S] = max(1, min(S, taken[S]))
    if B > _FEW:
        taken = {S: max(1, S // B * B) for S in taken}
    steps = sorted({g for S in taken.values() for g in (max(1, S // B), max(1, -(-S // B)))})
    grid = Grid.until(laws, steps[-1], wanted * steps[0] * _HARDLY / 10, fine=_FINE / math.sqrt(rough))
    passed = Passed.of(laws, grid, steps[-1], kept=steps)
    blocks = {g: passed.reached(g) for g in steps}
    values: dict[int, float] = {}
    for S in set(taken.values()):
        g, more = divmod(S, B)
        parts = [(blocks[length], times) for length, times in ((g, B - more), (g + 1, more)) if times]
        values[S] = power(parts, _LENGTH) / S * (1 + 8 * U) if g else math.inf
    return [values[taken[S]] for S in numbers]
