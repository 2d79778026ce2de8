"""Tables of texts and numbers as Parquet files that appear complete or not at all, and are written and read row by row."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
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


def write_table(path: Path, *, rows: Iterable[Mapping[str, Any]], columns: Columns) -> None:
    """Write rows, what is not a text under a column of texts as its text; in memory is a row group at a time. Raises DomainError."""
    import pyarrow
    from pyarrow import parquet

    left, schema = iter(rows), _schema(columns)
    with whole_file(path) as temporary, parquet.ParquetWriter(temporary, schema, write_page_checksum=True) as file:
        while group := list(islice(left, _ROW_GROUP)):
            values: dict[str, list[Any]] = {name: [_text(row.get(name)) for row in group] for name in columns.texts}
            values |= {name: [row.get(name) for row in group] for name in columns.numbers}
            file.write_table(pyarrow.table(values, schema=schema))


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def read_table(path: Path, *, columns: Columns, wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a file with these columns, of each what is wanted and not missing. Raises IntegrityError for any other file."""
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(_schema(columns)):
                raise IntegrityError(path=str(path), reason=f"its columns are not {', '.join((*columns.texts, *columns.numbers))}")
            for batch in file.iter_batches(batch_size=_ROW_GROUP, columns=list(wanted), use_threads=False):
                for row in batch.to_pylist():
                    yield {name: value for name, value in row.items() if value is not None}
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise IntegrityError(path=str(path), reason=f"not a whole Parquet file ({str(error).splitlines()[0]})") from None


def _schema(columns: Columns) -> Any:
    import pyarrow

    texts = [(name, pyarrow.string()) for name in columns.texts]
    return pyarrow.schema(texts + [(name, pyarrow.float64()) for name in columns.numbers])
