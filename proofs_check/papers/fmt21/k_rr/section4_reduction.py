"""The reduction of FMT21, section 4, built explicitly, and closed forms against the certified profile of Theorem 4.1's pair."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import sympy
from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_search import enclose
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import AnyDistribution, Clones, History, combination
from shuffleproof.spec.model import AdaptiveSequence
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Epsilon

Counts = tuple[int, int, int]
Components = Callable[[int, History], tuple[AnyDistribution, AnyDistribution, AnyDistribution]]
"""Q_1(x_1^0), Q_1(x_1^1) and Q_0 at a step i = 0, ..., n - 1 after some outputs."""


def left_over_of_three(
    r: AnyDistribution, components: tuple[AnyDistribution, AnyDistribution, AnyDistribution], *, p: Fraction
) -> AnyDistribution:
    """LO with r = p Q_1(x_1^0) + p Q_1(x_1^1) + p Q_0 + (1 - 3p) LO, equation (9); for p = 1/3 it has no weight, and r is returned.

    Raises DomainError if there is no such distribution.
    """
    if 3 * p == 1:
        third = combination(*((p, component) for component in components))
        require(r == third, parameter="r", value=r, requirement="the mean of the three components when p = 1/3")
        return r
    return combination((1 / (1 - 3 * p), r), *((-p / (1 - 3 * p), component) for component in components))


def three_clones(randomizers: AdaptiveSequence, components: Components, *, others: Sequence[Any], p: Fraction) -> Clones:
    """Algorithm 3's inputs for randomizers that satisfy equation (9). Raises DomainError (when used) if they do not."""
    left_over = lambda i, z, x: left_over_of_three(randomizers[i](z).distribution(x), components(i, z), p=p)  # noqa: E731
    return Clones(components, left_over, tuple(others), size=3)


def coefficients_agree(*, shift: int = 0) -> bool:
    """The coefficients of both sides of Theorem 4.1 agree for every n, as a quotient of factorials.

    A monomial names the places with 0, 1, 2 and 3 (z_0, ..., z_3 of them) and one data point for each 3. In A_s(X_0)(z) user 1 is at
    one of z_0 places (weight q) or z_2 (weight 1 - q), and the other clones fill the rest in (z_0 + z_1 + z_2 - 1)! ways, out of n!. On
    the other side: the counts' probability under the pair, one arrangement in n!/(z_0! z_1! z_2! z_3!) and one choice in
    (n - 1)!/(n - 1 - z_3)!.
    """
    z = sympy.symbols("z0:4", integer=True, positive=True)
    n, q, f = sum(z), sympy.Symbol("q"), sympy.factorial
    arranged, chosen = prod(f(part) for part in z) / f(n), f(n - 1 - z[3] + shift) / f(n - 1)
    for of_q, place in ((q, 0), (1 - q, 2)):
        counts = f(n - 1) / prod(f(part - int(i == place)) for i, part in enumerate(z)) * of_q
        in_shuffle = of_q * z[place] * f(z[0] + z[1] + z[2] - 1) / f(n)
        if not symbolic.is_one_by_gammas(counts * arranged * chosen / in_shuffle):
            return False
    return True


_DIGITS = 4  # of the pair's delta: the claims are off by more


@dataclass(frozen=True, slots=True)
class Setting:
    """n users, p and q of Theorem 4.1, delta."""

    n: int
    p: Fraction
    q: Fraction
    delta: Fraction

    def __str__(self) -> str:
        return f"n = {self.n}, p = {self.p}, q = {self.q}, delta = {float(self.delta):.3g}"


def equation_10(n: int, p: arb, q: arb, delta: arb, *, scale: Fraction = Fraction(1)) -> arb:
    """e^eps - 1 = q (4 sqrt(2 ln(4/delta)/(p n)) + 4/(p n)), times scale."""
    pn = p * n
    return ball(scale) * q * (4 * (2 * (4 / delta).log() / pn).sqrt() + 4 / pn)


def profile(n: int, p: Fraction, q: Fraction, exp_epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds on the divergence of Theorem 4.1's pair at this order; 0 < p < 1/3, 0 < q < 1."""

    def make() -> Pair:
        return Pair(n=n, r=ball(p), g=ball(p), none=ball(1 - 3 * p), scale=ball(q / (n * p)), w=ball((1 - q) / q), y=arb(0), h=arb(0))

    found = enclose(make, n, Epsilon(None, exp_epsilon), _DIGITS)
    return found.lower, found.upper


def share(setting: Setting, *, scale: Fraction = Fraction(1), of_delta: Fraction | None = None) -> tuple[Fraction, Fraction]:
    """Bounds on D/(q delta) of the pair at equation (10)'s eps, rounded down: the claim holds if the upper one is at most 1.

    of_delta: compare with this multiple of delta instead of q.
    """
    excess = equation_10(setting.n, ball(setting.p), ball(setting.q), ball(setting.delta), scale=scale)
    order = 1 + Fraction(int(lower_end(excess) * 10**20), 10**20)
    lower, upper = profile(setting.n, setting.p, setting.q, order)
    target = (setting.q if of_delta is None else of_delta) * setting.delta
    return lower / target, upper / target


def least_users(p: Fraction, delta: Fraction, *, condition: Fraction) -> int:
    """The least n with p n >= condition ln(2/delta)."""
    return int(lower_end(ball(condition / p) * ball(2 / delta).log())) + 1


def lone_outcome(*, condition: Fraction, scale: Fraction = Fraction(1)) -> str | None:
    """Say which outcome alone gives kRR's pair more than q delta at equation (10)'s eps; None where none was found.

    k = 2 and T = 10^5, so that q is nearly 1; n just meets the condition, and delta is so small that the exponents of Lemma A.1 decide. The
    third count is left out: (A, B) and their increments alone, P = (A + 1, B), Q = (A, B + 1) with probability q, else (A, B) under both.
    """
    k, T = 2, 10**5
    p, q = Fraction(k, (k + 1) * (T + k - 1)), Fraction(T - 1, T + k - 1)
    for decimals in (2000, 5000, 10_000, 20_000):
        delta = 1 / ball(10**decimals)
        n = math.ceil(upper_end(ball(condition / p) * (2 / delta).log()))
        order = 1 + equation_10(n, ball(p), ball(q), delta, scale=scale)
        r = float(1 + (order - 1) / ball(q))
        b = round(float(p * n) * r ** (1 / (1 + r)) / r)
        for beyond in (2, 8, 32, 128):
            a = math.ceil(r * b) + 1 + beyond
            rest = n - a - b
            log_mass = ball(n).lgamma() - ball(a).lgamma() - ball(b + 1).lgamma() - ball(rest + 1).lgamma()
            log_mass += (a - 1 + b) * ball(p).log() + rest * ball(1 - 2 * p).log()  # of A = a - 1, B = b
            neither = ball(1 - q) * ball(p * rest / (a * (1 - 2 * p)))
            excess = ball(q) + neither - order * (ball(q * Fraction(b, a)) + neither)
            if excess > 0 and log_mass + excess.log() > (ball(q) * delta).log():
                times = (log_mass + excess.log() - (ball(q) * delta).log()).str(4, radius=False)
                return f"k = {k}, e^eps0 = {T}, n = {n}, delta = 1e-{decimals}: the outcome ({a}, {b}) alone exceeds q delta by e^{times}"
    return None
