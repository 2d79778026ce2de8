"""P^hist simulated with a numpy generator, for experiments only: by bins, or message by message (BC20, Figures 1-2)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require
from shuffleproof.spec.vocabulary.numerals import Number, count, probability

MOST_MESSAGES = 10**8
"""Messages drawn at most."""


def simulate_histogram(*, counts: ArrayLike, n: Number, p: Number, generator: np.random.Generator) -> NDArray[np.float64]:
    """The analyzer's estimates of the frequencies of all bins, from one binomial for every bin: the distribution of the per-user protocol.

    The messages of bin j number counts_j + Bin(n, p), independently, whoever sent them.
    counts: users in each bin, which sum to n; n: users, at least 1; p in [0, 1]: probability of the additional message in every bin,
    taken as the nearest float. Raises DomainError.
    """
    users, noise = count(n, parameter="n"), float(probability(p, parameter="p"))
    held = np.asarray(counts, dtype=np.int64)
    require(held.ndim == 1 and held.size > 0, parameter="counts", value=held.shape, requirement="one number for every bin")
    require(int(held.min()) >= 0, parameter="counts", value=int(held.min()), requirement="at least 0")
    require(int(held.sum()) == users, parameter="sum of counts", value=int(held.sum()), requirement=f"n = {users}")
    messages = generator.binomial(users, noise, size=held.size)
    messages += held
    return _estimates(messages, users, noise)


def simulate_messages(*, values: ArrayLike, d: Number, p: Number, generator: np.random.Generator) -> NDArray[np.int64]:
    """Return how many messages of each value every user sends: entry (i, j - 1) is 1[x_i = j] + Ber(p).  (BC20, Figure 2).

    values: x_1, ..., x_n in {1, ..., d}, a domain that is listed: over an open one the messages of untouched bins cannot be written down.
    d: bins, at least 1; p: as for `simulate_histogram`. Raises DomainError; ResourceLimitError beyond 10^8 entries.
    """
    bins, noise = count(d, parameter="d"), float(probability(p, parameter="p"))
    held = np.asarray(values, dtype=np.int64)
    require(held.ndim == 1 and held.size > 0, parameter="values", value=held.shape, requirement="one value for every user")
    least, greatest = int(held.min()), int(held.max())
    require(1 <= least <= greatest <= bins, parameter="values", value=(least, greatest), requirement=f"values from 1 to d = {bins}")
    if held.size * bins > MOST_MESSAGES:
        needed, limit = f"{held.size * bins:.1e} entries", f"{MOST_MESSAGES:.0e}; simulate_histogram has the same distribution"
        raise ResourceLimitError(what=f"messages of {held.size} users over {bins} bins", needed=needed, limit=limit)
    sent = (generator.random((held.size, bins)) < noise).astype(np.int64)
    sent[np.arange(held.size), held - 1] += 1
    return sent


def shuffled(sent: NDArray[np.int64], *, generator: np.random.Generator) -> NDArray[np.int64]:
    """The shuffler's output: all messages of all users, each the value 1, ..., d of its bin, in uniform order."""
    messages = np.repeat(np.arange(1, sent.shape[1] + 1), sent.sum(axis=0))
    return generator.permutation(messages)


def analyze(messages: NDArray[np.int64], *, n: int, d: int, p: Number) -> NDArray[np.float64]:
    """Return the estimates from the shuffled messages.  (BC20, Figure 2)."""
    return _estimates(np.bincount(messages, minlength=d + 1)[1:], n, float(probability(p, parameter="p")))


def _estimates(messages: NDArray[np.int64], n: int, p: float) -> NDArray[np.float64]:
    """c* - p where c* = messages/n is above 1, else 0."""
    estimates = messages / n
    estimates -= p
    estimates[messages <= n] = 0.0
    return estimates
