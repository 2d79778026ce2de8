"""LSZKG22, Algorithm 1 on a fine grid: discrete Gaussian noise as good as the continuous noise that it is close to.

x + round(N(0, sigma^2 I)) with integral x is the continuous mechanism followed by rounding; the distance of its noise from the discrete
Gaussian is bounded in impl.ball.fine_discrete_gaussian, by Taylor's theorem, for every sigma. Here the two steps of that bound that are
formulas are proved symbolically, and the distance itself is summed up in ball arithmetic.
"""

from fractions import Fraction
from math import floor, isqrt

import sympy
from flint import arb

from shuffleproof.impl.ball import discrete_gaussian, fine_discrete_gaussian, gaussian
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Cited, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.scope import Relation

_VARIANCES = (Fraction(1, 100), Fraction(1, 4), Fraction(1), Fraction(9), Fraction(100))
"""In squares of the grid's step: far finer than it, and far wider."""
_LINES = tuple(
    (shift, variance, epsilon) for shift in (1, 3) for variance in (1, 9, 400) for epsilon in (Fraction(1, 3), Fraction(1), Fraction(2))
)


def _distance(variance: Fraction) -> arb:
    """The total variation distance of the rounded and the discrete Gaussian at the working precision, tails counted in full."""
    reach = 20 * (isqrt(floor(variance)) + 1)
    sigma, scale = ball(variance).sqrt(), (2 * ball(variance)).sqrt()
    masses = {k: (-ball(Fraction(k * k) / (2 * variance))).exp() for k in range(-reach, reach + 1)}
    whole = sum(masses.values(), arb(0))
    total = arb(0)
    for k, mass in masses.items():
        rounded = ((ball(k) - arb(1) / 2) / scale).erfc() / 2 - ((ball(k) + arb(1) / 2) / scale).erfc() / 2
        total += abs(rounded - mass / whole)
    tail = 8 * (1 + sigma) * (-ball(Fraction((reach - 1) ** 2) / (2 * variance))).exp()
    return total / 2 + tail.union(-tail)


@derived(
    "LSZKG22.Alg1.fine-discrete-gaussian",
    says="discrete Gaussian noise N_Z(0, sigma^2) on d coordinates of an integer sum of l2 sensitivity s: delta <= hs(eps, s/sigma) + "
    "(1 + e^eps) d/(8 sigma^2)",
    range="eps >= 0, sigma^2 > 0, d >= 1, either relation",
    governs=["impl.ball.fine_discrete_gaussian"],
    grounds=[Cited("Taylor's theorem", "noise#the-fine-discrete-gaussian"), SYMPY, BALLS, "LSZKG22.Alg1.gaussian-profile"],
    mutants={
        "a fifteenth of the bound on the distance": {"share": Fraction(1, 15)},
        "the continuous profile alone": {"second_term": False},
    },
    missing="how the steps are put together for all sigma; values are certified at points",
)
def fine(budget: Budget, *, share: Fraction = Fraction(1), second_term: bool = True) -> Verdict:
    """share: of the bound on the distance; second_term: whether the distance enters the profile."""
    x, u, v = sympy.symbols("x u v", real=True)
    sigma = sympy.Symbol("sigma", positive=True)
    phi = sympy.exp(-(x**2) / (2 * sigma**2)) / (sympy.sqrt(2 * sympy.pi) * sigma)
    slope = sympy.diff(phi, x)
    variation = 4 * sympy.simplify(slope.subs(x, -sigma))  # phi' rises to its largest value at -sigma, falls to the opposite at sigma
    turning = sympy.simplify(sympy.diff(slope, x).subs(x, sigma)) == 0
    weight = sympy.integrate(u - v, (u, v, sympy.Rational(1, 2)))  # of |phi''| at distance v from the middle of an interval, v in [0, 1/2]
    largest = sympy.expand(weight).subs(v, 0) == sympy.Rational(1, 8)
    steps = turning and largest
    # of the bound on the distance the proof needs 4 phi(1) = 0.9679
    whole = symbolic.holds(sympy.simplify(variation * sigma**2) < symbolic.rational(share))
    decided, ratio = 3, Fraction(0)
    for variance in _VARIANCES:
        decided += 1
        bound = share * fine_discrete_gaussian.distance_bound(variance=variance)
        distance = _distance(variance)
        if lower_end(distance) > bound:
            shown = decimal_text(lower_end(distance), digits=4, direction="down")
            witness = f"sigma^2 = {variance}: the distance is {shown} at least, the bound {decimal_text(bound, digits=4, direction='up')}"
            return Verdict.refuted(witness, domain="sigma^2", cases=decided)
        ratio = max(ratio, upper_end(distance) / bound)
    for shift, variance_, epsilon in _LINES:
        decided += 1
        mu = (ball(Fraction(shift * shift, variance_))).sqrt()
        stated = gaussian.delta(noise_multiplier=1 / upper_end(mu), epsilon=epsilon, relation=Relation.REPLACE_ONE).upper
        if second_term:
            stated += upper_end(1 + ball(epsilon).exp()) * fine_discrete_gaussian.distance_bound(variance=variance_)
        exact = discrete_gaussian.delta(sensitivity=shift, variance=variance_, epsilon=epsilon, relation=Relation.REPLACE_ONE).lower
        if exact > stated:
            witness = f"s = {shift}, sigma^2 = {variance_}, eps = {epsilon}: delta is larger on the line"
            return Verdict.refuted(witness, domain="d = 1", cases=decided)
    assert steps
    return Verdict.certified(
        domain="any dimension, integer shifts, every sigma, by the text of impl.ball.fine_discrete_gaussian; its formulas symbolically, "
        f"the distance in ball arithmetic at {len(_VARIANCES)} variances, the profile on the line at {len(_LINES)} points",
        cases=decided,
        slack=f"the distance is at most {decimal_text(ratio, digits=3, direction='up')} of its bound where it was summed up",
        given=whole,
    )
