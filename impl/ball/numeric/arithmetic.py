"""Balls: exact numbers in, certified enclosures out; and the weights of a named randomizer's output classes.

Every arb operation returns a ball that contains the true result, so whatever is read off a ball's ends is certified.
Comparisons are three-valued: `surely_less(x, y)` is True only if every point of x is below every point of y.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from threading import RLock

from flint import arb, ctx, fmpq

from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.likelihoods import Classes, Symbol, evaluate, subtracts
from shuffleproof.spec.vocabulary.numerals import Epsilon

_TINIEST_EXPONENT = -(1 << 20)
"""Binary exponent below which a magnitude is not distinguished from 0: rationals of more digits would fill memory."""
TINY = Fraction(1, 1 << -_TINIEST_EXPONENT)
"""About 10^-315652: below it a magnitude is not distinguished from 0."""
_TINY_BALL = arb(2) ** _TINIEST_EXPONENT
UP_TO_1 = arb(0.5, 0.5)
"""[0, 1] as a ball: what is left out of a sum adds anything between nothing and its bound, which is this times it."""
_WHOLE_POWERS = 200
"""Order up to which a power to a whole number is taken by products, which is quicker than by its logarithm."""
_one_thread = RLock()
_LOST = 3
"""Bits that the weights of a class may lose for each leading zero of epsilon0: of e^epsilon0 - 1 - epsilon0 two, and one to spare."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with `bits` bits inside the block; nothing may change flint's precision otherwise.

    It belongs to the process, so one thread at a time is inside such blocks, and the others wait.
    """
    with _one_thread:
        before = ctx.prec
        try:
            ctx.prec = bits
            yield
        finally:
            ctx.prec = before


def _another_process() -> None:
    """Begin without a thread inside: the one that was is not among those of a forked process."""
    global _one_thread
    _one_thread = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_another_process)


def ball(x: Fraction | int) -> arb:
    """The rational x at the current precision."""
    return arb(x) if isinstance(x, int) else arb(fmpq(x.numerator, x.denominator))


def ends(x: arb) -> tuple[Fraction, Fraction]:
    """Exact dyadic ends of a ball, moved outward to 0 or TINY where they are smaller. Raises UndecidedError if it is not finite."""
    if not x.is_finite():
        raise UndecidedError(quantity="ball arithmetic", enclosure=("-inf", "inf"), precision=ctx.prec)
    if x == 0:  # true of the ball that holds nothing else
        return Fraction(0), Fraction(0)
    if x < _TINY_BALL and x > -_TINY_BALL:
        return (Fraction(0) if x >= 0 else -TINY), TINY
    middle_low, middle_high = _dyadic(x.mid())
    _, radius = _dyadic(x.rad())
    return middle_low - radius, middle_high + radius


def lower_end(x: arb) -> Fraction:
    """The largest certified lower bound that the ball gives."""
    return ends(x)[0]


def upper_end(x: arb) -> Fraction:
    """The least certified upper bound that the ball gives."""
    return ends(x)[1]


def floors(x: arb) -> tuple[int, int]:
    """Return the floors of both ends of a ball, quicker than by `ends`. Raises UndecidedError if it is not finite."""
    low, high = (end.floor().unique_fmpz() for end in (x.lower(), x.upper()))
    if low is None or high is None:
        raise UndecidedError(quantity="ball arithmetic", enclosure=("-inf", "inf"), precision=ctx.prec)
    return int(low), int(high)


def surely_less(x: arb, y: arb) -> bool:
    """Return whether x < y for all points of both balls; False for nan and where they overlap."""
    return bool(x < y)


def exp_of(epsilon: Epsilon) -> arb:
    """e^epsilon."""
    if epsilon.exp is not None:
        return ball(epsilon.exp)
    return _rational(epsilon).exp()


def expm1_of(epsilon: Epsilon) -> arb:
    """e^epsilon - 1, without cancellation."""
    if epsilon.exp is not None:
        return ball(epsilon.exp - 1)
    return _rational(epsilon).expm1()


def exp_difference(larger: Epsilon, smaller: Epsilon) -> arb:
    """e^larger - e^smaller, without cancellation where both epsilons, or both exponentials, are rational."""
    if larger.exp is not None and smaller.exp is not None:
        return ball(larger.exp - smaller.exp)
    if larger.rational is not None and smaller.rational is not None:
        return exp_of(smaller) * ball(larger.rational - smaller.rational).expm1()
    return exp_of(larger) - exp_of(smaller)


def normal_tail(a: arb) -> arb:
    """Return the mass of N(0, 1) beyond a."""
    return (a / arb(2).sqrt()).erfc() / 2


def power_to(order: Fraction) -> Callable[[arb], arb]:
    """Return what takes x > 0 to x^order at the current precision."""
    if order.denominator == 1 and order <= _WHOLE_POWERS:
        return lambda x: x**order.numerator
    exponent = ball(order)
    return lambda x: (exponent * x.log()).exp()


def log_of(epsilon: Epsilon) -> arb:
    """epsilon itself as a ball."""
    return ball(epsilon.rational) if epsilon.rational is not None else exp_of(epsilon).log()


def _rational(epsilon: Epsilon) -> arb:
    assert epsilon.rational is not None
    return ball(epsilon.rational)


def _dyadic(x: arb) -> tuple[Fraction, Fraction]:
    """An exact ball of radius 0 as a rational, twice; or rationals on both sides of it, where it is too small to write out."""
    mantissa, exponent = (int(part) for part in x.man_exp())
    if exponent > -_TINIEST_EXPONENT:
        raise UndecidedError(quantity="ball arithmetic", enclosure=("0", "inf"), precision=ctx.prec)
    if exponent < 4 * _TINIEST_EXPONENT and mantissa.bit_length() < -_TINIEST_EXPONENT:
        return -(TINY**3), TINY**3
    value = Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
    return value, value


def weights_of(classes: Classes, epsilon0: Epsilon) -> list[arb]:
    """The weights at the current precision, and as many bits more as may cancel where epsilon0 is small."""
    smallest = epsilon0.bounds(bits=32)[0]
    lost = max(0, smallest.denominator.bit_length() - smallest.numerator.bit_length() + 1)
    with precision(ctx.prec + (_LOST * lost if any(subtracts(each.weight) for each in classes) else 0)):
        T = exp_of(epsilon0)
        at: dict[Symbol, arb] = {"T": T, "root": T.sqrt(), "epsilon0": log_of(epsilon0)}
        return [evaluate(each.weight, number=ball, symbol=at, larger=arb.max) for each in classes]


def under_first(classes: Classes, weights: list[arb], T: arb) -> arb:
    """Return the weight of all output classes together under the first input, that of any input; T: e^epsilon0."""
    return sum((w * (T if each.first else 1) for w, each in zip(weights, classes, strict=True)), arb(0))
