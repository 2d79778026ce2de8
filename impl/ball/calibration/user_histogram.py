"""The least noise of the clipped user-level histogram certified to meet a target, for any data (LSZKG22, Algorithm 1).

Clipped at C in l1 or l2, contributions are non-negative: two users' differ by at most C in a domain of one item, else by at most 2 C in l1
and sqrt(2) C in l2, and (C, 0) against (0, C) attains it; one user's that comes or goes is at most C away from nothing. The profile of
Gaussian noise rises with the sensitivity over sigma, that of Laplace noise is e^(sensitivity/scale): so there is one number at which
the target begins to be met, by that noise and by all that is larger (LSZKG22.Alg1.gaussian-calibration, LSZKG22.Alg1.laplace).
"""

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.gaussian import classical_noise_multiplier, discrete_gaussian_variance, noise_multiplier
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.calibration import Calibration, PapersNoise
from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, count, decimal_text, parse_epsilon, positive, probability
from shuffleproof.spec.vocabulary.scope import Relation

PROTOCOL = "user-histogram"
GAUSSIAN, LAPLACE = "LSZKG22.Alg1.gaussian-calibration", "LSZKG22.Alg1.laplace"
CLASSICAL = "LSZKG22.Alg1.classical-gaussian"
_DIGITS = 12
"""Digits of each certified noise, of which the upper end counts."""
_SHOWN = 16
"""Digits of a scale that is shown, rounded up."""
_BITS = 128
"""Working precision in bits of square roots and of epsilon."""
_NOISIEST = "any amount"


@reads(threshold=positive, domain_size=count, epsilon=parse_epsilon, delta=probability)
def calibrate(
    *, threshold: Fraction, domain_size: int, relation: Relation, epsilon: Epsilon, delta: Fraction | None = None, inputs: dict[str, str]
) -> Calibration:
    """The least standard deviation of Gaussian noise, or without delta the least scale of Laplace noise, on every item's sum.

    threshold: C > 0, at which each user's histogram is clipped, in l2, without delta in l1; domain_size: items, at least 1; relation: which
    datasets are neighbours; epsilon in [0, 10000], above 0 without delta; delta in (0, 1).
    value and fails_at are at a relative distance of at most 2e-12. also_meets: the standard deviation of exactly drawn discrete Gaussian
    noise on a grid, which is certified by another argument. Raises DomainError, UndecidedError; RegimeError for delta = 0 or 1.
    """
    both = relation is Relation.REPLACE_ONE and domain_size >= 2
    inputs = {"C": inputs.pop("threshold"), "d": inputs.pop("domain_size"), **inputs}
    if delta is None:
        return _laplace(threshold * (2 if both else 1), epsilon, relation, inputs)
    return _gaussian(threshold**2 * (2 if both else 1), epsilon, delta, relation, inputs)


def _gaussian(squared: Fraction, epsilon: Epsilon, delta: Fraction, relation: Relation, inputs: dict[str, str]) -> Calibration:
    """squared: the l2 sensitivity, squared."""
    found = noise_multiplier(epsilon=epsilon, delta=delta, digits=_DIGITS)
    assert found.fails_at is not None
    value, fails_at = _times_root(found.value, squared)[1], _times_root(found.fails_at, squared)[0]
    variance = discrete_gaussian_variance(sensitivity_squared=squared, epsilon=epsilon, delta=delta, digits=_DIGITS)
    return Calibration(
        protocol=PROTOCOL,
        parameter="sigma",
        statement=GAUSSIAN,
        value=value,
        noisiest=_NOISIEST,
        fails_at=fails_at,
        expected_noise=value,
        paper=_classical(squared, epsilon, delta),
        settings={"noise": "Gaussian, on sums clipped in l2"},
        certified={"sigma over the sensitivity": (found.fails_at, found.value)},
        also_meets={"discrete Gaussian noise, exactly drawn (LSZKG22.Alg1.discrete-gaussian)": _times_root(Fraction(1), variance)[1]},
        relation=relation,
        inputs=inputs,
    )


def _classical(squared: Fraction, epsilon: Epsilon, delta: Fraction) -> PapersNoise:
    try:
        if epsilon.rational is None:
            raise RegimeError(statement=CLASSICAL, condition="0 < eps < 1, rational", given=f"eps = {epsilon}", advice="")
        above = classical_noise_multiplier(epsilon=epsilon.rational, delta=delta, digits=_DIGITS)
    except RegimeError as refusal:
        return PapersNoise(statement=CLASSICAL, fails=f"it needs {refusal.condition}, and {refusal.given}")
    with precision(_BITS):
        exact = (2 * ball(Fraction(5, 4) / delta).log() * ball(squared)).sqrt() / ball(epsilon.rational)
        lower = lower_end(exact)
    return PapersNoise(statement=CLASSICAL, lower=lower, upper=_times_root(above, squared)[1])


def _laplace(distance: Fraction, order: Epsilon, relation: Relation, inputs: dict[str, str]) -> Calibration:
    """distance: the l1 sensitivity."""
    low, high = order.bounds(bits=_BITS)
    require(low > 0, parameter="epsilon", value=str(order), requirement="above 0 where no delta is given")
    value = distance / low if low == high else Fraction(decimal_text(distance / low, digits=_SHOWN, direction="up"))
    fails_at = Fraction(decimal_text(distance / high * (1 - Fraction(1, 10**_DIGITS)), digits=_SHOWN, direction="down"))
    return Calibration(
        protocol=PROTOCOL,
        parameter="scale",
        statement=LAPLACE,
        value=value,
        noisiest=_NOISIEST,
        fails_at=fails_at,
        expected_noise=value,
        paper=PapersNoise(statement=LAPLACE, lower=distance / high, upper=distance / low),
        settings={"noise": "Laplace, on sums clipped in l1"},
        relation=relation,
        inputs=inputs,
    )


def _times_root(factor: Fraction, squared: Fraction) -> tuple[Fraction, Fraction]:
    """Decimals below and above factor sqrt(squared)."""
    root = Fraction(math.isqrt(squared.numerator), math.isqrt(squared.denominator))
    if root * root == squared:
        ends = factor * root, factor * root
    else:
        with precision(_BITS):
            product: arb = ball(factor) * ball(squared).sqrt()
            ends = lower_end(product), upper_end(product)
    lower, upper = (decimal_text(ends[0], digits=_SHOWN, direction="down"), decimal_text(ends[1], digits=_SHOWN, direction="up"))
    return Fraction(lower), Fraction(upper)
