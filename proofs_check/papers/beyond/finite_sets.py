"""Own statements for finite sets of outcomes and messages that Coq has checked: composition, parameters, sums on grids, adaptive sequences.

Each row is one statement of `formal/Statements.v`. What is checked here is that the specification's own numbers, on drawn or enumerated
cases, are as that theorem says; that it holds for all of them is Coq's verdict.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import comb, floor
from typing import Any

from shuffleproof.proofs_check.ledger import Budget, Coq, Verdict, derived, for_finite_sets
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.masses import merged
from shuffleproof.proofs_check.ledger.points import ONE, ZERO
from shuffleproof.proofs_check.papers.beyond.blanket import any_distribution
from shuffleproof.proofs_check.papers.beyond.rounds import filters
from shuffleproof.proofs_check.papers.beyond.swap import controlled_sums
from shuffleproof.proofs_check.papers.beyond.swap.controlled_sums import (
    Distributions as LossDistributions,
    arrival_bound,
    at_level,
    by_pool,
    clones_left,
    controlled,
    corner_losses,
    thinned,
)
from shuffleproof.proofs_check.papers.beyond.variation_ratio import one_sum, pair
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case
from shuffleproof.proofs_check.papers.fmt21.preliminaries.finite_sets import RANGE, Distributions, divergence, drawn
from shuffleproof.spec.bounds.swap import another_place
from shuffleproof.spec.bounds.variation_ratio import optimal_pair
from shuffleproof.spec.distribution import Distribution, hockey_stick, product as independent, total_variation
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution, shuffled_distribution
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.randomizers.k_subset import k_subset
from shuffleproof.spec.randomizers.local_hashing import local_hashing
from shuffleproof.spec.randomizers.unary_encoding import unary_encoding

E = Fraction(3, 2)
"""The order at which most divergences are compared."""
ADAPTIVE = "all n, data of any type, adaptive randomizers with finitely many messages, in any ordered field"


@derived(
    "BEYOND.basic-composition.finite",
    where="composition",
    says="(eps, delta) and then (eps', delta'), chosen by what came first, are (eps + eps', delta + delta') together",
    range=f"E, E' >= 0, {RANGE}",
    governs=["spec.composition"],
    grounds=[Coq("basic_composition", states="c98e8e8210b666c4")],
    mutants={"delta' is forgotten": {"second": 0}},
)
def basic_composition(budget: Budget, *, second: int = 1) -> Verdict:
    def slack(case: Distributions) -> Fraction:
        first, other = case[:2], case[2:]
        rounds = (other, other[::-1], other)
        both = [first[i].then(lambda y, i=i: rounds[y][i].map(lambda z, y=y: (y, z))) for i in (0, 1)]  # type: ignore[misc]
        later = max(divergence(*each, Fraction(2)) for each in rounds)
        return divergence(*first, E) + second * later - divergence(both[0], both[1], 2 * E)

    return drawn(budget, slack)


@derived(
    "BEYOND.composition-of-rounds.finite",
    where="composition",
    says="k rounds, each dominated by one pair whatever came before, are dominated by k independent copies of it",
    range=f"k >= 0, E >= 0, {RANGE}, each round dependent on all before it",
    governs=["spec.composition"],
    grounds=[Coq("rounds_dominated", states="32a632be1b64aa0b")],
    mutants={"one copy for two rounds": {"copies": 1}},
)
def composition_of_rounds(budget: Budget, *, copies: int = 2) -> Verdict:
    def slack(case: Distributions) -> Fraction:
        """The second round is the pair, or what a kernel makes of it, by what the first one said."""
        C = case[:2]
        rounds = (C, tuple(P.then(lambda y: case[2 + y % 2]) for P in C), tuple(P.map(lambda y: (y + 1) % 3) for P in C))
        both = [C[i].then(lambda y, i=i: rounds[y][i].map(lambda z, y=y: (y, z))) for i in (0, 1)]  # type: ignore[misc]
        copied = [independent(P, P) if copies == 2 else P.map(lambda y: (y, 0)) for P in C]
        return divergence(copied[0], copied[1], E) - divergence(both[0], both[1], E)

    return drawn(budget, slack)


for_finite_sets(
    filters.groups,
    Coq("group_privacy", states="489efad78a067246"),
    says="(eps, delta)-DP for one user is (g eps, delta (1 + e^eps + ... + e^((g - 1) eps)))-DP for g users",
    range=f"g >= 0, eps >= 0, {RANGE}, data of any type",
)


for_finite_sets(
    one_sum.lemma_0,
    Coq("total_variation_bounds", states="0fcf4a9750248428"),
    says="R_0 <= p R_1 and R_1 <= p R_0 imply TV(R_0, R_1) <= (p - 1)/(p + 1); max(R_0, R_1) <= q R_k implies TV <= q - 1",
    range=f"p > 1 or infinite, q >= 1, {RANGE}",
)


for_finite_sets(
    pair.lemma_6,
    Coq("divergence_outside", states="495b6c94560106c6"),
    says="for E >= p the divergence is 0; for E > 0 D_E(P || Q) = 1 - E + E D_(1/E)(Q || P)",
    range=RANGE,
    governs=["spec.distribution"],
)


for_finite_sets(
    pair.lemma_7,
    Coq("optimal_pair_attained", states="d6a8851e41685e13"),
    says="some randomizer and neighbouring data with the parameters (p, beta, q) have the optimal pair's divergence at every order",
    range="all n, p > 1 or infinite, q >= 1, 0 <= beta <= min((p - 1)/(p + 1), q - 1), E >= 0, in any ordered field",
)


for_finite_sets(
    any_distribution.identity,
    Coq("alike_identity", states="9294a619676c6738"),
    says="where all others hold x_2 the divergence is E(L_1 + ... + L_n)_+/n, R_0 - E R_1 = R_2 L + g, and the positive part of g, sent "
    "where R_2 sends nothing",
    range="all n, E, randomizers with finitely many messages, in any ordered field",
)


@derived(
    "BEYOND.any-law-grids.finite",
    where="any randomizer's distribution",
    says="an atom spread to two points around it, its mean kept, raises E(t + X)_+ for every t, and so in a sum of independent losses",
    range="finitely many distributions of finitely many values, in any ordered field",
    governs=["impl.ball.bounds.blanket.one_sum", "impl.fast.bounds.blanket.one_sum"],
    grounds=[Coq("spread_above", states="f6b6304a1b227e72")],
    mutants={"two thirds of the share to the far point": {"far": Fraction(2, 3)}},
)
def grids(budget: Budget, *, far: Fraction = ONE) -> Verdict:
    def holds(case: tuple[LossDistributions, Sequence[int], Fraction]) -> bool:
        law = case[0][0]
        spread = [(x, p) for value, mass in law for x, p in _to_integers(value, mass, far)]
        return all(controlled([law], j, case[2]) <= controlled([spread], j, case[2]) for j in (1, 2))

    return controlled_sums.about_sums(budget, holds)


def _to_integers(value: Fraction, mass: Fraction, far: Fraction = ONE) -> list[tuple[Fraction, Fraction]]:
    low = Fraction(floor(value))
    share = (value - low) * far
    return [(low, mass * (1 - share)), (low + 1, mass * share)]


@derived(
    "BEYOND.controlled-sum-grid",
    where="the controlled sum on a grid",
    says="what is above t_+ and above one step of itself at the points of a grid, and above linear interpolation between them, is above V",
    range="finitely many distributions of finitely many values, any grids, in any ordered field",
    governs=["spec.bounds.swap.controlled_sum"],
    grounds=[Coq("V_on_a_grid", states="e07fcfd0b476e332")],
    mutants={"the value at the point below": {"share": ZERO}},
)
def on_a_grid(budget: Budget, *, share: Fraction = ONE) -> Verdict:
    def F(laws: LossDistributions, j: int, t: Fraction) -> Fraction:
        """On the integers; linear between them."""
        low, part = Fraction(floor(t)), (t - floor(t)) * share

        def at(point: Fraction) -> Fraction:
            return max(sum((p * F(laws, j - 1, point + x) for x, p in law), ZERO) for law in laws) if j else max(point, ZERO)

        return at(low) if not part else (1 - part) * at(low) + part * at(low + 1)

    return controlled_sums.about_sums(budget, lambda case: controlled(case[0], 2, case[2]) <= F(case[0], 2, case[2]))


@derived(
    "BEYOND.controlled-sum-slope",
    where="the controlled sum beyond a grid",
    says="V_j rises by d at most where its argument rises by d, and does not fall",
    range="finitely many distributions of finitely many values and mass 1 at most, in any ordered field",
    governs=["spec.bounds.swap.controlled_sum"],
    grounds=[Coq("V_slope", states="e5a1621ff7292a05")],
    mutants={"by half of d at most": {"slope": Fraction(1, 2)}},
)
def slope(budget: Budget, *, slope: Fraction = ONE) -> Verdict:
    d = Fraction(5, 3)

    def holds(case: tuple[LossDistributions, Sequence[int], Fraction]) -> bool:
        here, there = (controlled(case[0], 2, t) for t in (case[2], case[2] + d))
        return here <= there <= here + slope * d

    return controlled_sums.about_sums(budget, holds)


@derived(
    "BEYOND.messages-changed.finite",
    where="post-processing of single messages",
    says="what is done to every message by itself may as well be done after the shuffler",
    range="all n, randomizers and kernels with finitely many messages, in any ordered field",
    governs=["spec.model"],
    grounds=[Coq("shuffle_of_changed", states="b01365f2b7558cd7")],
    mutants={"the first message only": {"changed": 1}},
)
def messages_changed(budget: Budget, *, changed: int = 2) -> Verdict:
    def slack(case: Distributions) -> Fraction:
        R = LocalRandomizer(range(2), {0: case[0], 1: case[1]})
        kernel = (case[2], case[3], case[2])
        before = LocalRandomizer(range(2), {x: R.distribution(x).then(kernel.__getitem__) for x in range(2)})
        point = [Distribution.point(y) for y in range(3)]
        after = shuffled_distribution(R, (0, 1)).then(
            lambda sent: independent(kernel[sent[0]], (kernel if changed == 2 else point)[sent[1]]).map(lambda pair: tuple(sorted(pair)))
        )
        return Fraction(0 if shuffled_distribution(before, (0, 1)) == after else -1)

    return drawn(budget, slack)


def _parameters(R: LocalRandomizer[Any, Any]) -> tuple[Fraction, Fraction | None]:
    """Return the total variation of two items, and the largest ratio."""
    return total_variation(R.distribution(0), R.distribution(1)), R.exp_epsilon0()


@derived(
    "BEYOND.Parameters-two-levels.finite",
    where="parameters of named randomizers",
    says="a randomizer that sends every message of A_x with probability T c and every other one of |S| with c = 1/(T a + |S| - a), all A_x "
    "of size a, is eps0-DP, and has p = q = T, beta = (T - 1) b c, b the largest number of messages in A_x and not in A_x'",
    range=f"T >= 1, {ADAPTIVE}",
    governs=["spec.randomizers.k_subset", "spec.randomizers.hadamard_response"],
    grounds=[Coq("two_level_parameters", states="fefd0c8dba94321c")],
    mutants={"b - 1 for b": {"less": 1}},
)
def two_levels(budget: Budget, *, less: int = 0) -> Verdict:
    def holds(k: int, d: int, T: Fraction) -> bool:
        beta = (T - 1) * (comb(k - 2, d - 1) - less) / (T * comb(k - 1, d - 1) + comb(k - 1, d))
        return _parameters(k_subset(k=k, d=d, exp_epsilon0=T)) == (beta, T)

    found = exhaustive.for_all(product((3, 4, 5), (1, 2), (Fraction(3, 2), Fraction(4))), holds=holds)
    return found.verdict(domain=f"all of it by Coq; {found.cases} subset selections", witness=str)


@derived(
    "BEYOND.Parameters-k-rr",
    where="parameters of named randomizers",
    says="k-ary randomized response of any functions of the data, adaptive too, is eps0-DP with p = q = T, beta = (T - 1)/(T + k - 1)",
    range="k >= 2, T >= 1 in any ordered field, data of any type",
    governs=["spec.randomizers.k_rr"],
    grounds=[Coq("k_rr_parameters", states="225efe2bb4370b84")],
    mutants={"k for k - 1": {"more": 1}},
)
def of_k_rr(budget: Budget, *, more: int = 0) -> Verdict:
    def holds(k: int, T: Fraction) -> bool:
        return _parameters(k_rr(k=k, exp_epsilon0=T)) == ((T - 1) / (T + k - 1 + more), T)

    found = exhaustive.for_all(product((2, 3, 10, 11), (Fraction(3, 2), Fraction(4))), holds=holds)
    return found.verdict(domain=f"all of it by Coq; {found.cases} values of k and T", witness=str)


@derived(
    "BEYOND.Parameters-unary.finite",
    where="parameters of named randomizers",
    says="unary encoding of finitely many items, one's own bit 1 with probability p, each other one with q, is eps0-DP with e^eps0 = "
    "p (1 - q)/(q (1 - p)) for both parameters of ratio, and beta = p - q: (r - 1)/(r + 1) for RAPPOR, r = e^(eps0/2)",
    range=f"0 < q <= p < 1, {ADAPTIVE}",
    governs=["spec.randomizers.unary_encoding"],
    grounds=[Coq("unary_parameters", states="9935ea4549e3a44a")],
    mutants={"nine tenths of beta": {"factor": Fraction(9, 10)}},
)
def of_unary(budget: Budget, *, factor: Fraction = ONE) -> Verdict:
    def holds(k: int, p: Fraction, q: Fraction) -> bool:
        return _parameters(unary_encoding(k=k, p_own=p, p_other=q)) == (factor * (p - q), p * (1 - q) / (q * (1 - p)))

    chances = ((Fraction(1, 2), Fraction(1, 5)), (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 3), Fraction(1, 4)))
    found = exhaustive.for_all(((k, *each) for k in (2, 3, 4) for each in chances), holds=holds)
    return found.verdict(domain=f"all of it by Coq; {found.cases} values of k, p and q", witness=str)


@derived(
    "BEYOND.Parameters-hashing.finite",
    where="parameters of named randomizers",
    says="local hashing into l buckets, by a function that is revealed to everybody and that is drawn from any finite family, is eps0-DP "
    "with p = q = T, beta = (T - 1)/(T + l - 1), whatever the collisions",
    range=f"l >= 2, T >= 1, any distribution of functions, {ADAPTIVE}",
    governs=["spec.randomizers.local_hashing"],
    grounds=[Coq("hashing_parameters", states="71120b8ac13109f7")],
    mutants={"half of beta": {"factor": Fraction(1, 2)}},
)
def of_hashing(budget: Budget, *, factor: Fraction = ONE) -> Verdict:
    def holds(k: int, buckets: int, T: Fraction) -> bool:
        distance, ratio = _parameters(local_hashing(k=k, buckets=buckets, exp_epsilon0=T))
        return ratio == T and distance <= factor * (T - 1) / (T + buckets - 1)

    found = exhaustive.for_all(product((2, 3), (2, 3), (Fraction(3, 2), Fraction(4))), holds=holds)
    return found.verdict(domain=f"all of it by Coq; {found.cases} families of all functions", witness=str)


def _place(case: Case) -> LocalRandomizer[int, int]:
    return case.steps.pool[0]


def left_divergence(case: Case, T: Fraction, eta: Fraction) -> Fraction:
    """The larger D_E of the first step's randomizer, shuffled, where all others send (R_k - eta R_0)/(1 - eta); both ways at order E."""
    R, users = _place(case), len(case.others) + 1
    worst = ZERO
    for b in (0, 1):
        common = R.distribution(b)
        rest = {x: {y: (R.distribution(x)[y] - eta * common[y]) / (1 - eta) for y in R.messages} for x in range(3)}
        steps = LocalRandomizer(
            range(5), {0: R.distribution(0), 1: R.distribution(1), **{2 + x: Distribution(law) for x, law in rest.items()}}
        )
        laws = [
            adaptive_shuffled_distribution([partial(lambda steps, _: steps, steps)] * users, (c, *(2 + x for x in case.others)))
            for c in (b, 1 - b)
        ]
        worst = max(worst, hockey_stick(laws[0], laws[1], exp_epsilon=E))
    return worst


def levelled(case: Case, T: Fraction, etas: Sequence[Fraction]) -> Fraction:
    """first_arrival_eta with omega = R_0 at levels that begin with 0, the five corner distributions thinned, the rest at the last."""
    users, total = len(case.others) + 1, ZERO
    for low, high in pairwise(etas):
        theta = (1 - high * T) / (1 - high)
        laws = [thinned(law, theta) for law in corner_losses(T, E)]
        total += (1 - low) ** (users - 1) * by_pool(laws, users, (high - low) / (1 - low))
    return total + (1 - etas[-1]) ** (users - 1) * left_divergence(case, T, etas[-1])


def _on_private(budget: Budget, etas: Sequence[Fraction], outside: Fraction) -> Verdict:
    """levelled against the divergence of one randomizer for all; etas: over T; outside: of what is left that is counted."""

    def slack(case: Case) -> Fraction:
        T = controlled_sums.exp_epsilon0(case)
        R, users = _place(case), len(case.others) + 1
        laws = [adaptive_shuffled_distribution([lambda _: R] * users, (b, *case.others)) for b in (0, 1)]
        levels = [eta / T for eta in etas]
        lost = (1 - outside) * (1 - levels[-1]) ** (users - 1) * left_divergence(case, T, levels[-1])
        claimed = levelled(case, T, levels) - lost
        return claimed - max(hockey_stick(laws[b], laws[1 - b], exp_epsilon=E) for b in (0, 1))

    found = sampled.least_slack(controlled_sums.private_sequences(), slack=slack, budget=budget, quick=15, full=100)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn randomizers, up to three users", witness=str)


FORGOTTEN = {"a smaller chance that nobody is in the pool": {"outside": Fraction(1, 2)}}


@derived(
    "BEYOND.adaptive-place.finite",
    where="the random-swap bound, adaptive",
    says="let every other user's distribution be eta omega + (1 - eta) m_k at each step and history, and the distribution of R_0 - E R_1 "
    "over m_k below C. Then D_E is at most (1 - eta)^N that of what is left, and the mean of V_(N - r + 1)(0)/(N - r + 1) and what is "
    "given over r ~ Bin(N, eta), r >= 1",
    range=ADAPTIVE,
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("adaptive_in_another_users_place", states="ddb7af263e03ebe2")],
    mutants=FORGOTTEN,
)
def adaptive_place(budget: Budget, *, outside: Fraction = ONE) -> Verdict:
    return _on_private(budget, (ZERO, Fraction(1, 4)), outside)


@derived(
    "BEYOND.first-arrival-levels.finite",
    where="first arrival, Theorem A",
    says="the pool in levels 0 = eta_0 <= ... <= eta_L < 1, R_k = eta_l omega + (1 - eta_l) m^(l)_k, the losses at level l below C_l: D_E "
    "is at most the levels' means of G_(C_l)(N - r + 1) and what is given over r ~ Bin(N, d_l), r >= 1, each times (1 - eta_(l-1))^N, the "
    "chance that nobody is at a lower one, and (1 - eta_L)^N times F of what is left after the last",
    range=ADAPTIVE,
    governs=["spec.bounds.swap.controlled_sum"],
    grounds=[Coq("first_arrival_eta", states="8667f2000add145d")],
    mutants=FORGOTTEN,
)
def levels(budget: Budget, *, outside: Fraction = ONE) -> Verdict:
    return _on_private(budget, (ZERO, Fraction(1, 6), Fraction(1, 3)), outside)


@derived(
    "BEYOND.adaptive-all-blocks.finite",
    where="the random-swap bound, adaptive, in blocks",
    says="every adaptive sequence of eps0-DP randomizers: pools of r_max users or more revealed, and B blocks of g users, each below one "
    "distribution Lambda whose positive parts are V_g or above, outside every smaller pool: D_E is at most (1 - eta)^N D_E(P_theta || "
    "Q_theta), Pr(1 <= r < r_max) E(Lambda_1 + ... + Lambda_B)_+/(B g) and Pr(r >= r_max) V_1(0), r ~ Bin(N, eta)",
    range=f"{ADAPTIVE}, E >= 0",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("adaptive_for_all_blocks", states="a2881a0f463cd8b1")],
    mutants=controlled_sums.SMALLER,
)
def blocks(budget: Budget, *, smaller: Fraction = ONE) -> Verdict:
    def bound(users: int, T: Fraction, E: Fraction) -> Fraction:
        """Blocks of one user, r_max = N."""
        N, eta = users - 1, 1 / (4 * T)
        theta = (1 - eta * T) / (1 - eta)
        laws = [thinned(law, theta) for law in corner_losses(T, E)]
        outside = optimal_pair.dominating_pair(n=users, parameters=optimal_pair.Parameters(T, (T - 1) / (T + 1), T / theta))
        total = (1 - eta) ** N * hockey_stick(*outside, exp_epsilon=E)
        if not N:
            return total
        largest = [list(another_place.least_above(list(map(merged, laws))).items())]
        told = eta**N
        return total + (1 - (1 - eta) ** N - told) * controlled(largest, 1) + told * controlled(laws, 1)

    return controlled_sums.above_all(budget, bound, smaller)


@derived(
    "BEYOND.first-arrival-cut.finite",
    where="first arrival, as it is computed",
    says="Theorem A with Lemmas B and C where each level's pools of r_max users or more are revealed: D_E is at most the sum over l of (1 "
    "- eta_(l-1))^N times the mean of G_(C_l)(N - r + 1) over r ~ Bin(N, d_l), 1 <= r < r_max, and of V_1(0) beyond, and (1 - eta_L)^N "
    "F(eta_L)",
    range=f"{ADAPTIVE}, every E",
    governs=["spec.bounds.swap.controlled_sum"],
    grounds=[Coq("arrival_clones_cut", states="30775c9bd56ec4a9")],
    mutants=controlled_sums.SMALLER,
)
def cut(budget: Budget, *, smaller: Fraction = ONE) -> Verdict:
    def bound(users: int, T: Fraction, E: Fraction) -> Fraction:
        """r_max = N: one level."""
        N, eta = users - 1, 1 / (3 * (T + 1))
        if N < 1:
            return arrival_bound(users, T, E, [ZERO, eta])
        laws = at_level(T, E, eta)
        pools = sum((comb(N, r) * eta**r * (1 - eta) ** (N - r) * controlled(laws, users - r) / (users - r) for r in range(1, N)), ZERO)
        left = (1 - eta) ** N * controlled(clones_left(T, E, eta), users) / users
        return pools + eta**N * controlled(laws, 1) + left

    return controlled_sums.above_all(budget, bound, smaller)


@derived(
    "BEYOND.first-arrival-blocks.finite",
    where="first arrival, in blocks",
    says="first arrival with clones of what is left where, in each level for each number r of users in the pool below r_l, and for what is "
    "left, B blocks of g steps stand for the controlled sum: each block one distribution Lambda whose positive parts are V_g or above, and "
    "no block more than there are users outside the pool. D_E is at most the sum over l of (1 - eta_(l-1))^N times the mean over r ~ "
    "Bin(N, d_l), r >= 1, of E(Lambda_1 + ... + Lambda_B)_+/(B g), or of V_1(0) for r >= r_l, and (1 - eta_L)^N E(Lambda_1 + ... + "
    "Lambda_B)_+/(B g)",
    range=f"{ADAPTIVE}, every E",
    governs=["spec.bounds.swap.controlled_sum"],
    grounds=[Coq("arrival_clones_blocks", states="debbc349e2c5a1b5")],
    mutants=controlled_sums.SMALLER,
)
def arrival_blocks(budget: Budget, *, smaller: Fraction = ONE) -> Verdict:
    def bound(users: int, T: Fraction, E: Fraction) -> Fraction:
        """Blocks of one user: one of them outside pools below r_max = N, as many as there are users for what is left."""
        N, eta = users - 1, 1 / (3 * (T + 1))
        if N < 1:
            return arrival_bound(users, T, E, [ZERO, eta])
        laws, rest = at_level(T, E, eta), clones_left(T, E, eta)
        block, left = ([list(another_place.least_above(list(map(merged, each))).items())] for each in (laws, rest))
        told = eta**N
        pools = (1 - (1 - eta) ** N - told) * controlled(block, 1) + told * controlled(laws, 1)
        return pools + (1 - eta) ** N * controlled(left, users) / users

    return controlled_sums.above_all(budget, bound, smaller)


@derived(
    "BEYOND.adaptive-approximate.finite",
    where="the random-swap bound, adaptive, (eps0, delta0)",
    says="every adaptive sequence of (eps0, delta0)-DP randomizers, 3 delta0 < 1, eta T < 1 - N delta0: D_E is at most (1 - eta)^N d and "
    "the mean over r ~ Bin(N, eta), r >= 1, of V_(N - r + 1)(0)/(N - r + 1) + delta0, V that of five corner distributions of T/kappa and E "
    "(1 - 2 delta0), kappa = 1 - 3 delta0, that leak T with probability delta0/T and are thinned by theta = (1 - eta T/(1 - N delta0))/(1 "
    "- eta), d the special user's own divergence",
    range=f"{ADAPTIVE}, E >= 0",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("adaptive_approximate", states="65cd23557b7a3c46")],
    mutants={"half of what the special user reveals": {"told": Fraction(1, 2)}},
)
def approximate(budget: Budget, *, told: Fraction = ONE) -> Verdict:
    """Randomizers that are eps0-DP but for 1/40 of their mass, which reveals the input or says nothing."""
    delta0 = Fraction(1, 40)

    def slack(case: Case) -> Fraction:
        T, users = controlled_sums.exp_epsilon0(case), len(case.others) + 1
        tells = {
            x: Distribution({**{y: (1 - delta0) * p for y, p in _place(case).distribution(x).items()}, 100 + x: delta0}) for x in range(3)
        }
        R, N = LocalRandomizer(range(3), tells), users - 1
        eta, kappa = (1 - N * delta0) / (4 * T), 1 - 3 * delta0
        theta = (1 - eta * T / (1 - N * delta0)) / (1 - eta)
        corners = corner_losses(T / kappa, E * (1 - 2 * delta0))
        leaking = [[(T, delta0 / T), (ZERO, 1 - kappa - delta0 / T), *((x / kappa, kappa * p) for x, p in law)] for law in corners]
        pooled = by_pool([thinned(law, theta) for law in leaking], users, eta, delta0)
        laws = [adaptive_shuffled_distribution([lambda _: R] * users, (b, *case.others)) for b in (0, 1)]
        return min(
            told * (1 - eta) ** N * hockey_stick(R.distribution(b), R.distribution(1 - b), exp_epsilon=E)
            + pooled
            - hockey_stick(laws[b], laws[1 - b], exp_epsilon=E)
            for b in (0, 1)
        )

    found = sampled.least_slack(controlled_sums.private_sequences(), slack=slack, budget=budget, quick=15, full=100)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn randomizers, up to three users", witness=str)
