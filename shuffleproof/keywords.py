"""Arguments by keyword: what is raised names the keywords that are missing, or the nearest one that there is."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar, dataclass_transform

T = TypeVar("T")
Given = ParamSpec("Given")


def unexpected(name: str, known: Iterable[str]) -> TypeError:
    """The error for a keyword that is none of these."""
    near = get_close_matches(name, known, n=1)
    return TypeError(f"unexpected keyword argument {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def by_keyword(function: Callable[Given, T]) -> Callable[Given, T]:
    """Make a function that takes keywords say which ones where it is called without them."""
    parameters = signature(function).parameters.values()
    places = sum(each.kind is Parameter.POSITIONAL_OR_KEYWORD for each in parameters)
    needed = [each.name for each in parameters if each.kind is Parameter.KEYWORD_ONLY and each.default is Parameter.empty]

    @wraps(function)
    def checked(*values: Given.args, **given: Given.kwargs) -> T:
        if len(values) > places:
            raise _without_keywords(function.__name__, needed)
        return function(*values, **given)

    return checked


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


def own_names(module: str) -> Callable[[], list[str]]:
    """Return what `dir` shows of a module: the functions and classes that it defines and that are public. module: its `__name__`."""

    def listed() -> list[str]:
        known = vars(sys.modules[module])
        own = [name for name, it in known.items() if not name.startswith("_") and getattr(it, "__module__", None) == module]
        return [*(name for name in known if name.startswith("__")), *own]

    return listed
