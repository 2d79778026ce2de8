"""The Gaussian mechanism's privacy profile and its calibrations, in mpmath (Balle and Wang, 2018; Dwork and Roth, appendix A).

With mu = sensitivity/sigma every two neighbours at distance the sensitivity give the pair N(mu, 1), N(0, 1), whose hockey-stick
divergence hs(eps, mu) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) rises with mu; sigma in units of the sensitivity is the multiplier.
"""

from typing import Any

from mpmath import erfc, exp, log, mp, mpf, sqrt

from shuffleproof.spec.vocabulary.errors import RegimeError, require


def hockey_stick(*, epsilon: Any, mu: Any) -> Any:
    """Return hs(eps, mu), the least delta for N(mu, 1) against N(0, 1), at the working precision.  (Balle and Wang, 2018, Theorem 5).

    epsilon: any real number; mu >= 0, the distance of the means in standard deviations. Raises DomainError.
    """
    order, distance = mpf(epsilon), mpf(mu)
    require(distance >= 0, parameter="mu", value=mu, requirement="at least 0")
    if distance == 0:
        return max(mpf(0), 1 - exp(order))
    with mp.workdps(2 * mp.dps + 10):  # the two terms are nearly equal far out
        value = _phi(distance / 2 - order / distance) - exp(order) * _phi(-distance / 2 - order / distance)
    return +value


def multiplier(*, epsilon: Any, delta: Any) -> Any:
    """kg(eps, delta) = inf{k > 0 : hs(eps, 1/k) <= delta}: the least sigma for sensitivity 1, at the working precision.

    epsilon >= 0; 0 < delta < 1. The analytic calibration of Balle and Wang, 2018. Raises DomainError.
    """
    order, target = mpf(epsilon), mpf(delta)
    require(order >= 0, parameter="epsilon", value=epsilon, requirement="at least 0")
    require(0 < target < 1, parameter="delta", value=delta, requirement="above 0 and below 1")
    low, high = mpf(1), mpf(1)
    while hockey_stick(epsilon=order, mu=1 / low) <= target:
        low /= 2
    while hockey_stick(epsilon=order, mu=1 / high) > target:
        high *= 2
    while high - low > high * mpf(10) ** (2 - mp.dps):
        middle = (low + high) / 2
        low, high = (low, middle) if hockey_stick(epsilon=order, mu=1 / middle) <= target else (middle, high)
    return high


def classical_multiplier(*, epsilon: Any, delta: Any) -> Any:
    """Return sqrt(2 ln(1.25/delta))/eps, for 0 < eps < 1 and 0 < delta < 1.  (Dwork and Roth, Theorem A.1).

    Raises DomainError for delta; RegimeError for eps outside (0, 1), where the theorem says nothing.
    """
    order, target = mpf(epsilon), mpf(delta)
    require(0 < target < 1, parameter="delta", value=delta, requirement="above 0 and below 1")
    if not 0 < order < 1:
        raise RegimeError(
            statement="LSZKG22.Alg1.classical-gaussian",
            condition="0 < eps < 1",
            given=f"eps = {epsilon}",
            advice="use the analytic calibration, which has no such condition",
        )
    return sqrt(2 * log(5 / (4 * target))) / order


def composed_multiplier(*, steps: int, epsilon: Any, delta: Any) -> Any:
    """sqrt(K) kg(eps, delta): sigma per step for K Gaussian steps of sensitivity 1, chosen adaptively, to be (eps, delta)-DP together.

    K steps are exactly one Gaussian mechanism with mu = sqrt(K)/sigma.  (LSZKG22, Corollary 4.3) Domains as for `multiplier`, K >= 1.
    """
    require(steps >= 1, parameter="steps", value=steps, requirement="an integer of at least 1")
    return sqrt(mpf(steps)) * multiplier(epsilon=epsilon, delta=delta)


def subsampled_renyi(*, order: int, rate: Any, noise_multiplier: Any) -> Any:
    """RDP of order alpha of one Poisson-sampled Gaussian step under add-remove, for integers alpha >= 2.

    ln(sum over k of C(alpha, k) (1 - q)^(alpha - k) q^k e^(k (k - 1)/(2 z^2)))/(alpha - 1).  (Mironov, Talwar and Zhang, 2019, section 3.3)

    rate: q in [0, 1]; noise_multiplier: z > 0, sigma over the sensitivity. Raises DomainError.
    """
    q, z = mpf(rate), mpf(noise_multiplier)
    require(order >= 2, parameter="order", value=order, requirement="an integer of at least 2")
    require(0 <= q <= 1, parameter="rate", value=rate, requirement="in [0, 1]")
    require(z > 0, parameter="noise_multiplier", value=noise_multiplier, requirement="above 0")
    moment = sum((mp.binomial(order, k) * (1 - q) ** (order - k) * q**k * exp(k * (k - 1) / (2 * z**2)) for k in range(order + 1)), mpf(0))
    return log(moment) / (order - 1)


def shuffled_batches_demand(*, batches: int, noise_multiplier: Any, cut: Any, delta: Any) -> Any:
    """ln((P - delta)/Q) for the event that one of T batches' sums exceeds the cut (BEYOND.shuffled-batches).

    P = 1 - Phi((c - 2)/z) Phi(c/z)^(T - 1), Q = 1 - Phi((c - 1)/z) Phi(c/z)^(T - 1); batches: T >= 1; noise_multiplier: z > 0; P > delta.
    Raises DomainError.
    """
    z, c = mpf(noise_multiplier), mpf(cut)
    require(batches >= 1, parameter="batches", value=batches, requirement="an integer of at least 1")
    require(z > 0, parameter="noise_multiplier", value=noise_multiplier, requirement="above 0")
    others = _phi(c / z) ** (batches - 1)
    P, Q = 1 - _phi((c - 2) / z) * others, 1 - _phi((c - 1) / z) * others
    require(mpf(delta) < P, parameter="delta", value=delta, requirement="below the probability of the event")
    return log((P - mpf(delta)) / Q)


def _phi(x: Any) -> Any:
    return erfc(-x / sqrt(mpf(2))) / 2
