"""The largest epsilon0 of one randomizer that is certified to give (epsilon, delta) after shuffling.

Every epsilon0-DP randomizer gets what the stronger clones certify. A named one may get more: its own p, beta and q say more than epsilon0
does (BEYOND.ThmF3). Whatever is returned has been asked about itself, so that the search needs to be neither monotone nor complete.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.numerals import Epsilon, decimal_text

ANY_RANDOMIZER = "BEYOND.CorF2"
OWN_PARAMETERS = "BEYOND.ThmF3"
_DIGITS = 4
_SHORT = 6
_MOST_STEPS = 12
_CLOSE = Fraction(1, 1000)
_NEAR = 0.05
"""How close ln delta comes to that of the target."""
_MOST_TERMS = 20_000
"""About n e^-epsilon0, which the cost of the optimal pair goes with: seconds for each question."""

Point = tuple[Fraction, float]
"""An epsilon0 and its ln(delta/target)."""


@dataclass(frozen=True, slots=True)
class Target:
    """(epsilon, delta) for n users."""

    n: int
    epsilon: Epsilon
    delta: Fraction


def for_any(target: Target) -> Fraction:
    """An epsilon0 at which every sequence of epsilon0-DP randomizers meets the target, within 1e-9 of the largest that is certified.

    Raises DomainError, UndecidedError, ResourceLimitError.
    """
    from shuffleproof.impl.ball.calibration.frequency import calibrate

    return calibrate(randomizer="k-rr", n=target.n, k=2, epsilon=target.epsilon, delta=target.delta).value


def for_one(target: Target, *, randomizer: str, parameters: Mapping[str, int], known: Fraction) -> Fraction:
    """An epsilon0, at least `known`, at which this randomizer meets the target, by its own p, beta and q.

    randomizer, parameters: a name of spec.randomizer_names and what it needs; known: an epsilon0 that meets the target.
    """
    if target.n * math.exp(-float(known)) > _MOST_TERMS:
        return known
    low, high = known, None
    excess_low = min(0.0, _excess(target, randomizer=randomizer, parameters=parameters, epsilon0=known))
    excess_high, earlier = math.inf, (known, excess_low)
    at = known * Fraction(33, 32)
    for _ in range(_MOST_STEPS):
        if excess_low >= -_NEAR or (high is not None and high - low <= _CLOSE * low):
            break
        at = Fraction(decimal_text(at, digits=_SHORT, direction="down"))
        if not low < at or (high is not None and not at < high):
            break
        excess = _excess(target, randomizer=randomizer, parameters=parameters, epsilon0=at)
        if excess <= 0:
            earlier, low, excess_low = (low, excess_low), at, excess
        else:
            earlier, high, excess_high = (low, excess_low), at, excess
        other = (high, excess_high) if high is not None else earlier
        at = _next((low, excess_low), other, bounded=high is not None)
    return low


def _next(low: Point, other: Point, *, bounded: bool) -> Fraction:
    """Where the line through two points comes a little short of 0; the middle, or a small step on, where it says nothing."""
    (x, y), (z, w) = [(point, _straightened(excess)) for point, excess in (low, other)]
    if math.isfinite(y) and math.isfinite(w) and (w - y) * float(z - x) > 0:
        guess = x + (z - x) * Fraction((-y - _NEAR / 4) / (w - y))
        if bounded:
            return min(max(guess, x + (z - x) / 50), z - (z - x) / 50)
        return min(max(guess, x * Fraction(201, 200)), x * Fraction(3, 2))
    return (x + z) / 2 if bounded else x * Fraction(33, 32)


def _straightened(excess: float) -> float:
    """As a function of epsilon0 closer to a line: far below the target ln delta goes with a square."""
    return excess / 2 if excess > 0 else 1 - math.sqrt(1 - excess)


def meets(target: Target, *, randomizer: str, parameters: Mapping[str, int], epsilon0: Fraction) -> bool:
    """Whether the optimal pair certifies the target for this randomizer; no where that cannot be decided at a reasonable price."""
    return _excess(target, randomizer=randomizer, parameters=parameters, epsilon0=epsilon0) <= 0


def _excess(target: Target, *, randomizer: str, parameters: Mapping[str, int], epsilon0: Fraction) -> float:
    """ln(delta/target) in floats; its sign is decided in rationals: positive, too, where the pair has no answer."""
    from shuffleproof.impl.ball.bounds.optimal_parameters import delta

    try:
        reached = delta(n=target.n, randomizer=randomizer, epsilon0=epsilon0, epsilon=target.epsilon, digits=_DIGITS, **parameters).upper
    except (ResourceLimitError, UndecidedError):
        return math.inf
    ratio = float(reached / target.delta)
    size = math.log(ratio) if ratio > 0 else -math.inf
    return min(size, 0.0) if reached <= target.delta else max(size, math.ulp(0.0))
