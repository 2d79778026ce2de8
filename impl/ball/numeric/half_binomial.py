"""The binomial Bin(c, 1/2) that splits the clones between the two inputs: its mass, and its lower tail, certified."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball


def log_mass(c: int, t: int) -> arb:
    """ln Pr(Bin(c, 1/2) = t) for 0 <= t <= c, at the working precision."""
    return arb(c + 1).lgamma() - arb(t + 1).lgamma() - arb(c - t + 1).lgamma() - c * arb(2).log()


def lower_tail_over_mass(c: int, t: int, bits: int) -> arb:
    """Pr(Bin(c, 1/2) <= t)/Pr(Bin(c, 1/2) = t) for t <= c/2, enclosed; terms are summed down to about 2^-bits.

    It is 1 + t/(c - t + 1) + t (t - 1)/((c - t + 1)(c - t + 2)) + ..., the rest below a geometric series.
    """
    total, term, smallest = arb(1), arb(1), arb(2) ** -bits
    for a in range(t, 0, -1):
        term = term * a / (c - a + 1)
        total += term
        if term < smallest and a > 1:
            ratio = ball(Fraction(a - 1, c - a + 2))
            return total + arb(0.5, 0.5) * (term * ratio / (1 - ratio))
    return total
