"""Certified sums for a pair of distributions of three counts at one epsilon: FMT21's Theorem 4.1, and shuffled kRR on one pair of datasets.

With M(a, b, z) the multinomial mass of n reports, each a or b with mass r, of the third output class with mass g, or none of these,
    P = scale M (a + L),   Q = scale M (b + L),   L = w z + y (a + b) + h,   so   delta = scale E[(D - (E - 1)(b + L))_+],
D = a - b, E = e^eps. The pair is its own mirror image (a for b), so that one direction is both.

The event S is z <= cut(D, b) = (D/(E - 1) - b - y (2 b + D) - h)/w, within the window of z and of m = a + b. Given a and b, z is
binomial: with N = n - a - b, s = g/(1 - 2 r), H and f the CDF and PMF of Bin(N, s) at t, E[z; z <= t] = s (N H - (N - t) f), so that each
(a, b) costs O(1). Along D fixed, b falling, the cut moves by (1 + 2 y)/w only, and N by 2: H and f follow in a few steps. D runs over
few values: below `first` no z of the window is in S; above `last` the cut is beyond the window, and for each m all b up to one bound
are in S, a lower tail of Bin(m, 1/2).

*Any* event gives a lower bound. For the upper side: cuts are rounded up, by less than err, so that z = t may be a little beyond its
cut, at a cost of (E - 1) w err M f; and what S leaves out of {P > E Q} lies outside the window.

Cost: about (E - 1) n digits steps of about 5 microseconds, which is O(sqrt(n) digits) where E - 1 is of the order of n^-1/2; at most
O(n digits).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.k_rr.k_rr_window import Report, Window, window
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_mass, log_multinomial, lower_tail_over_mass
from shuffleproof.impl.ball.numeric.budget import spend
from shuffleproof.impl.ball.numeric.results import Evaluation
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about

LARGEST_WALK = 6_000_000
"""Steps of the walk over (z, a + b) at most: about half a minute at 15 digits."""

_DIAGONAL = 0.6
"""Units of work for the masses with which a diagonal begins, for each bit: 0.1 to 0.2 milliseconds at 150 bits, 5 at 2,000."""


@dataclass(frozen=True)
class Pair:
    """The pair for n users, as balls at the current precision: r, g, none = 1 - 2 r - g > 0, scale, and L = w z + y (a + b) + h."""

    n: int
    r: arb
    g: arb
    none: arb
    scale: arb
    w: arb
    y: arb
    h: arb

    def report(self, E: arb, E_minus_1: arb) -> Report:
        """One report's share of D - (E - 1)(b + L)."""
        each = -E_minus_1 * self.h / self.n
        values = (1 - E_minus_1 * self.y, -E - E_minus_1 * self.y, -E_minus_1 * self.w, arb(0))
        return Report(self.r, self.g, self.none, *(value + each for value in values))


@dataclass(frozen=True)
class Cuts:
    """cut(D, b) = of_D D - of_b b - at_0 from above and from below, in units of 2^-bits; None at E = 1, where every D > 0 is in S."""

    bits: int
    above: tuple[int, int, int]
    below: tuple[int, int, int]

    @classmethod
    def of(cls, pair: Pair, E_minus_1: arb, *, bits: int) -> Cuts | None:
        """For 1 <= E < e^eps0. Raises UndecidedError where the precision does not tell E from 1."""
        if E_minus_1 == 0:
            return None
        exact = ((1 / E_minus_1 - pair.y) / pair.w, (1 + 2 * pair.y) / pair.w, pair.h / pair.w)
        lower, upper = [lower_end(x) for x in exact], [upper_end(x) for x in exact]
        one = 1 << bits
        above = (math.ceil(upper[0] * one), math.floor(lower[1] * one), math.floor(lower[2] * one))
        below = (math.floor(lower[0] * one), math.ceil(upper[1] * one), math.ceil(upper[2] * one))
        return cls(bits, above, below)

    def t(self, D: int, b: int) -> int:
        """The largest z of S for (D, b), rounded up; negative if there is none."""
        return (self.above[0] * D - self.above[1] * b - self.above[2]) >> self.bits

    def surely_at_least(self, z: int, D: int, b: int) -> bool:
        """Return whether cut(D, b) >= z is certain."""
        return self.below[0] * D - self.below[1] * b - self.below[2] >= z << self.bits

    def error(self, D: int, b: int) -> Fraction:
        """Return by how much the cuts up to D and b may be too large."""
        units = (self.above[0] - self.below[0]) * D + (self.below[1] - self.above[1]) * b + self.below[2] - self.above[2]
        return Fraction(units, 1 << self.bits)


def evaluate(pair: Pair, *, E: arb, E_minus_1: arb, bits: int, spread: float) -> Evaluation:
    """Enclosure of the pair's profile at E with working precision `bits` (the caller sets it)."""
    n = pair.n
    view = window(n, pair.report(E, E_minus_1), spread=spread)
    cuts = Cuts.of(pair, E_minus_1, bits=bits + n.bit_length() + 8)
    first, last, error = _band(cuts, view)
    steps = (last - first + 1) * (view.m[1] - view.m[0] + 2) // 2
    if steps > LARGEST_WALK:
        what = f"certified sums of the k-RR pairs for n = {n}"
        raise ResourceLimitError(what=what, needed=f"{about(steps)} steps", limit=f"{LARGEST_WALK:.0e} steps, about half a minute")
    spend(steps, each=1.8, bits=bits, what=f"certified sums of the k-RR pairs for n = {n}")
    s1, s2, edge = _above_band(pair, view, last, bits)
    for D in range(first, last + 1):
        assert cuts is not None
        spend(1, each=_DIAGONAL * bits, bits=bits, what=f"certified sums of the k-RR pairs for n = {n}")
        d1, d2, edge_of_D = _diagonal(pair, view, cuts, D, bits)
        s1, s2, edge = s1 + d1, s2 + d2, edge + edge_of_D
    value = pair.scale * (s1 - E_minus_1 * s2)
    above = value + pair.scale * (E_minus_1 * pair.w * arb(error.numerator) / arb(error.denominator) * edge + view.outside)
    return Evaluation(E, value, pair.scale * s2, max(lower_end(value), Fraction(0)), upper_end(above), bits)


def _band(cuts: Cuts | None, view: Window) -> tuple[int, int, Fraction]:
    """The values of D that need their cuts, first > last if there are none, and by how much those may be off."""
    if cuts is None:
        return 1, 0, Fraction(0)
    (m_low, m_high), (z_low, z_high) = view.m, view.z
    known: Cuts = cuts

    def reached(D: int) -> bool:
        return known.t(D, max(0, -((D - m_low) // 2))) >= z_low

    def passed(D: int) -> bool:
        return known.surely_at_least(z_high, D, max(0, (m_high - D) // 2))

    first, last = _least(reached, m_high), _least(passed, m_high) - 1
    error = known.error(last, m_high) if last >= first else Fraction(0)
    if error * 4 >= 1:
        raise UndecidedError(quantity="cuts of the pair", enclosure=("0", "1"), precision=cuts.bits)
    return first, last, error


def _least(holds: Callable[[int], bool], most: int) -> int:
    """The least D in 1, ..., most for which a condition holds that stays true once it is; most + 1 if there is none."""
    low, high = 1, most + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _diagonal(pair: Pair, view: Window, cuts: Cuts, D: int, bits: int) -> tuple[arb, arb, arb]:
    """Sums over a - b = D: of M H D, of M E[b + L; z <= t], and of M f.

    Downwards in b, G = M H and e = M f: N + 1 for N turns H into H - s f and f into f (N + 1)(1 - s)/(N + 1 - t), twice; t + 1 for t adds
    f (N - t) s/((t + 1)(1 - s)) to H; and M(a - 1, b - 1)/M(a, b) = a b ((1 - 2 r)/r)^2/((N + 1)(N + 2)).
    """
    n, (m_low, m_high), (z_low, z_high) = pair.n, view.m, view.z
    room = cuts.above[0] * D - cuts.above[2] - (z_low << cuts.bits)
    b = min((m_high - D) // 2, room // cuts.above[1])
    least_b = max(0, -((D - m_low) // 2))
    zero = arb(0)
    if b < least_b or room < 0:
        return zero, zero, zero
    R = pair.g + pair.none
    s, rest = pair.g / R, pair.none / R
    odds, up, rest_square = pair.g / pair.none, (R / pair.r) ** 2, rest * rest
    N = n - D - 2 * b
    t = min(cuts.t(D, b), z_high, N)
    e = (log_multinomial(((D + b, pair.r), (b, pair.r), (N, R))) + log_mass(N, t, p=s, rest=rest)).exp()
    G = e * lower_tail_over_mass(N, t, against=1 / odds, bits=bits)
    sum_G, sum_bG, sum_e, sum_Ne = zero, zero, zero, zero
    while True:
        sum_G += G
        sum_bG += G * b
        sum_e += e
        sum_Ne += e * (N - t)
        if b == least_b:
            break
        one = s * e
        G -= one
        G -= one * (N + 1) * rest / (N + 1 - t)
        k = up * (b * (b + D))
        G = G * k / ((N + 1) * (N + 2))
        e = e * k * rest_square / ((N + 1 - t) * (N + 2 - t))
        b -= 1
        N += 2
        target = min(cuts.t(D, b), z_high, N)
        while t < target:
            e = e * odds * (N - t) / (t + 1)
            G += e
            t += 1
    ws = pair.w * s
    s2 = (1 + 2 * (pair.y - ws)) * sum_bG + (pair.y * D + pair.h + ws * (n - D)) * sum_G - ws * sum_Ne
    return sum_G * D, s2, sum_e


def _above_band(pair: Pair, view: Window, last: int, bits: int) -> tuple[arb, arb, arb]:
    """The same sums over all D > last, where every z of the window is in S; their cuts are not rounded, so the third sum is 0.

    Upwards in m, with F and f the CDF and PMF of Bin(m, 1/2) at the largest b: the sum of m - 2 b is (m - b) f, that of b is half of
    m F - (m - b) f.
    """
    n, (m_low, m_high), z_high = pair.n, view.m, view.z[1]
    m, zero = max(m_low, last + 1), arb(0)
    if m > m_high:
        return zero, zero, zero
    spend(m_high - m + 1, each=1.8, bits=bits, what=f"certified sums of the k-RR pairs for n = {n}")
    R = pair.g + pair.none
    s, rest = pair.g / R, pair.none / R
    b, N = (m - last - 1) // 2, n - m
    W = log_mass(n, m, p=2 * pair.r, rest=R).exp()
    f = log_half_mass(m, b).exp()
    F = f * lower_tail_over_mass(m, b, against=1, bits=bits)
    if z_high >= N:
        e, H = zero, arb(1)
    else:
        e = log_mass(N, z_high, p=s, rest=rest).exp()
        H = e * lower_tail_over_mass(N, z_high, against=pair.none / pair.g, bits=bits)
    s1, s2, half, grow, ws = zero, zero, arb(0.5), 2 * pair.r / R, pair.w * s
    while True:
        outer = f * (m - b)
        s1 += W * H * outer
        s2 += W * (((m * F - outer) * half + (pair.y * m + pair.h) * F) * H + F * ws * (N * H - (N - z_high) * e))
        if m == m_high:
            return s1, s2, zero
        F -= f * half
        f = f * half * (m + 1) / (m + 1 - b)
        W = W * grow * N / (m + 1)
        e = e * (N - z_high) / (N * rest)
        H += s * e
        m += 1
        N -= 1
        if (m - last - 1) // 2 > b:
            b += 1
            f = f * (m - b + 1) / b
            F += f
