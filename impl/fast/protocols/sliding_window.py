"""Reports of the piecewise mechanism and the square wave, simulated with a numpy generator, for experiments only (see impl.release)."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter, exact_fraction, float_toward

LARGEST_EPSILON0 = 300
"""Beyond, e^epsilon0 times the window leaves what floats add up."""
_LEAST_EPSILON0 = 1e-3
"""Below, e^epsilon0 - 1 - epsilon0 has too few digits in floats for the authors' radius."""


def simulate_piecewise(*, values: ArrayLike, epsilon0: Number | Epsilon, generator: np.random.Generator) -> NDArray[np.float64]:
    """One report of each value by the piecewise mechanism: numbers in [-C, C], whose mean is the value. Unshuffled.

    values: numbers in [-1, 1]; epsilon0: from 1e-3 to 300. Raises DomainError.
    """
    x, r = _numbers(values, -1.0), math.exp(_local(epsilon0) / 2)
    C = (r + 1) / (r - 1)
    return 2 * C * _reports((x + 1) / 2, 1.0, r, r * r, generator) / (1 + r) - C


def simulate_square_wave(
    *, values: ArrayLike, epsilon0: Number | Epsilon, generator: np.random.Generator, radius: Number | None = None
) -> NDArray[np.float64]:
    """One report of each value by the square wave: numbers in [-b, 1 + b]. Unshuffled.

    values: numbers in [0, 1]; epsilon0: from 1e-3 to 300; radius: b, in (0, 1/2], the authors' if None. Raises DomainError.
    """
    a = _local(epsilon0)
    if radius is not None:
        b = float(exact_fraction(radius, parameter="radius"))
        require(0 < b <= 0.5, parameter="radius", value=radius, requirement="above 0, at most 1/2")
    else:
        b = (a - 1 + math.exp(-a)) / (2 * (math.expm1(a) - a))
    return _reports(_numbers(values, 0.0), 2 * b, 1.0, math.exp(a), generator) - b


def _reports(x: NDArray[np.float64], w: float, t: float, T: float, generator: np.random.Generator) -> NDArray[np.float64]:
    """Places in [0, w + t]: on the window with probability T w/(T w + t), else on the rest, of length t."""
    inside = generator.random(x.size) < T * w / (T * w + t)
    rest = generator.random(x.size) * t
    return np.where(inside, t * x + generator.random(x.size) * w, np.where(rest < t * x, rest, rest + w))


def _numbers(values: ArrayLike, low: float) -> NDArray[np.float64]:
    found = np.asarray(values, dtype=np.float64).ravel()
    fine = np.isfinite(found) & (found >= low) & (found <= 1)
    require(bool(fine.all()), parameter="values", value=str(found[~fine][:3]), requirement=f"numbers from {low:g} to 1")
    return found


def _local(epsilon0: Number | Epsilon) -> float:
    local = float_toward(epsilon0_parameter(epsilon0).bounds(bits=64)[0], direction="down")
    requirement = f"from {_LEAST_EPSILON0} to {LARGEST_EPSILON0}"
    require(_LEAST_EPSILON0 <= local <= LARGEST_EPSILON0, parameter="epsilon0", value=str(epsilon0), requirement=requirement)
    return local
