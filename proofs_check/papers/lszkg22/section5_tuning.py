"""LSZKG22, section 5: the variance term of Theorem 5.1, and the choice of C for each of its bounds."""

from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball import debiasing
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Cited, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.papers.lszkg22.instances import F
from shuffleproof.spec.vocabulary.numerals import decimal_text


@derived(
    "LSZKG22.Sec5.variance",
    where="Section 5, after Theorem 5.1: the second term is essentially the variance",
    says="l/4 <= Var min(X, C) <= l P(Poi(l) < C) <= l for X ~ Poi(l), l <= C - 1/3: lbar/n is the variance of the clipped mean up "
    "to a factor 4",
    range="integer C >= 1",
    governs=["impl.ball.debiasing"],
    grounds=[
        BALLS,
        Cited("Efron and Stein, 1981, in the Poisson limit", "user-histograms#the-clipped-mean-of-poisson-counts"),
        "user-histograms#the-clipped-mean-of-poisson-counts",
    ],
    mutants={"at most half of that": {"upper": F(1, 2)}, "at least 2l/5": {"lower": F(2, 5)}},
    missing="the inequality of Efron and Stein in the Poisson limit",
)
def variance(budget: Budget, *, lower: Fraction = Fraction(1, 4), upper: Fraction = Fraction(1)) -> Verdict:
    """lower l <= Var min(X, C) <= upper l P(Poi(l) < C) at l up to C - 1/3."""
    cases, worst = 0, F(10)
    with precision(512):
        for C, part in product((1, 2, 3, 5, 10, 30), range(1, budget.pick(quick=9, full=41))):
            cases += 1
            rate = (F(C) - F(1, 3)) * part / budget.pick(quick=8, full=40)
            found = debiasing.variance_of_clipped(rate, C=C)
            above, below = ball(upper * rate) * debiasing.f_prime(ball(rate), C=F(C)), ball(lower * rate)
            if below > found or found > above:
                shown = decimal_text(lower_end(found), digits=5, direction="down")
                return Verdict.refuted(f"C = {C}, l = {rate}: Var min(X, C) = {shown}", domain="the points tried", cases=cases)
            assert below <= found <= above  # decided, not only not refuted
            worst = min(worst, lower_end(found) / rate)
    return Verdict.certified(
        domain="C = 1, 2, 3, 5, 10, 30, l up to C - 1/3; the upper bound for all C and l by the Poisson Poincare inequality",
        cases=cases,
        slack=f"least Var/l: {decimal_text(worst, digits=3, direction='down')}",
        note="the theorem multiplies it by kap^2 < 4: an upper bound on the variance term, not the variance",
    )


@derived(
    "LSZKG22.Sec5.tuning",
    where="Section 5, after Theorem 5.1, the choice of C for (1)",
    says="(1) is least near C = (n^2 eps^2 sig2^2/(32 pi))^(1/3), which minimises 16 C^2/(n eps)^2 + sig2^2/(pi C); similar users (small "
    "sig2) allow a small C, and an error of O(1/n) as in the i.i.d. case",
    range="n, eps, sig2 > 0",
    grounds=[SYMPY, "LSZKG22.Thm5.1"],
    mutants={"the square root instead of the cube root": {"power": 2}},
)
def tuning(budget: Budget, *, power: int = 3) -> Verdict:
    """The minimiser of 16 C^2/(n eps)^2 + sig2^2/(pi C), and both terms at most 1/n for n sig2^2/pi + 1 <= C <= sqrt(n) eps/4."""
    C, n, eps, s = sympy.symbols("C n epsilon s", positive=True)  # s = sig2
    cost = 16 * C**2 / (n * eps) ** 2 + s**2 / (sympy.pi * C)
    optimum = (n**2 * eps**2 * s**2 / (32 * sympy.pi)) ** sympy.Rational(1, power)
    stationary = symbolic.holds(sympy.simplify(sympy.diff(cost, C).subs(C, optimum)) == 0)
    noise_at_end = sympy.simplify((16 * C**2 / (n * eps) ** 2).subs(C, sympy.sqrt(n) * eps / 4) - 1 / n) == 0
    bias_at_start = symbolic.are_identical((s**2 / (sympy.pi * (C - 1))).subs(C, n * s**2 / sympy.pi + 1), 1 / n)
    if not stationary:
        return Verdict.refuted("not stationary there", domain="symbolic", cases=3)
    if not (noise_at_end and bias_at_start):
        return Verdict.refuted("at an end, one of the terms is not 1/n", domain="symbolic", cases=3)
    return Verdict.proved(
        domain="all n, eps, sig2: for C >= 2 with lbar + 1/3 <= C, n sig2^2/pi + 1 <= C <= sqrt(n) eps/4, (1) is at most (2 + 8 lbar)/n",
        cases=3,
        note="such a C exists for sig2 of order n^(-1/4) eps^(1/2) or less, n eps^2 large; that C uses sig2, which is private: see "
        "LSZKG22.Lem4.1",
    )


@derived(
    "LSZKG22.Sec5.tuning-2",
    where="Section 5, after Theorem 5.1, the choice of C for (2)",
    says="C = 1 + ceil(max(2 max lam_i, ln n/(2 ln 2 - 1))) makes the third term of (2) at most sig2^2/(pi (C - 1) n): an error of "
    "O(1/n + ln(n)^2/(n eps)^2) whatever the rates below a constant",
    range="n >= 2",
    grounds=[BALLS, "LSZKG22.Thm5.1.2"],
    mutants={"half that C": {"constant": F(1, 2)}},
)
def tuning_2(budget: Budget, *, constant: Fraction = Fraction(1)) -> Verdict:
    """e^(-2 (C - 1)(ln 2 - 1/2)) <= 1/n at C - 1 = constant ln n/(2 ln 2 - 1), n = 2, ..., 10^6."""
    with precision(96):
        for n in (2, 10, 1000, 10**6):
            C = 1 + max(1, int(upper_end(ball(constant) * ball(n).log() / (2 * arb(2).log() - 1))) + 1)
            decay = (-2 * (C - 1) * (arb(2).log() - arb(1) / 2)).exp()
            if decay > ball(F(1, n)):
                return Verdict.refuted(f"n = {n}, C = {C}", domain="4 values of n", cases=4)
            assert decay <= ball(F(1, n))
    return Verdict.certified(
        domain="all n: (C - 1)(2 ln 2 - 1) >= ln n; certified at 4 values",
        cases=4,
        note="the maximal rate in the choice of C has to be a public bound",
    )
