"""The tail of the clones' likelihood ratio, bounded in one step for every n and p; FMT21, Lemma A.1, rests on it.

C ~ Bin(n - 1, p), A ~ Bin(C, 1/2), P = (A + 1, C - A): at (a, b) the ratio of P to Q is a/b. For r > 1 put x = r^(1/(1 + r)), so
that x and x/r are e^lambda and e^(-lambda r) for lambda = ln r/(1 + r), and phi(r) = (x + x/r)/2. Markov's inequality on
e^(lambda (A + 1 - r (C - A))) and on e^(lambda (C - A - r (A + 1))) gives

    Pr(A + 1 > r (C - A)) + Pr(C - A > r (A + 1)) <= (x + x/r) (1 - p (1 - phi))^(n - 1)
                                                   = 2 phi (1 - p (1 - phi))^(n - 1) <= 2 (1 - p (1 - phi))^n <= 2 exp(-p n (1 - phi)).

With s = sqrt(ln(2/delta)/(p n)) this is at most delta as soon as 1 - phi(r) >= s^2; phi decreases, so r >= 1 + c s suffices where
1 - phi(1 + c s) >= s^2. Under Q the same holds with the two coordinates exchanged.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger.methods import interval, symbolic

_NEAR = Fraction(1, 10)
"""c s below this is settled by algebra, above by interval subdivision."""


def phi(r: arb) -> arb:
    """phi(r) = r^(1/(1 + r)) (1 + 1/r)/2, the least value of (e^lambda + e^(-lambda r))/2 over lambda."""
    return (r.log() / (1 + r)).exp() * (1 + 1 / r) / 2


def chernoff_identities(*, minimiser_power: int = 1, others: int = 1, slope_power: int = 2) -> list[bool]:
    """The algebra of the displayed bound, each line decided as an identity.

    x stands for e^lambda. For the statement minimiser_power is 1 (x/r = e^(-lambda r)), others 1 (who may be a clone, with probability p)
    and slope_power 2 (of 1 + r, in the slope of u = -ln phi); anything else for a mutant.
    """
    p, x, r, log_r = sympy.symbols("p x r log_r", positive=True)
    y = x / r**minimiser_power
    average = x * (1 + 1 / r) / 2
    one_draw = 1 - p + p / 2 * x + p / 2 * y  # E of x^[counts as A] y^[counts as C - A] for one of the n - 1 others
    slope = sympy.diff(sympy.log(2) - sympy.log(r) / (1 + r) - sympy.log(1 + 1 / r), r).subs(sympy.log(r), log_r)
    return [
        symbolic.are_identical(one_draw, 1 - p * (1 - average)),
        symbolic.are_identical(x + y, 2 * average),
        symbolic.are_identical((1 - others * p * (1 - average)) - average, (1 - p) * (1 - average)),
        symbolic.are_identical(slope, log_r / (1 + r) ** slope_power),  # u = -ln phi increases: phi decreases from phi(1) = 1
    ]


def rate_near_zero(c: Fraction) -> bool:
    """1 - phi(1 + t) > (t/c)^2 on 0 < t <= 1/10, by algebra.

    u(1 + t) is the integral of ln(1 + v)/(2 + v)^2 >= v/((1 + v) (2 + v)^2) over [0, t], hence at least
    w = t^2/(2 (1 + t) (2 + t)^2), and 1 - phi = 1 - e^-u >= w - w^2/2 for w <= 1; then t^2 is divided out.
    """
    t = sympy.Symbol("t")
    w_over_t2 = 1 / (2 * (1 + t) * (2 + t) ** 2)
    margin = w_over_t2 * (1 - t**2 * w_over_t2 / 2) - sympy.Rational(c.denominator, c.numerator) ** 2
    return symbolic.is_nonnegative(margin, between={t: (0, _NEAR)}, strict=True)


def rate_on_interval(c: Fraction, *, top: Fraction) -> interval.BoxProof:
    """1 - phi(1 + c s) > s^2 for 1/(10 c) <= s <= top, by subdivision in s."""

    return interval.prove_on_box(lambda s: 1 - phi(1 + ball(c) * s) - s * s, box=[(_NEAR / c, top)])


def root_above(k: Fraction) -> Fraction:
    """A rational at or just above 1/sqrt(k): s <= 1/sqrt(k) iff p n >= k ln(2/delta)."""
    scale = 10**9
    return Fraction(math.isqrt(int(scale**2 / k)) + 1, scale) if not _is_square(k) else Fraction(1, math.isqrt(int(k)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One outcome (a, b) of P for n users and clone probability p, with delta = 10^-decimals."""

    n: int
    p: Fraction
    decimals: int
    a: int
    b: int

    def __str__(self) -> str:
        return f"n = {self.n}, p = {self.p}, delta = 1e-{self.decimals}, outcome (a, b) = ({self.a}, {self.b})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """e^eps = 1 + factor sqrt(ln(inside/delta)/(p n)) + offset/(p n), claimed whenever p n >= condition ln(2/delta)."""

    factor: Fraction
    condition: Fraction
    inside: int = 2
    offset: int = 0

    def exp_epsilon(self, *, n: int, p: Fraction, delta: arb) -> arb:
        """e^eps as a ball."""
        mean = ball(p * n)
        return 1 + ball(self.factor) * ((self.inside / delta).log() / mean).sqrt() + self.offset / mean

    def condition_holds(self, *, n: int, p: Fraction, delta: arb) -> bool:
        """Return whether p n >= condition ln(2/delta), certainly."""
        return bool(ball(p * n) >= ball(self.condition) * (2 / delta).log())


def violation(claim: Claim, point: Point) -> str | None:
    """How the point refutes the claim, or None: Pr(P = (a, b)) - e^eps Pr(Q = (a, b)) alone certainly exceeds delta.

    It then also exceeds it summed over all outcomes (the pair is not (eps, delta)-indistinguishable), and a fortiori
    the ratio exceeds e^eps with probability above delta.
    """
    delta = 1 / ball(10**point.decimals)
    exp_epsilon = claim.exp_epsilon(n=point.n, p=point.p, delta=delta)
    if not claim.condition_holds(n=point.n, p=point.p, delta=delta):
        return None
    part = 1 - exp_epsilon * ball(Fraction(point.b, point.a))
    if not part > 0:
        return None
    log_excess = _log_probability(point) + part.log() - delta.log()
    if not log_excess > 0:
        return None
    value, excess = float(upper_end(exp_epsilon)), float(lower_end(log_excess))
    return f"{point}: e^eps = {value:.8g}, this single term of D(P || Q) exceeds delta by a factor of e^{excess:.4g}"


def find_violation(claim: Claim, *, decimals: tuple[int, ...] = (20, 50, 100, 200, 500, 2000, 5000, 10_000, 20_000, 50_000)) -> str | None:
    """The first certified violation at p = 1/1000 with p n just at the condition; None if these points show none."""
    for digits in decimals:
        log_term = math.log(2) + digits * math.log(10)
        n = math.ceil(1000 * float(claim.condition) * log_term * (1 + 1e-12)) + 1
        for point in _promising(claim, n, digits):
            found = violation(claim, point)
            if found:
                return found
    return None


def _promising(claim: Claim, n: int, decimals: int) -> list[Point]:
    """Outcomes near the tilted mean, a few steps beyond the ratio e^eps (floats: only a guess, certified afterwards)."""
    mean = n / 1000
    log_term = math.log(claim.inside) + decimals * math.log(10)
    r = 1 + float(claim.factor) * math.sqrt(log_term / mean) + claim.offset / mean
    b = round(mean / 2 * r ** (1 / (1 + r)) / r)
    return [
        Point(n=n, p=Fraction(1, 1000), decimals=decimals, a=math.ceil(r * b) + 1 + beyond, b=b)
        for beyond in (0, 2, 4, 8, 16, 32, 64, 128, 256)
    ]


def _log_probability(point: Point) -> arb:
    """ln Pr(P = (a, b)) = ln of the multinomial probability of a - 1 and b clones among n - 1 users."""
    x, y, rest = point.a - 1, point.b, point.n - point.a - point.b
    p = ball(point.p)
    arrangements = ball(point.n).lgamma() - ball(x + 1).lgamma() - ball(y + 1).lgamma() - ball(rest + 1).lgamma()
    return arrangements + (x + y) * (p / 2).log() + rest * (1 - p).log()


def two_sided_tail(*, n: int, p: Fraction, exp_epsilon: arb) -> Fraction:
    """An upper bound, exact up to undecided ties, on the probability under P that a/b lies outside [e^-eps, e^eps]."""
    total = Fraction(0)
    for c in range(n):
        mass = math.comb(n - 1, c) * p**c * (1 - p) ** (n - 1 - c)
        for a in range(1, c + 2):
            larger, smaller = max(a, c + 1 - a), min(a, c + 1 - a)
            if not surely_less(ball(larger), exp_epsilon * ball(smaller)):
                total += mass * Fraction(math.comb(c, a - 1), 2**c)
    return total


def _is_square(k: Fraction) -> bool:
    return k.denominator == 1 and math.isqrt(int(k)) ** 2 == k
