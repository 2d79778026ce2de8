"""FMT21, section 4: closed forms against the certified profile of Theorem 4.1's pair, for any p and q."""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.k_rr.k_rr_sums import Pair, evaluate
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.evaluation import refined
from shuffleproof.proofs_check.ledger.points import BITS

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

    def attempt(bits: int, spread: float) -> object:
        w = ball((1 - q) / q)
        pair = Pair(n=n, r=ball(p), g=ball(p), none=ball(1 - 3 * p), scale=ball(q / (n * p)), w=w, y=arb(0), h=arb(0))
        return evaluate(pair, E=ball(exp_epsilon), E_minus_1=ball(exp_epsilon - 1), bits=bits, spread=spread)

    bits = math.ceil(3.33 * _DIGITS) + 2 * n.bit_length() + 48
    found = refined(attempt, digits=_DIGITS, bits=bits, spread=2.31 * _DIGITS + 12)  # type: ignore[arg-type]
    return found.lower, found.upper


def share(setting: Setting, *, scale: Fraction = Fraction(1), of_delta: Fraction | None = None) -> tuple[Fraction, Fraction]:
    """Bounds on D/(q delta) of the pair at equation (10)'s eps, rounded down: the claim holds if the upper one is at most 1.

    of_delta: compare with this multiple of delta instead of q.
    """
    with precision(BITS):
        excess = equation_10(setting.n, ball(setting.p), ball(setting.q), ball(setting.delta), scale=scale)
        order = 1 + Fraction(int(lower_end(excess) * 10**20), 10**20)
    lower, upper = profile(setting.n, setting.p, setting.q, order)
    target = (setting.q if of_delta is None else of_delta) * setting.delta
    return lower / target, upper / target


def least_users(p: Fraction, delta: Fraction, *, condition: Fraction) -> int:
    """The least n with p n >= condition ln(2/delta)."""
    with precision(BITS):
        return int(lower_end(ball(condition / p) * ball(2 / delta).log())) + 1


def lone_outcome(*, condition: Fraction, scale: Fraction = Fraction(1)) -> str | None:
    """Say which outcome alone gives kRR's pair more than q delta at equation (10)'s eps; None where none was found.

    k = 2 and T = 10^5, so that q is nearly 1; n just meets the condition, and delta is so small that the exponents of Lemma A.1 decide. The
    third count is left out: (A, B) and their increments alone, P = (A + 1, B), Q = (A, B + 1) with probability q, else (A, B) under both.
    """
    k, T = 2, 10**5
    p, q = Fraction(k, (k + 1) * (T + k - 1)), Fraction(T - 1, T + k - 1)
    for decimals in (2000, 5000, 10_000, 20_000):
        with precision(BITS):
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
                    return (
                        f"k = {k}, e^eps0 = {T}, n = {n}, delta = 1e-{decimals}: the outcome ({a}, {b}) alone exceeds q delta by e^{times}"
                    )
    return None
