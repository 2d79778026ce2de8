"""Who has which item how often: (user, item) rows of a CSV or Parquet file grouped over a public domain, with pyarrow, batch by batch.

Rows whose item is not in the domain leave no trace: no count of them, no error that names them. Memory grows with the distinct pairs
of user and item inside the domain, not with the rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shuffleproof.data.source import STANDARD_INPUT, bad_value, is_parquet, opened
from shuffleproof.spec.errors import DomainError, UnsupportedError

LARGEST_COUNT = 10**9
"""Of one row."""
_BLOCK = 1 << 24
_ROWS = 1 << 20
_WAITING_ROWS = 1 << 22
_COUNT = rf"a whole number from 0 to {LARGEST_COUNT:.0e}"
_WHOLE = r"^\+?[0-9]{1,9}$|^\+?10{9}$"


@dataclass(frozen=True)
class UserItems:
    """Users' histograms over a domain, by user.

    users: how many of them have an item of the domain; user: indices from 0 on, rising; item: places in the domain; count: at least 1,
    one entry for each pair that occurs.
    """

    users: int
    user: NDArray[np.int64]
    item: NDArray[np.int64]
    count: NDArray[np.int64]


def user_items(*, data: str, user: str, item: str, count: str | None, domain: Sequence[str]) -> UserItems:
    """Read and group a data set.

    data: a CSV file with a header line, "-" for standard input, or a Parquet file; user, item: columns of texts or whole numbers; count:
    a column of whole numbers of at least 0, or None where every row counts once; domain: the items that count, each once.
    Raises DomainError for a file that cannot be read, an unknown column, an empty user, and a count that is negative or not whole,
    naming the row; UnsupportedError without pyarrow.
    """
    arrow = _arrow(data)
    columns = [user, item] if count is None else [user, item, count]
    if len(set(columns)) < len(columns):
        raise DomainError(parameter="column", value=item, requirement="different columns for users, items and counts")
    places = arrow.array(domain, type=arrow.string())
    grouped, waiting, rows = None, [], 0
    for first, batch in _batches(arrow, data, columns):
        kept = _kept(arrow, data, first, columns, batch, places)
        waiting.append(kept)
        rows += kept.num_rows
        if rows > max(_WAITING_ROWS, 0 if grouped is None else grouped.num_rows):
            grouped, waiting, rows = _grouped(arrow, grouped, waiting), [], 0
    return _indexed(_grouped(arrow, grouped, waiting))


def _kept(arrow: Any, data: str, first: int, columns: Sequence[str], batch: Sequence[Any], places: Any) -> Any:
    """The rows inside the domain as a table of user, item, count; every row is checked before any is dropped."""
    from pyarrow import compute

    users, items = (_texts(arrow, name, values) for name, values in zip(columns, batch[:2], strict=False))
    empty = compute.fill_null(compute.equal(users, ""), True)
    if compute.any(empty).as_py():
        raise _bad(data, columns[0], first, empty, users, "a text that is not empty")
    counts = _counts(arrow, data, columns[2], first, batch[2]) if len(columns) == 3 else None
    found = compute.index_in(items, value_set=places)
    inside = compute.is_valid(found)
    if counts is None:
        counts = arrow.array(np.ones(len(users), dtype=np.int64))
    else:
        inside = compute.and_(inside, compute.greater(counts, 0))
    return arrow.table({"user": users, "item": found, "count": counts}).filter(inside)


def _texts(arrow: Any, column: str, values: Any) -> Any:
    types = arrow.types
    kind = values.type.value_type if types.is_dictionary(values.type) else values.type
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_integer(kind)):
        raise DomainError(parameter=f"column {column!r}", value=str(kind), requirement="a column of texts or of whole numbers")
    return values.cast(arrow.string())


def _counts(arrow: Any, data: str, column: str, first: int, values: Any) -> Any:
    from pyarrow import compute

    if arrow.types.is_string(values.type):
        wrong = compute.invert(compute.fill_null(compute.match_substring_regex(values, _WHOLE), False))
        if compute.any(wrong).as_py():
            raise _bad(data, column, first, wrong, values, _COUNT)
        return compute.replace_substring_regex(values, r"^\+", "").cast(arrow.int64())
    if not arrow.types.is_integer(values.type):
        raise DomainError(parameter=f"column {column!r}", value=str(values.type), requirement=f"a column of whole numbers: {_COUNT}")
    wrong = compute.or_kleene(compute.less(values, 0), compute.greater(values, LARGEST_COUNT))
    wrong = compute.fill_null(wrong, True)
    if compute.any(wrong).as_py():
        raise _bad(data, column, first, wrong, values, _COUNT)
    return values.cast(arrow.int64())


def _bad(data: str, column: str, first: int, wrong: Any, values: Any, wanted: str) -> DomainError:
    place = int(np.flatnonzero(wrong.to_numpy(zero_copy_only=False))[0])
    value = values[place].as_py()
    return bad_value(data=data, column=column, line=first + place, value="null" if value is None else str(value), wanted=wanted, unit="row")


def _grouped(arrow: Any, grouped: Any, waiting: Sequence[Any]) -> Any:
    """One row for each pair of user and item."""
    tables = [table for table in (grouped, *waiting) if table is not None]
    together = arrow.concat_tables(tables) if tables else arrow.table({"user": arrow.array([], arrow.string()), "item": [], "count": []})
    result = together.group_by(["user", "item"], use_threads=False).aggregate([("count", "sum")])
    return result.rename_columns({"count_sum": "count"}).select(["user", "item", "count"])


def _indexed(table: Any) -> UserItems:
    encoded = table.column("user").combine_chunks().dictionary_encode()
    if hasattr(encoded, "combine_chunks"):
        encoded = encoded.combine_chunks()
    users = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    order = np.argsort(users, kind="stable")
    item, count = (table.column(name).to_numpy().astype(np.int64)[order] for name in ("item", "count"))
    return UserItems(len(encoded.dictionary), users[order], item, count)


def _batches(arrow: Any, data: str, columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
    """(number of the first row, one array for each column)."""
    first = 1
    try:
        for batch in _parquet(data, columns) if is_parquet(data) else _csv(arrow, data, columns):
            yield first, [batch.column(batch.schema.get_field_index(column)) for column in columns]
            first += batch.num_rows
    except arrow.ArrowKeyError:
        raise DomainError(parameter="column", value=", ".join(columns), requirement="columns of the data") from None
    except arrow.ArrowException as error:
        raise DomainError(parameter="data", value=data, requirement=f"a readable CSV or Parquet file ({error})") from None
    except OSError as error:
        raise DomainError(parameter="data", value=data, requirement=f"a readable file ({error.strerror or error})") from None
    if first == 1:
        raise DomainError(parameter="data", value=data, requirement="a file with a header line and at least one row")


def _parquet(data: str, columns: Sequence[str]) -> Iterator[Any]:
    from pyarrow import parquet

    with parquet.ParquetFile(data) as file:
        _require_columns(columns, file.schema_arrow.names)
        yield from file.iter_batches(batch_size=_ROWS, columns=list(columns))


def _csv(arrow: Any, data: str, columns: Sequence[str]) -> Iterator[Any]:
    from pyarrow import csv

    if data != STANDARD_INPUT:
        with opened(data, columns=columns):  # the header is checked by the reader that all CSV files have
            pass
    source = sys.stdin.buffer if data == STANDARD_INPUT else data
    reading, parsing = csv.ReadOptions(block_size=_BLOCK), csv.ParseOptions(newlines_in_values=True)
    texts = dict.fromkeys(columns, arrow.string())
    converting = csv.ConvertOptions(column_types=texts, strings_can_be_null=False, include_columns=list(columns))
    with csv.open_csv(source, read_options=reading, parse_options=parsing, convert_options=converting) as stream:
        yield from stream


def _require_columns(columns: Sequence[str], held: Sequence[str]) -> None:
    for column in columns:
        if held.count(column) != 1:
            raise DomainError(parameter="column", value=column, requirement=f"one of the columns {', '.join(map(repr, held))}")


def _arrow(data: str) -> Any:
    """pyarrow, imported only here. Raises UnsupportedError where it is missing."""
    try:
        import pyarrow
    except ImportError:
        reason = "rows are grouped by user and item with pyarrow, which is not installed"
        raise UnsupportedError(what=f"reading {data}", reason=reason, advice="install shuffleproof[data]") from None
    return pyarrow
