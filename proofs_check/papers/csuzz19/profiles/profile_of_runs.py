"""CSUZZ19: one curve that bounds every run of a tagged real sum, joined by straight lines and composed; and Renyi divergences of sums."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from shuffleproof.impl.ball.bounds.sums.noisy_bits import Bits
from shuffleproof.impl.ball.bounds.sums.noisy_renyi import divergence, renyi_ends
from shuffleproof.impl.ball.bounds.sums.tagged_runs import composed, datasets
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Cited, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.masses import merged, sum_of
from shuffleproof.spec.bounds.sums import bit_sum, coordinate_sums, real_sum
from shuffleproof.spec.distribution import Distribution, binomial, convolution, hockey_stick, renyi_moment
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.numerals import Epsilon

_STEP = Fraction(9, 8)  # ratio of neighbouring orders: rational, in place of e^step
_ORDERS = tuple(map(Fraction, ("1", "6/5", "2", "4")))


@cache
def _needed(n: int, lam: Fraction, r: int, order: Fraction) -> Fraction:
    """The least delta of the tagged view over all datasets."""
    return max(profile.delta(exp_epsilon=order) for profile in real_sum.tagged_profiles(n=n, lam=lam, r=r))


def _curve(n: int, lam: Fraction, orders: Sequence[Fraction], numbers: Sequence[int]) -> list[Fraction]:
    """The largest D(P_1 || P_0) of one run over these k, at each order."""
    pairs = [bit_sum.pair(n=n, lam=lam, ones=k) for k in numbers]
    return [max(hockey_stick(one, zero, exp_epsilon=order) for zero, one in pairs) for order in orders]


def _composed(curve: Sequence[Fraction], r: int, order: Fraction, *, lowered: int) -> Fraction:
    """Straight lines between the points of the curve at the orders 1, g, g^2, ..., and the mirror image below 1; its r-fold product."""
    top = len(curve) - 1
    orders = [_STEP**i for i in range(-top, top + 1)]
    heights = [curve[i - top] if i >= top else 1 - orders[i] * (1 - curve[top - i]) for i in range(2 * top + 1)]
    slopes = [(heights[i] - heights[i + 1]) / (orders[i + 1] - orders[i]) for i in range(2 * top)] + [Fraction(0)]
    weights = {i - top - lowered: orders[i] * (slopes[i - 1] - slopes[i]) for i in range(1, 2 * top + 1)}
    weights[-top - lowered] = 1 - curve[top] - sum(weights.values())
    infinite = 1 - (1 - curve[top]) ** r
    together = sum_of([weights] * r)
    return infinite + sum((mass * max(Fraction(0), 1 - order / _STEP**loss) for loss, mass in together.items()), Fraction(0))


@derived(
    "CSUZZ19.Profile.grid",
    where="Section 5.3, runs that can be distinguished",
    says="let H be, at every order of a grid, at least the largest profile of one run over all k; the pair whose profile joins these "
    "points by straight lines, with all losses beyond the grid infinite, composed r times, bounds the tagged real sum",
    range="n, r >= 1, lambda in (0, n), eps >= 0, any grid",
    governs=["impl.ball.bounds.sums.tagged_runs", "impl.ball.bounds.sums.real_sum"],
    grounds=[
        EXACT,
        Cited(
            "a pair with a larger profile at every order dominates, and products of dominating pairs dominate products",
            "known-facts#dominating-pairs-and-their-products",
        ),
    ],
    mutants={
        "the curve of k = 0 alone": {"homogeneous": True},
        "every loss one step of the grid lower": {"lowered": 1},
        "the losses beyond a short grid left out": {"points": 2, "infinite": False},
    },
)
def grid(budget: Budget, *, homogeneous: bool = False, lowered: int = 0, points: int | None = None, infinite: bool = True) -> Verdict:
    sizes = ((2, 2), (3, 2)) if budget.depth == "quick" else ((2, 2), (3, 2), (2, 3), (3, 3), (5, 2))

    def slack(case: tuple[tuple[int, int], Fraction, Fraction]) -> Fraction:
        (n, r), share, order = case
        lam = share * n
        top = points or next(i for i in range(200) if _STEP**i >= (2 - share) / share)
        curve = _curve(n, lam, [_STEP**i for i in range(top + 1)], [0] if homogeneous else range(n))
        if not infinite:
            curve = [*curve[:-1], Fraction(0)]
        return _composed(curve, r, order, lowered=lowered) - _needed(n, lam, r, order)

    return exhaustive.least_slack(product(sizes, map(Fraction, ("1/3", "4/5")), _ORDERS), slack=slack).verdict(
        domain=f"(n, r) = {', '.join(map(str, sizes))}, lambda/n = 1/3, 4/5, four e^eps, the grid (9/8)^i",
        witness=lambda c: f"n = {c[0][0]}, r = {c[0][1]}, lambda/n = {c[1]}, e^eps = {c[2]}: the composition is below the exact value",
        note="a profile is convex in e^eps, so chords lie above it; the curve of the other direction is the same one "
        "(CSUZZ19.Profile.one-direction), and D at an order below 1 follows from it at the inverse order",
    )


@derived(
    "CSUZZ19.Profile.grid-engine",
    where="Section 5.3, runs that can be distinguished",
    says="the certified composition is never below the exact delta of the tagged view, and that of one dataset never above it",
    governs=["impl.ball.bounds.sums.tagged_runs"],
    grounds=[EXACT, BALLS],
    mutants={"three quarters of it": {"factor": Fraction(3, 4)}, "four thirds of one dataset's": {"of_dataset": Fraction(4, 3)}},
)
def engine(budget: Budget, *, factor: Fraction = Fraction(1), of_dataset: Fraction = Fraction(1)) -> Verdict:
    """The certified composition and one dataset's against the exact value; factor, of_dataset: multiply the two."""
    sizes = ((2, 2), (3, 2), (2, 3)) if budget.depth == "quick" else ((2, 2), (3, 2), (2, 3), (3, 3), (5, 2))

    def slack(case: tuple[tuple[int, int], Fraction, Fraction]) -> Fraction:
        (n, r), share, order = case
        exact = _needed(n, share * n, r, order)
        if exact == 0:
            return Fraction(0)
        runs = composed(Sum(n - 1, 1, share / 2), r, least_delta=exact)
        epsilon = Epsilon(Fraction(0) if order == 1 else None, order)
        reached = max(dataset.delta(epsilon) for dataset in datasets(runs))
        return min(factor * runs.delta(epsilon) - exact, exact - of_dataset * reached)

    return exhaustive.least_slack(product(sizes, map(Fraction, ("1/3", "4/5")), _ORDERS), slack=slack).verdict(
        claims=Status.CERTIFIED,
        domain=f"(n, r) = {', '.join(map(str, sizes))}, lambda/n = 1/3, 4/5, four e^eps",
        witness=lambda c: f"n = {c[0][0]}, r = {c[0][1]}, lambda/n = {c[1]}, e^eps = {c[2]}: on the wrong side of the exact value",
    )


_INTEGER_ORDERS = (2, 3, 9)  # integers, so that divergences are rational
_FLIPS = tuple(map(Fraction, ("1/20", "1/4", "2/5")))
IntegerDistribution = Distribution[int]


@cache
def _moment(ones: int, zeros: int, changed: int, p: Fraction, order: int) -> Fraction:
    """Return the moment of D(P_1 || P_0): the changed bits 1 against 0."""

    def distribution(ones: int, zeros: int) -> IntegerDistribution:
        return convolution(binomial(ones, 1 - p), binomial(zeros, p))

    found = renyi_moment(distribution(ones + changed, zeros), distribution(ones, zeros + changed), order=order)
    assert found is not None
    return found


def _largest(others: int, changed: int, p: Fraction, order: int) -> Fraction:
    return max(_moment(k, others - k, changed, p, order) for k in range(others + 1))


def _views(budget: Budget, *, fewer: int = 0) -> Verdict:
    """Every dataset of each view against one sum's worst. fewer: of the runs that add up."""

    def worst(pairs: Iterator[tuple[Distribution[Any], Distribution[Any]]], order: int) -> Fraction:
        found = (renyi_moment(one, other, order=order) for P, Q in pairs for one, other in ((P, Q), (Q, P)))
        return max(moment for moment in found if moment is not None)

    def holds(n: int, r: int, p: Fraction, order: int) -> bool:
        single = _largest(n - 1, 1, p, order)
        tagged = worst(((each.p, each.q) for each in real_sum.tagged_profiles(n=n, lam=2 * n * p, r=r)), order)
        untagged = worst(((each.p, each.q) for each in real_sum.untagged_profiles(n=n, lam=2 * n * p, r=r)), order)
        sums = worst(((each.p, each.q) for each in coordinate_sums.profiles(n=n, own=1 - p, other=p, changed=2)), order)
        return tagged == single ** (r - fewer) and sums == single**2 and untagged == _largest((n - 1) * r, r, p, order)

    sizes = ((1, 2), (2, 2), (3, 2)) if budget.depth == "quick" else ((1, 2), (2, 2), (3, 2), (2, 3), (4, 2))
    cases = [(n, r, p, order) for (n, r), p, order in product(sizes, _FLIPS, _INTEGER_ORDERS)]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"(n, r) = {', '.join(map(str, sizes))}, three p, three orders: tagged, untagged, two coordinates"
    )


def _blocks(budget: Budget, *, shared: str = "both") -> Verdict:
    def slack(others: int, changed: int, p: Fraction, order: int) -> Fraction:
        margins = []
        for least in range(others + 1):
            for most in range(least, others + 1):
                zeros = others - (most if shared == "both" else least)
                within = max(_moment(k, others - k, changed, p, order) for k in range(least, most + 1))
                margins.append(_moment(least, zeros, changed, p, order) - within)
        return min(margins)

    most = budget.pick(quick=3, full=9)
    return exhaustive.least_slack(product(range(most + 1), (1, 2), _FLIPS, _INTEGER_ORDERS), slack=slack).verdict(
        domain=f"others <= {most}, all blocks, changed = 1, 2, three p, three orders"
    )


def _windows(budget: Budget, *, rest: int = 1) -> Verdict:
    """Both sides of the moment from windows of the two counts. rest: how often what lies outside is counted."""

    def slack(ones: int, zeros: int, p: Fraction, order: int, cut: int) -> Fraction:
        kept, more = binomial(ones, 1 - p), binomial(zeros, p)
        inside = {(b, a): x * y for b, x in kept.items() for a, y in more.items() if cut <= b and a <= zeros - cut}
        outside, steep = 1 - sum(inside.values()), (1 - p) / p
        counts = merged((a + b, weight) for (b, a), weight in inside.items())
        laws = [sum_of([counts, {1: up, 0: 1 - up}]) for up in (1 - p, p)]
        within = sum((laws[0][y] ** order / laws[1][y] ** (order - 1) for y in laws[0]), Fraction(0))
        truth = _moment(ones, zeros, 1, p, order)
        above = within + rest * outside * steep ** (order - 1)
        return min(above - truth, truth - within**order / (within + rest * outside * steep**order) ** (order - 1))

    cases = [case for case in product((2, 4), (2, 5), _FLIPS, _INTEGER_ORDERS, (0, 1, 2)) if case[-1] <= min(case[:2])]
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain="2 or 4 ones, 2 or 5 zeros, windows cut by 0, 1, 2 on one side, three p, three orders"
    )


def _engine(*, factor: Fraction = Fraction(1)) -> Verdict:
    """factor: multiplies the certified ends."""

    def holds(others: int, changed: int, p: Fraction, order: int) -> bool:
        exact = log_bounds(_largest(others, changed, p, order), bits=80)
        one = log_bounds(_moment(0, others, changed, p, order), bits=80)
        found = renyi_ends(Sum(others, changed, p), Fraction(order), digits=8)
        alone = divergence(Bits(0, others, changed, p), Fraction(order), digits=8)
        pairs = ((found, exact), (alone, one))
        return all(low * factor <= end[1] / (order - 1) and high * factor >= end[0] / (order - 1) for (low, high), end in pairs)

    return exhaustive.for_all(product((0, 3, 10), (1, 3), _FLIPS, _INTEGER_ORDERS), holds=holds).verdict(
        claims=Status.CERTIFIED, domain="0, 3, 10 others, changed = 1, 3, three p, three orders"
    )


@derived(
    "CSUZZ19.Profile.renyi",
    where="Definition 3.4 for Algorithms 1 and 6, Renyi divergences",
    says="Renyi divergences of runs that are distinguished, and of coordinates, add up, each at its own worst number of ones; for all k "
    "from k_0 to k_1 the bits that they share bound the divergence; with M_w from windows of both counts that leave out rho, the moment "
    "lies between M_w^alpha (M_w + rho e^(alpha L))^(1 - alpha) and M_w + rho e^((alpha - 1) L), L the largest loss",
    range="all numbers of bits, p in (0, 1/2), alpha > 1",
    governs=["impl.ball.bounds.sums.noisy_renyi"],
    grounds=[EXACT, BALLS, "CSUZZ19.Profile.one-direction"],
    mutants={
        "one run fewer adds up": {"fewer": 1},
        "the dataset with k_0 ones bounds the block by itself": {"shared": "first"},
        "what lies outside the windows left out": {"rest": 0},
        "ends higher by a thousandth": {"factor": Fraction(1001, 1000)},
        "ends lower by a thousandth": {"factor": Fraction(999, 1000)},
    },
)
def renyi(budget: Budget, *, fewer: int = 0, shared: str = "both", rest: int = 1, factor: Fraction = Fraction(1)) -> Verdict:
    parts = [_views(budget, fewer=fewer), _blocks(budget, shared=shared), _windows(budget, rest=rest), _engine(factor=factor)]
    note = (
        "in general: distributions given the data are independent, so moments multiply; adding bits is post-processing; (u, v) -> u^alpha "
    )
    note += "v^(1 - alpha) is convex and homogeneous, so subadditive, which gives the upper side, and Hoelder's inequality the lower one"
    return conjunction(parts, note=note)
