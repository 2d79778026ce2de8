"""The exact privacy profile of discrete Gaussian noise in one dimension, certified.

P(x) proportional to g(x) = e^(-x^2/(2 sigma^2)) on the integers, against its shift by s. The likelihood ratio e^((s^2 - 2 s x)/(2 sigma^2))
falls with x, so D = F(t) - e^eps F(t - s) with t the last x at which it exceeds e^eps; smaller shifts give less, since for each half-line
F(t - s) falls with s, and negative shifts are mirror images. In more than one dimension this says nothing: use the variance that
impl.ball.gaussian certifies there.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from flint import arb, ctx

from shuffleproof.impl.ball.bounds.noise.discrete_gaussian_sum import theta
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, log_of
from shuffleproof.impl.ball.numeric.results import bound, narrowed, share, shown
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import DISCRETE_GAUSSIAN_LINE
from shuffleproof.spec.vocabulary.numerals import Epsilon, count, parse_epsilon, positive
from shuffleproof.spec.vocabulary.scope import Relation

LARGEST_VARIANCE = 10**9
"""Variance up to which masses are summed term by term: some 10^6 of them."""


@reads(
    sensitivity=partial(count, maximum=10**9),
    variance=positive,
    epsilon=partial(parse_epsilon, maximum=10_000),
    digits=partial(count, maximum=300),
)
def delta(
    *, sensitivity: int, variance: Fraction, epsilon: Epsilon, relation: Relation, digits: int = 12, inputs: Mapping[str, str]
) -> Bound:
    """The least delta of discrete Gaussian noise on one integer-valued sum, enclosed (Canonne, Kamath and Steinke, 2020, Theorem 7).

    sensitivity: s, an integer of at least 1, the largest change of the sum under `relation`; variance: the parameter sigma^2, exact, above
    0, at most 10^9; epsilon in [0, 10000]; digits: relative width at most 10^-digits, 1 to 300. Cost O(sigma sqrt(digits)).
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    if variance > LARGEST_VARIANCE:
        what = "the discrete Gaussian summed term by term"
        raise ResourceLimitError(what=what, needed=f"variance = {shown(variance, 'up')}", limit="10^9: take a coarser grid")
    bits = math.ceil(3.33 * digits) + 2 * int(variance + 2).bit_length() + 64
    found = narrowed(lambda: share(_profile(sensitivity, variance, epsilon)), digits=digits + 1, bits=bits, quantity="delta")
    return bound(replace(DISCRETE_GAUSSIAN_LINE, relation=relation), "delta", found, inputs, digits)


def _profile(s: int, sigma2: Fraction, epsilon: Epsilon) -> arb:
    low, high = ends(ball(Fraction(s, 2)) - log_of(epsilon) * ball(sigma2 / s))
    t, last = math.ceil(low) - 1, math.floor(high)
    if last > t + 1:
        raise UndecidedError(quantity="the cut of the pair", enclosure=(str(t), str(last)), precision=0)
    # At an integer cut the two masses cancel: whichever side it is counted on, the value is the same.
    return (_lower_tail(t, sigma2) - exp_of(epsilon) * _lower_tail(t - s, sigma2)) / _whole(sigma2)


def _lower_tail(t: int, sigma2: Fraction) -> arb:
    """sum over x <= t of g(x)."""
    if t >= 0:
        return _whole(sigma2) - _lower_tail(-t - 1, sigma2)
    half = ball(1 / (2 * sigma2))
    term, ratio, decay = (-half * t * t).exp(), (-half * (1 - 2 * t)).exp(), (-2 * half).exp()  # g(t), g(t - 1)/g(t)
    total, k = term, 0
    cut = term * arb(2) ** (-ctx.prec)
    while True:
        for _ in range(32):
            term, ratio = term * ratio, ratio * decay
            total += term
            k += 1
        rest = term * ratio / (1 - ratio)
        if rest < cut:
            return total + rest.union(arb(0))


def _whole(sigma2: Fraction) -> arb:
    """The sum over all integers of g."""
    return theta(sigma2, Fraction(0))
