"""The piecewise mechanism for one number in [-1, 1] (Wang, Xiao, Yang, Zhao, Hui, Shin, Shin and Yu, ICDE 2019, Algorithm 2)."""

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.sliding_window import EXTREME, SlidingWindow, extreme_places, sliding_window
from shuffleproof.spec.vocabulary.likelihoods import ROOT, Expression, constant
from shuffleproof.spec.vocabulary.named_randomizer import Exact, half_power
from shuffleproof.spec.vocabulary.numerals import Epsilon


@dataclass(frozen=True, kw_only=True)
class Piecewise(SlidingWindow):
    """x in [-1, 1] sent as a number in [-C, C], C = (r + 1)/(r - 1), r = e^(eps0/2), whose density is e^eps0 times as high on a window.

    The window is [(C + 1) x/2 - (C - 1)/2, (C + 1) x/2 + (C - 1)/2], so that the report has the mean x. Its length C - 1 = 2/(r - 1) is to
    the way that it slides, C + 1 = 2 r/(r - 1), as 1 to r.
    """

    name = "piecewise"
    aliases = ("piecewise-mechanism",)
    says = "the piecewise mechanism on [-1, 1]"

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """Return the distributions of the inputs that decide, where e^(eps0/2) is rational."""
        root = half_power(T, self.name)
        return EXTREME, 2 * EXTREME + 1, lambda: piecewise(exp_half_epsilon0=root)

    @property
    def window(self) -> Expression:
        """In units of C - 1."""
        return constant(1)

    @property
    def way(self) -> Expression:
        """(C + 1)/(C - 1)."""
        return ROOT

    def holds_three(self, epsilon0: Epsilon) -> bool:
        """r >= 2."""
        return epsilon0 >= Epsilon(None, Fraction(4))


def piecewise(*, exp_half_epsilon0: Fraction) -> LocalRandomizer[int, int]:
    """Its exact distribution for the inputs that decide. exp_half_epsilon0: r >= 1. Raises DomainError."""
    r = Fraction(exp_half_epsilon0)
    return sliding_window(window=Fraction(1), way=r, exp_epsilon0=r**2, places=extreme_places(window=Fraction(1), way=r))
