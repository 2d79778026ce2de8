"""Which method answers where none is named: the least bound among those that are cheap, by an order of preference with estimated costs.

A method that is to answer by itself needs one entry in PREFERENCES, in the place where it would win a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from shuffleproof.methods import METHODS, engines_for
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.methods import (
    K_RR_BLANKET,
    OPTIMAL_PAIR,
    RANDOMIZER_PAIR,
    STRONGER_APPROX_CLONES,
    STRONGER_CLONES,
    Method,
)
from shuffleproof.spec.vocabulary.numerals import Number, count
from shuffleproof.spec.vocabulary.parameters import CENTRAL, Given, N, Value
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, class_named

CHEAP = 3.0
"""Seconds, as estimated, within which a method is asked beside the others."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Preference:
    """A method that may answer by itself. seconds: about what it takes for so many users, by certified balls, on one core."""

    method: Method
    seconds: Callable[[int], float]


def _pair_in_balls(n: int) -> float:
    """The optimal pair: sums over all counts, up to where balls refuse and float64 answers."""
    return 0.0045 * n if n < 10**5 else 2.0


PREFERENCES = (
    # Never above the clones pair, for the same randomizers and neighbours (BEYOND.CorF2), at the same cost.
    Preference(method=STRONGER_CLONES, seconds=lambda n: 0.1),
    # Never above Theorem 3.8's delta0 terms (FMT21.Thm3.8-constant).
    Preference(method=STRONGER_APPROX_CLONES, seconds=lambda n: 0.1),
    Preference(method=OPTIMAL_PAIR, seconds=_pair_in_balls),
    Preference(method=K_RR_BLANKET, seconds=lambda n: 0.012 * n**0.5),
    Preference(method=RANDOMIZER_PAIR, seconds=_pair_in_balls),
)
"""In the order in which they win ties."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A method that may answer a question, with its parameters there. cheap: whether it is asked at once, or if others fail."""

    method: Method
    parameters: dict[str, Value]
    cheap: bool


def candidates(quantity: Quantity, parameters: Given, *, engine: str = "auto") -> list[Candidate]:
    """The methods that fit what was given: those that are cheap, or the cheapest, in the order of preference; then others by their cost.

    engine: one of the engines, which the methods then must have, or "auto". Raises DomainError where the method has to be named.
    """
    users = count(cast(Number, parameters["n"]), parameter="n")
    fitting = [
        (each.seconds(users), each.method, asked)
        for each in PREFERENCES
        if quantity in each.method.quantities and (asked := _asked(each.method, quantity, parameters)) is not None
    ]
    able = [row for row in fitting if engine == "auto" or engine in engines_for(row[1], quantity)] or fitting
    if not able:
        return [Candidate(method=_nearest(quantity, parameters), parameters=dict(parameters), cheap=True)]
    limit = max(CHEAP, min(seconds for seconds, _, _ in able))
    able.sort(key=lambda row: max(row[0], limit))
    return [Candidate(method=method, parameters=asked, cheap=seconds <= limit) for seconds, method, asked in able]


def _asked(method: Method, quantity: Quantity, parameters: Given) -> dict[str, Value] | None:
    """The parameters under which a method answers this question, or None where it does not."""
    given = dict(parameters)
    if method.of_randomizer is not None and (
        RANDOMIZER.name not in given or class_named(given.pop(RANDOMIZER.name)) != method.of_randomizer
    ):
        return None
    own = given.keys() - {N.name, CENTRAL[quantity].name}
    return given if set(method.takes) <= own <= set(method.may_take) else None


def _nearest(quantity: Quantity, parameters: Mapping[str, Value]) -> Method:
    """The method whose refusal tells best what is missing or too much. Raises DomainError where it has to be named."""
    if RANDOMIZER.name in parameters:
        return RANDOMIZER_PAIR
    own = parameters.keys() - {N.name, CENTRAL[quantity].name}
    takers = [each.name for each in METHODS.values() if quantity in each.quantities and set(each.takes) == own]
    if takers:
        told = " and ".join(sorted(own))
        raise DomainError(
            parameter="method", value="(nothing)", requirement=f"given: {', '.join(takers)} take{'s'[: len(takers) == 1]} {told}"
        )
    return STRONGER_CLONES
