"""The exact privacy profile of the coordinate sums of asymmetric RAPPOR reports, over all neighbouring datasets.

Of n one-hot vectors the bit of one's own item is 1 with probability 1/2, every other bit with q = 1/(e^eps0 + 1), and the sum of each
coordinate is released. Where an item is replaced two coordinates change, where it is dropped only the first; a of the others hold the first
item, b the second, a + b <= n - 1. How many ones a coordinate has tells how many hold it, and its noise: no two numbers are alike.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product as tuples

from shuffleproof.spec.bounds.exact_pair import enumerable, rational_exp, worst_delta, worst_epsilon
from shuffleproof.spec.bounds.sums.coordinate_sums import together
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import ASYMMETRIC_SUMS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter

LARGEST_N = 10
"""Users of whom all datasets are enumerated; the certified engine goes further."""
OWN = Fraction(1, 2)
"""Probability that the bit of one's own item is 1, in asymmetric RAPPOR (FT21)."""


def coordinate_law(*, n: int, q: Fraction, holders: int) -> Distribution[int]:
    """The distribution of the sum of a coordinate whose item `holders` of n users hold: Bin(holders, 1/2) + Bin(n - holders, q)."""
    return convolution(binomial(holders, OWN), binomial(n - holders, q))


def profiles(*, n: int, q: Fraction, changed: int) -> Iterator[PrivacyProfile[tuple[int, ...]]]:
    """The profile of every pair, both directions of each; n from 1, q in (0, 1/2), changed 1 or 2.

    The user holds the first item in the first dataset; in the second the other one, or none.
    """
    for others in tuples(range(n), repeat=changed):
        if sum(others) <= n - 1:
            with_first = [coordinate_law(n=n, q=q, holders=k + (at == 0)) for at, k in enumerate(others)]
            with_other = [coordinate_law(n=n, q=q, holders=k + (at == 1)) for at, k in enumerate(others)]
            yield PrivacyProfile(together(with_first), together(with_other))


def delta(*, n: Number, changed: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """The least delta for which the coordinate sums are (epsilon, delta)-DP, exact: the largest over all neighbouring datasets.

    n: users, 1 to 10; changed: 1 or 2 coordinates; epsilon0: of one report where an item is replaced, in [0, 10000], with rational
    exponential; epsilon >= 0 with rational exponential. Returns a Bound of side "exact". Raises DomainError, UnsupportedError,
    ResourceLimitError.

    >>> delta(n=2, changed=1, epsilon0="ln 3", epsilon="ln 4/3").exact
    '1/12'
    """
    users, coordinates, q = _parameters(n, changed, epsilon0)
    inputs = as_given(n=n, changed=changed, eps0=epsilon0, eps=epsilon)
    return worst_delta(ASYMMETRIC_SUMS, profiles(n=users, q=q, changed=coordinates), epsilon=epsilon, inputs=inputs)


def epsilon(*, n: Number, changed: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon for which the coordinate sums are (epsilon, delta)-DP, exact: the largest over all neighbouring datasets.

    n, changed, epsilon0: as for `delta`; delta in [0, 1]. Returns a Bound of side "exact". Raises what `delta` raises.
    """
    users, coordinates, q = _parameters(n, changed, epsilon0)
    inputs = as_given(n=n, changed=changed, eps0=epsilon0, delta=delta)
    return worst_epsilon(ASYMMETRIC_SUMS, profiles(n=users, q=q, changed=coordinates), delta=delta, inputs=inputs)


def _parameters(n: Number, changed: Number, epsilon0: Number | Epsilon) -> tuple[int, int, Fraction]:
    users, coordinates = enumerable(n, LARGEST_N), count(changed, parameter="changed", maximum=2)
    return users, coordinates, 1 / (rational_exp(epsilon0_parameter(epsilon0), "epsilon0") + 1)
