"""The local randomizers that can be named where a bound is asked for, with what each one needs beside epsilon0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import Number, count
from shuffleproof.spec.vocabulary.parameters import Given, Parameter, Value

RandomizerName = Literal["krr", "laplace", "rappor", "asymmetric-rappor", "subset", "hadamard", "hash"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """A randomizer by its name. says: what it is; needs: parameters that must be given; takes: those that may be."""

    name: str
    says: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


NAMED: Mapping[str, Named] = {
    each.name: each
    for each in (
        Named(name="krr", says="k-ary randomized response", needs=("k",)),
        Named(name="laplace", says="Laplace noise of scale 1/eps0 on [0, 1]"),
        Named(name="rappor", says="RAPPOR, one report", takes=("k",)),
        Named(name="asymmetric-rappor", says="optimized unary encoding", takes=("k",)),
        Named(name="subset", says="d-subset selection of k items", needs=("k", "d")),
        Named(name="hadamard", says="Hadamard response of k items, in ASZ19's blocks if none are given", needs=("k",), takes=("blocks",)),
        Named(name="hash", says="local hashing into buckets, any family of hash functions", needs=("buckets",), takes=("k",)),
    )
}


ALIASES: Mapping[str, str] = {"k-rr": "krr", "k-subset": "subset"}
"""The names that other commands and the conformance protocol use -> the names above."""


def canonical_name(randomizer: object) -> str:
    """The name that is used here for a randomizer, which may have been called by another."""
    return ALIASES.get(str(randomizer), str(randomizer))


def named(randomizer: object, **given: Number | None) -> tuple[Named, dict[str, int]]:
    """The randomizer of this name and its parameters, checked: k, d, blocks, buckets, None where not given.

    k: items, at least 2; d: from 1 to k - 1; blocks: a power of two; buckets: at least 2. Raises DomainError.
    """
    randomizer = ALIASES.get(str(randomizer), randomizer)
    if randomizer not in NAMED:
        raise DomainError(parameter="randomizer", value=randomizer, requirement=f"one of {', '.join((*NAMED, *ALIASES))}")
    chosen, own = NAMED[str(randomizer)], {}
    for name, value in given.items():
        if value is None and name in chosen.needs:
            raise DomainError(parameter=name, value="(nothing)", requirement=f"given: randomizer {chosen.name!r} needs it")
        if value is not None and name not in chosen.needs + chosen.takes:
            raise DomainError(parameter=name, value=value, requirement=f"left out: randomizer {chosen.name!r} does not take it")
        if value is not None:
            own[name] = count(value, parameter=name, minimum=2 if name in ("k", "buckets") else 1)
    if own.get("d", 1) >= own.get("k", 2):
        raise DomainError(parameter="d", value=own["d"], requirement=f"an integer from 1 to k - 1 = {own['k'] - 1}")
    if (blocks := own.get("blocks", 1)) & (blocks - 1):
        raise DomainError(parameter="blocks", value=blocks, requirement="a power of two, at least 1")
    return chosen, own


def _checked(_: Value, given: Given) -> None:
    named(given["randomizer"], **{name: cast(Number | None, given.get(name)) for name in ("k", "d", "blocks", "buckets")})


RANDOMIZER = Parameter(
    name="randomizer",
    option="--randomizer",
    metavar="NAME",
    accepts=f"one of {', '.join(NAMED)}",
    says=f"One of {', '.join(NAMED)}",
    check=_checked,
)


def _of_randomizer(name: str, unit: str, accepts: str, says: str) -> Parameter:
    """What some named randomizers need: checked with the randomizer."""
    takers = [each.name for each in NAMED.values() if name in each.needs + each.takes]
    return Parameter(
        name=name,
        option=f"--{name}",
        metavar="COUNT",
        unit=unit,
        accepts=accepts,
        says=f"{says} of randomizer {', '.join(takers)}",
        check=lambda _, __: None,
    )


ITEMS = _of_randomizer("k", "items", "an integer of at least 2", "Items")
D = _of_randomizer("d", "items", "an integer from 1 to k - 1", "Size of the subsets")
BLOCKS = _of_randomizer("blocks", "blocks", "a power of two", "Blocks (ASZ19's if not given)")
BUCKETS = _of_randomizer("buckets", "buckets", "an integer of at least 2", "Hash buckets")
