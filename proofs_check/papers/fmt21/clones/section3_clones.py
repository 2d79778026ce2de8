"""FMT21, section 3: Theorem 3.2, Lemma 3.3 and Algorithm 1 on exact adaptive randomizers."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Coq, Kind, Verdict, erratum, for_finite_sets, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import (
    AdaptiveSteps,
    adaptive_steps,
    described,
    distributions,
    exp_epsilon0s,
)
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.fmt21.clones import reduction as identity
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import (
    AnyDistribution,
    Clones,
    clone_counts,
    clones_of,
    clones_of_binary_components,
)
from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, mixture
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr

Counts = tuple[int, int]
Case = tuple[Fraction, AdaptiveSteps, tuple[int, ...]]
"""(e^eps0 or p, adaptive randomizers on range(k), x_2..x_n); X_b = (b, x_2..x_n)."""


def _described(case: Case) -> str:
    return f"e^eps0 (or p) = {case[0]}, {case[1]}, (x_2..x_n) = {case[2]}"


@st.composite
def private_cases(draw: st.DrawFn, *, largest: int) -> Case:
    """Adaptive eps0-DP randomizers on {0, 1, 2}; the other users may hold 0 or 1 too."""
    n, T = draw(st.integers(1, largest)), draw(exp_epsilon0s())
    others = tuple(draw(st.lists(st.integers(0, 2), min_size=n - 1, max_size=n - 1)))
    return T, draw(adaptive_steps(n=n, exp_epsilon0=T)), others


def _equal_distributions(case: Case, *, swapped: bool, with_replacement: bool) -> bool:
    """A_s(X_0) = Phi(P) and A_s(X_1) = Phi(Q) exactly, with Phi from Lemma 3.4, the left-over distributions and Algorithm 1."""
    T, steps, others = case
    clones = clones_of_binary_components(steps.sequence, x0=0, x1=1, others=others, exp_epsilon0=T)
    phi = replace(clones, with_replacement=with_replacement).of_counts()
    pair = dominating_pair(n=len(others) + 1, exp_epsilon0=T)
    return all(pair[1 - b if swapped else b].then(phi) == adaptive_shuffled_distribution(steps.sequence, (b, *others)) for b in (0, 1))


def _domination(case: Case, share: Fraction = Fraction(1)) -> Fraction:
    """Least D(pair) - D(A_s(X_0) || A_s(X_1)), both directions, at the corners of either profile: that covers all e^eps >= 1."""
    T, steps, others = case
    R0, R1 = (adaptive_shuffled_distribution(steps.sequence, (b, *others)) for b in (0, 1))
    P, Q = dominating_pair(n=len(others) + 1, exp_epsilon0=1 + share * (T - 1))
    orders = {Fraction(1), *PrivacyProfile(R0, R1).corners(), *PrivacyProfile(P, Q).corners()}
    directions = ((P, Q, R0, R1), (Q, P, R1, R0))
    return min(hockey_stick(p, q, exp_epsilon=E) - hockey_stick(r, s, exp_epsilon=E) for E in orders for p, q, r, s in directions)


@statement(
    "FMT21.Thm3.2",
    says="there is a post-processing Phi with A_s(X_0) ~ Phi(A+Delta, C-A+1-Delta), A_s(X_1) ~ Phi(A+1-Delta, C-A+Delta); "
    "C ~ Bin(n-1, e^-eps0), A ~ Bin(C, 1/2), Delta ~ Bern(e^eps0/(e^eps0+1))",
    range="all n, eps0 >= 0, adaptive eps0-DP randomizers, neighbouring datasets",
    governs=["spec.bounds.clones.clones", "spec.model"],
    grounds=[
        "FMT21.Lem3.3",
        "FMT21.Lem3.4",
        "FMT21.Eq6",
        "FMT21.Sec3.left-over",
        "FMT21.Sec3.remark-fresh-elements",
        "clones-reduction#the-pair",
        SYMPY,
    ],
    mutants={
        "the two pairs exchanged": {"swapped": True},
        "Algorithm 1 draws data points with replacement": {"with_replacement": True},
        "the pair of half as large an e^eps0 - 1": {"share": HALF},
    },
    missing="randomizers with infinitely many messages; for finite sets of messages Coq has checked it all: FMT21.Thm3.2.finite",
)
def theorem_32(budget: Budget, *, swapped: bool = False, with_replacement: bool = False, share: Fraction = Fraction(1)) -> Verdict:
    """share: of e^eps0 - 1 in the pair that is to dominate."""
    largest = budget.pick(quick=3, full=4)
    equal = sampled.for_all(
        private_cases(largest=largest),
        holds=lambda case: _equal_distributions(case, swapped=swapped, with_replacement=with_replacement),
        budget=budget,
        quick=40,
        full=120,
    )
    dominated = sampled.least_slack(
        private_cases(largest=largest), slack=lambda case: _domination(case, share), budget=budget, quick=30, full=100
    )
    failing = equal.counterexample or dominated.counterexample
    return Verdict.argued(
        domain=f"all n, by the written argument; {equal.cases} random adaptive sequences, n <= {largest}, exactly",
        cases=equal.cases + dominated.cases,
        slack="0: equality of distributions",
        note=f"on {dominated.cases} random sequences the pair dominates at all corners. Misprints: the text calls this Theorem 3.1 "
        "(`the main technical statement`, Figure 1) and cites eq. (5) for eq. (6) at the end of its proof",
        against=_described(failing) if failing else None,
    )


for_finite_sets(
    theorem_32,
    Coq("hiding_among_the_clones", states="205c67898c0c71ef"),
    says="Theorem 3.2 for messages from a finite set: one kernel takes P to the distribution of A_s(X_0) and Q to the distribution of "
    "A_s(X_1), whichever user's value differs",
    range="all n, T = e^eps0 >= 1 in any ordered field, data of any type, adaptive eps0-DP randomizers with finitely many messages, "
    "neighbouring datasets",
)


@st.composite
def decomposable_cases(draw: st.DrawFn, *, largest: int, outputs: int = 2) -> Case:
    """Adaptive randomizers on {0, 1, 2, 3} with equation (2) for a common p; not differentially private in general."""
    n = draw(st.integers(1, largest))
    p = draw(st.sampled_from([Fraction(1), HALF]) | st.fractions(min_value=Fraction(1, 9), max_value=1, max_denominator=9))
    pool = []
    for _ in range(draw(st.integers(1, 2))):
        r0, r1, *rest = (draw(distributions(outputs=outputs)) for _ in range(4))
        mixed = [mixture([(p / 2, r0), (p / 2, r1), (1 - p, lo)]) for lo in rest]
        pool.append(LocalRandomizer(range(4), {0: r0, 1: r1, 2: mixed[0], 3: mixed[1]}))
    keys = tuple(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    others = tuple(draw(st.lists(st.integers(2, 3), min_size=n - 1, max_size=n - 1)))
    return p, AdaptiveSteps(tuple(pool), keys), others


def _lemma_33_holds(case: Case, *, with_replacement: bool, swapped: bool = False) -> bool:
    p, steps, others = case
    f = replace(clones_of(steps.sequence, x0=0, x1=1, others=others, p=p), with_replacement=with_replacement).of_counts()
    pairs = clone_counts(len(others) + 1, p)[:: -1 if swapped else 1]
    sides = ((pair.then(f), adaptive_shuffled_distribution(steps.sequence, (b, *others))) for b, pair in enumerate(pairs))
    return all(left == right for left, right in sides)


@statement(
    "FMT21.Lem3.3",
    says="if R^(i)(z, x) = p/2 R^(i)(z, x_1^0) + p/2 R^(i)(z, x_1^1) + (1-p) LO^(i)(z, x) for all other x, then A_s(X_0) ~ f(A+1, C-A) "
    "and A_s(X_1) ~ f(A, C-A+1), C ~ Bin(n-1, p), A ~ Bin(C, 1/2), f = Algorithm 1 on a random arrangement",
    range="all n, p in (0, 1], adaptive randomizers with that decomposition",
    governs=["spec.model"],
    grounds=[SYMPY, "clones-reduction#counting-orders"],
    mutants={
        "Algorithm 1 draws data points with replacement": {"with_replacement": True},
        "in the coefficients, one clone more than there is": {"shift": 1},
        "the two pairs exchanged": {"swapped": True},
    },
    missing="infinitely many messages; for finite sets of messages Coq has checked it all (`shuffled_as_counts`)",
)
def lemma_33(budget: Budget, *, with_replacement: bool = False, shift: int = 0, swapped: bool = False) -> Verdict:
    largest = budget.pick(quick=3, full=4)
    found = sampled.for_all(
        decomposable_cases(largest=largest),
        holds=lambda case: _lemma_33_holds(case, with_replacement=with_replacement, swapped=swapped),
        budget=budget,
        quick=40,
        full=120,
    )
    agree = identity.coefficients_agree(clone_count_shift=shift)
    return Verdict.argued(
        domain=f"all n by coefficients, and the written count behind them; {found.cases} random sequences, n <= {largest}, exactly",
        cases=found.cases + 1,
        slack="0: equality of distributions",
        note="eps0-DP is among the hypotheses and is not needed (nor met where Theorem 3.2 uses the lemma); for p = 1 the left-over "
        "distribution has no weight",
        against=_described(found.counterexample)
        if found.counterexample
        else None
        if agree
        else "the coefficients of a common monomial differ as functions of z_0, z_1, z_2",
    )


@statement(
    "FMT21.Lem3.3-hypothesis",
    where="proof of Theorem 3.2",
    kind=Kind.GAP,
    weight="Theorem 3.2 is an application of Lemma 3.3; it stands, because the lemma holds without the hypothesis",
    says="the randomizers R_Q^(i), to which Lemma 3.3 is applied, meet its hypothesis of being eps0-DP",
    range="all eps0-DP R^(i)",
    grounds=[EXACT, SYMPY, "FMT21.Lem3.3"],
    mutants={"corrected statement with an Algorithm 1 that draws data points with replacement": {"with_replacement": True}},
)
def lemma_33_hypothesis(budget: Budget, *, with_replacement: bool = False) -> Verdict:
    """R_Q, to which the proof of Theorem 3.2 applies Lemma 3.3, for R = 2RR: Q(0) and Q(1) are the two point masses."""
    steps = AdaptiveSteps((binary_rr(exp_epsilon0=Fraction(3)),), (0,))
    clones = clones_of_binary_components(steps.sequence, x0=0, x1=1, others=(), exp_epsilon0=Fraction(3))
    components = LocalRandomizer((0, 1), dict(enumerate(clones.components(0, ()))))
    half, laws = Distribution.uniform((0, 1)), [Distribution.point(y) for y in (0, 1)]
    revealing = LocalRandomizer(range(4), dict(enumerate([*laws, *(mixture([(HALF, half), (HALF, law)]) for law in laws)])))
    three_users = _lemma_33_holds((HALF, AdaptiveSteps((revealing,), (0, 0, 0)), (2, 3)), with_replacement=with_replacement)
    holds = identity.coefficients_agree() and three_users
    return erratum(
        witness=f"R = 2RR with e^eps0 = 3: Q(0), Q(1) = {described(components)} are not eps-DP for any eps",
        is_witness=components.exp_epsilon0() is None,
        corrected="Lemma 3.3 holds without the hypothesis that the R^(i) are eps0-DP (see FMT21.Lem3.3), and so applies",
        counterexample=None if holds else "Lemma 3.3 fails for three users whose randomizer is not private",
        domain="one exact randomizer; Lemma 3.3 by coefficients, and for three users whose randomizer is not private",
        cases=3,
    )


def _defined(y: tuple[int, ...]) -> bool:
    point: AnyDistribution = Distribution.point(0)
    return Clones(lambda i, z: (point, point), lambda i, z, x: point, tuple(range(2, len(y) + 1))).is_defined(y)


@statement(
    "FMT21.Alg1",
    kind=Kind.MISPRINT,
    says="Algorithm 1 takes any y in {0, 1, 2}^n",
    range="all n, y in {0, 1, 2}^n",
    governs=["proofs_check.papers.fmt21.clones.reduction"],
    mutants={"corrected statement asks for at least one 0": {"needed": lambda y: 0 in y}},
)
def algorithm_1(budget: Budget, *, needed: Callable[[tuple[int, ...]], bool] = lambda y: 0 in y or 1 in y) -> Verdict:
    largest = budget.pick(quick=4, full=6)
    cases = (y for n in range(1, largest + 1) for y in product((0, 1, 2), repeat=n))
    found = exhaustive.for_all(cases, holds=lambda y: _defined(y) == needed(y))
    return erratum(
        witness="n = 1, y = (2): the loop wants an element of [2:1] \\ J, which is empty; so does the last step on y = (2, ..., 2)",
        is_witness=not _defined((2,)),
        corrected="Algorithm 1 is defined on every y with at least one 0 or 1; rho_0 and rho_1 put no mass elsewhere, as user 1 reports b",
        beside=found.verdict(domain=f"all y in {{0, 1, 2}}^n, n <= {largest}"),
    )
