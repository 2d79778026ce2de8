"""(eps0, delta0)-DP randomizers from below, exactly: k-ary response that reveals its input with probability delta0.

A user with item x sends "x, surely" with probability delta0, and else k-ary response with eps0. That is (eps0, delta0)-DP. All others hold
the last of two or of three items (BEYOND.any-law-leaking).
"""

from collections.abc import Iterator
from fractions import Fraction

from shuffleproof.spec.bounds.blanket.one_sum import Outcome, loss_types, profile
from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import LEAKING_RESPONSE
from shuffleproof.spec.vocabulary.numerals import shortest
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones

LARGEST_N = 40
"""Users whose reports are enumerated: seconds; the certified engine goes further."""
Report = tuple[int, bool]
"""An item, and whether it is surely the user's."""


def leaking_response(*, k: int, exp_epsilon0: Fraction, delta0: Fraction) -> LocalRandomizer[int, Report]:
    """x surely with probability delta0, else T/(T + k - 1) for x and 1/(T + k - 1) for each other item."""
    few = (1 - delta0) / (exp_epsilon0 + k - 1)

    def distribution(x: int) -> Distribution[Report]:
        return Distribution({**{(y, False): few * (exp_epsilon0 if y == x else 1) for y in range(k)}, (x, True): delta0})

    return LocalRandomizer(range(k), {x: distribution(x) for x in range(k)})


def _profiles(*, n: int, exp_epsilon0: Fraction, delta0: Fraction) -> Iterator[PrivacyProfile[Outcome]]:
    for k in (2, 3):
        randomizer = leaking_response(k=k, exp_epsilon0=exp_epsilon0, delta0=delta0)
        yield profile(n=n, loss_types=loss_types(*(dict(randomizer.distribution(x).items()) for x in (0, 1, k - 1))))


delta, epsilon, _ = answers(
    LEAKING_RESPONSE,
    _profiles,
    largest_n=LARGEST_N,
    refused=lambda _, delta, given: no_epsilon_for_approx_clones(LEAKING_RESPONSE, delta0=shortest(given["delta0"]), delta=delta),
)
