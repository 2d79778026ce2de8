"""The multinomial pair of FMT21, Theorem 4.1, and what it says about shuffled k-ary randomized response, exactly."""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.distribution import Distribution, bernoulli, multinomial, product
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.k_ary import K_RR_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon, probability

Counts = tuple[int, int, int]
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
    reports = product(multinomial(n - 1, [p, p, p, 1 - 3 * p]), bernoulli(q))
    return reports.map(lambda y: _counted(y[0], 0 if y[1] else 2)), reports.map(lambda y: _counted(y[0], 1 if y[1] else 2))


def k_rr_parameters(*, k: int, exp_epsilon0: Fraction) -> tuple[Fraction, Fraction]:
    """p = k/((k + 1)(T + k - 1)) and q = (T - 1)/(T + k - 1), T = e^epsilon0: kRR in the form of Theorem 4.1 (FMT21, appendix E).

    k: number of categories, at least 2; exp_epsilon0: e^epsilon0 >= 1, exact. Raises DomainError outside these.
    """
    require(k >= 2, parameter="k", value=k, requirement="an integer of at least 2")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    return k / ((k + 1) * (T + k - 1)), (T - 1) / (T + k - 1)


def delta(*, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """delta of the pair with kRR's p and q at epsilon, exact; 0 from epsilon0 on: shuffled kRR is (epsilon, delta)-DP.

    n: users, 1 to 30; k: categories, at least 2; epsilon0 in [0, 10000], epsilon >= 0, both with rational exponential ("ln 3").
    Returns a Bound of side "exact" whose claim is an upper bound. Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=2, k=3, epsilon0="ln 3", epsilon="ln 2").exact
    '0.28'
    """
    users, categories = enumerable(n, LARGEST_N), count(k, parameter="k", minimum=2)
    local, central = epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    T, E = rational_exp(local, "epsilon0"), rational_exp(central, "epsilon")
    p, q = k_rr_parameters(k=categories, exp_epsilon0=T)
    value = Fraction(0) if E >= T else PrivacyProfile(*dominating_pair(n=users, p=p, q=q)).delta(exp_epsilon=E)
    return exact_value(K_RR_CLONES, "delta", value, inputs=as_given(n=n, k=k, eps0=epsilon0, eps=epsilon))


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon at which that delta is at most delta, exact: epsilon0 itself where the pair has none below it.

    n, k, epsilon0: as for `delta`; delta in [0, 1].
    Returns a Bound of side "exact" whose claim is an upper bound. Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> epsilon(n=3, k=4, epsilon0="ln 3", delta=0).exact
    'ln 3'
    """
    users, categories = enumerable(n, LARGEST_N), count(k, parameter="k", minimum=2)
    local, target = epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    T = rational_exp(local, "epsilon0")
    p, q = k_rr_parameters(k=categories, exp_epsilon0=T)
    of_pair = PrivacyProfile(*dominating_pair(n=users, p=p, q=q)).exp_epsilon(delta=target)
    value = T if of_pair is None else min(T, of_pair)
    return exact_value(K_RR_CLONES, "epsilon", value, inputs=as_given(n=n, k=k, eps0=epsilon0, delta=delta))


def _counted(others: tuple[int, ...], special: int) -> Counts:
    a, b, c, _ = (number + (kind == special) for kind, number in enumerate(others))
    return a, b, c
