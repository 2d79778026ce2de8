"""The loss types of one randomizer's users, in float64: distributions of L = (R_0 - E R_1)/m for all that another user may hold.

m = (R_k - eta omega)/(1 - eta), where omega is the privacy blanket with mass 1, or its part where R_0 = R_1 with mass 1. Relative to R_k it
is o, and L is (u - E v)/w with w times its probability under R_k, w = (1 - eta o)/(1 - eta) (BEYOND.swap-in-levels).

Two levels: the least probability of a report of weight w over all items is w/Z, or above, so that o is T^-c over the sum of all w/Z, c
being 1 where R_k prefers the report. Another user holds x_0, x_1 or a third item. Of other randomizers (`Thinned`) distributions of L are
known that hold for a share of R_k: what is left is at least (1 - eta/gamma)/(1 - eta) of R_k, gamma the mass of the blanket.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum_contour import Floats
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import Atoms, Kinds, thinned, two_levels, widest
from shuffleproof.impl.fast.numeric.results import U, working
from shuffleproof.spec.vocabulary.likelihoods import Classes as OutputClasses
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

_MOST_SHARE = 0.9
"""eta over the largest share of omega that all have, at most: nearer to 1 the losses against what is left grow without bound."""


@dataclass(frozen=True)
class Reports:
    """Output classes of a measure: masses, and R_0, R_1 and omega relative to it; to relative errors of 4 U."""

    mass: Floats
    u: Floats
    v: Floats
    omega: Floats

    def losses(self, exp_epsilon: float, share: float) -> Atoms:
        """L against what share omega leaves of this measure, over 1 - share, for E within a rounding of exp_epsilon."""
        taken = share * self.omega
        left = (1 - taken) / (1 - share)
        error = float((U * (16 + 16 * taken / (1 - taken))).max())
        at = (self.u - exp_epsilon * self.v + 12 * U * (self.u + exp_epsilon * self.v)) / left
        return self.mass * left, at + 2 * error * np.abs(at), error

    def swapped(self) -> Reports:
        """Return them with x_0 and x_1 exchanged."""
        return Reports(self.mass, self.v, self.u, self.omega)


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

    def foremost(self, exp_epsilon: float, share: float) -> Atoms:
        """Return a law that the worst of all sums may be like: for guesses."""
        return widest(self.others(exp_epsilon, share))

    def uncovered(self, exp_epsilon: float) -> float:
        """Return an upper bound on the probability of what R_0 or R_1 send where some m is 0."""
        return 0.0


class Classes(LossTypes):
    """The loss types of output classes that are known one by one."""

    def __init__(self, others: Sequence[Reports], blanket: Sequence[Reports]) -> None:
        self.reports, self._blanket = others, blanket
        self.most = _MOST_SHARE / max(float(each.omega.max()) for each in (*others, *blanket))

    def others(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """See `LossTypes`."""
        return [each.losses(exp_epsilon, share) for each in self.reports]

    def blanket(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """See `LossTypes`."""
        return [each.losses(exp_epsilon, share) for each in self._blanket]


class Thinned(LossTypes):
    """Loss types that hold for any share of R_k (`Kinds`); omega is the blanket, of which the same share is left.

    blanket: the losses against the whole blanket, if they are known.
    """

    def __init__(self, kinds: Kinds, blanket: Callable[[float], Iterable[Atoms]] = lambda _: ()) -> None:
        self._kinds, self._blanket, self.mass = kinds, blanket, kinds.blanket
        self.most = _MOST_SHARE * kinds.blanket
        self._whole: tuple[float, list[Atoms]] = (0.0, [])

    def others(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """See `LossTypes`."""
        if self._whole[0] != exp_epsilon:
            self._whole = (exp_epsilon, [law for kind in self._kinds.atoms(exp_epsilon, 1.0) for law in kind])
        return [thinned(law, self._left(share)) for law in self._whole[1]]

    def blanket(self, exp_epsilon: float, share: float) -> list[Atoms]:
        """See `LossTypes`."""
        return [thinned(law, self._left(share)) for law in self._blanket(exp_epsilon)]

    def foremost(self, exp_epsilon: float, share: float) -> Atoms:
        """See `LossTypes`."""
        return self._kinds.foremost(exp_epsilon, self._left(share))

    def uncovered(self, exp_epsilon: float) -> float:
        """See `LossTypes`."""
        return self._kinds.given_away(exp_epsilon)

    def _left(self, share: float) -> float:
        """Return what every distribution has at least."""
        return (1 - share / self._kinds.blanket) / (1 - share) * (1 - 1e-13) if share else 1.0


@lru_cache(maxsize=64)
def types_of(randomizer: NamedRandomizer, epsilon0: Epsilon) -> list[LossTypes]:
    """Return those of every named randomizer but noise on a number, omega where R_0 = R_1 first, if it can be. epsilon0 > 0.

    Against the blanket all pairs of inputs count, where permuting the inputs changes something.
    """
    others = randomizer.others(epsilon0)
    blanket = [randomizer.against_blanket(epsilon0)]
    if not randomizer.alike or randomizer.furthest is not randomizer or "family" in randomizer.takes():
        blanket += [tuple(replace(each, third=0) for each in classes) for classes in others]
    mixed = randomizer.continuous  # inputs of which R_k is a mixture: x_0 and x_1 may be one of them
    found: list[LossTypes] = []
    for even in (False,) if mixed else (True, False):
        known = [[_reports(classes, epsilon0, even=even) for classes in of_them] for of_them in (others, blanket)]
        if all(each is not None for of_them in known for each in of_them):
            both = [[turned for each in of_them if each is not None for turned in (each, each.swapped())] for of_them in known]
            found.append(Classes(*both))
    return found


def _reports(classes: OutputClasses, epsilon0: Epsilon, *, even: bool) -> Reports | None:
    """Return those of one input of another user, or of the blanket; None where R_0 = R_1 nowhere and that is asked."""
    with working():
        least = [m for m, _, _ in two_levels(tuple(replace(each, third=0) for each in classes), epsilon0)]
        rows = two_levels(classes, epsilon0)
        taken = [p if not even or first == second else Decimal(0) for p, (_, first, second) in zip(least, rows, strict=True)]
        total = sum(taken, Decimal(0))
        if not total:
            return None
        known = [(m, first / m, second / m, part / m / total) for (m, first, second), part in zip(rows, taken, strict=True)]
    mass, u, v, omega = (np.array([float(each) for each in column]) for column in zip(*known, strict=True))
    return Reports(mass, u, v, omega)
