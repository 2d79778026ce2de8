"""The pairs of shuffled k-ary randomized response, certified for any n: two from above, one from below; T = e^epsilon0 throughout."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_search import enclose, initial_guess, root
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, expm1_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import certified, evaluated
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import K_RR_BLANKET, K_RR_CLONES, K_RR_PAIR
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
    """A pair of shuffled kRR as a function of n, k and epsilon0 > 0. floor: the delta above 0 where it stops falling, if any."""

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
        make = partial(self.make, n, k, epsilon0)
        if side == 0:  # delta is the floor itself, as far as can be decided; it may come so near to it long before the last ratio
            tried = product((near_top, near_top * Fraction(9, 10)), (digits + 6, _MOST_BITS // 16, _MOST_BITS // 4))
            above = (x for x, enough in tried if enclose(make, n, Epsilon(x, None), enough).lower > delta)
            return Found(next(above, Fraction(0)), epsilon0.bounds(bits=4 * digits + 64)[1])
        if top.exp == 1:
            return Found.exactly(0)
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


def _blanket(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (T a + b + z)/n, z the blanket's other values: M (T - 1)(a + L)/n with L = (a + b + z)/(T - 1)."""
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    r = 1 / (T + (k - 1))
    share = 1 / T_minus_1
    return Pair(n=n, r=r, g=(k - 2) * r, none=T_minus_1 * r, scale=T_minus_1 / n, w=share, y=share, h=arb(0))


def _homogeneous(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (T a + b + s/T + z)/n, s = n - a - b - z the reports of the others' value 3, z those of 4, ..., k.

    So P = M (T - 1)(a + L)/n with L = (a + b + s/T + z)/(T - 1) = (a + b + z)/T + n/(T (T - 1)).
    """
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    total = T + (k - 1)
    return Pair(n=n, r=1 / total, g=(k - 3) / total, none=T / total, scale=T_minus_1 / n, w=1 / T, y=1 / T, h=n / (T * T_minus_1))


def _clones(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (q a + (1 - q) c)/(n p), all three masses p = k/((k + 1)(T + k - 1)); q/(1 - q) = (T - 1)/k."""
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    p = k / ((k + 1) * (T + (k - 1)))
    scale = T_minus_1 * (k + 1) / (arb(k) * n)
    return Pair(n=n, r=p, g=p, none=1 - 3 * p, scale=scale, w=k / T_minus_1, y=arb(0), h=arb(0))


def _floor_of_clones(n: int, k: int, epsilon0: Epsilon) -> tuple[arb, arb]:
    """The largest finite likelihood ratio, and q (1 - 2 p)^(n - 1).

    The ratio (q a + (1 - q) c)/(q b + (1 - q) c) is finite and largest at b = 0, c = 1 or at b = 1, c = 0. Beyond it only the counts
    with b = c = 0 are left, which the other distribution does not have.
    """
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    p, q = k / ((k + 1) * (T + (k - 1))), T_minus_1 / (T + (k - 1))
    ratio = (1 + T_minus_1 * (n - 1) / k).max(arb(max(n - 1, 1)))
    return ratio, q * (1 - 2 * p) ** (n - 1)


BLANKET = KRRPair(method=K_RR_BLANKET, least_k=2, make=_blanket)
"""The privacy blanket: shuffled kRR, of adaptive functions too, is (epsilon, upper)-DP (BEYOND.k-rr-blanket)."""
CLONES = KRRPair(method=K_RR_CLONES, least_k=2, make=_clones, floor=_floor_of_clones)
"""The pair of FMT21, Theorem 4.1, with kRR's p and q (appendix E): shuffled kRR is (epsilon, upper)-DP."""
HOMOGENEOUS = KRRPair(method=K_RR_PAIR, least_k=3, make=_homogeneous)
"""(1, 3, ..., 3) and (2, 3, ..., 3): shuffled kRR has no smaller delta or epsilon (FMT21, section 4.1); other pairs may be worse."""
