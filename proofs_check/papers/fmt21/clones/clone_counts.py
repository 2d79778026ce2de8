"""The pair that the proof of FMT21, Lemma 3.5 starts from: the counts of clones, before local randomness is taken into account."""

from fractions import Fraction
from functools import cache

import sympy

from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.spec.bounds.clones.clones import Counts
from shuffleproof.spec.distribution import Distribution, binomial


@cache
def clone_counts(n: int, p: Fraction) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """The distributions of P0 = (A + 1, C - A) and Q0 = (A, C - A + 1) for C ~ Bin(n - 1, p), A ~ Bin(C, 1/2)."""
    c_and_a = binomial(n - 1, p).then(lambda c: binomial(c, Fraction(1, 2)).map(lambda a: (c, a)))
    return c_and_a.map(lambda y: (y[1] + 1, y[0] - y[1])), c_and_a.map(lambda y: (y[1], y[0] - y[1] + 1))


def consecutive_binomials(*, shift: int = 0) -> bool:
    """Return whether (c + 1 - a) binom(c, a - 1) = (a + shift) binom(c, a) for all c and a; shift is 0 except in mutants."""
    c, a = sympy.symbols("c a")
    ratio = sympy.gammasimp(sympy.binomial(c, a - 1).rewrite(sympy.gamma) / sympy.binomial(c, a).rewrite(sympy.gamma))
    return symbolic.are_identical((c + 1 - a) * ratio, a + shift)
