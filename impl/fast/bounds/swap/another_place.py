"""The special user's report swapped with that of a random other user, in float64: BEYOND.swap-in-levels and BEYOND.any-law-place.

Levels of the probability with which others draw from a common part of all distributions (`swap_in_levels`).
"""

from __future__ import annotations

from fractions import Fraction

from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import require_floats, supported
from shuffleproof.impl.fast.bounds.swap.laplace_places import types_of_laplace
from shuffleproof.impl.fast.bounds.swap.loss_types import types_of
from shuffleproof.impl.fast.bounds.swap.search import at_most
from shuffleproof.impl.fast.bounds.swap.swap_in_levels import InLevels
from shuffleproof.impl.fast.numeric.results import in_floats, out_of_range, require_normal
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import ANOTHER_PLACE as METHOD
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

_LARGEST_EPSILON0 = 709
"""e^epsilon0 is a float up to there."""


@in_floats(METHOD)
def delta(*, n: int, epsilon0: Epsilon, epsilon: Epsilon, randomizer: NamedRandomizer) -> Found:
    """delta at epsilon at most, for all neighbouring datasets.

    n: at most 10^9; randomizer: where k may be left out it stands for any number of items, three at least; hash functions are uniform
    unless its family is "any"; epsilon0: at most 709, of noise 300.
    """
    return Found.exactly(0) if epsilon >= epsilon0 else at_most(Fraction(_asked(randomizer, epsilon0, supported(n)).settled(epsilon)))


@in_floats(METHOD)
def epsilon(*, n: int, epsilon0: Epsilon, delta: Fraction, randomizer: NamedRandomizer) -> Found:
    """An epsilon at which delta is at most that, for delta = 0 or from 1e-300; exactly epsilon0 at delta = 0."""
    if epsilon0.exp == 1 or delta == 1:
        return Found.exactly(0)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=64)
    require_floats(delta)
    return at_most(_asked(randomizer, epsilon0, supported(n)).epsilon(delta))


def _asked(randomizer: NamedRandomizer, epsilon0: Epsilon, n: int) -> InLevels:
    require_normal(epsilon0)
    if epsilon0.bounds(bits=64)[1] > _LARGEST_EPSILON0:
        raise out_of_range(f"epsilon0 exceeds {_LARGEST_EPSILON0}")
    return InLevels([types_of_laplace(randomizer, epsilon0)] if randomizer.noise else types_of(randomizer, epsilon0), epsilon0, n)
