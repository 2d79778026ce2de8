"""Shuffled binary randomized response over all neighbouring datasets, certified for any n: kRR with k = 2.

Its reports are the messages of a bit sum whose bits are flipped with probability p = 1/(e^eps0 + 1) (FMT21.Sec4.1.binary): one coordinate
of the `coordinate_sums`, which are imported where they are needed: of more items every question is refused.
"""

from fractions import Fraction

from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.clones import K_RR_EXHAUSTIVE
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import require_two_items


@certified(K_RR_EXHAUSTIVE)
def delta(*, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
    """The least delta for which shuffled binary randomized response is (epsilon, delta)-DP: lower is one dataset's, upper holds for all."""
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums.coordinate_sums import delta_of_one

    return Found.exactly(0) if epsilon >= epsilon0 else delta_of_one(n, epsilon0, epsilon, digits)


@certified(K_RR_EXHAUSTIVE)
def epsilon(*, n: int, k: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
    """Least epsilon for which shuffled binary randomized response is (epsilon, delta)-DP; epsilon0 at delta = 0.

    Some dataset exceeds delta below lower, none does at upper.
    """
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums.coordinate_sums import epsilon_of_one

    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=4 * digits + 32)
    return epsilon_of_one(n, epsilon0, delta, digits)


@certified(K_RR_EXHAUSTIVE)
def renyi(*, n: int, k: int, epsilon0: Epsilon, order: Fraction, digits: int = 12) -> Bound:
    """The Renyi divergence of shuffled binary randomized response: the largest over all datasets and both directions.

    (CSUZZ19.Profile.renyi)
    """
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums import coordinate_sums

    return coordinate_sums.renyi(n=n, changed=1, epsilon0=epsilon0, order=order, digits=digits)
