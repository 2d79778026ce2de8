"""The harness protocol, version 1: messages out, answers strictly parsed in. One JSON object a line, UTF-8."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shuffleproof.conformance.catalogue.inputs import BETWEEN
from shuffleproof.conformance.judging.quantity import parse_quantity
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.stored_json import JsonError, parse, violation
from shuffleproof.spec.vocabulary.errors import DomainError, HarnessProtocolError

VERSION = 1
"""Of the protocol, which the runner sends first; a harness for another one refuses."""
LONGEST_LINE = 1 << 20
"""Bytes in one answer, its newline included."""
MOST_PLACES = 10_000
"""Outcomes or places in one answer, as the schema has it: 40,000 took seconds to be found too many, one by one."""

_CLAIMS = {"upper": "bound_answer", "lower": "bound_answer", "estimate": "bound_answer", "exact": "bound_answer"}
_CLAIMS |= {"law": "law_answer", "samples": "samples_answer"}


class HarnessAnswerError(HarnessProtocolError):
    """An answer of the right number that holds no acceptable value: the conversation itself is intact and can go on."""


@dataclass(frozen=True, kw_only=True)
class Greeting:
    """Says who a harness is: its name, version and language, and what it declares to answer."""

    name: str
    version: str
    language: str
    operations: tuple[str, ...]
    methods: tuple[str, ...]
    randomizers: tuple[str, ...]
    protocols: tuple[str, ...] = ()

    def supports(self, operation: str, given: Mapping[str, str]) -> bool:
        """Return whether the harness declared this operation, with this method, randomizer or protocol where it has one.

        given: an input, or several as `inputs.together` makes one of them: then each of their names must have been declared.
        """
        declared = OPERATIONS[operation].declared
        if declared is None or declared[0] not in given:
            return operation in self.operations
        key, names = declared
        randomizers = set(given["randomizer"].split(BETWEEN)) if "randomizer" in given else set()
        known = set(given[key].split(BETWEEN)) <= set(getattr(self, names)) and randomizers <= set(self.randomizers)
        return operation in self.operations and known


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer: a claim with its value, or the reason for giving none.

    claim: "upper", "lower", "estimate" or "exact" with a number in `value`, or place -> number in `table` where several were asked for;
    "law" or "samples" with outcome -> number in `table`;
    "refused" (the input is not acceptable) or "unsupported" (acceptable, but not to this implementation) with `reason`.
    """

    claim: str
    value: str | None = None
    table: Mapping[str, str] | None = None
    reason: str | None = None


def start_message() -> bytes:
    """Ask for a greeting."""
    return _line({"cmd": "start", "version": VERSION})


def configure_message(*, seed: int, digits: int) -> bytes:
    """Fix the seed of whatever is random, and the digits wanted of whatever can choose."""
    return _line({"cmd": "configure", "seed": str(seed), "digits": str(digits)})


def run_message(*, seq: int, operation: str, given: Mapping[str, str]) -> bytes:
    """Ask one question. It holds nothing of what is expected."""
    return _line({"cmd": "run", "seq": seq, "operation": operation, "input": dict(given)})


def stop_message() -> bytes:
    """Ask the harness to end."""
    return _line({"cmd": "stop"})


def parse_greeting(line: bytes, *, implementation: str) -> Greeting:
    """The answer to `start`. Raises HarnessProtocolError."""
    message = _message(line, implementation=implementation)
    _conform(message, definition="greeting", implementation=implementation)
    about, can = message["implementation"], message["capabilities"]
    return Greeting(
        name=about["name"],
        version=about["version"],
        language=about["language"],
        operations=tuple(can["operations"]),
        methods=tuple(can.get("methods", ())),
        randomizers=tuple(can.get("randomizers", ())),
        protocols=tuple(can.get("protocols", ())),
    )


def parse_configured(line: bytes, *, implementation: str) -> None:
    """The answer to `configure`. Raises HarnessProtocolError."""
    _conform(_message(line, implementation=implementation), definition="configured", implementation=implementation)


def parse_answer(line: bytes, *, seq: int, operation: str, implementation: str) -> Answer:
    """The answer to `run`: it must carry the number asked with and a claim that suits the operation.

    Raises HarnessAnswerError where only this answer is bad, HarnessProtocolError where nothing that follows could be trusted either.
    """
    message = _message(line, implementation=implementation)
    given = message.get("seq") if isinstance(message, dict) else None
    if type(given) is int and given != seq:
        raise HarnessProtocolError(implementation=implementation, reason=f"answered number {given} when asked number {seq}")
    places = message.get("value") if isinstance(message, dict) else None
    many = f"at $.value: {len(places)} places, {MOST_PLACES} at most" if isinstance(places, dict) and len(places) > MOST_PLACES else None
    broken = many or violation(message, schema="protocol", definition=_definition(message))
    if broken is not None:
        kind = HarnessProtocolError if given != seq or type(given) is bool else HarnessAnswerError
        raise kind(implementation=implementation, reason=f"not a valid answer: {broken}")
    for reason in ("refused", "unsupported"):
        if reason in message:
            return Answer(claim=reason, reason=message[reason])
    claim, value = message["claim"], message["value"]
    asked = OPERATIONS[operation]
    if (claim in ("law", "samples")) != asked.table or isinstance(value, dict) != (asked.table or asked.several):
        raise HarnessAnswerError(implementation=implementation, reason=f'claim "{claim}" does not answer the operation {operation}')
    try:
        for text in value.values() if isinstance(value, dict) else (value,):
            parse_quantity(text)
    except DomainError as error:
        raise HarnessAnswerError(implementation=implementation, reason=str(error)) from None
    return Answer(claim=claim, table=value) if isinstance(value, dict) else Answer(claim=claim, value=value)


def answer_message(*, seq: int, answer: Answer) -> bytes:
    """The line a harness writes for an answer."""
    if answer.reason is not None:
        return _line({"seq": seq, answer.claim: answer.reason})
    return _line({"seq": seq, "claim": answer.claim, "value": answer.value if answer.table is None else dict(answer.table)})


def _line(message: Mapping[str, object]) -> bytes:
    return json.dumps(message, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"


def _message(line: bytes, *, implementation: str) -> Any:
    if len(line) > LONGEST_LINE:
        raise HarnessProtocolError(implementation=implementation, reason=f"a line of more than {LONGEST_LINE} bytes")
    try:
        return parse(line)
    except JsonError as error:
        shown = line[:60].decode("utf-8", "backslashreplace").rstrip()
        raise HarnessProtocolError(implementation=implementation, reason=f"not a message: {shown!r}: {error}") from None


def _conform(message: object, *, definition: str, implementation: str) -> None:
    broken = violation(message, schema="protocol", definition=definition)
    if broken is not None:
        raise HarnessProtocolError(implementation=implementation, reason=f"not a valid {definition.replace('_', ' ')}: {broken}")


def _definition(message: object) -> str:
    """Which definition of the schema to hold an answer against, so that the complaint is about what was meant."""
    if isinstance(message, dict):
        for reason in ("refused", "unsupported"):
            if reason in message:
                return f"{reason}_answer"
        claim = message.get("claim")
        if isinstance(claim, str):
            found = _CLAIMS.get(claim, "bound_answer")
            return "profile_answer" if found == "bound_answer" and isinstance(message.get("value"), dict) else found
    return "bound_answer"
