"""The privacy profile of a sum with discrete Gaussian noise from each of n users, certified (BEYOND.discrete-gaussian-sum).

The sum Y of n discrete Gaussians is log-concave and symmetric, so that the divergence from its shift by s is the largest F(t) - E F(t - s),
which rises with t where Pr(Y = t) > E Pr(Y = t - s) and falls after it. Its distribution modulo M is a finite sum of the characteristic
function,

    Pr(Y = x mod M) = 1/M sum over j of phi(2 pi j/M)^n cos(2 pi j x/M),

phi a ratio of theta functions, positive and falling on [0, pi] (Jacobi's product). So terms beyond J contribute at most phi(J + 1)^n each;
and as E e^(u Y) <= e^(n sigma^2 u^2/2), what lies outside a window of H integers on each side is at most 2 e^(-H^2/(2 n sigma^2)).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, ctx

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, lower_end, upper_end
from shuffleproof.impl.ball.numeric.budget import spend
from shuffleproof.impl.ball.numeric.results import Evaluation, certified, evaluated, refined
from shuffleproof.impl.ball.numeric.root import solve
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about
from shuffleproof.spec.vocabulary.methods.protocols import DISCRETE_GAUSSIAN_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, count, parse_epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_discrete_gaussian_sum

_MOST_TERMS = 100_000
"""Terms of the characteristic function's sum, at most."""
_WAVES = "the characteristic function of the noises' sum"
"""What costs the work, in words."""
_FEW = 3
"""Thresholds that are compared one by one once a search has come so near."""
_MOST_BITS = 20_000
"""Bits that a guess of delta may ask for at the start."""
_STEP = 128
"""Bits by which the precision of shared terms is rounded up, so that evaluations nearby use the same ones."""
_LARGEST_SHIFT = 10**9
"""Sensitivity at most."""
_LOG2 = math.log(2)
_DUAL_FROM = Fraction(1, 6)
"""Variance below which a sum over the integers for the theta function needs fewer terms than one over their dual."""


@certified(DISCRETE_GAUSSIAN_SUM)
def delta(*, n: int, sensitivity: int, variance: Fraction, epsilon: Epsilon, digits: int = 15) -> Found:
    """The least delta for which the sum is (epsilon, delta)-DP, for epsilon up to 10000 (BEYOND.discrete-gaussian-sum).

    variance: sigma^2 of each of the n honest users. Cost O(digits + ln(1/delta)) where sigma is not small, whatever n is.
    """
    parse_epsilon(epsilon, maximum=10_000)
    return evaluated(_Distribution(n, sensitivity, variance).at(epsilon, digits=digits + 1))


@certified(DISCRETE_GAUSSIAN_SUM)
def epsilon(*, n: int, sensitivity: int, variance: Fraction, delta: Fraction, digits: int = 15) -> Found:
    """Least epsilon for which the sum is (epsilon, delta)-DP; 0 where delta >= delta(0) is certified (BEYOND.discrete-gaussian-sum).

    Raises RegimeError at delta = 0.
    """
    if delta == 1:
        return Found.exactly(0)
    if delta == 0:
        raise no_epsilon_for_discrete_gaussian_sum()
    pair = _Distribution(n, sensitivity, variance)
    mu = sensitivity / math.sqrt(n * variance)
    guess = Fraction(mu * mu / 2 + mu * math.sqrt(2 * (math.log(delta.denominator) - math.log(delta.numerator)))) + Fraction(1, 10**9)
    top = 2 * guess
    while pair.at(Epsilon(top, None), digits=2).upper >= delta:
        top *= 2
    return solve(pair.at, epsilon0=Epsilon(top, None), delta=delta, digits=digits, guess=guess / 2)


class _Distribution:
    """The sum of the noises of n users of parameter sigma^2, and its shift by s."""

    def __init__(self, n: int, s: int, sigma2: Fraction) -> None:
        self.n, self.s, self.sigma2 = n, count(s, parameter="sensitivity", maximum=_LARGEST_SHIFT), sigma2
        self.waves: dict[int, _Waves] = {}

    def at(self, epsilon: Epsilon, digits: int) -> Evaluation:
        """The profile to a relative width of 10^-digits."""
        size, mu = float(epsilon.bounds(bits=64)[1]), self.s / math.sqrt(self.n * self.sigma2)
        small = max(size / mu - mu / 2, 0.0) ** 2 / 2 + size  # about what E/delta is the exponential of
        known = min(small / _LOG2, _MOST_BITS) if self.sigma2 > _DUAL_FROM else 0.0  # below, the noise has far less variance than sigma^2
        bits = math.ceil(3.33 * digits + known) + 80
        return refined(lambda bits, _: self._evaluate(epsilon, bits), digits=digits, bits=bits, spread=0.0)

    def _evaluate(self, epsilon: Epsilon, bits: int) -> Evaluation:
        shared = -(-bits // _STEP) * _STEP
        if shared not in self.waves:
            self.waves[shared] = _Waves.of(self.n, self.s, self.sigma2, shared)
        waves, E = self.waves[shared], exp_of(epsilon)
        ctx.prec = waves.bits  # within the caller's `precision`

        def rises(t: int) -> arb:
            return waves.mass(t) - E * waves.mass(t - self.s)

        # E Pr(Y = t - s) - Pr(Y = t) rises from where it is 0 on, up to s: the t at which the value certainly falls are a last part.
        last, falls = -waves.half + self.s - 1, self.s
        while falls - last > 1:
            middle = (last + falls) // 2
            last, falls = (last, middle) if rises(middle) < 0 else (middle, falls)
        first = _last_rising(lambda t: bool(rises(t) > 0), last, down_to=-waves.half + self.s)
        if first is None:  # nothing certainly rises: what there is, is below what can be seen
            return Evaluation(E, arb(0), arb(0), Fraction(0), upper_end(waves.up_to(last)) + upper_end(waves.off), bits)
        there = waves.up_to(first - self.s)
        excess = waves.up_to(first) - E * there
        best, above = excess, waves.up_to(last) - E * there
        if last - first <= _FEW:
            for t in range(first + 1, last + 1):
                best = best.max(waves.up_to(t) - E * waves.up_to(t - self.s))
            above = best
        return Evaluation(E, excess, there, max(lower_end(best), Fraction(0)), upper_end(above), bits)


def _last_rising(rises: Callable[[int], bool], last: int, *, down_to: int) -> int | None:
    """The largest t <= last at which the value is certain to rise, found by doubling steps and halving; None where they find none."""
    step, low, high = 1, last, last + 1
    while not rises(low):
        if low == down_to:
            return None
        low, high, step = max(low - step, down_to), low, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rises(middle) else (low, middle)
    return low


@dataclass(frozen=True)
class _Waves:
    """phi(2 pi j/M)^n for j up to the last that counts, M = 2 half + 1; what a probability by them is off at most."""

    half: int
    weights: list[arb]
    off: arb
    bits: int

    @classmethod
    def of(cls, n: int, s: int, sigma2: Fraction, bits: int) -> _Waves:
        """Off by about 2^-bits. Raises ResourceLimitError where too many terms count."""
        reach = math.sqrt(2 * float(n * sigma2) * (bits + 4) * _LOG2)
        half = math.ceil(reach) + s + 2
        M = 2 * half + 1
        working = bits + 2 * n.bit_length() + M.bit_length() + 32
        ctx.prec = working
        expected = min(half, math.ceil(M * math.sqrt(bits * _LOG2 / (2 * float(n * sigma2))) / math.pi))  # as of a normal distribution
        spend(expected, each=_theta_terms(sigma2, working) * _exponential(working), bits=0, what=_WAVES)
        weights, least = [arb(1)], arb(2) ** (-bits - M.bit_length() - 4)
        whole = theta(sigma2, Fraction(0))
        while len(weights) <= half:
            weight = (theta(sigma2, Fraction(2 * len(weights), M)) / whole) ** n
            weights.append(weight)
            if weight < least:
                break
            if len(weights) > _MOST_TERMS:
                raise ResourceLimitError(
                    what=_WAVES, needed=f"more than {about(_MOST_TERMS)} terms", limit="a larger variance of each user"
                )
        rest = M * weights[-1] if len(weights) <= half else arb(0)
        outside = 2 * (-ball(Fraction((half - s) ** 2, 1) / (2 * n * sigma2))).exp()
        off = rest + outside
        return cls(half, weights, arb(0, 1) * off, working)

    def mass(self, x: int) -> arb:
        """Pr(Y = x)."""
        return self._summed(x, x)

    def up_to(self, t: int) -> arb:
        """Pr(Y <= t), for -half + s <= t <= half - s."""
        return self._summed(-self.half, t)

    def _summed(self, first: int, last: int) -> arb:
        """The sum of cos(a x) over x = first .. last is sin(a m/2)/sin(a/2) cos(a (first + last)/2), m how many they are."""
        M, m = 2 * self.half + 1, last - first + 1
        spend(len(self.weights), each=(1 if m == 1 else 3) * _exponential(self.bits), bits=0, what=_WAVES)
        total = arb(m)
        for j in range(1, len(self.weights)):
            wave = arb.cos_pi(ball(Fraction(j * (first + last) % (2 * M), M)))
            if m > 1:
                wave = wave * arb.sin_pi(ball(Fraction(j * m % (2 * M), M))) / arb.sin_pi(ball(Fraction(j, M)))
            total += 2 * self.weights[j] * wave
        return total / M + self.off


def _exponential(bits: int) -> float:
    """Units of work of an exponential, or a cosine, to so many bits: 4 at a hundred, 800 at 20,000, as measured."""
    return 4 + bits * math.sqrt(bits) / 3500


def _theta_terms(sigma2: Fraction, bits: int) -> float:
    """About how many exponentials and cosines `theta` takes to so many bits."""
    size = bits * _LOG2
    return 2 * math.sqrt(2 * size * sigma2) + 2 if sigma2 < _DUAL_FROM else 2 * math.sqrt(size / (2 * math.pi**2 * sigma2)) + 2


def theta(sigma2: Fraction, turn: Fraction) -> arb:
    """The sum over all integers k of e^(-k^2/(2 sigma^2)) cos(pi turn k), 0 <= turn <= 1: the library's third theta function."""
    return acb.modular_theta(acb(ball(turn / 2)), acb(0, 1 / (2 * arb.pi() * ball(sigma2))))[2].real
