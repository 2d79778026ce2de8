"""What the sum of losses needs of a named randomizer, in balls: kinds of report with their masses m and ratios u = R_0/m, v = R_1/m.

Of kRR, subsets, Hadamard response, hashing with uniform functions and both RAPPORs a report either prefers an item x, with probability
w T/Z under R_x, T = e^eps0, or does not, with w/Z. A kind is what it prefers of x_0 and x_1, and whether m takes the larger level: for the
blanket where all items are preferred, for R_(x_2) where x_2 is. The weight w is a rational times zero^(items that are not preferred), zero
being e^(eps0/2) for RAPPOR, T for asymmetric RAPPOR; for hashing into l buckets l - 1, a rational.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

from flint import arb

from shuffleproof.impl.ball.bounds.one_sum import Atom
from shuffleproof.impl.ball.bounds.optimal_parameters import hadamard_shape
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, precision
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.randomizers import (
    KRR,
    RAPPOR,
    AsymmetricRAPPOR,
    Hadamard,
    Laplace,
    LocalHashing,
    NamedRandomizer,
    Subset,
    unknown_randomizer,
)

Row = tuple[arb, arb, arb, arb, arb]
"""m; u and v where a law above in the convex order stands; the means of u and v there."""
_HALVED = 24
_ROUGHLY = 256
"""Bits with which chi-squares are told apart."""
CELLS = 256
"""Into so many cells reports of Laplace noise on [0, 1] are merged where all others hold one input."""


@dataclass(frozen=True)
class Kind:
    """Weight times zero^zeros; the levels of R_0, R_1 and m. share: of it (1 + zero)^-share, or with a minus sign what that leaves."""

    weight: Fraction
    zeros: int
    first: int
    second: int
    cover: int
    share: int = 0


class Rows(Protocol):
    """What the sum of losses needs of a law, whoever gives it."""

    @property
    def dataset(self) -> str:
        """What all others hold, for people."""
        ...

    def is_symmetric(self) -> bool:
        """Whether exchanging x_0 and x_1 changes nothing."""
        ...

    def rows(self, *, cells: int = CELLS) -> list[Row]:
        """Masses and ratios at the current precision."""
        ...

    def given_away(self, E: arb, *, swapped: bool) -> arb:
        """The integral of (R_0 - E R_1)_+, or with both exchanged, where m is 0."""
        ...


@dataclass(frozen=True)
class Law:
    """Kinds of a randomizer, or none for noise on an interval. dataset: what all others hold, for people."""

    randomizer: NamedRandomizer
    epsilon0: Epsilon
    kinds: tuple[Kind, ...]
    dataset: str = ""
    centre: int | None = None

    def is_symmetric(self) -> bool:
        """Whether exchanging x_0 and x_1 changes nothing."""
        if not self.kinds:
            return self.centre in (None, 1)
        return Counter(replace(k, first=k.second, second=k.first) for k in self.kinds) == Counter(self.kinds)

    def rows(self, *, cells: int = CELLS) -> list[Row]:
        """Masses and ratios at the current precision. cells: for noise on an interval, against the blanket."""
        T = exp_of(self.epsilon0)
        if not self.kinds:
            return _laplace_blanket(T, cells) if self.centre is None else _laplace_homogeneous(T, self.centre)
        zero = T.sqrt() if isinstance(self.randomizer, RAPPOR) else T
        parts = [(1 + zero) ** -abs(k.share) for k in self.kinds]
        shares = [1 - part if k.share < 0 else part for part, k in zip(parts, self.kinds, strict=True)]
        weights = [ball(k.weight) * zero**k.zeros * share for share, k in zip(shares, self.kinds, strict=True)]
        Z = sum((w * (T if k.first else 1) for w, k in zip(weights, self.kinds, strict=True)), arb(0))
        rows = []
        for w, k in zip(weights, self.kinds, strict=True):
            u, v = (T ** (level - k.cover) for level in (k.first, k.second))
            rows.append((w * (T if k.cover else 1) / Z, u, v, u, v))
        return rows

    def given_away(self, E: arb, *, swapped: bool) -> arb:
        """Nothing: a named randomizer sends everything on every input."""
        return arb(0)

    def chi_square(self) -> arb:
        """Integral of (R_0 - R_1)^2/m."""
        return sum((m * (u - v) * (u - v) for m, _, _, u, v in self.rows()), arb(0))


def losses(rows: Iterable[Row], E: arb, *, swapped: bool) -> list[Atom]:
    """The law of L = u - E v, or v - E u."""
    if swapped:
        return [(m, _loss(v, u, E), _loss(mean_v, mean_u, E)) for m, u, v, mean_u, mean_v in rows]
    return [(m, _loss(u, v, E), _loss(mean_u, mean_v, E)) for m, u, v, mean_u, mean_v in rows]


def _loss(u: arb, v: arb, E: arb) -> arb:
    """u - E v: exactly 0 where both are one number and E is 1."""
    return arb(0) if u is v and E == 1 else u - E * v


def blanket_laws(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[Law]:
    """The law against the blanket, for the two inputs that are worst (BEYOND.any-law-worst-pair). epsilon0 > 0."""
    return [Law(randomizer, epsilon0, tuple(kind for kind in _with_blanket(randomizer, epsilon0) if kind.weight))]


def homogeneous_laws(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[Law]:
    """The laws against R_(x_2) with the largest chi-square of all x_0, x_1 and x_2, as far as some bits tell. epsilon0 > 0."""
    if isinstance(randomizer, Laplace):
        laws = [Law(randomizer, epsilon0, (), f"inputs 0 and 1; all others hold {'1/2' if centre else '0'}", centre) for centre in (0, 1)]
    else:
        found = _datasets(randomizer, epsilon0)
        laws = [Law(randomizer, epsilon0, tuple(kind for kind in kinds if kind.weight), said) for said, kinds in found]
    with precision(_ROUGHLY):
        sizes = [law.chi_square() for law in laws]
        return [law for law, size in zip(laws, sizes, strict=True) if not any(other > size for other in sizes)]


def _with_blanket(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[Kind]:
    match randomizer:
        case Laplace():
            return []
        case KRR(k=k):
            return [_plain(1, 1, 0), _plain(1, 0, 1), _plain(k - 2, 0, 0)]
        case Subset(k=k, d=d):
            return [_plain(_choose(k - 2, d - a - b), a, b) for a in (0, 1) for b in (0, 1)]
        case Hadamard():
            B, size = hadamard_shape(randomizer, epsilon0)
            if B > 1:
                return [_plain(size // 2, 1, 0), _plain(size // 2, 0, 1), _plain(B * size - size, 0, 0)]
            quarter = size // 4
            return [_plain(1, 1, 1, 1), _plain(quarter - 1, 1, 1), *(_plain(quarter, a, b) for a, b in ((1, 0), (0, 1), (0, 0)))]
    kinds = [_of_items(randomizer, a, b, 0, items=2) for a, b in ((1, 0), (0, 1), (0, 0), (1, 1))]
    if "k" not in randomizer.sizes:
        return kinds
    further = randomizer.sizes["k"] - 2  # with probability (1 + zero)^-further a report that prefers both prefers all items
    if isinstance(randomizer, LocalHashing):
        all_of_them = Fraction(1, randomizer.buckets**further)
        return [*kinds[:3], _plain(1 - all_of_them, 1, 1), _plain(all_of_them, 1, 1, 1)]
    if not further:
        return [*kinds[:3], _plain(1, 1, 1, 1)]
    return [*kinds[:3], Kind(Fraction(1), 0, 1, 1, 0, share=-further), Kind(Fraction(1), 0, 1, 1, 1, share=further)]


def _datasets(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[tuple[str, list[Kind]]]:
    levels, k = (0, 1), randomizer.sizes.get("k", 3)
    match randomizer:
        case Hadamard():
            return _of_codes(randomizer, epsilon0)
        case KRR():
            three = [_plain(1, 1, 0), _plain(1, 0, 1), _plain(1, 0, 0, 1), _plain(k - 3, 0, 0)]
            two = [_plain(1, 1, 0), _plain(1, 0, 1, 1), _plain(k - 2, 0, 0)]
        case Subset(d=d):
            three = [_plain(_choose(k - 3, d - a - b - c), a, b, c) for a in levels for b in levels for c in levels]
            two = [_plain(_choose(k - 2, d - a - b), a, b, b) for a in levels for b in levels]
        case _:
            three = [_of_items(randomizer, a, b, c, items=3) for a in levels for b in levels for c in levels]
            two = [_of_items(randomizer, a, b, b, items=2) for a in levels for b in levels]
    found = [("all others hold a third item", three)] if k > 2 else []
    return [*found, ("all others hold the second item", two)]


def _of_codes(randomizer: Hadamard, epsilon0: Epsilon) -> list[tuple[str, list[Kind]]]:
    """Hadamard response: the patterns of three rows in eighths of a block; rows are independent, or one is the product of the others."""
    B, size = hadamard_shape(randomizer, epsilon0)
    inside, free = -(-randomizer.k // B), (B - 1) * 8
    eight = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    found: list[tuple[str, list[tuple[int, int, int, int]]]] = []
    if inside >= 2:
        found.append(("two items of one block; all others hold the second", [*((1, a, b, b) for a, b, _ in eight), (free, 0, 0, 0)]))
        if B > 1:
            rows = [*((1, a, b, 0) for a, b, _ in eight), (4, 0, 0, 1), (free - 4, 0, 0, 0)]
            found.append(("two items of one block; all others hold one of another block", rows))
        if inside >= 3:
            rows = [*((2, *each) for each in eight if sum(each) % 2), (free, 0, 0, 0)]
            found.append(("two items of one block; all others hold the product of their rows", rows))
        if inside >= 4:
            rows = [*((1, *each) for each in eight), (free, 0, 0, 0)]
            found.append(("two items of one block; all others hold a third one of it", rows))
    if B > 1:
        rest = free - 8
        found.append(("items of two blocks; all others hold the second", [(4, 1, 0, 0), (4, 0, 1, 1), (8 + rest, 0, 0, 0)]))
        if inside >= 2:
            rows = [(2, 1, 0, 1), (2, 1, 0, 0), (2, 0, 0, 1), (4, 0, 1, 0), (6 + rest, 0, 0, 0)]
            found.append(("items of two blocks; all others hold a third one of the first block", rows))
        if B > 2 and randomizer.k > 2:
            rows = [(4, 1, 0, 0), (4, 0, 1, 0), (4, 0, 0, 1), (12 + rest - 8, 0, 0, 0)]
            found.append(("items of two blocks; all others hold one of a third block", rows))
    return [(said, [_plain(Fraction(eighths * size, 8), a, b, c) for eighths, a, b, c in rows]) for said, rows in found]


def _laplace_blanket(T: arb, cells: int) -> list[Row]:
    """Inputs 0 and 1: m = min(R_0, R_1). u = T, v = 1 below 0; then v = 1 and u = T/w^2, w = e^(eps0 y), up to y = 1/2; mirrored.

    A cell's mass, (w' - w)/(2 T) under m and (1/w - 1/w')/2 under R_0, goes to its ends with its mean of u kept. Cells are as wide as
    1/(2 cells), and halved again and again towards 0, where u is largest.
    """
    step, one = _root_of(T.sqrt(), cells), arb(1)
    nearest = [step]
    for _ in range(_HALVED):
        nearest.append(nearest[-1].sqrt())
    ends = [one, *reversed(nearest), *(step**j for j in range(2, cells + 1))]
    halves: list[tuple[arb, arb, arb]] = [(1 / (2 * T), T, T)]
    for low, high in pairwise(ends):
        mass, first = (high - low) / (2 * T), (1 / low - 1 / high) / 2
        at_low, at_high, mean = T / (high * high), T / (low * low), first / mass
        share = (mean - at_low) / (at_high - at_low)
        halves += [(mass * share, at_high, mean), (mass * (1 - share), at_low, mean)]
    return [row for mass, at, mean in halves for row in ((mass, at, one, mean, one), (mass, one, at, one, mean))]


def _laplace_homogeneous(T: arb, centre: int) -> list[Row]:
    """Inputs 0 and 1, all others centre/2; reports merged into cells of [0, 1], and what is outside of it."""
    step = _root_of(T, CELLS)

    def masses(x: int) -> list[arb]:
        middle = x * CELLS // 2
        left = [step ** (j - middle) * (step - 1) / 2 for j in range(middle)]
        right = [step ** (middle - j) * (1 - 1 / step) / 2 for j in range(middle, CELLS)]
        return [step**-middle / 2, *left, *right, step ** (middle - CELLS) / 2]

    rows = zip(masses(centre), masses(0), masses(2), strict=True)
    return [(m, first / m, second / m, first / m, second / m) for m, first, second in rows]


def _root_of(T: arb, cells: int) -> arb:
    """T^(1/cells), for a power of two."""
    for _ in range(cells.bit_length() - 1):
        T = T.sqrt()
    return T


def _plain(weight: Fraction | int, first: int, second: int, cover: int = 0) -> Kind:
    return Kind(Fraction(weight), 0, first, second, cover)


def _of_items(randomizer: NamedRandomizer, a: int, b: int, c: int, *, items: int) -> Kind:
    """RAPPOR and hashing: each item is preferred or not, independently."""
    zeros = items - a - b - (c if items == 3 else 0)
    match randomizer:
        case LocalHashing(buckets=buckets):
            return _plain((buckets - 1) ** zeros, a, b, c)
        case RAPPOR() | AsymmetricRAPPOR():
            return Kind(Fraction(1), zeros, a, b, c)
    raise unknown_randomizer(randomizer, "the whole law")


def _choose(among: int, chosen: int) -> int:
    return math.comb(among, chosen) if 0 <= chosen <= among else 0
