"""The closed form for shuffled (epsilon0, delta0)-DP local randomizers, certified (FMT21, Theorem 3.8)."""

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.evaluation import MOST_BITS, shown
from shuffleproof.impl.ball.numeric.results import enclosed
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.clones import APPROX_CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, probability
from shuffleproof.spec.vocabulary.refusals import outside_approx_closed_form

_MOST_STEPS = 2000
"""Iterations at most: they converge linearly. Where they do not, the lower end stays open; the upper one holds after any."""


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number, digits: int = 15) -> Bound:
    """The least epsilon of equation (1) whose delta' + (e^epsilon + 1)(1 + e^-epsilon0/2) n delta0 is at most delta, enclosed.

    It is equation (1) at the largest such delta' (FMT21, Theorem 3.8).
    n: users, at least 1; epsilon0 in [0, 10000]; delta0 in [0, 1]; delta in [0, 1]; digits: relative width of the enclosure at most
    10^-digits, 1 to 1000. Returns an enclosure; every sequence of (epsilon0, delta0)-DP local randomizers run on shuffled data is
    (upper, delta)-DP. Raises RegimeError unless there is such a delta' with epsilon0 <= ln(n/(16 ln(2/delta'))), DomainError.
    """
    users, local = count(n, parameter="n"), epsilon0_parameter(epsilon0)
    failure, target = probability(delta0, parameter="delta0"), probability(delta, parameter="delta")
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, eps0=epsilon0, delta0=delta0, delta=delta)
    bits = math.ceil(3.33 * wanted) + users.bit_length() + 2 * int(local.bounds(bits=16)[1]) + 128
    while bits <= MOST_BITS:
        with precision(bits):
            above, below = _largest_delta(users, local, failure, target, digits=wanted + 4)
            if below is None or not _in_regime(users, local, below):
                raise outside_approx_closed_form(inner=shown(max(Fraction(0), above), "down"), epsilon0=str(epsilon0))
            lower, upper = ends(_equation_1(users, local, above))[0], ends(_equation_1(users, local, below))[1]
        if (upper - lower) * 10 ** (wanted + 1) <= upper:
            return enclosed(APPROX_CLONES_CLOSED_FORM, "epsilon", lower, upper, digits=wanted, precision=bits, inputs=inputs)
        bits *= 2
    raise UndecidedError(quantity="epsilon", enclosure=(shown(lower, "down"), shown(upper, "up")), precision=bits)


def _largest_delta(n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction, *, digits: int) -> tuple[Fraction, Fraction | None]:
    """Bounds on the largest delta' with delta' + (e^eps(delta') + 1) slope <= delta; the lower one, None if not found, is one of them.

    From above: delta' <= delta - (e^eps(x) + 1) slope for every x >= delta', and the iteration of this falls to the largest solution.
    """
    slope = (1 + 1 / (2 * exp_of(epsilon0))) * ball(n * delta0)
    x = delta
    for _ in range(_MOST_STEPS):
        if x <= 0:
            return x, None
        x = min(x, upper_end(ball(delta) - (_equation_1(n, epsilon0, x).exp() + 1) * slope))
        below = x * (1 - Fraction(1, 10**digits))
        if below > 0:
            total = ball(below) + (_equation_1(n, epsilon0, below).exp() + 1) * slope
            if upper_end(total) <= delta:
                return x, _short(below)
    return x, None


def _short(x: Fraction) -> Fraction:
    return lower_end(ball(x))


def _in_regime(n: int, epsilon0: Epsilon, delta: Fraction) -> bool:
    """16 T ln(2/delta) <= n, certified; what cannot be certified counts as outside."""
    return upper_end(16 * exp_of(epsilon0) * ball(2 / delta).log()) <= n


def _equation_1(n: int, epsilon0: Epsilon, delta: Fraction) -> arb:
    T = exp_of(epsilon0)
    clones = 8 * (T * ball(4 / delta).log() / n).sqrt() + 8 * T / n
    return (expm1_of(epsilon0) / (T + 1) * clones).log1p()
