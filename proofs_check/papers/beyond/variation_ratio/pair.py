"""Lemma L4: backward induction replaces every step of an adaptive mechanism by an independent copy of Lambda_beta.

Lemmas L5, L6 and L7: the sum is the pair's own divergence, the remaining orders, and why no pair can be smaller.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import sympy
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions
from shuffleproof.proofs_check.papers.beyond.variation_ratio.corner_distributions import (
    CornerDistribution,
    corners,
    orders_up_to,
    stop_loss,
)
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case, general_cases, listed_parameters, self_witness, shown
from shuffleproof.proofs_check.papers.beyond.variation_ratio.one_sum import PROOF, Step, larger_over_q
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.distribution import Distribution, hockey_stick, multinomial, product as independent, total_variation

_NOTHING: CornerDistribution = Distribution.point(Fraction(0))


def _induction(case: Case, E: Fraction, *, beta_factor: Fraction) -> Fraction:
    """Least g_(k-1)(S) - E[g_k(S + L_k) | past] over every past that nu reaches, and g_0(0) - E_nu (sum L)_+ itself."""
    corner = corners(case.parameters, E, beta=case.parameters.clipped_beta() * beta_factor).distribution()
    tails = [_NOTHING]
    for _ in range(case.n):
        tails.append(independent(tails[-1], corner).map(lambda pair: pair[0] + pair[1]))
    g = [lambda s, tail=tails[case.n - k]: stop_loss(tail, -s) for k in range(case.n + 1)]
    margins: list[Fraction] = []

    def expected(history: tuple[Any, ...], unused: tuple[int, ...], S: Fraction, *, dead: bool) -> Fraction:
        """E[(S + L_k + ... + L_n)_+ | past] under nu, recording the margin of this step. dead: in the cemetery."""
        k = len(history) + 1
        if k > case.n or dead:
            return max(S, Fraction(0))
        step = Step.of(case, larger_over_q, k - 1, history)
        branches = [(mass, z, unused, (step.special[0][z] - E * step.special[1][z]) / mass, False) for z, mass in step.m.items()]
        covered = sum(step.m.values(), Fraction(0))
        for user in unused:
            left = tuple(other for other in unused if other != user)
            for z in case.steps.at(k - 1, history).messages:
                if mass := step.residual(user, z):
                    branches.append((mass / len(unused), z, left, Fraction(0), False))
        if not unused:
            branches.append((1 - covered, None, unused, Fraction(0), True))
        margins.append(g[k - 1](S) - sum((mass * g[k](S + L) for mass, _, _, L, _ in branches), Fraction(0)))
        return sum((mass * expected((*history, z), left, S + L, dead=end) for mass, z, left, L, end in branches if mass), Fraction(0))

    whole = expected((), tuple(range(case.n - 1)), Fraction(0), dead=False)
    return min(*margins, g[0](Fraction(0)) - whole)


@derived(
    "BEYOND.LemL4",
    where=f"{PROOF}, backward induction",
    says="for 1 <= E <= p, with g_k(s) = E (s + Lambda_(k+1) + ... + Lambda_n)_+ for independent copies of Lambda_beta, "
    "E[g_k(S + L_k) | past] <= g_(k-1)(S) for every past, so that E_nu (sum of L_i)_+ <= g_0(0)",
    range="all n, adaptive randomizers with H(p, beta, q), 1 <= E <= p",
    grounds=["optimal-pair#backward-induction", EXACT, "BEYOND.LemL2", "BEYOND.LemL3"],
    mutants={"0.99 beta": {"beta_factor": Fraction(99, 100)}},
    missing="the induction for all n, which Coq has inside the theorem on the pair only",
)
def lemma_4(budget: Budget, *, beta_factor: Fraction = Fraction(1)) -> Verdict:
    largest = budget.pick(quick=3, full=4)
    found = sampled.least_slack(
        general_cases(largest=largest, outputs=2),
        slack=lambda case: min(_induction(case, E, beta_factor=beta_factor) for E in orders_up_to(case.parameters.p)),
        budget=budget,
        quick=30,
        full=150,
    )
    return found.verdict(
        domain=f"every past of random adaptive mechanisms, n <= {largest}, four orders E in [1, p] each (1 to 12 for infinite p)",
        witness=str,
        note="the argument: g_k is convex and the distribution of L_k given any past is below Lambda_beta, so E[g_k(S + L_k) | past] <= "
        "g_(k-1)(S); iterate from k = n. Over all adaptive sequences its conclusion is decided for n <= 3 in BEYOND.ThmF3",
    )


_ORDERS = tuple(Fraction(text) for text in ("0", "1/3", "1", "6/5", "2", "37/10", "9"))


def _pmf_ratios(*, r_factor: Fraction) -> list[sympy.Expr]:
    """Return what must vanish.

    M_(n-1)(a-1, b, d)/M_n - a/(n r), M_(n-1)(a, b, d-1)/M_n - d q/(n rho), and, with x = 1/p,

    P/M_n - (q/n) (a + x b + d), Q/M_n - (q/n) (x a + b + d).
    """
    n, a, b, d, x, beta, q, w = sympy.symbols("n a b d x beta q w", positive=True)
    p_alpha = beta / (1 - x)
    alpha, rho, r = x * p_alpha, 1 - (1 + x) * p_alpha, p_alpha / q * sympy.Rational(str(r_factor))
    gone = n - a - b - d

    def quotient(users: sympy.Expr, counts: tuple[sympy.Expr, ...]) -> sympy.Expr:
        """M_users(counts)/M_n(a, b, d): the factorials as gamma functions, the powers beside them."""
        ones = zip((*counts, users - sum(counts)), (a, b, d, gone), (r, r, rho / q, w), strict=True)
        ratio = sympy.gamma(users + 1) / sympy.gamma(n + 1)
        powers = sympy.Integer(1)
        for new, old, mass in ones:
            ratio *= sympy.gamma(old + 1) / sympy.gamma(new + 1)
            powers *= mass ** sympy.simplify(new - old)
        return sympy.gammasimp(ratio) * powers

    at_a, at_b, at_d = quotient(n - 1, (a - 1, b, d)), quotient(n - 1, (a, b - 1, d)), quotient(n - 1, (a, b, d - 1))
    return [
        at_a - a / (n * r),
        at_d - d * q / (n * rho),
        p_alpha * at_a + alpha * at_b + rho * at_d - q / n * (a + x * b + d),
        alpha * at_a + p_alpha * at_b + rho * at_d - q / n * (x * a + b + d),
    ]


def _one_sum(n: int, parameters: Parameters, E: Fraction) -> Fraction:
    """(1/n) E (Lambda_1 + ... + Lambda_n)_+."""
    corner = corners(parameters, E)
    total: Distribution[tuple[int, ...]] = multinomial(n, corner.masses)
    law = total.map(lambda counts: sum((k * value for k, value in zip(counts, corner.values, strict=True)), Fraction(0)))
    return stop_loss(law, Fraction(0)) / n


@derived(
    "BEYOND.LemL5",
    where=f"{PROOF}, the bound is the pair",
    says="P = M_n (q/(p n)) (p a + b + p d) and Q = M_n (q/(p n)) (a + p b + p d), M_n = Mult(n; r, r, rho/q), so that "
    "D_E(P || Q) = (1/n) E (Lambda_1 + ... + Lambda_n)_+",
    range="all n, p in (1, oo], beta, q, E >= 0",
    governs=[
        "spec.bounds.variation_ratio.optimal_pair",
        "impl.fast.bounds.variation_ratio.optimal_pair",
        "impl.ball.bounds.clones.clones",
        "impl.fast.bounds.clones.clones",
    ],
    grounds=[SYMPY, EXACT],
    mutants={"r times 1.01 in M_n": {"r_factor": Fraction(101, 100)}},
)
def lemma_5(budget: Budget, *, r_factor: Fraction = Fraction(1)) -> Verdict:
    largest = budget.pick(quick=3, full=6)
    domain = f"all n, p in (1, oo], beta, q, E, counts (gamma functions); spec's pair on a list of parameters, n <= {largest}"
    failing = [expression for expression in _pmf_ratios(r_factor=r_factor) if not symbolic.is_zero(expression)]
    if failing:
        return Verdict.refuted("P is not M_n (q/(p n)) (p a + b + p d)", domain=domain, cases=4)
    cases = product(range(1, largest + 1), listed_parameters(), _ORDERS)

    def agree(n: int, parameters: Parameters, E: Fraction) -> bool:
        return hockey_stick(*dominating_pair(n=n, parameters=parameters), exp_epsilon=E) == _one_sum(n, parameters, E)

    found = exhaustive.for_all(cases, holds=agree)
    if found.counterexample is not None:
        n, parameters, E = found.counterexample
        return Verdict.refuted(f"n = {n}, {shown(parameters)}, E = {E}", domain=domain, cases=found.cases)
    return Verdict.proved(domain=domain, cases=4 + found.cases, slack="0: equality")


@st.composite
def _two_distributions_and_order(draw: st.DrawFn) -> tuple[Distribution[int], Distribution[int], Fraction]:
    order = draw(st.fractions(min_value=Fraction(1, 20), max_value=1, max_denominator=20))
    return draw(distributions(outputs=4)), draw(distributions(outputs=4)), order


@derived(
    "BEYOND.LemL6",
    where=f"{PROOF}, remaining orders",
    says="for E >= p both divergences are 0; for 0 < E < 1, D_E(P || Q) = 1 - E + E D_(1/E)(Q || P), and the hypothesis is symmetric in b",
    range="all orders outside [1, p]",
    grounds=[SYMPY, "BEYOND.LemL1"],
    weaker={"from_p": "larger"},
    mutants={"both sides are 0 from E = p/2 on": {"from_p": Fraction(1, 2)}, "D_E(P || Q) = 1 - E + D_(1/E)(Q || P)": {"plain": True}},
)
def lemma_6(budget: Budget, *, plain: bool = False, from_p: Fraction = Fraction(1)) -> Verdict:
    """plain: D_E(P || Q) = 1 - E + D_(1/E)(Q || P), without the factor E. from_p: the part of p from which on both sides are 0."""

    def small_orders(P: Distribution[int], Q: Distribution[int], E: Fraction) -> bool:
        mirrored = hockey_stick(Q, P, exp_epsilon=1 / E)
        return hockey_stick(P, Q, exp_epsilon=E) == 1 - E + (1 if plain else E) * mirrored

    def large_orders(case: Case) -> bool:
        p = case.parameters.p
        return p is None or all(hockey_stick(case.distribution(b), case.distribution(1 - b), exp_epsilon=from_p * p) == 0 for b in (0, 1))

    x, y, E = sympy.symbols("x y E", positive=True)
    # (x - E y)_+ = x - E y + E (y - x/E)_+: the two cases of the sign, summed over outcomes of total masses 1 and 1.
    factor = 1 if plain else E
    p, c = sympy.symbols("p c", positive=True)
    proved = symbolic.is_zero(x - E * y + factor * (y - x / E))
    # x <= p y, that is x = p y - c: nothing of x - E y is positive at E = from_p p
    large = symbolic.is_nonnegative(symbolic.rational(from_p) * p * y - (p * y - c), at_least={p: 1, y: 0, c: 0})
    first = sampled.for_all(_two_distributions_and_order(), holds=small_orders, budget=budget, quick=60, full=600)
    second = sampled.for_all(general_cases(largest=3, outputs=2), holds=large_orders, budget=budget, quick=20, full=100)

    def of_pair(n: int, parameters: Parameters) -> bool:
        pair = dominating_pair(n=n, parameters=parameters)
        return parameters.p is None or hockey_stick(*pair, exp_epsilon=from_p * parameters.p) == 0

    pairs = exhaustive.for_all(product((1, 2, 3), listed_parameters()), holds=of_pair)
    domain = "0 < E < 1: all P, Q; E >= p: both sides are 0, as P_0(w) <= p P_1(w) term by term in (1); E = 0: 1 = 1"
    if not (proved and large and first.holds and second.holds and pairs.holds):
        witness = f"{first.counterexample or second.counterexample or pairs.counterexample or 'a likelihood ratio of p'}"
        return Verdict.refuted(witness, domain=domain, cases=first.cases)
    return Verdict.proved(
        domain=domain,
        cases=1 + pairs.cases,
        slack="0: equality",
        note=f"{first.cases} random pairs, {second.cases} random mechanisms at E = p, and the pair itself on a list, all exact",
    )


def _larger(parameters: Parameters) -> Iterator[Parameters]:
    """Neighbours with one parameter larger."""
    p, beta, q = parameters.p, parameters.beta, parameters.q
    yield Parameters(p, min(Fraction(1), beta + Fraction(1, 10)), q)
    yield Parameters(p, beta, q + Fraction(1, 3))
    if p is not None:
        yield Parameters(p + Fraction(1, 2), beta, q)
        yield Parameters(None, beta, q)


def _is_member(parameters: Parameters) -> bool:
    """The pair's own distributions meet H(p, beta, q)."""
    (R_0, R_1), R_k, p = parameters.special_distribution(), parameters.other_distribution(), parameters.p
    close = p is None or all(R_0[y] <= p * R_1[y] and R_1[y] <= p * R_0[y] for y in range(4))
    covered = all(max(R_0[y], R_1[y]) <= parameters.q * R_k[y] for y in range(4))
    return close and covered and total_variation(R_0, R_1) == parameters.clipped_beta() <= parameters.beta


def _monotone(case: tuple[int, Parameters, Fraction], *, reverse: bool) -> Fraction:
    n, parameters, E = case
    here = hockey_stick(*dominating_pair(n=n, parameters=parameters), exp_epsilon=E)
    more_users = hockey_stick(*dominating_pair(n=n + 1, parameters=parameters), exp_epsilon=E)
    larger = [hockey_stick(*dominating_pair(n=n, parameters=more), exp_epsilon=E) - here for more in _larger(parameters)]
    margin = min([here - more_users, *larger])
    return -max([here - more_users, *larger]) if reverse else margin


@derived(
    "BEYOND.LemL7",
    where="optimality",
    says="the pair's own distributions meet H(p, beta, q) and their shuffled reports are the pair, so no pair depending on (n, p, beta, "
    "q) only is smaller; D_E of the pair does not decrease in p, beta, q nor increase in n",
    range="all n, p, beta, q, E >= 0",
    governs=["spec.bounds.variation_ratio.optimal_pair"],
    grounds=[EXACT, "optimal-pair#nothing-smaller-will-do"],
    mutants={"monotone the other way": {"reverse": True}, "d hidden": {"shown_none": False}},
    missing="users beyond the enumerated ones",
)
def lemma_7(budget: Budget, *, reverse: bool = False, shown_none: bool = True) -> Verdict:
    """reverse: monotone the other way. shown_none: whether the shuffled mechanism's views are compared with all its symbols."""
    largest = budget.pick(quick=3, full=5)

    def attained(n: int, parameters: Parameters) -> bool:
        views = self_witness(n, parameters)
        pair = dominating_pair(n=n, parameters=parameters)
        counted = [law.map(lambda symbols: tuple(symbols.count(y) for y in ((0, 1, 2) if shown_none else (0, 1)))) for law in views]
        return _is_member(parameters) and all(counts == law for counts, law in zip(counted, pair, strict=True))

    members = exhaustive.for_all(product(range(1, largest + 1), listed_parameters()), holds=attained)
    monotone = exhaustive.least_slack(
        product(range(1, largest), listed_parameters(), _ORDERS), slack=lambda case: _monotone(case, reverse=reverse)
    )
    return Verdict.exhausted(
        domain=f"n <= {largest}, a list of parameters with infinite p, beta = 0 and clipped ones; seven orders",
        cases=members.cases + monotone.cases,
        slack="0: equality of distributions",
        note="that it is a member holds for all parameters by the formulas; monotone then follows by inclusion of classes, and in n as one "
        "more report of `other` is a post-processing. Where parameters are rounded: p, beta, q up, n down",
        against=None if members.holds and monotone.holds else f"{members.counterexample or monotone.counterexample}",
    )
