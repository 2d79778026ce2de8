"""The exact privacy profile of a histogram to which the shuffler adds fake users.

Every user sends their item. For each of f fake users, and each bin, the shuffler adds a message of that bin with probability p. The
number of messages of a bin is its count and Bin(f, p); replacing a user's item moves one count down and another one up.
"""

from collections.abc import Sequence
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import exact_value, rational_exp
from shuffleproof.spec.distribution import Distribution, binomial, product
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import FAKE_USERS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, decimal_text, parse_epsilon, probability
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_fake_users

LARGEST_FAKES = 60
"""Fake users that are enumerated; the certified engine goes further."""
Counts = tuple[int, ...]


def messages_law(counts: Sequence[int], *, fakes: int, p: Fraction) -> Distribution[Counts]:
    """The distribution of the number of messages of every bin; counts: how many users hold each item."""
    found: dict[Counts, Fraction] = {(): Fraction(1)}
    for held in counts:
        noise = binomial(fakes, p)
        found = {(*seen, held + z): weight * mass for seen, weight in found.items() for z, mass in noise.items()}
    return Distribution(found)


def pair(*, fakes: int, p: Fraction) -> tuple[Distribution[tuple[int, int]], Distribution[tuple[int, int]]]:
    """The two bins that change, one user alone: all other users move both distributions alike."""
    noise = binomial(fakes, p)
    up = noise.map(lambda z: z + 1)
    return product(up, noise), product(noise, up)


def delta(*, n: Number, fakes: Number, p: Number, epsilon: Number | Epsilon) -> Bound:
    """The least delta for which the histogram is (epsilon, delta)-DP with two bins or more, exact (BEYOND.fake-users).

    n: users, at least 1, which change nothing; fakes: 1 to 60; p in [0, 1]; epsilon >= 0 with rational exponential ("ln 3").
    Returns a Bound of side "exact". Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=1000, fakes=1, p="1/2", epsilon="ln 2").exact
    '0.75'
    """
    number, noise = _checked(n, fakes, p)
    E = rational_exp(parse_epsilon(epsilon), "epsilon")
    value = PrivacyProfile(*pair(fakes=number, p=noise)).delta(exp_epsilon=E)
    return exact_value(FAKE_USERS, "delta", value, inputs=as_given(n=n, fakes=fakes, p=p, eps=epsilon))


def epsilon(*, n: Number, fakes: Number, p: Number, delta: Number) -> Bound:
    """Least epsilon for which the histogram is (epsilon, delta)-DP, exact; delta in [0, 1], the rest as for `delta` (BEYOND.fake-users).

    Raises RegimeError where delta is below the probability that a bin without noise, or with all of it, gives the data away.
    """
    number, noise = _checked(n, fakes, p)
    target = probability(delta, parameter="delta")
    found = PrivacyProfile(*pair(fakes=number, p=noise)).exp_epsilon(delta=target)
    if found is None:
        revealed = noise**number + (1 - noise) ** number - (noise * (1 - noise)) ** number
        raise no_epsilon_for_fake_users(delta=str(delta), revealed=decimal_text(revealed, digits=6, direction="up"))
    return exact_value(FAKE_USERS, "epsilon", found, inputs=as_given(n=n, fakes=fakes, p=p, delta=delta))


def _checked(n: Number, fakes: Number, p: Number) -> tuple[int, Fraction]:
    count(n, parameter="n")
    number, noise = count(fakes, parameter="fakes"), probability(p, parameter="p")
    if number > LARGEST_FAKES:
        raise ResourceLimitError(what="exact arithmetic", needed=f"fakes = {number}", limit=f"{LARGEST_FAKES}: use engine 'ball'")
    return number, noise
