"""The least noise of the zero sum that is certified to meet (epsilon, delta), for any n (BC20, Theorem 3.1; the paper's constant is 50).

Write g = 1 - p for the noise of each of N = n - dishonest users. The profile at g is the larger of A(g) and A(1 - g), where A has one
peak for every threshold: it is not monotone, and a noise that meets the target says nothing about more noise. What is returned is the
least g for which A is at most delta on all of [g, 1 - g]: its peaks are passed over outward from 1/2, many at once, until one is too
high; between that peak and the next valley A falls through delta exactly once, and that is where g lies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from flint import arb

from shuffleproof.impl.ball.calibration.crossing import GUESS_BITS, Bracket, crossing, rounded_noise, short
from shuffleproof.impl.ball.calibration.prescriptions import Prescribed, papers_noise
from shuffleproof.impl.ball.calibration.zero_sum_peaks import active, at_most, enclosed, highest_before, odds_of, value
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, precision
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.calibration import Calibration, PapersNoise
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, shortest
from shuffleproof.spec.vocabulary.parameters import DELTA, DISHONEST, EPSILON, N

PROTOCOL = "zero-sum"
PARAMETER = "n (1 - p)"
STATEMENT = "BC20.Thm3.1"
_HALF = Fraction(1, 2)
"""The largest noise a user: beyond it the roles of 0 and 1 are exchanged."""


@reads(N, EPSILON, DELTA, DISHONEST)
def calibrate(*, n: int, epsilon: Epsilon, delta: Fraction, dishonest: int = 0, inputs: dict[str, str]) -> Calibration:
    """The least expected noise m = n (1 - p) for which p = 1 - m'/n makes the zero sum (epsilon, delta)-DP for every m' in [m, n/2].

    n: users, at least 1; epsilon >= 0 and delta in [0, 1], exact; dishonest: how many users send no noise, or reveal theirs, 0 to n - 1.
    value and fails_at, both exact, are at a relative distance of at most 1e-9. Where n/2 itself fails, nothing meets the target.
    Cost: O(log n) tail sums of O(sqrt(n)) terms; O(sqrt(n)) tail sums where delta is within O(1/n), relatively, of the least attainable.
    Raises DomainError, UndecidedError, ResourceLimitError.
    """
    profile = ZeroSum(n - dishonest, epsilon, delta)
    paper = papers_noise(
        n=n, prescribed=Prescribed(epsilon, delta), dishonest=dishonest, statement=STATEMENT, delta_at=profile.delta_around
    )
    return _calibration(n, profile, paper, inputs)


def _calibration(n: int, profile: ZeroSum, paper: PapersNoise, inputs: dict[str, str]) -> Calibration:
    answer = partial(of_messages, n=n, protocol=PROTOCOL, statement=STATEMENT, paper=paper, inputs=inputs)
    if profile.delta == 1:
        return answer(m=Fraction(0))
    if not profile.half_meets():
        return answer(m=None, **fails_at_half(profile.delta_at(_HALF)))
    good, bad = profile.least_noise(n)
    ends_at = profile.delta_at(good / n), profile.delta_at(bad / n)
    return answer(m=good, fails_at=bad, certified=beside(profile.delta, *ends_at))


def of_messages(
    *, n: int, m: Fraction | None, protocol: str, statement: str, fails_at: Fraction | None = None, **found: Any
) -> Calibration:
    """Return what is known where n users add m messages in the mean; m: None where nothing meets the target. found: as in Calibration."""
    return Calibration(
        protocol=protocol,
        parameter=PARAMETER,
        statement=statement,
        value=m,
        noisiest=f"n/2 = {decimal_text(Fraction(n, 2), digits=20, direction='down')}",
        fails_at=fails_at,
        expected_noise=m,
        settings={} if m is None else {"p": shortest(1 - m / n)},
        **found,
    )


def fails_at_half(at_half: tuple[Fraction, Fraction]) -> dict[str, Any]:
    """Say that nothing meets the target. at_half: ends of delta with most noise."""
    least = decimal_text(at_half[0], digits=6, direction="down")
    return {
        "unattainable": f"the target fails at n/2, where p = 1/2: delta is at least {least} there",
        "certified": {"delta at n/2": at_half},
    }


def beside(delta: Fraction, good: tuple[Fraction, Fraction], bad: tuple[Fraction, Fraction]) -> dict[str, tuple[Fraction, Fraction]]:
    """Ends of delta at the value and where it is certified to fail, each on its own side of the target."""
    return {"delta at value": (good[0], min(good[1], delta)), "delta at fails_at": (max(bad[0], delta), bad[1])}


@dataclass(frozen=True, slots=True)
class ZeroSum:
    """The profile of Bin(N, 1 - g) and its shift at one epsilon, as a function of g in (0, 1/2], against a target delta < 1."""

    N: int
    epsilon: Epsilon
    delta: Fraction

    def half_meets(self) -> bool:
        """Return whether delta is met at g = 1/2, decided."""
        return at_most(self.N, active(self.N, Fraction(1), self.epsilon), odds_of(_HALF), self.epsilon, delta=self.delta)

    def least_noise(self, n: int) -> tuple[Fraction, Fraction]:
        """(n g, n g'): the target is met on all of [g, 1/2], and not at g', just below. It has been found to be met at 1/2."""
        last = self._last_peak_up_to_half()
        left = Side(self, highest_before(self.N, last, self.epsilon, delta=self.delta, step=-1), mirrored=False)
        right = Side(self, highest_before(self.N, last + 1, self.epsilon, delta=self.delta, step=1), mirrored=True)
        found, deciding, other = left.crossing(), left, right
        if not right.meets(found.meets):
            found, deciding, other = right.crossing(), right, left
        return rounded_noise(n, found, meets=lambda g: deciding.meets(g) and other.meets(g), fails=lambda g: not deciding.meets(g))

    def delta_at(self, g: Fraction) -> tuple[Fraction, Fraction]:
        """Certified ends of the profile at rational g in (0, 1): both directions."""
        both = [enclosed(self.N, active(self.N, v.factor, self.epsilon), v, self.epsilon) for v in (odds_of(g), odds_of(1 - g))]
        return max(low for low, _ in both), max(high for _, high in both)

    def delta_around(self, g: arb, bits: int) -> tuple[Fraction, Fraction]:
        """Certified ends of the profile over a small ball of g: every threshold that may be the right one counts on the upper side."""
        lows, highs = [], []
        for each in (g, 1 - g):
            odds = each / (1 - each)
            low, high = ends((self.N + 1) / (1 + exp_of(self.epsilon) / odds))
            for t in range(max(math.ceil(low) - 1, 0), min(max(math.ceil(high) - 1, 0), self.N) + 1):
                at_t = ends(value(self.N, t, odds, self.epsilon, bits=bits))
                lows.append(at_t[0])
                highs.append(at_t[1])
        return max(Fraction(0), *lows), min(Fraction(1), max(highs))

    def _last_peak_up_to_half(self) -> int:
        """The largest t with h_t <= 1/2, that is E t <= N - t; decided exactly."""
        with precision(64 + 2 * self.N.bit_length()):
            t = math.floor(ends(self.N / (1 + exp_of(self.epsilon)))[1])
        while t > 0 and Epsilon(None, Fraction(self.N - t, t)) < self.epsilon:
            t -= 1
        return t


@dataclass(frozen=True, slots=True)
class Side:
    """A_t right of its peak, the nearest one that is too high: at g, or at 1 - g for the peak on the other side of 1/2 (mirrored).

    Either way it falls with g in (0, 1/2] from the peak on.
    """

    profile: ZeroSum
    t: int
    mirrored: bool

    def meets(self, g: Fraction) -> bool:
        """Decide whether A_t is at most delta, for g from the peak on; then the profile is at most delta on this side up to 1/2."""
        known = self.profile
        return at_most(known.N, self.t, odds_of(1 - g if self.mirrored else g), known.epsilon, delta=known.delta)

    def crossing(self) -> Bracket:
        """Where it falls through delta."""
        valley = min(self._at(self.profile.N + 1, self.t if self.mirrored else self.t + 1), _HALF)
        return crossing(
            meets=self.meets,
            height=self._height,
            fails_at=self._at(self.profile.N, self.t),
            meets_at=valley if self.meets(valley) else _HALF,
        )

    def _at(self, total: int, t: int) -> Fraction:
        """About the g with odds E t/(total - t), mirrored if this side is: h_t for N, g_t for N + 1."""
        absent = total - t
        if (absent if self.mirrored else t) == 0:
            return Fraction(0)
        with precision(GUESS_BITS + 2 * total.bit_length()):
            odds = exp_of(self.profile.epsilon) * ball(Fraction(t)) / absent
            g = 1 / (1 + odds) if self.mirrored else odds / (1 + odds)
        return short(ends(g)[0])

    def _height(self, g: Fraction) -> arb:
        known = self.profile
        with precision(GUESS_BITS + 2 * known.N.bit_length()):
            odds = ball(g / (1 - g))
            ratio = value(known.N, self.t, 1 / odds if self.mirrored else odds, known.epsilon, bits=GUESS_BITS) / ball(known.delta)
            return arb(ratio.log().mid()) if ratio > 0 else arb("nan")
