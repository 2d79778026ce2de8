"""The printed line never says more than the two ends do; errors cross from one process to another as they are."""

import copy
import json
import pickle
import re
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from shuffleproof.spec.vocabulary import errors
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    FloatRangeError,
    HarnessCrashError,
    HarnessError,
    HarnessProtocolError,
    HarnessStartError,
    HarnessTimeoutError,
    IntegrityError,
    MissingExtraError,
    OutputError,
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
    about,
    require_one_of,
)
from shuffleproof.spec.vocabulary.rounding import formatted
from shuffleproof.spec.vocabulary.scope import Mechanisms, Relation
from shuffleproof.spec.vocabulary.tables import FrozenMapping

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


_HARNESS = {"implementation": "cmd:./mine", "reason": "it ended"}
EVERY = {
    ShuffleproofError: ShuffleproofError("nothing more is known"),
    DomainError: DomainError(parameter="delta", value=Fraction(-1, 3), requirement="in [0, 1]"),
    RegimeError: RegimeError(statement="FMT21.Thm3.1", condition="eps0 <= 3", given="4", advice='use method "clones"'),
    UndecidedError: UndecidedError(quantity="epsilon", enclosure=("0.1", "0.2"), precision=53),
    ResourceLimitError: ResourceLimitError(what="a sum", needed="1e12 terms", limit="1e9"),
    UnsupportedError: UnsupportedError(what="digits", reason="not chosen", advice="leave it out"),
    FloatRangeError: FloatRangeError(what="epsilon", reason="n is too large", balls=False),
    MissingExtraError: MissingExtraError(package="pandas", extra="pandas", what="a table", otherwise="take columns()"),
    IntegrityError: IntegrityError(path="x.json", reason="cut short"),
    OutputError: OutputError("standard output", "no space left"),
    **{kind: kind(**_HARNESS) for kind in (HarnessError, HarnessStartError, HarnessProtocolError, HarnessTimeoutError, HarnessCrashError)},
}


def test_no_class_of_errors_is_left_out_here() -> None:
    defined = {each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, ShuffleproofError)}
    assert defined == set(EVERY)


@pytest.mark.parametrize("error", EVERY.values(), ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_error_is_the_same_after_pickling(error: ShuffleproofError, protocol: int) -> None:
    for again in (pickle.loads(pickle.dumps(error, protocol)), copy.deepcopy(error)):
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_a_note_that_was_added_is_kept() -> None:
    error = DomainError(parameter="n", value=0, requirement="at least 1")
    error.add_note("at point 17")
    assert pickle.loads(pickle.dumps(error)).__notes__ == ["at point 17"]


class _ReadBackNowhere:
    def __reduce__(self) -> tuple[object, ...]:
        return _refuse, ()

    def __repr__(self) -> str:
        return "something odd"


def _refuse() -> None:
    raise RuntimeError("not here")


@pytest.mark.parametrize("value", [lambda: None, _ReadBackNowhere(), (each for each in ())])
def test_a_value_that_cannot_make_the_journey_goes_as_its_text(value: object) -> None:
    error = DomainError(parameter="n", value=value, requirement="a number")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert isinstance(again.value, str)


@pytest.mark.parametrize("given", ["clone", "CLONES", "clones ", "zzz", 7, None])
def test_a_wrong_name_is_answered_with_the_nearest_or_all_of_them(given: object) -> None:
    near = r" \(did you mean 'clones'\?\)" if "clone" in str(given).lower() else ""
    with pytest.raises(DomainError, match=rf"method = .* must be one of clones, k-rr-pair{near}$"):
        require_one_of(given, ["clones", "k-rr-pair"], parameter="method")


def test_a_need_beyond_float64_can_be_told() -> None:
    assert [about(number) for number in (10**1000, 12345678, 0.5)] == ["1.0e+1000", "1.2e+07", "5.0e-01"]


def test_an_exact_number_is_shown_as_it_is_written() -> None:
    assert str(DomainError(parameter="rate", value=Fraction(1, 2), requirement="above 1")) == "rate = 1/2: must be above 1"
