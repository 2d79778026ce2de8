"""The local randomizers that have a name, and how questions name them.

Each one is declared in a file of its own in `spec/randomizers`. Names, options, help, tables and checks are derived from `NAMED` and
`SIZES`, and what the engines compute from the declarations: a further randomizer is a further file, named here.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import cast

from shuffleproof.spec.randomizers.hadamard_response import Hadamard
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.k_subset import Subset
from shuffleproof.spec.randomizers.laplace import Laplace
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.piecewise import Piecewise
from shuffleproof.spec.randomizers.square_wave import SquareWave
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR, UnaryEncoding
from shuffleproof.spec.vocabulary.errors import DomainError, as_named, require, require_one_of
from shuffleproof.spec.vocabulary.named_randomizer import FAMILIES, SETTINGS, NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Number, epsilon0_parameter
from shuffleproof.spec.vocabulary.parameters import EPSILON0, Given, Parameter, Value

NAMED: Mapping[str, type[NamedRandomizer]] = {
    each.name: each
    for each in (KRR, Laplace, RAPPOR, AsymmetricRAPPOR, Subset, Hadamard, LocalHashing, Piecewise, SquareWave, UnaryEncoding)
}
LISTED = ", ".join(each.printed() for each in NAMED.values())
"""All of them, as they are printed."""
_ALIASES = {alias: each.name for each in NAMED.values() for alias in each.aliases}


def canonical_name(randomizer: object) -> str:
    """The name of a randomizer, which may have been called by another; of what is none, its text."""
    return _canonical(str(randomizer))


@lru_cache(maxsize=256)
def _canonical(text: str) -> str:
    called = as_named(text, (*NAMED, *_ALIASES))
    return _ALIASES.get(called, called)


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
    """Return what a claim calls its randomizer: its name, sizes and hash functions, and no other's; and how its reports are told apart.

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


def with_record(
    given: Given, *, as_spoken_of: Callable[[NamedRandomizer], NamedRandomizer] = lambda record: record
) -> dict[str, Value | NamedRandomizer]:
    """The parameters of a question as engines take them: name and sizes as one record. as_spoken_of: what a method makes of that."""
    return {**{name: value for name, value in given.items() if name not in SETTINGS}, "randomizer": as_spoken_of(of_given(given))}


RANDOMIZER = Parameter(
    name="randomizer",
    option="--randomizer",
    metavar="NAME",
    accepts=f"one of {LISTED}",
    says=f"One of {LISTED}",
    check=lambda _, given: of_given(given),
)


def _size(name: str, unit: str, accepts: str, says: str, *, metavar: str = "COUNT") -> Parameter:
    """Return what some named randomizers take: checked with the randomizer."""
    takers = [each.printed() for each in NAMED.values() if name in each.takes()]
    return Parameter(
        name=name,
        option=f"--{name.replace('_', '-')}",
        metavar=metavar,
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
    _size("p_own", "", "a probability", "Probability that the own bit is 1 (with p_other it implies eps0)", metavar="NUMBER"),
    _size("p_other", "", "a probability", "Probability that another item's bit is 1", metavar="NUMBER"),
    _size("radius", "", "in (0, 1/2]", "Half the window's length (the authors' if not given)", metavar="NUMBER"),
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
