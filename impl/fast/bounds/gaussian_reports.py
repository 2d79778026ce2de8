"""Numbers in [0, 1] with Gaussian noise of each user, shuffled, in float64 with sound sides: the blanket above, one dataset below.

m = min(R_0, R_1), which is R_1 below 1/2 and R_0 above it. Below 1/2 v = 1 and u = e^((1 - 2 y)/(2 sigma^2)), without a bound; above it
u and v are exchanged. Left of -z sigma, and right of 1 + z sigma, reports are given away: R_0(y < -z sigma) goes to the upper side, for a
z at which that is far below delta. 0 and 1 are the worst inputs (BEYOND.any-law-gaussian).

In units of sigma a cell [a, a + h] has the mass phi(a) times the integral of e^(-a s - s^2/2) up to h, by its power series; a tail beyond
a the mass phi(a) over the continued fraction a + 1/(a + 2/(a + 3/(a + ...))), whose convergents lie on either side of it in turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np

from shuffleproof.impl.fast.bounds.one_sum_profile import SMALLEST_DELTA, delta_of, epsilon_of, supported
from shuffleproof.impl.fast.bounds.randomizer_laws import Law
from shuffleproof.impl.fast.numeric.results import enclosed
from shuffleproof.impl.fast.numeric.scalars import PI, decimal_of, working
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_laws import GAUSSIAN_BLANKET, GAUSSIAN_HOMOGENEOUS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, parse_epsilon, probability
from shuffleproof.spec.vocabulary.parameters import noise_on_interval
from shuffleproof.spec.vocabulary.refusals import no_epsilon_at_zero

_ENDS = tuple(Fraction(k, 8) for k in (*range(24, 80), *range(80, 312, 4)))
"""z: beyond z sigma reports are given away."""
_FINE_TO, _COARSE_CELL, _CELLS = 12, Fraction(1, 32), 1500
_MERGED, _MERGED_AT_AN_EPSILON = 512, Fraction(6)
_SHARE = Decimal("1e-3")
"""What may be given away, as a part of delta."""
_LARGEST_EXPONENT, _FARTHEST = 340, 36
"""Losses and masses beyond which numbers leave the floats."""
_CONVERGENTS = 300
_AGREE = Decimal("1e-22")


def delta(*, n: Number, sigma: Number, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon, enclosed in float64: of the sum over the blanket.

    n: users, 1 to 10^9; sigma: standard deviation of the noise, from 1/10 to 10^6; epsilon >= 0. Returns an enclosure whose claim is an
    upper bound, for all neighbouring datasets of numbers in [0, 1] (BEYOND.any-law-gaussian). Raises DomainError, UnsupportedError.
    """
    users, noise, central = count(n, parameter="n"), noise_on_interval(sigma), parse_epsilon(epsilon)
    inputs = as_given(n=n, sigma=sigma, eps=epsilon)
    found, left = None, ends(noise)
    while left:
        law, top = _blanket(noise, left[0]), largest_ratio(noise, left[0])
        given_away = Fraction(law.beyond)
        if central >= top:  # nothing is left but what is given away
            found = enclosed(GAUSSIAN_BLANKET, "delta", Fraction(0), given_away, inputs=inputs)
        else:
            found = delta_of(GAUSSIAN_BLANKET, [law], n=supported(users), epsilon0=top, epsilon=central, inputs=inputs)
        left = [] if given_away <= found.upper * Fraction(_SHARE) else _further(left[1:], found.lower)
    assert found is not None
    return found


def epsilon(*, n: Number, sigma: Number, delta: Number) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed in float64.

    n, sigma: as for `delta`; delta in (0, 1]. Returns an enclosure whose claim is as there; an upper side, by one report alone, where no
    floats are left to what is rarer than delta. Raises DomainError, UnsupportedError; RegimeError at delta = 0.
    """
    users, noise, target = supported(count(n, parameter="n")), noise_on_interval(sigma), probability(delta, parameter="delta")
    inputs = as_given(n=n, sigma=sigma, delta=delta)
    z = _end_for(noise, target)
    if z is None:
        return enclosed(GAUSSIAN_BLANKET, "epsilon", Fraction(0), _of_one_report(noise, target), lower_certified=False, inputs=inputs)
    laws = [_blanket(noise, z)]
    return epsilon_of(GAUSSIAN_BLANKET, laws, n=users, epsilon0=largest_ratio(noise, z), delta=target, inputs=inputs)


def delta_below(*, n: Number, sigma: Number, epsilon: Number | Epsilon) -> Bound:
    """delta at epsilon of the pair (0, 0, ..., 0), (1, 0, ..., 0), reports merged into cells, enclosed in float64.

    n, sigma, epsilon: as for `delta`. Returns an enclosure whose claim is a lower bound. Raises DomainError, UnsupportedError.
    """
    users, noise, central = count(n, parameter="n"), noise_on_interval(sigma), parse_epsilon(epsilon)
    inputs, (law, top) = as_given(n=n, sigma=sigma, eps=epsilon), homogeneous_law(noise, None)
    return delta_of(GAUSSIAN_HOMOGENEOUS, [law], n=supported(users), epsilon0=top, epsilon=central, inputs=inputs)


def epsilon_below(*, n: Number, sigma: Number, delta: Number) -> Bound:
    """Least epsilon of that pair at delta, enclosed in float64: no bound is smaller.

    n, sigma, delta: as for `epsilon`. Raises DomainError, UnsupportedError; RegimeError at delta = 0.
    """
    users, noise, target = count(n, parameter="n"), noise_on_interval(sigma), probability(delta, parameter="delta")
    if not target:
        raise no_epsilon_at_zero()
    inputs, (law, top) = as_given(n=n, sigma=sigma, delta=delta), homogeneous_law(noise, target)
    return epsilon_of(GAUSSIAN_HOMOGENEOUS, [law], n=supported(users), epsilon0=top, delta=target, inputs=inputs)


def ends(sigma: Fraction) -> list[Fraction]:
    """Every z for which losses and masses are floats."""
    return [z for z in _ENDS if 1 + 2 * z * sigma <= 2 * sigma**2 * _LARGEST_EXPONENT and z + 1 / sigma <= _FARTHEST]


def _further(ends: list[Fraction], delta: Fraction) -> list[Fraction]:
    """From the end where far less than delta is given away; or the last, or one standard deviation further."""
    with working():
        wanted = decimal_of(delta) * _SHARE
        enough = [i for i, end in enumerate(ends) if delta and tail(decimal_of(end)) <= wanted][:1]
    return ends[enough[0] :] if enough else ends[-1:] if delta else ends[8:]


def _of_one_report(sigma: Fraction, delta: Fraction) -> Fraction:
    """An epsilon at which D_E(R_0 || R_1), and so that of all reports, is at most R_0(y < -z sigma) <= delta."""
    z = Fraction(math.ceil(16 * math.sqrt(2 * (math.log(delta.denominator) - math.log(delta.numerator)))) + 1, 16)
    with working():
        while z > 6 and tail(decimal_of(z - Fraction(1, 16))) <= decimal_of(delta) * (1 - _AGREE):
            z -= Fraction(1, 16)
        assert tail(decimal_of(z)) <= decimal_of(delta)
    return largest_ratio(sigma, z).bounds(bits=64)[1]


def _end_for(sigma: Fraction, delta: Fraction) -> Fraction | None:
    """The first z beyond which far less than delta is given away; None where that leaves the floats."""
    if not delta:
        raise no_epsilon_at_zero()
    if delta >= SMALLEST_DELTA:
        with working():
            wanted = decimal_of(delta) * _SHARE
            for z in ends(sigma):
                if tail(decimal_of(z)) <= wanted:
                    return z
    return None


def losses_too_likely(sigma: Fraction) -> UnsupportedError:
    """The refusal of a delta that is too small for this sigma."""
    return UnsupportedError(
        what="the float64 engine at these parameters",
        reason=f"sigma = {float(sigma):.3g} at this delta: losses beyond the floats are too likely",
        advice="ask for a larger delta or sigma",
    )


def largest_ratio(sigma: Fraction, z: Fraction) -> Epsilon:
    """The largest loss of one report that is not given away."""
    return Epsilon((1 + 2 * z * sigma) / (2 * sigma**2), None)


@lru_cache(maxsize=32)
def _blanket(sigma: Fraction, z: Fraction) -> Law:
    """u and v against m: a cell's mass goes to its two ends, its mean of u kept."""
    with working():
        centre = 1 / (2 * sigma)  # of [0, 1], in units of sigma from 0
        fine = min(z, Fraction(_FINE_TO))
        step = (centre + fine) / _CELLS
        ends = [-fine + j * step for j in range(_CELLS + 1)]
        further = math.ceil((z - fine) / _COARSE_CELL)
        ends = [-z + j * Fraction(z - fine, max(further, 1)) for j in range(further)] + ends
        first, second = _masses(ends), _masses([end - 2 * centre for end in ends])
        rate = decimal_of(1 / sigma)
        ratios = [(rate * (decimal_of(centre) - decimal_of(end))).exp() for end in ends]
        mass: list[float] = []
        at: list[float] = []
        mean: list[float] = []
        for (high, low), in_first, in_second in zip(pairwise(ratios), first, second, strict=True):
            of_cell = in_first / in_second
            share = (of_cell - low) / (high - low)
            mass += [float(in_second * share), float(in_second * (1 - share))]
            at += [float(high), float(low)]
            mean += [float(of_cell)] * 2
        given_away = tail(decimal_of(z))
    masses, u, mean_u = (np.array(column + column) for column in (mass, at, mean))
    half, ones = len(mass), np.ones(len(mass))
    u[half:] = mean_u[half:] = ones
    v, mean_v = np.concatenate([u[half:], u[:half]]), np.concatenate([mean_u[half:], mean_u[:half]])
    return Law(masses, u, v, mean_u, mean_v, beyond=given_away)


@lru_cache(maxsize=32)
def homogeneous_law(sigma: Fraction, delta: Fraction | None) -> tuple[Law, Epsilon]:
    """u = 1 and v = R_1/R_0, merged into cells up to where about delta lies beyond; and the largest ratio, up to a rounding.

    Reports that are rarer make sums of losses coarser, and say little.
    """
    with working():
        away = 1 / sigma
        far = _MERGED_AT_AN_EPSILON
        if delta is not None:
            far = Fraction(math.floor(8 * math.sqrt(2 * (math.log(delta.denominator) - math.log(delta.numerator)))) - 4, 8)
        far = min(max(far, _ENDS[0]), _FARTHEST - away)
        ends = [-far + j * (away + 2 * far) / _MERGED for j in range(_MERGED + 1)]
        of_0, of_1 = ([tail(-decimal_of(at[0])), *_masses(at), tail(decimal_of(at[-1]))] for at in (ends, [end - away for end in ends]))
        law = Law.of(zip(of_0, of_0, of_1, strict=True), dataset="inputs 0 and 1; all others hold 0")
        largest = max(max(first / second, second / first) for first, second in zip(of_0, of_1, strict=True))
        return law, Epsilon(Fraction(largest.ln() * (1 + _AGREE)), None)


def _masses(ends: Iterable[Fraction]) -> list[Decimal]:
    """Of N(0, 1) between neighbouring ends, to a relative error of 1e-30."""
    return [_density(decimal_of(a)) * _integral(decimal_of(a), decimal_of(b - a)) for a, b in pairwise(ends)]


def _density(a: Decimal) -> Decimal:
    return (-a * a / 2).exp() / (2 * PI).sqrt()


def _integral(a: Decimal, h: Decimal) -> Decimal:
    """Of e^(-a s - s^2/2) from 0 to h: its coefficients satisfy (k + 1) c_(k+1) = -a c_k - c_(k-1).

    Absolute values satisfy the same recurrence with |a| and plus signs, whose sum is e^(|a| h + h^2/2): what is left out is below 1e-34.
    """
    x = abs(a) * h
    assert x <= 8
    assert h <= Decimal("0.25")
    before, c, power, total = Decimal(0), Decimal(1), h, h
    for k in range(1, 26 + 10 * int(x + 1)):
        before, c = c, -(a * c + before) / k
        power *= h
        total += c * power / (k + 1)
    return total


def tail(a: Decimal) -> Decimal:
    """Of N(0, 1) beyond a >= 5, to a relative error of 1e-22."""
    found = []
    for depth in (_CONVERGENTS, _CONVERGENTS + 1):
        value = a
        for k in range(depth, 0, -1):
            value = a + k / value
        found.append(_density(a) / value)
    assert abs(found[0] - found[1]) <= _AGREE * found[0]
    return found[0]
