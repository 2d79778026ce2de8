"""Uniform integers, by rejection: exact for every size of range."""

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.spec.vocabulary.errors import require

LARGEST_VECTORISED = 1 << 63
"""Integers below it are int64."""


def uniform_below(*, m: int, source: BitSource) -> int:
    """An integer uniform in {0, ..., m - 1}: bits are drawn until they make a number below m.

    m: at least 1. Raises DomainError.
    """
    require(m >= 1, parameter="m", value=m, requirement="an integer of at least 1")
    width = (m - 1).bit_length()
    while True:
        drawn = source.bits(width) if width else 0
        if drawn < m:
            return drawn


def uniforms_below(*, m: int, size: int, source: BitSource) -> NDArray[np.int64]:
    """`size` independent integers uniform in {0, ..., m - 1}.

    m: from 1 to 2^63, and at most 2^block_bits of the source. One block each, of which as many bits are used as m has; numbers from
    m on are drawn again. Raises DomainError.
    """
    most = min(LARGEST_VECTORISED, 1 << source.block_bits)
    require(1 <= m <= most, parameter="m", value=m, requirement=f"an integer from 1 to {most}")
    width = (m - 1).bit_length()
    if width == 0:
        return np.zeros(size, dtype=np.int64)
    shift = np.uint64(source.block_bits - width)
    found = (source.blocks(size) >> shift).astype(np.int64)
    while (missing := np.flatnonzero(found >= m)).size:
        found[missing] = (source.blocks(missing.size) >> shift).astype(np.int64)
    return found
