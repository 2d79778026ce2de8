"""The privacy profile of a pair of distributions: delta as a function of epsilon, and its exact inverse."""

from collections.abc import Hashable
from fractions import Fraction
from typing import Generic, TypeVar

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.vocabulary.errors import require

T = TypeVar("T", bound=Hashable)


class PrivacyProfile(Generic[T]):
    """delta(epsilon) = max(D(p || q), D(q || p)) of order e^epsilon, and its inverse epsilon(delta).

    Each direction is convex, non-increasing and piecewise linear in e^epsilon, with its corners at the likelihood ratios.
    """

    def __init__(self, p: Distribution[T], q: Distribution[T]) -> None:
        self.p, self.q = p, q

    def delta(self, *, exp_epsilon: Fraction) -> Fraction:
        """The least delta for which the pair is (epsilon, delta)-indistinguishable; exp_epsilon = e^epsilon >= 1, exact."""
        require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
        return max(hockey_stick(self.p, self.q, exp_epsilon=exp_epsilon), hockey_stick(self.q, self.p, exp_epsilon=exp_epsilon))

    def exp_epsilon(self, *, delta: Fraction) -> Fraction | None:
        """e^epsilon for the least epsilon >= 0 with delta(epsilon) <= delta; None if there is none. delta in [0, 1], exact."""
        require(0 <= delta <= 1, parameter="delta", value=delta, requirement="in [0, 1]")
        forward, backward = _one_way(self.p, self.q, delta), _one_way(self.q, self.p, delta)
        return None if forward is None or backward is None else max(forward, backward)

    def corners(self) -> list[Fraction]:
        """The likelihood ratios of at least 1, ascending: between two neighbours the profile is the larger of two lines in e^epsilon."""
        common = [y for y in self.p.support if self.q[y]]
        ratios = {self.p[y] / self.q[y] for y in common} | {self.q[y] / self.p[y] for y in common}
        return sorted(ratio for ratio in ratios if ratio >= 1)


def _one_way(p: Distribution[T], q: Distribution[T], delta: Fraction) -> Fraction | None:
    """Least order E >= 1 with sum max(0, p - E q) <= delta.

    Walks the corners from the largest ratio down. Between two corners the divergence is P - E Q, with P and Q the masses of the
    outcomes whose ratio exceeds E; the first line that reaches delta at or above its own lower corner gives the answer.
    """
    above_p = sum((p[y] for y in p.support if not q[y]), Fraction(0))
    if above_p > delta:
        return None
    above_q = Fraction(0)
    by_ratio: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for y, in_p in p.items():
        if in_q := q[y]:
            mass = by_ratio.get(in_p / in_q, (Fraction(0), Fraction(0)))
            by_ratio[in_p / in_q] = (mass[0] + in_p, mass[1] + in_q)
    for ratio in sorted(by_ratio, reverse=True):
        if ratio <= 1 or above_p - ratio * above_q > delta:
            break
        above_p, above_q = above_p + by_ratio[ratio][0], above_q + by_ratio[ratio][1]
    # Now D(E) = above_p - E above_q from here down to the corner that stopped the walk.
    return max(Fraction(1), (above_p - delta) / above_q) if above_q else Fraction(1)
