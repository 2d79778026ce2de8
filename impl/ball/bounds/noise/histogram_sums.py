"""Certified sums for the two bins of the histogram at one epsilon: the masses P(S), Q(S) of the best event, and its mean total.

P and Q are the distributions of (1 + B_1, B_2) and (B_1, 1 + B_2), B_1, B_2 ~ Bin(N, g) independent, b their PMF, F their CDF, E =
e^epsilon. As b(c)/b(c - 1) = (N + 1 - c) g/(c (1 - g)), P > E Q at (u, v) exactly where E v (N + 1 - u) < u (N + 1 - v): the best event S =
{v <= t_u} is one and the same for every g, and t_u does not fall with u. So

    P(S) = sum over u of b(u - 1) F(t_u),     Q(S) = sum over u of b(u) F(t_u - 1),

summed by one pass over u in a window; a u outside it contributes at most b(u - 1), and those are added to the upper side.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail, mass
from shuffleproof.impl.ball.numeric.budget import spend
from shuffleproof.impl.ball.numeric.results import Evaluation
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WINDOW = 20_000_000
"""Counts u summed at most: about a minute at 15 digits."""


@dataclass(frozen=True, slots=True)
class TwoBins:
    """Holds what one pass knows.

    evaluation: the profile at E; moment: an upper bound on the sum of (P - E Q)^+ (u + v - 1), if it was asked for.
    """

    evaluation: Evaluation
    moment: Fraction | None


def evaluate(n: int, g: Fraction, epsilon: Epsilon, *, bits: int, spread: float, moment: bool) -> TwoBins:
    """One pass with working precision `bits` (the caller sets it) over a window that leaves out about e^-spread of the value.

    n: users who send noise, at least 1; 0 < g < 1; epsilon below ln(n^2), from where the profile is at its floor; moment:
    whether it is asked for. Raises UndecidedError where the precision does not settle a threshold, ResourceLimitError for a window above
    2 * 10^7.
    """
    low, high = _window(n, g, epsilon, spread)
    spend(high - low + 1, each=3 + bits / 250, bits=0, what=f"certified sums over two bins for n = {n}")
    E_low, E_high, scale = _order(epsilon, bits)
    E, odds = exp_of(epsilon), ball(g / (1 - g))

    def below(u: int, v: int) -> bool:
        """E v (n + 1 - u) < u (n + 1 - v), v >= 0."""
        left, right = v * (n + 1 - u), scale * u * (n + 1 - v)
        if E_high * left < right:
            return True
        if E_low * left >= right:
            return False
        raise UndecidedError(quantity="a threshold of the two bins", enclosure=("0", str(n)), precision=bits)

    t = _first_threshold(n, low, below)
    before, here = mass(n, g, low - 1), mass(n, g, low)  # b(u - 1), b(u)
    at, under = mass(n, g, t), lower_tail(n, g, t - 1, bits=bits)  # b(t), F(t - 1)
    first_under = _first_moment(n, g, t - 1, bits) if moment else arb(0)  # sum of v b(v) up to t - 1
    in_p, in_q, moment_p, moment_q = arb(0), arb(0), arb(0), arb(0)
    for u in range(low, high + 1):
        while t < n and below(u, t + 1):
            under += at
            if moment:
                first_under += t * at
            t += 1
            at = at * (n - t + 1) * odds / t
        up_to = under + at
        in_p += before * up_to
        in_q += here * under
        if moment:
            moment_p += before * ((u - 1) * up_to + first_under + t * at)
            moment_q += here * (u * under + first_under)
        before, here = here, here * (n - u) * odds / (u + 1)
    outside = _outside(n, g, low, high, bits)
    excess = in_p - E * in_q
    evaluation = Evaluation(E, excess, in_q, max(lower_end(excess), Fraction(0)), upper_end(excess + outside), bits)
    return TwoBins(evaluation, upper_end(moment_p - E * moment_q + 2 * n * outside) if moment else None)


def likely_exponent(n: int, g: Fraction, epsilon: Epsilon) -> float:
    """About ln(1/delta), to place the window; nothing is trusted to it."""
    size, variance = float(epsilon.bounds(bits=64)[1]), float(n * g * (1 - g))
    rarer = min(g, 1 - g)
    return min(size * size * variance / 4, -n * math.log1p(-float(rarer)))


def _window(n: int, g: Fraction, epsilon: Epsilon, spread: float) -> tuple[int, int]:
    reach = likely_exponent(n, g, epsilon) + spread
    centre, width = float(n * g), math.sqrt(2 * reach * float(n * g * (1 - g))) + reach
    low, high = max(1, math.floor(centre - width)), min(n + 1, math.ceil(centre + width) + 1)
    if high - low > LARGEST_WINDOW:
        what = f"certified sums over two bins for n = {n}"
        raise ResourceLimitError(what=what, needed=f"{about(high - low)} terms", limit=f"{LARGEST_WINDOW:.0e} terms")
    return low, high


def _order(epsilon: Epsilon, bits: int) -> tuple[int, int, int]:
    """Integers with low/scale <= E <= high/scale."""
    low, high = epsilon.exp_bounds(bits=bits)
    scale = math.lcm(low.denominator, high.denominator)
    return int(low * scale), int(high * scale), scale


def _first_threshold(n: int, u: int, below: Callable[[int, int], bool]) -> int:
    """The largest v in 0..n with below(u, v); below(u, 0) always holds for u >= 1."""
    good, bad = 0, n + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if below(u, middle) else (good, middle)
    return good


def _first_moment(n: int, g: Fraction, t: int, bits: int) -> arb:
    """The sum of v b(v) for v <= t: n g Pr(Bin(n - 1, g) < t)."""
    return ball(n * g) * lower_tail(n - 1, g, t - 1, bits=bits) if n > 1 else (ball(g) if t >= 1 else arb(0))


def _outside(n: int, g: Fraction, low: int, high: int, bits: int) -> arb:
    """Pr(1 + B_1 outside low..high), from above."""
    small = lower_tail(n, g, low - 2, bits=bits)
    large = lower_tail(n, 1 - g, n - high, bits=bits)  # B_1 >= high
    return small + large
