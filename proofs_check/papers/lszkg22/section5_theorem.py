"""LSZKG22, Theorem 5.1: the error of Algorithm 4 for independent Poisson counts, with every constant.

With psi the clamped inverse, lhat - lbar = (psi(y) - psi(mu)) - b, and psi is kap-Lipschitz: that is (A). Bias: by concavity
f(lbar - b) <= f(lbar) - f'(lbar) b, and by Taylor's theorem f(lbar) - mu = (1/2n) sum of |f''(xi_i)| (lam_i - lbar)^2, while
f(lbar) - mu <= f'(g) b <= b, and g >= mu. (B): psi is convex up to f_C(largest), psi(y) >= psi_ext(y) - kap (y - f_C(largest))_+ with a
convex extension, (x - tau)_+ <= x^2/(4 tau), and Jensen's inequality. With (x - tau)_+ <= x_+, of mean E|x|/2 <= sqrt(V)/2, instead, it
is (C): kap^2 V + b kap sqrt V + b^2. f' >= 1/2 up to C - 1/3 gives (1) from (A), or with smaller constants from (C).
"""

from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, Budget, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.papers.lszkg22.instances import F, Setting, all_hold, settings

_ALL = "all rates, C, eps, n with lbar <= largest, by this module's text"


def _curvature(case: Setting, *, largest: bool) -> arb:
    """The largest or smallest P(Poi(l) = C - 1) over l between the extreme rates: unimodal with its top at l = C - 1."""
    low, high = min(case.rates), max(case.rates)
    ends = [case.mass(case.C - 1, rate) for rate in (low, high)]
    if not largest:
        return ends[0].min(ends[1])
    return case.mass(case.C - 1, F(case.C - 1)) if low <= case.C - 1 <= high else ends[0].max(ends[1])


@derived(
    "LSZKG22.Thm5.1.bias",
    says="m sig2/2 <= b <= min(M sig2/(2 f_C'(lbar)), lbar - mu), [m, M] the range of P(Poi(l) = C - 1) between the extreme rates: b = 0 "
    "iff all rates are equal",
    range="integer C >= 1, rates >= 0",
    governs=["impl.ball.debiasing"],
    grounds=[BALLS, "LSZKG22.Alg4.f", "user-histograms#the-error-of-debiasing"],
    mutants={"half of the upper bound": {"factor": F(1, 2)}},
    missing="concavity and the remainder of Taylor's theorem; compared at settings",
)
def bias(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    half = factor / 2
    above = all_hold(
        budget,
        left=lambda s: s.b,
        right=lambda s: (_curvature(s, largest=True) * ball(half * s.spread) / s.slope(s.lbar)).min(ball(s.lbar) - s.mu),
        domain=_ALL,
    )
    below = all_hold(budget, left=lambda s: _curvature(s, largest=False) * ball(half * s.spread), right=lambda s: s.b, domain=_ALL)
    return conjunction([above, below])


@derived(
    "LSZKG22.Thm5.1.A",
    where="Theorem 5.1, appendix A.3",
    says="(A) E(lhat - lbar)^2 <= (kap sqrt V + b)^2 <= 2 kap^2 V + 2 b^2, kap = 1/f_C'(largest), V = Var y",
    range="integer C >= 1, eps > 0, n >= 1, rates >= 0, lbar <= largest < inf",
    governs=["impl.ball.debiasing"],
    grounds=[BALLS, "LSZKG22.Alg4.f", "user-histograms#the-error-of-debiasing"],
    mutants={"sqrt V + b, without the slope": {"kap_power": 0}},
    missing="the slopes of the inverse and Minkowski's inequality; compared at settings",
)
def lipschitz(budget: Budget, *, kap_power: int = 1) -> Verdict:
    """(A): E(lhat - lbar)^2 <= (kap sqrt V + b)^2."""

    def bound(s: Setting) -> arb:
        root = (s.kap**kap_power) * s.V.sqrt() + s.b
        return root * root

    return all_hold(budget, left=lambda s: s.debiased.upper, right=bound, domain=_ALL)


@derived(
    "LSZKG22.Thm5.1.B",
    where="Theorem 5.1, a better dependence (the text names an appendix A.4 that it does not contain)",
    says="(B) E(lhat - lbar)^2 <= b^2 + kap^2 V + b kap V/(2 tau), tau = f_C(largest) - mu > 0: b^2 at rate 1/n",
    range="integer C >= 1, eps > 0, n >= 1, rates >= 0, lbar <= largest < inf, tau > 0",
    governs=["impl.ball.debiasing"],
    grounds=[BALLS, "LSZKG22.Alg4.f", "user-histograms#the-error-of-debiasing"],
    weaker={"kap_power": "larger"},
    mutants={"V for kap^2 V": {"kap_power": 0}},
    missing="the convex extension and Jensen's inequality; compared at settings",
)
def convex(budget: Budget, *, kap_power: int = 2) -> Verdict:
    """(B): E(lhat - lbar)^2 <= b^2 + kap^2 V + b kap V/(2 tau)."""
    slope, apart = sympy.symbols("kap t", positive=True)
    # |psi(y) - psi(mu)| <= kap |y - mu|, and kap >= 1, as f_C' is a probability
    squared = symbolic.is_nonnegative((slope**kap_power - slope**2) * apart**2, at_least={slope: 1, apart: 0})

    found = all_hold(
        budget,
        left=lambda s: s.debiased.upper,
        right=lambda s: s.b * s.b + s.kap**kap_power * s.V + s.b * s.kap * s.V / (2 * s.tau),
        applies=lambda s: bool(s.tau > 0),
        over=(*settings(budget.depth), _ALIKE),
        domain=_ALL + ", tau > 0",
    )
    return found if squared or not found.holds else _undecided(found, "the square of the Lipschitz bound")


_ALIKE = Setting((F(5, 4),) * 200, 2, F(50), F(5, 3))
"""Many users of one rate, and hardly any noise: no bias, and the slope of the inverse is all that counts."""


def _undecided(found: Verdict, what: str) -> Verdict:
    """Return what the settings do not contradict, where the proof does not give these numbers."""
    return Verdict.undecided(f"{what}: the proof does not give it", domain=found.domain, cases=found.cases)


@derived(
    "LSZKG22.Thm5.1",
    where="Theorem 5.1, equation (1)",
    says="lbar <= C - 1/3 = largest: E(lhat - lbar)^2 <= 16 C^2/(n eps)^2 + 8 lbar/n + sig2^2/(pi (C - 1)): noise, variance, bias; sig2 = "
    "(1/n) sum of (lambda_i - lbar)^2",
    range="integer C >= 2, eps > 0, n >= 1, rates >= 0",
    governs=["impl.ball.debiasing"],
    weaker={"noise": "larger", "variance": "larger"},
    grounds=[
        BALLS,
        "LSZKG22.Thm5.1.A",
        "LSZKG22.Thm5.1.bias",
        "LSZKG22.AppA.3.median",
        "LSZKG22.Sec5.variance",
        "user-histograms#the-error-of-debiasing",
    ],
    mutants={"C^2/(n eps)^2 and lbar/(4n)": {"noise": F(1), "variance": F(1, 4)}, "6/5 for 8": {"variance": F(6, 5)}},
    missing="the constants put into (A); Stirling's formula and the median of the Gamma distribution; compared at settings",
)
def equation_1(budget: Budget, *, noise: Fraction = Fraction(16), variance: Fraction = Fraction(8)) -> Verdict:
    # (C) is (3/2)(kap^2 V + b^2) with kap < 2, V <= 2 C^2/(n eps)^2 + lbar/n, b <= M sig2 and M^2 <= 1/(2 pi (C - 1))
    slope, times = 2, F(3, 2)
    steps = [
        symbolic.is_nonnegative(symbolic.rational(noise - times * slope**2 * 2)),
        symbolic.is_nonnegative(symbolic.rational(variance - times * slope**2)),
    ]

    def bound(s: Setting) -> arb:
        private = ball(noise * (s.C / (s.n * s.epsilon)) ** 2)
        return private + ball(variance * s.lbar / s.n) + ball(s.spread**2 / (s.C - 1)) / arb.pi()

    sharper = all_hold(
        budget, left=lambda s: s.debiased.upper, right=lambda s: s.kap * s.kap * s.V + s.b * s.kap * s.V.sqrt() + s.b * s.b, domain="(C)"
    )
    found = all_hold(
        budget,
        left=lambda s: s.debiased.upper,
        right=bound,
        applies=lambda s: s.C >= 2 and s.largest == F(s.C) - F(1, 3),
        over=(*settings(budget.depth), _ALIKE),
        domain="C >= 2, lbar <= largest = C - 1/3: (C) with kap < 2, f_C'(lbar) > 1/2, V <= 2C^2/(n eps)^2 + lbar/n, M <= 1/sqrt(2 "
        "pi (C - 1))",
        note="the text has lost the constants; (A) gives these, and (C), kap^2 V + b kap sqrt V + b^2, 12 for 16 and 6 for 8 as well",
    )
    if not sharper.holds:
        return sharper
    return found if all(steps) or not found.holds else _undecided(found, "the constants put into (C)")


@derived(
    "LSZKG22.Thm5.1.2",
    where="Theorem 5.1, equation (2)",
    says="if all rates are at most (C - 1)/2, the third term of (1) gains the factor e^(-2 (C - 1)(ln 2 - 1/2))",
    range="integer C >= 2, eps > 0, n >= 1",
    governs=["impl.ball.debiasing"],
    grounds=[BALLS, "LSZKG22.Thm5.1", "user-histograms#the-error-of-debiasing"],
    mutants={"lbar/(2n) for the variance": {"variance": F(1, 2)}},
    missing="the decay of the Poisson mass for C of 60 and more",
)
def equation_2(budget: Budget, *, variance: Fraction = Fraction(8)) -> Verdict:
    """Bound the bias by e^(-2 (C - 1)(ln 2 - 1/2)), all rates at most (C - 1)/2; it is that of P(Poi(l) = C - 1) at l = (C - 1)/2."""
    over = tuple(
        Setting(rates, C, eps, F(C) - F(1, 3))
        for C, eps in product((2, 3, 5), (F(1, 4), F(4), F(50)))
        for rates in ((F(C - 1, 2),) * 4, (F(0), F(C - 1, 2)) * 3, (F(0),) * 5)
    )

    def bound(s: Setting) -> arb:
        decay = (-2 * (s.C - 1) * (arb(2).log() - arb(1) / 2)).exp()
        private = ball(16 * (s.C / (s.n * s.epsilon)) ** 2)
        return private + ball(variance * s.lbar / s.n) + decay * ball(s.spread**2 / (s.C - 1)) / arb.pi()

    holds = all_hold(budget, left=lambda s: s.debiased.upper, right=bound, over=over, domain="C >= 2, rates at most (C - 1)/2")
    # M^2 <= e^(-2 (C - 1)(ln 2 - 1/2))/(2 pi (C - 1)): Stirling, certified for the first C
    for C in range(2, 60):
        k = C - 1
        mass = (-ball(F(k, 2)) + k * ball(F(k, 2)).log() - arb(k + 1).lgamma()).exp()
        assert mass * mass <= (-2 * k * (arb(2).log() - arb(1) / 2)).exp() / (2 * arb.pi() * k)
    return holds
