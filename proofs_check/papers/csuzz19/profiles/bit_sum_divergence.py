"""Certified divergences of the bit sum for the ledger: one named pair from below, every pair from above.

Above: the user is among the random ones independently of the s others that are, s ~ Bin(n - 1, g), g = lambda/n, and if not, sends x. With
V_x = x + (the rest), the two views are g (V_0 + V_1)/2 + (1 - g) V_x, so by advanced joint convexity (FMT21, Lemma 2.3), for E >= 1

    D_(1 + (1 - g)(E - 1))(view || view') <= (1 - g) D_E(V_1 || V_0) <= (1 - g) Exp over s of D_E(Bin(s, 1/2) || 1 + Bin(s, 1/2)),

whatever the other users' bits are.
"""

from fractions import Fraction

from flint import arb, ctx

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, lower_tail_over_mass


def coins_divergence(s: int, order: arb) -> arb:
    """D_E(Bin(s, 1/2) || 1 + Bin(s, 1/2)), which is also that of the reversed pair; order: E >= 1 as a ball.

    It is Pr[B <= c] - E Pr[B <= c - 1] for the c = 0, ..., floor(s/2) that makes it largest: the likelihood ratio at y is
    (s - y + 1)/y, above E for y < (s + 1)/(E + 1). Where the ball of E leaves c open the larger of the candidates is taken.
    """
    middle = (s + 1) / (order + 1)
    low, high = int(middle.lower().floor().unique_fmpz() or 0), int(middle.upper().ceil().unique_fmpz() or 0)
    best = arb(0)
    for c in range(max(low - 1, 0), min(high, s // 2) + 1):
        tail = lower_tail_over_mass(s, c, against=1, bits=ctx.prec)
        best = best.max(log_half_mass(s, c).exp() * (tail - order * (tail - 1)))
    return best


def homogeneous_divergence(n: int, lam: Fraction, order: arb) -> arb:
    """The larger divergence of order E between the views of (0, ..., 0) and (1, 0, ..., 0): a lower bound on the least delta.

    Pr'(y)/Pr(y) = ((n - y)/n) q/(1 - q) + (y/n)(1 - q)/q, q = lambda/(2n), rises in y. Any set of y gives a lower bound.
    """
    q = lam / (2 * n)
    down, up = ball(q / (1 - q)), ball((1 - q) / q)
    mass, zero_first, one_first = ball(1 - q) ** n, arb(0), arb(0)
    for y in range(n + 1):
        ratio = (down * (n - y) + up * y) / n
        zero_first += mass * (1 - order * ratio).max(arb(0))
        one_first += mass * (ratio - order).max(arb(0))
        mass = mass * down * (n - y) / (y + 1)
    return zero_first.max(one_first)


def every_pair_divergence(n: int, lam: Fraction, order: arb) -> arb:
    """An upper bound, for all neighbouring datasets, on the least delta at e^eps = order; by the inequality in the module's text.

    Sizes s of probability below 2^-200 count in full.
    """
    share = lam / n
    if share == 1:
        return arb(0)
    inner = 1 + (order - 1) / ball(1 - share)
    total, seen = arb(0), arb(0)
    mass = ball(1 - share) ** (n - 1)
    odds = ball(share / (1 - share))
    negligible = arb(2) ** -200
    for s in range(n):
        if not mass < negligible:
            total += mass * coins_divergence(s, inner)
            seen += mass
        mass = mass * odds * (n - 1 - s) / (s + 1)
    return ball(1 - share) * (total + (1 - seen).max(arb(0)))
