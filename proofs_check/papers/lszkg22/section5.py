"""LSZKG22, section 5: Algorithms 3 and 4, and the function f_C that they invert."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import sympy
from mpmath import mp, mpf

from shuffleproof.impl.ball import debiasing as certified
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Kind, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.lszkg22.instances import F
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.protocols import debiasing
from shuffleproof.spec.protocols.user_histogram import clipped_sum


@statement(
    "LSZKG22.Alg3",
    says="post((1/n)(sum of pre(x_i) + Lap(S/eps))), S = sup pre - inf pre, is eps-DP under replace-one; pre = min(x, C), post = id is the "
    "clipping algorithm",
    range="pre bounded, n public",
    governs=["spec.protocols.debiasing"],
    grounds=[EXACT, "LSZKG22.Alg1.laplace", "user-histograms#clipping-and-noise"],
    mutants={"half that sensitivity": {"sensitivity": F(1, 2)}},
    missing="functions beyond the enumerated ones",
)
def algorithm_3(budget: Budget, *, sensitivity: Fraction = Fraction(1)) -> Verdict:
    """pre = min(x, C), post = identity is the clipped sum over n; replacing a user moves n y by at most sup pre - inf pre = C."""
    counts = budget.pick(quick=4, full=6)
    data = [xs for n in (1, 2, 3) for xs in combinations_with_replacement(map(F, range(counts + 1)), n)]
    noises = (F(0), F(-5, 3))

    def holds(xs: tuple[Fraction, ...], C: Fraction, noise: Fraction) -> bool:
        y = debiasing.clipped_mean(xs, n=len(xs), C=C, noise=noise)
        same = y == (clipped_sum([(x,) for x in xs], d=1, p=1, C=C)[0] + noise) / len(xs)
        moved = max(abs(debiasing.clipped_mean((*xs[1:], x), n=len(xs), C=C, noise=noise) - y) * len(xs) for x in map(F, range(counts + 1)))
        return same and moved <= sensitivity * C

    return exhaustive.for_all(product(data, map(F, ("1/2", "2", "5")), noises), holds=holds).verdict(
        domain=f"the sum of n terms between inf pre and sup pre moves by their difference; exhausted for n <= 3, counts <= {counts}",
        witness=lambda c: f"counts {tuple(map(str, c[0]))}, C = {c[1]}",
    )


@derived(
    "LSZKG22.Alg3.private-n",
    kind=Kind.READING,
    says="a reading: Algorithm 3, dividing by the number of users present, is eps-DP under add-remove as well",
    range="add-remove",
    governs=["spec.protocols.debiasing"],
    mutants={"corrected statement with half the noise": {"sensitivity": F(1, 2)}},
)
def private_n(budget: Budget, *, sensitivity: Fraction = F(1)) -> Verdict:
    """No counts at all, n = 1 or 2 users, noise Lap(1): P(|y| > t) = e^(-n t), so the odds of |y| > 10 are e^10."""
    log_odds = {n: -n * F(10) for n in (1, 2)}
    repaired = algorithm_3.check(Budget(), sensitivity=sensitivity)
    return erratum(
        witness="C = eps = 1, users without data: P(|y| > 10) is e^-10 for one user and e^-20 for two, a ratio of e^10 > e^eps",
        is_witness=log_odds[1] - log_odds[2] > 1,
        corrected="the divisor is a public number; with n private it is a public stand-in, and the noise scale is sup |pre|/eps",
        beside=repaired,
        domain="n = 1, 2",
        cases=1 + repaired.cases,
    )


@statement(
    "LSZKG22.Sec5.post-processing",
    where="Section 5: since this is a post-processing step",
    says="debiasing the output of Algorithm 1 does not affect its privacy: post o M is (eps, delta)-DP if M is",
    range="post independent of the data; its clamp at f_C(largest) with a public bound",
    governs=["spec.protocols.debiasing"],
    grounds=[EXACT, "user-histograms#clipping-and-noise"],
    mutants={"post depends on the data": {"of_data": True}},
    missing="distributions beyond the enumerated ones",
)
def post_processing(budget: Budget, *, of_data: bool = False) -> Verdict:
    """Every map of three outcomes, applied to both distributions (of_data: another one to the second), keeps or lowers each divergence."""
    laws = [Distribution(dict(enumerate((F(a, 3), F(b, 3), F(3 - a - b, 3))))) for a in range(4) for b in range(4 - a)]
    maps = list(product(range(3), repeat=3))

    def holds(p: Distribution[int], q: Distribution[int], post: tuple[int, ...], order: Fraction) -> bool:
        other = maps[(maps.index(post) + 5) % len(maps)] if of_data else post
        after = hockey_stick(p.map(lambda y: post[y]), q.map(lambda y: other[y]), exp_epsilon=order)
        return after <= hockey_stick(p, q, exp_epsilon=order)

    return exhaustive.for_all(product(laws, laws, maps, (F(1), F(2))), holds=holds).verdict(
        domain="all distributions on three outcomes with weights in thirds, all maps, e^eps = 1, 2"
    )


@derived(
    "LSZKG22.Alg4.f",
    says="f_C(l) = E min(Poi(l), C) = C - sum over k < C of (C - k) P(k) = sum over 1 <= k <= C of P(Poi >= k); f_C' = P(Poi < C), "
    "f_C'' = -P(Poi = C - 1), f_C(0) = 0: an increasing concave bijection from [0, inf) to [0, C)",
    range="integer C >= 1, l >= 0; linear in C between integers",
    governs=["spec.protocols.debiasing", "impl.ball.debiasing"],
    grounds=[SYMPY, BALLS, "user-histograms#the-clipped-mean-of-poisson-counts"],
    mutants={"f_C'' = -P(Poi = C)": {"power": 1}},
    missing="the derivative of a Poisson tail, for all k; values are certified at points",
)
def function_f(budget: Budget, *, power: int = 0) -> Verdict:
    """f_C = C - e^-l R_C, f_C' = P(Poi < C), f_C'' = -P(Poi = C - 1), by sympy for small C and by the telescoping identity for all."""
    rate, k = sympy.Symbol("l", positive=True), sympy.Symbol("k", positive=True, integer=True)
    most = budget.pick(quick=5, full=10)

    def mass(j: int) -> sympy.Expr:
        return sympy.exp(-rate) * rate**j / sympy.factorial(j)

    for C in range(1, most + 1):
        f = C - sum((C - j) * mass(j) for j in range(C))
        by_definition = sum(j * mass(j) for j in range(C)) + C * (1 - sum(mass(j) for j in range(C)))
        polynomial = sum(sympy.Rational(*c.as_integer_ratio()) * rate**j for j, c in enumerate(debiasing.deficit_polynomial(C)))
        checks = (
            sympy.expand(f - by_definition) == 0,
            sympy.expand(f - (C - sympy.exp(-rate) * polynomial)) == 0,
            sympy.expand(sympy.diff(f, rate) - sum(mass(j) for j in range(C))) == 0,
            sympy.expand(sympy.diff(f, rate, 2) + mass(C - 1 + power)) == 0,
            f.subs(rate, 0) == 0,
        )
        if not all(checks):
            return Verdict.refuted(f"C = {C}: identity {checks.index(False) + 1}", domain="C", cases=C)
    telescoping = sympy.simplify(sympy.diff(sympy.exp(-rate) * rate**k / sympy.gamma(k + 1), rate) * sympy.exp(rate) / rate ** (k - 1))
    assert sympy.simplify(telescoping - (1 / sympy.gamma(k) - rate / sympy.gamma(k + 1))) == 0
    decided = 5 * most + 1
    for threshold, at in product((F(1), F(3), F(5, 2), F(80)), (F(0), F(1, 7), F(4), F(90))):
        decided += 1
        found = certified.expectation(rate=at, C=threshold, digits=25)
        with mp.workdps(40):
            reference = debiasing.f(at, C=threshold)
            near = mpf(found.upper.numerator) / found.upper.denominator
            assert abs(reference - near) <= mpf(10) ** -24 * (1 + reference)
    return Verdict.certified(
        domain=f"all C by d/dl P(Poi(l) >= k) = P(Poi(l) = k - 1); symbolically for C <= {most}; both engines agree to 24 digits at "
        "16 points",
        cases=decided,
    )


@derived(
    "LSZKG22.Alg4.inverse",
    says="f_C^-1 is convex with slope at least 1 and f_C^-1(y) >= y; its certified ends lie on both sides",
    range="0 <= y < C",
    governs=["spec.protocols.debiasing", "impl.ball.debiasing"],
    grounds=[BALLS, "LSZKG22.Alg4.f", "user-histograms#the-clipped-mean-of-poisson-counts"],
    mutants={"the inverse of a y larger by 1e-40": {"excess": F(1, 10**40)}},
    missing="that an increasing concave function has a convex inverse",
)
def inverse(budget: Budget, *, excess: Fraction = Fraction(0)) -> Verdict:
    """f_C at the certified ends of the inverse lies on both sides of y (moved by excess), to 50 digits, and mpmath agrees."""
    for decided, (C, share) in enumerate(
        product((F(1, 2), F(1), F(2), F(7, 2), F(40), F(200)), (F(1, 10**12), F(1, 3), F(9, 10), 1 - F(1, 10**9))), 1
    ):
        y = C * share
        low, high = certified.inverse(y=y, C=C, digits=50)
        at_low, at_high = (certified.expectation(rate=rate, C=C, digits=100) for rate in (low, high))
        if not (at_low.lower <= y * (1 + excess) <= at_high.upper and high - low <= high / 10**50 and low >= y * (1 - F(1, 10**50))):
            return Verdict.refuted(f"C = {C}, y = {y}", domain="24 points", cases=decided)
        with mp.workdps(60):
            if C <= 40:
                reference = debiasing.inverse(y, C=C)
                assert abs(reference - mpf(high.numerator) / high.denominator) <= reference * mpf(10) ** -45
    return Verdict.certified(domain="C = 1/2, 1, 2, 7/2, 40, 200 and y/C from 1e-12 to 1 - 1e-9, 50 digits", cases=decided)


@derived(
    "LSZKG22.Alg4.defined",
    kind=Kind.READING,
    says="as printed: the estimate f_C^-1(y) is defined for every output y of Algorithm 1",
    range="C >= 1, eps > 0",
    governs=["spec.protocols.debiasing"],
    mutants={"corrected statement without the clamp": {"clamped": False}},
)
def defined(budget: Budget, *, clamped: bool = True) -> Verdict:
    """n = 1, C = 1: y = min(x, 1) + Lap(1/eps): y < 0 for x = 0 and y >= 1 for x >= 1, each with probability one half."""
    undefined = F(1, 2)
    outside = []
    for noise in (F(-3), F(3)):
        y = debiasing.clipped_mean((F(0),), n=1, C=F(1), noise=noise)
        try:
            debiasing.inverse_clamped(y, C=F(1), largest=F(2)) if clamped else debiasing.inverse(y, C=F(1))
        except ValueError:
            outside.append(str(y))
    return erratum(
        witness="C = 1, one user: y < 0 with probability 1/2 if the count is 0, y >= C with probability 1/2 if it is at least 1; f_C takes "
        "values in [0, C) only",
        is_witness=undefined > 0,
        corrected="f_C^-1 of y moved into [0, f_C(largest)], with a public finite largest >= lbar; without a finite bound the error is "
        "infinite in expectation wherever y reaches C",
        counterexample=None if not outside else f"y = {' and '.join(outside)}",
        domain="n = 1, C = 1",
        cases=2,
    )


@statement(
    "LSZKG22.Sec5.same-distribution",
    where="Section 5, after Algorithm 3: it is not hard to see",
    says="if all users come from the same distribution then some post-processing of the clipped mean helps: y -> max(y, 0) has a smaller "
    "mean squared error than y = (1/n)(sum of min(x_i, C) + Lap(C/eps))",
    range="n >= 1, C > 0, eps > 0, Laplace noise, counts of any distribution with a mean (which is at least 0)",
    grounds=[SYMPY],
    weaker={"least_mean": "larger"},
    mutants={"means may be negative": {"least_mean": -1}},
)
def same_distribution(budget: Budget, *, least_mean: int = 0) -> Verdict:
    """At y = -t, t > 0, the squared error falls from (t + m)^2 to m^2, by at least t^2; elsewhere nothing changes."""
    t, m = sympy.symbols("t m", real=True)
    domain = "all outputs y = -t < 0, all means m >= 0; Laplace noise makes y negative with positive probability, whatever the counts"
    if not symbolic.is_nonnegative(sympy.expand((t + m) ** 2 - m**2 - t**2), at_least={t: 0, m: least_mean}):
        return Verdict.refuted("m = -1, y = -1: the squared error rises from 0 to 1", domain=domain, cases=1)
    return Verdict.proved(
        domain=domain,
        cases=1,
        note="the users need not come from one distribution for that; Algorithm 4 helps for n large enough only (LSZKG22.Thm5.2.any-n)",
    )
