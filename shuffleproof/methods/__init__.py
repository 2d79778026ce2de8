"""The methods that users can ask for by name, and the functions of the engines that carry them, imported when they are first asked.

What a method is stands in its record in `spec.vocabulary.methods`, which engine carries it in `engines`, which methods speak of a question
in `selection`: options, lists, checks and tables are made from these.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from shuffleproof.methods.engines import CARRIERS, Carrier
from shuffleproof.spec.vocabulary.asking import EngineFunction
from shuffleproof.spec.vocabulary.bound import Engine, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError, as_named, did_you_mean, require_one_of
from shuffleproof.spec.vocabulary.method import Method


@dataclass(frozen=True, kw_only=True, slots=True)
class Functions:
    """Holds one engine's functions for one method: one for each quantity."""

    delta: EngineFunction | None = None
    epsilon: EngineFunction | None = None
    renyi: EngineFunction | None = None


_OFFERED: dict[str, Method] = {}
_CARRIERS: dict[str, dict[Engine, Carrier]] = {}
METHODS: Mapping[str, Method] = MappingProxyType(_OFFERED)
"""Every method by its name, in the order in which they are listed to people."""


def offer(*carriers: Carrier) -> None:
    """Offer methods by these engines."""
    for each in carriers:
        _OFFERED.setdefault(each.method.name, each.method)
        _CARRIERS.setdefault(each.method.name, {})[each.engine] = each


def withdraw(name: str) -> None:
    """Offer a method no longer."""
    del _OFFERED[name], _CARRIERS[name]


offer(*CARRIERS)


def method_named(name: str) -> Method:
    """The method of this name, or that had it once. Raises DomainError with the nearest name and where all stand."""
    return METHODS[name_among(name, METHODS)]


def name_among(name: object, offered: Collection[str]) -> str:
    """Return which of these methods is meant by its name, or by one that it had once. Raises DomainError with the nearest name."""
    former = {alias: each for each in offered if each in METHODS for alias in METHODS[each].aliases}
    meant = as_named(name, (*former, *offered))
    if len(offered) == len(METHODS) and meant not in (*former, *offered):  # too many for a line
        listed = f'one of the methods that "shuffleproof bound list" names{did_you_mean(name, METHODS)}'
        raise DomainError(parameter="method", value=name, requirement=listed)
    return require_one_of(former.get(meant, meant), offered, parameter="method")


def engines_for(method: Method, quantity: Quantity | None = None) -> tuple[Engine, ...]:
    """Return what carries a method for a quantity, or for any."""
    carriers = _CARRIERS[method.name]
    return tuple(engine for engine, carrier in carriers.items() if quantity is None or quantity in carrier.carried)


def carrier_of(method: Method, engine: Engine) -> Carrier:
    """Where an engine's functions for a method are. Raises KeyError where it has nothing."""
    return _CARRIERS[method.name][engine]


def functions(method: Method, engine: Engine) -> Functions:
    """Return what an engine has for a method; imports it. Raises KeyError where it has nothing."""
    return _functions(carrier_of(method, engine))


@cache
def _functions(carrier: Carrier) -> Functions:
    holder: Any = import_module(carrier.module)
    holder = getattr(holder, carrier.holder) if carrier.holder else holder
    found = {name: getattr(holder, name + carrier.ending) for name in carrier.carried}
    return Functions(**{name: each.fixing(**carrier.fixed) if carrier.fixed else each for name, each in found.items()})


def carried_out(method: Method, engine: Engine, quantity: Quantity) -> EngineFunction:
    """The function of an engine for a quantity of a method. Raises UnsupportedError, naming the engines that have one."""
    if engine not in (carried := engines_for(method, quantity)):
        what = f"{quantity} by {method.name!r} by engine {engine!r}"
        raise UnsupportedError(what=what, reason="not carried by this engine", advice=f"use one of {', '.join(carried)}, or auto")
    function: EngineFunction | None = getattr(functions(method, engine), quantity)
    assert function is not None
    return function
