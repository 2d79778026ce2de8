"""Which cells of a column are not what a protocol takes: for whoever holds the data, since the answer is about single users."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

from shuffleproof.data.readers import domain_of
from shuffleproof.data.source import is_parquet, opened
from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import exact_fraction

Kind = Literal["bit", "number", "item"]
_SHOWN = 20
"""Places of bad cells that are listed."""


@dataclass(frozen=True)
class Checked:
    """Says what was found in a column.

    rows: how many there are; bad: how many cells are not of the type; places: the first of them, as "line 7" or "row 7";
    repeated: how many rows name a user that an earlier one names."""

    rows: int
    bad: int
    places: tuple[str, ...]
    repeated: int


def check(*, data: str, column: str, kind: Kind, user: str | None = None, domain: str | None = None) -> Checked:
    """Look at every cell of a column.

    kind: "bit" (0 or 1), "number" (in [0, 1]) or "item" (a text that is not empty); user: a column that must be different in every row,
    too; domain: a file that lists all items. The answer names places, never values, and is not private. Raises DomainError for a file
    that cannot be read, and for an unknown column; UnsupportedError without pyarrow for a Parquet file.
    """
    require_one_of(kind, get_args(Kind), parameter="kind")
    require(domain is None or kind == "item", parameter="domain", value=domain, requirement=f"left out beside {kind}: it lists items")
    listed = None if domain is None else frozenset(domain_of(domain, column=column))
    rows = bad = repeated = 0
    places: list[str] = []
    users: set[object] = set()
    for place, cells in _cells(data, [column] if user is None else [column, user]):
        rows += 1
        if not _is(kind, cells[0]) or (listed is not None and str(cells[0]) not in listed):
            bad += 1
            if len(places) < _SHOWN:
                places.append(place)
        if user is not None:
            repeated += cells[1] in users
            users.add(cells[1])
    return Checked(rows, bad, tuple(places), repeated)


def _cells(data: str, columns: list[str]) -> Iterator[tuple[str, tuple[object, ...]]]:
    if is_parquet(data):
        from shuffleproof.data.parquet import cells

        yield from ((f"row {number}", row) for number, row in cells(data=data, columns=columns))
        return
    with opened(data, columns=columns) as table:
        for rows in table.rows(forgiving=True):
            yield from ((f"line {line}", row) for line, row in zip(rows.lines, rows.texts, strict=True))


def _is(kind: Kind, cell: object) -> bool:
    if cell is None or cell == "":
        return False
    if kind == "item":
        return isinstance(cell, (str, int))
    if kind == "bit":
        return cell in ("0", "1") if isinstance(cell, str) else cell in (0, 1)
    try:
        if isinstance(cell, str):
            value = exact_fraction(cell, parameter="cell")
        elif isinstance(cell, (int, float, Decimal)):
            value = Fraction(cell)
        else:
            return False
    except (DomainError, ValueError, OverflowError):
        return False
    return 0 <= value <= 1
