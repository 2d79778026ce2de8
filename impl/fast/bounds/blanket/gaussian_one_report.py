"""Shuffled Gaussian noise where one report says nearly all, in float64: both bounds by one large loss, and where to look for an epsilon.

From (1, 0, ..., 0) some report is beyond t with a probability of at least R_1(y > t), from (0, ..., 0) of at most n R_0(y > t). So delta at
epsilon is at least the largest R_1(y > t) - n e^epsilon R_0(y > t): that of one report at epsilon + ln n. For narrow noise a single report
is what distinguishes the datasets, and this is nearly all that there is.
"""

import math
from decimal import Decimal
from fractions import Fraction

from shuffleproof.impl.fast.bounds.blanket.gaussian_masses import cell_masses, tail
from shuffleproof.impl.fast.numeric.results import SCALAR_ERROR, decimal_of, exponential, working
from shuffleproof.spec.vocabulary.numerals import Epsilon

_FAR = Fraction(5)
"""From here on the continued fraction of a tail is exact enough; what is nearer is summed in cells."""
_CELL = Fraction(1, 8)
"""Of that sum, in standard deviations."""
_LOWEST = -3
"""First threshold that is tried, in standard deviations from 1."""
_HIGHEST = 36
"""Last threshold that is tried, in standard deviations from 1: beyond, probabilities leave the floats of the guess."""
_PER_DEVIATION = 64
"""How finely they are: the best of them is then exact to 1e-4 of epsilon."""
_ERROR = Decimal("1e-20")
"""Relative, of a tail: above what `tail` leaves open."""


def epsilon_below(*, n: int, sigma: Fraction, delta: Fraction) -> Fraction:
    """A number that the least epsilon at delta is not below, for n users; delta in (0, 1)."""
    rate, wanted = float(1 / sigma), float(delta)
    best, at = -math.inf, Fraction(0)
    for j in range(_LOWEST * _PER_DEVIATION, _HIGHEST * _PER_DEVIATION):
        first, second = (math.erfc((j / _PER_DEVIATION + x) / math.sqrt(2)) / 2 for x in (0.0, rate))
        if first > wanted and second > 0.0 and (found := math.log((first - wanted) / second)) > best:
            best, at = found, Fraction(j, _PER_DEVIATION)
    if best == -math.inf:
        return Fraction(0)
    with working():
        gained = _beyond(at) * (1 - _ERROR) - decimal_of(delta) * (1 + SCALAR_ERROR)
        lost = n * _beyond(at + 1 / sigma) * (1 + _ERROR)
        return max(Fraction(0), Fraction((gained / lost).ln() - SCALAR_ERROR)) if gained > 0 else Fraction(0)


def delta_below(*, n: int, sigma: Fraction, epsilon: Epsilon) -> Fraction:
    """A number that delta at epsilon is not below, for n users."""
    rate, exponent = float(1 / sigma), float(epsilon.bounds(bits=64)[1]) + math.log(n)
    # R_1(y > t) - n E R_0(y > t) is largest where the likelihood ratio is n E
    at = Fraction(round((exponent / rate - rate / 2) * _PER_DEVIATION), _PER_DEVIATION)
    if not _LOWEST <= at < _HIGHEST - rate:
        return Fraction(0)
    with working():
        found = _beyond(at) * (1 - _ERROR) - n * exponential(epsilon) * _beyond(at + 1 / sigma) * (1 + _ERROR)
        return max(Fraction(0), Fraction(found * (1 - SCALAR_ERROR)))


def _beyond(z: Fraction) -> Decimal:
    """Return the mass of N(0, 1) beyond z, to a relative error below `_ERROR`."""
    if z >= _FAR:
        return tail(decimal_of(z))
    cells = math.ceil((_FAR - z) / _CELL)
    return sum(cell_masses([decimal_of(z + (_FAR - z) * Fraction(j, cells)) for j in range(cells + 1)]), tail(decimal_of(_FAR)))
