"""FMT21 for finite sets of outcomes and messages: statements that Coq has checked, beside the rows for all distributions.

Each row is one statement of `formal/Statements.v`. What is checked here is that the specification's own numbers, on drawn or enumerated
cases, are as that theorem says; that it holds for all of them is Coq's verdict.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import Budget, Coq, Verdict, derived, for_finite_sets
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions
from shuffleproof.proofs_check.ledger.points import ONE
from shuffleproof.proofs_check.papers.fmt21.appendices import appendix_c, appendix_d
from shuffleproof.proofs_check.papers.fmt21.clones import section3_1
from shuffleproof.proofs_check.papers.fmt21.preliminaries import section2, section2_divergence
from shuffleproof.spec.distribution import Distribution, hockey_stick

AnyDistribution = Distribution[Any]
Distributions = tuple[AnyDistribution, AnyDistribution, AnyDistribution, AnyDistribution]
ORDERS = (ONE, Fraction(3, 2), Fraction(3))
RANGE = "finite sets of outcomes, numbers of any ordered field"
DISTRIBUTIONS: st.SearchStrategy[Distributions] = st.tuples(*(distributions(outputs=3) for _ in range(4)))
"""Four distributions on three outcomes."""


def drawn(budget: Budget, slack: Callable[[Distributions], Fraction]) -> Verdict:
    """Check that the slack of drawn distributions is not negative: the first are far apart, which a weaker claim does not survive."""
    first, second, third = (Distribution.point(y) for y in range(3))
    far: Distributions = (first, second, third, first)
    found = sampled.least_slack(st.just(far) | DISTRIBUTIONS, slack=slack, budget=budget, quick=20, full=200)
    return found.verdict(domain=f"all of it by Coq; {found.cases} draws of four distributions on three outcomes", witness=str)


def divergence(first: AnyDistribution, second: AnyDistribution, order: Fraction) -> Fraction:
    """D_E of the first from the second."""
    return hockey_stick(first, second, exp_epsilon=order)


for_finite_sets(
    section2_divergence.post_processing,
    Coq("hockey_post_processing", states="f0767e545a1b662a"),
    says="the hockey-stick divergence does not rise under a kernel",
    range=f"{RANGE}, every E",
)


for_finite_sets(
    section2_divergence.convexity,
    Coq("hockey_joint_convexity", states="f8c0e86c5cf3bdf0"),
    says="the hockey-stick divergence is jointly convex, for any number of distributions with weights that are not negative",
    range=f"{RANGE}, every E",
)


for_finite_sets(
    section2.events_equal_divergence,
    Coq("indistinguishable_iff", states="d4e33db27956af35"),
    says="P and Q are (eps, delta)-indistinguishable on every event iff the larger of both divergences is delta at most",
    range=f"{RANGE}, every E and delta",
)


for_finite_sets(
    section2.shuffle_commutes,
    Coq("shuffling_commutes", states="002aa1df6b4f55a2"),
    says="the shuffled reports of one randomizer are distributed as its reports on the shuffled data",
    range="all n, randomizers with finitely many messages, in any ordered field",
)


for_finite_sets(
    section2_divergence.advanced_joint_convexity,
    Coq("advanced_joint_convexity", states="962220dc9d8fd554"),
    says="advanced joint convexity, for P and Q with a part P_0 of weight 1 - q in common: D_alpha'(P || Q) = q D_alpha(P_1 || (1-theta) "
    "P_0 + theta Q_1) <= q max(D_alpha(P_1 || P_0), D_alpha(P_1 || Q_1)), alpha' = 1 + q (alpha - 1), theta = alpha'/alpha",
    range=f"q in [0, 1], alpha >= 1, {RANGE}",
)


@derived(
    "FMT21.Sec3.1.remark-deletion.finite",
    where="Section 3.1, after Definition 3.6",
    says="deletion (eps, delta)-DP gives replacement (2 eps, (1 + e^eps) delta)-DP",
    range=f"E >= 0, {RANGE}, data of any type",
    governs=["spec.distribution"],
    grounds=[Coq("replacement_of_deletion", states="f60d2164e4959700")],
    mutants={"0.9 (1 + e^eps) delta": {"share": Fraction(9, 10)}},
)
def deletion(budget: Budget, *, share: Fraction = ONE) -> Verdict:
    listed = distributions_in_parts(budget.pick(quick=3, full=4), 3)

    def slack(P: AnyDistribution, Q: AnyDistribution, rho: AnyDistribution, E: Fraction) -> Fraction:
        return share * (1 + E) * max(divergence(P, rho, E), divergence(rho, Q, E)) - divergence(P, Q, E**2)

    found = exhaustive.least_slack(product(listed, listed, listed, ORDERS), slack=slack)
    return found.verdict(domain=f"all of it by Coq; {found.cases} triples of distributions on three outcomes", witness=str)


for_finite_sets(
    section3_1.lemma_37,
    Coq("clipped_randomizer", states="50a93d64c0e094cf"),
    says="a deletion (eps, delta)-DP randomizer with reference rho has an eps-DP one with the same reference at total "
    "variation at most delta",
    range="e^eps >= 1, delta >= 0, randomizers with finitely many messages, in any ordered field",
)


for_finite_sets(
    appendix_c.step_union,
    Coq("nearby_private", states="239d11e858745e9d"),
    says="where every R is within total variation delta0 of L, step by step, D_E of the shuffled R is at most that of the shuffled L and "
    "(E + 1) n delta0",
    range="all n, E >= 0, adaptive randomizers with finitely many messages, in any ordered field",
    governs=["spec.model"],
)


@derived(
    "FMT21.Sec6.1.basic.finite",
    says="k rounds that are (eps, delta)-indistinguishable whatever came before are (k eps, k delta)-indistinguishable together",
    range=f"k >= 0, e^eps >= 1, {RANGE}, each round dependent on all before it",
    governs=["spec.composition"],
    grounds=[Coq("rounds_private", states="992f7226eafd0dca")],
    mutants={"delta once": {"times": 1}},
)
def rounds(budget: Budget, *, times: int = 2) -> Verdict:
    def slack(case: Distributions) -> Fraction:
        """The second round is the first one, or the other way round, by what the first one said."""
        E = ORDERS[1]
        pairs = [case[:2], case[2:]]
        delta = max(divergence(P, Q, E) for P, Q in pairs)
        both = [case[i].then(lambda y, i=i: pairs[y % 2][i].map(lambda z, y=y: (y, z))) for i in (0, 1)]  # type: ignore[misc]
        return times * delta - divergence(both[0], both[1], E**2)

    close = (Distribution.over(10, {0: 3, 1: 7}), Distribution.over(10, {0: 1, 1: 9}))
    found = sampled.least_slack(st.just((*close, *close)) | DISTRIBUTIONS, slack=slack, budget=budget, quick=25, full=200)
    return found.verdict(domain=f"all of it by Coq; two rounds of {found.cases} drawn pairs", witness=str)


for_finite_sets(
    appendix_d.pair,
    Coq("k_rr_three_clones", states="f151178f1ae29fbc"),
    says="adaptive k-ary randomized response of functions that distinguish the two data points has Theorem 4.1's kernel with "
    "q = (T - 1)/(T + k - 1), p = k/((k + 1)(T + k - 1))",
    range="all n, k >= 2, e^eps0 >= 1 in any ordered field, data of any type, neighbouring datasets",
    governs=["spec.bounds.k_rr.k_rr_clones"],
)
