"""A stand-in for the operating system's entropy that gives the same bits each time."""

import random
from typing import Any

import numpy as np


class Seeded:
    """Bits of a seeded generator, for tests alone."""

    block_bits = 64

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def block(self) -> int:
        return self._random.getrandbits(64)

    def blocks(self, size: int) -> Any:
        return np.array([self._random.getrandbits(64) for _ in range(size)], dtype=np.uint64)

    def bits(self, count: int) -> int:
        return self._random.getrandbits(count)
