"""The special user's report swapped with that of a random other user, in float64: BEYOND.swap-in-levels and BEYOND.any-law-place.

Levels of the probability with which others draw from a common part of all distributions (`swap_in_levels`); one such pool (`one_pool`)
for noise whose losses are far apart: Laplace noise of a large local epsilon, and Gaussian noise.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.impl.fast.bounds.blanket.one_sum import RESTS_ON
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import SMALLEST_DELTA, supported
from shuffleproof.impl.fast.bounds.swap.laplace_places import kinds_of_laplace, types_of_laplace
from shuffleproof.impl.fast.bounds.swap.loss_types import types_of
from shuffleproof.impl.fast.bounds.swap.swap_in_levels import InLevels
from shuffleproof.impl.fast.numeric.results import exactly, out_of_range, require_normal
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_laws import ANOTHER_PLACE as METHOD
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, decimal_text, epsilon0_parameter, parse_epsilon, probability

if TYPE_CHECKING:
    from shuffleproof.impl.fast.bounds.swap.one_pool import InOnePool

_LARGEST_IN_LEVELS = Epsilon(Fraction(6), None)
"""The local epsilon of Laplace noise from which on losses are too far apart for levels, which take long there."""
_SHOWN = Fraction(1, 10**6)
"""Width of what is shown beside the bound, of itself: six digits; nothing is claimed of that end."""


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, randomizer: NamedRandomizer) -> Bound:
    """delta at epsilon at most, in float64.

    n: users, 1 to 10^9; where the randomizer's k may be left out it stands for any number of items, three at least; hash functions are
    uniform unless its family is "any". epsilon0 in (0, 690]; epsilon >= 0. Returns a Bound of side "upper", for all neighbouring datasets.
    Raises DomainError, UnsupportedError.
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(METHOD, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    found = _asked(randomizer, local, supported(users)).settled(central)
    return at_most(METHOD, "delta", Fraction(found), inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number, randomizer: NamedRandomizer) -> Bound:
    """An epsilon at which delta is at most that, in float64; exactly epsilon0 at delta = 0.

    n and the randomizer: as for `delta`; delta = 0 or in [1e-300, 1]. Returns a Bound of side "upper", for all neighbouring datasets.
    Raises DomainError, UnsupportedError.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = randomizer.inputs(n=n, eps0=epsilon0, delta=delta)
    if local.exp == 1 or target == 1:
        return exactly(METHOD, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == 0:
        return exactly(METHOD, "epsilon", str(local), *local.bounds(bits=64), inputs=inputs)
    if target < SMALLEST_DELTA:
        raise out_of_range(f"delta = {decimal_text(target, digits=2, direction='up')}: it answers for 0 and from 1e-300 on")
    found = _asked(randomizer, local, supported(users)).epsilon(target)
    return at_most(METHOD, "epsilon", found, inputs)


def _asked(randomizer: NamedRandomizer, epsilon0: Epsilon, n: int) -> InOnePool | InLevels:
    """Return what answers: levels, or one pool for noise whose losses are far apart."""
    if randomizer.noise and epsilon0 >= _LARGEST_IN_LEVELS:
        from shuffleproof.impl.fast.bounds.swap.one_pool import InOnePool

        return InOnePool(kinds_of_laplace(epsilon0), epsilon0, n)
    require_normal(epsilon0)
    return InLevels([types_of_laplace(randomizer, epsilon0)] if randomizer.noise else types_of(randomizer, epsilon0), epsilon0, n)


def at_most(method: Method, quantity: Quantity, value: Fraction, inputs: dict[str, str]) -> Bound:
    """The record of an upper side."""
    shown = value * (1 - _SHOWN)  # of side "upper": nothing is claimed of the lower end
    return method.bound(quantity, side="upper", lower=shown, upper=value, engine="fast", precision=53, rests_on=RESTS_ON, inputs=inputs)
