"""Theorems that Coq has checked about adaptive sequences: the random-swap bound, the controlled sum, first arrival, and the worst case.

Each row is one statement of `formal/Statements.v`. What is checked here is that the specification's own numbers, on drawn cases, are as
that theorem says; that it holds for all of them is Coq's verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

from hypothesis import strategies as st

from shuffleproof.proofs_check.formal.arrival import Grid, arrival
from shuffleproof.proofs_check.ledger import Budget, Coq, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.masses import merged
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps
from shuffleproof.proofs_check.ledger.points import ONE, ZERO
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case, private_cases
from shuffleproof.spec.bounds.swap import another_place
from shuffleproof.spec.bounds.swap.controlled_sum import attained, worst_sequence
from shuffleproof.spec.bounds.variation_ratio import optimal_pair
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution

Loss = Sequence[tuple[Fraction, Fraction]]
"""The atoms of a loss: value and probability."""
Distributions = Sequence[Loss]

LEAST_T = Fraction(3, 2)
"""Randomizers drawn nearer to 0-DP than this are taken for those of e^epsilon0 = 3/2, which they are as well."""
RANGE = "all users, e^eps0 > 1 and e^eps in any ordered field, data of any type, adaptive randomizers with finitely many messages"
NOTE = "the proof was last checked when it was recorded; `ledger check --formal` builds it again, where Coq is installed"


def controlled(laws: Distributions, steps: int, at: Fraction = ZERO) -> Fraction:
    """V_j(t): V_0(t) = t_+, V_(j+1)(t) = max over the distributions of E V_j(t + X)."""
    known: dict[tuple[int, Fraction], Fraction] = {}

    def value(j: int, t: Fraction) -> Fraction:
        if not j:
            return max(t, ZERO)
        if (j, t) not in known:
            known[j, t] = max(sum((mass * value(j - 1, t + x) for x, mass in law), ZERO) for law in laws)
        return known[j, t]

    return value(steps, at)


def corner_losses(T: Fraction, E: Fraction, weight: Callable[[Fraction, Fraction], Fraction] = lambda u, v: ONE) -> list[Loss]:
    """The five corner distributions' losses x/w with probability p w, x = u - E v; w = 1 unless said."""
    return [[((u - E * v) / weight(u, v), p * weight(u, v)) for (u, v), p in law.items()] for law in another_place.corner_distributions(T)]


def thinned(law: Loss, theta: Fraction) -> Loss:
    """The loss over theta with probability theta, else 0."""
    return [*((x / theta, theta * p) for x, p in law), (ZERO, 1 - theta)]


def clones_left(T: Fraction, E: Fraction, eta: Fraction) -> list[Loss]:
    """Lemma C's two distributions."""
    a, b, d = (1 - eta * (T + 1)) / (1 - eta), 1 / (1 - eta), (1 - eta * T) / (1 - eta)
    first = [((T - E) / a, a / (T + 1)), ((1 - T * E) / b, b / (T + 1)), (ZERO, 1 - (a + b) / (T + 1))]
    return [first, [(T * (1 - E) / d, d / T), (ZERO, 1 - d / T)]]


def by_pool(laws: Distributions, users: int, share: Fraction, more: Fraction = ZERO) -> Fraction:
    """The sum over r = 1, ..., N of Bin(N, share)(r) (V_(N - r + 1)(0)/(N - r + 1) + more)."""
    N = users - 1
    sizes = ((r, N - r + 1) for r in range(1, N + 1))
    return sum((comb(N, r) * share**r * (1 - share) ** (N - r) * (controlled(laws, S) / S + more) for r, S in sizes), ZERO)


def at_level(T: Fraction, E: Fraction, eta: Fraction) -> list[Loss]:
    """Lemma B's five distributions with omega = (T R_0 - R_1)/(T - 1)."""
    return corner_losses(T, E, lambda u, v: (1 - eta * (T * u - v) / (T - 1)) / (1 - eta))


def all_bound(users: int, T: Fraction, E: Fraction, eta: Fraction) -> Fraction:
    """The random-swap bound for all adaptive sequences, with the optimal pair where the pool is empty."""
    theta = (1 - eta * T) / (1 - eta)
    pair = optimal_pair.dominating_pair(n=users, parameters=optimal_pair.Parameters(T, (T - 1) / (T + 1), T / theta))
    outside = (1 - eta) ** (users - 1) * hockey_stick(*pair, exp_epsilon=E)
    return outside + by_pool([thinned(law, theta) for law in corner_losses(T, E)], users, eta)


def arrival_bound(users: int, T: Fraction, E: Fraction, levels: Sequence[Fraction]) -> Fraction:
    """Theorem A with Lemmas B and C. levels: 0 = eta_0, eta_1, ..., below 1/(T + 1)."""
    N, total = users - 1, ZERO
    for low, high in pairwise(levels):
        total += (1 - low) ** N * by_pool(at_level(T, E, high), users, (high - low) / (1 - low))
    return total + (1 - levels[-1]) ** N * controlled(clones_left(T, E, levels[-1]), users) / users


Bound = Callable[[int, Fraction, Fraction], Fraction]
"""(users, T, E) -> what is claimed to be above the divergence of every adaptive sequence of T-LDP randomizers."""


def exp_epsilon0(case: Case) -> Fraction:
    """e^eps0 of a drawn sequence, at least `LEAST_T`."""
    assert case.parameters.p is not None
    return max(case.parameters.p, LEAST_T)


def _slack(case: Case, bound: Bound, smaller: Fraction) -> Fraction:
    """The bound less the divergence, both ways, at a few orders; smaller: by which T - 1 is multiplied, for a mutant."""
    T = exp_epsilon0(case)
    laws, claimed = (case.distribution(0), case.distribution(1)), 1 + (T - 1) * smaller
    return min(
        bound(case.n, claimed, E) - hockey_stick(laws[i], laws[1 - i], exp_epsilon=E) for E in (ONE, 1 + (T - 1) / 3) for i in (0, 1)
    )


@st.composite
def private_sequences(draw: st.DrawFn) -> Case:
    """Adaptive eps0-DP steps for up to three users, one user with binary randomized response often."""
    if draw(st.integers(0, 3)):
        return draw(private_cases(largest=3, tight=False))
    T = draw(st.sampled_from([Fraction(2), Fraction(3), Fraction(5)]))
    likely, rare = T / (T + 1), 1 / (T + 1)
    laws = {0: Distribution({0: likely, 1: rare}), 1: Distribution({0: rare, 1: likely}), 2: Distribution({0: likely, 1: rare})}
    steps = AdaptiveSteps((LocalRandomizer(range(3), laws),), (0,))
    return Case(optimal_pair.Parameters(T, ONE, T), steps, ())


def above_all(budget: Budget, bound: Bound, smaller: Fraction) -> Verdict:
    """Return whether the bound is at least the divergence of every drawn sequence; smaller: by which T - 1 is multiplied, for a mutant."""
    found = sampled.least_slack(private_sequences(), slack=lambda case: _slack(case, bound, smaller), budget=budget, quick=25, full=150)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn adaptive sequences of up to three users", witness=str, note=NOTE)


SMALLER: Mapping[str, Mapping[str, object]] = {"T - 1 a tenth smaller": {"smaller": Fraction(9, 10)}}


@derived(
    "BEYOND.adaptive-all.finite",
    where="the random-swap bound, adaptive",
    says="for every adaptive sequence of eps0-DP randomizers, every eta < 1/T: D_E is at most (1 - eta)^N D_E of the optimal pair of "
    "(T, (T - 1)/(T + 1), T/theta), theta = (1 - eta T)/(1 - eta), and the mean of V_(N - r + 1)(0)/(N - r + 1) over r ~ Bin(N, eta), "
    "r >= 1, V the controlled sum of five corner distributions, each thinned by theta",
    range=f"{RANGE}, E >= 0",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("adaptive_for_all", states="86c5d3c3f8388840")],
    mutants=SMALLER,
)
def adaptive_all(budget: Budget, *, smaller: Fraction = ONE) -> Verdict:
    return above_all(budget, lambda n, T, E: all_bound(n, T, E, 1 / (4 * T)), smaller)


@derived(
    "BEYOND.first-arrival-all.finite",
    where="first arrival, Theorem A with Lemmas B and C",
    says="for every adaptive sequence of eps0-DP randomizers and all levels 0 = eta_0 <= ... <= eta_L < 1/(T + 1): D_E is at most the sum "
    "over l of (1 - eta_(l-1))^N times the mean over r ~ Bin(N, d_l), r >= 1, of V_(N - r + 1)(0)/(N - r + 1), V that of five "
    "distributions with the weights w of level l, and (1 - eta_L)^N V_n(0)/n, that of two distributions: clones with what is left",
    range=f"{RANGE}, every E",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("arrival_clones", states="f053eae7ae774ec2")],
    mutants=SMALLER,
)
def first_arrival_all(budget: Budget, *, smaller: Fraction = ONE) -> Verdict:
    def bound(n: int, T: Fraction, E: Fraction) -> Fraction:
        return arrival_bound(n, T, E, [ZERO, 1 / (6 * (T + 1)), 1 / (2 * (T + 1))])

    return above_all(budget, bound, smaller)


@derived(
    "BEYOND.first-arrival-thousand",
    where="first arrival, a number",
    says="1000 users whose randomizers are 1-DP, each chosen by all earlier outputs, are (0.134, 10^-6)-DP when shuffled, whatever the "
    "data: all of it by Coq's kernel, the number and e and e^0.134 included",
    range="data of any type, adaptive randomizers with finitely many messages",
    governs=["proofs_check.formal.arrival"],
    grounds=[Coq("shuffled_1000_adaptive", states="e0497abbb79cd959")],
    mutants={"epsilon = 0.13": {"epsilon": "0.13"}, "950 users": {"users": 950}},
)
def thousand_users(budget: Budget, *, epsilon: str = "0.134", users: int = 1000) -> Verdict:
    """The program that Coq runs, in Python: not below what a sequence of few users attains, and at most 10^-6 for these."""
    few = exhaustive.for_all(
        [(n, T, 1 + (T - 1) * part) for n in (2, 3, 4) for T in (Fraction(3, 2), Fraction(3)) for part in (ZERO, Fraction(1, 3))],
        holds=lambda n, T, E: attained(n=n, T=T, exp_epsilon=E) <= Grid(n, T, E, Fraction(1, 20), 4, 25, 40, 40).delta,
    )
    number = exhaustive.for_all(
        [(users, epsilon)], holds=lambda point: arrival(n=point[0], epsilon0=1, epsilon=point[1]).delta <= Fraction(1, 10**6)
    )
    return conjunction(
        [
            few.verdict(domain=f"the grid is above what is attained in {few.cases} cases of two to four users", witness=str),
            number.verdict(domain="its number for 1000 users", witness=str),
        ],
        note=NOTE,
    )


@derived(
    "BEYOND.first-arrival-clones.finite",
    where="first arrival, Lemma C",
    says="where all others send (R_k - eta omega)/(1 - eta), omega = (T R_0 - R_1)/(T - 1), eta < 1/(T + 1), D_E is at most "
    "V_n(0)/n of two distributions; at eta = 0 that is stronger clones",
    range=f"{RANGE}, every E",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("clones_left_bound", states="083206ead27171d1")],
    mutants=SMALLER,
)
def clones_with_what_is_left(budget: Budget, *, smaller: Fraction = ONE) -> Verdict:
    return above_all(budget, lambda n, T, E: arrival_bound(n, T, E, [ZERO]), smaller)


def _reached(budget: Budget, laws_of: Callable[[Fraction, Fraction], Distributions]) -> Verdict:
    """Return whether the specification's worst sequence attains the controlled sum of these distributions."""

    def holds(n: int, T: Fraction, E: Fraction) -> bool:
        sequence = worst_sequence(n=n, T=T, exp_epsilon=E)
        first, second = (adaptive_shuffled_distribution(sequence, (b, *(2,) * (n - 1))) for b in (0, 1))
        return hockey_stick(first, second, exp_epsilon=E) == controlled(laws_of(T, E), n) / n

    orders = [(T, 1 + (T - 1) * part) for T in map(Fraction, ("3/2", "9/4", "4")) for part in map(Fraction, ("0", "1/5", "1/2"))]
    found = exhaustive.for_all([(n, *order) for n in (1, 2, 3) for order in orders], holds=holds)
    return found.verdict(domain=f"all of it by Coq; {found.cases} sequences of few users, enumerated", witness=str, slack="0", note=NOTE)


def _four_corners(T: Fraction, E: Fraction) -> Distributions:
    """Mutant: without the distribution of u and v that both are 1/T mostly."""
    return corner_losses(T, E)[2:4]


@derived(
    "BEYOND.controlled-sum-attained",
    where="the worst case, Theorem D",
    says="for every n, eps0 and E there are an adaptive sequence of eps0-DP randomizers and neighbouring datasets with D_E = "
    "V_n(0)/n, V that of the five corner distributions: no bound for all of them is below it",
    range="n >= 1, e^eps0 > 1 and e^eps in any ordered field",
    governs=["spec.bounds.swap.another_place", "spec.model"],
    grounds=[Coq("worst_case_attained", states="dfa08493458e5620")],
    mutants={"two corner distributions": {"distributions_of": _four_corners}},
)
def worst_case(budget: Budget, *, distributions_of: Callable[[Fraction, Fraction], Distributions] = corner_losses) -> Verdict:
    return _reached(budget, distributions_of)


@derived(
    "BEYOND.controlled-sum-alike",
    where="the worst case where all others hold one value",
    says="among datasets whose other users all hold one value V_n(0)/n is the least bound on D_E for all adaptive sequences of "
    "eps0-DP randomizers",
    range=f"{RANGE}, every E",
    governs=["spec.bounds.swap.another_place", "spec.model"],
    grounds=[Coq("alike_exact", states="a238d76b7bc3cf8d")],
    mutants={"two corner distributions": {"distributions_of": _four_corners}},
)
def alike(budget: Budget, *, distributions_of: Callable[[Fraction, Fraction], Distributions] = corner_losses) -> Verdict:
    def slack(case: Case) -> Fraction:
        same = Case(case.parameters, case.steps, (2,) * (case.n - 1))
        return _slack(same, lambda n, T, E: controlled(distributions_of(T, E), n) / n, ONE)

    found = sampled.least_slack(private_sequences(), slack=slack, budget=budget, quick=15, full=80)
    if found.counterexample is None:
        return _reached(budget, distributions_of)
    return found.verdict(domain="alike others", witness=str)


@st.composite
def _abstract(draw: st.DrawFn) -> tuple[list[Loss], list[int], Fraction]:
    """A few distributions of one or two atoms, what is mixed of them at each history, and a start."""
    laws: list[Loss] = [[(Fraction(x, 3), Fraction(p, 4)), (Fraction(y, 2), 1 - Fraction(p, 4))] for x, y, p in draw(_ATOMS)]
    return laws, draw(_WEIGHTS), Fraction(draw(st.integers(-3, 3)), 2)


_ATOMS = st.lists(st.tuples(st.integers(-6, 3), st.integers(-2, 5), st.integers(1, 4)), min_size=1, max_size=3)
_WEIGHTS = st.lists(st.integers(0, 5), min_size=4, max_size=4)


def _process(laws: Distributions, weights: Sequence[int], left: int, t: Fraction, key: int = 0) -> Fraction:
    """The mean of (t + the sum of `left` losses)_+ where each is a mixture of the distributions that depends on all that came before."""
    if not left:
        return max(t, ZERO)
    share = Fraction(weights[key % 4], 5)
    parts = ((share, laws[key % len(laws)]), (1 - share, laws[(key + 1) % len(laws)]))
    atoms = [(x, part * mass, i) for part, law in parts for i, (x, mass) in enumerate(law)]
    return sum((mass * _process(laws, weights, left - 1, t + x, 3 * key + i + 1) for x, mass, i in atoms), ZERO)


def about_sums(budget: Budget, holds: Callable[[tuple[list[Loss], list[int], Fraction]], bool]) -> Verdict:
    """Return whether this holds for drawn families of distributions of losses."""
    found = sampled.for_all(_abstract(), holds=holds, budget=budget, quick=40, full=300)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn families of distributions", witness=str, note=NOTE)


@derived(
    "BEYOND.controlled-sum.finite",
    where="the controlled sum",
    says="let the distribution of each loss, given all that came before, be below the distributions of C: no convex, nondecreasing, "
    "nonnegative function has a larger mean under it than under the best of C. Then the mean of (t + their sum)_+ is at most V_j(t), where "
    "V_0(t) = t_+ and V_(j+1)(t) = max over c in C of E V_j(t + X_c)",
    range="finitely many distributions of finitely many values, in any ordered field; any number of steps, others between them",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("controlled_sum", states="e0c9d9df0920d430")],
    mutants={"a step less": {"steps": 2}},
)
def sums(budget: Budget, *, steps: int = 3) -> Verdict:
    return about_sums(budget, lambda case: _process(case[0], case[1], 3, case[2]) <= controlled(case[0], steps, case[2]))


@derived(
    "BEYOND.controlled-sum-antitone",
    where="the controlled sum",
    says="V_S(0)/S of the controlled sum does not grow with S >= 1",
    range="finitely many distributions of finitely many values and mass 1 at most, in any ordered field",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("V_mean_antitone", states="b618ad3c53a555e5")],
    mutants={"V_S(0) itself": {"power": 0}},
)
def antitone(budget: Budget, *, power: int = 1) -> Verdict:
    return about_sums(budget, lambda case: controlled(case[0], 3) / 3**power <= controlled(case[0], 2) / 2**power)


@derived(
    "BEYOND.controlled-sum-blocks",
    where="the controlled sum in blocks",
    says="if the positive parts of a distribution are V_g or above at every threshold, B independent copies of it stand for B g steps",
    range="finitely many distributions of finitely many values and mass 1 at most, Lambda's at least 1, in any ordered field",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("blocks_bound", states="88019c3c35bf8fea")],
    mutants={"a block less": {"blocks": 1}},
)
def in_blocks(budget: Budget, *, blocks: int = 2) -> Verdict:
    def holds(case: tuple[list[Loss], list[int], Fraction]) -> bool:
        centred = [[(x - sum((y * q for y, q in law), ZERO), p) for x, p in law] for law in case[0]]
        above = [list(another_place.least_above(list(map(merged, centred))).items())]
        return controlled(centred, 2, case[2]) <= controlled(above, blocks, case[2])

    return about_sums(budget, holds)


@derived(
    "BEYOND.corner-mixture.finite",
    where="all randomizers together",
    says="for every eps0-DP randomizer the distribution of L = u - E v, (u, v) = (R_0/R_k, R_1/R_k) under R_k, is below one mixture of "
    "the five corner distributions, the same for all convex functions",
    range="e^eps0 > 1 and e^eps in any ordered field, finitely many messages",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("every_loss_mixture", states="3cdbb4bb3c0f798a")],
    mutants=SMALLER,
)
def corner_mixture(budget: Budget, *, smaller: Fraction = ONE) -> Verdict:
    return _below_corners(budget, ZERO, smaller)


@derived(
    "BEYOND.first-arrival-perspective.finite",
    where="first arrival, Lemma B",
    says="with w = (1 - eta o)/(1 - eta), o affine in (u, v), positive at the corners, the loss (u - E v)/w under w R_k is below "
    "one mixture of the five corner distributions with value x/w and probability p w: nothing is thinned",
    range="e^eps0 > 1 and e^eps in any ordered field, finitely many messages",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("every_rest_mixture", states="3d48b9a22f585f11")],
    mutants=SMALLER,
)
def perspective(budget: Budget, *, smaller: Fraction = ONE) -> Verdict:
    return _below_corners(budget, Fraction(1, 2), smaller)


def _below_corners(budget: Budget, part: Fraction, smaller: Fraction) -> Verdict:
    """At every threshold that matters the positive part is at most the largest of the distributions'; eta = part/(T + 1)."""

    def holds(case: Case) -> bool:
        T = 1 + (exp_epsilon0(case) - 1) * smaller
        eta, R = part / (T + 1), case.steps.pool[0]
        laws, own = at_level(T, ONE, eta), list[tuple[Fraction, Fraction]]()
        for y in R.distribution(2).support:
            u, v, m = R.distribution(0)[y] / R.distribution(2)[y], R.distribution(1)[y] / R.distribution(2)[y], R.distribution(2)[y]
            w = (1 - eta * (T * u - v) / (T - 1)) / (1 - eta)
            own.append(((u - v) / w, m * w))
        thresholds = {x for law in (*laws, own) for x, _ in law}
        return all(controlled([own], 1, -t) <= controlled(laws, 1, -t) for t in thresholds)

    found = sampled.for_all(private_sequences(), holds=holds, budget=budget, quick=40, full=300)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn randomizers, thresholds", witness=str, note=NOTE)


@derived(
    "BEYOND.any-law-place.finite",
    where="the random-swap bound",
    says="for finitely many messages: let each of N other users' distributions be R_k = eta omega + (1 - eta) m_k. Then D_E is at most (1 "
    "- eta)^N D_E(R_0 || R_1), and over all sets of users outside the pool the mean positive part of the sum of their "
    "losses (R_0 - E R_1)/m_k, over their number, and what is given where m_k is 0; no two users need be alike",
    range="all randomizers with finitely many messages, datasets, omega, eta and E",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("in_another_users_place", states="004451f820870973")],
    mutants={"a smaller chance of an empty pool": {"empty": Fraction(1, 2)}},
)
def place(budget: Budget, *, empty: Fraction = ONE) -> Verdict:
    def slack(case: Case) -> Fraction:
        R, E = case.steps.pool[0], Fraction(5, 4)
        share = Fraction(1, 2) / max(exp_epsilon0(case), LEAST_T)
        laws: list[dict[int, Fraction]] = [dict(R.distribution(x).items()) for x in range(3)]
        value = another_place.delta(
            first=laws[0], second=laws[1], others=[laws[x] for x in case.others], common=laws[0], share=share, exp_epsilon=E
        )
        lost = (1 - empty) * (1 - share) ** (case.n - 1) * hockey_stick(R.distribution(0), R.distribution(1), exp_epsilon=E)
        shuffled = [adaptive_shuffled_distribution([lambda _: R] * case.n, (b, *case.others)) for b in (0, 1)]
        return value - lost - hockey_stick(shuffled[0], shuffled[1], exp_epsilon=E)

    found = sampled.least_slack(private_sequences(), slack=slack, budget=budget, quick=25, full=150)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn randomizers, up to three users", witness=str, note=NOTE)


@derived(
    "BEYOND.any-law-above.finite",
    where="any randomizer's distribution",
    says="for finitely many messages: with m below the distributions of all other inputs and R_0 - E R_1 = m L + g, D_E is at most the "
    "mean of (L_1 + ... + L_n)_+/n, independent under m, 0 with the mass that m lacks, and the mass of the positive part of g, whatever "
    "the others hold",
    range="all randomizers with finitely many messages, datasets and E",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("blanket_in_full", states="d6631dd46d15030b")],
    mutants={"a user more": {"more": 1}, "g is forgotten": {"given": 0}},
)
def blanket(budget: Budget, *, more: int = 0, given: int = 1) -> Verdict:
    """Randomizers of which a tenth of the mass reveals the input, so that the others' least distribution lacks it."""

    def slack(case: Case) -> Fraction:
        known, E, seen = case.steps.pool[0], Fraction(5, 4), Fraction(1, 10)
        laws = {x: Distribution({**{y: (1 - seen) * p for y, p in known.distribution(x).items()}, 100 + x: seen}) for x in range(3)}
        R = LocalRandomizer(range(3), laws)
        loss = {y: R.distribution(0)[y] - E * R.distribution(1)[y] for y in R.messages}
        least = {y: min(R.distribution(x)[y] for x in range(3)) for y in R.messages}
        law: list[tuple[Fraction, Fraction]] = [(loss[y] / m, m) for y, m in least.items() if m]
        law.append((ZERO, 1 - sum(least.values(), ZERO)))
        told = given * sum((max(loss[y], ZERO) for y, m in least.items() if not m), ZERO)
        shuffled: list[Any] = [adaptive_shuffled_distribution([lambda _: R] * case.n, (b, *case.others)) for b in (0, 1)]
        return controlled([law], case.n + more) / (case.n + more) + told - hockey_stick(shuffled[0], shuffled[1], exp_epsilon=E)

    found = sampled.least_slack(private_sequences(), slack=slack, budget=budget, quick=25, full=150)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn randomizers, up to three users", witness=str, note=NOTE)
