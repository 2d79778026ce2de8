"""The privacy profile of the zero-sum protocol, certified for any n: Bin(n, p) against its shift by one (BC20, Theorem 3.1, part i).

With b the PMF of Bin(n, p), b(c)/b(c - 1) = (n - c + 1) p/(c (1 - p)) falls with c, so b(c) > E b(c - 1), E = e^eps, exactly for
c < (n + 1) p/(p + E (1 - p)): with t the largest such c, D(Bin || 1 + Bin) = F(t) - E F(t - 1) = b(t) - (E - 1) F(t - 1), one lower
tail. Counting the absent messages instead of the present ones turns 1 + Bin(n, p) against Bin(n, p) into the same with 1 - p for p.

Up to c = 0 the other distribution has no mass: each direction falls to a floor, (1 - p)^n or p^n, which it reaches at the ratio of c = 1,
E = n p/(1 - p) or n (1 - p)/p, and below which no epsilon leads.
"""

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail, mass
from shuffleproof.impl.ball.numeric.evaluation import MOST_BITS, Evaluation, refined
from shuffleproof.impl.ball.numeric.results import enclosed, exactly, solved
from shuffleproof.impl.ball.numeric.root import Root, solve
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.protocols import ZERO_SUM, with_dishonest
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    honest_count,
    parse_epsilon,
    probability,
    told,
)
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_zero_sum

_EXACT_COMPARISON = 2_000_000
"""Bits of max(p, 1 - p)^n up to which it is compared with delta as a rational, where balls cannot tell the two apart."""


def delta(*, n: Number, p: Number, epsilon: Number | Epsilon, dishonest: Number = 0, digits: int = 15) -> Bound:
    """The least delta for which the zero-sum protocol is (epsilon, delta)-DP, enclosed (BC20, Theorem 3.1).

    n: users, at least 1; p in [0, 1]: probability of every user's additional message, exact; epsilon >= 0; dishonest: how many
    users send no noise, or tell theirs, 0 to n - 1: the others keep the privacy of so many fewer users; digits: relative width of
    the enclosure at most 10^-digits, 1 to 1000. Cost O(sqrt(n p (1 - p) digits)).
    Returns an enclosure; exactly 1 where p is 0 or 1. Raises DomainError, ResourceLimitError, UndecidedError.
    """
    users, noise, central = count(n, parameter="n"), probability(p, parameter="p"), parse_epsilon(epsilon)
    honest = honest_count(users, dishonest)
    method = with_dishonest(ZERO_SUM, users - honest)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, p=p, eps=epsilon, **told(dishonest))
    if noise in (0, 1):
        return exactly(method, "delta", "1", Fraction(1), Fraction(1), inputs=inputs)
    one, other = (_enclose(honest, of_one, central, wanted + 1) for of_one in (noise, 1 - noise))
    lower, upper = max(one.lower, other.lower), max(one.upper, other.upper)
    return enclosed(method, "delta", lower, upper, digits=wanted, precision=max(one.bits, other.bits), inputs=inputs)


def epsilon(*, n: Number, p: Number, delta: Number, dishonest: Number = 0, digits: int = 15) -> Bound:
    """Least epsilon for which the zero-sum protocol is (epsilon, delta)-DP, enclosed (BC20, Theorem 3.1).

    n: users, at least 1; p in [0, 1]: probability of every user's additional message, exact; delta in [0, 1]; dishonest: as for
    `delta`; digits: relative width of the enclosure at most 10^-digits, 1 to 1000.
    Returns an enclosure; exactly 0 where delta >= delta(0) is certified. Raises DomainError, ResourceLimitError, UndecidedError;
    RegimeError where delta < max(p^n, (1 - p)^n), the probability that the number of messages gives the dataset away.
    """
    users, noise, target = count(n, parameter="n"), probability(p, parameter="p"), probability(delta, parameter="delta")
    honest = honest_count(users, dishonest)
    method = with_dishonest(ZERO_SUM, users - honest)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, p=p, delta=delta, **told(dishonest))
    if target == 1:
        return exactly(method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    _require_attainable(honest, noise, target, given=str(delta))
    # "Few of the rarer kind" is the larger direction where the floors do not matter: solve that, and the other one only if it fails.
    rarer = min(noise, 1 - noise)
    root = _one_way(honest, rarer, target, wanted)
    if not _holds(honest, 1 - rarer, target, root.upper):
        second = _one_way(honest, 1 - rarer, target, wanted)
        certified = max((root, second), key=lambda found: found.lower).lower_certified
        root = Root(max(root.lower, second.lower), max(root.upper, second.upper), certified)
    return solved(method, root, digits=wanted, inputs=inputs)


def _one_way(n: int, p: Fraction, delta: Fraction, digits: int) -> Root:
    """The least epsilon with D(Bin(n, p) || 1 + Bin(n, p)) <= delta, where delta is at least the floor (1 - p)^n."""
    ratio = n * p / (1 - p)
    if ratio <= 1 or _is_power(1 - p, n, delta):  # the divergence is at its floor from E = ratio on, and above it before
        top = Epsilon(Fraction(0) if ratio <= 1 else None, max(ratio, Fraction(1)))
        return Root(*top.bounds(bits=4 * digits + 16))
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
    return _enclose(n, p, Epsilon(epsilon, Fraction(1) if epsilon == 0 else None), 12).upper <= delta


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
