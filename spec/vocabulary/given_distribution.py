"""The distribution of a finite randomizer that a user gives, exactly, and the methods that speak of it by everything it says."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import ANOTHER_PLACE, BLANKET, HOMOGENEOUS
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, shortest

View = Literal["above", "below"]
MOST_USERS = 10**9
"""Users of a given distribution at most, whoever answers: float64 and the optimal pair go no further, and balls come to no end there."""
_GIVEN = ("BEYOND.any-law-given",)
OF_DISTRIBUTIONS: Mapping[View, Method] = {
    "above": replace(
        BLANKET,
        also=_GIVEN,
        pair="the given distribution's privacy blanket",
        follows="a randomizer with the given distribution, used by every user and run on shuffled data, satisfies ({epsilon}, {delta})-DP",
    ),
    "below": replace(
        HOMOGENEOUS,
        also=_GIVEN,
        pair="the neighbouring datasets that are named, under the given distribution",
        follows="the neighbouring datasets that are named reach it, so a randomizer with the given distribution, used by every user and "
        "run on shuffled data, has no smaller {quantity}; other pairs may be worse",
    ),
}
"""From above by the blanket, from below by datasets in which all others hold one input."""
PLACE_OF_DISTRIBUTION = replace(
    ANOTHER_PLACE,
    also=(*ANOTHER_PLACE.also, "BEYOND.swap-in-order", *_GIVEN),
    pair="a report of the given distribution swapped with that of a random other user, the others' reports revealed with their senders",
    follows=OF_DISTRIBUTIONS["above"].follows,
)
"""From above, for many users, by the place of a random other user's report."""


@dataclass(frozen=True)
class GivenDistribution:
    """inputs by name; rows: for each input the probabilities of all outcomes, exact, in one order.

    Raises DomainError where there are fewer than two inputs, rows differ in length, a probability is negative, or a row does not sum to 1.
    """

    inputs: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        require(
            len(self.inputs) >= 2, parameter="distribution", value=len(self.inputs), requirement="the distributions of at least two inputs"
        )
        for name, row in zip(self.inputs, self.rows, strict=True):
            place = f"distribution at input {name!r}"
            require(len(row) == len(self.rows[0]), parameter=place, value=len(row), requirement=f"{len(self.rows[0])} probabilities")
            least = min(row, default=Fraction(0))
            require(least >= 0, parameter=place, value=shortest(least), requirement="probabilities of at least 0")
            total = sum(row, Fraction(0))
            require(total == 1, parameter=f"sum of the {place}", value=shortest(total), requirement="1")

    @cached_property
    def columns(self) -> dict[tuple[Fraction, ...], int]:
        """The probabilities of an outcome under every input, and how many outcomes have these."""
        found: dict[tuple[Fraction, ...], int] = {}
        for column in zip(*self.rows, strict=True):
            if any(column):
                found[column] = found.get(column, 0) + 1
        return found

    @cached_property
    def largest_ratio(self) -> Fraction:
        """The largest likelihood ratio of two inputs where neither probability is 0."""
        ratios = [max(positive) / min(positive) for column in self.columns if (positive := [p for p in column if p])]
        return max(ratios, default=Fraction(1))

    @cached_property
    def given_away(self) -> Fraction:
        """Return what no epsilon covers: the largest probability, under one input, of outcomes that another input never sends."""
        pairs = range(len(self.rows))
        return max(
            sum((p for p, q in zip(self.rows[x], self.rows[z], strict=True) if not q), Fraction(0)) for x in pairs for z in pairs if x != z
        )

    def covered(self, delta: Fraction) -> Epsilon:
        """The epsilon from which on delta(epsilon) is `given_away`. Raises RegimeError where that is more than delta."""
        if self.given_away > delta:
            told = decimal_text(self.given_away, digits=4, direction="down")
            raise RegimeError(
                statement="BEYOND.any-law-identity",
                condition="a delta of at least the probability of what another input never sends",
                given=f"a probability of {told}",
                advice="with such a distribution no epsilon is enough; ask for delta, or give every input every outcome",
            )
        return Epsilon(None, self.largest_ratio)

    def told(self) -> dict[str, str]:
        """Return what is said of it beside a result."""
        return {"law": f"{len(self.inputs)} inputs, {len(self.rows[0])} outcomes"}
