"""Shuffled k-ary randomized response, certified for any n: the pair of FMT21, Theorem 4.1, with kRR's p and q."""

from __future__ import annotations

from flint import arb

from shuffleproof.impl.ball.bounds import k_rr_family
from shuffleproof.impl.ball.bounds.k_rr_sums import Pair
from shuffleproof.impl.ball.numeric.arithmetic import exp_of, expm1_of
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import K_RR_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

_LEAST_K = 2


def delta(*, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """delta of the pair at epsilon, enclosed, 0 from epsilon0 on: shuffled kRR is (epsilon, upper)-DP (FMT21, Theorem 4.1, appendix E).

    n: users, at least 1; k: categories, at least 2; epsilon0 in [0, 10000]; epsilon >= 0; digits: relative width of the enclosure at
    most 10^-digits, 1 to 1000. Returns an enclosure, exact (0) where epsilon >= epsilon0. Cost O(sqrt(n) digits) for small epsilon.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    return k_rr_family.delta(
        K_RR_CLONES, _pair, least_k=_LEAST_K, n=n, k=k, epsilon0=epsilon0, epsilon=epsilon, digits=digits, floor=_floor
    )


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed: epsilon0 itself where the pair has none below it.

    n, k, epsilon0, digits: as for `delta`; delta in [0, 1].
    Returns an enclosure with delta(lower) > delta >= delta(upper) certified, or an exact value.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    return k_rr_family.epsilon(K_RR_CLONES, _pair, least_k=_LEAST_K, n=n, k=k, epsilon0=epsilon0, delta=delta, digits=digits, floor=_floor)


def _pair(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (q a + (1 - q) c)/(n p), all three masses p = k/((k + 1)(T + k - 1)); q/(1 - q) = (T - 1)/k."""
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    p = k / ((k + 1) * (T + (k - 1)))
    scale = T_minus_1 * (k + 1) / (arb(k) * n)
    return Pair(n=n, r=p, g=p, none=1 - 3 * p, scale=scale, w=k / T_minus_1, y=arb(0), h=arb(0))


def _floor(n: int, k: int, epsilon0: Epsilon) -> tuple[arb, arb]:
    """The largest finite likelihood ratio, and q (1 - 2 p)^(n - 1).

    The ratio (q a + (1 - q) c)/(q b + (1 - q) c) is finite and largest at b = 0, c = 1 or at b = 1, c = 0. Beyond it only the counts
    with b = c = 0 are left, which the other law does not have.
    """
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    p, q = k / ((k + 1) * (T + (k - 1))), T_minus_1 / (T + (k - 1))
    ratio = (1 + T_minus_1 * (n - 1) / k).max(arb(max(n - 1, 1)))
    return ratio, q * (1 - 2 * p) ** (n - 1)
