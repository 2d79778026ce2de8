"""What the published pair of the variation-ratio reduction claims for kRR: refuted (BEYOND.Published-variation-ratio), for comparison only.

It hides the count d of reports that leave both inputs as likely: with r = 1/(T + k - 1), rho = (k - 2) r and M the multinomial mass of the
counts a, b of n reports, P = M (T a + b + rho (n - a - b)/(1 - 2 r))/n, which is scale M (a + L) with L = y (a + b) + h.
"""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.k_rr.k_rr_pairs import KRRPair
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Pair
from shuffleproof.impl.ball.numeric.arithmetic import exp_of, expm1_of
from shuffleproof.spec.vocabulary.methods.clones import K_RR_BLANKET
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number


def claimed_epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> tuple[Fraction, Fraction]:
    """Ends around the epsilon that the published pair gives for shuffled kRR: no bound, since there are datasets that exceed it.

    n, k, epsilon0, delta, digits: as for `KRRPair.epsilon`. Raises DomainError, ResourceLimitError, UndecidedError.
    """
    found = _published().epsilon(n=n, k=k, epsilon0=epsilon0, delta=delta, digits=digits)
    return found.lower, found.upper


def claimed_delta(
    *, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15
) -> tuple[Fraction, Fraction]:
    """Ends around the delta that the published pair gives for shuffled kRR: no bound either. Parameters and errors as there."""
    found = _published().delta(n=n, k=k, epsilon0=epsilon0, epsilon=epsilon, digits=digits)
    return found.lower, found.upper


def _published() -> KRRPair:
    return KRRPair(method=K_RR_BLANKET, least_k=2, make=_pair)


def _pair(n: int, k: int, epsilon0: Epsilon) -> Pair:
    T, T_minus_1 = exp_of(epsilon0), expm1_of(epsilon0)
    r = 1 / (T + (k - 1))
    hidden = (k - 2) / (T + (k - 3)) / T_minus_1  # rho/(1 - 2 r)/(T - 1)
    share = 1 / T_minus_1
    return Pair(n=n, r=r, g=arb(0), none=1 - 2 * r, scale=T_minus_1 / n, w=share, y=share - hidden, h=hidden * n)
