"""delta and epsilon of a pair of the clones family in float64 with sound sides, within the range that `clones.py` states.

The pairs differ in one number, the odds factor of clones_constants.py: it enters the masses of the number of clones and nothing else,
so that the analysis of clones_profile.py, which holds for every law Bin(m, p) of that number, covers them all.
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
from shuffleproof.spec.method import Method
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


def delta(method: Method, odds_factor: int, *, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta of the method's pair at epsilon, enclosed in float64; parameters, sides and errors as in `clones.delta`."""
    users, local, central = count(n, parameter="n"), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    inputs = as_given(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(method, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    _require_supported(users, local)
    lower, upper = ClonesProfile(n=users, odds_factor=odds_factor, epsilon0=local).delta(central)
    return enclosed(method, "delta", Fraction(lower), Fraction(upper), inputs=inputs)


def epsilon(method: Method, odds_factor: int, *, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon at which the pair has at most delta, enclosed in float64; parameters, sides and errors as in `clones.epsilon`."""
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    inputs = as_given(n=n, eps0=epsilon0, delta=delta)
    if target == 1 or local.exp == 1:
        return exactly(method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    bottom, top = local.bounds(bits=64)
    if target == 0:  # C = 0 has positive probability, and there the likelihood ratio is e^eps0 itself
        return exactly(method, "epsilon", str(local), bottom, top, inputs=inputs)
    _require_supported(users, local)
    if target < SMALLEST_DELTA:
        raise UnsupportedError(
            what=f"the float64 engine at delta = {decimal_text(target, digits=2, direction='up')}",
            reason="it answers for delta = 0 and delta from 1e-300 to 1",
            advice='use engine "ball"',
        )
    profile = ClonesProfile(n=users, odds_factor=odds_factor, epsilon0=local)
    last = float_toward(bottom, direction="down")
    last = math.nextafter(last, 0.0) if last == bottom else last
    start = guess(m=users - 1, odds_factor=odds_factor, epsilon0=float(top), delta=float(target))
    root = solve(
        lambda x: profile.delta(Epsilon(Fraction(x), Fraction(1) if x == 0 else None)),
        target=target,
        top=top,
        last=last,
        guess=start.epsilon,
        slope=start.slope,
        doubt=start.doubt,
        tolerance=TOLERANCE,
    )
    if root.upper == 0:
        return exactly(method, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    return enclosed(method, "epsilon", root.lower, root.upper, lower_certified=root.lower_certified, inputs=inputs)


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
