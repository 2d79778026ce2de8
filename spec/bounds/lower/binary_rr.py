"""Shuffled binary randomized response on one neighbouring pair: a lower bound for every general amplification bound (FMT21, appendix G)."""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, bernoulli, binomial, convolution
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.clones import BINARY_RR_PAIR

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


def _profiles(*, n: int, exp_epsilon0: Fraction) -> list[PrivacyProfile[int]]:
    return [PrivacyProfile(*pair(n=n, exp_epsilon0=exp_epsilon0))]


delta, epsilon, renyi = answers(BINARY_RR_PAIR, _profiles, largest_n=LARGEST_N, largest_n_renyi=LARGEST_N_RENYI)
