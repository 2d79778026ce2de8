"""The optimal pair V(n, p, beta, q), certified for any n: BEYOND.ThmF3, by ball arithmetic.

Its sums stand in optimal_pair_sums, its Renyi divergences in optimal_pair_renyi. Exchanging a and b exchanges P and Q and keeps M_n, so
both directions are the same.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_guess import initial_guess, near_root
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_sums import affordable_search, evaluate
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_window import Masses, Order, Pair
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.evaluation import Evaluation, refined
from shuffleproof.impl.ball.numeric.results import enclosed, exactly, solved
from shuffleproof.impl.ball.numeric.root import certified_near, solve
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.methods.randomizer_laws import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, decimal_text, parse_epsilon, probability, renyi_order

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import Route

_GUESSED_DIGITS = 9
"""Up to so many floats guess so well that one or two certified evaluations are enough."""


def delta(*, n: Number, p: Number, beta: Number, q: Number, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """delta of the optimal pair at epsilon, enclosed: shuffled randomizers with H(p, beta, q) are (epsilon, upper)-DP (BEYOND.ThmF3).

    n: users, 1 to 10^9; p: at least 1 or "infinity"; beta in [0, 1]; q: at least 1; where they are not known exactly, round all three
    up. epsilon >= 0; digits: relative width of the enclosure at most 10^-digits, 1 to 1000.
    Returns an enclosure, exact (0) where e^epsilon >= p. Cost O(sqrt(n digits)) for each of the chains of optimal_pair_sums, which are few.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    pair, central, wanted = Pair.parsed(n=n, p=p, beta=beta, q=q), parse_epsilon(epsilon), count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, p=p, beta=beta, q=q, eps=epsilon)
    if pair.masses is None or (pair.top is not None and central >= pair.top):
        return exactly(OPTIMAL_PAIR, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    if pair.top is None and central >= _logarithm(pair.largest_ratio):
        bits = 4 * wanted + 64 + pair.n.bit_length()
        with precision(bits):
            revealed = pair.revealed()
        return enclosed(OPTIMAL_PAIR, "delta", lower_end(revealed), upper_end(revealed), digits=wanted, precision=bits, inputs=inputs)
    found = _enclose(pair.n, pair.masses, central, wanted + 1)
    return enclosed(OPTIMAL_PAIR, "delta", found.lower, found.upper, digits=wanted, precision=found.bits, inputs=inputs)


def epsilon(*, n: Number, p: Number, beta: Number, q: Number, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which the optimal pair's delta is at most delta, enclosed (BEYOND.ThmF3).

    n, p, beta, q, digits: as for `delta`; delta in [0, 1].
    Returns an enclosure with delta(lower) > delta >= delta(upper) certified; exactly ln p at delta = 0 for finite p, exactly 0 where
    delta >= delta(0) is certified. Raises DomainError, ResourceLimitError, UndecidedError; RegimeError where p is infinite and delta is
    below the probability that the special report has infinite privacy loss, so that no epsilon is enough.
    """
    pair, target = Pair.parsed(n=n, p=p, beta=beta, q=q), probability(delta, parameter="delta")
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, p=p, beta=beta, q=q, delta=delta)
    masses = pair.masses
    if masses is None or target == 1:
        return exactly(OPTIMAL_PAIR, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    top = pair.top
    if top is None:
        side = pair.compared_with_revealed(target)
        if side < 0:
            with precision(128):
                revealed = decimal_text(upper_end(pair.revealed()), digits=12, direction="up")
            raise RegimeError(
                statement=OPTIMAL_PAIR.statement,
                condition=f"delta >= {revealed}, the probability that the special report has infinite privacy loss, where p is infinite",
                given=f"delta = {delta}",
                advice="no epsilon is enough: ask for a larger delta, or give a finite p that the randomizer meets",
            )
        top = _logarithm(pair.largest_ratio)
        if side == 0 or top.exp == 1:
            return exactly(OPTIMAL_PAIR, "epsilon", str(top), *top.bounds(bits=4 * wanted + 16), inputs=inputs)
    elif target == 0:  # a alone has positive probability, and there the likelihood ratio is p itself
        return exactly(OPTIMAL_PAIR, "epsilon", str(top), *top.bounds(bits=4 * wanted + 16), inputs=inputs)

    def enclose(central: Epsilon, accuracy: int) -> Evaluation:
        return _enclose(pair.n, masses, central, accuracy)

    def affordable(guess: Fraction) -> None:
        with precision(4096):  # what the last evaluation will take is known now: refuse before any work starts
            affordable_search(pair.n, masses, Order.at(masses.x, Epsilon(guess, None)), spread=_spread(wanted + 3))

    largest = math.log(top.exp.numerator) - math.log(top.exp.denominator) if top.exp else float(top.bounds(bits=64)[0])
    near = near_root(pair.n, masses, largest, target) if wanted <= _GUESSED_DIGITS else None
    root = None
    if near is not None:
        guess, good_digits = near
        affordable(guess)
        close = good_digits >= wanted
        root = certified_near(enclose, x=guess, epsilon0=top, delta=target, digits=wanted, accuracy=max(4, wanted - 1), close=close)
    if root is None:
        guess, good_digits, near_zero = initial_guess(pair.n, masses, top, target)
        affordable(guess)
        root = solve(
            enclose, epsilon0=top, delta=target, digits=wanted, guess=guess, guess_is_near_zero=near_zero, guess_digits=good_digits
        )
    return solved(OPTIMAL_PAIR, root, digits=wanted, inputs=inputs)


def renyi(*, n: Number, p: Number, beta: Number, q: Number, order: Number, digits: Number = 12, route: Route = "auto") -> Bound:
    """Renyi divergence of the optimal pair, enclosed: shuffled randomizers with H(p, beta, q) are (upper, order)-RDP (BEYOND.Renyi).

    n: users, 1 to 10^9; p: at least 1; beta in [0, 1]; q: at least 1; where they are not known exactly, round all three up; order: any
    number above 1, at most 10^6; digits: relative width of the enclosure at most 10^-digits, 1 to 1000; route: "moments", "counts", or
    whichever answers, moments first.
    Returns an enclosure, exactly 0 where beta is 0. Raises DomainError; RegimeError where p is infinite, and with it the divergence;
    ResourceLimitError (beyond about half a minute), UndecidedError.
    """
    from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import PairRenyi

    family, alpha = PairRenyi(n=n, p=p, beta=beta, q=q), renyi_order(order)
    wanted, inputs = count(digits, parameter="digits", maximum=1000), as_given(n=n, p=p, beta=beta, q=q, order=order)
    if family.pair.masses is None:
        return exactly(OPTIMAL_PAIR, "renyi", "0", Fraction(0), Fraction(0), inputs=inputs)
    lower, upper, bits = family.divergence(order=alpha, digits=wanted, route=route)
    return enclosed(OPTIMAL_PAIR, "renyi", lower, upper, digits=wanted, precision=bits, inputs=inputs)


def _enclose(n: int, masses: Masses, epsilon: Epsilon, digits: int) -> Evaluation:
    return refined(
        lambda bits, spread: evaluate(n=n, masses=masses, epsilon=epsilon, bits=bits, spread=spread),
        digits=digits,
        bits=math.ceil(3.33 * digits) + n.bit_length() + 32,
        spread=_spread(digits),
    )


def _spread(digits: int) -> float:
    return 2.31 * digits + 5


def _logarithm(ratio: int) -> Epsilon:
    return Epsilon(Fraction(0) if ratio == 1 else None, Fraction(ratio))
