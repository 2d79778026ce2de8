"""Numbers as claimed: their order is decided exactly, across signs and logarithms."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuffleproof.conformance.judging.quantity import Quantity, compare, parse_quantity
from shuffleproof.spec.vocabulary.errors import DomainError

ORDERED = [
    "-2",
    "ln 1/3",
    "-1",
    "ln 1/2",
    "-1e-300",
    "0",
    "1e-300",
    "ln 1.000000001",
    "0.5",
    "ln 2",
    "0.7",
    "1",
    "ln 3",
    "1.0986122886681099",
]
QUANTITIES = st.fractions(-50, 50, max_denominator=1000).map(lambda x: Quantity(x, None)) | st.fractions(
    Fraction(1, 1000), 1000, max_denominator=1000
).map(lambda x: parse_quantity(f"ln {x}"))


def test_the_order_of_known_numbers() -> None:
    for i, left in enumerate(ORDERED):
        for j, right in enumerate(ORDERED):
            assert compare(parse_quantity(left), parse_quantity(right)) == (i > j) - (i < j), (left, right)


def test_the_last_digit_decides_against_a_logarithm() -> None:
    """ln 3 = 1.09861228866810969139524523692252570464749055782275..."""
    below, above = "1.09861228866810969139524523692252570464749055782274", "1.09861228866810969139524523692252570464749055782275"
    assert parse_quantity(below) < parse_quantity("ln 3") < parse_quantity(above)
    assert parse_quantity("ln 1") == parse_quantity("0")


@pytest.mark.parametrize("text", ["", "ln", "ln3", "ln 0", "ln -1", "nan", "inf", "1/0", "ln ln 2", "one", "ln(2"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(DomainError, match="value"):
        parse_quantity(text)


@given(QUANTITIES, QUANTITIES)
def test_comparison_agrees_with_the_enclosures(left: Quantity, right: Quantity) -> None:
    order = compare(left, right)
    assert order == -compare(right, left)
    (a, b), (c, d) = left.bounds(), right.bounds()
    assert a <= b
    if b < c:
        assert order == -1
    if a > d:
        assert order == 1
    if left == right:
        assert order == 0
