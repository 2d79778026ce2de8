"""The reference of the JSON: every field that a verb prints stands in docs/reference/json.md, under the record that the verb prints."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import output_of

sys.path.insert(0, str(Path(__file__).parent))
import every_verb

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "json.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n\n((?:.|\n)*?)(?=^## |\Z)", PAGE, re.MULTILINE))
FREE = {
    "settings",
    "certified",
    "also_meets",
    "input",
    "value",
    "vectors",
    "summary",
    "rows of a matrix",
    "flags",
    "judged_earlier",
    "not_judged",
}
"""Fields whose keys are names of parameters, cases or files."""
QUICK = {
    "bound epsilon",
    "bound list",
    "compare",
    "calibrate zero-sum",
    "run check",
    "run bit-sum",
    "ledger show",
    "audit law",
    "conform list",
    "conform third-party",
    "vectors lint",
}


def rows(section: str) -> Iterator[tuple[list[str], str]]:
    """The names in the first cell of each row of a table, and the rest of the row."""
    for first, rest in re.findall(r"^\| (`[^|]+) \| (.+) \|$", SECTIONS[section], re.MULTILINE):
        yield re.findall(r"`([^`]+)`", first), rest


RECORD = {verb: next(iter(re.findall(r"\[(\w+)\]", told)), None) for verbs, told in rows("Which verb prints what") for verb in verbs}
FIELDS = {section: {name for names, _ in rows(section) for name in names} for section in SECTIONS}
INNER = {
    section: {name: found[0] for names, told in rows(section) for name in names if (found := re.findall(r"\[(\w+)\]\(#", told))}
    for section in SECTIONS
}
ASKED = FIELDS["Asked"]


def unknown(value: Any, record: str, place: str = "") -> Iterator[str]:
    """Fields of a value that the record's section does not have, nor that of a record in it."""
    if isinstance(value, list):
        for each in value:
            yield from unknown(each, record, place)
    elif isinstance(value, dict):
        for name, inner in value.items():
            here = f"{place}.{name}"
            matrix_row = record == "Matrix" and place == ".rows"
            if not matrix_row and name not in FIELDS[record] | ASKED:
                yield f"{record}{here}"
            if name not in FREE:
                yield from unknown(inner, INNER[record].get(name, record), here)


def test_the_page_has_every_verb_and_every_record_that_it_names() -> None:
    takes_json = {name for name, command in every_verb.leaves() if any(option.name == "as_json" for option in command.params)}
    assert set(RECORD) == takes_json
    assert {record for record in RECORD.values() if record} | {inner for each in INNER.values() for inner in each.values()} <= set(FIELDS)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("verb", [pytest.param(verb, marks=() if verb in QUICK else pytest.mark.deep) for verb in RECORD])
def test_every_field_that_a_verb_prints_is_in_the_reference(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = json.loads(output_of(capsys, *verb.split(), *every_verb.QUICK[verb], "--format", "json", code=None))
    record = RECORD[verb]
    if record is not None:
        assert list(unknown(printed, record)) == []


def test_a_field_that_is_not_in_the_reference_is_noticed() -> None:
    assert list(unknown([{"method": "clones", "colour": 1, "guarantees": {"side": "upper", "shade": 2}}], "Bound")) == [
        "Bound.colour",
        "Guaranteed.guarantees.shade",
    ]
