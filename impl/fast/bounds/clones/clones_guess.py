"""Where to start looking for epsilon, and how steep the pair's profile is there: estimates, on which no side rests."""

import math
from dataclasses import dataclass

_NODES = ((-math.sqrt(3.0), 1 / 6), (0.0, 2 / 3), (math.sqrt(3.0), 1 / 6))
_WIDE = 100.0
"""Mean number of clones from which the normal approximation is tried; below it Chernoff's bound guesses. Costs probes at most."""


@dataclass(frozen=True)
class Guess:
    """epsilon, the slope d ln delta/d epsilon there, and the error that one step of Newton's is thought to leave of the one before it."""

    epsilon: float
    slope: float
    doubt: float = 0.05


def guess(*, m: int, odds_factor: int, epsilon0: float, delta: float) -> Guess:
    """Where to look for m other users, epsilon0 > 0, delta in (0, 1)."""
    x, y = math.exp(-epsilon0), -math.expm1(-epsilon0)  # 1/T, 1 - 1/T
    p = odds_factor * x / (1 + (odds_factor - 1) * x)  # of being a clone
    q = y / (1 + (odds_factor - 1) * x)  # 1 - p
    # Near epsilon0 only a = 0 counts: delta = (1 - e^(eps - eps0))/(1 + 1/T) (1 - p/2)^m.
    gap = delta * (1 + x) * math.exp(min(-m * math.log1p(-p / 2), 690.0))
    if gap < 1 and gap / y <= (1 + math.exp(-epsilon0)) / (m + 1):
        log_ratio = math.log1p(-gap)
        return Guess(epsilon0 + log_ratio, -math.exp(log_ratio) / gap)
    start = _chernoff(m=m, p=p, x=x, y=y, delta=delta)
    if m * p < _WIDE or not y > 1e-6:
        return Guess(start, -2 * max(-math.log(delta), 0.5) / max(start, 1e-300))
    low, high = 0.0, start
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _normal(m=m, p=p, q=q, x=x, epsilon=middle) > delta else (low, middle)
    step = high * 1e-4
    before, after = (_normal(m=m, p=p, q=q, x=x, epsilon=epsilon) for epsilon in (high - step, high + step))
    if not before > after > 0:
        return Guess(start, -2 * max(-math.log(delta), 0.5) / start)
    return Guess(high, math.log(after / before) / (2 * step), doubt=min(0.05, 10 / math.sqrt(m * p)))


def _chernoff(*, m: int, p: float, x: float, y: float, delta: float) -> float:
    """epsilon with (1 - p (1 - phi))^m = delta: mostly above the root."""
    low, high = 0.0, 1.0  # 1 - 2 rho
    for _ in range(60):
        z = (low + high) / 2
        kl = ((1 + z) * math.log1p(z) + ((1 - z) * math.log1p(-z) if z < 1 else 0.0)) / 2
        low, high = (z, high) if m * math.log1p(p * math.expm1(-kl)) > math.log(delta) else (low, z)
    rho = (1 - high) / 2
    return max(math.log1p(2 * y * high / 2 / (x + rho * y)), 1e-300)


def _normal(*, m: int, p: float, q: float, x: float, epsilon: float) -> float:
    """delta with the inner binomials taken for normal ones, the outer one for three nodes."""
    E = math.exp(epsilon)
    u, v = (1 - E * x) / (1 + x), (E - x) / (1 + x)
    total = 0.0
    for node, weight in _NODES:
        c = max(m * p + node * math.sqrt(m * p * q), 1.0)
        sigma, theta = math.sqrt(c) / 2, 4 / (c + 1)
        z = (math.log(v / u) / theta - 0.5) / sigma if u > 0 else math.inf
        inner = u * math.erfc(z / math.sqrt(2)) - v * math.exp(theta * (theta * sigma**2 - 1) / 2) * math.erfc(
            (z + theta * sigma) / math.sqrt(2)
        )
        total += weight * inner / 2
    return total
