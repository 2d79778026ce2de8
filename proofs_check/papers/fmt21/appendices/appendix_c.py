"""FMT21, appendix C: Lemma C.1 and the steps from (epsilon0, delta0)-DP randomizers to epsilon0-DP ones nearby."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

import sympy
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Status, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, positive_parts, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, distributions
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import (
    Case,
    IntegerDistribution,
    least_delta,
    least_delta0,
    middle,
    one_sided,
    printed,
)
from shuffleproof.proofs_check.papers.fmt21.clones.section3_1_theorem import adaptive_cases
from shuffleproof.spec.distribution import Distribution, hockey_stick, total_variation
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution
from shuffleproof.spec.randomizers.clipping import clipped

_ORDERS = (Fraction(1), Fraction(3, 2), Fraction(4))  # e^epsilon: total variation first
_TIGHT = (
    (Fraction(3, 2), ((2, 0, 10), (4, 0, 8), (3, 1, 8))),
    (Fraction(4), ((1, 0, 11), (5, 0, 7), (3, 1, 8))),
    (Fraction(2), ((0, 4, 6, 2), (2, 6, 4, 0), (1, 2, 9, 0))),
)
"""e^eps0, and distributions of x_1^0, x_1^1 and another x in twelfths, that are moved as far as the steps below say, or nearly so."""


def _tight() -> list[tuple[LocalRandomizer[int, int], Fraction]]:
    return [
        (LocalRandomizer(range(3), {x: Distribution({y: Fraction(w, 12) for y, w in enumerate(law)}) for x, law in enumerate(laws)}), T)
        for T, laws in _TIGHT
    ]


def _with_steps(found: Verdict, steps: Sequence[bool], *, domain: str, says: str, note: str | None = None) -> Verdict:
    """Proved for all distributions, outcome by outcome, by these steps; the cases computed beside them must agree."""
    if not found.holds:
        return found
    if not all(steps):
        return Verdict.refuted(f"outcome by outcome: {says} fails", domain=domain, cases=len(steps))
    return Verdict.proved(domain=f"{domain}; computed for {found.domain}", cases=len(steps) + found.cases, slack=found.slack, note=note)


@statement(
    "FMT21.LemC.1",
    says="D_(e^eps)(P', Q') <= delta, TV(P, P') <= delta', TV(Q, Q') <= delta' imply D_(e^eps)(P, Q) <= delta + (e^eps + 1) delta'",
    range="all P, Q, P', Q', eps >= 0",
    governs=["spec.distribution"],
    grounds=["FMT21.Sec2.subadditivity", SYMPY],
    mutants={"e^eps delta' for (e^eps + 1) delta'": {"for_p": 0}, "delta' for (e^eps + 1) delta'": {"for_q": 0}},
)
def lemma_c1(budget: Budget, *, for_p: int = 1, for_q: int = 1) -> Verdict:
    """for_p, for_q: the coefficients of TV(P, P') and e^eps TV(Q, Q'), both 1 for the statement."""
    three = distributions(outputs=3)
    cases = st.tuples(three, three, three, three, st.sampled_from(_ORDERS))

    def slack(
        p: IntegerDistribution, q: IntegerDistribution, new_p: IntegerDistribution, new_q: IntegerDistribution, E: Fraction
    ) -> Fraction:
        price = for_p * total_variation(p, new_p) + for_q * E * total_variation(q, new_q)
        return hockey_stick(new_p, new_q, exp_epsilon=E) + price - hockey_stick(p, q, exp_epsilon=E)

    E, p, q, p_near, q_near = sympy.symbols("E P Q P' Q'")
    parts: list[positive_parts.Part] = [(1, p_near - E * q_near), (for_p, p - p_near), (for_q * E, q_near - q)]
    found = sampled.least_slack(cases, slack=slack, budget=budget, quick=150, full=1500)
    return _with_steps(
        found.verdict(domain="random distributions on 3 messages"),
        [positive_parts.is_combination(p - E * q, parts, at_least={E: 1})],
        domain="all P, Q, P', Q', eps >= 0: P - E Q = (P' - E Q') + (P - P') + E (Q' - Q)",
        says="that sum of positive parts",
        note="sharper: D(P || Q) <= D(P' || Q') + TV(P, P') + e^eps TV(Q, Q'). The appendix is headed `Proof of Proposition 3.8`",
    )


@statement(
    "FMT21.Lem3.7.step-levels",
    says="f(eps) = tau' < tau <= TV(rho, rho_x) = f(0), so that some eps' in [0, eps) has f(eps') = tau; likewise if tau < tau'",
    range="all rho, rho_x, eps >= 0",
    governs=["spec.randomizers.clipping"],
    mutants={"tau <= 0.9 TV(rho, rho_x)": {"share": Fraction(9, 10)}},
)
def step_levels(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """share: of TV(rho, rho_x) that is claimed to be at least tau and tau'."""
    listed = distributions_in_parts(budget.pick(quick=4, full=7), 3)

    def slack(law: IntegerDistribution, reference: IntegerDistribution, T: Fraction) -> Fraction:
        cut = hockey_stick(law, reference, exp_epsilon=T)
        raised = hockey_stick(reference, law, exp_epsilon=T) / T
        return share * total_variation(law, reference) - max(cut, raised)

    T, a, b = sympy.symbols("T a b")
    least, part = {T: 1, a: 0, b: 0}, sympy.Rational(share)
    steps = [  # u <= v implies [u]_+ <= [v]_+
        symbolic.is_nonnegative(part * (a - b) - (a - T * b), at_least=least),
        symbolic.is_nonnegative(part * (b - a) - (b / T - a), at_least=least),
    ]
    found = exhaustive.least_slack(product(listed, listed, _ORDERS), slack=slack)
    return _with_steps(
        found.verdict(domain="small parts"),
        steps,
        domain="all distributions: [a - T b]_+ <= [a - b]_+ and [b/T - a]_+ <= [b - a]_+ for a, b >= 0, T >= 1",
        says="one of the two inequalities",
        note="f(eps) = tau', f(0) = TV(rho, rho_x), and f is continuous and falls: so f(eps') = tau has a solution where tau > tau'",
    )


@statement(
    "FMT21.Thm3.8.step-reference",
    says="R(x) is (eps0, delta0)-indistinguishable from (R(x_1^0) + R(x_1^1))/2, so R is deletion (eps0, delta0)-DP with this reference",
    range="all (eps0, delta0)-DP R",
    grounds=["FMT21.Sec2.remark-convexity", EXACT],
    mutants={"(eps0, delta0/2)-indistinguishable": {"share": Fraction(1, 2)}},
)
def step_reference(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    listed = distributions_in_parts(budget.pick(quick=3, full=5), 3)

    def slack(r: IntegerDistribution, r0: IntegerDistribution, r1: IntegerDistribution, T: Fraction) -> Fraction:
        return share * max(least_delta(r, r0, T), least_delta(r, r1, T)) - least_delta(r, middle(r0, r1), T)

    T, r, r0, r1 = sympy.symbols("T R R_0 R_1")
    half = sympy.Rational(share) / 2
    steps = [
        positive_parts.is_combination(r - T * (r0 + r1) / 2, [(half, r - T * r0), (half, r - T * r1)]),
        positive_parts.is_combination((r0 + r1) / 2 - T * r, [(half, r0 - T * r), (half, r1 - T * r)]),
    ]
    found = exhaustive.least_slack(product(listed, listed, listed, _ORDERS[1:]), slack=slack)
    return _with_steps(
        found.verdict(domain="all distributions on 3 messages in parts of 1/3 (full: 1/5), e^eps0 = 3/2, 4"),
        steps,
        domain="all distributions, in both directions: at most the mean of the divergences from R(x_1^0) and R(x_1^1)",
        says="that mean",
    )


def _randomizers(parts: int) -> list[LocalRandomizer[int, int]]:
    listed = distributions_in_parts(parts, 3)
    return [LocalRandomizer(range(3), dict(enumerate(case))) for case in product(listed, repeat=3)]


def _moved(randomizer: LocalRandomizer[int, int], near: LocalRandomizer[int, int], T: Fraction) -> tuple[Fraction, Fraction]:
    """TV of the distribution of x_1^1, and of another x; both are -1 if (20)-(22) fail for the nearby randomizer."""
    r0, new_r1, other = (near.distribution(x) for x in range(3))
    half = middle(r0, new_r1)
    private = all(p[y] <= T * q[y] for p, q in ((r0, new_r1), (new_r1, r0)) for y in p.support)
    covered = all(half[y] <= T * other[y] for y in half.support)
    if not (private and covered):
        return Fraction(-1), Fraction(-1)
    return total_variation(randomizer.distribution(1), new_r1), total_variation(randomizer.distribution(2), other)


def _moved_far(pool: Iterable[tuple[LocalRandomizer[int, int], Fraction]], *, sided: bool, once: int, more: Fraction) -> Verdict:
    """Return whether distributions of other x move by at most (once + more/T) delta0, and that of x_1^1 by delta0.

    sided: the derived one.
    """

    def slack(randomizer: LocalRandomizer[int, int], T: Fraction) -> Fraction:
        delta0 = least_delta0(randomizer, T)
        own, other = _moved(randomizer, (one_sided if sided else printed)(randomizer, T), T)
        return Fraction(-1) if own < 0 else min(delta0 - own, delta0 * (once + more / T) - other)

    return exhaustive.least_slack(pool, slack=slack).verdict(
        domain="distributions on 3 messages in parts of 1/2 (full: 1/4), and three that are moved far",
        witness=lambda c: f"R = {[c[0].distribution(x) for x in range(3)]}, e^eps0 = {c[1]}",
    )


@statement(
    "FMT21.Thm3.8.step-nearby",
    where="Appendix C, equations (20) to (22)",
    says="L(x_1^0) = R(x_1^0), L(x_1^1) = R'(x_1^1) are eps0-indistinguishable, L(x) >= e^-eps0 (L(x_1^0) + L(x_1^1))/2 for other x, and "
    "TV(R(x_1^1), L(x_1^1)) <= delta0, TV(R(x), L(x)) <= (1 + e^-eps0/2) delta0",
    range="all (eps0, delta0)-DP R",
    governs=["proofs_check.papers.fmt21.clones.reduction"],
    grounds=[
        "FMT21.Lem3.7",
        "FMT21.Thm3.8.step-reference",
        "FMT21.Sec2.subadditivity",
        "nearby-randomizers#the-printed-construction",
        SYMPY,
        EXACT,
    ],
    mutants={
        "TV(R(x), L(x)) <= (1 + 0.9 e^-eps0/2) delta0": {"more": Fraction(9, 20)},
        "TV(R(x), L(x)) <= e^-eps0 delta0/2": {"once": 0},
        "L(x) >= e^-eps0 (L(x_1^0) + L(x_1^1))": {"cover": 1},
    },
    missing="distributions beyond those in small parts",
)
def step_nearby(budget: Budget, *, once: int = 1, more: Fraction = Fraction(1, 2), cover: Fraction = Fraction(1, 2)) -> Verdict:
    """near: R(x) clipped to (R_0 + R_1)/2; L(x) = near + (R_1' - R_1)/(2T)."""
    T, r, near, r0, r1, new_r1 = sympy.symbols("T R near R_0 R_1 R_1'")
    other = near + (new_r1 - r1) / (2 * T)
    weight = 1 / (2 * T)
    steps = [
        positive_parts.is_combination(r - other, [(once, r - near), (more / T if more else 0, r1 - new_r1)], at_least={T: 1}),
        symbolic.are_identical(other - cover / T * (r0 + new_r1), near - weight * (r0 + r1)),  # >= 0: near is clipped to it
    ]
    pool = product(_randomizers(budget.pick(quick=2, full=4)), _ORDERS)
    found = _moved_far([*_tight(), *pool], sided=False, once=once, more=more)
    return _argued(found, steps, says="R(x) - L(x) = (R(x) - near) + (R_1 - R_1')/(2T), or (22)")


@derived(
    "FMT21.Thm3.8.step-one-sided",
    where="Appendix C, equation (22)",
    says="L(x) = max(R(x), h), h = e^-eps0 (R(x_1^0) + R'(x_1^1))/2, with what was added taken from R(x) - h where that is positive, is "
    "at TV D_(e^eps0)(e^eps0 h || R(x)) e^-eps0 <= (3/2) e^-eps0 delta0 from R(x)",
    range="all (eps0, delta0)-DP R",
    governs=["proofs_check.papers.fmt21.clones.reduction"],
    grounds=[
        "FMT21.Lem3.7",
        "FMT21.Thm3.8.step-reference",
        "FMT21.Sec2.subadditivity",
        "nearby-randomizers#the-one-sided-construction",
        SYMPY,
        EXACT,
    ],
    mutants={"e^-eps0 delta0": {"more": Fraction(1)}, "R_1' is at most R(x_1^0) where it exceeds R(x_1^1)": {"larger": lambda p, q: q}},
    missing="distributions beyond those in small parts",
)
def step_one_sided(budget: Budget, *, more: Fraction = Fraction(3, 2), larger: Callable[[Fraction, Fraction], Fraction] = max) -> Verdict:
    """T h - T R = (R_0 - T R)/2 + (R_1' - T R)/2, and R_1' <= max(R_0, R_1): delta0/2 for the first, 2 delta0/2 for the second."""
    T, r, r0, new_r1 = sympy.symbols("T R R_0 R_1'")
    half = sympy.Rational(1, 2) if more >= Fraction(3, 2) else sympy.Rational(more) / 3
    steps = [positive_parts.is_combination((r0 + new_r1) / 2 - T * r, [(half, r0 - T * r), (half, new_r1 - T * r)])]
    pairs = product(distributions_in_parts(4, 3), repeat=2)
    ordered = exhaustive.for_all(
        product(pairs, _ORDERS),
        holds=lambda c: all(clipped(*c[0], exp_epsilon=c[1])[y] <= larger(c[0][0][y], c[0][1][y]) for y in range(3)),
    )
    if not ordered.holds:
        return ordered.verdict(
            domain="distributions in quarters", witness=lambda c: f"R_1, R_0 = {c[0]}, e^eps0 = {c[1]}: R_1' exceeds both"
        )
    pool = product(_randomizers(budget.pick(quick=2, full=4)), _ORDERS)
    found = _moved_far([*_tight(), *pool], sided=True, once=0, more=more)
    return _argued(found, steps, says="T h - T R(x) = (R_0 - T R(x))/2 + (R_1' - T R(x))/2")


def _argued(found: Verdict, steps: Sequence[bool], *, says: str) -> Verdict:
    """Argued for all distributions, with these steps computed and these cases decided beside the argument."""
    settled = _with_steps(found, steps, domain="all (eps0, delta0)-DP R, by the written argument", says=says)
    return replace(settled, status=Status.ARGUED) if settled.holds else settled


def _union_slack(case: Case, *, share: Fraction = Fraction(1)) -> Fraction:
    """share times the sum of the users' largest distances, minus TV(A_s(X_b), A_L(X_b)), for the worse b."""
    near = case.replaced(printed)
    pairs = [(old, printed(old, case.T)) for old in case.steps.pool]
    slacks = []
    for b in (0, 1):
        data = (b, *case.others)
        users = sum((max(total_variation(old.distribution(x), new.distribution(x)) for old, new in pairs) for x in data), Fraction(0))
        before, after = (adaptive_shuffled_distribution(sequence, data) for sequence in (case.steps.sequence, near))
        slacks.append(share * users - total_variation(before, after))
    return min(slacks)


@statement(
    "FMT21.Thm3.8.step-union",
    says="TV(A_s(X_b), A_L(X_b)) is at most the sum of the users' distances, so at most n (1 + e^-eps0/2) delta0",
    range="all n, adaptive (eps0, delta0)-DP randomizers, b = 0, 1",
    grounds=["FMT21.Sec2.remark-post-processing", "FMT21.Sec2.remark-convexity", "nearby-randomizers#one-step-at-a-time", EXACT],
    mutants={"0.9 of that sum": {"share": Fraction(9, 10)}},
    missing="sequences beyond the enumerated ones; Coq has it inside nearby_private",
)
def step_union(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    alone = LocalRandomizer(range(4), {x: Distribution.point(min(x, 1)) for x in range(4)})  # one user, who separates 0 from 1
    tight = exhaustive.least_slack([Case(Fraction(1), AdaptiveSteps((alone,), (0,)), ())], slack=lambda one: _union_slack(one, share=share))
    drawn = sampled.least_slack(
        adaptive_cases(largest=3), slack=lambda one: _union_slack(one, share=share), budget=budget, quick=25, full=250
    )
    found = drawn if tight.holds else tight
    return found.verdict(
        domain=f"all n and sequences, by the written argument; {drawn.cases} random adaptive sequences with n <= 3",
        witness=str,
        claims=Status.ARGUED,
        note="each of the n - 1 other users adds at most (1 + e^-eps0/2) delta0, user 1 delta0 with x_1^1 and nothing with x_1^0",
    )
