"""A pair of distributions of three counts, and the window of its sums: which counts matter at one epsilon, what all others contribute.

Each of n draws is a or b, with mass r, z, with mass g, or none of these. With M the multinomial mass of the counts a, b, z,
    P = scale M (a + L),   Q = scale M (b + L),   L = w z + y (a + b) + h,   so   delta = scale E[X_+],   X = a - b - (E - 1)(b + L),
E = e^eps. The pair is its own mirror image (a for b), so that one direction is both. X sums values of the draws:
    1 - (E - 1) y for a,   -1 - (E - 1)(1 + y) for b,   -(E - 1) w for z,   each less (E - 1) h/n.

X_+ <= e^(theta X)/(e theta) for every theta > 0, so whatever a set of counts holds contributes at most (scale/(e theta)) Z^n times its
probability under the multinomial tilted by e^(theta X), Z the normalization of one draw. Left out is c = a + b outside a range, with
Pr(Bin(n, s) beyond k) <= exp(-n KL(k/n || s)); and, given c, z further than h from its tilted mean, with Bernstein's
exp(-h^2/(2 (v + h/3))), v the variance. theta, near the saddle point, the range and h are choices: nothing depends on them but speed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.impl.ball.numeric.binomial import relative_entropy
from shuffleproof.spec.vocabulary.errors import UndecidedError

NOWHERE = arb(2) ** 1000
"""A distance at which there is nothing."""
_LARGEST_FLOAT = 1e300
"""Where a ball's middle is farther from 0, it counts as this: a float for a choice of window, which any value leaves sound."""
_HALVINGS = 22
"""Bisections for ln theta, between -80 and 690: to 2e-4, which costs less than e^-0.001 of a bound at its least."""
_LARGEST_EXPONENT = 500.0
"""theta times the largest value is at most this."""


@dataclass(frozen=True)
class Pair:
    """The pair for n draws, as balls at the current precision: r > 0, g, none = 1 - 2 r - g, scale, and L = w z + y (a + b) + h; y > -1/2.

    g and none are exactly 0 where nothing falls there; where none is, y >= w - 1.
    """

    n: int
    r: arb
    g: arb
    none: arb
    scale: arb
    w: arb
    y: arb
    h: arb

    @property
    def masses(self) -> tuple[arb, arb, arb, arb]:
        """Those of a, b, z and none in one draw."""
        return self.r, self.r, self.g, self.none

    def values(self, E_minus_1: arb) -> tuple[arb, arb, arb, arb]:
        """Return what a, b, z and none of one draw add to X."""
        each = E_minus_1 * self.h / self.n
        return 1 - E_minus_1 * self.y - each, -1 - E_minus_1 * (1 + self.y) - each, -E_minus_1 * self.w - each, -each

    def weighted(self, E_minus_1: arb) -> list[tuple[float, float]]:
        """(ln mass, value) of each that has a mass, in floats."""
        values = self.values(E_minus_1)
        return [(as_float(mass.log()), as_float(value)) for mass, value in zip(self.masses, values, strict=True) if mass > 0]


@dataclass(frozen=True)
class Line:
    """X > 0 is z < u(t, c) = reach t - slope c - shift, t = a - b."""

    reach: arb
    slope: arb
    shift: arb

    @classmethod
    def of(cls, pair: Pair, E_minus_1: arb) -> Line:
        """For E > 1. Raises UndecidedError where the precision does not tell E from 1."""
        if not E_minus_1 > 0:
            raise UndecidedError(quantity="e^eps - 1", enclosure=("0", "?"), precision=0)
        half = arb(0.5)
        return cls((1 / E_minus_1 + half) / pair.w, (half + pair.y) / pair.w, pair.h / pair.w)


@dataclass(frozen=True)
class Window:
    """The range of c, ends included, and, where z varies, those of chains and what z has given c under the tilted distribution.

    outside: a certified bound on what c outside the range contributes; scale: of what a set contributes at most, over its tilted
    probability; chains: the first and the last t; half: how far z is followed from its tilted mean, centre (n - c); cap: the last z;
    followed: about how many c of a chain there are where that is so; cancelled: bits that are lost on its way, about.
    """

    n: int
    c: tuple[int, int]
    outside: arb
    scale: arb
    tilted_share: arb
    chains: tuple[int, int] | None = None
    centre: float = 0.0
    half: int = 0
    cap: int = 0
    followed: float = 0.0
    cancelled: float = 0.0

    def left_out(self, distance: arb) -> arb:
        """Return what z contributes at most that is so far from its tilted mean, given any c of the range: by Bernstein's inequality."""
        if not distance > 0:
            return self.scale
        if distance == NOWHERE:
            return arb(0)
        variance = (self.n - self.c[0]) * self.tilted_share * (1 - self.tilted_share)
        return self.scale * (-(distance**2) / (2 * (variance + distance / 3))).exp()

    @property
    def steps(self) -> int:
        """About how many c there are, of all chains and their fronts."""
        wide = self.c[1] - self.c[0] + 1
        return wide if self.chains is None else wide + math.ceil(self.followed * (self.chains[1] - self.chains[0] + 1) / 2)


def window_of(pair: Pair, E_minus_1: arb, *, spread: float) -> Window:
    """Where the tilted multinomial has all but about e^-spread of its mass. Raises UndecidedError where the precision does not say."""
    n, theta = pair.n, ball(Fraction(_saddle(pair.n, pair.weighted(E_minus_1))))
    a, b, z, none = (mass * (theta * value).exp() for mass, value in zip(pair.masses, pair.values(E_minus_1), strict=True))
    either, rest = a + b, z + none
    Z = either + rest
    if not (either / Z).is_finite():  # a's value is known too roughly for theta times it
        raise UndecidedError(quantity="e^eps0 - e^eps", enclosure=("0", "?"), precision=0)
    scale = pair.scale / (arb(1).exp() * theta) * (n * Z.log()).exp()
    low, high, tails = n, n, arb(0)
    if rest != 0:
        share, p = (either / Z, rest / Z), min(max(as_float(either / Z), 0.0), 1.0)
        half = math.sqrt(2 * spread * n * p * (1 - p)) + spread
        low, high = max(0, math.floor(n * p - half)), min(n, math.ceil(n * p + half))
        tails = (_chernoff(n, low - 1, *share) if low > 0 else arb(0)) + (_chernoff(n, high + 1, *share) if high < n else arb(0))
    if z == 0 or none == 0 or E_minus_1 == 0:
        return Window(n, (low, high), scale * tails, scale, arb(0))
    tilted_share, line = z / rest, Line.of(pair, E_minus_1)
    centre = min(max(as_float(tilted_share), 0.0), 1.0)
    half_z = math.ceil(spread / 3 + math.sqrt((spread / 3) ** 2 + 2 * spread * (n - low) * centre * (1 - centre)))
    # u(t, c) is at the tilted mean of z where t is the same multiple of reach as one of these.
    per, slope, shift = (as_float(x / line.reach) for x in (arb(1), line.slope, line.shift))
    means = [slope * c + shift + per * centre * (n - c) for c in (low, high)]
    first, last = math.floor(min(means) - per * half_z), math.ceil(max(means) + per * half_z) + 1
    chains = (max(first, 1), min(max(last, 1), high))
    cap = math.ceil(centre * (n - low)) + half_z
    falls = as_float(line.slope) - centre
    followed = min(high - low + 1, 2 * half_z / falls + 2) if falls > 0 else high - low + 1
    # A chain's sums over z lose a factor e^(theta (E - 1) w) with each z that they lose, and are right to their first value's last bit;
    # but what they come to is not much less than delta, which is about scale.
    cancelled = min(2 * half_z * as_float(theta * E_minus_1 * pair.w), -as_float(scale.log())) / math.log(2)
    return Window(n, (low, high), scale * tails, scale, tilted_share, chains, centre, half_z, cap, followed, cancelled)


def log_expectation(pair: Pair, E_minus_1: arb) -> float:
    """About ln of the least scale Z^n/(e theta): near ln delta, mostly above; only a guess."""
    weighted = pair.weighted(E_minus_1)
    theta = _saddle(pair.n, weighted)
    exponents = [log_mass + theta * value for log_mass, value in weighted]
    largest = max(exponents)
    log_Z = largest + math.log(sum(math.exp(exponent - largest) for exponent in exponents))
    return as_float(pair.scale.log()) + pair.n * log_Z - 1 - math.log(theta)


def as_float(x: arb) -> float:
    """About x, within the range of floats."""
    middle = x.mid()
    if abs(middle) < _LARGEST_FLOAT:
        return float(middle)
    return _LARGEST_FLOAT if middle > 0 else -_LARGEST_FLOAT


def _saddle(n: int, weighted: list[tuple[float, float]]) -> float:
    """About the minimum of n ln Z(theta) - ln theta over theta > 0."""

    def slope(theta: float) -> float:
        exponents = [log_mass + theta * value for log_mass, value in weighted]
        largest = max(exponents)
        tilted = [math.exp(exponent - largest) for exponent in exponents]
        mean = sum(weight * value for weight, (_, value) in zip(tilted, weighted, strict=True)) / sum(tilted)
        return n * theta * mean - 1

    low, high = -80.0, 690.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(math.exp(middle)) < 0 else (low, middle)
    return min(math.exp(low), _LARGEST_EXPONENT / max(weighted[0][1], 1e-290))


def _chernoff(n: int, k: int, share: arb, rest: arb) -> arb:
    """Pr(Bin(n, share) at k or further away from its mean) <= exp(-n KL(k/n || share)); 1 where k is not surely off the mean."""
    y = ball(Fraction(k, n))
    if not (share < y or share > y):
        return arb(1)
    return (-n * relative_entropy(y, share, rest=rest)).exp()
