"""The local randomizers that have a name: one record for each, with what it needs beside epsilon0, the domain of that, and what it is.

Engines are given the record and dispatch on its class. Names, options, help, tables and checks are derived from `NAMED` and `SIZES`: a
further randomizer is a class here, and a case in each engine that can answer for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import ClassVar, Literal, cast, get_args

from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError, as_named, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import Number, as_given, count
from shuffleproof.spec.vocabulary.parameters import Given, Parameter, Value

Family = Literal["any", "uniform"]
FAMILIES: tuple[Family, ...] = get_args(Family)
"""Of hash functions."""


@dataclass(frozen=True, kw_only=True)
class NamedRandomizer:
    """A local randomizer by its name, with its sizes, checked: fields that may be left out are None.

    name: for users, with older ones in aliases; says: what it is; reports: how `homogeneous` tells its reports apart. Raises
    DomainError where a size lies outside its domain.
    """

    name: ClassVar[str]
    says: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    reports: ClassVar[str] = "all reports told apart"

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None:
                object.__setattr__(self, each.name, _READ[each.name](value))
        self.check()

    def check(self) -> None:
        """Raise DomainError where sizes do not fit each other."""

    @classmethod
    def needs(cls) -> tuple[str, ...]:
        """The sizes that have to be given."""
        return tuple(each.name for each in fields(cls) if each.default is MISSING)

    @classmethod
    def takes(cls) -> tuple[str, ...]:
        """The sizes that may be given, needed or not."""
        return tuple(each.name for each in fields(cls))

    @property
    def sizes(self) -> dict[str, int]:
        """Those that are given."""
        return {each.name: value for each in fields(self) if isinstance(value := getattr(self, each.name), int)}

    def inputs(self, **asked: Value) -> dict[str, str]:
        """What was asked, as texts: n, the randomizer, and the rest."""
        n, settings = asked.pop("n"), {each.name: getattr(self, each.name) for each in fields(self)}
        return as_given(n=n, randomizer=self.name, **settings, **asked)


@dataclass(frozen=True, kw_only=True)
class KRR(NamedRandomizer):
    """The truth with probability T/(T + k - 1), each other item with 1/(T + k - 1), T = e^eps0."""

    name = "krr"
    aliases = ("k-rr",)
    says = "k-ary randomized response"
    k: int


@dataclass(frozen=True, kw_only=True)
class Laplace(NamedRandomizer):
    """A number in [0, 1] plus Laplace noise of scale 1/eps0."""

    name = "laplace"
    says = "Laplace noise of scale 1/eps0 on [0, 1]"
    reports = "reports told apart in 256 cells"


@dataclass(frozen=True, kw_only=True)
class RAPPOR(NamedRandomizer):
    """Each bit of the one-hot vector flipped with probability 1/(e^(eps0/2) + 1). k: any number of items where left out."""

    name = "rappor"
    says = "RAPPOR, one report"
    k: int | None = None


@dataclass(frozen=True, kw_only=True)
class AsymmetricRAPPOR(NamedRandomizer):
    """The bit of the user's item kept with probability 1/2, the others set with 1/(T + 1). k: any number of items where left out."""

    name = "asymmetric-rappor"
    says = "optimized unary encoding"
    k: int | None = None


@dataclass(frozen=True, kw_only=True)
class Subset(NamedRandomizer):
    """A random set of d of k items, T times as likely where it holds the user's."""

    name = "subset"
    aliases = ("k-subset",)
    says = "d-subset selection of k items"
    k: int
    d: int

    def check(self) -> None:
        """d below k."""
        require(self.d < self.k, parameter="d", value=self.d, requirement=f"an integer from 1 to k - 1 = {self.k - 1}")


@dataclass(frozen=True, kw_only=True)
class Hadamard(NamedRandomizer):
    """Hadamard response of k items (ASZ19). blocks: a power of two; theirs, which depends on eps0, where left out."""

    name = "hadamard"
    says = "Hadamard response of k items"
    k: int
    blocks: int | None = None

    def check(self) -> None:
        """Blocks a power of two."""
        blocks = self.blocks or 1
        require(not blocks & (blocks - 1), parameter="blocks", value=self.blocks, requirement="a power of two, at least 1")


@dataclass(frozen=True, kw_only=True)
class LocalHashing(NamedRandomizer):
    """An item hashed into buckets, the bucket sent by kRR. k: any number of items where left out.

    family: of the hash functions: "uniform" (all functions alike, for all items together; pairwise is less, and worse), or "any", the
    worst of all families, uniform functions among them; where left out, the one that a method speaks of.
    """

    name = "hash"
    says = "local hashing into buckets"
    buckets: int
    k: int | None = None
    family: Family | None = None


ONE_COORDINATE_EACH = (RAPPOR, AsymmetricRAPPOR, LocalHashing)
"""Those whose report has an independent coordinate for each item, the user's own with another law (hash functions uniform)."""
NAMED: Mapping[str, type[NamedRandomizer]] = {
    each.name: each for each in (KRR, Laplace, RAPPOR, AsymmetricRAPPOR, Subset, Hadamard, LocalHashing)
}
_ALIASES = {alias: each.name for each in NAMED.values() for alias in each.aliases}
_READ: Mapping[str, Callable[[Number], int | str]] = {
    "k": lambda value: count(value, parameter="k", minimum=2),
    "d": lambda value: count(value, parameter="d"),
    "blocks": lambda value: count(value, parameter="blocks"),
    "buckets": lambda value: count(value, parameter="buckets", minimum=2),
    "family": lambda value: require_one_of(as_named(value, FAMILIES), FAMILIES, parameter="family"),
}


def canonical_name(randomizer: object) -> str:
    """The name of a randomizer, which may have been called by another; of what is none, its text."""
    called = as_named(randomizer, (*NAMED, *_ALIASES))
    return _ALIASES.get(called, called)


def class_named(randomizer: object) -> type[NamedRandomizer]:
    """The class of this name, or of another that it has. Raises DomainError with the nearest name and all that there are."""
    return NAMED[require_one_of(canonical_name(randomizer), NAMED, parameter="randomizer")]


def named(randomizer: object, **given: Number | None) -> NamedRandomizer:
    """The randomizer of this name with these sizes, None where not given. Raises DomainError naming what is missing, too much or wrong."""
    chosen = class_named(randomizer)
    for name in _READ:
        value = given.get(name)
        if value is None and name in chosen.needs():
            raise DomainError(parameter=name, value="(nothing)", requirement=f"given: randomizer {chosen.name!r} needs it")
        if value is not None and name not in chosen.takes():
            raise DomainError(parameter=name, value=value, requirement=f"left out: randomizer {chosen.name!r} does not take it")
    return chosen(**{name: value for name, value in given.items() if value is not None})


def randomizer_in_words(inputs: Mapping[str, str], *, side: str) -> dict[str, str]:
    """What a claim calls its randomizer: its name, sizes and hash functions, and no other's; and how its reports are told apart.

    inputs: of the question, as texts; side: of the claim: "lower" needs a third item where their number is not given.
    """
    if "randomizer" not in inputs:
        return {"randomizer": "the named randomizer", "reports": NamedRandomizer.reports}
    chosen = NAMED[inputs["randomizer"]]
    told = [chosen.says, *(f"{name} = {inputs[name]}" for name in ("k", "d", "blocks", "buckets") if name in inputs)]
    told += [f"{inputs['family']} hash functions"] if "family" in inputs else []
    if chosen in ONE_COORDINATE_EACH and "k" not in inputs:
        told.append("three items or more" if side == "lower" else "any number of items")
    return {"randomizer": ", ".join(told), "reports": chosen.reports}


def unknown_randomizer(randomizer: NamedRandomizer, what: str) -> UnsupportedError:
    """The refusal of an engine that has no case for a randomizer. what: that it was asked for."""
    return UnsupportedError(
        what=f"{what} of {randomizer.name!r}", reason="this engine does not know it", advice="ask another engine or method"
    )


def of_given(given: Given) -> NamedRandomizer:
    """The randomizer of a question, from its parameters. Raises DomainError as `named` does."""
    return named(given["randomizer"], **{name: cast(Number | None, given.get(name)) for name in _READ})


def with_record(
    given: Given, *, as_spoken_of: Callable[[NamedRandomizer], NamedRandomizer] = lambda record: record
) -> dict[str, Value | NamedRandomizer]:
    """The parameters of a question as engines take them: name and sizes as one record. as_spoken_of: what a method makes of that."""
    return {**{name: value for name, value in given.items() if name not in _READ}, "randomizer": as_spoken_of(of_given(given))}


RANDOMIZER = Parameter(
    name="randomizer",
    option="--randomizer",
    metavar="NAME",
    accepts=f"one of {', '.join(NAMED)}",
    says=f"One of {', '.join(NAMED)}",
    check=lambda _, given: of_given(given),
)


def _size(name: str, unit: str, accepts: str, says: str) -> Parameter:
    """What some named randomizers take: checked with the randomizer."""
    takers = [each.name for each in NAMED.values() if name in each.takes()]
    return Parameter(
        name=name,
        option=f"--{name}",
        metavar="COUNT",
        unit=unit,
        accepts=accepts,
        says=f"{says} of randomizer {', '.join(takers)}",
        check=lambda _, __: None,
    )


SIZES = (
    _size("k", "items", "an integer of at least 2", "Items"),
    _size("d", "items", "an integer from 1 to k - 1", "Size of the subsets"),
    _size("blocks", "blocks", "a power of two", "Blocks (ASZ19's if not given)"),
    _size("buckets", "buckets", "an integer of at least 2", "Hash buckets"),
    Parameter(
        name="family",
        option="--family",
        metavar="|".join(FAMILIES),
        accepts=" or ".join(FAMILIES),
        says="Hash functions of randomizer hash: all functions alike, or the worst family; if not given, what a method speaks of",
        check=lambda _, __: None,
    ),
)
"""Every size and setting that a named randomizer may have, as parameters of methods."""
