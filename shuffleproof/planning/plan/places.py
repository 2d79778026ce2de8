"""On which line of a TOML file a key stands: tomllib gives values alone, and people mend lines."""

import re
from collections.abc import Iterator, Mapping

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
