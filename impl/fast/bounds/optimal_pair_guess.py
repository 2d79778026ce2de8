"""Where to start looking for the epsilon of the optimal pair, by a saddle point: estimates, on which no side rests."""

from __future__ import annotations

import math
from dataclasses import dataclass

from shuffleproof.impl.fast.bounds.clones_guess import Guess
from shuffleproof.impl.fast.bounds.optimal_pair_constants import PairMasses

_STEPS = 60
_LARGEST_EXPONENT = 600.0
_LARGEST_LOSS = 1e30
"""Of a report of b or d, which counts for nothing long before: its fourth power, and the cube of its variance, are floats."""
_MOST_CORRECTION = 0.3
_FAR = -20.0
_FEW = 10
"""Reports of a, and three times their mean, are more than there are."""
_NEAR, _ABOVE = 1e-3, 2e-5
_DOUBT = 5e-4


@dataclass
class Saddle:
    """ln delta at e^eps - 1, about, by the saddle point: where it was found last is where it is looked for next.

    delta = (q/n) E[X_+] for a sum X of n draws, and E[X_+] is the integral of Z(theta)^n/theta^2: about its value at the saddle point of
    f = n ln Z - 2 ln theta, over sqrt(2 pi f''), times 1 + f''''/(8 f''^2) - 5 f'''^2/(24 f''^3); and as much more or less as that is
    wrong for the normal law that X has about, tilted.
    """

    masses: PairMasses
    theta: float = 0.0

    def log_delta(self, E_minus_1: float) -> tuple[float, float]:
        """And its derivative in e^eps, which is that of n ln Z where it stands, nearly."""
        masses = self.masses
        x, r, d, n = float(masses.x), float(masses.either) / 2, float(masses.d), masses.n
        first = 1 - x - E_minus_1 * x
        if first <= 0:
            return -math.inf, -math.inf
        of_b, of_d = (max(v, -_LARGEST_LOSS) for v in (x - 1 - E_minus_1, -E_minus_1))
        atoms = ((first, r), (of_b, r), (of_d, d), (0.0, max(1 - 2 * r - d, 0.0)))
        low, high = -80.0, math.log(_LARGEST_EXPONENT / first)
        theta = min(self.theta or 1 / math.sqrt(n * max(2 * r * first**2, 1e-300)), math.exp(high))
        mean = variance = total = curvature = 0.0
        tilted: list[float] = []
        for _ in range(_STEPS):
            tilted = [w * math.exp(min(max(theta * v, -700.0), _LARGEST_EXPONENT)) for v, w in atoms]
            total = math.fsum(tilted)
            mean = sum(t * v for t, (v, _) in zip(tilted, atoms, strict=True)) / total
            variance = sum(t * (v - mean) ** 2 for t, (v, _) in zip(tilted, atoms, strict=True)) / total
            gradient, curvature = n * mean - 2 / theta, n * variance + 2 / theta**2
            place = math.log(theta)
            low, high = (place, high) if gradient < 0 else (low, place)
            step = -gradient / (curvature * theta)
            if abs(step) < 1e-7 or high - low < 1e-7:
                break
            following = place + min(max(step, -1.0), 1.0)
            theta = math.exp(following if low < following < high else (low + high) / 2)
        self.theta = theta
        third, fourth = (sum(t * (v - mean) ** k for t, (v, _) in zip(tilted, atoms, strict=True)) / total for k in (3, 4))
        scale = math.log(float(masses.q) / n) + n * math.log(total)
        value = scale - 2 * math.log(theta) - 0.5 * math.log(2 * math.pi * curvature)
        value += math.log(_corrected(theta, curvature, n * third, n * (fourth - 3 * variance**2)))
        spread = math.sqrt(n * variance)
        z = n * mean / spread - spread * theta if spread > 0 else -math.inf
        if z > _FAR:
            exact = spread * (math.exp(-z * z / 2) / math.sqrt(2 * math.pi) + z * math.erfc(-z / math.sqrt(2)) / 2)
            normal = math.log(max(exact, 1e-300)) - n * mean * theta + (spread * theta) ** 2 / 2
            value += normal + 2 * math.log(theta) + 0.5 * math.log(2 * math.pi * curvature)
            value -= math.log(_corrected(theta, curvature, 0.0, 0.0))
        slope = -n * theta * (x * tilted[0] + tilted[1] + tilted[2]) / total
        return value, slope


def _corrected(theta: float, curvature: float, third: float, fourth: float) -> float:
    """1 + f''''/(8 f''^2) - 5 f'''^2/(24 f''^3), where the sum has these cumulants."""
    correction = (fourth + 12 / theta**4) / (8 * curvature**2) - 5 * (third - 4 / theta**3) ** 2 / (24 * curvature**3)
    return 1 + min(max(correction, -_MOST_CORRECTION), _MOST_CORRECTION)


def guess(masses: PairMasses, *, delta: float, top: float) -> Guess:
    """epsilon in (0, top) where that estimate is delta, by Newton's steps in a bracket, and the slope there."""
    if (near_top := _near_top(masses, delta=delta, top=top)) is not None:
        return near_top
    wanted, saddle = math.log(delta), Saddle(masses)
    low, high = 0.0, min(top, 700.0)

    def at(epsilon: float) -> tuple[float, float]:
        value, slope = saddle.log_delta(math.expm1(epsilon))
        return value, slope * math.exp(epsilon)

    if at(1e-12 * high)[0] <= wanted:
        return Guess(1e-9 * high, -1 / high, 1.0)
    epsilon = min(high / 2, math.sqrt(2 * max(-wanted, 1.0) * float(masses.q) / masses.n))
    for count in range(60):
        value, slope = at(epsilon)
        low, high = (epsilon, high) if value > wanted else (low, epsilon)
        following = (low + high) / 2
        usable = -math.inf < slope < 0 and value < 0 and wanted < 0
        if usable and count % 8 != 7:  # -ln delta is about quadratic, so its root is nearly linear
            step = 2 * math.sqrt(-value) * (math.sqrt(-wanted) - math.sqrt(-value)) / -slope
            following = epsilon + step if low < epsilon + step < high else following
        moved, epsilon = abs(following - epsilon), following
        if moved < _NEAR * min(epsilon, top - epsilon):
            break
    step = _NEAR * min(epsilon, top - epsilon)
    slope = (at(epsilon + step)[0] - at(epsilon - step)[0]) / (2 * step) if step > 0 else -math.inf
    above = epsilon + _ABOVE * min(epsilon, top - epsilon)  # a probe there and one below the root are enough: delta is convex
    return Guess(above, slope if -math.inf < slope < 0 else -1 / max(epsilon, 1e-300), _DOUBT)


def _near_top(masses: PairMasses, *, delta: float, top: float) -> Guess | None:
    """Near ln p only a report of a alone counts: delta = q r A (1 - r - d)^(n - 1), A = 1 - e^(eps - ln p); from slightly above."""
    r = float(masses.either) / 2
    if masses.top is None or r + float(masses.d) >= 1:
        return None
    alone = (masses.n - 1) * math.log1p(-r - float(masses.d))
    A = (1 - 1e-9) * math.exp(min(math.log(delta) - math.log(float(masses.q)) - math.log(r) - alone, 1.0))
    if A >= 1 or not A * (_FEW + 3 * masses.n * r) <= math.expm1(min(top + math.log1p(-A), 700.0)):
        return None
    return Guess(top + math.log1p(-A), -(1 - A) / A, 1e-6)
