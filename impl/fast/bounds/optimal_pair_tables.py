"""The law of d given C, as tables: put and call of d ~ Bin(N, s), N = n - c, at consecutive integers.

With u in counts of d

    put(u) = E(u - d)_+,   call(u) = E(d - u)_+   at the integers, and linear between two of them: exactly so.

They are sums over a window first <= d <= last. Left out are values d < first, which contribute at most q A Pr(d < first) to delta, and
d > last, at most (q/n)(E - 1) E[d; d > last] <= q (E - 1) Pr(d > last). Where the law has up to m more draws than N, as in a panel's
upper side, d < s N then gains up to s m on its mean, and d < first contributes at most q (A + (E - 1) s m/n) Pr(d < first).

Masses are relative to one near the mean, each with 4 roundings a step; put and call are running sums of running sums. The law of one more
draw has put_{N+1}(k) = (1 - s) put_N(k) + s put_N(k - 1), and so has call: of `steps` + 1 consecutive N only the smallest is summed up,
and the others follow from it, step by step. What is left out of them then is what was left out of the law of the smallest: they have at
most `steps` draws more, so that for half > steps these laws put nothing of d < first above their means, and nothing of d > last below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shuffleproof.impl.fast.bounds.clones_mixture import Floats
from shuffleproof.impl.fast.bounds.optimal_pair_constants import PairMasses
from shuffleproof.impl.fast.numeric.rounding import accumulated

_BERNSTEIN = 2 / 3
_SMALLEST = 1e-250
"""Masses of d smaller than this times the largest are left out, and counted as left out."""
_MOST_STEPS = 63
_LEAST_PRODUCT = 1e-40
"""Of as many factors s, or 1 - s, as there are steps: times _SMALLEST it is still a normal float."""
LOOSE = 1 + 2.0**-16


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
        down=max(0.0, (1 - 2 * error) * (1 - float(((below + above) / total).max()) * LOOSE)),
        below=float((below / total).max()) * LOOSE,
        above=float((above / total).max()) * LOOSE,
    )


def _beyond(mass: Floats, ratio: Floats) -> Floats:
    """A bound on the sum of the masses beyond one, whose ratio to the next is given and falls: infinite where it need not converge."""
    inside = np.minimum(ratio, 0.9999999)
    bound: Floats = mass * inside / (1 - inside)
    bound[ratio > inside] = np.inf
    return bound
