"""Hadamard response in blocks, vectorised: drawing messages, and decoding by the fast Walsh-Hadamard transform (ASZ19)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shuffleproof.spec.vocabulary.errors import require

_CHUNK = 1 << 20
"""Messages drawn at once: 8 MB."""


def fast_walsh_hadamard(vectors: NDArray[np.int64]) -> NDArray[np.int64]:
    """H v for every vector along the last axis, H the Sylvester-Hadamard matrix: b log2 b additions for b entries, exact in int64.

    vectors: integers of any shape whose last axis is a power of two; sums of absolute values must fit int64. Raises DomainError.
    """
    b = vectors.shape[-1]
    require(b >= 1 and b & (b - 1) == 0, parameter="length", value=b, requirement="a power of two")
    transformed, h = np.asarray(vectors, dtype=np.int64), 1
    while h < b:
        pairs = transformed.reshape(*vectors.shape[:-1], b // (2 * h), 2, h)
        transformed = np.stack((pairs[..., 0, :] + pairs[..., 1, :], pairs[..., 0, :] - pairs[..., 1, :]), axis=-2)
        h *= 2
    return transformed.reshape(vectors.shape)


@dataclass(frozen=True, slots=True)
class Blocks:
    """k items dealt in turn to B blocks of b messages; item x is row 1 + x // B of block x mod B."""

    k: int
    B: int

    @classmethod
    def asz19(cls, *, k: int, exp_epsilon0: float) -> Blocks:
        """The least power of two B with 2B >= min(e^eps0, 2k)."""
        B = 1
        while min(exp_epsilon0, 2 * k) > 2 * B:
            B *= 2
        return cls(k, B)

    @property
    def b(self) -> int:
        """The least power of two that is at least k/B + 1, and at least 2."""
        return 1 << int(-(-self.k // self.B)).bit_length()

    @property
    def messages(self) -> int:
        """K = B b."""
        return self.B * self.b

    def preferred(self, items: NDArray[np.int64], *, generator: np.random.Generator) -> NDArray[np.int64]:
        """A uniform one of the b/2 messages that each item prefers: a uniform y; where the parity is odd, the row's lowest bit flipped."""
        rows, blocks = 1 + items // self.B, items % self.B
        y = generator.integers(0, self.b, size=items.size)
        return blocks * self.b + np.where(_odd(y & rows), y ^ (rows & -rows), y)

    def histogram(self, *, counts: NDArray[np.int64], excess: float, generator: np.random.Generator) -> NDArray[np.int64]:
        """How often each message is sent: with probability T' /(T' + 2B), T' = e^eps0 - 1 the excess, a preferred one, else a uniform one.

        Works through 2^20 users at a time. Cost O(n + K).
        """
        kept = generator.binomial(counts, excess / (excess + 2 * self.B))
        ends = np.cumsum(kept)
        total, K = int(ends[-1]), self.messages
        sent = generator.multinomial(int(counts.sum()) - total, np.full(K, 1 / K)).astype(np.int64)
        chunk = max(_CHUNK, K)
        for start in range(0, total, chunk):
            items = np.searchsorted(ends, np.arange(start, min(start + chunk, total)), side="right")
            sent += np.bincount(self.preferred(items, generator=generator), minlength=K)
        return sent

    def estimates(self, sent: NDArray[np.int64], *, excess: float) -> NDArray[np.float64]:
        """The analyzer on the histogram of messages: (1 + 2B/T')/n times the transform of every block, read at the items' rows."""
        transformed = fast_walsh_hadamard(sent.reshape(self.B, self.b))
        items = np.arange(self.k)
        scores = transformed[items % self.B, 1 + items // self.B]
        return np.asarray(scores * ((1 + 2 * self.B / excess) / int(sent.sum())), dtype=np.float64)


def _odd(words: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether the number of ones in binary is odd."""
    folded = words.copy()
    for shift in (32, 16, 8, 4, 2, 1):
        folded ^= folded >> shift
    return (folded & 1).astype(np.bool_)
