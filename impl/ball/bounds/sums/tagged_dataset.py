"""delta of r separately recognisable bit sums on one dataset, certified from below: the same number of ones in every run.

The losses of one run are rounded down to a grid and their weights in the first distribution down to certified lower ends, so that the
r-fold convolution, a mean of (1 - e^(epsilon - loss))_+, errs downward.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb, arb_poly

from shuffleproof.impl.ball.bounds.sums.tagged_runs import BITS, Runs, distribution_of_bits, power
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, lower_end, precision
from shuffleproof.spec.vocabulary.numerals import Epsilon

_MOST_LOSSES = 8_000
"""Losses of the r-fold convolution, about: its time grows with their square."""
_FINER = 6
"""How much finer than the grid from above this one is, at most. It is rounded downward, so that any is sound."""


@dataclass(frozen=True)
class Dataset:
    """r runs, k of the others holding 1 in each; losses on the grid of this step, from -points to points. left_out: as in `Runs`."""

    run: Sum
    r: int
    k: int
    step: Fraction
    points: int
    left_out: float

    def delta(self, epsilon: Epsilon) -> Fraction:
        """Not above the delta of this dataset at epsilon."""
        lowest, weights = self._together
        with precision(BITS):
            E, total = exp_of(epsilon), arb(0)
            start = max(math.floor(epsilon.bounds(bits=64)[1] / self.step) + 1, lowest)
            for index in range(start, lowest + len(weights)):
                total += weights[index - lowest] * (1 - E * ball(-self.step * index).exp())
            return max(lower_end(total), Fraction(0))

    @cached_property
    def _together(self) -> tuple[int, list[arb]]:
        """The smallest multiple of the step, and the weights of it and of all larger ones."""
        with precision(BITS):
            losses: dict[int, arb] = {}
            f, lost = distribution_of_bits(self.k, self.run.others - self.k, self.run.p, self.left_out)
            flip = ball(self.run.p)
            for before, here in zip([arb(0), *f], [*f, arb(0)], strict=True):
                first = flip * here + (1 - flip) * before
                second = (1 - flip) * here + flip * before + lost
                if not first > 0:
                    continue
                index = min(math.floor(ends((first / second).log())[0] / self.step), self.points)
                if index < -self.points:  # too little loss to matter
                    continue
                losses[index] = losses.get(index, arb(0)) + ball(max(lower_end(first), Fraction(0)))
            lowest = min(losses)
            weights = [losses.get(index, arb(0)) for index in range(lowest, max(losses) + 1)]
            return lowest * self.r, power(arb_poly(weights), self.r)


def datasets(runs: Runs) -> list[Dataset]:
    """Two datasets worth looking at: all of the others hold 1, and half of them."""
    finer = max(1, min(_FINER, _MOST_LOSSES // (2 * runs.points * runs.r)))
    others = runs.run.others
    return [Dataset(runs.run, runs.r, k, runs.step / finer, runs.points * finer, runs.left_out) for k in sorted({others, others // 2})]
