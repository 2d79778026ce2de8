"""Finite probability distributions with exact rational weights."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, ItemsView, Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, gcd, lcm
from typing import Generic, TypeVar

from shuffleproof.spec.vocabulary.errors import DomainError, require

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
_ZERO = Fraction(0)
"""The probability of an outcome that is not listed: one object, as it is asked for often."""


class Distribution(Generic[T]):
    """A probability distribution on finitely many outcomes, with Fraction weights that sum to 1 exactly.

    weights: outcome -> weight, each >= 0; outcomes of weight 0 are dropped, so the support is what can happen.
    Raises DomainError if a weight is negative or the weights do not sum to 1.

    >>> coin = Distribution({"heads": Fraction(1, 2), "tails": Fraction(1, 2)})
    >>> coin["heads"], coin["edge"]
    (Fraction(1, 2), Fraction(0, 1))
    """

    # Integers over one denominator, with no common factor, so that sums and products of distributions are of integers; fractions when asked
    # for.
    __slots__ = ("_denominator", "_numerators", "_weights")

    def __init__(self, weights: Mapping[T, Fraction]) -> None:
        exact = {outcome: weight if type(weight) is Fraction else Fraction(weight) for outcome, weight in weights.items()}
        denominator = lcm(*(weight.denominator for weight in exact.values()))
        numerators = {outcome: weight.numerator * (denominator // weight.denominator) for outcome, weight in exact.items()}
        self._numerators, self._denominator = _checked(numerators, denominator), denominator
        self._weights: dict[T, Fraction] | None = {outcome: exact[outcome] for outcome in self._numerators}

    @classmethod
    def over(cls, denominator: int, numerators: Mapping[T, int]) -> Distribution[T]:
        """The distribution of weights numerator / denominator. Raises DomainError as the constructor does."""
        made = cls.__new__(cls)
        kept = _checked(numerators, denominator)
        common = gcd(denominator, *kept.values())
        if common > 1:
            kept, denominator = {outcome: part // common for outcome, part in kept.items()}, denominator // common
        made._numerators, made._denominator = kept, denominator
        made._weights = None
        return made

    @classmethod
    def point(cls, outcome: T) -> Distribution[T]:
        """All mass on one outcome."""
        return cls.over(1, {outcome: 1})

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Distribution[T]:
        """Equal mass on every listed outcome; one listed twice has twice the mass."""
        listed = list(outcomes)
        require(len(listed) > 0, parameter="outcomes", value=listed, requirement="at least one outcome")
        return Distribution.over(len(listed), Counter(listed))

    @property
    def support(self) -> tuple[T, ...]:
        """The outcomes of positive probability, in the order in which they were given."""
        return tuple(self._numerators)

    @property
    def numerators(self) -> Mapping[T, int]:
        """outcome -> the numerator of its probability over `denominator`, for every outcome of the support."""
        return self._numerators

    @property
    def denominator(self) -> int:
        """The least common denominator of all probabilities."""
        return self._denominator

    def items(self) -> ItemsView[T, Fraction]:
        """(outcome, probability) for every outcome of the support."""
        if self._weights is None:
            self._weights = {outcome: Fraction(part, self._denominator) for outcome, part in self._numerators.items()}
        return self._weights.items()

    def __getitem__(self, outcome: T) -> Fraction:
        if self._weights is not None:
            return self._weights.get(outcome, _ZERO)
        return Fraction(self._numerators.get(outcome, 0), self._denominator)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return False
        return self._denominator == other._denominator and self._numerators == other._numerators

    def __hash__(self) -> int:
        return hash((self._denominator, frozenset(self._numerators.items())))

    def __repr__(self) -> str:
        return f"Distribution({{{', '.join(f'{y!r}: {w}' for y, w in self.items())}}})"

    def map(self, f: Callable[[T], U]) -> Distribution[U]:
        """The push-forward: the distribution of f(Y) for Y distributed like this."""
        parts: defaultdict[U, int] = defaultdict(int)
        for outcome, part in self._numerators.items():
            parts[f(outcome)] += part
        return Distribution.over(self._denominator, parts)

    def then(self, kernel: Callable[[T], Distribution[U]]) -> Distribution[U]:
        """The distribution of kernel(Y): a randomized post-processing of this distribution."""
        return mixture([(weight, kernel(outcome)) for outcome, weight in self.items()])


def mixture(components: Sequence[tuple[Fraction, Distribution[T]]]) -> Distribution[T]:
    """sum_i weight_i P_i, for weights that sum to 1. Raises DomainError if they do not."""
    denominator = lcm(*(weight.denominator * p.denominator for weight, p in components))
    parts: defaultdict[T, int] = defaultdict(int)
    for weight, p in components:
        share = weight.numerator * (denominator // (weight.denominator * p.denominator))
        for outcome, part in p.numerators.items():
            parts[outcome] += share * part
    return Distribution.over(denominator, parts)


def product(p: Distribution[T], q: Distribution[U]) -> Distribution[tuple[T, U]]:
    """The distribution of an independent pair."""
    parts = {(y, z): part * other for y, part in p.numerators.items() for z, other in q.numerators.items()}
    return Distribution.over(p.denominator * q.denominator, parts)


def independent(laws: Iterable[Distribution[T]]) -> Distribution[tuple[T, ...]]:
    """The distribution of independent outcomes, one of each distribution, in order."""
    parts: dict[tuple[T, ...], int] = {(): 1}
    denominator = 1
    for law in laws:
        parts = {(*y, z): part * other for y, part in parts.items() for z, other in law.numerators.items()}
        denominator *= law.denominator
    return Distribution.over(denominator, parts)


def convolution(*laws: Distribution[int]) -> Distribution[int]:
    """The distribution of the sum of independent integers."""
    total: Distribution[int] = Distribution.point(0)
    for law in laws:
        total = product(total, law).map(sum)
    return total


def moments(law: Distribution[int] | Distribution[Fraction]) -> tuple[Fraction, Fraction]:
    """The mean and the variance."""
    mean = sum((weight * Fraction(y) for y, weight in law.items()), Fraction(0))
    return mean, sum((weight * (Fraction(y) - mean) ** 2 for y, weight in law.items()), Fraction(0))


def bernoulli(p: Fraction) -> Distribution[int]:
    """Bern(p) on {0, 1}."""
    return Distribution({1: p, 0: 1 - p})


def binomial(n: int, p: Fraction) -> Distribution[int]:
    """Bin(n, p) on {0, ..., n}."""
    one, of = p.as_integer_ratio()
    return Distribution.over(of**n, {k: comb(n, k) * one**k * (of - one) ** (n - k) for k in range(n + 1)})


def multinomial(n: int, probabilities: Sequence[Fraction]) -> Distribution[tuple[int, ...]]:
    """MultNom(n; p_1, ..., p_k): the counts of n independent draws."""
    counts: Distribution[tuple[int, ...]] = Distribution.point((0,) * len(probabilities))
    one = Distribution(dict(enumerate(probabilities)))
    for _ in range(n):
        counts = with_one_more(counts, one)
    return counts


def with_one_more(counts: Distribution[tuple[int, ...]], one: Distribution[int]) -> Distribution[tuple[int, ...]]:
    """The counts after one more independent draw, whose own distribution this is."""
    return product(counts, one).map(lambda pair: tuple(c + (j == pair[1]) for j, c in enumerate(pair[0])))


def exact_sum(terms: Iterable[Fraction]) -> Fraction:
    """The sum, over one common denominator: one greatest common divisor for all terms, where adding them up takes one for each."""
    listed = list(terms)
    common = lcm(*(term.denominator for term in listed))
    return Fraction(sum(term.numerator * (common // term.denominator) for term in listed), common)


def _checked(numerators: Mapping[T, int], denominator: int) -> dict[T, int]:
    """The numerators that are not 0, if they are the weights of a distribution."""
    for outcome, part in numerators.items():
        if part < 0:
            raise DomainError(parameter=f"weight of {outcome!r}", value=Fraction(part, denominator), requirement="at least 0")
    total = sum(numerators.values())
    if total != denominator:
        raise DomainError(parameter="sum of weights", value=Fraction(total, denominator), requirement="exactly 1")
    return {outcome: part for outcome, part in numerators.items() if part}
