"""The privacy profile of a sum to which each of n users adds a discrete Gaussian, enclosed by rationals from its definition.

X_i has mass e^(-x^2/(2 sigma^2))/c on the integers, c the sum over all of them; the pair is X_1 + ... + X_n and its shift by s. Each mass
is known between two rationals, beyond a last integer only how much there is at most.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import exact, halved
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import DISCRETE_GAUSSIAN_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_discrete_gaussian_sum

LARGEST_VARIANCE = 10
"""Variance of each user's noise up to which masses are listed; the certified engine goes further."""
SMALLEST_VARIANCE = Fraction(1, 1000)
"""The least one: of less noise, masses such as e^(-1/(2 variance)) are rationals of ever more digits."""
LARGEST_N = 12
"""Users whose noises are convolved; the certified engine goes further."""
_BITS = 160
"""Masses are known between integers over 2^_BITS."""
_BEYOND = 70
"""Natural orders of magnitude of the masses that are left out."""
_LARGEST = 1 << 10
"""Epsilon beyond which nothing changes any more: masses that are listed are at least 2^-_BITS, or 0."""
_STEPS = 60
"""Halvings for epsilon at most."""
UNIT = 1 << _BITS


@dataclass(frozen=True)
class Masses:
    """Masses at first, first + 1, ..., from below and from above, in units of 2^-160; beyond: at most the mass elsewhere."""

    first: int
    low: tuple[int, ...]
    high: tuple[int, ...]
    beyond: int


def one(variance: Fraction) -> Masses:
    """The discrete Gaussian: e^(-x^2/(2 sigma^2)) over the sum of these.

    Its part beyond |x| = K is at most 2 e^(-K^2/(2 sigma^2)) r/(1 - r), r = e^(-K/sigma^2) at least the ratio of neighbours there.
    """
    last = math.isqrt(math.ceil(2 * _BEYOND * variance)) + 2
    half = [exp_bounds(-Fraction(x * x) / (2 * variance), bits=_BITS) for x in range(last + 1)]
    ratio = exp_bounds(-Fraction(last) / variance, bits=_BITS)[1]
    rest = 2 * half[last][1] * ratio / (1 - ratio)
    low, high = ([pair[side] for pair in (*half[:0:-1], *half)] for side in (0, 1))
    least, most = sum(low), sum(high) + rest
    down, up = (tuple(math.floor(x / most * UNIT) for x in low), tuple(math.ceil(x / least * UNIT) for x in high))
    return Masses(-last, down, up, math.ceil(rest / least * UNIT))


def total(one: Masses, n: int) -> Masses:
    """The distribution of n of them together: what is beyond counts once for each."""
    found = one
    for _ in range(n - 1):
        low = tuple(x // UNIT for x in _convolved(found.low, one.low))
        high = tuple(-(-x // UNIT) for x in _convolved(found.high, one.high))
        found = Masses(found.first + one.first, low, high, found.beyond + one.beyond)
    return found


def hockey_stick(law: Masses, *, shift: int, exp_epsilon: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """D_E of the distribution against its shift, enclosed; exp_epsilon: around E. Outcomes beyond are lost below, and revealed above."""
    low = high = Fraction(0)
    for z in range(len(law.low)):
        there = z - shift
        inside = 0 <= there < len(law.low)
        q_low, q_high = (law.low[there], law.high[there] + law.beyond) if inside else (0, law.beyond)
        low += max(Fraction(0), law.low[z] - exp_epsilon[1] * q_high)
        high += max(Fraction(0), law.high[z] - exp_epsilon[0] * q_low)
    return low / UNIT, min((high + law.beyond) / UNIT, Fraction(1))


@exact(DISCRETE_GAUSSIAN_SUM)
def delta(*, n: int, sensitivity: int, variance: Fraction, epsilon: Epsilon, inputs: Mapping[str, str]) -> Found:
    """The least delta for which the sum is (epsilon, delta)-DP, between rationals (BEYOND.discrete-gaussian-sum).

    n: honest users, at most 12; variance: sigma^2 of each, from 1/1000 to 10. Returns an enclosure, absolutely about 10^-25 wide.
    """
    return Found(*hockey_stick(_distribution(n, variance, inputs), shift=sensitivity, exp_epsilon=epsilon.exp_bounds(bits=_BITS)))


@exact(DISCRETE_GAUSSIAN_SUM)
def epsilon(*, n: int, sensitivity: int, variance: Fraction, delta: Fraction, inputs: Mapping[str, str]) -> Found:
    """Least epsilon for which the sum is (epsilon, delta)-DP, by halving; delta at least 10^-20 (BEYOND.discrete-gaussian-sum).

    Raises RegimeError at delta = 0: the likelihood ratio has no bound.
    """
    law = _distribution(n, variance, inputs)
    if delta == 0:
        raise no_epsilon_for_discrete_gaussian_sum()
    if delta < Fraction(1, 10**20):
        needed = f"delta = {inputs['delta']}"
        raise ResourceLimitError(what="masses left out at 10^-25", needed=needed, limit="1e-20: use engine 'ball'")

    def at(x: Fraction) -> tuple[Fraction, Fraction]:
        return hockey_stick(law, shift=sensitivity, exp_epsilon=exp_bounds(x, bits=_BITS))

    top = Fraction(1)
    while at(top)[1] > delta:
        top *= 2
        if top > _LARGEST:
            needed = f"what is left out beyond a shift by {sensitivity}"
            raise ResourceLimitError(what="masses left out at 10^-25", needed=needed, limit="smaller shifts: use engine 'ball'")
    return Found(*halved(lambda side, x: at(x)[side] <= delta, Fraction(0), top, steps=_STEPS))


def _distribution(n: int, variance: Fraction, inputs: Mapping[str, str]) -> Masses:
    if n > LARGEST_N or not SMALLEST_VARIANCE <= variance <= LARGEST_VARIANCE:
        limit = f"n = {LARGEST_N}, variances from {SMALLEST_VARIANCE} to {LARGEST_VARIANCE}: use engine 'ball'"
        needed = f"n = {inputs['n']}, variance = {inputs['variance']}"
        raise ResourceLimitError(what="rational arithmetic", needed=needed, limit=limit)
    return total(one(variance), n)


def _convolved(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """All sums of products."""
    found = [0] * (len(one) + len(other) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            found[i + j] += x * y
    return tuple(found)
