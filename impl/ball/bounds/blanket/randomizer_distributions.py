"""What the sum of losses needs of a named randomizer, in ball arithmetic: output classes of masses m and ratios u = R_0/m, v = R_1/m.

The output classes are those that the randomizer declares (`spec.vocabulary.likelihoods`), their weights evaluated in it. Laplace noise
has none, and what is needed of it is here.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from flint import arb

from shuffleproof.impl.ball.bounds.blanket.one_sum import Atom
from shuffleproof.impl.ball.numeric.arithmetic import exp_of, precision, under_first, weights_of
from shuffleproof.spec.vocabulary.likelihoods import Classes
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

Row = tuple[arb, arb, arb, arb, arb]
"""m; u and v where a distribution above in the convex order stands; the means of u and v there."""
_HALVED = 24
"""How often the cell next to 1/2 is halved, where Laplace noise has its largest losses: to 2^-24 of a cell."""
_ROUGHLY = 256
"""Bits with which chi-squares are distinguished."""
CELLS = 256
"""Into so many cells reports of Laplace noise on [0, 1] are merged where all others hold one input."""


class Rows(Protocol):
    """Holds what the sum of losses needs of a randomizer's distributions, whoever gives them."""

    @property
    def dataset(self) -> str:
        """Return what all others hold, for people."""
        ...

    def is_symmetric(self) -> bool:
        """Return whether exchanging x_0 and x_1 changes nothing."""
        ...

    def rows(self, *, cells: int = CELLS) -> list[Row]:
        """Masses and ratios at the current precision."""
        ...

    def given_away(self, E: arb, *, swapped: bool) -> arb:
        """The integral of (R_0 - E R_1)_+, or with both exchanged, where m is 0."""
        ...


@dataclass(frozen=True)
class LossDistribution:
    """Output classes of a randomizer, or none for noise on an interval. dataset: what all others hold, for people."""

    epsilon0: Epsilon
    classes: Classes
    dataset: str = ""
    centre: int | None = None

    def is_symmetric(self) -> bool:
        """Return whether exchanging x_0 and x_1 changes nothing."""
        if not self.classes:
            return self.centre in (None, 1)
        return Counter(replace(each, first=each.second, second=each.first) for each in self.classes) == Counter(self.classes)

    def rows(self, *, cells: int = CELLS) -> list[Row]:
        """Masses and ratios at the current precision. cells: for noise on an interval, against the blanket."""
        T = exp_of(self.epsilon0)
        if not self.classes:
            return _laplace_blanket(T, cells) if self.centre is None else _laplace_homogeneous(T, self.centre)
        weights = weights_of(self.classes, self.epsilon0)
        Z = under_first(self.classes, weights, T)
        rows = []
        for w, each in zip(weights, self.classes, strict=True):
            u, v = (T ** (level - each.third) for level in (each.first, each.second))
            if not w.is_zero():
                rows.append((w * (T if each.third else 1) / Z, u, v, u, v))
        return rows

    def given_away(self, E: arb, *, swapped: bool) -> arb:
        """Nothing: a named randomizer sends everything on every input."""
        return arb(0)

    def chi_square(self) -> arb:
        """Integral of (R_0 - R_1)^2/m."""
        return sum((m * (u - v) * (u - v) for m, _, _, u, v in self.rows()), arb(0))


def losses(rows: Iterable[Row], E: arb, *, swapped: bool) -> list[Atom]:
    """The distribution of L = u - E v, or v - E u."""
    if swapped:
        return [(m, _loss(v, u, E), _loss(mean_v, mean_u, E)) for m, u, v, mean_u, mean_v in rows]
    return [(m, _loss(u, v, E), _loss(mean_u, mean_v, E)) for m, u, v, mean_u, mean_v in rows]


def _loss(u: arb, v: arb, E: arb) -> arb:
    """u - E v: exactly 0 where both are one number and E is 1."""
    return arb(0) if u is v and E == 1 else u - E * v


def blanket_distributions(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[LossDistribution]:
    """The distribution against the blanket, for the two inputs that are worst (BEYOND.any-law-worst-pair). epsilon0 > 0."""
    return [LossDistribution(epsilon0, () if randomizer.noise else randomizer.against_blanket(epsilon0))]


def homogeneous_distributions(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[LossDistribution]:
    """The distributions against R_(x_2) with the largest chi-square of all x_0, x_1 and x_2, as far as some bits tell. epsilon0 > 0."""
    if randomizer.noise:
        held = "inputs 0 and 1; all others hold 0", "inputs 0 and 1; all others hold 1/2"
        distributions = [LossDistribution(epsilon0, (), text, centre) for centre, text in enumerate(held)]
    else:
        distributions = [LossDistribution(epsilon0, each.classes, each.held) for each in randomizer.datasets(epsilon0)]
    with precision(_ROUGHLY):
        sizes = [each.chi_square() for each in distributions]
        return [each for each, size in zip(distributions, sizes, strict=True) if not any(other > size for other in sizes)]


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
