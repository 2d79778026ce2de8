"""The optimal pair V(n, p, beta, q), certified for any n: BEYOND.ThmF3, by ball arithmetic.

Its sums stand in optimal_pair_sums, its Renyi divergences in optimal_pair_renyi. Exchanging a and b exchanges P and Q and keeps M_n, so
both directions are the same.

delta = (q/n) E[X_+] for a sum X of n draws. A search for a root starts where floats have it, to four or nine digits, by an integral along
a line (`root_along_a_line`); where that does not do, Chernoff's bound on delta says where to start.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_sums import affordable_search, evaluate
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_window import Masses, Order, Pair, saddle, tilted
from shuffleproof.impl.ball.numeric import root_along_a_line
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, evaluated, refined
from shuffleproof.impl.ball.numeric.root import certified_near, solve
from shuffleproof.impl.ball.numeric.root_along_a_line import PlacesAndMasses
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_optimal_pair

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import Route

_GUESSED_DIGITS = 9
"""Up to so many floats guess so well that one or two certified evaluations are enough."""
_MANY = 50.0
"""Mean number of reports of a or b from which the saddle point of delta(0) is believed."""
_SAFELY = math.log(4)
"""Logarithm by which delta(0) has to be above the target for the root to be taken as positive: the guess is nearer than
a factor of four."""
_STEPS = 40
"""Bisections where floats say nothing closer."""


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
    guess, good_digits, positive = initial_guess(n, masses, top, largest, delta)
    affordable(guess)
    root = None
    if digits <= min(_GUESSED_DIGITS, 2 * good_digits - 1):
        close = good_digits >= digits
        root = certified_near(enclose, x=guess, epsilon0=top, delta=delta, digits=digits, accuracy=max(4, digits - 1), close=close)
    return root or solve(
        enclose, epsilon0=top, delta=delta, digits=digits, guess=guess, guess_is_near_zero=not positive, guess_digits=good_digits
    )


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


def initial_guess(n: int, masses: Masses, top: Epsilon, largest: float, delta: Fraction) -> tuple[Fraction, int, bool]:
    """(where epsilon(delta) is about, how many digits of that are right, about, and whether it is surely not 0): speed depends on them.

    largest: the largest log-ratio, about.
    """
    x, either, wanted = float(masses.x), float(masses.either), math.log(delta.numerator) - math.log(delta.denominator)

    def distribution(E_minus_1: float) -> PlacesAndMasses:
        return (either / 2, either / 2, float(masses.d)), (1 - x - E_minus_1 * x, x - 1 - E_minus_1, -E_minus_1)

    log_scale = _log_q(masses) - math.log(n)
    if found := root_along_a_line.near_root(n, distribution, log_scale=log_scale, largest=largest, delta=delta):
        return *found, n * either > _MANY and log_scale + root_along_a_line.by_saddle(n, distribution(0.0)) > wanted + _SAFELY
    low, high = 0.0, min(largest, 700.0)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _chernoff_exponent(n, masses, math.exp(middle)) > wanted else (low, middle)
    highest = top.bounds(bits=64)[0]
    return min(max(Fraction(high), highest / 10**30), highest * Fraction(999, 1000)), 0, False


def _chernoff_exponent(n: int, masses: Masses, E: float) -> float:
    """ln of about (q/(n e theta)) Z^n at the best theta, for 1 <= E: near ln delta, mostly above."""
    x = float(masses.x)
    values = (max(1 - E * x, 1e-300), x - E, 1 - E)
    theta = saddle(n, masses, values)
    return n * math.log(sum(tilted(theta, masses, values))) + _log_q(masses) - math.log(n * math.e * theta)


def _log_q(masses: Masses) -> float:
    """q itself may be beyond a float."""
    return math.log(masses.q.numerator) - math.log(masses.q.denominator)
