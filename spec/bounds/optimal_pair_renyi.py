"""Exact Renyi divergences of the optimal pair, for integer orders."""

from __future__ import annotations

from collections.abc import Mapping

from shuffleproof.spec.bounds.exact_pair import enumerable, integer_order, renyi_of_pair
from shuffleproof.spec.bounds.optimal_pair import LARGEST_N, Parameters, dominating_pair, parsed
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import OPTIMAL_PAIR, Method, infinite_renyi
from shuffleproof.spec.vocabulary.numerals import Number, as_given


def renyi(*, n: Number, p: Number, beta: Number, q: Number, order: Number) -> Bound:
    """Renyi divergence of the optimal pair, the same both ways round: ln of a rational over order - 1 (BEYOND.Renyi).

    n: users, 1 to 40; p: at least 1; beta in [0, 1]; q: at least 1; where they are not known exactly, round all three up; order: an
    integer from 2 to 1000.
    Returns a Bound whose claim is on the upper side; exact for order 2, else enclosed to 200 bits.
    Raises DomainError, UnsupportedError, ResourceLimitError; RegimeError where p is infinite, and with it the divergence.

    >>> renyi(n=1, p=2, beta=1, q=2, order=2).exact
    'ln 3/2'
    """
    parameters = parsed(p=p, beta=beta, q=q)
    return of_parameters(OPTIMAL_PAIR, parameters, n=n, order=order, inputs=as_given(n=n, p=p, beta=beta, q=q, order=order))


def of_parameters(method: Method, parameters: Parameters, *, n: Number, order: Number, inputs: Mapping[str, str]) -> Bound:
    """The same where the parameters are known; order and errors as for `renyi`."""
    users, alpha = enumerable(n, LARGEST_N), integer_order(order)
    P, Q = dominating_pair(n=users, parameters=parameters)
    if parameters.p is None and P != Q:
        raise infinite_renyi(method)
    return renyi_of_pair(method, (P, Q), order=alpha, inputs=inputs)
