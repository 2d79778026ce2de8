"""delta and epsilon of the pairs of shuffled k-ary randomized response, certified for any n."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_search import enclose, initial_guess, root
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import certified, evaluated
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import Epsilon, count

MakeFloor = Callable[[int, int, Epsilon], tuple[arb, arb]]
"""Where the pair's delta stops falling: the largest finite likelihood ratio, and delta from there on, at the current precision."""
LARGEST_K = 10**18
"""Categories at most: more than any domain's, and a limit of the parameter's range, not of the mathematics."""
_MOST_BITS = 4096
"""Bits, beyond those of digits and n, with which the largest ratio is compared with e^epsilon, so that near ties are distinguished from
ties."""


@dataclass(frozen=True, kw_only=True)
class KRRPair:
    """A pair of shuffled kRR as a function of n, k and epsilon0 > 0. floor: where its delta stops falling above 0, if it does."""

    method: Method
    least_k: int
    make: Callable[[int, int, Epsilon], Pair]
    floor: MakeFloor | None = None

    @certified()
    def delta(self, *, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
        """delta of the pair at epsilon; 0 from epsilon0 on. k: at least 3 where the others hold a third category.

        Cost O(sqrt(n) digits) for small epsilon.
        """
        self._require_categories(k)
        if epsilon >= epsilon0:
            return Found.exactly(0)
        if self.floor is not None:
            bits = math.ceil(3.33 * digits) + 2 * n.bit_length() + _MOST_BITS
            with precision(bits):
                ratio, least = self.floor(n, k, epsilon0)
                missing = ratio - exp_of(epsilon)
                if not missing > 0:  # the slope in e^epsilon is at most 1, should the two differ in the last bits
                    return Found(lower_end(least), upper_end(least) + max(Fraction(0), upper_end(missing)), precision=bits)
        return evaluated(enclose(partial(self.make, n, k, epsilon0), n, epsilon, digits + 1))

    @certified()
    def epsilon(self, *, n: int, k: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
        """Least epsilon at which that delta is at most delta; epsilon0 itself where there is none below it, as at delta = 0."""
        self._require_categories(k)
        if delta == 1 or epsilon0.exp == 1:
            return Found.exactly(0)
        top, side = epsilon0, 2
        if self.floor is not None and delta > 0:
            top, side = _against_floor(self.floor, n, k, epsilon0, delta, digits=digits)
        if delta == 0 or side < 0:
            return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
        near_top = top.bounds(bits=4 * digits + 64)[0] * (1 - Fraction(1, 10 ** (digits + 1)))
        if side == 0:  # delta is the floor itself, as far as can be decided
            return Found(near_top, epsilon0.bounds(bits=4 * digits + 64)[1])
        if top.exp == 1:
            return Found.exactly(0)
        make = partial(self.make, n, k, epsilon0)
        if side == 1 and enclose(make, n, Epsilon(near_top, None), digits + 6).lower > delta:
            return Found(near_top, top.bounds(bits=4 * digits + 64)[1])
        start = initial_guess(make, n, top, delta)
        # Whether delta is above the target at every epsilon is not asked where the search will find the root.
        high = self.floor is not None and side == 2 and start[0] >= epsilon0.bounds(bits=64)[0] * Fraction(9, 10)
        if high and enclose(make, n, epsilon0, 6).lower > delta:
            return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
        return root(make, n=n, top=top, delta=delta, digits=digits, start=start)

    def _require_categories(self, k: int) -> None:
        count(k, parameter="k", minimum=self.least_k, maximum=LARGEST_K)


def _against_floor(floor: MakeFloor, n: int, k: int, epsilon0: Epsilon, delta: Fraction, *, digits: int) -> tuple[Epsilon, int]:
    """Where a search may end, epsilon0 or sooner where delta stops falling; and how delta compares with that floor.

    -1: below it; 0: not distinguished from it; 1: above it; 2: there is none below epsilon0.
    """
    with precision(4 * digits + 2 * n.bit_length() + _MOST_BITS):
        ratio, least = floor(n, k, epsilon0)
        if ratio > exp_of(epsilon0):
            return epsilon0, 2
        above = upper_end(ratio)
        top = min(epsilon0, Epsilon(None, above))
        return top, int(least < ball(delta)) - int(least > ball(delta))
