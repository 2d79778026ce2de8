"""Frequency estimation with one message a user: unbiased analyzers and their exact errors (FMT21, section 5.1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shuffleproof.spec.model import LocalRandomizer, Multiset, Protocol
from shuffleproof.spec.randomizers import hadamard_response as hr, k_rr as krr, k_subset as subset, unary_encoding as bits
from shuffleproof.spec.vocabulary.errors import require

Frequencies = tuple[Fraction, ...]


@dataclass(frozen=True)
class FrequencyEstimator:
    """A randomizer on {0, ..., k - 1} and a score for every item and message: the estimate of an item is its mean score.

    score(x, y) has mean 1 under R(x) and mean 0 under every other distribution of the randomizer, so that every estimate is unbiased.
    """

    randomizer: LocalRandomizer[int, Any]
    score: Callable[[int, Any], Fraction]

    @property
    def k(self) -> int:
        """The number of items."""
        return len(self.randomizer.domain)

    def estimates(self, messages: Multiset[Any]) -> Frequencies:
        """The analyzer: every item's mean score over the n >= 1 shuffled messages."""
        require(len(messages) > 0, parameter="messages", value=messages, requirement="at least one message")
        return tuple(sum((self.score(x, y) for y in messages), Fraction(0)) / len(messages) for x in range(self.k))

    def protocol(self) -> Protocol[int, Any, Frequencies]:
        """The one-message protocol, for any number of users."""
        return Protocol(self.randomizer, self.estimates)

    def second_moment(self, x: int, value: int) -> Fraction:
        """E[score(x, Y)^2] for the message Y of a user who holds `value`, by its definition."""
        return sum((weight * self.score(x, y) ** 2 for y, weight in self.randomizer.distribution(value).items()), Fraction(0))

    def mean(self, x: int, value: int) -> Fraction:
        """E[score(x, Y)] for the message Y of a user who holds `value`, by its definition."""
        return sum((weight * self.score(x, y) for y, weight in self.randomizer.distribution(value).items()), Fraction(0))

    def variances(self, dataset: Sequence[int]) -> Frequencies:
        """Var(p^_x) for every item x on this dataset: (1/n^2) sum over users of E[score^2] - (E score)^2. Raises DomainError if empty."""
        require(len(dataset) > 0, parameter="dataset", value=dataset, requirement="at least one user")
        k, n = self.k, len(dataset)
        each = {v: [self.second_moment(x, v) - self.mean(x, v) ** 2 for x in range(k)] for v in set(dataset)}
        return tuple(sum((each[v][x] for v in dataset), Fraction(0)) / n**2 for x in range(k))

    def squared_error(self, dataset: Sequence[int]) -> Fraction:
        """Return E[ ||p(X) - p^||_2^2 ], over the messages only.  (FMT21, section 5.1)."""
        return sum(self.variances(dataset), Fraction(0))


def frequencies(dataset: Sequence[int], *, k: int) -> Frequencies:
    """Return p(X): the share of every item among the n >= 1 users.  (FMT21, section 5.1, with j in [n] where [k] is printed)."""
    require(len(dataset) > 0, parameter="dataset", value=dataset, requirement="at least one user")
    return tuple(Fraction(sum(x == item for x in dataset), len(dataset)) for item in range(k))


def hadamard(*, k: int, exp_epsilon0: Fraction, blocks: int | None = None) -> FrequencyEstimator:
    """Return Hadamard response; score(x, y) = H(x, y) (T - 1 + 2B)/(T - 1), T = e^eps0 > 1.  (ASZ19)."""
    T = _informative(exp_epsilon0)
    H = hr.code(k=k, exp_epsilon0=T, blocks=blocks)
    scale = (T - 1 + 2 * H.blocks) / (T - 1)
    return FrequencyEstimator(hr.hadamard_response(k=k, exp_epsilon0=T, blocks=blocks), lambda x, y: H.entry(x, y) * scale)


def k_rr(*, k: int, exp_epsilon0: Fraction) -> FrequencyEstimator:
    """k-ary randomized response; the message supports the item that it is."""
    T = _informative(exp_epsilon0)
    return _supporting(krr.k_rr(k=k, exp_epsilon0=T), lambda x, y: x == y, own=T / (T + k - 1), other=1 / (T + k - 1))


def k_subset(*, k: int, d: int, exp_epsilon0: Fraction) -> FrequencyEstimator:
    """Subset selection; the message supports the d items that it holds."""
    T = _informative(exp_epsilon0)
    own, other = subset_support(k=k, d=d, exp_epsilon0=T)
    return _supporting(subset.k_subset(k=k, d=d, exp_epsilon0=T), lambda x, y: x in y, own=own, other=other)


def rappor(*, k: int, exp_half_epsilon0: Fraction) -> FrequencyEstimator:
    """Symmetric RAPPOR, r = e^(eps0/2) > 1; the message supports the items whose bits are 1."""
    r = _informative(exp_half_epsilon0)
    return _supporting(bits.rappor(k=k, exp_half_epsilon0=r), lambda x, y: bool(y[x]), own=r / (r + 1), other=1 / (r + 1))


def asymmetric_rappor(*, k: int, exp_epsilon0: Fraction) -> FrequencyEstimator:
    """Return asymmetric RAPPOR; the message supports the items whose bits are 1.  (FT21)."""
    T = _informative(exp_epsilon0)
    own, other = Fraction(1, 2), 1 / (T + 1)
    return _supporting(bits.asymmetric_rappor(k=k, exp_epsilon0=T), lambda x, y: bool(y[x]), own=own, other=other)


def subset_support(*, k: int, d: int, exp_epsilon0: Fraction) -> tuple[Fraction, Fraction]:
    """(g, h): the probability that the subset holds one's own item, and any other given item; k >= 2."""
    T = Fraction(exp_epsilon0)
    g = d * T / (d * T + k - d)
    return g, (g * (d - 1) + (1 - g) * d) / (k - 1)


def hadamard_variance(*, k: int, blocks: int, exp_epsilon0: Fraction, n: int, of_block: Fraction, of_item: Fraction) -> Fraction:
    """Var(p^_x) in closed form: ((T - 1 + 2B)/(T - 1)^2 (2 + (T - 1) P) - p_x)/n, P and p_x the shares of x's block and of x."""
    T = _informative(exp_epsilon0)
    return ((T - 1 + 2 * blocks) / (T - 1) ** 2 * (2 + (T - 1) * of_block) - of_item) / n


def hadamard_worst_error(*, k: int, blocks: int, exp_epsilon0: Fraction, n: int) -> Fraction:
    """The largest E ||p(X) - p^||^2: everybody in a fullest block, ((T - 1 + 2B)/(T - 1)^2 (2k + (T - 1) ceil(k/B)) - 1)/n."""
    T = _informative(exp_epsilon0)
    return ((T - 1 + 2 * blocks) / (T - 1) ** 2 * (2 * k + (T - 1) * -(-k // blocks)) - 1) / n


def support_variance(*, own: Fraction, other: Fraction, n: int, of_item: Fraction) -> Fraction:
    """Var(p^_x) where a message supports one's own item with probability g and others with h: (p_x g(1-g) + (1-p_x) h(1-h))/((g-h)^2 n)."""
    return (of_item * own * (1 - own) + (1 - of_item) * other * (1 - other)) / ((own - other) ** 2 * n)


def support_error(*, k: int, own: Fraction, other: Fraction, n: int) -> Fraction:
    """E ||p(X) - p^||^2, the same on every dataset: (g(1-g) + (k-1) h(1-h))/((g-h)^2 n)."""
    return (own * (1 - own) + (k - 1) * other * (1 - other)) / ((own - other) ** 2 * n)


def _supporting(
    randomizer: LocalRandomizer[int, Any], supports: Callable[[int, Any], bool], *, own: Fraction, other: Fraction
) -> FrequencyEstimator:
    return FrequencyEstimator(randomizer, lambda x, y: (int(supports(x, y)) - other) / (own - other))


def _informative(exp_epsilon0: Fraction) -> Fraction:
    require(exp_epsilon0 > 1, parameter="e^epsilon0", value=exp_epsilon0, requirement="above 1: at 1 messages say nothing")
    return Fraction(exp_epsilon0)
