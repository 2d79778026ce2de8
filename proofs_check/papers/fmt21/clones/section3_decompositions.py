"""FMT21, section 3: Lemma 3.4, and the decompositions in the proof of Theorem 3.2."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import sympy
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Status, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, Randomizer, described, exp_epsilon0s, randomizers
from shuffleproof.proofs_check.papers.fmt21.clones import reduction as identity
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import (
    AnyDistribution,
    binary_components,
    combination,
    left_over,
    left_over_of_two,
)
from shuffleproof.proofs_check.papers.fmt21.clones.section3_clones import Case, private_cases
from shuffleproof.spec.distribution import mixture
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution
from shuffleproof.spec.vocabulary.errors import DomainError

_T, _r, _r0, _r1 = sympy.symbols("T r r0 r1")


@st.composite
def private_pairs(draw: st.DrawFn, *, inputs: int = 3) -> tuple[Fraction, Randomizer]:
    """e^eps0 and an exactly eps0-DP randomizer."""
    T = draw(exp_epsilon0s())
    return T, draw(randomizers(exp_epsilon0=T, inputs=inputs))


def _proved_pointwise(identities: Sequence[bool], found: sampled.Sample[tuple[Fraction, Randomizer]], *, domain: str, note: str) -> Verdict:
    """Proved if every identity holds and no random randomizer contradicts it; refuted by the randomizer, or by naming the identity."""
    cases = len(identities)
    if found.counterexample is not None:
        return Verdict.refuted(
            f"e^eps0 = {found.counterexample[0]}, R = {described(found.counterexample[1])}", domain=domain, cases=found.cases
        )
    if not all(identities):
        witness = f"identity or sign number {identities.index(False) + 1} fails as a rational function"
        return Verdict.refuted(witness, domain=domain, cases=cases)
    note = f"{note}; built exactly for {found.cases} random randomizers"
    return Verdict.proved(domain=domain, cases=cases, note=note)


@statement(
    "FMT21.Lem3.4",
    says="for eps0-DP R there is Q with R(x_0) = T/(T+1) Q(0) + 1/(T+1) Q(1), R(x_1) = 1/(T+1) Q(0) + T/(T+1) Q(1), T = e^eps0",
    range="all eps0 >= 0, eps0-DP randomizers",
    governs=["proofs_check.papers.fmt21.clones.reduction", "spec.randomizers.binary_rr"],
    grounds=[SYMPY, EXACT],
    mutants={"Q(0) and Q(1) exchanged": {"swapped": True}},
)
def lemma_34(budget: Budget, *, swapped: bool = False) -> Verdict:
    """At an output: Q(b) = (T r_b - r_(1-b))/(T - 1) >= 0 because r_(1-b) <= T r_b, sums to 1, and solves both equations."""
    T, r0, r1 = _T, _r0, _r1
    q0, q1 = (T * r0 - r1) / (T - 1), (T * r1 - r0) / (T - 1)
    if swapped:
        q0, q1 = q1, q0
    identities = [
        symbolic.are_identical(r0, (T * q0 + q1) / (T + 1)),
        symbolic.are_identical(r1, (q0 + T * q1) / (T + 1)),
        symbolic.are_identical(r0 + r1, q0 + q1),  # what equation (5) needs beside equation (2)
        symbolic.are_identical(q0.subs({r0: 1, r1: 1}), sympy.S.One),  # sums over outputs: r_0 and r_1 each sum to 1
        symbolic.are_identical((T - 1) * q0, T * r0 - r1),  # the slack of r_1 <= T r_0, non-negative by eps0-DP
        symbolic.are_identical((T - 1) * q1, T * r1 - r0),
    ]

    def holds(T: Fraction, randomizer: Randomizer) -> bool:
        laws = randomizer.distribution(0), randomizer.distribution(1)
        q = binary_components(*laws, exp_epsilon0=T)
        if swapped:
            q = q[::-1]
        w = T / (T + 1)
        return all(mixture([(w, q[b]), (1 - w, q[1 - b])]) == laws[b] for b in (0, 1))

    found = sampled.for_all(private_pairs(inputs=2), holds=holds, budget=budget, quick=80, full=1000)
    return _proved_pointwise(
        identities, found, domain="all eps0 > 0, all eps0-indistinguishable distributions, pointwise", note="eps0 = 0: Q(0) = Q(1) = R(x_0)"
    )


@statement(
    "FMT21.Sec3.remark-binary-rr",
    where="after Lemma 3.4",
    says="2RR outputs its input with probability q = (T-1)/(T+1) and a fair coin with probability 2/(T+1); q = O(eps0) for eps0 < 1",
    range="all eps0 >= 0",
    governs=["spec.randomizers.binary_rr"],
    grounds=[SYMPY],
    mutants={"a coin with three sides": {"coin": 3}},
)
def binary_rr_as_coin(budget: Budget, *, coin: int = 2) -> Verdict:
    """2RR = q truth + (1 - q) fair coin with q = (T - 1)/(T + 1); and q <= eps0/2, by the sign of its derivative in T."""
    T = _T
    q = (T - 1) / (T + 1)
    identities = [
        symbolic.are_identical(T / (T + 1), q + (1 - q) / coin),
        symbolic.are_identical(1 / (T + 1), (1 - q) / coin),
        symbolic.are_identical(1 - q, 2 / (T + 1)),
        # ln(T)/2 - q is 0 at T = 1 and its derivative 1/(2T) - 2/(T + 1)^2 is a square over something positive
        symbolic.is_zero(q.subs(T, 1)),
        symbolic.are_identical(1 / (2 * T) - sympy.diff(q, T), (T - 1) ** 2 / (2 * T * (T + 1) ** 2)),
        symbolic.is_nonnegative(1 / (2 * T) - sympy.diff(q, T), at_least={T: 1}),
    ]
    domain = "all eps0 >= 0, T = e^eps0"
    if not all(identities):
        witness = f"identity {identities.index(False) + 1} fails as a rational function of T"
        return Verdict.refuted(witness, domain=domain, cases=len(identities))
    note = "the O(eps0) with its constant: (T - 1)/(T + 1) = tanh(eps0/2) <= eps0/2 for every eps0, not only below 1"
    return Verdict.proved(domain=domain, cases=len(identities), note=note)


@statement(
    "FMT21.Sec3.left-over",
    where="proof of Theorem 3.2; the `key observation` before Lemma 3.3",
    says="R(x) = R(x_0)/T + (1-1/T) LO(x) and R(x) = R(x_0)/(2T) + R(x_1)/(2T) + (1-1/T) LO'(x) for eps0-DP R, T = e^eps0",
    range="all eps0 >= 0, eps0-DP randomizers",
    governs=["proofs_check.papers.fmt21.clones.reduction"],
    grounds=[SYMPY, EXACT],
    mutants={"clones with probability 1.1 e^-eps0": {"p_times_T": Fraction(11, 10)}},
)
def left_over_exists(budget: Budget, *, p_times_T: Fraction = Fraction(1)) -> Verdict:
    """One application: T r - r_0 >= 0 is the slack of eps0-DP. Two: the average of the two; p = p_times_T / T."""
    T, r, r0, r1 = _T, _r, _r0, _r1
    p = sympy.Rational(p_times_T.numerator, p_times_T.denominator) / T
    one, other = (T * r - r0) / (T - 1), (T * r - r1) / (T - 1)
    two = (r - p / 2 * r0 - p / 2 * r1) / (1 - p)
    identities = [
        symbolic.are_identical(r, r0 / T + (1 - 1 / T) * one),
        symbolic.are_identical(one.subs({r: 1, r0: 1}), sympy.S.One),
        symbolic.are_identical(r, p / 2 * r0 + p / 2 * r1 + (1 - p) * two),
        symbolic.are_identical(two, (one + other) / 2),
    ]

    def decomposes(T: Fraction, rest: AnyDistribution, first: AnyDistribution, second: AnyDistribution) -> bool:
        p = min(Fraction(1), p_times_T / T)
        try:
            once, twice = left_over(rest, first, exp_epsilon0=T), left_over_of_two(rest, first, second, p=p)
        except DomainError:
            return False
        first_form = combination((1 / T, first), (1 - 1 / T, once)) == rest
        return first_form and combination((p / 2, first), (p / 2, second), (1 - p, twice)) == rest

    def holds(T: Fraction, randomizer: Randomizer) -> bool:
        return all(decomposes(T, *(randomizer.distribution(x) for x in roles)) for roles in permutations(randomizer.domain))

    found = sampled.for_all(private_pairs(), holds=holds, budget=budget, quick=80, full=1000)
    note = "the second form is the average of two applications (to x_0 and to x_1), not one after the other; eps0 = 0: any LO"
    return _proved_pointwise(identities, found, domain="all eps0 > 0, eps0-DP randomizers, pointwise", note=note)


@statement(
    "FMT21.Eq6",
    where="proof of Theorem 3.2, equation (6)",
    says="A_s(X_0) = T/(T+1) A_Q(X_0) + 1/(T+1) A_Q(X_1) and A_s(X_1) = 1/(T+1) A_Q(X_0) + T/(T+1) A_Q(X_1), T = e^eps0",
    range="all n, eps0 >= 0, x_2..x_n other than x_1^0, x_1^1",
    grounds=[SYMPY, "clones-reduction#user-1-enters-once"],
    mutants={"the weights T/(T+1) and 1/(T+1) exchanged": {"swapped": True}},
    missing="orders of more than five users: that every order has exactly one factor of user 1",
)
def equation_6(budget: Budget, *, swapped: bool = False) -> Verdict:
    largest = budget.pick(quick=4, full=5)
    domain = f"all n, by the written argument; n <= {largest} expanded: all randomizers with (3), (4), all outputs, in unknowns"
    for n in range(1, largest + 1):
        if not identity.equation_6(n, swapped=swapped):
            return Verdict.refuted(f"n = {n}: the two sides differ as polynomials", domain=domain, cases=n)
    return Verdict.argued(domain=domain, cases=2 * largest)


def _with_copies(randomizer: Randomizer, *, copy_of_0: int) -> Randomizer:
    """The domain with two fresh elements, randomized like 0 and like 1."""
    k = len(randomizer.domain)
    extended = {x: randomizer.distribution(x) for x in randomizer.domain} | {
        k: randomizer.distribution(copy_of_0),
        k + 1: randomizer.distribution(1),
    }
    return LocalRandomizer(range(k + 2), extended)


@statement(
    "FMT21.Sec3.remark-fresh-elements",
    where="proof of Theorem 3.2",
    says="fresh x'_1^0, x'_1^1, randomized like x_1^0, x_1^1, keep the R^(i) eps0-DP and leave the distribution of A_s(X_b) as it was",
    range="all domains, adaptive eps0-DP randomizers",
    governs=["spec.model"],
    grounds=[EXACT, "clones-reduction#fresh-elements"],
    mutants={"x'_1^0 is randomized like x_2": {"copy_of_0": 2}},
    missing="sequences beyond the drawn ones; that other users may be taken to hold other values",
)
def fresh_elements(budget: Budget, *, copy_of_0: int = 0) -> Verdict:
    def holds(case: Case) -> bool:
        _, steps, others = case
        extended = AdaptiveSteps(tuple(_with_copies(randomizer, copy_of_0=copy_of_0) for randomizer in steps.pool), steps.keys)
        k = len(steps.pool[0].domain)
        levels = [(new.exp_epsilon0(), old.exp_epsilon0()) for new, old in zip(extended.pool, steps.pool, strict=True)]
        same = all(
            adaptive_shuffled_distribution(extended.sequence, (k + b, *others))
            == adaptive_shuffled_distribution(steps.sequence, (b, *others))
            for b in (0, 1)
        )
        return same and all(new == old for new, old in levels)

    return sampled.for_all(private_cases(largest=3), holds=holds, budget=budget, quick=30, full=300).verdict(
        domain="all domains and sequences, by the written argument; random ones on three inputs, n <= 3, other users may hold 0 or 1",
        claims=Status.ARGUED,
        witness=lambda case: f"e^eps0 = {case[0]}, {case[1]}, (x_2..x_n) = {case[2]}",
    )


@statement(
    "FMT21.Eq23",
    says="with L in the place of R, L(x_1^0) and L(x_1^1) within e^eps0 of each other: A_L(X_0) = T/(T+1) A_Q(X_0) + "
    "1/(T+1) A_Q(X_1), and mirrored",
    range="all n, eps0 > 0, nearby randomizers as in (20) to (22)",
    grounds=[SYMPY, "FMT21.Eq6", "FMT21.Thm3.8.step-nearby", "FMT21.Lem3.7"],
    mutants={"the weights T/(T+1) and 1/(T+1) exchanged": {"swapped": True}, "Q(0) = (T L_0 - L_1)/T": {"lost": 0}},
)
def equation_23(budget: Budget, *, swapped: bool = False, lost: int = 1) -> Verdict:
    """Check Q(0) = (T L_0 - L_1)/(T - lost), Q(1) mirrored: distributions, their sum, and the mixture of (6) at user 1's one step."""
    T, first, second, gap = sympy.symbols("T L_0 L_1 s", positive=True)
    Q_0, Q_1 = (T * first - second) / (T - lost), (T * second - first) / (T - lost)
    weight = (1 if swapped else T) / (T + 1)
    steps = [
        symbolic.are_identical(weight * Q_0 + (1 - weight) * Q_1, first),
        symbolic.are_identical((1 - weight) * Q_0 + weight * Q_1, second),
        symbolic.are_identical(Q_0 + Q_1, first + second),
        symbolic.is_nonnegative((T * first - second).subs(second, T * first - gap), at_least={gap: 0}),  # L_1 <= T L_0
    ]
    if not all(steps):
        return Verdict.refuted(f"L_0 = L_1 = 1, T = 2: step {steps.index(False) + 1} fails", domain="all L_0, L_1", cases=len(steps))
    note = "user 1 takes one step in every order, so the mixture at the step is one of the outputs: FMT21.Eq6; (22) serves the others"
    return Verdict.proved(domain="all T > 1, L_0 <= T L_1, L_1 <= T L_0", cases=len(steps), note=note)
