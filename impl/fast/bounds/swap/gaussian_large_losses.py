"""The random-swap bound for narrow Gaussian noise, in float64, where mostly one large loss makes the sum positive.

Users in a random order draw from the blanket with the probability gamma that is its mass. Those before the first who does are revealed;
of the S others, delta is at most the largest E(L_1 + ... + L_S)_+/S of losses against what they send (BEYOND.swap-in-order). These have two
classes (BEYOND.any-law-one-large-loss-of-classes). Far: the loss has a heavy tail above 0, and none below. Near: it has a heavy tail below
0, and nothing that counts above. The blanket alone has both tails for everybody.

Inputs are those of `input_triples`, reflected so that large losses are of reports near 0: (0, 1, x), (0, x, 1) and (x, 0, 1). With e the
distance of the far ones from 1, min(R_(1 - e), R_1) and min(R_0, R_(1 - e)) are below R_x in (0, 1, x), on either side; of (0, x, 1)
and of (x, 0, 1) there are short cells (`raised`).
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np

from shuffleproof.impl.fast.bounds.blanket import gaussian_one_report, one_large_loss
from shuffleproof.impl.fast.bounds.blanket.gaussian_masses import tail
from shuffleproof.impl.fast.bounds.blanket.gaussian_reports import end_for, pair_by_one_large, pair_distribution, root
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms
from shuffleproof.impl.fast.bounds.swap.gaussian_inputs import Inputs, losses_of, ranges
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS
from shuffleproof.impl.fast.bounds.swap.means_beyond import above, means_beyond
from shuffleproof.impl.fast.numeric.results import decimal_of, exponential, working
from shuffleproof.spec.vocabulary.numerals import Epsilon

_NEAREST = 0.3
"""Where far inputs begin, at least: of a wider class losses below 0 count;"""
_FARTHEST = 0.55
"""and at most: beside a narrower class near inputs have large losses."""
_SHORT = Fraction(1, 8)
"""Width of a cell of inputs, in standard deviations: their means are raised by 2 parts in 1,000; of a small epsilon, by as much."""
_LEAST = 1e-2
"""Added to epsilon there, so that cells have a width."""
_CLOSE = Fraction(10012, 10000)
"""Where the bound is within this of what one pair of datasets reaches no other one is asked."""
_HOPELESS = 3.0
"""How many times delta the bound may be near the epsilon of that pair, for the search to go on."""
_OUTWEIGHED = 1000
"""How many times what one report says small losses alone say, about, for large ones not to be asked: none decides there."""
_TINY = 1e-20
"""And how much that is at least: what is less, sums on a grid hardly tell apart, and large losses may win."""
_FAR_AWAY = 30.0
"""Deviations at which small losses say nothing."""
_RATIO = 1.01
"""Of one loss that is told apart to the next, and"""
_SMALLEST = 1e-2
"""the least, next to E: close ones would leave nothing of the differences of means."""
_LEVELS = (1.0, 3.0, 9.0)
"""-ln of the probabilities that nobody has yet drawn from the blanket, after which fewer users are counted; and at last nobody at all."""
_ASIDE = 1e-2
"""The share of delta that is given to nobody having drawn from the blanket, at most; for e times less 1/gamma users more are revealed."""
_MOST_REVEALED = 0.75
"""The share of users that may be revealed."""
_LEAST = 10.0
"""How many times delta nobody having drawn from the blanket may be less likely than, at least: else the bound says little."""


def delta(*, n: int, sigma: Fraction, epsilon: Epsilon) -> tuple[float, bool] | None:
    """delta at most, for all neighbouring datasets, and whether it is close; None where large losses do not decide."""
    least = gaussian_one_report.delta_below(n=n, sigma=sigma, epsilon=epsilon)
    z = end_for(sigma, least) if least else None
    if z is None:
        return None
    with working():
        E = float(exponential(epsilon))
    outweighed = _of_small_losses(n, float(1 / sigma), E) > max(_TINY, float(_OUTWEIGHED * least))
    if outweighed or not one_large_loss.decides(pair_distribution(sigma, z).losses(E), n=n):
        return None
    found = delta_at(n=n, sigma=sigma, z=z, exp_epsilon=E, about=float(least))
    return None if found is None else (min(1.0, found), found <= least * _CLOSE)


def _of_small_losses(n: int, rate: float, E: float) -> float:
    """About what delta of that pair were if no loss were large and their sum normal; small: of likelihood ratios below n E."""
    beyond = (math.log(n * E) - 3 * rate**2 / 2) / rate  # what such reports are below, from where their mean square is centred
    deviation = math.sqrt(math.expm1(rate**2) * math.erfc(-beyond / math.sqrt(2)) / 2 / n)
    x = (E - 1) / deviation if deviation else math.inf
    return deviation * (math.exp(-x * x / 2) / math.sqrt(2 * math.pi) - x * math.erfc(x / math.sqrt(2)) / 2) if x < _FAR_AWAY else 0.0


def epsilon(*, n: int, sigma: Fraction, delta: Fraction) -> tuple[Fraction, bool] | None:
    """An epsilon at which delta is at most that, and whether it is close to the least one; None where large losses do not decide."""
    z = end_for(sigma, delta)
    if z is None:
        return None
    low, _ = pair_by_one_large(sigma, n, delta, z)
    wanted = float(delta)

    def at(x: float) -> float | None:
        found = delta_at(n=n, sigma=sigma, z=z, exp_epsilon=math.exp(x), about=wanted)
        return found if found is not None and found <= wanted * _HOPELESS else None

    found = root(at, delta, low) if low else None
    return None if found is None else (found, found <= low * _CLOSE)


def delta_at(*, n: int, sigma: Fraction, z: Fraction, exp_epsilon: float, about: float) -> float | None:
    """delta at most, for all neighbouring datasets; None where large losses do not decide. about: what comes out.

    Reports beyond z sigma of [0, 1] are revealed.
    """
    E = exp_epsilon
    gamma = math.erfc(1 / float(sigma) / 2 / math.sqrt(2)) * (1 - 1e-9)
    last = min(-math.log(about * min(_ASIDE, 1 / gamma / n)), -math.log1p(-gamma) * n * _MOST_REVEALED)
    if last < math.log(_LEAST / about):
        return None
    levels = [math.floor(-level / math.log1p(-gamma)) for level in (*(each for each in _LEVELS if each < last), last)]
    far, near = classes_at(sigma, z, n, E)
    most = max(float(at.max()) for _, at, _ in (*far, *near)) / E
    up = E * _SMALLEST * _RATIO ** np.arange(math.ceil(math.log(max(most, 4.0 * n) / _SMALLEST) / math.log(_RATIO)) + 2)
    knots = np.concatenate([-up[::-1], [0.0], up])
    rows = [means_beyond(atoms, knots) for atoms in (*far, *near)]
    first, second = (np.max(each, axis=0) for each in (rows[: len(far)], rows[len(far) :]))
    classes = [above(each, knots) for each in (first, second, np.maximum(first, second))]
    total, reached = 0.0, 1.0
    for level in levels:
        found = one_large_loss.of_two_classes(*classes, n=n - level)
        if found is None:
            return None
        following = math.exp(level * math.log1p(-gamma))
        total, reached = total + found * (reached - following), following
    with working():
        beyond = float(tail(decimal_of(z)))
    return (total + reached + 2 * beyond) * (1 + 1e-9)


def classes_at(sigma: Fraction, z: Fraction, n: int, E: float) -> tuple[list[Atoms], list[Atoms]]:
    """Distributions of which mixtures are above those of far users, and of near ones."""
    step = min(POINTS // 2, 1 << max(0, math.floor(math.log2(_SHORT * math.sqrt(min(1.0, math.log(E) + _LEAST)) * sigma * POINTS))))
    edge = step * math.floor(min(max(_least_far(sigma, n, E), _NEAREST), _FARTHEST) * POINTS / step)
    far, near = ([losses_of(known, E) for known in each] for each in _classes(sigma, z, step, edge))
    return far, near


def _least_far(sigma: Fraction, n: int, E: float) -> float:
    """The x at which E R_x is about R_0 where the likelihood ratio of 0 and 1 is n: for smaller ones (0, x, 1) has smaller losses."""
    curved, users, local = 1 / float(sigma) ** 2 / 2, math.log(n), math.log(E)
    linear = local + users - curved
    return (math.sqrt(linear * linear + 4 * curved * local) - linear) / (2 * curved)


@lru_cache(maxsize=4)
def _classes(sigma: Fraction, z: Fraction, step: int, edge: int) -> tuple[list[Floats], list[Floats]]:
    """Return what losses are made of, of far users and of near ones; edge: the least input of far ones."""
    inputs = Inputs(sigma, z)
    zero, one = inputs.distribution(0), inputs.distribution(POINTS)
    far = [ranges(*inputs.least(edge, POINTS), *zero, *one)]
    near = [ranges(*inputs.least(0, edge), *zero, *one)]
    for x in range(0, POINTS + 1, step):
        (more, less), (own, at_own) = inputs.raised(x, step), inputs.distribution(x)
        of_end = ranges(*one, *zero, own * less, at_own * less)
        far += [of_end] if x >= edge else []
        near += [of_end] if x <= edge else []
        near.append(ranges(*one, own * more, at_own * more, *zero))
    return far, near
