"""Numbers in [0, 1] with Gaussian noise of each user, shuffled, in float64 with sound sides: the blanket above, one dataset below.

m = min(R_0, R_1), which is R_1 below 1/2 and R_0 above it. Below 1/2 v = 1 and u = e^((1 - 2 y)/(2 sigma^2)), without a bound; above it
u and v are exchanged. Left of -z sigma, and right of 1 + z sigma, reports are revealed: R_0(y < -z sigma) goes to the upper side, for a
z at which that is far below delta. 0 and 1 are the worst inputs (BEYOND.any-law-gaussian).

Of narrow noise one large loss makes the sum positive (`one_large_loss`), and one report says from below nearly all (`gaussian_one_report`).
"""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from operator import mul

import numpy as np

from shuffleproof.impl.fast.bounds.blanket import gaussian_one_report, one_large_loss
from shuffleproof.impl.fast.bounds.blanket.gaussian_masses import AGREE, cell_masses, tail
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import SMALLEST_DELTA, delta_of, epsilon_of, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import LossDistribution
from shuffleproof.impl.fast.numeric.results import decimal_of, exponential, in_floats, working
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import GAUSSIAN_BLANKET, GAUSSIAN_HOMOGENEOUS
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_at_zero

_ENDS = tuple(Fraction(k, 8) for k in (*range(24, 80), *range(80, 312, 4)))
"""z: beyond z sigma reports are revealed."""
_FINE_TO = 12
"""Standard deviations to which the fine cells of the blanket reach: 2e-33 of the mass is beyond."""
_COARSE_CELL = Fraction(1, 32)
"""Width of the cells beyond, in standard deviations."""
_CELLS = 1500
"""Fine cells on either side of 1/2. More make the upper bound closer and the sum of losses slower."""
_FEWER_CELLS = 400
"""Of the blanket where one large loss is asked first: a cell moves its losses by less than the grid of the others does."""
_MERGED = 512
"""Cells of the report where all others hold one input. More make the lower bound closer."""
_MERGED_AT_AN_EPSILON = Fraction(6)
"""Standard deviations to which those cells reach where no delta says how far they should."""
_SHARE = Decimal("1e-3")
"""What may be revealed, as a part of delta."""
_LARGEST_EXPONENT = 340
"""Largest loss, as a logarithm, of a distribution that is made: products of two stay floats."""
_FARTHEST = 36
"""Standard deviations beyond which masses, e^-648, leave the floats with their factors."""
CLOSE = Fraction(106, 100)
"""Where the bound by one large loss is within this of what one report says, no other sum is asked: each takes seconds there."""
_BELOW = 5
"""Standard deviations below 0 beyond which reports are merged into one: their likelihood ratios are nearly 0."""
_SURE = 1.01
"""Where the two bounds on the delta of a pair are within this, no other sum is asked."""
_FAR_APART = 4
"""And no other delta of the blanket, where it is within this of what one large loss says of the pair."""
_STEPS = 12
"""Steps at most of Newton's search for epsilon by one large loss."""
_NEAR = 1e-4
"""Relative step that is its last."""
_SMALL = Fraction(1, 20)
"""Where it begins from below if one report says nothing."""
_FIRST = 1.02
"""Where it begins, times the lower bound: both bounds are that close where this route is taken."""


@in_floats(GAUSSIAN_BLANKET)
def delta(*, n: int, sigma: Fraction, epsilon: Epsilon) -> Found:
    """delta at epsilon of the sum over the blanket, for all neighbouring datasets of numbers in [0, 1] (BEYOND.any-law-gaussian).

    n: at most 10^9 where no single large loss decides.
    """
    quick = _by_one_large(sigma, n, epsilon, of_pair=False)
    if quick is not None and quick[1] <= _FAR_APART * quick[0]:
        return Found(*quick)
    found, left = None, ends(sigma)
    while left:
        distribution, top = blanket_distribution(sigma, left[0]), largest_ratio(sigma, left[0])
        given_away = Fraction(distribution.beyond[0])
        if epsilon >= top:  # nothing is left but what is revealed
            found = Found(Fraction(0), given_away)
        else:
            found = delta_of([distribution], n=n, epsilon0=top, epsilon=epsilon)
        left = () if given_away <= found.upper * Fraction(_SHARE) else _further(left[1:], found.lower)
    assert found is not None
    if quick is None or quick[1] >= found.upper:
        return found
    return Found(min(max(quick[0], found.lower), quick[1]), quick[1])


@in_floats(GAUSSIAN_BLANKET)
def epsilon(*, n: int, sigma: Fraction, delta: Fraction) -> Found:
    """Least epsilon at which that delta is at most delta; an upper side, by one report alone, where no floats are left to what is rarer.

    n: at most 10^9. Raises RegimeError at delta = 0.
    """
    supported(n)
    z = end_for(sigma, delta)
    if z is None:
        return Found(Fraction(0), _of_one_report(sigma, delta), False)
    low, high = Fraction(0), None
    if delta < 1:
        low, _ = pair_by_one_large(sigma, n, delta, z)
        coarse = blanket_distribution(sigma, z, _FEWER_CELLS)

        def of_blanket(x: float) -> float | None:
            high = one_large_loss.upper_side(losses_at(coarse, x), n=n)
            return None if high is None else high + float(coarse.beyond[0]) * (1 + 1e-9)

        if gaussian_one_report.epsilon_below(n=n, sigma=sigma, delta=delta):  # else small losses count, which a finer grid tells apart
            high = root(of_blanket, delta, low)
        if high is not None and high <= low * CLOSE:
            return Found(low, high)
    found = epsilon_of([blanket_distribution(sigma, z)], n=n, epsilon0=largest_ratio(sigma, z), delta=delta)
    # Either sum bounds it: more users would get a larger epsilon than fewer where the other one alone has an answer.
    if high is None or high >= found.upper:
        return found
    return Found(min(max(low, found.lower), high), high)


@in_floats(GAUSSIAN_HOMOGENEOUS)
def delta_below(*, n: int, sigma: Fraction, epsilon: Epsilon) -> Found:
    """delta at epsilon of the pair (0, 0, ..., 0), (1, 0, ..., 0), reports merged into cells: no bound is smaller."""
    distribution, top = homogeneous_distribution(sigma, None)
    quick = _by_one_large(sigma, n, epsilon, of_pair=True)
    if quick is not None and quick[1] <= Fraction(_SURE) * quick[0]:
        return Found(*quick)
    return delta_of([distribution], n=n, epsilon0=top, epsilon=epsilon)


@in_floats(GAUSSIAN_HOMOGENEOUS)
def epsilon_below(*, n: int, sigma: Fraction, delta: Fraction) -> Found:
    """Least epsilon of that pair at delta: no bound is smaller. Raises RegimeError at delta = 0."""
    if not delta:
        raise no_epsilon_at_zero()
    z = end_for(sigma, delta) if delta < 1 else None
    if z is not None:
        low, all_of_it = pair_by_one_large(sigma, n, delta, z)
        if all_of_it:
            return Found(low, largest_ratio(sigma, z).bounds(bits=64)[1])
    distribution, top = homogeneous_distribution(sigma, delta)
    found = epsilon_of([distribution], n=n, epsilon0=top, delta=delta)
    if z is None or found.lower >= low:
        return found
    return Found(low, largest_ratio(sigma, z).bounds(bits=64)[1])


def _by_one_large(sigma: Fraction, n: int, epsilon: Epsilon, *, of_pair: bool) -> tuple[Fraction, Fraction] | None:
    """Ends of delta, of the blanket or of the pair, by one large loss, however far apart; None where it has no upper one."""
    least = gaussian_one_report.delta_below(n=n, sigma=sigma, epsilon=epsilon)
    z = end_for(sigma, least) if least else None
    if z is None or epsilon >= largest_ratio(sigma, z):
        return None
    with working():
        E = float(exponential(epsilon))
    pair = pair_distribution(sigma, z)
    above = pair if of_pair else blanket_distribution(sigma, z, _FEWER_CELLS)
    of_it = pair.losses(E)
    low, high = one_large_loss.lower_side(of_it, n=n), one_large_loss.upper_side(of_it if of_pair else above.losses(E), n=n)
    return None if high is None else (Fraction(low), min(Fraction(1), Fraction(high) + Fraction(above.beyond[0])))


@lru_cache(maxsize=32)
def pair_by_one_large(sigma: Fraction, n: int, delta: Fraction, z: Fraction) -> tuple[Fraction, bool]:
    """An epsilon that the pair's is not below, by one large loss; and whether that is nearly all."""
    distribution = pair_distribution(sigma, z)
    start = gaussian_one_report.epsilon_below(n=n, sigma=sigma, delta=delta)
    first = start or _SMALL
    low = max(start, root(lambda x: one_large_loss.lower_side(losses_at(distribution, x), n=n), delta, first, lower=True) or start)
    high = one_large_loss.upper_side(losses_at(distribution, float(low)), n=n) if low else None
    return low, high is not None and high <= _SURE * delta


def losses_at(distribution: LossDistribution, epsilon: float) -> Losses:
    """Return the losses of a distribution at a float that is epsilon."""
    with working():
        return distribution.losses(float(exponential(Epsilon(Fraction(epsilon), None))))


def root(evaluate: Callable[[float], float | None], delta: Fraction, start: Fraction, *, lower: bool = False) -> Fraction | None:
    """The least epsilon at which a bound was seen to be at most delta, nearly where it is delta; or, if lower, the largest above delta.

    None where there is none, or no bound near `start`.
    """
    wanted, x, last, best = math.log(float(delta)), float(start) * (1 if lower else _FIRST), None, None
    flat = -max(1.0, 1.0 / x) if x else 0.0
    for _ in range(_STEPS):
        value = evaluate(x) if 0 < x < _LARGEST_EXPONENT else None
        if not value:
            break
        serves = Fraction(value) > delta if lower else Fraction(value) <= delta
        if serves:
            best = x if best is None else (max if lower else min)(best, x)
        height = math.log(value) - wanted
        slope = flat if last is None or last[0] == x else (height - last[1]) / (x - last[0])
        last, step = (x, height), -height / slope if slope < 0 else float(start) / 100
        if serves and abs(step) <= _NEAR * x:
            break
        x = max(x + step, float(start)) * (1 + (-1 if lower else 1) * _NEAR / 4)
    return None if best is None else Fraction(best)


@lru_cache(maxsize=32)
def ends(sigma: Fraction) -> tuple[Fraction, ...]:
    """Every z for which losses and masses are floats."""
    return tuple(z for z in _ENDS if 1 + 2 * z * sigma <= 2 * sigma**2 * _LARGEST_EXPONENT and z + 1 / sigma <= _FARTHEST)


def _further(ends: tuple[Fraction, ...], delta: Fraction) -> tuple[Fraction, ...]:
    """Return the ends from the first at which far less than delta is revealed; or the last, or all but the first eight."""
    with working():
        wanted = decimal_of(delta) * _SHARE
        enough = [i for i, end in enumerate(ends) if delta and tail(decimal_of(end)) <= wanted][:1]
    return ends[enough[0] :] if enough else ends[-1:] if delta else ends[8:]


def _of_one_report(sigma: Fraction, delta: Fraction) -> Fraction:
    """An epsilon at which D_E(R_0 || R_1), and so that of all reports, is at most R_0(y < -z sigma) <= delta."""
    z = Fraction(math.ceil(16 * math.sqrt(2 * (math.log(delta.denominator) - math.log(delta.numerator)))) + 1, 16)
    with working():
        while z > 6 and tail(decimal_of(z - Fraction(1, 16))) <= decimal_of(delta) * (1 - AGREE):
            z -= Fraction(1, 16)
        assert tail(decimal_of(z)) <= decimal_of(delta)
    return largest_ratio(sigma, z).bounds(bits=64)[1]


def end_for(sigma: Fraction, delta: Fraction) -> Fraction | None:
    """The first z beyond which far less than delta is revealed; None where that leaves the floats."""
    if not delta:
        raise no_epsilon_at_zero()
    if delta >= SMALLEST_DELTA:
        with working():
            wanted = decimal_of(delta) * _SHARE
            for z in ends(sigma):
                if tail(decimal_of(z)) <= wanted:
                    return z
    return None


def losses_too_likely(sigma: Fraction) -> UnsupportedError:
    """The refusal of a delta that is too small for this sigma."""
    return UnsupportedError(
        what="the float64 engine at these parameters",
        reason=f"sigma = {float(sigma):.3g} at this delta: losses beyond the floats are too likely",
        advice="ask for a larger delta or sigma",
    )


def largest_ratio(sigma: Fraction, z: Fraction) -> Epsilon:
    """The largest loss of one report that is not revealed."""
    return Epsilon((1 + 2 * z * sigma) / (2 * sigma**2), None)


@lru_cache(maxsize=32)
def blanket_distribution(sigma: Fraction, z: Fraction, cells: int = _CELLS) -> LossDistribution:
    """u and v against m: a cell's mass goes to its two ends, its mean of u kept; at an end the means of two cells are one."""
    with working():
        centre = decimal_of(1 / (2 * sigma))  # of [0, 1], in units of sigma from 0
        fine = min(z, Fraction(_FINE_TO))
        step, further = (centre + decimal_of(fine)) / cells, math.ceil((z - fine) / _COARSE_CELL)
        ends = [decimal_of(-z + j * Fraction(z - fine, further)) for j in range(further)] + [
            step * j - decimal_of(fine) for j in range(cells + 1)
        ]
        first, second = cell_masses(ends), cell_masses([end - 2 * centre for end in ends])
        first_ratios = [(2 * centre * (centre - end)).exp() for end in ends[: further + 1]]
        ratios = [*first_ratios[:-1], *accumulate(repeat((-2 * centre * step).exp(), cells), mul, initial=first_ratios[-1])]
        mass, moved = [Decimal(0)] * len(ratios), [Decimal(0)] * len(ratios)
        for j, ((high, low), in_first, in_second) in enumerate(zip(pairwise(ratios), first, second, strict=True)):
            of_cell = in_first / in_second
            share = (of_cell - low) / (high - low)
            for end, part in ((j, in_second * share), (j + 1, in_second * (1 - share))):
                mass[end], moved[end] = mass[end] + part, moved[end] + part * of_cell
        columns = mass, ratios, [total / part for total, part in zip(moved, mass, strict=True)]
        given_away = tail(decimal_of(z)), tail(decimal_of(z) + 2 * centre)
    masses, u, mean_u = (np.array([float(each) for each in column] * 2) for column in columns)
    half, ones = len(mass), np.ones(len(mass))
    u[half:] = mean_u[half:] = ones
    v, mean_v = np.concatenate([u[half:], u[:half]]), np.concatenate([mean_u[half:], mean_u[:half]])
    return LossDistribution(masses, u, v, mean_u, mean_v, beyond=given_away)


def _merged(below: Fraction, away: Fraction, above: Fraction) -> tuple[list[Decimal], list[Decimal]]:
    """Masses of N(0, 1) and N(away, 1) in cells from `below` below 0 to `above` above `away`, and in the two tails."""
    step, shift = decimal_of((below + away + above) / _MERGED), decimal_of(away)
    ends = [step * j - decimal_of(below) for j in range(_MERGED + 1)]
    of_0, of_1 = ([tail(-at[0]), *cell_masses(at), tail(at[-1])] for at in (ends, [end - shift for end in ends]))
    return of_0, of_1


@lru_cache(maxsize=32)
def pair_distribution(sigma: Fraction, z: Fraction) -> LossDistribution:
    """u = R_1/R_0 and v = 1: all others hold 0, and the one who holds 1 is looked for; reports merged into cells up to z beyond 1."""
    with working():
        of_0, of_1 = _merged(Fraction(_BELOW), 1 / sigma, z)
        return LossDistribution.of(zip(of_0, of_1, of_0, strict=True), dataset="inputs 1 and 0; all others hold 0")


@lru_cache(maxsize=32)
def homogeneous_distribution(sigma: Fraction, delta: Fraction | None) -> tuple[LossDistribution, Epsilon]:
    """u = 1 and v = R_1/R_0, merged into cells up to where about delta lies beyond; and the largest ratio, up to a rounding.

    Reports that are rarer make sums of losses coarser, and say little.
    """
    with working():
        away = 1 / sigma
        far = _MERGED_AT_AN_EPSILON
        if delta is not None:
            far = Fraction(math.floor(8 * math.sqrt(2 * (math.log(delta.denominator) - math.log(delta.numerator)))) - 4, 8)
        far = min(max(far, _ENDS[0]), _FARTHEST - away)
        of_0, of_1 = _merged(far, away, far)
        distribution = LossDistribution.of(zip(of_0, of_0, of_1, strict=True), dataset="inputs 0 and 1; all others hold 0")
        largest = max(max(first / second, second / first) for first, second in zip(of_0, of_1, strict=True))
        return distribution, Epsilon(Fraction(largest.ln() * (1 + AGREE)), None)
