"""A table of texts and numbers as a Parquet file that appears complete or not at all."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from shuffleproof.data.writers import write_bytes
from shuffleproof.spec.errors import UnsupportedError


def require_parquet() -> None:
    """Raises UnsupportedError without pyarrow."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        advice = 'install "shuffleproof[data]", or write lines of JSON'
        raise UnsupportedError(what="a Parquet file", reason="pyarrow is not installed", advice=advice) from None


def write_parquet(path: str, *, rows: Sequence[Mapping[str, Any]], texts: Sequence[str], numbers: Sequence[str]) -> None:
    """Write rows, missing values as null: columns of texts (anything else becomes one) and of floats. Raises DomainError."""
    require_parquet()
    import pyarrow
    from pyarrow import parquet

    def text(value: object) -> str | None:
        return None if value is None else str(value)

    columns = {name: pyarrow.array([text(row.get(name)) for row in rows], pyarrow.string()) for name in texts}
    columns |= {name: pyarrow.array([row.get(name) for row in rows], pyarrow.float64()) for name in numbers}
    content = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), content)
    write_bytes(path, content.getvalue())
