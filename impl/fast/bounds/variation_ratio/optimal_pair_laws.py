"""The optimal pair V(n, p, beta, q): its exact numbers, its constants at one epsilon, and the laws of its counts C = a + b and d given C.

With x = 1/p (0 for infinite p), E = e^eps < p, A = 1 - E x, D = (1 - x)(1 + E) and C = a + b ~ Bin(n, 2r), BEYOND.LemL5 gives

    delta = (q/n) D E[(tau - b)_+],   b | C ~ Bin(C, 1/2),   tau = sigma C - kappa d,   sigma = A/D <= 1/2,   kappa = (E - 1)/D < 1,

and d | C ~ Bin(n - C, s), s = (rho/q)/(1 - 2r), independent of b. With d at its mean, tau = slope C - shift, where
slope = sigma + kappa s < 1 (sigma + kappa = E/(1 + E)) and shift = kappa s n; as 1/2 - sigma = kappa (1 + x)/2,

    C/2 - tau = kappa ((1 + x)/2 C + s (n - C)) >= 0.

The count C, in a window. What lies outside contributes at most q A Pr(C outside) to delta, as (a A + b B - d (E - 1))_+ <= a A, its
factor is q/n, and a <= n. The distribution of d given C, for one N = n - C, may serve a panel of counts c: d - s N grows with N in convex
order, by a centred term for each further draw, so that the largest N of the panel gives the upper side of every convex function of d - s N,
and the smallest N the lower one (BEYOND.Reduction). Where every c has the distribution of its own N, both sides are the same.

The distribution of d, as tables of put and call at consecutive integers. With u in counts of d,

    put(u) = E(u - d)_+,   call(u) = E(d - u)_+   at the integers, and linear between two of them: exactly so.

They are sums over a window first <= d <= last. Left out are values d < first, which contribute at most q A Pr(d < first) to delta, and
d > last, at most (q/n)(E - 1) E[d; d > last] <= q (E - 1) Pr(d > last). Where the distribution has up to m more draws than N, as in a
panel's upper side, d < s N then gains up to s m on its mean, and d < first contributes at most q (A + (E - 1) s m/n) Pr(d < first).

Masses are relative to one near the mean, each with 4 roundings a step; put and call are running sums of running sums. The distribution of
one more draw has put_{N+1}(k) = (1 - s) put_N(k) + s put_N(k - 1), and so has call: of `steps` + 1 consecutive N only the smallest is
summed up, and the others follow from it, step by step. What is left out of them then is what was left out of the distribution of the
smallest: they have at most `steps` draws more, so that for half > steps these distributions put nothing of d < first above their means, and
nothing of d > last below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.clones.clones_mixture import Floats, Mixture
from shuffleproof.impl.fast.bounds.clones.clones_mixture import window as binomial_window
from shuffleproof.impl.fast.numeric.results import (
    accumulated,
    decimal_of,
    exponential,
    exponential_difference,
    exponential_minus_1,
    log_factorial,
    working,
)
from shuffleproof.spec.vocabulary.numerals import Epsilon

_BERNSTEIN = 2 / 3
"""Per unit of spread, added to the half width of a window: twice Bernstein's 1/3. A choice only: what lies outside is bounded."""
_SMALLEST = 1e-250
"""Masses of d smaller than this times the largest are left out, and counted as left out."""
_MOST_STEPS = 63
"""Distributions of d that follow from one another at most before one is summed anew: the roundings of a step add up."""
_LEAST_PRODUCT = 1e-40
"""Of as many factors s, or 1 - s, as there are steps: times _SMALLEST it is still a normal float."""
_LOOSE = 1 + 2.0**-16
"""Factor on what lies outside windows: more than the few dozen roundings that go into it."""


@dataclass(frozen=True)
class PairMasses:
    """The pair at clipped parameters with 0 < beta, for n users: x = 1/p, q, and of one of n draws the masses 2r of a or b, and of d.

    top: ln p, None for infinite p. share: s above, 0 where a or b is certain.
    """

    n: int
    top: Epsilon | None
    x: Fraction
    q: Fraction
    either: Fraction
    d: Fraction
    share: Fraction

    @classmethod
    def of(cls, *, n: int, p: Fraction | None, beta: Fraction, q: Fraction) -> PairMasses:
        """For p > 1 or None, and a clipped beta > 0."""
        x = Fraction(0) if p is None else 1 / p
        p_alpha = beta / (1 - x)
        either, d = 2 * p_alpha / q, (1 - p_alpha * (1 + x)) / q
        return cls(n, None if p is None else Epsilon(None, p), x, q, either, d, d / (1 - either) if either < 1 else Fraction(0))

    @cached_property
    def log_r(self) -> Decimal:
        """ln r."""
        with working():
            return decimal_of(self.either / 2).ln()

    @cached_property
    def log_rest(self) -> Decimal:
        """ln(1 - 2r)."""
        with working():
            return decimal_of(1 - self.either).ln()


@dataclass(frozen=True)
class PairConstants:
    """Holds what depends on epsilon: Decimals, relative error at most 1e-38 (E_minus_1, slope and shift may be 0, exactly then)."""

    E_minus_1: Decimal
    A: Decimal
    D: Decimal
    kappa: Decimal
    slope: Decimal
    shift: Decimal

    @classmethod
    def at(cls, masses: PairMasses, epsilon: Epsilon) -> PairConstants:
        """For 0 <= epsilon < ln p. Raises UnsupportedError where the two cannot be distinguished."""
        E_minus_1 = exponential_minus_1(epsilon) if epsilon.exp != 1 else Decimal(0)
        difference = Decimal(1) if masses.top is None else exponential_difference(masses.top, epsilon)
        with working():
            A = difference if masses.top is None else difference * decimal_of(masses.x)
            D = decimal_of(1 - masses.x) * (exponential(epsilon) + 1)
            kappa, share = E_minus_1 / D, decimal_of(masses.share)
            return cls(E_minus_1, A, D, kappa, A / D + kappa * share, kappa * share * masses.n)


def log_mass(masses: PairMasses, *, c: int, b: int) -> Decimal:
    """ln [Bin(n, 2r)(c) Bin(c, 1/2)(b)] for 0 <= b <= c <= n <= 10^9, absolute error at most 1e-36.

    = ln n!/(b! (c - b)! (n - c)!) + c ln r + (n - c) ln(1 - 2r): four factorials at 1e-37; the logarithms, of magnitude below 10^4 as
    masses are ratios of rationals of bounded length, carry 1e-54 and are multiplied by 10^9 at most.
    """
    n = masses.n
    with working():
        total = log_factorial(n) - log_factorial(b) - log_factorial(c - b) - log_factorial(n - c)
        if c:
            total += c * masses.log_r
        if n > c:
            total += (n - c) * masses.log_rest
        return total


@dataclass(frozen=True)
class Window:
    """c = left .. right with masses relative to the one at the anchor, and the running sums of mass times m = (1 + x)/2 c + s (n - c).

    moments_up_to: of c and those before it; moments_after: of those after c. outside: at least Pr(C outside).
    ends: where panels begin, and where the last one ends, as indices; tables: their row of a panel is for its largest N, and the one
    `next_row` rows further on is for its smallest or fewer (the same where every panel is a single c); None where d cannot vary.
    """

    left: int
    anchor: int
    c: Floats
    masses: Floats
    mass_roundings: int
    moments: Floats
    moments_up_to: Floats
    moments_after: Floats
    outside: float
    ends: NDArray[np.int64]
    tables: Tables | None
    next_row: int

    @classmethod
    def of(cls, masses: PairMasses, *, spread: float, panels: int) -> Window:
        """Choose a window outside which about e^-spread lies; at least as many panels of counts c as asked for, or one for each."""
        n, odds = masses.n, _odds(masses.either)
        left, anchor, right = binomial_window(m=n, odds=odds, phi=1.0, spread=spread) if math.isfinite(odds) else (n, n, n)
        right = _last(n * float(masses.either), anchor, right, spread)
        mixture = Mixture.around(m=n, odds=odds, left=left, anchor=anchor, right=right)
        kept = mixture.masses.copy()
        c = np.arange(mixture.left, mixture.right + 1, dtype=np.float64)
        slope, share = float((1 + masses.x) / 2), float(masses.share)
        moments = n - c
        moments *= share
        moments += c * slope
        moments *= kept
        after = np.empty(len(c))
        after[-1] = 0.0
        after[:-1] = np.cumsum(moments[:0:-1])[::-1]
        total = float(kept.sum()) * (1 - accumulated(mixture.sum_roundings))
        outside = (mixture.left_tail(1.0) + mixture.right_tail(1.0)) / total * _LOOSE
        most, half = n - mixture.left, half_width(masses, n - mixture.left, spread)
        single = panels >= len(c)
        ends = np.linspace(0, len(c), (len(c) if single else panels) + 1).astype(np.int64)
        of_d = None
        if 0 < masses.share < 1 and single:
            of_d = Tables.of_consecutive(masses, most, n - mixture.right, half=half)
        elif 0 < masses.share < 1:
            of_d = Tables.of(masses, np.maximum(most - ends, 0), half=half)
        return cls(
            left=mixture.left,
            anchor=anchor,
            c=c,
            masses=kept,
            mass_roundings=mixture.mass_roundings,
            moments=moments,
            moments_up_to=np.cumsum(moments),
            moments_after=after,
            outside=outside,
            ends=ends,
            tables=of_d,
            next_row=0 if single else 1,
        )


def _last(mean: float, anchor: int, right: int, spread: float) -> int:
    """Fewer counts where few are expected: Pr(C >= k) <= e^(k - mean) (mean/k)^k. Only a choice, as the window is."""
    while right > max(anchor + 1, 2 * mean) and right * math.log(right / mean) - right + mean >= spread:
        right -= 1
    return right


def _odds(mass: Fraction) -> float:
    """mass/(1 - mass), once rounded; infinite for 1."""
    return math.inf if mass == 1 else float(mass / (1 - mass))


@dataclass(frozen=True)
class Tables:
    """put and call of Bin(N, s) for several N, one row each, at u = first + i, where u = s N is at i = centres.

    rows: where those of each N asked for are, in the order asked for. half <= centres < half + 1 + steps; each `first` serves steps + 1
    rows. values: put at i = 0 .. half + 2 + steps, then call at i = half - 1 - steps .. 2 half + steps: others are not asked for, nor, of
    a row that is k steps from the one summed up, the call at the first k of these. Sums over first <= d <= last of masses divided by
    their total: `up` and `down` make them upper and lower bounds of the sums of probabilities. below, above: at least the largest
    Pr(d < first) and Pr(d > last).
    """

    values: Floats
    centres: Floats
    rows: NDArray[np.int64]
    half: int
    steps: int
    up: float
    down: float
    below: float
    above: float

    @property
    def width(self) -> int:
        """More than any position in a row."""
        return 2 * self.half + self.steps + 4

    @classmethod
    def of(cls, masses: PairMasses, draws: NDArray[np.int64], *, half: int) -> Tables:
        """For each N of `draws`, over the counts at most `half` away from floor(s N)."""
        return _summed(masses, draws, half=half, steps=0)

    @classmethod
    def of_consecutive(cls, masses: PairMasses, most: int, least: int, *, half: int) -> Tables:
        """For N = most, most - 1, ..., least."""
        rarer = min(float(masses.share), float(1 - masses.share))
        steps = min(_MOST_STEPS, half - 1, int(math.log(_LEAST_PRODUCT) / math.log(rarer)), most - least)
        groups = -(-(most - least + 1) // (steps + 1))
        base = _summed(masses, least + (steps + 1) * np.arange(groups - 1, -1, -1), half=half, steps=steps)
        if steps == 0:
            return base
        values = np.empty((steps + 1, *base.values.shape))
        values[steps] = base.values
        s, rest, part = float(masses.share), float(1 - masses.share), np.empty(base.values.size - 1)
        for step in range(steps, 0, -1):
            before, after = values[step].reshape(-1), values[step - 1].reshape(-1)
            np.multiply(before, rest, out=after)
            np.multiply(before[:-1], s, out=part)
            after[1:] += part
        # A row takes up the end of the row before it, which is 0, and its call the end of its put: at places that are not asked for.
        centres = s * np.arange(steps, -1, -1)[:, None] + base.centres
        unused = groups * (steps + 1) - (most - least + 1)
        error = accumulated(3 * steps) * (1 + 2.0**-10)
        return replace(
            base,
            values=values.reshape(-1, base.values.shape[1]),
            centres=centres.reshape(-1),
            rows=np.arange(groups * (steps + 1)).reshape(steps + 1, groups).T.reshape(-1)[unused:],
            up=base.up * (1 + 2 * error),
            down=max(0.0, base.down * (1 - 2 * error)),
        )


def half_width(masses: PairMasses, draws: int, spread: float) -> int:
    """So that about e^-spread of d's mass lies further away (Bernstein's inequality); only a choice."""
    s = float(masses.share)
    return min(max(math.ceil(math.sqrt(2 * spread * draws * s * (1 - s)) + _BERNSTEIN * spread), 1) + 1, draws + 2)


def _summed(masses: PairMasses, draws: NDArray[np.int64], *, half: int, steps: int) -> Tables:
    share, odds = masses.share, float(masses.share / (1 - masses.share))
    middles, fractions = [], []
    for each in draws.tolist():
        middle, rest = divmod(share.numerator * each, share.denominator)
        middles.append(middle)
        fractions.append(rest / share.denominator)
    N, middle = draws.astype(np.float64)[:, None], np.array(middles, dtype=np.float64)[:, None]
    masses_of_d = np.empty((len(draws), 2 * half + 1))
    down, up = masses_of_d[:, :half], masses_of_d[:, half + 1 :]
    with np.errstate(under="ignore"):
        k = middle + np.arange(1, half + 1, dtype=np.float64)
        np.subtract(N + 1, k, out=up)
        np.maximum(up, 0.0, out=up)
        up /= k
        up *= odds
        np.cumprod(up, axis=1, out=up)
        k = middle + 1 - np.arange(half, 0, -1, dtype=np.float64)
        np.maximum(k, 0.0, out=down)
        down /= (N + 1) - k
        down /= odds
        np.cumprod(down[:, ::-1], axis=1, out=down[:, ::-1])
    masses_of_d[:, half] = 1.0
    unseen = _SMALLEST * masses_of_d.max(axis=1)  # which may be far from the middle, but for s near 1 only
    masses_of_d[masses_of_d < unseen[:, None]] = 0.0
    first, last = middle[:, 0] - half, middle[:, 0] + half
    below = _beyond(np.maximum(down[:, 0], unseen), np.maximum(first, 0.0) / (N[:, 0] - first + 1) / odds) + 2 * half * unseen
    above = _beyond(np.maximum(up[:, -1], unseen), np.maximum(N[:, 0] - last, 0.0) / (last + 1) * odds) + 2 * half * unseen
    total = masses_of_d.sum(axis=1)
    error = accumulated(3 * (4 * half + 2 * half + 8))  # of the total, of the quotient, and of the sums of sums below
    puts, values = half + 3 + steps, np.zeros((len(draws), 2 * half + 5 + 3 * steps))
    # masses at i = 0 .. half + 1 + steps, and at i = half - steps .. 2 half, where the running sums of their running sums go
    low, high = values[:, 1:puts], values[:, puts : puts + half + steps + 1]
    low[...], high[...] = masses_of_d[:, : half + 2 + steps], masses_of_d[:, half - steps :]
    for running in (low, high[:, ::-1]):
        np.cumsum(running, axis=1, out=running)
        np.cumsum(running, axis=1, out=running)
    values /= total[:, None]
    return Tables(
        values=values,
        centres=np.array(fractions) + half,
        rows=np.arange(len(draws)),
        half=half,
        steps=steps,
        up=1 + 2 * error,
        down=max(0.0, (1 - 2 * error) * (1 - float(((below + above) / total).max()) * _LOOSE)),
        below=float((below / total).max()) * _LOOSE,
        above=float((above / total).max()) * _LOOSE,
    )


def _beyond(mass: Floats, ratio: Floats) -> Floats:
    """A bound on the sum of the masses beyond one, whose ratio to the next is given and falls: infinite where it need not converge."""
    inside = np.minimum(ratio, 0.9999999)
    bound: Floats = mass * inside / (1 - inside)
    bound[ratio > inside] = np.inf
    return bound
