"""LSZKG22, section 4: what makes the best threshold hard to release, Algorithm 2, and both ways of releasing one."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball.numeric.arithmetic import lower_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Kind, Verdict, derived, erratum, recalled, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.lszkg22.appendix_a import expected_objective
from shuffleproof.proofs_check.papers.lszkg22.instances import F, histograms, replaced, user_sets
from shuffleproof.spec.protocols.thresholds import User, minimiser, objective, subgradient, top_element, weight_above
from shuffleproof.spec.vocabulary.numerals import decimal_text

_LARGE = F(1000)
Chosen = Callable[[list[Fraction], Fraction], Fraction]
"""A rule for the threshold: from the sorted counts and a quantile."""


@statement(
    "LSZKG22.Sec4.fixed-threshold",
    where="Section 4, before Lemma 4.1",
    says="a fixed threshold, or a fixed quantile of the norms, cannot perform well in general, even for d = 1: its error exceeds any "
    "multiple of the least one for some datasets",
    range="any fixed C >= 0, any fixed quantile below 1",
    grounds=[EXACT, Cited("Amin et al., 2019")],
    mutants={"the top element of Lemma 4.1 is no better": {"chosen": lambda counts, _: top_element(counts, T=F(1))}},
)
def fixed_threshold(
    budget: Budget, *, ratio: Fraction = _LARGE, chosen: Chosen = lambda counts, quantile: counts[int(quantile * (len(counts) - 1))]
) -> Verdict:
    """d = 1, T = 1 (eps = 1): a fixed C against users with count M; a fixed quantile against k such users among k + l with none."""
    decided, failing = 0, None
    for C in (F(1), F(10), F(1000)):
        decided += 1
        n, M = 4 * int(ratio), 2 * C
        if not n * (M - C) > ratio * M:  # the bias of C alone, against the error T M = M of the threshold M
            failing = f"C = {C}, n = {n}, all counts {M}"
    for quantile in (F(1, 4), F(1, 2), F(3, 4), F(9, 10), F(99, 100)):
        decided += 1
        k = 2 * int(ratio)  # users with one item; enough others for the quantile to be 0
        others = int(k * quantile / (1 - quantile)) + 1
        counts = sorted([F(0)] * others + [F(1)] * k)
        threshold = chosen(counts, quantile)
        if threshold != 0 or not k > ratio * 1:  # err(0) = k, err(1) = 1 (mean noise T)
            failing = f"quantile {quantile}"
    return Verdict.certified(
        domain=f"d = 1, eps = 1; C = 1, 10, 1000 and five quantiles, ratio {ratio}: the families are explicit, so for every ratio",
        cases=decided,
        note="fixed C: n users with count 2C, error at least n C against 2C; fixed quantile: k users with one item, the rest "
        "without, k against 1",
        against=failing,
    )


@recalled(
    "LSZKG22.Sec4.cauchy-schwarz",
    where="Section 4, after Theorem 4.2",
    says="by Cauchy-Schwarz ||h||_1/||h||_2 <= sqrt(||h||_0); it is at least 1",
    range="h != 0",
    governs=["spec.protocols.thresholds"],
    grounds=[EXACT, SYMPY, "user-histograms#clipping-and-noise"],
    mutants={"at most ||h||_0^0 = 1": {"power": 0}},
    missing="vectors beyond the enumerated ones",
)
def cauchy_schwarz(budget: Budget, *, power: int = 1) -> Verdict:
    """||h||_2^2 <= ||h||_1^2 <= ||h||_0^power ||h||_2^2 in integers, and Lagrange's identity for three coordinates."""
    x, y, z = sympy.symbols("x y z", nonnegative=True)
    lagrange = 3 * (x**2 + y**2 + z**2) - (x + y + z) ** 2 - ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2)
    if not symbolic.is_zero(lagrange):
        return Verdict.undecided("Lagrange's identity was not decided", domain="three coordinates", cases=1)
    cases = [h for d in (1, 2, 3, 4) for h in histograms(d=d, most=budget.pick(quick=3, full=4)) if any(h)]

    def holds(h: tuple[int, ...]) -> bool:
        squared, total, support = sum(v * v for v in h), sum(h), sum(v > 0 for v in h)
        return squared <= total * total and total**2 * support ** (1 - power) <= support * squared

    return exhaustive.for_all(cases, holds=holds).verdict(
        domain="all h != 0: Cauchy-Schwarz on the support (||h||_0 ||h||_2^2 - ||h||_1^2 is a sum of squares); exhausted for d <= 4, "
        "counts <= 3",
        witness=lambda h: f"h = {h}",
    )


USERS = {"norms": tuple(map(F, (0, 1, 2, 4))), "weights": tuple(map(F, ("1", "2")))}


@statement(
    "LSZKG22.Sec4.gradient",
    where="Section 4, after Theorem 4.2; Corollary 4.3",
    says="C* minimises a convex function, U, whose subgradient T - S(C), S(C) = sum of w_i over m_i > C, has sensitivity at most the "
    "largest weight, sqrt(s) for s-sparse users",
    range="all datasets, either relation",
    governs=["spec.protocols.thresholds"],
    mutants={"half of it": {"factor": F(1, 2)}},
)
def gradient(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """|S(C) - S'(C)| over neighbours: at most the larger weight (replace-one), the weight (add-remove); and U is convex."""
    decided = 0
    for users in user_sets(norms=USERS["norms"], weights=USERS["weights"], most=budget.pick(quick=2, full=3)):
        for newcomer in (User(m, w) for m in USERS["norms"] for w in USERS["weights"]):
            others = [((*users, newcomer), newcomer.w)] + [
                (other, max(users[i].w, newcomer.w)) for i, other in enumerate(replaced(users, newcomer))
            ]
            for (other, allowed), C in product(others, map(F, (0, 1, 2, 3))):
                decided += 1
                if abs(weight_above(users, C=C) - weight_above(other, C=C)) > factor * allowed:
                    return Verdict.refuted(f"{users} and {other}, C = {C}", domain="few users", cases=decided)
        for C, D in product(map(F, (0, 1, 2, 3, 5)), repeat=2):
            decided += 1
            chord = (objective(users, C=C, T=F(1)) + objective(users, C=D, T=F(1))) / 2
            assert objective(users, C=(C + D) / 2, T=F(1)) <= chord
            slope = subgradient(users, C=C, T=F(1))
            assert objective(users, C=D, T=F(1)) >= objective(users, C=C, T=F(1)) + slope * (D - C)
    return Verdict.certified(
        domain="all datasets: S is a sum over users, each term between 0 and w_i, and U a sum of convex functions with subgradient T - "
        "S(C); exhausted for up to 3 users",
        cases=decided,
    )


@derived(
    "LSZKG22.Sec4.sensitivity-of-threshold",
    where="Section 4: if each user's histogram has very few non-zero entries, then the sensitivity would be low",
    kind=Kind.READING,
    says="a reading: for s-sparse users the sensitivity of C* is at most sqrt(s)",
    range="all s-sparse datasets",
    governs=["spec.protocols.thresholds"],
    mutants={"corrected statement with sqrt(s)/2": {"corrected_factor": F(1, 2)}},
)
def sensitivity_of_threshold(budget: Budget, *, corrected_factor: Fraction = Fraction(1)) -> Verdict:
    moved = {
        M: minimiser([User(M, F(1)), User(M, F(1))], T=F(1)) - minimiser([User(F(1), F(1)), User(M, F(1))], T=F(1))
        for M in (F(10), F(10**6), F(10**12))
    }
    # T = 1: with {1, M}, S(C) <= 1 from C = 1 on; with {M, M}, from C = M on
    unbounded = all(step == M - 1 for M, step in moved.items())
    gradient_verdict = gradient.check(Budget(), factor=corrected_factor)
    return erratum(
        witness="T = 1, one-element histograms (s = 1): replacing the user {1} by {M} beside a user {M} moves C* from 1 to M, any M",
        is_witness=unbounded,
        corrected="sqrt(s) bounds the sensitivity of S(C), the gradient of U, at every C; that of C* is unbounded even for s = 1",
        beside=gradient_verdict,
        domain="d = 1, M = 10, 1e6, 1e12",
        cases=len(moved) + gradient_verdict.cases,
        note="the text has lost the symbol whose sensitivity is upper bounded by sqrt(s); it stands two sentences after C*",
    )


@statement(
    "LSZKG22.Sec1.two-approximation",
    where="Section 1, contributions",
    kind=Kind.PART,
    says="the algorithm provides a 2-approximation of the best clipping threshold in hindsight, taking into account the private "
    "estimation of the chosen clipping threshold: E err(Ctil) <= 2 min over C of err(C)",
    grounds=[BALLS, "LSZKG22.Alg1.error-laplace"],
    mutants={"corrected statement with an additive 1/4 where 1/2 is due": {"additive": F(1, 4)}},
)
def with_private_threshold(budget: Budget, *, additive: Fraction = F(1, 2)) -> Verdict:
    """All histograms empty, d = 1, T = 1: U(C) = C is the mean noise, least at C = 0; additive: what is allowed on top of the multiple."""
    B, scale = F(40), F(1)  # W = lam = eps' = 1
    expected = expected_objective((), T=F(1), centre=F(0), scale=scale, B=B)
    above = lower_end(expected)
    shown = decimal_text(above, digits=6, direction="down")
    return erratum(
        witness="every user without data, d = 1, T = W = lam = eps' = 1, B = 40: C = 0 has error 0, Algorithm 2's threshold has "
        f"expected error at least {shown}, so every multiple of the least error is exceeded",
        is_witness=above > 0 and objective((), C=F(0), T=F(1)) == 0,
        corrected="E err <= 2 min err + an additive term, B sqrt(s n/eps') for Algorithm 2 (LSZKG22.Cor4.4), which may be the larger part",
        counterexample=None if additive >= above else f"expected error {shown} on empty data",
        domain="empty data",
        cases=1,
        note="the abstract says: almost achieves",
    )
