"""epsilon(delta): the certified inverse of a privacy profile that can be enclosed at any point.

Cheap evaluations, each only as accurate as the step it serves, lead Newton's iteration on ln delta(epsilon) close to the root; one
evaluation at full accuracy, just above the root, then certifies both ends: delta(upper) <= delta directly, and delta(lower) > delta
because every event S gives delta(E') >= P(S) - E' Q(S); or, where that is not enough, by an evaluation of its own.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, lower_end, precision
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.impl.ball.numeric.results import Evaluation, shown
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

Enclose = Callable[[Epsilon, int], Evaluation]
ZERO = Epsilon(Fraction(0), Fraction(1))
_MOST_STEPS = 200
"""Steps at most; Newton's iteration doubles the digits with each, and halving reaches 60 of them."""


@one_answer()
def solve(
    enclose: Enclose,
    *,
    epsilon0: Epsilon,
    delta: Fraction,
    digits: int,
    guess: Fraction,
    guess_is_near_zero: bool = True,
    guess_digits: int = 0,
) -> Found:
    """The least epsilon in [0, epsilon0] with delta(epsilon) <= delta, to a relative width of at most 10^-digits.

    enclose(epsilon, digits): an Evaluation at epsilon < epsilon0 with relative width at most 10^-digits; the profile is convex and
    decreasing in e^epsilon, positive below epsilon0 and 0 from there on. 0 < delta < 1; guess: where to start, anywhere in (0, epsilon0);
    guess_is_near_zero: whether the root may be 0 (if it is and this is False, the search ends in an error, not in a wrong answer);
    guess_digits: about how many digits of the guess are right, which saves the first steps and decides nothing.
    Raises UndecidedError where even the evaluations' largest precision does not settle an end, ResourceLimitError where the evaluations
    together cost too much.
    """
    if guess_is_near_zero:
        at_zero = enclose(ZERO, 6)
        if not at_zero.lower > delta:
            if at_zero.upper > delta:
                at_zero = enclose(ZERO, digits + 15)
            if at_zero.upper <= delta:
                return Found(Fraction(0), Fraction(0), precision=at_zero.bits)
            if not at_zero.lower > delta:
                upper = _just_above_zero(enclose, delta, at_zero, epsilon0)
                return Found(Fraction(0), upper, lower_certified=False, precision=at_zero.bits)
        if delta * 2 > at_zero.lower:
            guess = _from_tangent(at_zero, delta)  # convexity: the tangent's root is not above the true one, and close to it here
            guess_digits = 0
    return _polish(enclose, epsilon0=epsilon0, delta=delta, digits=digits, x=guess, x_digits=guess_digits)


@one_answer()
def certified_near(
    enclose: Enclose, *, x: Fraction, epsilon0: Epsilon, delta: Fraction, digits: int, accuracy: int, close: bool
) -> Found | None:
    """The root to so many digits from one evaluation, where x is as near to it as that; None where it is not. Arguments as for `solve`.

    accuracy: digits of an evaluation; close: whether x is believed to be so near; else, and where it is not, a step of Newton's is taken.
    """
    bits, seen = math.ceil(3.33 * digits) + 40, []

    def kept(central: Epsilon, accuracy: int) -> Evaluation:
        seen.append((central, enclose(central, accuracy)))
        return seen[-1][1]

    try:
        certify = partial(_certify, epsilon0=epsilon0, delta=delta, digits=digits, accuracy=accuracy)
        if close and (root := certify(kept, x=x, once=True)) is not None:
            return root
        if not close:
            kept(Epsilon(_short(x, bits), None), max(4, accuracy - 1))
        central, known = seen[0]
        newton = _interpolated([_point(central.bounds(bits=bits)[0], known, delta)], bits)
        return certify(enclose, x=newton) if x < 2 * newton < 3 * x else None
    except UndecidedError:
        return None


def _polish(enclose: Enclose, *, epsilon0: Epsilon, delta: Fraction, digits: int, x: Fraction, x_digits: int) -> Found:
    bits = math.ceil(3.33 * digits) + 40
    top_low, top_high = epsilon0.bounds(bits=bits)
    near_top = top_low * (1 - Fraction(1, 10 ** (digits + 1)))
    low, high, accuracy = Fraction(0), top_high, max(6, min(digits, 2 * x_digits) + 4 if x_digits else 0)
    known: list[_Point] = []
    for _ in range(_MOST_STEPS):
        x = _short(x, bits)
        at_x = enclose(Epsilon(x, None), accuracy)
        if at_x.lower > delta:
            low = max(low, x)
        elif at_x.upper <= delta:
            high = min(high, x)
        point = _point(x, at_x, delta)
        more = max(0, math.ceil(-math.log10(point.sensitivity)))
        undecided = at_x.lower <= delta < at_x.upper
        if undecided and accuracy < digits + 4 + more and _decades((at_x.upper - at_x.lower) / at_x.upper) < digits + 2 + more:
            accuracy = digits + 4 + more  # steps from here would follow the noise: look again, closely
            continue
        known = [*known[-1:], point]
        following = _interpolated(known, bits)
        if not low <= following <= min(high, near_top):
            # ln delta is concave in epsilon, delta convex in e^epsilon: that step lands above the root, this one below.
            following, known = _from_tangent(at_x, delta, x), [point]
        if following >= near_top:
            if _surely_above(enclose, near_top, delta):
                return Found(near_top, top_high, precision=at_x.bits)
            high, following = min(high, near_top), (low + near_top) / 2
        if not low <= following <= high:
            following = (low + high) / 2
        near = min(following, top_high - following)  # a step is a part of that, and the next one about the square of this part
        distances, scale = [_decades(abs(following - each.x) / near) for each in known], _decades(near / following)
        if distances[-1] == 0:
            x, known = following, []
            continue
        expected = max(0, 2 * sum(distances) - 2)
        if expected + scale > digits + 1 or distances[-1] + scale > digits + 2:
            certified = _certify(enclose, x=following, epsilon0=epsilon0, delta=delta, digits=digits, accuracy=digits + 3 + more)
            if certified is not None:
                return certified
            accuracy = max(accuracy, digits) + 4 + more
        else:
            accuracy = max(accuracy, min(digits + 4, 2 * (expected + distances[-1])) + 3 + more)
        x = following
    raise UndecidedError(quantity="epsilon", enclosure=(shown(low, "down"), shown(high, "up")), precision=bits)


def _certify(
    enclose: Enclose, *, x: Fraction, epsilon0: Epsilon, delta: Fraction, digits: int, accuracy: int, once: bool = False
) -> Found | None:
    """Both ends from an evaluation just above x, or None if x is not close enough to the root; once: by no other evaluation."""
    bits = math.ceil(3.33 * digits) + 40
    margin = Fraction(1, 4 * 10**digits)
    upper, lower = _short(x * (1 + margin), bits), _short(x * (1 - margin), bits)
    if not Epsilon(upper, None) < epsilon0:  # epsilon0 itself, where delta is 0, is the upper end then
        return Found(lower, epsilon0.bounds(bits=bits)[1]) if _surely_above(enclose, lower, delta) else None
    at_upper = enclose(Epsilon(upper, None), accuracy)
    if at_upper.upper > delta:
        return None
    with precision(2 * bits + 4 * accuracy + 64):
        by_tangent = at_upper.lower_at(exp_of(Epsilon(lower, None))) > delta
    # Where the profile has a corner between the two, the tangent may pass below delta at the lower end.
    return Found(lower, upper, precision=at_upper.bits) if by_tangent or (not once and _surely_above(enclose, lower, delta)) else None


@dataclass(frozen=True)
class _Point:
    """x, y = ln(delta(x)/delta), dx/dy, and |d ln delta / d ln x|: all approximate, for guesses only."""

    x: Fraction
    y: Fraction
    slope: Fraction
    sensitivity: float


def _point(x: Fraction, at_x: Evaluation, delta: Fraction) -> _Point:
    with precision(max(128, 2 * at_x.bits)):
        middle = (at_x.lower + at_x.upper) / 2
        if middle <= 0:
            raise UndecidedError(quantity="delta", enclosure=("0", shown(at_x.upper, "up")), precision=at_x.bits)
        steepness = at_x.E * at_x.in_q / ball(middle)  # d delta / d epsilon = -E Q(S)
        y = (ball(middle) / ball(delta)).log()
        if not steepness > 0 or not y.is_finite():
            raise UndecidedError(quantity="slope of delta", enclosure=("0", "inf"), precision=at_x.bits)
        return _Point(x, _middle(y), _middle(-1 / steepness), max(float((steepness * ball(x)).mid()), 1e-300))


def _interpolated(known: list[_Point], bits: int) -> Fraction:
    """Where y = 0: Newton's step from one point, Hermite's inverse cubic through two."""
    last = known[-1]
    newton = last.x - last.y * last.slope
    if len(known) == 1 or known[0].y == last.y:
        return _short(newton, bits + 40) if newton > 0 else newton
    first = known[0]
    h = last.y - first.y
    t = -first.y / h
    hermite = (
        first.x * (1 + 2 * t) * (1 - t) ** 2
        + h * first.slope * t * (1 - t) ** 2
        + last.x * t * t * (3 - 2 * t)
        + h * last.slope * t * t * (t - 1)
    )
    # Far from the data the cubic says nothing: then Newton's step from the latest point is safer.
    chosen = hermite if abs(hermite - newton) <= abs(last.x - first.x) else newton
    return _short(chosen, bits + 40) if chosen > 0 else chosen


def _from_tangent(at_x: Evaluation, delta: Fraction, x: Fraction = Fraction(0)) -> Fraction:
    """Where the tangent in e^epsilon at x meets delta: by convexity not above the root; -1 if that is no epsilon at all."""
    with precision(max(128, 2 * at_x.bits)):
        rise = (ball((at_x.lower + at_x.upper) / 2) - ball(delta)) / (at_x.in_q * at_x.E)
        root = rise.log1p()
        return x + _middle(root) if root.is_finite() else Fraction(-1)


def _just_above_zero(enclose: Enclose, delta: Fraction, at_zero: Evaluation, epsilon0: Epsilon) -> Fraction:
    """A tiny epsilon whose delta is certified to be at most delta, when delta(0) cannot be distinguished from delta."""
    with precision(128):
        epsilon = 2 * (at_zero.upper - at_zero.lower) / lower_end(at_zero.in_q)
    width = (at_zero.upper - at_zero.lower) / at_zero.upper
    digits = _decades(width) + 3
    for _ in range(_MOST_STEPS):
        epsilon = _short(epsilon, 40)
        if not Epsilon(epsilon, None) < epsilon0:
            return epsilon0.bounds(bits=64)[1]
        if enclose(Epsilon(epsilon, None), digits).upper <= delta:
            return epsilon
        epsilon *= 2
    raise UndecidedError(quantity="epsilon", enclosure=("0", shown(epsilon, "up")), precision=0)


def _surely_above(enclose: Enclose, x: Fraction, delta: Fraction) -> bool:
    """Return whether delta(x) > delta is certified, with some patience."""
    for accuracy in (4, 12, 30):
        at_x = enclose(Epsilon(x, None), accuracy)
        if at_x.lower > delta:
            return True
        if at_x.upper <= delta:
            return False
    return False


def _middle(x: arb) -> Fraction:
    return lower_end(arb(x.mid()))


def _short(x: Fraction, bits: int) -> Fraction:
    """x > 0 rounded to `bits` significant bits: evaluation points are short dyadic numbers."""
    with precision(bits):
        low, high = ends(arb(ball(x).mid()))
    assert low == high
    return low


def _decades(size: Fraction) -> int:
    """About -log10 of a number in [0, 1]; large for 0."""
    if size == 0:
        return 10**6
    return max(0, math.floor((size.denominator.bit_length() - size.numerator.bit_length()) * 0.30103))
