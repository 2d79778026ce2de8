"""The output classes into which `randomizer_lower` merges the reports of a named randomizer, with their masses in closed form.

T = e^eps0. A report prefers one item to another where it is T times as likely for the first. With three items, alone is the mass, under the
distribution of x_1, of what prefers x_0 to x_1 and x_2; shared that of what prefers x_0 and x_2 to x_1. The same two numbers serve
every order of the three items. So what prefers x_0, x_1 or x_2 to both others has mass T alone under its own distribution, alone under the
others, and what is left has one mass, 1 - (T + 2) alone, under all three: as if by kRR with 1/alone - T + 1 categories, not an integer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import exp_of, expm1_of, precision, under_first, weights_of
from shuffleproof.spec.vocabulary.likelihoods import Classes, OutputClass, rational_value
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair

_RULE_BITS = (64, 1024, 16_384)
"""Precisions at which it is asked which output classes reveal more, where that is not rational."""


@dataclass(frozen=True)
class Three:
    """alone, shared, and left = 1 - (T + 2) alone, as balls at the current precision."""

    alone: arb
    shared: arb
    left: arb


@dataclass(frozen=True)
class Two:
    """Chances of the one output class that is counted: p1 of any report but the special one, p0 = p1 + gap of that in the first dataset."""

    p1: arb
    gap: arb


MakeThree = Callable[[Epsilon], Three]
MakeTwo = Callable[[Epsilon], Two]


def three(randomizer: NamedRandomizer, epsilon0: Epsilon) -> MakeThree | None:
    """How the masses with three items are computed; None where no three can be distinguished, or nothing prefers one of them alone."""
    classes = None if randomizer.noise else randomizer.three_inputs(epsilon0)
    if classes is None or not any(_levels(each) == (1, 0, 0) for each in classes):
        return None

    def masses(local: Epsilon) -> Three:
        T, weights = exp_of(local), weights_of(classes, local)
        total = under_first(classes, weights, T)
        alone, shared = (_weight_of(levels, classes, weights) for levels in ((1, 0, 0), (1, 0, 1)))
        left = [w * (T if each.third else 1) for w, each in zip(weights, classes, strict=True) if sum(_levels(each)) != 1]
        return Three(alone / total, shared / total, sum(left, arb(0)) / total)

    return masses


def two(randomizer: NamedRandomizer, epsilon0: Epsilon) -> MakeTwo:
    """How the chances with two items are computed, for eps0 > 0: what prefers x_0 to x_1; for Laplace noise what is at most t."""
    if randomizer.noise:
        return _laplace
    classes = randomizer.two_inputs(epsilon0)

    def chances(local: Epsilon) -> Two:
        weights = weights_of(classes, local)
        p1 = _weight_of((1, 0, 0), classes, weights) / under_first(classes, weights, exp_of(local))
        return Two(p1, expm1_of(local) * p1)

    return chances


def wide_tells_more(randomizer: NamedRandomizer, epsilon0: Epsilon) -> bool:
    """Return whether what prefers x_0 to x_1 is better not split: 0 < shared < alone and (T - 2) alone < shared. Either choice is sound."""
    classes = randomizer.three_inputs(epsilon0)
    if classes is None or epsilon0.exp == 1:
        return False
    rational = [rational_value(each.weight) for each in classes]
    if None not in rational:
        alone, shared = (
            sum((w for w, each in zip(rational, classes, strict=True) if w and _levels(each) == levels), Fraction(0))
            for levels in ((1, 0, 0), (1, 0, 1))
        )
        return 0 < shared < alone and epsilon0 < Epsilon(None, 2 + shared / alone)
    for bits in _RULE_BITS:
        with precision(bits):
            T, weights = exp_of(epsilon0), weights_of(classes, epsilon0)
            one, both = (_weight_of(levels, classes, weights) for levels in ((1, 0, 0), (1, 0, 1)))
            conditions = ((both, one), ((T - 2) * one, both))
            if all(left < right for left, right in conditions):
                return bool(both > 0)
            if any(left > right for left, right in conditions):
                return False
    return False  # both numbers agree to so many bits


def narrow_pair(masses: Three, n: int, epsilon0: Epsilon) -> Pair:
    """P = M (T a + b + c/T + z)/n, c the reports that prefer x_2, z those of no preference.

    So P = M (T - 1)(a + L)/n with L = (a + b + c/T + z)/(T - 1) = (a + b + z)/T + n/(T (T - 1)).
    """
    from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair

    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    none = T * masses.alone
    return Pair(n=n, r=masses.alone, g=masses.left, none=none, scale=T_minus_1 / n, w=1 / T, y=1 / T, h=n / (T * T_minus_1))


def wide_pair(masses: Three, n: int, epsilon0: Epsilon) -> Pair:
    """P = M (x a + y b)/(z n) + M s (n - a - b)/(w n), x = T y, with y = alone + shared, z = alone + T shared of another user's report.

    s = 1 - x - y and w = 1 - 2 z are what is left. So P = M (x - y)(a + L)/(z n), L = ((z - shared/y)/w)(a + b) + s z n/(w (x - y)): the
    factor of a + b is (y - s z/w)/(x - y), and z - y = (T - 1) shared. 1 + 2 (z - shared/y)/w > 0, as shared < alone. No third output
    class.
    """
    from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair

    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    y, z = masses.alone + masses.shared, masses.alone + T * masses.shared
    s, w = 1 - (T + 1) * y, 1 - 2 * z
    return Pair(
        n=n,
        r=z,
        g=arb(0),
        none=w,
        scale=T_minus_1 * y / (z * n),
        w=arb(1),
        y=(z - masses.shared / y) / w,
        h=s * z * n / (w * T_minus_1 * y),
    )


def _levels(each: OutputClass) -> tuple[int, int, int]:
    return each.first, each.second, each.third


def _weight_of(levels: tuple[int, int, int], classes: Classes, weights: list[arb]) -> arb:
    return sum((w for w, each in zip(weights, classes, strict=True) if _levels(each) == levels), arb(0))


def _laplace(epsilon0: Epsilon) -> Two:
    """At most t: 1 - 1/(2 c) at 0 and c/(2 T) at 1, c = e^(eps0 t) = 3 T/(2 T + 1)."""
    T = exp_of(epsilon0)
    return Two(3 / (2 * (2 * T + 1)), expm1_of(epsilon0) * (8 * T + 1) / (6 * T * (2 * T + 1)))
