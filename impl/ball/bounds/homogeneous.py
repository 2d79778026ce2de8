"""Neighbouring datasets in which all other users hold one item, certified on a grid: BEYOND.any-law-below."""

from __future__ import annotations

from fractions import Fraction

from shuffleproof.impl.ball.bounds.one_sum_profile import DIGITS, certain_digits, delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.randomizer_laws import homogeneous_laws
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.ball.numeric.results import exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import HOMOGENEOUS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.randomizers import named

_ROUGHLY = 256
"""Bits with which chi-squares are told apart."""


def delta(
    *,
    n: Number,
    randomizer: str,
    epsilon0: Number | Epsilon,
    epsilon: Number | Epsilon,
    k: Number | None = None,
    d: Number | None = None,
    blocks: Number | None = None,
    buckets: Number | None = None,
    digits: int = DIGITS,
) -> Bound:
    """delta of the pair of datasets at epsilon, enclosed.

    n: users, at least 1; randomizer: a name of spec.vocabulary.randomizers, with k, d, blocks, buckets as it needs them; where k may be
    left out it stands for any number of items, three at least; hash functions are uniform. epsilon0 in [0, 10000]; epsilon >= 0; digits:
    relative width of the enclosure at most 10^-digits, 1 to 6.
    Returns an enclosure whose claim is a lower bound: these are neighbouring datasets, and others may be worse (BEYOND.any-law-below).
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    chosen, own = named(randomizer, k=k, d=d, blocks=blocks, buckets=buckets)
    wanted = certain_digits(digits)
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(HOMOGENEOUS, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    with precision(_ROUGHLY):
        laws = homogeneous_laws(chosen.name, local, own)
    return delta_of(HOMOGENEOUS, laws, n=users, epsilon0=local, epsilon=central, digits=wanted, inputs=inputs)


def epsilon(
    *,
    n: Number,
    randomizer: str,
    epsilon0: Number | Epsilon,
    delta: Number,
    k: Number | None = None,
    d: Number | None = None,
    blocks: Number | None = None,
    buckets: Number | None = None,
    digits: int = DIGITS,
) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed; exactly epsilon0 at delta = 0.

    n, digits and the randomizer: as for `delta`; delta in [0, 1].
    Returns an enclosure whose claim is a lower bound: these are neighbouring datasets, and others may be worse (BEYOND.any-law-below).
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    chosen, own = named(randomizer, k=k, d=d, blocks=blocks, buckets=buckets)
    wanted = certain_digits(digits)
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, delta=delta)
    if local.exp == 1:
        return exactly(HOMOGENEOUS, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    with precision(_ROUGHLY):
        laws = homogeneous_laws(chosen.name, local, own)
    return epsilon_of(HOMOGENEOUS, laws, n=users, epsilon0=local, delta=target, digits=wanted, inputs=inputs)
