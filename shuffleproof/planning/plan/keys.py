"""What stands in a table of a plan: known keys, and values of the right type."""

from collections.abc import Mapping
from typing import Any

from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of

_CALLED = {"eps": "epsilon", "eps0": "epsilon0", "n": "users", "rounds": "repeat", "times": "repeat"}
"""Keys that people write as the command line and papers call the same thing."""


class Decimal(str):
    """A decimal of a TOML file as its text, which is exact: the float nearest to 0.3 is another number."""

    __slots__ = ()


def only(given: Mapping[str, Any], place: str, names: tuple[str, ...]) -> None:
    """Raise DomainError where a key of the table is none of these names."""
    for name in given:
        meant = _CALLED.get(name)
        require(name in names or meant not in names, parameter=place, value=name, requirement=f"written {meant} in a plan")
        require_one_of(name, names, parameter=place)


def needed(given: Mapping[str, Any], place: str, name: str) -> Any:
    """The value of a key that must be there. Raises DomainError."""
    if name not in given:
        raise DomainError(parameter=f"{place}.{name}", value="nothing", requirement="given")
    return given[name]


def text(given: Mapping[str, Any], place: str, name: str, default: str) -> str:
    """The text of a key. Raises DomainError where it is a number or a list."""
    found = given.get(name, default)
    is_text = isinstance(found, str) and not isinstance(found, Decimal)
    require(is_text, parameter=f"{place}.{name}", value=found, requirement="text, in quotation marks")
    return str(found)


def flag(given: Mapping[str, Any], place: str, name: str) -> bool:
    """The truth value of a key, false where it is not there. Raises DomainError."""
    value = given.get(name, False)
    require(isinstance(value, bool), parameter=f"{place}.{name}", value=value, requirement="true or false")
    return bool(value)


def require_key(condition: bool, given: Mapping[str, Any], place: str, name: str, requirement: str) -> None:
    """Raise DomainError, naming the key of the table and its value, unless the condition holds."""
    require(condition, parameter=f"{place}.{name}", value=given.get(name), requirement=requirement)


def tables(given: Mapping[str, Any], name: str, written: str, place: str = "") -> list[tuple[str, dict[str, Any]]]:
    """The tables of a list that may not be empty, each with its place. written: how one begins."""
    found = given.get(name)
    if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
        raise DomainError(parameter=f"{place}{name}", value=found, requirement=f"at least one table {written}")
    return [(f"{place}{name}[{at}]", each) for at, each in enumerate(found, start=1)]
