"""(eps0, delta0)-DP randomizers from below, in float64: response of two or three items that leaks with probability delta0."""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import delta_of, epsilon_of, supported
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Law
from shuffleproof.impl.fast.numeric.results import exactly, require_normal
from shuffleproof.impl.fast.numeric.scalars import decimal_of, exponential, working
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_laws import LEAKING_RESPONSE
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon, probability, shortest
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones


def delta(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon of these datasets, enclosed in float64.

    n: users, 1 to 10^9; epsilon0 in [0, 690]; delta0 in [0, 1]; epsilon >= 0. Returns an enclosure whose claim is a lower bound
    (BEYOND.any-law-leaking); exactly delta0 from epsilon0 on. Raises DomainError, UnsupportedError.
    """
    users, local, leak = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta0, parameter="delta0")
    central, inputs = parse_epsilon(epsilon), as_given(n=n, eps0=epsilon0, delta0=delta0, eps=epsilon)
    if central >= local or leak == 1:
        return exactly(LEAKING_RESPONSE, "delta", shortest(leak), leak, leak, inputs=inputs)
    return delta_of(LEAKING_RESPONSE, _laws(local, leak), n=supported(users), epsilon0=local, epsilon=central, inputs=inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed in float64; exactly epsilon0 at delta = delta0.

    n, epsilon0, delta0: as for `delta`; delta in [delta0, 1]. Raises DomainError, UnsupportedError, RegimeError below delta0.
    """
    users, local, leak = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta0, parameter="delta0")
    target, inputs = probability(delta, parameter="delta"), as_given(n=n, eps0=epsilon0, delta0=delta0, delta=delta)
    if target < leak:
        raise no_epsilon_for_approx_clones(LEAKING_RESPONSE, delta0=shortest(leak), delta=shortest(target))
    if local.exp == 1 or target == 1:
        return exactly(LEAKING_RESPONSE, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == leak:
        return exactly(LEAKING_RESPONSE, "epsilon", str(local), *local.bounds(bits=64), inputs=inputs)
    return epsilon_of(LEAKING_RESPONSE, _laws(local, leak), n=supported(users), epsilon0=local, delta=target, inputs=inputs)


@lru_cache(maxsize=32)
def _laws(epsilon0: Epsilon, delta0: Fraction) -> list[Law]:
    """Two items, all others holding the second; three items, all others holding the third: (m, R_0, R_1) of every report."""
    require_normal(epsilon0)
    with working():
        T, leak, zero = exponential(epsilon0), decimal_of(delta0), Decimal(0)
        few, more = decimal_of(1 - delta0) / (T + 1), decimal_of(1 - delta0) / (T + 2)
        two = [(few, few * T, few), (few * T, few, few * T), (zero, leak, zero), (leak, zero, leak)]
        three = [(more, more * T, more), (more, more, more * T), (more * T, more, more), (zero, leak, zero), (zero, zero, leak)]
        return [
            Law.of(two, dataset="binary response; all others hold the second item"),
            Law.of([*three, (leak, zero, zero)], dataset="3-ary response; all others hold the third item"),
        ]
