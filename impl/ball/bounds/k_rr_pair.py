"""Shuffled k-ary randomized response on (1, 3, ..., 3) and (2, 3, ..., 3), certified for any n: a lower bound."""

from __future__ import annotations

from shuffleproof.impl.ball.bounds import k_rr_family
from shuffleproof.impl.ball.bounds.k_rr_sums import Pair
from shuffleproof.impl.ball.numeric.arithmetic import exp_of, expm1_of
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import K_RR_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

_LEAST_K = 3


def delta(*, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """The hockey-stick divergence of the pair at epsilon, enclosed: shuffled kRR has no smaller delta (FMT21, section 4.1).

    n: users, at least 1; k: categories, at least 3; epsilon0 in [0, 10000]; epsilon >= 0; digits: relative width of the enclosure at
    most 10^-digits, 1 to 1000. Returns an enclosure whose claim is a lower bound: it is one pair, and others may be worse.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    return k_rr_family.delta(K_RR_PAIR, _pair, least_k=_LEAST_K, n=n, k=k, epsilon0=epsilon0, epsilon=epsilon, digits=digits)


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which the pair has delta(epsilon) <= delta, enclosed: shuffled kRR has no smaller epsilon.

    n, k, epsilon0, digits: as for `delta`; delta in [0, 1].
    Returns an enclosure whose claim is a lower bound: it is one pair, and others may be worse; exactly epsilon0 at delta = 0.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    return k_rr_family.epsilon(K_RR_PAIR, _pair, least_k=_LEAST_K, n=n, k=k, epsilon0=epsilon0, delta=delta, digits=digits)


def _pair(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (T a + b + s/T + z)/n, s = n - a - b - z the reports of the others' value 3, z those of 4, ..., k.

    So P = M (T - 1)(a + L)/n with L = (a + b + s/T + z)/(T - 1) = (a + b + z)/T + n/(T (T - 1)).
    """
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    total = T + (k - 1)
    return Pair(
        n=n,
        r=1 / total,
        g=(k - 3) / total,
        none=T / total,
        scale=T_minus_1 / n,
        w=1 / T,
        y=1 / T,
        h=n / (T * T_minus_1),
    )
