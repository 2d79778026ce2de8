"""LSZKG22, appendix A.1: the bound (4) on the error, and the equation (5) that its subderivative suggests."""

from fractions import Fraction
from itertools import product

from shuffleproof.impl.ball import user_histogram as certified
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end
from shuffleproof.proofs_check.ledger import BALLS, Budget, Kind, Verdict, derived, erratum
from shuffleproof.proofs_check.papers.lszkg22.instances import F, histograms, user_sets
from shuffleproof.proofs_check.papers.lszkg22.section4_thresholds import SLOPES, WEIGHTED, minimal
from shuffleproof.spec.protocols.thresholds import User, minimiser, weight_above
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
