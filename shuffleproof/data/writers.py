"""Results as files that appear complete or not at all."""

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from shuffleproof.conformance.stored_json import rendered
from shuffleproof.data.source import STANDARD_INPUT
from shuffleproof.spec.vocabulary import files
from shuffleproof.spec.vocabulary.files import write_whole


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A CSV table in UTF-8 with a header line and newlines."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


def write_json(path: str, value: object) -> None:
    """Write a JSON value to a file, or to standard output if the path is "-". Raises DomainError, OutputError."""
    write_bytes(path, rendered(value))


def write_bytes(path: str, content: bytes) -> None:
    """Write a file, or to standard output if the path is "-". Raises DomainError, OutputError where that is not possible."""
    if path == STANDARD_INPUT:
        sys.stdout.buffer.write(content)
        return
    write_whole(Path(path), content)


def require_writable(path: str | None) -> None:
    """Refuse a path at which no file can appear, before any work starts. Raises DomainError, OutputError."""
    if path is not None and path != STANDARD_INPUT:
        files.require_writable(Path(path))
