"""Where random bits come from: the operating system, behind a protocol narrow enough for a test to walk through every bit."""

import os
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Blocks = NDArray[np.uint64]

_BUFFER_BYTES = 1 << 16
"""Bytes asked of the operating system at a time, so that single draws do not each make a system call."""


class BitSource(Protocol):
    """Independent fair bits, handed out in blocks: the samplers decide on one block where they can, and ask for more where not."""

    @property
    def block_bits(self) -> int:
        """How many bits a block has, from 1 to 64."""

    def block(self) -> int:
        """The next block, uniform in [0, 2^block_bits)."""

    def blocks(self, count: int) -> Blocks:
        """The next `count` blocks."""

    def bits(self, count: int) -> int:
        """The next `count` bits, uniform in [0, 2^count)."""


class OperatingSystem:
    """Bits from the operating system's generator, 64 in a block.

    A process that was forked starts with an empty buffer, so that no bit is used twice.
    """

    block_bits = 64

    def __init__(self) -> None:
        self._buffer = b""
        self._next = 0
        self._process = os.getpid()

    def block(self) -> int:
        """The next 64 bits as an integer."""
        return self.bits(64)

    def blocks(self, count: int) -> Blocks:
        """The next `count` blocks of 64 bits."""
        return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)

    def bits(self, count: int) -> int:
        """The next `count` bits; the rest of the last byte is thrown away."""
        size = (count + 7) // 8
        return int.from_bytes(self._bytes(size), "little") >> (8 * size - count)

    def _bytes(self, count: int) -> bytes:
        if self._process != os.getpid() or self._next + count > len(self._buffer):
            self._process, self._next = os.getpid(), 0
            self._buffer = os.urandom(max(count, _BUFFER_BYTES))
        taken = self._buffer[self._next : self._next + count]
        self._next += count
        return taken
