"""p, beta and q of a randomizer by closed forms (BEYOND.Parameters), rounded up, and the optimal pair with them in float64."""

import math
from fractions import Fraction

from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import beta_above
from shuffleproof.impl.fast.bounds.variation_ratio import optimal_pair
from shuffleproof.impl.fast.numeric.results import in_floats
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter

_BITS = 192
"""Beside the rounding of e^epsilon0 to so many bits, the width of the sides is all that is seen."""


def parameters(*, randomizer: NamedRandomizer, epsilon0: Number | Epsilon) -> tuple[Fraction, Fraction, Fraction]:
    """(p, beta, q) of a randomizer by its name, each at least its exact value and at most 1 + 1e-50 of it; exact where rational.

    randomizer: a record of spec.vocabulary.randomizers; epsilon0 in [0, 10000].
    beta is 1 - e^(-eps0/2) for Laplace noise, and for others the probability, under one of two inputs, of the outputs that prefer it and
    not the other, times 1 - e^-eps0. Raises DomainError, UnsupportedError.
    """
    local = epsilon0_parameter(epsilon0)
    if local.exp == 1:
        return Fraction(1), Fraction(0), Fraction(1)
    smallest = local.bounds(bits=32)[0]
    bits = _BITS + 2 * max(0, -math.floor(math.log2(smallest)))  # T - 1 may be far smaller than T
    T = local.exp_bounds(bits=bits)[1]
    if randomizer.noise:
        return T, 1 - 1 / _root_above(T, bits), T
    return T, beta_above(randomizer.furthest.two_inputs(local), local), T


@in_floats(RANDOMIZER_PAIR)
def delta(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, epsilon: Epsilon) -> Found | Bound:
    """delta of the optimal pair with the randomizer's p, beta and q, rounded up (BEYOND.ThmF3); exactly 0 where epsilon >= epsilon0."""
    p, beta, q = parameters(randomizer=randomizer, epsilon0=epsilon0)
    return Found.exactly(0) if epsilon >= epsilon0 else optimal_pair.delta(n=n, p=p, beta=beta, q=q, epsilon=epsilon)


@in_floats(RANDOMIZER_PAIR)
def epsilon(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, delta: Fraction) -> Found | Bound:
    """Least epsilon at which that delta is at most delta (BEYOND.ThmF3); exactly epsilon0 at delta = 0, else delta from 1e-150."""
    p, beta, q = parameters(randomizer=randomizer, epsilon0=epsilon0)
    return Found.exactly_epsilon(epsilon0, bits=64) if delta == 0 else optimal_pair.epsilon(n=n, p=p, beta=beta, q=q, delta=delta)


def _root_above(T: Fraction, bits: int) -> Fraction:
    """sqrt(T) or a little more; itself where it is rational and T in lowest terms."""
    root = Fraction(math.isqrt(T.numerator), math.isqrt(T.denominator))
    if root**2 == T:
        return root
    scale = 1 << bits
    return Fraction(math.isqrt(math.floor(T * scale * scale)) + 1, scale)
