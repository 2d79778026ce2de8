"""The code that a long comparison is of: one sort of question to one or two methods has the digest of the code that answered.

So what was compared stays counted for as long as that code stays, whatever else is changed.
"""

import ast
import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shuffleproof.conformance.code_digest import digest
from shuffleproof.methods import METHODS, carrier_of, engines_for

_COMPUTING = ("shuffleproof.spec.", "shuffleproof.impl.")
_PLANS = ("shuffleproof.planning.plan.evaluation", "shuffleproof.spec.plans.meaning")
"""What certifies a plan, and what says exactly what it means."""
_WORDS = "shuffleproof.spec.vocabulary"
"""Records, errors, how numbers are read: what everything imports is not what is compared."""
Group = dict[str, Any]
"""code: digest; asked, refused: questions; seconds; failures: by number of the question, a line each."""


def group_of(kind: str, methods: Iterable[str]) -> str:
    """The name that comparisons of this kind of these methods are kept under."""
    return f"{kind}: {', '.join(methods)}"


@cache
def code_of(group: str) -> str:
    """A digest of all code of spec and impl that the engines of a group's methods import, at any depth; "" where a method is gone."""
    names = group.partition(": ")[2].split(", ")
    if not all(name in METHODS for name in names):
        return ""
    carriers = [carrier_of(METHODS[name], engine) for name in names for engine in engines_for(METHODS[name])]
    asked = [f"{each.module} {each.holder} {each.ending} {sorted(each.fixed.items())}" for each in carriers]
    return _digest([each.module for each in carriers], asked)


@cache
def code_of_plans() -> str:
    """A digest of all code that decides what a plan's certificate is, and what it is compared with."""
    engines = [carrier_of(method, engine).module for method in METHODS.values() for engine in engines_for(method)]
    return _digest([*_PLANS, *engines], [])


def _digest(modules: Iterable[str], asked: list[str]) -> str:
    """Of these modules and what they import, at any depth."""
    reached, left = set[str](), [*modules]
    while left:
        if (module := left.pop()) not in reached:
            reached.add(module)
            left += _read(module)[1]
    lines = [*asked, *(f"{module} {_read(module)[0]}" for module in sorted(reached))]
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


def of_this_code(groups: Mapping[str, Group], earlier: Mapping[str, Any]) -> tuple[dict[str, Group], dict[str, Any]]:
    """The groups whose code is the present one, and the rest added to what is of earlier code."""
    kept = {name: group for name, group in groups.items() if group["code"] == code_of(name)}
    gone = [group for name, group in groups.items() if name not in kept]
    return kept, {
        "comparisons": earlier["comparisons"] + sum(group["asked"] for group in gone),
        "seconds": round(earlier["seconds"] + sum(group["seconds"] for group in gone), 1),
    }
