"""Cases of somebody's own: a file of inputs, CSV or JSON, whose truth is computed when it is read."""

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from shuffleproof.conformance import stored_json
from shuffleproof.conformance.catalogue.question import Question
from shuffleproof.conformance.catalogue.truth import truth
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.vectors import Case, Expected
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.files import text_of
from shuffleproof.spec.vocabulary.quotation_marks import require_closed

MOST_CASES = 10_000
"""Cases of one file."""
_LARGEST_FILE = 20 << 20
"""Bytes that are read: 2,000 for each of the most cases."""
_SLACK = Fraction(1, 10**6)
"""How far beyond the truth an answer may be before it is called loose, of itself: as for stored cases."""
_TOLERANCE = {False: Fraction(1, 10**6), True: Fraction(1, 10**9)}


def read(path: Path) -> tuple[Case, ...]:
    """The cases of a file, each with its truth.

    path: a CSV file with a column "operation" and one for each key of the inputs, where an empty cell says nothing; or a JSON list of
    {"operation": ..., "input": {...}}, every number a text.
    Raises DomainError naming the place: not to be read, the same input twice, or no certain truth to be had.
    """
    cases: dict[str, Case] = {}
    for place, operation, given in _inputs(path):
        try:
            case = case_of(operation, given, truth(operation, given), place=f"{path}: {place}")
        except (DomainError, UndecidedError, ResourceLimitError, UnsupportedError) as error:
            raise DomainError(parameter="cases", value=f"{path.name}, {place}", requirement=f"answerable for certain: {error}") from None
        if case.id in cases:
            raise DomainError(parameter="cases", value=f"{path.name}, {place}", requirement=f"without a second {case.id!r}")
        if len(cases) >= MOST_CASES:
            raise DomainError(parameter="cases", value=str(path), requirement=f"at most {MOST_CASES} cases")
        cases[case.id] = case
    if not cases:
        raise DomainError(parameter="cases", value=str(path), requirement="a file with a case in it")
    return tuple(cases.values())


def case_of(operation: str, given: Mapping[str, str], expected: Expected, *, place: str = "") -> Case:
    """The case of an input: judged as stored vectors are, with their slack and tolerances."""
    zero = expected.kind == "exact" and expected.shown == "0"
    return Case(
        id=f"{operation} {Question(given=given).name}",
        operation=operation,
        group="own",
        given=dict(given),
        expected=expected,
        slack=_SLACK,
        relative_tolerance=_TOLERANCE[OPERATIONS[operation].table],
        absolute_tolerance=Fraction(1, 10**12) if zero else Fraction(0),
        flags=(),
        suites=("own",),
        comment="",
        place=place,
    )


def write(path: Path, cases: Iterable[Case]) -> None:
    """Store the inputs of cases as a JSON file that `read` reads; whole or not at all."""
    stored_json.write(path, [{"operation": case.operation, "input": dict(case.given)} for case in cases])


def digests(path: Path) -> dict[str, str]:
    """The file's name and its SHA-256, for a report."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()}


def _inputs(path: Path) -> Iterator[tuple[str, str, dict[str, str]]]:
    """(place, operation, input) of each case."""
    text = text_of(path, limit=_LARGEST_FILE, parameter="cases", wanted="a CSV or JSON file that can be read")
    yield from _of_json(path, text) if path.suffix == ".json" else _of_csv(path, text)


def _of_json(path: Path, text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    wanted = 'a list of {"operation": "...", "input": {...}}, every number a text'
    try:
        stored = stored_json.parse(text)
    except stored_json.JsonError as error:
        raise DomainError(parameter="cases", value=str(path), requirement=f"{wanted} ({error})") from None
    if not isinstance(stored, list):
        raise DomainError(parameter="cases", value=str(path), requirement=wanted)
    for number, entry in enumerate(stored, start=1):
        given = entry.get("input") if isinstance(entry, dict) and entry.keys() == {"operation", "input"} else None
        if not isinstance(given, dict) or not all(isinstance(each, str) for each in (entry["operation"], *given.values())):
            raise DomainError(parameter="cases", value=f"{path.name}, case {number}", requirement=wanted)
        yield f"case {number}", entry["operation"], given


def _of_csv(path: Path, text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    require_closed(text.encode(), data=str(path))
    rows = csv.reader(text.splitlines())
    heads = [head.strip() for head in next(rows, [])]
    keys = {key for operation in OPERATIONS.values() for each in operation.keys for key in each}
    wrong = [head for head in heads if head != "operation" and head not in keys]
    if "operation" not in heads or wrong or len(set(heads)) < len(heads):
        told = f"with the column operation and once each of {', '.join(sorted(keys))}"
        raise DomainError(parameter="cases", value=f"{path.name}, columns {', '.join(heads)}", requirement=told)
    for cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(heads):
            raise DomainError(parameter="cases", value=f"{path.name}, line {rows.line_num}", requirement=f"of {len(heads)} cells")
        said = {head: cell.strip() for head, cell in zip(heads, cells, strict=True) if cell.strip()}
        yield f"line {rows.line_num}", said.pop("operation", ""), said
