"""The privacy blanket where reports are told in pairs, in float64 with a sound upper side: BEYOND.any-law-pairs.

With n reports in n/2 pairs D_E <= E[(M_1 + ... + M_(n/2))_+]/n, M the loss of a pair: the sum of both losses where both came from m; where
one came from R_k - m, k among the others, the mean of both with the odds of which it was; 0 where both did. Over all k the least law above
them in the convex order is taken. Laws are made in decimal arithmetic of 60 digits, and the sum is that of `one_sum`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from shuffleproof.impl.fast.bounds.one_sum import Losses
from shuffleproof.impl.fast.numeric.rounding import U
from shuffleproof.impl.fast.numeric.scalars import working

Report = tuple[Decimal, Decimal, Decimal, tuple[Decimal, ...]]
"""m, R_0, R_1, and R_k for every law that another user may have: at least m."""
Pair = tuple[Decimal, Decimal, Decimal]
"""Probability, and half the sums of u and v as the adversary expects them."""
_ZERO = Decimal(0)
_NOTHING = Decimal("1e-40")
"""Of a law's mass: what lies below is a rounding."""


@dataclass(frozen=True)
class PairedLaw:
    """The laws of one pair of reports, one for each law that another user may have. symmetric: whether exchanging x_0 and x_1 changes none."""

    pairs: tuple[tuple[Pair, ...], ...]
    symmetric: bool = False
    dataset: str = ""

    @classmethod
    def of(cls, reports: Sequence[Report], *, symmetric: bool = False) -> PairedLaw:
        """From the laws of one report; m > 0 wherever another law is."""
        with working():
            return cls(tuple(_with(reports, k) for k in range(len(reports[0][3]))), symmetric)

    def is_symmetric(self) -> bool:
        """Whether exchanging x_0 and x_1 changes nothing."""
        return self.symmetric

    def swapped(self) -> PairedLaw:
        """With x_0 and x_1 exchanged."""
        return PairedLaw(tuple(tuple((p, v, u) for p, u, v in pairs) for pairs in self.pairs), self.symmetric)

    def losses(self, exp_epsilon: float) -> Losses:
        """The least law above all of them at E, for E within a rounding of exp_epsilon."""
        with working():
            E = Decimal(exp_epsilon)
            rows = _least_above([_losses(pairs, E) for pairs in self.pairs])
        mass, at, size = (np.array([float(each) for each in column]) for column in zip(*rows, strict=True))
        doubt = 12 * U * size
        return Losses(mass, at + doubt, at - doubt, 4 * U)


def _with(reports: Sequence[Report], k: int) -> tuple[Pair, ...]:
    merged: dict[tuple[Decimal, Decimal], Decimal] = {}
    hiding = [(m, first / m, second / m, laws[k] - m) for m, first, second, laws in reports]
    for m, u, v, left in hiding:
        for other, a, b, odd in hiding:
            both = ((u + a) / 2, (v + b) / 2)
            merged[both] = merged.get(both, _ZERO) + m * other
            if odd > _NOTHING * other:
                ours, theirs = left / m, odd / other  # odds that it was the first, or the second, that did not come from m
                share = theirs / (ours + theirs)
                mixed = ((share * u + (1 - share) * a) / 2, (share * v + (1 - share) * b) / 2)
                merged[mixed] = merged.get(mixed, _ZERO) + 2 * m * odd
    return tuple((p, u, v) for (u, v), p in merged.items())


def _losses(pairs: Sequence[Pair], E: Decimal) -> list[tuple[Decimal, Decimal, Decimal]]:
    """Loss, probability and what the loss's size is compared with, in order; what is left of the probability stands at 0."""
    rows = [(u - E * v, p, u + E * v) for p, u, v in pairs]
    rows.append((_ZERO, 1 - sum((p for p, _, _ in pairs), _ZERO), _ZERO))
    return sorted(rows)


def _least_above(laws: Sequence[list[tuple[Decimal, Decimal, Decimal]]]) -> list[tuple[Decimal, Decimal, Decimal]]:
    """Mass, loss, size of the law whose E(L - t)_+ is the largest of theirs at every atom of theirs, and straight in between."""
    if len(laws) == 1:
        return [(p, x, size) for x, p, size in laws[0] if p > 0]
    sizes: dict[Decimal, Decimal] = {}
    for law in laws:
        for x, _, size in law:
            sizes[x] = max(size, sizes.get(x, _ZERO))
    at = sorted(sizes)
    heights = [max(each) for each in zip(*(_excess(law, at) for law in laws), strict=True)]
    slopes = [Decimal(-1), *((heights[i + 1] - heights[i]) / (at[i + 1] - at[i]) for i in range(len(at) - 1)), _ZERO]
    rows = [(slopes[i + 1] - slopes[i], x, sizes[x]) for i, x in enumerate(at)]
    return [row for row in rows if row[0] > _NOTHING]


def _excess(law: list[tuple[Decimal, Decimal, Decimal]], at: Sequence[Decimal]) -> list[Decimal]:
    """E(L - t)_+ for every t."""
    mass, worth = [_ZERO], [_ZERO]
    for x, p, _ in reversed(law):
        mass.append(mass[-1] + p)
        worth.append(worth[-1] + p * x)
    places = [x for x, _, _ in law]
    above = [len(law) - bisect_left(places, t) for t in at]
    return [worth[i] - t * mass[i] for i, t in zip(above, at, strict=True)]
