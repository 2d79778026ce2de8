"""Selection and histograms by one bit sum for every coordinate, in one round of shuffling (CSUZZ19, sections 6.2.1 and 6.2.2)."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product as tuples

from shuffleproof.spec.distribution import Distribution, independent
from shuffleproof.spec.model import Analyzer, LocalRandomizer, MultiMessageProtocol
from shuffleproof.spec.protocols import bit_sum
from shuffleproof.spec.vocabulary.errors import require

Tagged = tuple[int, int]
"""A message: (coordinate, bit), coordinates counted from 1."""
Vector = tuple[int, ...]
Estimates = tuple[Fraction, ...]


def randomizer(*, inputs: Iterable[Vector], n: int, lam: Fraction) -> LocalRandomizer[Vector, tuple[Tagged, ...]]:
    """On x in {0, 1}^d: (1, R_(n, lambda)(x_1)), ..., (d, R_(n, lambda)(x_d)), one tagged bit for every coordinate.

    inputs: the vectors to have distributions for, all of one length d >= 1; n, lam as in `bit_sum.randomizer`. Raises DomainError.
    """
    domain = tuple(inputs)
    _dimension(domain)  # of one length
    respond = bit_sum.randomizer(n=n, lam=lam)

    def distribution(x: Vector) -> Distribution[tuple[Tagged, ...]]:
        return independent(respond.distribution(bit) for bit in x).map(lambda sent: tuple(enumerate(sent, start=1)))

    return LocalRandomizer(domain, {x: distribution(x) for x in domain})


def all_vectors(d: int) -> list[Vector]:
    """{0, 1}^d, the users' data of the selection problem (CSUZZ19, section 6.2.1)."""
    return list(tuples((0, 1), repeat=d))


def unit_vectors(d: int) -> list[Vector]:
    """One vector for each of d values, a single 1 in it: a user's own histogram (CSUZZ19, section 6.2.2)."""
    return [tuple(int(i == j) for j in range(d)) for i in range(d)]


def analyzer(*, n: int, d: int, lam: Fraction) -> Analyzer[Tagged, Estimates]:
    """For every coordinate, A_(n, lambda) of the bits that carry its tag.

    n at least 1; d at least 1; lam in [0, n). Raises DomainError.
    """
    _require_dimension(d)
    estimate = bit_sum.analyzer(n=n, lam=lam)
    return lambda y: tuple(estimate(tuple(bit for tag, bit in y if tag == j)) for j in range(1, d + 1))


def protocol(*, inputs: Iterable[Vector], n: int, lam: Fraction) -> MultiMessageProtocol[Vector, Tagged, Estimates]:
    """The randomizer and the analyzer that estimates all coordinates. Domains and errors are those of its parts."""
    domain = tuple(inputs)
    return MultiMessageProtocol(randomizer(inputs=domain, n=n, lam=lam), analyzer(n=n, d=_dimension(domain), lam=lam))


def ones_distribution(dataset: Sequence[Vector], *, lam: Fraction) -> Distribution[Vector]:
    """The distribution of the numbers of messages 1 with each tag: independent bit sums, one for each coordinate.

    dataset: vectors of bits of one length, at least one; lam in [0, n]. Raises DomainError.
    """
    d = _dimension(dataset)
    return independent(bit_sum.ones_distribution(n=len(dataset), lam=lam, ones=sum(x[j] for x in dataset)) for j in range(d))


def estimates_distribution(dataset: Sequence[Vector], *, lam: Fraction) -> Distribution[Estimates]:
    """The distribution of the estimates of all coordinates. Domains as for `ones_distribution`, lam below n."""
    n = len(dataset)
    bit_sum.analyzer(n=n, lam=lam)
    return ones_distribution(dataset, lam=lam).map(lambda ones: tuple(bit_sum.estimate(ones=y, n=n, lam=lam) for y in ones))


def selected(estimates: Sequence[Fraction]) -> int:
    """The first coordinate, counted from 1, with the largest estimate."""
    return max(range(len(estimates)), key=lambda j: (estimates[j], -j)) + 1


def selection_failure(dataset: Sequence[Vector], *, lam: Fraction, alpha: Fraction) -> Fraction:
    """Pr[the selected coordinate's true sum is below the largest minus alpha], exact (CSUZZ19, equation 9 has alpha = n/10).

    Domains and errors as for `estimates_distribution`.
    """
    truth = sums(dataset)
    least = max(truth) - alpha
    return sum((weight for e, weight in estimates_distribution(dataset, lam=lam).items() if truth[selected(e) - 1] < least), Fraction(0))


def histogram_failure(dataset: Sequence[Vector], *, lam: Fraction, alpha: Fraction) -> Fraction:
    """Pr[some coordinate's estimate is off by more than alpha], exact: the coordinates' errors are independent (CSUZZ19, equation 10).

    Domains and errors as for `estimates_distribution`.
    """
    n, all_good = len(dataset), Fraction(1)
    for held in sums(dataset):
        law = bit_sum.estimate_distribution(n=n, lam=lam, ones=held)
        all_good *= sum((weight for z, weight in law.items() if abs(z - held) <= alpha), Fraction(0))
    return 1 - all_good


def sums(dataset: Sequence[Vector]) -> Vector:
    """The true sums of all coordinates. Raises DomainError as `ones_distribution` does."""
    return tuple(sum(x[j] for x in dataset) for j in range(_dimension(dataset)))


def _dimension(vectors: Sequence[Vector]) -> int:
    require(len(vectors) > 0, parameter="vectors", value=vectors, requirement="at least one")
    d = len(vectors[0])
    _require_dimension(d)
    for x in vectors:
        require(len(x) == d and set(x) <= {0, 1}, parameter="vector", value=x, requirement=f"{d} bits")
    return d


def _require_dimension(d: int) -> None:
    require(d >= 1, parameter="d", value=d, requirement="an integer of at least 1")
