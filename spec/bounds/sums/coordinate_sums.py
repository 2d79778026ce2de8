"""The exact privacy profile of the coordinate sums of unary encodings, over all neighbouring datasets.

Of n one-hot vectors the bit of one's own item is 1 with one probability, every other bit with a smaller one, and the sum of each coordinate
is released. Where an item is replaced two coordinates change, where it is dropped only the first; a of the others hold the first item, b
the second, a + b <= n - 1. The other coordinates have the same distribution in both datasets.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from shuffleproof.spec.bounds.exact_pair import enumerable, integer_order, rational_exp, worst_delta, worst_epsilon, worst_renyi
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.protocols import ASYMMETRIC_SUMS, COORDINATE_SUMS
from shuffleproof.spec.vocabulary.named_randomizer import half_power
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter

LARGEST_N = 10
"""Users of whom all datasets are enumerated; the certified engine goes further."""
Sums = tuple[int, ...]


def coordinate_law(*, n: int, own: Fraction, other: Fraction, holders: int) -> Distribution[int]:
    """The distribution of the sum of a coordinate whose item `holders` of n users hold: Bin(holders, own) + Bin(n - holders, other)."""
    return convolution(binomial(holders, own), binomial(n - holders, other))


def profiles(*, n: int, own: Fraction, other: Fraction, changed: int) -> Iterator[PrivacyProfile[Sums]]:
    """The profile of every pair, both directions of each; n from 1, other below own, changed 1 or 2.

    The user holds the first item in the first dataset; in the second the other one, or none.
    """
    for others in product(range(n), repeat=changed):
        if sum(others) <= n - 1:
            first, second = (
                [coordinate_law(n=n, own=own, other=other, holders=k + (at == held)) for at, k in enumerate(others)] for held in (0, 1)
            )
            yield PrivacyProfile(together(first), together(second))


@dataclass(frozen=True)
class CoordinateSums:
    """The sums of one encoding. bits: the two probabilities, from e^epsilon0 and the number of changed coordinates."""

    method: Method
    bits: Callable[[Fraction, int], tuple[Fraction, Fraction]]

    def delta(self, *, n: Number, changed: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
        """Return the least delta for which the sums are (epsilon, delta)-DP, exact: the largest over all neighbouring datasets.

        n: users, 1 to 10; changed: 1 or 2 coordinates; epsilon0 in [0, 10000] with rational exponential, of RAPPOR with rational
        e^(epsilon0/changed); epsilon >= 0 with rational exponential. Returns a Bound of side "exact". Raises DomainError,
        UnsupportedError, ResourceLimitError.

        >>> delta(n=3, changed=2, epsilon0="ln 4", epsilon="ln 2").exact
        '40/729'
        >>> asymmetric_sums.delta(n=2, changed=1, epsilon0="ln 3", epsilon="ln 4/3").exact
        '1/12'
        """
        inputs = as_given(n=n, changed=changed, eps0=epsilon0, eps=epsilon)
        return worst_delta(self.method, self._profiles(n, changed, epsilon0), epsilon=epsilon, inputs=inputs)

    def epsilon(self, *, n: Number, changed: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
        """Return the least epsilon for which the sums are (epsilon, delta)-DP, exact: the largest over all neighbouring datasets.

        n, changed, epsilon0: as for `delta`; delta in [0, 1]. Returns a Bound of side "exact". Raises what `delta` raises.
        """
        inputs = as_given(n=n, changed=changed, eps0=epsilon0, delta=delta)
        return worst_epsilon(self.method, self._profiles(n, changed, epsilon0), delta=delta, inputs=inputs)

    def renyi(self, *, n: Number, changed: Number, epsilon0: Number | Epsilon, order: Number) -> Bound:
        """Return the Renyi divergence of the sums: the largest over all neighbouring datasets.

        n, changed, epsilon0: as for `delta`; order: an integer of at least 2. Returns a Bound of side "exact" for order 2, else an
        enclosure. Raises what `delta` raises.
        """
        pairs = ((each.p, each.q) for each in self._profiles(n, changed, epsilon0))
        inputs = as_given(n=n, changed=changed, eps0=epsilon0, order=order)
        return worst_renyi(self.method, pairs, order=integer_order(order), inputs=inputs)

    def _profiles(self, n: Number, changed: Number, epsilon0: Number | Epsilon) -> Iterator[PrivacyProfile[Sums]]:
        users, coordinates = enumerable(n, LARGEST_N), count(changed, parameter="changed", maximum=2)
        own, other = self.bits(rational_exp(epsilon0_parameter(epsilon0), "epsilon0"), coordinates)
        return profiles(n=users, own=own, other=other, changed=coordinates)


def together(laws: Sequence[Distribution[int]]) -> Distribution[Sums]:
    """The distribution of independent sums."""
    found: dict[Sums, Fraction] = {(): Fraction(1)}
    for law in laws:
        found = {(*sums, s): weight * mass for sums, weight in found.items() for s, mass in law.items()}
    return Distribution(found)


def _flipped(T: Fraction, changed: int) -> tuple[Fraction, Fraction]:
    p = 1 / ((T if changed == 1 else half_power(T, "rappor")) + 1)
    return 1 - p, p


RAPPOR = CoordinateSums(COORDINATE_SUMS, _flipped)
"""Every bit is flipped with probability 1/(e^(eps0/changed) + 1)."""
asymmetric_sums = CoordinateSums(ASYMMETRIC_SUMS, lambda T, changed: (Fraction(1, 2), 1 / (T + 1)))
"""Of asymmetric RAPPOR (FT21): the own bit is fair, every other one is 1 with probability 1/(e^eps0 + 1)."""
delta, epsilon, renyi = RAPPOR.delta, RAPPOR.epsilon, RAPPOR.renyi
