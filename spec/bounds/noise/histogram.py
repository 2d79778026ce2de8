"""The exact privacy profile of the histogram protocol at small n: two bins, one count up and one down (BC20, Theorem 3.2, part i).

>>> delta(n=1, p="1/2", epsilon="ln 2").exact, epsilon(n=1, p="1/2", delta="3/4").exact
('0.75', '0')
"""

from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers, upward
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.protocols.histogram import Bins, messages_distribution
from shuffleproof.spec.vocabulary.methods.protocols import HISTOGRAM
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_histogram

LARGEST_N = 60
"""The pair has (n + 2)^2 outcomes."""


def pair(*, n: int, p: Fraction) -> tuple[Distribution[Bins], Distribution[Bins]]:
    """The distributions of the messages in two bins on (1, 2, ..., 2) and (2, 2, ..., 2): one count goes down, one up, the rest agrees.

    Other bins carry the same distribution on both sides, and more users in a bin move both distributions by the same amount, so for two
    bins or more every two neighbouring datasets give this pair, and its two directions agree by exchanging the bins.  (BC20, Theorem 3.2,
    part i)

    n: number of users, at least 1; p in [0, 1], exact. Raises DomainError outside the domain.
    """
    first, second = (messages_distribution((x, *(2,) * (n - 1)), d=2, p=p) for x in (1, 2))
    return first, second


def _profiles(*, n: int, p: Fraction, dishonest: int = 0) -> list[PrivacyProfile[Bins]]:
    """List the profile of those who send noise: the others keep the privacy of so many fewer users."""
    return [PrivacyProfile(*pair(n=n - dishonest, p=p))]


delta, epsilon, _ = answers(
    HISTOGRAM,
    _profiles,
    largest_n=LARGEST_N,
    refused=lambda revealed, delta, _: no_epsilon_for_histogram(revealed=upward(revealed), delta=delta),
)
