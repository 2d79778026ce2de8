"""The distribution function of Bin(n, p), enclosed at a fixed number of bits over the window that these bits can tell from 0 and 1.

Masses are integers on a grid finer than the blocks, rounded down and up separately while they are carried outward from the mode: the
factor from one to the next is below 1 there, so the rounding errors add up and never grow. What lies outside the window stays below a
geometric series and is counted on the upper side; it is not dropped, but left to draws that land in it.
"""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np

from shuffleproof.impl.ball.numeric.arithmetic import ends, precision
from shuffleproof.impl.ball.numeric.binomial import lower_tail, mass
from shuffleproof.impl.release.entropy import Blocks
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about

LARGEST_WINDOW = 1 << 24
"""Entries of a table, which has two numbers of 8 bytes for each: 256 MiB."""


def width_of_table(*, n: int, p: Fraction, block_bits: int) -> int:
    """About how many entries the table of Bin(n, p) has; it grows with n. Raises ResourceLimitError beyond 2^24."""
    width = 2 * (math.isqrt(2 * (block_bits + 8) * math.ceil(n * p * (1 - p))) + 2 * block_bits)
    if min(width, n) > LARGEST_WINDOW:
        what = f"the table of Bin({n}, p)"
        raise ResourceLimitError(what=what, needed=f"about {about(min(width, n))} entries", limit=f"{about(LARGEST_WINDOW)} entries")
    return width


class Window:
    """For k = first, first + 1, ..., with F the distribution function of Bin(n, p), 0 < p < 1, and blocks of b bits:

    below[k] <= 2^b F(k), and every block above unsure[k] is at least 2^b F(k): a block u < below[k] says U < F(k), a block
    u > unsure[k] says U >= F(k), and the few between them say nothing.
    """

    def __init__(self, *, n: int, p: Fraction, block_bits: int) -> None:
        width = width_of_table(n=n, p=p, block_bits=block_bits)
        self._scale = block_bits + 2 * width.bit_length() + 16
        lows, highs, first, left_tail = self._masses(n, p, block_bits)
        one, shift = 1 << self._scale, self._scale - block_bits
        reached_low = accumulate(lows)
        reached_high = (min(left_tail + high, one) for high in accumulate(highs))
        last = min(first + len(lows), n) - first  # F(n) = 1 decides nothing
        self.first = first
        self.below: Blocks = np.fromiter((low >> shift for low in reached_low), dtype=np.uint64, count=len(lows))[:last]
        self.unsure: Blocks = np.fromiter(((high - 1) >> shift for high in reached_high), dtype=np.uint64, count=len(highs))[:last]
        self.closed_left = first == 0
        self.closed_right = first + last == n

    def _masses(self, n: int, p: Fraction, block_bits: int) -> tuple[list[int], list[int], int, int]:
        """Masses rounded down, rounded up, the first k, and an upper end of what lies to its left; all in units of 2^-scale."""
        mode = min(int((n + 1) * p), n)
        with precision(self._scale + 4 * n.bit_length() + 64):
            low, high = ends(mass(n, p, mode))
        middle = math.floor(low * (1 << self._scale)), math.ceil(high * (1 << self._scale))
        a, b = p.numerator, p.denominator - p.numerator  # p : 1 - p
        negligible = 1 << (self._scale - block_bits - 8)
        left_low, left_high, left_tail = _outward(mode, n - mode, b, a, middle, negligible)
        right_low, right_high, _ = _outward(n - mode, mode, a, b, middle, negligible)
        lows = [*reversed(left_low), middle[0], *right_low]
        highs = [*reversed(left_high), middle[1], *right_high]
        return lows, highs, mode - len(left_low), left_tail


def distribution_function(*, n: int, p: Fraction, k: int, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals on both sides of Pr(Bin(n, p) <= k), 0 <= p <= 1, at an absolute distance of about 2^-bits."""
    if not 0 <= k < n:
        return (Fraction(0), Fraction(0)) if k < 0 else (Fraction(1), Fraction(1))
    if p in (0, 1):  # 0 or n, and k lies between
        return 1 - p, 1 - p
    with precision(bits + 4 * n.bit_length() + 64):
        if k <= n * p:
            return ends(lower_tail(n, p, k, bits=bits + 8))
        low, high = ends(lower_tail(n, 1 - p, n - k - 1, bits=bits + 8))
        return 1 - high, 1 - low


def _outward(steps: int, taken: int, a: int, b: int, middle: tuple[int, int], negligible: int) -> tuple[list[int], list[int], int]:
    """Masses from the mode outward, and an upper end of the sum of those left out.

    The i-th step multiplies by (steps - i) a/((taken + i + 1) b), a factor that falls from one step to the next and is at most 1.
    """
    lows: list[int] = []
    highs: list[int] = []
    low, high = middle
    for i in range(steps):
        up, down = (steps - i) * a, (taken + i + 1) * b
        if high <= negligible and up < down:
            rest = -(-high * up // (down - up))  # high (r + r^2 + ...) with r = up/down
            if rest <= negligible:
                return lows, highs, rest
        low, high = low * up // down, -(-high * up // down)
        lows.append(low)
        highs.append(high)
    return lows, highs, 0
