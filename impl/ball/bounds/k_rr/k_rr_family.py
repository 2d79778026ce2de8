"""delta and epsilon of the pairs of shuffled k-ary randomized response, certified for any n."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.k_rr.k_rr_sums import Pair, evaluate
from shuffleproof.impl.ball.bounds.k_rr.k_rr_window import log_expectation
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, expm1_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, evaluated, refined
from shuffleproof.impl.ball.numeric.root import Enclose, certified_near, solve
from shuffleproof.impl.ball.numeric.root_along_a_line import PlacesAndMasses, near_root
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import Epsilon, count

MakePair = Callable[[int, int, Epsilon], Pair]
"""The pair for n users, k categories and epsilon0 > 0, at the current precision."""
MakeFloor = Callable[[int, int, Epsilon], tuple[arb, arb]]
"""Where the pair's delta stops falling: the largest finite likelihood ratio, and delta from there on, at the current precision."""
LARGEST_K = 10**18
"""Categories at most: more than any domain's, and a limit of the parameter's range, not of the mathematics."""
_GUESS_BITS = 256
"""Bits of the masses of a report before they become floats for a guess: differences of e^epsilon0 cancel there."""
_GUESSED_DIGITS = 9
"""Digits of an answer up to which floats look for the root first: they show nine; more take the certified search at once."""
_SMALL = Fraction(1, 100)
"""Largest delta for which floats look first: above it the saddle point's start is too rough to pay."""
_FAR = 100
"""Epsilon from which an evaluation begins with the window and the precision that e^epsilon asks for: it would find them in ten attempts."""
_MOST_BITS = 4096
"""Bits, beyond those of digits and n, with which the largest ratio is compared with e^epsilon, so that near ties are distinguished from
ties."""


@dataclass(frozen=True, kw_only=True)
class KRRPair:
    """A pair of shuffled kRR as a function of n, k and epsilon0. floor: where its delta stops falling above 0, if it does."""

    method: Method
    least_k: int
    make: MakePair
    floor: MakeFloor | None = None

    @certified()
    def delta(self, *, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
        """delta of the pair at epsilon; 0 from epsilon0 on. k: at least 3 where the others hold a third category.

        Cost O(sqrt(n) digits) for small epsilon.
        """
        self._require_categories(k)
        if epsilon >= epsilon0:
            return Found.exactly(0)
        if self.floor is not None:
            bits = math.ceil(3.33 * digits) + 2 * n.bit_length() + _MOST_BITS
            with precision(bits):
                ratio, least = self.floor(n, k, epsilon0)
                missing = ratio - exp_of(epsilon)
                if not missing > 0:  # the slope in e^epsilon is at most 1, should the two differ in the last bits
                    return Found(lower_end(least), upper_end(least) + max(Fraction(0), upper_end(missing)), precision=bits)
        return evaluated(_enclose(self.make, n, k, epsilon0, epsilon, digits + 1))

    @certified()
    def epsilon(self, *, n: int, k: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
        """Least epsilon at which that delta is at most delta; epsilon0 itself where there is none below it, as at delta = 0."""
        self._require_categories(k)
        if delta == 1 or epsilon0.exp == 1:
            return Found.exactly(0)
        top, side = epsilon0, 2
        if self.floor is not None and delta > 0:
            top, side = _against_floor(self.floor, n, k, epsilon0, delta, digits=digits)
        if delta == 0 or side < 0:
            return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
        near_top = top.bounds(bits=4 * digits + 64)[0] * (1 - Fraction(1, 10 ** (digits + 1)))
        if side == 0:  # delta is the floor itself, as far as can be decided
            return Found(near_top, epsilon0.bounds(bits=4 * digits + 64)[1])
        if top.exp == 1:
            return Found.exactly(0)
        if side == 1 and _enclose(self.make, n, k, epsilon0, Epsilon(near_top, None), digits + 6).lower > delta:
            return Found(near_top, top.bounds(bits=4 * digits + 64)[1])

        def enclose(central: Epsilon, accuracy: int) -> Evaluation:
            return _enclose(self.make, n, k, epsilon0, central, accuracy)

        if digits <= _GUESSED_DIGITS and delta < _SMALL:
            root = _near(self.make, n, k, epsilon0, top, delta, enclose=enclose, digits=digits)
            if root is not None:
                return root
        guess = _guess(self.make, n, k, epsilon0, top, delta)
        if self.floor is not None and side == 2 and _above_everywhere(self.make, n, k, epsilon0, delta, guess=guess):
            return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
        return solve(enclose, epsilon0=top, delta=delta, digits=digits, guess=guess)

    def _require_categories(self, k: int) -> None:
        count(k, parameter="k", minimum=self.least_k, maximum=LARGEST_K)


def _near(
    make: MakePair, n: int, k: int, epsilon0: Epsilon, top: Epsilon, delta: Fraction, *, enclose: Enclose, digits: int
) -> Found | None:
    """The root by one or two evaluations where floats find it."""
    with precision(_GUESS_BITS):
        pair = make(n, k, epsilon0)
        log_scale, r, g, none = (float(x.mid()) for x in (pair.scale.log(), pair.r, pair.g, pair.none))
        w, y, each = (float(x.mid()) for x in (pair.w, pair.y, pair.h / n))

    def distribution(E_minus_1: float) -> PlacesAndMasses:
        values = (1 - E_minus_1 * y, -1 - E_minus_1 * (1 + y), -E_minus_1 * w, 0.0)
        return (r, r, g, none), tuple(value - E_minus_1 * each for value in values)

    near = near_root(n, distribution, log_scale=log_scale, largest=float(top.bounds(bits=64)[0]), delta=delta)
    if near is None:
        return None
    x, good_digits = near
    return certified_near(enclose, x=x, epsilon0=top, delta=delta, digits=digits, accuracy=max(4, digits - 1), close=good_digits >= digits)


def _against_floor(floor: MakeFloor, n: int, k: int, epsilon0: Epsilon, delta: Fraction, *, digits: int) -> tuple[Epsilon, int]:
    """Where a search may end, epsilon0 or sooner where delta stops falling; and how delta compares with that floor.

    -1: below it; 0: not distinguished from it; 1: above it; 2: there is none below epsilon0.
    """
    with precision(4 * digits + 2 * n.bit_length() + _MOST_BITS):
        ratio, least = floor(n, k, epsilon0)
        if ratio > exp_of(epsilon0):
            return epsilon0, 2
        above = upper_end(ratio)
        top = min(epsilon0, Epsilon(None, above))
        return top, int(least < ball(delta)) - int(least > ball(delta))


def _enclose(make: MakePair, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int) -> Evaluation:
    def attempt(bits: int, spread: float) -> Evaluation:
        return evaluate(make(n, k, epsilon0), E=exp_of(epsilon), E_minus_1=expm1_of(epsilon), bits=bits, spread=spread)

    bits, spread = math.ceil(3.33 * digits) + 2 * n.bit_length() + 48, 2.31 * digits + 12
    if (far := float(epsilon.bounds(bits=64)[1])) > _FAR:  # what is left out counts up to e^epsilon times
        with suppress(ResourceLimitError):  # of many users that window may be too wide
            return refined(attempt, digits=digits, bits=bits + math.ceil(2.9 * far), spread=spread + far)
    return refined(attempt, digits=digits, bits=bits, spread=spread)


def _above_everywhere(make: MakePair, n: int, k: int, epsilon0: Epsilon, delta: Fraction, *, guess: Fraction) -> bool:
    """Return whether the pair's delta is certainly above delta at every epsilon up to epsilon0; not asked where the search will find it."""
    if guess < epsilon0.bounds(bits=64)[0] * Fraction(9, 10):
        return False
    return _enclose(make, n, k, epsilon0, epsilon0, 6).lower > delta


def _guess(make: MakePair, n: int, k: int, epsilon0: Epsilon, top: Epsilon, delta: Fraction) -> Fraction:
    """Where Chernoff's bound on delta equals the target, in floats. Nothing depends on it but speed."""
    low = top.bounds(bits=64)[0]
    if delta == 0:
        return low
    wanted = math.log(delta.numerator) - math.log(delta.denominator)

    def exponent(epsilon: Fraction) -> float:
        central = Epsilon(epsilon, None)
        with precision(_GUESS_BITS):
            pair = make(n, k, epsilon0)
            log_scale = float(pair.scale.log().mid())
            return log_scale + log_expectation(n, pair.report(exp_of(central), expm1_of(central)))

    # Bisection on the logarithm: epsilon may be far smaller than epsilon0.
    left, right = low / 2**200, low * Fraction(999, 1000)
    if exponent(right) > wanted:
        return right
    position, span = 0.0, 200.0
    for _ in range(50):
        span /= 2
        if exponent(_scaled(right, position + span)) < wanted:
            position += span
    return max(left, _scaled(right, position))


def _scaled(x: Fraction, halvings: float) -> Fraction:
    return x * Fraction(math.pow(2.0, -(halvings % 1))) / (1 << math.floor(halvings))
