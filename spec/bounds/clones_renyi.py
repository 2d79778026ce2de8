"""Exact Renyi divergences of the clones pair, for integer orders."""

from __future__ import annotations

from shuffleproof.spec.bounds.clones import dominating_pair
from shuffleproof.spec.bounds.exact_pair import exact_renyi
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

LARGEST_N = 100
"""Every outcome is raised to the order: n = 100 and order 32 take seconds."""


def renyi(*, n: Number, epsilon0: Number | Epsilon, order: Number) -> Bound:
    """Renyi divergence of the clones pair, the larger of both directions: ln of a rational over order - 1 (FMT21, section 6.1).

    n: users, 1 to 100; epsilon0 in [0, 10000] with rational exponential ("ln 3"); order: an integer from 2 to 1000.
    Returns a Bound whose claim is on the upper side; exact for order 2, else enclosed to 200 bits.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    return exact_renyi(CLONES, dominating_pair, n=n, epsilon0=epsilon0, order=order, largest_n=LARGEST_N)
