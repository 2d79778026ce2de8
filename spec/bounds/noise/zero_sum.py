"""The exact privacy profile of the zero-sum protocol: Bin(n, p) against its shift by one (BC20, Theorem 3.1, part i)."""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.protocols.zero_sum import messages_law
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.protocols import ZERO_SUM, with_dishonest
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, decimal_text, honest_count, parse_epsilon, probability, told
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_zero_sum

LARGEST_N = 1000
"""Users that are enumerated; the certified engine goes further."""


def pair(*, n: int, p: Fraction) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of the number of messages on (0, 0, ..., 0) and (1, 0, ..., 0): Bin(n, p) and 1 + Bin(n, p).

    More ones among the other users move both by the same amount, so every two neighbouring datasets give this pair, in one order or
    the other: both directions count.  (BC20, proof of Theorem 3.1, part i)

    n: number of users, at least 1; p in [0, 1], exact. Raises DomainError outside the domain.
    """
    return messages_law(n=n, p=p, ones=0), messages_law(n=n, p=p, ones=1)


def delta(*, n: Number, p: Number, epsilon: Number | Epsilon, dishonest: Number = 0) -> Bound:
    """The least delta for which the zero-sum protocol is (epsilon, delta)-DP, exact (BC20, Theorem 3.1).

    n: users, 1 to 1000; p in [0, 1]: probability of every user's additional message; epsilon >= 0 with rational exponential ("ln 3").
    dishonest: how many of the n send no noise, or tell theirs; the others keep the privacy of so many fewer users (0 to n - 1).
    Returns a Bound of side "exact". Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=3, p="1/2", epsilon="ln 2").exact
    '0.25'
    """
    users, noise, central = enumerable(n, LARGEST_N), probability(p, parameter="p"), parse_epsilon(epsilon)
    honest = honest_count(users, dishonest)
    value = PrivacyProfile(*pair(n=honest, p=noise)).delta(exp_epsilon=rational_exp(central, "epsilon"))
    return exact_value(with_dishonest(ZERO_SUM, users - honest), "delta", value, inputs=as_given(n=n, p=p, eps=epsilon, **told(dishonest)))


def epsilon(*, n: Number, p: Number, delta: Number, dishonest: Number = 0) -> Bound:
    """Least epsilon for which the zero-sum protocol is (epsilon, delta)-DP, exact (BC20, Theorem 3.1).

    n: users, 1 to 1000; p in [0, 1]: probability of every user's additional message; delta in [0, 1].
    dishonest: how many of the n send no noise, or tell theirs; the others keep the privacy of so many fewer users (0 to n - 1).
    Returns a Bound of side "exact". Raises DomainError, ResourceLimitError; RegimeError where delta < max(p^n, (1 - p)^n), the
    probability that the number of messages alone gives the dataset away: no epsilon is enough there.

    >>> epsilon(n=3, p="1/2", delta="1/4").exact
    'ln 2'
    """
    users, noise, target = enumerable(n, LARGEST_N), probability(p, parameter="p"), probability(delta, parameter="delta")
    honest = honest_count(users, dishonest)
    exp_epsilon = PrivacyProfile(*pair(n=honest, p=noise)).exp_epsilon(delta=target)
    if exp_epsilon is None:
        revealed = max(noise, 1 - noise) ** honest
        raise no_epsilon_for_zero_sum(revealed=decimal_text(revealed, digits=6, direction="up"), delta=str(delta))
    return exact_value(
        with_dishonest(ZERO_SUM, users - honest), "epsilon", exp_epsilon, inputs=as_given(n=n, p=p, delta=delta, **told(dishonest))
    )
