"""CSUZZ19, section 5.3: what is seen of a real sum, tagged and untagged, and which neighbouring datasets are the worst.

Each message of user i in run j is an independent bit, and no distribution depends on more than the numbers of ones: of every run (tagged)
or of all together (untagged). For inputs that are multiples of 1/r the rounded bits are fixed: x = m/r gives m ones in the first m runs.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Cited, Coq, Verdict, derived, for_finite_sets
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import ORDERS
from shuffleproof.spec.bounds.sums import real_sum as profile
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, mixture
from shuffleproof.spec.model import shuffled_vectors_distribution
from shuffleproof.spec.protocols import real_sum

Dataset = tuple[Fraction, ...]


def grid(r: int) -> list[Fraction]:
    """0, 1/r, ..., 1."""
    return [Fraction(m, r) for m in range(r + 1)]


def _worst(inputs: list[Fraction], *, n: int, lam: Fraction, r: int, order: Fraction, tagged: bool) -> Fraction:
    """The least delta over all datasets with these inputs and all neighbours."""
    worst = Fraction(0)
    law = real_sum.tagged_distribution if tagged else real_sum.untagged_distribution
    for others in combinations_with_replacement(inputs, n - 1):
        views: list[Distribution[Any]] = [law((x, *others), lam=lam, r=r) for x in inputs]
        worst = max(worst, *(hockey_stick(p, q, exp_epsilon=order) for p, q in product(views, views)))
    return worst


@derived(
    "CSUZZ19.Alg6.views",
    says="untagged, the view is the total number of ones, a sum of n r independent bits; tagged, the numbers of ones of the r runs, "
    "independent",
    range="n, r >= 1, lambda in [0, n], inputs in [0, 1]",
    governs=["spec.protocols.real_sum"],
    mutants={"the tagged distribution for messages without tags": {"tagged": False}},
)
def views(budget: Budget, *, tagged: bool = True) -> Verdict:
    """The aggregated distributions against the shuffled messages of every user; not tagged: the tagged one against untagged messages."""
    sizes = ((1, 2), (2, 2), (2, 1)) if budget.depth == "quick" else ((1, 2), (2, 2), (2, 1), (1, 4), (2, 3), (3, 2))
    inputs = [Fraction(0), Fraction(2, 5), Fraction(1, 2), Fraction(1)]

    def holds(case: tuple[tuple[int, int], Fraction]) -> bool:
        (n, r), share = case
        lam = share * n
        for dataset in product(inputs, repeat=n):
            plain = shuffled_vectors_distribution(real_sum.randomizer(inputs=inputs, n=n, lam=lam, r=r), dataset)
            named = shuffled_vectors_distribution(real_sum.tagged_randomizer(inputs=inputs, n=n, lam=lam, r=r), dataset)
            counts = named.map(lambda y, r=r: tuple(sum(bit for j, bit in y if j == run) for run in range(1, r + 1)))  # type: ignore[misc]
            if plain.map(sum) != real_sum.untagged_distribution(dataset, lam=lam, r=r):
                return False
            claimed = real_sum.tagged_distribution(dataset, lam=lam, r=r)
            if counts != claimed if tagged else plain.map(lambda y: tuple(y)[: len(y) // 2]) != claimed:
                return False
        return True

    return exhaustive.for_all(product(sizes, map(Fraction, ("1/3", "4/5"))), holds=holds).verdict(
        domain=f"(n, r) = {', '.join(map(str, sizes))}, lambda/n = 1/3, 4/5, all datasets with inputs 0, 2/5, 1/2, 1",
        witness=lambda c: f"n = {c[0][0]}, r = {c[0][1]}, lambda/n = {c[1]}",
        note="at most one bit of a rounded input is random, so the n r messages are independent and the runs are too",
    )


@derived(
    "CSUZZ19.Sec5.3.grid",
    says="for privacy the inputs may be restricted to multiples of 1/r, in both views",
    range="n, r >= 1, lambda in [0, n], eps >= 0",
    governs=["spec.bounds.sums.real_sum", "impl.ball.bounds.sums.real_sum"],
    grounds=["distributions-of-views#the-real-sum", EXACT, Coq("hockey_joint_convexity", states="f8c0e86c5cf3bdf0")],
    mutants={"to multiples of 1/r below 1": {"short": True}},
    missing="the mixture beyond the enumerated n and r",
)
def on_the_grid(budget: Budget, *, short: bool = False) -> Verdict:
    """The worst delta with inputs off the grid added against that on the grid alone; short: the grid without 1."""
    sizes = ((1, 2), (2, 2)) if budget.depth == "quick" else ((1, 2), (2, 2), (2, 3), (3, 2))

    def holds(case: tuple[tuple[int, int], Fraction, Fraction, bool]) -> bool:
        (n, r), share, order, tagged = case
        lam = share * n
        off = [Fraction(1, 5), Fraction(2, 3)]
        for x in off:  # the distribution at x is a mixture of those at the two neighbouring multiples of 1/r
            below = Fraction(int(x * r), r)
            p = x * r - int(x * r)
            for others in product((Fraction(0), Fraction(1, 3)), repeat=n - 1):
                at = [real_sum.untagged_distribution((y, *others), lam=lam, r=r) for y in (below, below + Fraction(1, r), x)]
                if mixture([(1 - p, at[0]), (p, at[1])]) != at[2]:
                    return False
        inputs = grid(r)[:-1] if short else grid(r)
        on_grid = _worst(inputs, n=n, lam=lam, r=r, order=order, tagged=tagged)
        return on_grid == _worst([*grid(r), *off], n=n, lam=lam, r=r, order=order, tagged=tagged)

    cases = product(sizes, map(Fraction, ("1/3", "4/5")), (Fraction(1), Fraction(3, 2)), (False, True))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain="all n, r, lambda, eps: the distribution at x is a mixture, with the other users' rounding in common, of distributions at "
        f"multiples of 1/r, and the divergence is jointly convex; (n, r) = {', '.join(map(str, sizes))} with inputs 1/5, 2/3 added, both "
        f"views, enumerated",
        witness=lambda c: f"n = {c[0][0]}, r = {c[0][1]}, lambda/n = {c[1]}, e^eps = {c[2]}, {'tagged' if c[3] else 'untagged'}",
    )


def _all_profiles(*, n: int, lam: Fraction, r: int, tagged: bool) -> list[PrivacyProfile[object]]:
    found = profile.tagged_profiles(n=n, lam=lam, r=r) if tagged else profile.untagged_profiles(n=n, lam=lam, r=r)
    return list(found)  # type: ignore[arg-type]


@derived(
    "CSUZZ19.Sec5.3.untagged",
    says="the least delta of the untagged real sum is the largest over k = 0, ..., (n - 1) r of that of the totals with k and k + r "
    "rounded ones, both ways",
    range="n, r >= 1, lambda in [0, n], eps >= 0",
    governs=["spec.bounds.sums.real_sum", "impl.ball.bounds.sums.real_sum"],
    grounds=["distributions-of-views#the-real-sum", EXACT, "CSUZZ19.Sec5.3.grid", "CSUZZ19.Sec5.3.ratio-order"],
    mutants={"k = 0 alone": {"homogeneous": True}},
    missing="that the worst pair differs by r ones, beyond the enumerated n and r",
)
def untagged(budget: Budget, *, tagged: bool = False, homogeneous: bool = False) -> Verdict:
    """spec's worst pair (one user from 0 to 1) against all datasets and neighbours on the grid; homogeneous: with the others all at 0."""
    sizes = ((3, 1), (1, 3), (2, 2), (3, 2)) if budget.depth == "quick" else ((1, 4), (2, 3), (3, 2), (3, 3), (4, 2))

    def holds(case: tuple[tuple[int, int], Fraction, Fraction]) -> bool:
        (n, r), share, order = case
        lam = share * n
        found = _all_profiles(n=n, lam=lam, r=r, tagged=tagged)
        claimed = max(pair.delta(exp_epsilon=order) for pair in (found[:1] if homogeneous else found))
        return claimed == _worst(grid(r), n=n, lam=lam, r=r, order=order, tagged=tagged)

    cases = product(sizes, map(Fraction, ("1/4", "4/5")), (Fraction(1), Fraction(3, 2)))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"all n, r, lambda, eps; (n, r) = {', '.join(map(str, sizes))}, all datasets on the grid and all neighbours enumerated",
        witness=lambda c: f"n = {c[0][0]}, r = {c[0][1]}, lambda/n = {c[1]}, e^eps = {c[2]}: another pair needs more",
        note="runs that do not change have one distribution on both sides and can be left out, so a change of all r dominates"
        if tagged
        else "the distributions of the total are ordered by likelihood ratio in their ones: the best event is {total <= c} or its "
        "complement, whose probabilities are monotone, so moving by r from any k dominates every smaller move within it",
    )


@derived(
    "CSUZZ19.Sec5.3.tagged",
    says="the least delta of the tagged real sum is the largest, over n - 1 >= k_1 >= ... >= k_r >= 0, of that of r independent bit sums "
    "with the pairs (k_j, k_j + 1), both ways",
    range="n, r >= 1, lambda in [0, n], eps >= 0",
    governs=["spec.bounds.sums.real_sum", "impl.ball.bounds.sums.real_sum"],
    grounds=["distributions-of-views#the-real-sum", EXACT, "CSUZZ19.Sec5.3.grid", "CSUZZ19.Lem3.2", "CSUZZ19.Sec5.3.tagged.finite"],
    mutants={"k_1 = ... = k_r = 0 alone": {"homogeneous": True}},
    missing="that no smaller delta holds, beyond the enumerated n and r; that this one does is from Coq",
)
def tagged(budget: Budget, *, tagged: bool = True, homogeneous: bool = False) -> Verdict:
    return untagged.check(budget, tagged=tagged, homogeneous=homogeneous)


for_finite_sets(
    tagged,
    Coq("real_sum_private", states="1c7149119645a026"),
    says="however users round their numbers to one of 0, 1/r, ..., 1, each at random for themselves, the tagged real sum is "
    "(eps, delta)-DP with the largest delta of r independent bit sums with the pairs (k_j, k_j + 1), 0 <= k_j < n, both ways",
    range="n, r >= 1, lambda in [0, n], eps >= 0, any random rounding",
)


def _distributions(largest: int) -> Iterator[tuple[int, Fraction, list[Distribution[int]]]]:
    for bits in range(1, largest + 1):
        for share in map(Fraction, ("1/10", "1/2", "9/10")):
            yield bits, share, [profile.total_distribution(n=bits, lam=share * bits, r=1, ones=k) for k in range(bits + 1)]


@derived(
    "CSUZZ19.Sec5.3.ratio-order",
    says="the distributions of the number of ones are ordered by likelihood ratio in the number of rounded ones: P_(k + 1)(y)/P_k(y) "
    "rises with y",
    range="n, r >= 1, lambda in [0, n]",
    governs=["spec.bounds.sums.real_sum", "impl.ball.bounds.sums.bit_sum", "impl.ball.bounds.sums.real_sum"],
    grounds=[
        "distributions-of-views#the-real-sum",
        EXACT,
        Cited(
            "sums of independent bits are log-concave (Newton); convolution with a log-concave distribution keeps the likelihood ratio "
            "order",
            "known-facts#distributions-ordered-by-likelihood-ratio",
        ),
    ],
    mutants={"it falls with y": {"reversed_order": True}},
    missing="that the order survives convolution, beyond 24 bits",
)
def ratio_order(budget: Budget, *, reversed_order: bool = False) -> Verdict:
    """P_(k + 1)(y)/P_k(y) is non-decreasing in y, cross-multiplied."""
    largest = budget.pick(quick=10, full=24)

    def holds(bits: int, _: Fraction, laws: list[Distribution[int]]) -> bool:
        for less, more in pairwise(laws):
            for y in range(bits):
                margin = more[y + 1] * less[y] - more[y] * less[y + 1]
                if (margin > 0 if reversed_order else margin < 0) or (reversed_order and margin == 0):
                    return False
        return True

    return exhaustive.for_all(_distributions(largest), holds=holds).verdict(
        domain="all n r, lambda, k: Ber(1 - q) is above Ber(q) in likelihood ratio for q <= 1/2, and adding the same independent sum "
        f"of bits, which is log-concave, keeps the order; n r <= {largest}, three lambda enumerated"
    )


@derived(
    "CSUZZ19.Sec5.3.ordering",
    says="the untagged view is a post-processing of the tagged one, so its least delta is never larger",
    range="n, r >= 1, lambda in [0, n], eps >= 0",
    governs=["spec.bounds.sums.real_sum", "impl.ball.bounds.sums.real_sum"],
    grounds=[EXACT, "CSUZZ19.Lem3.2"],
    mutants={"the tagged one's is never larger": {"strictly_above": True}},
)
def ordering(budget: Budget, *, strictly_above: bool = False) -> Verdict:
    """Untagged at most tagged at every order; strictly_above: the other way round."""
    sizes = ((1, 2), (2, 2), (3, 2)) if budget.depth == "quick" else ((1, 4), (2, 2), (6, 2), (4, 3), (3, 4))

    def slack(case: tuple[tuple[int, int], Fraction, Fraction]) -> Fraction:
        (n, r), share, order = case
        lam = share * n
        sums = all(
            real_sum.tagged_distribution((x, *(Fraction(1, 3),) * (n - 1)), lam=lam, r=r).map(sum)
            == real_sum.untagged_distribution((x, *(Fraction(1, 3),) * (n - 1)), lam=lam, r=r)
            for x in (Fraction(0), Fraction(1))
        )
        less, more = (
            max(pair.delta(exp_epsilon=order) for pair in _all_profiles(n=n, lam=lam, r=r, tagged=view))
            for view in (strictly_above, not strictly_above)
        )
        return more - less if sums else Fraction(-1)

    return exhaustive.least_slack(product(sizes, map(Fraction, ("1/3", "4/5")), ORDERS), slack=slack).verdict(
        domain=f"all n, r, lambda, eps: the total is a function of the counts; (n, r) = {', '.join(map(str, sizes))} enumerated",
        witness=lambda c: f"n = {c[0][0]}, r = {c[0][1]}, lambda/n = {c[1]}, e^eps = {c[2]}",
        note="so a lambda that is enough for the tagged view is enough for the untagged one",
    )
