"""The exact privacy profile of the histogram protocol at small n: two bins, one count up and one down (BC20, Theorem 3.2, part i)."""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.protocols.histogram import messages_law
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import HISTOGRAM, with_dishonest
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, decimal_text, honest_count, parse_epsilon, probability, told
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_histogram

LARGEST_N = 60
"""The pair has (n + 2)^2 outcomes."""


def pair(*, n: int, p: Fraction) -> tuple[Distribution[tuple[int, int]], Distribution[tuple[int, int]]]:
    """The laws of the messages in two bins on (1, 2, ..., 2) and (2, 2, ..., 2): one count goes down, the other up, all else agrees.

    Other bins carry the same distribution on both sides, and more users in a bin move both distributions by the same amount, so for two
    bins or more every two neighbouring datasets give this pair, and its two directions agree by exchanging the bins.  (BC20, Theorem 3.2,
    part i)

    n: number of users, at least 1; p in [0, 1], exact. Raises DomainError outside the domain.
    """
    first, second = (messages_law((x, *(2,) * (n - 1)), d=2, p=p) for x in (1, 2))
    return first.map(_two), second.map(_two)


def delta(*, n: Number, p: Number, epsilon: Number | Epsilon, dishonest: Number = 0) -> Bound:
    """The least delta for which the histogram protocol is (epsilon, delta)-DP with two bins or more, exact (BC20, Theorem 3.2).

    n: users, 1 to 60; p in [0, 1]: probability of the additional message in every bin; epsilon >= 0 with rational exponential ("ln 3").
    dishonest: how many of the n send no noise, or tell theirs; the others keep the privacy of so many fewer users (0 to n - 1).
    Returns a Bound of side "exact". Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=1, p="1/2", epsilon="ln 2").exact
    '0.75'
    """
    users, noise, central = enumerable(n, LARGEST_N), probability(p, parameter="p"), parse_epsilon(epsilon)
    honest = honest_count(users, dishonest)
    value = PrivacyProfile(*pair(n=honest, p=noise)).delta(exp_epsilon=rational_exp(central, "epsilon"))
    return exact_value(with_dishonest(HISTOGRAM, users - honest), "delta", value, inputs=as_given(n=n, p=p, eps=epsilon, **told(dishonest)))


def epsilon(*, n: Number, p: Number, delta: Number, dishonest: Number = 0) -> Bound:
    """Least epsilon for which the histogram protocol is (epsilon, delta)-DP with two bins or more, exact (BC20, Theorem 3.2).

    n: users, 1 to 60; p in [0, 1]: probability of the additional message in every bin; delta in [0, 1].
    dishonest: how many of the n send no noise, or tell theirs; the others keep the privacy of so many fewer users (0 to n - 1).
    Returns a Bound of side "exact". Raises DomainError, ResourceLimitError; RegimeError where delta is below p^n + (1 - p)^n -
    (p (1 - p))^n, the probability that one of the two counts alone gives the dataset away: no epsilon is enough there.

    >>> epsilon(n=1, p="1/2", delta="3/4").exact
    '0'
    """
    users, noise, target = enumerable(n, LARGEST_N), probability(p, parameter="p"), probability(delta, parameter="delta")
    honest = honest_count(users, dishonest)
    exp_epsilon = PrivacyProfile(*pair(n=honest, p=noise)).exp_epsilon(delta=target)
    if exp_epsilon is None:
        revealed = noise**honest + (1 - noise) ** honest - (noise * (1 - noise)) ** honest
        raise no_epsilon_for_histogram(revealed=decimal_text(revealed, digits=6, direction="up"), delta=str(delta))
    return exact_value(
        with_dishonest(HISTOGRAM, users - honest), "epsilon", exp_epsilon, inputs=as_given(n=n, p=p, delta=delta, **told(dishonest))
    )


def _two(counted: tuple[int, ...]) -> tuple[int, int]:
    first, second = counted
    return first, second
