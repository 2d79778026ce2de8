"""Theorem F3 and Corollary F2: over all adaptive sequences by extreme points, and under attack by random ones."""

from fractions import Fraction

from shuffleproof.proofs_check.ledger import EXACT, Budget, Cited, Coq, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.points import ONE
from shuffleproof.proofs_check.papers.beyond.variation_ratio.all_sequences import locally_private, supremum, with_hypothesis
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import (
    Case,
    Pair,
    PairOf,
    general_cases,
    least_margin,
    listed_parameters,
    private_cases,
    self_witness,
    shown,
    slack,
)
from shuffleproof.spec.bounds.clones.clones import stronger_clones
from shuffleproof.spec.bounds.lower import binary_rr as two_rr
from shuffleproof.spec.bounds.variation_ratio import optimal_pair
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import bernoulli, binomial, hockey_stick, multinomial, product

_ORDERS = tuple(Fraction(text) for text in ("1/2", "1", "3/2", "3"))
_LEMMAS = tuple(f"BEYOND.Lem{name}" for name in ("L0", "L1", "L2", "L3", "L4", "L5", "L6"))


def the_pair(n: int, parameters: Parameters) -> Pair:
    """V(n, p, beta, q) as the specification has it."""
    return optimal_pair.dominating_pair(n=n, parameters=parameters)


def changed_pair(*, r_factor: Fraction = Fraction(1), d_factor: Fraction = Fraction(1)) -> PairOf:
    """The pair with other masses for the other users."""

    def pair(n: int, parameters: Parameters) -> Pair:
        other = parameters.other_distribution()
        a, b, d = other[0] * r_factor, other[1] * r_factor, other[2] * d_factor
        if a + b + d > 1:
            return the_pair(n, parameters)
        others = multinomial(n - 1, (a, b, d, 1 - a - b - d))
        P, Q = (
            product(others, special).map(lambda y: tuple(count + (k == y[1]) for k, count in enumerate(y[0]) if k < 3))
            for special in parameters.special_distribution()
        )
        return P, Q

    return pair


def hidden_d(n: int, parameters: Parameters) -> Pair:
    """The pair with the count of d hidden: the variation-ratio pair as published."""
    P, Q = (law.map(lambda counts: counts[:2]) for law in the_pair(n, parameters))
    return P, Q


def _with_changed_parameters(*, p: Fraction = ONE, beta: Fraction = ONE, q: Fraction = ONE, more: int = 0) -> PairOf:
    def pair(n: int, parameters: Parameters) -> Pair:
        ratio = None if parameters.p is None else max(Fraction(1), parameters.p * p)
        changed = Parameters(ratio, parameters.clipped_beta() * beta, max(Fraction(1), parameters.q * q))
        return the_pair(n + more, changed)

    return pair


def _attacked(budget: Budget, pair_of: PairOf, *, domain: str) -> Verdict | int:
    """The number of comparisons that a pair stood, or the refutation: its own mechanism first, then random adaptive ones."""
    cases = [(n, parameters) for n in (1, 2, 3) for parameters in listed_parameters()]
    own = exhaustive.least_slack(cases, slack=lambda case: least_margin(pair_of(*case), self_witness(*case)))
    if own.counterexample is not None:
        n, parameters = own.counterexample
        witness = f"n = {n}, {shown(parameters)}: the mechanism that sends a, b, d or none with the pair's own distributions exceeds it"
        return Verdict.refuted(witness, domain=domain, cases=own.cases)
    counted = own.cases
    for strategy, quick, full in ((general_cases(largest=3, outputs=2), 25, 150), (private_cases(largest=3), 15, 100)):
        found = sampled.least_slack(strategy, slack=lambda case: slack(case, pair_of), budget=budget, quick=quick, full=full)
        if found.counterexample is not None:
            return Verdict.refuted(str(found.counterexample), domain=domain, cases=counted + found.cases)
        counted += found.cases
    return counted


@derived(
    "BEYOND.ThmF3",
    says="if at every step and history R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta and R_0, R_1 <= q R_k for all k >= 2, then "
    "D_E(A(X_0) || A(X_1)) <= D_E(P || Q) and D_E(A(X_1) || A(X_0)) <= D_E(P || Q) = D_E(Q || P), "
    "(P, Q) = V(n, p, beta, max(q, 2)): where there is one user q says nothing, and q = 1 would clip beta",
    range="all n, p in (1, oo], beta, q, E >= 0; randomizers attached to the steps, adaptive ones included, messages from a finite set",
    governs=["spec.bounds.variation_ratio.optimal_pair", "impl.ball.bounds.variation_ratio.optimal_pair"],
    grounds=[
        Coq("optimal_pair_in_full", states="6e1f9ab646b5c6cc"),
        EXACT,
        Cited("a linear programme attains its maximum at a vertex", "known-facts#vertices-of-a-polytope"),
    ],
    mutants={
        "d hidden, as published for the variation ratio": {"pair_of": hidden_d},
        "r times 1.01": {"pair_of": changed_pair(r_factor=Fraction(101, 100))},
        "rho/q times 1.01": {"pair_of": changed_pair(d_factor=Fraction(101, 100))},
        "0.99 beta": {"pair_of": _with_changed_parameters(beta=Fraction(99, 100))},
        "0.99 q": {"pair_of": _with_changed_parameters(q=Fraction(99, 100))},
        "0.99 p": {"pair_of": _with_changed_parameters(p=Fraction(99, 100))},
        "n + 1 for n": {"pair_of": _with_changed_parameters(more=1)},
    },
    not_falsified="the pair's own mechanism rejects every mutant before the random ones are drawn, and the theorem is Coq's",
)
def theorem(budget: Budget, *, pair_of: PairOf = the_pair) -> Verdict:
    largest = budget.pick(quick=3, full=4)
    domain = f"all adaptive sequences with H(p, beta, q), n = 2..{largest}, on a list of parameters and orders, by extreme points"
    attacked = _attacked(budget, pair_of, domain=domain)
    if isinstance(attacked, Verdict):
        return attacked
    decided = 0
    for n in range(2, largest + 1):
        for parameters in listed_parameters():
            of, (P, Q) = with_hypothesis(n=n, parameters=parameters), pair_of(n, parameters)
            for E in _ORDERS:
                decided += 1
                if supremum(of, held=range(2, n + 1), E=E) != hockey_stick(P, Q, exp_epsilon=E):
                    witness = f"n = {n}, {shown(parameters)}, E = {E}: the supremum over all sequences is not the pair's divergence"
                    return Verdict.refuted(witness, domain=domain, cases=decided)
    return Verdict.certified(
        domain=domain,
        cases=decided + attacked,
        slack="0: the supremum over all adaptive sequences equals the pair's divergence in every case",
        note=f"{attacked} mechanisms, random adaptive ones among them, stay below it at every order. For all n it rests on the proof: "
        + ", ".join(_LEMMAS),
    )


def _stronger(n: int, T: Fraction, *, clones: Fraction) -> Pair:
    """The stronger clones pair with clone probability clones/(T + 1)."""
    if clones == 2:
        return stronger_clones.dominating_pair(n=n, exp_epsilon0=T)
    c_and_a = binomial(n - 1, clones / (T + 1)).then(lambda c: binomial(c, Fraction(1, 2)).map(lambda a: (c, a)))
    with_bit = product(c_and_a, bernoulli(T / (T + 1)))
    P = with_bit.map(lambda y: (y[0][1] + y[1], y[0][0] - y[0][1] + 1 - y[1]))
    return P, P.map(lambda counts: counts[::-1])


@derived(
    "BEYOND.CorF2",
    says="if every step is eps0-DP, D_E of A(X_0), A(X_1) is at most that of (A + Delta, C - A + 1 - Delta), (A + 1 - Delta, C - A + "
    "Delta) with C ~ Bin(n-1, 2/(T+1)), A ~ Bin(C, 1/2), Delta ~ Bern(T/(T+1)), T = e^eps0: V(n, T, (T-1)/(T+1), T), FMT23's general pair",
    range="all n, eps0 > 0, E >= 0; randomizers attached to the steps, adaptive ones included, messages from a finite set",
    governs=["spec.bounds.clones.clones", "impl.ball.bounds.clones.clones", "impl.fast.bounds.clones.clones"],
    grounds=[
        Coq("stronger_clones_in_full", states="710ac712e87d0b40"),
        EXACT,
        Cited("a linear programme attains its maximum at a vertex", "known-facts#vertices-of-a-polytope"),
    ],
    mutants={"clone probability 2.02/(T+1)": {"clones": Fraction(202, 100)}},
    missing="that the optimal pair of (T, (T-1)/(T+1), T) has this binomial form for every n; Coq has the theorem on that pair",
)
def corollary(budget: Budget, *, clones: Fraction = Fraction(2)) -> Verdict:
    largest = 3
    domain = f"all adaptive eps0-DP sequences, n = 2..{largest}, e^eps0 in {{3/2, 4}}, four orders each, by extreme points"
    binary = exhaustive.least_slack(
        [(n, T) for n in (1, 2, 3, 5) for T in (Fraction(3, 2), Fraction(4), Fraction(20))],
        slack=lambda case: least_margin(_stronger(*case, clones=clones), two_rr.pair(n=case[0], exp_epsilon0=case[1])),
    )
    if binary.counterexample is not None:
        witness = f"2RR on (0, ..., 0) and (1, 0, ..., 0), n = {binary.counterexample[0]}, e^eps0 = {binary.counterexample[1]}"
        return Verdict.refuted(witness, domain=domain, cases=binary.cases)
    for n in (1, 2, 3, 4):
        for T in (Fraction(3, 2), Fraction(4)):
            general = the_pair(n, Parameters(T, (T - 1) / (T + 1), T))
            if any(law != ours.map(lambda y: (*y, 0)) for law, ours in zip(general, _stronger(n, T, clones=clones), strict=True)):
                return Verdict.refuted(f"n = {n}, e^eps0 = {T}: not V(n, T, (T-1)/(T+1), T)", domain=domain, cases=n)

    def margin(case: Case) -> Fraction:
        T = case.parameters.q
        return least_margin(_stronger(case.n, T, clones=clones), (case.distribution(0), case.distribution(1)))

    found = sampled.least_slack(private_cases(largest=3, tight=False), slack=margin, budget=budget, quick=12, full=150)
    if found.counterexample is not None:
        return Verdict.refuted(str(found.counterexample), domain=domain, cases=found.cases)
    ratios = []
    for n in range(2, largest + 1):
        for T in (Fraction(3, 2), Fraction(4)):
            of, (P, Q) = locally_private(inputs=n + 1, T=T), _stronger(n, T, clones=clones)
            for E in (Fraction(1), (4 + T) / 5, (1 + T) / 2, T - Fraction(1, 10)):
                ratios.append(supremum(of, held=range(2, n + 1), E=E) / hockey_stick(P, Q, exp_epsilon=E))
                if ratios[-1] > 1:
                    witness = f"n = {n}, e^eps0 = {T}, E = {E}: the supremum over all sequences is larger"
                    return Verdict.refuted(witness, domain=domain, cases=len(ratios))
    return Verdict.certified(
        domain=domain,
        cases=len(ratios) + binary.cases + found.cases,
        slack=f"supremum over the pair's divergence: between {float(min(ratios)):.4g} and {float(max(ratios)):.4g}",
        note=f"{found.cases} random adaptive eps0-DP sequences stay below it at every order. Where the supremum is "
        "smaller, local privacy says more than H(T, (T-1)/(T+1), T) does. LemL3-prime gives a second proof. Nothing "
        "here rests on FMT23, whose Lemma 3.5 has a published erratum",
    )
