"""Lemmas L0 and L1: the total variation is clipped, and the divergence of a shuffled adaptive mechanism becomes one sum."""

from fractions import Fraction

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Cited, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import sampled, symbolic
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case, general_cases, private_cases
from shuffleproof.proofs_check.papers.beyond.variation_ratio.one_sum import coefficients_agree, identity_holds, larger_over_q, least_of_all
from shuffleproof.spec.divergence import total_variation

PROOF = "proof of Theorem F3"


def _clipped(case: Case) -> Fraction:
    """Least of (p - 1)/(p + 1) - TV and q - 1 - TV over the steps' randomizers."""
    p, q = case.parameters.p, case.parameters.q
    distances = [total_variation(randomizer.distribution(0), randomizer.distribution(1)) for randomizer in case.steps.pool]
    return min(min(q - 1, Fraction(1) if p is None else (p - 1) / (p + 1)) - distance for distance in distances)


@derived(
    "BEYOND.LemL0",
    where=f"{PROOF}, clipping",
    says="R_0 <= p R_1 and R_1 <= p R_0 imply TV(R_0, R_1) <= (p-1)/(p+1); max(R_0, R_1) <= q R_k implies TV <= q - 1",
    range="p > 1, q >= 1, all distributions",
    governs=["spec.bounds.variation_ratio.optimal_pair"],
    grounds=[SYMPY],
    mutants={"(p-1)/(p+2) for (p-1)/(p+1)": {"lost": 1}},
    not_falsified="the random triples accompany the proof, which is the linear certificate",
)
def lemma_0(budget: Budget, *, lost: int = 0) -> Verdict:
    """lost: what is added to the denominator of (p - 1)/(p + 1)."""
    p, in_0, in_1 = sympy.symbols("p in_0 in_1", positive=True)  # R_0(S), R_1(S) for S = {R_0 > R_1}
    by_p = (p - 1) / (p + 1 + lost)
    privacy = (p * in_1 - in_0, p * (1 - in_0) - (1 - in_1))  # both at least 0
    certificate = by_p - (in_0 - in_1) - (privacy[0] + privacy[1]) / (p + 1)
    attained = by_p - (in_0 - in_1).subs({in_0: p / (p + 1), in_1: 1 / (p + 1)})
    found = sampled.least_slack(general_cases(largest=1), slack=_clipped, budget=budget, quick=40, full=400)
    domain = "all p > 1, q >= 1 and all distributions (a linear certificate); max(R_0, R_1) has mass 1 + TV and is at most q R_k"
    if not (symbolic.is_zero(certificate) and symbolic.is_zero(attained) and found.holds):
        witness = "R_0(S) = p/(p + 1), R_1(S) = 1/(p + 1) is p-indistinguishable, with total variation (p - 1)/(p + 1)"
        return Verdict.refuted(witness, domain=domain, cases=2)
    return Verdict.proved(
        domain=domain,
        cases=2,
        slack="0: attained",
        note="with x = R_0(S), y = R_1(S): (p-1)/(p+1) - (x-y) = [(p y - x) + (p (1-x) - (1-y))]/(p+1); "
        f"{found.cases} random triples agree",
    )


@derived(
    "BEYOND.LemL1",
    where=f"{PROOF}, equations (1) and (2)",
    says="with any m <= R_k (k >= 2) at each step and history, P_b(w) = nu(w)/n times the sum over B of u_j (b = 0) or v_j (b = 1), w = "
    "(outputs, blanket steps and the special one, who drew the residuals), so D_E(w_0 || w_1) = (1/n) E_nu (sum of u_i - E v_i over B)_+",
    range="all n, E >= 0, adaptive randomizers with a common m, R_0 and R_1 absolutely continuous with respect to m",
    grounds=[
        "optimal-pair#reduction-to-one-sum",
        EXACT,
        SYMPY,
        Cited("the count: |B| - 1 users fill the other steps of B in any order", "known-facts#counting-the-users-of-a-view"),
    ],
    mutants={
        "identities of the residual steps drawn with replacement": {"with_replacement": True},
        "1/(n+1) for 1/n": {"one_more_user": True},
    },
    missing="the count of orders for more than five users, and distributions that are not finite",
)
def lemma_1(budget: Budget, *, with_replacement: bool = False, one_more_user: bool = False) -> Verdict:
    largest, counted = budget.pick(quick=3, full=4), budget.pick(quick=5, full=6)
    domain = f"all n and distributions by the count of orders, confirmed for every (B, identities, special step) with n <= {counted}"
    for n in range(1, counted + 1):
        if not coefficients_agree(users=n, with_replacement=with_replacement):
            return Verdict.refuted(f"n = {n}: a coefficient of equation (1) is not (|B| - 1)!/n!", domain=domain, cases=n)

    def holds(case: Case) -> bool:
        blankets = [larger_over_q] + ([least_of_all] if case.parameters.p == case.parameters.q else [])
        users = case.n + 1 if one_more_user else None
        return all(identity_holds(case, blanket, with_replacement=with_replacement, users=users) for blanket in blankets)

    searches = [
        sampled.for_all(general_cases(largest=largest, outputs=2), holds=holds, budget=budget, quick=15, full=60),
        sampled.for_all(private_cases(largest=largest, tight=False), holds=holds, budget=budget, quick=15, full=60),
    ]
    failing = next((search.counterexample for search in searches if search.counterexample is not None), None)
    cases = sum(search.cases for search in searches)
    if failing is not None:
        return Verdict.refuted(str(failing), domain=domain, cases=cases)
    # The product of 1/(n - 1 - t) over t < N is (n - 1 - N)!/(n - 1)!: by induction on N, since the quotient of neighbours is this.
    n, N = sympy.symbols("n N")
    quotient = sympy.gammasimp(sympy.gamma(n - 1 - N) / sympy.gamma(n - N) - 1 / (n - 1 - N))
    if quotient != 0:
        return Verdict.refuted("the product of 1/(n-1-t)", domain=domain, cases=cases)
    return Verdict.sampled(
        domain=domain,
        cases=cases + counted,
        slack="0: equality of distributions",
        note=f"P_b(w), equation (2) and w's push-forward agree exactly on {cases} random adaptive mechanisms, n <= {largest}, p infinite "
        "and q unlike p among them, for m = max(R_0, R_1)/q and, where steps are eps0-DP, m = the least of all distributions",
    )
