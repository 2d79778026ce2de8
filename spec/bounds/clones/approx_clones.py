"""Shuffled (epsilon0, delta0)-DP local randomizers: the clones pair plus what delta0 costs, exactly (FMT21, Theorem 3.8)."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.bounds.exact_pair import exact, of_exponential, rational_exp, require_enumerable
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import APPROX_CLONES, STRONGER_APPROX_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones

LARGEST_N = 60
"""Users of the clones pair that are enumerated: seconds; the certified engine goes further."""
Cost = Callable[[int, Fraction, Fraction], tuple[Fraction, Fraction]]
"""(slope, once) for n users, T = e^epsilon0 and delta0: delta0 adds slope (e^epsilon + 1) + once to delta."""


def printed_cost(n: int, T: Fraction, delta0: Fraction) -> tuple[Fraction, Fraction]:
    """delta0 adds (e^epsilon + 1)(1 + 1/(2 T)) n delta0.  (FMT21, Theorem 3.8)."""
    return (1 + 1 / (2 * T)) * n * delta0, Fraction(0)


def smaller_cost(n: int, T: Fraction, delta0: Fraction) -> tuple[Fraction, Fraction]:
    """delta0 adds (e^epsilon + 1)(3/(2 T))(n - 1) delta0 + delta0: the other users lose delta0/T each where the paper counts delta0."""
    return 3 * (n - 1) * delta0 / (2 * T), delta0


@dataclass(frozen=True)
class ApproxClones:
    """The clones pair's delta' with what delta0 costs."""

    method: Method
    cost: Cost

    @exact()
    def delta(self, *, n: int, epsilon0: Epsilon, delta0: Fraction, epsilon: Epsilon) -> Found:
        """Return the least delta'(epsilon') + slope (e^epsilon' + 1) + once over epsilon' <= epsilon, delta' the clones pair's.

        From epsilon0 on it is delta0, which holds without shuffling.

        >>> given = {"n": 2, "epsilon0": "ln 4", "delta0": "1e-3", "epsilon": 0}
        >>> delta(**given).exact, stronger_approx_clones.delta(**given).exact
        ('0.5295', '0.52675')
        >>> delta(**{**given, "epsilon": "ln 4"}).exact
        '0.001'
        """
        require_enumerable(n, LARGEST_N)
        T, E = rational_exp(epsilon0, "epsilon0"), rational_exp(epsilon, "epsilon")
        return Found.exactly(delta0 if E >= T else min(Fraction(1), _Total(n, T, delta0, self.cost).least_up_to(E)[1]))

    @exact()
    def epsilon(self, *, n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction, inputs: Mapping[str, str]) -> Found:
        """Return the least epsilon at which that delta is at most delta.

        Raises RegimeError where delta < delta0, for which no epsilon holds for all (epsilon0, delta0)-DP randomizers.
        """
        require_enumerable(n, LARGEST_N)
        T = rational_exp(epsilon0, "epsilon0")
        if delta < delta0:
            raise no_epsilon_for_approx_clones(self.method, delta0=inputs["delta0"], delta=inputs["delta"])
        return of_exponential(Fraction(1) if delta == 1 else _Total(n, T, delta0, self.cost).least_order(delta))


FMT21 = ApproxClones(APPROX_CLONES, printed_cost)
"""Theorem 3.8 as printed."""
stronger_approx_clones = ApproxClones(STRONGER_APPROX_CLONES, smaller_cost)
"""With the smaller cost of delta0 (FMT21.Thm3.8-constant)."""
delta, epsilon = FMT21.delta, FMT21.epsilon


class _Total:
    """E -> delta'(E) + slope (E + 1) + once: convex, and linear between the corners of the clones pair's profile."""

    def __init__(self, n: int, T: Fraction, delta0: Fraction, cost: Cost) -> None:
        self.T, self.profile = T, PrivacyProfile(*dominating_pair(n=n, exp_epsilon0=T))
        self.slope, self.once = cost(n, T, delta0)
        self.corners = sorted({Fraction(1), *self.profile.corners()})

    def at(self, E: Fraction) -> Fraction:
        return self.profile.delta(exp_epsilon=E) + self.slope * (E + 1) + self.once

    def least_up_to(self, E: Fraction) -> tuple[int, Fraction]:
        """The number of corners before the least value on [1, E], and that value."""
        points = [*self.corners[: bisect_left(self.corners, E)], E]
        i = bisect_left(range(len(points) - 1), True, key=lambda j: self.at(points[j + 1]) >= self.at(points[j]))
        return i, self.at(points[i])

    def least_order(self, target: Fraction) -> Fraction:
        """The least E with a value of at most target; T if there is none, since delta0 <= target there."""
        lowest, value = self.least_up_to(self.T)
        if value > target:
            return self.T
        i = bisect_left(range(lowest), True, key=lambda j: self.at(self.corners[j]) <= target)
        if i == 0:
            return Fraction(1)
        left, right = self.corners[i - 1], self.corners[i]
        at_left, at_right = self.at(left), self.at(right)
        return left + (at_left - target) / (at_left - at_right) * (right - left)
