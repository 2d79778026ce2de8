"""RAPPOR, one report: every bit of the item's indicator vector through a channel of its own, symmetric or not (EPK14; FT21)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require

Bits = tuple[int, ...]


def rappor(*, k: int, exp_half_epsilon0: Fraction) -> LocalRandomizer[int, Bits]:
    """Each of the k indicator bits is kept with probability r/(r + 1), r = e^(eps0/2), otherwise flipped.  (EPK14)

    k: number of items, at least 1; exp_half_epsilon0: r >= 1, exact. Exactly epsilon0-DP, e^epsilon0 = r^2, for k >= 2.
    Raises DomainError.
    """
    require(exp_half_epsilon0 >= 1, parameter="exp_half_epsilon0", value=exp_half_epsilon0, requirement="at least 1")
    r = Fraction(exp_half_epsilon0)
    return _bit_by_bit(k=k, own=r / (r + 1), other=1 / (r + 1))


def asymmetric_rappor(*, k: int, exp_epsilon0: Fraction) -> LocalRandomizer[int, Bits]:
    """One's own bit is 1 with probability 1/2, each other one with probability 1/(e^eps0 + 1).  (FT21; "optimized unary encoding")

    k: number of items, at least 1; exp_epsilon0: e^epsilon0 >= 1, exact. Exactly epsilon0-DP for k >= 2. Raises DomainError.
    """
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    return _bit_by_bit(k=k, own=Fraction(1, 2), other=1 / (Fraction(exp_epsilon0) + 1))


def _bit_by_bit(*, k: int, own: Fraction, other: Fraction) -> LocalRandomizer[int, Bits]:
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")

    def law(x: int) -> Distribution[Bits]:
        weights = {}
        for bits in product((0, 1), repeat=k):
            weight = Fraction(1)
            for j, bit in enumerate(bits):
                one = own if j == x else other
                weight *= one if bit else 1 - one
            weights[bits] = weight
        return Distribution(weights)

    return LocalRandomizer(range(k), {x: law(x) for x in range(k)})
