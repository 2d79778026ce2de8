"""LSZKG22, Algorithm 2: its closed form, its privacy, and the assumptions that privacy may not rest on."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

from shuffleproof.impl.ball import gaussian
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Kind, Status, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.lszkg22.instances import F, replaced, user_sets, with_rational_norm
from shuffleproof.proofs_check.papers.lszkg22.section4_private import USERS
from shuffleproof.spec.protocols.thresholds import (
    User,
    bounded,
    minimiser,
    regularised_minimiser,
    regularised_objective,
    user,
    weight_above,
)
from shuffleproof.spec.vocabulary.numerals import decimal_text

_PARAMETERS = tuple(product((F(1, 2), F(2)), (F(1, 2), F(2)), (F(3, 2), F(9))))


@derived(
    "LSZKG22.Alg2.closed-form",
    where="Algorithm 2, equation (6)",
    says="argmin over [0, B] of F(C) = U(C) + (lam/2) C^2 is min(B, max(0, max over k of min(m_(k), (W_k - T)/lam))), users by falling m, "
    "W_k the sum of the first k weights",
    range="T, lam > 0, B >= 0",
    governs=["spec.protocols.thresholds"],
    mutants={"2 lam for lam": {"slope_factor": 2}},
)
def closed_form(budget: Budget, *, slope_factor: int = 1) -> Verdict:
    """Chat against the condition for a minimum of a strictly convex function on [0, B], exactly."""
    sets = list(user_sets(norms=USERS["norms"], weights=USERS["weights"], most=budget.pick(quick=3, full=4)))

    def holds(case: tuple[tuple[User, ...], tuple[Fraction, Fraction, Fraction]]) -> bool:
        users, (T, lam, B) = case
        C = regularised_minimiser(users, T=T, lam=lam * slope_factor, B=B)
        right = T - weight_above(users, C=C) + lam * C
        left = right - sum((w for m, w in users if m == C), F(0))
        optimal = 0 <= C <= B and (C == B or right >= 0) and (C == 0 or left <= 0)
        values = [regularised_objective(users, C=x, T=T, lam=lam) for x in (F(0), F(1), F(3, 2)) if x <= B]
        return optimal and regularised_objective(users, C=C, T=T, lam=lam) <= min(values)

    return exhaustive.for_all(product(sets, _PARAMETERS), holds=holds).verdict(
        domain="all datasets: min(m_k, (W_k - T)/lam) is where the slope T + lam C - S(C) of F changes sign; exhausted for few "
        "users, 8 settings",
        witness=lambda c: f"{c[0]}, (T, lam, B) = {tuple(map(str, c[1]))}",
    )


@derived(
    "LSZKG22.Alg2",
    where="Algorithm 2, Corollary 4.4, first sentence",
    says="with weights min(w_i, sqrt(s)), w_i = ||h_i||_1/||h_i||_2, clamp(Chat + Lap(sqrt(s)/(lam eps')), 0, B) is eps'-DP, for "
    "add-remove and replace-one",
    range="eps', lam, s > 0, B >= 0 public",
    governs=["spec.protocols.thresholds"],
    grounds=["noise#a-private-threshold", "LSZKG22.LemA.1", "LSZKG22.Alg1.laplace", EXACT],
    mutants={"weights at most 2 sqrt(s) for the same noise": {"W_factor": F(2)}},
    missing="how the sensitivity, the Laplace mechanism and the clamp are put together",
)
def algorithm_2(budget: Budget, *, W_factor: Fraction | None = Fraction(1)) -> Verdict:
    """Chat of bounded weights moves by at most W/lam, whatever the histograms; W_factor None: weights not bounded."""
    W, T, lam, B, decided = F(1), F(1), F(1), F(50), 0
    data = [user(h, p=2) for h in with_rational_norm(d=4, most=budget.pick(quick=2, full=3))]
    kinds = sorted(set(data))
    for users in (tuple(pair) for n in (0, 1, 2) for pair in combinations_with_replacement(kinds, n)):
        for newcomer in kinds:
            for other in ((*users, newcomer), *replaced(users, newcomer)):
                decided += 1
                pair = [us if W_factor is None else bounded(us, W=W * W_factor) for us in (users, other)]
                here, there = (regularised_minimiser(us, T=T, lam=lam, B=B) for us in pair)
                if abs(here - there) > W / lam:
                    witness = (
                        f"(norm, weight) {[(str(m), str(w)) for m, w in users]} and {[(str(m), str(w)) for m, w in other]}, s = 1, lam = "
                    )
                    witness += f"T = 1: Chat = {here} and {there}, further apart than sqrt(s)/lam = 1"
                    return Verdict.refuted(witness, domain="d = 4, s = 1", cases=decided)
    return Verdict.certified(
        domain="all histograms, sparse or not, both relations: LSZKG22.LemA.1 with weights at most W, then the Laplace mechanism and the "
        "clamp as post-processing; exhausted for up to 3 users, d = 4, rational norms, s = 1",
        cases=decided,
        note="W = sqrt(s), T, lam, B are public; under add-remove T and lam may not depend on n",
    )


@derived(
    "LSZKG22.Alg2.sparsity",
    where="Section 4: we assume that each user's histogram is at most s sparse; Algorithm 2",
    kind=Kind.READING,
    says="as printed, weights w_i = ||h_i||_1/||h_i||_2 not bounded: Algorithm 2, clamp(Chat + Lap(sqrt(s)/(lam eps')), 0, B), is eps'-DP "
    "over all datasets",
    governs=["spec.protocols.thresholds"],
    mutants={"corrected statement with min(w_i, 2 sqrt(s))": {"W_factor": F(2)}},
)
def sparsity(budget: Budget, *, W_factor: Fraction = F(1)) -> Verdict:
    printed, repaired = algorithm_2.check(budget, W_factor=None), algorithm_2.check(budget, W_factor=W_factor)
    return erratum(
        witness=printed.witness or "",
        is_witness=printed.status is Status.REFUTED,
        corrected="with every weight replaced by min(w_i, sqrt(s)), as section 6 does in passing, privacy is unconditional (LSZKG22.Alg2)",
        beside=repaired,
        domain="d = 4, rational norms, s = 1",
        cases=printed.cases + repaired.cases,
        note="differential privacy may not rest on an assumption about the data: one user with more than s elements breaks it",
    )


@derived(
    "LSZKG22.Alg2.public-inputs",
    where="Algorithm 2, input: an approximation of C*; Corollaries 4.3 and 4.4: an upper bound on C*",
    kind=Kind.READING,
    says="a reading: B, and lam through it, may be computed from the data as an approximation of C*, and Ctil is still eps'-DP",
    governs=["spec.protocols.thresholds"],
    grounds=[EXACT, BALLS],
    mutants={"corrected statement with half the noise": {"noise_factor": F(1, 2)}},
)
def public_inputs(budget: Budget, *, noise_factor: Fraction = F(1)) -> Verdict:
    """lam = 1/C*^2 and B = C* from the data: {1} against {4}, T = 1/2, W = eps' = 1."""
    one, four = [User(F(1), F(1))], [User(F(4), F(1))]
    B_one, B_four = minimiser(one, T=F(1, 2)), minimiser(four, T=F(1, 2))
    # P(clamp = 4 | {4}) with B = 4, lam = 1/16: Chat = 4, so one half; under {1} the output is at most 1
    at_four = F(1, 2) if regularised_minimiser(four, T=F(1, 2), lam=F(1, 16), B=B_four) == 4 else F(0)
    # B = 10 public, lam still from the data: P(output = 10)
    lams, B = (F(1), F(1, 16)), F(10)
    tails = []
    for users, lam in zip((one, four), lams, strict=True):
        distance = B - regularised_minimiser(users, T=F(1, 2), lam=lam, B=B)
        tails.append((-ball(distance * lam)).exp() / 2)
    gap = lower_end((tails[1] / tails[0]).log())
    repaired = algorithm_2.check(budget, W_factor=1 / noise_factor)
    return erratum(
        witness="T = 1/2, W = eps' = 1, one user with 1 or with 4 items: B = C* makes the output 4 possible (probability 1/2) or "
        f"impossible; with B = 10 and lam = 1/C*^2 the output 10 has log-odds {decimal_text(gap, digits=4, direction='down')} > eps' = 1",
        is_witness=at_four == F(1, 2) and B_one == 1 and B_four == 4 and gap > 1,
        corrected="B, lam, T, s and the step sizes are public numbers; B >= C* matters for the error only",
        beside=repaired,
        domain="one user",
        cases=2 + repaired.cases,
    )


@statement(
    "LSZKG22.Sec4.comparison",
    where="Section 4, after Corollary 4.4",
    says="DP-SGD has the better asymptotic dependence on n, Algorithm 2 on delta' (and is pure): the bounds B sqrt(s/2) kg(eps', delta') "
    "and B sqrt(s n/eps') cross at n = eps' kg(eps', delta')^2/2",
    range="0 < eps', 0 < delta' < 1",
    grounds=[BALLS, "LSZKG22.Cor4.4", "LSZKG22.Cor4.3.explicit"],
    mutants={"descent is better from n = 50 on": {"better_from": 50}},
)
def comparison(budget: Budget, *, epsilon: Fraction = F(1, 10), better_from: int = 80) -> Verdict:
    """Algorithm 2: B sqrt(s n/eps'); Corollary 4.3, clean form: B sqrt(s/2) kg(eps', delta'). Which is smaller turns at one n."""
    k = gaussian.noise_multiplier(epsilon=epsilon, delta="1e-6")
    assert k.fails_at is not None
    turning = (lower_end(ball(k.fails_at) ** 2 * ball(epsilon) / 2), upper_end(ball(k.value) ** 2 * ball(epsilon) / 2))
    if not turning[1] <= better_from:
        witness = f"eps' = {epsilon}: descent's bound is smaller only from n = {decimal_text(turning[0], digits=5, direction='down')} on"
        return Verdict.refuted(witness, domain="delta' = 1e-6", cases=1)
    return Verdict.certified(
        domain=f"eps' = {epsilon}, delta' = 1e-6, T <= n sqrt(s)",
        cases=1,
        slack=f"the two bounds are equal at n = {decimal_text(turning[1], digits=5, direction='up')}",
        note="the ratio of the bounds is sqrt(2n/eps')/kg(eps', delta'): it grows with n, and kg grows as delta' falls; the first is "
        "pure DP",
    )
