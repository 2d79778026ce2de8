"""Masses of N(0, 1) on cells and in its tails, in decimal arithmetic.

A cell [a, a + h] has the mass phi(a) times the integral of e^(-a s - s^2/2) up to h, by its power series; a tail beyond a the mass phi(a)
over the continued fraction a + 1/(a + 2/(a + 3/(a + ...))), whose convergents lie on either side of it in turn.
"""

from collections.abc import Iterable
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from shuffleproof.impl.fast.numeric.results import PI, decimal_of

_CONVERGENTS = 300
"""Depth of the continued fraction: from a = 5 on neighbouring convergents agree to `AGREE`."""
AGREE = Decimal("1e-22")
"""Relative error of a tail."""


def cell_masses(ends: Iterable[Fraction]) -> list[Decimal]:
    """Return the masses of N(0, 1) between neighbouring ends, to a relative error of 1e-30."""
    return [_density(decimal_of(a)) * _integral(decimal_of(a), decimal_of(b - a)) for a, b in pairwise(ends)]


@lru_cache(maxsize=8)
def _root_of_two_pi(digits: int) -> Decimal:
    assert getcontext().prec == digits
    return (2 * PI).sqrt()


def _density(a: Decimal) -> Decimal:
    return (-a * a / 2).exp() / _root_of_two_pi(getcontext().prec)


def _integral(a: Decimal, h: Decimal) -> Decimal:
    """Integrate e^(-a s - s^2/2) from 0 to h by its power series, whose coefficients satisfy (k + 1) c_(k+1) = -a c_k - c_(k-1).

    Absolute values satisfy the same recurrence with |a| and plus signs, whose sum is e^(|a| h + h^2/2): what is left out is below 1e-34.
    """
    x = abs(a) * h
    assert x <= 8
    assert h <= Decimal("0.25")
    before, c, power, total = Decimal(0), Decimal(1), h, h
    for k in range(1, 26 + 10 * int(x + 1)):
        before, c = c, -(a * c + before) / k
        power *= h
        total += c * power / (k + 1)
    return total


def tail(a: Decimal) -> Decimal:
    """Return the mass of N(0, 1) beyond a >= 5, to a relative error of 1e-22."""
    found = []
    for depth in (_CONVERGENTS, _CONVERGENTS + 1):
        value = a
        for k in range(depth, 0, -1):
            value = a + k / value
        found.append(_density(a) / value)
    assert abs(found[0] - found[1]) <= AGREE * found[0]
    return found[0]
