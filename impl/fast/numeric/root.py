"""Inversion of a decreasing profile known by its two sides: Newton's steps show where to look, and only certified probes count."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.numerals import float_toward

Evaluate = Callable[[float], tuple[float, float]]
_MOST_PROBES = 400
"""Probes at most: halving alone ends sooner, as there are fewer than 2^64 floats."""
_GUIDED_PROBES = 8
"""Probes that Newton's steps choose; then every other one halves. Four times as many end the search once both ends are known."""
_NEAR = 3e-4
"""Relative size of a step after which the root is believed to be found and is surrounded. Costs probes at most."""
_ROUNDS = 3
"""How often both sides of the root are probed at most; the first shows the slope there."""
_RETRIES = 3
"""How often a last probe far from the root, or beyond it, shows anew where that is."""
_RETRY = 1 / 16
"""Part of the distance to a root so shown that is added for safety."""
_LOOSE = 1e-3
"""Relative distance of the upper end from the last probe known to be above the target, beyond which it is brought nearer."""
_TIGHT = 1e-5
"""Relative distance at which bringing it nearer ends."""
_LAST_PROBES = 18
"""Probes for that at most: 2^-18 of the distance is below _TIGHT wherever the distance is below 1."""
_BACK = 8.0
"""Factor between distances from the upper end at which a lower one is looked for, where the search has found none."""
_LEAST_GAP = 2.5
"""Of the ends, in steps from the root to the probe next to it, where the width of the sides asks for such steps."""


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
) -> Found:
    """Both ends around the least x >= 0 with delta(x) <= target, at a relative distance of about tolerance where the sides allow it.

    delta(upper) <= target is certain; delta(lower) > target is, if lower_certified. Both are 0 where delta(0) <= target is certain.

    evaluate: floats lower <= delta(x) <= upper for floats 0 <= x <= last, delta non-increasing. target: in (0, 1).
    top: where delta is known to be 0; last: the largest float below it. guess, slope: where to start, and d ln delta/dx there: they
    affect nothing but speed, as does doubt: the error believed to be left after a step of Newton's, as a part of the step. caution: how
    many widths of the sides the last probes keep from the root, more than 1/2. convex: whether delta is convex in e^x: then delta(x) is
    below the chord of the upper sides of two probes, which shows that an upper end is one without a probe there.
    """
    problem = _Problem(evaluate, target, top, last, tolerance, caution, convex)
    steps = _Steps(problem, slope=slope if -math.inf < slope < 0 else -1 / last, doubt=doubt)
    return _Search(problem, _Bracket(problem), steps).run(guess)


@dataclass(frozen=True)
class _Problem:
    """Holds what `solve` was asked, and how near the ends are to come."""

    evaluate: Evaluate
    target: Fraction
    top: Fraction
    last: float
    tolerance: float
    caution: float
    convex: bool


@dataclass
class _Bracket:
    """Holds what is certain: delta(low) > target >= delta(high).

    low is None: unknown even at 0; high is None: nothing better than top. above_low, above_high: upper sides of delta there.
    blind: sides say nothing there, nor anywhere below. above_target: the largest probe at which the upper side, side_there, is above the
    target.
    """

    problem: _Problem
    low: float | None = None
    high: float | None = None
    above_low: Fraction = Fraction(1)
    above_high: Fraction = Fraction(1)
    zero_is_root: bool = False
    zero_undecided: bool = False
    blind: float = 0.0
    above_target: float = 0.0
    side_there: Fraction = Fraction(1)

    @property
    def below(self) -> float:
        """The root is not there, nor below, as far as can be seen."""
        return -math.inf if self.low is None and not self.zero_undecided and not self.blind else max(self.low or 0.0, self.blind)

    @property
    def above(self) -> float:
        """It is not beyond that."""
        return math.inf if self.high is None else self.high

    def narrowed(self, x: float, lower: float, upper: float) -> bool:
        """Narrow it by the sides of delta(x); whether they decide on which side of the root x is."""
        target = self.problem.target
        passes, fails = Fraction(upper) <= target, Fraction(lower) > target
        if not passes:
            if x >= self.above_target:
                self.above_target, self.side_there = x, Fraction(upper)
        else:
            if self.high is None or x < self.high:
                self.high, self.above_high = x, Fraction(upper)
            self.zero_is_root = self.zero_is_root or x == 0.0
        if fails:
            if self.low is None or x > self.low:
                self.low, self.above_low = x, Fraction(upper)
        elif x == 0.0:
            self.zero_undecided = not passes
        return passes or fails

    def lower_by_chord(self, noise: float) -> None:
        """Move the upper end to where the chord in e^x, from the upper side at low to the one at high, comes down to the target.

        And as far below the target as the probes would: sides in another window are others. At low + t h, h = high - low <= 1, the chord
        has gone down (e^(t h) - 1)/(e^h - 1) >= t/(1 + h) of its way.
        """
        if self.low is None or self.high is None:
            return
        h = Fraction(self.high) - Fraction(self.low)
        goal = self.problem.target * (1 - Fraction(min((self.problem.caution - 0.5) * noise, 0.5)))
        way = (self.above_low - goal) / (self.above_low - self.above_high) * (1 + h)
        if h <= 1 and way < 1:
            end = float_toward(Fraction(self.low) + way * h, direction="up")
            if end < self.high:
                self.high, self.above_high = end, goal

    def closed(self, least_gap: float) -> bool:
        """Return whether nothing is left to look for; least_gap: a distance of the ends that is small enough beside the tolerance."""
        problem = self.problem
        if self.zero_is_root:
            return True
        if self.low is None:
            return self.high is not None and self.high - self.blind <= problem.tolerance * self.high
        if self.low >= problem.last:
            return True
        if self.high is None:
            return False
        # Where nothing decides between the blind place and the upper end, halving would go on down to neighbouring floats.
        return self.high - max(self.low, self.blind) <= max(problem.tolerance * self.high, least_gap)

    def middle(self) -> float:
        """A point in the middle in terms of ln(x/(top - x)), which resolves both ends."""
        top = float(self.problem.top) * (1 + 2.0**-52)
        high = self.problem.last if self.high is None else self.high
        low = max(self.low or 0.0, self.blind, high * 2.0**-20)
        odds = math.sqrt(low / (top - low)) * math.sqrt(high / (top - high))
        x = top * (odds / (1 + odds))
        if low < x < high:
            return x
        return self.problem.last if self.high is None else (low + high) / 2

    def root(self) -> Found:
        """The ends."""
        if self.zero_is_root:
            return Found(Fraction(0), Fraction(0), False)
        upper = self.problem.top if self.high is None else Fraction(self.high)
        return Found(Fraction(self.low or 0.0), upper, self.low is not None)


@dataclass
class _Steps:
    """Holds what is believed, and affects nothing but speed: the slope of ln delta, the error left after a step, the noise of the sides."""

    problem: _Problem
    slope: float
    doubt: float
    noise: float = 0.0
    previous: tuple[float, float] | None = None

    def height(self, x: float, lower: float, upper: float) -> float:
        """ln(delta(x)/target) as believed, not finite where out of reach; the slope follows it."""
        if not lower > 0.0:
            return math.nan
        h = (math.log(lower) + math.log(upper)) / 2 - math.log(float(self.problem.target))
        if self.previous is not None and self.previous[0] != x and abs(self.previous[1] - h) > 8 * self.noise:
            slope = (self.previous[1] - h) / (self.previous[0] - x)
            if slope < 0:
                span = max(min(x, float(self.problem.top) - x), 1e-12 * self.problem.last)
                unsure = 4 * abs(self.previous[0] - x) / span + 2 * self.noise / abs(self.previous[1] - h)
                self.slope, self.doubt = slope, min(0.05, unsure)
        self.previous = (x, h)
        return h


@dataclass
class _Search:
    """least_gap: a chord shows an upper end; another round would not bring it much nearer."""

    problem: _Problem
    bracket: _Bracket
    steps: _Steps
    least_gap: float = 0.0

    def run(self, guess: float) -> Found:
        problem, bracket, steps = self.problem, self.bracket, self.steps
        x, rounds = guess, 0
        for count in range(_MOST_PROBES):
            if bracket.closed(self.least_gap) or (rounds and count > 4 * _GUIDED_PROBES):
                break
            x = max(x, 0.0)  # a guess or Newton's step may fall below 0, where there is no profile
            if not bracket.below < x <= problem.last or not x < bracket.above:
                x = bracket.middle()
            decided, h = self._probe(x)
            if not decided and not math.isfinite(h):
                bracket.blind = max(bracket.blind, x)
                x = bracket.middle()
                continue
            centre = max(x - h / steps.slope, 0.0) if math.isfinite(h) else x
            near = math.isfinite(h) and abs(centre - x) <= _NEAR * min(centre, float(problem.top) - centre)
            near = near and (rounds > 0 or steps.doubt * abs(centre - x) <= 4 * problem.tolerance * centre)  # else one more step pays
            if not decided or near:
                self._surround(centre if decided else x, steps.doubt * abs(centre - x))
                rounds += 1
                if not decided or rounds == _ROUNDS:
                    break
            if bracket.low is None and not bracket.zero_undecided and (centre <= 0 or bracket.above <= 1e-9 * problem.last):
                self._probe(0.0)
            guided = count < _GUIDED_PROBES or count % 2 == 0
            x = centre if guided and math.isfinite(h) else bracket.middle()
        self._lower_the_end()
        self._raise_the_end()
        return bracket.root()

    def _raise_the_end(self) -> None:
        """Find a lower end below where the sides say nothing: next to the last epsilon they may, and not so farther down."""
        bracket, problem = self.bracket, self.problem
        low, high = bracket.low or 0.0, problem.last if bracket.high is None else bracket.high
        if bracket.zero_is_root or bracket.zero_undecided or bracket.blind <= low:
            return
        gap = problem.tolerance * high
        while (bracket.low or 0.0) == low and gap < high - low:
            self._probe(high - gap)
            gap *= _BACK

    def _lower_the_end(self) -> None:
        """Bring the upper end down to the target where sides far apart have left it above: what decides nothing shows that, too.

        ln of the upper side is nearly linear between two probes. A step beyond where it meets the target, and one before it, mostly end
        that; every third probe halves.
        """
        bracket, high = self.bracket, self.bracket.above if self.bracket.high is not None else self.problem.last
        if bracket.zero_is_root or bracket.above_target >= self.problem.last or high - bracket.above_target <= _LOOSE * high:
            return
        for count in range(_LAST_PROBES):
            low = bracket.above_target
            if high - low <= _TIGHT * high:
                break
            x = (low + high) / 2
            if bracket.high is None:
                x = self.problem.last
            elif count % 3 != 2 and 0 < bracket.above_high < bracket.side_there:
                down, way = (_log_ratio(bracket.side_there, end) for end in (bracket.above_high, self.problem.target))
                meeting = low + (high - low) * way / down if down > 0 else math.inf  # sides so alike that floats see no slope: halve
                step = _TIGHT / 3 * high if count % 3 == 0 else -_TIGHT / 3 * high
                x = meeting + step if low < meeting + step < high else x
            self._probe(x)
            high = bracket.above if bracket.high is not None else high

    def _probe(self, x: float) -> tuple[bool, float]:
        """Return whether the sides of delta(x) decide, and ln(delta(x)/target) as believed."""
        lower, upper = self.problem.evaluate(x)
        decided = self.bracket.narrowed(x, lower, upper)
        if lower > 0.0:
            self.steps.noise = (upper - lower) / upper
        if self.problem.convex:
            self.bracket.lower_by_chord(self.steps.noise)
        return decided, self.steps.height(x, lower, upper)

    def _surround(self, centre: float, error: float) -> None:
        """Probe on both sides of a point believed to be the root, further out until both probes decide."""
        problem, bracket, steps = self.problem, self.bracket, self.steps
        centre, noisy = min(centre, problem.last), problem.caution * steps.noise / -steps.slope
        off = max(problem.tolerance / 4 * centre, noisy, error, centre * 2.0**-52) or problem.last * 2.0**-60
        chord_will_do = problem.convex and bracket.high is not None
        self.least_gap = _LEAST_GAP * off if problem.convex and off <= 2 * noisy < centre else 0.0
        for side in (-1, 1) if chord_will_do else (1, -1):
            step, retries = side * off, _RETRIES
            while not (bracket.zero_is_root or (chord_will_do and bracket.closed(self.least_gap))):
                x = max(centre + step, 0.0)
                if not (bracket.below < x if side < 0 else x < bracket.above and x <= problem.last):
                    break
                decided, h = self._probe(x)
                distance = h / steps.slope  # from the root to x, which is to be on its side and near
                if problem.convex and decided and retries and math.isfinite(h) and not 0 < side * distance <= 4 * off:
                    retries, centre = retries - 1, min(max(x - distance, 0.0), problem.last)
                    step = side * max(off, _RETRY * abs(distance))
                else:
                    step *= 4


def _log_ratio(first: Fraction, second: Fraction) -> float:
    """Return ln(first/second), about."""
    return math.log(float(first)) - math.log(float(second))
