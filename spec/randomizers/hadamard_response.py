"""Hadamard response in blocks (ASZ19, the one-message randomizer of FMT21, Theorem 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require


@dataclass(frozen=True, slots=True)
class HadamardCode:
    """B blocks, each with the rows of one Sylvester-Hadamard matrix of order b; an item is a block and a row of it, never row 0.

    k: items, at least 1; blocks: B, a power of two. b is the least power of two with B (b - 1) >= k. Items are dealt to the blocks in
    turn, so that a block holds at most ceil(k/B) of them; ASZ19 fills one block after the other, which only relabels the items.
    Raises DomainError.
    """

    k: int
    blocks: int

    def __post_init__(self) -> None:
        require(self.k >= 1, parameter="k", value=self.k, requirement="an integer of at least 1")
        wanted = "a power of two, at least 1"
        require(self.blocks >= 1 and self.blocks & (self.blocks - 1) == 0, parameter="blocks", value=self.blocks, requirement=wanted)

    @property
    def block_size(self) -> int:
        """b: the least power of two that is at least k/B + 1."""
        b = 2
        while self.blocks * (b - 1) < self.k:
            b *= 2
        return b

    @property
    def messages(self) -> int:
        """K = B b, the number of messages."""
        return self.blocks * self.block_size

    @property
    def preferred(self) -> int:
        """s = b/2, how many messages each item prefers."""
        return self.block_size // 2

    @property
    def fullest(self) -> int:
        """ceil(k/B): the items of a fullest block."""
        return -(-self.k // self.blocks)

    def entry(self, x: int, y: int) -> int:
        """H(x, y): 0 for a message y of another block, otherwise the entry +1 or -1 of x's row, (-1)^(number of common ones in binary)."""
        if y // self.block_size != x % self.blocks:
            return 0
        return -1 if ((1 + x // self.blocks) & (y % self.block_size)).bit_count() % 2 else 1


def asz19_blocks(*, k: int, exp_epsilon0: Fraction) -> int:
    """B = 2^(ceil(log2 min(e^eps0, 2k)) - 1), at least 1: the least power of two with 2B >= min(e^eps0, 2k).  (ASZ19)"""
    most, B = min(Fraction(exp_epsilon0), Fraction(2 * k)), 1
    while most > 2 * B:
        B *= 2
    return B


def code(*, k: int, exp_epsilon0: Fraction, blocks: int | None = None) -> HadamardCode:
    """The code with this many blocks, by default ASZ19's. Raises DomainError."""
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    return HadamardCode(k, asz19_blocks(k=k, exp_epsilon0=exp_epsilon0) if blocks is None else blocks)


def hadamard_response(*, k: int, exp_epsilon0: Fraction, blocks: int | None = None) -> LocalRandomizer[int, int]:
    """HR on {0, ..., k - 1}: message y with probability e^eps0/Z where H(x, y) = 1 and 1/Z elsewhere, Z = s e^eps0 + K - s.  (ASZ19)

    k: number of items, at least 1; exp_epsilon0: e^epsilon0 >= 1, exact; blocks: B, a power of two, by default ASZ19's.
    The randomizer is exactly epsilon0-DP for k >= 2. Raises DomainError.
    """
    H, T = code(k=k, exp_epsilon0=exp_epsilon0, blocks=blocks), Fraction(exp_epsilon0)
    Z = H.preferred * T + H.messages - H.preferred
    laws = {x: Distribution({y: (T if H.entry(x, y) == 1 else 1) / Z for y in range(H.messages)}) for x in range(k)}
    return LocalRandomizer(range(k), laws)
