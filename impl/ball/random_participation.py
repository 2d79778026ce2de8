"""Random participation, certified: how many users take part, in blocks, and the mixture (BEYOND.random-participation).

delta(E) <= sum over m of Pr(Bin(n, g) = m) (m/n) delta_m(1 + (E - 1) n/m), and (m/n) Pr(Bin(n, g) = m) = g Pr(Bin(n - 1, g) = m - 1). In a
block from m to m', delta_m falls with m and the order is least at m', so the block adds at most g Pr(block) delta_m(1 + (E - 1) n/m').
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import tail_against

_BITS = 128
_DEVIATIONS = (-38, -20, -12, -8, -6, -4.5, -3.25, -2.25, -1.25, -0.5, 0.25, 1, 2, 3.5, 6, 11)
"""Where blocks of counts begin, in standard deviations from the mean."""


@dataclass(frozen=True)
class Block:
    """Users who take part, from least to most, user 1 among them; share: above and below the probability of that."""

    least: int
    most: int
    above: Fraction
    below: Fraction


def blocks(*, n: int, rate: Fraction, least: int = 1) -> tuple[Block, ...]:
    """All counts from `least` (at least 1) to n in blocks; n >= 1, rate in (0, 1]; empty where least exceeds n."""
    if least > n:
        return ()
    if rate == 1:
        return (Block(n, n, Fraction(1), Fraction(1)),)
    mean, deviation = float(n * rate), math.sqrt(float(n * rate * (1 - rate)))
    starts = {round(mean + z * deviation) for z in _DEVIATIONS}
    edges = sorted({least, n + 1} | {start for start in starts if least < start <= n})
    with precision(_BITS):
        return tuple(_block(n, rate, low, high - 1) for low, high in pairwise(edges))


def _block(n: int, rate: Fraction, low: int, high: int) -> Block:
    """g Pr(low - 1 <= Bin(n - 1, g) <= high - 1), from the tail on the side of the mean where it is small."""
    upward = low - 1 > (n - 1) * rate
    inside = _at_least(n - 1, rate, low - 1) - _at_least(n - 1, rate, high) if upward else 0
    if not upward:
        inside = _at_most(n - 1, rate, high - 1) - _at_most(n - 1, rate, low - 2)
    mass = ball(rate) * inside
    return Block(low, high, min(upper_end(mass), rate), max(lower_end(mass), Fraction(0)))


def _at_most(n: int, p: Fraction, c: int) -> arb:
    if c < 0 or c >= n:
        return arb(0 if c < 0 else 1)
    if c > n * p:
        return 1 - _at_least(n, p, c + 1)
    return tail_against(n, c, ball((1 - p) / p), downward=True, bits=_BITS)


def _at_least(n: int, p: Fraction, c: int) -> arb:
    if c <= 0 or c > n:
        return arb(1 if c <= 0 else 0)
    if c <= n * p:
        return 1 - _at_most(n, p, c - 1)
    return tail_against(n, c, ball((1 - p) / p), downward=False, bits=_BITS)


def order(E: Fraction, *, n: int, m: int) -> Fraction:
    """1 + (E - 1) n/m."""
    return 1 + (E - 1) * Fraction(n, m)


def above(
    parts: tuple[Block, ...], *, n: int, E: Fraction, delta_of: Callable[[int, Fraction], Fraction], negligible: Fraction
) -> Fraction:
    """An upper bound on delta at order E, or at any larger one.

    delta_of: (m, order) -> upper bound on the delta of m users, at most 1; negligible: blocks of at most this share count in full.
    """
    total = Fraction(0)
    for part in parts:
        total += part.above if part.above <= negligible else part.above * delta_of(part.least, order(E, n=n, m=part.most))
    return min(Fraction(1), total)


def below(parts: tuple[Block, ...], *, n: int, E: Fraction, delta_of: Callable[[int, Fraction], Fraction]) -> Fraction:
    """A lower bound where delta_of is one for the pair (x, z, ..., z), (z, ..., z), that way round."""
    return sum((part.below * delta_of(part.most, order(E, n=n, m=part.least)) for part in parts), Fraction(0))


def one_bit(m: int, E: Fraction, *, T: Fraction) -> Fraction:
    """Lower bound on D_E(B || A) of binary randomized response with T = e^eps0, A of (0, ..., 0), B of (1, 0, ..., 0), m users.

    B(c)/A(c) grows with c, so the divergence is B(c >= t) - E A(c >= t) at the best t; at any other t it is below.
    """
    p = 1 / (T + 1)
    if T == 1 or E >= T:
        return Fraction(0)
    # B(c)/A(c) = ((m - c)/T + c T)/m = E
    t = math.ceil((m * E - m / T) / (T - 1 / T))
    with precision(_BITS):
        rest, last = _at_least(m - 1, p, t), _at_least(m - 1, p, t - 1)
        in_b = ball(p) * rest + ball(1 - p) * last if t >= 1 else arb(1)
        in_a = ball(1 - p) * rest + ball(p) * last if t >= 1 else arb(1)
        return max(Fraction(0), lower_end(in_b - ball(E) * in_a))
