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
_MOST_STEPS = 14
_CLOSE = Fraction(1, 1000)
_MOST_TERMS = 20_000
"""About n e^-epsilon0, which the cost of the optimal pair goes with: seconds for each question."""


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
    step = known / 64
    for _ in range(_MOST_STEPS):
        if high is not None and high - low <= _CLOSE * low:
            break
        at = Fraction(decimal_text(low + step if high is None else (low + high) / 2, digits=_SHORT, direction="down"))
        if not low < at:
            break
        if meets(target, randomizer=randomizer, parameters=parameters, epsilon0=at):
            low, step = at, 2 * step
        else:
            high = at
    return low


def meets(target: Target, *, randomizer: str, parameters: Mapping[str, int], epsilon0: Fraction) -> bool:
    """Whether the optimal pair certifies the target for this randomizer; no where that cannot be decided at a reasonable price."""
    from shuffleproof.impl.ball.bounds.optimal_parameters import delta

    try:
        found = delta(n=target.n, randomizer=randomizer, epsilon0=epsilon0, epsilon=target.epsilon, digits=_DIGITS, **parameters)
    except (ResourceLimitError, UndecidedError):
        return False
    return found.upper <= target.delta
