"""Numbers in [0, 1] rounded to r bits at random, exactly: what E_r adds up to (CSUZZ19, Algorithm 5)."""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.release.bernoulli import bernoulli, bernoulli_sum
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.spec.vocabulary.errors import require

LARGEST_R = 10**9
"""Bits of a number in unary: the ones of 9 10^9 numbers still are an int64."""
LARGEST_DENOMINATOR = 1 << 60
"""Of numbers that are rounded: numerators up to it are int64, with three bits to spare."""


def encoded_ones(*, numerators: NDArray[np.int64], denominator: int, r: int, source: BitSource) -> int:
    """How many of the bits of E_r(x) are 1, over all x = numerator/denominator: floor(x r) each, and one more with probability the rest.

    numerators: from 0 to the denominator each; denominator: from 1 to 2^60; r: from 1 to 10^9. Raises DomainError.
    """
    require(1 <= r <= LARGEST_R, parameter="r", value=r, requirement=f"an integer from 1 to {LARGEST_R}")
    wanted = f"an integer from 1 to {LARGEST_DENOMINATOR}"
    require(1 <= denominator <= LARGEST_DENOMINATOR, parameter="denominator", value=denominator, requirement=wanted)
    if numerators.size == 0:
        return 0
    least, greatest = int(numerators.min()), int(numerators.max())
    require(0 <= least <= greatest <= denominator, parameter="numerators", value=(least, greatest), requirement=f"0 to {denominator}")
    whole, rest = divided(numerators, denominator, r)
    return int(whole.sum()) + bernoulli_sum(numerators=rest, denominator=denominator, source=source)


def encoded_ones_of(values: Iterable[Fraction], *, r: int, source: BitSource) -> int:
    """The same for exact numbers of any form, one by one."""
    total = 0
    for x in values:
        whole, rest = divmod(x * r, 1)
        total += whole + bernoulli(p=rest, source=source)
    return int(total)


def divided(numerators: NDArray[np.int64], denominator: int, r: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """numerators * r divided by the denominator: quotients, and remainders from 0 to denominator - 1, exactly.

    A product that does not fit into 64 bits is never formed: the quotient is guessed in floats to within 1, the remainder that belongs
    to it, between -denominator and 2 * denominator, is right modulo 2^64 and so right, and says whether the guess was.
    """
    if denominator * r < 1 << 62 and denominator.bit_count() == 1:
        products = numerators * r
        return products >> (denominator.bit_length() - 1), products & (denominator - 1)
    if denominator * r < 1 << 62:
        quotients, remainders = np.divmod(numerators * r, denominator)
        return quotients, remainders
    quotients = np.floor(numerators * (r / denominator)).astype(np.int64)
    remainders = numerators * np.int64(r) - quotients * np.int64(denominator)  # modulo 2^64
    correction = (remainders >= denominator).astype(np.int64) - (remainders < 0)
    return quotients + correction, remainders - correction * denominator
