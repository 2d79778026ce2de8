"""Algorithm 1 of LSZKG22, certified: its error, the bound U on it, the best thresholds, and the constants of the 2-approximation."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, precision, surely_less
from shuffleproof.impl.ball.numeric.results import MOST_BITS, Enclosure, shown
from shuffleproof.spec.vocabulary.errors import UndecidedError, require
from shuffleproof.spec.vocabulary.numerals import count
from shuffleproof.spec.vocabulary.scope import Relation

Norm = Literal[1, 2]
Histogram = Sequence[Fraction | int]


def grid_sensitivity_squared(*, p: Norm, d: int, relation: Relation, C: Fraction, unit: Fraction) -> int:
    """An upper bound on the squared lp distance between neighbours of sums of grid-rounded, clipped histograms, in squared units.

    Every contribution clip_p(h, C) is rounded towards zero, coordinate by coordinate, to whole multiples of the public `unit`. It stays
    non-negative with norm at most C and has integer coordinates in units: l1 norm at most floor(C/unit), squared l2 norm at most
    floor((C/unit)^2). Add-remove: that. Replace-one, d >= 2: 4 times (p = 1), 2 times (p = 2, as <a, b> >= 0) its square; d = 1: once.

    p: 1 or 2; d >= 1; C >= 0; unit > 0; relation: no default. Raises DomainError.  (ledger: LSZKG22.Alg1.grid)
    """
    require(p in (1, 2), parameter="p", value=p, requirement="1 or 2")
    require(d >= 1, parameter="d", value=d, requirement="an integer of at least 1")
    require(C >= 0, parameter="C", value=C, requirement="at least 0")
    require(unit > 0, parameter="unit", value=unit, requirement="above 0")
    ratio = C / unit
    if d == 1 or p == 1:
        once = math.floor(ratio) ** 2
        doubled = 1 if d == 1 or relation is Relation.ADD_REMOVE else 4
    else:
        once = math.floor(ratio * ratio)
        doubled = 1 if relation is Relation.ADD_REMOVE else 2
    return doubled * once


def bias(histograms: Sequence[Histogram], *, d: int, p: Norm, C: Fraction) -> list[arb]:
    """b_j = sum of (h_i - clip_p(h_i, C))_j >= 0 at the working precision. Raises DomainError for negative counts or C."""
    require(C >= 0, parameter="C", value=C, requirement="at least 0")
    totals = [arb(0)] * d
    for h in histograms:
        lost = _lost(h, p, C)
        if lost is not None:
            totals = [total + lost * ball(Fraction(x)) for total, x in zip(totals, h, strict=True)]
    return totals


def laplace_error(histograms: Sequence[Histogram], *, d: int, C: Fraction, scale: Fraction) -> arb:
    """E||hhat - h||_1 = sum of b_j + beta e^(-b_j/beta) for Algorithm 1 with l1 clipping and Laplace noise of this scale.

    scale: beta >= 0; at the working precision. Raises DomainError.
    """
    require(scale >= 0, parameter="scale", value=scale, requirement="at least 0")
    taken = bias(histograms, d=d, p=1, C=C)
    if scale == 0:
        return sum(taken, arb(0))
    return sum((b + ball(scale) * (-b / ball(scale)).exp() for b in taken), arb(0))


def gaussian_error(histograms: Sequence[Histogram], *, d: int, C: Fraction, sigma: Fraction) -> arb:
    """E||hhat - h||_1 = sum of sigma sqrt(2/pi) e^(-b_j^2/(2 sigma^2)) + b_j erf(b_j/(sigma sqrt 2)), l2 clipping, Gaussian noise.

    sigma: standard deviation per coordinate, at least 0; at the working precision. Raises DomainError.
    """
    require(sigma >= 0, parameter="sigma", value=sigma, requirement="at least 0")
    taken = bias(histograms, d=d, p=2, C=C)
    if sigma == 0:
        return sum(taken, arb(0))
    deviation, root = ball(sigma), (2 / arb.pi()).sqrt()
    parts = ((b / deviation, b) for b in taken)
    return sum((deviation * root * (-x * x / 2).exp() + b * (x / arb(2).sqrt()).erf() for x, b in parts), arb(0))


def objective(histograms: Sequence[Histogram], *, p: Norm, C: Fraction, slope: arb) -> arb:
    """Return U(C) = sum of ||h_i - clip_p(h_i, C)||_1 + slope C, at the working precision; slope: T = d E|Z|/C.  (LSZKG22, (4))."""
    lost = ((_lost(h, p, C), sum(map(Fraction, h), Fraction(0))) for h in histograms)
    return sum((share * ball(total) for share, total in lost if share is not None), arb(0)) + slope * ball(C)


def gaussian_slope(*, d: int, sigma_over_C: Fraction) -> arb:
    """T = d sg sqrt(2/pi) of Theorem 4.2 at the working precision; sigma_over_C: sg, the noise's standard deviation over C."""
    return d * ball(sigma_over_C) * (2 / arb.pi()).sqrt()


def best_threshold_squared(histograms: Sequence[Histogram], *, slope: Callable[[], arb]) -> Fraction:
    """C*^2 for C* = inf{C >= 0 : sum of w_i over ||h_i||_2 > C is at most T}: exact, being 0 or one of the ||h_i||_2^2.

    slope: T, computed at whatever precision is set when it is called. Every comparison is certified.  (LSZKG22, Theorem 4.2)
    Raises DomainError; UndecidedError where a sum of weights cannot be distinguished from T.
    """
    users = sorted(((_squared(h), sum(map(Fraction, h), Fraction(0))) for h in histograms), reverse=True)
    candidates = sorted({Fraction(0), *(squared for squared, _ in users)})
    low, high = 0, len(candidates) - 1  # no weight lies above the last candidate
    while low < high:
        middle = (low + high) // 2
        above = [(squared, total) for squared, total in users if squared > candidates[middle]]
        low, high = (low, middle) if _at_most(above, slope) else (middle + 1, high)
    return candidates[low]


def laplace_ratio(*, digits: int = 30) -> Enclosure:
    """rho_L = (x + 2)/(x + 1) with e^x = x + 2, x > 0: the tight factor of Lemma 4.1, 1.4659..., in place of 2.

    digits: relative width at most 10^-digits, 1 to 1000.
    """
    return _root_value(lambda x: x.exp() - x - 2, lambda x: (x + 2) / (x + 1), Fraction(1), Fraction(2), digits)


def gaussian_ratio(*, digits: int = 30) -> Enclosure:
    """rho_G = 1/erf(t/sqrt 2) with erf(t/sqrt 2) = e^(-t^2/2), t > 0: the tight factor of Theorem 4.2, 1.5426..., in place of 2.

    digits: relative width at most 10^-digits, 1 to 1000.
    """
    return _root_value(
        lambda t: (t / arb(2).sqrt()).erf() - (-t * t / 2).exp(),
        lambda t: 1 / (t / arb(2).sqrt()).erf(),
        Fraction(1, 2),
        Fraction(3, 2),
        digits,
    )


def _lost(h: Histogram, p: Norm, C: Fraction) -> arb | None:
    """1 - min(1, C/||h||_p), or None where nothing is lost."""
    for x in h:
        require(x >= 0, parameter="count", value=x, requirement="at least 0")
    if p == 1:
        total = sum(map(Fraction, h), Fraction(0))
        return None if total <= C else ball(1 - C / total)
    squared = _squared(h)
    return None if squared <= C * C else 1 - (ball(C * C / squared)).sqrt()


def _squared(h: Histogram) -> Fraction:
    return sum((Fraction(x) ** 2 for x in h), Fraction(0))


def _at_most(users: Sequence[tuple[Fraction, Fraction]], slope: Callable[[], arb]) -> bool:
    """Return whether the users' weights ||h||_1/||h||_2 sum to at most T, certified either way."""
    bits = 64
    while bits <= 1 << 13:
        with precision(bits):
            total = sum((ball(norm) / ball(squared).sqrt() for squared, norm in users), arb(0))
            limit = slope()
            if total <= limit:
                return True
            if surely_less(limit, total):
                return False
        bits *= 2
    raise UndecidedError(quantity="the sum of weights minus T", enclosure=("0", "0"), precision=bits)


def _root_value(equation: Callable[[arb], arb], value: Callable[[arb], arb], low: Fraction, high: Fraction, digits: int) -> Enclosure:
    """value at the root of an equation that is negative at low and positive at high, by certified bisection."""
    wanted = count(digits, parameter="digits", maximum=1000)
    bits = math.ceil(3.33 * wanted) + 64
    while bits <= MOST_BITS:
        with precision(bits):
            while (high - low) * 10 ** (wanted + 4) > high:
                middle = (low + high) / 2
                at = equation(ball(middle))
                if at < 0:
                    low = middle
                elif at > 0:
                    high = middle
                else:
                    break
            lower, upper = ends(value(ball(low).union(ball(high))))
        if (upper - lower) * 10**wanted <= upper:
            return Enclosure(lower, upper)
        bits *= 2
    raise UndecidedError(quantity="the ratio", enclosure=(shown(lower, "down"), shown(upper, "up")), precision=bits)
