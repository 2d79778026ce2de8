"""The least noise of sums and histograms that is certified to meet (epsilon, delta), by the number that says how much of it there is.

Fake users and coins only add to what hides people: more of them are post-processing, so that halving finds the fewest.
"""

import math
from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball.bounds.noise import binomial_sum, discrete_gaussian_sum, fake_users, laplace_sum
from shuffleproof.impl.ball.bounds.noise.split_and_mix import distance
from shuffleproof.impl.ball.calibration import crossing
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, precision, upper_end
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, parse_epsilon, proper_share
from shuffleproof.spec.vocabulary.parameters import DELTA, EPSILON, MODULUS, SENSITIVITY, N

MOST_FAKES = 10**10
"""Fake users up to which a search goes."""
MOST_COINS = 10**12
"""Coins a user up to which a search goes."""
MOST_VARIANCE = 10**9
"""Variance of each user's noise up to which a search goes."""
MOST_MESSAGES = 2000
"""Messages a user up to which a search goes."""
_DIGITS = 8
"""Digits of each certified delta; what they leave open counts as neither meeting the target nor failing it."""
_RECALLED_FROM = 19
"""Users from which the number of messages recalled from the literature is stated."""
_RECALLED_BITS = 128
"""Working precision in bits of that number, which is rounded up."""
_probability = partial(proper_share, why=": else it is no noise")
_target = partial(proper_share, why=": without delta no noise is enough")


@reads(EPSILON, p=_probability, delta=partial(proper_share, why=": without delta no number is enough"))
def fewest_fakes(*, p: Fraction, epsilon: Epsilon, delta: Fraction) -> tuple[int, int | None]:
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


@reads(N, SENSITIVITY, EPSILON, p=_probability, delta=_target)
def fewest_coins(*, n: int, sensitivity: int, p: Fraction, epsilon: Epsilon, delta: Fraction) -> tuple[int, int | None]:
    """(value, fails): coins of each of n users that are certified to be enough, and fewer that are certified not to be, if there are any.

    More coins are post-processing. p: in (0, 1); epsilon: at least 0; delta: above 0 and below 1. Raises DomainError, UnsupportedError,
    UndecidedError, ResourceLimitError.
    """

    def of(coins: int) -> Bound:
        return binomial_sum.delta(n=n, sensitivity=sensitivity, coins=coins, p=p, epsilon=epsilon, digits=_DIGITS)

    refusal = UnsupportedError(what=f"more than {MOST_COINS:.0e} coins a user", reason="not searched", advice="ask for less privacy")
    return crossing.fewest(of, delta, most=MOST_COINS, refusal=refusal)


@reads(N, SENSITIVITY, EPSILON, delta=_target)
def least_variance(*, n: int, sensitivity: int, epsilon: Epsilon, delta: Fraction, digits: int = 6) -> tuple[Fraction, Fraction | None]:
    """(value, fails): sigma^2 of each of n users that is certified to be enough, and a smaller one that is certified not to be.

    They are about 10^-digits apart. Nothing is claimed of variances above the value. epsilon: above 0; delta: above 0 and below 1.
    Raises DomainError, UnsupportedError, UndecidedError, ResourceLimitError.
    """
    size = epsilon.bounds(bits=64)[0]
    require(size > 0, parameter="epsilon", value=str(epsilon), requirement="above 0")

    def ends(variance: Fraction) -> tuple[bool, bool]:
        found = discrete_gaussian_sum.delta(n=n, sensitivity=sensitivity, variance=variance, epsilon=epsilon, digits=digits + 2)
        return found.upper <= delta, found.lower > delta

    guess = float(sensitivity**2 / size) * (2 * (math.log(delta.denominator) - math.log(delta.numerator)) / float(size) + 1) / n
    enough = _rounded(Fraction(guess), digits + 1, "up")
    while enough <= MOST_VARIANCE and not ends(enough)[0]:
        enough *= 2
    if enough > MOST_VARIANCE:
        raise UnsupportedError(what="a variance of each user above 10^9", reason="not searched", advice="take a coarser grid")
    fails = enough / 2
    while ends(fails)[0]:
        enough, fails = fails, fails / 2
        if fails < Fraction(1, 10**9):
            return enough, None
    while True:
        middle = _rounded((enough + fails) / 2, digits + 1, "up")
        if not fails < middle < enough:
            break
        fails, enough = (fails, middle) if ends(middle)[0] else (middle, enough)
    for _ in range(_DIGITS):
        if ends(fails)[1]:
            return enough, fails
        fails = _rounded(fails * (1 - Fraction(1, 10 ** (digits - 1))), digits + 1, "up")
    return enough, None


@reads(SENSITIVITY, DELTA, epsilon=partial(parse_epsilon, maximum=1000))
def largest_epsilon0(*, sensitivity: int, epsilon: Epsilon, delta: Fraction) -> tuple[Fraction, Fraction]:
    """(value, fails): an epsilon0 that is certified to meet the target, and a larger one that is certified not to, 7 digits apart.

    sensitivity: at least 1; epsilon: above 0, at most 1000; delta: in [0, 1). A larger epsilon0 is less noise, and its delta is no smaller.
    Raises DomainError, UndecidedError.
    """
    low = epsilon.bounds(bits=64)[0]
    require(low > 0, parameter="epsilon", value=str(epsilon), requirement="above 0")
    require(delta < 1, parameter="delta", value=delta, requirement="below 1: no noise is needed at 1")

    digits = _DIGITS - 1 + len(str(math.floor(1 / (1 - delta))))  # next to 1 it is 1 - delta that is distinguished

    def of(local: Fraction) -> Bound:
        return laplace_sum.delta(n=1, sensitivity=sensitivity, epsilon0=local, epsilon=epsilon, digits=digits)

    value, fails = _rounded(low, _DIGITS, "down"), 2 * low
    while of(fails).upper <= delta:
        value, fails = fails, 2 * fails
    while True:
        middle = _rounded((value + fails) / 2, _DIGITS, "down")
        if not value < middle < fails:
            break
        value, fails = (middle, fails) if of(middle).upper <= delta else (value, middle)
    while of(fails).lower <= delta:
        fails = _rounded(fails * Fraction(10**7 + 1, 10**7), _DIGITS, "up")
    return value, fails


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


def _rounded(x: Fraction, digits: int, direction: Direction) -> Fraction:
    """x as a decimal of so many digits."""
    return Fraction(decimal_text(x, digits=digits, direction=direction))
