"""The closed form for shuffled (epsilon0, delta0)-DP local randomizers, certified (FMT21, Theorem 3.8)."""

import math
from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.impl.ball.bounds.clones.clones_closed_form import equation_1
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, lower_end, upper_end
from shuffleproof.impl.ball.numeric.results import certified, narrowed, shown
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.clones import APPROX_CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import outside_approx_closed_form

_MOST_STEPS = 2000
"""Iterations at most: they converge linearly. Where they do not, the lower end stays open; the upper one holds after any."""


@certified(APPROX_CLONES_CLOSED_FORM)
def epsilon(*, n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 15) -> Found:
    """The least epsilon of equation (1) whose delta' + (e^epsilon + 1)(1 + e^-epsilon0/2) n delta0 is at most delta (FMT21, Theorem 3.8).

    It is equation (1) at the largest such delta'. Raises RegimeError unless there is one with epsilon0 <= ln(n/(16 ln(2/delta'))).
    """

    def sides() -> tuple[Fraction, Fraction]:
        above, below = _largest_delta(n, epsilon0, delta0, delta, digits=digits + 4)
        if below is None or not _in_regime(n, epsilon0, below):
            raise outside_approx_closed_form(inner=shown(max(Fraction(0), above), "down"), epsilon0=inputs["eps0"])
        return ends(equation_1(n, epsilon0, above))[0], ends(equation_1(n, epsilon0, below))[1]

    bits = math.ceil(3.33 * digits) + n.bit_length() + 2 * int(epsilon0.bounds(bits=16)[1]) + 128
    return narrowed(sides, digits=digits + 1, bits=bits, quantity="epsilon")


def _largest_delta(n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction, *, digits: int) -> tuple[Fraction, Fraction | None]:
    """Bounds on the largest delta' with delta' + (e^eps(delta') + 1) slope <= delta; the lower one, None if not found, is one of them.

    From above: delta' <= delta - (e^eps(x) + 1) slope for every x >= delta', and the iteration of this falls to the largest solution.
    """
    slope = (1 + 1 / (2 * exp_of(epsilon0))) * ball(n * delta0)
    x = delta
    for _ in range(_MOST_STEPS):
        if x <= 0:
            return x, None
        x = min(x, upper_end(ball(delta) - (equation_1(n, epsilon0, x).exp() + 1) * slope))
        below = x * (1 - Fraction(1, 10**digits))
        if below > 0:
            total = ball(below) + (equation_1(n, epsilon0, below).exp() + 1) * slope
            if upper_end(total) <= delta:
                return x, _short(below)
    return x, None


def _short(x: Fraction) -> Fraction:
    return lower_end(ball(x))


def _in_regime(n: int, epsilon0: Epsilon, delta: Fraction) -> bool:
    """16 T ln(2/delta) <= n, certified; what cannot be certified counts as outside."""
    return upper_end(16 * exp_of(epsilon0) * ball(2 / delta).log()) <= n
