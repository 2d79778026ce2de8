"""The chains of the optimal pair's certified sums: all counts c of one t = a - b, one after the other, where d varies.

With D, E, x and the events of optimal_pair_sums.py:
X > 0 is d < u(t, c) = t/(2 kappa) - (1 + x)/2 c, kappa = (E - 1)/D. A chain is all c of one t, c = t, t + 2, ...: from one to
the next, N = n - c falls by 2 and u by 1 + x in [1, 2), so that the mass f and the CDF F of d ~ Bin(N, s) at k, the last integer below u,
follow in O(1) operations:
    F_(N-1)(k - 1) = F_N(k) - f_N(k) (N - k)/N,        F_N(k) = F_(N-1)(k) - s f_(N-1)(k),
and sum over d <= k of d f_N(d) = s (N F_N(k) - (N - k) f_N(k)). The chains whose u lies within the spread of d for some c are few:
about kappa times that spread, which is about as much as eps sqrt(n). Below them S has nothing. Above them, it has d <= k of the chain at
the front, which moves to the next t as c grows, and b is summed in closed form, with F_c(b)/f_c(b) from one c, and one t, to the next:
    F_(c+2)(b + 1) = F_c(b) + f_c(b) (t - 1)/(4 (b + 1)),        f_(c+2)(b + 1) = f_c(b) (c + 1)(c + 2)/(4 (a + 1)(b + 1)),
    F_c(b - 1) = F_c(b) - f_c(b),        f_c(b - 1) = f_c(b) b/(a + 1).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_window import NOWHERE, Masses, Order, Window
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_mass, lower_tail_over_mass
from shuffleproof.spec.vocabulary.errors import UndecidedError

_CANCELLED = 24
"""Bits of F/f that may be lost on the way before it is computed anew."""


@dataclass
class Sums:
    """S1, S2, and the sum of the masses at which S may have an X < 0, or lack an X > 0, times how far: see `evaluate`."""

    s1: arb
    s2: arb
    doubtful: arb


@dataclass(frozen=True)
class State:
    """A chain at c: k, the last d below u; u 2^scale from above; G: the mass of (c, b) with d <= k; left: that of d = k, times N - k."""

    c: int
    k: int
    place: int
    left: arb
    G: arb


@dataclass(frozen=True)
class Chains:
    """Holds what the chains of one evaluation share: s, 1 - s, the ratios of masses, and u(t, c) = t/(2 kappa) - (1 + x)/2 c.

    rise, fall: 2^scale/(2 kappa) from above, 2^scale (1 + x)/2 from below; error: how far u may be below what they give.
    """

    n: int
    window: Window
    bits: int
    either: arb
    s: arb
    rest: arb
    of_c: arb
    of_k: arb
    of_two: arb
    of_d: arb
    over_s: arb
    over_rest: arb
    slope: arb
    reach: arb
    scale: int
    rise: int
    fall: int
    error: Fraction

    @classmethod
    def of(cls, n: int, masses: Masses, order: Order, window: Window, *, bits: int) -> Chains:
        """Raises UndecidedError where the precision does not place u to within a quarter."""
        scale, slope, reach = bits + 8, (1 + masses.x) / 2, 1 / (2 * order.kappa)
        low, high = scaled(reach, scale)
        error = Fraction((high - low + 1) * (window.c[1] + 1), 1 << scale)
        if error * 4 >= 1:
            raise UndecidedError(quantity="thresholds of the optimal pair", enclosure=("0", "1"), precision=bits)
        r, other = masses.either / 2, masses.d + masses.none
        s, rest = ball(masses.share), ball(masses.none / other)
        return cls(
            n=n,
            window=window,
            bits=bits,
            either=ball(masses.either),
            s=s,
            rest=rest,
            of_c=ball((r / other) ** 2),
            of_k=ball(r * r / (masses.d * masses.none)),
            of_two=ball((r / masses.d) ** 2),
            of_d=s,
            over_s=1 / s,
            over_rest=1 / rest,
            slope=ball(slope),
            reach=reach,
            scale=scale,
            rise=high,
            fall=math.floor(slope * (1 << scale)),
            error=error,
        )

    def below(self, t: int, first: int, last: int) -> arb:
        """How far below its tilted mean d < u(t, c) is, over first <= c <= last at least: u is linear in c."""
        if all(t * self.rise <= c * self.fall for c in (first, last)):
            return NOWHERE
        found = [self.window.tilted_share * (self.n - c) - (t * self.reach - self.slope * c) for c in (first, last)]
        return arb(found[0].min(found[1]))

    def above(self, t: int, first: int, last: int) -> arb:
        """How far above it d >= u(t, c) is."""
        found = [t * self.reach - self.slope * c for c in (first, last)]
        if all(u > self.n - c for u, c in zip(found, (first, last), strict=True)):
            return NOWHERE
        found = [u - self.window.tilted_share * (self.n - c) for u, c in zip(found, (first, last), strict=True)]
        return arb(found[0].min(found[1]))

    def stop(self, t: int) -> int:
        """The last c at which u is not yet `half` below that mean, where it falls; only a choice."""
        return self._reached(t, self.window.half)

    def full_to(self, t: int, highest: int) -> int:
        """The last c at which u is still `half` above it; only a choice. highest: the last t, beyond which nothing counts as full."""
        return self.n if t >= highest else self._reached(t, -self.window.half) if self._line[1] > 0 else -1

    @cached_property
    def _line(self) -> tuple[float, float, float]:
        """u less that mean is about the first times t, less the second times c, less the third."""
        centre, slope = float(self.window.centre), float(self.slope.mid())
        return float(self.reach.mid()), slope - centre, centre * self.n

    def _reached(self, t: int, distance: int) -> int:
        """The last c, of t's parity, at which u is above that mean less a distance."""
        rising, falling, mean = self._line
        last = math.floor(min(max((t * rising - mean + distance) / falling, -1.0), self.n)) if falling > 0 else self.n
        return last - (last + t) % 2

    def begin(self, c: int, chains: Iterable[int]) -> dict[int, State]:
        """The state of chains t <= c at this c."""
        N, found = self.n - c, {}
        places = {t: t * self.rise - c * self.fall for t in chains}
        last = {t: (place - 1) >> self.scale for t, place in places.items()}
        law = self._binomial(N, sorted({k for k in last.values() if 0 <= k <= N}))
        for t, k in last.items():
            g = (log_mass(self.n, c, p=self.either, rest=1 - self.either) + log_half_mass(c, (c - t) // 2)).exp()
            f, F = law.get(k, (arb(0), arb(0) if k < 0 else arb(1)))
            found[t] = State(c, k, places[t], g * f * (N - k), g * F)
        return found

    def _binomial(self, N: int, counts: list[int]) -> dict[int, tuple[arb, arb]]:
        """Mass and CDF of Bin(N, s) at these counts, in one pass from the least."""
        if not counts:
            return {}
        k = counts[0]
        f = log_mass(N, k, p=self.s, rest=self.rest).exp()
        F = f * lower_tail_over_mass(N, k, against=self.rest / self.s, bits=self.bits)
        odds, found = self.s / self.rest, {}
        for wanted in counts:
            while k < wanted:
                f = f * odds * (N - k) / (k + 1)
                k += 1
                F += f
            found[wanted] = f, F
        return found

    def over_mass(self, c: int, b: int) -> arb:
        """F_c(b)/f_c(b)."""
        return lower_tail_over_mass(c, b, against=1, bits=self.bits)

    def chain(self, total: Sums, t: int, stop: int, state: State) -> None:
        """Add the c of a chain up to `stop`, or until u falls below 0."""
        c, k, place, left, G = state.c, state.k, state.place, state.left, state.G
        n, shift, step = self.n, self.scale, 2 * self.fall
        of_c, of_k, of_two, over_s, over_rest = self.of_c, self.of_k, self.of_two, self.over_s, self.over_rest
        both, more, N = (c + t + 2) * (c - t + 2) // 4, c + 3, n - c  # (a + 1)(b + 1), and how much that grows
        sum_G = arb(0)
        sums_of_G = arb(0)
        sum_left = arb(0)
        count = 0
        place -= 1
        while k >= 0:
            count += 1
            sum_G += G
            sums_of_G += sum_G
            sum_left += left
            c += 2
            if c > stop:
                break
            place -= step
            moved = left / both
            if place >> shift == k - 1:
                G = (G * (N * (N - 1)) / both - moved * (N - 1 - k * over_rest)) * of_c
                left = moved * (k * (N - k - 1)) * of_k
                k -= 1
            else:
                G = (G * (N * (N - 1)) / both - moved * (N - 1 + k * over_s)) * of_c
                left = moved * (k * (k - 1)) * of_two
                k -= 2
            N -= 2
            both += more
            more += 2
        sum_c = state.c * sum_G + 2 * (count * sum_G - sums_of_G)
        total.s1 += t * sum_G
        total.s2 += self.slope * sum_c + self.of_d * (n * sum_G - sum_c - sum_left)
        total.doubtful += sum_G

    def front(self, total: Sums, t: int, until: int, state: State, ratio: arb) -> tuple[State, arb]:
        """The same with all t beyond it, d as far as on it, and what is next; ratio: F_c(b)/f_c(b)."""
        c, k, place, left, G = state.c, state.k, state.place, state.left, state.G
        while c <= until:
            a, b, N = (c + t) // 2, (c - t) // 2, self.n - c
            total.s1 += a * G
            total.s2 += ratio * (self.slope * c * G + self.of_d * (N * G - left))
            total.doubtful += G
            both = (a + 1) * (b + 1)
            ratio = (ratio * (4 * (b + 1)) + (t - 1)) * (a + 1) / ((c + 1) * (c + 2))
            place -= 2 * self.fall
            moved = left / both
            if (place - 1) >> self.scale == k - 1:
                G = (G * (N * (N - 1)) / both - moved * (N - 1 - k * self.over_rest)) * self.of_c
                left = moved * (k * (N - k - 1)) * self.of_k
                k -= 1
            else:
                G = (G * (N * (N - 1)) / both - moved * (N - 1 + k * self.over_s)) * self.of_c
                left = moved * (k * (k - 1)) * self.of_two
                k -= 2
            c += 2
        return State(c, k, place, left, G), ratio

    def raised(self, t: int, state: State, ratio: arb) -> tuple[State, arb]:
        """The state and the ratio at the same c of the next chain, t + 2 <= c."""
        a, b, N = (state.c + t) // 2, (state.c - t) // 2, self.n - state.c
        ratio = (ratio - 1) * (a + 1) / b
        if ratio.rel_accuracy_bits() < self.bits - _CANCELLED:
            ratio = self.over_mass(state.c, b - 1)
        if state.k < 0:  # where there is nothing to begin with
            return self.begin(state.c, [t + 2])[t + 2], ratio
        k, left, G = state.k, state.left * b / (a + 1), state.G * b / (a + 1)
        place, odds = state.place + 2 * self.rise, self.of_d * self.over_rest
        last = (place - 1) >> self.scale
        while k < min(last, N):
            k += 1
            h = left * odds / k
            left = h * (N - k)
            G += h
        return State(state.c, last, place, left, G), ratio


def scaled(x: arb, scale: int) -> tuple[int, int]:
    """Integers around x 2^scale."""
    low, high = lower_end(x), upper_end(x)
    return math.floor(low * 2**scale), math.ceil(high * 2**scale)
