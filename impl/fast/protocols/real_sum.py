"""P^R_(n, lambda, r) simulated with a numpy generator, for experiments only: streaming, or message by message (CSUZZ19, Algorithms 5-6)."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.impl.fast.protocols.bit_sum import estimates, parameters, simulated_ones
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require
from shuffleproof.spec.vocabulary.numerals import Number, count, exact_fraction

LARGEST_R = 10**6
"""Bits a user at most."""
MOST_MESSAGES = 10**8
"""Messages drawn at most."""


def simulate_real_sum(*, values: Iterable[ArrayLike], noise: Number, r: Number, generator: np.random.Generator) -> float:
    """One output of the protocol on a stream of users: their values are rounded one by one, the n r bits are then flipped by counts.

    The bits of E_r(x) are floor(x r) ones, one more with probability the rest, and zeros; each of the n r bits is flipped with
    probability lambda/(2n) whoever holds it, so the number of ones among them is all that the flips need to know.
    values: arrays of numbers in [0, 1], one after the other, in constant memory; noise: lambda in [0, n), n being how many they turn
    out to be; r: bits for every user, from 1 to 10^6. Raises DomainError.
    """
    runs = count(r, parameter="r", maximum=LARGEST_R)
    require(exact_fraction(noise, parameter="noise") >= 0, parameter="noise", value=noise, requirement="at least 0")
    users, ones = 0, 0
    for batch in values:
        scaled = _checked(batch) * runs
        users += scaled.size
        whole = np.floor(scaled)
        scaled -= whole
        ones += int(whole.sum()) + int(np.count_nonzero(generator.random(scaled.size) < scaled))
    require(users > 0, parameter="values", value="nothing", requirement="at least one number")
    known, lam = parameters(users, noise)
    seen = simulated_ones(bits=known * runs, ones=ones, flip=float(lam / (2 * known)), size=1, generator=generator)
    return float(estimates(seen, known, lam, runs)[0])


def simulate_messages(*, values: ArrayLike, noise: Number, r: Number, generator: np.random.Generator) -> NDArray[np.int8]:
    """Return the r messages of every user: row i is R_lambda(b_1), ..., R_lambda(b_r) for b from E_r(x_i).  (CSUZZ19, Algorithm 6).

    values: numbers in [0, 1]; noise, r: as for `simulate_real_sum`. Raises DomainError; ResourceLimitError beyond 10^8 messages.
    """
    held, runs = _checked(values), count(r, parameter="r", maximum=LARGEST_R)
    require(held.size > 0, parameter="values", value="nothing", requirement="at least one number")
    users, lam = parameters(held.size, noise)
    if users * runs > MOST_MESSAGES:
        needed, limit = f"{users * runs:.1e}", f"{MOST_MESSAGES:.0e}; simulate_real_sum has the same distribution"
        raise ResourceLimitError(what=f"messages of {users} users, {runs} each", needed=needed, limit=limit)
    scaled = held * runs
    whole = np.floor(scaled)
    ones = whole + (generator.random(users) < scaled - whole)
    bits = (np.arange(runs) < ones[:, np.newaxis]).astype(np.int8)
    random = generator.random((users, runs)) < float(lam / users)
    coins = generator.integers(0, 2, size=(users, runs), dtype=np.int8)
    return np.where(random, coins, bits)


def _checked(values: ArrayLike) -> NDArray[np.float64]:
    held = np.asarray(values, dtype=np.float64)
    require(held.ndim == 1, parameter="values", value=held.shape, requirement="one number for every user")
    inside = bool(((held >= 0) & (held <= 1)).all())  # NaN is neither
    require(inside, parameter="values", value="a number outside, or NaN", requirement="in [0, 1]")
    return held
