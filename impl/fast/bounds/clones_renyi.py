"""Renyi divergences of the clones pair in float64, with both sides."""

from __future__ import annotations

from shuffleproof.impl.fast.bounds import renyi_family
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

_ODDS_FACTOR = 1


def renyi(*, n: Number, epsilon0: Number | Epsilon, order: Number) -> Bound:
    """Renyi divergence of the clones pair, enclosed in float64: shuffled eps0-DP randomizers are (upper, order)-RDP (FMT21, section 6.1).

    n: users, 1 to 10^9; epsilon0 in [1e-3, 50], or 0; order: any number above 1, at most 10^6. Returns an enclosure of relative width
    below 1e-9. Raises DomainError, and UnsupportedError where more than 80 moments are needed (few clones, or a large order).
    """
    return renyi_family.renyi(CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, order=order)
