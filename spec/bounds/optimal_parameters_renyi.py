"""Exact Renyi divergences of the optimal pair of a randomizer, for integer orders."""

from __future__ import annotations

from shuffleproof.spec.bounds.optimal_pair_renyi import of_parameters
from shuffleproof.spec.bounds.optimal_parameters import of_named
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given


def renyi(
    *,
    n: Number,
    randomizer: str,
    epsilon0: Number | Epsilon,
    order: Number,
    k: Number | None = None,
    d: Number | None = None,
    blocks: Number | None = None,
    buckets: Number | None = None,
) -> Bound:
    """Renyi divergence of the optimal pair with the randomizer's p, beta and q: ln of a rational over order - 1 (BEYOND.Renyi).

    n: users, 1 to 40; the randomizer as for `optimal_parameters.of_named`; order: an integer from 2 to 1000.
    Returns a Bound whose claim is on the upper side; exact for order 2, else enclosed to 200 bits.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    parameters = of_named(randomizer=randomizer, epsilon0=epsilon0, k=k, d=d, blocks=blocks, buckets=buckets)
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, order=order)
    return of_parameters(RANDOMIZER_PAIR, parameters, n=n, order=order, inputs=inputs)
