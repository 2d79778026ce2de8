"""The worst of all neighbouring datasets for a sum of noisy bits: every number k of ones among the other bits, by branch and bound.

Both directions of the dataset with k ones among `others` bits are those of k and of others - k in one direction (exchange 0 and 1), so
D(P_1 || P_0) over all k from 0 to others is enough.

For all k from k_0 to k_1 at once: those datasets share k_0 ones and others - k_1 zeros, and the remaining k_1 - k_0 noisy bits are an
independent summand of both distributions. Adding it is post-processing, so the divergence with the shared bits alone bounds all of theirs
(ledger: CSUZZ19.Profile.blocks). Blocks are halved, worst first; one of width 0 is the dataset itself.
"""

import heapq
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from shuffleproof.impl.ball.bounds.sums.noisy_bits import Bits, divergence
from shuffleproof.impl.ball.numeric.arithmetic import TINY
from shuffleproof.impl.ball.numeric.results import Evaluation
from shuffleproof.spec.vocabulary.numerals import Epsilon

SAYS_NOTHING = Fraction(1, 2)
"""The flip probability at which a message says nothing."""
LARGEST_WORK = 2_000_000
"""Terms that a search adds up, about, or takes the time of: some seconds."""
_FIRST_BLOCKS = 16
"""Blocks of datasets with which the branch and bound begins."""
_ROUGHLY = 6
"""Digits of a block's delta while blocks are ranked; the last ones get as many as are asked for."""


@dataclass(frozen=True, slots=True)
class Sum:
    """Noisy bits of which `changed` differ between neighbours and `others` do not; every one is flipped with probability p in (0, 1/2)."""

    others: int
    changed: int
    p: Fraction

    def dataset(self, k: int) -> Bits:
        """k of the others are 1."""
        return Bits(k, self.others - k, self.changed, self.p)

    def shared(self, least: int, most: int) -> Bits:
        """Return what all datasets with `least` to `most` ones among the others have in common."""
        return Bits(least, self.others - most, self.changed, self.p)

    @property
    def largest(self) -> Epsilon:
        """The largest privacy loss of any dataset."""
        return self.dataset(0).largest


@dataclass(frozen=True, slots=True)
class Worst:
    """At one epsilon: the least delta for all datasets is in [lower, upper], and the dataset with k ones among the others has `lower`.

    pairs: how many divergences were computed. bits: the largest precision among them.
    """

    lower: Fraction
    upper: Fraction
    k: int
    pairs: int
    bits: int


@dataclass(order=True, slots=True)
class _Block:
    rank: Fraction
    least: int
    most: int
    found: Evaluation
    digits: int


def worst(
    of: Sum, epsilon: Epsilon, *, digits: int, target: Fraction | None = None, first: tuple[int, ...] = (), pairs: int | None = None
) -> Worst:
    """The largest divergence over all datasets; 0 from of.largest on.

    digits: stop at a relative width of 10^-digits. target: stop as soon as it is known to be met by all datasets, or missed by one.
    first: values of k to look at first. pairs: how many divergences to compute before stopping with what is known, `affordable` if None.
    Raises UndecidedError, ResourceLimitError.
    """
    if epsilon >= of.largest:
        return Worst(Fraction(0), Fraction(0), 0, 0, 0)
    allowed = pairs if pairs is not None else affordable(of)
    search = _Search(of, epsilon, target)
    for k in dict.fromkeys((*first, of.others, of.others // 2, 0)):
        search.look_at(k)
        if search.missed:
            return search.result()
    edges = [(of.others + 1) * i // _FIRST_BLOCKS for i in range(_FIRST_BLOCKS + 1)]
    for least, after in pairwise(sorted(set(edges))):
        search.add(least, after - 1, _ROUGHLY)
    while search.pairs < allowed:
        if search.missed or search.met or search.width_at_most(digits):
            break
        search.refine(digits)
    return search.result()


def affordable(of: Sum) -> int:
    """How many divergences a search may compute."""
    return LARGEST_WORK // of.dataset(0).terms(_ROUGHLY)


class _Search:
    def __init__(self, of: Sum, epsilon: Epsilon, target: Fraction | None) -> None:
        self.of, self.epsilon, self.target = of, epsilon, target
        self.lower, self.k, self.pairs, self.bits = Fraction(0), 0, 0, 0
        self.blocks: list[_Block] = []

    @property
    def upper(self) -> Fraction:
        """Return the bound by the worst block there still is."""
        return max(self.blocks[0].found.upper, self.lower) if self.blocks else Fraction(1)

    @property
    def missed(self) -> bool:
        return self.target is not None and bool(self.lower > self.target)

    @property
    def met(self) -> bool:
        return self.target is not None and self.upper <= self.target

    def width_at_most(self, digits: int) -> bool:
        return bool(self.upper <= TINY or (self.upper - self.lower) * 10**digits <= self.upper)

    def look_at(self, k: int) -> Evaluation:
        """The dataset with k ones itself."""
        return self._noted(k, self._evaluated(self.of.dataset(k), _ROUGHLY))

    def add(self, least: int, most: int, digits: int) -> None:
        found = self._evaluated(self.of.shared(least, most), digits)
        if least == most:
            self._noted(least, found)
        heapq.heappush(self.blocks, _Block(-found.upper, least, most, found, digits))

    def refine(self, digits: int) -> None:
        """Halve the worst block, or look at it as closely as asked for."""
        block = heapq.heappop(self.blocks)
        if block.least == block.most:
            self.add(block.least, block.most, max(digits + 1, block.digits + 4))
            return
        middle = (block.least + block.most) // 2
        self.add(block.least, middle, _ROUGHLY)
        self.add(middle + 1, block.most, _ROUGHLY)
        # A dataset itself shows how near the bound is; next to a target the first one has shown that, unless another one is worse.
        if self.pairs % (4 if self.target is None else 16) < 2 and block.most - block.least > 1:
            self.look_at(middle)

    def result(self) -> Worst:
        return Worst(self.lower, min(self.upper, Fraction(1)), self.k, self.pairs, self.bits)

    def _noted(self, k: int, found: Evaluation) -> Evaluation:
        if found.lower > self.lower:
            self.lower, self.k = found.lower, k
        return found

    def _evaluated(self, bits: Bits, digits: int) -> Evaluation:
        found = divergence(bits, self.epsilon, digits=digits)
        self.pairs, self.bits = self.pairs + 1, max(self.bits, found.bits)
        return found
