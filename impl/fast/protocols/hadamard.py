"""The fast Walsh-Hadamard transform, by which Hadamard response is decoded (ASZ19)."""

import numpy as np
from numpy.typing import NDArray

from shuffleproof.spec.vocabulary.errors import require


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
