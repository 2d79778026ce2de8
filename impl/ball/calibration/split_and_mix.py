"""Shares of each user for which the distance of mixed shares is small enough, and one less is not shown to be."""

import math
from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball.bounds.noise.split_and_mix import distance
from shuffleproof.impl.ball.calibration import crossing
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, precision, upper_end
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, proper_share
from shuffleproof.spec.vocabulary.parameters import DELTA, EPSILON, MODULUS, N

MOST_MESSAGES = 2000
"""Messages a user up to which a search goes."""
_DIGITS = 8
"""Digits of each certified distance, of which the upper end counts."""
_RECALLED_FROM = 19
"""Users from which the number of messages recalled from the literature is stated."""
_RECALLED_BITS = 128
"""Working precision in bits of that number, which is rounded up."""


@reads(N, MODULUS, EPSILON, delta=partial(proper_share, why=": shares show a little more than their sum"))
def fewest_messages(*, n: int, modulus: int, epsilon: Epsilon, delta: Fraction) -> int:
    """A number m with (1 + e^epsilon) times the bound on the distance at most delta, which noise of epsilon0 = epsilon leaves free.

    m - 1 is not shown to be enough. n, modulus: as for `distance`; epsilon: at least 0; delta: above 0 and below 1.
    Raises DomainError; UnsupportedError beyond 2000 messages.
    """
    allowed = delta / (1 + epsilon.exp_bounds(bits=64)[1])

    def is_enough(messages: int) -> bool:
        try:
            return distance(n=n, messages=messages, modulus=modulus, digits=_DIGITS)[1] <= allowed
        except ResourceLimitError:  # so few that nothing is shown
            return False

    refusal = UnsupportedError(what=f"more than {MOST_MESSAGES} messages a user", reason="not searched", advice="ask for less privacy")
    return crossing.least_integer(is_enough, most=MOST_MESSAGES, refusal=refusal)[0]


@reads(N, MODULUS, EPSILON, DELTA)
def recalled_messages(*, n: int, modulus: int, epsilon: Epsilon, delta: Fraction) -> int | None:
    """BBGN20's number of shares for the same target, as recalled: ceil((2 sigma + log2 q)/(log2 n - log2 e) + 2).

    2^sigma is (1 + e^epsilon)/delta. None for fewer users than the 19 that it asks for. No guarantee rests on it
    (BEYOND.BBGN20-messages).
    """
    if n < _RECALLED_FROM:
        return None
    with precision(_RECALLED_BITS + 2 * (modulus.bit_length() + delta.denominator.bit_length())):
        security = (1 + exp_of(epsilon)) / ball(delta)
        shares = (2 * security.log() + ball(modulus).log()) / (ball(n).log() - 1) + 2
        return math.ceil(upper_end(shares))
