"""Certified upper values of a mechanism's privacy profile at 0, step, 2 step, ...: what pairs on a grid are made of (BEYOND.Envelope)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from shuffleproof.accounting.profile_by_chords import OF_DISTRIBUTIONS, PROBE, Points, cells_of, gains, profile
from shuffleproof.impl.ball.numeric.budget import one_answer, require_affordable, spent
from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled, WithProfile
from shuffleproof.methods import METHODS, engines_for
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, ShuffleproofError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import FIRST_ARRIVAL
from shuffleproof.spec.vocabulary.numerals import decimal_text

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure

CELLS = 128
"""Grid points above 0 for the part with the largest losses: more of them change the composed epsilon in its fourth digit."""
_FEWEST = 24
"""Grid points above 0 for every other part, at least, as far as `_MOST` allows."""
_MOST = 1024
"""Grid points above 0 in all, at most: beyond, a part with tiny losses costs more time than it gains."""
_STRAIGHT = Fraction(1, 4)
"""Steps times the logarithm by which delta falls over them, at most, for a chord on a fine grid: epsilon moves by 1/32 of a step."""
_FLATTEST = 64
"""Epsilon at which a grid ends at last, whatever is left of delta."""
_CHEAPER = 4
"""Times that others of a grid's points may cost less than its first, for which most may be lost: what it must not refuse too soon."""
_EACH = 0.1
"""Seconds, as estimated, that one of many points may take."""


def common_step(mechanisms: Sequence[Mechanism], *, beyond: Fraction, often: bool = False) -> Fraction:
    """The step of a grid on which each of these has points enough up to where its delta is at most `beyond`; often: as for `measure`."""
    tops = [top(each, beyond=beyond, often=often) for each in mechanisms]
    largest, least = max(tops), min((each for each in tops if each > 0), default=Fraction(1))
    step = min(largest / CELLS if largest else Fraction(1, CELLS), least / _FEWEST)
    return Fraction(decimal_text(max(step, largest / _MOST), digits=6, direction="up"))


@lru_cache(maxsize=256)
def top(mechanism: Mechanism, *, beyond: Fraction, often: bool = False) -> Fraction:
    """An epsilon at which its delta is at most `beyond`, by the method that the profile is asked of.

    Where all epsilons have more, one from which on it hardly falls. Raises what `epsilon` raises otherwise.
    """
    try:
        if isinstance(mechanism, WithProfile):
            return mechanism.top(beyond=beyond)
        chords = _chords(mechanism, beyond, often)
        if chords is not None:
            return next((epsilon for epsilon, upper in chords if upper <= beyond), chords[-1][0])
        method, engine = source(mechanism)
        return mechanism.by_method("epsilon", beyond, method=method, engine=engine).upper
    except RegimeError:
        return _where_it_is_flat(mechanism, beyond=beyond)


def cells_for(mechanism: Mechanism, *, beyond: Fraction, least: int) -> int:
    """Return how many cells a grid up to its `top` needs where its profile is asked at a few points, else `least`."""
    chords = None if isinstance(mechanism, WithProfile) else _chords(mechanism, beyond, often=False)
    return least if chords is None else cells_of(chords, top=top(mechanism, beyond=beyond), least=least)


def _where_it_is_flat(mechanism: Mechanism, *, beyond: Fraction) -> Fraction:
    """An epsilon above which delta falls by at most `beyond`, about: the rest is revealed, which is an infinite loss on any grid."""

    def asked(epsilon: Fraction) -> Fraction:
        if isinstance(mechanism, WithProfile):
            return mechanism.uppers([epsilon], least=beyond)[0]
        method, engine = source(mechanism)
        return mechanism.by_method("delta", epsilon, method=method, engine=engine).upper

    epsilon, fallen = Fraction(1), Fraction(1)
    here = asked(epsilon)
    while fallen > beyond and epsilon < _FLATTEST:
        epsilon *= 2
        there = asked(epsilon)
        fallen, here = here - there, there
    return epsilon


def uppers(
    mechanism: Mechanism, *, step: Fraction, beyond: Fraction, most: int | None = None, least: int = 2, often: bool = False
) -> list[Fraction]:
    """Upper values at k step for k = 0, 1, ..., up to where delta is at most `beyond`; at least `least` of them.

    most: how many there may be; often: as for `measure`. Raises ResourceLimitError beyond that; what `delta` raises.
    """
    points = max(math.ceil(top(mechanism, beyond=beyond, often=often) / step) + 1, least)
    if most is not None and points > most:
        raise ResourceLimitError(what="a profile on a grid", needed=f"{points} points", limit=f"{most}: take a larger interval")
    if isinstance(mechanism, WithProfile):
        return mechanism.uppers([k * step for k in range(points)], least=beyond)
    chords = _chords(mechanism, beyond, often)
    if chords is not None:
        from shuffleproof.impl.ball.privacy_loss import on_chords

        return on_chords(chords, step=step, cells=points - 1)
    method, engine = source(mechanism)

    def asked(k: int) -> Fraction:
        return min(Fraction(1), mechanism.by_method("delta", k * step, method=method, engine=engine).upper)

    with one_answer():
        if points > _MOST + 1:
            return _nearly_straight(asked, points=points, step=step)
        before, first = spent(), asked(0)
        require_affordable(points / _CHEAPER, each=spent() - before, bits=0, what=f"a profile at {points} points")
        return [first, *map(asked, range(1, points))]


def _nearly_straight(asked: Callable[[int], Fraction], *, points: int, step: Fraction) -> list[Fraction]:
    """Upper values at all points, asked where the slope of the profile changes and on chords in e^epsilon between: it is convex.

    Where delta falls by the factor e^f over m steps, a chord is above it as if epsilon were m f/8 steps larger, at most.
    """
    from shuffleproof.impl.ball.privacy_loss import on_chords

    known = {0: asked(0), points - 1: asked(points - 1)}
    left = [(0, points - 1)]
    while left:
        low, high = left.pop()
        if high - low > 1 and known[low] > known[high] * (1 + _STRAIGHT / (high - low)):
            middle = (low + high) // 2
            known[middle] = asked(middle)
            left += [(low, middle), (middle, high)]
    return on_chords([(k * step, known[k]) for k in sorted(known)], step=step, cells=points - 1)


def measure(mechanism: Mechanism, *, step: Fraction, beyond: Fraction, most: int | None = None, often: bool = False) -> GridMeasure:
    """The pair on the grid that dominates it, what is left beyond the last point an infinite loss. The rest as for `uppers`.

    often: whether many such pairs are asked for, so that those of all randomizers are the clones', not first arrival's, which take long.
    """
    from shuffleproof.impl.ball.privacy_loss import envelope

    return envelope(uppers(mechanism, step=step, beyond=beyond, most=most, often=often), step=step)


def epsilon_of(composed: GridMeasure, *, step: Fraction, delta: Fraction, what: str) -> Fraction:
    """An upper bound on the least epsilon at delta. Raises ResourceLimitError, saying of what, where infinite losses exceed delta."""
    from shuffleproof.impl.ball import privacy_loss

    found = privacy_loss.epsilon_of(composed, step=step, delta=delta)
    if found is None:
        shown = decimal_text(delta, digits=3, direction="down")
        raise ResourceLimitError(what=what, needed=f"a delta above {shown}", limit="what lies beyond the end of the grid")
    return found


@lru_cache(maxsize=64)
def answered_by(mechanism: Mechanism) -> Bound:
    """An answer by the method and the engine that these values are of: what it says beside its number holds for all of them.

    mechanism: any but a `Mixture`, whose own answer says that.
    """
    law = _distribution(mechanism)
    method, engine = (law, "fast") if law is not None else source(mechanism)
    return mechanism.by_method("delta", 0, method=method, engine=engine)


@lru_cache(maxsize=256)
def source(mechanism: Mechanism) -> tuple[str, str]:
    """The method and the engine that takes many points: the least in float64 with sound sides, else the best there is."""
    quick = _quick(mechanism)
    if quick is not None:
        return quick[1], "fast"
    try:
        upper = mechanism.epsilon(delta=PROBE).upper
    except RegimeError:  # no epsilon has so small a delta
        upper = mechanism.delta(epsilon=1).upper
    return upper.method, "ball" if upper.engine == "exact" else upper.engine  # the points of a grid have irrational exponentials


@lru_cache(maxsize=256)
def _quick(mechanism: Mechanism) -> tuple[Fraction, str] | None:
    """The least epsilon at `PROBE` in float64 with sound sides that takes little time, and its method."""
    found: list[tuple[Fraction, str]] = []
    for each in mechanism.candidates("epsilon"):
        if each.in_floats > _EACH or (each.method in METHODS and "fast" not in engines_for(METHODS[each.method], "epsilon")):
            continue
        try:
            bound = mechanism.by_method("epsilon", PROBE, method=each.method, engine="fast")
        except ShuffleproofError:
            continue
        if bound.claim_side == "upper" and bound.engine == "fast":
            found.append((bound.upper, each.method))
    return min(found, default=None)


def _distribution(mechanism: Mechanism) -> str | None:
    """The method that is asked at a few points, where that is a gain: of the whole distribution, or for all randomizers first arrival."""
    if not isinstance(mechanism, Shuffled) or not {each.name for each in (*OF_DISTRIBUTIONS, FIRST_ARRIVAL)} & mechanism.methods().keys():
        return None
    quick = _quick(mechanism)
    return gains(mechanism, on=None if quick is None else quick[0])


def _chords(mechanism: Mechanism, beyond: Fraction, often: bool) -> Points | None:
    """A few upper values of the profile, down to `beyond`, by the whole distribution; None where that is no gain, or has no answer."""
    law = _distribution(mechanism)
    if law is None or (often and law == FIRST_ARRIVAL.name):
        return None
    try:
        return profile(cast(Shuffled, mechanism), method=law, beyond=beyond)
    except ShuffleproofError:
        if _quick(mechanism) is None:
            raise
        return None
