"""CSUZZ19, tagged real sums: one curve that bounds every run, joined by straight lines at a grid of orders, composed r times."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from shuffleproof.impl.ball.bounds.sums.tagged_dataset import datasets
from shuffleproof.impl.ball.bounds.sums.tagged_runs import composed
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Cited, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.sums import bit_sum, real_sum
from shuffleproof.spec.divergence import hockey_stick
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
    together = {0: Fraction(1)}
    for _ in range(r):
        following: dict[int, Fraction] = {}
        for (done, mass), (loss, weight) in product(together.items(), weights.items()):
            following[done + loss] = following.get(done + loss, Fraction(0)) + mass * weight
        together = following
    infinite = 1 - (1 - curve[top]) ** r
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
    governs=["impl.ball.bounds.sums.tagged_runs", "impl.ball.bounds.sums.tagged_dataset"],
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
