"""Tables of a plan's file: known keys, values of the right type, and on which line each stands: tomllib gives values alone."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of

_CALLED = {"eps": "epsilon", "eps0": "epsilon0", "n": "users", "rounds": "repeat", "times": "repeat"}
"""Keys that people write as the command line and papers call the same thing."""
_TOKEN = re.compile(
    "|".join(
        (
            r'"""(?:\\.|[^\\])*?"{3,5}',
            r"'''.*?'{3,5}",
            r'"(?:\\.|[^"\\\n])*"',
            r"'[^'\n]*'",
            r"#[^\n]*",
            r"[\[\]{}=\n,]",
            r"[^\s\[\]{}=,#\"']+",
            r"[^\S\n]+",
        )
    ),
    re.DOTALL,
)
"""Texts, comments, brackets, words and blanks of TOML that is known to be right."""
_PART = re.compile(r"\"((?:\\.|[^\"\\])*)\"|'([^']*)'|([^.\s\"']+)")
"""A part of a dotted key."""


class Decimal(str):
    """A decimal of a TOML file as its text, which is exact: the float nearest to 0.3 is another number."""

    __slots__ = ()


def only(given: Mapping[str, Any], place: str, names: tuple[str, ...]) -> None:
    """Raise DomainError where a key of the table is none of these names."""
    for name in given:
        meant = _CALLED.get(name)
        require(name in names or meant not in names, parameter=place, value=name, requirement=f"written {meant} in a plan")
        require_one_of(name, names, parameter=place)


def needed(given: Mapping[str, Any], place: str, name: str) -> Any:
    """The value of a key that must be there. Raises DomainError."""
    if name not in given:
        raise DomainError(parameter=f"{place}.{name}", value="nothing", requirement="given")
    return given[name]


def text(given: Mapping[str, Any], place: str, name: str, default: str) -> str:
    """The text of a key. Raises DomainError where it is a number or a list."""
    found = given.get(name, default)
    is_text = isinstance(found, str) and not isinstance(found, Decimal)
    require(is_text, parameter=f"{place}.{name}", value=found, requirement="text, in quotation marks")
    return str(found)


def flag(given: Mapping[str, Any], place: str, name: str) -> bool:
    """The truth value of a key, false where it is not there. Raises DomainError."""
    value = given.get(name, False)
    require(isinstance(value, bool), parameter=f"{place}.{name}", value=value, requirement="true or false")
    return bool(value)


def require_key(condition: bool, given: Mapping[str, Any], place: str, name: str, requirement: str) -> None:
    """Raise DomainError, naming the key of the table and its value, unless the condition holds."""
    require(condition, parameter=f"{place}.{name}", value=given.get(name), requirement=requirement)


def tables(given: Mapping[str, Any], name: str, written: str, place: str = "") -> list[tuple[str, dict[str, Any]]]:
    """The tables of a list that may not be empty, each with its place. written: how one begins."""
    found = given.get(name)
    if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
        raise DomainError(parameter=f"{place}{name}", value=found, requirement=f"at least one table {written}")
    return [(f"{place}{name}[{at}]", each) for at, each in enumerate(found, start=1)]


def lines(text: str) -> Mapping[str, int]:
    """The line of each table and key, such as "rounds[1].questions[2].name"; elements of arrays of tables count from 1.

    text: TOML that tomllib reads. Keys of inline tables stand on the line of the key that holds these.
    """
    found: dict[str, int] = {}
    number: dict[str, int] = {}
    table = ""
    for line, statement in _statements(text):
        head = statement.lstrip()
        if head.startswith("[["):
            place = _within("", _parts(head[2 : head.rindex("]]")]), number)
            number[place] = number.get(place, 0) + 1
            table = f"{place}[{number[place]}]"
        elif head.startswith("["):
            table = _within("", _parts(head[1 : head.rindex("]")]), number)
        else:
            place = _within(table, _parts(head), number)
            found.setdefault(place, line)
            continue
        found.setdefault(table, line)
    return found


def line_of(place: str, known: Mapping[str, int]) -> int | None:
    """The line of a key, or of the nearest table around it that is written; None where there is none."""
    while place and place not in known:
        place = place[: max(place.rfind("."), place.rfind("["), 0)]
    return known.get(place)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each header, and each key before its "=", with the line on which it begins."""
    line, begun, depth = 1, 1, 0
    statement, in_value = "", False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "\n" and depth == 0:
            if statement.strip() and not in_value:
                yield begun, statement
            statement, in_value = "", False
        elif in_value:
            depth += (token in "[{") - (token in "]}")
        elif token == "=":
            yield begun, statement
            in_value = True
        elif not token.startswith("#"):
            begun = begun if statement.strip() else line
            statement += token
        line += token.count("\n")
    if statement.strip() and not in_value:
        yield begun, statement


def _parts(key: str) -> list[str]:
    return ["".join(part) for part in _PART.findall(key)]


def _within(table: str, parts: list[str], number: Mapping[str, int]) -> str:
    """A key's place: of an array of tables on the way it is the last element so far."""
    place = table
    for at, part in enumerate(parts):
        place = f"{place}.{part}" if place else part
        if at < len(parts) - 1 and place in number:
            place = f"{place}[{number[place]}]"
    return place
