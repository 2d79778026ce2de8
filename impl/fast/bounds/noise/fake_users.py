"""The privacy profile of a histogram to which the shuffler adds fake users, in float64 with sound sides (BEYOND.fake-users).

Two bins with noise Bin(f, p), b its masses and F its sums, one count up and one down: P > E Q at (u, v) exactly where
E v (f + 1 - u) < u (f + 1 - v), so that with t_u the last such v

    D_E = sum over u of b(u - 1) F(t_u) - E b(u) F(t_u - 1).

Where rounding may put the cell next to t_u on the wrong side, its ratio is E but for some roundings: it is worth so many of its masses.
"""

from fractions import Fraction

import numpy as np

from shuffleproof.impl.fast.bounds.noise.noise_window import EXPONENTS, Window, binomial_window, delta_of, epsilon_of, order
from shuffleproof.impl.fast.numeric.results import exactly, out_of_range
from shuffleproof.impl.fast.numeric.rounding import U, accumulated
from shuffleproof.impl.fast.numeric.scalars import decimal_of, working
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import FAKE_USERS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_fake_users

LARGEST_FAKES = 10**10
"""Fake users at most: windows of 4 10^6 outcomes hold what counts of so many."""
SMALLEST_DELTA = Fraction(1, 10**200)
"""Least delta > 0 whose epsilon is asked: masses relative to the mode stay normal floats."""
_LONGEST = 20_000
"""Bits of a power that is computed exactly."""


def delta(*, n: Number, fakes: Number, p: Number, epsilon: Number | Epsilon) -> Bound:
    """Two sides on the least delta for which the histogram is (epsilon, delta)-DP with two bins or more (BEYOND.fake-users).

    n: users, at least 1, which change nothing; fakes: 1 to 10^10; p in [0, 1]; epsilon in [0, 600]. Returns an enclosure, of side "upper"
    below about 1e-200. Raises DomainError, UnsupportedError.
    """
    number, noise = _checked(n, fakes, p)
    inputs = as_given(n=n, fakes=fakes, p=p, eps=epsilon)
    if noise in (0, 1):
        parse_epsilon(epsilon)
        return exactly(FAKE_USERS, "delta", "1", Fraction(1), Fraction(1), inputs=inputs)
    return delta_of(FAKE_USERS, _Profile(number, noise), parse_epsilon(epsilon), inputs=inputs)


def epsilon(*, n: Number, fakes: Number, p: Number, delta: Number) -> Bound:
    """Two sides on the least epsilon for which the histogram is (epsilon, delta)-DP; delta 1, or from 1e-200 on (BEYOND.fake-users).

    The rest as for `delta`. Raises RegimeError where delta is below p^f + (1 - p)^f - (p (1 - p))^f: no epsilon is enough.
    """
    number, noise = _checked(n, fakes, p)
    target = probability(delta, parameter="delta")
    inputs = as_given(n=n, fakes=fakes, p=p, delta=delta)
    if target == 1:
        return exactly(FAKE_USERS, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target < _floor(number, noise):
        raise no_epsilon_for_fake_users(delta=str(delta))
    if target < SMALLEST_DELTA:
        raise out_of_range("delta is below 1e-200")
    found = epsilon_of(FAKE_USERS, _Profile(number, noise), target, inputs=inputs)
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


class _Profile:
    """Its sides, by the smallest window that is wide enough."""

    def __init__(self, fakes: int, p: Fraction) -> None:
        self.fakes, self.p = fakes, p
        self.windows: dict[float, Window] = {}

    def __call__(self, epsilon: Epsilon) -> tuple[float, float]:
        low, high = 0.0, 1.0
        for exponent in EXPONENTS:
            if exponent not in self.windows:
                self.windows[exponent] = binomial_window(self.fakes, min(self.p, 1 - self.p), exponent=exponent)  # p and 1 - p agree
            window = self.windows[exponent]
            low, high = _sides(window, self.fakes, epsilon)
            if window.outside <= 1e-12 * low:
                break
        return low, high


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


def _checked(n: Number, fakes: Number, p: Number) -> tuple[int, Fraction]:
    count(n, parameter="n")
    number, noise = count(fakes, parameter="fakes"), probability(p, parameter="p")
    if number > LARGEST_FAKES:
        raise out_of_range(f"fakes exceeds {LARGEST_FAKES:.0e}")
    return number, noise
