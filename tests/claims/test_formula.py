"""Expressions: what is written is what is computed, with both ends known; what is not understood is refused."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuffleproof.claims.formula import Formula
from shuffleproof.spec.vocabulary.errors import DomainError

AT = {"n": Fraction(1000), "eps0": Fraction(2), "delta": Fraction(1, 10**6), "k": Fraction(10)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2*3 - 4/8", 6.5),
        ("-2**2", -4.0),
        ("eps0^2", 4.0),
        ("sqrt(ln(1/delta)/n)", math.sqrt(math.log(1e6) / 1000)),
        ("log10(n) + log2(8) + log(e)", 7.0),
        ("min(eps0, 1, k) + max(0, pi) + abs(-1)", 2 + math.pi),
        ("epsilon0 + eps", 4.0),
        ("expm1(1e-3) + log1p(0)", math.expm1(1e-3)),
    ],
)
def test_a_formula_is_what_it_says(text: str, value: float) -> None:
    ends = Formula(text).ends(AT)
    assert ends[0] <= ends[1]
    assert float(ends[0]) == pytest.approx(value, rel=1e-14)


@given(st.fractions(-100, 100), st.fractions(min_value=1, max_value=100))
def test_the_ends_hold_the_exact_value(x: Fraction, y: Fraction) -> None:
    ends = Formula("eps0/delta - eps0*delta").ends({"eps0": x, "delta": y})
    assert ends[0] <= x / y - x * y <= ends[1]


def test_numbers_are_taken_as_they_are_written() -> None:
    ends = Formula("0.1*10 - 1").ends({})
    assert ends[0] <= 0 <= ends[1]
    assert ends[1] - ends[0] < Fraction(1, 10**40)


@pytest.mark.parametrize("text", ["ln(0)", "1/0", "sqrt(0-1)", "10**10**10"])
def test_where_there_is_no_value_there_is_none(text: str) -> None:
    assert Formula(text).ends({}) is None


@pytest.mark.parametrize(
    ("text", "holds"),
    [("eps0 <= 2", True), ("eps0 < 2", False), ("1 < eps0 < 3 and n > 10", True), ("ln(3) > 2", False), ("ln(4) > 2*ln(2)", None)],
)
def test_a_condition_is_true_false_or_not_known(text: str, holds: bool | None) -> None:
    assert Formula(text).holds(AT) is holds


@pytest.mark.parametrize(
    "text",
    ["", "x", "__import__('os')", "n.real", "[n]", "lambda: 1", "eval(n)", "sqrt()", "sqrt(n=1)", "True", "'a'", "n if n else 1",
     "(" * 300 + "1" + ")" * 300, "1" * 2000, "n = 1", "n or 1", "not n", "(n < 1) + 1", "1j", "n and n", "1 < n and k",
     "sqrt(1, 2)", "log(n, 2)"],
)  # fmt: skip
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(DomainError, match="expression"):
        Formula(text).ends(AT)


def test_a_variable_without_a_value_is_named() -> None:
    with pytest.raises(DomainError, match="k = nothing"):
        Formula("k").ends({})
