"""What public functions share: arguments by keyword, with the nearest name where one is wrong; and arithmetic of their own."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import MISSING, dataclass, fields
from decimal import Context, DivisionByZero, InvalidOperation, Overflow, localcontext
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar, dataclass_transform, get_args, get_type_hints

T = TypeVar("T")
Given = ParamSpec("Given")


PLANNED = ("rate", "participation", "participations", "repeat", "rounds")
"""What only a plan knows of its users: who takes part, and how often."""


_NEAR = 0.5
"""How alike two names are, of 1, where one may be meant for the other: "eps" is 0.55 of "epsilon0"."""


def unexpected(name: str, known: Iterable[str]) -> TypeError:
    """The error for a keyword that is none of these."""
    if name in PLANNED:
        return TypeError(f"unexpected keyword argument {name!r}: who takes part, and how often, stands in a plan, for check_plan")
    near = get_close_matches(name, known, n=1, cutoff=_NEAR)
    return TypeError(f"unexpected keyword argument {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def by_keyword(function: Callable[Given, T]) -> Callable[Given, T]:
    """Make a function that takes keywords say which ones where it is called without them."""
    parameters = signature(function).parameters.values()
    known = {each.name for each in parameters}
    open_ended = any(each.kind is Parameter.VAR_KEYWORD for each in parameters)
    places = sum(each.kind is Parameter.POSITIONAL_OR_KEYWORD for each in parameters)
    needed = [each.name for each in parameters if each.kind is Parameter.KEYWORD_ONLY and each.default is Parameter.empty]

    @wraps(function)
    def checked(*values: Given.args, **given: Given.kwargs) -> T:
        if len(values) > places:
            raise _without_keywords(function.__name__, needed)
        for name in given:
            if not open_ended and name not in known:
                raise unexpected(name, known)
        missing = [each for each in needed if each not in given]
        if missing and open_ended and (strange := set(given) - known - _keys_of(function)):
            raise unexpected(min(strange), missing)
        return function(*values, **given)

    return checked


def _keys_of(function: Callable[..., object]) -> set[str]:
    """The keywords of the dictionary that a function's `**own` is."""
    return {key for hint in get_type_hints(function).values() for kind in get_args(hint) for key in getattr(kind, "__annotations__", ())}


def _without_keywords(name: str, needed: Iterable[str]) -> TypeError:
    shown = ", ".join(f"{each}=..." for each in needed) or "name=..."
    return TypeError(f"{name}() takes its parameters by keyword: {name}({shown})")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def keyword_record(kind: type[T]) -> type[T]:
    """A frozen dataclass of keywords alone that raises `unexpected` for another one."""
    made = dataclass(frozen=True, kw_only=True)(kind)
    known = {each.name for each in fields(made) if each.init}  # type: ignore[arg-type]
    needed = [each.name for each in fields(made) if each.init and each.default is MISSING and each.default_factory is MISSING]  # type: ignore[arg-type]
    init: Callable[..., None] = made.__init__

    @wraps(init)
    def checked(self: T, *values: Any, **given: Any) -> None:
        if values:
            raise _without_keywords(kind.__name__, needed)
        for name in given:
            if name not in known:
                raise unexpected(name, known)
        init(self, **given)

    setattr(made, "__init__", checked)  # noqa: B010 - no assignment to a method, for mypy
    return made


def formerly(**names: str) -> Callable[[Callable[Given, T]], Callable[Given, T]]:
    """Let a function take keywords by the names that they had, too. names: the name now by the former one."""

    def decorated(function: Callable[Given, T]) -> Callable[Given, T]:
        @wraps(function)
        def renamed(*values: Given.args, **given: Given.kwargs) -> T:
            now = {names[name]: given.pop(name) for name in names if name in given}
            return function(*values, **given, **now)  # type: ignore[arg-type]  # of both names one is too many

        return renamed

    return decorated


def own_names(module: str) -> Callable[[], list[str]]:
    """Return what `dir` shows of a module: the functions and classes that it defines and that are public. module: its `__name__`."""

    def listed() -> list[str]:
        known = vars(sys.modules[module])
        own = [name for name, it in known.items() if not name.startswith("_") and getattr(it, "__module__", None) == module]
        return [*(name for name in known if name.startswith("__")), *own]

    return listed


@contextmanager
def own_arithmetic() -> Iterator[None]:
    """Compute with decimal's and numpy's own defaults, and give this thread's settings back afterwards.

    A caller who traps Inexact, or has numpy raise on underflow, gets the same answers as everybody. numpy is not imported for this:
    an engine that needs it and is the first to import it finds its defaults.
    """
    with ExitStack() as stack:
        stack.enter_context(localcontext(Context(traps=[InvalidOperation, DivisionByZero, Overflow])))
        if numpy := sys.modules.get("numpy"):
            stack.enter_context(numpy.errstate(divide="warn", over="warn", under="ignore", invalid="warn"))
        yield
