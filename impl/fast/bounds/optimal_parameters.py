"""p, beta and q of a randomizer by closed forms (BEYOND.Parameters), rounded up, and the optimal pair with them in float64."""

from __future__ import annotations

import math
from fractions import Fraction

from shuffleproof.impl.fast.bounds import optimal_pair
from shuffleproof.impl.fast.numeric.results import exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_laws import RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.randomizers import (
    KRR,
    RAPPOR,
    AsymmetricRAPPOR,
    Hadamard,
    Laplace,
    LocalHashing,
    NamedRandomizer,
    Subset,
    unknown_randomizer,
)

_BITS = 192
"""Beside the rounding of e^epsilon0 to so many bits, the width of the sides is all that is seen."""


def parameters(*, randomizer: NamedRandomizer, epsilon0: Number | Epsilon) -> tuple[Fraction, Fraction, Fraction]:
    """(p, beta, q) of a randomizer by its name, each at least its exact value and at most 1 + 1e-50 of it; exact where rational.

    randomizer: a record of spec.vocabulary.randomizers; epsilon0 in [0, 10000].
    With T = e^eps0 and r = e^(eps0/2): Laplace noise 1 - 1/r, RAPPOR (r - 1)/(r + 1), the others (T - 1) c/(T a + b), c messages that
    prefer one input only, a that prefer it, b that do not. All of these grow with T. Raises DomainError.
    """
    local = epsilon0_parameter(epsilon0)
    if local.exp == 1:
        return Fraction(1), Fraction(0), Fraction(1)
    smallest = local.bounds(bits=32)[0]
    bits = _BITS + 2 * max(0, -math.floor(math.log2(smallest)))  # T - 1 may be far smaller than T
    T = local.exp_bounds(bits=bits)[1]
    if isinstance(randomizer, Laplace | RAPPOR):
        r = _root_above(T, bits)
        return T, (1 - 1 / r if isinstance(randomizer, Laplace) else (r - 1) / (r + 1)), T
    c, a, b = _messages(randomizer, local)
    return T, (T - 1) * c / (T * a + b), T


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


def _messages(randomizer: NamedRandomizer, epsilon0: Epsilon) -> tuple[int, int, int]:
    """(c, a, b) of `parameters`."""
    match randomizer:
        case AsymmetricRAPPOR():
            return 1, 2, 2
        case Subset(k=k, d=d):
            return d * (k - d), d * (k - 1), (k - 1) * (k - d)  # in units of C(k - 1, d - 1)/(d (k - 1))
        case Hadamard(k=k, blocks=given):
            blocks = given or _blocks(k, epsilon0)
            size = 2
            while size * blocks < k + blocks:  # a power of two above the items of a block
                size *= 2
            return (size // 2 if blocks > 1 else size // 4), size // 2, blocks * size - size // 2
        case KRR(k=items) | LocalHashing(buckets=items):
            return 1, 1, items - 1
    raise unknown_randomizer(randomizer, "p, beta and q")


def _blocks(k: int, epsilon0: Epsilon) -> int:
    """ASZ19's: the least power of two B with 2 B >= min(e^eps0, 2 k)."""
    B = 1
    while k > B and Epsilon(None, Fraction(2 * B)) < epsilon0:
        B *= 2
    return B
