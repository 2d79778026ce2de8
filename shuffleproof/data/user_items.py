"""Who has which item how often: (user, item) rows of a CSV or Parquet file grouped over a public domain, with pyarrow, batch by batch.

Rows whose item is not in the domain leave no trace: no count of them, no error that names them. No rows at all are data like others:
where adding a user is protected, a refusal would tell nobody from somebody. Memory grows with the distinct pairs of user and item inside
the domain, not with the rows.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shuffleproof.data.source import STANDARD_INPUT, Pushed, is_parquet, is_stream, most_of, opened, standard_input
from shuffleproof.spec.vocabulary.errors import DomainError, optional
from shuffleproof.spec.vocabulary.quotation_marks import Watched

LARGEST_COUNT = 10**9
"""Of one row."""
_BLOCK = 1 << 24
"""Bytes of a CSV file that are read at once: 16 MiB."""
_ROWS = 1 << 20
"""Rows of a Parquet file that are read at once."""
_WAITING_ROWS = 1 << 23
"""Rows that wait to be added up, or as many as there are pairs of user and item: adding up sorts all of both."""
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
    A row without a user, or with a count that is none, leaves no trace either: a refusal would depend on one user's data.
    Raises DomainError for a file that cannot be read, and for an unknown column; UnsupportedError without pyarrow.
    """
    arrow = _arrow(data)
    columns = [user, item] if count is None else [user, item, count]
    if len(set(columns)) < len(columns):
        raise DomainError(parameter="column", value=item, requirement="different columns for users, items and counts")
    places = arrow.array(domain, type=arrow.string())
    groups = _Groups(arrow, size=len(domain))
    for batch in _batches(arrow, data, columns):
        groups.add(*_kept(arrow, columns, batch, places))
    return groups.finished()


class _Groups:
    """Counts of pairs of user and item so far, and rows that wait to be grouped with them."""

    def __init__(self, arrow: Any, *, size: int) -> None:
        self._arrow, self._size, self._rows = arrow, size, 0
        self._users = arrow.array([], type=arrow.string())
        self._pairs, self._counts = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        self._waiting: list[tuple[Any, NDArray[np.int32], NDArray[np.int64] | None]] = []

    def add(self, users: Any, items: NDArray[np.int32], counts: NDArray[np.int64] | None) -> None:
        """Some rows; counts None where each counts once."""
        self._waiting.append((users.dictionary_encode(), items, counts))
        self._rows += items.size
        if self._rows > max(_WAITING_ROWS, self._pairs.size):
            self._group()

    def finished(self) -> UserItems:
        """Return what there is in all."""
        self._group()
        return UserItems(len(self._users), self._pairs // self._size, self._pairs % self._size, self._counts)

    def _group(self) -> None:
        if not self._waiting:
            return
        arrow, waiting = self._arrow, self._waiting
        known = arrow.DictionaryArray.from_arrays(arrow.array(self._pairs // self._size, arrow.int32()), self._users)
        together = arrow.chunked_array([known, *(users for users, _, _ in waiting)]).unify_dictionaries()
        self._users = together.chunk(0).dictionary
        indices = [chunk.indices.to_numpy(zero_copy_only=False).astype(np.int64) for chunk in together.chunks]
        items = [self._pairs % self._size, *(items for _, items, _ in waiting)]
        pairs = np.concatenate([user * self._size + item for user, item in zip(indices, items, strict=True)])
        if self._pairs.size == 0 and all(counts is None for _, _, counts in waiting):
            self._pairs, self._counts = np.unique(pairs, return_counts=True)
        else:
            rows = [np.ones(items.size, dtype=np.int64) if counts is None else counts for _, items, counts in waiting]
            self._sum(pairs, np.concatenate([self._counts, *rows]))
        self._waiting, self._rows = [], 0

    def _sum(self, pairs: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        order = np.argsort(pairs, kind="stable")
        pairs = pairs[order]
        starts = np.flatnonzero(np.diff(pairs, prepend=-1))
        self._pairs = pairs[starts]
        self._counts = np.add.reduceat(counts[order], starts) if starts.size else counts


def _kept(arrow: Any, columns: Sequence[str], batch: Sequence[Any], places: Any) -> tuple[Any, NDArray[np.int32], NDArray[np.int64] | None]:
    """Users, places of items, and counts of the rows that have a user, an item inside the domain, and a count above 0."""
    from pyarrow import compute

    users, items = (_texts(arrow, name, values) for name, values in zip(columns, batch[:2], strict=False))
    counts = _counts(arrow, columns[2], batch[2]) if len(columns) == 3 else None
    found = compute.index_in(items, value_set=places)
    inside = compute.and_(compute.is_valid(found), compute.fill_null(compute.not_equal(users, ""), False))
    if counts is not None:
        inside = compute.and_(inside, compute.greater(counts, 0))
        counts = counts.filter(inside).to_numpy()
    return users.filter(inside), found.filter(inside).to_numpy(), counts


def _texts(arrow: Any, column: str, values: Any) -> Any:
    types = arrow.types
    kind = values.type.value_type if types.is_dictionary(values.type) else values.type
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_integer(kind)):
        raise DomainError(parameter=f"column {column!r}", value=str(kind), requirement="a column of texts or of whole numbers")
    return values.cast(arrow.string())


def _counts(arrow: Any, column: str, values: Any) -> Any:
    """Whole numbers from 0 to LARGEST_COUNT, 0 for whatever is none."""
    from pyarrow import compute

    if arrow.types.is_string(values.type):
        good = compute.fill_null(compute.match_substring_regex(values, _WHOLE), False)
        return compute.if_else(good, compute.replace_substring_regex(values, r"^\+", ""), "0").cast(arrow.int64())
    if not arrow.types.is_integer(values.type):
        raise DomainError(parameter=f"column {column!r}", value=str(values.type), requirement=f"a column of whole numbers: {_COUNT}")
    good = compute.and_(compute.greater_equal(values, 0), compute.less_equal(values, LARGEST_COUNT))
    return compute.if_else(compute.fill_null(good, False), values, arrow.scalar(0, values.type)).cast(arrow.int64())


def _batches(arrow: Any, data: str, columns: Sequence[str]) -> Iterator[list[Any]]:
    """One array for each column."""
    try:
        for batch in _parquet(data, columns) if is_parquet(data) else _csv(arrow, data, columns):
            yield [batch.column(batch.schema.get_field_index(column)) for column in columns]
    except arrow.ArrowKeyError:
        raise DomainError(parameter="column", value=", ".join(columns), requirement="columns of the data") from None
    except (arrow.ArrowException, UnicodeDecodeError) as error:
        raise DomainError(parameter="data", value=data, requirement=f"a readable CSV or Parquet file ({_said(error)})") from None
    except OSError as error:
        raise DomainError(parameter="data", value=data, requirement=f"a readable file ({error.strerror or error})") from None


def _said(error: Exception) -> str:
    """Return what pyarrow found, without the row that it quotes."""
    told = str(error)
    if "columns, got" in told:
        return "a row has another number of fields"
    return "not UTF-8" if "UTF8" in told or isinstance(error, UnicodeDecodeError) else type(error).__name__


def _parquet(data: str, columns: Sequence[str]) -> Iterator[Any]:
    from pyarrow import parquet

    with parquet.ParquetFile(data) as file:
        _require_columns(columns, file.schema_arrow.names)
        yield from file.iter_batches(batch_size=_ROWS, columns=list(columns))


def _csv(arrow: Any, data: str, columns: Sequence[str]) -> Iterator[Any]:
    if not is_stream(data):
        with opened(data, columns=columns):  # the header is checked by the reader that all CSV files have
            pass
    with nullcontext(standard_input()) if data == STANDARD_INPUT else open(data, "rb") as opened_file:
        file: Any = opened_file
        marked = Watched(file, data="standard input" if data == STANDARD_INPUT else data, most=most_of(data))
        head, more = marked.readline(), marked.read(1)
        if not more:  # a head and no rows: no batches, and not pyarrow's refusal where the last line does not end
            return
        rest = Pushed(marked)
        rest.put_back(head + more)
        yield from _csv_batches(arrow, rest, columns)


def _csv_batches(arrow: Any, source: Any, columns: Sequence[str]) -> Iterator[Any]:
    from pyarrow import csv

    reading = csv.ReadOptions(block_size=_BLOCK)
    parsing = csv.ParseOptions(newlines_in_values=True)
    texts = dict.fromkeys(columns, arrow.string())
    converting = csv.ConvertOptions(column_types=texts, strings_can_be_null=False, include_columns=list(columns))
    with csv.open_csv(source, read_options=reading, parse_options=parsing, convert_options=converting) as stream:
        yield from stream


def _require_columns(columns: Sequence[str], held: Sequence[str]) -> None:
    for column in columns:
        if held.count(column) != 1:
            raise DomainError(parameter="column", value=column, requirement=f"one of the columns {', '.join(map(repr, held))}")


def _arrow(data: str) -> Any:
    """Return pyarrow, which groups rows by user and item. Raises MissingExtraError where it is not installed."""
    return optional("pyarrow", extra="data", what=f"reading {data}")
