"""Which functions of the papers' modules a value reaches, by the names in its code: alike names are not told apart."""

import sys
from collections.abc import Iterator, Mapping
from functools import cache, partial
from inspect import unwrap
from types import CellType, CodeType, FunctionType, ModuleType

from shuffleproof.proofs_check.ledger.statements import Statement

_PAPERS = __name__.rpartition(".ledger")[0] + ".papers."


def papers() -> list[ModuleType]:
    """The papers' modules that are loaded."""
    return [module for name, module in list(sys.modules.items()) if name.startswith(_PAPERS)]


def is_strategy(value: object) -> bool:
    """Return whether it is a strategy of hypothesis, which is not loaded for that: recorded statuses are read without it."""
    loaded = sys.modules.get("hypothesis.strategies")
    return loaded is not None and isinstance(value, loaded.SearchStrategy)


def inside(code: CodeType) -> Iterator[CodeType]:
    """The code and all that is defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from inside(constant)


def reached(value: object) -> frozenset[str]:
    """The names in a function, or in what holds functions, and in what these names stand for, and so on."""
    return frozenset().union(*map(_reached, _named_in(value, frozenset())))


@cache
def _reached(name: str) -> frozenset[str]:
    known, found, ahead = _known(), {name}, [name]
    while ahead:
        new = known.get(ahead.pop(), frozenset()) - found
        found |= new
        ahead += new
    return frozenset(found)


@cache
def _known() -> Mapping[str, frozenset[str]]:
    """Return by the name of whatever stands in one of the papers' modules the names in it."""
    found: dict[str, frozenset[str]] = {}
    for module in papers():
        for name, value in vars(module).items():
            found[name] = found.get(name, frozenset()) | _named_in(value, frozenset())
    return found


def _named_in(value: object, above: frozenset[int]) -> frozenset[str]:
    if id(value) in above:  # a function that calls itself
        return frozenset()
    above |= {id(value)}
    match value:
        case tuple() | list():
            return frozenset().union(*(_named_in(each, above) for each in value))
        case dict():
            return _named_in(list(value.values()), above)
        case Statement():
            return _named_in(value.check, above)
        case partial():
            return _named_in((value.func, value.args, value.keywords), above)
        case _ if is_strategy(value):
            return _named_in(list(vars(value).values()), above)
        case type() if value.__module__.startswith(_PAPERS):
            return _named_in([*vars(value).values(), *value.__bases__], above)
    function = unwrap(value) if callable(value) else value
    if not isinstance(function, FunctionType):
        return frozenset()
    cells = [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]  # none that is empty
    named = (set(code.co_names) for code in inside(function.__code__))
    return frozenset({function.__name__}).union(*named, _named_in([cells, function.__defaults__, function.__kwdefaults__], above))
