"""The clones bound in float64 with sound sides: FMT21, Theorem 3.2.

Guaranteed range: n <= 10^9, epsilon0 = 0 or in [1e-200, 700], delta in [1e-300, 1] (and delta = 0), every epsilon. A
delta below 1e-305 is enclosed by [0, 1e-305]. Outside, and wherever sums would leave the range of floats, the engine refuses.
"""

from __future__ import annotations

import math
from fractions import Fraction

from shuffleproof.impl.fast.bounds.clones_guess import guess
from shuffleproof.impl.fast.bounds.clones_profile import ClonesProfile
from shuffleproof.impl.fast.results import enclosed, exactly
from shuffleproof.impl.fast.root import solve
from shuffleproof.spec.bound import Bound
from shuffleproof.spec.errors import UnsupportedError
from shuffleproof.spec.method import CLONES
from shuffleproof.spec.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    epsilon0_parameter,
    float_toward,
    parse_epsilon,
    probability,
)

LARGEST_N = 10**9
SMALLEST_EPSILON0 = Fraction(1, 10**200)
LARGEST_EPSILON0 = 700
SMALLEST_DELTA = Fraction(1, 10**300)
TOLERANCE = 1e-9
"""Relative distance of the ends of epsilon that is aimed for, and met where the sides of delta allow it. It is larger where delta is
within 1e-6 of 1 or, for n = 10^9, within a thousandth of delta(0)."""


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta of the clones pair at epsilon, enclosed in float64: shuffled eps0-DP randomizers are (epsilon, upper)-DP (FMT21, Theorem 3.2).

    n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; epsilon >= 0. Returns an enclosure of relative width below 1e-9 where
    delta is at least 1e-300, [0, 1e-305] where it is below 1e-305; exactly 0 where epsilon >= epsilon0.
    Raises DomainError, and UnsupportedError outside its range.

    >>> delta(n=1000, epsilon0=1, epsilon="0.1").decimals(digits=9)
    ('0.000352765650', '0.000352765651')
    """
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = as_given(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(CLONES, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    _require_supported(users, local)
    lower, upper = ClonesProfile(n=users, epsilon0=local).delta(central)
    return enclosed(CLONES, "delta", Fraction(lower), Fraction(upper), inputs=inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon at which the clones pair's delta is at most delta, enclosed in float64 (FMT21, Theorem 3.2).

    n: users, 1 to 10^9; epsilon0 = 0 or in [1e-200, 700]; delta = 0 or in [1e-300, 1]. Returns an enclosure with
    delta(lower) > delta >= delta(upper) certain at exactly these ends (side "upper", lower = 0, where delta cannot be told from
    delta(0)); exactly epsilon0 at delta = 0, exactly 0 where delta >= delta(0) is certain.
    Raises DomainError, and UnsupportedError outside its range.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = as_given(n=n, eps0=epsilon0, delta=delta)
    if target == 1 or local.exp == 1:
        return exactly(CLONES, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    bottom, top = local.bounds(bits=64)
    if target == 0:  # C = 0 has positive probability, and there the likelihood ratio is e^eps0 itself
        return exactly(CLONES, "epsilon", str(local), bottom, top, inputs=inputs)
    _require_supported(users, local)
    if target < SMALLEST_DELTA:
        raise UnsupportedError(
            what=f"the float64 engine at delta = {decimal_text(target, digits=2, direction='up')}",
            reason="it answers for delta = 0 and delta from 1e-300 to 1",
            advice='use engine "ball"',
        )
    profile = ClonesProfile(n=users, epsilon0=local)
    last = float_toward(bottom, direction="down")
    last = math.nextafter(last, 0.0) if last == bottom else last
    start, slope = guess(m=users - 1, epsilon0=float(top), delta=float(target))
    root = solve(
        lambda x: profile.delta(Epsilon(Fraction(x), Fraction(1) if x == 0 else None)),
        target=target,
        top=top,
        last=last,
        guess=start,
        slope=slope,
        tolerance=TOLERANCE,
    )
    if root.upper == 0:
        return exactly(CLONES, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    return enclosed(CLONES, "epsilon", root.lower, root.upper, lower_certified=root.lower_certified, inputs=inputs)


def _require_supported(n: int, epsilon0: Epsilon) -> None:
    """Raise UnsupportedError outside the range in which sides are guaranteed (epsilon0 = 0 is answered before)."""
    smallest, largest = Epsilon(SMALLEST_EPSILON0, None), Epsilon(Fraction(LARGEST_EPSILON0), None)
    if n > LARGEST_N:
        raise UnsupportedError(
            what=f"the float64 engine at n = {n}", reason=f"it answers for n up to {LARGEST_N:.0e}", advice='use engine "ball"'
        )
    if not smallest <= epsilon0 <= largest:
        raise UnsupportedError(
            what="the float64 engine at this epsilon0",
            reason=f"it answers for epsilon0 = 0 and from 1e-200 to {LARGEST_EPSILON0}",
            advice='use engine "ball"',
        )
