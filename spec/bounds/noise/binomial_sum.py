"""The exact privacy profile of binomial noise on a sum, which users add in parts.

Each of n honest users adds the heads of m coins Bern(p): together Z ~ Bin(n m, p). The pair is Z and s + Z, s the sensitivity.
"""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import exact_value, rational_exp
from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import BINOMIAL_SUM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, decimal_text, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_binomial_sum

LARGEST_COINS = 200
"""Coins of all users together that are enumerated; the certified engine goes further."""


def pair(*, coins: int, p: Fraction, sensitivity: int) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of Z and s + Z; coins: of all honest users together."""
    noise = binomial(coins, p)
    return noise, noise.map(lambda z: z + sensitivity)


def delta(*, n: Number, sensitivity: Number, coins: Number, p: Number, epsilon: Number | Epsilon) -> Bound:
    """The least delta for which the sum is (epsilon, delta)-DP, exact (BEYOND.binomial-sum).

    n: honest users; sensitivity: at least 1; coins: of each of them, at most 200 of all together; p in [0, 1]; epsilon >= 0 with rational
    exponential ("ln 3"). Returns a Bound of side "exact". Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=2, sensitivity=1, coins=2, p="1/2", epsilon="ln 2").exact
    '0.1875'
    """
    profile = _profile(n, sensitivity, coins, p)
    value = profile.delta(exp_epsilon=rational_exp(parse_epsilon(epsilon), "epsilon"))
    return exact_value(BINOMIAL_SUM, "delta", value, inputs=as_given(n=n, sensitivity=sensitivity, coins=coins, p=p, eps=epsilon))


def epsilon(*, n: Number, sensitivity: Number, coins: Number, p: Number, delta: Number) -> Bound:
    """Least epsilon for which the sum is (epsilon, delta)-DP, exact; delta in [0, 1], the rest as for `delta` (BEYOND.binomial-sum).

    Raises RegimeError where delta is below the probability that the sum gives the data away.
    """
    target, profile = probability(delta, parameter="delta"), _profile(n, sensitivity, coins, p)
    found = profile.exp_epsilon(delta=target)
    if found is None:
        s = count(sensitivity, parameter="sensitivity")
        ends = [sum((mass for z, mass in law.items() if not other[z]), Fraction(0)) for law, other in _both(profile)]
        raise no_epsilon_for_binomial_sum(revealed=f"{decimal_text(max(ends), digits=6, direction='up')} for s = {s}", delta=str(delta))
    return exact_value(BINOMIAL_SUM, "epsilon", found, inputs=as_given(n=n, sensitivity=sensitivity, coins=coins, p=p, delta=delta))


def _both(profile: PrivacyProfile[int]) -> tuple[tuple[Distribution[int], Distribution[int]], tuple[Distribution[int], Distribution[int]]]:
    return (profile.p, profile.q), (profile.q, profile.p)


def _profile(n: Number, sensitivity: Number, coins: Number, p: Number) -> PrivacyProfile[int]:
    s, noise = count(sensitivity, parameter="sensitivity"), probability(p, parameter="p")
    together = count(n, parameter="n") * count(coins, parameter="coins")
    if together > LARGEST_COINS:
        raise ResourceLimitError(what="exact arithmetic", needed=f"n coins = {together}", limit=f"{LARGEST_COINS}: use engine 'ball'")
    return PrivacyProfile(*pair(coins=together, p=noise, sensitivity=s))
