"""Numbers in [0, 1] with Gaussian noise of each user, shuffled, certified on a grid: the blanket above.

m = min(R_0, R_1), R_1 below 1/2 and R_0 above it. Below 1/2 v = 1 and u = e^((1 - 2 y)/(2 sigma^2)) up to what reports left of -z sigma
reveal; above it u and v are exchanged. 0 and 1 are the worst inputs (BEYOND.any-law-gaussian). Masses are differences of Arb's erfc.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from flint import arb, ctx

from shuffleproof.impl.ball.bounds.blanket.one_sum_profile import DIGITS, delta_of, epsilon_of, estimate, require_on_grids
from shuffleproof.impl.ball.bounds.blanket.randomizer_distributions import CELLS, Row
from shuffleproof.impl.ball.numeric.arithmetic import ball, normal_tail, upper_end
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import GAUSSIAN_BLANKET
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_at_zero

_NEAR = 3
"""First z that is tried, in half standard deviations."""
_BELOW = 0.5
"""So many digits more than are asked for lie between delta and what is revealed."""
_FARTHEST = 1000
"""Largest z, in half standard deviations, before the answer is refused."""


@dataclass(frozen=True)
class _Blanket:
    """u and v against m, as far as z standard deviations outside of [0, 1]."""

    sigma: Fraction
    z: Fraction
    n: int
    dataset: str = ""

    def is_symmetric(self) -> bool:
        """0 and 1 are mirror images."""
        return True

    def rows(self, *, cells: int = CELLS) -> list[Row]:
        """Every cell's mass goes to its two ends, its mean of u kept."""
        return _against_blanket(self.sigma, self.z, cells // 4, ctx.prec)

    def largest_ratio(self) -> Epsilon:
        """The largest loss of one report that is not revealed."""
        return Epsilon((1 + 2 * self.z * self.sigma) / (2 * self.sigma**2), None)

    def given_away(self, E: arb, *, swapped: bool) -> arb:
        """Enclose what reports outside add, where they count as 0: R_0 left of z standard deviations at most.

        There u > E, and a loss and its mirror image, x + y = (1 - E)(u + v), have (S + x)_+ + (S + y)_+ >= 2 S_+ + x + y, and at least S_+.
        """
        near, far = normal_tail(ball(self.z)), normal_tail(ball(self.z + 1 / self.sigma))
        lost = min((E - 1) * (near + far), self.n * far, key=upper_end)
        return near.union(-lost)


@certified(GAUSSIAN_BLANKET)
def delta(*, n: int, sigma: Fraction, epsilon: Epsilon, digits: int = DIGITS) -> Found:
    """delta at epsilon: of the sum over the blanket, to at most 6 digits (BEYOND.any-law-gaussian)."""
    require_on_grids(digits)
    z = _NEAR
    while True:  # until what is revealed is far below delta, by a guess of that
        distribution = _Blanket(sigma, Fraction(z, 2), n)
        if epsilon < distribution.largest_ratio():
            about = estimate([distribution], n=n, epsilon0=distribution.largest_ratio(), epsilon=epsilon)
            if -z * z / 8 < about - math.log(10) * (digits + _BELOW):
                break
        if z > _FARTHEST:
            raise ResourceLimitError(
                what="the losses of one report", needed=f"more than {_FARTHEST} standard deviations", limit=f"{_FARTHEST}"
            )
        z += max(1, z // 16)
    return delta_of([distribution], n=n, epsilon0=distribution.largest_ratio(), epsilon=epsilon, digits=digits)


@certified(GAUSSIAN_BLANKET)
def epsilon(*, n: int, sigma: Fraction, delta: Fraction, digits: int = DIGITS) -> Found:
    """Least epsilon at which that delta is at most delta, to at most 6 digits. Raises RegimeError at delta = 0."""
    require_on_grids(digits)
    if not delta:
        raise no_epsilon_at_zero()
    far = math.sqrt(2 * (_ln(delta) + math.log(10) * (digits + _BELOW)))
    distribution = _Blanket(sigma, Fraction(math.ceil(8 * far), 8), n)
    return epsilon_of([distribution], n=n, epsilon0=distribution.largest_ratio(), delta=delta, digits=digits)


def _ln(delta: Fraction) -> float:
    """ln(1/delta), about."""
    return max(0.0, math.log(delta.denominator) - math.log(delta.numerator))


def _masses(ends: Sequence[Fraction]) -> list[arb]:
    """Return the masses of N(0, 1) between neighbouring ends, computed from the side on which the tails are small."""
    left = [normal_tail(-ball(end)) if end < 0 else None for end in ends]
    found = []
    for (a, b), (below_a, below_b) in zip(pairwise(ends), pairwise(left), strict=True):
        if below_a is not None and below_b is not None:
            found.append(below_b - below_a)
        else:
            found.append(normal_tail(ball(a)) - normal_tail(ball(b)))
    return found


@lru_cache(maxsize=16)
def _against_blanket(sigma: Fraction, z: Fraction, cells: int, bits: int) -> list[Row]:
    assert bits == ctx.prec  # what the rows were computed with
    centre = 1 / (2 * sigma)
    ends = [-z + j * (centre + z) / cells for j in range(cells + 1)]
    first, second = _masses(ends), _masses([end - 2 * centre for end in ends])
    ratios = [ball((centre - end) / sigma).exp() for end in ends]
    one, found = arb(1), list[Row]()
    for (high, low), in_first, in_second in zip(pairwise(ratios), first, second, strict=True):
        mean = in_first / in_second
        share = (mean - low) / (high - low)
        for mass, at in ((in_second * share, high), (in_second * (1 - share), low)):
            found += [(mass, at, one, mean, one), (mass, one, at, one, mean)]
    return found
