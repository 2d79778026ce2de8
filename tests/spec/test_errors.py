"""Errors cross from one process to another as they are."""

import copy
import pickle
from fractions import Fraction

import pytest

from shuffleproof.spec.vocabulary import errors
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    FloatRangeError,
    HarnessCrashError,
    HarnessError,
    HarnessProtocolError,
    HarnessStartError,
    HarnessTimeoutError,
    IntegrityError,
    OutputError,
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
    about,
    require_one_of,
)

_HARNESS = {"implementation": "cmd:./mine", "reason": "it ended"}
EVERY = {
    ShuffleproofError: ShuffleproofError("nothing more is known"),
    DomainError: DomainError(parameter="delta", value=Fraction(-1, 3), requirement="in [0, 1]"),
    RegimeError: RegimeError(statement="FMT21.Thm3.1", condition="eps0 <= 3", given="4", advice='use method "clones"'),
    UndecidedError: UndecidedError(quantity="epsilon", enclosure=("0.1", "0.2"), precision=53),
    ResourceLimitError: ResourceLimitError(what="a sum", needed="1e12 terms", limit="1e9"),
    UnsupportedError: UnsupportedError(what="digits", reason="not chosen", advice="leave it out"),
    FloatRangeError: FloatRangeError(what="epsilon", reason="n is too large", balls=False),
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


@pytest.mark.parametrize("given", ["clone", "CLONES", "clones "])
def test_a_wrong_name_is_answered_with_the_nearest(given: str) -> None:
    with pytest.raises(DomainError, match=r"method = .* must be one of clones, k-rr-pair \(did you mean 'clones'\?\)"):
        require_one_of(given, ["clones", "k-rr-pair"], parameter="method")


@pytest.mark.parametrize("given", ["zzz", 7, None])
def test_a_name_that_is_near_nothing_is_answered_with_all_of_them(given: object) -> None:
    with pytest.raises(DomainError, match=r"must be one of clones, k-rr-pair$"):
        require_one_of(given, ["clones", "k-rr-pair"], parameter="method")


def test_a_need_beyond_float64_can_be_told() -> None:
    assert [about(number) for number in (10**1000, 12345678, 0.5)] == ["1.0e+1000", "1.2e+07", "5.0e-01"]


def test_an_exact_number_is_shown_as_it_is_written() -> None:
    assert str(DomainError(parameter="rate", value=Fraction(1, 2), requirement="above 1")) == "rate = 1/2: must be above 1"
