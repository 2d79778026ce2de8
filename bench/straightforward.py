"""The clones bound as one would write it in an afternoon: every number of clones in float64 with scipy, and bisection.

It is right to about ten digits for moderate parameters, on neither side in particular.
"""

import math

import numpy as np
from scipy.stats import binom


def delta(*, n: int, epsilon0: float, epsilon: float) -> float:
    """FMT21, Theorem 3.2, by the formulas of Appendix F, one evaluation for each c = 0, ..., n - 1."""
    T, E = math.exp(epsilon0), math.exp(epsilon)
    u, v = (T - E) / (T + 1), (E * T - 1) / (T + 1)
    c = np.arange(n)
    t = np.ceil((c + 1) * u / (u + v)) - 1
    inner = u * binom.cdf(t, c, 0.5) - v * binom.cdf(t - 1, c, 0.5)
    return float(np.sum(binom.pmf(c, n - 1, 1 / T) * inner))


def epsilon(*, n: int, epsilon0: float, delta_target: float, steps: int = 40) -> float:
    """Bisection on [0, epsilon0]."""
    low, high = 0.0, epsilon0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if delta(n=n, epsilon0=epsilon0, epsilon=middle) > delta_target else (low, middle)
    return high
