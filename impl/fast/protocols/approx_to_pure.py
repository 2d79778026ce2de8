"""R~_(k,T) of CSUZZ19, Algorithm 7, simulated for many users at once.

For experiments only: float probabilities have no exact distribution.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.spec.vocabulary.errors import require

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
_BLOCK = 1 << 20
"""Public strings held in memory at once, v_t counted one by one."""


def acceptance(laws: ArrayLike, *, x0: int, exp_epsilon: float, k: float) -> Floats:
    """Return p(y) of every input x (a row) and message y (a column).

    It is r/k with r = Pr[R(x) = y]/Pr[R(x0) = y] where that lies in
    [e^(-2 eps), e^(2 eps)], and 1/k elsewhere.

    laws: one row of probabilities for each input, summing to 1; x0: the row of the public distribution; exp_epsilon: e^eps >= 1;
    k >= e^(2 eps). A ratio on the edge of the interval may fall on either side of it by rounding. Raises DomainError.
    """
    rows = np.asarray(laws, dtype=np.float64)
    require(rows.ndim == 2 and rows.size > 0, parameter="laws", value=f"{rows.ndim} axes", requirement="a matrix, one row for each input")
    proper = bool(np.isfinite(rows).all() and (rows >= 0).all() and np.allclose(rows.sum(axis=1), 1))
    require(proper, parameter="laws", value="a row that is no distribution", requirement="rows of probabilities that sum to 1")
    require(0 <= x0 < len(rows), parameter="x0", value=x0, requirement=f"a row from 0 to {len(rows) - 1}")
    require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
    require(k >= exp_epsilon**2, parameter="k", value=k, requirement="at least e^(2 epsilon), so that every p(y) is a probability")
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = rows / rows[x0]
    good = (ratios >= exp_epsilon**-2) & (ratios <= exp_epsilon**2)
    p: Floats = np.where(good, ratios, 1.0) / k
    return p


def simulate_index(p: ArrayLike, generator: np.random.Generator) -> Indices:
    """g of every row of acceptance probabilities p_1, ..., p_T: uniform among the accepted t, among all of them if none is accepted."""
    rows = np.asarray(p, dtype=np.float64)
    accepted = generator.random(rows.shape) < rows
    # The largest of independent uniform keys is uniform; an accepted t outranks every other one.
    chosen: Indices = np.argmax(accepted + generator.random(rows.shape), axis=1).astype(np.int64)
    return chosen


def simulate_approx_to_pure(
    x: ArrayLike, *, laws: ArrayLike, x0: int, exp_epsilon: float, k: float, T: int, generator: np.random.Generator
) -> Indices:
    """Return v_g of every user: T public draws from R(x0), one of them reported.  (CSUZZ19, Algorithm 7).

    x: the users' inputs as rows of distributions; T: at least 1; the others as for `acceptance`. Users are taken in blocks, so memory does
    not grow with n T. Returns the messages as columns of distributions, one for each user. Raises DomainError.
    """
    p, rows = acceptance(laws, x0=x0, exp_epsilon=exp_epsilon, k=k), np.asarray(laws, dtype=np.float64)
    require(1 <= T <= _BLOCK, parameter="T", value=T, requirement=f"an integer from 1 to {_BLOCK}")
    inputs = np.asarray(x)
    whole = inputs.ndim == 1 and np.issubdtype(inputs.dtype, np.integer)
    require(
        whole and bool(((inputs >= 0) & (inputs < len(rows))).all()), parameter="x", value="inputs", requirement="rows of distributions"
    )
    step, messages = max(1, _BLOCK // T), np.empty(inputs.size, dtype=np.int64)
    for start in range(0, inputs.size, step):
        block = inputs[start : start + step]
        v = generator.choice(rows.shape[1], size=(block.size, T), p=rows[x0] / rows[x0].sum())
        g = simulate_index(p[block[:, None], v], generator)
        messages[start : start + step] = v[np.arange(block.size), g]
    return messages
