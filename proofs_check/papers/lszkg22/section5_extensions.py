"""LSZKG22, the end of section 5: two extensions of Algorithm 4 to d > 1."""

from fractions import Fraction
from itertools import product
from math import comb

import sympy
from flint import arb
from mpmath import mp, mpf

from shuffleproof.impl.ball import debiasing as certified_debiasing
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Kind, Verdict, derived, erratum, recalled, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.papers.lszkg22.instances import F
from shuffleproof.spec.distribution import Distribution, multinomial
from shuffleproof.spec.protocols import debiasing
from shuffleproof.spec.protocols.user_histogram import clip, laplace_scale
from shuffleproof.spec.protocols.user_histogram_grid import discrete_laplace_mass
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.scope import Relation


def composed_delta(*, d: int, each: arb, epsilon: Fraction) -> arb:
    """The least delta of d counts with discrete Laplace noise, C = 1, all moved by 1: the loss of each is +-each, as in 2RR.

    sum over k of C(d, k) (e^((d - k) each) - e^(epsilon + k each))_+/(1 + e^each)^d.  (Kairouz, Oh and Viswanath, 2015, Theorem 3.3)
    """
    total, whole = arb(0), (1 + each.exp()).log() * d
    for k in range(d + 1):
        more, less = ((d - k) * each - whole).exp(), (ball(epsilon) + k * each - whole).exp()
        if more > less:
            total += comb(d, k) * (more - less)
    return total


def _two_losses() -> bool:
    """The likelihood ratio of discrete Laplace noise and its shift by 1 is 1/p up to 0 and p from 1 on, with P(up to 0) = 1/(1 + p)."""
    ratio = F(1, 3)
    ratios = {z: discrete_laplace_mass(z, ratio=ratio) / discrete_laplace_mass(z - 1, ratio=ratio) for z in range(-20, 21)}
    below = 1 - sum((discrete_laplace_mass(z, ratio=ratio) for z in range(1, 200)), F(0))
    right = all(value == (3 if z <= 0 else F(1, 3)) for z, value in ratios.items())
    return right and abs(below - 1 / (1 + ratio)) < F(1, 10**60)


@recalled(
    "LSZKG22.Sec5.extension-per-symbol",
    where="Section 5, extension 1",
    kind=Kind.READING,
    says="Algorithm 4 on every symbol with the budget eps/sqrt(d ln(1/delta)) each is (eps, delta)-DP by strong composition",
    range="d >= 1, eps > 0, 0 < delta < 1",
    governs=["spec.protocols.debiasing"],
    grounds=[BALLS, EXACT, Cited("Kairouz, Oh and Viswanath, 2015, Theorem 3.3"), Cited("Dwork and Roth, 2014, Corollary 3.21")],
    mutants={"corrected statement with three times that budget": {"factor_squared": F(9, 8)}},
)
def per_symbol(budget: Budget, *, factor_squared: Fraction = F(1, 8)) -> Verdict:
    """Budgets eps sqrt(factor_squared)/sqrt(d ln(1/delta)) for every symbol, eps = 1."""
    cases = tuple(product((1, 10, 100, 400), (F(1, 10**3), F(1, 10**5))))
    failing, shown = None, ""
    for d, delta in cases:
        found = composed_delta(d=d, each=(ball(factor_squared) / (d * ball(1 / delta).log())).sqrt(), epsilon=F(1))
        if found > ball(delta):
            failing = f"d = {d}, delta = {delta}: delta >= {decimal_text(lower_end(found), digits=4, direction='down')}"
            break
        assert found <= ball(delta)
    printed = composed_delta(d=100, each=(1 / (100 * ball(10**5).log())).sqrt(), epsilon=F(1))
    shown = decimal_text(lower_end(printed), digits=4, direction="down")
    assert _two_losses()
    return erratum(
        witness="C = 1, d = 100, eps = 1, delta = 1e-5, each symbol with eps/sqrt(d ln(1/delta)) and discrete Laplace noise, a user "
        f"who changes every count by 1: delta >= {shown}",
        is_witness=lower_end(printed) > F(1, 10**5),
        corrected="eps/(2 sqrt(2 d ln(1/delta))) for each symbol suffices for eps <= 1; the exact composition says how much more does",
        counterexample=failing,
        domain="eps = 1, d = 1, 10, 100, 400, delta = 1e-3, 1e-5",
        cases=len(cases) + 1,
        note="the budget's formula is lost; if it was meant up to a constant, the constant matters",
    )


@statement(
    "LSZKG22.Sec5.extension-per-symbol-cost",
    where="Section 5, extension 1, its main disadvantage",
    says="for large d, clipping each coordinate separately may perform poorly against clipping the l1 norm: d/2 times its error, for "
    "some data",
    range="d >= 2, eps > 0",
    governs=["spec.protocols.debiasing"],
    grounds=[EXACT, "LSZKG22.Alg1.error-laplace"],
    mutants={"d times its error": {"factor": F(1)}},
)
def cost(budget: Budget, *, factor: Fraction = F(1, 2)) -> Verdict:
    """Users with one item each, C = 1, eps = 1: nothing is clipped either way, so the errors are mean noise alone."""
    cases = (2, 10, 100, 1000)
    for d in cases:
        apart = d * laplace_scale(d=1, relation=Relation.REPLACE_ONE, C=F(1), epsilon=F(1, d))  # eps/d for every symbol
        together = d * laplace_scale(d=d, relation=Relation.REPLACE_ONE, C=F(1), epsilon=F(1))
        if not apart >= factor * d * together:
            return Verdict.refuted(f"d = {d}: {apart} against {together}", domain="d = 2, 10, 100, 1000", cases=len(cases))
    return Verdict.certified(
        domain="all d >= 2: d^2 C/eps against 2 d C/eps for users with one item each, replace-one, pure DP by basic composition",
        cases=len(cases),
        note="strong composition turns the factor d/2 into one of order sqrt(d ln(1/delta))",
    )


def _clipped_mean_of(N: int, shares: tuple[Fraction, ...], C: Fraction) -> tuple[Fraction, ...]:
    """E clip_1(X, C) for X multinomial(N, shares), exactly."""
    law: Distribution[tuple[int, ...]] = multinomial(N, shares)
    kept = [(weight, clip(x, p=1, C=C)) for x, weight in law.items()]
    return tuple(sum((weight * each[j] for weight, each in kept), F(0)) for j in range(len(shares)))


@statement(
    "LSZKG22.Sec5.extension-clipped",
    where="Section 5, extension 2",
    kind=Kind.READING,
    says="inverting the expectation of the clipped vector is difficult in high dimensions: it likely involves non-convex optimization: "
    "lambda with E clip_p(X, C) = y, X_j ~ Poi(lambda_j), is not the minimum of a convex function",
    range="p = 1, 2, d > 1",
    governs=["spec.protocols.debiasing"],
    grounds=[EXACT, "LSZKG22.Alg4.f"],
    mutants={"corrected statement coordinate by coordinate": {"together": False}},
)
def closed_form(budget: Budget, *, together: bool = True) -> Verdict:
    """Given ||X||_1 = N the clipped mean is shares min(N, C): exact; and the round trip of the closed form (or of coordinates apart)."""
    shares, failing, decided = (F(1, 2), F(1, 3), F(1, 6)), None, 0
    for N, C in product(range(6), map(F, ("1", "5/2", "4"))):
        decided += 1
        if _clipped_mean_of(N, shares, C) != tuple(share * min(F(N), C) for share in shares):
            failing = f"N = {N}, C = {C}"
    rates, C = (F(2), F(1), F(1, 4)), F(2)
    with mp.workdps(40):
        y = debiasing.clipped_expectation(rates, C=C)
        found = debiasing.clipped_expectation_inverse(y, C=C) if together else tuple(debiasing.inverse(each, C=C) for each in y)
        error = max(abs(x - mpf(rate.numerator) / rate.denominator) for x, rate in zip(found, rates, strict=True))
        if error > mpf(10) ** -35:
            failing = f"rates 2, 1, 1/4, C = 2: the inverse errs by {mp.nstr(error, 4)}"
    return erratum(
        witness="p = 1: E clip_1(X, C)_j = (lam_j/L) f_C(L), L the sum of the rates, since X given its total is multinomial; so the "
        "inverse is y_j f_C^-1(||y||_1)/||y||_1: one scalar inversion, no optimization",
        is_witness=together is False or failing is None,
        corrected="for l1 clipping and Poisson counts the inverse is that closed form; for l2 clipping none is known here",
        counterexample=failing,
        domain="d = 3, totals up to 5, three thresholds, exactly; one round trip to 35 digits",
        cases=decided + 1,
        note="the text says: may be difficult, as it likely involves non-convex optimization",
    )


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
            found = certified_debiasing.variance_of_clipped(rate, C=C)
            above, below = ball(upper * rate) * certified_debiasing.f_prime(ball(rate), C=F(C)), ball(lower * rate)
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
    return Verdict.proved(
        domain="all n, eps, sig2: for C >= 2 with lbar + 1/3 <= C, n sig2^2/pi + 1 <= C <= sqrt(n) eps/4, (1) is at most (2 + 8 lbar)/n",
        cases=3,
        note="such a C exists for sig2 of order n^(-1/4) eps^(1/2) or less, n eps^2 large; that C uses sig2, which is private: see "
        "LSZKG22.Lem4.1",
        against=None if noise_at_end and bias_at_start else "at an end, one of the terms is not 1/n",
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
