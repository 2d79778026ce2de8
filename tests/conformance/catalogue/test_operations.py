"""Operations agree with their schemas, and lists in inputs are read strictly."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from shuffleproof.conformance import vectors
from shuffleproof.conformance.catalogue import inputs
from shuffleproof.conformance.catalogue.catalogue import groups
from shuffleproof.conformance.judging import relations
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.running import protocol
from shuffleproof.conformance.stored_json import violation
from shuffleproof.spec.vocabulary.errors import DomainError

SCHEMAS = Path(vectors.__file__).parent / "schema"


def test_every_schema_knows_every_operation() -> None:
    asked, stored, told = (json.loads((SCHEMAS / f"{name}.json").read_text()) for name in ("protocol", "vectors", "report"))
    assert asked["$defs"]["operation"]["enum"] == list(OPERATIONS)
    assert stored["properties"]["operation"]["enum"] == list(OPERATIONS)
    assert told["$defs"]["case"]["properties"]["operation"]["enum"] == list(OPERATIONS)
    assert set(stored["$defs"]["input"]["properties"]) == {
        key for operation in OPERATIONS.values() for keys in operation.keys for key in keys
    }


def test_every_question_is_a_message_of_the_protocol() -> None:
    """With its own input and no other: the schema of each is closed."""
    closed = set()
    for case in [question for asked in vectors.suite_cases("all") for question in relations.questions(asked)]:
        message = json.loads(protocol.run_message(seq=1, operation=case.operation, given=case.given))
        assert violation(message, schema="protocol", definition="run") is None, case.id
        if (kind := (case.operation, *message["input"])) not in closed:
            closed.add(kind)
            message["input"]["surprise"] = "1"
            assert violation(message, schema="protocol", definition="run") is not None, case.id


def test_every_operation_has_questions_and_every_key_set_is_used() -> None:
    used: dict[str, set[frozenset[str]]] = {name: set() for name in OPERATIONS}
    for group in groups():
        for question in group.questions:
            used[group.operation] |= {frozenset(given) for given in question.inputs}
    assert used == {name: set(operation.keys) for name, operation in OPERATIONS.items()}


def test_lists_are_read_exactly() -> None:
    assert inputs.numbers("3/4, 0.25,1e-3", parameter="p") == (Fraction(3, 4), Fraction(1, 4), Fraction(1, 1000))
    assert inputs.laws("3/4,1/4 1/4,3/4") == ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    assert inputs.indices("0,2,1", parameter="dataset", below=3) == (0, 2, 1)


@pytest.mark.parametrize("text", ["", "1/2", "1/2,1/2,", "1/2 1/2", "2,-1", "1/2,1/2  1/2,1/2", "1/2,1/2 1", "a,b", "nan,1"])
def test_what_is_no_list_of_laws(text: str) -> None:
    with pytest.raises(DomainError, match="laws"):
        inputs.laws(text)


def test_what_is_no_dataset() -> None:
    for text in ("", "0,3", "0;1", "-1", "1.5"):
        with pytest.raises(DomainError, match="dataset"):
            inputs.indices(text, parameter="dataset", below=3)
