"""Shuffled binary randomized response over all neighbouring datasets, in float64 with sound sides: kRR with k = 2.

Its reports are the messages of a bit sum whose bits are flipped with probability 1/(e^eps0 + 1) (FMT21.Sec4.1.binary).
"""

from fractions import Fraction

from shuffleproof.impl.fast.bounds.sums.bit_sum import GAP_OF_DELTA, SMALLEST_DELTA, least_epsilon, supported, worst
from shuffleproof.impl.fast.bounds.sums.noisy_bits import Flips
from shuffleproof.impl.fast.numeric.results import enclosed, exactly, out_of_range
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.k_ary import K_RR_EXHAUSTIVE
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, epsilon0_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import require_two_items

LARGEST_EPSILON0 = 690
"""Largest epsilon0: the flip probability 1/(e^690 + 1) = 2e-300 is a normal float with room for factors."""


def delta(*, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """The least delta for which shuffled binary randomized response is (epsilon, delta)-DP, enclosed in float64.

    n: users, 1 to 10^9; k: 2; epsilon0 in [0, 690]; epsilon >= 0.
    Returns an enclosure: lower is one dataset's delta, upper holds for all; about 1 % apart. Raises DomainError, UnsupportedError.
    """
    users, local, central = supported(n), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    require_two_items(k)
    inputs = as_given(n=n, k=k, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(K_RR_EXHAUSTIVE, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    found = worst(_flips(local), users - 1, central, gap=GAP_OF_DELTA)
    return enclosed(K_RR_EXHAUSTIVE, "delta", Fraction(found.lower), min(Fraction(found.upper), Fraction(1)), inputs=inputs)


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon for which shuffled binary randomized response is (epsilon, delta)-DP, enclosed in float64; epsilon0 at delta = 0.

    n, k, epsilon0: as for `delta`; delta = 0 or in [1e-300, 1].
    Returns an enclosure: some dataset exceeds delta below lower, none does at upper. Raises DomainError, UnsupportedError.
    """
    users, local, target = supported(n), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    require_two_items(k)
    inputs = as_given(n=n, k=k, eps0=epsilon0, delta=delta)
    if target == 1 or local <= Epsilon(Fraction(0), None):
        return exactly(K_RR_EXHAUSTIVE, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == 0:
        return exactly(K_RR_EXHAUSTIVE, "epsilon", str(local), *local.bounds(bits=128), inputs=inputs)
    if target < SMALLEST_DELTA:
        raise out_of_range("delta is below 1e-300")
    root = least_epsilon(_flips(local), users - 1, target)
    return enclosed(K_RR_EXHAUSTIVE, "epsilon", root.lower, root.upper, lower_certified=root.lower_certified, inputs=inputs)


def _flips(epsilon0: Epsilon) -> Flips:
    if epsilon0.bounds(bits=64)[0] > LARGEST_EPSILON0:
        raise out_of_range(f"epsilon0 exceeds {LARGEST_EPSILON0}")
    return Flips.binary_randomized_response(epsilon0)
