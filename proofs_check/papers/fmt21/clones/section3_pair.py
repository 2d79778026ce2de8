"""FMT21, section 3: Lemma 3.5, and the symmetry of the clones pair."""

from fractions import Fraction

import sympy

from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Status, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.papers.fmt21.appendices.likelihood_tail import Claim
from shuffleproof.proofs_check.papers.fmt21.clones.section3 import closed_form_verdict
from shuffleproof.proofs_check.papers.fmt21.clones.section3_bound_remarks import PRINTED
from shuffleproof.spec.bounds.clones.clones import Counts, dominating_pair
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick


def _follows_from_lemma_a1(claim: Claim) -> list[bool]:
    """Lemma 2.3 with q = (T - 1)/(T + 1) takes Lemma A.1's e^eps at p = 1/T to equation (7); root stands for sqrt(ln(inside/delta)/n)."""
    T, n, root, root_T = sympy.symbols("T n root root_T")  # root_T is sqrt(T)
    q, factor, offset = (T - 1) / (T + 1), sympy.Rational(claim.factor.numerator, claim.factor.denominator), claim.offset
    lemma_a1 = 1 + factor * root_T * root + offset * T / n
    equation_7 = 1 + q * (8 * root_T * root + 8 * T / n)
    return [
        symbolic.are_identical(1 + q * (lemma_a1 - 1), equation_7),
        symbolic.holds(claim.condition == 16),
        symbolic.holds(claim.inside == 4),
    ]


@statement(
    "FMT21.Lem3.5",
    says="for eps0 <= ln(n/(16 ln(2/delta))) the pair of Theorem 3.2 is (eps, delta)-indistinguishable for eps as in Theorem 3.1",
    range="n in N, delta in (0, 1], eps0 <= ln(n/(16 ln(2/delta)))",
    governs=["spec.bounds.clones.clones_closed_form", "impl.ball.bounds.clones.clones"],
    grounds=["FMT21.LemA.1", "FMT21.Lem2.3", "FMT21.Lem3.5.step-mixture", "FMT21.Lem3.5.step-convexity", SYMPY, BALLS, EXACT],
    mutants={
        "2 for the constant 8 under the root, and no second term": {"claim": Claim(factor=Fraction(2), condition=Fraction(16), inside=4)}
    },
)
def lemma_35(budget: Budget, *, claim: Claim = PRINTED) -> Verdict:
    follows = all(_follows_from_lemma_a1(claim))
    found = closed_form_verdict(
        budget,
        claim,
        holds=Status.PROVED,
        domain="all n, delta in (0, 1], eps0 in the range, by derivation from Lemma A.1; certified on the pair at the counted settings",
        note="the derivation gives (eps, q delta), q = (T-1)/(T+1); the appendix prints p delta there (see FMT21.Lem3.5.step-delta)",
    )
    if found.holds and not follows:
        return Verdict.refuted("equation (7) is not what Lemma 2.3 makes of Lemma A.1", domain=found.domain, cases=found.cases)
    return found


def _one_direction(P: Distribution[Counts], Q: Distribution[Counts], E: Fraction) -> bool:
    return hockey_stick(P, Q, exp_epsilon=E) == hockey_stick(Q, P, exp_epsilon=E)


@derived(
    "FMT21.Thm3.2-mirror",
    where="Theorem 3.2; eq. (25)",
    says="exchanging the coordinates turns P into Q, so D(P || Q) = D(Q || P) at every order: one direction is both",
    range="all n, eps0 >= 0, eps >= 0",
    governs=["spec.bounds.clones.clones", "impl.ball.bounds.clones.clones"],
    grounds=[SYMPY, EXACT],
    mutants={"Q with Delta of probability 1/2": {"weight": Fraction(1, 2)}},
)
def mirror_image(budget: Budget, *, weight: Fraction | None = None) -> Verdict:
    """Given C = c, P puts w C(c, a-1) + (1-w) C(c, a) over 2^c on (a, c+1-a); Q at the exchanged pair is the same number.

    Q at (b, a), a + b = c + 1, is (1-w) C(c, b-1) + w C(c, b); C(c, b-1) = C(c, a) and C(c, b) = C(c, a-1) as a + b = c + 1.
    """
    c, a, w = sympy.symbols("c a w", positive=True)
    b = c + 1 - a

    def binomial(top: sympy.Expr, bottom: sympy.Expr) -> sympy.Expr:
        return sympy.binomial(top, bottom).rewrite(sympy.gamma)

    under_p = w * binomial(c, a - 1) + (1 - w) * binomial(c, a)
    under_q = (1 - w) * binomial(c, b - 1) + w * binomial(c, b)
    if weight is not None:
        under_q = under_q.subs(w, sympy.Rational(weight.numerator, weight.denominator))
    largest = budget.pick(quick=8, full=24)
    domain = f"all n, eps0, counts (gamma functions); spec's pair for n <= {largest}"
    if not symbolic.is_one_by_gammas(under_p / under_q):
        return Verdict.refuted("the two probabilities differ as functions of c, a and the weight", domain=domain, cases=1)
    for n in range(1, largest + 1):
        for T in (Fraction(1), Fraction(3, 2), Fraction(7)):
            P, Q = dominating_pair(n=n, exp_epsilon0=T)
            same = P.map(lambda counts: counts[::-1]) == Q
            if not (same and all(_one_direction(P, Q, E) for E in PrivacyProfile(P, Q).corners())):
                return Verdict.refuted(f"n = {n}, e^eps0 = {T}", domain=domain, cases=n)
    return Verdict.proved(domain=domain, cases=1 + 3 * largest)
