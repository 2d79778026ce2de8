"""The profile of a pair of three counts at any epsilon, and its inverse, certified for any n.

A search for a root starts where floats have it, to four or nine digits, by an integral along a line (`root_along_a_line`); where that does
not do, Chernoff's bound on delta says where to start. Nothing depends on either but speed.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction

from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair, as_float, log_expectation
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_sums import affordable_search, evaluate
from shuffleproof.impl.ball.numeric.arithmetic import exp_of, expm1_of, precision
from shuffleproof.impl.ball.numeric.results import Evaluation, refined
from shuffleproof.impl.ball.numeric.root import certified_near, solve
from shuffleproof.impl.ball.numeric.root_along_a_line import PlacesAndMasses, by_saddle, near_root
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.numerals import Epsilon

MakePair = Callable[[], Pair]
"""The pair at the current precision."""
_GUESS_BITS = 256
"""Bits of the masses of a draw before they become floats for a guess: differences of e^epsilon0 cancel there."""
_REFUSAL_BITS = 4096
"""Bits with which the last evaluation of a search is looked at before it begins: e^epsilon may be next to e^epsilon0."""
_GUESSED_DIGITS = 9
"""Up to so many floats guess so well that one or two certified evaluations are enough."""
_MANY = 50.0
"""Mean number of reports of a or b from which the saddle point of delta(0) is believed."""
_SAFELY = math.log(4)
"""Logarithm by which delta(0) has to be above the target for the root to be taken as positive: the guess is nearer than
a factor of four."""
_HALVINGS = 200.0
"""epsilon is looked for down to 2^-200 of its largest value."""
_STEPS = 20
"""Bisections where floats say nothing closer."""
_FAR = 100
"""Epsilon from which an evaluation begins with the window and the precision that e^epsilon asks for: it would find them in ten attempts."""


def enclose(make: MakePair, n: int, epsilon: Epsilon, digits: int, *, tangent: bool = False) -> Evaluation:
    """delta at epsilon, to a relative width of 10^-digits; tangent: with a slope. Raises ResourceLimitError, UndecidedError."""

    def attempt(bits: int, spread: float) -> Evaluation:
        return evaluate(make(), E=exp_of(epsilon), E_minus_1=expm1_of(epsilon), bits=bits, spread=spread, digits=digits)

    bits, spread = math.ceil(3.33 * digits) + n.bit_length() + 32, _spread(digits)
    if (far := float(epsilon.bounds(bits=64)[1])) > _FAR:  # what is left out counts up to e^epsilon times
        with suppress(ResourceLimitError):  # of many users that window may be too wide
            return refined(attempt, digits=digits, bits=bits + math.ceil(2.9 * far), spread=spread + far, tangent=tangent)
    return refined(attempt, digits=digits, bits=bits, spread=spread, tangent=tangent)


def _spread(digits: int) -> float:
    """Minus the logarithm of what a window leaves out of the bound of Chernoff's that is tilted: delta is less than that by some e^-7."""
    return 2.31 * digits + 8


Start = tuple[Fraction, int, bool]
"""Where epsilon(delta) is about, how many digits of that are right, about, and whether it is surely not 0: speed depends on them."""


def root(make: MakePair, *, n: int, top: Epsilon, delta: Fraction, digits: int, start: Start) -> Found:
    """The least epsilon in [0, top] with delta(epsilon) <= delta, 0 < delta < 1, where it is positive below top and 0 from there on.

    start: of `initial_guess`. Raises ResourceLimitError before any work starts, where what the last evaluation takes is too much.
    """

    def evaluated(central: Epsilon, accuracy: int) -> Evaluation:
        return enclose(make, n, central, accuracy, tangent=True)

    guess, good_digits, positive = start
    with precision(_REFUSAL_BITS):
        affordable_search(make(), expm1_of(Epsilon(guess, None)), spread=_spread(digits + 3))
    found = None
    if digits <= min(_GUESSED_DIGITS, 2 * good_digits - 1):
        close = good_digits >= digits
        found = certified_near(evaluated, x=guess, epsilon0=top, delta=delta, digits=digits, accuracy=max(4, digits - 1), close=close)
    return found or solve(
        evaluated, epsilon0=top, delta=delta, digits=digits, guess=guess, guess_is_near_zero=not positive, guess_digits=good_digits
    )


def initial_guess(make: MakePair, n: int, top: Epsilon, delta: Fraction) -> Start:
    """Where a search for epsilon(delta) begins."""
    with precision(_GUESS_BITS):
        pair = make()
        masses, log_scale = tuple(map(as_float, pair.masses)), as_float(pair.scale.log())
        y, w, each = as_float(pair.y), as_float(pair.w), as_float(pair.h / n)
    wanted, largest = math.log(delta.numerator) - math.log(delta.denominator), top.bounds(bits=64)[0]

    def draws(E_minus_1: float) -> PlacesAndMasses:
        values = (1 - E_minus_1 * y, -1 - E_minus_1 * (1 + y), -E_minus_1 * w, 0.0)
        return masses, tuple(value - E_minus_1 * each for value in values)

    if found := near_root(n, draws, log_scale=log_scale, largest=float(min(largest, Fraction(10**300))), delta=delta):
        positive = 2 * n * masses[0] > _MANY and log_scale + by_saddle(n, draws(0.0)) > wanted + _SAFELY
        return *found, positive

    def expected(epsilon: Fraction) -> float:
        with precision(_GUESS_BITS):
            return log_expectation(make(), expm1_of(Epsilon(epsilon, None)))

    # Bisection on the logarithm: epsilon may be far smaller than its largest value.
    right = largest * Fraction(999, 1000)
    for end in (right, least := _scaled(right, _HALVINGS)):
        if (expected(end) < wanted) == (end is least):
            return end, 0, False
    halvings, span = 0.0, _HALVINGS
    for _ in range(_STEPS):
        span /= 2
        if expected(_scaled(right, halvings + span)) < wanted:
            halvings += span
    return _scaled(right, halvings), 0, False


def _scaled(x: Fraction, halvings: float) -> Fraction:
    return x * Fraction(math.pow(2.0, -(halvings % 1))) / (1 << math.floor(halvings))
