"""Algorithms 1, 3 and 4 of LSZKG22 simulated: all users as one sparse table, float noise from a numpy generator.

For experiments only: float noise has no exact distribution. Both flavours, L1 clipping with Laplace noise and L2 clipping with Gaussian
noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erf

from shuffleproof.impl.fast import debiasing
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.scope import Relation

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Norm = Literal[1, 2]


@dataclass(frozen=True)
class Histograms:
    """The users' histograms over d items, entries above 0 only.

    d: size of the domain; n: number of users, those without entries included; user, item: indices from 0 on; count: entries > 0,
    one for each pair of user and item.
    """

    d: int
    n: int
    user: Indices
    item: Indices
    count: Floats

    @classmethod
    def of(cls, user: ArrayLike, item: ArrayLike, count: ArrayLike, *, d: int, n: int) -> Histograms:
        """Checked and merged: several entries of one pair are added up, zeros left out. Raises DomainError."""
        users, items = np.asarray(user, dtype=np.int64), np.asarray(item, dtype=np.int64)
        counts = np.asarray(count, dtype=np.float64)
        require(d >= 1 and n >= 0, parameter="d", value=d, requirement="an integer of at least 1, and n at least 0")
        require(bool((counts >= 0).all()), parameter="count", value="a value below 0", requirement="at least 0")
        for name, values, limit in (("user", users, n), ("item", items, d)):
            inside = bool(((values >= 0) & (values < limit)).all())
            require(inside, parameter=name, value="an index outside", requirement=f"from 0 to {limit - 1}")
        pairs, where = np.unique(users * d + items, return_inverse=True)
        merged = np.bincount(where, weights=counts, minlength=pairs.size)
        pairs, merged = pairs[merged > 0], merged[merged > 0]
        return cls(d, n, pairs // d, pairs % d, np.asarray(merged, dtype=np.float64))

    def aggregate(self) -> Floats:
        """h, the sum of the histograms."""
        return _sums(self.item, self.count, self.d)

    def norms(self, *, p: Norm) -> Floats:
        """||h_i||_p of every user."""
        if p == 1:
            return _sums(self.user, self.count, self.n)
        roots: Floats = np.sqrt(_sums(self.user, self.count**2, self.n))
        return roots

    def weights(self, *, p: Norm) -> Floats:
        """Return what U gains per unit of clipping: 1 (p = 1) or ||h_i||_1/||h_i||_2 (p = 2), and 0 for a user without entries."""
        totals = self.norms(p=1)
        if p == 1:
            return (totals > 0).astype(np.float64)
        euclidean = self.norms(p=2)
        return np.divide(totals, euclidean, out=np.zeros_like(totals), where=euclidean > 0)

    def clipped_sum(self, *, p: Norm, C: float) -> Floats:
        """The sum of clip_p(h_i, C).  (LSZKG22, Algorithm 1) C >= 0. Raises DomainError."""
        require(C >= 0, parameter="C", value=C, requirement="at least 0")
        norms = self.norms(p=p)
        factors = np.divide(C, norms, out=np.ones_like(norms), where=norms > C)
        return _sums(self.item, self.count * factors[self.user], self.d)


def sensitivity(*, p: Norm, d: int, relation: Relation) -> float:
    """The lp sensitivity of the clipped sum at C = 1: 1 under add-remove or for d = 1, else 2 (p = 1) or sqrt 2 (p = 2)."""
    if relation is Relation.ADD_REMOVE or d == 1:
        return 1.0
    return 2.0 if p == 1 else math.sqrt(2)


def noise_slope(*, p: Norm, d: int, relation: Relation, multiplier: float) -> float:
    """Return T = d E|Z|/C for Algorithm 1's noise Z: d s1 k (p = 1) or d s2 k sqrt(2/pi) (p = 2).  (LSZKG22, Lemma 4.1 and Theorem 4.2).

    multiplier: k, noise scale over sensitivity: 1/epsilon for Laplace, a Gaussian multiplier for Gaussian noise.
    """
    return d * sensitivity(p=p, d=d, relation=relation) * multiplier * (1.0 if p == 1 else math.sqrt(2 / math.pi))


def expected_error(data: Histograms, *, C: float, relation: Relation, multiplier: float) -> float:
    """E||hhat - h||_1 of Algorithm 1 with L2 clipping and Gaussian noise, from the clipping biases in closed form; an estimate.

    multiplier, relation: as for `noise_slope`; C >= 0. Raises DomainError.
    """
    sigma = sensitivity(p=2, d=data.d, relation=relation) * C * multiplier
    bias = data.aggregate() - data.clipped_sum(p=2, C=C)
    if sigma == 0:
        return float(bias.sum())
    return float((sigma * math.sqrt(2 / math.pi) * np.exp(-((bias / sigma) ** 2) / 2) + bias * erf(bias / sigma / math.sqrt(2))).sum())


def simulate_release(
    data: Histograms, *, p: Norm, C: float, relation: Relation, multiplier: float, generator: np.random.Generator
) -> Floats:
    """Algorithm 1 with float noise, for experiments: clipped sum plus Laplace (p = 1) or Gaussian (p = 2) noise of scale s_p C k.

    multiplier: k as for `noise_slope`; relation: no default. C >= 0; 0 gives zeros. Raises DomainError.
    """
    scale = sensitivity(p=p, d=data.d, relation=relation) * C * multiplier
    draw = generator.laplace if p == 1 else generator.normal
    return data.clipped_sum(p=p, C=C) + draw(scale=scale, size=data.d) if scale > 0 else data.clipped_sum(p=p, C=C)


def relative_loss(estimate: ArrayLike, *, truth: ArrayLike) -> float:
    """||hhat - h||_1/||h||_1.  (LSZKG22, section 6.1) Raises DomainError where the truth is empty."""
    exact = np.asarray(truth, dtype=np.float64)
    total = float(np.abs(exact).sum())
    require(total > 0, parameter="truth", value="an empty histogram", requirement="a histogram with at least one count")
    return float(np.abs(np.asarray(estimate, dtype=np.float64) - exact).sum()) / total


@dataclass(frozen=True)
class MeanCounts:
    """Estimates of one item's mean count from the same noise, one entry for each run.

    clipped: Algorithm 1 over n; clamped: that, moved into [0, largest]; debiased: Algorithm 4, which clamps too and inverts f_C.
    """

    clipped: Floats
    clamped: Floats
    debiased: Floats


def simulate_mean_counts(
    counts: ArrayLike, *, n: int, C: int, epsilon: float, largest: float, generator: np.random.Generator, repeat: int = 1
) -> MeanCounts:
    """Run Algorithms 1 and 4 on one item with float noise, for experiments, `repeat` runs of each.  (LSZKG22, Algorithms 3 and 4).

    counts: x_i >= 0 of the users; n: their public number; C: an integer of at least 1; noise of scale C/epsilon on the sum, which
    is both relations' sensitivity for one item; largest: public bound on the mean rate. Raises DomainError.
    """
    values = np.asarray(counts, dtype=np.float64)
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(bool((values >= 0).all()), parameter="counts", value="a value below 0", requirement="at least 0")
    require(epsilon > 0 and C >= 1, parameter="epsilon", value=epsilon, requirement="above 0, and C at least 1")
    clipped = (np.minimum(values, C).sum() + generator.laplace(scale=C / epsilon, size=repeat)) / n
    return MeanCounts(clipped, np.clip(clipped, 0.0, largest), debiasing.inverse_clamped(clipped, C=C, largest=largest))


def _sums(groups: Indices, values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(groups, weights=values, minlength=size), dtype=np.float64)
