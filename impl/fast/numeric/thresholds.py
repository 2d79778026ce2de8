"""Clipping thresholds in float64, all users at once (LSZKG22, section 4): minimisers by sorting, private ones as simulations.

Every user counts through a norm m and a weight w: (||h||_1, 1) with Laplace noise, (||h||_2, ||h||_1/||h||_2) with Gaussian noise.
Values are estimates. Whatever is called simulate_* draws float noise from a numpy generator: for experiments, never for a release.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.spec.vocabulary.errors import require

Floats = NDArray[np.float64]


def objective(m: ArrayLike, w: ArrayLike, *, C: ArrayLike, T: float) -> Floats:
    """Return U(C) = sum of w_i (m_i - C)_+ + T C at every C.  (LSZKG22, equation (4)).

    m, w: norms and weights, at least 0, of one length; C: any shape, at least 0; T: slope of the noise, above 0. Raises DomainError.
    """
    norms, weights = _falling(m, w)
    points = np.asarray(C, dtype=np.float64)
    require(bool((points >= 0).all()), parameter="C", value="a value below 0", requirement="at least 0")
    _require_slope(T)
    above = np.searchsorted(-norms, -points, side="left")  # how many norms exceed C
    weight = np.concatenate([[0.0], np.cumsum(weights)])
    total = np.concatenate([[0.0], np.cumsum(weights * norms)])
    value: Floats = total[above] - weight[above] * points + T * points
    return value


def top_element(m: ArrayLike, *, T: float) -> float:
    """The ceil(T)-th largest norm, and 0 where there are fewer.  (LSZKG22, Lemma 4.1) T > 0. Raises DomainError."""
    norms, _ = _falling(m, np.ones(np.size(m)))
    _require_slope(T)
    rank = math.ceil(T)
    return float(norms[rank - 1]) if rank <= norms.size else 0.0


def minimiser(m: ArrayLike, w: ArrayLike, *, T: float) -> float:
    """Return C* = inf{C >= 0 : S(C) <= T}, the least minimiser of U, S(C) the weight of the norms above C.  (LSZKG22, Theorem 4.2).

    Domains and errors as for `objective`.
    """
    norms, weights = _falling(m, w)
    _require_slope(T)
    reached = int(np.searchsorted(np.cumsum(weights), T, side="right"))  # the first user, by falling norm, with whom the weight exceeds T
    return float(norms[reached]) if reached < norms.size else 0.0


def regularised_minimiser(m: ArrayLike, w: ArrayLike, *, T: float, lam: float, B: float) -> float:
    """Return Chat, the minimiser of U(C) + (lam/2) C^2 on [0, B]: the largest min(m_k, (W_k - T)/lam), clamped.  (LSZKG22, Algorithm 2).

    lam > 0, B >= 0; others as for `objective`. Raises DomainError.
    """
    norms, weights = _falling(m, w)
    _require_slope(T)
    _require_positive(lam=lam)
    _require_bound(B)
    best = float(np.minimum(norms, (np.cumsum(weights) - T) / lam).max(initial=0.0))
    return min(B, max(0.0, best))


def regularisation(*, n: int, T: float, W: float, B: float, epsilon: float) -> float:
    """Return lam = sqrt(max(T, n W) W/epsilon)/B, made of public numbers only.  (LSZKG22, Corollary 4.4).

    n: a public number of users, or a public guess of it where it is private; others above 0. Raises DomainError.
    """
    _require_slope(T)
    _require_positive(W=W, B=B, epsilon=epsilon)
    return math.sqrt(max(T, n * W) * W / epsilon) / B


def simulate_private_threshold(
    m: ArrayLike, w: ArrayLike, *, T: float, W: float, lam: float, B: float, epsilon: float, generator: np.random.Generator
) -> float:
    """Algorithm 2 with float noise, for experiments: Chat of the weights min(w, W), Laplace noise of scale W/(lam epsilon), clamped.

    W: public bound on the weights, sqrt(s) for s items a user; domains as for `regularised_minimiser`. Raises DomainError.
    """
    _require_positive(W=W, epsilon=epsilon)
    exact = regularised_minimiser(m, np.minimum(w, W), T=T, lam=lam, B=B)
    return min(B, max(0.0, exact + generator.laplace(scale=W / (lam * epsilon))))


def simulate_noisy_descent(
    m: ArrayLike, w: ArrayLike, *, T: float, W: float, B: float, n: int, steps: int, multiplier: float, generator: np.random.Generator
) -> float:
    """Corollary 4.3 with float noise, for experiments: the mean of C_1, ..., C_K of projected descent along noisy subgradients of U.

    n: public number of users, for the step length; steps: K; multiplier: the Gaussian multiplier kg of the whole budget, so that each
    subgradient gets noise sqrt(K) W kg. Others as for `simulate_private_threshold`. Raises DomainError.
    """
    norms, weights = _falling(m, np.minimum(w, W))
    _require_slope(T)
    _require_positive(W=W, B=B, multiplier=multiplier)
    require(steps >= 1, parameter="steps", value=steps, requirement="an integer of at least 1")
    sigma = math.sqrt(steps) * W * multiplier
    size = B / 2 / math.sqrt(steps * (max(T, n * W - T) ** 2 + sigma**2))
    weight = np.concatenate([[0.0], np.cumsum(weights)])
    negated, C, total = -norms, B / 2, 0.0
    for noise in generator.normal(scale=sigma, size=steps):
        total += C
        subgradient = T - weight[np.searchsorted(negated, -C, side="left")]
        C = min(B, max(0.0, C - size * (subgradient + noise)))
    return total / steps


def simulate_quantile(
    m: ArrayLike, *, rank: float, B: float, n: int, steps: int, multiplier: float, rate: float, generator: np.random.Generator
) -> float:
    """A quantile by noisy descent, for experiments: the baseline that looks for the norm of a given rank from the top.

    C_1 = B/2, C_(t+1) = min(B, C_t exp(rate (#{m > C_t} + noise - rank)/n)): the multiplicative steps of Andrew, Thakkar, McMahan and
    Ramaswamy (2021). rank: from the top, at least 0; n: public number of users; multiplier: as for `simulate_noisy_descent`, each
    count being of sensitivity 1; rate > 0. Returns the last C. Raises DomainError.
    """
    norms, _ = _falling(m, np.ones(np.size(m)))
    require(rank >= 0, parameter="rank", value=rank, requirement="at least 0")
    _require_positive(B=B, multiplier=multiplier, rate=rate)
    require(steps >= 1 and n >= 1, parameter="steps", value=steps, requirement="an integer of at least 1, as is n")
    negated, C = -norms, B / 2
    for noise in generator.normal(scale=math.sqrt(steps) * multiplier, size=steps):
        above = int(np.searchsorted(negated, -C, side="left"))
        C = min(B, C * math.exp(min(50.0, rate * (above + noise - rank) / n)))
    return C


def _falling(m: ArrayLike, w: ArrayLike) -> tuple[Floats, Floats]:
    """Norms from the largest on, with their weights."""
    norms, weights = np.asarray(m, dtype=np.float64), np.asarray(w, dtype=np.float64)
    require(norms.shape == weights.shape and norms.ndim == 1, parameter="w", value=weights.shape, requirement="one weight for each norm")
    for name, values in (("m", norms), ("w", weights)):
        inside = bool(((values >= 0) & (values < math.inf)).all())
        require(inside, parameter=name, value="a value that is not", requirement="finite and at least 0 everywhere")
    order = np.argsort(-norms, kind="stable")
    return norms[order], weights[order]


def _require_slope(T: float) -> None:
    require(T > 0, parameter="T", value=T, requirement="above 0")


def _require_positive(**parameters: float) -> None:
    for name, value in parameters.items():
        require(value > 0, parameter=name, value=value, requirement="above 0")


def _require_bound(B: float) -> None:
    require(B >= 0, parameter="B", value=B, requirement="at least 0")
