"""f_C(l) = E min(Poi(l), C) and its inverse in float64, a million values at a time (LSZKG22, Algorithm 4).

f_C(l) = l P(Poi(l) < C) + C P(Poi(l) > C), two positive terms and no cancellation; for C between integers k and k + 1 it is the chord
(1 - t) f_k + t f_(k+1). scipy's incomplete gamma functions carry no proof: RESTS_ON says what is granted to them, and over which box.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammainc, gammaincc

from shuffleproof.impl.fast.numeric.results import Assumption
from shuffleproof.spec.vocabulary.errors import FloatRangeError, require
from shuffleproof.spec.vocabulary.numerals import Number, exact_fraction

Floats = NDArray[np.float64]

LARGEST = 10**6
"""Of C and of the rates: above it nothing was measured."""
F_ERROR = 5e-13
"""f lies within this relative distance of f_C."""
INVERSE_ERROR = 1e-12
"""f_C at the computed inverse lies within this relative distance of y: the inverse of a y that close."""

RESTS_ON = (
    Assumption(
        what="f_C by scipy.special.gammainc and gammaincc",
        assumed=F_ERROR,
        box="0 < C <= 1e6, 1e-12 <= l <= 1e6, most points near l = C",
        worst=3.5e-14,
    ),
    Assumption(
        what="f_C at the inverse by interpolation and Newton's steps, against y",
        assumed=INVERSE_ERROR,
        box="0 < C <= 1e6, y from 1e-12 to f_C(1e6) and below C (1 - 1e-12)",
        worst=3.5e-14,
    ),
)
"""Measured against balls. From the second, |l - f_C^-1(y)| <= 1e-12 y/f_C'(l) to first order: digits are lost where y is close to C."""

_NODES = 2048
"""Points of the table from which Newton's iteration starts, at most."""
_MOST_STEPS = 60
"""Steps of Newton's iteration at most."""
_CLOSE = 1e-8
"""Relative size of a step after which a value is left alone: the next error is about its square."""
_SETTLED = 1e-13
"""Relative distance from the target at which it is left alone."""
_STEEPEST = 1e-200
"""Least slope of f_C on which a step is taken: below, f_C is flat to the last bit."""


def f(rate: ArrayLike, *, C: Number) -> Floats:
    """Return f_C(l) = E min(Poi(l), C), relative error at most F_ERROR.  (LSZKG22, Algorithm 4).

    rate: l in [0, 10^6], any shape; C in [0, 10^6], not only integers. Raises DomainError; FloatRangeError beyond the measured box.
    """
    return _between(_f, _rates(rate), _threshold(C))


def f_prime(rate: ArrayLike, *, C: Number) -> Floats:
    """d f_C/d l = P(Poi(l) < C) for integer C, linear in C between integers; an estimate. Domains and errors as for `f`."""
    return _between(_f_prime, _rates(rate), _threshold(C))


def inverse(y: ArrayLike, *, C: Number) -> Floats:
    """Return f_C^-1(y), the l >= 0 with f_C(l) = y, to within INVERSE_ERROR of y.  (LSZKG22, Algorithm 4).

    y: in [0, C), any shape; C in (0, 10^6]. Raises DomainError; FloatRangeError where the answer or C lies above 10^6.
    """
    exact = _threshold(C)
    values = np.asarray(y, dtype=np.float64)
    require(exact > 0, parameter="C", value=C, requirement="above 0")
    if values.size == 0:
        return values.copy()
    low, high = float(values.min()), float(values.max())
    require(low >= 0, parameter="y", value=low, requirement="at least 0 and below C")
    require(Fraction(high) < exact if math.isfinite(high) else False, parameter="y", value=high, requirement="at least 0 and below C")
    rates = _inverse(values.ravel(), exact, top=_bracket(high, exact)).reshape(values.shape)
    if float(rates.max()) > LARGEST:
        raise _too_large(high)
    return rates


def inverse_clamped(y: ArrayLike, *, C: Number, largest: Number) -> Floats:
    """Return f_C^-1 of y moved into [0, f_C(largest)] first, so that every y has an answer in [0, largest].  (LSZKG22, Algorithm 4).

    largest: a public bound on the mean rate, in [0, 10^6]; y: finite numbers. Domains and errors as for `inverse`.
    """
    exact, limit = _threshold(C), exact_fraction(largest, parameter="largest")
    require(limit >= 0, parameter="largest", value=largest, requirement="at least 0")
    require(exact > 0, parameter="C", value=C, requirement="above 0")
    values = np.asarray(y, dtype=np.float64)
    require(bool(np.isfinite(values).all()), parameter="y", value="a value that is not finite", requirement="made of finite numbers")
    top = float(f(float(limit), C=exact))
    inside = np.clip(values.ravel(), 0.0, min(top, math.nextafter(float(exact), 0)))
    rates = np.where(values.ravel() >= top, float(limit), 0.0)
    between = (values.ravel() > 0) & (values.ravel() < top)
    if between.any():
        found = _inverse(inside[between], exact, top=_bracket(float(inside[between].max()), exact))
        rates[between] = np.minimum(found, float(limit))
    return rates.reshape(values.shape)


def _inverse(y: Floats, C: Fraction, *, top: float) -> Floats:
    """Cubic Hermite interpolation of f_C^-1 between nodes of known value and slope, then Newton's steps where they still move."""
    nodes = top * np.linspace(0.0, 1.0, min(_NODES, 64 + y.size)) ** 2
    heights, slopes = _between(_f, nodes, C), _between(_f_prime, nodes, C)
    useful = np.concatenate([[True], (np.diff(np.maximum.accumulate(heights)) > 0) & (slopes[1:] > _STEEPEST)])
    rate = np.maximum(_hermite(y, nodes[useful], heights[useful], 1 / slopes[useful]), y)  # f_C(l) <= l
    moving = np.arange(y.size)
    for _ in range(_MOST_STEPS):
        here, target = rate[moving], y[moving]
        gap = target - _between(_f, here, C)
        step = gap / _between(_f_prime, here, C)
        # f_C is concave: a step from the left stays left, one from the right may leave the domain on either side.
        rate[moving] = np.clip(here + step, target, top)
        # Newton's error is squared: what moved by a relative 1e-8 has arrived; so has what only rounding still moves.
        moving = moving[(np.abs(step) > _CLOSE * here) & (np.abs(gap) > _SETTLED * target)]
        if not moving.size:
            return rate
    raise FloatRangeError(what="f_C^-1 in float64", reason=f"Newton's iteration did not settle at C = {float(C)}")


def _hermite(y: Floats, x: Floats, heights: Floats, slopes: Floats) -> Floats:
    if len(heights) == 1:
        return np.full_like(y, x[0])
    at = np.clip(np.searchsorted(heights, y, side="right") - 1, 0, len(heights) - 2)
    width = heights[at + 1] - heights[at]
    t = (y - heights[at]) / width
    rest = 1 - t
    value = (x[at] * (1 + 2 * t) + width * slopes[at] * t) * rest * rest
    value += (x[at + 1] * (1 + 2 * rest) - width * slopes[at + 1] * rest) * t * t
    return np.clip(value, x[at], x[at + 1])


def _bracket(y: float, C: Fraction) -> float:
    """A rate at which f_C is at least y; f_C(l) <= l."""
    rate = max(y, 1e-300)
    while float(_between(_f, np.array([rate]), C)[0]) < y:
        rate *= 1.25
        if rate > 2 * LARGEST:
            raise _too_large(y)
    return rate


def _too_large(y: float) -> FloatRangeError:
    return FloatRangeError(what="f_C^-1 in float64", reason=f"the rate for y = {y!r} lies above {LARGEST}")


def _between(function: Callable[[Floats, int], Floats], rate: Floats, C: Fraction) -> Floats:
    k = math.floor(C)
    t = float(C - k)
    low = function(rate, k)
    return low if t == 0 else (1 - t) * low + t * function(rate, k + 1)


def _f(rate: Floats, C: int) -> Floats:
    if C == 0:
        return np.zeros_like(rate)
    value: Floats = rate * gammaincc(C, rate) + C * gammainc(C + 1, rate)
    return value


def _f_prime(rate: Floats, C: int) -> Floats:
    if C == 0:
        return np.zeros_like(rate)
    value: Floats = gammaincc(C, rate)
    return value


def _threshold(C: Number) -> Fraction:
    exact = exact_fraction(C, parameter="C", requirement=f"a number from 0 to {LARGEST}")
    require(exact >= 0, parameter="C", value=C, requirement="at least 0")
    if exact > LARGEST:
        raise FloatRangeError(what=f"f_C in float64 at C = {C}", reason=f"measured up to C = {LARGEST} only")
    return exact


def _rates(rate: ArrayLike) -> Floats:
    values = np.asarray(rate, dtype=np.float64)
    require(bool((values >= 0).all()), parameter="rate", value="a value below 0 or not a number", requirement="at least 0 everywhere")
    if not bool((values <= LARGEST).all()):
        raise FloatRangeError(what="f_C in float64", reason=f"measured up to l = {LARGEST} only")
    return values
