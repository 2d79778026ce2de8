"""Certified sums for the optimal pair at one epsilon, over the counts of n draws from (r, r, rho/q, none): a, b, c = a + b, d.

With x = 1/p (0 for infinite p), E = e^eps < p, M the multinomial mass, t = a - b and w = (1 + x)/2 c + d, BEYOND.LemL5 gives
    delta = (q/n) E[X_+],   X = a (1 - E x) + b (x - E) - d (E - 1) = D t/2 - (E - 1) w,   D = (1 - x)(1 + E),
and for an event S, with S1 = E[t; S] and S2 = E[w; S],
    P(S) = (q/n) (S2 + (1 - x)/2 S1),   Q(S) = (q/n) (S2 - (1 - x)/2 S1),   P(S) - E Q(S) = (q/n) E[X; S].
*Any* event S gives a lower bound. The upper side adds what S leaves out of X > 0, and what it takes in of X < 0.

Where d does not vary given c (its share s of the draws that are not c is 0 or 1), or does not count (E = 1), X > 0 is b < tau_c, linear
in c: one walk over c, with f and F the PMF and CDF of Bin(c, 1/2) at floor(tau_c), as b f(b) sums to c/2 F - (c - t)/2 f.

Otherwise X > 0 is d < u(t, c) = t/(2 kappa) - (1 + x)/2 c, kappa = (E - 1)/D. A chain is all c of one t, c = t, t + 2, ...: from one to
the next, N = n - c falls by 2 and u by 1 + x in [1, 2), so that the mass f and the CDF F of d ~ Bin(N, s) at k, the last integer below u,
follow in O(1) operations:
    F_(N-1)(k - 1) = F_N(k) - f_N(k) (N - k)/N,        F_N(k) = F_(N-1)(k) - s f_(N-1)(k),
and sum over d <= k of d f_N(d) = s (N F_N(k) - (N - k) f_N(k)). The chains whose u lies within the spread of d for some c are few:
about kappa times that spread, which is about as much as eps sqrt(n). Below them S has nothing. Above them, it has d <= k of the chain at
the front, which moves to the next t as c grows, and b is summed in closed form, with F_c(b)/f_c(b) from one c, and one t, to the next:
    F_(c+2)(b + 1) = F_c(b) + f_c(b) (t - 1)/(4 (b + 1)),        f_(c+2)(b + 1) = f_c(b) (c + 1)(c + 2)/(4 (a + 1)(b + 1)),
    F_c(b - 1) = F_c(b) - f_c(b),        f_c(b - 1) = f_c(b) b/(a + 1).

Thresholds are taken from above, to within err: S has at most one d with X < 0 for each c and t, X >= -D kappa err, of a mass of at most
f <= F. In one walk over c a threshold off by err < 1/4 misses, or adds, one b with |tau - b| <= err, and f(t + 1) <= f(t) (c - t).

Window. X_+ <= e^(theta X)/(e theta) for every theta > 0, so whatever a set holds contributes at most (q/(n e theta)) Z^n times its
probability under the multinomial tilted by e^(theta X), Z its normalisation. Left out is c outside a range, with Pr(Bin(n, y) beyond k) <=
exp(-n KL(k/n || y)); and, given c, d further than h from its tilted mean, with Bernstein's exp(-h^2/(2 (v + h/3))), v the variance. theta,
near the saddle point, the range and h are choices.

Cost: about 2 microseconds for each c of each chain, O(sqrt(n digits)) for each chain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, expm1_of, lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_mass, lower_tail_over_mass
from shuffleproof.impl.ball.numeric.budget import one_answer, spend
from shuffleproof.impl.ball.numeric.evaluation import Evaluation
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WINDOW = 2_500_000
"""Steps over the counts at most: about a quarter of a minute at 15 digits."""
_EACH = 1.4
"""Units of work of a step."""
_EVALUATIONS = 2.9
"""Of the size of the last one, in a search: a rough one, one at the root, and one just above it."""
_CANCELLED = 24
"""Bits of F/f that may be lost on the way before it is computed anew."""
_BITS_OF_FLOATS = 30
"""Bits, beyond those of n, of the first terms of sums that go on in floats."""
_NOWHERE = arb(2) ** 1000
"""A distance at which there is nothing."""


@dataclass(frozen=True)
class Masses:
    """The pair at exact parameters: x = 1/p (0: infinite p), q, and for one of n draws the masses 2r of a or b, d, none."""

    x: Fraction
    q: Fraction
    either: Fraction
    d: Fraction
    none: Fraction

    @classmethod
    def of(cls, *, x: Fraction, beta: Fraction, q: Fraction) -> Masses:
        """For 0 <= x < 1 and a beta that is clipped and positive."""
        p_alpha = beta / (1 - x)
        rho = 1 - p_alpha * (1 + x)
        return cls(x, q, 2 * p_alpha / q, rho / q, 1 - (1 + beta) / q)

    @property
    def floats(self) -> tuple[float, float, float, float]:
        """Return the masses of a, b, d and none, about."""
        return float(self.either) / 2, float(self.either) / 2, float(self.d), float(self.none)

    @property
    def share(self) -> Fraction:
        """s: of the draws that are not a or b, those of d; 0 where there are none."""
        return self.d / (self.d + self.none) if self.d else Fraction(0)


@dataclass(frozen=True)
class Order:
    """Holds what depends on E: the values A = 1 - E x > 0 of a, B = x - E of b, -(E - 1) of d; D, sigma = A/D, kappa as above."""

    E: arb
    E_minus_1: arb
    A: arb
    B: arb
    D: arb
    sigma: arb
    kappa: arb

    @classmethod
    def at(cls, x: Fraction, epsilon: Epsilon) -> Order:
        """For 1 <= E < p. Raises UndecidedError if the precision does not separate E from p."""
        E, E_minus_1 = exp_of(epsilon), expm1_of(epsilon)
        A = 1 - ball(x) * E
        if not A > 0:
            raise UndecidedError(quantity="p - e^eps", enclosure=("0", "?"), precision=0)
        D = ball(1 - x) * (1 + E)
        return cls(E, E_minus_1, A, ball(x) - E, D, A / D, E_minus_1 / D)


@dataclass(frozen=True)
class Window:
    """The range of c, ends included, and, where d varies, those of chains and what d has given c under the tilted distribution.

    outside: a certified bound on what c outside the range contributes; scale: of what a set contributes at most, over its tilted
    probability; chains: the first and the last t; half: how far d is followed from its tilted mean, centre N.
    """

    c: tuple[int, int]
    outside: arb
    scale: arb
    chains: tuple[int, int] | None
    centre: Fraction
    half: int
    tilted_share: arb

    def left_out(self, distance: arb, n: int) -> arb:
        """Return what d contributes at most that is so far from its tilted mean, given any c of the range: by Bernstein's inequality."""
        if not distance > 0:
            return self.scale
        if distance == _NOWHERE:
            return arb(0)
        variance = (n - self.c[0]) * self.tilted_share * (1 - self.tilted_share)
        return self.scale * (-(distance**2) / (2 * (variance + distance / 3))).exp()

    @property
    def steps(self) -> int:
        """About how many c of chains there are."""
        wide = self.c[1] - self.c[0] + 1
        return wide if self.chains is None else wide * (self.chains[1] - self.chains[0] + 1) // 2


Real = Any
"""A ball; or a float, in sums that steer and prove nothing."""


@dataclass
class _Sums:
    """S1, S2, and the sum of the masses at which S may have an X < 0, or lack an X > 0, times how far: see `evaluate`."""

    s1: Real
    s2: Real
    doubtful: Real


def evaluate(*, n: int, masses: Masses, epsilon: Epsilon, bits: int, spread: float) -> Evaluation:
    """Enclosure of the pair's profile at epsilon with e^epsilon < p, with working precision `bits` (the caller sets it)."""
    order = Order.at(masses.x, epsilon)
    window = affordable_window(n, masses, order, spread=spread)
    spend(window.steps, each=_EACH, bits=bits, what=f"certified sums of the optimal pair for n = {n}")
    if window.chains is None:
        sums, outside = _one_walk(n, masses, order, window, bits=bits), arb(0)
    else:
        sums, outside = _by_chains(_Law.of(n, masses, order, window, bits=bits), order)
    scale = ball(masses.q / n)
    value = scale * (order.D / 2 * sums.s1 - order.E_minus_1 * sums.s2)
    in_q = scale * (sums.s2 - ball((1 - masses.x) / 2) * sums.s1)
    above = value + scale * order.D * sums.doubtful + window.outside + outside
    return Evaluation(order.E, value, in_q, max(lower_end(value), Fraction(0)), upper_end(above), bits)


def in_floats(*, n: int, masses: Masses, epsilon: Epsilon, spread: float, shift: int) -> tuple[float, float] | None:
    """About ln delta, near -shift, and -d ln delta/d epsilon, by the same sums in floats; None where there are no chains."""
    order = Order.at(masses.x, epsilon)
    window = affordable_window(n, masses, order, spread=spread)
    if window.chains is None:
        return None
    sums, _ = _by_chains(_Law.of(n, masses, order, window, bits=_BITS_OF_FLOATS + n.bit_length()).in_floats(shift), order)
    x, E_minus_1 = float(masses.x), float(order.E_minus_1.mid())
    value, in_q = float(order.D.mid()) / 2 * sums.s1 - E_minus_1 * sums.s2, sums.s2 - (1 - x) / 2 * sums.s1
    return math.log(value * float(masses.q) / n) - shift, (1 + E_minus_1) * in_q / value


def affordable_window(n: int, masses: Masses, order: Order, *, spread: float) -> Window:
    """The window of an evaluation. Raises ResourceLimitError if it is too large."""
    found = window_of(n, masses, order, spread=spread)
    if found.steps > LARGEST_WINDOW:
        what = f"certified sums of the optimal pair for n = {n}"
        raise ResourceLimitError(
            what=what, needed=f"{about(found.steps)} steps", limit=f"{LARGEST_WINDOW:.0e} steps, about a quarter of a minute"
        )
    return found


def affordable_search(n: int, masses: Masses, order: Order, *, spread: float) -> None:
    """Raises ResourceLimitError where a search whose last evaluation has this order and spread would take too much; nothing is begun."""
    steps = affordable_window(n, masses, order, spread=spread).steps
    with one_answer():
        spend(_EVALUATIONS * steps, each=_EACH, bits=0, what=f"a search by certified sums of the optimal pair for n = {n}")


def window_of(n: int, masses: Masses, order: Order, *, spread: float) -> Window:
    """Where the tilted multinomial has all but about e^-spread of its mass. Raises UndecidedError where the precision does not say."""
    values = tuple(float(value.mid()) for value in (order.A, order.B, -order.E_minus_1))
    theta = ball(Fraction(saddle(n, masses, values)))
    either = ball(masses.either / 2) * ((theta * order.A).exp() + (theta * order.B).exp())
    d = ball(masses.d) * (-theta * order.E_minus_1).exp()
    none = ball(masses.none)
    Z = either + d + none
    if not (either / Z).is_finite():  # A is known too roughly for theta A
        raise UndecidedError(quantity="p - e^eps", enclosure=("0", "?"), precision=0)
    scale = ball(masses.q) / (n * arb(1).exp() * theta) * (n * Z.log()).exp()
    low, high, tails = n, n, arb(0)
    if masses.either != 1:
        share, p = (either / Z, (d + none) / Z), min(max(float((either / Z).mid()), 0.0), 1.0)
        half = math.sqrt(2 * spread * n * p * (1 - p)) + spread
        low, high = max(0, math.floor(n * p - half)), min(n, math.ceil(n * p + half))
        tails = (_chernoff(n, low - 1, *share) if low > 0 else arb(0)) + (_chernoff(n, high + 1, *share) if high < n else arb(0))
    if masses.share in (0, 1) or order.E_minus_1 == 0:
        return Window((low, high), scale * tails, scale, None, masses.share, 0, arb(0))
    tilted_share = d / (d + none)
    centre = Fraction(min(max(float(tilted_share.mid()), 0.0), 1.0))
    variance = (n - low) * float(centre) * (1 - float(centre))
    half_d = math.ceil(spread / 3 + math.sqrt((spread / 3) ** 2 + 2 * spread * variance))
    twice_kappa, mean_c = 2 * Fraction(float(order.kappa.mid())), (1 + masses.x) / 2
    lines = [mean_c * c + centre * (n - c) for c in (low, high)]  # u(t, c) is at the tilted mean of d where t is 2 kappa times this
    first, last = math.floor(twice_kappa * (min(lines) - half_d)), math.ceil(twice_kappa * (max(lines) + half_d)) + 1
    return Window((low, high), scale * tails, scale, (max(first, 1), min(max(last, 1), high)), centre, half_d, tilted_share)


def tilted(theta: float, masses: Masses, values: tuple[float, ...]) -> list[float]:
    """The masses of a, b, d and none times e^(theta value), for the values of a, b, d."""
    return _tilted(theta, masses.floats, (*values, 0.0))


def _tilted(theta: float, weights: tuple[float, ...], values: tuple[float, ...]) -> list[float]:
    return [w * math.exp(min(theta * v, 600.0)) for v, w in zip(values, weights, strict=True)]


def saddle(n: int, masses: Masses, values: tuple[float, ...]) -> float:
    """About the minimum of n ln Z(theta) - ln theta over theta > 0, for the values of a, b, d; only a choice."""
    untilted, all_values = masses.floats, (*values, 0.0)
    low, high = -80.0, 690.0
    for _ in range(50):
        middle = (low + high) / 2
        theta = math.exp(middle)
        weights = _tilted(theta, untilted, all_values)
        slope = n * theta * sum(map(mul, all_values, weights)) / max(sum(weights), 1e-300) - 1
        low, high = (middle, high) if slope < 0 else (low, middle)
    return min(math.exp(low), 500.0 / max(values[0], 1e-300))


def _chernoff(n: int, k: int, share: arb, rest: arb) -> arb:
    """Pr(Bin(n, share) at k or further away from its mean) <= exp(-n KL(k/n || share)); 1 where k is not surely off the mean."""
    y = ball(Fraction(k, n))
    if not (share < y or share > y):
        return arb(1)
    kl = (y * (y / share).log() if k > 0 else arb(0)) + ((1 - y) * ((1 - y) / rest).log() if k < n else arb(0))
    return arb((-n * kl).exp())


def _one_walk(n: int, masses: Masses, order: Order, window: Window, *, bits: int) -> _Sums:
    """S1 and S2 where X > 0 is b < tau_c = (sigma + kappa s) c - kappa s n, with d at its mean s (n - c).

    c walks upwards with g = Pr(c) f_c(t) and G = Pr(c) F_c(t), as in clones_sums: Pr(c + 1)/Pr(c) = odds (n - c)/(c + 1).
    """
    s, scale = masses.share, bits + (n + 1).bit_length() + 8
    steep = ball(s) * order.kappa
    slope, shift = _scaled(order.sigma + steep, scale), _scaled(steep * n, scale)
    error = Fraction((slope[1] - slope[0]) * (n + 1) + shift[1] - shift[0], 1 << scale)
    if error * 4 >= 1:
        raise UndecidedError(quantity="thresholds of the optimal pair", enclosure=("0", "1"), precision=bits)
    # The first c whose threshold may not be negative.
    low, high = max(window.c[0], 1, -(-shift[0] // slope[1])), window.c[1]
    if low > high:
        return _Sums(arb(0), arb(0), arb(0))
    position = low * slope[0] - shift[1]
    t = max(position >> scale, 0)
    g = (log_mass(n, low, p=ball(masses.either), rest=ball(1 - masses.either)) + log_half_mass(low, t)).exp()
    G = g * lower_tail_over_mass(low, t, against=1, bits=bits)
    s1, of_c, total, half = arb(0), arb(0), arb(0), arb(0.5)
    odds = ball(masses.either / (1 - masses.either)) if masses.either < 1 else arb(0)
    for c in range(low, high):
        s1 += g * (c - t)
        of_c += G * c
        total += G
        k = odds * (n - c)
        G = (G - g * half) * k / (c + 1)
        position += slope[0]
        if position >> scale > t:
            t += 1
            g = g * k / (2 * t)
            G += g
        else:
            g = g * k / (2 * (c + 1 - t))
    s1 += g * (high - t)
    of_c += G * high
    total += G
    return _Sums(s1, ball((1 + masses.x) / 2 - s) * of_c + ball(s) * n * total, ball(error) * s1)


def _by_chains(law: _Law, order: Order) -> tuple[_Sums, arb]:
    """S1 and S2 where d varies, and a bound on what S leaves out of c's range: d beyond the front, or where a chain has ended.

    For each parity the front is the last chain that there is at a c, or the first on which d is all but surely below u: it moves to the
    next t as c grows, and what was the front goes on as a chain.
    """
    window, total = law.window, _Sums(0, 0, 0)
    assert window.chains is not None
    below, above = _NOWHERE, _NOWHERE  # how far from its tilted mean d is left out
    first, last = window.chains
    for parity in (0, 1):  # t = a - b and c = a + b are both even or both odd
        # The chains t = lowest, lowest + 2, ..., highest of this parity, and the counts c = start, ..., end. Chains below the lowest are
        # not summed: how far their d would be from its mean bounds what they add.
        end = window.c[1] - (window.c[1] + parity) % 2
        lowest, highest = first + (first + parity) % 2, last - (last + parity) % 2
        start = window.c[0] + (window.c[0] + parity) % 2
        if lowest > 2 and start <= end:
            below = below.min(law.below(lowest - 2, start, end))
        c = max(start, lowest)
        if c > end:
            continue
        # At the first c all chains up to the front t begin, each up to the c at which it stops; from there on it is left out, too.
        t = lowest
        while t < min(highest, c) and law.full_to(t, highest) < c:
            t += 2
        stops = {other: law.stop(other) for other in range(lowest, t, 2)}
        begun = law.begin(c, [*(other for other, stop in stops.items() if stop >= c), t])
        state, ratio = begun.pop(t), law.over_mass(c, (c - t) // 2)
        for other, its in begun.items():
            law.chain(total, other, min(stops[other], end), its)
        for other, stop in stops.items():
            if (gone := max(stop + 2, c)) <= end:
                below = below.min(law.below(other, gone, end))
        # The front is summed with all chains above it, until it reaches the next t; what d beyond it adds is bounded. Then it goes on
        # as a chain, which may stop before the end, and t + 2 is the front.
        while True:
            until = end if t >= highest else min(max(t, law.full_to(t, highest)), end)
            if until >= (begins := max(state.c, t + 2)):
                above = above.min(law.above(t, begins, until))
            state, ratio = law.front(total, t, until, state, ratio)
            if state.c > end:
                break
            if (stop := law.stop(t)) >= state.c:
                law.chain(total, t, min(stop, end), state)
            if (gone := max(stop + 2, state.c)) <= end:
                below = below.min(law.below(t, gone, end))
            state, ratio = law.raised(t, state, ratio)
            t += 2
    total.doubtful = ball(law.error) * order.kappa * total.doubtful
    return total, window.left_out(below, law.n) + window.left_out(above, law.n)


@dataclass(frozen=True)
class _State:
    """A chain at c: k, the last d below u; u 2^scale from above; G: the mass of (c, b) with d <= k; left: that of d = k, times N - k."""

    c: int
    k: int
    place: int
    left: Real
    G: Real


@dataclass(frozen=True)
class _Law:
    """Holds what the chains of one evaluation share: s, 1 - s, the ratios of masses, and u(t, c) = t/(2 kappa) - (1 + x)/2 c.

    rise, fall: 2^scale/(2 kappa) from above, 2^scale (1 + x)/2 from below; error: how far u may be below what they give. shift: see
    `in_floats`.
    """

    n: int
    window: Window
    bits: int
    either: arb
    s: arb
    rest: arb
    of_c: Real
    of_k: Real
    of_two: Real
    of_d: Real
    over_s: Real
    over_rest: Real
    slope: Real
    reach: arb
    scale: int
    rise: int
    fall: int
    error: Fraction
    shift: int | None = None

    @classmethod
    def of(cls, n: int, masses: Masses, order: Order, window: Window, *, bits: int) -> _Law:
        """Raises UndecidedError where the precision does not place u to within a quarter."""
        scale, slope, reach = bits + 8, (1 + masses.x) / 2, 1 / (2 * order.kappa)
        low, high = _scaled(reach, scale)
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

    def in_floats(self, shift: int) -> _Law:
        """The same in floats, with every mass times e^shift."""
        told = ("of_c", "of_k", "of_two", "of_d", "over_s", "over_rest", "slope")
        floats: dict[str, Real] = {name: float(getattr(self, name).mid()) for name in told}
        return replace(self, shift=shift, **floats)

    def below(self, t: int, first: int, last: int) -> arb:
        """How far below its tilted mean d < u(t, c) is, over first <= c <= last at least: u is linear in c."""
        if self.shift is not None or all(t * self.rise <= c * self.fall for c in (first, last)):
            return _NOWHERE
        found = [self.window.tilted_share * (self.n - c) - (t * self.reach - self.slope * c) for c in (first, last)]
        return arb(found[0].min(found[1]))

    def above(self, t: int, first: int, last: int) -> arb:
        """How far above it d >= u(t, c) is."""
        if self.shift is not None:
            return _NOWHERE
        found = [t * self.reach - self.slope * c for c in (first, last)]
        if all(u > self.n - c for u, c in zip(found, (first, last), strict=True)):
            return _NOWHERE
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
        centre, slope = float(self.window.centre), self.slope if self.shift is not None else float(self.slope.mid())
        return float(self.reach.mid()), slope - centre, centre * self.n

    def _reached(self, t: int, distance: int) -> int:
        """The last c, of t's parity, at which u is above that mean less a distance."""
        rising, falling, mean = self._line
        last = math.floor(min(max((t * rising - mean + distance) / falling, -1.0), self.n)) if falling > 0 else self.n
        return last - (last + t) % 2

    def begin(self, c: int, chains: Iterable[int]) -> dict[int, _State]:
        """The state of chains t <= c at this c."""
        N, found = self.n - c, {}
        places = {t: t * self.rise - c * self.fall for t in chains}
        last = {t: (place - 1) >> self.scale for t, place in places.items()}
        law = self._binomial(N, sorted({k for k in last.values() if 0 <= k <= N}))
        for t, k in last.items():
            g = (log_mass(self.n, c, p=self.either, rest=1 - self.either) + log_half_mass(c, (c - t) // 2) + (self.shift or 0)).exp()
            f, F = law.get(k, (arb(0), arb(0) if k < 0 else arb(1)))
            left, G = g * f * (N - k), g * F
            found[t] = _State(c, k, places[t], *((left, G) if self.shift is None else (float(left.mid()), float(G.mid()))))
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

    def over_mass(self, c: int, b: int) -> Real:
        """F_c(b)/f_c(b)."""
        found = lower_tail_over_mass(c, b, against=1, bits=self.bits)
        return found if self.shift is None else float(found.mid())

    def chain(self, total: _Sums, t: int, stop: int, state: _State) -> None:
        """Add the c of a chain up to `stop`, or until u falls below 0."""
        c, k, place, left, G = state.c, state.k, state.place, state.left, state.G
        n, shift, step = self.n, self.scale, 2 * self.fall
        of_c, of_k, of_two, over_s, over_rest = self.of_c, self.of_k, self.of_two, self.over_s, self.over_rest
        both, more, N = (c + t + 2) * (c - t + 2) // 4, c + 3, n - c  # (a + 1)(b + 1), and how much that grows
        sum_G: Real = 0
        sums_of_G: Real = 0
        sum_left: Real = 0
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

    def front(self, total: _Sums, t: int, until: int, state: _State, ratio: Real) -> tuple[_State, Real]:
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
        return _State(c, k, place, left, G), ratio

    def raised(self, t: int, state: _State, ratio: Real) -> tuple[_State, Real]:
        """The state and the ratio at the same c of the next chain, t + 2 <= c."""
        a, b, N = (state.c + t) // 2, (state.c - t) // 2, self.n - state.c
        ratio = (ratio - 1) * (a + 1) / b
        if self.shift is None and ratio.rel_accuracy_bits() < self.bits - _CANCELLED:
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
        return _State(state.c, last, place, left, G), ratio


def _scaled(x: arb, scale: int) -> tuple[int, int]:
    """Integers around x 2^scale."""
    low, high = lower_end(x), upper_end(x)
    return math.floor(low * 2**scale), math.ceil(high * 2**scale)
