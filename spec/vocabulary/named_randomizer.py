"""What every named local randomizer declares: its name, what it takes beside epsilon0, and its output classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from inspect import get_annotations
from typing import Any, ClassVar, Literal, get_args

from shuffleproof.spec.vocabulary.errors import UnsupportedError, as_named, require, require_one_of
from shuffleproof.spec.vocabulary.likelihoods import Classes, Dataset
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, exact_fraction
from shuffleproof.spec.vocabulary.parameters import Value

Family = Literal["any", "uniform"]
_LEAST_CHANCE = Fraction(1, 10**12)
"""Of a bit: nearer to 0 or 1 the digits of float64's decimals would not be enough."""
FAMILIES: tuple[Family, ...] = get_args(Family)
"""Of hash functions."""
LARGEST_DISTRIBUTION = 2_000
"""Inputs times messages of a distribution that is still enumerated: seconds."""
Exact = tuple[int, int, Callable[[], Any]]
"""How many inputs and messages, and what makes the distribution, a `LocalRandomizer`."""


@dataclass(frozen=True, kw_only=True)
class NamedRandomizer:
    """A local randomizer by its name, with its settings, checked: fields that may be left out are None.

    name: the kit's, with others in aliases; called: for users, if that is another one; says: what it is; reports: how `homogeneous`
    distinguishes its reports; noise: whether it is noise on a number, whose likelihoods no list of classes holds; alike: whether permuting
    the inputs changes nothing; continuous: whether `others` stands for mixtures of them and of what is below them, so that what is left of
    R_k may depend on its level alone; also: ledger ids that its bounds rest on; for_items: what is said on either side of any number of
    items, where that may be left out. Raises DomainError where a setting lies outside its domain.

    Under epsilon0 > 0 each output y has one of two probabilities, as it prefers an input or not, with a ratio of T = e^epsilon0. The
    methods below state which outputs there are, as classes, for the inputs that the engines ask about.
    """

    name: ClassVar[str]
    says: ClassVar[str]
    called: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    reports: ClassVar[str] = "all reports distinguished"
    noise: ClassVar[bool] = False
    alike: ClassVar[bool] = True
    continuous: ClassVar[bool] = False
    also: ClassVar[tuple[str, ...]] = ()
    for_items: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        """Raise TypeError for a randomizer that is declared half: what is missing would end an engine that asks for it."""
        super().__init_subclass__()
        if "name" not in cls.__dict__:
            return  # what several of them share
        needed = ("says", "exact", *(() if cls.noise else ("against_blanket", "datasets", "three_inputs")))
        lacking = [each for each in needed if getattr(cls, each, None) is getattr(NamedRandomizer, each, None)]
        unknown = [each for each, kind in get_annotations(cls).items() if "ClassVar" not in str(kind) and each not in SETTINGS]
        lacking += [f"a reader in SETTINGS for {each}" for each in unknown]
        if lacking:
            raise TypeError(f"randomizer {cls.name!r} is declared half: it lacks {', '.join(lacking)}")

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None:
                object.__setattr__(self, each.name, SETTINGS[each.name](value))
        self.check()

    def check(self) -> None:
        """Raise DomainError where settings do not fit each other."""

    @classmethod
    def printed(cls) -> str:
        """Its name wherever people read it."""
        return cls.called or cls.name

    @classmethod
    def needs(cls) -> tuple[str, ...]:
        """The settings that have to be given."""
        return tuple(each.name for each in fields(cls) if each.default is MISSING)

    @classmethod
    def takes(cls) -> tuple[str, ...]:
        """The settings that may be given, needed or not."""
        return tuple(each.name for each in fields(cls))

    def inputs(self, **asked: Value) -> dict[str, str]:
        """Return what was asked, as texts: n, the randomizer, and the rest."""
        return as_given(n=asked.pop("n"), **self.settings(), **asked)

    def settings(self) -> dict[str, Any]:
        """Return its name and what was said of it, None where nothing was."""
        return {"randomizer": self.printed(), **{each.name: getattr(self, each.name) for each in fields(self)}}

    @property
    def implied_epsilon0(self) -> Epsilon | None:
        """The epsilon0 that the settings imply, where they do."""
        return None

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """Its exact distribution for e^epsilon0 = T, with which the classes below are compared.

        most: items that are enough, where each further one only adds bits of one distribution. Raises UnsupportedError where it has none.
        """
        raise NotImplementedError

    def two_inputs(self, epsilon0: Epsilon) -> Classes:
        """The classes of two inputs that are furthest apart; the third place says nothing."""
        return self.against_blanket(epsilon0)

    def against_blanket(self, epsilon0: Epsilon) -> Classes:
        """The classes of the two inputs that are worst against the blanket, which is in the third place (BEYOND.any-law-worst-pair)."""
        raise NotImplementedError

    def datasets(self, epsilon0: Epsilon) -> tuple[Dataset, ...]:
        """Neighbouring datasets in which all others hold one input: those that may be the worst of all such."""
        raise NotImplementedError

    def three_inputs(self, epsilon0: Epsilon) -> Classes | None:
        """The classes of three inputs, any order of which has the same, where the three can be distinguished; else None."""
        raise NotImplementedError

    def others(self, epsilon0: Epsilon) -> tuple[Classes, ...]:
        """Return the classes for all that another user may hold.

        Of any x_0, x_1 and x_2, in one order of the first two, they are a mixture
        of these, or of fewer spread (BEYOND.any-law-place).
        """
        return tuple(each.classes for each in self.datasets(epsilon0))

    @property
    def furthest(self) -> NamedRandomizer:
        """The randomizer that has this one's largest total variation: itself, unless it stands for many."""
        return self


def half_power(T: Fraction, name: str) -> Fraction:
    """e^(epsilon0/2) for e^epsilon0 = T, the square of a rational. Raises UnsupportedError, naming the randomizer, for any other."""
    root = Fraction(math.isqrt(T.numerator), math.isqrt(T.denominator))
    if root**2 != T:
        raise UnsupportedError(
            what=f"{name!r} with e^epsilon0 = {T} in exact arithmetic",
            reason="e^(epsilon0/2) is irrational",
            advice='give e^epsilon0 as the square of a rational, such as "ln 9/4", or use engine "ball"',
        )
    return root


def _chance(value: Number, parameter: str) -> Fraction:
    exact = exact_fraction(value, parameter=parameter)
    requirement = "a probability from 10^-12 to 1 - 10^-12"
    require(_LEAST_CHANCE <= exact <= 1 - _LEAST_CHANCE, parameter=parameter, value=value, requirement=requirement)
    return exact


def _within(value: Number, parameter: str, most: Fraction) -> Fraction:
    exact = exact_fraction(value, parameter=parameter)
    require(0 < exact <= most, parameter=parameter, value=value, requirement=f"above 0, at most {most}")
    return exact


SETTINGS: Mapping[str, Callable[[Number], int | str | Fraction]] = {
    "k": lambda value: count(value, parameter="k", minimum=2),
    "d": lambda value: count(value, parameter="d"),
    "blocks": lambda value: count(value, parameter="blocks"),
    "buckets": lambda value: count(value, parameter="buckets", minimum=2),
    "family": lambda value: require_one_of(as_named(value, FAMILIES), FAMILIES, parameter="family"),
    "p_own": lambda value: _chance(value, "p_own"),
    "p_other": lambda value: _chance(value, "p_other"),
    "radius": lambda value: _within(value, "radius", Fraction(1, 2)),
}
"""How each setting is read, which raises DomainError."""
