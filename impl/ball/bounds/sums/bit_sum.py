"""The privacy of the bit sum over all neighbouring datasets, certified for any n (CSUZZ19, Algorithm 1, Definition 3.4).

The view is the number of ones among n bits, each flipped with probability lambda/(2n). Which dataset is worst moves with lambda and
epsilon: see `worst_dataset`, which bounds all of them, and `noisy_bits`, which computes one.
"""

from shuffleproof.impl.ball.bounds.sums.noisy_renyi import renyi_of
from shuffleproof.impl.ball.bounds.sums.noisy_sum import delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    lambda_parameter,
    parse_epsilon,
    probability,
    renyi_order,
)


def delta(*, n: Number, lam: Number, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """The least delta for which the bit sum is (epsilon, delta)-DP, enclosed (CSUZZ19, Definition 3.4).

    n: users, at least 1; lam: lambda in [0, n], exact; epsilon >= 0; digits: relative width of the enclosure at most 10^-digits, 1 to
    1000, where the search over datasets gets there: it does up to about lambda = 10^5; beyond, the ends may stay some 10^-2 apart.
    Returns an enclosure: lower is one dataset's delta, upper holds for all. Cost O(sqrt(lambda digits)) for each of some hundred pairs.
    Raises DomainError, UndecidedError, ResourceLimitError.
    """
    users = count(n, parameter="n")
    noise, central = lambda_parameter(lam, n=users), parse_epsilon(epsilon)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, **{"lambda": lam}, eps=epsilon)
    return delta_of(BIT_SUM, Sum(users - 1, 1, noise / (2 * users)), central, digits=wanted, inputs=inputs)


def epsilon(*, n: Number, lam: Number, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon for which the bit sum is (epsilon, delta)-DP, enclosed (CSUZZ19, Definition 3.4).

    n: users, at least 1; lam: lambda in [0, n], exact; delta in [0, 1]; digits: as for `delta`.
    Returns an enclosure: some dataset exceeds delta below lower, none does at upper. Exactly ln(2n/lambda - 1) at delta = 0.
    Raises DomainError, UndecidedError, ResourceLimitError; RegimeError for lambda = 0 and delta < 1: without noise no epsilon is enough.
    """
    users, target = count(n, parameter="n"), probability(delta, parameter="delta")
    noise = lambda_parameter(lam, n=users)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, **{"lambda": lam}, delta=delta)
    of = Sum(users - 1, 1, noise / (2 * users))
    return epsilon_of(BIT_SUM, of, target, digits=wanted, inputs=inputs, given=str(delta))


def renyi(*, n: Number, lam: Number, order: Number, digits: int = 12) -> Bound:
    """The Renyi divergence of the bit sum, enclosed: the largest over all neighbouring datasets and both directions.

    n: users, at least 1; lam: lambda in [0, n], exact; order above 1; digits: relative width of the enclosure at most 10^-digits where the
    search over datasets gets there in a few seconds: the ends may stay some 10^-2 apart for n = 10^6.
    Returns an enclosure: lower is one dataset's, upper holds for all. Raises DomainError, UndecidedError, ResourceLimitError; RegimeError
    for lambda = 0: without noise every divergence is infinite (CSUZZ19.Profile.renyi).
    """
    users, alpha = count(n, parameter="n"), renyi_order(order)
    noise = lambda_parameter(lam, n=users)
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, **{"lambda": lam}, order=order)
    return renyi_of(BIT_SUM, Sum(users - 1, 1, noise / (2 * users)), alpha, digits=wanted, inputs=inputs)
