"""R^gap: alone not pure DP even after shuffling its messages, with a second user it is (BC20, Claim 4.4)."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require

Bits = tuple[int, ...]
VECTORS: tuple[Bits, ...] = tuple(product((0, 1), repeat=4))
"""{0, 1}^4, the support on input 0."""
WITHOUT_TWO_ONES = tuple(y for y in VECTORS if sum(y) != 2)
"""The support on input 1."""


def r_gap(*, weights: tuple[Mapping[Bits, Fraction], Mapping[Bits, Fraction]] | None = None) -> LocalRandomizer[int, Bits]:
    """A randomizer with support {0, 1}^4 on input 0 and {y in {0, 1}^4 : sum of y is not 2} on input 1.

    weights: the two distributions, any that have exactly these supports; uniform if not given. Raises DomainError for other supports.
    """
    if weights is None:
        laws = [Distribution.uniform(VECTORS), Distribution.uniform(WITHOUT_TWO_ONES)]
    else:
        laws = [Distribution(law) for law in weights]
    for law, support in zip(laws, (VECTORS, WITHOUT_TWO_ONES), strict=True):
        require(set(law.support) == set(support), parameter="weights", value=law, requirement=f"positive on exactly {len(support)} vectors")
    return LocalRandomizer((0, 1), dict(enumerate(laws)))
