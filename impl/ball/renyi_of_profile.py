"""Renyi divergences of a pair whose privacy profile has known ends at some points, from both sides (BEYOND.Renyi-chords).

The moment of order alpha of P/Q under Q is 1 + J(D_E(P || Q), alpha) + J(D_E(Q || P), 1 - alpha), where

    J(f, a) = a (a - 1) integral over E > 1 of E^(a - 2) f(E) dE

grows with f. A profile is convex in E, and its slope is between -1 and 0: between two points it lies below the chord through its upper
ends, and around each point above a line through its lower end, of some slope between those of chords to points on either side: the same
slope to the left and to the right, so that it hardly counts where the point is in the middle. To the left of 1 the profile is that of the
other direction. J of a broken line is a sum of powers of E. Points are added where chords and lines are farthest apart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, normal_tail, precision, upper_end
from shuffleproof.impl.ball.privacy_loss_below import slopes_at
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
    """Ends of a Renyi divergence, and what is known of the profile at the epsilons where it was asked."""

    lower: Fraction
    upper: Fraction
    known: Mapping[Fraction, tuple[Ends, Ends]]


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
            below, above, gaps = _parts(E, forward, backward, order)
            if beyond is not None:  # of D_E(Q || P) the integral beyond is at most that of its last value
                gaps.append(beyond(epsilons[-1]) + ball(order - 1) * ball(backward[-1][1]) * E[-1] ** ball(-order))
                above += gaps[-1]
            parts = [float((each / above).mid()) for each in gaps]
            # How far the divergence moves with the moment.
            apart = float(((above - below) / (1 + above) / above.log1p()).mid()) if above > 0 else 0.0
            enclosed = Enclosed(
                lower=max(Fraction(0), lower_end(below.log1p() / ball(order - 1))) if below > 0 else Fraction(0),
                upper=upper_end(above.log1p() / ball(order - 1)),
                known=dict(known),
            )
        largest = sorted((i for i, part in enumerate(parts) if part * _FEWER >= max(parts)), key=lambda i: -parts[i])
        new = {_between(epsilons, i) for i in largest[: max(0, most - len(known))]} - known.keys()
        if not new or apart <= tolerance:
            return enclosed
        known.update((each, profile(each)) for each in new)


def _between(epsilons: Sequence[Fraction], i: int) -> Fraction:
    """A point in the i-th interval, or beyond the last one."""
    low, high = epsilons[i], epsilons[i + 1] if i + 1 < len(epsilons) else 2 * epsilons[i]
    return Fraction(decimal_text((low + high) / 2 if low else high / 4, digits=_DIGITS, direction="up"))


def _parts(E: Sequence[arb], forward: Sequence[Ends], backward: Sequence[Ends], a: Fraction) -> tuple[arb, arb, list[arb]]:
    """J of both directions from lines below and from chords above; and how far these are apart, about, in each interval of E.

    E: from 1 on, where ends of D_E(P || Q) and of D_E(Q || P) are known.
    """
    one = len(E) - 1
    at = [*((1 / x) for x in E[:0:-1]), *E]
    # D_E(P || Q) less (1 - E)_+, which is E D_{1/E}(Q || P) to the left of 1.
    low, high = (
        [*(ball(ends[side]) / x for x, ends in zip(E[:0:-1], backward[:0:-1], strict=True)), *(ball(ends[side]) for ends in forward)]
        for side in (0, 1)
    )
    line = [*((1 - x) for x in at[:one]), *(arb(0) for _ in E)]
    slopes = [
        slopes_at(at, [x + y for x, y in zip(low, line, strict=True)], [x + y for x, y in zip(high, line, strict=True)], i, _REACH)
        for i in range(len(at))
    ]
    middle = [(least + most) / 2 for least, most in slopes]

    def weights(x: arb, y: arb) -> tuple[arb, arb]:
        """Integrals of a (a - 1) E^(a - 2), and of E times that, from x to y."""
        power, exponent = ball(a), ball(a - 1)
        return power * (y**exponent - x**exponent), exponent * (y**power - x**power)

    above, level, leaning, gaps = arb(0), [arb(0) for _ in at], [arb(0) for _ in at], [arb(0) for _ in E[1:]]
    for i in range(len(at) - 1):
        x, z, turned = at[i], at[i + 1], int(i < one)
        between = _meeting(x, low[i], middle[i] + turned, z, low[i + 1], middle[i + 1] + turned)
        whole, moment = weights(x, z)
        slope = (high[i + 1] - high[i]) / (z - x)
        chord = (high[i] - slope * x) * whole + slope * moment
        lines = arb(0)
        for j, (start, end) in ((i, (x, between)), (i + 1, (between, z))):
            whole, moment = weights(start, end)
            lean = moment - at[j] * whole
            leaning[j] += lean
            level[j] += low[j] * whole + turned * lean
            lines += low[j] * whole + (middle[j] + turned) * lean
        above += chord
        gaps[i - one if i >= one else one - 1 - i] += chord - lines
    # Around each point, by the worst slope, or as nothing, which profiles do not fall below.
    cells = zip(level, slopes, leaning, strict=True)
    below = sum(((y + (least * lean).min(most * lean)).max(arb(0)) for y, (least, most), lean in cells), arb(0))
    return below, above, gaps


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
