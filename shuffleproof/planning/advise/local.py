"""The largest epsilon0 of one randomizer that is certified, or sound in float64, to give (epsilon, delta) after shuffling.

Every epsilon0-DP randomizer gets what the stronger clones certify. A named one may get more: its own p, beta and q say more than epsilon0
does (BEYOND.ThmF3), and its whole distribution says more again (BEYOND.any-law-above; of two items FMT21.Sec4.1.all-pairs). Whatever is
returned has been asked about itself, so that the search needs to be neither monotone nor complete.

Where balls are quick they search. Where they are not, or find nothing larger, float64 does, whose upper side is a bound too: what it
finds is sound, and `confirmed` puts it to balls once where they have an answer within seconds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from shuffleproof.planning.advise.choice import Standing
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.k_subset import Subset
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.methods.clones import K_RR_EXHAUSTIVE
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import BLANKET
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

ANY_RANDOMIZER = "BEYOND.CorF2"
OWN_PARAMETERS = "BEYOND.ThmF3"
_WORTH_IT = Fraction(101, 100)
"""Gain on epsilon0 below which a randomizer's whole distribution is not pursued: a percent."""
_DIGITS = 6
"""Digits of certified deltas, of which the upper end counts."""
_QUICK_TERMS = 1_000
"""About n e^-epsilon0, with which the cost of the optimal pair in ball arithmetic goes, up to which a whole search asks them."""
_MOST_TERMS = 20_000
"""The same for one question."""

MANY_USERS = 10**7
"""From so many on float64 searches and balls confirm; for P^hist by a larger profile, which asks for about 16/n more noise."""
CLOSE_ENOUGH = Fraction(1, 10**5)
"""Relative distance to the least lambda of a bit sum: errors are shown to five digits, and a tenth of it takes four times as long."""
DIGITS_NEARBY = 9
"""Digits of the certified delta that confirms."""
_TOLERANCE = 1e-9
"""Relative distance at which such a search stops; as much is given up, or ten or a hundred times as much, where balls need it."""
_INSIDE = 1e-3
"""Share of the interval by which a step stays away from its ends, so that both move."""
_FAR_BELOW = 1e-30
"""Share of the target below which a delta need not be distinguished from 0."""

Point = tuple[Fraction, float]
"""An epsilon0 and its ln(delta/target)."""


@dataclass(frozen=True, slots=True)
class Target:
    """(epsilon, delta) for n users."""

    n: int
    epsilon: Epsilon
    delta: Fraction


@dataclass(frozen=True, slots=True)
class Allowed:
    """An epsilon0 at which the target is met, and how far that can be relied on."""

    epsilon0: Fraction
    standing: Standing


@dataclass(frozen=True, slots=True)
class _Pursuit:
    """How far a search goes: until ln delta is so near that of the target, or both ends are so close; digits of what is tried."""

    near: float
    close: Fraction
    digits: int
    steps: int


_PURSUITS: dict[Standing, _Pursuit] = {
    "certified": _Pursuit(near=0.05, close=Fraction(1, 1000), digits=6, steps=12),
    "sound": _Pursuit(near=1e-4, close=Fraction(1, 10**7), digits=9, steps=40),
}

_FIRST_STEP = Fraction(1, 10**5)
"""How far above an epsilon0, relative to it, one is first looked for that fails."""
_DOUBLINGS = 12
"""How often twice as far."""
_OF_DISTRIBUTION = _Pursuit(near=2e-3, close=Fraction(1, 10**5), digits=6, steps=8)
"""Each question takes float64 a tenth of a second or so."""


def for_any(target: Target) -> Fraction:
    """An epsilon0 at which every sequence of epsilon0-DP randomizers meets the target, within 1e-9 of the largest that is certified.

    From MANY_USERS on within 1e-7, about. Raises DomainError, UndecidedError, ResourceLimitError.
    """
    from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones as balls
    from shuffleproof.impl.ball.calibration.frequency import calibrate
    from shuffleproof.impl.fast.bounds.clones.clones import stronger_clones as floats

    found, n, epsilon = None, target.n, target.epsilon
    if n >= MANY_USERS:
        found = confirmed_largest(
            lambda epsilon0: floats.delta(n=n, epsilon0=epsilon0, epsilon=epsilon).upper,
            lambda epsilon0: balls.delta(n=n, epsilon0=epsilon0, epsilon=epsilon, digits=DIGITS_NEARBY).upper,
            at=lambda x: Fraction(decimal_text(Fraction(math.exp(x)), digits=12, direction="down")),
            delta=target.delta,
            start=math.log(math.log(n) / 2),
        )
    return found or calibrate(randomizer="k-rr", n=n, k=2, epsilon=epsilon, delta=target.delta).value


def confirmed_largest(
    quick: Callable[[Fraction], Fraction],
    certified: Callable[[Fraction], Fraction],
    *,
    at: Callable[[float], Fraction],
    delta: Fraction,
    start: float,
    least: float = -math.inf,
) -> Fraction | None:
    """at(x) for about the largest x at which the certified upper side of delta meets the target; None where none is found.

    quick, certified: upper sides of a delta that rises with x; only the latter is relied on. at(x): the setting, a short decimal. start:
    where to look first; least: the smallest x that there is.
    """

    def excess(x: float) -> float:
        return math.log(max(float(quick(at(x)) / delta), _FAR_BELOW))

    try:
        high = max(start, least)
        while (above := excess(high)) <= 0:
            high += 1
        low = high
        while (below := excess(low)) > 0:
            if low <= least:
                return None
            low = max(low - 1, least)
        # The line between both ends, in turns with their middle.
        step = 0
        while high - low > _TOLERANCE:
            step += 1
            share = min(max(-below / (above - below), _INSIDE), 1 - _INSIDE) if step % 3 else 0.5
            x = low + (high - low) * share
            if (size := excess(x)) > 0:
                high, above = x, size
            else:
                low, below = x, size
        tried = (at(max(low - more * _TOLERANCE, least)) for more in (1, 10, 100))
        return next((each for each in tried if certified(each) <= delta), None)
    except (DomainError, ResourceLimitError, UndecidedError, UnsupportedError):
        return None


def for_one(target: Target, *, randomizer: NamedRandomizer, known: Fraction) -> Allowed | None:
    """An epsilon0 above `known` at which this randomizer meets the target by its own p, beta and q; None where none is found.

    known: an epsilon0 at which it meets the target.
    """
    if balls_search(target, known):
        found = _largest(partial(_excess, target, randomizer=randomizer, standing="certified"), _PURSUITS["certified"], known=known)
        if found > known:
            return Allowed(found, "certified")
    found = _largest(partial(_excess, target, randomizer=randomizer, standing="sound"), _PURSUITS["sound"], known=known)
    return Allowed(found, "sound") if found > known else None


def by_distribution(target: Target, *, randomizer: NamedRandomizer, known: Fraction) -> Allowed | None:
    """An epsilon0 above `known` at which this randomizer meets the target by its whole distribution; None where that gains below 1 %."""
    excess = partial(_excess, target, randomizer=randomizer, standing="sound", statement=distribution_of(randomizer))
    if excess(epsilon0=known * _WORTH_IT) > 0:
        return None
    return Allowed(_largest(excess, _OF_DISTRIBUTION, known=known * _WORTH_IT), "sound")


def distribution_of(randomizer: NamedRandomizer) -> str:
    """The statement that `by_distribution` rests on."""
    return K_RR_EXHAUSTIVE.statement if _of_two_items(randomizer) else BLANKET.statement


def _of_two_items(randomizer: NamedRandomizer) -> bool:
    """Return whether it is binary randomized response, by any name."""
    return isinstance(randomizer, KRR | Subset) and randomizer.k == 2


def meets(target: Target, allowed: Allowed, *, randomizer: NamedRandomizer) -> bool:
    """Return whether this randomizer meets the target by its own p, beta and q, too; no if the engine that found it has no answer."""
    return _excess(target, randomizer=randomizer, epsilon0=allowed.epsilon0, standing=allowed.standing) <= 0


def confirmed(target: Target, allowed: Allowed, *, randomizer: NamedRandomizer) -> Allowed:
    """The same, certified where balls say so within seconds."""
    sure = Allowed(allowed.epsilon0, "certified")
    if allowed == sure or _terms(target, allowed.epsilon0) > _MOST_TERMS:
        return allowed
    return sure if meets(target, sure, randomizer=randomizer) else allowed


def balls_search(target: Target, known: Fraction) -> bool:
    """Return whether balls are quick enough, from this epsilon0 on, to be asked many times."""
    return _terms(target, known) <= _QUICK_TERMS


def _terms(target: Target, epsilon0: Fraction) -> float:
    return target.n * math.exp(-float(epsilon0))


def _largest(excess: Callable[..., float], pursuit: _Pursuit, *, known: Fraction) -> Fraction:
    """The largest of the epsilon0 that were tried and meet the target; `known` where none does. excess: as `_excess` has it."""
    low, high = known, None
    excess_low = min(0.0, excess(epsilon0=known))
    excess_high, earlier = math.inf, (known, excess_low)
    at = known * Fraction(33, 32)
    for _ in range(pursuit.steps):
        if excess_low >= -pursuit.near or (high is not None and high - low <= pursuit.close * low):
            break
        at = Fraction(decimal_text(at, digits=pursuit.digits, direction="down"))
        if not low < at or (high is not None and not at < high):
            break
        tried = excess(epsilon0=at)
        if tried <= 0:
            earlier, low, excess_low = (low, excess_low), at, tried
        else:
            earlier, high, excess_high = (low, excess_low), at, tried
        other = (high, excess_high) if high is not None else earlier
        at = _next((low, excess_low), other, near=pursuit.near, bounded=high is not None)
    return low


def _next(low: Point, other: Point, *, near: float, bounded: bool) -> Fraction:
    """Where the line through two points comes a little short of 0; the middle, or a small step on, where it says nothing."""
    (x, y), (z, w) = [(point, _straightened(excess)) for point, excess in (low, other)]
    if math.isfinite(y) and math.isfinite(w) and (w - y) * float(z - x) > 0:
        guess = x + (z - x) * Fraction((-y - near / 4) / (w - y))
        if bounded:
            return min(max(guess, x + (z - x) / 50), z - (z - x) / 50)
        return min(max(guess, x * Fraction(201, 200)), x * Fraction(3, 2))
    return (x + z) / 2 if bounded else x * Fraction(33, 32)


def _straightened(excess: float) -> float:
    """Straighten the excess as a function of epsilon0: far below the target ln delta goes with a square."""
    return excess / 2 if excess > 0 else 1 - math.sqrt(1 - excess)


def around(
    target: Target, allowed: Allowed, *, randomizer: NamedRandomizer, statement: str
) -> tuple[tuple[Fraction, Fraction], Fraction, tuple[Fraction, Fraction]]:
    """Ends of delta at an epsilon0 that meets the target, a larger one at which the same bound does not, and ends of delta there.

    statement: what the bound rests on. Raises UndecidedError where none is found.
    """
    ask = partial(_delta, target, randomizer=randomizer, statement=statement, standing=allowed.standing)
    at_value = ask(epsilon0=allowed.epsilon0)
    at = allowed.epsilon0
    for doubled in range(_DOUBLINGS):
        at = Fraction(decimal_text(allowed.epsilon0 * (1 + _FIRST_STEP * 2**doubled), digits=9, direction="up"))
        beyond = ask(epsilon0=at)
        if beyond.lower > target.delta:
            return (at_value.lower, min(at_value.upper, target.delta)), at, (beyond.lower, beyond.upper)
    enclosure = str(float(allowed.epsilon0)), str(float(at))
    raise UndecidedError(quantity="an epsilon0 that fails", enclosure=enclosure, precision=53)


def _excess(
    target: Target, *, randomizer: NamedRandomizer, epsilon0: Fraction, standing: Standing, statement: str = OWN_PARAMETERS
) -> float:
    """ln(delta/target) in floats; its sign is decided in rationals: positive, too, where the engine has no answer."""
    try:
        reached = _delta(target, randomizer=randomizer, epsilon0=epsilon0, statement=statement, standing=standing).upper
    except (ResourceLimitError, UndecidedError, UnsupportedError):
        return math.inf
    ratio = float(reached / target.delta)
    size = math.log(ratio) if ratio > 0 else -math.inf
    return min(size, 0.0) if reached <= target.delta else max(size, math.ulp(0.0))


def _delta(target: Target, *, randomizer: NamedRandomizer, epsilon0: Fraction, statement: str, standing: Standing) -> Bound:
    """Return delta by the optimal pair, certified or in float64; by the whole distribution: of two items, else its blanket."""
    asked: dict[str, Any] = {"n": target.n, "epsilon0": epsilon0, "epsilon": target.epsilon}
    if statement == OWN_PARAMETERS and standing == "certified":
        from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters as balls

        return balls.delta(**asked, randomizer=randomizer, digits=_DIGITS)
    from shuffleproof.impl.fast.bounds.blanket import any_distribution
    from shuffleproof.impl.fast.bounds.variation_ratio import optimal_parameters

    if statement == OWN_PARAMETERS:
        return optimal_parameters.delta(**asked, randomizer=randomizer)
    if _of_two_items(randomizer):
        return _of_binary(**asked)
    return any_distribution.delta(**asked, randomizer=randomizer, view="above")


@lru_cache(maxsize=64)
def _of_binary(*, n: int, epsilon0: Fraction, epsilon: Epsilon) -> Bound:
    """Return delta of binary randomized response, which is asked for by two names."""
    from shuffleproof.impl.fast.bounds.k_rr import binary_rr_exhaustive

    return binary_rr_exhaustive.delta(n=n, epsilon0=epsilon0, epsilon=epsilon, k=2)
