"""Which methods are offered, and which engines carry each of them: everything that is derived from the methods asks here.

What a method is stands in its record in `spec.vocabulary.methods`; `carries` binds an engine's functions to it. A record and a binding are
all that a method needs: options, lists, checks and tables are made from them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity
from shuffleproof.spec.vocabulary.errors import UnsupportedError, as_named, require_one_of
from shuffleproof.spec.vocabulary.method import Method


@dataclass(frozen=True, kw_only=True, slots=True)
class Functions:
    """What one engine has for one method: a function for each quantity, and whole profiles from tables where it keeps them."""

    delta: Callable[..., Bound] | None = None
    epsilon: Callable[..., Bound] | None = None
    renyi: Callable[..., Bound] | None = None
    profile: Callable[..., list[Bound]] | None = None
    inverse_profile: Callable[..., list[Bound]] | None = None


@dataclass(frozen=True, slots=True)
class _Carrier:
    quantities: tuple[Quantity, ...]
    load: Callable[[], Functions]


_OFFERED: dict[str, Method] = {}
_CARRIERS: dict[str, dict[Engine, _Carrier]] = {}
METHODS: Mapping[str, Method] = MappingProxyType(_OFFERED)
"""Every method by its name, in the order in which they are listed to people."""


def carries(method: Method, engine: Engine, *quantities: Quantity) -> Callable[[Callable[[], Functions]], Callable[[], Functions]]:
    """Offer a method by an engine; quantities: those that this engine has, all of the method's if none is named.

    What is decorated imports the engine and returns its functions; it is called when they are first asked for.
    """

    def bind(load: Callable[[], Functions]) -> Callable[[], Functions]:
        _OFFERED.setdefault(method.name, method)
        _CARRIERS.setdefault(method.name, {})[engine] = _Carrier(quantities or method.quantities, cache(load))
        return load

    return bind


def withdraw(name: str) -> None:
    """Offer a method no longer."""
    del _OFFERED[name], _CARRIERS[name]


def method_named(name: str) -> Method:
    """The method of this name, or that had it once. Raises DomainError with the nearest name and all that there are."""
    known = {alias: method for method in METHODS.values() for alias in method.aliases} | dict(METHODS)
    meant = as_named(name, known)
    return known[meant] if meant in known else METHODS[require_one_of(name, METHODS, parameter="method")]


def engines_for(method: Method, quantity: Quantity | None = None) -> tuple[Engine, ...]:
    """What carries a method for a quantity, or for any."""
    carriers = _CARRIERS[method.name]
    return tuple(engine for engine, carrier in carriers.items() if quantity is None or quantity in carrier.quantities)


def binding(method: Method, engine: Engine) -> Callable[[], Functions]:
    """What `carries` decorated: the code that imports an engine for a method. Raises KeyError where it has nothing."""
    load: Callable[[], Functions] = inspect.unwrap(_CARRIERS[method.name][engine].load)
    return load


def functions(method: Method, engine: Engine) -> Functions:
    """What an engine has for a method; imports it. Raises KeyError where it has nothing."""
    return _CARRIERS[method.name][engine].load()


def carried_out(method: Method, engine: Engine, quantity: Quantity) -> Callable[..., Bound]:
    """The function of an engine for a quantity of a method. Raises UnsupportedError, naming the engines that have one."""
    if engine not in (carried := engines_for(method, quantity)):
        what = f"{quantity} by {method.name!r} by engine {engine!r}"
        raise UnsupportedError(what=what, reason="not carried by this engine", advice=f"use one of {', '.join(carried)}, or auto")
    function: Callable[..., Bound] | None = getattr(functions(method, engine), quantity)
    assert function is not None
    return function
