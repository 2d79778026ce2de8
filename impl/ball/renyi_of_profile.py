"""Renyi divergences of a pair whose privacy profile has known ends at some points, from both sides (BEYOND.Renyi-chords).

The moment of order alpha of P/Q under Q is 1 + J(D_E(P || Q), alpha) + J(D_E(Q || P), 1 - alpha), where

    J(f, a) = a (a - 1) integral over E > 1 of E^(a - 2) f(E) dE

grows with f. A profile is convex in E and does not increase: between two points it lies below the chord through its upper ends, and above
the lines through its lower ends whose slopes are those of chords to points on the far side. J of a broken line is a sum of powers of E.
Points are added where chords and lines are farthest apart.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, normal_tail, precision, upper_end
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import decimal_text

Ends = tuple[Fraction, Fraction]
Profile = Callable[[Fraction], tuple[Ends, Ends]]
"""Ends of D_E(P || Q) and of D_E(Q || P) at E = e^epsilon, from epsilon."""
Beyond = Callable[[Fraction], arb]
"""From an epsilon, what D_E(P || Q) beyond it adds to the moment at most."""
_BITS = 320
"""Working precision in bits: differences of powers of e^epsilon cancel."""
_REACH = (1, 2, 3, 4, 6, 8)
"""Points to the side with which chords bound the slope: far ones where the ends of near ones are too far apart."""
_FEWER = 4
"""Points are added where the gap is at least the largest one over this."""
_DIGITS = 6
"""Of an epsilon that is asked: short to write."""
_NOTHING = (Fraction(0), Fraction(0))
"""Of the two orders of a pair, what an integral over no epsilon adds."""


@dataclass(frozen=True, kw_only=True)
class Enclosed:
    """Ends of a Renyi divergence, and at how many points the profile was asked."""

    lower: Fraction
    upper: Fraction
    points: int


def divergence(
    profile: Profile, *, order: Fraction, start: Sequence[Fraction], beyond: Beyond | None = None, tolerance: float, most: int
) -> Enclosed:
    """Enclose the Renyi divergence of order alpha of a pair, to a relative width of about `tolerance`.

    order: above 1; start: epsilons from 0 upwards where the profile is asked first, but at the last one, where it is 0 in both directions;
    it is asked there, too, where `beyond` says what D_E(P || Q) adds to the moment at most beyond an epsilon; most: points at which it is
    asked. Of upper values for all neighbouring datasets and both directions, given as both ends, the upper side alone says something.
    Raises DomainError; what `profile` raises.
    """
    rising = len(start) >= 2 and start[0] == 0 and all(low < high for low, high in pairwise(start))
    require(rising, parameter="start", value=len(start), requirement="at least two, from 0 upwards")
    require(order > 1, parameter="order", value=order, requirement="above 1")
    known = {each: profile(each) for each in start[: None if beyond else -1]}
    known.setdefault(start[-1], (_NOTHING, _NOTHING))
    while True:
        epsilons = sorted(known)
        with precision(_BITS):
            forward, backward = ([known[each][way] for each in epsilons] for way in (0, 1))
            E = [ball(each).exp() for each in epsilons]
            parts = list(zip(_parts(E, forward, backward, order), _parts(E, backward, forward, 1 - order), strict=True))
            low, high = ([first[side] + second[side] for first, second in parts] for side in (0, 1))
            if beyond is not None:  # of D_E(Q || P) the integral beyond is at most that of its last value
                high.append(beyond(epsilons[-1]) + ball(order - 1) * ball(backward[-1][1]) * E[-1] ** ball(-order))
            below, above = sum(low, arb(0)), sum(high, arb(0))
            gaps = [float(((y - x) / above).mid()) for x, y in zip([*low, arb(0)], high, strict=False)]
            moved = float((above / (1 + above) / above.log1p()).mid())  # how far the divergence moves with the moment
            enclosed = Enclosed(
                lower=max(Fraction(0), lower_end(below.log1p() / ball(order - 1))) if below > 0 else Fraction(0),
                upper=upper_end(above.log1p() / ball(order - 1)),
                points=len(known),
            )
        largest = sorted((i for i, gap in enumerate(gaps) if gap * _FEWER >= max(gaps)), key=lambda i: -gaps[i])
        new = {_between(epsilons, i) for i in largest[: max(0, most - len(known))]} - known.keys()
        if not new or sum(gaps) * moved <= tolerance:
            return enclosed
        known.update((each, profile(each)) for each in new)


def _between(epsilons: Sequence[Fraction], i: int) -> Fraction:
    """A point in the i-th interval, or beyond the last one."""
    low, high = epsilons[i], epsilons[i + 1] if i + 1 < len(epsilons) else 2 * epsilons[i]
    return Fraction(decimal_text((low + high) / 2 if low else high / 4, digits=_DIGITS, direction="up"))


def _parts(E: Sequence[arb], known: Sequence[Ends], other: Sequence[Ends], a: Fraction) -> Iterator[tuple[arb, arb]]:
    """J of the lines below and of the chord above, for each interval.

    known: ends of the profile at each E, from 1 on; other: of the other direction, whose mirror image stands below 1.
    """
    low, high = ([ball(ends[side]) for ends in known] for side in (0, 1))
    # D_E(P || Q) = 1 - E + E D_{1/E}(Q || P)
    at = [*((1 / x) for x in E[:0:-1]), *E]
    top = [*(1 - (1 - ball(ends[1])) / x for x, ends in zip(E[:0:-1], other[:0:-1], strict=True)), *high]
    power, exponent = ball(a), ball(a - 1)
    raised = [(x**exponent, x**power) for x in E]

    def of_line(x: arb, y: arb, at_x: tuple[arb, arb], z: arb, w: arb, at_z: tuple[arb, arb]) -> arb:
        slope = (w - y) / (z - x)
        return power * (y - slope * x) * (at_z[0] - at_x[0]) + exponent * slope * (at_z[1] - at_x[1])

    for i in range(len(E) - 1):
        here, x, z = len(E) - 1 + i, E[i], E[i + 1]
        right, left = (low[i] - 1) / x, arb(0)  # the profile is 1 at 0, and does not increase
        for reach in _REACH:
            if here >= reach:
                right = right.max((low[i] - top[here - reach]) / (x - at[here - reach]))
            if here + 1 + reach < len(at):
                left = left.min((top[here + 1 + reach] - low[i + 1]) / (at[here + 1 + reach] - z))
        middle = _meeting(x, low[i], right, z, low[i + 1], left)
        corner = (low[i] + right * (middle - x)).min(low[i + 1] + left * (middle - z))
        at_corner = middle**exponent, middle**power
        below = of_line(x, low[i], raised[i], middle, corner, at_corner) + of_line(middle, corner, at_corner, z, low[i + 1], raised[i + 1])
        yield below, of_line(x, high[i], raised[i], z, high[i + 1], raised[i + 1])


def _meeting(x: arb, y: arb, right: arb, z: arb, w: arb, left: arb) -> arb:
    """Where the line from (x, y) to the right meets that from (z, w) to the left, or near it: any point in between is sound."""
    found = (x + (w - y - left * (z - x)) / (right - left)).mid()
    return found if found > x and found < z else ((x + z) / 2).mid()


def gaussian_beyond(epsilon: Fraction, *, sigma: Fraction, order: Fraction) -> arb:
    """Bound what D_E of one report with Gaussian noise on [0, 1] adds beyond epsilon to the moment (BEYOND.Renyi-one-report).

    That is at most the mean of (P/Q)^alpha under Q where P/Q is above e^epsilon.
    """
    rate, alpha = 1 / ball(sigma), ball(order)
    far = ball(epsilon) / rate - (alpha - ball(Fraction(1, 2))) * rate
    return (alpha * (alpha - 1) * rate**2 / 2).exp() * normal_tail(far)
