"""The exact privacy profile of the coordinate sums of unary encodings, over all neighbouring datasets.

Of n one-hot vectors the bit of one's own item is 1 with one probability, every other bit with a smaller one, and the sum of each coordinate
is released. Where an item is replaced two coordinates change, where it is dropped only the first; a of the others hold the first item, b
the second, a + b <= n - 1. The other coordinates have the same distribution in both datasets.

>>> delta(n=3, changed=2, epsilon0="ln 4", epsilon="ln 2").exact
'40/729'
>>> asymmetric_sums.delta(n=2, changed=1, epsilon0="ln 3", epsilon="ln 4/3").exact
'1/12'
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial, convolution, independent
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.protocols import ASYMMETRIC_SUMS, COORDINATE_SUMS
from shuffleproof.spec.vocabulary.named_randomizer import half_power

LARGEST_N = 10
"""Users of whom all datasets are enumerated; the certified engine goes further."""
Sums = tuple[int, ...]


def coordinate_distribution(*, n: int, own: Fraction, other: Fraction, holders: int) -> Distribution[int]:
    """The distribution of the sum of a coordinate whose item `holders` of n users hold: Bin(holders, own) + Bin(n - holders, other)."""
    return convolution(binomial(holders, own), binomial(n - holders, other))


def profiles(*, n: int, own: Fraction, other: Fraction, changed: int) -> Iterator[PrivacyProfile[Sums]]:
    """The profile of every pair, both directions of each; n from 1, other below own, changed 1 or 2.

    The user holds the first item in the first dataset; in the second the other one, or none.
    """
    for others in product(range(n), repeat=changed):
        if sum(others) <= n - 1:
            first, second = (
                [coordinate_distribution(n=n, own=own, other=other, holders=k + (at == held)) for at, k in enumerate(others)]
                for held in (0, 1)
            )
            yield PrivacyProfile(independent(first), independent(second))


@dataclass(frozen=True)
class CoordinateSums:
    """The sums of one encoding. bits: the two probabilities, from e^epsilon0 and the number of changed coordinates."""

    method: Method
    bits: Callable[[Fraction, int], tuple[Fraction, Fraction]]

    def profiles(self, *, n: int, changed: int, exp_epsilon0: Fraction) -> Iterator[PrivacyProfile[Sums]]:
        """Yield the profile of every pair: the user holds the first item in the first dataset; in the second the other one, or none."""
        own, other = self.bits(exp_epsilon0, changed)
        return profiles(n=n, own=own, other=other, changed=changed)

    delta, epsilon, renyi = answers(None, profiles, largest_n=LARGEST_N)


def _flipped(T: Fraction, changed: int) -> tuple[Fraction, Fraction]:
    p = 1 / ((T if changed == 1 else half_power(T, "rappor")) + 1)
    return 1 - p, p


RAPPOR = CoordinateSums(COORDINATE_SUMS, _flipped)
"""Every bit is flipped with probability 1/(e^(eps0/changed) + 1)."""
asymmetric_sums = CoordinateSums(ASYMMETRIC_SUMS, lambda T, changed: (Fraction(1, 2), 1 / (T + 1)))
"""Of asymmetric RAPPOR (FT21): the own bit is fair, every other one is 1 with probability 1/(e^eps0 + 1)."""
delta, epsilon, renyi = RAPPOR.delta, RAPPOR.epsilon, RAPPOR.renyi
