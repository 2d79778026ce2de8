"""The coordinate sums of RAPPOR reports over all neighbouring datasets, certified for any n.

Where an item is dropped, one coordinate's sum is that of a bit sum: shuffled binary randomized response. Where it is replaced, the two
sums are the runs of a tagged real sum with r = 2 (BEYOND.coordinate-sums). Flipping a bit once more is post-processing: where p is
irrational, a p just below it bounds from above and one just above it from below.
"""

from fractions import Fraction
from typing import Any

from shuffleproof.impl.ball.bounds.sums import real_sum
from shuffleproof.impl.ball.bounds.sums.noisy_renyi import all_alike, renyi_ends
from shuffleproof.impl.ball.bounds.sums.noisy_sum import delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.impl.ball.numeric.arithmetic import ends, exp_of, precision
from shuffleproof.impl.ball.numeric.results import between, certified
from shuffleproof.spec.vocabulary.asking import EngineFunction, Found
from shuffleproof.spec.vocabulary.methods.protocols import COORDINATE_SUMS
from shuffleproof.spec.vocabulary.numerals import Epsilon


@certified(COORDINATE_SUMS)
def delta(*, n: int, changed: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
    """The least delta for which the coordinate sums are (epsilon, delta)-DP: lower is one dataset's, upper holds for all.

    epsilon0: of the whole change; digits: as for the bit sum, while an enclosure for two coordinates is some percent wide.
    """
    if epsilon >= epsilon0:
        return Found.exactly(0)
    if changed == 1:
        return delta_of_one(n, epsilon0, epsilon, digits)
    return between([_of_runs(real_sum.delta, n, p, epsilon=epsilon, digits=digits) for p in _flips(epsilon0, changed, n, digits)])


@certified(COORDINATE_SUMS)
def epsilon(*, n: int, changed: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
    """Least epsilon for which the coordinate sums are (epsilon, delta)-DP; epsilon0 at delta = 0.

    Some dataset exceeds delta below lower, none does at upper.
    """
    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=4 * digits + 32)
    if changed == 1:
        return epsilon_of_one(n, epsilon0, delta, digits)
    return between([_of_runs(real_sum.epsilon, n, p, delta=delta, digits=digits) for p in _flips(epsilon0, changed, n, digits)])


@certified(COORDINATE_SUMS)
def renyi(*, n: int, changed: int, epsilon0: Epsilon, order: Fraction, digits: int = 12) -> Found:
    """The Renyi divergence of the coordinate sums: the largest over all neighbouring datasets and both directions.

    Two coordinates are independent given the data, so that their divergences add up; with k ones in one and n - 1 - k in the other, which
    some dataset has, both are the largest (CSUZZ19.Profile.renyi).
    """
    if epsilon0.exp == 1:
        return Found.exactly(0)
    flips = _flips(epsilon0, changed, n, digits)
    lower, upper = renyi_ends(Sum(n - 1, 1, flips[0]), order, digits=digits)
    if len(flips) > 1:
        lower = all_alike(Sum(n - 1, 1, flips[1]), order, digits=digits)
    return Found(changed * min(lower, upper), changed * upper)


def delta_of_one(n: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int) -> Found:
    """delta of one coordinate's sum, epsilon below epsilon0."""
    return between([delta_of(Sum(n - 1, 1, p), epsilon, digits=digits) for p in _flips(epsilon0, 1, n, digits)])


def epsilon_of_one(n: int, epsilon0: Epsilon, delta: Fraction, digits: int) -> Found:
    """epsilon of one coordinate's sum, epsilon0 above 0 and delta between 0 and 1."""
    return between([epsilon_of(Sum(n - 1, 1, p), delta, digits=digits) for p in _flips(epsilon0, 1, n, digits)])


def _of_runs(quantity: EngineFunction, n: int, p: Fraction, **asked: Any) -> Found:
    """The real sum's of two runs that are distinguished."""
    found = quantity(n=n, lam=2 * n * p, r=2, view="tagged", **asked)
    return Found(found.lower, found.upper, found.side in ("enclosure", "exact"), found.precision)


def _flips(epsilon0: Epsilon, changed: int, n: int, digits: int) -> list[Fraction]:
    """p = 1/(e^(epsilon0/changed) + 1) itself, or one just below it and one just above it."""
    if epsilon0.exp is not None and changed == 1:
        return [1 / (epsilon0.exp + 1)]
    with precision(4 * digits + 2 * n.bit_length() + 64):
        T = exp_of(epsilon0)
        least, most = ends(T if changed == 1 else T.sqrt())
    if least == most:
        return [1 / (least + 1)]
    return [1 / (most + 1), min(1 / (least + 1), Fraction(1, 2))]
