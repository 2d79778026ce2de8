"""The code of a check with one number, sign, comparison or condition changed: mutants that a machine writes.

A change is named by the function, the expression as it stands, and the expression as it becomes; so it is data that can be stored, and
where the code has moved on it no longer fits, which is an error and not a silent pass. While a change is applied, everybody who calls the
function calls the changed one: its code object is exchanged, and what earlier calls have cached is forgotten.
"""

import ast
import copy
import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from shuffleproof.proofs_check.ledger.entries import read_mutants, write_mutants
from shuffleproof.proofs_check.ledger.faults import faults
from shuffleproof.proofs_check.ledger.statements import CodeChange, Statement

_LONGEST = 160
"""Characters of an expression that is changed: a longer one is changed in its parts, which are readable in the record."""
STORED = Path(__file__).resolve().parents[1] / "generated.json"


@dataclass(frozen=True, slots=True)
class Offered:
    """A change that can be made, with the lines of the file that the smallest statement around it takes. index: among all changes."""

    change: CodeChange
    first: int
    last: int
    index: int


def stored(path: Path = STORED) -> dict[str, tuple[CodeChange, ...]]:
    """The changes that are kept, by statement. Raises IntegrityError if the file is missing or holds something else."""
    return dict(_read(path, path.stat().st_mtime_ns if path.is_file() else 0))


@lru_cache(maxsize=4)
def _read(path: Path, _written: int) -> dict[str, tuple[CodeChange, ...]]:
    return read_mutants(path, lambda _, *fields: CodeChange(*fields), what="a list of changes of code")


def store(changes: Mapping[str, Sequence[CodeChange]], path: Path = STORED) -> None:
    """Keep these changes (in a temporary file, then renamed)."""
    write_mutants(path, {id: map(astuple, each) for id, each in changes.items() if each})


@contextmanager
def applied(change: CodeChange) -> Iterator[None]:
    """The change is in force inside. Raises ValueError where it does not fit the code (any more)."""
    fitting = (offered for offered in offers(change.function) if offered.change == change)
    found = next(fitting, None)
    if found is None:
        raise ValueError(f"a generated mutant no longer fits the code, write it again (ledger record): {change}")
    known = _function(change.function)
    original = known.__code__
    module = ast.Module([ast.parse("from __future__ import annotations").body[0], _changed(found)], [])
    compiled = compile(module, original.co_filename, "exec", dont_inherit=True)
    known.__code__ = next(code for code in _inside(compiled) if code.co_qualname == original.co_qualname)
    _forget()
    try:
        yield
    finally:
        known.__code__ = original
        _forget()


def _changed(offered: Offered) -> ast.FunctionDef:
    tree = copy.deepcopy(_tree(offered.change.function))
    _, _, change = next(islice(faults(tree.body, of_calls=True), offered.index, None))
    with change():
        return ast.fix_missing_locations(copy.deepcopy(tree))


@cache
def offers(function: str) -> tuple[Offered, ...]:
    """Every change that can be made in the body of a function, in the order of its lines."""
    found: list[Offered] = []
    seen: dict[tuple[str, str], int] = {}
    for index, (statement, shown, change) in enumerate(faults(copy.deepcopy(_tree(function)).body, of_calls=True)):
        was = ast.unparse(shown)
        with change():
            becomes = ast.unparse(shown)
        if was == becomes or len(was) > _LONGEST:
            continue
        nth = seen.get((was, becomes), 0)
        seen[was, becomes] = nth + 1
        last = statement.end_lineno or statement.lineno
        found.append(Offered(CodeChange(function, was, becomes, nth), statement.lineno, last, index))
    return tuple(found)


def place_of(place: str, entry: Statement) -> tuple[str, int] | None:
    """The function that a step's place is in, and its line in the file; None where there is no such function.

    place: as ledger.steps names it, "section2._shuffle_commutes+14"; a paper's own modules come first.
    """
    name, _, offset = place.rpartition("+")
    module, _, qualname = name.partition(".")
    for path in _modules(module, entry):
        function = f"{path}.{qualname.partition('.')[0]}"
        try:
            inside = [code for code in _inside(_function(function).__code__) if code.co_qualname == qualname]
        except (AttributeError, TypeError):
            continue
        lines = [code.co_firstlineno + int(offset) for code in inside]
        if lines:
            return function, lines[0]
    return None


def _modules(name: str, entry: Statement) -> list[str]:
    papers = entry.module.partition(".papers.")[0] + ".papers."
    paths = [module.removeprefix(papers) for module in sys.modules if module.startswith(papers) and module.rpartition(".")[2] == name]
    own = entry.module.removeprefix(papers).partition(".")[0]
    return sorted(paths, key=lambda path: path.partition(".")[0] != own)


def _function(path: str) -> FunctionType:
    """The plain function behind a name in a paper's module: a check's own, or what a cache wraps."""
    module, _, name = path.rpartition(".")
    found: Any = getattr(importlib.import_module(f"{__name__.rpartition('.ledger')[0]}.papers.{module}"), name)
    found = inspect.unwrap(found.check if isinstance(found, Statement) else found)
    if not isinstance(found, FunctionType):
        raise TypeError(f"{path} is not a function")
    return found


def _tree(function: str) -> ast.FunctionDef:
    known = _function(function)
    named = (node for node in _file(known.__code__.co_filename).body if isinstance(node, ast.FunctionDef) and node.name == known.__name__)
    return next(named)


@cache
def _file(name: str) -> ast.Module:
    return ast.parse(Path(name).read_text("utf-8"))


def _inside(code: CodeType) -> Iterator[CodeType]:
    """The code and all that is defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _inside(constant)


def _forget() -> None:
    """Clear the caches of the papers' functions."""
    papers = f"{__name__.rpartition('.ledger')[0]}.papers."
    for value in [value for name, module in list(sys.modules.items()) if name.startswith(papers) for value in vars(module).values()]:
        if callable(clear := getattr(value, "cache_clear", None)):
            clear()
