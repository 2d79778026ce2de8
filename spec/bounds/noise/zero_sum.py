"""The exact privacy profile of the zero-sum protocol: Bin(n, p) against its shift by one (BC20, Theorem 3.1, part i).

>>> delta(n=3, p="1/2", epsilon="ln 2").exact, epsilon(n=3, p="1/2", delta="1/4").exact
('0.25', 'ln 2')
"""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers, upward
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.protocols.zero_sum import messages_distribution
from shuffleproof.spec.vocabulary.methods.protocols import ZERO_SUM
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_zero_sum

LARGEST_N = 1000
"""Users that are enumerated; the certified engine goes further."""


def pair(*, n: int, p: Fraction) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of the number of messages on (0, 0, ..., 0) and (1, 0, ..., 0): Bin(n, p) and 1 + Bin(n, p).

    More ones among the other users move both by the same amount, so every two neighbouring datasets give this pair, in one order or
    the other: both directions count.  (BC20, proof of Theorem 3.1, part i)

    n: number of users, at least 1; p in [0, 1], exact. Raises DomainError outside the domain.
    """
    return messages_distribution(n=n, p=p, ones=0), messages_distribution(n=n, p=p, ones=1)


def _profiles(*, n: int, p: Fraction, dishonest: int = 0) -> list[PrivacyProfile[int]]:
    """List the profile of those who send noise: the others keep the privacy of so many fewer users."""
    return [PrivacyProfile(*pair(n=n - dishonest, p=p))]


delta, epsilon, _ = answers(
    ZERO_SUM,
    _profiles,
    largest_n=LARGEST_N,
    refused=lambda revealed, delta, _: no_epsilon_for_zero_sum(revealed=upward(revealed), delta=delta),
)
