"""The printed line never says more than the two ends do, and always errs on the claim's side."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.relation import Relation

ends = st.tuples(st.fractions(min_value=Fraction(1, 10**9), max_value=10**6), st.fractions(min_value=0, max_value=1), st.integers(0, 30))


def bound(lower, upper, *, claim, side="enclosure", engine="ball"):
    return Bound(
        quantity="epsilon",
        side=side,
        lower=lower,
        upper=upper,
        value_of="epsilon of a pair",
        claim=f"{claim}: something follows",
        method="clones",
        statement="FMT21.Thm3.2",
        relation=Relation.REPLACE_ONE,
        engine=engine,
    )


@pytest.mark.parametrize("engine", ["ball", "fast"])
@pytest.mark.parametrize("claim", ["upper", "lower"])
@given(ends)
def test_the_line_rounds_to_the_claims_side_and_promises_only_digits_that_are_settled(engine, claim, drawn):
    upper, share, decades = drawn
    lower = upper * (1 - share / Fraction(10) ** decades)
    line = str(bound(lower, upper, claim=claim, engine=engine))
    sign, value = re.match(r"epsilon (<=|>=) (\S+)", line).groups()
    assert (sign == "<=" and Fraction(value) >= upper) if claim == "upper" else (sign == ">=" and Fraction(value) <= lower)
    promised = re.search(r"to (\d+) digits", line)
    if promised:
        assert (upper - lower) * 10 ** int(promised[1]) <= upper


def test_ends_that_settle_no_digit_promise_none():
    assert "digits" not in str(bound(Fraction(0), Fraction(1, 10**305), claim="upper"))


@pytest.mark.parametrize("side", ["enclosure", "upper"])
def test_float64_is_never_called_certified(side):
    line = str(bound(Fraction(0), Fraction(1, 3), claim="upper", side=side, engine="fast"))
    assert "certified" not in line
    assert "sound in float64" in line
