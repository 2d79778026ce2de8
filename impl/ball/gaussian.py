"""Gaussian noise, certified: the exact profile and calibration of the continuous one, and of the discrete one through concentrated DP.

Continuous: with mu = sensitivity/sigma, delta(eps) = hs(eps, mu) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), rising with mu.
Discrete, P(x) proportional to e^(-x^2/(2 sigma^2)) on the integers: the continuous profile does not carry over (at some eps the discrete
one is larger). For integer shifts its Renyi divergences are at most the continuous ones, alpha s^2/(2 sigma^2), in any dimension, which
gives delta <= e^((alpha - 1)(alpha rho - eps)) (1 - 1/alpha)^(alpha - 1)/alpha for every alpha > 1, rho = s^2/(2 sigma^2).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, log_of, normal_tail, precision, upper_end
from shuffleproof.impl.ball.numeric.results import bound, narrowed, share, shown
from shuffleproof.spec.vocabulary.asking import Found, reads
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError, UndecidedError, require
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import DISCRETE_GAUSSIAN, GAUSSIAN
from shuffleproof.spec.vocabulary.numerals import Epsilon, count, exact_fraction, parse_epsilon, positive, probability, shortest
from shuffleproof.spec.vocabulary.parameters import ORDER
from shuffleproof.spec.vocabulary.scope import Relation

LARGEST_EPSILON = 10_000
"""Largest epsilon of a question: the limit of every engine's parameters."""
_order = partial(parse_epsilon, maximum=LARGEST_EPSILON)


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibrated:
    """The least noise that is certified to meet a target: value meets it, as does everything larger; fails_at is certified not to.

    value, fails_at: in the unit that the function names; fails_at is None where the method gives upper bounds only.
    """

    value: Fraction
    fails_at: Fraction | None


@reads(noise_multiplier=positive, epsilon=_order)
def delta(*, noise_multiplier: Fraction, epsilon: Epsilon, relation: Relation, digits: int = 15, inputs: Mapping[str, str]) -> Bound:
    """The least delta of continuous Gaussian noise at this epsilon, enclosed (Balle and Wang, 2018, Theorem 8).

    noise_multiplier: sigma over the l2 sensitivity under `relation`, above 0, exact; epsilon in [0, 10000]; digits: relative width at
    most 10^-digits, 1 to 1000. Raises DomainError, UndecidedError.
    """
    found = _enclose(1 / noise_multiplier, epsilon, digits + 1)
    method = replace(GAUSSIAN, relation=relation)
    return bound(method, "delta", found, inputs, digits)


@reads(noise_multiplier=positive, delta=probability)
def epsilon(*, noise_multiplier: Fraction, delta: Fraction, relation: Relation, digits: int = 15, inputs: Mapping[str, str]) -> Bound:
    """The least epsilon of continuous Gaussian noise at this delta, enclosed (Balle and Wang, 2018, Theorem 8).

    noise_multiplier: as for `delta`; delta above 0, at most 1; digits: relative width at most 10^-digits, 1 to 1000.
    Exactly 0 where delta >= delta(0) is certified. Raises DomainError, UndecidedError; RegimeError for delta = 0: no epsilon is enough.
    """
    method = replace(GAUSSIAN, relation=relation)
    if delta == 1:
        return bound(method, "epsilon", Found.exactly(0), inputs, digits)
    _require_target(delta)
    bits = 0

    def meets(x: Fraction) -> bool:
        nonlocal bits
        decided, bits = _at_most(delta, 1 / noise_multiplier, Epsilon(x, None), digits=digits)
        return decided

    if meets(Fraction(0)):
        return bound(method, "epsilon", Found.exactly(0), inputs, digits)
    low, high = _bisected(meets, digits=digits + 1)
    return bound(method, "epsilon", Found(low, high, precision=bits), inputs, digits)


@reads(ORDER, squared_noise_multiplier=positive)
def renyi(*, squared_noise_multiplier: Fraction, order: Fraction, relation: Relation, inputs: Mapping[str, str]) -> Bound:
    """The Renyi divergence of continuous Gaussian noise: order/(2 k^2), k = sigma over the sensitivity (Mironov, 2017, Proposition 7).

    squared_noise_multiplier: k^2, above 0, exact; order above 1. Returns a Bound of side "exact". Raises DomainError.
    """
    value = order / (2 * squared_noise_multiplier)
    return bound(replace(GAUSSIAN, relation=relation), "renyi", Found.exactly(value), inputs, 0)


@reads(epsilon=_order, delta=probability)
def noise_multiplier(*, epsilon: Epsilon, delta: Fraction, digits: int = 12) -> Calibrated:
    """kg(eps, delta), the least sigma for l2 sensitivity 1 with hs(eps, 1/sigma) <= delta, by certified bisection.

    epsilon in [0, 10000]; 0 < delta < 1; digits: value and fails_at differ by at most 10^-digits of the value, 1 to 1000.
    At value the target is certified to be met by continuous Gaussian noise, at fails_at not to be. (Balle and Wang, 2018)
    Raises DomainError, UndecidedError; RegimeError for delta = 0 or 1.
    """
    _require_target(delta)
    low, high = _bisected(lambda k: _at_most(delta, 1 / k, epsilon, digits=digits)[0], digits=digits)
    return Calibrated(value=high, fails_at=low)


@reads(steps=partial(count, maximum=10**9), epsilon=_order, delta=probability)
def composed_noise_multiplier(*, steps: int, epsilon: Epsilon, delta: Fraction, digits: int = 12) -> Fraction:
    """sqrt(K) kg(eps, delta) rounded up: sigma over the sensitivity, for K adaptive steps to be (eps, delta)-DP together.

    steps: K, 1 to 10^9; others as for `noise_multiplier`. K steps are exactly one Gaussian mechanism with mu = sqrt(K)/sigma.
    (LSZKG22, Corollary 4.3) Raises DomainError, UndecidedError; RegimeError for delta = 0 or 1.
    """
    single = noise_multiplier(epsilon=epsilon, delta=delta, digits=digits).value
    with precision(math.ceil(3.33 * digits) + 64):
        return upper_end(ball(steps).sqrt() * ball(single))


@reads(epsilon=exact_fraction, delta=probability)
def classical_noise_multiplier(*, epsilon: Fraction, delta: Fraction, digits: int = 12) -> Fraction:
    """Return sqrt(2 ln(1.25/delta))/eps rounded up, the calibration beside which the analytic one is shown.  (Dwork and Roth, Theorem A.1).

    0 < epsilon < 1, rational; 0 < delta < 1. Raises DomainError; RegimeError outside, where the theorem says nothing.
    """
    _require_target(delta)
    if not 0 < epsilon < 1:
        advice = "use the analytic calibration, which has no such condition"
        raise RegimeError(
            statement="LSZKG22.Alg1.classical-gaussian", condition="0 < eps < 1", given=f"eps = {shortest(epsilon)}", advice=advice
        )
    with precision(math.ceil(3.33 * digits) + 64):
        return upper_end((2 * ball(Fraction(5, 4) / delta).log()).sqrt() / ball(epsilon))


@reads(sensitivity_squared=positive, variance=positive, epsilon=_order)
def discrete_gaussian_delta(
    *, sensitivity_squared: Fraction, variance: Fraction, epsilon: Epsilon, relation: Relation, digits: int = 12, inputs: Mapping[str, str]
) -> Bound:
    """An upper bound on delta for discrete Gaussian noise in any dimension (Canonne, Kamath and Steinke, 2020, Theorem 4, Proposition 12).

    sensitivity_squared: of the integer-valued sum in l2 under `relation`, above 0; variance: the parameter sigma^2 of the noise, above 0
    (its true variance is smaller); both in the same unit. epsilon in [0, 10000]. Every alpha proves a bound; the one used is near the best.
    Returns a Bound of side "upper". Raises DomainError.
    """
    value = _concentrated(sensitivity_squared / (2 * variance), epsilon, bits=math.ceil(3.33 * digits) + 128)
    return bound(replace(DISCRETE_GAUSSIAN, relation=relation), "delta", Found(Fraction(0), value, False), inputs, digits)


@reads(sensitivity_squared=positive, epsilon=_order, delta=probability, digits=partial(count, maximum=100))
def discrete_gaussian_variance(*, sensitivity_squared: Fraction, epsilon: Epsilon, delta: Fraction, digits: int = 6) -> Fraction:
    """A variance sigma^2 at which discrete Gaussian noise on integer-valued sums is certified (epsilon, delta)-DP, in any dimension.

    sensitivity_squared: largest squared l2 distance of the integer sums on neighbouring datasets, in squared units of the grid, above 0,
    under whichever relation the guarantee is to hold; epsilon in [0, 10000]; 0 < delta < 1; digits: how near the result is to the least
    variance that this argument certifies, 1 to 100. Independent noise N_Z(0, sigma^2) on every coordinate, exactly drawn, then gives
    (epsilon, delta)-DP; so does every larger variance. Proved: Renyi divergences at most alpha rho, rho = sensitivity_squared/(2 sigma^2)
    (integer shifts; CKS20, Theorem 4), then delta <= e^((alpha-1)(alpha rho - eps)) (1 - 1/alpha)^(alpha-1)/alpha at an explicit alpha
    (CKS20, Proposition 12), in ball arithmetic. It is not the calibration of the continuous Gaussian, which does not carry over.
    Raises DomainError; RegimeError for delta = 0 or 1.
    """
    _require_target(delta)
    bits = math.ceil(3.33 * digits) + 128
    # k is sigma over the sensitivity, squared: what is bisected is the variance itself
    _, high = _bisected(lambda k: _concentrated(1 / (2 * k), epsilon, bits=bits) <= delta, digits=digits)
    return high * sensitivity_squared


@reads(sensitivity=positive, epsilon=parse_epsilon)
def discrete_laplace_scale(*, sensitivity: Fraction, epsilon: Epsilon, digits: int = 12) -> Fraction:
    """A rational t >= sensitivity/epsilon: noise P(z) proportional to e^(-|z|/t) on every coordinate is then epsilon-DP, in any dimension.

    sensitivity: largest l1 distance of the integer sums on neighbouring datasets, above 0; epsilon > 0; exactly sensitivity/epsilon where
    epsilon is rational, otherwise above it by at most 10^-digits of it. Raises DomainError.
    """
    low, _ = epsilon.bounds(bits=math.ceil(3.33 * digits) + 2)
    require(low > 0, parameter="epsilon", value=str(epsilon), requirement="above 0")
    return sensitivity / low


def _enclose(mu: Fraction, epsilon: Epsilon, digits: int) -> Found:
    """hs(eps, mu) with relative width at most 10^-digits, or known to be below TINY."""
    far = epsilon.bounds(bits=8)[1] / mu
    cancelled = 2 * max(0, far.numerator.bit_length() - far.denominator.bit_length())  # the two terms agree up to about (eps/mu)^2
    bits = math.ceil(3.33 * digits) + cancelled + 64

    def value() -> tuple[Fraction, Fraction]:
        x, shift = ball(mu), log_of(epsilon) / ball(mu)
        return share(normal_tail(shift - x / 2) - exp_of(epsilon) * normal_tail(shift + x / 2))

    return narrowed(value, digits=digits, bits=bits, quantity="delta of the Gaussian")


def _at_most(target: Fraction, mu: Fraction, epsilon: Epsilon, *, digits: int) -> tuple[bool, int]:
    """Return whether hs(eps, mu) <= target, certified either way, and the precision that decided it."""
    accuracy = 6
    while accuracy <= 4 * digits + 1000:
        found = _enclose(mu, epsilon, accuracy)
        if found.upper <= target or found.lower > target:
            return found.upper <= target, found.precision or 0
        accuracy *= 2
    raise UndecidedError(
        quantity="delta of the Gaussian", enclosure=(shown(found.lower, "down"), shown(found.upper, "up")), precision=found.precision or 0
    )


_LEAST_FLOAT = Fraction(1, 10**300)
"""Below it a rational is not turned into a float: the guess is made in ball arithmetic."""


def _concentrated(rho: Fraction, epsilon: Epsilon, *, bits: int) -> Fraction:
    """An upper bound on delta(eps) for every rho-zCDP mechanism, at most 1, at an order found by floating-point search."""
    with precision(bits):
        if rho < _LEAST_FLOAT:  # beyond floats; alpha is so large there that ln(1 - 1/alpha) is -1/alpha
            less = ball(upper_end((log_of(epsilon) + (log_of(epsilon) ** 2 + 8 * ball(rho)).sqrt()) / (4 * ball(rho))))
        else:
            less = ball(_order_minus_1(float(min(rho, Fraction(10**300))), float(epsilon.bounds(bits=53)[1])))  # alpha - 1
        exponent = less * ((1 + less) * ball(rho) - log_of(epsilon) - (1 / less).log1p()) - less.log1p()
        return min(upper_end(exponent.exp()), Fraction(1)) if exponent < 0 else Fraction(1)


def _order_minus_1(rho: float, epsilon: float) -> Fraction:
    """alpha - 1 near the zero of (2 alpha - 1) rho - eps + ln(1 - 1/alpha), where the bound is least; every alpha > 1 is valid."""
    low, high = 1e-300, (epsilon + 1) / (2 * rho) + 2
    for _ in range(80):
        middle = math.sqrt(low) * math.sqrt(high)
        if (2 * middle + 1) * rho - epsilon - math.log1p(1 / middle) < 0:
            low = middle
        else:
            high = middle
    return Fraction(high)


def _bisected(meets: Callable[[Fraction], bool], *, digits: int) -> tuple[Fraction, Fraction]:
    """(low, high): meets(high), not meets(low), high - low at most 10^-digits of high; dyadic numbers."""
    low = high = Fraction(1)
    if meets(high):
        while meets(low):
            high, low = low, low / 2
    else:
        while not meets(high):
            low, high = high, high * 2
    while (high - low) * 10**digits > high:
        middle = (low + high) / 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    return low, high


def _require_target(delta: Fraction) -> None:
    if delta in (0, 1):
        advice = "ask for a delta in between" if delta else "use discrete Laplace noise, which is pure"
        raise RegimeError(statement=GAUSSIAN.statement, condition="0 < delta < 1", given=f"delta = {delta}", advice=advice)
