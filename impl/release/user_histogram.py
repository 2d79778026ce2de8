"""Algorithms 1 and 2 of LSZKG22 in integers: clipped contributions and thresholds on public grids, exact discrete noise.

What a user contributes is computed from its own data, partly in float64: privacy needs no more of it than that it lies in the ball of
the threshold, which is checked in integers. No float decides how two users' data act together, and none touches the noise.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.ball import fine_discrete_gaussian
from shuffleproof.impl.ball.gaussian import discrete_gaussian_variance, discrete_laplace_scale
from shuffleproof.impl.release.noise import Sampler
from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.numerals import Number
from shuffleproof.spec.vocabulary.scope import Relation

Norm = Literal[1, 2]
Integers = NDArray[np.int64]

BITS = 20
"""Thresholds and weights are multiples of 2^-20 of their public bounds."""
_RELEASE_BITS = 24
"""Contributions have 24 bits or more up to the threshold: fine enough for Gaussian noise to cost what it does on the line."""
LEAST_THRESHOLD = Fraction(1, 10**10)
"""A smaller threshold, other than 0, leaves less than 10^-10 of a count of 1."""
LARGEST_THRESHOLD = 1 << 30
"""The threshold in units of its grid stays below 2^31, as `contributions` needs: squares of two are an int64."""


@dataclass(frozen=True)
class Entries:
    """Users' histograms: one entry for each pair that occurs. user: indices below `users`, rising; item: from 0 on; count: at least 1."""

    users: int
    user: Integers
    item: Integers
    count: Integers

    def norms(self, *, p: Norm) -> NDArray[np.float64]:
        """||h||_p of each user, in float64: good enough to scale by, never relied on."""
        counts = self.count.astype(np.float64)
        powers = np.bincount(self.user, weights=counts if p == 1 else counts * counts, minlength=self.users)
        return np.asarray(powers if p == 1 else np.sqrt(powers), dtype=np.float64)


@dataclass(frozen=True)
class ThresholdSettings:
    """The public parameters of Algorithm 2.

    p: which norm is clipped; B: bound on thresholds, above 0; T: slope of the release's noise; W: bound on the weights, for p = 1
    always 1; lam: regularisation; epsilon: what the threshold may spend. All above 0 and made without looking at the data.
    """

    p: Norm
    B: Fraction
    T: Fraction
    W: Fraction
    lam: Fraction
    epsilon: Fraction

    @property
    def unit(self) -> Fraction:
        """The grid of thresholds, B 2^-20."""
        return self.B / (1 << BITS)

    @property
    def sensitivity(self) -> int:
        """Return by how many units the threshold moves before noise: ceil(W/(lam unit)); lam itself is taken as W/(that many units)."""
        return -(-self.W // (self.lam * self.unit))


@dataclass(frozen=True)
class Released:
    """Estimates = units/2^scale_bits, one for each item of the domain.

    radius: the threshold in units; noise: its distribution in units, as text; over_threshold: the scale of Laplace noise, or the standard
    deviation of Gaussian noise, over the threshold, rounded down; statement: the ledger id that the noise rests on.
    """

    units: Integers
    scale_bits: int
    radius: int
    noise: str
    over_threshold: Fraction
    statement: str


def private_threshold(entries: Entries, settings: ThresholdSettings, *, sampler: Sampler) -> Fraction:
    """Algorithm 2 with exact noise: a multiple of B 2^-20 in [0, B], epsilon-DP under replace-one and add-remove.

    Norms are rounded down to the grid and weights to multiples of 2^-20 W, user by user. On such data the minimiser is exact, and moves by
    at most W/lam = `sensitivity` units between neighbours (Lemma A.1), as does its integer part; the noise is discrete Laplace.
    """
    chosen = minimiser_units(entries, settings)
    scale = sampler.laplace_scale(discrete_laplace_scale(sensitivity=settings.sensitivity, epsilon=settings.epsilon))
    noisy = chosen + int(sampler.laplaces(scale=scale, size=1)[0])
    return max(0, min(1 << BITS, noisy)) * settings.unit


def minimiser_units(entries: Entries, settings: ThresholdSettings) -> int:
    """Return floor(Chat/unit), the largest min(m_k, (W_k - T)/lam) over users by falling norm, within [0, B].  (LSZKG22, Algorithm 2)."""
    norms = entries.norms(p=settings.p)
    top = 1 << BITS
    m = np.minimum(np.floor(norms / float(settings.unit)), top).astype(np.int64)
    weight = (norms > 0).astype(np.float64)
    if settings.p == 2:
        np.divide(entries.norms(p=1), norms, out=weight, where=norms > 0)
    w = np.minimum(np.floor(weight / float(settings.W) * top), top).astype(np.int64)
    order = np.argsort(-m, kind="stable")
    m, total = m[order], np.cumsum(w[order])
    T, moves = settings.T / settings.W * top // 1, settings.sensitivity
    # m falls and W_k rises: the best k is the first where the latter has caught up, or the one before. Python's integers do not overflow.
    low, high = 0, m.size
    while low < high:
        k = (low + high) // 2
        low, high = (low, k) if _level(int(total[k]), T, moves) >= int(m[k]) else (k + 1, high)
    near = [k for k in (low - 1, low) if 0 <= k < m.size]
    return max(0, min(top, max((min(int(m[k]), _level(int(total[k]), T, moves)) for k in near), default=0)))


def release(
    entries: Entries, *, d: int, p: Norm, C: Fraction, relation: Relation, epsilon: Fraction, delta: Number | None, sampler: Sampler
) -> Released:
    """Run Algorithm 1 with exact noise on every one of d items, whether anybody has it or not.  (LSZKG22, Algorithm 1).

    p = 1: discrete Laplace, epsilon-DP, delta None. p = 2: discrete Gaussian, (epsilon, delta)-DP. C: a threshold that is public or was
    released before, 0 or from 10^-10 to 2^30; 0 gives zeros. relation: no default; sampler: who draws the noise. Raises DomainError.
    """
    require_threshold(C)
    if C == 0:
        return Released(np.zeros(d, dtype=np.int64), 0, 0, "none: the threshold is 0", Fraction(0), "LSZKG22.Alg1.grid")
    scale_bits = 0
    while C * (1 << scale_bits) < 1 << _RELEASE_BITS:
        scale_bits += 1
    radius = int(C * (1 << scale_bits))
    sums = np.zeros(d, dtype=np.int64)
    np.add.at(sums, entries.item, contributions(entries, p=p, radius=radius, scale_bits=scale_bits))
    both = relation is Relation.REPLACE_ONE and d >= 2
    if p == 1:
        scale = sampler.laplace_scale(discrete_laplace_scale(sensitivity=(2 if both else 1) * radius, epsilon=epsilon))
        drawn, law = sampler.laplaces(scale=scale, size=d), f"discrete Laplace noise of scale {scale} units"
        deviation, statement = scale / radius, "LSZKG22.Alg1.laplace"
    else:
        require(delta is not None, parameter="delta", value=delta, requirement="given for Gaussian noise")
        assert delta is not None
        least, statement = gaussian_variance((2 if both else 1) * radius**2, d=d, epsilon=epsilon, delta=delta)
        variance = sampler.gaussian_variance(least)
        drawn = sampler.gaussians(variance=variance, size=d)
        law = f"discrete Gaussian noise of variance {variance} units squared"
        deviation = Fraction(isqrt(int(variance)), radius)
    return Released(sums + drawn, scale_bits, radius, law, deviation, statement)


def gaussian_variance(sensitivity_squared: int, *, d: int, epsilon: Fraction, delta: Number) -> tuple[Fraction, str]:
    """A variance certified for discrete Gaussian noise on d integers, and the ledger id it rests on."""
    try:
        fine = fine_discrete_gaussian.variance(sensitivity_squared=sensitivity_squared, dimension=d, epsilon=epsilon, delta=delta)
    except RegimeError:
        wide = discrete_gaussian_variance(sensitivity_squared=sensitivity_squared, epsilon=epsilon, delta=delta)
        return _short(wide), "LSZKG22.Alg1.discrete-gaussian"
    return _short(fine), "LSZKG22.Alg1.fine-discrete-gaussian"


def contributions(entries: Entries, *, p: Norm, radius: int, scale_bits: int) -> Integers:
    """The whole units, 2^-scale_bits each, of every entry of the clipped histograms; per user their lp norm is at most radius.

    Non-negative vectors of norm at most R differ by 2R in l1 and by sqrt(2) R in l2, and by R if d = 1: whatever scaling chose them. A
    norm that rounding left above the radius, found in integers, is brought down one unit an entry. Rounded down otherwise, like
    the specification's grid, to within one unit. radius: below 2^31.
    """
    require(0 < radius < 1 << 31, parameter="radius", value=radius, requirement="above 0 and below 2^31")
    norms = entries.norms(p=p) * float(1 << scale_bits)
    factors = float(1 << scale_bits) * np.divide(radius, norms, out=np.ones_like(norms), where=norms > radius)
    units = np.minimum(np.floor(entries.count * factors[entries.user]), radius).astype(np.int64)
    starts = np.flatnonzero(np.diff(entries.user, prepend=-1))
    while starts.size:
        totals = np.add.reduceat(units if p == 1 else units * units, starts)
        above = np.zeros(entries.users, dtype=bool)
        above[entries.user[starts]] = totals > radius**p
        if not above.any():
            break
        units = np.maximum(units - above[entries.user], 0)
    return units


def require_threshold(C: Fraction) -> None:
    """Raises DomainError for a threshold that is negative, or not 0 and outside [10^-10, 2^30]."""
    inside = C == 0 or LEAST_THRESHOLD <= C <= LARGEST_THRESHOLD
    require(inside, parameter="threshold", value=str(C), requirement=f"0, or from {float(LEAST_THRESHOLD):g} to {LARGEST_THRESHOLD}")


def _level(weight: int, T: Fraction | int, moves: int) -> int:
    """floor((W_k - T)/(lam unit)), weights being in multiples of 2^-20 W."""
    return (weight - int(T)) * moves >> BITS


def _short(x: Fraction) -> Fraction:
    """x rounded up to a whole number or to 40 bits, whichever is less of a change: the sampler's rationals stay short."""
    bits = max(0, 40 - (x.numerator.bit_length() - x.denominator.bit_length()))
    return Fraction(-(-x.numerator * (1 << bits) // x.denominator), 1 << bits)
