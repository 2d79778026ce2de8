"""The square wave mechanism for one number in [0, 1] (Li, Wang, Lopuhaa-Zwakenberg, Li and Skoric, SIGMOD 2020, section 5)."""

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.sliding_window import EXTREME, SlidingWindow, extreme_places, sliding_window
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.likelihoods import EPSILON0, Expression, T, constant
from shuffleproof.spec.vocabulary.named_randomizer import Exact
from shuffleproof.spec.vocabulary.numerals import Epsilon

_THREE_FROM = Fraction(11, 10)
"""epsilon0 from which the authors' radius is below 1/4, so that three windows are disjoint: it is 1/4 at 1.0357."""


@dataclass(frozen=True, kw_only=True)
class SquareWave(SlidingWindow):
    """x in [0, 1] sent as a number in [-b, 1 + b], whose density is T = e^eps0 times as high within b of x as elsewhere.

    radius: b, in (0, 1/2]; where left out the authors', which keeps the most information: (eps0 T - T + 1)/(2 T (T - 1 - eps0)).
    """

    name = "square-wave"
    says = "the square wave mechanism on [0, 1]"
    radius: Fraction | None = None

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """Return the distributions of the inputs that decide, where the radius is given."""
        radius = self.radius
        if radius is None:
            what = f"{self.name!r} with its authors' radius in exact arithmetic"
            raise UnsupportedError(what=what, reason="that is irrational", advice='give a radius, or use engine "ball"')
        return EXTREME, 2 * EXTREME + 1, lambda: square_wave(radius=radius, exp_epsilon0=T)

    @property
    def window(self) -> Expression:
        """2 b."""
        if self.radius is not None:
            return constant(2 * self.radius)
        return (EPSILON0 * T - T + 1) / (T * (T - 1 - EPSILON0))

    @property
    def way(self) -> Expression:
        """The inputs' own range."""
        return constant(1)

    def holds_three(self, epsilon0: Epsilon) -> bool:
        """b <= 1/4."""
        return epsilon0 >= Epsilon(_THREE_FROM, None) if self.radius is None else self.radius <= Fraction(1, 4)


def square_wave(*, radius: Fraction, exp_epsilon0: Fraction) -> LocalRandomizer[int, int]:
    """Its exact distribution for the inputs that decide. radius: b, in (0, 1/2]; exp_epsilon0: T >= 1. Raises DomainError."""
    b, way = Fraction(radius), Fraction(1)
    return sliding_window(window=2 * b, way=way, exp_epsilon0=exp_epsilon0, places=extreme_places(window=2 * b, way=way))
