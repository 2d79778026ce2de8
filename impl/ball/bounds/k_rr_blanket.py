"""Shuffled k-ary randomized response by its privacy blanket, certified for any n: an upper bound over all neighbouring datasets."""

from __future__ import annotations

from flint import arb

from shuffleproof.impl.ball.bounds import k_rr_family
from shuffleproof.impl.ball.bounds.k_rr_sums import Pair
from shuffleproof.impl.ball.numeric.arithmetic import exp_of, expm1_of
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import K_RR_BLANKET
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

_LEAST_K = 2


def delta(*, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """delta of the pair at epsilon, enclosed: shuffled kRR, of adaptive functions too, is (epsilon, upper)-DP (BEYOND.k-rr-blanket).

    n: users, at least 1; k: categories, at least 2; epsilon0 in [0, 10000]; epsilon >= 0; digits: relative width of the enclosure at
    most 10^-digits, 1 to 1000. Returns an enclosure, exact (0) where epsilon >= epsilon0. Cost O(sqrt(n) digits) for small epsilon.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    return k_rr_family.delta(K_RR_BLANKET, _pair, least_k=_LEAST_K, n=n, k=k, epsilon0=epsilon0, epsilon=epsilon, digits=digits)


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed (BEYOND.k-rr-blanket).

    n, k, epsilon0, digits: as for `delta`; delta in [0, 1].
    Returns an enclosure with delta(lower) > delta >= delta(upper) certified, or an exact value: epsilon0 at delta = 0.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    return k_rr_family.epsilon(K_RR_BLANKET, _pair, least_k=_LEAST_K, n=n, k=k, epsilon0=epsilon0, delta=delta, digits=digits)


def _pair(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (T a + b + z)/n, z the blanket's other values: M (T - 1)(a + L)/n with L = (a + b + z)/(T - 1)."""
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    r = 1 / (T + (k - 1))
    share = 1 / T_minus_1
    return Pair(n=n, r=r, g=(k - 2) * r, none=T_minus_1 * r, scale=T_minus_1 / n, w=share, y=share, h=arb(0))
