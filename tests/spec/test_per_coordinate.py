"""CSUZZ19's selection and histogram by one bit sum for every coordinate."""

from fractions import Fraction

import pytest

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.protocols import bit_sum, per_coordinate
from shuffleproof.spec.vocabulary.errors import DomainError

SHARE = Fraction(1, 3)


@pytest.mark.parametrize("dataset", [((0, 1),), ((1, 1), (0, 1)), ((0, 0), (1, 0))])
def test_coordinates_are_independent_bit_sums(dataset):
    n = len(dataset)
    protocol = per_coordinate.protocol(inputs=per_coordinate.all_vectors(2), n=n, lam=SHARE * n)
    counts = protocol.view(dataset).map(lambda y: tuple(sum(bit for tag, bit in y if tag == j) for j in (1, 2)))
    assert counts == per_coordinate.ones_law(dataset, lam=SHARE * n)
    assert protocol.output(dataset) == per_coordinate.estimates_law(dataset, lam=SHARE * n)
    for j in (0, 1):
        ones = sum(x[j] for x in dataset)
        assert counts.map(lambda c, j=j: c[j]) == bit_sum.ones_law(n=n, lam=SHARE * n, ones=ones)


def test_failures_by_hand():
    """One user with (1, 0) and no noise is never wrong; with a fifth of the messages flipped, wrong when both are."""
    dataset = ((1, 0),)
    assert per_coordinate.selection_failure(dataset, lam=Fraction(0), alpha=Fraction(0)) == 0
    assert per_coordinate.selection_failure(dataset, lam=Fraction(2, 5), alpha=Fraction(0)) == Fraction(1, 25)
    assert per_coordinate.selection_failure(dataset, lam=Fraction(2, 5), alpha=Fraction(1)) == 0
    assert per_coordinate.histogram_failure(dataset, lam=Fraction(0), alpha=Fraction(0)) == 0
    assert per_coordinate.histogram_failure(dataset, lam=Fraction(2, 5), alpha=Fraction(1)) == 1 - Fraction(16, 25)


def test_ties_go_to_the_first_coordinate():
    assert per_coordinate.selected([Fraction(1), Fraction(2), Fraction(2)]) == 2
    assert per_coordinate.unit_vectors(3) == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert per_coordinate.ones_law([(1, 0)], lam=Fraction(0)) == Distribution.point((1, 0))


@pytest.mark.parametrize(
    "call",
    [
        lambda: per_coordinate.ones_law([], lam=Fraction(0)),
        lambda: per_coordinate.ones_law([()], lam=Fraction(0)),
        lambda: per_coordinate.ones_law([(0, 1), (1,)], lam=Fraction(0)),
        lambda: per_coordinate.ones_law([(0, 2)], lam=Fraction(0)),
        lambda: per_coordinate.estimates_law([(0, 1)], lam=Fraction(1)),
        lambda: per_coordinate.analyzer(n=1, d=0, lam=Fraction(0)),
    ],
)
def test_bad_vectors_are_refused(call):
    with pytest.raises(DomainError):
        call()
