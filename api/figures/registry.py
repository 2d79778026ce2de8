"""The names of the figures and tables, and the module and function that makes each; nothing heavy is imported before one is asked for."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from shuffleproof.figures.chart import Figure, Table
from shuffleproof.spec.errors import DomainError


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A figure or table.

    name: for the command line; says: one line; made_by: "module:function" below shuffleproof.figures, called without arguments;
    in_report: a table that `verify` computes for its report (it must take seconds, not minutes).
    """

    name: str
    says: str
    made_by: str
    in_report: bool = False


ENTRIES: tuple[Entry, ...] = ()


def entry(name: str) -> Entry:
    """The entry of a name. Raises DomainError with the names there are."""
    for known in ENTRIES:
        if known.name == name:
            return known
    raise DomainError(parameter="NAME", value=name, requirement=f"one of {', '.join(known.name for known in ENTRIES)}")


def made(chosen: Entry) -> Figure | Table:
    """Compute the figure or table."""
    module, _, function = chosen.made_by.partition(":")
    content: Any = getattr(importlib.import_module(f"shuffleproof.figures.{module}"), function)()
    if not isinstance(content, Figure | Table):
        raise TypeError(f"{chosen.made_by} made {type(content).__name__}")
    return content
