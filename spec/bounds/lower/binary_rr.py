"""Shuffled binary randomized response on one neighbouring pair: a lower bound for every general amplification bound (FMT21, appendix G)."""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import exact_delta, exact_epsilon, exact_renyi
from shuffleproof.spec.distribution import Distribution, bernoulli, binomial, convolution
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.clones import BINARY_RR_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

LARGEST_N = 1000
"""Users that are enumerated: seconds; the certified engine goes further."""
LARGEST_N_RENYI = 100
"""Every outcome is raised to the order: n = 100 and order 32 take seconds."""


def pair(*, n: int, exp_epsilon0: Fraction) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of c^0 = Bin(n, 1/(e^eps0 + 1)) and c^1 = Bin(n - 1, 1/(e^eps0 + 1)) + Bern(e^eps0/(e^eps0 + 1)).

    They are the numbers of ones among the shuffled reports on X_0 = (0, ..., 0) and X_1 = (1, 0, ..., 0).  (FMT21, appendix G)

    n: number of users, at least 1; exp_epsilon0: e^epsilon0 >= 1, exact. Raises DomainError outside the domain.
    """
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    return binomial(n, 1 / (T + 1)), convolution(binomial(n - 1, 1 / (T + 1)), bernoulli(T / (T + 1)))


def delta(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """The larger hockey-stick divergence of the pair at epsilon, exact: no general delta can be smaller (FMT21, Proposition G.1).

    n: users, 1 to 1000; epsilon0 in [0, 10000], epsilon >= 0, both with rational exponential ("ln 3").
    Returns a Bound of side "exact" whose claim is a lower bound: it is one pair, and not always the worst one.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    return exact_delta(BINARY_RR_PAIR, pair, n=n, epsilon0=epsilon0, epsilon=epsilon, largest_n=LARGEST_N)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon at which the pair has delta(epsilon) <= delta, exact: no general epsilon is smaller (FMT21, Proposition G.1).

    n: users, 1 to 1000; epsilon0 in [0, 10000] with rational exponential ("ln 3"); delta in [0, 1].
    Returns a Bound of side "exact" whose claim is a lower bound: it is one pair, and not always the worst one.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    return exact_epsilon(BINARY_RR_PAIR, pair, n=n, epsilon0=epsilon0, delta=delta, largest_n=LARGEST_N)


def renyi(*, n: Number, epsilon0: Number | Epsilon, order: Number) -> Bound:
    """Renyi divergence of the pair of shuffled 2RR, the larger of both directions: ln of a rational over order - 1 (FMT21, section 6.1).

    n: users, 1 to 100; epsilon0 in [0, 10000] with rational exponential ("ln 3"); order: an integer from 2 to 1000.
    Returns a Bound whose claim is on the lower side; exact for order 2, else enclosed to 200 bits.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    return exact_renyi(BINARY_RR_PAIR, pair, n=n, epsilon0=epsilon0, order=order, largest_n=LARGEST_N_RENYI)
