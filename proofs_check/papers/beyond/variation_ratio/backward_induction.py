"""Lemma L4: backward induction replaces every step of an adaptive mechanism by an independent copy of Lambda_beta."""

from fractions import Fraction
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import sampled
from shuffleproof.proofs_check.papers.beyond.variation_ratio.corner_law import Law, corners, stop_loss
from shuffleproof.proofs_check.papers.beyond.variation_ratio.corner_laws import orders_up_to
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case, general_cases
from shuffleproof.proofs_check.papers.beyond.variation_ratio.one_sum import Step, larger_over_q
from shuffleproof.proofs_check.papers.beyond.variation_ratio.reduction_to_one_sum import PROOF
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.distribution import product as independent

_NOTHING: Law = Distribution.point(Fraction(0))


def _induction(case: Case, E: Fraction, *, beta_factor: Fraction) -> Fraction:
    """Least g_(k-1)(S) - E[g_k(S + L_k) | past] over every past that nu reaches, and g_0(0) - E_nu (sum L)_+ itself."""
    corner = corners(case.parameters, E, beta=case.parameters.clipped_beta() * beta_factor).law()
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
