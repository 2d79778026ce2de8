"""Bernoulli variables of exact probability, by lazy comparison of a uniform number with the probability.

U in [0, 1) is drawn block by block; 1[U < p] is known as soon as the blocks drawn so far keep U to one side of p.
"""

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, precision
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.impl.release.uniform import uniforms_below
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, exact_fraction, probability

_BATCH = 1 << 18
"""Numbers that are drawn for at once: 2 MiB of random bits, so that memory does not grow with the data."""
_LARGEST_PRODUCT = 1 << 62
"""A denominator times 2^quarter below it is an int64, with a bit to spare; larger ones are decided one by one."""


def bernoulli(*, p: Number, source: BitSource) -> bool:
    """True with probability p, exactly. p: in [0, 1]. Raises DomainError."""
    left = probability(p, parameter="p")
    while 0 < left < 1:
        left = (left.numerator << source.block_bits) / Fraction(left.denominator) - source.block()
    return bool(left >= 1)


def bernoulli_exp(*, x: Number, source: BitSource) -> bool:
    """True with probability e^-x, exactly. x: at least 0. Ends with probability 1, since U = e^-x has probability 0. Raises DomainError."""
    rate = exact_fraction(x, parameter="x")
    require(rate >= 0, parameter="x", value=x, requirement="at least 0")
    if rate == 0:
        return True
    drawn, bits = 0, 0
    while True:
        drawn, bits = (drawn << source.block_bits) | source.block(), bits + source.block_bits
        low, high = _steps_of_exp(rate.numerator, rate.denominator, bits)
        if drawn < low:
            return True
        if drawn >= high:
            return False


def bernoulli_sum(*, numerators: NDArray[np.int64], denominator: int, source: BitSource) -> int:
    """The sum of independent Bernoulli variables of probabilities numerators/denominator, exactly.

    numerators: from 0 to the denominator each; denominator: from 1 to 2^63 and at most 2^block_bits of the source. Raises DomainError.
    """
    if numerators.size:
        least, greatest = int(numerators.min()), int(numerators.max())
        require(0 <= least <= greatest <= denominator, parameter="numerators", value=(least, greatest), requirement=f"0 to {denominator}")
    total = 0
    for start in range(0, numerators.size, _BATCH):
        total += _summed(numerators[start : start + _BATCH], denominator, source)
    return total


def _summed(numerators: NDArray[np.int64], denominator: int, source: BitSource) -> int:
    """A quarter of a block is compared with the leading bits of each probability where these are at hand, and only ties go on."""
    quarter = source.block_bits // 4
    dyadic = denominator.bit_count() == 1 and denominator >> quarter > 0
    if numerators.size == 0 or quarter == 0 or not (dyadic or denominator << quarter < _LARGEST_PRODUCT):
        return int(np.count_nonzero(uniforms_below(m=denominator, size=numerators.size, source=source) < numerators))
    if dyadic:
        denominator >>= quarter
        leading, left = numerators >> (denominator.bit_length() - 1), numerators & (denominator - 1)
    else:
        leading, left = np.divmod(numerators << quarter, denominator)
    drawn = _quarters(numerators.size, source)
    return int(np.count_nonzero(drawn < leading)) + _summed(left[drawn == leading], denominator, source)


def _quarters(size: int, source: BitSource) -> NDArray[np.unsignedinteger[Any]]:
    """`size` numbers of a quarter of a block each."""
    quarter = source.block_bits // 4
    blocks = source.blocks(-(-size // 4))
    if quarter == 16:
        return blocks.view(np.uint16)[:size]
    parts = [(blocks >> np.uint64(quarter * i)) & np.uint64((1 << quarter) - 1) for i in range(4)]
    return np.concatenate(parts)[:size]


@lru_cache(maxsize=1 << 14)
def _steps_of_exp(numerator: int, denominator: int, bits: int) -> tuple[int, int]:
    """Return two numbers of so many bits: U's first bits below the first say U < e^-x, from the second on U >= e^-x."""
    with precision(bits + 24):
        lower, upper = ends((-ball(Fraction(numerator, denominator))).exp())
    return floor(lower * (1 << bits)), ceil(upper * (1 << bits))
