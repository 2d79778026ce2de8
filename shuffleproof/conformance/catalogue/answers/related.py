"""Whether our own answers, known between ends, satisfy a relation for certain."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from shuffleproof.conformance.catalogue.question import Relation
from shuffleproof.conformance.judging.quantity import compare
from shuffleproof.conformance.vectors import Expected, expected_from


def certain(relation: Relation, stored: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the relation holds, whatever the truth is between the stored ends. stored: an expectation for each input, in order."""
    found = [expected_from(each) for each in stored]
    if relation.name == "equal":
        return all(_same(found[0], other) for other in found[1:])
    if relation.name == "convex":
        at = [Fraction(point) for point in relation.at]
        return all(_below_chord(at[i : i + 3], found[i : i + 3]) for i in range(len(at) - 2))
    falling = found if relation.name == "nonincreasing" else found[::-1]
    return all(_at_least(high, low) for high, low in pairwise(falling))


def _same(one: Expected, other: Expected) -> bool:
    """Equal where exact; for irrational truths the same two neighbouring decimals."""
    if one.distribution is not None:
        return one.distribution == other.distribution
    assert one.lower is not None
    assert one.upper is not None
    assert other.lower is not None
    assert other.upper is not None
    return compare(one.lower, other.lower) == 0 == compare(one.upper, other.upper)


def _at_least(high: Expected, low: Expected) -> bool:
    assert high.lower is not None
    assert low.upper is not None
    return compare(high.lower, low.upper) >= 0


def _below_chord(at: Sequence[Fraction], three: Sequence[Expected]) -> bool:
    (left, _), (_, middle), (right, _) = (_ends(each) for each in three)
    weight = (at[2] - at[1]) / (at[2] - at[0])
    return at[0] < at[1] < at[2] and middle <= weight * left + (1 - weight) * right


def _ends(found: Expected) -> tuple[Fraction, Fraction]:
    assert found.lower is not None
    assert found.upper is not None
    return found.lower.bounds()[0], found.upper.bounds()[1]
