"""Renyi divergences of a sum of noisy bits over all neighbouring datasets, certified: the bit sum's, both real sums', the coordinate sums'.

The view is the number of ones, A + B among the bits that the datasets share (zeros that became ones, ones that stayed) and Bin(changed,
1 - p) against Bin(changed, p) among those that differ. With M = sum over y of P_1(y)^alpha P_0(y)^(1 - alpha), the divergence is
ln M/(alpha - 1), and the other direction is that of the dataset with 0 and 1 exchanged (CSUZZ19.Profile.one-direction).

Windows of A and B leave out a probability rho, the same in both datasets. (u, v) -> u^alpha v^(1 - alpha) is convex and homogeneous, so
subadditive, and the likelihood ratio given A and B is at most e^L, L = changed ln((1 - p)/p): with M_w inside the windows

    M_w^alpha (M_w + rho e^(alpha L))^(1 - alpha) <= M <= M_w + rho e^((alpha - 1) L),

the lower side by Hoelder's inequality with the test (P_1/P_0)^(alpha - 1) on the windows. For all datasets with k_0 to k_1 ones among the
others the bits that they share bound the divergence from above, since adding the others is post-processing; blocks are halved, worst first.
"""

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb, arb_poly

from shuffleproof.impl.ball.bounds.sums.noisy_bits import Bits, half_window
from shuffleproof.impl.ball.bounds.sums.worst_dataset import SAYS_NOTHING, Sum
from shuffleproof.impl.ball.numeric.arithmetic import UP_TO_1, ball, ends, power_to, precision
from shuffleproof.impl.ball.numeric.binomial import mass
from shuffleproof.impl.ball.numeric.budget import one_answer, require_affordable, spend
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UndecidedError

_LARGEST_WORK = 120_000
"""Terms that a search over datasets adds up, about: a few seconds."""
_FEWEST = 24
"""Blocks of datasets that a search halves however much work they are."""
_FIRST_BLOCKS = 8
"""Blocks with which the branch and bound begins."""
_ROUGHLY = 4
"""Digits of a block's divergence: they only rank blocks, and its upper end is certified."""
_ATTEMPTS = 6
"""Attempts, with more bits and a wider window each time, before the answer is refused."""
_LARGEST_EXPONENT = 2_000_000
"""Natural orders of magnitude between masses beyond which only the trivial bounds are given for many users."""
_LARGEST_PRODUCT = 20_000_000
"""Pairs of masses: where they differ by so many orders of magnitude, polynomials are multiplied pair by pair."""
_EACH = 10.0
"""Units of work for a term."""
_WHAT = "certified Renyi divergences of noisy bits"

Ends = tuple[Fraction, Fraction]


def renyi_of(of: Sum, order: Fraction, *, runs: int = 1, digits: int) -> Found:
    """The Renyi divergence of `runs` such sums that are distinguished, for all datasets; p above 0, up to 1/2.

    Runs are independent given the data, and each has its own worst dataset: they add up. Raises UndecidedError, ResourceLimitError.
    """
    if of.p == SAYS_NOTHING:
        return Found.exactly(0)
    lower, upper = renyi_ends(of, order, digits=digits)
    return Found(runs * lower, runs * upper)


@one_answer()
def renyi_ends(of: Sum, order: Fraction, *, digits: int) -> Ends:
    """Ends of the largest divergence of one sum over all datasets, p in (0, 1/2). Errors as for `renyi_of`."""
    return _Search(of, order).ends(digits)


def all_alike(of: Sum, order: Fraction, *, digits: int) -> Fraction:
    """Bound it from below, where all others hold 1: as far as is known the worst dataset. p in (0, 1/2]. Errors as for `renyi_of`."""
    return Fraction(0) if of.p == SAYS_NOTHING else divergence(of.dataset(of.others), order, digits=digits)[0]


@dataclass
class _Search:
    of: Sum
    order: Fraction

    def ends(self, digits: int) -> Ends:
        others = self.of.others
        require_affordable((1 + 0.75 * _FIRST_BLOCKS) * self._terms(), each=_EACH, bits=0, what=_WHAT)
        lower = all_alike(self.of, self.order, digits=digits + 1)
        pairs = max(_FEWEST, _LARGEST_WORK // self._terms())
        blocks: list[tuple[Fraction, int, int, int]] = []

        def add(least: int, most: int, wanted: int) -> None:
            nonlocal lower
            low, high = divergence(self.of.shared(least, most), self.order, digits=wanted)
            if least == most:
                lower = max(lower, low)
            heapq.heappush(blocks, (-high, least, most, wanted))

        edges = sorted({(others + 1) * i // _FIRST_BLOCKS for i in range(_FIRST_BLOCKS + 1)})
        for least, after in pairwise(edges):
            add(least, after - 1, _ROUGHLY)
        for _ in range(pairs):
            upper, least, most, wanted = -blocks[0][0], *blocks[0][1:]
            if (upper - lower) * 10**digits <= upper or (least == most and wanted > digits):
                break
            heapq.heappop(blocks)
            if least == most:
                add(least, most, digits + 1)
            else:
                middle = (least + most) // 2
                add(least, middle, _ROUGHLY)
                add(middle + 1, most, _ROUGHLY)
        return lower, max(-blocks[0][0], lower)

    def _terms(self) -> int:
        bits = self.of.dataset(self.of.others)
        reached = math.ceil(2 * half_window(bits.variance, _exponent(bits, self.order, _ROUGHLY))) + 1
        return min(reached, self.of.others + self.of.changed + 1)


def divergence(bits: Bits, order: Fraction, *, digits: int) -> Ends:
    """Ends of D_alpha(P_1 || P_0) of one dataset, or of what datasets share; p in (0, 1/2).

    To a relative width of 10^-digits, or from 0 to the largest loss where alpha is so large that this is the better use of time.
    Raises UndecidedError, ResourceLimitError.
    """
    top = bits.largest.bounds(bits=4 * digits + 64)[1]
    exponent, size = _exponent(bits, order, digits), bits.ones + bits.zeros + bits.changed
    if exponent > _LARGEST_EXPONENT and (size > _LARGEST_EXPONENT or bits.ones * bits.zeros > _LARGEST_PRODUCT):
        return Fraction(0), top
    working = math.ceil(3.33 * digits) + 3 * size.bit_length() + order.numerator.bit_length() + 64
    known = Fraction(0), top
    for _ in range(_ATTEMPTS):
        with precision(working):
            low, high = _moment(bits, order, exponent)
            known = max(low, known[0]), min(high, known[1])
        if (known[1] - known[0]) * 10**digits <= known[1]:
            return known
        working, exponent = working + working // 2, 1.5 * exponent + 10
    raise UndecidedError(quantity="the Renyi divergence", enclosure=(str(float(known[0])), str(float(known[1]))), precision=working)


def _exponent(bits: Bits, order: Fraction, digits: int) -> float:
    """Natural orders of magnitude that a window keeps, so that rho e^(alpha L) is far below M - 1, about 1/variance."""
    largest = float(bits.largest.bounds(bits=64)[1])
    return 2.31 * digits + 12 + float(order) * largest + 2 * math.log1p(bits.variance)


def _moment(bits: Bits, order: Fraction, exponent: float) -> Ends:
    """Ends of the divergence at the working precision."""
    widths = [last - first + 1 for _, first, last in (_places(bits.zeros, bits.p, exponent), _places(bits.ones, 1 - bits.p, exponent))]
    spend(sum(widths) + 2 * bits.changed, each=_EACH, bits=0, what=_WHAT)
    more, outside_more = _window(bits.zeros, bits.p, exponent)
    kept, outside_kept = _window(bits.ones, 1 - bits.p, exponent)
    shared = arb_poly(more) * arb_poly(kept)
    one, zero = ((shared * arb_poly(_all(bits.changed, p))).coeffs() for p in (1 - bits.p, bits.p))
    alpha = ball(order)
    loss = bits.changed * ball((1 - bits.p) / bits.p).log()
    power = power_to(order)
    steep = ((alpha - 1) * loss).exp()
    inside, unclear = arb(0), arb(0)
    for in_one, in_zero in zip(one, zero, strict=True):
        if in_zero > 0 and in_one > 0:
            inside += in_zero * power(in_one / in_zero)
        else:  # masses that the precision does not tell from 0
            unclear += abs(in_one) * steep
    left_out = (outside_more + outside_kept) * UP_TO_1
    above = inside + unclear * UP_TO_1 + left_out * steep
    low = alpha * (inside.log() / (alpha - 1)) - (inside + unclear + left_out * steep * loss.exp()).log()
    high = above.log() / (alpha - 1)
    if not (low.is_finite() and high.is_finite()):
        return Fraction(0), bits.largest.bounds(bits=64)[1]
    return max(ends(low)[0], Fraction(0)), max(ends(high)[1], Fraction(0))


def _all(count: int, p: Fraction) -> list[arb]:
    """Every mass of Bin(count, p)."""
    return [mass(count, p, c) for c in range(count + 1)]


def _places(count: int, p: Fraction, exponent: float) -> tuple[int, int, int]:
    """The mode of Bin(count, p), and the first and last place of its window."""
    half = math.ceil(half_window(float(count * p * (1 - p)), exponent)) + 2
    mode = min(math.floor((count + 1) * p), count)
    return mode, max(0, mode - half), min(count, mode + half)


def _window(count: int, p: Fraction, exponent: float) -> tuple[list[arb], arb]:
    """Masses of Bin(count, p) around its mode, one after another, and an upper bound on what lies outside."""
    mode, first, last = _places(count, p, exponent)
    odds = ball(p / (1 - p))
    up, down = [mass(count, p, mode)], list[arb]()
    for c in range(mode, last):
        up.append(up[-1] * odds * (count - c) / (c + 1))
    at = up[0]
    for c in range(mode, first, -1):
        at = at * c / (odds * (count - c + 1))
        down.append(at)
    outside = arb(0)
    if last < count:
        outside += _rest(up[-1], odds * (count - last) / (last + 1))
    if first > 0:
        outside += _rest(down[-1], first / (odds * (count - first + 1)))
    return [*reversed(down), *up], outside


def _rest(outermost: arb, ratio: arb) -> arb:
    """Above what is left of a log-concave sequence after its outermost term."""
    return outermost * ratio / (1 - ratio) if ratio < 1 else arb(1)
