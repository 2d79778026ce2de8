"""The privacy of the real sum over all neighbouring datasets, certified, in both views (CSUZZ19, Algorithm 6, section 5.3).

By joint convexity only inputs that are multiples of 1/r count, and of those 0 against 1 is worst: all r bits of the changed user move.
Untagged, the total number of ones is seen: n r noisy bits of which r change, as in `noisy_sum`. Tagged, the numbers of ones of the r runs
are seen; their sum is the untagged view, so an untagged dataset's value is a lower end, beside that of `tagged_dataset`, and the upper
end is that of `tagged_runs`.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, get_args

from shuffleproof.impl.ball.bounds.sums.noisy_renyi import renyi_of
from shuffleproof.impl.ball.bounds.sums.noisy_sum import delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.sums.tagged_dataset import Dataset, datasets
from shuffleproof.impl.ball.bounds.sums.tagged_runs import composed, least_epsilon, require_affordable
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum, worst
from shuffleproof.impl.ball.numeric.results import enclosed, exactly
from shuffleproof.impl.ball.numeric.root import ZERO
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.protocols import REAL_SUM_TAGGED, REAL_SUM_UNTAGGED
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    lambda_parameter,
    parse_epsilon,
    probability,
    renyi_order,
)

View = Literal["untagged", "tagged"]
LARGEST_R = 10_000
"""Bits a user sends at most."""
_HALF = Fraction(1, 2)
"""The flip probability at which a message says nothing."""
_WIDTH = Fraction(1, 10_000)
"""Relative width of epsilon in the tagged view, whose curve is not closer than that itself."""


def delta(*, n: Number, lam: Number, r: Number, epsilon: Number | Epsilon, view: str, digits: int = 15) -> Bound:
    """The least delta for which the real sum is (epsilon, delta)-DP in this view, enclosed (CSUZZ19, section 5.3).

    n: users, at least 1; lam: lambda in [0, n], exact; r: bits per user, 1 to 10^4 (tagged: to 256); epsilon >= 0; view: "untagged" or
    "tagged"; digits: as for the bit sum where the view is untagged or r = 1; a tagged enclosure for r > 1 is some percent wide.
    Returns an enclosure: lower is one dataset's delta, upper holds for all. Raises DomainError, UndecidedError, ResourceLimitError.
    """
    users, runs, noise = _parameters(n, lam, r, view)
    central, wanted = parse_epsilon(epsilon), count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, **{"lambda": lam}, r=r, eps=epsilon)
    p = noise / (2 * users)
    total = Sum((users - 1) * runs, runs, p)
    if view == "untagged" or runs == 1 or p in (0, _HALF) or central >= total.largest:
        method = REAL_SUM_UNTAGGED if view == "untagged" else REAL_SUM_TAGGED
        return delta_of(method, total, central, digits=wanted, inputs=inputs)
    untagged = worst(total, central, digits=2).lower
    both = composed(Sum(users - 1, 1, p), runs, least_delta=untagged)
    upper = both.delta(central)
    lower = max(untagged, *(each.delta(central) for each in datasets(both)))
    return enclosed(REAL_SUM_TAGGED, "delta", min(lower, upper), upper, digits=wanted, inputs=inputs)


def epsilon(*, n: Number, lam: Number, r: Number, delta: Number, view: str, digits: int = 15) -> Bound:
    """Least epsilon for which the real sum is (epsilon, delta)-DP in this view, enclosed (CSUZZ19, section 5.3).

    n, lam, r, view, digits: as for `delta`; delta in [0, 1]. Exactly r ln(2n/lambda - 1) at delta = 0.
    Returns an enclosure: some dataset exceeds delta below lower, none does at upper. Raises DomainError, UndecidedError,
    ResourceLimitError; RegimeError for lambda = 0 and delta < 1: without noise no epsilon is enough.
    """
    users, runs, noise = _parameters(n, lam, r, view)
    target, wanted = probability(delta, parameter="delta"), count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, **{"lambda": lam}, r=r, delta=delta)
    p = noise / (2 * users)
    total = Sum((users - 1) * runs, runs, p)
    method = REAL_SUM_UNTAGGED if view == "untagged" else REAL_SUM_TAGGED
    if view == "untagged" or runs == 1 or p in (0, _HALF) or target in (0, 1):
        return epsilon_of(method, total, target, digits=wanted, inputs=inputs, given=str(delta))
    return _tagged_epsilon(Sum(users - 1, 1, p), runs, epsilon_of(method, total, target, digits=6, inputs=inputs, given=""), target, inputs)


def renyi(*, n: Number, lam: Number, r: Number, order: Number, view: str, digits: int = 12) -> Bound:
    """The Renyi divergence of the real sum in this view, enclosed: the largest over all neighbouring datasets and both directions.

    n, lam, r, view: as for `delta`; order above 1; digits: as for the bit sum. Untagged, the total is one sum of n r bits of which r
    change; tagged, the r runs are independent given the data, so that their divergences add up, and each is worst at the same dataset.
    Returns an enclosure. Raises DomainError, UndecidedError, ResourceLimitError; RegimeError for lambda = 0 (CSUZZ19.Profile.renyi).
    """
    users, runs, noise = _parameters(n, lam, r, view)
    alpha, wanted = renyi_order(order), count(digits, parameter="digits", maximum=1000)
    inputs, p = as_given(n=n, **{"lambda": lam}, r=r, order=order), noise / (2 * users)
    if view == "untagged":
        return renyi_of(REAL_SUM_UNTAGGED, Sum((users - 1) * runs, runs, p), alpha, digits=wanted, inputs=inputs)
    return renyi_of(REAL_SUM_TAGGED, Sum(users - 1, 1, p), alpha, runs=runs, digits=wanted, inputs=inputs)


def _tagged_epsilon(run: Sum, r: int, below: Bound, delta: Fraction, inputs: Mapping[str, str]) -> Bound:
    """below: the untagged epsilon."""
    runs = composed(run, r, least_delta=delta)
    top = r * run.largest.bounds(bits=64)[1]
    if runs.delta(ZERO) <= delta:
        return exactly(REAL_SUM_TAGGED, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    high = min(max(2 * below.upper, runs.step), top)
    while high < top and runs.delta(Epsilon(high, None)) > delta:
        high = min(2 * high, top)
    upper = least_epsilon(runs, delta, low=below.lower, high=high, width=_WIDTH)
    lower = max(below.lower, *(_missed(each, delta, low=below.lower, high=upper) for each in datasets(runs)))
    certified = below.side != "upper" or lower > below.lower
    return enclosed(REAL_SUM_TAGGED, "epsilon", lower, upper, digits=15, lower_certified=certified, inputs=inputs)


def _missed(dataset: Dataset, delta: Fraction, *, low: Fraction, high: Fraction) -> Fraction:
    """An epsilon, at least low, at which the dataset's delta is certified to be more, if there is one; about the largest such."""
    while high - low > _WIDTH * high:
        middle = (low + high) / 2
        if dataset.delta(Epsilon(middle, None)) > delta:
            low = middle
        else:
            high = middle
    return low


def _parameters(n: Number, lam: Number, r: Number, view: str) -> tuple[int, int, Fraction]:
    require(view in get_args(View), parameter="view", value=view, requirement='"untagged" or "tagged"')
    users, runs = count(n, parameter="n"), count(r, parameter="r", maximum=LARGEST_R)
    noise = lambda_parameter(lam, n=users)
    if view == "tagged":
        require_affordable(runs)
    return users, runs, noise
