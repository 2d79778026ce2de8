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
from shuffleproof.impl.fast.bounds.swap.controlled_sum import MANY
from shuffleproof.impl.fast.bounds.swap.first_arrival import LARGEST, Class, least_of
from shuffleproof.impl.fast.bounds.swap.search import at_most, settled
from shuffleproof.impl.fast.numeric.results import in_floats, out_of_range
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import FIRST_ARRIVAL_APPROXIMATE as METHOD
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, shortest
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones

_LARGEST_LEAK = Fraction(1, 4)
"""delta0 up to which something is left of three distributions: what is shown there is delta0 and one report's divergence."""
_ASIDE = 30.0
"""About so many users draw from omega at the last level, times T over the share of its mass that leaks leave."""
_NO_LESS = Fraction(1, 5000)
"""Of epsilon0, by how much less epsilon is expected to be at most where it is not sought among many users: sums may take seconds there."""


@in_floats(METHOD)
def delta(*, n: int, epsilon0: Epsilon, delta0: Fraction, epsilon: Epsilon) -> Found:
    """delta at epsilon at most, for every adaptive sequence of (eps0, delta0)-DP randomizers; delta0 from epsilon0 on."""
    if epsilon >= epsilon0 or delta0 == 1:
        return Found.exactly(delta0)
    if not delta0:
        return at_most(first_arrival.delta(n=n, epsilon0=epsilon0, epsilon=epsilon).upper)
    serving, beside = _serving(supported(n), epsilon0, delta0), Fraction(1)
    if serving:
        of_class = Class.at(epsilon0, epsilon, serving, delta0)
        beside = Fraction(settled(of_class.delta, math.exp(max(-660.0, min(-2.0, of_class.guess()))), known=of_class.told))
    return at_most(min(Fraction(1), delta0 + beside))


@in_floats(METHOD)
def epsilon(*, n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction) -> Found:
    """An epsilon at which delta is at most that for every adaptive sequence of (eps0, delta0)-DP randomizers; epsilon0 at delta0.

    delta: delta0, or at least 1e-300 above it. Raises RegimeError below delta0.
    """
    if delta < delta0:
        raise no_epsilon_for_approx_clones(METHOD, delta0=shortest(delta0), delta=shortest(delta))
    if epsilon0.exp == 1 or delta == 1:
        return Found.exactly(0)
    if delta == delta0:
        return Found.exactly_epsilon(epsilon0, bits=64)
    if delta - delta0 < SMALLEST_DELTA:
        told = decimal_text(delta - delta0, digits=2, direction="up")
        raise out_of_range(f"delta - delta0 = {told}: it answers for 0 and from 1e-300 on")
    if not delta0:
        return at_most(first_arrival.epsilon(n=n, epsilon0=epsilon0, delta=delta).upper)
    found, serving = epsilon0.bounds(bits=64)[1], _serving(supported(n), epsilon0, delta0)

    def of_class(x: Fraction) -> Class:
        return Class.at(epsilon0, Epsilon(x, None), serving, delta0)

    rest = delta - delta0
    if serving and of_class(Fraction(0)).told <= rest:
        return at_most(Fraction(0))
    if serving:
        last = found
        found = least_of(of_class, rest, last, known_at=lambda x: (last, serving >= MANY and x > last * (1 - _NO_LESS)))
    return at_most(found)


def _serving(n: int, local: Epsilon, leak: Fraction) -> int:
    """The users among whom reports are hidden, the special one counted; 0 where nothing is said but what one report says."""
    if leak > _LARGEST_LEAK or local > LARGEST:
        return 0
    lost = math.sqrt(min(0.99, _ASIDE * math.exp(float(local.bounds(bits=64)[1])) * float(leak)))  # about the best
    return 1 + min(n - 1, int((1 - Fraction(lost)) / leak))
