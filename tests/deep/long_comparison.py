"""The code that a long comparison is of: what was compared counts for as long as that code stays."""

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from shuffleproof.conformance.code_digest import digest
from shuffleproof.methods import METHODS, carrier_of, engines_for

_COMPUTING = ("shuffleproof.spec.", "shuffleproof.impl.")
_PLANS = ("shuffleproof.planning.plan.evaluation", "shuffleproof.spec.plans.meaning")
"""What certifies a plan, and what says exactly what it means."""
_WORDS = "shuffleproof.spec.vocabulary"
"""Records, errors, how numbers are read: what everything imports is not what is compared."""


@cache
def code_of_engines() -> dict[str, str]:
    """A digest for each method: of all code of spec and impl that its engines import, at any depth."""
    return {name: _digest(_engines(name)) for name in METHODS}


@cache
def code_of_plans() -> str:
    """A digest of all code that decides what a plan's certificate is, and what it is compared with."""
    return _digest([*_PLANS, *(module for name in METHODS for module in _engines(name))])


def _engines(name: str) -> list[str]:
    return [carrier_of(METHODS[name], engine).module for engine in engines_for(METHODS[name])]


def _digest(modules: Iterable[str]) -> str:
    """Of these modules and what they import, at any depth."""
    reached, left = set[str](), [*modules]
    while left:
        if (module := left.pop()) not in reached:
            reached.add(module)
            left += _read(module)[1]
    lines = [f"{module} {_read(module)[0]}" for module in sorted(reached)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:20]


@cache
def _read(module: str) -> tuple[str, tuple[str, ...]]:
    """The digest of a module, and what it imports."""
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    source = Path(found.origin).read_text("utf-8")
    return digest(source), _imports(source, _COMPUTING if module.startswith(_COMPUTING) else ("shuffleproof.",))


@cache
def _imports(source: str, within: tuple[str, ...]) -> tuple[str, ...]:
    """The modules below these packages that code imports, anywhere in it; of spec and impl what computes."""
    named = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom) and node.module]
    asked = {name for node in named for name in (str(node.module), *(f"{node.module}.{each.name}" for each in node.names))}
    computing = (name for name in asked if name.startswith(within) and not name.startswith(_WORDS))
    return tuple(name for name in sorted(computing) if _is_module(name))


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # a name in a module, where a package was looked for
        return False
