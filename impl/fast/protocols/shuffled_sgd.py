"""Stochastic gradient descent over a random order of the users, simulated: for experiments only, since its noise is float64.

What it computes is what `impl.ball.shuffled_sgd` certifies for exact Gaussian noise: every gradient is clipped before it is added,
the noise fits a replaced user, every user is used once in a pass, and each pass draws a new order.
"""

import numpy as np
from numpy.typing import NDArray

from shuffleproof.spec.vocabulary.errors import DomainError, require

Floats = NDArray[np.float64]


def simulate_shuffled_sgd(
    *, features: Floats, labels: Floats, sigma: float, batch: int, passes: int, learning_rate: float, generator: np.random.Generator
) -> Floats:
    """Parameters of a logistic regression trained with noise, averaged over the second half of the steps (FMT21, Algorithm 2, corrected).

    features: (n, d); labels: (n,) of -1 and 1; sigma: standard deviation of the noise on each batch's sum of gradients, each clipped to l2
    norm 1, at least 0; batch: divides n; passes: at least 1; learning_rate: of the first step, falling like 1/sqrt(step), above 0.
    Returns (d,). Its release from real data is not private: floating-point noise has no exact distribution. Raises DomainError.
    """
    values, signs = np.asarray(features, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    if values.ndim != 2 or not np.isfinite(values).all():
        raise DomainError(parameter="features", value=values.shape, requirement="a finite array of shape (n, d)")
    if signs.shape != values.shape[:1] or not np.isin(signs, (-1.0, 1.0)).all():
        raise DomainError(parameter="labels", value=signs.shape, requirement=f"{values.shape[0]} labels, each -1 or 1")
    n, d = values.shape
    require(0 <= sigma < np.inf, parameter="sigma", value=sigma, requirement="at least 0 and finite")
    require(batch >= 1 and n >= 1 and n % batch == 0, parameter="batch", value=batch, requirement=f"a divisor of the {n} users")
    require(passes >= 1, parameter="passes", value=passes, requirement="at least 1")
    require(0 < learning_rate < np.inf, parameter="learning_rate", value=learning_rate, requirement="above 0 and finite")
    steps = passes * (n // batch)
    theta, average, averaged = np.zeros(d), np.zeros(d), 0
    for step in range(steps):
        at = step % (n // batch)
        if at == 0:
            order = generator.permutation(n)
        chosen = order[at * batch : (at + 1) * batch]
        total = clipped(logistic_gradients(theta, values[chosen], signs[chosen])).sum(axis=0) + generator.normal(0.0, sigma, d)
        theta = theta - learning_rate / np.sqrt(step + 1) * total / batch
        if 2 * step >= steps:
            averaged += 1
            average += (theta - average) / averaged
    return average if averaged else theta


def logistic_gradients(theta: Floats, features: Floats, labels: Floats) -> Floats:
    """Gradient of ln(1 + e^(-y <theta, x>)) for each row: shape (b, d)."""
    margins = np.clip(labels * (features @ theta), -700.0, 700.0)
    weights: Floats = -labels / (1.0 + np.exp(margins))
    return weights[:, None] * features


def clipped(gradients: Floats) -> Floats:
    """Each row scaled to l2 norm at most 1."""
    scale = np.maximum(1.0, np.abs(gradients).max(axis=1, keepdims=True, initial=0.0))  # squares of what is left do not overflow
    reduced = gradients / scale
    norms = scale * np.linalg.norm(reduced, axis=1, keepdims=True)
    result: Floats = gradients / np.maximum(1.0, norms)
    return result


def accuracy(theta: Floats, features: Floats, labels: Floats) -> float:
    """Share of rows on the right side."""
    return float(np.mean(np.where(features @ theta >= 0, 1.0, -1.0) == labels))
