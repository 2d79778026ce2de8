"""Algorithm 1 of LSZKG22: every user's histogram is clipped in norm, the sum gets noise to match (sections 3.2 and 4).

Exact where the numbers are rational: the l1 norm always is, the l2 norm only for some histograms; the squared l2 norm always is.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, Literal

from mpmath import erf, exp, mpf, pi, sqrt

from shuffleproof.spec.vocabulary.errors import UnsupportedError, require
from shuffleproof.spec.vocabulary.scope import Relation

Norm = Literal[1, 2]
Histogram = Sequence[Fraction | int]


def norm(h: Histogram, *, p: Norm) -> Fraction:
    """Return ||h||_p, exact.  (LSZKG22, section 3.1).

    h: counts, each at least 0; p: 1 or 2. Raises DomainError; UnsupportedError for p = 2 where the norm is irrational.

    >>> norm((3, 4), p=2)
    Fraction(5, 1)
    """
    if p == 1:
        return sum(map(Fraction, _counts(h)), Fraction(0))
    require(p == 2, parameter="p", value=p, requirement="1 or 2")
    squared = norm_2_squared(h)
    root = Fraction(isqrt(squared.numerator), isqrt(squared.denominator))
    if root * root != squared:
        advice = "use its square, or the grid, on which clipping is exact"
        raise UnsupportedError(what="the l2 norm as a rational", reason=f"{squared} is no square of one", advice=advice)
    return root


def norm_2_squared(h: Histogram) -> Fraction:
    """||h||_2^2, always exact. Raises DomainError for a negative count."""
    return sum((Fraction(x) ** 2 for x in _counts(h)), Fraction(0))


def clip(h: Histogram, *, p: Norm, C: Fraction) -> tuple[Fraction, ...]:
    """Return clip_p(h, C) = h min(1, C/||h||_p), and clip_p(0, C) = 0.  (LSZKG22, section 3.1).

    h: counts, each at least 0; C >= 0. Returns exact counts. Raises DomainError; UnsupportedError where p = 2, the histogram is
    really clipped, and its norm is irrational.

    >>> clip((3, 4), p=2, C=Fraction(1))
    (Fraction(3, 5), Fraction(4, 5))
    """
    _require_threshold(C)
    inside = norm(h, p=1) <= C if p == 1 else norm_2_squared(h) <= C**2
    factor = Fraction(1) if inside else C / norm(h, p=p)
    return tuple(Fraction(x) * factor for x in h)


def aggregate(histograms: Sequence[Histogram], *, d: int) -> tuple[Fraction, ...]:
    """Return h = sum of h_i over the users; (0, ..., 0) without users.  (LSZKG22, section 3.2).

    d: size of the domain, at least 1; every histogram has d counts. Raises DomainError.
    """
    require(d >= 1, parameter="d", value=d, requirement="an integer of at least 1")
    for h in histograms:
        require(len(h) == d, parameter="histogram", value=tuple(h), requirement=f"{d} counts")
        _counts(h)
    return tuple(sum((Fraction(h[j]) for h in histograms), Fraction(0)) for j in range(d))


def clipped_sum(histograms: Sequence[Histogram], *, d: int, p: Norm, C: Fraction) -> tuple[Fraction, ...]:
    """sum of clip_p(h_i, C): what Algorithm 1 adds its noise to. Domains and errors as for `clip` and `aggregate`."""
    return aggregate([clip(h, p=p, C=C) for h in histograms], d=d)


def clipping_bias(histograms: Sequence[Histogram], *, d: int, p: Norm, C: Fraction) -> tuple[Fraction, ...]:
    """b_j = sum over users of (h_i - clip_p(h_i, C))_j >= 0: what clipping takes away from every count."""
    whole, kept = aggregate(histograms, d=d), clipped_sum(histograms, d=d, p=p, C=C)
    return tuple(x - y for x, y in zip(whole, kept, strict=True))


def sensitivity_squared(*, p: Norm, d: int, relation: Relation, C: Fraction) -> Fraction:
    """Return the square of the largest ||sum clip_p(h_i, C) - sum clip_p(h_i', C)||_p over neighbours.  (LSZKG22, section 4).

    p: 1 or 2; d >= 1; C >= 0; relation: no default. Add-remove: C. Replace-one: 2C (p = 1) or sqrt(2) C (p = 2), but C for d = 1.
    Returns the exact square. Raises DomainError.
    """
    _require_threshold(C)
    require(p in (1, 2), parameter="p", value=p, requirement="1 or 2")
    require(d >= 1, parameter="d", value=d, requirement="an integer of at least 1")
    if relation is Relation.ADD_REMOVE or d == 1:
        return C**2
    return (4 if p == 1 else 2) * C**2


def laplace_scale(*, d: int, relation: Relation, C: Fraction, epsilon: Fraction) -> Fraction:
    """The scale of Algorithm 1's Laplace noise: l1 sensitivity over epsilon, which makes it epsilon-DP.

    epsilon > 0; others as for `sensitivity_squared`. Raises DomainError.
    """
    require(epsilon > 0, parameter="epsilon", value=epsilon, requirement="above 0")
    return (C if relation is Relation.ADD_REMOVE or d == 1 else 2 * C) / epsilon


def gaussian_scale(*, d: int, relation: Relation, C: Fraction, multiplier: Any) -> Any:
    """The standard deviation of Algorithm 1's Gaussian noise: l2 sensitivity times the multiplier that (epsilon, delta) asks for.

    multiplier: standard deviation for sensitivity 1, from spec.bounds.noise.gaussian. Returns an mpmath number. Raises DomainError.
    """
    squared = sensitivity_squared(p=2, d=d, relation=relation, C=C)
    return multiplier * sqrt(_mpf(squared))


def expected_error_laplace(bias: Sequence[Fraction], *, scale: Fraction) -> Any:
    """E||hhat - h||_1 with Laplace noise: sum over j of b_j + beta e^(-b_j/beta), in mpmath at its working precision.

    bias: b_j as `clipping_bias` gives them; scale: beta >= 0; 0 means no noise. Raises DomainError.
    """
    require(scale >= 0, parameter="scale", value=scale, requirement="at least 0")
    if scale == 0:
        return _mpf(sum(bias, Fraction(0)))
    return sum((_mpf(b) + _mpf(scale) * exp(-_mpf(b / scale)) for b in bias), mpf(0))


def expected_error_gaussian(bias: Sequence[Fraction], *, scale: Any) -> Any:
    """E||hhat - h||_1 with Gaussian noise: sum over j of sigma sqrt(2/pi) e^(-b_j^2/(2 sigma^2)) + b_j erf(b_j/(sigma sqrt 2)).

    bias: b_j as `clipping_bias` gives them; scale: sigma >= 0, an mpmath number or a rational; 0 means no noise. Raises DomainError.
    """
    sigma = _mpf(scale) if isinstance(scale, Fraction) else mpf(scale)
    require(sigma >= 0, parameter="scale", value=scale, requirement="at least 0")
    if sigma == 0:
        return _mpf(sum(bias, Fraction(0)))
    total = mpf(0)
    for b in map(_mpf, bias):
        total += sigma * sqrt(2 / pi) * exp(-(b**2) / (2 * sigma**2)) + b * erf(b / (sigma * sqrt(2)))
    return total


def relative_loss(estimate: Sequence[Fraction], *, truth: Sequence[Fraction]) -> Fraction:
    """Return ||hhat - h||_1/||h||_1.  (LSZKG22, section 6.1).

    Raises DomainError if the true histogram is empty, where no relative loss is defined.
    """
    total = norm(truth, p=1)
    require(total > 0, parameter="truth", value=tuple(truth), requirement="a histogram with at least one count")
    return sum((abs(x - y) for x, y in zip(estimate, truth, strict=True)), Fraction(0)) / total


def _counts(h: Histogram) -> Histogram:
    for x in h:
        require(x >= 0, parameter="count", value=x, requirement="at least 0")
    return h


def _require_threshold(C: Fraction) -> None:
    require(C >= 0, parameter="C", value=C, requirement="at least 0")


def _mpf(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator
