"""The optimal pair V(n, p, beta, q), certified for any n: BEYOND.ThmF3, by ball arithmetic.

Its sums stand in optimal_pair_sums, its Renyi divergences in optimal_pair_renyi. Exchanging a and b exchanges P and Q and keeps M_n, so
both directions are the same.

A search for a root starts where a guess in plain floats has it:

delta = (q/n) E[X_+] for a sum X of n draws. Under the distribution tilted by e^(theta X), theta near the saddle point, X is about normal,
and

    E[X_+] = Z(theta)^n E~[e^(-theta X) X_+],

the latter by Simpson's rule over the normal density with Edgeworth's corrections for skewness and kurtosis: four to six digits of epsilon
where reports of a or b are many. Where they are few, Chernoff's bound on delta says where to start.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_sums import affordable_search, evaluate, in_floats
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_window import Masses, Order, Pair, saddle, tilted
from shuffleproof.impl.ball.numeric import root_along_a_line
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, evaluated, refined
from shuffleproof.impl.ball.numeric.root import certified_near, solve
from shuffleproof.impl.ball.numeric.root_along_a_line import Law
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.methods.randomizer_laws import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_optimal_pair

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import Route

_GUESSED_DIGITS = 9
"""Up to so many floats guess so well that one or two certified evaluations are enough."""
_MANY = 50.0
"""Mean number of reports of a or b from which Edgeworth's expansion is tried; Chernoff's bound guesses below."""
_FARTHEST = 9.0
"""Standard deviations to which the normal density is integrated: e^-40 is beyond."""
_POINTS = 200
"""Points of Simpson's rule there: to six digits, which is what the expansion gives."""
_SAFELY = math.log(4)
"""Logarithm by which delta(0) has to be above the target for the root to be taken as positive: the guess is nearer than
a factor of four."""
_NEAR_ZERO = 1e-9
"""Where the search begins, as a part of the largest epsilon."""
_STEPS = 40
"""Bisections, on a logarithmic scale: 21/2^40, 2e-11, is left."""
_GOOD_DIGITS = 4
"""Digits claimed of the root by Edgeworth's expansion."""
_FEW = 10_000
"""Users whose sums in floats cost little, so that a last step by them pays."""
_MOST_DIGITS = 9
"""Digits claimed after that step: one from five digits leaves nine."""
_BITS = 64
"""Bits, beyond those of n, with which the first terms of the sums in floats are made."""
_SPREAD = 23.0
"""Minus the logarithm of what these sums leave out: e^-23 is 1e-10."""
_NEAR = 20_000
"""x over a step that is small enough for the next error not to be seen in nine digits."""


@certified(OPTIMAL_PAIR)
def delta(*, n: int, p: Fraction | None, beta: Fraction, q: Fraction, epsilon: Epsilon, digits: int = 15) -> Found:
    """delta of the optimal pair at epsilon: shuffled randomizers with H(p, beta, q) are (epsilon, upper)-DP (BEYOND.ThmF3).

    n: at most 10^9; p: None where it is infinite; where p, beta and q are not known exactly, round all three up. Exact (0) where
    e^epsilon >= p. Cost O(sqrt(n digits)) for each of the chains of optimal_pair_sums, which are few.
    """
    pair = Pair.of(n=n, p=p, beta=beta, q=q)
    if pair.masses is None or (pair.top is not None and epsilon >= pair.top):
        return Found.exactly(0)
    if pair.top is None and epsilon >= Epsilon(None, Fraction(pair.largest_ratio)):
        bits = 4 * digits + 64 + n.bit_length()
        with precision(bits):
            revealed = pair.revealed()
        return Found(lower_end(revealed), upper_end(revealed), precision=bits)
    return evaluated(_enclose(n, pair.masses, epsilon, digits + 1))


@certified(OPTIMAL_PAIR)
def epsilon(
    *, n: int, p: Fraction | None, beta: Fraction, q: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 15
) -> Found:
    """Least epsilon at which the optimal pair's delta is at most delta: delta(lower) > delta >= delta(upper) is certified (BEYOND.ThmF3).

    Exactly ln p at delta = 0 for finite p, exactly 0 where delta >= delta(0) is certified. Raises RegimeError where p is infinite and delta
    is below the probability that the special report has infinite privacy loss, so that no epsilon is enough.
    """
    pair = Pair.of(n=n, p=p, beta=beta, q=q)
    masses, top = pair.masses, pair.top
    if masses is None or delta == 1:
        return Found.exactly(0)
    if top is None:
        side = pair.compared_with_revealed(delta)
        if side < 0:
            with precision(128):
                revealed = decimal_text(upper_end(pair.revealed()), digits=12, direction="up")
            raise no_epsilon_for_optimal_pair(revealed=revealed, delta=inputs["delta"])
        top = Epsilon(None, Fraction(pair.largest_ratio))
        if side == 0 or top.exp == 1:
            return Found.exactly_epsilon(top, bits=4 * digits + 16)
    elif delta == 0:  # a alone has positive probability, and there the likelihood ratio is p itself
        return Found.exactly_epsilon(top, bits=4 * digits + 16)

    def enclose(central: Epsilon, accuracy: int) -> Evaluation:
        return _enclose(n, masses, central, accuracy)

    def affordable(guess: Fraction) -> None:
        with precision(4096):  # what the last evaluation will take is known now: refuse before any work starts
            affordable_search(n, masses, Order.at(masses.x, Epsilon(guess, None)), spread=_spread(digits + 3))

    largest = math.log(top.exp.numerator) - math.log(top.exp.denominator) if top.exp else float(top.bounds(bits=64)[0])
    near = near_root(n, masses, largest, delta) if digits <= _GUESSED_DIGITS else None
    root = None
    if near is not None:
        guess, good_digits = near
        affordable(guess)
        close = good_digits >= digits
        root = certified_near(enclose, x=guess, epsilon0=top, delta=delta, digits=digits, accuracy=max(4, digits - 1), close=close)
    if root is None:
        guess, good_digits, near_zero = initial_guess(n, masses, top, delta)
        affordable(guess)
        root = solve(enclose, epsilon0=top, delta=delta, digits=digits, guess=guess, guess_is_near_zero=near_zero, guess_digits=good_digits)
    return root


@certified(OPTIMAL_PAIR)
def renyi(*, n: int, p: Fraction | None, beta: Fraction, q: Fraction, order: Fraction, digits: int = 12, route: Route = "auto") -> Found:
    """Renyi divergence of the optimal pair: shuffled randomizers with H(p, beta, q) are (upper, order)-RDP (BEYOND.Renyi).

    route: "moments", "counts", or whichever answers, moments first. Exactly 0 where beta is 0. Raises RegimeError where p is infinite, and
    with it the divergence; ResourceLimitError beyond about half a minute.
    """
    from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import PairRenyi

    family = PairRenyi(Pair.of(n=n, p=p, beta=beta, q=q))
    if family.pair.masses is None:
        return Found.exactly(0)
    lower, upper, bits = family.divergence(order=order, digits=digits, route=route)
    return Found(lower, upper, precision=bits)


def _enclose(n: int, masses: Masses, epsilon: Epsilon, digits: int) -> Evaluation:
    return refined(
        lambda bits, spread: evaluate(n=n, masses=masses, epsilon=epsilon, bits=bits, spread=spread),
        digits=digits,
        bits=math.ceil(3.33 * digits) + n.bit_length() + 32,
        spread=_spread(digits),
    )


def _spread(digits: int) -> float:
    return 2.31 * digits + 5


def initial_guess(n: int, masses: Masses, top: Epsilon, delta: Fraction) -> tuple[Fraction, int, bool]:
    """(where epsilon(delta) is about, how many digits of that are right, about, and whether the root may be 0): speed depends on them."""
    wanted = math.log(delta.numerator) - math.log(delta.denominator)
    highest = top.bounds(bits=64)[0]
    last = float(min(highest, Fraction(700)))

    def inside(guess: float) -> Fraction:
        return min(max(Fraction(guess), highest / 10**30), highest * Fraction(999, 1000))

    try:
        if n * float(masses.either) > _MANY and _log_delta(n, masses, 0.0) > wanted + _SAFELY:
            low, high = _NEAR_ZERO * last, last
            for _ in range(_STEPS):
                middle = math.sqrt(low * high)
                low, high = (middle, high) if _log_delta(n, masses, math.expm1(middle)) > wanted else (low, middle)
            return inside(high), _GOOD_DIGITS, False
    except (OverflowError, ValueError, ZeroDivisionError):
        pass
    low, high = 0.0, last
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _chernoff_exponent(n, masses, math.exp(middle)) > wanted else (low, middle)
    return inside(high), 0, True


def near_root(n: int, masses: Masses, largest: float, delta: Fraction) -> tuple[Fraction, int] | None:
    """The same, for less, to so many digits; None where floats do not do. largest: the largest log-ratio."""
    x, either = float(masses.x), float(masses.either)

    def law(E_minus_1: float) -> Law:
        return (either / 2, either / 2, float(masses.d)), (1 - x - E_minus_1 * x, x - 1 - E_minus_1, -E_minus_1)

    log_scale, few = _log_q(masses) - math.log(n), n <= _FEW
    found = root_along_a_line.near_root(n, law, log_scale=log_scale, largest=largest, delta=delta, closely=not few)
    if found is None or not few:
        return found
    better = _nearer(n, masses, found[0], delta)
    return found if better is None else (better, _MOST_DIGITS)


def _nearer(n: int, masses: Masses, x: Fraction, delta: Fraction) -> Fraction | None:
    """A step of Newton's from there, by the sums themselves in floats; None where these do not do."""
    wanted = math.log(delta.numerator) - math.log(delta.denominator)
    try:
        with precision(_BITS + n.bit_length()):
            found = in_floats(n=n, masses=masses, epsilon=Epsilon(x, None), spread=_SPREAD, shift=math.floor(-wanted))
        if found is None:
            return None
        step = Fraction((found[0] - wanted) / found[1])
    except (OverflowError, ValueError, ZeroDivisionError, UndecidedError, ResourceLimitError):
        return None
    return x + step if abs(step) < x / _NEAR else None


def _chernoff_exponent(n: int, masses: Masses, E: float) -> float:
    """ln of about (q/(n e theta)) Z^n at the best theta, for 1 <= E: near ln delta, mostly above."""
    x = float(masses.x)
    values = (max(1 - E * x, 1e-300), x - E, 1 - E)
    theta = saddle(n, masses, values)
    return n * math.log(sum(tilted(theta, masses, values))) + _log_q(masses) - math.log(n * math.e * theta)


def _log_q(masses: Masses) -> float:
    """q itself may be beyond a float."""
    return math.log(masses.q.numerator) - math.log(masses.q.denominator)


def _log_delta(n: int, masses: Masses, E_minus_1: float) -> float:
    """About ln delta at e^eps - 1; ValueError where the corrected density is no density."""
    x = float(masses.x)
    values = (1 - x - E_minus_1 * x, x - 1 - E_minus_1, -E_minus_1)
    if values[0] <= 0:
        return -math.inf
    theta = saddle(n, masses, values)
    weights = tilted(theta, masses, values)
    total = sum(weights)
    mean = sum(w * v for w, v in zip(weights, (*values, 0.0), strict=True)) / total
    second, third, fourth = (sum(w * (v - mean) ** k for w, v in zip(weights, (*values, 0.0), strict=True)) / total for k in (2, 3, 4))
    spread = math.sqrt(n * second)
    skewness, kurtosis = n * third / spread**3, n * (fourth - 3 * second**2) / spread**4
    most = min(n * mean + _FARTHEST * spread, 60 / theta)
    height, integral = most / _POINTS, 0.0
    for k in range(1, _POINTS + 1):
        y = k * height
        z = (y - n * mean) / spread
        corrections = skewness / 6 * (z**3 - 3 * z) + kurtosis / 24 * (z**4 - 6 * z**2 + 3)
        corrections += skewness**2 / 72 * (z**6 - 15 * z**4 + 45 * z**2 - 15)
        weight = 1 if k == _POINTS else 4 if k % 2 else 2
        integral += weight * y * math.exp(-theta * y - z * z / 2) * (1 + corrections)
    return _log_q(masses) - math.log(n) + n * math.log(total) + math.log(integral * height / 3 / (spread * math.sqrt(2 * math.pi)))
