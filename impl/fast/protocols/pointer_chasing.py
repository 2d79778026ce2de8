"""Pointer chasing simulated, for permutations of any length: no list of the 2 l! items is needed (BC20, Definition 3.5)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.impl.fast.protocols.support_identification import simulate_identification
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, count


def simulate_pointer_chasing(
    *, a: ArrayLike, b: ArrayLike, k: Number, n: Number, p: Number, runs: Number, generator: np.random.Generator, t: Number = 0
) -> NDArray[np.int64]:
    """The answers to PC(k, l) on the instance {(1, a), (2, b)}, one for every run; 0 where an item that is needed was not identified.

    a, b: permutations of 1, ..., l; k at least 1; the others as for `simulate_identification`. Raises DomainError, ResourceLimitError.
    """
    steps = count(k, parameter="k")
    orders = [_permutation(a, "a"), _permutation(b, "b")]
    require(orders[0].size == orders[1].size, parameter="b", value=orders[1].size, requirement=f"as long as a: {orders[0].size}")
    named = simulate_identification(h=2, n=n, p=p, t=t, runs=runs, generator=generator)
    at = 1
    for step in range(steps):
        at = int(orders[step % 2][at - 1])
    return np.where(named[:, : min(steps, 2)].all(axis=1), at, 0)


def _permutation(values: ArrayLike, name: str) -> NDArray[np.int64]:
    order = np.asarray(values, dtype=np.int64)
    whole = order.ndim == 1 and order.size > 0 and np.array_equal(np.sort(order), np.arange(1, order.size + 1))
    require(whole, parameter=name, value=order.shape, requirement="a permutation of 1, ..., l, l >= 1")
    return order
