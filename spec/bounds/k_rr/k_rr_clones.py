"""The multinomial pair of FMT21, Theorem 4.1, and what it says about shuffled k-ary randomized response, exactly."""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import exact, of_exponential, rational_exp, require_enumerable
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, multinomial, with_one_more
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.clones import K_RR_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon

Counts = tuple[int, ...]
LARGEST_N = 30
"""The pair has about n^3/6 outcomes: n = 30 takes seconds."""


def dominating_pair(*, n: int, p: Fraction, q: Fraction) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """The distributions of (A + G, B, C + 1 - G) and (A, B + G, C + 1 - G).

    (A, B, C, .) ~ MultNom(n - 1; p, p, p, 1 - 3p), G ~ Bern(q).  (FMT21, Theorem 4.1)

    n: number of users, at least 1; p in [0, 1/3], q in [0, 1], exact. For randomizers with R(x_1^b) = q Q_1(x_1^b) + (1 - q) Q_0 and
    R(x) = p Q_1(x_1^0) + p Q_1(x_1^1) + p Q_0 + (1 - 3p) LO(x) at every step there is a Phi with A_s(X_0) ~ Phi(first) and
    A_s(X_1) ~ Phi(second). Raises DomainError outside the domain.
    """
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(0 <= p <= Fraction(1, 3), parameter="p", value=p, requirement="in [0, 1/3]")
    require(0 <= q <= 1, parameter="q", value=q, requirement="in [0, 1]")
    others = multinomial(n - 1, [p, p, p, 1 - 3 * p])
    P, Q = (with_one_more(others, Distribution({own: q, 2: 1 - q})).map(lambda counts: counts[:3]) for own in (0, 1))
    return P, Q


def k_rr_parameters(*, k: int, exp_epsilon0: Fraction) -> tuple[Fraction, Fraction]:
    """p = k/((k + 1)(T + k - 1)) and q = (T - 1)/(T + k - 1), T = e^epsilon0: kRR in the form of Theorem 4.1 (FMT21, appendix E).

    k: number of categories, at least 2; exp_epsilon0: e^epsilon0 >= 1, exact. Raises DomainError outside these.
    """
    require(k >= 2, parameter="k", value=k, requirement="an integer of at least 2")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    return k / ((k + 1) * (T + k - 1)), (T - 1) / (T + k - 1)


@exact(K_RR_CLONES)
def delta(*, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """delta of the pair with kRR's p and q at epsilon; 0 from epsilon0 on: shuffled kRR is (epsilon, delta)-DP.

    >>> delta(n=2, k=3, epsilon0="ln 3", epsilon="ln 2").exact, delta(n=2, k=3, epsilon0="ln 3", epsilon="ln 3").exact
    ('0.28', '0')
    """
    T, profile = _profile(n, k, epsilon0)
    E = rational_exp(epsilon, "epsilon")
    return Found.exactly(0 if E >= T else profile.delta(exp_epsilon=E))


@exact(K_RR_CLONES)
def epsilon(*, n: int, k: int, epsilon0: Epsilon, delta: Fraction) -> Found:
    """Least epsilon at which that delta is at most delta: epsilon0 itself where the pair has none below it.

    >>> epsilon(n=3, k=4, epsilon0="ln 3", delta=0).exact
    'ln 3'
    """
    T, profile = _profile(n, k, epsilon0)
    of_pair = profile.exp_epsilon(delta=delta)
    return of_exponential(T if of_pair is None else min(T, of_pair))


def _profile(n: int, k: int, epsilon0: Epsilon) -> tuple[Fraction, PrivacyProfile[Counts]]:
    require_enumerable(n, LARGEST_N)
    T = rational_exp(epsilon0, "epsilon0")
    p, q = k_rr_parameters(k=k, exp_epsilon0=T)
    return T, PrivacyProfile(*dominating_pair(n=n, p=p, q=q))
