"""Privacy profiles by chords through a few upper values, for methods that take long at each: a few points give a pair that dominates.

A profile is convex in e^epsilon and does not increase, so chords through values that are not below it are not below it either. What lies
below the chords on a grid is the profile of a pair (BEYOND.Envelope); their Renyi divergence is a sum over them (BEYOND.Renyi-chords).
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from shuffleproof.mechanisms.mechanism import Shuffled
from shuffleproof.mechanisms.randomizers import AnyRandomizer, FromDistribution, Gaussian, NamedRandomizer
from shuffleproof.methods import METHODS
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, ShuffleproofError, UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import (
    ANOTHER_PLACE,
    BLANKET,
    FIRST_ARRIVAL,
    GAUSSIAN_BLANKET,
    GAUSSIAN_PLACE,
    OPTIMAL_PAIR,
    RANDOMIZER_PAIR,
)
from shuffleproof.spec.vocabulary.numerals import count, decimal_text, epsilon0_parameter, exact_fraction
from shuffleproof.spec.vocabulary.progress import steps

Points = tuple[tuple[Fraction, Fraction], ...]
"""Epsilon, from 0 upwards, and an upper value of delta there."""
Spacing = tuple[int, float]
"""How many points are asked for, and how much wider they stand where little is left: as sinh does up to here."""
_LARGEST_EXPONENT = 600.0
"""Of floats, where points are chosen."""
OF_ROUNDS: Spacing = 28, 2.5
"""Each takes some hundredths of a second; epsilon of many rounds is then two thousandths too large."""
OF_SLOW: Spacing = 14, 2.0
"""Each takes half a second; epsilon of many rounds is then about eight thousandths too large."""
DEVIATION = Fraction(5, 2)
"""Times delta at 0, which is about the deviation of a loss: of a normal one delta at 0 is 0.4 of it."""
_OF_A_DEVIATION = Fraction(1, 10)
"""Of it, what a cell of a grid is at most: epsilon of many rounds is a thousandth larger by it."""
_MOST_CELLS = 4096
"""Cells at most: points between a few take no time, and products little."""
LEAST = 8
"""Fewest digits of the smallest delta that is asked for: one profile serves all that need no more."""
MOST = 280
"""Most digits of the smallest delta that is asked for: float64 has not many more."""
BEYOND = Fraction(1, 10**4)
"""The share of delta beyond the end of a grid of losses, over all rounds that are composed on it."""
TAIL = 1000
"""A delta as small as this many times the last one: of the sum of all rounds it is a tenth, where the last one is a part in 10^4."""
_MORE = 4
"""Digits are rounded up to a multiple of it, so that questions which need about as many share a profile."""
OF_DISTRIBUTIONS = (ANOTHER_PLACE, BLANKET, GAUSSIAN_BLANKET, GAUSSIAN_PLACE)
"""Methods of whole distributions, which answer for all neighbouring datasets and both orders."""
PROBE = Fraction(1, 10**6)
"""The delta at which two methods are compared before many of their values are computed."""
_GAIN = Fraction(98, 100)
"""Of another method's epsilon: closer to it, its own numbers are seldom above those of the chords."""


def profile(mechanism: Shuffled, *, method: str, beyond: Fraction) -> Points:
    """Upper values from 0 to where delta is at most `beyond`, then 0 at eps0 where the reports are eps0-DP.

    method: of the mechanism's, in float64 with sound sides; where its delta would be at most `TAIL` times `beyond`, that of its quicker
    method for tails, if it has one. Raises ResourceLimitError where beyond is too small; what `delta` raises.
    """
    needed = math.ceil(-math.log10(beyond.numerator) + math.log10(beyond.denominator)) if beyond < 1 else 0
    if needed > MOST:
        shown = decimal_text(beyond, digits=2, direction="down")
        raise ResourceLimitError(what="a profile in float64", needed=f"a delta of {shown}", limit=f"1e-{MOST}: ask for a larger delta")
    digits = max(LEAST, min(MOST, -(-needed // _MORE) * _MORE))
    return _profile(mechanism, method, METHODS[method].in_tails, spacing_of(mechanism, method), digits)


def _of_noise(mechanism: Shuffled, epsilons: Sequence[Fraction]) -> list[Fraction]:
    from shuffleproof.impl.fast.bounds.swap import gaussian_places

    sigma = exact_fraction(cast(Gaussian, mechanism.randomizer).sigma, parameter="sigma")
    return gaussian_places.uppers(n=count(mechanism.n, parameter="n"), sigma=sigma, epsilons=epsilons)


def spacing_of(mechanism: Shuffled, method: str) -> Spacing:
    """How many points a profile is worth by this method."""
    return OF_SLOW if count(mechanism.n, parameter="n") <= METHODS[method].slow_until else OF_ROUNDS


@lru_cache(maxsize=64)
def _profile(mechanism: Shuffled, method: str, in_tails: str, spacing: Spacing, digits: int) -> Points:
    local, beyond = pure(mechanism), Fraction(1, 10**digits)
    top = mechanism.by_method("epsilon", beyond, method=in_tails or method, engine="fast").upper
    if method == GAUSSIAN_PLACE.name:
        first = _of_noise(mechanism, [Fraction(0)])[0]
    else:
        first = mechanism.by_method("delta", 0, method=method, engine="fast").upper
    of_normal = DEVIATION * first * Fraction(math.sqrt(2 * math.log(10) * digits))  # about where such a loss would end
    epsilons = [epsilon for epsilon in _by_shape(top, of_normal, spacing) if local is None or epsilon < local]

    def slowly(epsilon: Fraction) -> Fraction:
        return mechanism.by_method("delta", epsilon, method=method, engine="fast").upper if epsilon else first

    values, quickly = list[Fraction](), bool(in_tails)
    for number, each in enumerate(steps(epsilons[::-1], of="points of the profile")):
        value = mechanism.by_method("delta", each, method=in_tails, engine="fast").upper if quickly else slowly(each)
        if quickly and not 0 < value <= TAIL * beyond:
            if method == GAUSSIAN_PLACE.name:
                values += _of_noise(mechanism, epsilons[: len(epsilons) - number])[::-1]
                break
            quickly, value = False, slowly(each)
        values.append(value)
    found = tuple((epsilon, min(Fraction(1), value)) for epsilon, value in zip(epsilons, reversed(values), strict=True))
    return found if local is None else (*found, (local, Fraction(0)))


def _by_shape(top: Fraction, of_normal: Fraction, spacing: Spacing) -> list[Fraction]:
    """Epsilons from 0 to about `top`, near 0 as close as if it were `of_normal`: beyond that rare losses are large."""
    points, wider = spacing
    stretched = math.asinh(math.sinh(wider) * float(top / of_normal)) if of_normal else 0.0
    if stretched <= wider:
        return spaced(top, spacing)
    return spaced(top, (math.ceil(points * math.sqrt(stretched / wider)), stretched))


def spaced(top: Fraction, spacing: Spacing) -> list[Fraction]:
    """Epsilons from 0 to about `top`, short to write."""
    points, wider = spacing
    shares = [math.sinh(wider * k / points) / math.sinh(wider) for k in range(points + 1)]
    return [Fraction(decimal_text(top * Fraction(share), digits=6, direction="up")) for share in shares]


def cells_of(points: Points, *, top: Fraction, least: int) -> int:
    """Return how many cells a grid up to `top` needs, at least `least`: more where rare losses are far larger than most."""
    return max(least, min(_MOST_CELLS, math.ceil(top / (DEVIATION * points[0][1] * _OF_A_DEVIATION)))) if points[0][1] else least


def pure(mechanism: Shuffled) -> Fraction | None:
    """An eps0, rounded up, for which the reports are eps0-DP, or None."""
    randomizer = mechanism.randomizer
    if isinstance(randomizer, NamedRandomizer | AnyRandomizer):
        return epsilon0_parameter(randomizer.epsilon0).bounds(bits=64)[1]
    if isinstance(randomizer, FromDistribution) and isinstance(randomizer.p, Fraction):
        from shuffleproof.spec.vocabulary.elementary import log_bounds

        return log_bounds(randomizer.p, bits=64)[1]
    return None


@lru_cache(maxsize=64)
def by_distribution(mechanism: Shuffled) -> str | None:
    """The method of whole distributions whose profile is the least, in float64 with sound sides; None where the optimal pair is as good.

    Raises what `epsilon` raises.
    """
    known = mechanism.methods()
    enough = min((epsilon(mechanism, each.name) for each in (RANDOMIZER_PAIR, OPTIMAL_PAIR) if each.name in known), default=None)
    found: list[tuple[Fraction, str]] = []
    for each in OF_DISTRIBUTIONS:
        with suppress(*(() if each == BLANKET else (ResourceLimitError, UnsupportedError))):  # the blanket answers
            found += [(epsilon(mechanism, each.name), each.name)] if each.name in known else []
    least = min(found, default=None)
    return None if least is None or (enough is not None and least[0] >= enough * _GAIN) else least[1]


@lru_cache(maxsize=256)
def gains(mechanism: Shuffled, *, on: Fraction | None) -> str | None:
    """The method of `by_distribution`, or first arrival, where its epsilon at `PROBE` is so far below this one that chords keep some.

    on: None for that of nothing.
    """
    try:
        method = FIRST_ARRIVAL.name if isinstance(mechanism.randomizer, AnyRandomizer) else by_distribution(mechanism)
        return method if method is not None and (on is None or epsilon(mechanism, method) <= on * _GAIN) else None
    except ShuffleproofError:  # the other method answers
        return None


@lru_cache(maxsize=256)
def epsilon(mechanism: Shuffled, method: str) -> Fraction:
    """An upper bound at `PROBE`, in float64 with sound sides where that carries it."""
    return mechanism.by_method("epsilon", PROBE, method=method, engine="fast").upper


def spread(value_at: Mapping[Fraction, float], *, order: Fraction, points: int) -> list[Fraction]:
    """Return about so many of these epsilons, the first and the last of them, by whose chords least is given up, as floats have it."""
    import numpy as np

    epsilons = sorted(value_at)
    logarithm = np.array([float(each) for each in epsilons])
    E, value = np.exp(np.minimum(logarithm, _LARGEST_EXPONENT)), np.array([value_at[each] for each in epsilons])
    middle = (logarithm[1:] + logarithm[:-1]) / 2
    exponent = (float(order) - 2) * middle  # of the weight E^(order - 2), next to the largest one
    weight = np.exp(exponent - exponent.max()) + np.exp(-(float(order) + 1) * middle - exponent.max())
    sums = [
        np.concatenate([[0.0], np.cumsum(weight * np.diff(E) * each)]) for each in (1.0, (E[1:] + E[:-1]) / 2, (value[1:] + value[:-1]) / 2)
    ]
    whole, moment, dense = (each[None, :] - each[:, None] for each in sums)
    with np.errstate(all="ignore"):  # any points are sound
        slope = (value[None, :] - value[:, None]) / (E[None, :] - E[:, None])
        lost = value[:, None] * whole + slope * (moment - E[:, None] * whole) - dense
    lost = np.where(np.triu(np.ones_like(lost), 1) > 0, lost, np.inf)
    least, before = lost[0], list[Any]()
    for _ in range(min(points, len(epsilons)) - 2):
        through = least[:, None] + lost
        before.append(through.argmin(axis=0))
        least = through.min(axis=0)
    place, found = len(epsilons) - 1, [epsilons[-1]]
    for each in reversed(before):
        place = int(each[place])
        found.append(epsilons[place])
    return sorted({*found, epsilons[0]})
