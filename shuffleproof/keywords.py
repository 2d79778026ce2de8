"""Keyword arguments that nobody knows: what is raised names the nearest one that there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import wraps
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


def unexpected(name: str, known: Iterable[str]) -> TypeError:
    """The error for a keyword that is none of these."""
    near = get_close_matches(name, known, n=1)
    return TypeError(f"unexpected keyword argument {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


@dataclass_transform(kw_only_default=True, frozen_default=True)
def keyword_record(kind: type[T]) -> type[T]:
    """A frozen dataclass of keywords alone that raises `unexpected` for another one."""
    made = dataclass(frozen=True, kw_only=True)(kind)
    known = {each.name for each in fields(made) if each.init}  # type: ignore[arg-type]
    init: Callable[..., None] = made.__init__

    @wraps(init)
    def checked(self: T, **given: Any) -> None:
        for name in given:
            if name not in known:
                raise unexpected(name, known)
        init(self, **given)

    setattr(made, "__init__", checked)  # noqa: B010 - no assignment to a method, for mypy
    return made
