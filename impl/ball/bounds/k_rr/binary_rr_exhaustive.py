"""Shuffled binary randomized response over all neighbouring datasets, certified for any n: kRR with k = 2.

Its reports are the messages of a bit sum whose bits are flipped with probability p = 1/(e^eps0 + 1), and flipping some more is
post-processing (FMT21.Sec4.1.binary): where p is irrational, a p just below it bounds from above and one just above it from below. The
sums are imported where they are needed: of more items every question is refused.
"""

from fractions import Fraction

from shuffleproof.impl.ball.numeric.arithmetic import ends, exp_of, precision
from shuffleproof.impl.ball.numeric.results import between, certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.clones import K_RR_EXHAUSTIVE
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import require_two_items


@certified(K_RR_EXHAUSTIVE)
def delta(*, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
    """The least delta for which shuffled binary randomized response is (epsilon, delta)-DP: lower is one dataset's, upper holds for all."""
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums.noisy_sum import delta_of
    from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum

    if epsilon >= epsilon0:
        return Found.exactly(0)
    return _joined([delta_of(Sum(n - 1, 1, p), epsilon, digits=digits) for p in _flips(epsilon0, n, digits)])


@certified(K_RR_EXHAUSTIVE)
def epsilon(*, n: int, k: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
    """Least epsilon for which shuffled binary randomized response is (epsilon, delta)-DP; epsilon0 at delta = 0.

    Some dataset exceeds delta below lower, none does at upper.
    """
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums.noisy_sum import epsilon_of
    from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum

    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=4 * digits + 32)
    return _joined([epsilon_of(Sum(n - 1, 1, p), delta, digits=digits) for p in _flips(epsilon0, n, digits)])


@certified(K_RR_EXHAUSTIVE)
def renyi(*, n: int, k: int, epsilon0: Epsilon, order: Fraction, digits: int = 12) -> Bound:
    """The Renyi divergence of shuffled binary randomized response: the largest over all datasets and both directions.

    (CSUZZ19.Profile.renyi)
    """
    require_two_items(k)
    from shuffleproof.impl.ball.bounds.sums import coordinate_sums

    return coordinate_sums.renyi(n=n, changed=1, epsilon0=epsilon0, order=order, digits=digits)


def _flips(epsilon0: Epsilon, n: int, digits: int) -> list[Fraction]:
    """p itself, or one just below it and one just above it."""
    if epsilon0.exp is not None:
        return [1 / (epsilon0.exp + 1)]
    with precision(4 * digits + 2 * n.bit_length() + 64):
        least, most = ends(exp_of(epsilon0))
    return [1 / (most + 1), min(1 / (least + 1), Fraction(1, 2))]


def _joined(found: list[Found]) -> Found:
    return found[0] if len(found) == 1 else between(found)
