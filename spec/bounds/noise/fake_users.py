"""The exact privacy profile of a histogram to which the shuffler adds fake users.

Every user sends their item. For each of f fake users, and each bin, the shuffler adds a message of that bin with probability p. The
number of messages of a bin is its count and Bin(f, p); replacing a user's item moves one count down and another one up.

>>> delta(n=1000, fakes=1, p="1/2", epsilon="ln 2").exact
'0.75'
"""

from collections.abc import Sequence
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers, upward
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial, independent, product
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import FAKE_USERS
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_fake_users

LARGEST_FAKES = 60
"""Fake users that are enumerated; the certified engine goes further."""
Counts = tuple[int, ...]


def messages_distribution(counts: Sequence[int], *, fakes: int, p: Fraction) -> Distribution[Counts]:
    """The distribution of the number of messages of every bin; counts: how many users hold each item."""
    return independent(binomial(fakes, p).map(held.__add__) for held in counts)


def pair(*, fakes: int, p: Fraction) -> tuple[Distribution[tuple[int, int]], Distribution[tuple[int, int]]]:
    """The two bins that change, one user alone: all other users move both distributions alike."""
    noise = binomial(fakes, p)
    up = noise.map(lambda z: z + 1)
    return product(up, noise), product(noise, up)


def _profiles(*, n: int, fakes: int, p: Fraction) -> list[PrivacyProfile[tuple[int, int]]]:
    """The profile of the one pair, which does not depend on n."""
    if fakes > LARGEST_FAKES:
        raise ResourceLimitError(what="exact arithmetic", needed=f"fakes = {fakes}", limit=f"{LARGEST_FAKES}: use engine 'ball'")
    return [PrivacyProfile(*pair(fakes=fakes, p=p))]


delta, epsilon, _ = answers(
    FAKE_USERS, _profiles, refused=lambda revealed, delta, _: no_epsilon_for_fake_users(revealed=upward(revealed), delta=delta)
)
