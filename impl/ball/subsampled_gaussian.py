"""Poisson-sampled Gaussian steps under add-remove, certified through Renyi divergences of integer order (LSZKG22, Corollary 4.3, sampled).

One step, rate q, multiplier z: Exp[(P/Q)^alpha] = sum over k of C(alpha, k) (1 - q)^(alpha - k) q^k e^(k (k - 1)/(2 z^2)), which bounds
both directions (Mironov, Talwar and Zhang, 2019). K steps add up, and delta <= e^((alpha - 1)(tau - eps)) (1 - 1/alpha)^(alpha - 1)/alpha.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision, upper_end
from shuffleproof.impl.ball.numeric.results import bound
from shuffleproof.spec.vocabulary.asking import Found, reads
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import SUBSAMPLED_GAUSSIAN
from shuffleproof.spec.vocabulary.numerals import count, positive, probability, proper_share
from shuffleproof.spec.vocabulary.scope import Relation

ORDERS = (*range(2, 65), *range(72, 257, 8), 320, 384, 448, 512)
"""Every order proves a bound; the least over these is returned."""


@reads(
    steps=partial(count, maximum=10**9), rate=probability, noise_multiplier=positive, delta=proper_share, digits=partial(count, maximum=100)
)
def epsilon(
    *,
    steps: int,
    rate: Fraction,
    noise_multiplier: Fraction,
    delta: Fraction,
    relation: Relation,
    digits: int = 12,
    inputs: Mapping[str, str],
) -> Bound:
    """An upper bound on epsilon for K sampled Gaussian steps, chosen adaptively.

    steps: K, 1 to 10^9; rate: q in [0, 1], each user in each step independently; noise_multiplier: z > 0, sigma over the l2 sensitivity of
    one step under add-remove; 0 < delta < 1; relation: must be add-remove, the only one for which this is proved.
    Returns a Bound of side "upper". Raises DomainError.
    """
    require(
        relation is Relation.ADD_REMOVE, parameter="relation", value=relation.value, requirement="add-remove: sampling is analysed there"
    )
    with precision(math.ceil(3.33 * digits) + 128):
        known = (_epsilon(steps, order, rate, noise_multiplier, delta) for order in ORDERS)
        least = min((upper_end(value) for value in known if value.is_finite()), default=None)
    require(least is not None, parameter="noise_multiplier", value=noise_multiplier, requirement="large enough for a finite bound")
    value = max(least or Fraction(0), Fraction(0))
    method = replace(SUBSAMPLED_GAUSSIAN, relation=relation)
    return bound(method, "epsilon", Found(Fraction(0), value, False), inputs, digits)


def moment(*, order: int, rate: Fraction, noise_multiplier: Fraction) -> arb:
    """Exp[(P/Q)^alpha] of one step, P = (1 - q) N(0, z^2) + q N(1, z^2), Q = N(0, z^2), at the working precision. order: at least 2."""
    total = arb(0)
    for k in range(order + 1):
        weight = math.comb(order, k) * ball((1 - rate) ** (order - k) * rate**k)
        total += weight * ball(Fraction(k * (k - 1)) / (2 * noise_multiplier**2)).exp()
    return total


def _epsilon(steps: int, order: int, rate: Fraction, noise_multiplier: Fraction, delta: Fraction) -> arb:
    less = order - 1
    tau = steps * moment(order=order, rate=rate, noise_multiplier=noise_multiplier).log() / less
    return tau - (ball(delta).log() + arb(order).log()) / less + ball(Fraction(less, order)).log()
