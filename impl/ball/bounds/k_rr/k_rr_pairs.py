"""The pairs of shuffled k-ary randomized response, certified for any n: two from above, one from below; T = e^epsilon0 throughout."""

from flint import arb

from shuffleproof.impl.ball.bounds.k_rr.k_rr_family import KRRPair
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair
from shuffleproof.impl.ball.numeric.arithmetic import exp_of, expm1_of
from shuffleproof.spec.vocabulary.methods.clones import K_RR_BLANKET, K_RR_CLONES, K_RR_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon


def _blanket(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (T a + b + z)/n, z the blanket's other values: M (T - 1)(a + L)/n with L = (a + b + z)/(T - 1)."""
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    r = 1 / (T + (k - 1))
    share = 1 / T_minus_1
    return Pair(n=n, r=r, g=(k - 2) * r, none=T_minus_1 * r, scale=T_minus_1 / n, w=share, y=share, h=arb(0))


def _homogeneous(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (T a + b + s/T + z)/n, s = n - a - b - z the reports of the others' value 3, z those of 4, ..., k.

    So P = M (T - 1)(a + L)/n with L = (a + b + s/T + z)/(T - 1) = (a + b + z)/T + n/(T (T - 1)).
    """
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    total = T + (k - 1)
    return Pair(n=n, r=1 / total, g=(k - 3) / total, none=T / total, scale=T_minus_1 / n, w=1 / T, y=1 / T, h=n / (T * T_minus_1))


def _clones(n: int, k: int, epsilon0: Epsilon) -> Pair:
    """P = M (q a + (1 - q) c)/(n p), all three masses p = k/((k + 1)(T + k - 1)); q/(1 - q) = (T - 1)/k."""
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    p = k / ((k + 1) * (T + (k - 1)))
    scale = T_minus_1 * (k + 1) / (arb(k) * n)
    return Pair(n=n, r=p, g=p, none=1 - 3 * p, scale=scale, w=k / T_minus_1, y=arb(0), h=arb(0))


def _floor_of_clones(n: int, k: int, epsilon0: Epsilon) -> tuple[arb, arb]:
    """The largest finite likelihood ratio, and q (1 - 2 p)^(n - 1).

    The ratio (q a + (1 - q) c)/(q b + (1 - q) c) is finite and largest at b = 0, c = 1 or at b = 1, c = 0. Beyond it only the counts
    with b = c = 0 are left, which the other distribution does not have.
    """
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    p, q = k / ((k + 1) * (T + (k - 1))), T_minus_1 / (T + (k - 1))
    ratio = (1 + T_minus_1 * (n - 1) / k).max(arb(max(n - 1, 1)))
    return ratio, q * (1 - 2 * p) ** (n - 1)


BLANKET = KRRPair(method=K_RR_BLANKET, least_k=2, make=_blanket)
"""The privacy blanket: shuffled kRR, of adaptive functions too, is (epsilon, upper)-DP (BEYOND.k-rr-blanket)."""
CLONES = KRRPair(method=K_RR_CLONES, least_k=2, make=_clones, floor=_floor_of_clones)
"""The pair of FMT21, Theorem 4.1, with kRR's p and q (appendix E): shuffled kRR is (epsilon, upper)-DP."""
HOMOGENEOUS = KRRPair(method=K_RR_PAIR, least_k=3, make=_homogeneous)
"""(1, 3, ..., 3) and (2, 3, ..., 3): shuffled kRR has no smaller delta or epsilon (FMT21, section 4.1); other pairs may be worse."""
