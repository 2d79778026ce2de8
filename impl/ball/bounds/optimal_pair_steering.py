"""Where the root of the optimal pair's profile lies, in plain floats: it steers the certified search and proves nothing.

delta = (q/n) E[X_+] for a sum X of n draws. Under the law tilted by e^(theta X), theta near the saddle point, X is about normal, and

    E[X_+] = Z(theta)^n E~[e^(-theta X) X_+],

the latter by Simpson's rule over the normal density with Edgeworth's corrections for skewness and kurtosis: four to six digits of epsilon
where reports of a or b are many. Where they are few, Chernoff's bound on delta says where to start.

Ten digits come from the inverse Laplace transform: E[X_+] is the integral of M(z)^n/z^2 along z = theta + i w over 2 pi, M = E e^(z X_1),
a sum over multiples of a small tau; with a normal variable of width s added to X, so that the sum ends, and half of s^2 times the density
at 0 taken off, what is left is of fourth order in s. Where |M(z)|^n is small, between multiples of 2 pi/D, D = A - B, nothing is added up.
"""

from __future__ import annotations

import cmath
import math
from fractions import Fraction

from shuffleproof.impl.ball.bounds.optimal_pair_sums import Masses, saddle, tilted
from shuffleproof.spec.vocabulary.numerals import Epsilon

_MANY = 50.0
_FARTHEST, _POINTS = 9.0, 200
_SAFELY = math.log(4)
_NEAR_ZERO = 1e-9
_STEPS = 40
_GOOD_DIGITS = 4
_WIDTHS, _REACH, _PERIOD, _GONE = ((3e-2, 2e-5), (1e-3, 1e-7)), 5.5, 8.0, 23.0
"""Of the sum along a line: s in standard deviations of X, with the last relative step; the period in them, the last s w, and minus the
logarithm of what is small."""
_MANY_REPORTS, _SMOOTH, _MANY_DIGITS, _MOST_POINTS = 5_000, 25.0, 9, 40_000
"""n, and n times the square of the mass of a and b, from which on the second width pays: sums of few reports are not smooth."""


def steered(n: int, masses: Masses, top: Epsilon, delta: Fraction) -> tuple[Fraction, int, bool]:
    """(where epsilon(delta) is about, how many digits of that are right, about, and whether the root may be 0): speed depends on them."""
    wanted = math.log(delta.numerator) - math.log(delta.denominator)
    highest = top.bounds(bits=64)[0]
    last = float(min(highest, Fraction(700)))

    def inside(guess: float) -> Fraction:
        return min(max(Fraction(guess), highest / 10**30), highest * Fraction(999, 1000))

    try:
        if n * float(masses.either) > _MANY and _log_delta(n, masses, 0.0) > wanted + _SAFELY:
            low, high = _NEAR_ZERO * last, last
            for _ in range(_STEPS):
                middle = math.sqrt(low * high)
                low, high = (middle, high) if _log_delta(n, masses, math.expm1(middle)) > wanted else (low, middle)
            return inside(high), _GOOD_DIGITS, False
    except (OverflowError, ValueError, ZeroDivisionError):
        pass
    low, high = 0.0, last
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _chernoff_exponent(n, masses, math.exp(middle)) > wanted else (low, middle)
    return inside(high), 0, True


def near_root(n: int, masses: Masses, largest: float, delta: Fraction) -> tuple[Fraction, int] | None:
    """Where epsilon(delta) is about, to so many digits, at little cost; None where floats do not do. largest: the largest log-ratio."""
    wanted, last = math.log(delta.numerator) - math.log(delta.denominator), min(largest, 700.0)
    smooth = n >= _MANY_REPORTS and n * float(masses.either) ** 2 > _SMOOTH
    widths = _WIDTHS if smooth else _WIDTHS[:-1]
    try:
        x = min(last / 2, math.sqrt(2 * max(-wanted, 1.0) * float(masses.either) * float(masses.q) ** 2 / n))
        slope = 2 * (wanted - 2) / x
        for width, enough in ((0.0, 0.1), *widths):
            before: tuple[float, float] | None = None
            for _ in range(_STEPS):
                found = _by_saddle(n, masses, math.expm1(x)) if width == 0 else _along_a_line(n, masses, math.expm1(x), width)
                if found is None:
                    return None
                if before is not None and (found - before[1]) * (x - before[0]) < 0:
                    slope = (found - before[1]) / (x - before[0])
                step = (wanted - found) / slope
                before, x = (x, found), x + max(-x / 2, min(step, (last - x) / 2))
                if abs(step) < enough * x:
                    break
            else:
                return None
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    return Fraction(x), _MANY_DIGITS if smooth else _GOOD_DIGITS


def _tilt(n: int, probabilities: tuple[float, ...], values: tuple[float, ...]) -> tuple[float, list[float], float, float, float]:
    """theta with n theta K'(theta) = 2, about, K the logarithm of M; the tilted probabilities, K, and mean and variance under them."""
    scale = max(abs(v) for v in values)
    y = 0.0
    for _ in range(_STEPS):
        theta = math.exp(y) / scale
        K = math.log1p(math.fsum(p * math.expm1(theta * v) for p, v in zip(probabilities, values, strict=True)))
        weights = [p * math.exp(theta * v - K) for p, v in zip(probabilities, values, strict=True)]
        mean = math.fsum(w * v for w, v in zip(weights, values, strict=True))
        rest = max(0.0, 1 - math.fsum(weights))
        variance = math.fsum(w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True)) + rest * mean**2
        slope = n * theta * (mean + theta * variance)
        step = (2 - n * theta * mean) / slope if slope > 0 else 1.0
        if abs(step) < 1e-3:
            return theta, weights, K, mean, variance
        y += max(-3.0, min(3.0, step))
    raise ValueError


def _by_saddle(n: int, masses: Masses, E_minus_1: float) -> float:
    probabilities, values = _law(masses, E_minus_1)
    theta, _, K, _, variance = _tilt(n, probabilities, values)
    return _log_q(masses) - math.log(n) + n * K - 2 * math.log(theta) - math.log(2 * math.pi * (n * variance + 2 / theta**2)) / 2


def _law(masses: Masses, E_minus_1: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Probabilities and values of a, b and d."""
    x = float(masses.x)
    values = (1 - x - E_minus_1 * x, x - 1 - E_minus_1, -E_minus_1)
    if not values[0] > 0:
        raise ValueError
    return (float(masses.either) / 2, float(masses.either) / 2, float(masses.d)), values


def _along_a_line(n: int, masses: Masses, E_minus_1: float, width: float) -> float | None:
    """About ln delta at e^eps - 1; None where that would take too many points."""
    probabilities, values = _law(masses, E_minus_1)
    theta, weights, log_Z, _, variance = _tilt(n, probabilities, values)
    deviation = math.sqrt(n * variance)
    s, tau = width * deviation, 2 * math.pi / (_PERIOD * deviation + 24 / theta)
    last, apart = math.ceil(_REACH / (s * tau)), values[0] - values[1]
    # 1 - |M(z)/Z|^2 is at least 2 w_a w_b (1 - cos(w D)) from each of two orders
    cosine = 1 - _GONE / (2 * n * weights[0] * weights[1])
    half, step = (math.acos(cosine) / apart / tau, 2 * math.pi / apart / tau) if cosine > -1 else (math.inf, math.inf)
    windows = [(0, last)]
    if half < step / 2:
        windows = [(max(0, math.ceil(m * step - half)), min(last, math.floor(m * step + half))) for m in range(math.floor(last / step) + 2)]
    if sum(max(0, stop - start + 1) for start, stop in windows) > _MOST_POINTS:
        return None
    (w_a, w_b, w_d), value, density = weights, 0.0, 0.0
    turns = [complex(-2 * math.sin(tau * v / 2) ** 2, math.sin(tau * v)) for v in values]  # e^(i tau v) - 1
    for start, stop in windows:
        a, b, d = (complex(-2 * math.sin(start * tau * v / 2) ** 2, math.sin(start * tau * v)) for v in values)
        for j in range(start, stop + 1):
            total = w_a * a + w_b * b + w_d * d  # M(z)/Z - 1
            re, im = total.real, total.imag
            log_size = n / 2 * math.log1p(2 * re + re * re + im * im)
            if log_size > -_GONE:
                w = j * tau
                power = cmath.rect(math.exp(log_size + s * s * (theta * theta - w * w) / 2), n * math.atan2(im, 1 + re) + s * s * theta * w)
                twice = 2 if j else 1
                value += twice * (power / complex(theta, w) ** 2).real
                density += twice * power.real
            a, b, d = a + turns[0] + a * turns[0], b + turns[1] + b * turns[1], d + turns[2] + d * turns[2]
    return _log_q(masses) - math.log(n) + n * log_Z + math.log((value - s * s / 2 * density) * tau / (2 * math.pi))


def _chernoff_exponent(n: int, masses: Masses, E: float) -> float:
    """ln of about (q/(n e theta)) Z^n at the best theta, for 1 <= E: near ln delta, mostly above."""
    x = float(masses.x)
    values = (max(1 - E * x, 1e-300), x - E, 1 - E)
    theta = saddle(n, masses, values)
    return n * math.log(sum(tilted(theta, masses, values))) + _log_q(masses) - math.log(n * math.e * theta)


def _log_q(masses: Masses) -> float:
    """q itself may be beyond a float."""
    return math.log(masses.q.numerator) - math.log(masses.q.denominator)


def _log_delta(n: int, masses: Masses, E_minus_1: float) -> float:
    """About ln delta at e^eps - 1; ValueError where the corrected density is no density."""
    x = float(masses.x)
    values = (1 - x - E_minus_1 * x, x - 1 - E_minus_1, -E_minus_1)
    if values[0] <= 0:
        return -math.inf
    theta = saddle(n, masses, values)
    weights = tilted(theta, masses, values)
    total = sum(weights)
    mean = sum(w * v for w, v in zip(weights, (*values, 0.0), strict=True)) / total
    second, third, fourth = (sum(w * (v - mean) ** k for w, v in zip(weights, (*values, 0.0), strict=True)) / total for k in (2, 3, 4))
    spread = math.sqrt(n * second)
    skewness, kurtosis = n * third / spread**3, n * (fourth - 3 * second**2) / spread**4
    most = min(n * mean + _FARTHEST * spread, 60 / theta)
    height, integral = most / _POINTS, 0.0
    for k in range(1, _POINTS + 1):
        y = k * height
        z = (y - n * mean) / spread
        corrections = skewness / 6 * (z**3 - 3 * z) + kurtosis / 24 * (z**4 - 6 * z**2 + 3)
        corrections += skewness**2 / 72 * (z**6 - 15 * z**4 + 45 * z**2 - 15)
        weight = 1 if k == _POINTS else 4 if k % 2 else 2
        integral += weight * y * math.exp(-theta * y - z * z / 2) * (1 + corrections)
    return _log_q(masses) - math.log(n) + n * math.log(total) + math.log(integral * height / 3 / (spread * math.sqrt(2 * math.pi)))
