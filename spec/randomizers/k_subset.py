"""k-subset selection (Ye and Barg 2018; Wang et al. 2016): a set of d items that holds one's own more often than others do."""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.likelihoods import Classes, Dataset, output_classes, third_or_second
from shuffleproof.spec.vocabulary.named_randomizer import LARGEST_DISTRIBUTION, Exact, NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

Items = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Subset(NamedRandomizer):
    """A random set of d of k items, T = e^eps0 times as likely where it holds the user's."""

    name = "subset"
    aliases = ("k-subset",)
    says = "d-subset selection of k items"
    k: int
    d: int

    def check(self) -> None:
        """d below k."""
        require(self.d < self.k, parameter="d", value=self.d, requirement=f"an integer from 1 to k - 1 = {self.k - 1}")

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """All items and subsets."""
        subsets = math.comb(self.k, self.d) if self.k <= LARGEST_DISTRIBUTION else LARGEST_DISTRIBUTION + 1
        return self.k, subsets, lambda: k_subset(k=self.k, d=self.d, exp_epsilon0=T)

    def against_blanket(self, epsilon0: Epsilon) -> Classes:
        """Any two items: some third one is never in the set, or they are two, and then each set holds one of them."""
        return output_classes(*((self._sets(a, b), a, b, 0) for a in (0, 1) for b in (0, 1)))

    def datasets(self, epsilon0: Epsilon) -> tuple[Dataset, ...]:
        """All others hold a third item, or x_1."""
        return third_or_second(self.three_inputs(epsilon0), output_classes((1, 1, 0, 0), (1, 0, 1, 0)))

    def three_inputs(self, epsilon0: Epsilon) -> Classes | None:
        """Where there are three items."""
        threes = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
        return output_classes(*((self._sets(a, b, c), a, b, c) for a, b, c in threes)) if self.k > 2 else None

    def _sets(self, *held: int) -> Fraction:
        """The share of the subsets that hold these of so many items: C(k - m, d - j)/C(k, d), j of m held."""
        m, j = len(held), sum(held)
        return Fraction(math.perm(self.d, j) * math.perm(self.k - self.d, m - j), math.perm(self.k, m))


def k_subset(*, k: int, d: int, exp_epsilon0: Fraction) -> LocalRandomizer[int, Items]:
    """On x in {0, ..., k - 1}: a d-subset, those that hold x with weight e^eps0 and the others with weight 1.

    k: number of items, at least 2; d: from 1 to k - 1 (1 is k-ary randomized response); exp_epsilon0: e^epsilon0 >= 1, exact.
    Messages are increasing tuples. The randomizer is exactly epsilon0-DP. Raises DomainError.
    """
    require(k >= 2, parameter="k", value=k, requirement="an integer of at least 2")
    require(1 <= d <= k - 1, parameter="d", value=d, requirement=f"an integer from 1 to k - 1 = {k - 1}")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)

    def distribution(x: int) -> Distribution[Items]:
        weights = {subset: T if x in subset else Fraction(1) for subset in combinations(range(k), d)}
        total = sum(weights.values(), Fraction(0))
        return Distribution({subset: weight / total for subset, weight in weights.items()})

    return LocalRandomizer(range(k), {x: distribution(x) for x in range(k)})
