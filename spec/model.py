"""The shuffle model: local randomizers, the shuffler, analyzers, protocols; and FMT21's adaptive sequences."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any, Generic, TypeVar

from shuffleproof.spec.distribution import Distribution, max_divergence, mixture
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)
Z = TypeVar("Z", bound=Hashable)
Multiset = tuple[Y, ...]
"""A multiset of messages: its elements in a fixed order (sorted by their text), so that equal multisets are equal tuples."""

LARGEST_ADAPTIVE_N = 8
"""Users of an adaptive sequence: all n! orders are enumerated."""


class LocalRandomizer(Generic[X, Y]):
    """R: D -> S, given by its exact distribution on every input of a finite domain (FMT21, Definition 2.2).

    domain: the inputs, at least one; distributions: input -> Distribution over messages. Raises DomainError if an input has no
    distribution.
    """

    def __init__(self, domain: Sequence[X], distributions: Mapping[X, Distribution[Y]]) -> None:
        require(len(domain) > 0, parameter="domain", value=domain, requirement="at least one input")
        for x in domain:
            require(x in distributions, parameter="distributions", value=x, requirement="a distribution for every input of the domain")
        self.domain = tuple(domain)
        self._distributions = {x: distributions[x] for x in domain}

    def distribution(self, x: X) -> Distribution[Y]:
        """The distribution of the message sent on input x. Raises DomainError if x is not in the domain."""
        require(x in self._distributions, parameter="x", value=x, requirement=f"one of the {len(self.domain)} inputs of the domain")
        return self._distributions[x]

    law = distribution
    """Its former name."""

    @property
    def messages(self) -> tuple[Y, ...]:
        """Every message that some input can produce."""
        return tuple(dict.fromkeys(y for x in self.domain for y in self._distributions[x].support))

    def exp_epsilon0(self) -> Fraction | None:
        """e^epsilon0 for the least epsilon0 such that this is an epsilon0-DP local randomizer; None if there is none."""
        ratios = [max_divergence(self._distributions[x], self._distributions[other]) for x in self.domain for other in self.domain]
        finite = [ratio for ratio in ratios if ratio is not None]
        return max(finite) if len(finite) == len(ratios) else None


def multiset(messages: Sequence[Y]) -> Multiset[Y]:
    """Return what the shuffler releases: the messages without their order; equal messages must have equal text (1 and True have not)."""
    return tuple(sorted(messages, key=repr))


def shuffled_distribution(randomizer: LocalRandomizer[X, Y], dataset: Sequence[X]) -> Distribution[Multiset[Y]]:
    """The exact distribution of S(R(x_1), ..., R(x_n)) as a multiset: one message each, one randomizer for all (FMT21, section 2)."""
    return _shuffled(randomizer.distribution(x).map(lambda y: (y,)) for x in dataset)


def shuffled_vectors_distribution(randomizer: LocalRandomizer[X, tuple[Y, ...]], dataset: Sequence[X]) -> Distribution[Multiset[Y]]:
    """The exact distribution of S(R(x_1), ..., R(x_n)) where every user sends a vector of messages, of any length (BC20, Definition 2.4).

    The vectors are concatenated and all messages shuffled together, so that neither order nor sender nor vector is left.
    """
    return _shuffled(map(randomizer.distribution, dataset))


def _shuffled(vectors: Iterable[Distribution[tuple[Y, ...]]]) -> Distribution[Multiset[Y]]:
    law: Distribution[Multiset[Y]] = Distribution.point(())
    for vector in vectors:

        def extended(sent: Multiset[Y], vector: Distribution[tuple[Y, ...]] = vector) -> Distribution[Multiset[Y]]:
            return vector.map(lambda messages: multiset((*sent, *messages)))

        law = law.then(extended)
    return law


AdaptiveSequence = Sequence[Callable[[tuple[Any, ...]], LocalRandomizer[Any, Any]]]
"""R^(1), ..., R^(n): each maps the earlier outputs z_1, ..., z_(i-1) to the local randomizer of step i (FMT21, section 2)."""


def sequential_distribution(randomizers: AdaptiveSequence, dataset: Sequence[Any]) -> Distribution[tuple[Any, ...]]:
    """The distribution of z_1, ..., z_n with z_i = R^(i)(z_(1:i-1), x_i): a single pass in the given order (FMT21, section 2)."""
    require(len(randomizers) == len(dataset), parameter="dataset", value=dataset, requirement=f"{len(randomizers)} data points, one a step")
    law: Distribution[tuple[Any, ...]] = Distribution.point(())
    for randomizer, x in zip(randomizers, dataset, strict=True):

        def step(z: tuple[Any, ...], randomizer: Any = randomizer, x: Any = x) -> Distribution[tuple[Any, ...]]:
            output: Distribution[Any] = randomizer(z).distribution(x)
            return output.map(lambda y: (*z, y))

        law = law.then(step)
    return law


def adaptive_shuffled_distribution(randomizers: AdaptiveSequence, dataset: Sequence[Any]) -> Distribution[tuple[Any, ...]]:
    """The distribution of A_s(x_1, ..., x_n): a uniform permutation of the data, then one adaptive pass over it (FMT21, Theorem 3.1).

    The outputs keep their order. Enumerates n! orders. Raises ResourceLimitError for n > 8.
    """
    n = len(dataset)
    if n > LARGEST_ADAPTIVE_N:
        raise ResourceLimitError(
            what="the distribution of an adaptive shuffled sequence", needed=f"{n}! orders", limit=f"{LARGEST_ADAPTIVE_N}! orders"
        )
    orders = list(permutations(range(n)))
    return mixture([(Fraction(1, len(orders)), sequential_distribution(randomizers, [dataset[i] for i in order])) for order in orders])


Analyzer = Callable[[Multiset[Y]], Z]
"""A function of the shuffled messages."""


@dataclass(frozen=True)
class Protocol(Generic[X, Y, Z]):
    """A one-message protocol in the shuffle model: randomizer, shuffler, analyzer (FMT21, section 2)."""

    randomizer: LocalRandomizer[X, Y]
    analyzer: Analyzer[Y, Z]

    def view(self, dataset: Sequence[X]) -> Distribution[Multiset[Y]]:
        """The distribution of what the analyzer receives; privacy is about this."""
        return shuffled_distribution(self.randomizer, dataset)

    def output(self, dataset: Sequence[X]) -> Distribution[Z]:
        """The distribution of the analyzer's output; accuracy is about this."""
        return self.view(dataset).map(self.analyzer)


@dataclass(frozen=True)
class MultiMessageProtocol(Generic[X, Y, Z]):
    """A protocol whose randomizer outputs a vector of messages: randomizer, shuffler, analyzer (BC20, Definition 2.4)."""

    randomizer: LocalRandomizer[X, tuple[Y, ...]]
    analyzer: Analyzer[Y, Z]

    def view(self, dataset: Sequence[X]) -> Distribution[Multiset[Y]]:
        """The distribution of what the analyzer receives; privacy is about this (BC20, Definition 2.5)."""
        return shuffled_vectors_distribution(self.randomizer, dataset)

    def output(self, dataset: Sequence[X]) -> Distribution[Z]:
        """The distribution of the analyzer's output; accuracy is about this."""
        return self.view(dataset).map(self.analyzer)
