"""The clones bound, certified for any n: FMT21, Theorem 3.2, by ball arithmetic; and every pair of its family.

A pair of this family is the clones pair with C ~ Bin(n - 1, p), p/(1 - p) = k/(e^eps0 - 1), for a whole number k, its odds factor:
k = 1 is p = e^-eps0 (FMT21, Theorem 3.2), k = 2 is p = 2/(e^eps0 + 1) (BEYOND.CorF2). Given C, all of them are the same pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.impl.ball.bounds.clones.clones_guess import initial_guess
from shuffleproof.impl.ball.bounds.clones.clones_sums import evaluate
from shuffleproof.impl.ball.numeric.evaluation import Evaluation, refined
from shuffleproof.impl.ball.numeric.results import certified, evaluated
from shuffleproof.impl.ball.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.clones.renyi_family import Route

_SAFELY_ABOVE_ZERO = 20
"""The root is not near 0 where delta is below a twentieth of the guessed delta(0), and the guess is nearer than that. A
wrong one ends in an error, not in a wrong answer (root.py)."""


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
