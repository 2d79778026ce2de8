"""FMT21, appendix C: Lemma C.1 and the steps from (epsilon0, delta0)-DP randomizers to epsilon0-DP ones nearby."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, Argument, Budget, Cited, Row, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, laws
from shuffleproof.proofs_check.ledger.methods.search import Search
from shuffleproof.proofs_check.papers.fmt21.approximate_reduction import (
    Case,
    Law,
    least_delta,
    least_delta0,
    middle,
    one_sided,
    printed,
)
from shuffleproof.proofs_check.papers.fmt21.section2 import laws_in_parts
from shuffleproof.proofs_check.papers.fmt21.section3_1_theorem import adaptive_cases
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick, total_variation
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_law
from shuffleproof.spec.randomizers.clipping import clipped

_ORDERS = (Fraction(1), Fraction(3, 2), Fraction(4))
_SIGNS = [(Fraction(a), Fraction(b)) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))]


def subadditive() -> bool:
    """Whether the positive part is subadditive: both sides are linear between these rays."""
    zero = Fraction(0)
    return all(max(zero, a + b) <= max(zero, a) + max(zero, b) for a, b in _SIGNS)


@statement(
    "FMT21.LemC.1",
    where="Lemma C.1",
    provenance="text",
    says="D_(e^eps)(P', Q') <= delta, TV(P, P') <= delta', TV(Q, Q') <= delta' imply D_(e^eps)(P, Q) <= delta + (e^eps + 1) delta'",
    range="all P, Q, P', Q', eps >= 0",
    governs=["spec.divergence"],
    grounds=[Argument("arguments#subadditivity-of-the-positive-part"), EXACT],
    mutants={
        "e^eps delta' for (e^eps + 1) delta'": {"for_p": 0},
        "delta' for (e^eps + 1) delta'": {"for_q": 0},
    },
)
def lemma_c1(budget: Budget, *, for_p: int = 1, for_q: int = 1) -> Verdict:
    """for_p, for_q: the coefficients of TV(P, P') and e^eps TV(Q, Q'), both 1 for the statement."""
    three = laws(outputs=3)
    cases = st.tuples(three, three, three, three, st.sampled_from(_ORDERS))

    def slack(case: tuple[Law, Law, Law, Law, Fraction]) -> Fraction:
        p, q, new_p, new_q, E = case
        price = for_p * total_variation(p, new_p) + for_q * E * total_variation(q, new_q)
        return hockey_stick(new_p, new_q, exp_epsilon=E) + price - hockey_stick(p, q, exp_epsilon=E)

    found = sampled.least_slack(cases, slack=slack, budget=budget, quick=150, full=1500)
    verdict = found.verdict(
        domain="all P, Q, P', Q', eps >= 0: P - E Q = (P' - E Q') + (P - P') + E (Q' - Q), positive parts outcome by outcome",
        witness=lambda c: f"P = {c[0]}, Q = {c[1]}, P' = {c[2]}, Q' = {c[3]}, e^eps = {c[4]}",
        note="in the sharper form D(P || Q) <= D(P' || Q') + TV(P, P') + e^eps TV(Q, Q'). The appendix is "
        "headed `Proof of Proposition 3.8`",
    )
    if not subadditive():
        raise AssertionError("the positive part is not subadditive")
    return verdict


@statement(
    "FMT21.Lem3.7.step-levels",
    where="Appendix C, proof of Lemma 3.7",
    provenance="text",
    says="f(eps) = tau' < tau <= TV(rho, rho_x) = f(0), so that some eps' in [0, eps) has f(eps') = tau; likewise if tau < tau'",
    range="all rho, rho_x, eps >= 0",
    governs=["spec.randomizers.clipping"],
    grounds=[EXACT],
    mutants={
        "tau <= 0.9 TV(rho, rho_x)": {"share": Fraction(9, 10)},
    },
)
def step_levels(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """share: of TV(rho, rho_x) that is claimed to be at least tau and tau'."""
    listed = laws_in_parts(budget.pick(quick=4, full=7), 3)

    def slack(case: tuple[Law, Law, Fraction]) -> Fraction:
        law, reference, T = case
        cut = hockey_stick(law, reference, exp_epsilon=T)
        raised = hockey_stick(reference, law, exp_epsilon=T) / T
        return share * total_variation(law, reference) - max(cut, raised)

    found = exhaustive.least_slack(product(listed, listed, _ORDERS), slack=slack)
    return found.verdict(
        domain="all laws: [a - T b]_+ <= [a - b]_+ and [b/T - a]_+ <= [b - a]_+ for a, b >= 0, T >= 1; computed in small parts",
        witness=lambda c: f"rho_x = {c[0]}, rho = {c[1]}, e^eps = {c[2]}",
        note="f(eps) = tau', f(0) = TV(rho, rho_x), and f is continuous and falls: so f(eps') = tau has a solution where tau > tau'",
    )


@statement(
    "FMT21.Thm3.8.step-reference",
    where="Appendix C, proof of Theorem 3.8",
    provenance="text",
    says="R(x) is (eps0, delta0)-indistinguishable from (R(x_1^0) + R(x_1^1))/2, so R is deletion (eps0, delta0)-DP with this reference",
    range="all (eps0, delta0)-DP R",
    grounds=[Row("FMT21.Sec2.remark-convexity"), EXACT],
    mutants={
        "(eps0, delta0/2)-indistinguishable": {"share": Fraction(1, 2)},
    },
)
def step_reference(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    listed = laws_in_parts(budget.pick(quick=3, full=5), 3)

    def slack(case: tuple[Law, Law, Law, Fraction]) -> Fraction:
        r, r0, r1, T = case
        return share * max(least_delta(r, r0, T), least_delta(r, r1, T)) - least_delta(r, middle(r0, r1), T)

    found = exhaustive.least_slack(product(listed, listed, listed, _ORDERS[1:]), slack=slack)
    return found.verdict(
        domain="all laws, by convexity; computed for all laws on 3 messages in parts of 1/3 (full: 1/5), e^eps0 = 3/2, 4",
        witness=lambda c: f"R(x) = {c[0]}, R(x_1^0) = {c[1]}, R(x_1^1) = {c[2]}, e^eps0 = {c[3]}",
    )


def _randomizers(parts: int) -> list[LocalRandomizer[int, int]]:
    listed = laws_in_parts(parts, 3)
    return [LocalRandomizer(range(3), dict(enumerate(case))) for case in product(listed, repeat=3)]


def _moved(randomizer: LocalRandomizer[int, int], near: LocalRandomizer[int, int], T: Fraction) -> tuple[Fraction, Fraction]:
    """TV of the law of x_1^1, and of another x; both are -1 if (20)-(22) fail for the nearby randomizer."""
    r0, new_r1, other = (near.law(x) for x in range(3))
    half = middle(r0, new_r1)
    private = all(p[y] <= T * q[y] for p, q in ((r0, new_r1), (new_r1, r0)) for y in p.support)
    covered = all(half[y] <= T * other[y] for y in half.support)
    if not (private and covered):
        return Fraction(-1), Fraction(-1)
    return total_variation(randomizer.law(1), new_r1), total_variation(randomizer.law(2), other)


def _nearby(budget: Budget, *, sided: bool, more: Fraction) -> Verdict:
    """sided: the derived construction. more: how far another law may move, as a multiple of delta0/T, beyond delta0 where printed."""
    pool = _randomizers(budget.pick(quick=2, full=4))

    def slack(case: tuple[LocalRandomizer[int, int], Fraction]) -> Fraction:
        randomizer, T = case
        delta0 = least_delta0(randomizer, T)
        own, other = _moved(randomizer, (one_sided if sided else printed)(randomizer, T), T)
        allowed = delta0 * (more / T + (0 if sided else 1))
        return Fraction(-1) if own < 0 else min(delta0 - own, allowed - other)

    found = exhaustive.least_slack(product(pool, _ORDERS), slack=slack)
    return found.verdict(
        domain="all laws, by the triangle inequality and the positive part; computed for all on 3 messages in parts of 1/2 (full: 1/4)",
        witness=lambda c: f"R = {[c[0].law(x) for x in range(3)]}, e^eps0 = {c[1]}",
    )


@statement(
    "FMT21.Thm3.8.step-nearby",
    where="Appendix C, equations (20) to (22)",
    provenance="text",
    says="L(x_1^0) = R(x_1^0), L(x_1^1) = R'(x_1^1) are eps0-indistinguishable, L(x) >= e^-eps0 (L(x_1^0) + L(x_1^1))/2 for other x, and "
    "TV(R(x_1^1), L(x_1^1)) <= delta0, TV(R(x), L(x)) <= (1 + e^-eps0/2) delta0",
    range="all (eps0, delta0)-DP R",
    governs=["proofs_check.papers.fmt21.approximate_reduction"],
    grounds=[
        Row("FMT21.Lem3.7"),
        Row("FMT21.Thm3.8.step-reference"),
        Argument("arguments#subadditivity-of-the-positive-part"),
        EXACT,
    ],
    mutants={
        "TV(R(x), L(x)) <= delta0/3": {"more": Fraction(-2, 3)},
    },
)
def step_nearby(budget: Budget, *, sided: bool = False, more: Fraction = Fraction(1, 2)) -> Verdict:
    return _nearby(budget, sided=sided, more=more)


@statement(
    "FMT21.Thm3.8.step-one-sided",
    where="Appendix C, equation (22)",
    provenance="derived",
    says="L(x) = max(R(x), h), h = e^-eps0 (R(x_1^0) + R'(x_1^1))/2, with what was added taken from R(x) - h where that is positive, is "
    "at TV D_(e^eps0)(e^eps0 h || R(x)) e^-eps0 <= (3/2) e^-eps0 delta0 from R(x)",
    range="all (eps0, delta0)-DP R",
    governs=["proofs_check.papers.fmt21.approximate_reduction"],
    grounds=[
        Row("FMT21.Lem3.7"),
        Row("FMT21.Thm3.8.step-reference"),
        Argument("arguments#subadditivity-of-the-positive-part"),
        EXACT,
    ],
)
def step_one_sided(budget: Budget) -> Verdict:
    found = _nearby(budget, sided=True, more=Fraction(3, 2))
    ordered = all(
        clipped(p, q, exp_epsilon=T)[y] <= max(p[y], q[y])
        for p, q in product(laws_in_parts(4, 3), repeat=2)
        for T in _ORDERS
        for y in range(3)
    )
    if not (subadditive() and ordered):
        raise AssertionError("R' exceeds both R(x_1^0) and R(x_1^1) somewhere")
    return found


@step_one_sided.mutant("(9/10) e^-eps0 delta0")
def _(budget: Budget) -> Verdict:
    return _nearby(budget, sided=True, more=Fraction(9, 10))


def _union_slack(case: Case, *, share: Fraction = Fraction(1)) -> Fraction:
    """share times the sum of the users' largest distances, minus TV(A_s(X_b), A_L(X_b)), for the worse b."""
    near = case.replaced(printed)
    pairs = [(old, printed(old, case.T)) for old in case.steps.pool]
    slacks = []
    for b in (0, 1):
        data = (b, *case.others)
        users = sum((max(total_variation(old.law(x), new.law(x)) for old, new in pairs) for x in data), Fraction(0))
        before, after = (adaptive_shuffled_law(sequence, data) for sequence in (case.steps.sequence, near))
        slacks.append(share * users - total_variation(before, after))
    return min(slacks)


def _union(found: Search[Case]) -> Verdict:
    return found.verdict(
        domain="all n and sequences: exchange one step at a time; computed on random adaptive sequences with n <= 3",
        witness=str,
        note="each of the n - 1 other users adds at most (1 + e^-eps0/2) delta0, user 1 delta0 with x_1^1 and nothing with x_1^0",
    )


@statement(
    "FMT21.Thm3.8.step-union",
    where="Appendix C, proof of Theorem 3.8",
    provenance="text",
    says="TV(A_s(X_b), A_L(X_b)) is at most the sum of the users' distances, so at most n (1 + e^-eps0/2) delta0",
    range="all n, adaptive (eps0, delta0)-DP randomizers, b = 0, 1",
    grounds=[Row("FMT21.Sec2.remark-post-processing"), Row("FMT21.Sec2.remark-convexity"), Cited("the triangle inequality"), EXACT],
)
def step_union(budget: Budget) -> Verdict:
    return _union(found=sampled.least_slack(adaptive_cases(largest=3), slack=_union_slack, budget=budget, quick=25, full=250))


@step_union.mutant("half of that sum")
def _(budget: Budget) -> Verdict:
    alone = LocalRandomizer(range(4), {x: Distribution.point(min(x, 1)) for x in range(4)})  # one user, who tells 0 from 1
    case = Case(Fraction(1), AdaptiveSteps((alone,), (0,)), ())
    return _union(exhaustive.least_slack([case], slack=lambda one: _union_slack(one, share=Fraction(1, 2))))
