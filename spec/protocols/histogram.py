"""P^hist: a histogram by one zero sum for every bin, in one round of shuffling (BC20, Figure 2, Theorem 3.2, Definitions 2.6-2.7)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from shuffleproof.spec.distribution import Distribution, independent
from shuffleproof.spec.model import Analyzer, LocalRandomizer, MultiMessageProtocol
from shuffleproof.spec.protocols import zero_sum
from shuffleproof.spec.vocabulary.errors import require

Bins = tuple[int, ...]
Estimates = tuple[Fraction, ...]


def randomizer(*, d: int, p: Fraction) -> LocalRandomizer[int, Bins]:
    """Return R^hist on x in [d]: with b_j = 1[x = j], the vectors m_j = j R^zsum(b_j) for j = 1, ..., d, concatenated.  (BC20, Figure 2).

    d: number of bins, at least 1; p: probability of the additional message in every bin, in [0, 1], exact. Raises DomainError.
    """
    _require_bins(d)
    zsum = zero_sum.randomizer(p=p)

    def vector(j: int, b_j: int) -> Distribution[Bins]:
        return zsum.distribution(b_j).map(lambda ones: tuple(j * one for one in ones))

    def distribution(x: int) -> Distribution[Bins]:
        return independent(vector(j, int(x == j)) for j in range(1, d + 1)).map(lambda sent: sum(sent, ()))

    return LocalRandomizer(range(1, d + 1), {x: distribution(x) for x in range(1, d + 1)})


def analyzer(*, n: int, d: int, p: Fraction) -> Analyzer[int, Estimates]:
    """Return A^hist: for every bin j, A^zsum of the messages of value j.  (BC20, Figure 2).

    n: number of users, at least 1; d, p: as for `randomizer`. The result is a function of the shuffled messages. Raises DomainError.
    """
    _require_bins(d)
    zsum = zero_sum.analyzer(n=n, p=p)
    return lambda y: tuple(zsum(tuple(1 for message in y if message == j)) for j in range(1, d + 1))


def protocol(*, n: int, d: int, p: Fraction) -> MultiMessageProtocol[int, int, Estimates]:
    """P^hist = (R^hist, A^hist) for n users and d bins. Domains and errors are those of its parts."""
    return MultiMessageProtocol(randomizer(d=d, p=p), analyzer(n=n, d=d, p=p))


def counts(dataset: Sequence[int], *, d: int) -> tuple[int, ...]:
    """How many users hold each of 1, ..., d: n c_j(x) of BC20, section 2. Raises DomainError for a value outside [d]."""
    for x in dataset:
        require(1 <= x <= d, parameter="dataset", value=x, requirement=f"values from 1 to {d}")
    held = Counter(dataset)
    return tuple(held[j] for j in range(1, d + 1))


def messages_distribution(dataset: Sequence[int], *, d: int, p: Fraction) -> Distribution[tuple[int, ...]]:
    """The distribution of the numbers of messages of value 1, ..., d: independent, each its bin's count + Bin(n, p) (BC20, Theorem 3.2).

    dataset: the users' values in [d], at least one user. Raises DomainError.
    """
    return independent(zero_sum.messages_distribution(n=len(dataset), p=p, ones=held) for held in counts(dataset, d=d))


def estimates_distribution(dataset: Sequence[int], *, d: int, p: Fraction) -> Distribution[Estimates]:
    """The distribution of the protocol's output. Domains and errors as for `messages_distribution`."""
    n = len(dataset)
    return messages_distribution(dataset, d=d, p=p).map(lambda y: tuple(zero_sum.estimate(messages=c, n=n, p=p) for c in y))


def per_query_failure(estimates: Distribution[Estimates], *, truth: Sequence[Fraction], alpha: Fraction) -> Fraction:
    """max over bins j of Pr[|P(x)_j - c_j(x)| > alpha]: the least beta of per-query accuracy on this dataset (BC20, Definition 2.6)."""
    return max(sum((w for e, w in estimates.items() if abs(e[j] - c) > alpha), Fraction(0)) for j, c in enumerate(truth))


def simultaneous_failure(estimates: Distribution[Estimates], *, truth: Sequence[Fraction], alpha: Fraction) -> Fraction:
    """Pr[some |P(x)_j - c_j(x)| > alpha]: the least beta of simultaneous accuracy on this dataset (BC20, Definition 2.7)."""
    return sum((w for e, w in estimates.items() if any(abs(e[j] - c) > alpha for j, c in enumerate(truth))), Fraction(0))


def _require_bins(d: int) -> None:
    require(d >= 1, parameter="d", value=d, requirement="an integer of at least 1")
