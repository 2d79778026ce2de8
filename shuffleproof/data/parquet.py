"""Columns of a Parquet file, batch by batch; pyarrow reads it, and exact values come out."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shuffleproof.data.source import BATCH, bad_value
from shuffleproof.spec.vocabulary.errors import DomainError, optional

_GRIDS = (53, 60)
"""Floats are taken as multiples of 2^-53, where they are, else of 2^-60, which all from 2^-7 on are, else one by one."""


def bits(*, data: str, column: str, forgiving: bool = False) -> Iterator[NDArray[np.bool_]]:
    """Read a column of bits.

    forgiving: any other value counts as 0. Else raises DomainError, naming the row; UnsupportedError
    without pyarrow."""
    types = _pyarrow(data).types
    for first, (values,) in _batches(data, [column], forgiving):
        kind = values.type
        if not (types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind)):
            raise _wrong_type(column, kind, "a column of whole numbers 0 and 1, or of truth values")
        found = (values.fill_null(False if types.is_boolean(kind) else 0) if forgiving else values).to_numpy(zero_copy_only=False)
        bad = np.flatnonzero((found != 0) & (found != 1))
        if bad.size and not forgiving:
            raise _bad(data, column, first, int(bad[0]), "0 or 1")
        yield found == 1


def unit_values(*, data: str, column: str, forgiving: bool = False) -> Iterator[tuple[NDArray[np.int64], int, tuple[Fraction, ...]]]:
    """A column of numbers in [0, 1]: (numerators, denominator, values that are not on that grid). Errors as for `bits`.

    forgiving: a number below 0 counts as 0, one above 1 as 1, NaN and null as 0.
    """
    types = _pyarrow(data).types
    for first, (values,) in _batches(data, [column], forgiving):
        kind = values.type
        if types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind):
            found = (values.fill_null(False if types.is_boolean(kind) else 0) if forgiving else values).to_numpy(zero_copy_only=False)
            if forgiving:
                found = np.clip(np.nan_to_num(found.astype(np.float64), nan=0.0), 0.0, 1.0)
            bad = np.flatnonzero(~((found >= 0) & (found <= 1)))  # NaN is neither
            if bad.size:
                raise _bad(data, column, first, int(bad[0]), "a number in [0, 1]")
            yield from _on_grids(found.astype(np.float64))
        elif types.is_decimal(kind):
            units = (_unit(data, column, first, i, x, forgiving) for i, x in enumerate(values.to_pylist()))
            yield np.empty(0, dtype=np.int64), 1, tuple(units)
        else:
            raise _wrong_type(column, kind, "a column of numbers")


def _on_grids(values: NDArray[np.float64]) -> Iterator[tuple[NDArray[np.int64], int, tuple[Fraction, ...]]]:
    for grid in _GRIDS:
        scaled = np.ldexp(values, grid)
        numerators = scaled.astype(np.int64)
        off = numerators != scaled
        if not off.any():
            yield numerators, 1 << grid, ()
            return
        yield numerators[~off], 1 << grid, ()
        values = values[off]
    yield np.empty(0, dtype=np.int64), 1, tuple(map(Fraction, values.tolist()))


def texts(*, data: str, columns: Sequence[str], forgiving: bool = False) -> Iterator[list[tuple[str, ...]]]:
    """Columns of texts or whole numbers, as texts. Errors as for `bits`; an empty text is refused, or, forgiving, null is one."""
    types = _pyarrow(data).types
    for first, batch in _batches(data, columns, forgiving):
        for column, values in zip(columns, batch, strict=True):
            kind = values.type.value_type if types.is_dictionary(values.type) else values.type
            if not (types.is_string(kind) or types.is_large_string(kind) or types.is_integer(kind)):
                raise _wrong_type(column, kind, "a column of texts or of whole numbers")
        given = zip(*(values.to_pylist() for values in batch), strict=True)
        rows = [tuple("" if cell is None else str(cell) for cell in row) for row in given]
        for index, row in enumerate(() if forgiving else rows):
            if "" in row:
                raise _bad(data, columns[row.index("")], first, index, "a text that is not empty")
        yield rows


def cells(*, data: str, columns: Sequence[str]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """(number of the row, its values), whatever they are."""
    for first, batch in _batches(data, columns, forgiving=True):
        yield from enumerate(zip(*(values.to_pylist() for values in batch), strict=True), start=first)


def _batches(data: str, columns: Sequence[str], forgiving: bool) -> Iterator[tuple[int, list[Any]]]:
    """(number of the first row, one array for each column), without nulls unless forgiving."""
    pyarrow = _pyarrow(data)
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(data, pre_buffer=False) as file:
            held = file.schema_arrow.names
            for column in columns:
                if held.count(column) != 1:
                    raise DomainError(parameter="column", value=column, requirement=f"one of the columns {', '.join(map(repr, held))}")
            first = 1
            for batch in file.iter_batches(batch_size=BATCH, columns=list(columns), use_threads=False):
                arrays = [batch.column(batch.schema.get_field_index(column)) for column in columns]
                for column, values in zip(columns, arrays, strict=True):
                    if values.null_count and not forgiving:
                        raise _bad(data, column, first, values.is_null().to_pylist().index(True), "a value in every row")
                yield first, arrays
                first += batch.num_rows
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DomainError(parameter="data", value=data, requirement=f"a readable Parquet file ({str(error).splitlines()[0]})") from None


def _pyarrow(data: str) -> Any:
    """Return the package, imported only where a Parquet file is read. Raises MissingExtraError where it is not installed."""
    return optional("pyarrow", extra="data", what=f"reading {data}", otherwise="write CSV")


def _unit(data: str, column: str, first: int, index: int, value: Decimal | None, forgiving: bool) -> Fraction:
    if forgiving:
        return Fraction(min(max(value or Decimal(0), Decimal(0)), Decimal(1)))
    if value is None or not 0 <= value <= 1:
        raise _bad(data, column, first, index, "a number in [0, 1]")
    return Fraction(value)


def _bad(data: str, column: str, first: int, index: int, wanted: str) -> DomainError:
    return bad_value(data=data, column=column, line=first + index, wanted=wanted, unit="row")


def _wrong_type(column: str, kind: object, wanted: str) -> DomainError:
    return DomainError(parameter=f"column {column!r}", value=str(kind), requirement=wanted)
