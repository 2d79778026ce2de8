"""Inversion of a decreasing profile known by its two sides: Newton's steps show where to look, and only certified probes count."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.vocabulary.numerals import float_toward

Evaluate = Callable[[float], tuple[float, float]]
_MOST_PROBES = 400
_GUIDED_PROBES = 8
_NEAR = 3e-4
_ROUNDS = 3
_RETRIES, _RETRY = 3, 1 / 16
"""How often a last probe far from the root, or beyond it, shows anew where that is, and which part of the distance is added for safety."""
_LEAST_GAP = 2.5
"""Of the ends, in steps from the root to the probe next to it, where the width of the sides asks for such steps."""


@dataclass(frozen=True)
class Root:
    """delta(upper) <= target is certain; delta(lower) > target is, if lower_certified. Both are 0 where delta(0) <= target is certain."""

    lower: Fraction
    upper: Fraction
    lower_certified: bool


def solve(
    evaluate: Evaluate,
    *,
    target: Fraction,
    top: Fraction,
    last: float,
    guess: float,
    slope: float,
    tolerance: float,
    doubt: float = 0.05,
    caution: float = 3.0,
    convex: bool = False,
) -> Root:
    """Both ends around the least x >= 0 with delta(x) <= target, at a relative distance of about tolerance where the sides allow it.

    evaluate: floats lower <= delta(x) <= upper for floats 0 <= x <= last, delta non-increasing. target: in (0, 1).
    top: where delta is known to be 0; last: the largest float below it. guess, slope: where to start, and d ln delta/dx there: they
    affect nothing but speed, as does doubt: the error believed to be left after a step of Newton's, as a part of the step. caution: how
    many widths of the sides the last probes keep from the root, more than 1/2. convex: whether delta is convex in e^x: then delta(x) is
    below the chord of the upper sides of two probes, which shows that an upper end is one without a probe there.
    """
    return _Search(evaluate, target, top, last, slope, tolerance, doubt, caution, convex).run(guess)


class _Search:
    """low, high: delta(low) > target >= delta(high) is certain (low is None: unknown even at 0; high is None: nothing better than top)."""

    def __init__(
        self,
        evaluate: Evaluate,
        target: Fraction,
        top: Fraction,
        last: float,
        slope: float,
        tolerance: float,
        doubt: float,
        caution: float,
        convex: bool,
    ) -> None:
        self.evaluate, self.target, self.top, self.last, self.tolerance = evaluate, target, top, last, tolerance
        self.log_target = math.log(float(target))
        self.slope = slope if -math.inf < slope < 0 else -1 / last
        self.low: float | None = None
        self.high: float | None = None
        self.above_low = self.above_high = Fraction(1)  # upper sides of delta there
        self.doubt, self.noise, self.caution, self.convex = doubt, 0.0, caution, convex
        self.previous: tuple[float, float] | None = None
        self.zero_is_root = self.zero_undecided = False
        self.blind = 0.0  # sides say nothing there
        self.least_gap = 0.0  # a chord shows an upper end; another round would not bring it much nearer

    def run(self, guess: float) -> Root:
        x, rounds = guess, 0
        for count in range(_MOST_PROBES):
            if self._finished() or (rounds and count > 4 * _GUIDED_PROBES):
                break
            x = max(x, 0.0)  # a guess or Newton's step may fall below 0, where there is no profile
            if not self._below() < x <= self.last or not x < self._above():
                x = self._middle()
            decided, h = self._probe(x)
            if not decided and not math.isfinite(h):
                self.blind = max(self.blind, x)
                x = self._middle()
                continue
            centre = max(x - h / self.slope, 0.0) if math.isfinite(h) else x
            near = math.isfinite(h) and abs(centre - x) <= _NEAR * min(centre, float(self.top) - centre)
            near = near and (rounds > 0 or self.doubt * abs(centre - x) <= 4 * self.tolerance * centre)  # else one more step pays
            if not decided or near:
                self._surround(centre if decided else x, self.doubt * abs(centre - x))
                rounds += 1
                if not decided or rounds == _ROUNDS:
                    break
            if self.low is None and not self.zero_undecided and (centre <= 0 or self._above() <= 1e-9 * self.last):
                self._probe(0.0)
            guided = count < _GUIDED_PROBES or count % 2 == 0
            x = centre if guided and math.isfinite(h) else self._middle()
        return self._root()

    def _root(self) -> Root:
        if self.zero_is_root:
            return Root(Fraction(0), Fraction(0), False)
        upper = self.top if self.high is None else Fraction(self.high)
        return Root(Fraction(self.low or 0.0), upper, self.low is not None)

    def _below(self) -> float:
        return -math.inf if self.low is None and not self.zero_undecided and not self.blind else max(self.low or 0.0, self.blind)

    def _above(self) -> float:
        return math.inf if self.high is None else self.high

    def _finished(self) -> bool:
        if self.zero_is_root:
            return True
        if self.low is None:
            return self.high is not None and self.high - self.blind <= self.tolerance * self.high
        if self.low >= self.last:
            return True
        if self.high is None:
            return False
        gap = self.high - self.low
        return gap <= max(self.tolerance * self.high, self.least_gap)

    def _probe(self, x: float) -> tuple[bool, float]:
        """Narrow the bracket by delta(x); whether that decided, and ln(delta(x)/target) as believed (not finite where out of reach)."""
        lower, upper = self.evaluate(x)
        passes, fails = Fraction(upper) <= self.target, Fraction(lower) > self.target
        if passes:
            if self.high is None or x < self.high:
                self.high, self.above_high = x, Fraction(upper)
            self.zero_is_root = self.zero_is_root or x == 0.0
        if fails:
            if self.low is None or x > self.low:
                self.low, self.above_low = x, Fraction(upper)
        elif x == 0.0:
            self.zero_undecided = not passes
        if lower > 0.0:
            self.noise = (upper - lower) / upper
        if self.convex and self.low is not None and self.high is not None:
            self._lower_by_chord(self.low, self.high)
        if not lower > 0.0:
            return passes, math.nan
        h = (math.log(lower) + math.log(upper)) / 2 - self.log_target
        if self.previous is not None and self.previous[0] != x and abs(self.previous[1] - h) > 50 * self.noise:
            slope = (self.previous[1] - h) / (self.previous[0] - x)
            if slope < 0:
                span = max(min(x, float(self.top) - x), 1e-12 * self.last)
                unsure = 4 * abs(self.previous[0] - x) / span + 2 * self.noise / abs(self.previous[1] - h)
                self.slope, self.doubt = slope, min(0.05, unsure)
        self.previous = (x, h)
        return passes or fails, h

    def _lower_by_chord(self, low: float, high: float) -> None:
        """Move the upper end to where the chord in e^x, from the upper side at low to the one at high, comes down to the target.

        And as far below the target as the probes would: sides in another window are others. At low + t h, h = high - low <= 1, the chord
        has gone down (e^(t h) - 1)/(e^h - 1) >= t/(1 + h) of its way.
        """
        h = Fraction(high) - Fraction(low)
        goal = self.target * (1 - Fraction(min((self.caution - 0.5) * self.noise, 0.5)))
        way = (self.above_low - goal) / (self.above_low - self.above_high) * (1 + h)
        if h <= 1 and way < 1:
            end = float_toward(Fraction(low) + way * h, direction="up")
            if end < high:
                self.high, self.above_high = end, goal

    def _surround(self, centre: float, error: float) -> None:
        """Probe on both sides of a point believed to be the root, further out until both probes decide."""
        centre, noisy = min(centre, self.last), self.caution * self.noise / -self.slope
        off = max(self.tolerance / 4 * centre, noisy, error, centre * 2.0**-52) or self.last * 2.0**-60
        chord_will_do = self.convex and self.high is not None
        self.least_gap = _LEAST_GAP * off if self.convex and off <= 2 * noisy < centre else 0.0
        for side in (-1, 1) if chord_will_do else (1, -1):
            step, retries = side * off, _RETRIES
            while not (self.zero_is_root or (chord_will_do and self._finished())):
                x = max(centre + step, 0.0)
                if not (self._below() < x if side < 0 else x < self._above() and x <= self.last):
                    break
                decided, h = self._probe(x)
                distance = h / self.slope  # from the root to x, which is to be on its side and near
                if self.convex and decided and retries and math.isfinite(h) and not 0 < side * distance <= 4 * off:
                    retries, centre = retries - 1, min(max(x - distance, 0.0), self.last)
                    step = side * max(off, _RETRY * abs(distance))
                else:
                    step *= 4

    def _middle(self) -> float:
        """A point in the middle of the bracket in terms of ln(x/(top - x)), which resolves both ends."""
        top = float(self.top) * (1 + 2.0**-52)
        high = self.last if self.high is None else self.high
        low = max(self.low or 0.0, self.blind, high * 2.0**-20)
        odds = math.sqrt(low / (top - low)) * math.sqrt(high / (top - high))
        x = top * (odds / (1 + odds))
        if low < x < high:
            return x
        return self.last if self.high is None else (low + high) / 2
