"""Composition of a pair with itself on a grid of privacy losses, every rounding towards less privacy.

The pair must be its own mirror image, D_E(P || Q) = D_E(Q || P), as those of the clones family are. From its certified profile at k h,
k = 0 .. K, the connected dots (chords in e^epsilon) are the profile of a pair on the grid that dominates it:

    p_k = E_k (s_k - s_k-1) for 0 < k < K, E_k = e^(k h), s_k the slope of the chord after k,   p_K = -E_K s_K-1,   p_-k = p_k/E_k,
    p_0 = 1 - delta(0) + 2 s_0,   p_infinity = delta(K h).

Profiles enter a composition linearly with weights that are not negative, so a larger profile gives a larger composition, also for measures
whose masses do not sum to 1: masses are rounded up to integers over 2^BITS, products are exact in integers and then rounded up, what is
cut off on the right goes to infinity, what is cut off on the left goes up to the first loss that is kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpz_poly

from shuffleproof.impl.ball.arithmetic import ball, precision, upper_end
from shuffleproof.spec.errors import ResourceLimitError, require

BITS = 160
MOST_CELLS = 2_000_000
_WORKING = 256
_CUT = Fraction(1, 10**7)
"""The share of delta that all cuts together may add."""


@dataclass(frozen=True)
class GridMeasure:
    """Masses over 2^BITS of the losses (low + i) step, and of an infinite loss: none below the truth."""

    low: int
    masses: fmpz_poly
    infinite: int

    @property
    def total(self) -> int:
        """All mass, over 2^BITS."""
        return int(self.masses(1)) + self.infinite


def on_grid(profile: Sequence[tuple[Fraction, Fraction]], *, step: Fraction) -> GridMeasure:
    """The measure of the connected dots. profile: certified (lower, upper) of delta(k step), k = 0 .. K, K >= 1."""
    require(len(profile) >= 2, parameter="profile", value=len(profile), requirement="at least two points")
    with precision(_WORKING):
        last = len(profile) - 1
        E = [(ball(step) * k).exp() for k in range(last + 1)]
        deltas = [ball((low + high) / 2) + ball((high - low) / 2) * arb(0, 1) for low, high in profile]
        slopes = [(deltas[k + 1] - deltas[k]) / (E[k + 1] - E[k]) for k in range(last)]
        right = [E[k] * (slopes[k] - slopes[k - 1]) for k in range(1, last)] + [-E[last] * slopes[last - 1]]
        centre = 1 - deltas[0] + 2 * slopes[0]
        left = [mass / E[k] for k, mass in enumerate(right, start=1)]
        masses = [_scaled(mass) for mass in (*reversed(left), centre, *right)]
        return GridMeasure(-last, fmpz_poly(masses), _scaled(ball(profile[-1][1])))


def composed(one: GridMeasure, *, rounds: int, delta: Fraction) -> GridMeasure:
    """The measure of so many rounds, by squaring; delta: what will be asked for, which says how much may be cut off."""
    allowed = delta * _CUT * 2**BITS / (2 * rounds * (2 * rounds.bit_length() + 1))
    result: GridMeasure | None = None
    power, exponent = one, 1
    for bit in bin(rounds)[:1:-1]:
        if bit == "1":
            result = power if result is None else _times(result, power, math.floor(allowed * exponent))
        if 2 * exponent <= rounds:
            power, exponent = _times(power, power, math.floor(allowed * exponent)), 2 * exponent
    assert result is not None
    return result


def epsilon_of(measure: GridMeasure, *, step: Fraction, delta: Fraction) -> Fraction | None:
    """An upper bound on the least epsilon >= 0 at which the measure's profile is at most delta; None where its infinite mass exceeds delta.

    The profile is the largest of p(loss > k h) + p_infinity - E q(loss > k h), so E is the largest (p + p_infinity - delta)/q.
    """
    masses = [int(mass) for mass in measure.masses.coeffs()]
    with precision(_WORKING):
        wanted = ball(delta) * 2**BITS - measure.infinite
        if not wanted > 0:
            return None
        in_p, in_q, largest = 0, arb(0), arb(1)
        first = measure.low + len(masses) - 1
        weight, growth = (-ball(step) * first).exp(), ball(step).exp()
        for loss, mass in zip(range(first, 0, -1), reversed(masses), strict=False):
            in_p += mass
            in_q += mass * weight
            weight = weight * growth
            if in_p > 0:
                value = (in_p - wanted) / in_q
                if value > largest:
                    largest = value
                elif not value < largest:
                    largest = value.max(largest)
            if (ball(step) * (loss - 1)).exp() < largest:
                break  # every further mass has a smaller ratio, and only lowers the quotient
        return upper_end(largest.log())


def _times(one: GridMeasure, other: GridMeasure, allowed: int) -> GridMeasure:
    if one.masses.degree() + other.masses.degree() > MOST_CELLS:
        cells = one.masses.degree() + other.masses.degree()
        raise ResourceLimitError(what="a composition on a grid", needed=f"{cells:.1e} cells", limit=f"{MOST_CELLS:.0e} cells: fewer rounds")
    product = [_up(int(mass)) for mass in (one.masses * other.masses).coeffs()]
    infinite = _up(one.infinite * other.total + other.infinite * one.total)
    high, cut = len(product), 0
    while high > 1 and cut + product[high - 1] <= allowed:
        high -= 1
        cut += product[high]
    low, below = 0, 0
    while low < high - 1 and below + product[low] <= allowed:
        below += product[low]
        low += 1
    kept = product[low:high]
    kept[0] += below
    return GridMeasure(one.low + other.low + low, fmpz_poly(kept), infinite + cut)


def _up(mass: int) -> int:
    """mass/2^BITS, rounded up."""
    return -(-mass // (1 << BITS))


def _scaled(mass: arb) -> int:
    """An integer over 2^BITS that is no smaller than the mass, and not negative."""
    return max(0, math.ceil(upper_end(mass) * (1 << BITS)))
