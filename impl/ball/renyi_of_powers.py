"""Renyi divergences of shuffled numbers in [0, 1] with Gaussian noise, by moments of one report (BEYOND.Renyi-powers), certified.

From above by the blanket m: the mean of the u of all users, to an integer power, is a sum over who adds how often; what a user who adds
nothing to it has in the mean of the v is independent of it, and a user who adds something has v = R_1/m >= 1. From below by the datasets
(1, 0, ..., 0) and (0, ..., 0), of which v = 1, exactly.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, normal_tail, precision, upper_end

LARGEST_ORDER = 128
"""Orders beyond take seconds: the work grows with their cube."""
_BITS = 128
"""Working precision, in bits: with too few the ends of balls are farther apart, and hold as well."""
_CELLS = 192
"""Of reports beyond the middle, for the mean of e^(-t v): a cell's mass goes to its ends, the mean of v kept."""
_FARTHEST = 8
"""Standard deviations beyond 1 at which the last of these cells ends: v is at least what it is there."""
_STEPS = 8
"""Nodes of the integral over t for each factor of e, times the root of the order, as far as its peak is narrow."""
_WIDE = arb(2) ** -20
"""Of an exponent's change, up to which the mean of both ends, which is no less, is taken for that of the exponential."""
_NEGLIGIBLE = 23.0
"""-ln of what the ends of the integral add, about."""


def below(*, sigma: Fraction, n: int, order: Fraction) -> Fraction:
    """The divergence is not below this for n users; order: above 1, rounded down to an integer, of which nothing is known at 1."""
    alpha = math.floor(order)
    if alpha < 2:
        return Fraction(0)
    with precision(_BITS + n.bit_length()):
        found = sum((each for _, each in terms(_alone(sigma), n, alpha)), arb(0))
        return max(Fraction(0), lower_end(found.log() / (alpha - 1)))


def above(*, sigma: Fraction, n: int, order: Fraction) -> Fraction:
    """The divergence is at most this for all neighbours of n users, at most that of one report; order: above 1, at most LARGEST_ORDER.

    Between integers ln of the moment is convex in the order; at 1 it is 0.
    """
    low, high = math.floor(order), math.ceil(order)
    with precision(_BITS + n.bit_length()):
        share = ball(order - low)
        found = (
            _log_moment(sigma, n, high) if low == high else (1 - share) * _log_moment(sigma, n, low) + share * _log_moment(sigma, n, high)
        )
        return min(order / (2 * sigma**2), upper_end(found / ball(order - 1)))


@lru_cache(maxsize=64)
def _log_moment(sigma: Fraction, n: int, order: int) -> arb:
    """ln of the mean of (P/Q)^order under Q, at most."""
    if order == 1:
        return arb(0)
    known = terms(_of_blanket(sigma), n, order)
    beside = inverse_powers(sigma, n, order, len(known))
    return sum((term * each for (_, term), each in zip(known, beside, strict=True)), arb(0)).log()


def _alone(sigma: Fraction) -> Callable[[int], arb]:
    """Return moments of R_0/R_1 under R_1."""
    half = ball(1 / (2 * sigma**2))
    return lambda a: (half * (a * (a - 1))).exp()


def _of_blanket(sigma: Fraction) -> Callable[[int], arb]:
    """Return the integrals of R_0^a m^(1 - a): R_1 is the less likely one left of the middle, R_0 right of it."""
    rate, alone = 1 / ball(sigma), _alone(sigma)
    return lambda a: alone(a) * normal_tail(-rate * (a - ball(Fraction(1, 2)))) + normal_tail(rate / 2)


def terms(moment: Callable[[int], arb], n: int, order: int) -> list[tuple[int, arb]]:
    """Return s and what sets of s of n users, each of which adds something, have of the mean of (sum of u/n)^order."""
    factorials = [arb(1)]
    for a in range(1, order + 1):
        factorials.append(factorials[-1] * a)
    one = [arb(0), *(moment(a) / factorials[a] for a in range(1, order + 1))]
    found, power, sets = [], [arb(1)] + [arb(0)] * order, factorials[order] / arb(n) ** order
    for s in range(1, min(order, n) + 1):
        power = [sum((power[i] * one[a - i] for i in range(s - 1, a)), arb(0)) for a in range(order + 1)]
        sets = sets * (n - s + 1) / s
        found.append((s, sets * power[order]))
    return found


def inverse_powers(sigma: Fraction, n: int, order: int, most: int) -> list[arb]:
    """Return for s = 1, ..., most the mean of ((s + the sum of n - s of v)/n)^(1 - order), at most.

    x^(1 - a) is the integral of t^(a - 2) e^(-t x)/Gamma(a - 1) over t. On an interval ln of the mean of e^(-t v) is at most its chord, and
    ln t at most its tangent, so that the integrand is at most the exponential of a line.
    """
    nodes = _nodes(sigma, n, order)
    logs = [_transform(sigma, t).log() for t in nodes]
    powers = []  # of t, at both ends of each interval, by the tangent in its middle
    for t, following in pairwise(nodes):
        middle = (t + following) / 2
        slope = (order - 2) * (following - t) / 2 / middle
        powers.append(((order - 2) * middle.log() - slope, (order - 2) * middle.log() + slope))
    scale = arb(n) ** (order - 1) / arb(order - 1).gamma()
    found = []
    for s in range(1, most + 1):
        if s == n:
            found.append(arb(1))
            continue
        total = (
            nodes[0] ** (order - 1) / (order - 1)
            + (nodes[-1] * s).gamma_upper(arb(order - 1)) / arb(s) ** (order - 1) * (logs[-1] * (n - s)).exp()
        )
        lines = [(n - s) * each - s * t for each, t in zip(logs, nodes, strict=True)]
        for i, (left, right) in enumerate(powers):
            total += (nodes[i + 1] - nodes[i]) * _mean_of_exponential(lines[i] + left, lines[i + 1] + right)
        found.append(scale * total)
    return found


def _mean_of_exponential(left: arb, right: arb) -> arb:
    """Return the mean of e^x over x from one to the other, at most."""
    at_left, at_right, width = left.exp(), right.exp(), right - left
    return (at_right - at_left) / width if abs(width) > _WIDE else (at_left + at_right) / 2


def _nodes(sigma: Fraction, n: int, order: int) -> Sequence[arb]:
    """Choose where the integral over t is cut: any points are sound."""
    first = math.exp((math.lgamma(order) - _NEGLIGIBLE) / (order - 1)) / n
    last = first
    fallen = (order - 1) * math.log(n) + _NEGLIGIBLE
    while -float(_transform(sigma, arb(last)).log().mid()) * n < fallen and last < fallen:
        last *= 2
    steps = math.ceil(math.log(last / first) * _STEPS * math.sqrt(order))
    return [arb(first * (last / first) ** (i / steps)) for i in range(steps + 1)]


def _transform(sigma: Fraction, t: arb) -> arb:
    """Return the mean of e^(-t v), v = R_1/m with the blanket's mass and 0 else, at most."""
    masses, places = _atoms(sigma)
    nothing = 1 - sum(masses, arb(0))
    return nothing + sum((mass * (-t * v).exp() for mass, v in zip(masses, places, strict=True)), arb(0))


@lru_cache(maxsize=4)
def _atoms(sigma: Fraction) -> tuple[list[arb], list[arb]]:
    """Return masses and values of a distribution above that of v = R_1/m in the convex order, but for what is far out, which is less."""
    rate = 1 / ball(sigma)
    at = [rate / 2 + (rate / 2 + _FARTHEST) * i / _CELLS for i in range(_CELLS + 1)]
    places = [(rate * (y - rate / 2)).exp() for y in at]
    masses = [arb(0)] * (_CELLS + 1)
    masses[0] += normal_tail(rate / 2)  # where m is R_1
    masses[-1] += normal_tail(at[-1])
    for i, (y, following) in enumerate(pairwise(at)):
        mass, mean = (normal_tail(y - moved) - normal_tail(following - moved) for moved in (arb(0), rate))
        above = (mean - mass * places[i]) / (places[i + 1] - places[i])
        masses[i], masses[i + 1] = masses[i] + mass - above, masses[i + 1] + above
    return masses, places
