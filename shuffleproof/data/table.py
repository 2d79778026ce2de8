"""Tables of texts and numbers as Parquet files that appear complete or not at all, are read row by row, and can be joined."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shuffleproof.spec.vocabulary.errors import IntegrityError, optional
from shuffleproof.spec.vocabulary.files import whole_file

_ROW_GROUP = 1 << 16
"""Rows that are held at once."""


@dataclass(frozen=True)
class Columns:
    """Says what a table holds, in this order: columns of texts, then of floats; a value may be missing."""

    texts: tuple[str, ...]
    numbers: tuple[str, ...]


def require_parquet() -> None:
    """Raise MissingExtraError without pyarrow."""
    optional("pyarrow.parquet", extra="data", what="a Parquet file", otherwise="write lines of JSON")


def write_table(path: Path, *, rows: Sequence[Mapping[str, Any]], columns: Columns, beside: Path) -> None:
    """Write rows, what is not a text under a column of texts as its text. beside: as for `whole_file`. Raises DomainError."""
    import pyarrow
    from pyarrow import parquet

    def text(value: object) -> str | None:
        return None if value is None else str(value)

    values = {name: pyarrow.array([text(row.get(name)) for row in rows], pyarrow.string()) for name in columns.texts}
    values |= {name: pyarrow.array([row.get(name) for row in rows], pyarrow.float64()) for name in columns.numbers}
    with whole_file(path, beside=beside) as temporary:
        parquet.write_table(pyarrow.table(values), temporary, write_page_checksum=True)


def read_table(path: Path, *, columns: Columns, wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a file with these columns, of each what is wanted and not missing. Raises IntegrityError for any other file."""
    for batch in _batches(path, columns, wanted):
        for row in batch.to_pylist():
            yield {name: value for name, value in row.items() if value is not None}


def join_tables(path: Path, *, sources: Sequence[Path], columns: Columns) -> None:
    """Write one file with the rows of all sources, which may include the file itself; in memory is a row group at a time.

    Raises DomainError where it cannot be written, IntegrityError where a source is not a file with these columns.
    """
    import pyarrow
    from pyarrow import parquet

    names = (*columns.texts, *columns.numbers)
    waiting: list[Any] = []
    rows = 0
    with whole_file(path, beside=path) as temporary, parquet.ParquetWriter(temporary, _schema(columns), write_page_checksum=True) as file:
        for source in sources:
            for batch in _batches(source, columns, names):
                waiting.append(batch)
                rows += batch.num_rows
                if rows >= _ROW_GROUP:
                    file.write_table(pyarrow.Table.from_batches(waiting), row_group_size=rows)
                    waiting, rows = [], 0
        file.write_table(pyarrow.Table.from_batches(waiting, _schema(columns)))


def _batches(path: Path, columns: Columns, wanted: Sequence[str]) -> Iterator[Any]:
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(_schema(columns)):
                raise IntegrityError(path=str(path), reason=f"its columns are not {', '.join((*columns.texts, *columns.numbers))}")
            yield from file.iter_batches(batch_size=_ROW_GROUP, columns=list(wanted), use_threads=False)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise IntegrityError(path=str(path), reason=f"not a whole Parquet file ({str(error).splitlines()[0]})") from None


def _schema(columns: Columns) -> Any:
    import pyarrow

    texts = [(name, pyarrow.string()) for name in columns.texts]
    return pyarrow.schema(texts + [(name, pyarrow.float64()) for name in columns.numbers])
