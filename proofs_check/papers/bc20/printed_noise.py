"""The zero-sum protocol at p = 1 - constant ln(2/delta)/(epsilon^2 n): BC20's parameter for constant = 50, an irrational number.

Ball engines take rational p. Bin(n, p) and Bin(n, p') are within n |p - p'| in total variation, so the divergence of the pair moves by
at most (1 + e^epsilon) n |p - p'|; with 1 - p enclosed to 2^-bits that is counted in full on both sides.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.impl.ball.bounds.noise import zero_sum
from shuffleproof.proofs_check.ledger import Verdict
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.numerals import decimal_text

_BITS = 60  # of e^eps' ends: eps is at most 1 here
_EXP_OF_ONE = 3  # above e^eps, since eps <= 1


@dataclass(frozen=True, slots=True)
class Point:
    """Users, epsilon in (0, 1] and delta in (0, 1], all exact."""

    n: int
    epsilon: Fraction
    delta: Fraction

    def __str__(self) -> str:
        delta = decimal_text(self.delta, digits=3, direction="up")
        return f"n = {self.n}, eps = {self.epsilon}, delta = {delta}"


def smallest_n(*, epsilon: Fraction, delta: Fraction, constant: Fraction = Fraction(50)) -> int:
    """The least n with n >= (2 constant/epsilon^2) ln(2/delta), so that p >= 1/2."""
    low, high = (2 * constant / epsilon**2 * end for end in log_bounds(2 / delta, bits=_BITS))
    assert int(low) == int(high)
    return int(low) + 1


def divergence(at: Point, *, constant: Fraction = Fraction(50)) -> tuple[Fraction, Fraction]:
    """Certified ends of the larger hockey-stick divergence at epsilon, for p = 1 - constant ln(2/delta)/(epsilon^2 n)."""
    scale = constant / (at.epsilon**2 * at.n)
    bits = 4 * at.n.bit_length() + 2 * (at.delta.denominator.bit_length() - at.delta.numerator.bit_length()) + 80
    low, high = (scale * end for end in log_bounds(2 / at.delta, bits=bits))
    found = zero_sum.delta(n=at.n, p=1 - high, epsilon=at.epsilon, digits=6)
    moved = (1 + _EXP_OF_ONE) * at.n * (high - low)
    return max(Fraction(0), found.lower - moved), found.upper + moved


def private_at(points: Iterable[Point], *, constant: Fraction = Fraction(50)) -> Verdict:
    """Return whether the divergence is certified to be at most delta at each point: certified, refuted with a witness, or open."""
    listed = list(points)

    def reached() -> Iterator[tuple[Point, tuple[Fraction, Fraction]]]:
        for at in listed:
            low, high = divergence(at, constant=constant)
            yield at, (low / at.delta, high / at.delta)

    return at_most_claimed(reached(), domain=f"{len(listed)} certified points", slack="the divergence takes up at most {} of delta")
