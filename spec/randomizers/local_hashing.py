"""Local hashing (Wang et al. 2017): a random function into a few buckets, revealed to everybody, and one's own bucket by response."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.unary_encoding import OneBitEach
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.likelihoods import Classes, Expression, constant, output_classes
from shuffleproof.spec.vocabulary.named_randomizer import Exact, Family, NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

Hashed = tuple[tuple[int, ...], int]
"""The buckets of all items, and the bucket that is reported."""


@dataclass(frozen=True, kw_only=True)
class LocalHashing(OneBitEach):
    """An item hashed into buckets, the bucket sent by k-RR. k: any number of items where left out.

    family: of the hash functions: "uniform" (all functions alike, for all items together; pairwise is less, and worse), or "any", the
    worst of all families, uniform functions among them; where left out, the one that a method speaks of.
    A report prefers the items in the bucket that it names: with uniform functions each item is there independently, with odds 1 to
    buckets - 1.
    """

    name = "hash"
    says = "local hashing into buckets"
    buckets: int
    k: int | None = None
    family: Family | None = None

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """Uniform functions of the items."""
        k, buckets = self.listed(most), self.buckets
        return k, buckets ** (k + 1), lambda: local_hashing(k=k, buckets=buckets, exp_epsilon0=T)

    @property
    def not_preferred(self) -> Expression:
        """The other buckets."""
        return constant(self.buckets - 1)

    @property
    def furthest(self) -> NamedRandomizer:
        """k-RR on the buckets: two items that no function maps to one bucket."""
        return KRR(k=self.buckets)

    def against_blanket(self, epsilon0: Epsilon) -> Classes:
        """Return the classes against the blanket: for any functions those of k-RR on the buckets, which is one family's."""
        return KRR(k=self.buckets).against_blanket(epsilon0) if self.family == "any" else super().against_blanket(epsilon0)

    def others(self, epsilon0: Epsilon) -> tuple[Classes, ...]:
        """Return, for any functions, k-RR on buckets: R_k mixes functions, which may send three items to two buckets, or to one."""
        if self.family != "any":
            return super().others(epsilon0)
        rest = self.buckets - 1
        apart = output_classes((1, 1, 1, 0), (1, 0, 0, 1), (rest - 1, 0, 0, 0))
        return (*KRR(k=self.buckets).others(epsilon0), apart, output_classes((1, 1, 1, 1), (rest, 0, 0, 0)))


def local_hashing(*, k: int, buckets: int, exp_epsilon0: Fraction) -> LocalRandomizer[int, Hashed]:
    """On x in {0, ..., k - 1}: a uniform function h of the items into the buckets, and k-RR of h(x) among the buckets.

    k: number of items, at least 1; buckets: at least 2; exp_epsilon0: e^epsilon0 >= 1, exact. A message holds h itself.
    The randomizer is exactly epsilon0-DP for k >= 2. Raises DomainError.
    """
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")
    require(buckets >= 2, parameter="buckets", value=buckets, requirement="an integer of at least 2")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    functions = list(product(range(buckets), repeat=k))
    each = 1 / (len(functions) * (T + buckets - 1))

    def distribution(x: int) -> Distribution[Hashed]:
        return Distribution({(h, y): (T if h[x] == y else 1) * each for h in functions for y in range(buckets)})

    return LocalRandomizer(range(k), {x: distribution(x) for x in range(k)})
