"""Shuffled k-ary randomized response by its privacy blanket, exactly: an upper bound over all neighbouring datasets.

>>> delta(n=2, k=3, epsilon0="ln 3", epsilon="ln 2").exact, epsilon(n=3, k=4, epsilon0="ln 3", delta=0).exact
('0.12', 'ln 3')
"""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, multinomial, with_one_more
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.clones import K_RR_BLANKET

Counts = tuple[int, ...]
LARGEST_N = 30
"""The pair has about n^3/6 outcomes: n = 30 takes seconds."""


def dominating_pair(*, n: int, k: int, exp_epsilon0: Fraction) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """The counts of the values x_1^0, x_1^1 and all other values among the reports that came from the blanket, and user 1's.

    kRR sends a uniform value, the blanket, with probability gamma = k/(T + k - 1), T = e^eps0, and its input otherwise. Of the n - 1
    other users each one's blanket report is x_1^0 with probability r = 1/(T + k - 1), x_1^1 with r, another value with (k - 2) r, and there
    is none with (T - 1) r; user 1 sends the three with (T r, r, (k - 2) r) under P, (r, T r, (k - 2) r) under Q.  (BBGN19, section 5)

    n: number of users, at least 1; k: categories, at least 2; exp_epsilon0: e^epsilon0 >= 1, exact. Raises DomainError outside these.
    """
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(k >= 2, parameter="k", value=k, requirement="an integer of at least 2")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    r = 1 / (T + k - 1)
    others = multinomial(n - 1, [r, r, (k - 2) * r, (T - 1) * r])
    P, Q = (
        with_one_more(others, Distribution({0: first * r, 1: second * r, 2: (k - 2) * r})).map(lambda counts: counts[:3])
        for first, second in ((T, Fraction(1)), (Fraction(1), T))
    )
    return P, Q


def _profiles(*, n: int, k: int, exp_epsilon0: Fraction) -> list[PrivacyProfile[Counts]]:
    return [PrivacyProfile(*dominating_pair(n=n, k=k, exp_epsilon0=exp_epsilon0))]


delta, epsilon, _ = answers(K_RR_BLANKET, _profiles, largest_n=LARGEST_N)
