"""Composition of a pair with itself on a grid of privacy losses, every rounding towards less privacy.

The pair must be its own mirror image, D_E(P || Q) = D_E(Q || P), as those of the clones family are. From its certified profile at k h,
k = 0 .. K, the connected dots (chords in e^epsilon) are the profile of a pair on the grid that dominates it:

    p_k = E_k (s_k - s_k-1) for 0 < k < K, E_k = e^(k h), s_k the slope of the chord after k,   p_K = -E_K s_K-1,   p_-k = p_k/E_k,
    p_0 = 1 - delta(0) + 2 s_0,   p_infinity = delta(K h).

Where delta is known with a gap that is wide against its curvature, these second differences would be lost in it: `envelope` takes upper
values u_k alone. f(E) = D_E(P || Q) is convex in E, does not increase, and is its own mirror image, f(1/E) = 1 - 1/E + f(E)/E (from D_E(P
|| Q) = 1 - E + E D_1/E(Q || P)). So f lies below min(u_0, ..., u_k) at E_k and below the mirror images v_k = 1 - 1/E_k + u_k/E_k at 1/E_k,
and, as chords lie above a convex function, below *every* polygon through some of these 2K + 1 points that keeps both ends, goes on with u_K
to the right and with the line to (0, 1) on the left. Through the corners of their lower convex envelope the slopes increase, so that every
mass p_k = E_k (slope after k - slope before k) is positive, and together with p_infinity = u_K they add up to 1: the polygon is the profile
of a pair on the grid that dominates. Which corners are taken is settled with rationals close to E_k; the masses are those of the polygon.

Profiles enter a composition linearly with weights that are not negative, so a larger profile gives a larger composition, also for measures
whose masses do not sum to 1: masses are rounded up to integers over 2^BITS, products are exact in integers and then rounded up, what is
cut off on the right goes to infinity, what is cut off on the left goes up to the first loss that is kept.

Of very many rounds the grid is doubled where sums are far wider than its step: a mass p at an odd point goes to the two next to it, p/(e^h
+ 1) down and p e^h/(e^h + 1) up, h the step. That keeps its share of P and of Q, and (1 - E x)_+ is convex in x = e^-loss, so that no
profile gets smaller.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from flint import arb, fmpz_poly

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, about, require

BITS = 160
"""Masses are integers over 2^BITS: 48 decimals, far below any delta that is asked, even after 10^6 cells are rounded up."""
_WIDE = 1 << 15
"""Cells from which on a grid may be doubled: that adds about a part in 10^7 to the variance of a loss."""
MOST_CELLS = 2_000_000
"""Cells of a product at most."""
_WORKING = 256
"""Precision, in bits, in which masses are computed before they are rounded up."""
_CORNER_BITS = 1300
"""Bits to which points are taken where corners are looked for: 391 decimals, so that the smallest float64 keeps 67 of its own."""
_CUT = Fraction(1, 10**7)
"""The share of delta that all cuts together may add."""


@dataclass(frozen=True)
class GridMeasure:
    """Masses over 2^BITS of the losses (low + i) step, and of an infinite loss: none below the truth, or its whole profile below that.

    below: whether it is a lower bound; all roundings follow from that, and no loss is infinite then; doubled: how often the step has been
    doubled since.
    """

    low: int
    masses: fmpz_poly
    infinite: int
    below: bool = False
    doubled: int = 0

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


def envelope(uppers: Sequence[Fraction], *, step: Fraction) -> GridMeasure:
    """The measure of the lower convex envelope of upper bounds on delta(k step), k = 0 .. K, K >= 1, each from 0 to 1.

    Sound for every gap between them and the truth. Raises DomainError.
    """
    require(len(uppers) >= 2, parameter="uppers", value=len(uppers), requirement="at least two points")
    require(all(0 <= upper <= 1 for upper in uppers), parameter="uppers", value=min(uppers), requirement="each in [0, 1]")
    last = len(uppers) - 1
    known = list(accumulate(uppers, min))
    with precision(_WORKING):
        E = [(ball(step) * k).exp() for k in range(-last, last + 1)]
        corners = lower_corners(known, [lower_end(E[last + k]) for k in range(last + 1)])

        def height(k: int) -> arb:
            return ball(known[k]) if k >= 0 else 1 - E[last + k] * ball(1 - known[-k])

        ends = pairwise(corners)
        slopes = [ball(known[last] - 1), *((height(j) - height(i)) / (E[last + j] - E[last + i]) for i, j in ends), arb(0)]
        masses = [0] * (2 * last + 1)
        for at, before, after in zip(corners, slopes, slopes[1:], strict=False):
            masses[last + at] = _scaled(E[last + at] * (after - before))
        return GridMeasure(-last, fmpz_poly(masses), _scaled(ball(known[last])))


def on_chords(points: Sequence[tuple[Fraction, Fraction]], *, step: Fraction, cells: int) -> list[Fraction]:
    """Upper values at k step, k = 0 .. cells, of every profile below these ones, by chords in e^epsilon: it is convex there.

    points: epsilon from 0 upwards, each with an upper value of delta, which from the last one on is kept. Raises DomainError.
    """
    epsilons, uppers = [epsilon for epsilon, _ in points], list(accumulate((upper for _, upper in points), min))
    rising = len(points) >= 2 and epsilons[0] == 0 and all(low < high for low, high in pairwise(epsilons))
    require(rising, parameter="points", value=len(points), requirement="at least two, at epsilons from 0 upwards")
    found: list[Fraction] = []
    with precision(_WORKING + 4 * math.ceil(epsilons[-1])):
        E, after = [ball(epsilon).exp() for epsilon in epsilons], 1
        for k in range(cells + 1):
            at = k * step
            while after < len(points) and epsilons[after] < at:
                after += 1
            if after == len(points):
                found.append(uppers[-1])
                continue
            before = after - 1
            share = (ball(at).exp() - E[before]) / (E[after] - E[before])
            between = ball(uppers[before]) - ball(uppers[before] - uppers[after]) * share
            found.append(min(uppers[before], max(uppers[after], upper_end(between))))
    return found


def epsilon_on_chords(points: Sequence[tuple[Fraction, Fraction]], *, delta: Fraction) -> Fraction | None:
    """An upper bound on the least epsilon at delta of every profile below these points: where a chord in e^epsilon comes down to it.

    points: as for `on_chords`. None where all of them are above delta.
    """
    after = next((k for k, (_, upper) in enumerate(points) if upper <= delta), None)
    if not after:
        return None if after is None else points[0][0]
    (before, above), (epsilon, upper) = points[after - 1 : after + 1]
    with precision(_WORKING + 4 * math.ceil(epsilon)):
        E = ball(before).exp()
        there = E + (ball(epsilon).exp() - E) * ball((above - delta) / (above - upper))
        return min(epsilon, upper_end(there.log()))


def composed(one: GridMeasure, *, rounds: int, delta: Fraction, step: Fraction | None = None) -> GridMeasure:
    """The measure of so many rounds, by squaring; delta: what will be asked for, which says how much may be cut off.

    step: of the grid, where it may be doubled.
    """
    allowed = delta * _CUT * 2**BITS / (2 * rounds * (2 * rounds.bit_length() + 1))

    def times(first: GridMeasure, second: GridMeasure, allowed: int) -> GridMeasure:
        if step is None:
            return _times(first, second, allowed)
        while first.doubled < second.doubled:
            first = _doubled(first, step)
        while second.doubled < first.doubled:
            second = _doubled(second, step)
        found = _times(first, second, allowed)
        return _doubled(found, step) if found.masses.degree() >= _WIDE else found

    result: GridMeasure | None = None
    power, exponent = one, 1
    for bit in bin(rounds)[:1:-1]:
        if bit == "1":
            result = power if result is None else times(result, power, math.floor(allowed * exponent))
        if 2 * exponent <= rounds:
            power, exponent = times(power, power, math.floor(allowed * exponent)), 2 * exponent
    assert result is not None
    return result


def together(parts: Sequence[tuple[GridMeasure, int]], *, delta: Fraction) -> GridMeasure:
    """The measure of different mechanisms on one grid, each for so many rounds, in any adaptive order; delta as for `composed`.

    Raises DomainError where there is none.
    """
    require(len(parts) > 0, parameter="parts", value="none", requirement="at least one")
    share = delta / len(parts)
    allowed = math.floor(share * _CUT * 2**BITS / 2)
    result, *others = (composed(one, rounds=rounds, delta=share / 2) for one, rounds in parts)
    for other in others:
        result = _times(result, other, allowed)
    return result


def epsilon_of(measure: GridMeasure, *, step: Fraction, delta: Fraction) -> Fraction | None:
    """An upper bound on the least epsilon >= 0 at which the measure's profile is at most delta; None where its infinite mass exceeds delta.

    Of a measure from below a lower bound.
    The profile is the largest of p(loss > k h) + p_infinity - E q(loss > k h), so E is the largest (p + p_infinity - delta)/q.
    """
    masses, step = [int(mass) for mass in measure.masses.coeffs()], step * 2**measure.doubled
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
        return lower_end(largest.log()) if measure.below else upper_end(largest.log())


def delta_of(measure: GridMeasure, *, step: Fraction, epsilon: Fraction) -> Fraction:
    """An upper bound on the measure's delta at an epsilon of at least 0: p(loss > epsilon) + p_infinity - e^epsilon q(loss > epsilon)."""
    masses, step = [int(mass) for mass in measure.masses.coeffs()], step * 2**measure.doubled
    first = math.floor(epsilon / step) + 1
    with precision(_WORKING):
        inside = arb(0)
        for at, mass in enumerate(masses[max(first - measure.low, 0) :], start=max(first, measure.low)):
            inside += mass * (1 - (ball(epsilon) - ball(step) * at).exp())
        return min(Fraction(1), max(Fraction(0), upper_end((inside + measure.infinite) / 2**BITS)))


def lower_corners(known: Sequence[Fraction], E: Sequence[Fraction]) -> list[int]:
    """The corners k, from -K to K, of the lower convex envelope of (E_k, u_k) and the mirror images of these points.

    Points are taken over 2^-_CORNER_BITS, in integers: which corners are taken affects how close the polygon is, not that it lies above.
    """
    unit = 1 << _CORNER_BITS
    points = [(k, int(unit / E[-k]), int(unit - unit * (1 - known[-k]) / E[-k])) for k in range(1 - len(E), 0)]
    points += [(k, int(unit * E[k]), int(unit * known[k])) for k in range(len(E))]
    kept: list[tuple[int, int, int]] = []
    for k, x, y in points:
        while len(kept) >= 2 and (kept[-1][2] - kept[-2][2]) * (x - kept[-2][1]) >= (y - kept[-2][2]) * (kept[-1][1] - kept[-2][1]):
            kept.pop()
        kept.append((k, x, y))
    return [k for k, _, _ in kept]


def _doubled(one: GridMeasure, step: Fraction) -> GridMeasure:
    """The measure on every other point, odd masses spread to the two next to them."""
    with precision(_WORKING):
        odds = (ball(step) * 2**one.doubled).exp()
        up, down = _scaled(odds / (odds + 1)), _scaled(1 / (odds + 1))
    masses = [int(mass) for mass in one.masses.coeffs()]
    first = one.low // 2
    found = [0] * ((one.low + len(masses)) // 2 - first + 1)
    for at, mass in enumerate(masses, start=one.low):
        if at % 2:
            found[at // 2 - first] += _up(mass * down)
            found[at // 2 + 1 - first] += _up(mass * up)
        else:
            found[at // 2 - first] += mass
    return GridMeasure(first, fmpz_poly(found), one.infinite, doubled=one.doubled + 1)


def _times(one: GridMeasure, other: GridMeasure, allowed: int) -> GridMeasure:
    if one.masses.degree() + other.masses.degree() > MOST_CELLS:
        cells = one.masses.degree() + other.masses.degree()
        raise ResourceLimitError(
            what="a composition on a grid", needed=f"{about(cells)} cells", limit=f"{MOST_CELLS:.0e} cells: fewer rounds"
        )
    rounded = _down if one.below else _up
    product = [rounded(int(mass)) for mass in (one.masses * other.masses).coeffs()] or [0]  # where every loss is infinite
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
    if one.below:
        kept[-1] += cut  # a smaller loss
        return GridMeasure(one.low + other.low + low, fmpz_poly(kept), 0, below=True)
    assert one.doubled == other.doubled
    kept[0] += below
    return GridMeasure(one.low + other.low + low, fmpz_poly(kept), infinite + cut, doubled=one.doubled)


def _up(mass: int) -> int:
    """mass/2^BITS, rounded up."""
    return -(-mass // (1 << BITS))


def _down(mass: int) -> int:
    """mass/2^BITS, rounded down."""
    return mass >> BITS


def _scaled(mass: arb) -> int:
    """An integer over 2^BITS that is no smaller than the mass, and not negative."""
    return max(0, math.ceil(upper_end(mass) * (1 << BITS)))
