"""Where scale E[(v_1 + ... + v_n)_+] comes down to a target, v one of a few values that depend on e^eps: in floats, which prove nothing.

The first digit comes from a saddle point, ten from the inverse Laplace transform: E[S_+] is the integral of M(z)^n/z^2 along
z = theta + i w over 2 pi, M = E e^(zv), as a sum over multiples of a small tau. A normal variable of width s is added to S, so that the
sum ends, and half of s^2 times the density at 0 taken off: what is left is of fourth order in s. Between multiples of 2 pi/(v_0 - v_1),
where |M(z)|^n is small, nothing is added up.
"""

import cmath
import math
from collections.abc import Callable
from fractions import Fraction

PlacesAndMasses = tuple[tuple[float, ...], tuple[float, ...]]
"""Probabilities and values, at most four; the first value is the largest, the second one the least; v = 0 otherwise."""
Losses = Callable[[float], PlacesAndMasses]
"""The distribution as a function of e^eps - 1."""
_GOOD_DIGITS = 4
"""Digits claimed of the root where only the rough width is used: that width, squared, times its slope leaves four."""
_STEPS = 40
"""Steps at most of each search."""
_ONLY = (3e-2, 2e-5)
"""Smoothing s in standard deviations of S, and the last relative step, where few reports make the sum rough."""
_FIRST = (3e-2, 1e-8)
"""The same for the cheap first search where the sum is smooth: the slope it leaves is right to five digits, so that a
small step to where a costly search leads is right to nine."""
_SECOND = (1e-3, 3e-6)
"""The costly second search."""
_THIRD = (4e-4, 3e-6)
"""The costly second search where sums of very many reports make it cheap."""
_REACH = 5.5
"""The last s w: e^(-5.5^2/2), 3e-7, is left out, times the power that has decayed itself."""
_PERIOD = 8.0
"""The period of the sum, in standard deviations of S: farther copies count for less than nine digits show."""
_GONE = 23.0
"""Powers below e^-23 = 1e-10 are not added up."""
_MANY_REPORTS = 5_000
"""Reports from which the second width pays: sums of few are not smooth."""
_SMOOTH = 25.0
"""n times the square of the mass of the first two values, from which on the second width pays."""
_SMOOTHER = 1000.0
"""The same from which on the third width is cheap."""
_MANY_DIGITS = 9
"""Digits claimed of the root after the second search."""
_MOST_POINTS = 40_000
"""Points of the sum at most, else None."""


def near_root(n: int, distribution: Losses, *, log_scale: float, largest: float, delta: Fraction) -> tuple[Fraction, int] | None:
    """Where epsilon(delta) is about, to so many digits, at little cost; None where floats do not do.

    largest: the largest log-ratio.
    """
    wanted, last = math.log(delta.numerator) - math.log(delta.denominator), min(largest, 700.0)
    (first, second, *_), _ = distribution(0.0)
    many = n * (first + second) ** 2
    smooth = n >= _MANY_REPORTS and many > _SMOOTH
    widths = (_FIRST, _THIRD if many > _SMOOTHER else _SECOND) if smooth else (_ONLY,)
    try:
        (at_0, square), (later, _) = _moments(distribution(0.0)), _moments(distribution(1e-3))
        x = min(last / 2, math.sqrt(2 * max(-wanted, 1.0) * square / n) * 1e-3 / (at_0 - later))
        slope = 2 * (wanted - 2) / x
        for width, enough in ((0.0, 0.1), *widths):
            before: tuple[float, float] | None = None
            for _ in range(_STEPS):
                found = by_saddle(n, distribution(math.expm1(x))) if width == 0 else _along_a_line(n, distribution(math.expm1(x)), width)
                if found is None:
                    return None
                if before is not None and (found - before[1]) * (x - before[0]) < 0:
                    slope = (found - before[1]) / (x - before[0])
                step = (wanted - log_scale - found) / slope
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
    for _ in range(_STEPS + n.bit_length()):  # far above the saddle point a step takes 1/2 off y
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


def _moments(distribution: PlacesAndMasses) -> tuple[float, float]:
    """Mean and mean square."""
    return tuple(math.fsum(p * v**k for p, v in zip(*distribution, strict=True)) for k in (1, 2))  # type: ignore[return-value]


def by_saddle(n: int, distribution: PlacesAndMasses) -> float:
    """About ln E[S_+]."""
    theta, _weights, K, _mean, variance = _tilt(n, *distribution)
    return n * K - 2 * math.log(theta) - math.log(2 * math.pi * (n * variance + 2 / theta**2)) / 2


def _along_a_line(n: int, distribution: PlacesAndMasses, width: float) -> float | None:
    """The same, closely; None where that would take too many points."""
    theta, weights, log_Z, _, variance = _tilt(n, *distribution)
    values = (*distribution[1], 0.0)[:4]
    weights = [*weights, 0.0][:4]
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
    w_0, w_1, w_2, w_3 = weights
    value = density = 0.0
    turns = [complex(-2 * math.sin(tau * v / 2) ** 2, math.sin(tau * v)) for v in values]  # e^(i tau v) - 1
    for start, stop in windows:
        a, b, c, d = (complex(-2 * math.sin(start * tau * v / 2) ** 2, math.sin(start * tau * v)) for v in values)
        for j in range(start, stop + 1):
            total = w_0 * a + w_1 * b + w_2 * c + w_3 * d  # M(z)/Z - 1
            re, im = total.real, total.imag
            log_size = n / 2 * math.log1p(2 * re + re * re + im * im)
            if log_size > -_GONE:
                w = j * tau
                power = cmath.rect(math.exp(log_size + s * s * (theta * theta - w * w) / 2), n * math.atan2(im, 1 + re) + s * s * theta * w)
                twice = 2 if j else 1
                value += twice * (power / complex(theta, w) ** 2).real
                density += twice * power.real
            a, b = a + turns[0] + a * turns[0], b + turns[1] + b * turns[1]
            c, d = c + turns[2] + c * turns[2], d + turns[3] + d * turns[3]
    return n * log_Z + math.log((value - s * s / 2 * density) * tau / (2 * math.pi))
