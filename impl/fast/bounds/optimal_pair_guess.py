"""Where to start looking for the epsilon of the optimal pair, by a saddle point: estimates, on which no side rests."""

from __future__ import annotations

import math

from shuffleproof.impl.fast.bounds.clones_guess import Guess
from shuffleproof.impl.fast.bounds.optimal_pair_constants import PairMasses

_STEPS = 60


def log_delta(masses: PairMasses, E_minus_1: float) -> float:
    """About ln delta at e^eps - 1.

    delta = (q/n) E[X_+] for a sum X of n draws, and E[X_+] is the integral of Z(theta)^n/theta^2: about its value at the saddle point of
    n ln Z - 2 ln theta, over sqrt(2 pi) times the square root of the second derivative there.
    """
    x, r, d, n = float(masses.x), float(masses.either) / 2, float(masses.d), masses.n
    none = max(1 - 2 * r - d, 0.0)
    values = (1 - x - E_minus_1 * x, x - 1 - E_minus_1, -E_minus_1, 0.0)
    weights = (r, r, d, none)
    if values[0] <= 0:
        return -math.inf
    low, high = -80.0, math.log(600.0 / values[0])
    theta = min(1 / math.sqrt(n * max(2 * r * values[0] ** 2, 1e-300)), math.exp(high))
    exponent = curvature = 0.0
    for _ in range(_STEPS):
        tilted = [w * math.exp(min(max(theta * v, -700.0), 600.0)) for v, w in zip(values, weights, strict=True)]
        total = sum(tilted)
        mean = sum(t * v for t, v in zip(tilted, values, strict=True)) / total
        variance = sum(t * v * v for t, v in zip(tilted, values, strict=True)) / total - mean * mean
        gradient, curvature = n * mean - 2 / theta, n * max(variance, 0.0) + 2 / theta**2
        exponent = n * math.log(total) - 2 * math.log(theta)
        place = math.log(theta)
        low, high = (place, high) if gradient < 0 else (low, place)
        step = -gradient / (curvature * theta)
        if abs(step) < 1e-7 or high - low < 1e-7:
            break
        following = place + min(max(step, -1.0), 1.0)
        theta = math.exp(following if low < following < high else (low + high) / 2)
    return exponent - 0.5 * math.log(2 * math.pi * curvature) + math.log(float(masses.q) / n)


def guess(masses: PairMasses, *, delta: float, top: float) -> Guess:
    """epsilon in (0, top) where that estimate is delta, by bisection and secants, and the slope there."""
    wanted = math.log(delta)

    def excess(epsilon: float) -> float:
        return log_delta(masses, math.expm1(min(epsilon, 700.0))) - wanted

    low, high = 0.0, min(top, 700.0)
    left, right = excess(1e-12 * high), -math.inf
    if left <= 0:
        return Guess(1e-9 * high, -1 / high, 1.0)
    middle = min(high / 2, math.sqrt(2 * max(-wanted, 1.0) * float(masses.q) / masses.n))
    for count in range(60):
        value = excess(middle)
        low, high, left, right = (middle, high, value, right) if value > 0 else (low, middle, left, value)
        if high - low < 1e-4 * high or abs(value) < 1e-3:
            break
        # ln delta is about quadratic in epsilon, so its root is nearly linear
        secant = (low + (high - low) * left / (left - right)) if count % 3 and math.isfinite(right) else (low + high) / 2
        middle = secant if low < secant < high else (low + high) / 2
    step = 1e-4 * min(middle, top - middle)
    slope = (excess(middle + step) - excess(middle - step)) / (2 * step) if step > 0 else -math.inf
    return Guess(middle, slope if math.isfinite(slope) and slope < 0 else -1 / max(middle, 1e-300), 0.02)
