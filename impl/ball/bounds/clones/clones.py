"""The clones bound, certified for any n: FMT21, Theorem 3.2, by ball arithmetic; every pair of its family; and FMT21's closed form.

A pair of this family is the clones pair with C ~ Bin(n - 1, p), p/(1 - p) = k/(e^eps0 - 1), for a whole number k, its odds factor:
k = 1 is p = e^-eps0 (FMT21, Theorem 3.2), k = 2 is p = 2/(e^eps0 + 1) (BEYOND.CorF2). Given C, all of them are the same pair.

It is the optimal pair for the ratio T = e^eps0 and beta = (T - 1)/(T + 1), where no report leaves both inputs as likely: with M the
multinomial mass of n draws, each a or b with mass p/2, P = M 2 (T a + b)/((T + 1) p n). So its sums are those of three counts, the third
of which is always 0 (three_counts.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair as ThreeCounts, log_expectation
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_search import enclose, initial_guess, root
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision
from shuffleproof.impl.ball.numeric.results import certified, evaluated, narrowed, surely_at_most
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, CLONES_CLOSED_FORM, STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.clones.renyi_family import Route

_FARTHEST = 30.0
"""Units of epsilon0 beyond epsilon up to which one is looked for."""
_HALVINGS = 20
"""Bisections of that: down to 3e-5, below Chernoff's own error."""
_GUESS_BITS = 256
"""Bits of a pair before it becomes floats: e^epsilon0 - e^epsilon cancels there."""


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
        if epsilon >= epsilon0:
            return Found.exactly(0)
        return evaluated(enclose(partial(counted, n, self.odds_factor, epsilon0), n, epsilon, digits + 1))

    @certified()
    def epsilon(self, *, n: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
        """Return the least epsilon at which the pair's delta is at most delta: delta(lower) > delta >= delta(upper) is certified.

        Exactly epsilon0 at delta = 0, and 0 where delta >= delta(0) is certified.
        """
        if delta == 1 or epsilon0.exp == 1:
            return Found.exactly(0)
        if delta == 0:  # C = 0 has positive probability, and there the likelihood ratio is e^eps0 itself
            return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
        make = partial(counted, n, self.odds_factor, epsilon0)
        return root(make, n=n, top=epsilon0, delta=delta, digits=digits, start=initial_guess(make, n, epsilon0, delta))

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


def counted(n: int, odds_factor: int, epsilon0: Epsilon) -> ThreeCounts:
    """The pair at the current precision, epsilon0 > 0: P = scale M (a + L), L = (a + b)/(T - 1)."""
    T_minus_1 = expm1_of(epsilon0)
    odds, y = T_minus_1 / odds_factor if n > 1 else arb(0), 1 / T_minus_1  # of one user p decides nothing: 1, so that a tie is one
    p = 1 / (1 + odds)
    return ThreeCounts(n=n, r=p / 2, g=arb(0), none=odds * p, scale=2 * T_minus_1 / ((T_minus_1 + 2) * p * n), w=arb(1), y=y, h=arb(0))


def rough_epsilon0(*, n: int, odds_factor: int, epsilon: Fraction, delta: Fraction) -> float:
    """About the epsilon0 at which delta(epsilon) is delta, by Chernoff's bound."""
    wanted, low, high = math.log(delta.numerator) - math.log(delta.denominator), float(epsilon), float(epsilon) + _FARTHEST
    for _ in range(_HALVINGS):
        at = (low + high) / 2
        with precision(_GUESS_BITS):
            reached = log_expectation(counted(n, odds_factor, Epsilon(Fraction(at), None)), expm1_of(Epsilon(epsilon, None)))
        low, high = (at, high) if reached < wanted else (low, at)
    return high


FMT21 = Pair(CLONES, 1)
"""The clones pair: p = e^-epsilon0 (FMT21, Theorem 3.2)."""
stronger_clones = Pair(STRONGER_CLONES, 2)
"""The stronger clones pair: p = 2/(e^epsilon0 + 1) (BEYOND.CorF2, FMT23's general pair)."""
delta, epsilon, renyi = FMT21.delta, FMT21.epsilon, FMT21.renyi


@certified(CLONES_CLOSED_FORM)
def epsilon_closed_form(*, n: int, epsilon0: Epsilon, delta: Fraction, inputs: Mapping[str, str], digits: int = 15) -> Found:
    """ln(1 + (T - 1)/(T + 1) (8 sqrt(T ln(4/delta))/sqrt(n) + 8 T/n)), T = e^epsilon0 (FMT21, Theorem 3.1, equation (1)).

    Raises RegimeError unless epsilon0 <= ln(n/(16 ln(2/delta))) is certified: 16 T ln(2/delta) <= n.
    """
    lost = 2 * int(epsilon0.bounds(bits=16)[1])
    if not delta or not surely_at_most(lambda: 16 * exp_of(epsilon0) * ball(2 / delta).log(), n, more_bits=lost):
        with precision(64):
            limit = decimal_text(lower_end((n / (16 * ball(2 / delta).log())).log()), digits=6, direction="down") if delta else "-infinity"
        from shuffleproof.spec.vocabulary.refusals import outside_closed_form

        raise outside_closed_form(limit=limit, epsilon0=inputs["eps0"])
    bits = math.ceil(3.33 * digits) + n.bit_length() + 64
    return narrowed(lambda: ends(equation_1(n, epsilon0, delta)), digits=digits + 1, bits=bits, quantity="epsilon")


def equation_1(n: int, epsilon0: Epsilon, delta: Fraction) -> arb:
    """The closed form at the current precision."""
    T = exp_of(epsilon0)
    clones = 8 * (T * ball(4 / delta).log() / n).sqrt() + 8 * T / n
    return (expm1_of(epsilon0) / (T + 1) * clones).log1p()
