"""(eps0, delta0)-DP randomizers from below, in float64: response of two or three items that leaks with probability delta0."""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import delta_of, epsilon_of
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import LossDistribution
from shuffleproof.impl.fast.numeric.results import decimal_of, exponential, in_floats, require_normal, working
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import LEAKING_RESPONSE
from shuffleproof.spec.vocabulary.numerals import Epsilon, shortest
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones


@in_floats(LEAKING_RESPONSE)
def delta(*, n: int, epsilon0: Epsilon, delta0: Fraction, epsilon: Epsilon) -> Found:
    """delta at epsilon of these datasets (BEYOND.any-law-leaking), n up to 10^9, epsilon0 to 690; exactly delta0 from epsilon0 on."""
    if epsilon >= epsilon0 or delta0 == 1:
        return Found.exactly(delta0)
    return delta_of(_distributions(epsilon0, delta0), n=n, epsilon0=epsilon0, epsilon=epsilon)


@in_floats(LEAKING_RESPONSE)
def epsilon(*, n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction) -> Found:
    """Least epsilon at which that delta is at most delta; exactly epsilon0 at delta = delta0. Raises RegimeError below delta0."""
    if delta < delta0:
        raise no_epsilon_for_approx_clones(LEAKING_RESPONSE, delta0=shortest(delta0), delta=shortest(delta))
    if epsilon0.exp == 1 or delta == 1:
        return Found.exactly(0)
    if delta == delta0:
        return Found.exactly_epsilon(epsilon0, bits=64)
    return epsilon_of(_distributions(epsilon0, delta0), n=n, epsilon0=epsilon0, delta=delta)


@lru_cache(maxsize=32)
def _distributions(epsilon0: Epsilon, delta0: Fraction) -> list[LossDistribution]:
    """Two items, all others holding the second; three items, all others holding the third: (m, R_0, R_1) of every report."""
    require_normal(epsilon0)
    with working():
        T, leak, zero = exponential(epsilon0), decimal_of(delta0), Decimal(0)
        few, more = decimal_of(1 - delta0) / (T + 1), decimal_of(1 - delta0) / (T + 2)
        two = [(few, few * T, few), (few * T, few, few * T), (zero, leak, zero), (leak, zero, leak)]
        three = [(more, more * T, more), (more, more, more * T), (more * T, more, more), (zero, leak, zero), (zero, zero, leak)]
        return [
            LossDistribution.of(two, dataset="binary response; all others hold the second item"),
            LossDistribution.of([*three, (leak, zero, zero)], dataset="3-ary response; all others hold the third item"),
        ]
