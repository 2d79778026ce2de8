"""What the analyzer of P_(n, lambda) receives, drawn exactly: the number of messages that are 1 (CSUZZ19, Algorithm 1, section 4.2)."""

from fractions import Fraction

from shuffleproof.impl.release.binomial import binomial
from shuffleproof.impl.release.binomial_table import width_of_table
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, count, exact_fraction

_BLOCK_BITS = 64
"""At least as many as any source's blocks have, so that a table that is affordable here is affordable for a part of the bits."""


def messages_of_one(*, bits: Number, ones: Number, flip: Number, source: BitSource) -> int:
    """Bin(ones, 1 - flip) + Bin(bits - ones, flip): how many of independent bits are 1 after each was flipped.

    bits: how many there are, at least 1 (n users of a bit sum, n r bits of a real sum); ones: how many are 1, from 0 to bits;
    flip: lambda/(2n), from 0 to 1/2, exact. Raises DomainError; ResourceLimitError where a table would be too large.
    """
    total = count(bits, parameter="bits")
    held = count(ones, parameter="ones", minimum=0, maximum=total)
    p = exact_fraction(flip, parameter="flip")
    require(0 <= p <= Fraction(1, 2), parameter="flip", value=flip, requirement="from 0 to 1/2")
    width_of_table(n=total, p=p, block_bits=_BLOCK_BITS)  # whether a table is too large must not depend on how many bits are 1
    kept = held - int(binomial(n=held, p=p, size=1, source=source)[0])
    return kept + int(binomial(n=total - held, p=p, size=1, source=source)[0])
