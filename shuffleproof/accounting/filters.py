"""Budgets for what is decided on the way: a release is admitted before it is made, or refused, and what was admitted holds together.

Each release, and its own parameters, may be chosen by everything that was released before. `Filter` adds up (epsilon, delta), or Renyi
divergences of one order that is fixed at the start; `PlanFilter` holds the rounds of a plan in any order. See docs/mathematics/filters.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from shuffleproof.accounting.rounds import Rounds
from shuffleproof.accounting.rounds_below import rounds_below
from shuffleproof.keywords import own_arithmetic, own_names
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.planning.plan.answer import Evaluation
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.reading import plan_of
from shuffleproof.planning.plan.schema import Plan
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    amount,
    count,
    decimal_text,
    float_toward,
    parse_epsilon,
    probability,
    renyi_order,
)
from shuffleproof.spec.vocabulary.tables import Tabular

__dir__ = own_names(__name__)

By = Literal["basic", "renyi"]
STATEMENTS: Mapping[By, str] = {"basic": "BEYOND.filter-basic", "renyi": "BEYOND.filter-renyi"}
_BITS = 128
"""Bits of the rational below the budget's epsilon: what is lost of it is less than 1e-38."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Spent(Tabular):
    """Holds what has been admitted so far: upper bounds. epsilon: of all releases together at this delta; releases: how many."""

    epsilon: Fraction
    delta: Fraction
    releases: int

    @property
    def headline(self) -> str:
        """The line that is printed."""
        return str(self)

    def columns(self) -> dict[str, list[Any]]:
        """One row: how many releases, their epsilon and delta at most, as floats."""
        return {"releases": [self.releases], "at_most": [_up(self.epsilon)], "delta_at_most": [_up(self.delta)]}

    def __str__(self) -> str:
        shown = (decimal_text(each, digits=8, direction="up") for each in (self.epsilon, self.delta))
        return f"epsilon <= {next(shown)} at delta = {next(shown)} after {amount(self.releases, 'release')}"


class Filter(Tabular):
    """A budget (epsilon, delta) for releases that are chosen adaptively, on the same users.

    epsilon, delta: the budget, delta below 1, above 0 by "renyi"; by: "basic", which adds up every release's (epsilon, delta), or "renyi",
    which adds up Renyi divergences of this order (above 1, fixed before anything is released). What is admitted speaks of the same
    neighbouring datasets as the first release does. Raises DomainError.

    >>> from shuffleproof import AnyRandomizer, shuffled
    >>> budget = Filter(epsilon="1/2", delta="1e-6")
    >>> budget.admit(shuffled(AnyRandomizer(epsilon0=1), n=10_000), delta="1e-7").releases
    1
    """

    def __init__(self, *, epsilon: Number | Epsilon, delta: Number, by: By = "basic", order: Number | None = None) -> None:
        self._most, self._most_delta = parse_epsilon(epsilon).bounds(bits=_BITS)[0], probability(delta, parameter="delta")
        self.by: By = "renyi" if require_one_of(by, STATEMENTS, parameter="by") == "renyi" else "basic"
        wanted = 'given with by = "renyi", and only then'
        require((order is None) == (self.by == "basic"), parameter="order", value=order, requirement=wanted)
        inside = self._most_delta < 1 and (self.by == "basic" or self._most_delta > 0)
        require(inside, parameter="delta", value=delta, requirement="below 1, and above 0")
        self._order = None if order is None else renyi_order(order)
        self._epsilon, self._delta, self._divergence, self._releases = Fraction(0), Fraction(0), Fraction(0), 0
        self._datasets: str | None = None
        self._admitted: dict[Mechanism, int] = {}
        self._known: dict[tuple[Mechanism | Rounds, Fraction], Fraction] = {}  # a year of one survey is fifty-two equal releases

    @property
    def headline(self) -> str:
        """The budget, and what has been used of it."""
        most, delta = self._budget
        return f"epsilon <= {most} at delta = {delta}: {self.spent}"

    def __str__(self) -> str:
        below = self.below
        told = "" if below is None else f"; no epsilon below {decimal_text(below.lower, digits=8, direction='down')} holds of them"
        return self.headline + told

    def columns(self) -> dict[str, list[Any]]:
        """Return what has been used, and the budget: epsilon and delta at most, as floats; and how many releases there were."""
        spent, nothing = self.spent.columns(), float("nan")
        most, most_delta = (float_toward(each, direction="down") for each in (self._most, self._most_delta))
        return {
            "of": ["used", "budget"],
            "at_most": [*spent["at_most"], most],
            "delta_at_most": [*spent["delta_at_most"], most_delta],
            "releases": [self._releases, nothing],
        }

    @property
    def statement(self) -> str:
        """The theorem that allows it, by its ledger id."""
        return STATEMENTS[self.by]

    @own_arithmetic()
    def admit(self, mechanism: Mechanism | Rounds, *, delta: Number = 0) -> Spent:
        """Take a release from the budget, before it is made; what is spent then.

        mechanism: what is released once, or many rounds of it, which count as so many releases; delta: this release's
        share of delta, with "basic"; left out with "renyi". Raises RegimeError where it does not fit, and the budget
        stays as it is; DomainError where it speaks of other neighbouring datasets than those before it; what the mechanism raises.
        """
        one, times = (mechanism.one, count(mechanism.rounds, parameter="rounds")) if isinstance(mechanism, Rounds) else (mechanism, 1)
        datasets = one.neighbours().value
        wanted = f"about the neighbouring datasets of the releases before it ({self._datasets}), and these are others ({datasets})"
        require(self._datasets in (None, datasets), parameter="mechanism", value=mechanism, requirement=wanted)
        if self.by == "renyi":
            assert self._order is not None
            require(delta == 0, parameter="delta", value=delta, requirement='left out with by = "renyi": it is paid once, at the end')
            divergence = self._divergence + self._loss(mechanism, Fraction(0))
            spent = Spent(epsilon=self._converted(divergence), delta=self._most_delta, releases=self._releases + times)
        else:
            divergence, share = self._divergence, probability(delta, parameter="delta")
            loss = self._epsilon + self._loss(mechanism, share)
            spent = Spent(epsilon=loss, delta=self._delta + share, releases=self._releases + times)
        if spent.epsilon > self._most or spent.delta > self._most_delta:
            most, most_delta = self._budget
            raise RegimeError(
                statement=self.statement,
                condition=f"epsilon <= {most} and delta <= {most_delta} for all together",
                given=f"{spent} with {mechanism}",
                advice="release less, with more noise, or not at all: nothing was taken from the budget",
            )
        self._epsilon, self._delta, self._divergence, self._releases = spent.epsilon, spent.delta, divergence, spent.releases
        self._datasets = datasets
        self._admitted[one] = self._admitted.get(one, 0) + times
        return spent

    @property
    def below(self) -> Bound | None:
        """A lower bound on epsilon of all that was admitted, at the delta that is used: one neighbouring pair of datasets in all of it.

        None where none is known. It takes a second or more, once for the same releases (BEYOND.rounds-below).
        """
        delta = self.spent.delta
        return _below(tuple(self._admitted.items()), delta) if 0 < delta < 1 else None

    @property
    def spent(self) -> Spent:
        """The odometer: what has been used of the budget on this path. What may be promised in advance is the budget."""
        delta = self._delta if self.by == "basic" else self._most_delta
        return Spent(epsilon=self._epsilon, delta=delta, releases=self._releases)

    @property
    def _budget(self) -> tuple[str, str]:
        """Epsilon and delta of all together, as texts."""
        epsilon, delta = (decimal_text(each, digits=8, direction="down") for each in (self._most, self._most_delta))
        return epsilon, delta

    def _loss(self, mechanism: Mechanism | Rounds, delta: Fraction) -> Fraction:
        """Return what a release takes, by the filter's measure; asked once for releases that are alike."""
        known = self._known.get((mechanism, delta))
        if known is None:
            found = mechanism.epsilon(delta=delta) if self._order is None else mechanism.renyi(order=self._order)
            known = self._known[mechanism, delta] = (found if isinstance(found, Bound) else found.upper).upper
        return known

    def _converted(self, divergence: Fraction) -> Fraction:
        from shuffleproof.impl.ball.composition import by_renyi

        assert self._order is not None
        return by_renyi(divergences=[(self._order, divergence)], rounds=1, delta=self._most_delta)[0]


class PlanFilter(Tabular):
    """A plan's rounds, held in any order that is decided on the way; each as often as the plan says at most, or never.

    plan: as `check_plan` takes it; its target must be certified to be met. Raises RegimeError where it is not; what `evaluate` raises.
    """

    statement = "BEYOND.filter-planned"

    def __init__(self, plan: Plan | str | Path | Mapping[str, Any]) -> None:
        plan = plan_of(plan)
        self.evaluation: Evaluation = evaluate(plan, lower=False)
        self._left = {each.name: each.repeat for each in plan.rounds}
        if self.evaluation.met is not True:
            found = decimal_text(self.evaluation.upper, digits=8, direction="up")
            raise RegimeError(
                statement=self.statement,
                condition=f"a plan that is certified to meet its target, epsilon <= {plan.wanted}",
                given=f"epsilon <= {found}",
                advice="`plan check` with --most-repeats, --least-users or --least-noise says what would be met",
            )

    def __repr__(self) -> str:
        return f"<PlanFilter: {self.headline}>"

    def __str__(self) -> str:
        return self.headline

    @property
    def headline(self) -> str:
        """How often each round may still be held."""
        return ", ".join(f"{name} {times} times more" for name, times in self._left.items())

    def columns(self) -> dict[str, list[Any]]:
        """The rounds, and how often each may still be held."""
        return {"round": list(self._left), "left": list(self._left.values())}

    @property
    def left(self) -> dict[str, int]:
        """How often each round may still be held."""
        return dict(self._left)

    def hold(self, round_: str) -> int:
        """Hold a round once more; how often it may be held after that. Raises DomainError for an unknown round, or one that is used up."""
        require_one_of(round_, self._left, parameter="round")
        if not self._left[round_]:
            raise DomainError(parameter="round", value=round_, requirement="one that is left: the plan holds it no more often")
        self._left[round_] -= 1
        return self._left[round_]


@lru_cache(maxsize=8)
def _below(admitted: tuple[tuple[Mechanism, int], ...], delta: Fraction) -> Bound | None:
    return rounds_below(admitted, delta=delta, of="the releases that were admitted")


def _up(x: Fraction) -> float:
    return float_toward(x, direction="up")
