"""FMT21 for finite sets of outcomes and messages: statements that Coq has checked, beside the rows for all distributions.

Each row is one statement of `formal/Statements.v`. What is checked here is that the specification's own numbers, on drawn or enumerated
cases, are as that theorem says; that it holds for all of them is Coq's verdict.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import Budget, Coq, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.exhaustive import laws_in_parts
from shuffleproof.proofs_check.ledger.methods.random_randomizers import laws
from shuffleproof.proofs_check.ledger.points import ONE
from shuffleproof.proofs_check.papers.fmt21.appendices.approximate_reduction import Case, printed
from shuffleproof.proofs_check.papers.fmt21.clones.section3_1_theorem import adaptive_cases
from shuffleproof.proofs_check.papers.fmt21.preliminaries import section2_divergence
from shuffleproof.spec.bounds.k_rr import k_rr_clones
from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.divergence import events, hockey_stick, total_variation
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_law, multiset, shuffled_law
from shuffleproof.spec.randomizers.clipping import clipped
from shuffleproof.spec.randomizers.k_rr import k_rr

Law = Distribution[Any]
Laws = tuple[Law, Law, Law, Law]
ORDERS = (ONE, Fraction(3, 2), Fraction(3))
RANGE = "finite sets of outcomes, numbers of any ordered field"
LAWS: st.SearchStrategy[Laws] = st.tuples(*(laws(outputs=3) for _ in range(4)))
"""Four distributions on three outcomes."""


def drawn(budget: Budget, slack: Callable[[Laws], Fraction]) -> Verdict:
    """Check that the slack of drawn laws is not negative: the first draw is of laws far apart, which a weaker claim does not survive."""
    first, second, third = (Distribution.point(y) for y in range(3))
    far: Laws = (first, second, third, first)
    found = sampled.least_slack(st.just(far) | LAWS, slack=slack, budget=budget, quick=20, full=200)
    return found.verdict(domain=f"all of it by Coq; {found.cases} draws of four distributions on three outcomes", witness=str)


def divergence(first: Law, second: Law, order: Fraction) -> Fraction:
    """D_E of the first from the second."""
    return hockey_stick(first, second, exp_epsilon=order)


@derived(
    "FMT21.Sec2.remark-post-processing.finite",
    says="the hockey-stick divergence does not rise under a kernel",
    range=f"{RANGE}, every E",
    governs=["spec.divergence", "spec.distribution"],
    grounds=[Coq("hockey_post_processing", states="f0767e545a1b662a")],
    mutants={"it loses a tenth": {"factor": Fraction(9, 10)}},
)
def post_processing(budget: Budget, *, factor: Fraction = ONE) -> Verdict:
    return section2_divergence.post_processing.check(budget, factor=factor)


@derived(
    "FMT21.Sec2.remark-convexity.finite",
    says="the hockey-stick divergence is jointly convex, for any number of distributions with weights that are not negative",
    range=f"{RANGE}, every E",
    governs=["spec.divergence", "spec.distribution"],
    grounds=[Coq("hockey_joint_convexity", states="f8c0e86c5cf3bdf0")],
    mutants={"with nine tenths of the mean": {"factor": Fraction(9, 10)}},
)
def convexity(budget: Budget, *, factor: Fraction = ONE) -> Verdict:
    def slack(case: Laws) -> Fraction:
        weights = (Fraction(1, 3), Fraction(2, 3))
        mixed = [mixture(list(zip(weights, case[i::2], strict=True))) for i in (0, 1)]
        apart = sum((w * divergence(case[2 * c], case[2 * c + 1], ORDERS[0]) for c, w in enumerate(weights)), Fraction(0))
        return factor * apart - divergence(mixed[0], mixed[1], ORDERS[0])

    return drawn(budget, slack)


@derived(
    "FMT21.Sec2.remark-hockey-stick.finite",
    says="P and Q are (eps, delta)-indistinguishable on every event iff the larger of both divergences is delta at most",
    range=f"{RANGE}, every E and delta",
    governs=["spec.divergence"],
    grounds=[Coq("indistinguishable_iff", states="d4e33db27956af35")],
    mutants={"one direction only": {"directions": 1}},
)
def by_events(budget: Budget, *, directions: int = 2) -> Verdict:
    def slack(case: Laws) -> Fraction:
        pairs = [case[:2], case[1::-1]]
        worst = max(sum((P[y] - ORDERS[1] * Q[y] for y in event), Fraction(0)) for P, Q in pairs for event in events(range(3)))
        return -abs(worst - max(divergence(P, Q, ORDERS[1]) for P, Q in pairs[:directions]))

    return drawn(budget, slack)


@derived(
    "FMT21.Sec2.remark-shuffle-commutes.finite",
    says="the shuffled reports of one randomizer are distributed as its reports on the shuffled data",
    range="all n, randomizers with finitely many messages, in any ordered field",
    governs=["spec.model"],
    grounds=[Coq("shuffling_commutes", states="002aa1df6b4f55a2")],
    mutants={"another randomizer in the last place": {"last": 1}},
)
def shuffling_commutes(budget: Budget, *, last: int = 0) -> Verdict:
    def slack(case: Laws) -> Fraction:
        R = [LocalRandomizer(range(3), dict(enumerate(case[i : i + 3]))) for i in (0, 1)]
        reports = adaptive_shuffled_law([lambda _: R[0], lambda _: R[0], lambda _: R[last]], (0, 1, 2))
        return Fraction(0 if reports.map(multiset) == shuffled_law(R[0], (0, 1, 2)) else -1)

    return drawn(budget, slack)


@derived(
    "FMT21.Lem2.3.finite",
    says="advanced joint convexity, for P and Q with a part P_0 of weight 1 - q in common: D_alpha'(P || Q) = q D_alpha(P_1 || (1-theta) "
    "P_0 + theta Q_1) <= q max(D_alpha(P_1 || P_0), D_alpha(P_1 || Q_1)), alpha' = 1 + q (alpha - 1), theta = alpha'/alpha",
    range=f"q in [0, 1], alpha >= 1, {RANGE}",
    governs=["spec.divergence"],
    grounds=[Coq("advanced_joint_convexity", states="962220dc9d8fd554")],
    mutants={"theta = alpha'/(alpha + 1)": {"more": 1}},
)
def advanced_joint_convexity(budget: Budget, *, more: int = 0) -> Verdict:
    def slack(case: Laws) -> Fraction:
        P_0, P_1, Q_1, _ = case
        q, a = Fraction(1, 3), Fraction(3)
        order = 1 + q * (a - 1)
        theta = order / (a + more)
        own = divergence(P_1, mixture([(1 - theta, P_0), (theta, Q_1)]), a)
        left = divergence(mixture([(1 - q, P_0), (q, P_1)]), mixture([(1 - q, P_0), (q, Q_1)]), order)
        return min(-abs(left - q * own), max(divergence(P_1, P_0, a), divergence(P_1, Q_1, a)) - own)

    return drawn(budget, slack)


@derived(
    "FMT21.Sec3.1.remark-deletion.finite",
    where="Section 3.1, after Definition 3.6",
    says="deletion (eps, delta)-DP gives replacement (2 eps, (1 + e^eps) delta)-DP",
    range=f"E >= 0, {RANGE}, data of any type",
    governs=["spec.divergence"],
    grounds=[Coq("replacement_of_deletion", states="f60d2164e4959700")],
    mutants={"0.9 (1 + e^eps) delta": {"share": Fraction(9, 10)}},
)
def deletion(budget: Budget, *, share: Fraction = ONE) -> Verdict:
    listed = laws_in_parts(budget.pick(quick=3, full=4), 3)

    def slack(P: Law, Q: Law, rho: Law, E: Fraction) -> Fraction:
        return share * (1 + E) * max(divergence(P, rho, E), divergence(rho, Q, E)) - divergence(P, Q, E**2)

    found = exhaustive.least_slack(product(listed, listed, listed, ORDERS), slack=exhaustive.unpacked(slack))
    return found.verdict(domain=f"all of it by Coq; {found.cases} triples of distributions on three outcomes", witness=str)


@derived(
    "FMT21.Lem3.7.finite",
    says="a deletion (eps, delta)-DP randomizer with reference rho has an eps-DP one with the same reference at total "
    "variation at most delta",
    range="e^eps >= 1, delta >= 0, randomizers with finitely many messages, in any ordered field",
    governs=["spec.randomizers.clipping"],
    grounds=[Coq("clipped_randomizer", states="50a93d64c0e094cf")],
    mutants={"total variation at most 0.9 delta": {"share": Fraction(9, 10)}},
)
def lemma_37(budget: Budget, *, share: Fraction = ONE) -> Verdict:
    listed = laws_in_parts(budget.pick(quick=3, full=6), 3)

    def slack(law: Law, rho: Law, T: Fraction) -> Fraction:
        near = clipped(law, rho, exp_epsilon=T)
        within = all(rho[y] / T <= near[y] <= T * rho[y] for y in range(3))
        return share * max(divergence(law, rho, T), divergence(rho, law, T)) - total_variation(law, near) if within else Fraction(-1)

    found = exhaustive.least_slack(product(listed, listed, ORDERS), slack=exhaustive.unpacked(slack))
    return found.verdict(domain=f"all of it by Coq; {found.cases} distributions and references on three messages", witness=str)


@derived(
    "FMT21.Thm3.8.step-union.finite",
    says="where every R is within total variation delta0 of L, step by step, D_E of the shuffled R is at most that of the shuffled L and "
    "(E + 1) n delta0",
    range="all n, E >= 0, adaptive randomizers with finitely many messages, in any ordered field",
    governs=["spec.model"],
    grounds=[Coq("nearby_private", states="239d11e858745e9d")],
    mutants={"nothing is paid": {"price": 0}},
)
def union(budget: Budget, *, price: int = 1) -> Verdict:
    def slack(case: Case) -> Fraction:
        near = case.replaced(printed)
        T, pool, others = case.T, case.steps.pool, case.others
        delta0 = max(total_variation(R.law(x), printed(R, T).law(x)) for R in pool for x in R.domain)
        own, nearby = (
            divergence(adaptive_shuffled_law(steps, (0, *others)), adaptive_shuffled_law(steps, (1, *others)), ONE)
            for steps in (case.steps.sequence, near)
        )
        return nearby + price * 2 * (len(others) + 1) * delta0 - own

    found = sampled.least_slack(adaptive_cases(largest=3), slack=slack, budget=budget, quick=25, full=150)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn adaptive sequences of up to three users", witness=str)


@derived(
    "FMT21.Sec6.1.basic.finite",
    says="k rounds that are (eps, delta)-indistinguishable whatever came before are (k eps, k delta)-indistinguishable together",
    range=f"k >= 0, e^eps >= 1, {RANGE}, each round dependent on all before it",
    governs=["spec.composition"],
    grounds=[Coq("rounds_private", states="992f7226eafd0dca")],
    mutants={"delta once": {"times": 1}},
)
def rounds(budget: Budget, *, times: int = 2) -> Verdict:
    def slack(case: Laws) -> Fraction:
        """The second round is the first one, or the other way round, by what the first one said."""
        E = ORDERS[1]
        pairs = [case[:2], case[2:]]
        delta = max(divergence(P, Q, E) for P, Q in pairs)
        both = [case[i].then(lambda y, i=i: pairs[y % 2][i].map(lambda z, y=y: (y, z))) for i in (0, 1)]  # type: ignore[misc]
        return times * delta - divergence(both[0], both[1], E**2)

    close = (Distribution.over(10, {0: 3, 1: 7}), Distribution.over(10, {0: 1, 1: 9}))
    found = sampled.least_slack(st.just((*close, *close)) | LAWS, slack=slack, budget=budget, quick=25, full=200)
    return found.verdict(domain=f"all of it by Coq; two rounds of {found.cases} drawn pairs", witness=str)


@derived(
    "FMT21.Cor4.2-pair.finite",
    where="Corollary 4.2, as corrected",
    says="adaptive k-ary randomized response of functions that tell the two data points apart has Theorem 4.1's kernel with "
    "q = (T - 1)/(T + k - 1), p = k/((k + 1)(T + k - 1))",
    range="all n, k >= 2, e^eps0 >= 1 in any ordered field, data of any type, neighbouring datasets",
    governs=["spec.bounds.k_rr.k_rr_clones"],
    grounds=[Coq("k_rr_three_clones", states="f151178f1ae29fbc")],
    mutants={"T - 1 a fifth smaller in the pair": {"share": Fraction(4, 5)}},
)
def k_rr_pair(budget: Budget, *, share: Fraction = ONE) -> Verdict:
    def slack(n: int, k: int, T: Fraction, E: Fraction) -> Fraction:
        own = [shuffled_law(k_rr(k=k, exp_epsilon0=T), (b, *range(1, n))) for b in (0, k - 1)]
        total = 1 + share * (T - 1) + k - 1
        pair = k_rr_clones.dominating_pair(n=n, p=k / ((k + 1) * total), q=share * (T - 1) / total)
        return hockey_stick(*pair, exp_epsilon=E) - hockey_stick(own[0], own[1], exp_epsilon=E)

    found = exhaustive.least_slack(product((1, 2), (2, 3, 4), (Fraction(3, 2), Fraction(4)), ORDERS[:2]), slack=exhaustive.unpacked(slack))
    return found.verdict(domain=f"all of it by Coq; {found.cases} pairs of datasets of one or two users", witness=str)
