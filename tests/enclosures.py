"""How tests compare two enclosures of one number, and enclose a profile on a grid."""

from fractions import Fraction
from typing import Any

from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.elementary import exp_bounds


def meet(one: Bound, other: Bound) -> bool:
    """Whether one number can lie in both."""
    return one.lower <= other.upper and other.lower <= one.upper


def deltas_on_grid(p: Distribution[Any], q: Distribution[Any], *, step: Fraction, cells: int) -> list[tuple[Fraction, Fraction]]:
    """Ends of the pair's delta at epsilon = 0, step, ..., cells * step."""
    profile, grid = PrivacyProfile(p, q), (exp_bounds(k * step, bits=120) for k in range(cells + 1))
    return [(profile.delta(exp_epsilon=high), profile.delta(exp_epsilon=low)) for low, high in grid]
