"""What the sum of losses needs of a named randomizer, in float64: masses, u = R_0/m and v = R_1/m, reports with equal (u, v) merged.

The output classes are those that the randomizer declares (`spec.vocabulary.likelihoods`), their weights evaluated in decimal arithmetic.
Laplace noise has none, and what is needed of it is here.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.numeric.results import DIGITS, SCALAR_ERROR, U, decimal_of, exponential, out_of_range, require_normal, working
from shuffleproof.spec.vocabulary.likelihoods import Classes, OutputClass, Symbol, evaluate, exact_weights, subtracts, symbols
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

Row = tuple[Decimal, Decimal, Decimal]
"""(m, R_0, R_1) of an output class."""
_HALVED = 24
"""How often the cell next to 1/2 is halved, where Laplace noise has its largest losses: to 2^-24 of a cell."""
_CELLS = 1000
"""Of Laplace noise against the blanket."""
_MERGED = 256
"""Cells into which reports of Laplace noise on [0, 1] are merged where all others hold one input."""
_TIED = 1e-12
"""Relative difference of chi-squares within which datasets count as tied for the largest. The lower bound is sound for any choice."""
_ROUNDED = Fraction(1, 10**50)
"""What covers the roundings of a quotient of weights, each within 1e-52."""
_LOST = 3
"""Digits that the weights of a class may lose for each leading zero of epsilon0: of e^epsilon0 - 1 - epsilon0 two, and one to spare."""


@dataclass(frozen=True)
class LossDistribution:
    """Output classes: mass under m, (u, v) where a distribution above in the convex order stands, and the means of u and v there.

    Relative errors are at most 2 U each, of masses `error`. dataset: what is on the other side, in words; bare: (R_0, R_1) where m is 0,
    which nothing hides; beyond: what no atom stands for is in two halves that are mirror images: R_0 and R_1 of one, at most.
    """

    mass: Floats
    u: Floats
    v: Floats
    mean_u: Floats
    mean_v: Floats
    dataset: str = ""
    bare: tuple[tuple[Decimal, Decimal], ...] = ()
    beyond: tuple[Decimal, Decimal] = (Decimal(0), Decimal(0))
    error: float = 2 * U

    @classmethod
    def of(cls, rows: Iterable[tuple[Decimal, Decimal, Decimal]], *, dataset: str = "") -> LossDistribution:
        """Make a distribution from (m, R_0, R_1) of its output classes."""
        known = list(rows)
        ratios = np.array([[float(each) for each in row] for row in _ratios(row for row in known if row[0])]).reshape(-1, 3)
        mass, first, second = np.ascontiguousarray(ratios.T)
        return cls(mass, first, second, first, second, dataset, tuple((a, b) for m, a, b in known if not m and (a or b)))

    def swapped(self) -> LossDistribution:
        """Return the distribution with x_0 and x_1 exchanged."""
        bare = tuple((b, a) for a, b in self.bare)
        return LossDistribution(self.mass, self.v, self.u, self.mean_v, self.mean_u, self.dataset, bare, self.beyond, self.error)

    def with_coins(self, rate: Fraction) -> LossDistribution:
        """Return the distribution where each user comes with this probability, and who does not has the ratios 1."""
        came = decimal_of(rate)
        u, v, mean_u, mean_v = (np.append(each, 1.0) for each in (self.u, self.v, self.mean_u, self.mean_v))
        mass, bare = np.append(self.mass * float(came), float(1 - came)), tuple((a * came, b * came) for a, b in self.bare)
        return LossDistribution(mass, u, v, mean_u, mean_v, self.dataset, bare, self.beyond, self.error + 4 * U)

    def given_away(self, E: Decimal) -> Decimal:
        """The integral of (R_0 - E R_1)_+ where m is 0, to a relative error of 1e-50."""
        return sum((max(a - E * b, Decimal(0)) for a, b in self.bare), Decimal(0))

    def raised(self, E: Decimal, n: int) -> Decimal:
        """Return how much E(L_1 + ... + L_n)_+/n may gain at most where losses that no atom stands for, u > E in one half, count as 0.

        Such a loss and its mirror image, x + y = (1 - E)(u + v), have (S + x)_+ + (S + y)_+ >= 2 S_+ + x + y, and at least S_+.
        """
        near, far = self.beyond
        return min((E - 1) * (near + far), n * far) * (1 + SCALAR_ERROR)

    def losses(self, exp_epsilon: float) -> Losses:
        """The distribution of L = u - E v, for E within a rounding of exp_epsilon."""
        at, worth = self.u - exp_epsilon * self.v, self.mean_u - exp_epsilon * self.mean_v
        doubt = 12 * U * (self.u + exp_epsilon * self.v)
        doubt_mean = 12 * U * (self.mean_u + exp_epsilon * self.mean_v)
        return Losses(self.mass, at + doubt, worth - doubt_mean, self.error)

    def chi_square(self) -> float:
        """Integral of (R_0 - R_1)^2/m, about: what epsilon grows with; perhaps infinity."""
        with np.errstate(over="ignore", invalid="ignore"):  # a mass of 0 times infinity is 0 here
            return float(np.nansum(self.mass * (self.mean_u - self.mean_v) ** 2))

    def is_symmetric(self) -> bool:
        """Return whether exchanging x_0 and x_1 changes nothing, surely."""
        turned = self.swapped()
        one, other = (sorted(zip(each.mass, each.u, each.v, each.mean_u, each.mean_v, strict=True)) for each in (self, turned))
        return one == other and sorted(self.bare) == sorted(turned.bare)


@lru_cache(maxsize=64)
def blanket_distributions(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[LossDistribution]:
    """One distribution: u and v against the blanket, for the two inputs that are worst (BEYOND.any-law-worst-pair). epsilon0 > 0."""
    with working():
        if randomizer.noise:
            return [_laplace_blanket(epsilon0)]
        _powers(epsilon0)
        return [LossDistribution.of(two_levels(randomizer.against_blanket(epsilon0), epsilon0))]


Atoms = tuple[Floats, Floats, float]
"""Of L: probabilities, where atoms of L stand, rounded up, and the relative error of a probability; the rest is 0."""


class LossesOfOthers(ABC):
    """The distributions of L = (R_0 - E R_1)/m under m, for all that another user k may hold and both orders of x_0 and x_1.

    m is a share of R_k. blanket: the mass of the least distribution of all items, rounded down. Each output class has a distribution above
    all of its users'.
    """

    def __init__(self, blanket: float) -> None:
        self.blanket = blanket

    @abstractmethod
    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        """Return groups of distributions, of each the largest counts, for E within a rounding of exp_epsilon; kept: the share of R_k."""

    def foremost(self, exp_epsilon: float, kept: float) -> Atoms:
        """A distribution that the worst of all sums may be like: for guesses."""
        return widest(atoms for loss_type in self.atoms(exp_epsilon, kept) for atoms in loss_type)

    def foremost_types(self, exp_epsilon: float) -> list[Atoms]:
        """Return distributions between which the worst of all users may change: for guesses."""
        return [self.foremost(exp_epsilon, 1.0)]

    def about(self, exp_epsilon: float, users: float) -> float | None:
        """Return about ln of the largest E(L_1 + ... + L_S)_+/S, S users; None where that is not known."""
        return None

    def averages(self, exp_epsilon: float, numbers: Sequence[int]) -> list[float] | None:
        """Return the largest E(L_1 + ... + L_S)_+/S for each S, at most, by what is quicker than sums of `atoms`; None without it."""
        return None

    def given_away(self, exp_epsilon: float) -> float:
        """Return a bound, for every user, on the loss that no atom stands for."""
        return 0.0

    @abstractmethod
    def chi_square(self) -> float:
        """The largest, about."""


def as_losses(atoms: Atoms) -> Losses:
    """The same atoms, for upper sides and for choices: a loss is worth where it stands."""
    mass, at, error = atoms
    return Losses(mass, at, at, error)


def thinned(atoms: Atoms, scale: Floats | float) -> Atoms:
    """Return atoms with these shares of each mass, the losses as much larger."""
    mass, at, error = atoms
    return mass * scale, at / scale + 4 * U * np.abs(at) / scale, error + U


def widest(distributions: Iterable[Atoms], *, least: float = -math.inf) -> Atoms:
    """The one with the largest mean square of the losses, those below `least` as large as that."""
    return max(distributions, key=lambda each: float((each[0] * np.maximum(each[1], least) ** 2).sum()))


@lru_cache(maxsize=64)
def homogeneous_distributions(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[LossDistribution]:
    """u and v against R_(x_2), for the inputs x_0, x_1, x_2 whose chi-square is largest, as far as floats tell. epsilon0 > 0."""
    with working():
        if randomizer.noise:
            found = [_laplace_homogeneous(epsilon0, centre) for centre in (0, 1)]
        else:
            _powers(epsilon0)
            found = [LossDistribution.of(two_levels(each.classes, epsilon0), dataset=each.held) for each in randomizer.datasets(epsilon0)]
    sizes = [each.chi_square() for each in found]
    return [each for each, size in zip(found, sizes, strict=True) if size >= max(sizes) * (1 - _TIED)]


def two_levels(classes: Classes, epsilon0: Epsilon) -> list[Row]:
    """(m, R_0, R_1) of every output class that is not empty, each to a relative error of 1e-50. epsilon0 > 0."""
    with _enough_digits(classes, epsilon0):
        T, known, Z = _known_weights(classes, epsilon0)
        return [
            (w * (T if each.third else 1) / Z, w * (T if each.first else 1) / Z, w * (T if each.second else 1) / Z) for w, each in known
        ]


def least_probabilities(classes: Classes, epsilon0: Epsilon) -> list[tuple[Decimal, OutputClass]]:
    """w/Z of every output class that is not empty, the least probability that it has, to a relative error of 1e-50. epsilon0 > 0."""
    with _enough_digits(classes, epsilon0):
        _, known, Z = _known_weights(classes, epsilon0)
        return [(w / Z, each) for w, each in known]


def _known_weights(classes: Classes, epsilon0: Epsilon) -> tuple[Decimal, list[tuple[Decimal, OutputClass]], Decimal]:
    """Return T, the weights above 0, and Z, in the precision of the caller's context."""
    T = exponential(epsilon0)
    known = [(w, each) for w, each in zip(_weights(classes, epsilon0, T), classes, strict=True) if w > 0]
    return T, known, sum((w * (T if each.first else 1) for w, each in known), Decimal(0))


def beta_above(classes: Classes, epsilon0: Epsilon) -> Fraction:
    """The total variation of the two inputs of these classes; where irrational rounded up, to at most 1 + 1e-49 of it. epsilon0 > 0."""
    exact = exact_weights(classes, epsilon0)
    if exact is not None and epsilon0.exp is not None:
        levels = [(w, each.first, each.second) for w, each in zip(exact, classes, strict=True)]
        total = sum((w * (epsilon0.exp if first else 1) for w, first, _ in levels), Fraction(0))
        return (epsilon0.exp - 1) * sum((w for w, first, second in levels if first > second), Fraction(0)) / total
    with working(DIGITS + _LOST * _leading_zeros(epsilon0)):
        T = exponential(epsilon0)
        weights = _weights(classes, epsilon0, T)
        inside = sum((w for w, each in zip(weights, classes, strict=True) if each.first), Decimal(0))
        apart = sum((w for w, each in zip(weights, classes, strict=True) if each.first > each.second), Decimal(0))
        return min(Fraction(1), Fraction(apart * (T - 1) / (inside * (T - 1) + sum(weights, Decimal(0)))) * (1 + _ROUNDED))


def _weights(classes: Classes, epsilon0: Epsilon, T: Decimal) -> list[Decimal]:
    """In the precision of the caller's context."""
    at: dict[Symbol, Decimal] = {"T": T, "root": T.sqrt()}
    if any("epsilon0" in symbols(each.weight) for each in classes):
        at["epsilon0"] = decimal_of(epsilon0.rational) if epsilon0.rational is not None else T.ln()
    return [evaluate(each.weight, number=decimal_of, symbol=at) for each in classes]


def _enough_digits(classes: Classes, epsilon0: Epsilon) -> AbstractContextManager[Context]:
    """More than usual where digits may cancel in the weights."""
    return working(DIGITS + _LOST * _leading_zeros(epsilon0) if any(subtracts(each.weight) for each in classes) else DIGITS)


def _leading_zeros(epsilon0: Epsilon) -> int:
    """Return the leading zeros of epsilon0 as a decimal, at least."""
    smallest = epsilon0.bounds(bits=32)[0]
    return max(0, 1 + math.ceil(0.30103 * (smallest.denominator.bit_length() - smallest.numerator.bit_length() + 1)))


def _ratios(rows: Iterable[Row]) -> list[Row]:
    """(m, u, v) of every output class."""
    with working():
        return [(m, first / m, second / m) for m, first, second in rows]


def _laplace_blanket(epsilon0: Epsilon) -> LossDistribution:
    """x_0 = 0, x_1 = 1: m = min(R_0, R_1). For y <= 0 u = T, v = 1; on [0, 1/2] v = 1 and u = e^(eps0 (1 - 2 y)) in cells; then mirrored.

    A cell's mass goes to its two ends, its mean of u kept. Under m, [a, b] has (e^(eps0 (b - 1)) - e^(eps0 (a - 1)))/2, under R_0
    (e^(-eps0 a) - e^(-eps0 b))/2.
    """
    T, root = _powers(epsilon0)
    one = Decimal(1)
    rows: list[tuple[Decimal, Decimal, Decimal]] = [(1 / (2 * T), T, T)]  # mass, where u stands, mean of u
    steps = _powers_of(root, _CELLS)  # e^(eps0 y), y = j/(2 cells)
    nearest = [steps[1]]  # towards 0, where u is largest, cells are halved again and again
    for _ in range(_HALVED):
        nearest.append(nearest[-1].sqrt())
    ends = [steps[0], *reversed(nearest), *steps[2:]]
    if len(set(ends)) < len(ends):
        raise out_of_range(f"epsilon0 is so small that {_CELLS} cells of Laplace noise have ends alike")
    for low, high in pairwise(ends):
        of_cell, first = (high - low) / (2 * T), (1 / low - 1 / high) / 2
        u_low, u_high, mean = T / (high * high), T / (low * low), first / of_cell
        share = (mean - u_low) / (u_high - u_low)
        rows += [(of_cell * share, u_high, mean), (of_cell * (1 - share), u_low, mean)]
    mass, at, mean_u = (np.array([float(each) for each in column]) for column in zip(*rows, strict=True))
    ones = np.full(len(mass), float(one))
    return LossDistribution(
        np.concatenate([mass, mass]),
        np.concatenate([at, ones]),
        np.concatenate([ones, at]),
        np.concatenate([mean_u, ones]),
        np.concatenate([ones, mean_u]),
    )


def _laplace_homogeneous(epsilon0: Epsilon, centre: int) -> LossDistribution:
    """x_0 = 0, x_1 = 1, x_2 = centre/2; reports in cells of [0, 1], and outside of it: merged, a lower side."""
    _, root = _powers(epsilon0)
    steps = _powers_of(root * root, _MERGED)  # e^(eps0 y), y = j/cells

    def masses(x: int) -> list[Decimal]:
        """Return the masses of y <= 0, the cells and y >= 1, for the input x/2: from the distribution function on either side of it."""
        middle = x * _MERGED // 2
        at = steps[middle]
        left = [(high - low) / (2 * at) for low, high in pairwise(steps[: middle + 1])]
        right = [at / (2 * low) - at / (2 * high) for low, high in pairwise(steps[middle:])]
        return [steps[0] / (2 * at), *left, *right, at / (2 * steps[-1])]

    rows = list(zip(masses(centre), masses(0), masses(2), strict=True))
    said = "inputs 0 and 1; all others hold 0" if centre == 0 else "inputs 0 and 1; all others hold 1/2"
    return LossDistribution.of(rows, dataset=said)


def _powers(epsilon0: Epsilon) -> tuple[Decimal, Decimal]:
    """e^epsilon0 and its root. Raises UnsupportedError where epsilon0 or e^epsilon0 leaves the floats."""
    require_normal(epsilon0)
    T = exponential(epsilon0)
    if Decimal("1e300") < T:
        raise out_of_range("e^epsilon0 is beyond 1e300")
    return T, T.sqrt()


def _powers_of(x: Decimal, cells: int) -> list[Decimal]:
    """x^(j/cells) for j from 0 to cells; the relative error, below 1e-50, moves what is said of each cell alike."""
    step = (x.ln() / cells).exp()
    powers = [Decimal(1)]
    for _ in range(cells):
        powers.append(powers[-1] * step)
    return powers
