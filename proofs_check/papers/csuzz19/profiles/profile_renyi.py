"""CSUZZ19, the arguments by which Renyi divergences of bit sums, real sums and coordinate sums are computed for all datasets."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from shuffleproof.impl.ball.bounds.sums.noisy_bits import Bits
from shuffleproof.impl.ball.bounds.sums.noisy_renyi import divergence, renyi_ends
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.sums import coordinate_sums, real_sum
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.divergence import renyi_moment
from shuffleproof.spec.vocabulary.elementary import log_bounds

_ORDERS = (2, 3, 9)  # integers, so that divergences are rational
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
    cases = [(n, r, p, order) for (n, r), p, order in product(sizes, _FLIPS, _ORDERS)]
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"(n, r) = {', '.join(map(str, sizes))}, three p, three orders: tagged, untagged, two coordinates",
        witness=lambda c: f"n = {c[0]}, r = {c[1]}, p = {c[2]}, alpha = {c[3]}",
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
    return exhaustive.least_slack(product(range(most + 1), (1, 2), _FLIPS, _ORDERS), slack=exhaustive.unpacked(slack)).verdict(
        domain=f"others <= {most}, all blocks, changed = 1, 2, three p, three orders",
        witness=lambda c: f"{c[0]} others, {c[1]} changed, p = {c[2]}, alpha = {c[3]}: some dataset exceeds its block",
    )


def _windows(budget: Budget, *, rest: int = 1) -> Verdict:
    """Both sides of the moment from windows of the two counts. rest: how often what lies outside is counted."""

    def slack(ones: int, zeros: int, p: Fraction, order: int, cut: int) -> Fraction:
        kept, more = binomial(ones, 1 - p), binomial(zeros, p)
        inside = {(b, a): x * y for b, x in kept.items() for a, y in more.items() if cut <= b and a <= zeros - cut}
        outside, steep = 1 - sum(inside.values()), (1 - p) / p
        laws: list[dict[int, Fraction]] = [{}, {}]
        for (b, a), weight in inside.items():
            for law, up in zip(laws, (1 - p, p), strict=True):
                law[a + b + 1] = law.get(a + b + 1, Fraction(0)) + weight * up
                law[a + b] = law.get(a + b, Fraction(0)) + weight * (1 - up)
        within = sum((laws[0][y] ** order / laws[1][y] ** (order - 1) for y in laws[0]), Fraction(0))
        truth = _moment(ones, zeros, 1, p, order)
        above = within + rest * outside * steep ** (order - 1)
        return min(above - truth, truth - within**order / (within + rest * outside * steep**order) ** (order - 1))

    cases = [(a, b, p, order, cut) for a, b, p, order, cut in product((2, 4), (2, 5), _FLIPS, _ORDERS, (0, 1, 2)) if cut <= min(a, b)]
    return exhaustive.least_slack(cases, slack=exhaustive.unpacked(slack)).verdict(
        domain="2 or 4 ones, 2 or 5 zeros, windows cut by 0, 1, 2 on one side, three p, three orders",
        witness=lambda c: f"{c[0]} ones, {c[1]} zeros, p = {c[2]}, alpha = {c[3]}, cut by {c[4]}",
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

    return exhaustive.for_all(product((0, 3, 10), (1, 3), _FLIPS, _ORDERS), holds=exhaustive.unpacked(holds)).verdict(
        claims=Status.CERTIFIED,
        domain="0, 3, 10 others, changed = 1, 3, three p, three orders",
        witness=lambda c: f"{c[0]} others, {c[1]} changed, p = {c[2]}, alpha = {c[3]}: the ends do not enclose the exact value",
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
