"""JSON that can be trusted (strict parsing, one canonical form, digests), and what identifies the code that made it."""

import ast
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from shuffleproof.spec.vocabulary.errors import IntegrityError
from shuffleproof.spec.vocabulary.files import read_at_most, write_whole

_SCHEMAS = Path(__file__).with_name("schema")
LARGEST_FILE = 1 << 28
"""Bytes of one stored value: a report of every case, each with the longest answer that a harness tends to give, has a tenth of it."""


class JsonError(ValueError):
    """A text is not the strict JSON that is accepted here; the message says where."""


def parse(text: str | bytes) -> Any:
    """The value of a JSON text, with everything refused that two parsers might read differently.

    Refused: duplicate keys, NaN and Infinity, numbers with a point or an exponent (numbers that matter are strings), integers above
    18 digits, lone surrogates, invalid UTF-8, a byte order mark, nesting too deep to parse. Raises JsonError.
    """
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        value = json.loads(
            decoded,
            object_pairs_hook=_object_without_duplicates,
            parse_constant=_refuse_constant,
            parse_float=_refuse_float,
            parse_int=_small_integer,
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError(f"byte {error.start}: not UTF-8") from None
    except UnicodeEncodeError:
        raise JsonError("a string holds half of a surrogate pair") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    return value


def violation(value: object, *, schema: str, definition: str | None = None) -> str | None:
    """The first way in which a value breaks a schema of conformance/schema, with its place; None if it is valid.

    schema: file name without ".json"; definition: a name under its $defs, or None for the schema itself.
    """
    from jsonschema.exceptions import best_match

    error = best_match(_validator(schema, definition).iter_errors(value))
    if error is None:
        return None
    message = error.message
    if error.validator == "pattern" and "description" in error.schema:
        message = f"{str(error.instance)[:60]!r} is not {error.schema['description']}"
    return f"at {error.json_path}: {message if len(message) <= 200 else message[:199] + '…'}"


def digest(value: object) -> str:
    """SHA-256 of the value's canonical form: sorted keys, no spaces, ASCII."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def with_digest(content: Mapping[str, Any], *, length: int = 64) -> dict[str, Any]:
    """Return the content with the digest of all of it, or so many characters of that, in place of one that it may have."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    return {**rest, "digest": digest(rest)[:length]}


def rendered(value: object) -> bytes:
    """The one form in which a value is stored: keys in the order given, one line per entry, a final newline."""
    return (json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def read(path: Path) -> Any:
    """The value stored in a file, which must be byte for byte what `write` makes of it. Raises IntegrityError naming the place."""
    content = stored_bytes(path)
    try:
        value = parse(content)
    except JsonError as error:
        raise IntegrityError(path=str(path), reason=str(error)) from None
    expected = rendered(value)
    if content != expected:
        found, wanted = content.split(b"\n"), expected.split(b"\n")
        place = next((number for number, pair in enumerate(zip(found, wanted), start=1) if pair[0] != pair[1]), len(found))  # noqa: B905
        raise IntegrityError(path=str(path), reason=f"line {place}: not as it was written")
    return value


def stored_bytes(path: Path) -> bytes:
    """The bytes of a file that was stored. Raises IntegrityError where it cannot be read, or is longer than any that is."""
    try:
        return read_at_most(path, limit=LARGEST_FILE)
    except OSError as error:
        raise IntegrityError(path=str(path), reason=f"cannot be read: {error.strerror}") from None


def write(path: Path, value: object) -> None:
    """Store a value; the file appears complete or not at all, also when interrupted."""
    write_whole(path, rendered(value))


@cache
def _validator(schema: str, definition: str | None) -> Any:
    from jsonschema import Draft202012Validator

    content = json.loads((_SCHEMAS / f"{schema}.json").read_text(encoding="utf-8"))
    if definition is not None:
        content = {**content["$defs"][definition], "$defs": content["$defs"]}
    return Draft202012Validator(content)


def _object_without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise JsonError(f"key {key[:60]!r} given twice")
        value[key] = item
    return value


def _refuse_constant(text: str) -> NoReturn:
    raise JsonError(f"{text} is not a number")


def _refuse_float(text: str) -> NoReturn:
    raise JsonError(f"{text[:40]}: numbers that matter are strings")


def _small_integer(text: str) -> int:
    if len(text) > 18:
        raise JsonError(f"{text[:18]}...: an integer of {len(text)} digits; numbers that matter are strings")
    return int(text)


def code_digest(source: str) -> str:
    """SHA-256 of what a module does: without imports, docstrings, comments and layout, so that what only moves or is explained keeps it."""
    return hashlib.sha256(ast.unparse(_Doing().visit(ast.parse(source))).encode()).hexdigest()


class _Doing(ast.NodeTransformer):
    """Leaves out imports, and texts that stand alone: docstrings of modules, classes, functions and constants."""

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        alone = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if alone else self.generic_visit(node)
