"""The stronger clones bound, certified for any n: BEYOND.CorF2 (FMT23's general pair), by ball arithmetic."""

from __future__ import annotations

from shuffleproof.impl.ball.bounds.clones import clones, renyi_family
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.clones import STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

_ODDS_FACTOR = 2
"""k of clones.py for the stronger pair: p = 2/(e^epsilon0 + 1)."""


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """delta of the stronger clones pair at epsilon, enclosed: shuffled eps0-DP randomizers are (epsilon, upper)-DP (BEYOND.CorF2).

    n: users, at least 1; epsilon0 in [0, 10000]; epsilon >= 0; digits: relative width of the enclosure at most 10^-digits, 1 to 1000.
    Returns an enclosure, exact (0) where epsilon >= epsilon0. Cost O(sqrt(n e^-epsilon0 digits)).
    Raises DomainError, ResourceLimitError (n above about 10^12), UndecidedError.
    """
    return clones.pair_delta(STRONGER_CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, epsilon=epsilon, digits=digits)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which the stronger clones pair's delta is at most delta, enclosed (BEYOND.CorF2).

    n: users, at least 1; epsilon0 in [0, 10000]; delta in [0, 1]; digits: relative width of the enclosure at most 10^-digits, 1 to 1000.
    Returns an enclosure with delta(lower) > delta >= delta(upper) certified; exactly epsilon0 at delta = 0, exactly 0 where
    delta >= delta(0) is certified. Raises DomainError, ResourceLimitError (n above about 10^12), UndecidedError.
    """
    return clones.pair_epsilon(STRONGER_CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, delta=delta, digits=digits)


def renyi(*, n: Number, epsilon0: Number | Epsilon, order: Number, digits: Number = 12, route: renyi_family.Route = "auto") -> Bound:
    """Renyi divergence of the stronger clones pair, enclosed: shuffled eps0-DP randomizers are (upper, order)-RDP (BEYOND.CorF2).

    n: users, at least 1; epsilon0 in [0, 10000]; order: any number above 1, at most 10^6; digits: relative width of the enclosure at most
    10^-digits, 1 to 1000; route: "direct" (every pair of counts), "moments", or whichever is applicable and cheaper.
    Returns an enclosure, exactly 0 where epsilon0 = 0. The pair is its own mirror image, so both directions are the same.
    Raises DomainError, ResourceLimitError (beyond about a minute), UndecidedError.
    """
    return renyi_family.renyi(STRONGER_CLONES, _ODDS_FACTOR, n=n, epsilon0=epsilon0, order=order, digits=digits, route=route)
