"""The exact privacy profile of the coordinate sums of RAPPOR reports, over all neighbouring datasets.

Of n one-hot vectors every bit is flipped with probability p = 1/(e^(eps0/changed) + 1), and the sum of each coordinate is released. Where
an item is replaced two coordinates change: one user's bit falls in one and rises in the other, a of the others hold the first item, b the
second, a + b <= n - 1. Where it is dropped only the first changes. The other coordinates have the same distribution in both datasets.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from shuffleproof.spec.bounds.exact_pair import enumerable, integer_order, rational_exp, worst_delta, worst_epsilon, worst_renyi
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import COORDINATE_SUMS
from shuffleproof.spec.vocabulary.named_randomizer import half_power
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter

LARGEST_N = 10
"""Users of whom all datasets are enumerated; the certified engine goes further."""
Sums = tuple[int, ...]


def coordinate_law(*, n: int, p: Fraction, ones: int) -> Distribution[int]:
    """The distribution of the sum of a coordinate that is 1 in `ones` of n vectors: Bin(ones, 1 - p) + Bin(n - ones, p)."""
    return convolution(binomial(ones, 1 - p), binomial(n - ones, p))


def pair(*, n: int, p: Fraction, others: Sums) -> tuple[Distribution[Sums], Distribution[Sums]]:
    """The laws of the changed coordinates' sums where others[j] of the other users hold the j-th of these items, one or two of them.

    The user holds the first item in the first dataset; in the second the other one, or none.
    """
    first, *rest = others
    laws = [
        [coordinate_law(n=n, p=p, ones=first + 1), *(coordinate_law(n=n, p=p, ones=k) for k in rest)],
        [coordinate_law(n=n, p=p, ones=first), *(coordinate_law(n=n, p=p, ones=k + 1) for k in rest)],
    ]
    return together(laws[0]), together(laws[1])


def profiles(*, n: int, p: Fraction, changed: int) -> Iterator[PrivacyProfile[Sums]]:
    """The profile of every pair, both directions of each; n from 1, p in (0, 1/2), changed 1 or 2."""
    for others in product(range(n), repeat=changed):
        if sum(others) <= n - 1:
            yield PrivacyProfile(*pair(n=n, p=p, others=others))


def delta(*, n: Number, changed: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """The least delta for which the coordinate sums are (epsilon, delta)-DP, exact: the largest over all neighbouring datasets.

    n: users, 1 to 10; changed: 1 or 2 coordinates; epsilon0 in [0, 10000] with rational e^(epsilon0/changed); epsilon >= 0 with rational
    exponential. Returns a Bound of side "exact". Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=3, changed=2, epsilon0="ln 4", epsilon="ln 2").exact
    '40/729'
    """
    users, coordinates, p = _parameters(n, changed, epsilon0)
    inputs = as_given(n=n, changed=changed, eps0=epsilon0, eps=epsilon)
    return worst_delta(COORDINATE_SUMS, profiles(n=users, p=p, changed=coordinates), epsilon=epsilon, inputs=inputs)


def epsilon(*, n: Number, changed: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon for which the coordinate sums are (epsilon, delta)-DP, exact: the largest over all neighbouring datasets.

    n, changed, epsilon0: as for `delta`; delta in [0, 1]. Returns a Bound of side "exact". Raises what `delta` raises.
    """
    users, coordinates, p = _parameters(n, changed, epsilon0)
    inputs = as_given(n=n, changed=changed, eps0=epsilon0, delta=delta)
    return worst_epsilon(COORDINATE_SUMS, profiles(n=users, p=p, changed=coordinates), delta=delta, inputs=inputs)


def renyi(*, n: Number, changed: Number, epsilon0: Number | Epsilon, order: Number) -> Bound:
    """The Renyi divergence of the coordinate sums: the largest over all neighbouring datasets.

    n, changed, epsilon0: as for `delta`; order: an integer of at least 2. Returns a Bound of side "exact" for order 2, else an enclosure.
    Raises what `delta` raises.
    """
    users, coordinates, p = _parameters(n, changed, epsilon0)
    pairs = ((each.p, each.q) for each in profiles(n=users, p=p, changed=coordinates))
    inputs = as_given(n=n, changed=changed, eps0=epsilon0, order=order)
    return worst_renyi(COORDINATE_SUMS, pairs, order=integer_order(order), inputs=inputs)


def together(laws: Sequence[Distribution[int]]) -> Distribution[Sums]:
    """The distribution of independent sums."""
    found: dict[Sums, Fraction] = {(): Fraction(1)}
    for law in laws:
        found = {(*sums, s): weight * mass for sums, weight in found.items() for s, mass in law.items()}
    return Distribution(found)


def _parameters(n: Number, changed: Number, epsilon0: Number | Epsilon) -> tuple[int, int, Fraction]:
    users, coordinates = enumerable(n, LARGEST_N), count(changed, parameter="changed", maximum=2)
    T = rational_exp(epsilon0_parameter(epsilon0), "epsilon0")
    return users, coordinates, 1 / ((T if coordinates == 1 else half_power(T, "rappor")) + 1)
