"""The exact privacy profile of the histogram protocol at small n: two bins, one count up and one down (BC20, Theorem 3.2, part i).

>>> delta(n=1, p="1/2", epsilon="ln 2").exact, epsilon(n=1, p="1/2", delta="3/4").exact
('0.75', '0')
"""

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.protocols.histogram import messages_distribution
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.methods.protocols import HISTOGRAM
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_histogram

LARGEST_N = 60
"""The pair has (n + 2)^2 outcomes."""


def pair(*, n: int, p: Fraction) -> tuple[Distribution[tuple[int, int]], Distribution[tuple[int, int]]]:
    """The distributions of the messages in two bins on (1, 2, ..., 2) and (2, 2, ..., 2): one count goes down, one up, the rest agrees.

    Other bins carry the same distribution on both sides, and more users in a bin move both distributions by the same amount, so for two
    bins or more every two neighbouring datasets give this pair, and its two directions agree by exchanging the bins.  (BC20, Theorem 3.2,
    part i)

    n: number of users, at least 1; p in [0, 1], exact. Raises DomainError outside the domain.
    """
    first, second = (messages_distribution((x, *(2,) * (n - 1)), d=2, p=p) for x in (1, 2))
    return first.map(_two), second.map(_two)


def _profiles(*, n: int, p: Fraction, dishonest: int = 0) -> list[PrivacyProfile[tuple[int, int]]]:
    """List the profile of those who send noise: the others keep the privacy of so many fewer users."""
    return [PrivacyProfile(*pair(n=n - dishonest, p=p))]


def _refused(_: object, *, n: int, p: Fraction, inputs: Mapping[str, str], dishonest: int = 0) -> RegimeError:
    """One of the two counts alone gives the dataset away with that probability."""
    honest = n - dishonest
    revealed = p**honest + (1 - p) ** honest - (p * (1 - p)) ** honest
    return no_epsilon_for_histogram(revealed=decimal_text(revealed, digits=6, direction="up"), delta=inputs["delta"])


delta, epsilon, _ = answers(HISTOGRAM, _profiles, largest_n=LARGEST_N, refused=_refused)


def _two(counted: tuple[int, ...]) -> tuple[int, int]:
    first, second = counted
    return first, second
