"""Algorithm 4 of LSZKG22, certified: f_C, its inverse to any number of digits, and the exact mean squared error of the algorithm.

For integer C, f_C(l) = E min(Poi(l), C) = C - e^(-l) R_C(l), R_C(l) = sum over k < C of (C - k) l^k/k!; f_C' = P(Poi(l) < C). Both are
entire in l, so one formula serves balls, complex balls and integration. For C = k + t, f_C = (1 - t) f_k + t f_(k + 1).
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from flint import acb, arb, arb_poly, ctx

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, lower_end, precision
from shuffleproof.impl.ball.numeric.results import MOST_BITS, Enclosure, narrowed
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, require
from shuffleproof.spec.vocabulary.numerals import Number, count, exact_fraction

LARGEST_C = 10**6
"""Clipping threshold at most: beyond, tails of the Poisson distribution take too long."""
_SHORT = 64
"""Threshold up to which f_C is summed as a polynomial; one tail is shorter beyond."""
LARGEST_TOTAL = 4_000
"""n C up to which the distribution of the clipped sum is convolved."""
_Ball = TypeVar("_Ball", arb, acb)


def f(rate: _Ball, *, C: Fraction) -> _Ball:
    """Return f_C(l) = E min(Poi(l), C) over a ball of rates, at the working precision, by its polynomial.  (LSZKG22, Algorithm 4).

    rate: real or complex ball; C: at least 0, exact. Cost O(C). Loses about log2(C/l) bits near l = 0.
    """
    return ball(C) - (-rate).exp() * _between(lambda k: _nested(rate, [k - j for j in range(k)]), C)


def f_prime(rate: _Ball, *, C: Fraction) -> _Ball:
    """f_C'(l) = P(Poi(l) < C) for integer C, linear in C between integers. Domains as for `f`."""
    return (-rate).exp() * _between(lambda k: _nested(rate, [1] * k), C)


def _threshold(value: Number, *, parameter: str) -> Fraction:
    exact = exact_fraction(value, parameter=parameter)
    require(0 <= exact <= LARGEST_C, parameter=parameter, value=value, requirement=f"from 0 to {LARGEST_C}")
    return exact


@reads(rate=exact_fraction, C=_threshold)
def expectation(*, rate: Fraction, C: Fraction, digits: int = 50) -> Enclosure:
    """Return f_C(l), enclosed to a relative width of at most 10^-digits.  (LSZKG22, Algorithm 4).

    rate: l >= 0; C: in [0, 10^6], not only integers; both exact; digits: 1 to 1000. Raises DomainError, UndecidedError.
    """
    require(rate >= 0, parameter="rate", value=rate, requirement="at least 0")
    found = narrowed(lambda: ends(_f(ball(rate), C)), digits=digits, bits=math.ceil(3.33 * digits) + 64, quantity="f_C")
    return Enclosure(found.lower, found.upper)


@reads(y=exact_fraction, C=_threshold)
def inverse(*, y: Fraction, C: Fraction, digits: int = 50) -> Enclosure:
    """Enclose f_C^-1(y) to a relative width of at most 10^-digits: f_C(lower) <= y <= f_C(upper).  (LSZKG22, Algorithm 4).

    y: in [0, C), exact; C: above 0, at most 10^6, exact, not only integers; digits: 1 to 1000.
    Exactly 0 at y = 0. Raises DomainError, UndecidedError.
    """
    require(C > 0, parameter="C", value=C, requirement="above 0")
    require(0 <= y < C, parameter="y", value=y, requirement="at least 0 and below C")
    if y == 0:
        return Enclosure(Fraction(0), Fraction(0))
    margin = Fraction(1, 4 * 10**digits)
    # f_C keeps y/C of its bits near 0, and (C - y)/C of them near C
    lost = max(0, -_log2(y / C)) + max(0, -_log2(1 - y / C))
    bits = math.ceil(3.33 * digits) + 2 * lost + 64
    while bits <= MOST_BITS:
        with precision(bits):
            near = _newton(y, C, bits=math.ceil(3.33 * digits) + 8)
            low, high = near * (1 - margin), near * (1 + margin)
            y_ball = ball(y)
            if _f(ball(low), C) <= y_ball <= _f(ball(high), C):
                return Enclosure(low, high)
        bits *= 2
    raise UndecidedError(quantity="f_C^-1", enclosure=("0", "infinity"), precision=bits)


def clipped_distribution(rates: Sequence[Fraction], *, C: int) -> list[arb]:
    """P(sum of min(X_i, C) = k), k = 0, ..., n C, for independent X_i ~ Poi(rate_i), as balls at the working precision.

    Raises ResourceLimitError for n C above 4000.
    """
    total = len(rates) * C
    if total > LARGEST_TOTAL:
        raise ResourceLimitError(what="the distribution of the clipped sum", needed=f"n C = {total}", limit=f"n C = {LARGEST_TOTAL}")
    factors = []
    for rate in rates:
        masses = [(-ball(rate)).exp()]
        for k in range(1, C):
            masses.append(masses[-1] * ball(rate) / k)
        factors.append(arb_poly([*masses, 1 - sum(masses, arb(0))]))
    while len(factors) > 1:
        paired = [factors[i] * factors[i + 1] for i in range(0, len(factors) - 1, 2)]
        factors = paired + factors[2 * len(paired) :]
    return [factors[0][k] for k in range(total + 1)] if factors else [arb(1)]


def variance_of_clipped(rate: Fraction, *, C: int) -> arb:
    """Var min(X, C), X ~ Poi(rate), at the working precision."""
    mean, second, mass = arb(0), arb(0), (-ball(rate)).exp()
    above = 1 - mass
    for k in range(1, C):
        mass = mass * ball(rate) / k
        mean, second, above = mean + k * mass, second + k * k * mass, above - mass
    mean, second = mean + C * above, second + C * C * above
    return second - mean * mean


def clipped_error(*, rates: Sequence[Fraction], C: int, epsilon: Fraction, digits: int = 12) -> Enclosure:
    """E(y - lbar)^2 of the clipped mean y of Algorithm 1, d = 1: (lbar - mu)^2 + 2C^2/(n eps)^2 + sum of Var min(X_i, C)/n^2.

    rates: of the n >= 1 independent Poisson counts, each at least 0; C >= 1; epsilon > 0; digits: 1 to 100.
    Raises DomainError, UndecidedError.
    """
    _require_setting(rates, C, epsilon)

    def attempt() -> arb:
        n = len(rates)
        lbar, mu = ball(sum(rates, Fraction(0)) / n), sum((f(ball(rate), C=Fraction(C)) for rate in rates), arb(0)) / n
        variance = sum((variance_of_clipped(rate, C=C) for rate in rates), arb(0)) / n**2
        return (lbar - mu) * (lbar - mu) + ball(2 * (C / (n * epsilon)) ** 2) + variance

    return _refined(attempt, digits=count(digits, parameter="digits", maximum=100))


def debiased_error(*, rates: Sequence[Fraction], C: int, epsilon: Fraction, largest: Fraction, digits: int = 8) -> Enclosure:
    """E(lhat - lbar)^2 of Algorithm 4 with y moved into [0, f_C(largest)], by rigorous integration between the kinks of y's distribution.

    lbar^2 + int from 0 to largest of 2 (t - lbar) P(y > f_C(t)) dt, where n y is the sum of min(X_i, C) plus Laplace noise of scale
    C/epsilon. rates, C, epsilon, digits: as for `clipped_error`; largest > 0. Raises DomainError, ResourceLimitError, UndecidedError.
    """
    _require_setting(rates, C, epsilon)
    require(largest > 0, parameter="largest", value=largest, requirement="above 0")
    return _refined(lambda: _debiased_error(rates, C, epsilon, largest), digits=count(digits, parameter="digits", maximum=100))


def _debiased_error(rates: Sequence[Fraction], C: int, epsilon: Fraction, largest: Fraction) -> arb:
    n, per_unit = len(rates), ball(epsilon / C)
    lbar = sum(rates, Fraction(0)) / n
    distribution = clipped_distribution(rates, C=C)
    decay = (-per_unit).exp()
    below, above = [arb(0)] * (n * C + 1), [arb(0)] * (n * C + 2)
    for k in range(n * C + 1):  # sum over j <= k of p_j e^(-(k - j)/b), and over j > k of p_j e^(-(j - k)/b)
        below[k] = distribution[k] + (below[k - 1] * decay if k else 0)
    for k in range(n * C - 1, -1, -1):
        above[k] = (above[k + 1] + distribution[k + 1]) * decay
    tails = [arb(0)] * (n * C + 1)
    for k in range(n * C - 1, -1, -1):
        tails[k] = tails[k + 1] + distribution[k + 1]
    cuts, slack = _kinks(n, C, largest)
    total = ball(lbar * lbar)
    for k, (start, end) in enumerate(pairwise(cuts)):

        def integrand(t: acb, _: bool, k: int = k) -> acb:
            beyond = (n * f(t, C=Fraction(C)) - k) * per_unit
            return 2 * (t - ball(lbar)) * (below[k] * (-beyond).exp() / 2 + tails[k] - above[k] * beyond.exp() / 2)

        total += acb.integral(integrand, ball(start), ball(end)).real
    # Between a kink and the dyadic number that stands for it the neighbouring piece was integrated: both values lie in [-1, 2].
    wrong = ball(slack * 6 * (largest + lbar))
    return total + wrong.union(-wrong)


def _kinks(n: int, C: int, largest: Fraction) -> tuple[list[Fraction], Fraction]:
    """Dyadic numbers near 0 = t_0 < t_1 < ... < largest with f_C(t_k) = k/n, and the sum of the distances to the true ones."""
    cuts, slack, digits = [Fraction(0)], Fraction(0), 40
    for k in range(1, n * C):
        low, high = inverse(y=Fraction(k, n), C=C, digits=digits)
        if low >= largest:
            break
        cuts.append((low + high) / 2)
        slack += high - low
    return [*(cut for cut in cuts if cut < largest), largest], slack + Fraction(1, 10**digits)


def _newton(y: Fraction, C: Fraction, *, bits: int) -> Fraction:
    """Near f_C^-1(y), from below: f_C(l) <= l starts there, and concavity keeps Newton's steps below the root."""
    x, target = arb(ball(y).mid()), ball(y)
    for _ in range(100_000):
        step = arb(((target - _f(x, C)) / _f_prime(x, C)).mid())
        x = arb((x + step).mid())
        if abs(step) < x * arb(2) ** -bits:
            break
    return lower_end(x)


def _f(rate: arb, C: Fraction) -> arb:
    """f_C of a real ball: by its polynomial, or by one tail where that is long."""
    return f(rate, C=C) if C <= _SHORT else _between(lambda k: _by_tail(rate, k)[0], C)


def _f_prime(rate: arb, C: Fraction) -> arb:
    return f_prime(rate, C=C) if C <= _SHORT else _between(lambda k: _by_tail(rate, k)[1], C)


def _by_tail(rate: arb, C: int) -> tuple[arb, arb]:
    """f_C and f_C' from masses beyond C, counted from C away from the rate: l - E(X - C)_+ below l = C, C - E(C - X)_+ from there on."""
    mass = (-rate + C * rate.log() - arb(C + 1).lgamma()).exp() if rate > 0 else arb(0)
    upward = bool(rate.mid() < C)
    total, moment, k = mass if upward else arb(0), arb(0), 0
    while k < C or upward:
        mass = mass * rate / (C + k + 1) if upward else mass * (C - k) / rate
        k += 1
        total, moment = total + mass, moment + k * mass
        ratio = rate / (C + k + 1) if upward else (C - k) / rate
        if k % 64 == 0 and ratio < 1:  # what is left is at most geometric
            rest = mass * ratio / (1 - ratio)
            further = rest * k + rest / (1 - ratio)
            if further < moment * arb(2) ** (-ctx.prec):
                total, moment = total + rest.union(arb(0)), moment + further.union(arb(0))
                break
        if mass == 0:
            break
    return (rate - moment, 1 - total) if upward else (C - moment, total)


def _between(at: Callable[[int], _Ball], C: Fraction) -> _Ball:
    """at(C), linear between integers."""
    k = math.floor(C)
    t = C - k
    return (1 - ball(t)) * at(k) + ball(t) * at(k + 1) if t else at(k)


def _nested(x: _Ball, numerators: Sequence[int]) -> _Ball:
    """sum over k of numerators[k] x^k/k!."""
    total = x * 0
    for k in range(len(numerators) - 1, -1, -1):
        total = numerators[k] + total * x / (k + 1)
    return total


def _refined(attempt: Callable[[], arb], *, digits: int) -> Enclosure:
    bits = math.ceil(3.33 * digits) + 64
    found = narrowed(lambda: ends(attempt()), digits=digits, bits=bits, quantity="mean squared error", most=1 << 12)
    return Enclosure(max(found.lower, Fraction(0)), found.upper)


def _require_setting(rates: Sequence[Fraction], C: int, epsilon: Fraction) -> None:
    require(len(rates) >= 1, parameter="rates", value=len(rates), requirement="at least one rate")
    for rate in rates:
        require(rate >= 0, parameter="rate", value=rate, requirement="at least 0")
    count(C, parameter="C", maximum=LARGEST_TOTAL)
    require(epsilon > 0, parameter="epsilon", value=epsilon, requirement="above 0")


def _log2(x: Fraction) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length()
