"""p, beta and q of a randomizer by closed forms (BEYOND.Parameters), rounded up, and the optimal pair with them in float64."""

import math
from fractions import Fraction

from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import beta_above
from shuffleproof.impl.fast.bounds.variation_ratio import optimal_pair
from shuffleproof.impl.fast.numeric.results import exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_laws import RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter, parse_epsilon, probability

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


def delta(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta of the optimal pair with the randomizer's p, beta and q, rounded up, enclosed in float64 (BEYOND.ThmF3).

    n: users, 1 to 10^9; the randomizer as for `parameters`; epsilon >= 0.
    Returns an enclosure whose claim is an upper bound, exactly 0 where epsilon >= epsilon0. Raises DomainError, UnsupportedError.
    """
    local, central = epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    p, beta, q = parameters(randomizer=randomizer, epsilon0=local)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(RANDOMIZER_PAIR, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    return RANDOMIZER_PAIR.restated(optimal_pair.delta(n=n, p=p, beta=beta, q=q, epsilon=central), inputs=inputs)


def epsilon(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed in float64 (BEYOND.ThmF3); exactly epsilon0 at delta = 0.

    n and the randomizer: as for `delta`; delta = 0 or in [1e-150, 1].
    Returns an enclosure whose claim is an upper bound. Raises DomainError, UnsupportedError.
    """
    local, target = epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    p, beta, q = parameters(randomizer=randomizer, epsilon0=local)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, delta=delta)
    if target == 0:
        return exactly(RANDOMIZER_PAIR, "epsilon", str(local), *local.bounds(bits=64), inputs=inputs)
    return RANDOMIZER_PAIR.restated(optimal_pair.epsilon(n=n, p=p, beta=beta, q=q, delta=target), inputs=inputs)


def _root_above(T: Fraction, bits: int) -> Fraction:
    """sqrt(T) or a little more; itself where it is rational and T in lowest terms."""
    root = Fraction(math.isqrt(T.numerator), math.isqrt(T.denominator))
    if root**2 == T:
        return root
    scale = 1 << bits
    return Fraction(math.isqrt(math.floor(T * scale * scale)) + 1, scale)
