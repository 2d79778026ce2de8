"""Tails of Bin(n, p) for rational p, certified: the terms from the inner edge outward, the rest below a geometric series."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.spec.vocabulary.errors import ResourceLimitError

LARGEST_TAIL = 20_000_000


def mass(n: int, p: Fraction, c: int) -> arb:
    """Pr(Bin(n, p) = c) at the working precision; 0 outside {0, ..., n}. 0 < p < 1."""
    if not 0 <= c <= n:
        return arb(0)
    log_choose = arb(n + 1).lgamma() - arb(c + 1).lgamma() - arb(n - c + 1).lgamma()
    return (log_choose + c * ball(p).log() + (n - c) * ball(1 - p).log()).exp()


def lower_tail(n: int, p: Fraction, c: int, *, bits: int) -> arb:
    """Pr(Bin(n, p) <= c), 0 < p < 1, to a relative error of about 2^-bits; meant for c up to about the mean.

    Towards 0 each term is the last one times c (1 - p)/((n - c + 1) p), a factor that falls: below 1 from somewhere under the mean on.
    Cost O(sqrt(n p (1 - p) bits)). Raises ResourceLimitError beyond 2 * 10^7 terms.
    """
    if not 0 <= c < n:
        return arb(0) if c < 0 else arb(1)
    total, term, smallest = arb(1), arb(1), arb(2) ** -bits
    odds = ball((1 - p) / p)
    for at in range(c, max(c - LARGEST_TAIL, 0), -1):
        factor = odds * at / (n - at + 1)
        if term < smallest and factor < 1:
            return mass(n, p, c) * (total + arb(0.5, 0.5) * (term * factor / (1 - factor)))
        term = term * factor
        total += term
    if c <= LARGEST_TAIL:
        return mass(n, p, c) * total
    what = f"certified tail sums for n = {n}"
    raise ResourceLimitError(what=what, needed=f"more than {LARGEST_TAIL:.0e} terms", limit=f"{LARGEST_TAIL:.0e} terms")
