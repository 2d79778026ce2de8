"""Finite probability distributions with exact rational weights."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, ItemsView, Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, lcm
from typing import Generic, TypeVar

from shuffleproof.spec.vocabulary.errors import DomainError, require

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Distribution(Generic[T]):
    """A probability distribution on finitely many outcomes, with Fraction weights that sum to 1 exactly.

    weights: outcome -> weight, each >= 0; outcomes of weight 0 are dropped, so the support is what can happen.
    Raises DomainError if a weight is negative or the weights do not sum to 1.

    >>> coin = Distribution({"heads": Fraction(1, 2), "tails": Fraction(1, 2)})
    >>> coin["heads"], coin["edge"]
    (Fraction(1, 2), Fraction(0, 1))
    """

    __slots__ = ("_weights",)

    def __init__(self, weights: Mapping[T, Fraction]) -> None:
        exact = {outcome: weight if type(weight) is Fraction else Fraction(weight) for outcome, weight in weights.items()}
        for outcome, weight in exact.items():
            if weight.numerator < 0:
                raise DomainError(parameter=f"weight of {outcome!r}", value=weight, requirement="at least 0")
        total = exact_sum(exact.values())
        require(total == 1, parameter="sum of weights", value=total, requirement="exactly 1")
        self._weights = {outcome: weight for outcome, weight in exact.items() if weight.numerator}

    @classmethod
    def point(cls, outcome: T) -> Distribution[T]:
        """All mass on one outcome."""
        return cls({outcome: Fraction(1)})

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Distribution[T]:
        """Equal mass on every listed outcome; one listed twice has twice the mass."""
        listed = list(outcomes)
        require(len(listed) > 0, parameter="outcomes", value=listed, requirement="at least one outcome")
        return _accumulated((outcome, Fraction(1, len(listed))) for outcome in listed)

    @property
    def support(self) -> tuple[T, ...]:
        """The outcomes of positive probability, in the order in which they were given."""
        return tuple(self._weights)

    def items(self) -> ItemsView[T, Fraction]:
        """(outcome, probability) for every outcome of the support."""
        return self._weights.items()

    def __getitem__(self, outcome: T) -> Fraction:
        return self._weights.get(outcome, Fraction(0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self._weights == other._weights

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __repr__(self) -> str:
        return f"Distribution({{{', '.join(f'{y!r}: {w}' for y, w in self._weights.items())}}})"

    def map(self, f: Callable[[T], U]) -> Distribution[U]:
        """The push-forward: the law of f(Y) for Y distributed like this."""
        return _accumulated((f(outcome), weight) for outcome, weight in self.items())

    def then(self, kernel: Callable[[T], Distribution[U]]) -> Distribution[U]:
        """The law of kernel(Y): a randomized post-processing of this distribution."""
        return mixture([(weight, kernel(outcome)) for outcome, weight in self.items()])


def mixture(components: Sequence[tuple[Fraction, Distribution[T]]]) -> Distribution[T]:
    """sum_i weight_i P_i, for weights that sum to 1. Raises DomainError if they do not."""
    return _accumulated((outcome, weight * inner) for weight, p in components for outcome, inner in p.items())


def product(p: Distribution[T], q: Distribution[U]) -> Distribution[tuple[T, U]]:
    """The law of an independent pair."""
    return Distribution({(y, z): weight * other for y, weight in p.items() for z, other in q.items()})


def convolution(p: Distribution[int], q: Distribution[int]) -> Distribution[int]:
    """The law of the sum of two independent integers."""
    return product(p, q).map(sum)


def bernoulli(p: Fraction) -> Distribution[int]:
    """Bern(p) on {0, 1}."""
    return Distribution({1: p, 0: 1 - p})


def binomial(n: int, p: Fraction) -> Distribution[int]:
    """Bin(n, p) on {0, ..., n}."""
    return Distribution({k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)})


def multinomial(n: int, probabilities: Sequence[Fraction]) -> Distribution[tuple[int, ...]]:
    """MultNom(n; p_1, ..., p_k): the counts of n independent draws."""
    counts: Distribution[tuple[int, ...]] = Distribution.point((0,) * len(probabilities))
    one = Distribution(dict(enumerate(probabilities)))
    for _ in range(n):
        counts = product(counts, one).map(lambda pair: tuple(c + (j == pair[1]) for j, c in enumerate(pair[0])))
    return counts


def exact_sum(terms: Iterable[Fraction]) -> Fraction:
    """The sum, over one common denominator: one greatest common divisor for all terms, where adding them up takes one for each."""
    listed = list(terms)
    common = lcm(*(term.denominator for term in listed))
    return Fraction(sum(term.numerator * (common // term.denominator) for term in listed), common)


def _accumulated(weighted: Iterable[tuple[T, Fraction]]) -> Distribution[T]:
    terms: defaultdict[T, list[Fraction]] = defaultdict(list)
    for outcome, weight in weighted:
        terms[outcome].append(weight)
    return Distribution({outcome: listed[0] if len(listed) == 1 else exact_sum(listed) for outcome, listed in terms.items()})
