"""Local hashing (Wang et al. 2017): a random function into a few buckets, told to everybody, and one's own bucket by response."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require

Hashed = tuple[tuple[int, ...], int]
"""The buckets of all items, and the bucket that is reported."""


def local_hashing(*, k: int, buckets: int, exp_epsilon0: Fraction) -> LocalRandomizer[int, Hashed]:
    """On x in {0, ..., k - 1}: a uniform function h of the items into the buckets, and kRR of h(x) among the buckets.

    k: number of items, at least 1; buckets: at least 2; exp_epsilon0: e^epsilon0 >= 1, exact. A message holds h itself.
    The randomizer is exactly epsilon0-DP for k >= 2. Raises DomainError.
    """
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")
    require(buckets >= 2, parameter="buckets", value=buckets, requirement="an integer of at least 2")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    functions = list(product(range(buckets), repeat=k))
    each = 1 / (len(functions) * (T + buckets - 1))

    def law(x: int) -> Distribution[Hashed]:
        return Distribution({(h, y): (T if h[x] == y else 1) * each for h in functions for y in range(buckets)})

    return LocalRandomizer(range(k), {x: law(x) for x in range(k)})
