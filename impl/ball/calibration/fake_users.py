"""The fewest fake users with whom a histogram meets (epsilon, delta): more of them are post-processing, so that halving finds them."""

import math
from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball.bounds.noise import fake_users
from shuffleproof.impl.ball.calibration import crossing
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, proper_share
from shuffleproof.spec.vocabulary.parameters import EPSILON

MOST_FAKES = 10**10
"""Fake users up to which a search goes."""
_DIGITS = 8
"""Digits of each certified delta; what they leave open counts as neither meeting the target nor failing it."""


@reads(
    EPSILON, p=partial(proper_share, why=": else it is no noise"), delta=partial(proper_share, why=": without delta no number is enough")
)
def fewest(*, p: Fraction, epsilon: Epsilon, delta: Fraction) -> tuple[int, int | None]:
    """(value, fails): fakes who are certified to be enough, and one fewer, certified not to be; None where there are none fewer.

    p: in (0, 1); epsilon: at least 0; delta: above 0 and below 1. Raises DomainError; UnsupportedError where more than 10^10 are needed;
    UndecidedError, ResourceLimitError.
    """

    def of(fakes: int) -> Bound:
        return fake_users.delta(n=1, fakes=fakes, p=p, epsilon=epsilon, digits=_DIGITS)

    beyond = f"a histogram with more than {MOST_FAKES:.0e} fake users"
    refusal = UnsupportedError(what=beyond, reason="it is not searched", advice="ask for less privacy")
    # Doubling up to the limit takes half a minute: where the normal limit says that even it is too few, it alone is asked.
    if _about(p, epsilon.bounds(bits=64)[0]) > delta and of(MOST_FAKES).upper > delta:
        raise refusal
    return crossing.fewest(of, delta, most=MOST_FAKES, refusal=refusal)


def _about(p: Fraction, epsilon: Fraction) -> float:
    """Return about the delta of MOST_FAKES users: that of normal noise of variance MOST_FAKES p (1 - p) in two bins, each moved by 1."""
    if epsilon > 1:  # some thousand are enough, or no number that is searched
        return 0.0
    size, distance = float(epsilon), math.sqrt(2 / float(MOST_FAKES * p * (1 - p)))
    tails = [math.erfc((size / distance + side * distance / 2) / math.sqrt(2)) / 2 for side in (-1, 1)]
    return tails[0] - math.exp(size) * tails[1]
