"""Where to ask a bound that takes long: the least epsilon at which delta is at most so much, the largest at which it is more, or delta.

ln delta differs from what is guessed, by a saddle point, by little that depends on epsilon, so that few bounds are enough. Any points are
sound: what is returned has been asked, or is known, or lies on a chord. So a wrong constant makes answers wider or slower: a tolerance by
2e-4 of epsilon or four in ten values where it is off by ten, a count that is too small by much. Only a wrong `_ROUNDED` makes them false.
`another-place`, `first-arrival`, with and without delta0, `adaptive-pair`, and the bounds of given distributions and of Gaussian noise are
searched for here.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

from shuffleproof.impl.fast.bounds.blanket.one_sum import RESTS_ON
from shuffleproof.impl.fast.numeric.results import SURE, U
from shuffleproof.spec.vocabulary.asking import Found

_CLOSE = 2e-3
"""How near ln delta is brought to its target, at which the search ends: epsilon moves by about 1.5e-4 of itself, by 5e-4 for 30 users."""
_AIMED = 5e-4
"""By how much less than the target ln delta is aimed at: what an answer mostly loses. To be nearer, make it smaller with the two others."""
_FIRST = 9e-4
"""By how much less is aimed at first: guesses for 10^5 users and more are too small by up to so much."""
_LACKING = 5e-3
"""The same where sums are to correct them, which is nearer where the point moves less after that: saddle points lack 2e-3 to 1e-2."""
_LEAST_GAIN = 2e-4
"""Of epsilon, what is not worth another value: the search ends there, too."""
_EDGE = 1e-9
"""How near to each other epsilons are between which no further value is asked, next to them."""
_CHORD = 5e-6
"""Of epsilon, what the chord between values on either side of the target may lose: epsilon as it is asked again is no nearer."""
_ABOVE = 2e-3
"""Of ln delta, how far above the target is aimed at first, where values on either side are wanted."""
_JUST_BELOW = 2e-5
"""The same below the target, where guesses are of the sums themselves."""
_BELOW = 6e-5
"""The same where corrected guesses are."""
_LOST = 1e-5
"""Of epsilon, what one value below the target may lose to be enough there."""
_MARGIN = 0.05
"""How far on the other side of the target is aimed at, next to how far from it the last value was: guesses are as wrong, about;"""
_MARGIN_BETWEEN = 0.005
"""the same between values on either side, where guesses are a secant's;"""
_LEAST_MARGIN = 2e-4
"""and at least."""
_BELOW_AT_LAST = 0.01
"""Of the target, how far below it what is known at the last epsilon has to be for a chord from there to be near delta."""
_NOTHING = 1e-15
"""Of the last epsilon, below which an epsilon is as good as 0."""
_FALLEN = 2.0
"""Of ln delta, what it has fallen by from epsilon = 0 on where that is;"""
_LIKE_A_SQUARE = -6.0
"""ln delta, below which it is about that at 0 less a multiple of epsilon^2."""
_RIGHT = 1e-3
"""How far from ln delta a guess is that is not asked about jumps."""
_AT_THE_END = 0.99
"""The same from which on it is delta that goes on as a line, to 0."""
_BEFORE_THE_END = 0.95
"""Of the last epsilon, up to where it is."""
_EVALUATIONS_BETWEEN = 12
"""Such values at most; two or three are enough mostly."""
_ENOUGH = 2
"""Such values after which more may be lost,"""
_CHORD_AT_LAST = 1e-5
"""so much: bounds of few users have jumps."""
_EVALUATIONS = 12
"""Values of delta that are asked for at most, in search of an epsilon; two or three are enough mostly."""
_GUESSES = 40
"""Guesses at most for one point."""
_NEAR = 1e-4
"""How near to what is wanted a guess of ln delta has to come,"""
_NEAR_AT_FIRST = 0.1
"""and where it is still to be corrected;"""
_NEAR_BY_SUMS = 0.015
"""the same where sums correct it, which may then be off by some 10^-5."""
_NARROW = 1e-6
"""Of epsilon, and of what is left to where delta is 0, between which guesses are not told apart."""
_ROUNDED = 1e-12
"""Of how far a chord is followed, what its logarithms may lose by rounding: some 1e-15 where no digits cancel."""
LARGE = 1e-4
"""From such a delta on epsilon may be 0, which is asked first."""
_ROUNDS = 3
"""Steps to a deviation of a normal sum."""
_PASSES = 10
"""Times that delta is asked at most."""
_LEAST_WANTED = math.exp(-667.0)
"""The least delta that a bound is asked to expect."""
_MOST_WANTED = math.exp(-2.0)
"""The largest one."""
_MISLED = 2.0
"""Times that what delta moves by, from which on the guess moves by too much, or too little, to be followed: a secant of ln delta is."""
_SHOWN = Fraction(1, 10**6)
"""Width of what is shown beside a bound, of itself: six digits; nothing is claimed of that end."""
_MUCH_MORE = 100.0
"""Times the guess, what comes out at most where it need not be asked again."""


def least(
    delta_at: Callable[[Fraction], float],
    guess_at: Callable[[Fraction], float],
    target: Fraction,
    last: Fraction,
    *,
    more_at: Callable[[Fraction], float] | None = None,
    known_at: Callable[[Fraction], tuple[Fraction, bool]] | None = None,
    start: float = math.inf,
    at_last: float | None = None,
    of_sums: bool = False,
) -> Fraction:
    """Return an epsilon at which delta is at most `target`, near the least one, or `last`, where that is known of it.

    guess_at: ln delta at an epsilon, about, or any finite number: delta differs from it by a factor that hardly depends on epsilon;
    more_at: ln of that factor, about, where something that takes less time than delta gives it; known_at: given where the search
    begins, another such `last`, and whether no less is to be found; start: where guesses begin, if it is not far below `last`; at_last:
    what delta is at most at `last`, given where guesses after `more_at`, or as they are without, are so near that two values are wanted,
    one on either side; of_sums: whether these are of the sums themselves, so that one just below the target may do, as without `more_at`.
    """
    if target > LARGE and (at_last is None or guess_at(Fraction(0)) < math.log(target) + 1.0) and delta_at(Fraction(0)) <= target:
        return Fraction(0)
    if at_last is None:
        known = _asked(delta_at, guess_at, target, last, above=False, more_at=more_at, known_at=known_at, start=start)
    else:
        known = _between(delta_at, guess_at, target, last, more_at=more_at, start=start, at_last=at_last, of_sums=of_sums)
    known.append((last, target if at_last is None else min(target, Fraction(at_last))))
    above, below = ([(x, Fraction(found)) for x, found in known if found <= 1.0 and (found > target) is more] for more in (True, False))
    chords = (
        x - _fallen(x - before, (target - found) / (more - found)) for (before, more), (x, found) in product(above, below) if before < x
    )
    return min(*chords, *(x for x, _ in below), last)  # not always the nearest two: bounds may jump


def _fallen(apart: Fraction, share: Fraction) -> Fraction:
    """Return how far below an epsilon delta is still at most what lies between its values there and `apart` below it by this share.

    Of any two distributions delta is convex in e^epsilon, as a supremum of lines, and so is the largest of many (BEYOND.Chord).
    """
    part = float(share) * math.expm1(-float(apart))
    left = float(1 - share) + float(share) * math.exp(-float(apart))  # 1 + part, where digits of that would cancel
    return Fraction(-(math.log1p(part) if part > -0.5 else math.log(left)) * (1 - _ROUNDED))


def largest(
    delta_at: Callable[[Fraction], float], guess_at: Callable[[Fraction], float], target: Fraction, last: Fraction, first: Fraction
) -> Fraction:
    """Return an epsilon at which delta is above `target`, near the largest one below `last`, or `first`, where that is known of it."""
    return max([first, *(x for x, found in _asked(delta_at, guess_at, target, last, above=True) if found > target)])


def _asked(
    delta_at: Callable[[Fraction], float],
    guess_at: Callable[[Fraction], float],
    target: Fraction,
    last: Fraction,
    *,
    above: bool,
    more_at: Callable[[Fraction], float] | None = None,
    known_at: Callable[[Fraction], tuple[Fraction, bool]] | None = None,
    start: float = math.inf,
) -> list[tuple[Fraction, float | Fraction]]:
    """Return epsilons and their deltas, the last of them near the target and on this side of it, if a few are enough for that."""
    sign, goal = -1 if above else 1, math.log(target)
    wanted, low, high = goal - sign * _AIMED, 0.0, float(last)
    x, scale = _where(guess_at, goal - sign * _FIRST, high, min(start, high * 0.7)), 1.0
    if more_at and (more := more_at(Fraction(x))):
        x = _where(guess_at, wanted + _AIMED / 2 - more, high, x)  # which is nearer than the guess alone
    before: tuple[float, float, float] | None = None
    earlier: tuple[float, float, float] | None = None
    known: list[tuple[Fraction, float | Fraction]] = []
    if known_at:
        nearer, done = known_at(Fraction(x))
        known.append((nearer, target))
        if done:
            return known
        high = float(nearer)
        x = min(x, high * (1 - 1e-9))
    for _ in range(_EVALUATIONS):
        found = delta_at(Fraction(x))
        known.append((Fraction(x), found))
        reached = math.log(max(found, 1e-320))
        if (found > target) is above and sign * (reached - wanted) > _AIMED - _CLOSE:  # the side not by logarithms, which are rounded
            break
        beyond = found >= 1.0 and before is not None and x > before[0]  # of the floats: delta does not rise
        low, high = (low, min(x, high)) if found <= target or beyond else (x, high)
        if high - low < _LEAST_GAIN * high:
            break
        middle = there = (low + high) / 2
        if found < 1.0:
            level = guess_at(Fraction(x))
            if before is not None and (level - before[1]) * (reached - before[2]) > 0.0:  # by how much the guess moves while delta does
                scale = (level - before[1]) / (reached - before[2])
            elif before is not None and level == before[1]:
                scale = 0.0
            misled = not 1 / _MISLED < scale < _MISLED
            if before is not None and misled and (reached - before[2]) * (x - before[0]) < 0.0:
                there = x - (reached - wanted) * (x - before[0]) / (reached - before[2])
            else:
                aimed = level - scale * (reached - wanted)
                if before is not None and earlier is not None:
                    points = ((known_level, height - wanted) for _, known_level, height in (earlier, before, (x, level, reached)))
                    aimed = _through(points, aimed)
                there = _where(guess_at, aimed, high, x, end=float(last))
            earlier, before = before, (x, level, reached)
        x = there
        if not low < x < high * (1 - _LEAST_GAIN / 2):
            nearly = high * (1 - (0.5 if above else 4.0) * _LEAST_GAIN)
            x = max(middle, nearly) if x > middle else middle
    return known


def _between(
    delta_at: Callable[[Fraction], float],
    guess_at: Callable[[Fraction], float],
    target: Fraction,
    last: Fraction,
    *,
    more_at: Callable[[Fraction], float] | None,
    start: float,
    at_last: float,
    of_sums: bool,
) -> list[tuple[Fraction, float | Fraction]]:
    """Return epsilons and their deltas, two of them on either side of the target, so near that the chord between them is: if few do.

    Without `more_at`, or where that is of sums, the last one may be below it, and as near, alone.

    A chord from `over` above ln of the target to `under` below it is above what is convex by half of over under/(over + under), about.
    """
    goal, low, high = math.log(target), 0.0, float(last)
    over, under = math.inf, goal - math.log(at_last) if 0.0 < at_last < target * (1 - _BELOW_AT_LAST) else math.inf
    x, guesses = min(start, high * 0.7), dict[float, float]()
    if more_at:
        lacking, first, aside, near = (_LACKING, _NEAR_BY_SUMS, -_BELOW, _BELOW / 2) if of_sums else (_FIRST, _NEAR_AT_FIRST, _ABOVE, _NEAR)
        x = _where(guess_at, goal - lacking, high, x, near=first, known=guesses)
        x = _where(guess_at, goal + aside - more_at(Fraction(x)), high, x, near=near, known=guesses)
    else:
        x = _where(guess_at, goal - _JUST_BELOW, high, x, near=0.7 * _JUST_BELOW, known=guesses)
    known, points = list[tuple[Fraction, float | Fraction]](), list[tuple[float, float]]()
    for number in range(_EVALUATIONS_BETWEEN):
        found = delta_at(Fraction(x))
        known.append((Fraction(x), found))
        reached = math.log(max(found, 1e-320)) - goal
        if found > target:
            low, over = x, max(reached, U)
        else:
            high, under = x, max(-reached, U)
        lost = min(over, under) if math.inf in (over, under) else over * under / (over + under)
        enough = _CHORD if number < _ENOUGH else _CHORD_AT_LAST
        if (low and lost * (high - low) < 2 * enough * low) or high - low < _EDGE * high or high < _NOTHING * float(last):
            break
        if (of_sums or not more_at) and under < _LOST * _fall(guesses, x):
            break
        middle = there = (low + high) / 2
        if found < 1.0:
            margin = _MARGIN if math.inf in (over, under) else _MARGIN_BETWEEN
            aimed = -math.copysign(min(1.0, max(_LEAST_MARGIN, margin * abs(reached))), reached)
            place = math.log1p(-x / float(last))  # in which ln delta goes on as a line to where it ends
            if points and place != points[-1][0] and (slope := (reached - points[-1][1]) / (place - points[-1][0])) > 0.0:
                to = place + (aimed - reached) / slope
                if len(points) > 1:
                    to = _through([(where, height - aimed) for where, height in (*points[-2:], (place, reached))], to)
                there = -math.expm1(min(to, 0.0)) * float(last)
            elif at_last <= 0.0 and min(x, to := -math.expm1(min(place + aimed - reached, 0.0)) * float(last)) > _AT_THE_END * float(last):
                there = to
            else:
                if x not in guesses:
                    guesses[x] = guess_at(Fraction(x))
                there = _where(guess_at, guesses[x] + aimed - reached, high, x, end=float(last), known=guesses)
                wrong = abs(guesses[x] - reached - goal) > _RIGHT
                if wrong and reached + goal < min(_LIKE_A_SQUARE, (first := guess_at(Fraction(0))) - _FALLEN):  # guesses may have jumps
                    plain = x * (math.sqrt(max(U, (goal + aimed - first) / (reached + goal - first))) - 1)
                    there = x + plain if x + plain < high * _BEFORE_THE_END and not 1 / _MISLED < (there - x) / plain < _MISLED else there
            points.append((place, reached))
        x = there if low < there < high * (1 - _EDGE / 2) else max(middle, high * (1 - 4.0 * _EDGE)) if there > middle else middle
    return known


def _through(points: Iterable[tuple[float, float]], otherwise: float) -> float:
    """Return the level at height 0 of the parabola through three (level, height); `otherwise` where these do not rise together."""
    (a, p), (b, q), (c, r) = sorted(points, key=lambda point: point[1])
    if not (a < b < c and p < q < r):
        return otherwise
    first, second = (b - a) / (q - p), (c - b) / (r - q)
    return a - p * first + p * q * (second - first) / (r - p)


def _fall(known: dict[float, float], x: float) -> float:
    """Return -d ln delta/d ln epsilon by guesses at x and next to it, 0 where none is known there."""
    if x not in known or len(known) == 1:
        return 0.0
    near = min((p for p in known if p != x), key=lambda p: abs(p - x))
    return max(0.0, x * (known[near] - known[x]) / (x - near))


def _where(
    guess_at: Callable[[Fraction], float],
    wanted: float,
    last: float,
    x: float,
    *,
    near: float = _NEAR,
    end: float | None = None,
    known: dict[float, float] | None = None,
) -> float:
    """Where the guess of ln delta is `wanted`, by secants from x and halving, below `last`.

    end: where delta is 0, `last` or above; known: guesses, to which others are added.
    """
    end = last if end is None else end
    known = {} if known is None else known
    low = max((p for p, height in known.items() if height > wanted), default=0.0)
    high = min((p for p, height in known.items() if height <= wanted and p > low), default=last)
    before: tuple[float, float] | None = None
    if low in known and high in known and known[low] > known[high]:
        before = math.log1p(-min(low / end, 1 - U)), known[low] - wanted
        x = low + (high - low) * before[1] / (known[low] - known[high])
    for _ in range(_GUESSES):
        if x not in known:
            known[x] = guess_at(Fraction(x))
        height, place = known[x] - wanted, math.log1p(-min(x / end, 1 - U))
        low, high = (x, high) if height > 0 else (low, x)  # delta falls
        if abs(height) < near or high - low < max(_NARROW * min(high, end - low), _EDGE * high):  # guesses may have jumps
            break
        if before is None:
            step = _like_normal(x, height + wanted, wanted) if x > 0 else low
        else:  # in this place ln delta goes on as a line to where it ends
            slope = max(1.0, (height - before[1]) / (place - before[0])) if place != before[0] else 1.0  # delta is convex, about
            step = -math.expm1(min(0.0, place - height / slope)) * end
        before, x = (place, height), step if low < step < high else (low + high) / 2
    return x


def _like_normal(x: float, height: float, wanted: float) -> float:
    """Return the epsilon at which ln delta is `wanted` if it is `height` at x, of a normal mean of losses, about."""
    z = 1.0
    for _ in range(_ROUNDS):  # see `of_normal`, the deviation being x/z
        z = math.sqrt(max(1.0, 2 * (math.log(x / z / math.sqrt(2 * math.pi)) - height - math.log(1 + z * z))))
    found, fallen = z, z * z / 2 + math.log(1 + z * z) + height - wanted
    for _ in range(_ROUNDS):
        found = math.sqrt(max(0.0, 2 * (fallen - math.log(1 + found * found))))
    return x * found / z


def of_normal(deviation: float, target: float) -> float:
    """Return the epsilon at which a normal mean of losses of this deviation gives that delta, about: a place to begin from."""
    z, height = 1.0, math.log(deviation / target / math.sqrt(2 * math.pi))
    for _ in range(_ROUNDS):
        z = math.sqrt(max(1.0, 2 * (height - math.log(1 + z * z))))  # E(Z - z)_+ is about the density over 1 + z^2
    return math.log1p(z * deviation)


def settled(delta_at: Callable[[float], float], guess: float, *, known: float = 1.0, within: float = 30.0) -> float:
    """Return delta at most, asked again where it is far from what was guessed, which is any number: it decides how much is cut off.

    delta_at: by about what comes out; known: what delta is at most; within: how many times below the guess is near enough.
    """
    found, wanted = known, min(_MOST_WANTED, max(_LEAST_WANTED, guess))
    for _ in range(_PASSES):
        value = delta_at(wanted)
        found, following = min(found, value), min(_MOST_WANTED, max(_LEAST_WANTED, value))
        if wanted / within <= following <= wanted * _MUCH_MORE:
            break
        wanted = following
    return max(found, SURE)


def at_most(value: Fraction) -> Found:
    """An upper side: nothing is claimed of the lower end."""
    return Found(value * (1 - _SHOWN), value, False, rests_on=RESTS_ON)


def at_least(value: Fraction) -> Found:
    """A lower side: nothing is claimed of the upper end."""
    return Found(value, value * (1 + _SHOWN), upper_certified=False, rests_on=RESTS_ON)
