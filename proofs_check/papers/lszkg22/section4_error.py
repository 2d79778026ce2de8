"""LSZKG22, Algorithm 1: what it loses, for every noise, and the trade-off in C."""

from fractions import Fraction
from itertools import pairwise, product

import sympy

from shuffleproof.impl.ball import user_histogram as certified
from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.lszkg22.instances import Counts, F, histograms
from shuffleproof.spec.protocols.user_histogram import clipping_bias, expected_error_laplace, laplace_scale
from shuffleproof.spec.protocols.user_histogram_grid import discrete_laplace_error, discrete_laplace_mass, discrete_laplace_variance
from shuffleproof.spec.vocabulary.scope import Relation


def closed_form(budget: Budget, *, error: sympy.Expr, density: sympy.Expr, b: sympy.Symbol, first: sympy.Expr, what: str) -> Verdict:
    """E|b + Z| for symmetric Z: value E|Z| and slope 0 at b = 0, second derivative twice the density; these determine it."""
    checks = (
        sympy.simplify(error.subs(b, 0) - first) == 0,
        sympy.simplify(sympy.diff(error, b).subs(b, 0)) == 0,
        sympy.simplify(sympy.diff(error, b, 2) - 2 * density) == 0,
    )
    if not all(checks):
        failed = ("value at 0", "slope at 0", "second derivative")[checks.index(False)]
        return Verdict.refuted(f"{failed} differs", domain="b >= 0", cases=3)
    return Verdict.certified(
        domain=f"b >= 0, {what}: d^2/db^2 E|b + Z| is twice the density at b, and value and slope agree at b = 0", cases=3
    )


@derived(
    "LSZKG22.Alg1.error-laplace",
    where="Section 3.2, loss; Lemma 4.1",
    says="E||hhat - h||_1 = sum over j of b_j + beta e^(-b_j/beta), b_j what clipping takes from count j, beta the noise's scale",
    range="C, eps > 0",
    governs=["spec.protocols.user_histogram", "impl.ball.user_histogram"],
    grounds=[SYMPY, "user-histograms#clipping-and-noise"],
    mutants={"e^(-2 b_j/beta)": {"power": 2}},
    missing="the integral of a tail, for all b; certified at points",
)
def laplace_error(budget: Budget, *, power: int = 1) -> Verdict:
    b, beta, z = sympy.symbols("b beta z", positive=True)
    density = sympy.exp(-b / beta) / (2 * beta)
    first = 2 * sympy.integrate(z * sympy.exp(-z / beta) / (2 * beta), (z, 0, sympy.oo))
    error = b + beta * sympy.exp(-power * b / beta)
    verdict = closed_form(budget, error=error, density=density, b=b, first=first, what="Laplace noise of scale beta")
    data = [(2, 0), (1, 3), (5, 5)]
    for C in (F(1), F(4)):
        taken, scale = clipping_bias(data, d=2, p=1, C=C), laplace_scale(d=2, relation=Relation.REPLACE_ONE, C=C, epsilon=F(1))
        found = certified.laplace_error(data, d=2, C=C, scale=scale)
        here = expected_error_laplace(taken, scale=scale)
        assert abs(float(found.mid()) - float(here)) < 1e-12
    return verdict


@derived(
    "LSZKG22.Alg1.error-gaussian",
    where="Section 3.2, loss; Theorem 4.2",
    says="E||hhat - h||_1 = sum over j of sigma sqrt(2/pi) e^(-b_j^2/(2 sigma^2)) + b_j erf(b_j/(sigma sqrt 2))",
    range="C, eps, delta > 0",
    governs=["spec.protocols.user_histogram", "impl.ball.user_histogram"],
    grounds=[SYMPY, "user-histograms#clipping-and-noise"],
    mutants={"e^(-b_j^2/(4 sigma^2))": {"width": 4}},
    missing="the integral of a tail, for all b; certified at points",
)
def gaussian_error(budget: Budget, *, width: int = 2) -> Verdict:
    b, s = sympy.symbols("b sigma", positive=True)
    density = sympy.exp(-(b**2) / (2 * s**2)) / (s * sympy.sqrt(2 * sympy.pi))
    error = s * sympy.sqrt(2 / sympy.pi) * sympy.exp(-(b**2) / (width * s**2)) + b * sympy.erf(b / (s * sympy.sqrt(2)))
    return closed_form(budget, error=error, density=density, b=b, first=s * sympy.sqrt(2 / sympy.pi), what="Gaussian noise")


@derived(
    "LSZKG22.Alg1.error-discrete-laplace",
    says="for discrete Laplace Z with ratio p: E|b + Z| = |b| + 2 p^(|b| + 1)/(1 - p^2), Var Z = 2p/(1 - p)^2",
    range="integer b, 0 < p < 1",
    governs=["spec.protocols.user_histogram_grid"],
    grounds=[SYMPY, EXACT, "user-histograms#clipping-and-noise"],
    mutants={"p^(|b| + 2) for p^(|b| + 1)": {"extra": 2}},
    missing="the sum of a tail, for all b; certified at points",
)
def discrete_error(budget: Budget, *, extra: int = 1) -> Verdict:
    """The same three facts in differences: E|b + 1 + Z| - 2 E|b + Z| + E|b - 1 + Z| = 2 P(Z = b), and the moments by their series."""
    b, p = sympy.symbols("b p", positive=True)
    error = b + 2 * p ** (b + extra) / (1 - p**2)
    second = error.subs(b, b + 1) - 2 * error + error.subs(b, b - 1)
    whole = sympy.simplify(second / p**b - 2 * (1 - p) / (1 + p)) == 0
    at_zero = sympy.simplify(error.subs(b, 1) - error.subs(b, 0) - (1 - p) / (1 + p)) == 0  # slope above 0: P(Z = 0)
    for ratio in (F(1, 2), F(2, 3)):
        partial = sum((z * z * discrete_laplace_mass(z, ratio=ratio) for z in range(-200, 201)), F(0))
        absolute = sum((abs(2 + z) * discrete_laplace_mass(z, ratio=ratio) for z in range(-200, 201)), F(0))
        assert abs(partial - discrete_laplace_variance(ratio=ratio)) < F(1, 10**20)
        assert abs(absolute - discrete_laplace_error(2, ratio=ratio)) < F(1, 10**20)
    if not (whole and at_zero):
        return Verdict.refuted("the second difference is not 2 P(Z = b)", domain="b >= 1", cases=2)
    return Verdict.certified(
        domain="integer b >= 0, 0 < p < 1: the second difference is 2 P(Z = b), the first at 0 is P(Z = 0), E|b + Z| - b -> 0", cases=2
    )


@statement(
    "LSZKG22.Sec4.trade-off",
    where="Section 4, after Algorithm 1",
    says="small C: little noise, much bias; large C: little bias, much noise. Every b_j is non-increasing in C, the noise increases",
    range="C >= 0",
    governs=["spec.protocols.user_histogram"],
    grounds=[EXACT, "user-histograms#clipping-and-noise"],
    mutants={"the bias grows with C": {"reverse": True}},
    missing="datasets beyond the enumerated ones",
)
def trade_off(budget: Budget, *, reverse: bool = False) -> Verdict:
    """b_j falls and the noise grows with C; the sum of b_j is sum of w_i (m_i - C)_+."""
    data = list(histograms(d=2, most=3))
    steps = [F(k, 2) for k in range(9)]
    cases = [((g, h), C, D) for g, h in product(data[::3], data) for C, D in pairwise(steps)]

    def holds(users: tuple[Counts, Counts], C: Fraction, D: Fraction) -> bool:
        at_C, at_D = (clipping_bias(users, d=2, p=1, C=each) for each in (C, D))
        noisier = laplace_scale(d=2, relation=Relation.REPLACE_ONE, C=D, epsilon=F(1)) > laplace_scale(
            d=2, relation=Relation.REPLACE_ONE, C=C, epsilon=F(1)
        )
        falls = all(x >= y for x, y in zip(at_C, at_D, strict=True))
        return noisier and (falls if not reverse else all(x <= y for x, y in zip(at_C, at_D, strict=True)))

    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain="two users, d = 2, counts <= 3, C = 0, 1/2, ..., 4", witness=lambda c: f"{c[0]}, C = {c[1]} and {c[2]}"
    )
