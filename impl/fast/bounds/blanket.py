"""The privacy blanket of a named randomizer by its whole law, in float64 with sound sides: BEYOND.any-law-above."""

from __future__ import annotations

from fractions import Fraction

from shuffleproof.impl.fast.bounds.one_sum_profile import delta_of, epsilon_of, supported
from shuffleproof.impl.fast.bounds.randomizer_laws import blanket_laws
from shuffleproof.impl.fast.numeric.results import exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import BLANKET
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.randomizers import named


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
) -> Bound:
    """delta of the sum over the blanket at epsilon, enclosed in float64.

    n: users, 1 to 10^9; randomizer: a name of spec.vocabulary.randomizers, with k, d, blocks, buckets as it needs them; where k may be
    left out it stands for any number of items, three at least; hash functions are uniform. epsilon0 in [0, 690]; epsilon >= 0.
    Returns an enclosure whose claim is an upper bound: for all neighbouring datasets (BEYOND.any-law-above).
    Raises DomainError, UnsupportedError.
    """
    chosen, own = named(randomizer, k=k, d=d, blocks=blocks, buckets=buckets)
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(BLANKET, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    laws = blanket_laws(chosen.name, local, tuple(sorted(own.items())))
    return delta_of(BLANKET, laws, n=supported(users), epsilon0=local, epsilon=central, inputs=inputs)


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
) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed in float64; exactly epsilon0 at delta = 0.

    n and the randomizer: as for `delta`; delta = 0 or in [1e-300, 1].
    Returns an enclosure whose claim is an upper bound: for all neighbouring datasets (BEYOND.any-law-above).
    Raises DomainError, UnsupportedError.
    """
    chosen, own = named(randomizer, k=k, d=d, blocks=blocks, buckets=buckets)
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, delta=delta)
    if local.exp == 1:
        return exactly(BLANKET, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    laws = blanket_laws(chosen.name, local, tuple(sorted(own.items())))
    return epsilon_of(BLANKET, laws, n=supported(users), epsilon0=local, delta=target, inputs=inputs)
