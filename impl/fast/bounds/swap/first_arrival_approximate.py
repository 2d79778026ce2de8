"""All adaptive sequences of (eps0, delta0)-DP randomizers, in float64: BEYOND.first-arrival-approximate.

A report swapped with that of a random other user shows more than eps0 allows with probability delta0 at most, in the mean over
that user: so that much is paid once, and not for each user. What is left are losses of three distributions within T of each other, nearly,
and leaks, which are rare and hidden by what others send: `first_arrival.Class`.

Leaks take mass from omega, the more the more users there are, until with about 1/delta0 nothing is left: of more users than serve the
reports are revealed.
"""

import math
from fractions import Fraction

from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import SMALLEST_DELTA, supported
from shuffleproof.impl.fast.bounds.swap import first_arrival
from shuffleproof.impl.fast.bounds.swap.first_arrival import LARGEST, Class, at_most, least_of
from shuffleproof.impl.fast.bounds.swap.search import settled
from shuffleproof.impl.fast.numeric.results import exactly, out_of_range
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_laws import FIRST_ARRIVAL_APPROXIMATE as METHOD
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

_LARGEST_LEAK = Fraction(1, 4)
"""delta0 up to which something is left of three distributions: what is shown there is delta0 and one report's divergence."""
_ASIDE = 30.0
"""About so many users draw from omega at the last level, times T over the share of its mass that leaks leave."""


def delta(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon at most, for every adaptive sequence of (eps0, delta0)-DP randomizers, in float64; delta0 from epsilon0 on.

    n: users, 1 to 10^9; epsilon0 in [0, 700]; delta0 in [0, 1]; epsilon >= 0. Returns a Bound of side "upper", for all neighbouring
    datasets. Raises DomainError, UnsupportedError.
    """
    users, local, leak = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta0, parameter="delta0")
    central, inputs = parse_epsilon(epsilon), as_given(n=n, eps0=epsilon0, delta0=delta0, eps=epsilon)
    if central >= local or leak == 1:
        return exactly(METHOD, "delta", shortest(leak), leak, leak, inputs=inputs)
    if not leak:
        return at_most(METHOD, "delta", first_arrival.delta(n=n, epsilon0=epsilon0, epsilon=epsilon).upper, inputs)
    serving, beside = _serving(supported(users), local, leak), Fraction(1)
    if serving:
        of_class = Class.at(local, central, serving, leak)
        beside = Fraction(settled(of_class.delta, math.exp(max(-660.0, min(-2.0, of_class.guess()))), known=of_class.told))
    return at_most(METHOD, "delta", min(Fraction(1), leak + beside), inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number) -> Bound:
    """An epsilon at which delta is at most that for every adaptive sequence of (eps0, delta0)-DP randomizers, in float64.

    n, epsilon0, delta0: as for `delta`; delta in [delta0, 1], delta0 or 1e-300 above it at least; exactly epsilon0 at delta0. Returns a
    Bound of side "upper", for all neighbouring datasets. Raises DomainError, UnsupportedError; RegimeError below delta0.
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
    if not leak:
        return at_most(METHOD, "epsilon", first_arrival.epsilon(n=n, epsilon0=epsilon0, delta=delta).upper, inputs)
    found, serving = local.bounds(bits=64)[1], _serving(supported(users), local, leak)

    def of_class(x: Fraction) -> Class:
        return Class.at(local, Epsilon(x, None), serving, leak)

    rest = target - leak
    if serving and Class.at(local, parse_epsilon(0), serving, leak).told <= rest:
        return at_most(METHOD, "epsilon", Fraction(0), inputs)
    if serving:
        found = least_of(of_class, rest, found)
    return at_most(METHOD, "epsilon", found, inputs)


def _serving(n: int, local: Epsilon, leak: Fraction) -> int:
    """The users among whom reports are hidden, the special one counted; 0 where nothing is said but what one report says."""
    if leak > _LARGEST_LEAK or local > LARGEST:
        return 0
    lost = math.sqrt(min(0.99, _ASIDE * math.exp(float(local.bounds(bits=64)[1])) * float(leak)))  # about the best
    return 1 + min(n - 1, int((1 - Fraction(lost)) / leak))
