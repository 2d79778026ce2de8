"""Certified upper values of a mechanism's privacy profile at 0, step, 2 step, ...: what pairs on a grid are made of (BEYOND.Envelope)."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from shuffleproof.mechanisms import Mechanism
from shuffleproof.methods import METHODS, engines_for
from shuffleproof.participation import RandomParticipation
from shuffleproof.protocols import CoordinateSums
from shuffleproof.spec.vocabulary.bound import Engine
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, ShuffleproofError
from shuffleproof.spec.vocabulary.numerals import decimal_text

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure

_WITH_PROFILES = (CoordinateSums, RandomParticipation)
"""Mechanisms that know their own profile at many points."""
_PROBE = Fraction(1, 10**6)
_EACH = 0.1
"""Seconds, as estimated, that one of many points may take."""


def top(mechanism: Mechanism, *, beyond: Fraction) -> Fraction:
    """An epsilon at which its delta is at most `beyond`, by the method that the profile is asked of. Raises what `epsilon` raises."""
    if isinstance(mechanism, _WITH_PROFILES):
        return mechanism.top(beyond=beyond)
    method, engine = source(mechanism)
    return mechanism.epsilon(delta=beyond, method=method, engine=engine).upper  # type: ignore[call-overload, no-any-return]


def uppers(mechanism: Mechanism, *, step: Fraction, beyond: Fraction, most: int | None = None, least: int = 2) -> list[Fraction]:
    """Upper values at k step for k = 0, 1, ..., up to where delta is at most `beyond`; at least `least` of them.

    most: how many there may be. Raises ResourceLimitError beyond that; what `delta` raises.
    """
    points = max(math.ceil(top(mechanism, beyond=beyond) / step) + 1, least)
    if most is not None and points > most:
        raise ResourceLimitError(what="a profile on a grid", needed=f"{points} points", limit=f"{most}: take a larger interval")
    if isinstance(mechanism, _WITH_PROFILES):
        return mechanism.uppers([k * step for k in range(points)], least=beyond)
    method, engine = source(mechanism)
    return [
        min(Fraction(1), mechanism.delta(epsilon=k * step, method=method, engine=engine).upper)  # type: ignore[call-overload]
        for k in range(points)
    ]


def measure(mechanism: Mechanism, *, step: Fraction, beyond: Fraction, most: int | None = None) -> GridMeasure:
    """The pair on the grid that dominates it, what is left beyond the last point an infinite loss. The rest as for `uppers`."""
    from shuffleproof.impl.ball.privacy_loss import envelope

    return envelope(uppers(mechanism, step=step, beyond=beyond, most=most), step=step)


def epsilon_of(composed: GridMeasure, *, step: Fraction, delta: Fraction, what: str) -> Fraction:
    """An upper bound on the least epsilon at delta. Raises ResourceLimitError, saying of what, where infinite losses exceed delta."""
    from shuffleproof.impl.ball import privacy_loss

    found = privacy_loss.epsilon_of(composed, step=step, delta=delta)
    if found is None:
        shown = decimal_text(delta, digits=3, direction="down")
        raise ResourceLimitError(what=what, needed=f"a delta above {shown}", limit="what lies beyond the end of the grid")
    return found


def carried_by(mechanism: Mechanism) -> tuple[Engine, tuple[str, ...]]:
    """The engine of these values, and what that rests on."""
    if isinstance(mechanism, RandomParticipation):
        return mechanism.carried_by()
    method, engine = (mechanism.method, "fast") if isinstance(mechanism, CoordinateSums) else source(mechanism)
    bound = mechanism.delta(epsilon=0, method=method, engine=engine)  # type: ignore[call-overload]
    return bound.engine, bound.rests_on


@lru_cache(maxsize=256)
def source(mechanism: Mechanism) -> tuple[str, str]:
    """The method and the engine that a profile is asked of: the least in float64 with sound sides, else the best there is."""
    found: list[tuple[Fraction, str, str]] = []
    for each in mechanism.candidates("epsilon"):
        if each.in_floats > _EACH or (each.method in METHODS and "fast" not in engines_for(METHODS[each.method], "epsilon")):
            continue
        try:
            bound = mechanism.epsilon(delta=_PROBE, method=each.method, engine="fast")  # type: ignore[call-overload]
        except ShuffleproofError:
            continue
        if bound.claim_side == "upper" and bound.engine == "fast":
            found.append((bound.upper, each.method, "fast"))
    if found:
        return min(found)[1:]
    upper = mechanism.epsilon(delta=_PROBE).upper
    return upper.method, "ball" if upper.engine == "exact" else upper.engine  # the points of a grid have irrational exponentials
