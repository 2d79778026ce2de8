"""Algorithm 1 of LSZKG22 in integers: clipped contributions rounded towards zero onto a public grid, then discrete noise.

Clipping makes counts fractional, and continuous noise cannot be drawn exactly. Rounding each *clipped contribution* towards zero keeps
it non-negative and in the ball of radius C, and the sensitivities follow from these two facts alone; rounding the *sum* would not do.
All numbers here are counted in units of the grid and exact, the l2 flavour included: floor(sqrt(q)) is an integer square root.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor, isqrt

from shuffleproof.spec.protocols.user_histogram import Histogram, Norm, norm, norm_2_squared
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.scope import Relation


def clip_to_grid(h: Histogram, *, p: Norm, C: Fraction, unit: Fraction) -> tuple[int, ...]:
    """The whole units in each count of clip_p(h, C): floor(clip_p(h, C)_j/unit).

    h: counts, each at least 0; C >= 0; unit > 0, public; p: 1 or 2. Exact for every histogram. Raises DomainError.

    >>> clip_to_grid((1, 1), p=2, C=Fraction(1), unit=Fraction(1, 10))
    (7, 7)
    """
    _require_grid(C, unit)
    if p == 1:
        total = norm(h, p=1)
        factor = Fraction(1) if total <= C else C / total
        return tuple(floor(Fraction(x) * factor / unit) for x in h)
    require(p == 2, parameter="p", value=p, requirement="1 or 2")
    squared = norm_2_squared(h)
    factor_squared = Fraction(1) if squared <= C**2 else C**2 / squared
    return tuple(isqrt(floor(Fraction(x) ** 2 * factor_squared / unit**2)) for x in h)


def sum_on_grid(histograms: Sequence[Histogram], *, d: int, p: Norm, C: Fraction, unit: Fraction) -> tuple[int, ...]:
    """sum over users of `clip_to_grid`, in units of the grid. d: size of the domain, at least 1. Raises DomainError."""
    require(d >= 1, parameter="d", value=d, requirement="an integer of at least 1")
    _require_grid(C, unit)
    totals = [0] * d
    for h in histograms:
        require(len(h) == d, parameter="histogram", value=tuple(h), requirement=f"{d} counts")
        totals = [total + units for total, units in zip(totals, clip_to_grid(h, p=p, C=C, unit=unit), strict=True)]
    return tuple(totals)


def grid_sensitivity_squared(*, p: Norm, d: int, relation: Relation, C: Fraction, unit: Fraction) -> int:
    """An upper bound on the squared lp distance of `sum_on_grid` over neighbours, in squared units.

    One contribution has l1 norm at most floor(C/unit), or squared l2 norm at most floor((C/unit)^2), being made of integers; two
    non-negative ones differ by at most twice the former, or have at most twice the latter; by no more than the larger if d = 1.
    Domains as for `clip_to_grid`; relation: no default. Raises DomainError.
    """
    _require_grid(C, unit)
    require(p in (1, 2), parameter="p", value=p, requirement="1 or 2")
    require(d >= 1, parameter="d", value=d, requirement="an integer of at least 1")
    one_squared = floor(C / unit) ** 2 if p == 1 or d == 1 else floor((C / unit) ** 2)
    if relation is Relation.ADD_REMOVE or d == 1:
        return one_squared
    return (4 if p == 1 else 2) * one_squared


def discrete_laplace_mass(z: int, *, ratio: Fraction) -> Fraction:
    """Return P(Z = z) = (1 - p)/(1 + p) p^|z|, the discrete Laplace distribution.  (Ghosh, Roughgarden, Sundararajan, 2009).

    ratio: p = e^(-epsilon/sensitivity) in [0, 1), exact where that is rational; then a shift by the sensitivity changes masses by
    e^epsilon at most. Raises DomainError.
    """
    _require_ratio(ratio)
    return (1 - ratio) / (1 + ratio) * ratio ** abs(z)


def discrete_laplace_error(b: int, *, ratio: Fraction) -> Fraction:
    """E|b + Z| = |b| + 2 p^(|b| + 1)/(1 - p^2) for discrete Laplace Z; at b = 0 the mean absolute noise 2p/(1 - p^2).

    ratio: p in [0, 1), exact. Raises DomainError.
    """
    _require_ratio(ratio)
    return abs(b) + 2 * ratio ** (abs(b) + 1) / (1 - ratio**2)


def discrete_laplace_variance(*, ratio: Fraction) -> Fraction:
    """Var Z = 2p/(1 - p)^2. ratio: p in [0, 1), exact. Raises DomainError."""
    _require_ratio(ratio)
    return 2 * ratio / (1 - ratio) ** 2


def _require_grid(C: Fraction, unit: Fraction) -> None:
    require(C >= 0, parameter="C", value=C, requirement="at least 0")
    require(unit > 0, parameter="unit", value=unit, requirement="above 0")


def _require_ratio(ratio: Fraction) -> None:
    require(0 <= ratio < 1, parameter="ratio", value=ratio, requirement="at least 0 and below 1")
