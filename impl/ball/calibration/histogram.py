"""The least noise of the histogram that is certified to meet (epsilon, delta), for any n and two bins or more (BC20, Theorem 3.2).

Write g = 1 - p for the noise of each of N = n - dishonest users in every bin, theta = ln(g/(1 - g)), and H for the two-bin profile at
epsilon. One event is best for every g (BC20.Thm3.2-one-event), so (1 + e^theta)^(2N) H is a polynomial in e^theta without negative
coefficients: its logarithm is convex in theta, and the slope of that, the mean total of the best event, rises. So H falls on all of
[g', g''] where the mean total at g'' is at most 2 N g', and on any [g', g''] with g'' <= 1/2 ln H is at most
N g'' (1 - g'') (theta'' - theta')^2/4 above the larger of its two ends (BC20.Thm3.2-slope).

Far from the answer a larger profile does, that of pairs (first bin, second bin) of noise revealed user by user, which is known to fall
with g (BC20.Thm3.2-paired). It is so close that steps are needed only over a sliver above the answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import comb

from flint import arb

from shuffleproof.impl.ball.bounds.noise.histogram import profile_at, with_moment
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair
from shuffleproof.impl.ball.calibration.crossing import GUESS_BITS, crossing, rounded_noise, short
from shuffleproof.impl.ball.calibration.prescriptions import Prescribed, papers_noise
from shuffleproof.impl.ball.calibration.zero_sum import ZeroSum, beside, fails_at_half, of_messages
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, lower_end, precision
from shuffleproof.impl.ball.numeric.results import Evaluation, shown
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.calibration import Calibration, PapersNoise
from shuffleproof.spec.vocabulary.errors import UndecidedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, count
from shuffleproof.spec.vocabulary.parameters import DELTA, DISHONEST, EPSILON

LARGEST_N = 10**9 - 1
"""Users at most: one more is what the pair of two bins counts."""
PROTOCOL = "histogram"
STATEMENT = "BC20.Thm3.2"
COMPOSITION = "basic composition of two bins, each (eps/2, delta/2)-DP"
_HALF = Fraction(1, 2)
"""The largest noise a user: beyond it bins are exchanged."""
_MOST_STEPS = 20_000
"""Chords at most by which one profile is certified for all larger noise."""
_MOST_HALVINGS = 60
"""Halvings of one chord at most."""
_DECISION_DIGITS = (16, 40, 80, 160)
"""Digits of certified profiles that decide whether a noise meets the target, tried in turn."""
_EXACT_TO = 60
"""Users up to which a tie is decided in rationals, where e^epsilon is one."""


@reads(EPSILON, DELTA, DISHONEST, n=partial(count, maximum=LARGEST_N))
def calibrate(*, n: int, epsilon: Epsilon, delta: Fraction, dishonest: int = 0, inputs: dict[str, str]) -> Calibration:
    """The least expected noise m = n (1 - p) of every bin such that p = 1 - m'/n is (epsilon, delta)-DP for all m' in [m, n/2].

    n: users, 1 to 10^9 - 1; epsilon >= 0 and delta in [0, 1], exact, for the whole histogram; dishonest: how many users send no noise, or
    tell theirs, 0 to n - 1. value and fails_at, both exact, are at a relative distance of at most 1e-9. Where n/2 itself fails, nothing
    meets the target. also_meets: what basic composition of two bins gives (BC20, Theorem 3.2). papers_value: the paper's noise for
    eps/2 and delta/2 in each bin.
    Cost: a few dozen sums of O(sqrt(n)) terms; more where delta is within O(1/n), relatively, of the least attainable.
    Raises DomainError, UndecidedError, ResourceLimitError.
    """
    profile = TwoBins(n - dishonest, epsilon, delta)
    paper = papers_noise(
        n=n,
        prescribed=Prescribed(epsilon, delta, per_bin=2),
        dishonest=dishonest,
        statement=STATEMENT,
        delta_at=lambda g, _: profile.delta_around(g),
    )
    return _calibration(n, profile, paper, inputs)


def _calibration(n: int, profile: TwoBins, paper: PapersNoise, inputs: dict[str, str]) -> Calibration:
    composed = Fraction(0) if profile.delta == 1 else profile.composed(n)
    also = {COMPOSITION: composed}
    answer = partial(of_messages, n=n, protocol=PROTOCOL, statement=STATEMENT, paper=paper, inputs=inputs, also_meets=also)
    if profile.delta == 1:
        return answer(m=Fraction(0))
    if composed is None and not profile.meets(_HALF):
        return answer(m=None, **fails_at_half(profile.delta_at(_HALF)))
    good, bad = profile.least_noise(n, enough=_HALF if composed is None else composed / n)
    profile.certify_from(good / n)
    ends_at = profile.delta_at(good / n), profile.delta_at(bad / n)
    return answer(m=good, fails_at=bad, certified=beside(profile.delta, *ends_at))


@dataclass(frozen=True, slots=True)
class TwoBins:
    """The two-bin profile of N users' noise at one epsilon, as a function of g in (0, 1/2], against a target delta."""

    N: int
    epsilon: Epsilon
    delta: Fraction

    def meets(self, g: Fraction) -> bool:
        """Return whether delta is met at g itself; decided: by balls, and in rationals where they are few. Raises UndecidedError."""
        for digits in _DECISION_DIGITS:
            found = _profile(self.N, g, self.epsilon, digits)
            if found.upper <= self.delta:
                return True
            if found.lower > self.delta:
                return False
            if self.epsilon.exp is not None and self.N <= _EXACT_TO:
                return _exactly(self.N, g, self.epsilon.exp) <= self.delta
        raise UndecidedError(
            quantity="delta at one noise", enclosure=(shown(found.lower, "down"), shown(found.upper, "up")), precision=found.bits
        )

    def delta_at(self, g: Fraction) -> tuple[Fraction, Fraction]:
        """Certified ends of the profile at g."""
        found = _profile(self.N, g, self.epsilon, _DECISION_DIGITS[0])
        return found.lower, found.upper

    def delta_around(self, g: arb) -> tuple[Fraction, Fraction]:
        """Certified ends over a small ball of g: the slope of ln H in theta lies between -2 N and 2 N."""
        low, high = ends(g)
        middle = short((low + high) / 2)
        low, high = min(low, middle), max(high, middle)
        moved = 2 * self.N * (high - low) / (low * (1 - high))  # |ln H - ln H(middle)|; e^x <= 1 + 2 x for x <= 1
        require(moved <= 1, parameter="g", value=str(g), requirement="known more closely")
        found = self.delta_at(middle)
        return found[0] * (1 - moved), min(Fraction(1), found[1] * (1 + 2 * moved))

    def composed(self, n: int) -> Fraction | None:
        """The noise that makes each of two bins (epsilon/2, delta/2)-DP, all larger noise too; None where no noise does."""
        half = self.epsilon.bounds(bits=192)[0] / 2  # a rational not above epsilon/2: that asks for no less
        one_bin = ZeroSum(self.N, Epsilon(half, None), self.delta / 2)
        return one_bin.least_noise(n)[0] if one_bin.half_meets() else None

    def least_noise(self, n: int, *, enough: Fraction) -> tuple[Fraction, Fraction]:
        """(n g, n g') on both sides of where H falls through delta. enough: some g that meets it. delta < 1 is met at 1/2."""
        # Two bins tell no less than one: noise that fails for one bin fails.
        too_little = ZeroSum(self.N, self.epsilon, self.delta).least_noise(n)[1] / n
        found = crossing(meets=self.meets, height=self._height, fails_at=too_little, meets_at=enough)
        return rounded_noise(n, found, meets=self.meets, fails=lambda g: not self.meets(g))

    def certify_from(self, g: Fraction) -> None:
        """Certify H <= delta on all of [g, 1/2]. Raises UndecidedError where it cannot."""
        if not self.meets(g):
            raise UndecidedError(quantity="delta from this noise on", enclosure=(shown(self.delta_at(g)[0], "down"), "?"), precision=0)
        if Epsilon(None, Fraction(self.N * self.N)) <= self.epsilon:
            return  # H is g^N + (1 - g)^N - (g (1 - g))^N, whose derivative is not positive up to 1/2
        right = self._where_a_larger_profile_takes_over(g)
        for _ in range(_MOST_STEPS):
            if right <= g:
                return
            right = self._one_step(g, right)
        raise UndecidedError(quantity="delta for more noise than this", enclosure=(shown(self.N * g, "down"), "?"), precision=0)

    def _one_step(self, g: Fraction, right: Fraction) -> Fraction:
        """A point left of `right`, g at the least: H <= delta at `right`, and on all between the two if at the point."""
        known, moment = _passed(self.N, right, self.epsilon)
        total = moment / known.lower
        if known.upper > self.delta:
            raise UndecidedError(quantity="delta for more noise", enclosure=(shown(known.lower, "down"), "?"), precision=known.bits)
        falls_from = total / (2 * self.N)
        if falls_from <= g:
            return g
        point = short(falls_from + (right - falls_from) / 2**20) if falls_from < right else right
        by_chord = self._by_chord(g, right, known.upper, slope=max(float(2 * self.N * right - total), 0.0))
        if not min(point, by_chord) < right:
            raise UndecidedError(quantity="delta for more noise", enclosure=(shown(known.lower, "down"), "?"), precision=known.bits)
        return min(point, by_chord)

    def _by_chord(self, g: Fraction, right: Fraction, at_right: Fraction, *, slope: float) -> Fraction:
        """The leftmost point tried, not left of g, from which on H is at most delta up to `right`; `right` itself if none was found."""
        with precision(GUESS_BITS):
            room = float(lower_end((ball(self.delta) / ball(at_right)).log()))
        if not room > 0:
            return right
        variance = float(self.N * right * (1 - right))
        step = 2 * room / (slope + (slope * slope + variance * room) ** 0.5)  # about where N g (1 - g) step^2/4 + slope step = room
        for _ in range(_MOST_HALVINGS):
            step *= 0.7
            left = max(g, short(right / (1 + Fraction(math.expm1(min(step, 700.0))) * (1 - right))))
            at_left = self.delta_at(g)[1] if left == g else _passed(self.N, left, self.epsilon)[0].upper
            if left < right and at_left <= self.delta and self._chord_holds(left, right, max(at_left, at_right)):
                return left
        return right

    def _chord_holds(self, left: Fraction, right: Fraction, larger_end: Fraction) -> bool:
        with precision(GUESS_BITS):
            theta = (ball(right) / ball(left)).log() + (ball(1 - left) / ball(1 - right)).log()
            excess = self.N * ball(right * (1 - right)) * theta * theta / 4
            return bool(ball(larger_end).log() + excess <= ball(self.delta).log())

    def _where_a_larger_profile_takes_over(self, g: Fraction) -> Fraction:
        """Some g'' from which on the profile with pairs of noise revealed, which falls with g, is at most delta; 1/2 if none is found."""
        reach = g / 1024
        while g + reach < _HALF:
            right = short(g + reach)
            if self._paired(right) <= self.delta:
                return right
            reach *= 2
        return _HALF

    def _paired(self, g: Fraction) -> Fraction:
        """That profile, from above: the optimal pair of N + 1 users, each a clone of either with probability g (1 - g)."""
        found = optimal_pair.delta(n=self.N + 1, p="infinity", beta=1, q=1 / (g * (1 - g)), epsilon=self.epsilon, digits=10)
        return found.upper

    def _height(self, g: Fraction) -> arb:
        found = _profile(self.N, g, self.epsilon, _DECISION_DIGITS[0])
        with precision(GUESS_BITS):
            return arb((ball((found.lower + found.upper) / 2) / ball(self.delta)).log().mid())


@lru_cache(maxsize=32)
def _profile(n: int, g: Fraction, epsilon: Epsilon, digits: int) -> Evaluation:
    return profile_at(n, g, epsilon, digits=digits)


@lru_cache(maxsize=2)
def _passed(n: int, g: Fraction, epsilon: Epsilon) -> tuple[Evaluation, Fraction]:
    """Return the profile with its moment, to ten digits: for one step to the left, and the next one from there."""
    return with_moment(n, g, epsilon, digits=10)


def _exactly(n: int, g: Fraction, order: Fraction) -> Fraction:
    b = [comb(n, c) * g**c * (1 - g) ** (n - c) for c in range(n + 1)]
    one, other = [Fraction(0), *b], [*b, Fraction(0)]
    cells = ((u, v) for u in range(n + 2) for v in range(n + 2))
    return sum((max(Fraction(0), one[u] * other[v] - order * other[u] * one[v]) for u, v in cells), Fraction(0))
