"""One column of a data set as a stream of exact values, in constant memory.

A value that is none is refused by its line, and never shown; or, where an answer is private, it counts as a documented default: a refusal
would reveal something to everybody about one user. Blank lines are no rows; in a file of one column, read so, they are empty cells.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from shuffleproof.data import parquet
from shuffleproof.data.source import LARGEST_DOMAIN, LONGEST_DOMAIN, Table, bad_value, is_parquet, opened
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import exact_fraction

T = TypeVar("T")
BIT = "0 or 1"
UNIT = 'a number in [0, 1], such as 0.25 or "1/3"'
ITEM = "a text that is not empty"

_MOST_DECIMALS = 18
"""Decimals of a number that are read as an integer of 64 bits; longer ones take the slow way."""


@dataclass(frozen=True)
class Bits:
    """Some users' bits, of which only the sum matters. users: how many; ones: how many of them hold 1."""

    users: int
    ones: int


@dataclass(frozen=True)
class UnitValues:
    """Some users' values in [0, 1], exact, in no particular order: numerators/denominator, and others that have no such form.

    denominator: at most 2^60 or 10^18.
    """

    numerators: NDArray[np.int64]
    denominator: int
    others: tuple[Fraction, ...] = ()

    @property
    def users(self) -> int:
        """How many values there are."""
        return int(self.numerators.size) + len(self.others)


def bits(*, data: str, column: str, forgiving: bool = False) -> Iterator[Bits]:
    """The bits of a column: texts "0" and "1", or whole numbers and truth values of a Parquet file.

    data: a CSV file with a header line, "-" for standard input, or a Parquet file; forgiving: any other value counts as 0. Raises
    DomainError for a file that cannot be read or holds no row, a column that is missing or not unique, and (unless forgiving) any other
    value, naming its line; UnsupportedError without pyarrow.
    """
    return _not_empty(_bits(data, column, forgiving), data)


def unit_values(*, data: str, column: str, forgiving: bool = False) -> Iterator[UnitValues]:
    """The values of a column, each in [0, 1], exact: a decimal is what its digits say, a float of a Parquet file its binary value.

    data and errors as for `bits`; NaN and infinity are refused like any other value outside [0, 1]. forgiving: a number below 0 counts as
    0, one above 1 as 1, and what is no number as 0.
    """
    return _not_empty(_unit_values(data, column, forgiving), data)


def domain_of(file: str, *, column: str, what: str = "items") -> list[str]:
    """The items that a file lists in a column, each once, LARGEST_DOMAIN at most.

    what: they are called. Raises DomainError, which names the option `domain` and no other.
    """
    items, length = list[str](), 0
    try:
        for batch in texts(data=file, columns=[column]):
            items += [item for (item,) in batch]
            length += sum(len(item) for (item,) in batch)
            if len(items) > LARGEST_DOMAIN or length > LONGEST_DOMAIN:
                requirement = f"a list of at most {LARGEST_DOMAIN} items and {LONGEST_DOMAIN >> 20} MiB"
                raise DomainError(parameter="data", value=file, requirement=requirement)
    except DomainError as error:
        place = "domain" if error.parameter == "data" else f"domain, {error.parameter}"
        raise DomainError(parameter=place, value=error.value, requirement=error.requirement, line=error.line) from None
    twice = next((item for item, times in Counter(items).items() if times > 1), None)
    if twice is not None:
        raise DomainError(parameter=f"domain {file}", value=twice, requirement=f"a list of {what} without repeats")
    return items


def texts(*, data: str, columns: Sequence[str], forgiving: bool = False, may_be_empty: bool = False) -> Iterator[list[tuple[str, ...]]]:
    """The texts of one or more columns, row by row in batches. data and errors as for `bits`; an empty text is refused unless forgiving.

    may_be_empty: whether a file without rows is one of nobody, and no error: where it is private who is there, to refuse it would tell.
    """
    rows = parquet.texts(data=data, columns=columns, forgiving=forgiving) if is_parquet(data) else _texts(data, columns, forgiving)
    empty = True
    for batch in rows:
        empty = False
        yield batch
    if empty and not may_be_empty:
        raise no_rows(data)


def no_rows(data: str) -> DomainError:
    """The refusal of a data set without rows."""
    return DomainError(parameter="data", value=data, requirement="a file with a header line and at least one row")


def _not_empty(batches: Iterator[Any], data: str) -> Iterator[Any]:
    users = 0
    for batch in batches:
        users += batch.users
        yield batch
    if users == 0:
        raise no_rows(data)


def _bits(data: str, column: str, forgiving: bool) -> Iterator[Bits]:
    if is_parquet(data):
        found = parquet.bits(data=data, column=column, forgiving=forgiving)
        yield from (Bits(values.size, int(np.count_nonzero(values))) for values in found)
        return
    with opened(data, columns=[column]) as table:
        yield from _plain(table, _plain_bits)
        for rows in table.rows(forgiving=forgiving):
            ones = 0
            for index, (text,) in enumerate(rows.texts):
                if not forgiving and text not in ("0", "1"):
                    raise bad_value(data=table.data, column=column, line=rows.lines[index], wanted=BIT)
                ones += text == "1"
            yield Bits(len(rows.texts), ones)


def _plain(table: Table, read: Callable[[bytes], T | None]) -> Iterator[T]:
    """Return what is read of the blocks of a file of one column, up to one that is not plain, which is given back."""
    for block in table.blocks() if table.has_one_column else ():
        found = read(block)
        if found is None:
            table.put_back(block)
            return
        yield found


def _plain_bits(block: bytes) -> Bits | None:
    """The bits of a block of lines, if each line is one digit and nothing else."""
    lines = _with_newlines(block)
    if len(lines) % 2:
        return None
    pairs = np.frombuffer(lines, dtype=np.uint8).reshape(-1, 2)
    digits = pairs[:, 0] - ord("0")
    if np.any(pairs[:, 1] != ord("\n")) or np.any(digits > 1):
        return None
    return Bits(digits.size, int(np.count_nonzero(digits)))


def _unit_values(data: str, column: str, forgiving: bool) -> Iterator[UnitValues]:
    if is_parquet(data):
        for numerators, denominator, others in parquet.unit_values(data=data, column=column, forgiving=forgiving):
            yield UnitValues(numerators, denominator, others)
        return
    with opened(data, columns=[column]) as table:
        yield from _plain(table, _plain_decimals)
        yield from _parsed(table, column, forgiving)


def _parsed(table: Table, column: str, forgiving: bool) -> Iterator[UnitValues]:
    for rows in table.rows(forgiving=forgiving):
        cells = [text for (text,) in rows.texts]
        lines = "\n".join(cells) + "\n"
        # A quoted cell may hold a newline: what is no line by itself is parsed by itself, with all of its batch.
        found = _plain_decimals(lines.encode("utf-8"), forgiving=forgiving) if lines.count("\n") == len(cells) else None
        if found is not None:
            yield found
            continue
        values = []
        for cell, line in zip(cells, rows.lines, strict=True):
            value = _unit_value(cell, forgiving=forgiving)
            if value is None:
                raise bad_value(data=table.data, column=column, line=line, wanted=UNIT)
            values.append(value)
        yield UnitValues(np.empty(0, dtype=np.int64), 1, tuple(values))


def _plain_decimals(block: bytes, *, forgiving: bool = False) -> UnitValues | None:
    """The values of a block of lines, if each line is a number in [0, 1] and nothing else, or all of them count (`forgiving`).

    Decimals such as 0.25, with at most 18 digits after the point, all at once; numbers of other forms one by one.
    """
    content = np.frombuffer(_with_newlines(block), dtype=np.uint8)
    ends = np.flatnonzero(content == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1))
    widths = ends - starts
    plain = np.zeros(widths.size, dtype=np.bool_)
    numerators = np.zeros(widths.size, dtype=np.int64)
    most = max(int(widths[widths <= _MOST_DECIMALS + 2].max(initial=2)) - 2, 0)
    for width in np.unique(widths):
        if width in (1, *range(3, most + 3)):
            of_width = np.flatnonzero(widths == width)
            decimals = max(int(width) - 2, 0)
            value, good = _digits(content, starts[of_width], decimals)
            numerators[of_width] = value * 10 ** (most - decimals)
            plain[of_width] = good
    plain &= numerators <= 10**most
    others = []
    for start, end in zip(starts[~plain], ends[~plain], strict=True):
        other = _unit_value(content[start:end].tobytes().decode("utf-8", "replace"), forgiving=forgiving)
        if other is None:
            return None
        others.append(other)
    return UnitValues(numerators[plain], 10**most, tuple(others))


def _digits(content: NDArray[np.uint8], starts: NDArray[np.int64], decimals: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """10^decimals times the numbers that begin at these places, and whether each is a digit 0 or 1, a point and so many digits."""
    value = content[starts].astype(np.int64) - ord("0")
    good = (value == 0) | (value == 1)
    if decimals:
        good &= content[starts + 1] == ord(".")
    for place in range(2, decimals + 2):
        digit = content[starts + place].astype(np.int64) - ord("0")
        good &= (digit >= 0) & (digit <= 9)
        value = value * 10 + digit
    return value, good


def _unit_value(text: str, *, forgiving: bool) -> Fraction | None:
    """The number of a cell if it lies in [0, 1], else None; forgiving: the nearest one that does, 0 for what is no number."""
    try:
        value = exact_fraction(text, parameter="value")
    except DomainError:
        value = Fraction(-1)
    if forgiving:
        return min(max(value, Fraction(0)), Fraction(1))
    return value if 0 <= value <= 1 else None


def _with_newlines(block: bytes) -> bytes:
    return block.replace(b"\r\n", b"\n") if b"\r" in block else block


def _texts(data: str, columns: Sequence[str], forgiving: bool) -> Iterator[list[tuple[str, ...]]]:
    with opened(data, columns=columns) as table:
        for rows in table.rows(forgiving=forgiving):
            for index, row in enumerate(() if forgiving else rows.texts):
                if "" in row:
                    column = columns[row.index("")]
                    raise bad_value(data=table.data, column=column, line=rows.lines[index], wanted=ITEM)
            yield rows.texts
