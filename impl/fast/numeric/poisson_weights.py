"""Tables of x^k/k! relative to the entry at an anchor, each within two roundings of its value however far the anchor is.

    w(k) = w(a) x^(k-a) a!/k!,   x = high + low, `high` of 26 bits.

Neighbours satisfy w(k) k = w(k-1) x. A running product p of once-rounded ratios satisfies it up to a residual, which is found almost
exactly: with p split in halves of 26 bits, and k in a multiple of 2^14 and 14 bits, all products but the one with `low` are exact, and
so are the first two subtractions below, whose results are multiples of a unit 2^-53 or more of themselves. So each step is

    w(k)/w(k-1) = p(k)/p(k-1) (1 + rho_k),   |rho_k| <= 3 U, and rho_k is known to within 2^-75:

after the two subtractions what is left is below 3 2^-26 of p(k) k, and four additions round it. Hence w = p (1 + sum of rho) but for
(sum of |rho|)^2 <= 2^-62 and the errors of the rho, which are at most U/4 together in STEPS_FROM_ANCHOR = 2^20 steps, as is what x
itself, known to within 2^-79, does in so many; the last product and sum round once. Each entry is therefore within 2 U, relatively.

Products and sums run from the anchor outwards, one entry after the other: an entry has the same bits whatever range is asked for.
"""

import math
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.clones.clones_mixture import STEPS, Floats, pieces
from shuffleproof.impl.fast.numeric.convolution import scratch
from shuffleproof.impl.fast.numeric.results import working

ROUNDINGS = 2
"""Roundings, U each, within which an entry lies of its value: the analysis above. Fewer would be unsound."""
STEPS_FROM_ANCHOR = 2**20
"""Entries on either side of the anchor, at most: the analysis above is for so many."""
_BLOCK = 2**14
"""k is a multiple of it plus 14 bits, so that products with 26 bits are exact."""
_HALVES = 2.0**27 + 1
"""Veltkamp's factor 2^27 + 1, which splits 53 bits into halves of 26."""
_SHORT = 26
"""Bits of `high`: its product with 27 bits is exact in binary64."""
_SMALLEST = 1e-270
"""Least entry kept: products of one with a few small factors stay normal floats."""
_LARGEST = 1e270
"""Largest entry kept: products of one with a few large factors stay finite."""


class PoissonWeights:
    """w(k) for first <= k <= last, in `values`; w(anchor) is given. Entries outside 1e-270 .. 1e270 are not kept."""

    def __init__(self, *, x: Decimal, anchor: int, at_anchor: float) -> None:
        """For x > 0 within the normal floats, anchor >= 0, at_anchor a power of two."""
        self.x = float(x)
        self._high = short(self.x)
        with working():
            self._low = float(x - Decimal(self._high))
        self._anchor = anchor
        self.first = self.last = anchor
        self.values: Floats = np.array([at_anchor])
        self._ends = {-1: (at_anchor, 0.0), 1: (at_anchor, 0.0)}  # the running product and sum of rho at either end
        self._closed = {-1: anchor == 0, 1: False}

    def cover(self, first: int, last: int) -> bool:
        """Extend the table to first .. last, as far as entries can be kept; whether it covers them now."""
        pieces = [self.values]
        while self.last < last and not self._closed[1]:
            start = self.last + 1
            pieces.append(self._grown(1, start, min(last, self._anchor + STEPS_FROM_ANCHOR, _end_of_block(start))))
            self.last += len(pieces[-1])
        while self.first > first and not self._closed[-1]:
            start = max(first + 1, self._anchor - STEPS_FROM_ANCHOR, self.first - self.first % _BLOCK, 1)
            pieces.insert(0, self._grown(-1, start, self.first)[::-1])
            self.first -= len(pieces[0])
        if len(pieces) > 1:
            self.values = np.concatenate(pieces)
        return self.first <= first and last <= self.last

    def at(self, k: int) -> float:
        """w(k), for first <= k <= last."""
        return float(self.values[k - self.first])

    @np.errstate(all="ignore")  # beyond what is kept, products may leave the floats
    def _grown(self, direction: int, low: int, high: int) -> Floats:
        """The entries that the factors k = low .. high, of one block, lead to: up to w(high), or down to w(low - 1)."""
        if low > high:
            self._closed[direction] = True
            return np.empty(0)
        block = low - low % _BLOCK
        rest, k_high, size = STEPS[low - block : high - block + 1][::direction], float(block), high - low + 1
        p, rho, head, tail = (scratch(name, size + 1) for name in ("p", "rho", "head", "tail"))
        residual, product = scratch("residual", size), scratch("product", size)
        p[0], rho[0] = self._ends[direction]
        np.add(rest, k_high, out=product)
        if direction > 0:
            np.divide(self.x, product, out=p[1:])
        else:
            np.divide(product, self.x, out=p[1:])
        np.cumprod(p, out=p)
        np.multiply(p, _HALVES, out=head)
        np.subtract(head, p, out=tail)
        head -= tail
        np.subtract(p, head, out=tail)
        by_x, by_k = (slice(None, -1), slice(1, None))[::direction]  # which of two neighbours is multiplied by x, and which by k
        np.multiply(head[by_x], self._high, out=residual)
        residual -= np.multiply(head[by_k], k_high, out=product)
        residual -= np.multiply(head[by_k], rest, out=product)
        residual += np.multiply(tail[by_x], self._high, out=product)
        residual -= np.multiply(tail[by_k], k_high, out=product)
        residual -= np.multiply(tail[by_k], rest, out=product)
        residual += np.multiply(p[by_x], self._low, out=product)
        np.multiply(p[by_x], direction * self.x, out=product)
        np.divide(residual, product, out=rho[1:])
        np.cumsum(rho, out=rho)
        self._ends[direction] = float(p[-1]), float(rho[-1])
        rho *= p
        rho += p
        entries = rho[1:]
        lost = np.flatnonzero(~((entries >= _SMALLEST) & (entries <= _LARGEST)))
        kept = int(lost[0]) if len(lost) else len(entries)
        reached = high if direction > 0 else low - 1
        at_end = abs(reached - self._anchor) >= STEPS_FROM_ANCHOR or (direction < 0 and reached == 0)
        self._closed[direction] = self._closed[direction] or kept < len(entries) or at_end
        return entries[:kept].copy()


def short(x: float) -> float:
    """x > 0 rounded to 26 bits."""
    mantissa, exponent = math.frexp(x)
    return math.ldexp(round(mantissa * 2**_SHORT), exponent - _SHORT)


def running_sums(terms: Floats) -> Floats:
    """Sums of the positive terms up to each one, within one rounding and 2^-64, relatively, for at most 2^21 terms.

    The error of each addition is found exactly (Knuth's two-sum) and the errors are summed: they are at most N U of a sum s, and
    summing them rounds at most N U of that.
    """
    sums, error = np.cumsum(terms), 0.0
    below = 0.0
    for piece in pieces(len(terms)):
        before, part, errors = (scratch(name, piece.stop - piece.start) for name in ("before", "part", "errors"))
        after, added = sums[piece], terms[piece]
        before[0], before[1:] = below, after[:-1]
        below = float(after[-1])
        np.subtract(after, before, out=part)
        np.subtract(after, part, out=errors)
        np.subtract(before, errors, out=errors)
        np.subtract(added, part, out=part)
        errors += part
        errors[0] += error
        np.cumsum(errors, out=errors)
        error = float(errors[-1])
        after += errors
    return sums


def _end_of_block(k: int) -> int:
    return k - k % _BLOCK + _BLOCK - 1
