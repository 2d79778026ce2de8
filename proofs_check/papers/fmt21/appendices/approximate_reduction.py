"""The reduction of FMT21, appendix C, built: epsilon0-DP distributions near (epsilon0, delta0)-DP ones, as printed and one-sided."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, Randomizer
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import combination
from shuffleproof.spec.distribution import Distribution, hockey_stick, mixture
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.clipping import clipped

IntegerDistribution = Distribution[int]


def least_delta(p: IntegerDistribution, q: IntegerDistribution, T: Fraction) -> Fraction:
    """The least delta0 for which p and q are (epsilon0, delta0)-indistinguishable."""
    return max(hockey_stick(p, q, exp_epsilon=T), hockey_stick(q, p, exp_epsilon=T))


def least_delta0(randomizer: Randomizer, T: Fraction) -> Fraction:
    """The least delta0 for which this is an (epsilon0, delta0)-DP local randomizer."""
    laws = [randomizer.distribution(x) for x in randomizer.domain]
    return max((least_delta(p, q, T) for i, p in enumerate(laws) for q in laws[:i]), default=Fraction(0))


def middle(r0: IntegerDistribution, r1: IntegerDistribution) -> IntegerDistribution:
    """(r0 + r1)/2."""
    return mixture([(HALF, r0), (HALF, r1)])


def printed_other(
    r: IntegerDistribution, r0: IntegerDistribution, r1: IntegerDistribution, new_r1: IntegerDistribution, T: Fraction
) -> IntegerDistribution:
    """L(x) of equation (22): R(x) clipped to (r0 + r1)/2, with r1 in its part of weight 1/(2T) exchanged for R'(x_1^1)."""
    near = clipped(r, middle(r0, r1), exp_epsilon=T)
    return combination((Fraction(1), near), (-1 / (2 * T), r1), (1 / (2 * T), new_r1))


def one_sided_other(r: IntegerDistribution, wanted: IntegerDistribution, T: Fraction) -> IntegerDistribution:
    """A distribution near r that is at least wanted/T: raised where it is not, lowered elsewhere in proportion to what is above wanted/T.

    Its total variation to r is D_T(wanted || r)/T: only what is missing has to be moved.
    """
    outcomes = dict.fromkeys((*r.support, *wanted.support))
    missing = sum((max(Fraction(0), wanted[y] / T - r[y]) for y in outcomes), Fraction(0))
    above = sum((max(Fraction(0), r[y] - wanted[y] / T) for y in outcomes), Fraction(0))
    keep = 1 - missing / above if above else Fraction(0)
    return Distribution({y: wanted[y] / T + keep * max(Fraction(0), r[y] - wanted[y] / T) for y in outcomes})


Other = Callable[[IntegerDistribution, IntegerDistribution, IntegerDistribution, IntegerDistribution, Fraction], IntegerDistribution]
"""(R(x), R(x_1^0), R(x_1^1), R'(x_1^1), T) -> L(x)."""


def printed(randomizer: Randomizer, T: Fraction) -> Randomizer:
    """L of appendix C for x_1^0 = 0, x_1^1 = 1: R(0) kept, R(1) clipped to it, the others by equation (22)."""
    return _nearby(randomizer, T, printed_other)


def one_sided(randomizer: Randomizer, T: Fraction) -> Randomizer:
    """The same with every other distribution moved only as far as equation (22) needs: at least (R(0) + R'(1))/(2T)."""
    return _nearby(randomizer, T, lambda r, r0, r1, new_r1, order: one_sided_other(r, middle(r0, new_r1), order))


def _nearby(randomizer: Randomizer, T: Fraction, other: Other) -> Randomizer:
    r0, r1 = randomizer.distribution(0), randomizer.distribution(1)
    new_r1 = clipped(r1, r0, exp_epsilon=T)
    rest = {x: other(randomizer.distribution(x), r0, r1, new_r1, T) for x in randomizer.domain if x > 1}
    return LocalRandomizer(randomizer.domain, {0: r0, 1: new_r1, **rest})


@dataclass(frozen=True)
class Case:
    """Adaptive steps on {0, 1, 2, 3}, X_b = (b, x_2, ..., x_n) with x_j in {2, 3}, and T = e^epsilon0."""

    T: Fraction
    steps: AdaptiveSteps
    others: tuple[int, ...]

    @property
    def n(self) -> int:
        """The number of users."""
        return len(self.others) + 1

    @property
    def delta0(self) -> Fraction:
        """The least delta0 for which every step is (epsilon0, delta0)-DP."""
        return max(least_delta0(randomizer, self.T) for randomizer in self.steps.pool)

    def replaced(self, nearby: Callable[[Randomizer, Fraction], Randomizer]) -> list[Callable[[tuple[Any, ...]], Randomizer]]:
        """The sequence with every randomizer exchanged for one nearby."""
        near: Sequence[Randomizer] = [nearby(randomizer, self.T) for randomizer in self.steps.pool]
        steps = AdaptiveSteps(tuple(near), self.steps.keys)
        return steps.sequence

    def __str__(self) -> str:
        return f"e^eps0 = {self.T}, {self.steps}, (x_2..x_n) = {self.others}"
