"""Shuffled k-ary randomized response on one neighbouring pair, (1, 3, ..., 3) and (2, 3, ..., 3): a lower bound for its privacy."""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.distribution import Distribution, multinomial, product
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.k_ary import K_RR_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon, probability

Counts = tuple[int, int, int, int]
LARGEST_N = 25
"""The pair has about n^3/6 outcomes, built from n^4/24 terms: n = 25 takes seconds."""


def pair(*, n: int, k: int, exp_epsilon0: Fraction) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """The counts of the reports 1, 2, 3 and of all others, on X_0 = (1, 3, ..., 3) and X_1 = (2, 3, ..., 3).

    The reports 4, ..., k are equally likely under both, whatever the others are: merging them loses nothing.

    n: number of users, at least 1; k: categories, at least 3; exp_epsilon0: e^epsilon0 >= 1, exact. Raises DomainError outside these.
    """
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(k >= 3, parameter="k", value=k, requirement="an integer of at least 3")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    others = multinomial(n - 1, [weight for _, weight in sorted(_report(2, k, Fraction(exp_epsilon0)).items())])
    both = (product(others, _report(x, k, Fraction(exp_epsilon0))).map(lambda y: _counted(y[0], y[1])) for x in (0, 1))
    P, Q = both
    return P, Q


def delta(*, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Bound:
    """The hockey-stick divergence of the pair at epsilon, exact: shuffled kRR has no smaller delta.

    n: users, 1 to 25; k: categories, at least 3; epsilon0 in [0, 10000], epsilon >= 0, both with rational exponential ("ln 3").
    Returns a Bound of side "exact" whose claim is a lower bound: it is one pair, and others may be worse.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    users, categories = enumerable(n, LARGEST_N), count(k, parameter="k", minimum=3)
    T, E = rational_exp(epsilon0_parameter(epsilon0), "epsilon0"), rational_exp(parse_epsilon(epsilon), "epsilon")
    value = PrivacyProfile(*pair(n=users, k=categories, exp_epsilon0=T)).delta(exp_epsilon=E)
    return exact_value(K_RR_PAIR, "delta", value, inputs=as_given(n=n, k=k, eps0=epsilon0, eps=epsilon))


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number) -> Bound:
    """Least epsilon at which the pair has delta(epsilon) <= delta, exact: shuffled kRR has no smaller epsilon.

    n, k, epsilon0: as for `delta`; delta in [0, 1].
    Returns a Bound of side "exact" whose claim is a lower bound: it is one pair, and others may be worse.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    users, categories = enumerable(n, LARGEST_N), count(k, parameter="k", minimum=3)
    T, target = rational_exp(epsilon0_parameter(epsilon0), "epsilon0"), probability(delta, parameter="delta")
    exp_epsilon = PrivacyProfile(*pair(n=users, k=categories, exp_epsilon0=T)).exp_epsilon(delta=target)
    assert exp_epsilon is not None  # every report has positive probability on every input
    return exact_value(K_RR_PAIR, "epsilon", exp_epsilon, inputs=as_given(n=n, k=k, eps0=epsilon0, delta=delta))


def _report(x: int, k: int, T: Fraction) -> Distribution[int]:
    """kRR on input x of 0, 1, 2 (written 1, 2, 3 above), with all further categories merged into 3."""
    law = {y: (T if y == x else Fraction(1)) / (T + k - 1) for y in range(3)}
    return Distribution({**law, 3: (k - 3) / (T + k - 1)})


def _counted(others: tuple[int, ...], special: int) -> Counts:
    counts = [*others, 0][:4]  # three categories only: nobody reports anything else
    counts[special] += 1
    a, b, s, t = counts
    return a, b, s, t
