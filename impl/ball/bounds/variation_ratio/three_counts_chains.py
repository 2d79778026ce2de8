"""The chains of certified sums over three counts: all counts c = a + b of one t = a - b, one after the other, where z varies.

With the line u(t, c) of three_counts.py, X > 0 is z < u(t, c). A chain is all c of one t, c = t, t + 2, ...: from one to the next,
N = n - c falls by 2 and u by 2 slope, so that the mass f and the CDF F of z ~ Bin(N, s) at k, the last integer below u, follow in O(1)
operations where u falls by few:
    F_(N-1)(k - 1) = F_N(k) - f_N(k) (N - k)/N,        F_N(k) = F_(N-1)(k) - s f_(N-1)(k),
and sum over z <= k of z f_N(z) = s (N F_N(k) - (N - k) f_N(k)). The chains whose u lies within the spread of z for some c are few:
about that spread over `reach`, which is about as much as eps sqrt(n). Below them S has nothing. Above them, it has z <= k of the chain at
the front, which moves to the next t as c grows, and b is summed in closed form, with F_c(b)/f_c(b) from one c, and one t, to the next:
    F_(c+2)(b + 1) = F_c(b) + f_c(b) (t - 1)/(4 (b + 1)),        f_(c+2)(b + 1) = f_c(b) (c + 1)(c + 2)/(4 (a + 1)(b + 1)),
    F_c(b - 1) = F_c(b) - f_c(b),        f_c(b - 1) = f_c(b) b/(a + 1).
Nowhere is k beyond the window's cap, so that where u falls by many, only those near the mean of z are gone through.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import NOWHERE, Line, Pair, Window, as_float
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_mass, lower_tail_over_mass, tail_against
from shuffleproof.spec.vocabulary.errors import UndecidedError

_FAR_APART = 300
"""Terms of z, of half a microsecond each, from which on a mass and its tail are computed anew instead."""
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
    """A chain at c: k, the last z below u; u 2^scale from above; G: the mass of (c, b) with z <= k; left: that of z = k, times N - k."""

    c: int
    k: int
    place: int
    left: arb
    G: arb


@dataclass(frozen=True)
class Chains:
    """Holds what the chains of one evaluation share: s, 1 - s, the odds of z and none, ratios of masses, and the line u.

    either: 2 r; of_c, of_none, of_k, of_two: r^2 over those of two draws beside a and b, of none, of z and none, of two z; hidden: w s.
    rise, fall, drop: 2^scale reach from above, 2^scale times slope and shift from below; error: how far u may
    be below what they give.
    """

    pair: Pair
    line: Line
    window: Window
    bits: int
    either: arb
    s: arb
    rest: arb
    odds: arb
    of_c: arb
    of_none: arb
    of_k: arb
    of_two: arb
    over_s: arb
    over_rest: arb
    hidden: arb
    scale: int
    rise: int
    fall: int
    drop: int
    error: Fraction

    @classmethod
    def of(cls, pair: Pair, E_minus_1: arb, window: Window, *, bits: int) -> Chains:
        """Raises UndecidedError where the precision does not place u to within a quarter."""
        scale, line, most = bits + 8, Line.of(pair, E_minus_1), window.c[1] + 1
        reach, slope, shift = (scaled(x, scale) for x in (line.reach, line.slope, line.shift))
        error = Fraction((reach[1] - reach[0] + slope[1] - slope[0] + 1) * most + shift[1] - shift[0], 1 << scale)
        if error * 4 >= 1:
            raise UndecidedError(quantity="thresholds of the pair", enclosure=("0", "1"), precision=bits)
        r, g, none = pair.r, pair.g, pair.none
        other = g + none
        s, rest = g / other, none / other
        return cls(
            pair=pair,
            line=line,
            window=window,
            bits=bits,
            either=2 * r,
            s=s,
            rest=rest,
            odds=g / none,
            of_c=(r / other) ** 2,
            of_none=(r / none) ** 2,
            of_k=r * r / (g * none),
            of_two=(r / g) ** 2,
            over_s=1 / s,
            over_rest=1 / rest,
            hidden=pair.w * s,
            scale=scale,
            rise=reach[1],
            fall=slope[0],
            drop=shift[0],
            error=error,
        )

    def _u(self, t: int, c: int) -> arb:
        return self.line.reach * t - self.line.slope * c - self.line.shift

    def below(self, t: int, first: int, last: int) -> arb:
        """How far below its tilted mean z < u(t, c) is, over first <= c <= last at least: u is linear in c."""
        if all(t * self.rise <= c * self.fall + self.drop for c in (first, last)):
            return NOWHERE
        found = [self.window.tilted_share * (self.pair.n - c) - self._u(t, c) for c in (first, last)]
        return arb(found[0].min(found[1]))

    def above(self, t: int, first: int, last: int) -> arb:
        """How far above it z >= u(t, c) is."""
        if all(self._u(t, c) > self.pair.n - c for c in (first, last)):
            return NOWHERE
        found = [self._u(t, c) - self.window.tilted_share * (self.pair.n - c) for c in (first, last)]
        return arb(found[0].min(found[1]))

    def beyond_cap(self) -> arb:
        """How far above it is what is beyond the cap."""
        window, most = self.window, self.pair.n - self.window.c[0]
        return NOWHERE if window.cap >= most else window.cap + 1 - window.tilted_share * most

    def stop(self, t: int) -> int:
        """The last c at which u is not yet `half` below that mean, where it falls; only a choice."""
        return self._reached(t, self.window.half)

    def full_to(self, t: int, highest: int) -> int:
        """The last c at which u is still `half` above it; only a choice. highest: the last t, beyond which nothing counts as full."""
        falls = as_float(self.line.slope) > self.window.centre
        return self.pair.n if t >= highest else self._reached(t, -self.window.half) if falls else -1

    def _reached(self, t: int, distance: int) -> int:
        """The last c, of t's parity, at which u is above that mean less a distance."""
        n, centre = self.pair.n, self.window.centre
        falling = as_float(self.line.slope) - centre
        over = as_float(self.line.reach * t - self.line.shift) - centre * n + distance
        last = math.floor(min(max(over / falling, -1.0), n)) if falling > 0 else n
        return last - (last + t) % 2

    def begin(self, c: int, chains: Iterable[int]) -> dict[int, State]:
        """The state of chains t <= c at this c."""
        N, found = self.pair.n - c, {}
        places = {t: t * self.rise - c * self.fall - self.drop for t in chains}
        last = {t: self._last(place) for t, place in places.items()}
        binomial = self._binomial(N, sorted({k for k in last.values() if 0 <= k <= N}))
        for t, k in last.items():
            g = (log_mass(self.pair.n, c, p=self.either, rest=self.pair.g + self.pair.none) + log_half_mass(c, (c - t) // 2)).exp()
            f, F = binomial.get(k, (arb(0), arb(0) if k < 0 else arb(1)))
            found[t] = State(c, k, places[t], g * f * (N - k), g * F)
        return found

    def _last(self, place: int) -> int:
        """The last z below u, or the cap."""
        return min((place - 1) >> self.scale, self.window.cap)

    def _binomial(self, N: int, counts: list[int]) -> dict[int, tuple[arb, arb]]:
        """Mass and CDF of Bin(N, s) at these counts, in one pass from the least, or anew where they are far apart."""
        found: dict[int, tuple[arb, arb]] = {}
        k, f, F = -_FAR_APART, arb(0), arb(0)
        for wanted in counts:
            if wanted - k >= _FAR_APART:
                k = wanted
                f = log_mass(N, k, p=self.s, rest=self.rest).exp()
                if (k + 1) * self.rest < (N - k) * self.s:
                    F = f * lower_tail_over_mass(N, k, against=1 / self.odds, bits=self.bits)
                else:  # from the mean on by what is above
                    F = 1 - tail_against(N, k + 1, 1 / self.odds, downward=False, bits=self.bits)
            while k < wanted:
                f = f * self.odds * (N - k) / (k + 1)
                k += 1
                F += f
            found[wanted] = f, F
        return found

    def over_mass(self, c: int, b: int) -> arb:
        """F_c(b)/f_c(b)."""
        return lower_tail_over_mass(c, b, against=1, bits=self.bits)

    def _step(self, t: int, c: int, k: int, following: int, left: arb, G: arb) -> tuple[arb, arb]:
        """Take left and G from c - 2 and k to c and what follows k."""
        if following < 0:
            return arb(0), arb(0)
        N, both = self.pair.n - c + 2, (c * c - t * t) // 4  # (a + 1)(b + 1), before
        moved, whole = left / both, G * (N * (N - 1)) / both
        if (fallen := k - following) == 1:
            return moved * (k * (N - k - 1)) * self.of_k, (whole - moved * (N - 1 - k * self.over_rest)) * self.of_c
        if fallen == 0:
            rest = N - 1 - k
            return moved * (rest * (rest - 1)) * self.of_none, (whole + moved * self.odds * (N - 1 + rest * self.over_rest)) * self.of_c
        if fallen > 2 and (k >= N or fallen > _FAR_APART):  # k >= N: all z, now perhaps without some
            state = self.begin(c, [t])[t]
            return state.left, state.G
        G = (whole - moved * (N - 1 + k * self.over_s)) * self.of_c
        left = moved * (k * (k - 1)) * self.of_two
        for last in range(k - 2, following, -1):
            f = left / (N - 2 - last)
            left = f * last / self.odds
            G -= f
        return left, G

    def chain(self, total: Sums, t: int, stop: int, state: State) -> None:
        """Add the c of a chain up to `stop`, or until u falls below 0."""
        c, k, left, G = state.c, state.k, state.left, state.G
        sum_G, sum_bG, sum_left = arb(0), arb(0), arb(0)
        b, place, fall, shift, cap, step = (c - t) // 2, state.place - 1, 2 * self.fall, self.scale, self.window.cap, self._step
        while k >= 0:
            sum_G += G
            sum_bG += G * b
            sum_left += left
            b += 1
            c += 2
            if c > stop:
                break
            place -= fall
            before, k = k, place >> shift
            if k > cap:
                k = cap
            left, G = step(t, c, before, k, left, G)
        total.s1 += t * sum_G
        total.s2 += sum_bG + self._sum_of_L(t * sum_G + 2 * sum_bG, sum_G, sum_left)
        total.doubtful += sum_G

    def _sum_of_L(self, sum_cG: arb, sum_G: arb, sum_left: arb) -> arb:
        """The sum of L, from those of c G, of G and of `left`."""
        pair = self.pair
        return pair.y * sum_cG + pair.h * sum_G + self.hidden * (pair.n * sum_G - sum_cG - sum_left)

    def front(self, total: Sums, t: int, until: int, state: State, ratio: arb) -> tuple[State, arb]:
        """The same with all t beyond it, z as far as on it, and what is next; ratio: F_c(b)/f_c(b)."""
        c, k, place, left, G = state.c, state.k, state.place, state.left, state.G
        while c <= until:
            a, b = (c + t) // 2, (c - t) // 2
            total.s1 += a * G
            total.s2 += (c * ratio - a) / 2 * G + ratio * self._sum_of_L(c * G, G, left)
            total.doubtful += ratio * G
            ratio = (ratio * (4 * (b + 1)) + (t - 1)) * (a + 1) / ((c + 1) * (c + 2))
            place -= 2 * self.fall
            following = self._last(place)
            c += 2
            left, G = self._step(t, c, k, following, left, G)
            k = following
        return State(c, k, place, left, G), ratio

    def raised(self, t: int, state: State, ratio: arb) -> tuple[State, arb]:
        """The state and the ratio at the same c of the next chain, t + 2 <= c."""
        a, b, N = (state.c + t) // 2, (state.c - t) // 2, self.pair.n - state.c
        ratio = (ratio - 1) * (a + 1) / b
        if ratio.rel_accuracy_bits() < self.bits - _CANCELLED:
            ratio = self.over_mass(state.c, b - 1)
        place = state.place + 2 * self.rise
        last = self._last(place)
        if state.k < 0 or last - state.k > _FAR_APART:  # where there is nothing to begin with, and where it is far away
            return self.begin(state.c, [t + 2])[t + 2], ratio
        k, left, G = state.k, state.left * b / (a + 1), state.G * b / (a + 1)
        while k < min(last, N):
            k += 1
            h = left * self.odds / k
            left = h * (N - k)
            G += h
        return State(state.c, last, place, left, G), ratio


def scaled(x: arb, scale: int) -> tuple[int, int]:
    """Integers around x 2^scale."""
    low, high = lower_end(x), upper_end(x)
    return math.floor(low * 2**scale), math.ceil(high * 2**scale)
