"""Thresholds tau = k slope - shift for consecutive k, as their integer parts and fractions in float64.

Slope and shift come as integers over 2^LONG. In each piece tau = (its integer part at the start) + x + y, x = F + j R with F < 1 and
R < 1 multiples of 2^-36 and j < 2^14, exact in floats, and y < 2^-36 + 2^14 2^-36, from the rest of both.
"""

from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.clones.clones_mixture import STEPS, Floats, pieces
from shuffleproof.impl.fast.numeric.rounding import U
from shuffleproof.impl.fast.numeric.scalars import working
from shuffleproof.impl.fast.numeric.scratch import scratch

LONG = 140
"""Bits to which slopes and shifts are cut off: n = 10^9 steps move a threshold by less than 2^-109."""
_SHIFT = 36
"""Bits of the first part of a fraction: its products with fewer than 2^14 steps are exact in 53 bits."""
ETA = 4 * U
"""Error of tau - t: a fraction exact in floats plus less than 2^-20, known to within 2^-70: one rounding below 2, one more for 1 - it."""


def scaled(x: Decimal) -> int:
    """x over 2^LONG, cut off."""
    with working():
        return int(x * 2**LONG)


def split(fraction: int) -> tuple[float, float]:
    """fraction/2^LONG < 1 as a multiple of 2^-36 and the rest, rounded."""
    high, low = divmod(fraction, 2 ** (LONG - _SHIFT))
    return high / 2**_SHIFT, low / 2**LONG


def parts(first: int, length: int, *, slope: int, shift: int = 0) -> tuple[Floats, Floats]:
    """t = floor(tau) and a = tau - t in [0, 1] for k = first, first + 1, ...; k and the absolute value of tau are at most 2^30.

    slope, shift: over 2^LONG, the slope below 1. Both arrays are valid until they are asked for again.
    """
    high, low = split(slope)
    t, a = scratch("t", length), scratch("a", length)
    for piece in pieces(length):
        whole, fraction = divmod((first + piece.start) * slope - shift, 2**LONG)
        start, rest = split(fraction)
        j = STEPS[: piece.stop - piece.start]
        integer, x = t[piece], a[piece]
        np.multiply(j, high, out=x)
        x += start
        np.floor(x, out=integer)
        x -= integer
        x += j * low + rest
        integer += whole
        if x.max() > 1:
            over = x > 1
            integer += over
            x -= over
    return t, a
