"""Algorithms 3 and 4 of LSZKG22: a count estimated from clipped counts, with the clipping bias inverted (section 5; d = 1).

f_C(l) = E min(X, C) for X ~ Poi(l). For integer C, f_C(l) = C - e^(-l) R_C(l) with the polynomial R_C(l) = sum over k < C of
(C - k) l^k/k!, which is exact for rational l; between integers f_C is linear in C.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import factorial, floor
from typing import Any

from mpmath import exp, mp, mpf

from shuffleproof.spec.vocabulary.errors import require

Function = Callable[[Fraction], Fraction]


def general(counts: Sequence[Fraction], *, n: int, pre: Function, post: Function, noise: Fraction) -> Fraction:
    """Run Algorithm 3 with its noise given: post((1/n)(sum of pre(x_i) + noise)).  (LSZKG22, Algorithm 3).

    n: the public number of users, at least 1; under replace-one it is the number of counts, under add-remove a public stand-in for it.
    noise: Laplace of scale (sup pre - inf pre)/epsilon, or sup |pre|/epsilon under add-remove. Raises DomainError.
    """
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    return post((sum(map(pre, counts), Fraction(0)) + noise) / n)


def clipped_mean(counts: Sequence[Fraction], *, n: int, C: Fraction, noise: Fraction) -> Fraction:
    """(1/n)(sum of min(x_i, C) + noise): Algorithm 3 without a correction, which is Algorithm 1 over n. Domains as for `general`."""
    require(C >= 0, parameter="C", value=C, requirement="at least 0")
    return general(counts, n=n, pre=lambda x: min(x, C), post=lambda y: y, noise=noise)


def debiased_mean(counts: Sequence[Fraction], *, n: int, C: Fraction, largest: Fraction, noise: Fraction) -> Any:
    """Run Algorithm 4 with its noise given: f_C^-1 of the clipped mean, moved into [0, f_C(largest)] first.  (LSZKG22, Algorithm 4).

    largest: a public, finite bound on the mean rate; the paper has none, and f_C^-1 is not defined at y < 0 or y >= C, which both happen.
    Returns an mpmath number at its working precision. Raises DomainError.
    """
    y = clipped_mean(counts, n=n, C=C, noise=noise)
    return inverse_clamped(y, C=C, largest=largest)


def deficit_polynomial(C: int) -> tuple[Fraction, ...]:
    """The coefficients of R_C, R_C(l) = e^l (C - f_C(l)) = sum over k < C of (C - k) l^k/k!; C: an integer of at least 0.

    >>> deficit_polynomial(2)
    (Fraction(2, 1), Fraction(1, 1))
    """
    return tuple(Fraction(C - k, factorial(k)) for k in range(C))


def tail_polynomial(C: int) -> tuple[Fraction, ...]:
    """The coefficients of sum over k < C of l^k/k! = e^l P(Poi(l) < C): e^l times the derivative of f_C."""
    return tuple(Fraction(1, factorial(k)) for k in range(C))


def value(coefficients: Sequence[Fraction], *, at: Fraction) -> Fraction:
    """A polynomial, coefficients from the constant on, at a rational."""
    total = Fraction(0)
    for coefficient in reversed(coefficients):
        total = total * at + coefficient
    return total


def f(rate: Any, *, C: Fraction) -> Any:
    """Return f_C(l) = E min(Poi(l), C) in mpmath at its working precision.  (LSZKG22, Algorithm 4).

    rate: l >= 0; C >= 0, not only integers: f_C = (1 - t) f_k + t f_(k+1) at C = k + t. Raises DomainError.
    """
    return _between(_f, rate, C)


def f_prime(rate: Any, *, C: Fraction) -> Any:
    """d f_C/d l = P(Poi(l) < C) for integer C, linear in C between integers. Domains and errors as for `f`."""
    return _between(_f_prime, rate, C)


def f_second(rate: Any, *, C: Fraction) -> Any:
    """d^2 f_C/d l^2 = -P(Poi(l) = C - 1) for integer C, linear in C between integers. Domains and errors as for `f`."""
    return _between(_f_second, rate, C)


def inverse(y: Any, *, C: Fraction) -> Any:
    """Return f_C^-1(y), the only l >= 0 with f_C(l) = y, in mpmath at its working precision.  (LSZKG22, Algorithm 4).

    y: in [0, C); C > 0. Raises DomainError: f_C stays below C.
    """
    require(C > 0, parameter="C", value=C, requirement="above 0")
    with mp.workdps(2 * mp.dps + 10):
        target = _number(y)
        require(0 <= target < _number(C), parameter="y", value=y, requirement="at least 0 and below C")
        if target == 0:
            return mpf(0)
        # Newton from l = y: f_C(l) <= l and f_C is concave, so every step comes nearer from below.
        rate, step = target, target
        while step > rate * mpf(10) ** -mp.dps:
            step = (target - f(rate, C=C)) / f_prime(rate, C=C)
            rate += step
    return +rate


def inverse_clamped(y: Any, *, C: Fraction, largest: Fraction) -> Any:
    """f_C^-1 of y moved into [0, f_C(largest)]: at least 0, at most largest. Domains and errors as for `inverse`; largest >= 0."""
    require(largest >= 0, parameter="largest", value=largest, requirement="at least 0")
    top = f(largest, C=C)
    target = _number(y)
    if target <= 0:
        return mpf(0)
    return _number(largest) if target >= top else inverse(target, C=C)


def clipped_expectation(rates: Sequence[Any], *, C: Fraction) -> tuple[Any, ...]:
    """Return E clip_1(X, C) for independent X_j ~ Poi(rate_j): (rate_j/L) f_C(L), L the sum of the rates.  (LSZKG22, section 5).

    Given ||X||_1 = N, X is multinomial, and clip_1 scales it by min(1, C/N). Domains and errors as for `f`.
    """
    numbers = [_number(rate) for rate in rates]
    total = sum(numbers, mpf(0))
    if total == 0:
        return tuple(mpf(0) for _ in numbers)
    return tuple(rate / total * f(total, C=C) for rate in numbers)


def clipped_expectation_inverse(y: Sequence[Any], *, C: Fraction) -> tuple[Any, ...]:
    """The only rates with this expectation of the l1 clipped vector: y_j f_C^-1(||y||_1)/||y||_1, in closed form.

    y: each at least 0, sum below C. Raises DomainError.
    """
    numbers = [_number(each) for each in y]
    for each in numbers:
        require(each >= 0, parameter="y", value=each, requirement="at least 0 in every place")
    total = sum(numbers, mpf(0))
    if total == 0:
        return tuple(mpf(0) for _ in numbers)
    factor = inverse(total, C=C) / total
    return tuple(each * factor for each in numbers)


def _between(function: Callable[[Any, int], Any], rate: Any, C: Fraction) -> Any:
    require(C >= 0, parameter="C", value=C, requirement="at least 0")
    number = _number(rate)
    require(number >= 0, parameter="rate", value=rate, requirement="at least 0")
    k = floor(C)
    t = C - k
    return function(number, k) if t == 0 else (1 - _number(t)) * function(number, k) + _number(t) * function(number, k + 1)


def _pmf(rate: Any, k: int) -> Any:
    return exp(-rate) * rate**k / factorial(k)


def _f(rate: Any, C: int) -> Any:
    if rate < C:  # l - E(X - C)_+ cancels nothing here, and C - E(C - X)_+ nothing beyond
        term, total, k = _pmf(rate, C + 1), mpf(0), 1
        while rate > 0 and term * k > mpf(10) ** (-mp.dps - 5) * rate:
            total += k * term
            term, k = term * rate / (C + k + 1), k + 1
        return rate - total
    return C - sum(((C - k) * _pmf(rate, k) for k in range(C)), mpf(0))


def _f_prime(rate: Any, C: int) -> Any:
    return sum((_pmf(rate, k) for k in range(C)), mpf(0))


def _f_second(rate: Any, C: int) -> Any:
    return -_pmf(rate, C - 1) if C >= 1 else mpf(0)


def _number(x: Any) -> Any:
    return mpf(x.numerator) / x.denominator if isinstance(x, (Fraction, int)) else mpf(x)
