"""Divergences between finite distributions, exactly; and (epsilon, delta)-indistinguishability by its definition."""

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require

T = TypeVar("T", bound=Hashable)
LARGEST_OUTPUT_SPACE = 16
"""Beyond 2^16 events the definition is not enumerated."""


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
