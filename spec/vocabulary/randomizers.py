"""The local randomizers that have a name, and how questions name them.

Each one is declared in a file of its own in `spec/randomizers`, which is imported when it is named. Names, options, help, tables and
checks are derived from `NAMED` and `SIZES`, and what the engines compute from the declarations: a further randomizer is a further file,
named here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeGuard, cast

from shuffleproof.spec.vocabulary.errors import DomainError, as_named, require, require_one_of
from shuffleproof.spec.vocabulary.named_randomizer import FAMILIES, SETTINGS, NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Number, epsilon0_parameter
from shuffleproof.spec.vocabulary.parameters import EPSILON0, Given, Parameter, Value

if TYPE_CHECKING:
    from shuffleproof.spec.randomizers.k_rr import KRR
    from shuffleproof.spec.randomizers.local_hashing import LocalHashing


class _Declarations(Mapping[str, type[NamedRandomizer]]):
    """The classes of randomizers by their names, from places `file:class`; a file is imported when one of its names is asked for."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> type[NamedRandomizer]:
        file, _, declared = self._places[name].partition(":")
        return cast(type[NamedRandomizer], getattr(import_module(f"shuffleproof.spec.randomizers.{file}"), declared))

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


K_RR = "krr"
HASHING = "hash"
NAMED: Mapping[str, type[NamedRandomizer]] = _Declarations(
    {
        K_RR: "k_rr:KRR",
        "laplace": "laplace:Laplace",
        "rappor": "unary_encoding:RAPPOR",
        "asymmetric-rappor": "unary_encoding:AsymmetricRAPPOR",
        "subset": "k_subset:Subset",
        "hadamard": "hadamard_response:Hadamard",
        HASHING: "local_hashing:LocalHashing",
        "piecewise": "piecewise:Piecewise",
        "square-wave": "square_wave:SquareWave",
        "unary": "unary_encoding:UnaryEncoding",
    }
)


def is_k_rr(randomizer: NamedRandomizer | None) -> TypeGuard[KRR]:
    """Return whether a record is k-ary randomized response."""
    return randomizer is not None and randomizer.name == K_RR


def is_hashing(randomizer: NamedRandomizer | None) -> TypeGuard[LocalHashing]:
    """Return whether a record is local hashing."""
    return randomizer is not None and randomizer.name == HASHING


def printed_names() -> str:
    """All of them, as people read them."""
    return ", ".join(each.printed() for each in NAMED.values())


@cache
def _aliases() -> Mapping[str, str]:
    return {alias: each.name for each in NAMED.values() for alias in each.aliases}


def canonical_name(randomizer: object) -> str:
    """The name of a randomizer, which may have been called by another; of what is none, its text."""
    return _canonical(str(randomizer))


@lru_cache(maxsize=256)
def _canonical(text: str) -> str:
    called = as_named(text, NAMED)
    if called in NAMED:
        return called
    called = as_named(text, _aliases())
    return _aliases().get(called, called)


def class_named(randomizer: object) -> type[NamedRandomizer]:
    """The class of this name, or of another that it has. Raises DomainError with the nearest name and all that there are."""
    return NAMED[one_of(randomizer, NAMED, parameter="randomizer")]


def one_of(randomizer: object, names: Iterable[str], *, parameter: str) -> str:
    """The name, among these, of a randomizer that may have been called by another. Raises DomainError with the names as printed."""
    known, name = tuple(names), canonical_name(randomizer)
    return (
        name
        if name in known
        else require_one_of(randomizer, [NAMED[each].printed() if each in NAMED else each for each in known], parameter=parameter)
    )


def named(randomizer: object, **given: Number | None) -> NamedRandomizer:
    """The randomizer of this name with these sizes, None where not given. Raises DomainError naming what is missing, too much or wrong."""
    chosen = class_named(randomizer)
    for name in SETTINGS:
        value = given.get(name)
        if value is None and name in chosen.needs():
            raise DomainError(parameter=name, value="(nothing)", requirement=f"given: randomizer {chosen.printed()!r} needs it")
        if value is not None and name not in chosen.takes():
            raise DomainError(parameter=name, value=value, requirement=f"left out: randomizer {chosen.printed()!r} does not take it")
    return chosen(**{name: value for name, value in given.items() if value is not None})


def randomizer_in_words(inputs: Mapping[str, str], *, side: str) -> dict[str, str]:
    """Return what a claim calls its randomizer: its name, sizes and hash functions, and no other's; and how its reports are distinguished.

    inputs: of the question, as texts; side: of the claim: "lower" needs a third item where their number is not given.
    """
    if "randomizer" not in inputs:
        return {"randomizer": "the named randomizer", "reports": NamedRandomizer.reports}
    chosen = class_named(inputs["randomizer"])
    told = [chosen.says, *(f"{name} = {inputs[name]}" for name in SETTINGS if name in inputs and name != "family")]
    told += [f"{inputs['family']} hash functions"] if "family" in inputs else []
    if chosen.for_items and "k" not in inputs:
        told.append(chosen.for_items[side])
    return {"randomizer": ", ".join(told), "reports": chosen.reports}


def of_given(given: Given) -> NamedRandomizer:
    """The randomizer of a question, from its parameters. Raises DomainError as `named` does."""
    return named(given["randomizer"], **{name: cast(Number | None, given.get(name)) for name in SETTINGS})


def completed(given: Given) -> Given:
    """Return the parameters with the epsilon0 that a randomizer's settings imply. Raises DomainError where another one is given."""
    if RANDOMIZER.name not in given or given.get("p_own") is None:
        return given
    implied = of_given(given).implied_epsilon0
    if implied is None:
        return given
    if given.get(EPSILON0.name) is not None:
        local = epsilon0_parameter(given[EPSILON0.name])
        require(
            local == implied, parameter="epsilon0", value=str(local), requirement=f"left out, or {implied}, which p_own and p_other imply"
        )
    return {**given, EPSILON0.name: implied}


def with_record(given: Given) -> dict[str, Value | NamedRandomizer]:
    """The parameters of a question with the name and sizes of its randomizer as one record."""
    return {**{name: value for name, value in given.items() if name not in SETTINGS}, "randomizer": of_given(given)}


RANDOMIZER = Parameter(
    name="randomizer", metavar="NAME", accepts="one of {}", says="One of {}", listed=printed_names, read=lambda _, given: of_given(given)
)


def _size(name: str, unit: str, accepts: str, says: str, *, metavar: str = "COUNT") -> Parameter:
    """Return what some named randomizers take: checked with the randomizer."""
    return Parameter(
        name=name,
        metavar=metavar,
        unit=unit,
        accepts=accepts,
        says=f"{says} of randomizer {{}}",
        listed=lambda: ", ".join(each.printed() for each in NAMED.values() if name in each.takes()),
        read=lambda _, __: None,
    )


SIZES = (
    _size("k", "items", "an integer of at least 2", "Items"),
    _size("d", "items", "an integer from 1 to k - 1", "Size of the subsets"),
    _size("blocks", "blocks", "a power of two", "Blocks (ASZ19's if not given)"),
    _size("buckets", "buckets", "an integer of at least 2", "Hash buckets"),
    _size("p_own", "", "a probability", "Probability that the own bit is 1 (with p_other it implies eps0)", metavar="NUMBER"),
    _size("p_other", "", "a probability", "Probability that another item's bit is 1", metavar="NUMBER"),
    _size("radius", "", "in (0, 1/2]", "Half the window's length (the authors' if not given)", metavar="NUMBER"),
    Parameter(
        name="family",
        metavar="|".join(FAMILIES),
        accepts=" or ".join(FAMILIES),
        says="Hash functions of randomizer hash: all functions alike, or the worst family; if not given, what a method speaks of",
        read=lambda _, __: None,
    ),
)
"""Every size and setting that a named randomizer may have, as parameters of methods."""
