"""LSZKG22, appendix A.1, the bound (4) on the error, and A.2: the regularised threshold moves little, and costs little.

With phi(C) = T + lam C - S(C), which rises by at least lam (y - x) from x to y: neighbours have |phi - phi'| <= max(w, w') = v, so
phi'(C + v/lam) >= phi(C + v/lam) - v >= phi(C) >= 0 for C > Chat, that is Chat' <= Chat + v/lam; clipping to [0, B] moves nothing apart."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

import sympy
from flint import arb

from shuffleproof.impl.ball import user_histogram as certified
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Kind, Verdict, derived, erratum
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.papers.lszkg22.instances import F, histograms, replaced, user_sets
from shuffleproof.proofs_check.papers.lszkg22.section4_thresholds import SLOPES, WEIGHTED, minimal
from shuffleproof.spec.protocols.thresholds import (
    User,
    minimiser,
    objective,
    regularised_minimiser,
    regularised_objective,
    threshold_noise_scale,
    weight_above,
)
from shuffleproof.spec.vocabulary.numerals import decimal_text


@derived(
    "LSZKG22.Eq4",
    says="E||hhat - h||_1 <= U(C) = sum of w_i (||h_i||_2 - C)_+ + T C, w_i = ||h_i||_1/||h_i||_2, convex in C; for Laplace noise with "
    "||h_i||_1 and weights 1",
    range="all datasets, C >= 0",
    governs=["spec.protocols.thresholds", "impl.ball.user_histogram"],
    grounds=[BALLS, "LSZKG22.Sec3.1.clip", "user-histograms#the-best-threshold-in-hindsight"],
    mutants={"T is halved": {"scale": F(1, 2)}},
    missing="the triangle inequality, for all d; values are certified at points",
)
def equation_4(budget: Budget, *, scale: Fraction = Fraction(1)) -> Verdict:
    """err <= U in ball arithmetic on small datasets; E|b + Z| <= b + E|Z| in general."""
    data = list(histograms(d=2, most=2))
    decided, sg, eps = 0, F(3, 2), F(1)
    for g, h, C in product(data[::2], data, (F(1, 2), F(1), F(2))):
        decided += 2
        users = (g, h)
        by_gauss = certified.gaussian_error(users, d=2, C=C, sigma=sg * C)
        by_laplace = certified.laplace_error(users, d=2, C=C, scale=2 * C / eps)
        above_gauss = certified.objective(users, p=2, C=C, slope=certified.gaussian_slope(d=2, sigma_over_C=sg * scale))
        above_laplace = certified.objective(users, p=1, C=C, slope=ball(4 * scale / eps))
        for error, above in ((by_gauss, above_gauss), (by_laplace, above_laplace)):
            if lower_end(error - above) > F(1, 10**20):
                witness = f"h = {users}, C = {C}: error {decimal_text(lower_end(error), digits=6, direction='down')} exceeds U"
                return Verdict.refuted(witness, domain="two users", cases=decided)
    return Verdict.certified(
        domain="all datasets: E|b_j + Z_j| <= b_j + E|Z_j|, and the b_j sum to sum of w_i (m_i - C)_+; certified for d = 2, two users",
        cases=decided,
    )


@derived(
    "LSZKG22.Eq5",
    kind=Kind.READING,
    says="setting the subderivative of (4) to zero: there is a C with sum of w_i over ||h_i||_2 > C equal to T (the text: roughly)",
    governs=["spec.protocols.thresholds"],
    mutants={"corrected statement with T/2 for T": {"scale": F(1, 2)}},
)
def equation_5(budget: Budget, *, scale: Fraction = Fraction(1)) -> Verdict:
    cases = list(product(user_sets(norms=WEIGHTED["norms"], weights=WEIGHTED["weights"], most=3), SLOPES))
    solvable = sum(any(weight_above(users, C=C) == T for C in (F(0), *(m for m, _ in users))) for users, T in cases)
    replaced = minimal(cases, lambda users, T: minimiser(users, T=T * scale))
    one = (User(F(1), F(1)),)
    unsolved = all(weight_above(one, C=C) != F(1, 2) for C in (F(0), F(1, 2), F(1), F(2)))
    return erratum(
        witness="one user with one item (m = w = 1), T = 1/2: the sum is 1 for C < 1 and 0 from there on, never 1/2",
        is_witness=unsolved and solvable < len(cases),
        corrected="C* = inf{C >= 0 : sum of w_i over ||h_i||_2 > C is at most T} minimises U; the equation itself has a solution only "
        "where T is a sum of the largest users' weights",
        beside=replaced,
        domain="up to 3 users with norms 1, 2, 4 and weights 1, 3/2, 7 values of T",
        cases=len(cases),
        slack=f"solvable in {solvable} of {len(cases)} instances",
    )


_KINDS = [User(m, w) for m in map(F, (0, 1, 2, 4)) for w in map(F, ("1", "2"))]
_SETTINGS = tuple(product(map(F, ("1/2", "2")), map(F, ("1/2", "1", "3")), map(F, ("3/2", "9"))))
Users = tuple[User, ...]
Setting = tuple[Fraction, Fraction, Fraction]


def _shown(users: Users) -> str:
    return str([(str(m), str(w)) for m, w in users])


def _moves(most: int) -> Iterator[tuple[Users, Users, Fraction, Setting]]:
    """(users, neighbour, largest weight of who changed, (T, lam, B)), both relations."""
    for users, newcomer, setting in product(
        user_sets(norms=tuple(map(F, (0, 1, 2, 4))), weights=(F(1), F(2)), most=most), _KINDS, _SETTINGS
    ):
        yield users, (*users, newcomer), newcomer.w, setting
        for i, other in enumerate(replaced(users, newcomer)):
            yield users, other, max(users[i].w, newcomer.w), setting


@derived(
    "LSZKG22.LemA.1",
    says="|Chat - Chat'| <= max(w, w')/lam <= sqrt(s)/lam for replace-one neighbours, w/lam for add-remove ones; attained",
    range="T, lam > 0, B >= 0, all datasets with weights at most sqrt(s)",
    governs=["spec.protocols.thresholds"],
    grounds=["noise#a-private-threshold", EXACT],
    mutants={"nine tenths of it": {"factor": F(9, 10)}},
    missing="more than three users; the two facts on slopes",
)
def lemma_a1(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    known: dict[tuple[Users, Setting], Fraction] = {}

    def chosen(users: Users, setting: Setting) -> Fraction:
        key = (tuple(sorted(users)), setting)
        if key not in known:
            T, lam, B = setting
            known[key] = regularised_minimiser(users, T=T, lam=lam, B=B)
        return known[key]

    largest = F(0)

    def holds(case: tuple[Users, Users, Fraction, Setting]) -> bool:
        nonlocal largest
        users, other, w, setting = case
        _, lam, B = setting
        moved = abs(chosen(users, setting) - chosen(other, setting))
        largest = max(largest, moved * lam / w)
        return moved <= min(factor * w / lam, B)

    return exhaustive.for_all(_moves(budget.pick(quick=2, full=3)), holds=holds).verdict(
        domain="all datasets by this module's text; exhausted for up to 3 users with norms 0, 1, 2, 4 and weights 1, 2, 12 settings",
        witness=lambda c: f"{_shown(c[0])} and {_shown(c[1])}, (T, lam, B) = {tuple(map(str, c[3]))}",
        slack=f"largest lam |Chat - Chat'|/max(w, w'): {largest}",
        note="the route through a common Lipschitz constant L gives 2L/lam, which is no better, and twice this for L = sqrt(s)",
    )


@derived(
    "LSZKG22.Eq6",
    says="F(C) = U(C) + (lam/2) C^2 is lam-strongly convex, and every user's term of U is w-Lipschitz",
    range="lam > 0",
    governs=["spec.protocols.thresholds"],
    grounds=[EXACT, "user-histograms#the-error-of-a-private-threshold"],
    mutants={"twice as strongly convex": {"strength": F(2)}},
    missing="beyond the enumerated datasets",
)
def equation_6(budget: Budget, *, strength: Fraction = Fraction(1)) -> Verdict:
    """F((x + y)/2) <= (F(x) + F(y))/2 - strength (lam/8)(x - y)^2, and every user's term is w-Lipschitz."""
    sets = list(user_sets(norms=tuple(map(F, (1, 4))), weights=(F(1), F(2)), most=budget.pick(quick=2, full=3)))
    points = (F(0), F(1, 2), F(1), F(3), F(5))
    cases = product(sets, product(points, points), (F(1, 2), F(3)))

    def holds(case: tuple[Users, tuple[Fraction, Fraction], Fraction]) -> bool:
        users, (x, y), lam = case

        def F_at(C: Fraction) -> Fraction:
            return regularised_objective(users, C=C, T=F(1), lam=lam)

        convex = F_at((x + y) / 2) <= (F_at(x) + F_at(y)) / 2 - strength * lam / 8 * (x - y) ** 2
        lipschitz = all(abs(w * max(m - x, F(0)) - w * max(m - y, F(0))) <= w * abs(x - y) for m, w in users)
        return convex and lipschitz

    return exhaustive.for_all(cases, holds=holds).verdict(
        domain="all datasets: a convex function plus (lam/2) C^2; exhausted at few points",
        witness=lambda c: f"{_shown(c[0])}, C = {c[1][0]} and {c[1][1]}, lam = {c[2]}",
    )


def _with_best_below(budget: Budget) -> Iterator[tuple[Users, Setting]]:
    for users, (T, lam, B) in product(
        user_sets(norms=tuple(map(F, (1, 2, 4))), weights=(F(1), F(2)), most=budget.pick(quick=3, full=4)), _SETTINGS
    ):
        if minimiser(users, T=T) <= B:
            yield users, (T, lam, B)


@derived(
    "LSZKG22.Eq7",
    says="U(Chat) <= U(C*) + (lam/2)(C*^2 - Chat^2), and Chat <= C*",
    range="C* <= B",
    governs=["spec.protocols.thresholds"],
    grounds=[EXACT, "user-histograms#the-error-of-a-private-threshold"],
    mutants={"half of the regularisation": {"factor": F(1, 2)}},
    missing="beyond the enumerated datasets: it is F at its minimiser against F(C*)",
)
def equation_7(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    def holds(case: tuple[Users, Setting]) -> bool:
        users, (T, lam, B) = case
        best, found = minimiser(users, T=T), regularised_minimiser(users, T=T, lam=lam, B=B)
        loss = objective(users, C=found, T=T) - objective(users, C=best, T=T)
        return found <= best and loss <= factor * lam / 2 * (best**2 - found**2)

    tight = ((User(F(1), F(2)),), (F(1), F(100, 99), F(3, 2)))  # both minimisers inside, where the slopes leave least room
    return exhaustive.for_all([*_with_best_below(budget), tight], holds=holds).verdict(
        domain="all datasets with C* <= B: F(Chat) <= F(C*), and the slope of F at C > C* is positive; exhausted for up to 3 users",
        witness=lambda c: f"{_shown(c[0])}, (T, lam, B) = {tuple(map(str, c[1]))}",
    )


@derived(
    "LSZKG22.Eq8",
    says="(a - Z)_+ <= a_+ + Z_-; exactly, E(a - Z)_+ = a_+ + (b/2) e^(-|a|/b) for Laplace Z of scale b",
    range="real a, b > 0",
    governs=["spec.protocols.thresholds"],
    grounds=[SYMPY, EXACT, "user-histograms#the-error-of-a-private-threshold"],
    mutants={"b/3 for b/2": {"divisor": 3}},
    missing="the integral of the Laplace distribution, for all a and b",
)
def equation_8(budget: Budget, *, divisor: int = 2) -> Verdict:
    """E(a - Z)_+ for Laplace Z: its second derivative in a is the density, it vanishes at -infinity, and is a + E(Z - a)_+ above 0."""
    a, b, z = sympy.symbols("a b z", positive=True)
    density = sympy.exp(-z / b) / (2 * b)
    above = a + b / divisor * sympy.exp(-a / b)
    # a >= 0: E(a - Z)_+ = a + E(Z - a)_+; a <= 0: E(Z - |a|)_+ by symmetry
    tail = sympy.integrate((z - a) * density, (z, a, sympy.oo))
    holds = sympy.simplify(above - a - tail) == 0
    # (a - z)_+ <= a_+ + z_-: for all reals, by cases
    cases = product(map(F, range(-3, 4)), repeat=2)
    fact = all(max(x - y, F(0)) <= max(x, F(0)) + max(-y, F(0)) for x, y in cases)
    return Verdict.certified(domain="all a and b > 0", cases=50, against=None if holds and fact else "E(Z - a)_+ = (b/2) e^(-a/b)")


def expected_objective(users: Users, *, T: Fraction, centre: Fraction, scale: Fraction, B: Fraction) -> arb:
    """E U(clamp(centre + Z, 0, B)), Z Laplace of this scale, at the working precision: U(0) + int of U' times P(centre + Z > t)."""
    knots = sorted({F(0), B, *(m for m, _ in users if 0 < m < B), *({centre} if 0 < centre < B else set())})
    total = ball(objective(users, C=F(0), T=T))

    def integral(t: Fraction) -> arb:
        away = (-ball(abs(t - centre) / scale)).exp() * ball(scale) / 2
        return ball(centre) - away if t >= centre else ball(t) - away

    for start, end in pairwise(knots):
        slope = T - weight_above(users, C=start)
        total += ball(slope) * (integral(end) - integral(start))
    return total


@derived(
    "LSZKG22.LemA.2",
    says="E err(Ctil) <= E U(Ctil) <= U(C*) + lam B^2/2 + A sqrt(s)/(2 lam eps'), A = max(T, sum of w_i); and U(C*) <= 2 min err",
    range="C* <= B, weights at most sqrt(s)",
    governs=["spec.protocols.thresholds"],
    grounds=["LSZKG22.Eq7", "LSZKG22.Eq8", BALLS, "user-histograms#the-error-of-a-private-threshold"],
    mutants={"without the noise term": {"noise_factor": F(0)}},
    missing="the slopes of U and the clamp, beyond the instances that are computed",
)
def lemma_a2(budget: Budget, *, noise_factor: Fraction = Fraction(1)) -> Verdict:
    """E U(Ctil) in ball arithmetic against U(C*) + lam B^2/2 + A b/2, b = W/(lam eps'), A = max(T, sum of w_i)."""
    cases = [(users, setting, e) for (users, setting), e in product(_with_best_below(budget), (F(1, 4), F(2)))]

    def reached() -> Iterator[tuple[str, arb]]:
        for users, (T, lam, B), epsilon in cases[:: budget.pick(quick=3, full=1)]:
            scale = threshold_noise_scale(W=F(2), lam=lam, epsilon=epsilon)
            centre = regularised_minimiser(users, T=T, lam=lam, B=B)
            loss = expected_objective(users, T=T, centre=centre, scale=scale, B=B) - ball(objective(users, C=minimiser(users, T=T), T=T))
            A = max(T, sum((w for _, w in users), F(0)))
            where = f"{_shown(users)}, (T, lam, B, eps') = {(str(T), str(lam), str(B), str(epsilon))}"
            yield where, loss / ball(lam * B**2 / 2 + noise_factor * A * scale / 2)

    return at_most_claimed(
        reached(),
        domain="all datasets with C* <= B: LSZKG22.Eq7, and the slopes of U lie in [-(sum w - T), T], where left moves cost nothing from "
        "Chat = 0 if T > sum w; certified in ball arithmetic for up to 3 users",
        slack="the loss is at most {} of the bound",
    )


@derived(
    "LSZKG22.Cor4.4",
    says="lam = sqrt(A sqrt(s)/eps')/B, A = max(T, n sqrt(s)): E err(Ctil) <= 2 min over C of err(C) + B sqrt(A sqrt(s)/eps'), which is "
    "B sqrt(s n/eps') where T <= n sqrt(s)",
    range="B >= C*, eps' > 0, weights at most sqrt(s)",
    governs=["spec.protocols.thresholds"],
    grounds=["LSZKG22.LemA.2", "LSZKG22.Thm4.2", SYMPY],
    mutants={"twice that lam": {"lam_factor": F(2)}},
)
def corollary_4_4(budget: Budget, *, lam_factor: Fraction = Fraction(1)) -> Verdict:
    """lam = sqrt(A W/eps')/B: both terms of Lemma A.2 become half of B sqrt(A W/eps')."""
    B, root, n, W, eps = sympy.symbols("B r n W epsilon", positive=True)  # root^2 = A W/eps'
    lam = sympy.Rational(lam_factor.numerator, lam_factor.denominator) * root / B
    total = lam * B**2 / 2 + root**2 / (2 * lam)
    equal = symbolic.are_identical(total, B * root)
    simplified = sympy.simplify(sympy.sqrt(n * W * W / eps) - W * sympy.sqrt(n / eps)) == 0
    return Verdict.proved(
        domain="all datasets with C* <= B",
        cases=2,
        note="A = max(T, n sqrt(s)) is public under replace-one; under add-remove a public bound on n takes the place of n. The privacy "
        "half is LSZKG22.Alg2; with Algorithm 1 at Ctil, (eps + eps', delta) in all, by adaptive composition",
        against=None if equal and simplified else f"lam B^2/2 + A W/(2 lam eps') = {sympy.simplify(total / (B * root))} B sqrt(A W/eps')",
    )
