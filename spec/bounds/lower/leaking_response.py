"""(eps0, delta0)-DP randomizers from below, exactly: k-ary response that gives its input away with probability delta0.

A user with item x sends "x, surely" with probability delta0, and else k-ary response with eps0. That is (eps0, delta0)-DP. All others hold
the last of two or of three items (BEYOND.any-law-leaking).
"""

from collections.abc import Iterator
from fractions import Fraction

from shuffleproof.spec.bounds.blanket.one_sum import Outcome, kinds, profile
from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.randomizer_laws import LEAKING_RESPONSE
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, epsilon0_parameter, parse_epsilon, probability, shortest
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones

LARGEST_N = 40
"""Users whose reports are enumerated: seconds; the certified engine goes further."""
Report = tuple[int, bool]
"""An item, and whether it is surely the user's."""


def leaking_response(*, k: int, exp_epsilon0: Fraction, delta0: Fraction) -> LocalRandomizer[int, Report]:
    """x surely with probability delta0, else T/(T + k - 1) for x and 1/(T + k - 1) for each other item."""
    few = (1 - delta0) / (exp_epsilon0 + k - 1)

    def law(x: int) -> Distribution[Report]:
        return Distribution({**{(y, False): few * (exp_epsilon0 if y == x else 1) for y in range(k)}, (x, True): delta0})

    return LocalRandomizer(range(k), {x: law(x) for x in range(k)})


def delta(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon of these datasets, exact, the larger of two and three items and of both directions.

    n: users, 1 to 40, where the sums are few; epsilon0 in [0, 10000] and epsilon >= 0 with rational exponentials; delta0 in [0, 1].
    Returns a Bound of side "exact" whose claim is a lower bound. Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    users, local, central = enumerable(n, LARGEST_N), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    T, E = rational_exp(local, "epsilon0"), rational_exp(central, "epsilon")
    value = max(each.delta(exp_epsilon=E) for each in _profiles(users, T, probability(delta0, parameter="delta0")))
    return exact_value(LEAKING_RESPONSE, "delta", value, inputs=as_given(n=n, eps0=epsilon0, delta0=delta0, eps=epsilon))


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number) -> Bound:
    """Least epsilon at which that delta is at most delta, exact.

    n, epsilon0, delta0: as for `delta`; delta in [delta0, 1]. Raises DomainError, UnsupportedError, ResourceLimitError; RegimeError below
    delta0.
    """
    users, local = enumerable(n, LARGEST_N), epsilon0_parameter(epsilon0)
    leak, target = probability(delta0, parameter="delta0"), probability(delta, parameter="delta")
    if target < leak:
        raise no_epsilon_for_approx_clones(LEAKING_RESPONSE, delta0=shortest(leak), delta=shortest(target))
    found = [each.exp_epsilon(delta=target) for each in _profiles(users, rational_exp(local, "epsilon0"), leak)]
    best = max((each for each in found if each is not None), default=Fraction(1))
    return exact_value(LEAKING_RESPONSE, "epsilon", best, inputs=as_given(n=n, eps0=epsilon0, delta0=delta0, delta=delta))


def _profiles(n: int, T: Fraction, delta0: Fraction) -> Iterator[PrivacyProfile[Outcome]]:
    for k in (2, 3):
        randomizer = leaking_response(k=k, exp_epsilon0=T, delta0=delta0)
        yield profile(n=n, kinds=kinds(*(dict(randomizer.law(x).items()) for x in (0, 1, k - 1))))
