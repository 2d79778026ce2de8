"""The privacy profile of a histogram to which the shuffler adds fake users, in float64 with sound sides (BEYOND.fake-users).

Two bins with noise Bin(f, p), b its masses and F its sums, one count up and one down: P > E Q at (u, v) exactly where
E v (f + 1 - u) < u (f + 1 - v), so that with t_u the last such v

    D_E = sum over u of b(u - 1) F(t_u) - E b(u) F(t_u - 1).

Where rounding may put the cell next to t_u on the wrong side, its ratio is E but for some roundings: it is worth so many of its masses.
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.noise.noise_window import Sides, Window, binomial_window, delta_of, epsilon_of, order, widening
from shuffleproof.impl.fast.numeric.results import U, accumulated, decimal_of, in_floats, out_of_range, working
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.protocols import FAKE_USERS
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_fake_users

LARGEST_FAKES = 10**10
"""Fake users at most: windows of 4 10^6 outcomes hold what counts of so many."""
_LONGEST = 20_000
"""Bits of a power that is computed exactly."""


@in_floats(FAKE_USERS)
def delta(*, n: int, fakes: int, p: Fraction, epsilon: Epsilon) -> Found:
    """Two sides on the least delta for which the histogram is (epsilon, delta)-DP with two bins or more, for epsilon up to 600.

    n users change nothing; fakes: at most 10^10. Only the upper side says something below about 1e-200 (BEYOND.fake-users).
    """
    _require_few(fakes)
    return Found.exactly(1) if p in (0, 1) else delta_of(_profile(fakes, p), epsilon)


@in_floats(FAKE_USERS)
def epsilon(*, n: int, fakes: int, p: Fraction, delta: Fraction, inputs: Mapping[str, str]) -> Found:
    """Two sides on the least epsilon for which the histogram is (epsilon, delta)-DP; delta 1, or from 1e-200 on (BEYOND.fake-users).

    Raises RegimeError where delta is below p^f + (1 - p)^f - (p (1 - p))^f: no epsilon is enough.
    """
    _require_few(fakes)
    if delta == 1:
        return Found.exactly(0)
    if delta < _floor(fakes, p):
        raise no_epsilon_for_fake_users(delta=inputs["delta"])
    found = epsilon_of(_profile(fakes, p), delta)
    if found is None:
        raise out_of_range("delta is next to the probability that a count gives the data away")
    return found


def _floor(fakes: int, p: Fraction) -> Fraction:
    """p^f + (1 - p)^f - (p (1 - p))^f where that is short; else a little less than the larger of the first two."""
    if p in (0, 1):
        return Fraction(1)
    if fakes * p.denominator.bit_length() <= _LONGEST:
        return p**fakes + (1 - p) ** fakes - (p * (1 - p)) ** fakes
    with working():
        return Fraction(float((fakes * decimal_of(max(p, 1 - p)).ln()).exp()) * (1 - 4 * U))


def _profile(fakes: int, p: Fraction) -> Sides:
    """p and 1 - p agree."""
    return widening(
        lambda exponent: binomial_window(fakes, min(p, 1 - p), exponent=exponent), lambda window, epsilon: _sides(window, fakes, epsilon)
    )


def _sides(window: Window, fakes: int, epsilon: Epsilon) -> tuple[float, float]:
    E, slack = order(epsilon)
    u = np.arange(window.first, window.first + len(window.masses) + 1, dtype=np.int64)
    u = u[u >= 1]
    exact = u.astype(np.float64)
    t = np.floor(exact * (fakes + 1) / (E * (fakes + 1 - exact) + exact)).astype(np.int64)  # E v (f + 1 - u) <= u (f + 1 - v)
    before, here = window.at(u - 1), window.at(u)
    in_p, in_q = before * window.up_to(t), here * window.up_to(t - 1)
    error = 2 * window.error + slack + accumulated(len(u) + 8)
    P, Q = float(in_p.sum()), E * float(in_q.sum())
    steep = np.divide(exact, E * (fakes + 1 - exact), out=np.zeros(len(u)), where=u <= fakes)  # of ln(P/Q) in ln v, less 1
    near = float((before * window.up_to(t + 1) * (1 + steep)).sum()) * 64 * U  # cells next to t_u: their ratio is E but for roundings
    low = P * (1 - error) - Q * (1 + error) - near - 4 * E * window.outside
    high = P * (1 + error) - Q * (1 - error) + near + 4 * window.outside
    return max(low * (1 - 4 * U), 0.0), min(max(high * (1 + 4 * U), 0.0), 1.0)


def _require_few(fakes: int) -> None:
    if fakes > LARGEST_FAKES:
        raise out_of_range(f"fakes exceeds {LARGEST_FAKES:.0e}")
