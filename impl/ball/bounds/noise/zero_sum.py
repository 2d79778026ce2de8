"""The privacy profile of the zero-sum protocol, certified for any n: Bin(n, p) against its shift by one (BC20, Theorem 3.1, part i).

With b the PMF of Bin(n, p), b(c)/b(c - 1) = (n - c + 1) p/(c (1 - p)) falls with c, so b(c) > E b(c - 1), E = e^eps, exactly for
c < (n + 1) p/(p + E (1 - p)): with t the largest such c, D(Bin || 1 + Bin) = F(t) - E F(t - 1) = b(t) - (E - 1) F(t - 1), one lower
tail. Counting the absent messages instead of the present ones turns 1 + Bin(n, p) against Bin(n, p) into the same with 1 - p for p.

Up to c = 0 the other distribution has no mass: each direction falls to a floor, (1 - p)^n or p^n, which it reaches at the ratio of c = 1,
E = n p/(1 - p) or n (1 - p)/p, and below which no epsilon leads.
"""

import math
from collections.abc import Mapping
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail, mass
from shuffleproof.impl.ball.numeric.results import MOST_BITS, Evaluation, certified, larger, refined
from shuffleproof.impl.ball.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.protocols import ZERO_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_zero_sum

_EXACT_COMPARISON = 2_000_000
"""Bits of max(p, 1 - p)^n up to which it is compared with delta as a rational, where ball arithmetic cannot separate the two."""


@certified(ZERO_SUM)
def delta(*, n: int, p: Fraction, epsilon: Epsilon, dishonest: int = 0, digits: int = 15) -> Found:
    """The least delta for which the zero-sum protocol is (epsilon, delta)-DP (BC20, Theorem 3.1).

    p: probability of every user's additional message. dishonest: how many users send no noise, or reveal theirs: the others keep the
    privacy of so many fewer users. Exactly 1 where p is 0 or 1. Cost O(sqrt(n p (1 - p) digits)).
    """
    if p in (0, 1):
        return Found.exactly(1)
    return larger(*(_enclose(n - dishonest, of_one, epsilon, digits + 1) for of_one in (p, 1 - p)))


@certified(ZERO_SUM)
def epsilon(*, n: int, p: Fraction, delta: Fraction, inputs: Mapping[str, str], dishonest: int = 0, digits: int = 15) -> Found:
    """Least epsilon for which the zero-sum protocol is (epsilon, delta)-DP; exactly 0 where delta >= delta(0) (BC20, Theorem 3.1).

    Raises RegimeError where delta < max(p^n, (1 - p)^n), the probability that the number of messages gives the dataset away.
    """
    honest = n - dishonest
    if delta == 1:
        return Found.exactly(0)
    _require_attainable(honest, p, delta, given=inputs["delta"])
    # "Few of the rarer value" is the larger direction where the floors do not matter: solve that, and the other one only if it fails.
    rarer = min(p, 1 - p)
    root = _one_way(honest, rarer, delta, digits)
    if not _holds(honest, 1 - rarer, delta, root.upper):
        root = root.or_larger(_one_way(honest, 1 - rarer, delta, digits))
    return root


def _one_way(n: int, p: Fraction, delta: Fraction, digits: int) -> Found:
    """The least epsilon with D(Bin(n, p) || 1 + Bin(n, p)) <= delta, where delta is at least the floor (1 - p)^n."""
    ratio = n * p / (1 - p)
    if ratio <= 1 or _is_power(1 - p, n, delta):  # the divergence is at its floor from E = ratio on, and above it before
        top = Epsilon(Fraction(0) if ratio <= 1 else None, max(ratio, Fraction(1)))
        return Found(*top.bounds(bits=4 * digits + 16))
    top = Epsilon(None, ratio)
    low = top.bounds(bits=64)[0]
    wanted = math.log(delta.denominator) - math.log(delta.numerator)
    start = Fraction(math.sqrt(2 * wanted / float(n * p * (1 - p))))
    return solve(
        lambda central, accuracy: _enclose(n, p, central, accuracy),
        epsilon0=top,
        delta=delta,
        digits=digits,
        guess=min(start, low * Fraction(9, 10)),
    )


def _holds(n: int, p: Fraction, delta: Fraction, epsilon: Fraction) -> bool:
    """Return whether D(Bin(n, p) || 1 + Bin(n, p)) <= delta is certified at this epsilon."""
    return _enclose(n, p, Epsilon(epsilon, None), 12).upper <= delta


def _enclose(n: int, p: Fraction, epsilon: Epsilon, digits: int) -> Evaluation:
    bits = math.ceil(3.33 * digits) + 2 * n.bit_length() + 48
    ratio = n * p / (1 - p)
    if ratio <= 1 or Epsilon(None, ratio) <= epsilon:
        return _at_floor(n, p, epsilon, bits)
    return refined(lambda at, _: _evaluate(n, p, epsilon, at), digits=digits, bits=bits, spread=0.0)


def _at_floor(n: int, p: Fraction, epsilon: Epsilon, bits: int) -> Evaluation:
    """Enclose delta from the ratio of c = 1 on: (1 - p)^n, and no mass on the other side."""
    with precision(bits + n.bit_length()):
        floor = (n * ball(1 - p).log()).exp()
        return Evaluation(exp_of(epsilon), floor, arb(0), max(lower_end(floor), Fraction(0)), upper_end(floor), bits)


def _evaluate(n: int, p: Fraction, epsilon: Epsilon, bits: int) -> Evaluation:
    E = exp_of(epsilon)
    low, high = ends(ball((n + 1) * p) / (ball(p) + E * ball(1 - p)))
    t = math.ceil(low) - 1
    undecided = range(t + 1, math.floor(high) + 1)
    if len(undecided) > 2:
        raise UndecidedError(quantity="the cut of the pair", enclosure=("0", str(n)), precision=bits)
    in_q = lower_tail(n, p, t - 1, bits=bits)
    value, slack = mass(n, p, t) - expm1_of(epsilon) * in_q, arb(0)
    for c in undecided:  # the integrand all but vanishes there: counted in full on the upper side only
        slack += abs(mass(n, p, c) - E * mass(n, p, c - 1))
    return Evaluation(E, value, in_q, max(lower_end(value), Fraction(0)), upper_end(value + slack), bits)


def _require_attainable(n: int, p: Fraction, delta: Fraction, *, given: str) -> None:
    """max(p, 1 - p)^n <= delta, decided; exactly where the numbers are not too long."""
    base = max(p, 1 - p)
    if base == 1:
        raise no_epsilon_for_zero_sum(revealed="1", delta=given)
    bits = 128
    while True:
        with precision(bits + n.bit_length()):
            floor = (n * ball(base).log()).exp()
            if floor <= ball(delta):
                return
            if surely_less(ball(delta), floor):
                revealed = decimal_text(upper_end(floor), digits=6, direction="up")
                raise no_epsilon_for_zero_sum(revealed=revealed, delta=given)
        if _is_power(base, n, delta):
            return
        bits *= 2
        if bits > MOST_BITS:
            raise UndecidedError(quantity="max(p^n, (1 - p)^n) - delta", enclosure=("?", "?"), precision=bits)


def _is_power(base: Fraction, n: int, delta: Fraction) -> bool:
    """Return whether base^n == delta, decided exactly where that is feasible, else False."""
    return n * base.denominator.bit_length() <= _EXACT_COMPARISON and base**n == delta
