"""The printed line never says more than the two ends do, and always errs on the claim's side."""

import json
import pickle
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.frozen import FrozenMapping
from shuffleproof.spec.vocabulary.relation import Relation
from shuffleproof.spec.vocabulary.rounding import formatted
from shuffleproof.spec.vocabulary.scope import Mechanisms

ends = st.tuples(st.fractions(min_value=Fraction(1, 10**9), max_value=10**6), st.fractions(min_value=0, max_value=1), st.integers(0, 30))


def bound(lower, upper, *, claim, side="enclosure", engine="ball"):
    return Bound(
        quantity="epsilon",
        side=side,
        lower=lower,
        upper=upper,
        value_of="epsilon of a pair",
        claim=f"{claim}: something follows",
        mechanisms=Mechanisms.EVERY_ADAPTIVE,
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


THIRD = Fraction(1, 3)


def test_a_bound_is_hashable_and_the_same_after_pickling():
    found = bound(THIRD, THIRD, claim="upper")
    assert pickle.loads(pickle.dumps(found)) == found
    assert len({found, pickle.loads(pickle.dumps(found)), bound(THIRD, THIRD, claim="lower")}) == 2


def test_the_inputs_of_a_record_are_those_that_were_given_and_stay_so():
    given_inputs = {"n": "10"}
    kept = FrozenMapping(given_inputs)
    given_inputs["n"] = "11"
    assert kept == {"n": "10"}
    assert {**kept} == {"n": "10"}
    with pytest.raises(TypeError):
        kept["n"] = "12"
    with pytest.raises(AttributeError):
        kept._entries = {}
    assert hash(pickle.loads(pickle.dumps(kept))) == hash(kept)


def test_the_guarantee_is_on_the_side_that_the_claim_protects():
    upper, lower = (bound(THIRD, 2 * THIRD, claim=claim) for claim in ("upper", "lower"))
    assert upper.guarantee == upper.at_most == upper.upper_float
    assert lower.guarantee == lower.at_least == lower.lower_float
    assert Fraction(upper.guarantee) >= 2 * THIRD
    assert Fraction(lower.guarantee) <= THIRD


def test_what_is_not_claimed_is_not_handed_out():
    with pytest.raises(UnsupportedError, match="a lower bound on epsilon from 'clones': its claim is: upper"):
        _ = bound(THIRD, THIRD, claim="upper").at_least
    with pytest.raises(UnsupportedError, match="an upper bound"):
        _ = bound(THIRD, THIRD, claim="lower").at_most
    for claim in ("none", "upper", "lower"):
        estimate = bound(THIRD, THIRD, claim=claim, side="estimate")
        with pytest.raises(UnsupportedError):
            _ = estimate.guarantee
        with pytest.raises(UnsupportedError):
            format(estimate, ".3g")
        assert estimate.as_json()["guarantees"] is None
    exact = bound(THIRD, THIRD, claim="exact", side="exact")
    assert Fraction(exact.at_least) <= THIRD <= Fraction(exact.guarantee)


@pytest.mark.parametrize("claim", ["upper", "lower"])
def test_json_says_which_end_holds_for_people(claim):
    written = json.loads(json.dumps(bound(THIRD, 2 * THIRD, claim=claim).as_json()))
    assert written["guarantees"] == {"side": claim, "value": written[claim]}
    assert written["enclosure_of"].startswith("the method's own value")


def test_the_notebooks_form_escapes_what_it_shows():
    shown = bound(THIRD, THIRD, claim="upper")._repr_html_()
    assert "epsilon &lt;= 0.33" in shown
    assert "upper: something follows" in shown


@given(
    st.fractions(min_value=-1000, max_value=1000), st.sampled_from([".0f", ".3f", ".1e", ".0e", ".7g", "", "g", ">14.2e", "*^20.5", ".2%"])
)
def test_formatting_never_crosses_the_number(x, specification):
    down, up = (formatted(x, specification, direction=side) for side in ("down", "up"))
    values = [Fraction(text.strip(" *").rstrip("%")) / (100 if "%" in text else 1) for text in (down, up)]
    assert values[0] <= x <= values[1]
    assert abs(len(down) - len(format(float(x), specification))) <= 30


@pytest.mark.parametrize(
    ("x", "specification", "shown"),
    [
        (Fraction(99999, 100000), ".3e", "1.000e+00"),
        (Fraction(1, 1000), ".3f", "0.001"),
        (Fraction(1001, 10**6), ".3f", "0.002"),
        (Fraction(2, 3), ">8.2f", "    0.67"),
        (Fraction(2, 3), "8.2f", "    0.67"),
        (Fraction(2, 3), "<8.2f", "0.67    "),
        (Fraction(0), ".2e", "0.00e+00"),
        (Fraction(-2, 3), ".1f", "-0.6"),
        (Fraction(1, 10**300), ".1e", "1.0e-300"),
        (Fraction(1, 8), ".1%", "12.5%"),
    ],
)
def test_a_format_is_that_of_floats_with_the_rounding_upwards(x, specification, shown):
    assert formatted(x, specification, direction="up") == shown


@pytest.mark.parametrize("specification", ["d", ".2q", "x", ".401f", "{}"])
def test_a_format_that_is_not_known_is_refused(specification):
    with pytest.raises(ValueError, match="format"):
        formatted(THIRD, specification, direction="up")
