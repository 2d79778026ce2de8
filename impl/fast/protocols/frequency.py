"""Frequency estimation simulated with a numpy generator, for experiments only: the laws of the per-user protocols, drawn by counts."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.impl.fast.protocols.hadamard import Blocks
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, about, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, epsilon0_parameter, float_toward

RANDOMIZERS = ("hadamard", "k-rr", "k-subset", "rappor", "asymmetric-rappor")
LARGEST_EPSILON0 = 700
"""Largest epsilon0: e^700 is 1e304, a float."""
MOST_SUBSET_WORK = 2 * 10**8
"""Random numbers drawn for subsets, n k, at most."""
_SUBSET_CHUNK = 1 << 22
"""Of these at once: 32 MB."""


def simulate_frequency(
    *,
    counts: ArrayLike,
    randomizer: str,
    epsilon0: Number | Epsilon,
    generator: np.random.Generator,
    blocks: Number | None = None,
    subset_size: Number | None = None,
) -> NDArray[np.float64]:
    """The analyzer's unbiased estimates of the frequencies of all k items, from messages with the distribution of the per-user protocol.

    counts: users that hold each item, at least one user; of users' values: numpy.bincount(values, minlength=k).
    randomizer: "hadamard", "k-rr", "k-subset", "rappor" or "asymmetric-rappor"; epsilon0 above 1e-12, at most 700, as a float.
    blocks: of Hadamard response, a power of two, by default ASZ19's; subset_size: of subset selection, 1 to k - 1, by default the
    integer nearest to k/(e^eps0 + 1). Cost O(n + k log k) for Hadamard response, O(k) for the others, O(nk) for subset selection.
    Raises DomainError; ResourceLimitError for subset selection with nk above 2e8.
    """
    held = _checked(counts)
    a = _checked_epsilon0(epsilon0)
    require(randomizer in RANDOMIZERS, parameter="randomizer", value=randomizer, requirement=f"one of {', '.join(RANDOMIZERS)}")
    for name, value, owner in (("blocks", blocks, "hadamard"), ("subset_size", subset_size, "k-subset")):
        require(value is None or randomizer == owner, parameter=name, value=value, requirement=f"left out unless randomizer is {owner}")
    k, n = held.size, int(held.sum())
    if randomizer == "hadamard":
        return _hadamard(held, a, blocks, generator)
    if randomizer == "k-subset":
        return _k_subset(held, a, subset_size, generator)
    if randomizer == "k-rr":
        require(k >= 2, parameter="counts", value=k, requirement="at least 2 items")
        kept = generator.binomial(held, math.expm1(a) / (math.expm1(a) + k))
        supports = kept + generator.multinomial(n - int(kept.sum()), np.full(k, 1 / k))
        # g - h = (T - 1)/(T - 1 + k), h = 1/(T - 1 + k)
        return np.asarray((supports / n * (math.expm1(a) + k) - 1) / math.expm1(a), dtype=np.float64)
    own, other = (
        (0.5, 1 / (math.exp(a) + 1)) if randomizer == "asymmetric-rappor" else (1 / (1 + math.exp(-a / 2)), 1 / (math.exp(a / 2) + 1))
    )
    apart = math.tanh(a / 4) if randomizer == "rappor" else math.tanh(a / 2) / 2
    supports = generator.binomial(held, own) + generator.binomial(n - held, other)
    return np.asarray((supports / n - other) / apart, dtype=np.float64)


def _hadamard(held: NDArray[np.int64], a: float, blocks: Number | None, generator: np.random.Generator) -> NDArray[np.float64]:
    if blocks is None:
        code = Blocks.asz19(k=held.size, exp_epsilon0=math.exp(a))
    else:
        B = count(blocks, parameter="blocks", maximum=1 << 40)
        require(B & (B - 1) == 0 and 4 * held.size > B, parameter="blocks", value=blocks, requirement="a power of two below 4k")
        code = Blocks(held.size, B)
    sent = code.histogram(counts=held, excess=math.expm1(a), generator=generator)
    return code.estimates(sent, excess=math.expm1(a))


def _k_subset(held: NDArray[np.int64], a: float, subset_size: Number | None, generator: np.random.Generator) -> NDArray[np.float64]:
    """Every user's subset: the d smallest of k random keys, where one's own key is put first or last as the coin says."""
    k, n = held.size, int(held.sum())
    require(k >= 2, parameter="counts", value=k, requirement="at least 2 items")
    if subset_size is None:
        d = min(max(round(k / (math.exp(a) + 1)), 1), k - 1)
    else:
        d = count(subset_size, parameter="subset_size", maximum=k - 1)
    if n * k > MOST_SUBSET_WORK:
        advice = f"{MOST_SUBSET_WORK:.0e}; Hadamard response does the same job in O(n + k log k)"
        raise ResourceLimitError(what=f"subsets of {n} users over {k} items", needed=f"{about(n * k)} random keys", limit=advice)
    own = d / (d + (k - d) * math.exp(-a))
    other = (own * (d - 1) + (1 - own) * d) / (k - 1)
    supports, values = np.zeros(k, dtype=np.int64), np.repeat(np.arange(k), held)
    for start in range(0, n, max(_SUBSET_CHUNK // k, 1)):
        mine = values[start : start + max(_SUBSET_CHUNK // k, 1)]
        keys = generator.random((mine.size, k))
        keys[np.arange(mine.size), mine] = np.where(generator.random(mine.size) < own, -1.0, 2.0)
        chosen = np.argpartition(keys, d - 1, axis=1)[:, :d]
        supports += np.bincount(chosen.ravel(), minlength=k)
    return np.asarray((supports / n - other) / (own - other), dtype=np.float64)


def _checked(counts: ArrayLike) -> NDArray[np.int64]:
    given = np.asarray(counts)
    require(given.ndim == 1 and given.size > 0, parameter="counts", value=given.shape, requirement="one number for every item")
    if not np.issubdtype(given.dtype, np.integer):
        raise DomainError(parameter="counts", value=str(given.dtype), requirement="integers")
    require(int(given.min()) >= 0, parameter="counts", value=int(given.min()), requirement="at least 0")
    held = given.astype(np.int64)
    require(0 < int(held.sum()) <= 10**15, parameter="sum of counts", value=int(held.sum()), requirement="from 1 to 10^15")
    return held


def _checked_epsilon0(epsilon0: Number | Epsilon) -> float:
    low, high = epsilon0_parameter(epsilon0).bounds(bits=64)
    wanted = f"above 1e-12 and at most {LARGEST_EPSILON0}: at 0 messages say nothing"
    require(float(high) > 1e-12 and high <= LARGEST_EPSILON0, parameter="epsilon0", value=str(epsilon0), requirement=wanted)
    return float_toward(low, direction="down")
