"""Where a decreasing function of the noise falls through the target, and the two short decimals on either side of it."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, precision
from shuffleproof.impl.ball.numeric.results import shown
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import decimal_text

CLOSEST = Fraction(1, 10**14)
"""Relative distance that is aimed at."""
FARTHEST = Fraction(1, 10**9)
"""The largest relative distance that is returned."""
GUESS_BITS = 256
"""Precision, in bits, of interpolation; whether a noise meets the target is decided by certified answers."""
_SHORT = 120
"""Bits of a noise that is tried: more than CLOSEST needs."""
_MOST_STEPS = 400
"""Steps at most before the noise is refused as undecided: halving alone takes 47."""
_DIGITS = (13, 17, 25, 40)
"""Digits to which the noise is rounded, tried in turn: the fewest that still meet the target."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """fails < meets: the function is above the target at one and at most the target at the other."""

    fails: Fraction
    meets: Fraction


def crossing(
    *, meets: Callable[[Fraction], bool], height: Callable[[Fraction], arb], fails_at: Fraction, meets_at: Fraction, whole: bool = False
) -> Bracket:
    """Around the crossing, to a relative distance of 1e-14, or between whole numbers next to each other.

    meets(g): the decision, the only thing that moves an end. height(g): about ln(function/target), for guesses; nan means far below.
    fails_at < meets_at, both decided; whole: so are they, and all that is asked. Raises UndecidedError.
    """
    low, high = fails_at, meets_at
    above, below = height(low) if low > 0 else arb("nan"), height(high)
    kept = 0
    for step in range(_MOST_STEPS):
        if (high - low) <= (1 if whole else CLOSEST * high):
            return Bracket(low, high)
        at = _between(low, high, above, below, plain=step % 4 == 3)
        at = min(max(Fraction(round(at)), low + 1), high - 1) if whole else at
        if meets(at):
            high, below, kept = at, height(at), kept + 1 if kept > 0 else 1
            above = above / 2 if kept > 1 else above  # Illinois: an end that stays put counts for less
        else:
            low, above, kept = at, height(at), kept - 1 if kept < 0 else -1
            below = below / 2 if kept < -1 else below
    raise UndecidedError(quantity="noise", enclosure=(shown(low, "down"), shown(high, "up")), precision=GUESS_BITS)


def rounded_noise(
    n: int, found: Bracket, *, meets: Callable[[Fraction], bool], fails: Callable[[Fraction], bool]
) -> tuple[Fraction, Fraction]:
    """(n g, n g') as short decimals just above and below the crossing, decided once more there; at most n/2. Raises UndecidedError."""
    for digits in _DIGITS:
        good = min(Fraction(decimal_text(n * found.meets, digits=digits, direction="up")), Fraction(n, 2))
        bad = Fraction(decimal_text(n * found.fails, digits=digits, direction="down"))
        if good - bad <= FARTHEST * good and meets(good / n) and fails(bad / n):
            return good, bad
    enclosure = shown(n * found.fails, "down"), shown(n * found.meets, "up")
    raise UndecidedError(quantity="n (1 - p)", enclosure=enclosure, precision=GUESS_BITS)


def least_integer(
    is_enough: Callable[[int], bool], *, most: int, refusal: UnsupportedError, height: Callable[[int], arb] = lambda _: arb("nan")
) -> tuple[int, int]:
    """(enough, fails), by doubling, then between the two: a number that is enough, and one less, which is not, or 0.

    height: as for `crossing`. Raises refusal beyond `most`.
    """
    fails, enough = 0, 1
    while not is_enough(enough):
        fails, enough = enough, 2 * enough
        if fails > most:
            raise refusal
    found = crossing(
        meets=lambda number: is_enough(int(number)),
        height=lambda number: height(int(number)),
        fails_at=Fraction(fails),
        meets_at=Fraction(enough),
        whole=True,
    )
    return int(found.meets), int(found.fails)


def fewest(delta: Callable[[int], Bound], target: Fraction, *, most: int, refusal: UnsupportedError) -> tuple[int, int | None]:
    """(enough, fails): as many as are certified to be enough, and fewer that are certified not to be; None where there are none fewer.

    delta: of so many, enclosed; target: above 0; the rest as for `least_integer`.
    """
    of = cache(delta)

    def height(number: int) -> arb:
        with precision(GUESS_BITS):
            return arb((ball(of(number).upper) / ball(target)).log().mid()) if of(number).upper else arb("nan")

    enough, fails = least_integer(lambda number: of(number).upper <= target, most=most, refusal=refusal, height=height)
    while fails and of(fails).lower <= target:  # next to the target, where the digits that are asked for do not decide
        fails -= 1
    return enough, fails or None


def short(x: Fraction) -> Fraction:
    """x > 0 as a short dyadic number."""
    with precision(_SHORT):
        return ends(arb(ball(x).mid()))[0]


def _between(low: Fraction, high: Fraction, above: arb, below: arb, *, plain: bool) -> Fraction:
    """The secant's point, or the middle where it says nothing or has had its turns."""
    if not plain and above > 0 and below < 0:
        with precision(GUESS_BITS):
            share = arb((above / (above - below)).mid())
            low_share, _ = ends(share)
        guess = short(low + (high - low) * low_share)
        # Not on an end: a little inside, so that both ends close in.
        margin = (high - low) / 1024
        guess = min(max(guess, low + min(margin, CLOSEST * high / 3)), high - min(margin, CLOSEST * high / 3))
        if low < guess < high:
            return guess
    return short((low + high) / 2)
