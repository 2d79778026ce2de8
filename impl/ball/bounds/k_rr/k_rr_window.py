"""Which counts of n reports matter at one epsilon, and a certified bound on what all the others contribute.

One of n reports is a or b, each with mass r, the third output class with mass g, or none of these. For values v_a, v_b, v_z, v_none of a
report and v their sum over n reports, (v)_+ <= e^(theta v)/(e theta) for every theta > 0: whatever lies outside a set of counts contributes
at most Z^n/(e theta) times its probability under the multinomial tilted by e^(theta v), Z the normalisation of one report. The set is
a rectangle in m = a + b and z, both counts are binomial, and Pr(Bin(n, s) at k or beyond) <= exp(-n KL(k/n || s)). theta, near the
saddle point, and the rectangle are choices: nothing depends on them but speed.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball

_LARGEST_FLOAT = 1e300
"""Where a ball's middle is farther from 0, it counts as this: a float for a choice of window, which any value leaves sound."""


@dataclass(frozen=True)
class Window:
    """Ranges of m = a + b and of z, both ends included; outside: an upper bound on E[(v)_+] over all other counts."""

    m: tuple[int, int]
    z: tuple[int, int]
    outside: arb


@dataclass(frozen=True)
class Report:
    """The masses of a (and of b), z and none in one report, and their values."""

    r: arb
    g: arb
    none: arb
    value_a: arb
    value_b: arb
    value_z: arb
    value_none: arb

    def weighted(self) -> list[tuple[float, float]]:
        """(ln mass, value) of each output class, in floats."""
        masses, values = (self.r, self.r, self.g, self.none), (self.value_a, self.value_b, self.value_z, self.value_none)
        return [(_float(mass.log()), _float(value)) for mass, value in zip(masses, values, strict=True) if mass > 0]


def window(n: int, report: Report, *, spread: float) -> Window:
    """The rectangle in which the tilted multinomial has all but about e^-spread of its mass."""
    theta = ball(Fraction(_saddle(n, report.weighted())))
    either = report.r * ((theta * report.value_a).exp() + (theta * report.value_b).exp())
    third, none = report.g * (theta * report.value_z).exp(), report.none * (theta * report.value_none).exp()
    Z = either + third + none
    scale = (n * Z.log()).exp() / (arb(1).exp() * theta)
    ranges, tails = [], arb(0)
    for part, rest in ((either, third + none), (third, either + none)):
        if part == 0 or rest == 0:
            ranges.append((0, 0) if part == 0 else (n, n))
            continue
        share, p = (part / Z, rest / Z), min(max(_float(part / Z), 0.0), 1.0)
        half = math.sqrt(2 * spread * n * p * (1 - p)) + spread
        low, high = max(0, math.floor(n * p - half)), min(n, math.ceil(n * p + half))
        ranges.append((low, high))
        tails += (_chernoff(n, low - 1, *share) if low > 0 else 0) + (_chernoff(n, high + 1, *share) if high < n else 0)
    return Window(ranges[0], ranges[1], scale * tails)


def log_expectation(n: int, report: Report) -> float:
    """About ln of the least Z^n/(e theta): near ln E[(v)_+], mostly above; only a guess."""
    weighted = report.weighted()
    theta = _saddle(n, weighted)
    exponents = [log_mass + theta * value for log_mass, value in weighted]
    largest = max(exponents)
    log_Z = largest + math.log(sum(math.exp(exponent - largest) for exponent in exponents))
    return n * log_Z - 1 - math.log(theta)


def _saddle(n: int, weighted: list[tuple[float, float]]) -> float:
    """About the minimum of n ln Z(theta) - ln theta over theta > 0."""

    def slope(theta: float) -> float:
        exponents = [log_mass + theta * value for log_mass, value in weighted]
        largest = max(exponents)
        tilted = [math.exp(exponent - largest) for exponent in exponents]
        mean = sum(weight * value for weight, (_, value) in zip(tilted, weighted, strict=True)) / sum(tilted)
        return n * theta * mean - 1

    low, high = -80.0, 690.0
    for _ in range(64):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(math.exp(middle)) < 0 else (low, middle)
    return min(math.exp(low), 500.0 / max(weighted[0][1], 1e-290))


def _chernoff(n: int, k: int, share: arb, rest: arb) -> arb:
    """Pr(Bin(n, share) at k or further away from its mean) <= exp(-n KL(k/n || share)); 1 where k is not surely off the mean."""
    y = ball(Fraction(k, n))
    if not (share < y or share > y):
        return arb(1)
    kl = (y * (y / share).log() if k > 0 else arb(0)) + ((1 - y) * ((1 - y) / rest).log() if k < n else arb(0))
    return arb((-n * kl).exp())


def _float(x: arb) -> float:
    """About x, within the range of floats."""
    middle = x.mid()
    if abs(middle) < _LARGEST_FLOAT:
        return float(middle)
    return _LARGEST_FLOAT if middle > 0 else -_LARGEST_FLOAT
