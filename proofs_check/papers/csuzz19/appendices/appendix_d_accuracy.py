"""CSUZZ19, Appendix D, accuracy: how far the distribution of R~ is from that of R (D.5 to D.8)."""

from fractions import Fraction

import sympy
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, derived, recalled, statement
from shuffleproof.proofs_check.ledger.methods import sampled, symbolic
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_d import Case, Pair, case_text, exact_delta, transform_cases
from shuffleproof.spec.distribution import Distribution, independent, total_variation
from shuffleproof.spec.protocols import approx_to_pure


def outside(case: Case, law: Distribution[int], *, width: int = 2) -> Fraction:
    """The mass of the distribution where the ratio of R(x) and rho leaves [e^(-width eps), e^(width eps)]."""
    R_x, rho, E = case[:3]
    return sum((w for y, w in law.items() if not rho[y] or not E**-width <= R_x[y] / rho[y] <= E**width), Fraction(0))


def _extremal(E: Fraction, delta: Fraction, nearly: Fraction) -> Pair:
    """Two distributions with exact delta as given; on A the first is e^(2 eps)/(1 - nearly) times the second, on B the other way round."""
    a = delta / (1 - (1 - nearly) / E)
    b = a * (1 - nearly) / E**2
    rest = 1 - a - b
    return Distribution({0: a, 1: b, 2: rest}), Distribution({0: b, 1: a, 2: rest})


def _good_set(budget: Budget, *, factor: Fraction = Fraction(2), width: int = 2, sharp: bool = False) -> Verdict:
    """factor delta/(1 - e^-eps), or eta, against the exact masses off the good set, for both distributions; with the extremal pair."""

    def allowed(E: Fraction, delta: Fraction) -> Fraction:
        return approx_to_pure.outside_good_set(exp_epsilon=E, delta=delta) if sharp else factor * delta / (1 - 1 / E)

    def slack(case: Case) -> Fraction:
        delta = exact_delta(case[:2], case[2])
        return allowed(case[2], delta) - max(outside(case, law, width=width) for law in case[:2])

    found = sampled.least_slack(transform_cases(), slack=slack, budget=budget, quick=80, full=800)
    for E, delta in ((1 + Fraction(1, 10**6), Fraction(1, 10**9)), (Fraction(2), Fraction(1, 10))):
        beyond = Fraction(1, 10**12) if width >= 2 else -(2 - Fraction(width)) * (E - 1) / 2  # a ratio between e^(width eps) and e^(2 eps)
        near: Case = (*_extremal(E, delta, beyond), E, E**2, 1)
        if slack(near) < 0:
            text = f"{case_text(near)}: {float(outside(near, near[0], width=width)):.6g} > {float(allowed(E, delta)):.6g}"
            return Verdict.refuted(text, domain="one pair", cases=1)
    r, e = sympy.symbols("r e", positive=True)
    # On A: r = e^(2 eps) rho or more, so r <= e rho + d <= r/e + d. Identity: (r - r/e) e = r (e - 1).
    return found.verdict(
        domain="all pairs of distributions, eps > 0: where one distribution exceeds e^(2 eps) times the other it has mass at most "
        f"delta/(1 - e^-eps), and the other e^(-2 eps) of that; {found.cases} drawn pairs",
        witness=lambda c: f"{case_text(c)}: delta = {exact_delta(c[:2], c[2])}",
        slack=f"at e^eps = 2 the mass reaches {float(outside(near, near[0]) / (2 * delta / (1 - 1 / E))):.4f} of 2 delta/(1 - e^-eps)",
        given=symbolic.are_identical((r - r / e) * e, r * (e - 1)),
    )


@recalled(
    "CSUZZ19.LemD.6",
    says="if R is (eps, delta)-DP, e^(-2 eps) <= Pr[R(x) = v]/Pr[R(x') = v] <= e^(2 eps) with probability at least "
    "1 - 2 delta/(1 - e^-eps) over v ~ R(x), and over v ~ R(x')",
    range="eps > 0, delta in [0, 1]",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[EXACT, SYMPY, "one-message#ratios-of-an-approximately-private-randomizer"],
    mutants={"delta/(1 - e^-eps)": {"factor": Fraction(1)}, "ratios up to e^(1.98 eps) only": {"width": Fraction(99, 50)}},
    missing="distributions beyond the drawn ones: one inequality at every outcome",
)
def good_set(budget: Budget, *, factor: Fraction = Fraction(2), width: int = 2) -> Verdict:
    return _good_set(budget, factor=factor, width=width)


@derived(
    "CSUZZ19.LemD.6.sharp",
    says="if R is (eps, delta)-DP, Pr[R(x) = v]/Pr[R(x') = v] is outside [e^(-2 eps), e^(2 eps)] with probability at most (1 + e^(-2 "
    "eps)) delta/(1 - e^-eps) over v ~ R(x), and over v ~ R(x'); this cannot be lowered",
    range="eps > 0, delta in [0, 1]",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[EXACT, SYMPY, "one-message#ratios-of-an-approximately-private-randomizer"],
    mutants={"1 + e^(-2 eps) becomes 6/5": {"factor": Fraction(6, 5), "sharp": False}},
    missing="distributions beyond the drawn ones: one inequality at every outcome",
)
def good_set_sharp(budget: Budget, *, factor: Fraction = Fraction(2), sharp: bool = True) -> Verdict:
    return _good_set(budget, factor=factor, sharp=sharp)


@derived(
    "CSUZZ19.ClmD.5",
    says="for every W: Pr[R~(x_1), ..., R~(x_n) in W] <= Pr[R(x_1), ..., R(x_n) in W] + n (1 - pmin)^T + n T Pr[v not in G] + "
    "n Pr[R(x) not in G], pmin = e^(-2 eps)/k",
    range="k >= e^(2 eps), T, n >= 1",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[EXACT, SYMPY, "CSUZZ19.Alg7", "one-message#choosing-among-public-draws"],
    mutants={
        "without the first term": {"terms": frozenset({"outside", "tilt"})},
        "without the other two terms": {"terms": frozenset({"empty"})},
    },
    missing="that distances of users add up, beyond the drawn cases",
)
def events(budget: Budget, *, terms: frozenset[str] = frozenset({"empty", "outside", "tilt"})) -> Verdict:
    return distance.check(budget, terms=terms, exact_z=False)


@derived(
    "CSUZZ19.ClmD.5.sharp",
    says="TV(R~(x), R(x)) <= (1 - Z)^T + max(Pr[R(x) not in G], Pr[rho not in G]) <= (1 - (1 - eta)/k)^T + eta: the "
    "term n T Pr[v not in G] is not needed",
    range="k >= e^(2 eps), T >= 1",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[EXACT, SYMPY, "CSUZZ19.Alg7", "one-message#choosing-among-public-draws"],
    mutants={"without the second term": {"terms": frozenset({"empty"})}, "without the first term": {"terms": frozenset({"tilt"})}},
    missing="the distribution of the chosen draw, beyond the drawn cases",
)
def distance(budget: Budget, *, terms: frozenset[str] = frozenset({"empty", "outside", "tilt"}), exact_z: bool = True) -> Verdict:
    """TV(R~(x)^n, R(x)^n) against the sum of the three terms, or (exact_z, n = 1) against (1 - Z)^T + max of the masses off G."""

    def slack(case: tuple[Case, int]) -> Fraction:
        (R_x, rho, E, k, T), n = case
        after = approx_to_pure.closed_form(R_x, rho, exp_epsilon=E, k=k, T=T)
        off = max(outside(case[0], R_x), outside(case[0], rho))
        if exact_z:
            p = approx_to_pure.acceptance(R_x, rho, exp_epsilon=E, k=k)
            Z = sum((w * p[y] for y, w in rho.items()), Fraction(0))
            first = (1 - Z) ** T if "empty" in terms else Fraction(0)
            bound = first + (off if "tilt" in terms else 0)
            return bound - total_variation(after, R_x)
        parts = {"empty": (1 - 1 / (E**2 * k)) ** T, "outside": T * outside(case[0], rho), "tilt": outside(case[0], R_x)}
        return n * sum((parts[name] for name in terms), Fraction(0)) - total_variation(independent([after] * n), independent([R_x] * n))

    cases = st.tuples(transform_cases(most_rounds=6), st.just(1) if exact_z else st.integers(1, 2))
    found = sampled.least_slack(cases, slack=slack, budget=budget, quick=70, full=600)
    a, b = sympy.symbols("a b", positive=True)  # rho(G^c), R(x)(G^c)
    # Given that one is accepted: the distribution (R on G, rho off G)/(1 + a - b). For a >= b the distance is at most
    # (1 - b)(a - b)/(1 + a - b) + b <= a; for a < b at most ((1 - b)(b - a) + a)/(1 + a - b) = b.
    steps = (
        symbolic.are_identical(((1 - b) * (b - a) + a) / (1 + a - b), b),
        symbolic.are_identical((a - b) - (1 - b) * (a - b) / (1 + a - b), (a - b) * a / (1 + a - b)),
    )
    return found.verdict(
        domain=f"all distributions, k >= e^(2 eps), T, n; {found.cases} drawn cases, n <= {1 if exact_z else 2}, T <= 6",
        witness=lambda c: f"{case_text(c[0])}, n = {c[1]}",
        given=all(steps),
    )


@derived(
    "CSUZZ19.ClmD.7",
    says="given b_t = 1 and v_t in G, v_t has the distribution of R(x) given R(x) in G; the condition has probability Pr[R(x) in G]/k",
    range="k >= e^(2 eps), any t",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[EXACT, "one-message#choosing-among-public-draws"],
    mutants={"given b_t = 1 only": {"only_good": False}},
    missing="distributions beyond the drawn ones",
)
def accepted_distribution(budget: Budget, *, only_good: bool = True) -> Verdict:
    def holds(case: Case) -> bool:
        R_x, rho, E, k, _ = case
        p = approx_to_pure.acceptance(R_x, rho, exp_epsilon=E, k=k)
        good = [y for y in rho.support if not only_good or approx_to_pure.in_good_set(R_x[y] / rho[y], exp_epsilon=E)]
        joint = {y: rho[y] * p[y] for y in good}
        inside = {y: R_x[y] for y in good}
        total, mass = sum(joint.values(), Fraction(0)), sum(inside.values(), Fraction(0))
        return all(joint[y] * mass == inside[y] * total for y in good) and (not only_good or total == mass / k)

    found = sampled.for_all(transform_cases(), holds=holds, budget=budget, quick=70, full=600)
    return found.verdict(
        domain=f"all distributions: the joint mass of v and acceptance is rho(v) r/k = R(x)(v)/k on G; {found.cases} drawn cases",
        witness=case_text,
    )


@statement(
    "CSUZZ19.ClmD.8",
    says="if (R, A) is (alpha, beta)-accurate, (R~, A) is (alpha, beta + n (1 - pmin)^T + n T Pr[v not in G] + n Pr[R(x) not in "
    "G])-accurate, A randomized or not",
    range="(eps, delta)-DP R",
    grounds=[EXACT, "CSUZZ19.ClmD.5", "one-message#choosing-among-public-draws"],
    mutants={"half of the distance": {"share": Fraction(1, 2)}},
    missing="analyzers beyond the drawn ones",
)
def accuracy(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """A randomized analyzer errs with probability E[f], f in [0, 1]; E[f] differs by at most share TV. f is 1 where R~ is likelier."""

    def slack(case: tuple[Case, list[int]]) -> Fraction:
        (R_x, rho, E, k, T), f = case
        after = approx_to_pure.closed_form(R_x, rho, exp_epsilon=E, k=k, T=T)
        best = sum((after[y] - R_x[y] for y in range(3) if after[y] > R_x[y]), Fraction(0))
        drawn = sum((Fraction(f[y], 4) * (after[y] - R_x[y]) for y in range(3)), Fraction(0))
        return share * total_variation(after, R_x) - max(best, drawn)

    cases = st.tuples(transform_cases(), st.lists(st.integers(0, 4), min_size=3, max_size=3))
    found = sampled.least_slack(cases, slack=slack, budget=budget, quick=50, full=400)
    return found.verdict(
        domain=f"all analyzers, by the variational form of total variation; {found.cases} drawn cases",
        witness=lambda c: f"{case_text(c[0])}, f = {c[1]}",
    )
