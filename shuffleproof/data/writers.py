"""Results as files that appear complete or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from shuffleproof.conformance.stored_json import rendered, write_whole
from shuffleproof.data.source import STANDARD_INPUT
from shuffleproof.spec.vocabulary.errors import DomainError

_UNFINISHED = ".unfinished"


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A CSV table in UTF-8 with a header line and newlines."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


def write_csv(path: str, *, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV table to a file, or to standard output if the path is "-". Raises DomainError where that is not possible."""
    write_bytes(path, csv_bytes(header, rows))


def write_json(path: str, value: object) -> None:
    """Write a JSON value to a file, or to standard output if the path is "-". Raises DomainError where that is not possible."""
    write_bytes(path, rendered(value))


def write_bytes(path: str, content: bytes) -> None:
    """Write a file, or to standard output if the path is "-". Raises DomainError where that is not possible."""
    if path == STANDARD_INPUT:
        sys.stdout.buffer.write(content)
        return
    try:
        write_whole(Path(path), content)
    except OSError as error:
        raise cannot_write(path, error) from None


@contextlib.contextmanager
def whole_file(path: Path, *, beside: Path) -> Iterator[Path]:
    """A temporary path to write to, which becomes `path` when the block ends well, on disk by then, and is removed otherwise.

    beside: a path on the same file system; the temporary file lies in its folder and is one of `unfinished(beside)`.
    Raises DomainError where that is not possible.
    """
    try:
        handle, name = tempfile.mkstemp(dir=beside.parent, prefix=f".{beside.name}.", suffix=_UNFINISHED)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            with open(temporary, "rb+") as file:
                os.fsync(file.fileno())
            temporary.chmod(0o644)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise cannot_write(str(path), error) from None


def unfinished(beside: Path) -> list[Path]:
    """The files that writers who were killed have left beside a path."""
    pattern = re.compile(re.escape(f".{beside.name}.") + r"\w+" + re.escape(_UNFINISHED))
    return [path for path in beside.parent.iterdir() if pattern.fullmatch(path.name)]


def require_writable(path: str | None) -> None:
    """Refuse a path whose folder is missing or that is a folder, before any work starts. Raises DomainError."""
    if path is None or path == STANDARD_INPUT:
        return
    where = Path(path)
    if where.is_dir() or not where.parent.is_dir():
        reason = "is a folder" if where.is_dir() else "its folder does not exist"
        raise DomainError(parameter="output", value=path, requirement=f"a file that can be written ({reason})")


def cannot_write(path: str, error: OSError) -> DomainError:
    """The refusal of a path that cannot be written."""
    return DomainError(parameter="output", value=path, requirement=f"a file that can be written ({error.strerror or error})")
