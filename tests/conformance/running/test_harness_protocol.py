"""The protocol's parser: nothing malformed crashes it, nothing malformed gets through."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from shuffleproof import conformance
from shuffleproof.conformance.judging.quantity import parse_quantity
from shuffleproof.conformance.running import protocol
from shuffleproof.conformance.running.protocol import Answer, Greeting, HarnessAnswerError
from shuffleproof.spec.vocabulary.errors import HarnessProtocolError

GREETING = {
    "version": 1,
    "implementation": {"name": "x", "version": "1", "language": "c"},
    "capabilities": {"operations": ["delta"], "methods": ["clones"], "randomizers": []},
}

NOT_NUMBERS = (
    *("nan", "NaN", "inf", "-inf", "infinity", "", " ", "1\n", "1,5", "0x10", "0b1", "1_000", "１", "٣", "1 2", "None"),
    *("1e400000", "1e", "e5", ".", "--1", "1/0", "1/2/3", "9" * 1001),
    *("ln", "ln3x", "ln 0", "ln -3", "ln ln 3", "(1)", "1)"),
)


def line(message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


def parsed(message: object, *, seq: int = 7, operation: str = "epsilon") -> Answer:
    raw = message if isinstance(message, bytes) else line(message)
    return protocol.parse_answer(raw, seq=seq, operation=operation, implementation="cmd:x")


@pytest.mark.parametrize("claim", ["upper", "lower", "estimate", "exact"])
@pytest.mark.parametrize("value", ["0.0531", "1e-300", "7/24", "ln 3", "ln 7/3", "ln(3)", "+.5", "-1", "0"])
def test_a_number_or_logarithm_is_accepted_with_every_claim(claim: str, value: str) -> None:
    assert parsed({"seq": 7, "claim": claim, "value": value}) == Answer(claim=claim, value=value)


def test_distributions_samples_and_reasons_are_accepted() -> None:
    law = {"0": "3/4", "1": "0.25"}
    assert parsed({"seq": 7, "claim": "law", "value": law}, operation="randomizer_law").table == law
    samples = {"0": "7512", "1": "2488"}
    assert parsed({"seq": 7, "claim": "samples", "value": samples}, operation="randomizer_law").table == samples
    assert parsed({"seq": 7, "refused": "no"}) == Answer(claim="refused", reason="no")
    assert parsed({"seq": 7, "unsupported": "later"}) == Answer(claim="unsupported", reason="later")


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_what_is_no_number_is_refused_without_losing_the_conversation(value: str) -> None:
    with pytest.raises(HarnessAnswerError):
        parsed({"seq": 7, "claim": "upper", "value": value})


@pytest.mark.parametrize("value", [0.5, 1, None, True, ["1"], {"0": "1"}, {}])
def test_a_value_of_the_wrong_type_is_refused(value: object) -> None:
    with pytest.raises(HarnessProtocolError):
        parsed({"seq": 7, "claim": "upper", "value": value})


@pytest.mark.parametrize("count", ["-1", "1.0", "1/2", "1e3", "", "nan", "9" * 19, "+1"])
def test_samples_are_counts(count: str) -> None:
    with pytest.raises(HarnessAnswerError):
        parsed({"seq": 7, "claim": "samples", "value": {"0": count}}, operation="randomizer_law")


@pytest.mark.parametrize("seq", [6, 8, 0, -7, 10**17, "7", 7.0, True, None, [7]])
def test_a_sequence_number_of_another_value_or_type_ends_the_conversation(seq: object) -> None:
    with pytest.raises(HarnessProtocolError) as caught:
        parsed({"seq": seq, "claim": "upper", "value": "1"}, seq=1 if seq is True else 7)
    assert not isinstance(caught.value, HarnessAnswerError)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"seq": 7, "claim": "upper", "value": NaN}',
        b'{"seq": 7, "claim": "upper", "value": "1", "x": Infinity}',
        b'{"seq": 7, "claim": "upper", "value": "0.5", "value": "1"}',
        b'{"seq": 7, "seq": 7, "claim": "upper", "value": "1"}',
        b'{"seq": 7, "refused": "\\ud800"}',
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"",
        b"hello",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"9" * 5_000,
        b'{"seq": 7e0, "claim": "upper", "value": "1"}',
        b'{"seq": 7, "claim": "upper", "value": "1"} {"seq": 7}',
        b" " * (protocol.LONGEST_LINE + 1),
    ],
)
def test_what_is_not_strict_json_is_refused(raw: bytes) -> None:
    with pytest.raises(HarnessProtocolError):
        parsed(raw)


@pytest.mark.parametrize(
    "message",
    [
        {"seq": 7},
        {"seq": 7, "claim": "upper"},
        {"seq": 7, "value": "1"},
        {"seq": 7, "claim": "certain", "value": "1"},
        {"seq": 7, "claim": "upper", "value": "1", "confidence": "high"},
        {"seq": 7, "refused": "no", "unsupported": "no"},
        {"seq": 7, "refused": "no", "value": "1"},
        {"seq": 7, "refused": 1},
        {"seq": 7, "refused": "x" * 2001},
        {"seq": 7, "claim": "law", "value": {}},
        {"seq": 7, "claim": ["upper"], "value": "1"},
    ],
)
def test_the_schema_is_closed(message: object) -> None:
    for operation in protocol.OPERATIONS:
        with pytest.raises(HarnessProtocolError):
            parsed(message, operation=operation)


def test_a_claim_must_suit_the_operation() -> None:
    with pytest.raises(HarnessAnswerError, match="does not answer"):
        parsed({"seq": 7, "claim": "upper", "value": "1"}, operation="randomizer_law")
    with pytest.raises(HarnessAnswerError, match="does not answer"):
        parsed({"seq": 7, "claim": "law", "value": {"0": "1"}}, operation="delta")


def test_greetings() -> None:
    greeting = protocol.parse_greeting(line(GREETING), implementation="x")
    assert greeting == Greeting(name="x", version="1", language="c", operations=("delta",), methods=("clones",), randomizers=())
    assert greeting.supports("delta", {"method": "clones"})
    assert not greeting.supports("epsilon", {"method": "clones"})
    assert not greeting.supports("delta", {"method": "other"})
    for change in ({"version": 2}, {"version": True}, {"extra": 1}, {"implementation": {}}, {"capabilities": {"operations": ["fly"]}}):
        with pytest.raises(HarnessProtocolError):
            protocol.parse_greeting(line({**GREETING, **change}), implementation="x")
    protocol.parse_configured(b'{"configured": true}', implementation="x")
    for wrong in ({"configured": 1}, {"configured": False}, {}):
        with pytest.raises(HarnessProtocolError):
            protocol.parse_configured(line(wrong), implementation="x")


def test_messages_are_valid_under_the_published_schema_and_hold_no_expectation() -> None:
    from shuffleproof.conformance.stored_json import parse, violation

    given = {"method": "clones", "n": "2", "epsilon0": "ln 3", "delta": "0"}
    ask = protocol.run_message(seq=1, operation="epsilon", given=given)
    for message in (protocol.start_message(), protocol.configure_message(seed=1, digits=12), ask, protocol.stop_message()):
        assert message.endswith(b"\n")
        assert message.count(b"\n") == 1
        assert violation(parse(message), schema="protocol") is None
    assert parse(ask) == {"cmd": "run", "seq": 1, "operation": "epsilon", "input": given}
    assert violation({"cmd": "run", "seq": 1, "operation": "delta", "input": given}, schema="protocol") is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["upper", "law", "1", "ln 3", "nan"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["seq", "claim", "value", "refused", "unsupported", "0", "x"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from(list(protocol.OPERATIONS)))
def test_random_json_is_refused_or_says_exactly_what_was_accepted(message: object, operation: str) -> None:
    """Whatever is accepted has the number asked for, no other key, and values that are numbers."""
    try:
        answer = parsed(message, operation=operation)
    except HarnessProtocolError:
        return
    assert isinstance(message, dict)
    assert message["seq"] == 7
    assert type(message["seq"]) is int
    assert len(message) == (2 if answer.reason is not None else 3)
    for value in [answer.value] if answer.value is not None else list((answer.table or {}).values()):
        assert parse_quantity(value).bounds()[0] <= parse_quantity(value).bounds()[1]


@given(st.binary(max_size=200) | st.text(max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_random_bytes_never_crash_the_parser(raw: bytes) -> None:
    with pytest.raises(HarnessProtocolError):
        parsed(raw)
    with pytest.raises(HarnessProtocolError):
        protocol.parse_greeting(raw, implementation="x")


@given(st.fractions(min_value=0), st.sampled_from(["upper", "lower", "exact", "estimate"]), st.integers(1, 10**9))
def test_what_is_written_is_read_back(value: Fraction, claim: str, seq: int) -> None:
    answer = Answer(claim=claim, value=str(value))
    assert parsed(protocol.answer_message(seq=seq, answer=answer), seq=seq) == answer


def test_the_example_in_the_readme_is_valid() -> None:
    """Every message of the transcript parses, and every question is answered by its number."""
    readme = (protocol_folder() / "README.md").read_text(encoding="utf-8")
    lines = readme.split("\n> {", 1)[1].split("\n```", 1)[0].replace("\n   ", " ")
    transcript = ("> {" + lines).split("\n")
    questions = [json.loads(text[2:]) for text in transcript if text.startswith("> ")]
    answers = [text[2:].encode() for text in transcript if text.startswith("< ")]
    assert [question["cmd"] for question in questions] == ["start", "configure", "run", "run", "run", "stop"]
    protocol.parse_greeting(answers[0], implementation="x")
    protocol.parse_configured(answers[1], implementation="x")
    for question, answer in zip(questions[2:5], answers[2:], strict=True):
        protocol.parse_answer(answer, seq=question["seq"], operation=question["operation"], implementation="x")


def protocol_folder() -> Path:
    return Path(conformance.__path__[0])


def test_too_many_outcomes_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 40,000 outcomes was held against the schema, outside the deadline, before they were found too many."""
    schema = json.loads((Path(conformance.__file__).parent / "schema" / "protocol.json").read_text("utf-8"))
    limits = {schema["$defs"][name]["properties"]["value"]["maxProperties"] for name in ("profile_answer", "law_answer", "samples_answer")}
    assert limits == {protocol.MOST_PLACES}
    line = json.dumps({"seq": 1, "claim": "law", "value": {str(i): "0" for i in range(protocol.MOST_PLACES + 1)}}).encode()
    monkeypatch.setattr(protocol, "violation", lambda *_, **__: pytest.fail("the schema was asked"))
    with pytest.raises(HarnessAnswerError, match="10001 places, 10000 at most"):
        protocol.parse_answer(line, seq=1, operation="randomizer_law", implementation="x")
