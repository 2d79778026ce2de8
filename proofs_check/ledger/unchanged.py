"""What a changed statement has in common with the statement as it is: the same search, by the same code over the same cases, is made once.

Two searches are one where all that they are made of is the same: cases, numbers, functions with what they have closed over. What cannot be
compared is searched again. So a mutant costs what it changes. A search that was wrongly taken for the same would let a mutant survive,
which `verify` reports; the statement as it is is always searched whole.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from types import FunctionType
from typing import Any, TypeVar

from shuffleproof.proofs_check.ledger import names
from shuffleproof.proofs_check.ledger.statements import Budget
from shuffleproof.proofs_check.ledger.steps import place_of_caller

S = TypeVar("S")
_MADE_OF = (
    "function",
    "_LazyStrategy__args",
    "_LazyStrategy__kwargs",
    "_transformations",
    "original_strategies",
    "elements",
    "base",
    "expand",
)
"""Attributes that say all of a strategy of hypothesis, as far as it has any of them; one that has none is only the same as itself."""


@dataclass(frozen=True, slots=True)
class _Searches:
    """Holds what was searched for a statement as it is. made: by the place in the check's code, what was asked and what was found."""

    statement: str
    budget: Budget
    made: dict[str, list[tuple[object, Any]]] = field(default_factory=dict)


_last: ContextVar[_Searches | None] = ContextVar("searches of the statement that was checked last", default=None)
_running: ContextVar[tuple[_Searches, bool, str | None] | None] = ContextVar("searches of the running check, and its change", default=None)


@contextmanager
def searches_of(statement: str, budget: Budget, *, changed: bool, function: str | None = None) -> Iterator[None]:
    """Keep what is searched inside, of a statement as it is; of a changed one, take from there what was asked already.

    function: the name of one whose code is changed; what reaches it is searched again. Only the searches of the statement that was
    checked last, to the same depth and from the same seed, are at hand.
    """
    asked, known = replace(budget, shrink=True), _last.get()
    if not changed:
        known = _Searches(statement, asked)
        _last.set(known)
    at_hand = known is not None and (known.statement, known.budget) == (statement, asked)
    token = _running.set((known, changed, function) if known is not None and at_hand else None)
    try:
        yield
    finally:
        _running.reset(token)


def once(asked: object, search: Callable[[], S]) -> S:
    """Return what the search finds; asked is all that it depends on, but for the code of the check."""
    running = _running.get()
    if running is None:
        return search()
    searches, changed, function = running
    made = searches.made.setdefault(place_of_caller(), [])
    if changed and (function is None or function not in names.reached(asked)):
        with suppress(RecursionError, ValueError):  # a function that calls itself, or a cell that is empty: not compared
            for before, found in made:
                if is_same(asked, before):
                    return found  # type: ignore[no-any-return]
    found = search()
    if not changed:
        made.append((asked, found))
    return found


def called_once(function: Callable[..., S], *given: object) -> S:
    """Return what the function gives, as `once` does: arguments are all that it depends on."""
    return once((function, *given), lambda: function(*given))


def is_same(one: object, other: object) -> bool:
    """Return whether two values are certainly the same: equal, or made of the same code and the same parts."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    match one:
        case tuple() | list():
            return len(one) == len(other) and (_are_equal(one, other) or all(map(is_same, one, other)))  # type: ignore[call-overload,arg-type]
        case dict():
            return is_same(list(one.items()), list(other.items()))  # type: ignore[attr-defined]
        case Budget():
            return replace(one, shrink=True) == replace(other, shrink=True)  # type: ignore[type-var]
        case FunctionType():
            return is_same(_parts_of_function(one), _parts_of_function(other))  # type: ignore[arg-type]
        case partial():
            return is_same((one.func, one.args, one.keywords), (other.func, other.args, other.keywords))  # type: ignore[attr-defined]
        case _ if names.is_strategy(one):
            parts, others = (tuple(vars(each).get(name) for name in _MADE_OF) for each in (one, other))
            return any(part is not None for part in parts) and is_same(parts, others)
    return _are_equal(one, other)


def _are_equal(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except Exception:  # arrays, say, have no one answer
        return False


def _parts_of_function(function: FunctionType) -> tuple[object, ...]:
    cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
    return function.__code__, function.__globals__["__name__"], function.__defaults__, function.__kwdefaults__, cells
