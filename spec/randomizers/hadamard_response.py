"""Hadamard response in blocks (ASZ19, the one-message randomizer of FMT21, Theorem 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.likelihoods import Classes, Dataset, beyond_first_two, output_classes
from shuffleproof.spec.vocabulary.named_randomizer import LARGEST_DISTRIBUTION, Exact, NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon


@dataclass(frozen=True, kw_only=True)
class Hadamard(NamedRandomizer):
    """Hadamard response of k items (ASZ19). blocks: a power of two; theirs, which depends on eps0, where left out."""

    name = "hadamard"
    says = "Hadamard response of k items"
    alike = False
    k: int
    blocks: int | None = None

    def check(self) -> None:
        """Blocks a power of two."""
        blocks = self.blocks or 1
        require(not blocks & (blocks - 1), parameter="blocks", value=self.blocks, requirement="a power of two, at least 1")

    def shape(self, epsilon0: Epsilon) -> HadamardCode:
        """Its code, by default with ASZ19's number of blocks."""
        return HadamardCode(self.k, self.blocks or asz19_blocks(k=self.k, epsilon0=epsilon0))

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """All items and messages."""
        k, blocks = self.k, self.blocks
        messages = code(k=k, exp_epsilon0=T, blocks=blocks).messages if k <= LARGEST_DISTRIBUTION else k
        return k, messages, lambda: hadamard_response(k=k, exp_epsilon0=T, blocks=blocks)

    def against_blanket(self, epsilon0: Epsilon) -> Classes:
        """Items of two blocks; of one block where there is one: message 0 is preferred by all items, its row being all ones."""
        code = self.shape(epsilon0)
        half = code.preferred
        if code.blocks > 1:
            return output_classes((half, 1, 0, 0), (half, 0, 1, 0), (code.messages - 2 * half, 0, 0, 0))
        quarter = half // 2
        return output_classes((1, 1, 1, 1), (quarter - 1, 1, 1, 0), (quarter, 1, 0, 0), (quarter, 0, 1, 0), (quarter, 0, 0, 0))

    def three_inputs(self, epsilon0: Epsilon) -> Classes | None:
        """Items of three blocks, or of one block where the product of two of their rows is the third's; two blocks hold no such three."""
        code = self.shape(epsilon0)
        half = code.preferred
        if self.k < 3 or code.blocks == 2:
            return None
        if code.blocks > 2:
            return output_classes((half, 1, 0, 0), (half, 0, 1, 0), (half, 0, 0, 1), (code.messages - 3 * half, 0, 0, 0))
        quarter = Fraction(half, 2)
        return output_classes((quarter, 1, 1, 1), (quarter, 1, 0, 0), (quarter, 0, 1, 0), (quarter, 0, 0, 1))

    def datasets(self, epsilon0: Epsilon) -> tuple[Dataset, ...]:
        """Return the datasets by blocks of x_0, x_1, x_2: rows are independent, each +1 on half, or one is the product of the others."""
        code = self.shape(epsilon0)
        inside, half, total = code.fullest, Fraction(code.preferred), code.messages
        quarter, eighth, none = half / 2, half / 4, total - 2 * half
        found: list[tuple[str, Classes]] = []
        if inside >= 2:
            of_one = output_classes((quarter, 1, 1, 0), (quarter, 1, 0, 0), (quarter, 0, 1, 0), (quarter + none, 0, 0, 0))
            found.append(("two items of one block; all others hold the second", beyond_first_two(of_one)))
            if code.blocks > 1:
                rows = ((quarter, 1, 1, 0), (quarter, 1, 0, 0), (quarter, 0, 1, 0), (half, 0, 0, 1), (quarter + none - half, 0, 0, 0))
                found.append(("two items of one block; all others hold one of another block", output_classes(*rows)))
            if inside >= 3:
                product = ((quarter, 1, 1, 1), (quarter, 1, 0, 0), (quarter, 0, 1, 0), (quarter, 0, 0, 1), (none, 0, 0, 0))
                found.append(("two items of one block; all others hold the product of their rows", output_classes(*product)))
            if inside >= 4:
                third = [(eighth, a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
                found.append(("two items of one block; all others hold a third one of it", output_classes(*third, (none, 0, 0, 0))))
        if code.blocks > 1:
            apart = output_classes((half, 1, 0, 0), (half, 0, 1, 0), (total - 2 * half, 0, 0, 0))
            found.append(("items of two blocks; all others hold the second", beyond_first_two(apart)))
            if inside >= 2:
                one_shared = ((quarter, 1, 0, 1), (quarter, 1, 0, 0), (half, 0, 1, 0), (quarter, 0, 0, 1), (total - 5 * quarter, 0, 0, 0))
                found.append(("items of two blocks; all others hold a third one of the first block", output_classes(*one_shared)))
            if code.blocks > 2 and self.k > 2:
                three_blocks = ((half, 1, 0, 0), (half, 0, 1, 0), (half, 0, 0, 1), (total - 3 * half, 0, 0, 0))
                found.append(("items of two blocks; all others hold one of a third block", output_classes(*three_blocks)))
        return tuple(Dataset(held, classes) for held, classes in found)


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


def asz19_blocks(*, k: int, epsilon0: Epsilon) -> int:
    """Return B = 2^(ceil(log2 min(e^eps0, 2k)) - 1), at least 1: the least power of two with 2B >= min(e^eps0, 2k).  (ASZ19)."""
    B = 1
    while k > B and epsilon0 > Epsilon(None, Fraction(2 * B)):
        B *= 2
    return B


def code(*, k: int, exp_epsilon0: Fraction, blocks: int | None = None) -> HadamardCode:
    """The code with this many blocks, by default ASZ19's. Raises DomainError."""
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    return HadamardCode(k, asz19_blocks(k=k, epsilon0=Epsilon(None, Fraction(exp_epsilon0))) if blocks is None else blocks)


def hadamard_response(*, k: int, exp_epsilon0: Fraction, blocks: int | None = None) -> LocalRandomizer[int, int]:
    """Return HR on {0, ..., k - 1}: y with probability e^eps0/Z where H(x, y) = 1, 1/Z elsewhere, Z = s e^eps0 + K - s.  (ASZ19).

    k: number of items, at least 1; exp_epsilon0: e^epsilon0 >= 1, exact; blocks: B, a power of two, by default ASZ19's.
    The randomizer is exactly epsilon0-DP for k >= 2. Raises DomainError.
    """
    H, T = code(k=k, exp_epsilon0=exp_epsilon0, blocks=blocks), Fraction(exp_epsilon0)
    Z = H.preferred * T + H.messages - H.preferred
    laws = {x: Distribution({y: (T if H.entry(x, y) == 1 else 1) / Z for y in range(H.messages)}) for x in range(k)}
    return LocalRandomizer(range(k), laws)
