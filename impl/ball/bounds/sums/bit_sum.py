"""The privacy of the bit sum over all neighbouring datasets, certified for any n (CSUZZ19, Algorithm 1, Definition 3.4).

The view is the number of ones among n bits, each flipped with probability lambda/(2n). Which dataset is worst moves with lambda and
epsilon: see `worst_dataset`, which bounds all of them, and `noisy_bits`, which computes one. A closed form is CSUZZ19's Claim 4.6.
"""

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.impl.ball.bounds.sums.noisy_renyi import renyi_of
from shuffleproof.impl.ball.bounds.sums.noisy_sum import delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, precision, upper_end
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found, reads
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon
from shuffleproof.spec.vocabulary.parameters import DELTA, N
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_bit_sum, no_renyi_without_noise

_BITS = 192
"""Working precision in bits of the closed form, which is rounded up."""


@certified(BIT_SUM)
def delta(*, n: int, lam: Fraction, epsilon: Epsilon, digits: int = 15) -> Found:
    """The least delta for which the bit sum is (epsilon, delta)-DP (CSUZZ19, Definition 3.4): lower is one dataset's, upper holds for all.

    The digits are met where the search over datasets gets there: it does up to about lambda = 10^5; beyond, the ends may stay some 10^-2
    apart. Cost O(sqrt(lambda digits)) for each of some hundred pairs.
    """
    return delta_of(Sum(n - 1, 1, lam / (2 * n)), epsilon, digits=digits)


@certified(BIT_SUM)
def epsilon(*, n: int, lam: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 15) -> Found:
    """Least epsilon for which the bit sum is (epsilon, delta)-DP (CSUZZ19, Definition 3.4); exactly ln(2n/lambda - 1) at delta = 0.

    Some dataset exceeds delta below lower, none does at upper; digits as for `delta`. Raises RegimeError for lambda = 0 and delta < 1:
    without noise no epsilon is enough.
    """
    if lam == 0 and delta < 1:
        raise no_epsilon_for_bit_sum(BIT_SUM, delta=inputs["delta"])
    return epsilon_of(Sum(n - 1, 1, lam / (2 * n)), delta, digits=digits)


@certified(BIT_SUM)
def renyi(*, n: int, lam: Fraction, order: Fraction, digits: int = 12) -> Found:
    """The Renyi divergence of the bit sum: the largest over all neighbouring datasets and both directions (CSUZZ19.Profile.renyi).

    The digits are met where the search over datasets gets there in a few seconds: the ends may stay some 10^-2 apart for n = 10^6.
    Raises RegimeError for lambda = 0: without noise every divergence is infinite.
    """
    if lam == 0:
        raise no_renyi_without_noise(BIT_SUM)
    return renyi_of(Sum(n - 1, 1, lam / (2 * n)), order, digits=digits)


@reads(N, DELTA, epsilon0=parse_epsilon)
def epsilon_of_binary_rr(*, n: int, epsilon0: Epsilon, delta: Fraction) -> Fraction:
    """Upper bound on epsilon of n shuffled reports of 2RR by Claim 4.6 at lambda = 2n/(e^eps0 + 1) (CSUZZ19).

    n: users, at least 1; epsilon0 at least 0; 0 < delta < 1. With g = lambda - sqrt(2 lambda ln(2/delta)) it is
    sqrt(32 ln(4/delta)/g) (1 - g/n). Raises DomainError; RegimeError where lambda >= 14 ln(4/delta) is not certified.
    """
    if delta in (0, 1):
        raise RegimeError(statement="CSUZZ19.Clm4.6", condition="0 < delta < 1", given=str(delta), advice='use method "clones"')
    with precision(_BITS):
        noise, L = 2 * n / (exp_of(epsilon0) + 1), ball(4 / delta).log()
        if not noise >= 14 * L:
            shown = f"lambda = {float(noise.mid()):.6g} against {float((14 * L).mid()):.6g}"
            raise RegimeError(statement="CSUZZ19.Clm4.6", condition="lambda >= 14 ln(4/delta)", given=shown, advice='use method "clones"')
        g = noise - (2 * noise * ball(2 / delta).log()).sqrt()
        return upper_end((32 * L / g).sqrt() * (1 - g / n))
