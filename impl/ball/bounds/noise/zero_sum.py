"""The privacy profile of the zero-sum protocol, certified for any n: Bin(n, p) against its shift by one (BC20, Theorem 3.1, part i).

That is binomial noise of n coins on a sum of sensitivity one (`binomial_sum`). Up to c = 0 the other distribution has no mass: each
direction falls to a floor, (1 - p)^n or p^n, which it reaches at the ratio of c = 1, E = n p/(1 - p) or n (1 - p)/p, and below which no
epsilon leads.
"""

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.impl.ball.bounds.noise.binomial_sum import enclose, least_epsilon
from shuffleproof.impl.ball.numeric.results import certified, larger
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.protocols import ZERO_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_zero_sum


@certified(ZERO_SUM)
def delta(*, n: int, p: Fraction, epsilon: Epsilon, dishonest: int = 0, digits: int = 15) -> Found:
    """The least delta for which the zero-sum protocol is (epsilon, delta)-DP (BC20, Theorem 3.1).

    p: probability of every user's additional message. dishonest: how many users send no noise, or reveal theirs: the others keep the
    privacy of so many fewer users. Exactly 1 where p is 0 or 1. Cost O(digits).
    """
    if p in (0, 1):
        return Found.exactly(1)
    return larger(*(enclose(n - dishonest, 1, of_one, epsilon, digits + 1) for of_one in (p, 1 - p)))


@certified(ZERO_SUM)
def epsilon(*, n: int, p: Fraction, delta: Fraction, inputs: Mapping[str, str], dishonest: int = 0, digits: int = 15) -> Found:
    """Least epsilon for which the zero-sum protocol is (epsilon, delta)-DP; exactly 0 where delta >= delta(0) (BC20, Theorem 3.1).

    Raises RegimeError where delta < max(p^n, (1 - p)^n), the probability that the number of messages gives the dataset away.
    """

    def refused(floor: str) -> Exception:
        return no_epsilon_for_zero_sum(revealed=floor, delta=inputs["delta"])

    return least_epsilon(n - dishonest, 1, p, delta, digits=digits, refused=refused)
