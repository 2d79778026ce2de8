"""Renyi divergences of shuffled binary randomized response on one neighbouring pair, certified: a lower side (FMT21, section 6.1).

c^0(c) = (1 - s) b(c) + s b(c - 1) and c^1(c) = s b(c) + (1 - s) b(c - 1) with b the mass function of Bin(m, s), m = n - 1, s = 1/(T + 1).
Both directions are summed over a window of c; outside it the likelihood ratio is at most T either way, so what is left out of a moment
is at most T^alpha times a binomial tail.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, log_of, precision
from shuffleproof.impl.ball.numeric.binomial import mass_against
from shuffleproof.impl.ball.numeric.results import enclosed, exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.methods import BINARY_RR_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, renyi_order

LARGEST_WINDOW = 3_000_000
_ATTEMPTS = 6
_BETWEEN = arb(0.5, 0.5)


def renyi(*, n: Number, epsilon0: Number | Epsilon, order: Number, digits: Number = 12) -> Bound:
    """Renyi divergence of the pair, the larger of both directions: no general bound is smaller (FMT21, section 6.1).

    n: users, at least 1; epsilon0 in [0, 10000]; order: any number above 1, at most 10^6; digits: relative width of the enclosure at most
    10^-digits, 1 to 1000. Returns an enclosure whose claim is a lower bound. Raises DomainError, ResourceLimitError, UndecidedError.
    """
    users, local, alpha = count(n, parameter="n"), epsilon0_parameter(epsilon0), renyi_order(order)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, eps0=epsilon0, order=order)
    if local.exp == 1:
        return exactly(BINARY_RR_PAIR, "renyi", "0", Fraction(0), Fraction(0), inputs=inputs)
    bits = (
        math.ceil(3.33 * wanted)
        + 3 * users.bit_length()
        + 2 * int(alpha).bit_length()
        + 64
        + math.ceil(1.45 * float(local.bounds(bits=64)[1]))
    )
    spread = 2.31 * wanted + 12 + float(alpha) * float(min(local.bounds(bits=64)[1], Fraction(700)))
    known = (Fraction(0), Fraction(0))
    for _ in range(_ATTEMPTS):
        with precision(bits):
            there, back = (value.log1p() / ball(alpha - 1) for value in _moments(users, local, alpha, spread))
            sides = ends(there), ends(back)
            known = max(low for low, _ in sides), max(high for _, high in sides)
        if known[0] > 0 and (known[1] - known[0]) * 10**wanted <= known[1]:
            return enclosed(BINARY_RR_PAIR, "renyi", *known, digits=wanted, precision=bits, inputs=inputs)
        bits, spread = bits + bits // 2, spread + 30
    raise UndecidedError(quantity="the Renyi divergence", enclosure=(str(float(known[0])), str(float(known[1]))), precision=bits)


def _moments(n: int, epsilon0: Epsilon, order: Fraction, spread: float) -> tuple[arb, arb]:
    """The moments minus 1 in both directions: sum of q (L^alpha - 1 - alpha (L - 1)), terms that are never negative."""
    m, T, alpha = n - 1, exp_of(epsilon0), ball(order)
    s = 1 / (T + 1)
    low, high = _window(m, 1 / (1 + math.exp(min(float(log_of(epsilon0).mid()), 700.0))), spread)
    if high - low > LARGEST_WINDOW:
        what = f"a certified Renyi divergence for n = {n}"
        raise ResourceLimitError(what=what, needed=f"{high - low:.1e} terms", limit=f"{LARGEST_WINDOW:.0e} terms, about a minute")
    here = mass_against(m, low, T)
    before = mass_against(m, low - 1, T) if low > 0 else arb(0)
    totals = [arb(0), arb(0)]
    for c in range(low, high + 1):
        zero, one = (1 - s) * here + s * before, s * here + (1 - s) * before
        for direction, (p, q) in enumerate(((zero, one), (one, zero))):
            ratio = p / q
            totals[direction] += q * ((alpha * ratio.log()).exp() - 1 - alpha * (ratio - 1))
        before, here = here, here * (m - c) / ((c + 1) * T) if c < m else arb(0)
    left_out = (_tail_below(m, low, T) + _tail_above(m, high, T)) * (alpha * log_of(epsilon0)).exp()
    return totals[0] + left_out * _BETWEEN, totals[1] + left_out * _BETWEEN


def _window(m: int, s: float, spread: float) -> tuple[int, int]:
    width = math.sqrt(2 * spread * m * s * (1 - s)) + spread
    return max(0, math.floor(m * s - width)), min(m + 1, math.ceil(m * s + width))


def _tail_below(m: int, low: int, T: arb) -> arb:
    """Pr(c^0 < low) and Pr(c^1 < low) from above: both are at most Pr(Bin(m, s) < low)."""
    if low == 0:
        return arb(0)
    ratio = (low - 1) * T / (m - low + 2)
    return mass_against(m, low - 1, T) / (1 - ratio) if ratio < 1 else arb(1)


def _tail_above(m: int, high: int, T: arb) -> arb:
    """Pr(c^0 > high) and Pr(c^1 > high) from above: both are at most Pr(Bin(m, s) >= high)."""
    if high > m:
        return arb(0)
    ratio = (m - high) / ((high + 1) * T)
    return mass_against(m, high, T) / (1 - ratio) if ratio < 1 else arb(1)
