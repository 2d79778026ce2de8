"""All (eps0, delta0)-DP randomizers together, in float64: BEYOND.any-law-all-approximate.

A report that stands in the place of a random other user's shows more than eps0 allows with probability delta0 at most, in the mean over
that user: so that much is paid once, and not for each user. What is left are losses of three laws within T of each other, nearly, and
leaks, which are rare and hidden by what others send.

Leaks take mass from the law that sets users aside, the more the more users there are, until with 1/delta0 nothing is left: of more users
than serve the reports are told.
"""

from __future__ import annotations

import math
from fractions import Fraction

from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import SMALLEST_DELTA, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import ApproximateKinds, kinds_of_all
from shuffleproof.impl.fast.bounds.swap.another_place import Asked, at_most
from shuffleproof.impl.fast.numeric.results import exactly, out_of_range
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_laws import ANOTHER_PLACE_FOR_ALL_APPROXIMATE as METHOD
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    epsilon0_parameter,
    parse_epsilon,
    probability,
    shortest,
)
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones

_LARGEST = Fraction(1, 4)
_ASIDE = 30.0
"""About so many users are set aside, times T over the share of mass that is left."""


def delta(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon at most, in float64; exactly delta0 from epsilon0 on.

    n: users, 1 to 10^9; epsilon0 in [0, 690]; delta0 in [0, 1]; epsilon >= 0. Returns a Bound of side "upper", for all neighbouring
    datasets. Raises DomainError, UnsupportedError.
    """
    users, local, leak = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta0, parameter="delta0")
    central, inputs = parse_epsilon(epsilon), as_given(n=n, eps0=epsilon0, delta0=delta0, eps=epsilon)
    if central >= local or leak == 1:
        return exactly(METHOD, "delta", shortest(leak), leak, leak, inputs=inputs)
    asked = _asked(users, local, leak)
    beyond = Fraction(1) if asked is None else Fraction(asked.settled(central))
    return at_most(METHOD, "delta", min(Fraction(1), leak + beyond), inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number) -> Bound:
    """An epsilon at which delta is at most that, in float64; exactly epsilon0 at delta = delta0.

    n, epsilon0, delta0: as for `delta`; delta in [delta0, 1], delta0 or 1e-300 above it at least. Returns a Bound of side "upper", for all
    neighbouring datasets. Raises DomainError, UnsupportedError; RegimeError below delta0.
    """
    users, local, leak = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta0, parameter="delta0")
    target, inputs = probability(delta, parameter="delta"), as_given(n=n, eps0=epsilon0, delta0=delta0, delta=delta)
    if target < leak:
        raise no_epsilon_for_approx_clones(METHOD, delta0=shortest(leak), delta=shortest(target))
    if local.exp == 1 or target == 1:
        return exactly(METHOD, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == leak:
        return exactly(METHOD, "epsilon", str(local), *local.bounds(bits=64), inputs=inputs)
    if target - leak < SMALLEST_DELTA:
        told = decimal_text(target - leak, digits=2, direction="up")
        raise out_of_range(f"delta - delta0 = {told}: it answers for 0 and from 1e-300 on")
    asked = _asked(users, local, leak)
    return at_most(METHOD, "epsilon", local.bounds(bits=64)[1] if asked is None else asked.epsilon(target - leak), inputs)


def _asked(n: int, epsilon0: Epsilon, delta0: Fraction) -> Asked | None:
    """What comes beside delta0, or None where leaks leave nothing to hide among."""
    users = supported(n)
    if delta0 > _LARGEST:
        return None
    if not delta0:
        return Asked(kinds_of_all(epsilon0), epsilon0, users)
    lost = math.sqrt(min(0.99, _ASIDE * math.exp(min(700.0, float(epsilon0.bounds(bits=64)[1]))) * float(delta0)))  # about the best
    others = min(users - 1, int((1 - Fraction(lost)) / delta0))
    return Asked(ApproximateKinds(epsilon0, delta0, others), epsilon0, others + 1)
