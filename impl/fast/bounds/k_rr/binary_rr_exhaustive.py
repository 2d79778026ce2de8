"""Shuffled binary randomized response over all neighbouring datasets, in float64 with sound sides: kRR with k = 2.

Its reports are the messages of a bit sum whose bits are flipped with probability 1/(e^eps0 + 1) (FMT21.Sec4.1.binary).
"""

from fractions import Fraction

from shuffleproof.impl.fast.bounds.sums.bit_sum import GAP_OF_DELTA, SMALLEST_DELTA, least_epsilon, require_supported, sides_of, worst
from shuffleproof.impl.fast.bounds.sums.noisy_bits import Flips
from shuffleproof.impl.fast.numeric.results import in_floats, out_of_range
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.clones import K_RR_EXHAUSTIVE
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import require_two_items

LARGEST_EPSILON0 = 690
"""Largest epsilon0: the flip probability 1/(e^690 + 1) = 2e-300 is a normal float with room for factors."""


@in_floats(K_RR_EXHAUSTIVE)
def delta(*, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """The least delta for which shuffled binary randomized response is (epsilon, delta)-DP; the sides are about 1 % apart.

    n: at most 10^9; epsilon0: at most 690. Lower is one dataset's delta, upper holds for all.
    """
    require_supported(n)
    require_two_items(k)
    if epsilon >= epsilon0:
        return Found.exactly(0)
    return sides_of(worst(_flips(epsilon0), n - 1, epsilon, gap=GAP_OF_DELTA))


@in_floats(K_RR_EXHAUSTIVE)
def epsilon(*, n: int, k: int, epsilon0: Epsilon, delta: Fraction) -> Found:
    """Least epsilon for which shuffled binary randomized response is (epsilon, delta)-DP; epsilon0 at delta = 0, else delta from 1e-300.

    Some dataset exceeds delta below lower, none does at upper.
    """
    require_supported(n)
    require_two_items(k)
    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=128)
    if delta < SMALLEST_DELTA:
        raise out_of_range("delta is below 1e-300")
    return least_epsilon(_flips(epsilon0), n - 1, delta)


def _flips(epsilon0: Epsilon) -> Flips:
    if epsilon0.bounds(bits=64)[0] > LARGEST_EPSILON0:
        raise out_of_range(f"epsilon0 exceeds {LARGEST_EPSILON0}")
    return Flips.binary_randomized_response(epsilon0)
