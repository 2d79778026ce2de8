"""The privacy of the real sum over all neighbouring datasets, certified, in both views (CSUZZ19, Algorithm 6, section 5.3).

By joint convexity only inputs that are multiples of 1/r count, and of those 0 against 1 is worst: all r bits of the changed user move.
Untagged, the total number of ones is seen: n r noisy bits of which r change, as in `noisy_sum`. Tagged, the numbers of ones of the r runs
are seen; their sum is the untagged view, so an untagged dataset's value is a lower end, beside that of one tagged dataset, and the
upper end is that of `tagged_runs`.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from shuffleproof.impl.ball.bounds.sums.noisy_renyi import renyi_of
from shuffleproof.impl.ball.bounds.sums.noisy_sum import delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.sums.tagged_runs import Dataset, composed, datasets, least_epsilon, require_affordable
from shuffleproof.impl.ball.bounds.sums.worst_dataset import SAYS_NOTHING, Sum, worst
from shuffleproof.impl.ball.numeric.results import certified, rounded
from shuffleproof.impl.ball.numeric.root import ZERO
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import require_one_of
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.protocols import REAL_SUM_TAGGED, REAL_SUM_UNTAGGED
from shuffleproof.spec.vocabulary.numerals import Epsilon, count
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_bit_sum, no_renyi_without_noise

View = Literal["untagged", "tagged"]
_METHODS: Mapping[str, Method] = {"untagged": REAL_SUM_UNTAGGED, "tagged": REAL_SUM_TAGGED}
LARGEST_R = 10_000
"""Bits a user sends at most."""
_WIDTH = Fraction(1, 10_000)
"""Relative width of epsilon in the tagged view, whose curve is not closer than that itself."""


@certified(REAL_SUM_UNTAGGED)
def delta(*, n: int, lam: Fraction, r: int, epsilon: Epsilon, view: str, digits: int = 15) -> Found:
    """The least delta for which the real sum is (epsilon, delta)-DP in this view (CSUZZ19, section 5.3): lower is one dataset's.

    r: bits per user, up to 10^4 (tagged: to 256); view: "untagged" or "tagged"; digits: as for the bit sum where the view is untagged or
    r = 1; a tagged enclosure for r > 1 is some percent wide.
    """
    return replace(_delta(_runs(n, lam, r, view), epsilon, view, digits), method=_METHODS[view])


@certified(REAL_SUM_UNTAGGED)
def epsilon(*, n: int, lam: Fraction, r: int, delta: Fraction, view: str, inputs: Mapping[str, str], digits: int = 15) -> Found:
    """Least epsilon for which the real sum is (epsilon, delta)-DP in this view; exactly r ln(2n/lambda - 1) at delta = 0.

    Some dataset exceeds delta below lower, none does at upper. Raises RegimeError for lambda = 0 and delta < 1: without noise no epsilon is
    enough.
    """
    run = _runs(n, lam, r, view)
    if lam == 0 and delta < 1:
        raise no_epsilon_for_bit_sum(_METHODS[view], delta=inputs["delta"])
    return replace(_epsilon(run, r, delta, view, digits), method=_METHODS[view])


@certified(REAL_SUM_UNTAGGED)
def renyi(*, n: int, lam: Fraction, r: int, order: Fraction, view: str, digits: int = 12) -> Found:
    """The Renyi divergence of the real sum in this view: the largest over all neighbouring datasets and both directions.

    Untagged, the total is one sum of n r bits of which r change; tagged, the r runs are independent given the data, so that their
    divergences add up, and each is worst at the same dataset. Raises RegimeError for lambda = 0 (CSUZZ19.Profile.renyi).
    """
    total, run = _runs(n, lam, r, view)
    if lam == 0:
        raise no_renyi_without_noise(_METHODS[view])
    found = renyi_of(total, order, digits=digits) if view == "untagged" else renyi_of(run, order, runs=r, digits=digits)
    return replace(found, method=_METHODS[view])


def _delta(of: tuple[Sum, Sum], epsilon: Epsilon, view: str, digits: int) -> Found:
    total, run = of
    if view == "untagged" or total.changed == 1 or run.p in (0, SAYS_NOTHING) or epsilon >= total.largest:
        return delta_of(total, epsilon, digits=digits)
    untagged = worst(total, epsilon, digits=2).lower
    both = composed(run, total.changed, least_delta=untagged)
    upper = both.delta(epsilon)
    return Found(min(upper, max(untagged, *(each.delta(epsilon) for each in datasets(both)))), upper)


def _epsilon(of: tuple[Sum, Sum], r: int, delta: Fraction, view: str, digits: int) -> Found:
    total, run = of
    if view == "untagged" or r == 1 or run.p in (0, SAYS_NOTHING) or delta in (0, 1):
        return epsilon_of(total, delta, digits=digits)
    below = rounded(epsilon_of(total, delta, digits=6), digits=6)
    runs = composed(run, r, least_delta=delta)
    top = r * run.largest.bounds(bits=64)[1]
    if runs.delta(ZERO) <= delta:
        return Found.exactly(0)
    high = min(max(2 * below.upper, runs.step), top)
    while high < top and runs.delta(Epsilon(high, None)) > delta:
        high = min(2 * high, top)
    upper = least_epsilon(runs, delta, low=below.lower, high=high, width=_WIDTH)
    lower = max(below.lower, *(_missed(each, delta, low=below.lower, high=upper) for each in datasets(runs)))
    return Found(lower, upper, below.lower_certified or lower > below.lower, digits=15)


def _missed(dataset: Dataset, delta: Fraction, *, low: Fraction, high: Fraction) -> Fraction:
    """An epsilon, at least low, at which the dataset's delta is certified to be more, if there is one; about the largest such."""
    while high - low > _WIDTH * high:
        middle = (low + high) / 2
        if dataset.delta(Epsilon(middle, None)) > delta:
            low = middle
        else:
            high = middle
    return low


def _runs(n: int, lam: Fraction, r: int, view: str) -> tuple[Sum, Sum]:
    """The sum of all bits, and that of one run."""
    require_one_of(view, _METHODS, parameter="view")
    count(r, parameter="r", maximum=LARGEST_R)
    if view == "tagged":
        require_affordable(r)
    p = lam / (2 * n)
    return Sum((n - 1) * r, r, p), Sum(n - 1, 1, p)
