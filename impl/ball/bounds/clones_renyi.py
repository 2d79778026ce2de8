"""Renyi divergences of the clones pair, certified for any n by ball arithmetic."""

from __future__ import annotations

from shuffleproof.impl.ball.bounds import renyi_family
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

_ODDS_FACTOR = 1


def renyi(*, n: Number, epsilon0: Number | Epsilon, order: Number, digits: Number = 12, route: renyi_family.Route = "auto") -> Bound:
    """Renyi divergence of the clones pair, enclosed: shuffled eps0-DP randomizers are (upper, order)-RDP (FMT21, section 6.1).

    n: users, at least 1; epsilon0 in [0, 10000]; order: any number above 1, at most 10^6; digits: relative width of the enclosure at most
    10^-digits, 1 to 1000; route: "direct" (every pair of counts), "moments", or whichever is applicable and cheaper.
    Returns an enclosure, exactly 0 where epsilon0 = 0. The pair is its own mirror image, so both directions are the same.
    Raises DomainError, ResourceLimitError (beyond about a minute), UndecidedError.
    """
    return renyi_family.renyi(CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, order=order, digits=digits, route=route)
