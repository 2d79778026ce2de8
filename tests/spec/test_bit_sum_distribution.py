"""CSUZZ19's bit sum, and one for every coordinate: what answers say, ties, and what is refused; its distributions are the ledger's."""

from fractions import Fraction

import pytest

from shuffleproof.spec.bounds.sums import bit_sum as bounds
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.protocols import bit_sum, per_coordinate
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import lambda_parameter


def test_the_result_names_its_inputs_and_its_claim():
    bound = bounds.delta(n=3, lam="2", epsilon="ln 2")
    assert bound.inputs == {"n": "3", "lambda": "2", "eps": "ln 2"}
    assert bound.claim.startswith("upper: the bit sum of n users with parameter lambda satisfies (eps, upper)-DP")
    assert (bound.method, bound.side, bound.statement) == ("bit-sum", "exact", "CSUZZ19.Def3.4.bit-sum")


@pytest.mark.parametrize(
    "call",
    [
        lambda: bit_sum.randomizer(n=0, lam=Fraction(0)),
        lambda: bit_sum.randomizer(n=3, lam=Fraction(7, 2)),
        lambda: bit_sum.randomizer(n=3, lam=Fraction(-1)),
        lambda: bit_sum.analyzer(n=3, lam=Fraction(3)),
        lambda: bit_sum.ones_distribution(n=3, lam=Fraction(1), ones=4),
        lambda: bit_sum.c_subset((0, 2), subset=()),
        lambda: bit_sum.c_subset((0, 1), subset=(2,)),
        lambda: bit_sum.c_subset((), subset=()),
        lambda: bit_sum.c_size((0, 1), s=3),
        lambda: bit_sum.c_lambda((0, 1), lam=Fraction(3)),
        lambda: bounds.pair(n=3, lam=Fraction(1), ones=3),
        lambda: bounds.delta(n=3, lam=4, epsilon=0),
        lambda: lambda_parameter("-1e-9", n=2),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(DomainError):
        call()


def test_what_has_no_answer_or_costs_too_much_is_refused():
    with pytest.raises(RegimeError, match="lambda > 0"):
        bounds.epsilon(n=3, lam=0, delta="1/2")
    assert bounds.epsilon(n=3, lam=0, delta=1).exact == "0"
    assert bounds.delta(n=3, lam=0, epsilon="ln 5").exact == "1"
    with pytest.raises(ResourceLimitError):
        bounds.delta(n=101, lam=1, epsilon=0)
    with pytest.raises(UnsupportedError):
        bounds.delta(n=3, lam=1, epsilon=1)


def test_ties_go_to_the_first_coordinate():
    assert per_coordinate.selected([Fraction(1), Fraction(2), Fraction(2)]) == 2
    assert per_coordinate.unit_vectors(3) == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert per_coordinate.ones_distribution([(1, 0)], lam=Fraction(0)) == Distribution.point((1, 0))


@pytest.mark.parametrize(
    "call",
    [
        lambda: per_coordinate.ones_distribution([], lam=Fraction(0)),
        lambda: per_coordinate.ones_distribution([()], lam=Fraction(0)),
        lambda: per_coordinate.ones_distribution([(0, 1), (1,)], lam=Fraction(0)),
        lambda: per_coordinate.ones_distribution([(0, 2)], lam=Fraction(0)),
        lambda: per_coordinate.estimates_distribution([(0, 1)], lam=Fraction(1)),
        lambda: per_coordinate.analyzer(n=1, d=0, lam=Fraction(0)),
    ],
)
def test_bad_vectors_are_refused(call):
    with pytest.raises(DomainError):
        call()
