"""Shuffled (epsilon0, delta0)-DP local randomizers, certified for any n: FMT21, Theorem 3.8, with the clones pair's own profile or (1).

The clones profile plus the price of delta0: g(E) = D_E(clones pair) + slope (E + 1) + once, E = e^eps, is convex but not monotone. What
holds at a smaller epsilon holds at a larger one too, so delta(eps) is the least g up to eps. An evaluation of D_E with its event S gives
one of g, with Q(S) - slope in place of Q(S).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from flint import arb

from shuffleproof.impl.ball.bounds.clones.clones import counted, equation_1
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_search import enclose
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, narrowed, shown
from shuffleproof.impl.ball.numeric.root import ZERO, solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import APPROX_CLONES, APPROX_CLONES_CLOSED_FORM, STRONGER_APPROX_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones, outside_approx_closed_form

Cost = Callable[[int, arb, Fraction], tuple[arb, arb]]
"""(slope, once) for n users, T = e^epsilon0 and delta0, at the current precision."""
_CLONES_ODDS_FACTOR = 1
"""The odds factor of FMT21's clones pair, whose profile Theorem 3.8 starts from (clones.py)."""
_MOST_STEPS = 400
"""Points tried at most: more than halving down to the last of 96 bits takes. What is then known is returned."""
_MOST_ITERATIONS = 2000
"""Iterations of the closed form at most: they converge linearly. Where they do not, the lower end stays open; the upper one holds."""
_POINT_BITS = 96
"""Bits of the points at which g is evaluated; near its minimum g is flat, so that half as many digits of the point do."""


@dataclass(frozen=True)
class ApproxClones:
    """The clones pair's delta' with what delta0 costs."""

    method: Method
    cost: Cost

    @certified()
    def delta(self, *, n: int, epsilon0: Epsilon, delta0: Fraction, epsilon: Epsilon, inputs: Mapping[str, str], digits: int = 15) -> Found:
        """Return the least delta'(epsilon') + slope (e^epsilon' + 1) + once over epsilon' <= epsilon, delta' the clones pair's.

        From epsilon0 on it is delta0, which holds without shuffling. Raises ResourceLimitError for n above about 10^12.
        """
        if epsilon >= epsilon0:
            return Found.exactly(delta0, inputs["delta0"])
        found = _Total(n, epsilon0, delta0, self.cost).least(epsilon, digits=digits + 1)
        return Found.exactly(1) if found.lower >= 1 else Found(found.lower, min(found.upper, Fraction(1)), precision=found.bits)

    @certified()
    def epsilon(
        self, *, n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 15
    ) -> Found:
        """Return the least epsilon at which that delta is at most delta: epsilon0 itself where there is none below it.

        Raises RegimeError where delta < delta0, for which no epsilon is enough.
        """
        total, top = _Total(n, epsilon0, delta0, self.cost), epsilon0
        if delta < delta0:
            raise no_epsilon_for_approx_clones(self.method, delta0=inputs["delta0"], delta=inputs["delta"])
        if delta == 1 or epsilon0.exp == 1:
            return Found.exactly(0)
        if delta == 0:
            return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
        if delta0:
            least = total.least(epsilon0, digits=digits + 4, enough=delta)
            if least.lower > delta:
                return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
            if least.upper > delta:  # delta is the least g itself, as far as can be decided
                return Found(Fraction(0), epsilon0.bounds(bits=4 * digits + 16)[1], False, least.bits)
            if least.at == 0:
                return Found.exactly(0)
            top = Epsilon(least.at, None)
        try:
            return solve(total.enclose, epsilon0=top, delta=delta, digits=digits, guess=total.guess(top, delta))
        except UndecidedError:
            if not delta0:
                raise
            return Found(Fraction(0), top.bounds(bits=64)[1], False)  # the slope vanishes at the root; top is certified


@dataclass(frozen=True)
class _Least:
    """The least g up to some epsilon lies in [lower, upper]; upper is certified at the epsilon `at`."""

    lower: Fraction
    upper: Fraction
    at: Fraction
    bits: int


@dataclass(frozen=True)
class _Total:
    """g for these parameters."""

    n: int
    epsilon0: Epsilon
    delta0: Fraction
    cost: Cost

    def enclose(self, epsilon: Epsilon, digits: int) -> Evaluation:
        """g at epsilon < epsilon0, to a relative width of at most 10^-digits."""
        found = enclose(partial(counted, self.n, _CLONES_ODDS_FACTOR, self.epsilon0), self.n, epsilon, digits, tangent=True)
        with precision(2 * found.bits + 64):
            slope, once = self.cost(self.n, exp_of(self.epsilon0), self.delta0)
            more = slope * (exp_of(epsilon) + 1) + once
            return replace(
                found,
                excess=found.excess + more,
                in_q=found.in_q - slope,
                lower=found.lower + lower_end(more),
                upper=found.upper + upper_end(more),
            )

    def guess(self, top: Epsilon, delta: Fraction) -> Fraction:
        """Where to start, below top: from twice the deviation of the privacy loss; nothing depends on it but speed."""
        ceiling = top.bounds(bits=64)[0] * Fraction(9, 10)
        a = float(min(self.epsilon0.bounds(bits=64)[1], Fraction(300)))
        wanted = math.log(delta.denominator) - math.log(delta.numerator)
        start = math.log1p(2 * math.tanh(a / 2) * math.sqrt(2 * math.exp(a) * wanted / self.n))
        return ceiling if start == 0 else min(ceiling, Fraction(start))

    def least(self, epsilon: Epsilon, *, digits: int, enough: Fraction | None = None) -> _Least:
        """The least g on [0, epsilon], or below epsilon0 if epsilon is that; `enough`: a value at which a falling g need not fall further.

        Bisection on the sign of g's slope; two tangents bound g from below between the last two points.
        """
        if epsilon < self.epsilon0:
            there = self.enclose(epsilon, digits)
            if there.in_q >= 0:  # still falling, so that the tangent is lowest here
                return _Least(max(Fraction(0), lower_end(there.excess)), there.upper, epsilon.bounds(bits=_POINT_BITS)[1], there.bits)
            high, rising = epsilon.bounds(bits=_POINT_BITS)[1], there
        else:
            high, rising = epsilon.bounds(bits=_POINT_BITS)[1], None
        falling = self.enclose(ZERO, digits)
        low = Fraction(0)
        if not falling.in_q > 0:
            return _Least(falling.lower, falling.upper, low, falling.bits)
        for _ in range(_MOST_STEPS):
            upper, at = min((known.upper, x) for known, x in ((falling, low), (rising, high)) if known is not None)
            if enough is not None and falling.upper <= enough:
                return _Least(Fraction(0), falling.upper, low, falling.bits)
            lower = _lowest(falling, rising, Epsilon(high, None))
            if (upper - lower) * 10**digits <= upper or (enough is not None and lower > enough):
                return _Least(lower, upper, at, falling.bits)
            x = _between(low, high)
            if x <= low or not Epsilon(x, None) < self.epsilon0:
                break
            at_x = self.enclose(Epsilon(x, None), digits)
            if at_x.in_q > 0:
                low, falling = x, at_x
            else:
                high, rising = x, at_x
        return _Least(lower, upper, at, falling.bits)


def _lowest(falling: Evaluation, rising: Evaluation | None, high: Epsilon) -> Fraction:
    """Where the tangents of a falling and a rising point meet; without a rising point, the falling one's tangent at the end."""
    if rising is None:
        with precision(2 * falling.bits):
            return max(Fraction(0), falling.lower_at(exp_of(high)))
    with precision(2 * max(falling.bits, rising.bits)):
        width, slopes = rising.E - falling.E, falling.in_q - rising.in_q
        if not (slopes > 0 and rising.in_q < 0):
            return Fraction(0)
        # l(E) = excess + (E_0 - E) in_q for both; the first line at the crossing.
        step = (falling.excess - rising.excess - width * rising.in_q) / slopes
        return max(Fraction(0), lower_end(falling.excess - step * falling.in_q))


def _between(low: Fraction, high: Fraction) -> Fraction:
    """The next point: by halves, or by quarters while the scale is not known."""
    x = (low + high) / 2 if 4 * low > high else (high / 4 if low == 0 else 2 * low)
    with precision(_POINT_BITS):
        middle = ball(x).mid()
        return lower_end(arb(middle))


def _printed_cost(n: int, T: arb, delta0: Fraction) -> tuple[arb, arb]:
    return (1 + 1 / (2 * T)) * ball(n * delta0), arb(0)


def _smaller_cost(n: int, T: arb, delta0: Fraction) -> tuple[arb, arb]:
    return 3 / (2 * T) * ball((n - 1) * delta0), ball(delta0)


FMT21 = ApproxClones(APPROX_CLONES, _printed_cost)
"""Theorem 3.8 as printed."""
stronger_approx_clones = ApproxClones(STRONGER_APPROX_CLONES, _smaller_cost)
"""With the smaller price of delta0 (FMT21.Thm3.8-constant)."""
delta, epsilon = FMT21.delta, FMT21.epsilon


@certified(APPROX_CLONES_CLOSED_FORM)
def epsilon_closed_form(
    *, n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 15
) -> Found:
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
    for _ in range(_MOST_ITERATIONS):
        if x <= 0:
            return x, None
        x = min(x, upper_end(ball(delta) - (equation_1(n, epsilon0, x).exp() + 1) * slope))
        below = x * (1 - Fraction(1, 10**digits))
        if below > 0:
            total = ball(below) + (equation_1(n, epsilon0, below).exp() + 1) * slope
            if upper_end(total) <= delta:
                return x, lower_end(ball(below))
    return x, None


def _in_regime(n: int, epsilon0: Epsilon, delta: Fraction) -> bool:
    """16 T ln(2/delta) <= n, certified; what cannot be certified counts as outside."""
    return upper_end(16 * exp_of(epsilon0) * ball(2 / delta).log()) <= n
