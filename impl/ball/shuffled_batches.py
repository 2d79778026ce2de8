"""Shuffled mini-batches of noisy gradient descent, one epoch, from below: this is not the shuffling that this package amplifies by.

n records are shuffled and cut into T batches, each batch's sum of gradients of norm at most 1 is released with Gaussian noise of deviation
z. Where all other gradients are -1 and one record's is +1, or replaced by 0, the released sums are, but for a known shift, noise plus 2, or
plus 1, in one batch that is uniform among the T. For the event that some sum exceeds c, with Phi the normal distribution function,

    P = 1 - Phi((c - 2)/z) Phi(c/z)^(T - 1),   Q = 1 - Phi((c - 1)/z) Phi(c/z)^(T - 1),

and nobody's epsilon is below ln((P - delta)/Q). The c that is best is searched in floats; the value at it is certified.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import bound
from shuffleproof.spec.vocabulary.asking import Found, reads
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError, require
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import SHUFFLED_BATCHES
from shuffleproof.spec.vocabulary.numerals import Number, count, exact_fraction, proper_share

_MOST_BITS = 4096
"""Precision, in bits, at which the answer is refused as undecided."""
_LARGEST_NOISE = Fraction(10**6)
"""Largest noise multiplier; its reciprocal is the least."""


def _within(value: Number, *, parameter: str) -> Fraction:
    exact = exact_fraction(value, parameter=parameter)
    require(1 / _LARGEST_NOISE <= exact <= _LARGEST_NOISE, parameter=parameter, value=value, requirement="from 1e-6 to 1e6")
    return exact


@reads(batches=partial(count, maximum=10**9), noise_multiplier=_within, delta=proper_share, digits=partial(count, maximum=100))
def epsilon(*, batches: int, noise_multiplier: Fraction, delta: Fraction, digits: int = 12, inputs: Mapping[str, str]) -> Bound:
    """An epsilon that one epoch over shuffled batches does not go below, whatever its analysis says.

    batches: T, 1 to 10^9; noise_multiplier: z, from 1e-6 to 1e6, the noise's deviation over the norm to which gradients are clipped;
    delta: above 0 and below 1; neighbours differ in one record, whose gradient is replaced by zero in one of them.
    Returns an enclosure of what one event demands, a lower bound. Raises DomainError, UndecidedError.
    """
    cut = _best_cut(batches, float(noise_multiplier), float(delta))
    bits = 64 + 4 * digits
    while bits <= _MOST_BITS:
        with precision(bits):
            P, Q = event(batches=batches, noise_multiplier=noise_multiplier, cut=cut)
            ratio = (P - ball(delta)) / Q
            if ratio < 1:
                return bound(SHUFFLED_BATCHES, "epsilon", Found.exactly(0), inputs, digits)
            value = ratio.log() if ratio > 1 else arb("nan")
            if value.is_finite() and (value.rad() < value.mid() * ball(Fraction(1, 10**digits))):
                return bound(SHUFFLED_BATCHES, "epsilon", Found(lower_end(value), upper_end(value), precision=bits), inputs, digits)
        bits *= 2
    raise UndecidedError(quantity="epsilon", enclosure=("0", "infinity"), precision=_MOST_BITS)


def event(*, batches: int, noise_multiplier: Fraction, cut: Fraction) -> tuple[arb, arb]:
    """The probabilities that some sum exceeds the cut, with the record and without, at the working precision."""
    root = ball(2).sqrt() * ball(noise_multiplier)

    def below(shift: int) -> arb:
        return (-(ball(cut) - shift) / root).erfc() / 2

    # 1 - (1 - a)(1 - b)^(T - 1), without cancellation where both are tiny
    others = (ball(cut) / root).erfc() / 2
    remaining = ((-others).log1p() * (batches - 1)) if batches > 1 else arb(0)
    return tuple(-((below(shift).log() + remaining).expm1()) for shift in (2, 1))  # type: ignore[return-value]


def _best_cut(T: int, z: float, delta: float) -> Fraction:
    """About the best c, on a grid; every c is a lower bound."""
    best, where = -math.inf, 1.0
    for i in range(1, 600):
        c = 1 + i * (1 + 12 * z) / 600
        over, above_2, above_1 = (math.erfc((c - shift) / (z * math.sqrt(2))) / 2 for shift in (0, 2, 1))
        if above_2 >= 1 or above_1 <= 0:
            continue
        rest = (T - 1) * math.log1p(-over)
        P, Q = (-math.expm1(math.log1p(-each) + rest) for each in (above_2, above_1))
        if delta < P and Q > 0 and math.log((P - delta) / Q) > best:
            best, where = math.log((P - delta) / Q), c
    return Fraction(where).limit_denominator(1000)
