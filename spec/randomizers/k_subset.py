"""k-subset selection (Ye and Barg 2018; Wang et al. 2016): a set of d items that holds one's own more often than others do."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require

Subset = tuple[int, ...]


def k_subset(*, k: int, d: int, exp_epsilon0: Fraction) -> LocalRandomizer[int, Subset]:
    """On x in {0, ..., k - 1}: a d-subset, those that hold x with weight e^eps0 and the others with weight 1.

    k: number of items, at least 2; d: from 1 to k - 1 (1 is k-ary randomized response); exp_epsilon0: e^epsilon0 >= 1, exact.
    Messages are increasing tuples. The randomizer is exactly epsilon0-DP. Raises DomainError.
    """
    require(k >= 2, parameter="k", value=k, requirement="an integer of at least 2")
    require(1 <= d <= k - 1, parameter="d", value=d, requirement=f"an integer from 1 to k - 1 = {k - 1}")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)

    def law(x: int) -> Distribution[Subset]:
        weights = {subset: T if x in subset else Fraction(1) for subset in combinations(range(k), d)}
        total = sum(weights.values(), Fraction(0))
        return Distribution({subset: weight / total for subset, weight in weights.items()})

    return LocalRandomizer(range(k), {x: law(x) for x in range(k)})
