"""The clones bound, certified for any n: FMT21, Theorem 3.2, by ball arithmetic; and every pair of its family.

A pair of this family is the clones pair with C ~ Bin(n - 1, p), p/(1 - p) = k/(e^eps0 - 1), for a whole number k, its odds factor:
k = 1 is p = e^-eps0 (FMT21, Theorem 3.2), k = 2 is p = 2/(e^eps0 + 1) (BEYOND.CorF2). Given C, all of them are the same pair.

A search for a root starts where a guess in plain floats has it, to about nine digits. Where there are many clones, a normal approximation
of the profile gives the first three to five digits at no cost, else Chernoff's bound does. From there Newton's iteration walks over the
clones as `clones_sums` does, each step about five times cheaper than in ball arithmetic; only a walk's start, where logarithms of
factorials cancel, is computed in that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.impl.ball.bounds.clones.clones_sums import EACH, LARGEST_WINDOW, Constants, evaluate, log_start, window
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.ball.numeric.budget import require_affordable, spend
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, evaluated, refined
from shuffleproof.impl.ball.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.clones.renyi_family import Route

_SAFELY_ABOVE_ZERO = 20
"""The root is not near 0 where delta is below a twentieth of the guessed delta(0), and the guess is nearer than that. A
wrong one ends in an error, not in a wrong answer (root.py)."""
_SPREAD = 32.0
"""Minus the logarithm of what the window of the walk leaves out: e^-32 is 1e-14, below the nine digits that are looked for."""
_EACH = 0.2
"""Units of work of a step in floats: half a microsecond."""
_CERTIFIED = 2.6
"""Certified walks that follow, as multiples of one in floats: two, each wider by the root of what their windows leave out."""
_BITS_BEYOND_N = 100
"""Bits beyond n's own of a walk's first mass, where logarithms of factorials as large as n ln n cancel."""
_MOST_STEPS = 12
"""Steps of Newton's iteration at most; from a normal approximation two or three do."""
_LARGEST_EPSILON0 = Fraction(600)
"""Largest epsilon0 that floats are asked about: e^600 = 4e260 leaves room for factors."""
_SMALLEST_EPSILON0 = Fraction(1, 10**9)
"""Least epsilon0 that floats are asked about: differences such as e^epsilon0 - e^epsilon keep seven digits there, and fewer below."""
_MANY_CLONES = 1000.0
"""Mean number of clones from which a normal approximation gives three to five digits of the root."""
_FARTHEST = 30.0
"""Standard deviations, or units of epsilon0, beyond which the normal approximation is not believed: its tail leaves the floats at 38."""
_HALVINGS = 40
"""Bisections of an interval of at most 30: down to 3e-11, far below the approximation's own error."""
_ENOUGH_DIGITS = 8
"""Digits after which the walk ends: one certified evaluation then confirms the root or takes the last step."""
_MOST_DIGITS = 9
"""Digits claimed at most: after a step below 1e-5, ten times its square; a walk in doubles shows hardly more."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of the family, certified for any n. odds_factor: k of the module's text."""

    method: Method
    odds_factor: int

    @certified()
    def delta(self, *, n: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
        """Return delta of the pair at epsilon: shuffled eps0-DP randomizers are (epsilon, upper)-DP. Cost O(sqrt(n e^-epsilon0 digits)).

        Raises ResourceLimitError for n above about 10^12.
        """
        return Found.exactly(0) if epsilon >= epsilon0 else evaluated(_enclose(n, self.odds_factor, epsilon0, epsilon, digits + 1))

    @certified()
    def epsilon(self, *, n: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
        """Return the least epsilon at which the pair's delta is at most delta: delta(lower) > delta >= delta(upper) is certified.

        Exactly epsilon0 at delta = 0, and 0 where delta >= delta(0) is certified.
        """
        k = self.odds_factor
        if delta == 1 or epsilon0.exp == 1:
            return Found.exactly(0)
        if delta == 0:  # C = 0 has positive probability, and there the likelihood ratio is e^eps0 itself
            return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
        guess, good_digits = initial_guess(n=n, odds_factor=k, epsilon0=epsilon0, delta=delta, guess=_guess(n, k, epsilon0, delta))
        return solve(
            lambda central, accuracy: _enclose(n, k, epsilon0, central, accuracy),
            epsilon0=epsilon0,
            delta=delta,
            digits=digits,
            guess=guess,
            guess_digits=good_digits,
            guess_is_near_zero=delta * _SAFELY_ABOVE_ZERO > _total_variation_guess(n, k, epsilon0),
        )

    @certified()
    def renyi(self, *, n: int, epsilon0: Epsilon, order: Fraction, digits: int = 12, route: Route = "auto") -> Found:
        """Return the Renyi divergence of the pair: shuffled eps0-DP randomizers are (upper, order)-RDP (FMT21, section 6.1).

        route: "direct" (every pair of counts), "moments", or whichever is applicable and cheaper. The pair is its own mirror image, so both
        directions are the same. Raises ResourceLimitError beyond about a minute.
        """
        from shuffleproof.impl.ball.bounds.clones.renyi_family import RenyiFamily

        if epsilon0.exp == 1:
            return Found.exactly(0)
        lower, upper, bits = RenyiFamily(n=n, odds_factor=self.odds_factor, epsilon0=epsilon0).divergence(
            order=order, digits=digits, route=route
        )
        return Found(lower, upper, precision=bits)


FMT21 = Pair(CLONES, 1)
"""The clones pair: p = e^-epsilon0 (FMT21, Theorem 3.2)."""
stronger_clones = Pair(STRONGER_CLONES, 2)
"""The stronger clones pair: p = 2/(e^epsilon0 + 1) (BEYOND.CorF2, FMT23's general pair)."""


delta, epsilon, renyi = FMT21.delta, FMT21.epsilon, FMT21.renyi


def _enclose(n: int, odds_factor: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int) -> Evaluation:
    return refined(
        lambda bits, spread: evaluate(n=n, odds_factor=odds_factor, epsilon0=epsilon0, epsilon=epsilon, bits=bits, spread=spread),
        digits=digits,
        bits=math.ceil(3.33 * digits) + 2 * n.bit_length() + 40,  # a threshold's doubt grows like n^2 2^-bits
        spread=2.31 * digits + max(12, 5 + math.log(n) / 2),  # Chernoff's bound of the tails is too large by about sqrt(n)
    )


def _guess(n: int, odds_factor: int, epsilon0: Epsilon, delta: Fraction) -> Fraction:
    """Where to start: r with (1 - p (1 - phi(r)))^(n - 1) = delta, in floats; e^epsilon = (r T + 1)/(T + r).

    By Chernoff's bound that is near the root, mostly above it. Nothing depends on it but speed.
    """
    low, high = epsilon0.bounds(bits=64)
    a = float(min(high, Fraction(700)))
    if a < 1e-300:
        return low / 2
    wanted = math.log(delta.denominator) - math.log(delta.numerator)
    p = _clone_probability(odds_factor, a)

    def exponent(x: float) -> float:
        r = math.exp(x)
        log_phi = x / (1 + r) + math.log1p(1 / r) - math.log(2)
        return -(n - 1) * math.log1p(p * math.expm1(log_phi))

    left, right = 0.0, 60.0
    if exponent(right) < wanted:
        return low * Fraction(9, 10)
    for _ in range(60):
        x = (left + right) / 2
        left, right = (x, right) if exponent(x) < wanted else (left, x)
    x = right
    if a < 30 and x < 30:
        start = math.log1p(math.expm1(x) * math.expm1(a) / (math.exp(a) + math.exp(x)))
    else:
        start = x + a + math.log1p(math.exp(-x - a)) - max(a, x) - math.log1p(math.exp(-abs(a - x)))
    return min(max(Fraction(start), low / 10**30), low * Fraction(999, 1000))


def _total_variation_guess(n: int, odds_factor: int, epsilon0: Epsilon) -> float:
    """About delta(0): (T - 1)/(T + 1) times the mean of sqrt(2/(pi (C + 1)))."""
    a = float(min(epsilon0.bounds(bits=64)[1], Fraction(700)))
    return math.tanh(a / 2) * math.sqrt(2 / (math.pi * ((n - 1) * _clone_probability(odds_factor, a) + 1)))


def _clone_probability(odds_factor: int, a: float) -> float:
    """About k/(T - 1 + k), T = e^a."""
    return odds_factor * math.exp(-a) / (1 + (odds_factor - 1) * math.exp(-a))


def initial_guess(*, n: int, odds_factor: int, epsilon0: Epsilon, delta: Fraction, guess: Fraction) -> tuple[Fraction, int]:
    """Return a better guess than `guess` for epsilon(delta), and about how many of its digits are right.

    The certified search only loses time if they are not. (guess, 0) where floats do not do, and where the root is so near 0 that the search
    begins there anyway.
    """
    low, high = epsilon0.bounds(bits=64)
    if not _SMALLEST_EPSILON0 < low <= high < _LARGEST_EPSILON0:
        return guess, 0
    wanted = math.log(delta.numerator) - math.log(delta.denominator)
    x, top = float(guess), float(low)
    try:
        if (n - 1) * odds_factor / math.expm1(top) > _MANY_CLONES:
            if _normal(n, odds_factor, top, 0.0)[1] < wanted + math.log(2):
                return guess, 0
            x = _normal_root(n, odds_factor, top, wanted) or x
        for _ in range(_MOST_STEPS):
            if not 0 < x < top:
                return guess, 0
            log_delta, steepness = _profile(n, odds_factor, epsilon0, x)
            step = (log_delta - wanted) / steepness
            x += step
            digits = _digits_after(abs(step) / x)
            if digits >= _ENOUGH_DIGITS:
                return (Fraction(x), digits) if 0 < x < top else (guess, 0)
    except (UndecidedError, OverflowError, ValueError, ZeroDivisionError):
        pass
    return guess, 0


def rough_epsilon0(*, n: int, odds_factor: int, epsilon: Fraction, delta: Fraction) -> float | None:
    """About the epsilon0 at which delta(epsilon) is delta, by the normal approximation; None where floats cannot say."""
    x, wanted = float(epsilon), math.log(delta.numerator) - math.log(delta.denominator)
    low, high = x, x + _FARTHEST
    try:
        for _ in range(_HALVINGS):
            at = (low + high) / 2
            low, high = (at, high) if _normal(n, odds_factor, at, x)[1] < wanted else (low, at)
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    return high


def _digits_after(step: float) -> int:
    """Return the digits that are right after a step of Newton's of this relative size: the next error is about ten times its square."""
    return _MOST_DIGITS if step < 1e-5 else math.floor(-2 * math.log10(step)) - 1


def _normal_root(n: int, odds_factor: int, top: float, wanted: float) -> float | None:
    """Where the normal approximation of ln delta is `wanted`; None where it would be that of a far tail."""
    low, high = 0.0, top
    while high - low > 1e-9 * high:
        x = (low + high) / 2
        distance, log_delta = _normal(n, odds_factor, top, x)
        low, high = (x, high) if log_delta > wanted else (low, x)
    return high if distance < _FARTHEST else None


def _normal(n: int, odds_factor: int, epsilon0: float, x: float) -> tuple[float, float]:
    """How many standard deviations the mean of S lies below 0, and about ln delta(x).

    S is u and, for each of the other users, u where a clone counts on the right and -v where it counts on the left, independently;
    delta(x) is the mean of S_+ divided by one more than the clones on the right.
    """
    T, E = math.exp(epsilon0), math.exp(x)
    u, v = (T - E) / (T + 1), (E * T - 1) / (T + 1)
    either = odds_factor / (T - 1 + odds_factor) / 2
    mean = u + (n - 1) * either * (u - v)
    deviation = math.sqrt((n - 1) * (either * (u * u + v * v) - (either * (u - v)) ** 2))
    z = -mean / deviation
    positive_part = math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * math.erfc(z / math.sqrt(2)) / 2
    if positive_part <= 0:
        return z, -math.inf
    return z, math.log(deviation) + math.log(positive_part) - math.log((n - 1) * either + 1)


def _profile(n: int, odds_factor: int, epsilon0: Epsilon, x: float) -> tuple[float, float]:
    """About ln delta(x), and -d ln delta / dx."""
    m = n - 1
    with precision(n.bit_length() + _BITS_BEYOND_N):
        constants = Constants.at(odds_factor, epsilon0, Epsilon(Fraction(x), None))
        low, high = window(m, constants, spread=_SPREAD)
        if high - low > LARGEST_WINDOW:
            raise OverflowError
        # What could not be paid after this walk is refused before it.
        require_affordable(high - low + 1, each=_EACH + _CERTIFIED * EACH, bits=0, what=f"certified sums for n = {n}")
        spend(high - low + 1, each=_EACH, bits=0, what=f"certified sums for n = {n}")
        beta = float(constants.beta.mid())
        t = math.floor((low + 1) * beta)
        log_g, ratio = log_start(m, low, t, constants, bits=64)
        shift = math.floor(float(log_g.mid()))
        h = math.exp(float((log_g - shift).mid())) / 2
        M = h * (2 * float(ratio.mid()) - 1)
        odds, q = float(constants.odds.mid()), float(constants.q.mid())
        v, E_minus_1, E = (float(each.mid()) for each in (constants.v, constants.E_minus_1, constants.E))
    sum_h = sum_M = 0.0
    for c in range(low, high + 1):
        sum_h += h
        sum_M += M
        k = odds * (m - c)
        if (c + 2) * beta < t + 1:
            h *= k / (2 * (c + 1 - t))
            M = M * k / (c + 1) - h
        else:
            t += 1
            h *= k / (2 * t)
            M = M * k / (c + 1) + h
    sum_f, sum_F = 2 * sum_h, sum_M + sum_h
    value, in_q = v * sum_f - E_minus_1 * sum_F, sum_F - q * sum_f
    return math.log(value) + shift, E * in_q / value
