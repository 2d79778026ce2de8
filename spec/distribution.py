"""Finite probability distributions with exact rational weights; their divergences, (epsilon, delta)-indistinguishability by its definition,
and the privacy profile of a pair: delta as a function of epsilon, and its exact inverse.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, ItemsView, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, gcd, lcm
from typing import Generic, TypeVar

from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, require

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
_ZERO = Fraction(0)
"""The probability of an outcome that is not listed: one object, as it is asked for often."""
LARGEST_OUTPUT_SPACE = 16
"""Beyond 2^16 events the definition is not enumerated."""


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


def hockey_stick(p: Distribution[T], q: Distribution[T], *, exp_epsilon: Fraction) -> Fraction:
    """Hockey-stick divergence of order e^epsilon: the least delta with p(S) <= e^epsilon q(S) + delta for every event S.

    D(p || q) = sum over y of max(0, p(y) - e^epsilon q(y)).  (FMT21, section 2)

    exp_epsilon: the order e^epsilon >= 0, exact; orders below 1 are defined too, though they are no privacy level.
    Returns a value in [0, 1], exact. Raises DomainError if exp_epsilon < 0.
    """
    require(exp_epsilon >= 0, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 0")
    # Over the denominator of p, q and the order together, so that the terms are integers.
    order, of = exp_epsilon.as_integer_ratio()
    for_p, for_q, in_q = of * q.denominator, order * p.denominator, q.numerators
    return Fraction(sum(max(0, for_p * part - for_q * in_q.get(y, 0)) for y, part in p.numerators.items()), for_p * p.denominator)


def total_variation(p: Distribution[T], q: Distribution[T]) -> Fraction:
    """Total variation distance: the hockey-stick divergence of order 1."""
    return hockey_stick(p, q, exp_epsilon=Fraction(1))


def max_divergence(p: Distribution[T], q: Distribution[T]) -> Fraction | None:
    """e^epsilon for the least epsilon with p <= e^epsilon q pointwise; None where p has mass that q has not."""
    if any(q[y] == 0 for y in p.support):
        return None
    return max(p[y] / q[y] for y in p.support)


def renyi_moment(p: Distribution[T], q: Distribution[T], *, order: int) -> Fraction | None:
    """sum over y of p(y)^order q(y)^(1 - order), whose logarithm over order - 1 is the Renyi divergence (FMT21, Definition 6.1).

    order: an integer >= 2. Returns None where p has mass that q has not.
    """
    require(order >= 2, parameter="order", value=order, requirement="an integer of at least 2")
    if any(q[y] == 0 for y in p.support):
        return None
    return sum((p[y] ** order / q[y] ** (order - 1) for y in p.support), Fraction(0))


def indistinguishable(p: Distribution[T], q: Distribution[T], *, exp_epsilon: Fraction, delta: Fraction) -> bool:
    """Return whether p and q are (epsilon, delta)-indistinguishable, by hockey-stick divergences both ways (FMT21, section 2)."""
    return hockey_stick(p, q, exp_epsilon=exp_epsilon) <= delta and hockey_stick(q, p, exp_epsilon=exp_epsilon) <= delta


def indistinguishable_on_all_events(p: Distribution[T], q: Distribution[T], *, exp_epsilon: Fraction, delta: Fraction) -> bool:
    """The definition itself: e^-epsilon (q(S) - delta) <= p(S) <= e^epsilon q(S) + delta for every event S (FMT21, section 2).

    Exhausts all 2^m events of the m outcomes. Raises ResourceLimitError for more than 16 outcomes.
    """
    for event in events(sorted({*p.support, *q.support}, key=repr)):
        in_p, in_q = sum((p[y] for y in event), Fraction(0)), sum((q[y] for y in event), Fraction(0))
        if not (in_q - delta) / exp_epsilon <= in_p <= exp_epsilon * in_q + delta:
            return False
    return True


def events(outcomes: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """All subsets of an output space, by size. Raises ResourceLimitError for more than 16 outcomes."""
    if len(outcomes) > LARGEST_OUTPUT_SPACE:
        raise ResourceLimitError(what="enumerating all events", needed=f"2^{len(outcomes)} events", limit=f"2^{LARGEST_OUTPUT_SPACE}")
    for size in range(len(outcomes) + 1):
        yield from combinations(outcomes, size)


class PrivacyProfile(Generic[T]):
    """delta(epsilon) = max(D(p || q), D(q || p)) of order e^epsilon, and its inverse epsilon(delta).

    Each direction is convex, non-increasing and piecewise linear in e^epsilon, with its corners at the likelihood ratios.
    """

    def __init__(self, p: Distribution[T], q: Distribution[T]) -> None:
        self.p, self.q = p, q

    def delta(self, *, exp_epsilon: Fraction) -> Fraction:
        """The least delta for which the pair is (epsilon, delta)-indistinguishable; exp_epsilon = e^epsilon >= 1, exact."""
        require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
        return max(hockey_stick(self.p, self.q, exp_epsilon=exp_epsilon), hockey_stick(self.q, self.p, exp_epsilon=exp_epsilon))

    def revealed(self) -> Fraction:
        """The limit of delta as epsilon grows: the probability of outcomes that the other distribution lacks, the larger of both."""
        pairs = ((self.p, self.q), (self.q, self.p))
        return max(sum((mass for y, mass in one.items() if not other[y]), Fraction(0)) for one, other in pairs)

    def exp_epsilon(self, *, delta: Fraction) -> Fraction | None:
        """e^epsilon for the least epsilon >= 0 with delta(epsilon) <= delta; None if there is none. delta in [0, 1], exact."""
        require(0 <= delta <= 1, parameter="delta", value=delta, requirement="in [0, 1]")
        forward, backward = _one_way(self.p, self.q, delta), _one_way(self.q, self.p, delta)
        return None if forward is None or backward is None else max(forward, backward)

    def corners(self) -> list[Fraction]:
        """The likelihood ratios of at least 1, ascending: between two neighbours the profile is the larger of two lines in e^epsilon."""
        common = [y for y in self.p.support if self.q[y]]
        ratios = {self.p[y] / self.q[y] for y in common} | {self.q[y] / self.p[y] for y in common}
        return sorted(ratio for ratio in ratios if ratio >= 1)


def _one_way(p: Distribution[T], q: Distribution[T], delta: Fraction) -> Fraction | None:
    """Least order E >= 1 with sum max(0, p - E q) <= delta.

    Walks the corners from the largest ratio down. Between two corners the divergence is P - E Q, with P and Q the masses of the
    outcomes whose ratio exceeds E; the first line that reaches delta at or above its own lower corner gives the answer.
    """
    above_p = sum((p[y] for y in p.support if not q[y]), Fraction(0))
    if above_p > delta:
        return None
    above_q = Fraction(0)
    by_ratio: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for y, in_p in p.items():
        if in_q := q[y]:
            mass = by_ratio.get(in_p / in_q, (Fraction(0), Fraction(0)))
            by_ratio[in_p / in_q] = (mass[0] + in_p, mass[1] + in_q)
    for ratio in sorted(by_ratio, reverse=True):
        if ratio <= 1 or above_p - ratio * above_q > delta:
            break
        above_p, above_q = above_p + by_ratio[ratio][0], above_q + by_ratio[ratio][1]
    # Now D(E) = above_p - E above_q from here down to the corner that stopped the walk.
    return max(Fraction(1), (above_p - delta) / above_q) if above_q else Fraction(1)


def _checked(numerators: Mapping[T, int], denominator: int) -> dict[T, int]:
    """The numerators that are not 0, if they are the weights of a distribution."""
    for outcome, part in numerators.items():
        if part < 0:
            raise DomainError(parameter=f"weight of {outcome!r}", value=Fraction(part, denominator), requirement="at least 0")
    total = sum(numerators.values())
    if total != denominator:
        raise DomainError(parameter="sum of weights", value=Fraction(total, denominator), requirement="exactly 1")
    return {outcome: part for outcome, part in numerators.items() if part}
