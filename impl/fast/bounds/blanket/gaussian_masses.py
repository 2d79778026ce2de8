"""Masses of N(0, 1) on cells and in its tails, in decimal arithmetic.

A cell [a, a + h] has the mass phi(a) times the integral of e^(-a s - s^2/2) up to h, by its power series; along cells of one h phi(a) goes
by factors that go by the factor e^(-h^2). A tail beyond a has the mass phi(a) over the continued fraction a + 1/(a + 2/(a + ...)), whose
convergents lie on either side of it in turn.
"""

import math
from collections.abc import Iterable
from decimal import Decimal, getcontext
from functools import lru_cache
from itertools import pairwise

from shuffleproof.impl.fast.numeric.results import PI

_CONVERGENTS = 1100
"""Depth of the continued fraction, times a^2: so deep, and `_MORE`, neighbouring convergents agree to `AGREE` from a = 3 on."""
_MORE = 20
"""Its depth beside that, which suffices far out."""
AGREE = Decimal("1e-22")
"""Relative error of a tail."""
_LEFT_OUT = 1e-34
"""What may be left out of a power series, next to its sum."""
_SAME = Decimal("1e-45")
"""Relative difference of the widths of cells that are taken to be one, which roundings of their ends leave."""
_PER_UNIT = 16
"""How finely |a| h is told apart where terms are counted."""


def cell_masses(ends: Iterable[Decimal]) -> list[Decimal]:
    """Return the masses of N(0, 1) between neighbouring ends, to a relative error of 1e-30: of 10^4 cells at most."""
    found, h = [], Decimal(0)
    for a, b in pairwise(ends):
        if abs(b - a - h) > _SAME * h:
            h = b - a
            density, factor, following = _density(a), (-(a + h / 2) * h).exp(), (-h * h).exp()
        found.append(density * _integral(a, h))
        density, factor = density * factor, factor * following
    return found


@lru_cache(maxsize=8)
def _root_of_two_pi(digits: int) -> Decimal:
    assert getcontext().prec == digits
    return (2 * PI).sqrt()


def _density(a: Decimal) -> Decimal:
    return (-a * a / 2).exp() / _root_of_two_pi(getcontext().prec)


def _integral(a: Decimal, h: Decimal) -> Decimal:
    """Integrate e^(-a s - s^2/2) from 0 to h by its Taylor series, whose derivatives at 0 satisfy e_(k+1) = -a e_k - k e_(k-1)."""
    before, e, total = Decimal(0), Decimal(1), h
    for k, weight in enumerate(_weights(math.ceil(abs(a) * h * _PER_UNIT), h, getcontext().prec)):
        before, e = e, -(a * e + k * before)
        total += e * weight
    return total


@lru_cache(maxsize=1024)
def _weights(parts: int, h: Decimal, digits: int) -> tuple[Decimal, ...]:
    """h^(k+1)/(k+1)! for k from 1 until what is left out is below `_LEFT_OUT` of the integral, where |a| h <= x = parts/_PER_UNIT.

    d_k = |e_k| h^k/k! <= (x d_(k-1) + h^2 d_(k-2))/k <= q max(d_(k-1), d_(k-2)), q = (x + h^2)/k, so that beyond k, once q <= 1/2, all d
    sum to 2 max(d_k, d_(k-1)) at most; the integral is at least h e^(-x - h^2/2).
    """
    assert getcontext().prec == digits
    x, square = parts / _PER_UNIT, float(h * h) * (1 + 1e-15)
    assert x <= 8
    assert h <= Decimal("0.25")
    before, d, weight, weights = 0.0, 1.0, h, list[Decimal]()
    while 2 * (x + square) > len(weights) or 2.01 * max(d, before) > _LEFT_OUT * math.exp(-x - square / 2):
        weight *= h / (len(weights) + 2)
        weights.append(weight)
        before, d = d, (x * d + square * before) / len(weights)
    return tuple(weights)


def tail(a: Decimal) -> Decimal:
    """Return the mass of N(0, 1) beyond a >= 3, to a relative error of 1e-22."""
    found = []
    depth = _MORE + int(_CONVERGENTS / (a * a))
    for last in (depth, depth + 1):
        value = a
        for k in range(last, 0, -1):
            value = a + k / value
        found.append(_density(a) / value)
    assert abs(found[0] - found[1]) <= AGREE * found[0]
    return found[0]
