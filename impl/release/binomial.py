"""Binomial draws of exact distribution: Pr[K <= k] = Pr[U < F(k)], with U drawn block by block and F enclosed.

One block per draw decides all but about one draw in 2^64/(window) by a table; the others draw more bits and refine F where they are.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.binomial_table import Window, distribution_function
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.spec.vocabulary.numerals import Number, count, probability

_BATCH = 1 << 18
"""Numbers that are drawn at once: 2 MiB of random bits, so that memory does not grow with what is wanted."""


def binomial(*, n: Number, p: Number, size: int, source: BitSource) -> NDArray[np.int64]:
    """`size` independent draws from Bin(n, p), exactly.

    n: trials, from 0 to 10^18; p: in [0, 1], exact; size: at least 0. The table takes O(sqrt(n p (1 - p))) time and memory, once.
    Raises DomainError; ResourceLimitError where the table would have more than 2^24 entries.
    """
    return BinomialSampler(n=n, p=p, source=source).draw(size)


class BinomialSampler:
    """Bin(n, p), to be drawn from many times with one table. Parameters and errors as for `binomial`."""

    def __init__(self, *, n: Number, p: Number, source: BitSource) -> None:
        self._n, self._p = count(n, parameter="n", minimum=0), probability(p, parameter="p")
        self._source = source
        constant = self._n == 0 or self._p in (0, 1)
        self._window = None if constant else Window(n=self._n, p=self._p, block_bits=source.block_bits)

    def draw(self, size: int) -> NDArray[np.int64]:
        """`size` independent draws."""
        wanted = count(size, parameter="size", minimum=0)
        if self._window is None:
            return np.full(wanted, self._n * int(self._p), dtype=np.int64)
        drawn = np.empty(wanted, dtype=np.int64)
        for start in range(0, wanted, _BATCH):
            batch = drawn[start : start + _BATCH]
            self._fill(batch, self._window)
        return drawn

    def _fill(self, batch: NDArray[np.int64], window: Window) -> None:
        blocks = self._source.blocks(batch.size)
        above = np.searchsorted(window.below, blocks, side="right")  # how many k have below[k] <= block
        batch[:] = above
        batch += window.first
        # U < F(k) for the first k not counted, if there is one inside; U >= F(k) for the last one counted, if the block is beyond doubt.
        decided = (above > 0) | window.closed_left
        decided &= (above < window.below.size) | window.closed_right
        if window.below.size:
            decided &= (above == 0) | (blocks > window.unsure[np.maximum(above, 1) - 1])
        for i in np.flatnonzero(~decided):
            batch[i] = self._refined(int(blocks[i]))

    def _refined(self, block: int) -> int:
        """The draw for a first block that the table leaves open: bisection over all of {0, ..., n}, with more bits where needed."""
        uniform = _Uniform(block, self._source)
        low, high = -1, self._n  # F(low) <= U < F(high)
        while high - low > 1:
            k = (low + high) // 2
            if uniform.is_below(self._n, self._p, k):
                high = k
            else:
                low = k
        return high


class _Uniform:
    """A number uniform in [0, 1), of which as many bits are known as were needed so far."""

    def __init__(self, block: int, source: BitSource) -> None:
        self._known, self._bits, self._source = block, source.block_bits, source

    def is_below(self, n: int, p: Fraction, k: int) -> bool:
        """Return whether U < F(k)."""
        while True:
            lower, upper = distribution_function(n=n, p=p, k=k, bits=self._bits + 32)
            if self._known + 1 <= lower * (1 << self._bits):
                return True
            if self._known >= upper * (1 << self._bits):
                return False
            self._known = (self._known << self._source.block_bits) | self._source.block()
            self._bits += self._source.block_bits
