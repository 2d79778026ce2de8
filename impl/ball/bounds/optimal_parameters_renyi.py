"""Renyi divergences of the optimal pair of a randomizer, its p, beta and q rounded up, certified."""

from __future__ import annotations

from shuffleproof.impl.ball.bounds import optimal_pair_renyi
from shuffleproof.impl.ball.bounds.optimal_parameters import parameter_digits, parameters
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count


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
    digits: int = 12,
) -> Bound:
    """Renyi divergence of the optimal pair with the randomizer's p, beta and q, rounded up, enclosed (BEYOND.Renyi).

    n: users, 1 to 10^9; the randomizer as for `optimal_parameters.parameters`; order: any number above 1, at most 10^6; digits:
    relative width at most 10^-digits, 1 to 1000.
    Returns an enclosure whose claim is an upper bound: the divergence grows with p, beta and q (BEYOND.LemL7).
    Raises DomainError, ResourceLimitError (beyond about half a minute), UndecidedError.
    """
    wanted = count(digits, parameter="digits", maximum=1000)
    accuracy = parameter_digits(n, wanted)
    p, beta, q = parameters(randomizer=randomizer, epsilon0=epsilon0, k=k, d=d, blocks=blocks, buckets=buckets, digits=accuracy)
    found = optimal_pair_renyi.renyi(n=n, p=p, beta=beta, q=q, order=order, digits=wanted)
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, order=order)
    return RANDOMIZER_PAIR.restated(found, inputs=inputs)
