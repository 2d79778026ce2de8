"""Shuffled binary randomized response on (0, ..., 0) and (1, 0, ..., 0), certified for any n: a lower bound (FMT21, appendix G).

With b the PMF of Bin(m, s), m = n - 1, s = 1/(T + 1), T = e^eps0: c^0(c) = (1 - s) b(c) + s b(c - 1), c^1(c) = s b(c) + (1 - s) b(c - 1).
So it is one of the pairs of `randomizer_lower` with two items, each direction of which is one binomial tail.

Renyi divergences (FMT21, section 6.1) sum both directions over a window of c; outside it the likelihood ratio is at most T either way, so
that what is left out of a moment is at most T^alpha times a binomial tail.
"""

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.lower.randomizer_lower import enclose, root
from shuffleproof.impl.ball.bounds.lower.randomizer_lower_classes import Two
from shuffleproof.impl.ball.numeric.arithmetic import UP_TO_1, ball, ends, exp_of, expm1_of, log_of, precision
from shuffleproof.impl.ball.numeric.binomial import mass_against, tail_against
from shuffleproof.impl.ball.numeric.results import certified, evaluated
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about
from shuffleproof.spec.vocabulary.methods.clones import BINARY_RR_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WINDOW = 3_000_000
"""Counts of a Renyi moment summed at most: about a minute at 12 digits."""
_ATTEMPTS = 6
"""Attempts, with more bits and a wider window each time, before the answer is refused."""
_TAIL_BITS = 32
"""Bits of what a window leaves out."""


@certified(BINARY_RR_PAIR)
def delta(*, n: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
    """The larger hockey-stick divergence of the pair at epsilon: no general delta is smaller (FMT21, Proposition G.1).

    It is one pair, and not always the worst one.
    """
    return Found.exactly(0) if epsilon >= epsilon0 else evaluated(enclose(_chances, n, epsilon0, epsilon, digits=digits + 1))


@certified(BINARY_RR_PAIR)
def epsilon(*, n: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
    """Least epsilon at which the pair has delta(epsilon) <= delta: no general epsilon is smaller; exactly epsilon0 at delta = 0."""
    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    if delta == 0:  # all reports 0 is T times as likely on one side
        return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
    return root(_chances, n, epsilon0, delta, top=epsilon0, digits=digits)


@certified(BINARY_RR_PAIR)
def renyi(*, n: int, epsilon0: Epsilon, order: Fraction, digits: int = 12) -> Found:
    """Renyi divergence of the pair, the larger of both directions: no general bound is smaller (FMT21, section 6.1)."""
    if epsilon0.exp == 1:
        return Found.exactly(0)
    largest = epsilon0.bounds(bits=64)[1]
    bits = math.ceil(3.33 * digits) + 3 * n.bit_length() + 2 * int(order).bit_length() + 64 + math.ceil(1.45 * float(largest))
    spread = 2.31 * digits + 12 + float(order) * float(min(largest, Fraction(700)))
    known = (Fraction(0), Fraction(0))
    for _ in range(_ATTEMPTS):
        with precision(bits):
            there, back = (value.log1p() / ball(order - 1) for value in _moments(n, epsilon0, order, spread))
            sides = ends(there), ends(back)
            known = max(low for low, _ in sides), max(high for _, high in sides)
        if known[0] > 0 and (known[1] - known[0]) * 10**digits <= known[1]:
            return Found(*known, precision=bits)
        bits, spread = bits + bits // 2, spread + 30
    raise UndecidedError(quantity="the Renyi divergence", enclosure=(str(float(known[0])), str(float(known[1]))), precision=bits)


def _chances(epsilon0: Epsilon) -> Two:
    """That a report is 1: s of any other one, 1 - s = s + (T - 1)/(T + 1) of the special one."""
    s = 1 / (exp_of(epsilon0) + 1)
    return Two(s, expm1_of(epsilon0) * s)


def _moments(n: int, epsilon0: Epsilon, order: Fraction, spread: float) -> tuple[arb, arb]:
    """The moments minus 1 in both directions: sum of q (L^alpha - 1 - alpha (L - 1)), terms that are never negative."""
    m, T, alpha = n - 1, exp_of(epsilon0), ball(order)
    s = 1 / (T + 1)
    low, high = _renyi_window(m, 1 / (1 + math.exp(min(float(log_of(epsilon0).mid()), 700.0))), spread)
    if high - low > LARGEST_WINDOW:
        what = f"a certified Renyi divergence for n = {n}"
        raise ResourceLimitError(what=what, needed=f"{about(high - low)} terms", limit=f"{LARGEST_WINDOW:.0e} terms, about a minute")
    here = mass_against(m, low, T)
    before = mass_against(m, low - 1, T) if low > 0 else arb(0)
    totals = [arb(0), arb(0)]
    for c in range(low, high + 1):
        zero, one = (1 - s) * here + s * before, s * here + (1 - s) * before
        for direction, (p, q) in enumerate(((zero, one), (one, zero))):
            ratio = p / q
            totals[direction] += q * ((alpha * ratio.log()).exp() - 1 - alpha * (ratio - 1))
        before, here = here, here * (m - c) / ((c + 1) * T) if c < m else arb(0)
    # Pr(c^0 < low) and Pr(c^1 < low) are at most Pr(Bin(m, s) < low), beyond high they are at most Pr(Bin(m, s) >= high).
    below, above = (tail_against(m, c, T, downward=down, bits=_TAIL_BITS) for c, down in ((low - 1, True), (high, False)))
    left_out = (below + above) * (alpha * log_of(epsilon0)).exp() * UP_TO_1
    return totals[0] + left_out, totals[1] + left_out


def _renyi_window(m: int, s: float, spread: float) -> tuple[int, int]:
    width = math.sqrt(2 * spread * m * s * (1 - s)) + spread
    return max(0, math.floor(m * s - width)), min(m + 1, math.ceil(m * s + width))
