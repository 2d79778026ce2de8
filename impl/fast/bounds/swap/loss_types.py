"""The loss types of one randomizer's users, in float64: distributions of L = (R_0 - E R_1)/m for all that another user may hold.

m = (R_k - eta omega)/(1 - eta), where omega is the privacy blanket with mass 1, or its part where R_0 = R_1 with mass 1. Relative to R_k it
is o, and L is (u - E v)/w with w times its probability under R_k, w = (1 - eta o)/(1 - eta) (BEYOND.swap-in-levels).

Two levels: the least probability of a report of weight w over all items is w/Z, or above, so that o is T^-c over the sum of all w/Z, c
being 1 where R_k prefers the report. Another user holds x_0, x_1 or a third item. Of other randomizers (`Thinned`) distributions of L are
known that hold for a share of R_k: what is left is at least (1 - eta/gamma)/(1 - eta) of R_k, gamma the mass of the blanket.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from itertools import groupby

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, LossesOfOthers, least_probabilities, thinned
from shuffleproof.impl.fast.numeric.results import U, exponential, working
from shuffleproof.spec.vocabulary.likelihoods import OutputClass
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

_MOST_SHARE = 0.9
"""eta over the largest share of omega that all have, at most: nearer to 1 the losses against what is left grow without bound."""

_DIGITS = Context(prec=40)
"""In which measures that are the same agree: far more than floats have, and fewer than are right."""
_TINY = 1e-300
"""Less than any mass that counts."""
_ALIKE = 0.9
"""Least quotient of numbers of users that are summed together."""
_GUESSED_BY = 128
"""Atoms by which many are guessed."""


@dataclass(frozen=True)
class Reports:
    """Output classes of a measure: masses, and R_0, R_1 and omega relative to it; to relative errors of 4 U."""

    mass: Floats
    u: Floats
    v: Floats
    omega: Floats

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Reports:
        """Return these output classes in arrays."""
        u, v, omega, mass = (np.array([float(each) for each in column]) for column in zip(*rows, strict=True))
        return cls(mass, u, v, omega)

    def losses(self, exp_epsilon: float, share: Floats | float) -> Atoms:
        """L against what share omega leaves of this measure, over 1 - share, for E within a rounding of exp_epsilon."""
        taken = share * self.omega
        left = (1 - taken) / (1 - share)
        error = float((U * (16 + 16 * taken / (1 - taken))).max())
        at = (self.u - exp_epsilon * self.v + 12 * U * (self.u + exp_epsilon * self.v)) / left
        return self.mass * left, at + 2 * error * np.abs(at), error


def in_rows(laws: Sequence[tuple[Floats | float, ...]]) -> list[Floats]:
    """Return the arrays of these in rows, filled up with 0."""
    arrays = [[each for each in law if isinstance(each, np.ndarray)] for law in laws]
    found = np.zeros((len(arrays[0]), len(laws), max(len(law[0]) for law in arrays)))
    for row, law in enumerate(arrays):
        found[:, row, : len(law[0])] = law
    return list(found)


class LossTypes(ABC):
    """C_l and what stands for it where nobody has drawn from omega, for one choice of omega.

    most: the largest share of omega that may be taken.
    """

    most: float

    @abstractmethod
    def others(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """C at eta = share, in both orders of the datasets."""

    @abstractmethod
    def blanket(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """Distributions of the losses against the blanket less share omega, over 1 - share: 0 with what is left of their mass.

        None of them where it is not known: everything may be revealed there.
        """

    @abstractmethod
    def foremost(self, exp_epsilon: float, shares: Floats, *, many: bool = False) -> tuple[Floats, Floats]:
        """Return masses and places of C, or of what the worst of all sums may be like, at each share, or at 0: for guesses.

        many: whether the mean square is all that counts.
        """

    def uncovered(self, exp_epsilon: float) -> float:
        """Return an upper bound on the probability of what R_0 or R_1 send where some m is 0."""
        return 0.0


class Classes(LossTypes):
    """The loss types of output classes that are known one by one."""

    def __init__(self, others: Sequence[Reports], blanket: Sequence[Reports]) -> None:
        self.reports, self._blanket = others, blanket
        self.most = _MOST_SHARE / max(float(each.omega.max()) for each in (*others, *blanket))
        self._together = Reports(*in_rows([(each.mass, each.u, each.v, each.omega) for each in others]))

    def others(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """See `LossTypes`."""
        return [each.losses(exp_epsilon, share) for each in self.reports]

    def blanket(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """See `LossTypes`."""
        return [each.losses(exp_epsilon, share) for each in self._blanket]

    def foremost(self, exp_epsilon: float, shares: Floats, *, many: bool = False) -> tuple[Floats, Floats]:
        """See `LossTypes`."""
        return self._together.losses(exp_epsilon, shares[:, None, None])[:2]


class Thinned(LossTypes):
    """Loss types that hold for any share of R_k (`LossesOfOthers`); omega is the blanket, of which the same share is left.

    blanket: the losses against the whole blanket, if they are known.
    """

    def __init__(self, loss_types: LossesOfOthers, blanket: Callable[[float], Iterable[Atoms]] = lambda _: ()) -> None:
        self._loss_types, self._blanket, self.mass = loss_types, blanket, loss_types.blanket
        self.most = _MOST_SHARE * loss_types.blanket
        self._whole: tuple[float, list[Atoms]] = (0.0, [])

    def others(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """See `LossTypes`."""
        if self._whole[0] != exp_epsilon:
            self._whole = (exp_epsilon, [law for loss_type in self._loss_types.atoms(exp_epsilon, 1.0) for law in loss_type])
        return [thinned(law, self._left(share)) for law in self._whole[1]] if share else self._whole[1]

    def blanket(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """See `LossTypes`."""
        return [thinned(law, self._left(share)) for law in self._blanket(exp_epsilon)]

    def foremost(self, exp_epsilon: float, shares: Floats, *, many: bool = False) -> tuple[Floats, Floats]:
        """See `LossTypes`."""
        laws = [self._loss_types.foremost(exp_epsilon, 1.0)] if many else self._loss_types.foremost_types(exp_epsilon)
        mass, at = in_rows([_fewer(law) for law in laws])
        return mass[None], at[None]

    def uncovered(self, exp_epsilon: float) -> float:
        """See `LossTypes`."""
        return self._loss_types.given_away(exp_epsilon)

    def averages(self, exp_epsilon: float, numbers: Sequence[int]) -> list[float]:
        """Return the largest E(L_1 + ... + L_S)_+/S at eta = 0 for each S, at most, by what is quicker than `others`.

        Infinite where that has none. Of far fewer users than the most it is 1, which it never exceeds.
        """
        least = _ALIKE * max(numbers)
        alike = [S for S in numbers if least <= S]
        found = self._loss_types.averages(exp_epsilon, alike)
        known = dict(zip(alike, found, strict=True)) if found else {}
        return [known.get(S, math.inf if S in alike else 1.0) for S in numbers]

    def about(self, exp_epsilon: float, users: float) -> float | None:
        """Return about ln of that for so many users: a guess; None where it is not known."""
        return self._loss_types.about(exp_epsilon, users)

    def _left(self, share: float) -> float:
        """Return what every distribution has at least."""
        return (1 - share / self._loss_types.blanket) / (1 - share) * (1 - 1e-13) if share else 1.0


def _fewer(law: Atoms) -> Atoms:
    """Return about this distribution with a few hundred atoms: neighbours together, with the same mean square."""
    mass, at, error = law
    if len(mass) < 2 * _GUESSED_BY:
        return law
    order = np.argsort(at)
    starts = np.arange(0, len(mass), -(-len(mass) // _GUESSED_BY))
    gathered = np.add.reduceat(mass[order], starts)
    places = np.add.reduceat((mass * at)[order], starts) / np.maximum(gathered, _TINY)
    return gathered, places * np.sqrt((mass * at * at).sum() / (gathered * places * places).sum()), error


def types_of(randomizer: NamedRandomizer, epsilon0: Epsilon) -> Iterator[LossTypes]:
    """Yield those of every named randomizer but noise on a number, omega where R_0 = R_1 first, if it can be. epsilon0 > 0."""
    for even in (False,) if randomizer.continuous else (True, False):  # where R_k is a mixture of inputs, x_0 and x_1 may be among them
        if types := _types(randomizer, epsilon0, even=even):
            yield types


@lru_cache(maxsize=64)
def _types(randomizer: NamedRandomizer, epsilon0: Epsilon, *, even: bool) -> LossTypes | None:
    """Return those with this omega. Against the blanket all pairs of inputs count, where permuting the inputs changes something."""
    T, others, against_blanket = _outputs(randomizer, epsilon0)
    with working():
        blanket = [_rows(against_blanket, T, even=even)]
        if not randomizer.alike or randomizer.furthest is not randomizer or "family" in randomizer.takes():
            blanket += [_rows(classes, T, even=even, least=True) for classes in others]
        known = [[_rows(classes, T, even=even) for classes in others], blanket]
    if not all(rows for of_them in known for rows in of_them):
        return None
    return Classes(*([Reports.of(rows) for rows in _both_ways(of_them)] for of_them in known))


_Outputs = list[tuple[Decimal, OutputClass]]
"""Output classes with the least probability of each."""


@lru_cache(maxsize=64)
def _outputs(randomizer: NamedRandomizer, epsilon0: Epsilon) -> tuple[Decimal, list[_Outputs], _Outputs]:
    """Return T, and the output classes of all that another user may hold, and against the blanket: the same with any omega."""
    with working():
        others = [least_probabilities(classes, epsilon0) for classes in randomizer.others(epsilon0)]
        return exponential(epsilon0), others, least_probabilities(randomizer.against_blanket(epsilon0), epsilon0)


Row = tuple[Decimal, Decimal, Decimal, Decimal]
"""u, v and omega relative to a measure, and a mass of it."""


def _both_ways(known: list[list[Row]]) -> list[list[Row]]:
    """Return these measures, and with x_0 and x_1 exchanged, each once."""
    turned = [sorted((v, u, part, m) for u, v, part, m in rows) for rows in known]
    return [rows for rows, _ in groupby(sorted([*known, *turned]))]


def _rows(classes: _Outputs, T: Decimal, *, even: bool, least: bool = False) -> list[Row]:
    """Return those of one input of another user, or of the blanket, to 40 digits; none where R_0 = R_1 nowhere and that is asked.

    least: whether the measure is the least probabilities.
    """
    probabilities = defaultdict[tuple[int, int, int], Decimal](Decimal)
    for p, each in classes:
        probabilities[each.first, each.second, 0 if least else each.third] += p
    total = sum((p for (first, second, _), p in probabilities.items() if not even or first == second), Decimal(0))
    if not total:
        return []
    power, share, none = {each: _DIGITS.plus(T**each) for each in (-1, 0, 1)}, [_DIGITS.plus(1 / x) for x in (total, T * total)], Decimal(0)
    masses = defaultdict[tuple[Decimal, Decimal, Decimal], Decimal](Decimal)
    for (first, second, third), p in probabilities.items():
        part = share[third] if not even or first == second else none
        masses[power[first - third], power[second - third], part] += p * T if third else p
    return sorted((u, v, part, _DIGITS.plus(m)) for (u, v, part), m in masses.items())
