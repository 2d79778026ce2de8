"""Plans that earlier versions certified too small an epsilon: what they say now, as the guide has it, and those faults planted again."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn_plans import on_coarse_grids, worst
from plan_tables import table_of
from scipy.stats import binom

from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.planning.plan import evaluation, releases
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.reading import parsed
from shuffleproof.planning.plan.releases import Release
from shuffleproof.planning.plan.schema import Plan
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import decimal_text

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "plan-a-deployment.md").read_text("utf-8")
LAPLACE = {"protocol": "laplace-sum", "sensitivity": 1}
FLIPS = {"randomizer": "krr", "k": 2}
MANY = {"randomizer": "krr", "k": 10**9, "epsilon0": "ln 1.01", "memoised": True}
FAKES = {"protocol": "fake-users", "fakes": 100, "p": "1/2"}
BINS = {"protocol": "histogram", "p": "1/2"}
VECTORS = {"randomizer": "rappor", "epsilon0": 2, "view": "sums", "coordinates": 1}


FALSE_ABOVE = [
    (
        "five Laplace sums on one coin",
        "0.0905",
        "1.0334",
        table_of(*[{**LAPLACE, "epsilon0": 1}] * 5, users=10_000, rate="1/100", least=10),
    ),
    (
        "two binary responses on one coin",
        "1.7328",
        "2.3757",
        table_of(*[{**FLIPS, "epsilon0": 3}] * 2, users=20, rate="1/10", delta="0.01"),
    ),
    (
        "the same, `one-value`",
        "1.4358",
        "1.6962",
        table_of(*[{**FLIPS, "epsilon0": 3}] * 2, users=20, rate="1/10", delta="0.01", relation="one-value"),
    ),
    ("least 50 of 100, released on 1,000 rows", "0", "0.4355", table_of({**LAPLACE, "epsilon0": 2}, users=100, rate="1/10", least=50)),
    ("least 150 of 1,000, released on 1,100 rows", "0", "0.168", table_of({**LAPLACE, "epsilon0": 1}, users=1_000, rate="1/10", least=150)),
    (
        "four fake-users questions, `add-remove`",
        "0.01529",
        "0.0272",
        table_of(*[FAKES] * 4, users=100, rate="1/100", neighbours="add-remove"),
    ),
]
"""What it is, what was certified, what is true at least, and the plan."""
REFUSED = [
    (
        "takes part in 3 of 30 rounds, at random",
        "0.5016",
        "1.656",
        "participations, rate",
        table_of({**LAPLACE, "epsilon0": 1}, users=1_000, rate="1/10", repeat=30, participations=3),
    ),
    (
        "memoised beside fresh, 100 rounds",
        "2.188",
        "3.751",
        "memoised, rate",
        table_of(MANY, {**FLIPS, "epsilon0": "ln 100"}, users=20, rate="1/20", repeat=100, delta="0.01", relation="one-value"),
    ),
    (
        "memoised beside fresh, 20 rounds",
        "7.109",
        "8.396",
        "memoised, rate",
        table_of(MANY, {**FLIPS, "epsilon0": "ln 1000"}, users=50, rate="1/50", repeat=20, delta="0.02"),
    ),
    (
        "a batch that one user takes part in once of twice",
        "1.085",
        "2.179",
        "participations, batch",
        table_of({**FLIPS, "epsilon0": "ln 3"}, users=1, batch="panel", repeat=2, participations=1, delta="0.01"),
    ),
]
"""The same, and the keys that are named."""
DROPPED = [
    ("binary response", "2.184", "2.185", table_of({**FLIPS, "epsilon0": "ln 9"}, users=2, rate="1/10", least=2, delta="0.01")),
    ("Laplace sum", "2.079", "2.080", table_of({**LAPLACE, "epsilon0": "ln 9"}, users=3, rate="1/2", least=3, delta="0.1")),
]
"""What is asked where a batch of fewer than all was held again; between which numbers what it loses once all came lies; and the plan."""
FALSE_BELOW = [
    ("fake users, one bin shown", table_of({**FAKES, "items": ["x"]}, users=100)),
    ("histogram, one bin shown", table_of({**BINS, "items": ["x"]}, users=100)),
    ("sums of vectors with one coordinate", table_of(VECTORS, users=100)),
]


@pytest.mark.parametrize(("words", "before", "truth", "table"), FALSE_ABOVE)
def test_a_certificate_is_above_what_was_reached(words: str, before: str, truth: str, table: dict[str, Any]) -> None:
    upper = evaluate(parsed(table)).upper
    assert upper >= Fraction(truth) > Fraction(before)
    assert f"| {words} | {before} | {truth} | {decimal_text(upper, digits=4, direction='up')} |" in GUIDE


def test_what_four_questions_show_of_who_was_there() -> None:
    """The truth of the last plan: P of the noise alone, Q with a message in each question; outcomes that are left out make it smaller."""
    rate, E, seen = 0.01, math.exp(0.0272), np.arange(102)
    one = np.stack([binom.pmf(seen, 100, 0.5), binom.pmf(seen - 1, 100, 0.5)])
    two = one[:, :, None] * one[:, None, :]
    P, Q = two[:, two.sum(axis=0) > 1e-12]
    absent, there = np.outer(P, P), np.outer(Q, Q)
    assert np.maximum((1 - rate) * absent + rate * there - E * absent, 0).sum() > 1.0001e-6


@pytest.mark.parametrize(("words", "before", "truth", "keys", "table"), REFUSED)
def test_a_combination_without_a_theorem_is_refused(words: str, before: str, truth: str, keys: str, table: dict[str, Any]) -> None:
    with pytest.raises(DomainError) as refused:
        parsed(table)
    assert all(key in str(refused.value) for key in keys.split(", "))
    named = " with ".join(f"`{key}`" for key in keys.split(", "))
    assert f"| {words} | {before} | {truth} | refused: {named} |" in GUIDE


@pytest.mark.parametrize(("words", "low", "high", "table"), DROPPED)
def test_a_batch_that_is_held_again_is_another_attempt(words: str, low: str, high: str, table: dict[str, Any]) -> None:
    """Once all came it is a round of everybody, whose bracket has the truth; a certificate of several attempts is above the meaning."""
    (round_,) = table["rounds"]
    everybody = evaluate(parsed({**table, "rounds": [{name: round_[name] for name in ("name", "users", "questions")}]}))
    assert Fraction(low) < everybody.lower <= everybody.upper < Fraction(high)
    held = [evaluate(parsed({**table, "rounds": [{**round_, "repeat": times}]}), lower=False).upper for times in (1, 5)]
    assert 0 < held[0] < everybody.lower < held[1]
    once = decimal_text(held[0], digits=4, direction="up")
    assert f"| {words} | {round_['users']} | {high} | {once} | {decimal_text(held[1], digits=4, direction='up')} |" in GUIDE
    if words == "binary response":  # of a part of a noise the distribution is irrational
        exact = {**table, "rounds": [{**round_, "exactly": True, "repeat": 2}]}
        certified = evaluate(parsed(exact), lower=False).upper
        assert worst({**exact, "neighbours": "replace-one"}, exp_bounds(certified, bits=96)[1]) <= Fraction(table["target"]["delta"])


@pytest.mark.parametrize(("words", "table"), FALSE_BELOW)
def test_no_lower_bound_is_claimed_of_more_than_is_released(words: str, table: dict[str, Any]) -> None:
    assert evaluate(parsed(table)).lower == 0
    assert f"| {words} |" in GUIDE


Patch = pytest.MonkeyPatch
BITS = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 9"}
FAKES_PLANTED = {"name": "q", "protocol": "fake-users", "fakes": 2, "p": "1/2", "items": ["x"]}
FOUR_FAKES = [{**FAKES_PLANTED, "fakes": 6, "name": f"q{at}", "column": "a"} for at in range(4)]
FEW = {**BITS, "epsilon0": "ln 2"}


def a_coin_for_each_question(patch: Patch) -> None:
    def released(counted: Sequence[Release]) -> list[tuple[Mechanism, int]]:
        return [(question.mechanism, times) for _, question, times, _ in counted]

    patch.setattr(releases, "as_mechanisms", released)


def one_value_changes_one_answer(patch: Patch) -> None:
    patch.setattr(evaluation, "_one_value", lambda _, every, parts: max(part.whole for part in parts))


def more_users_hide_better(patch: Patch) -> None:
    init = RandomParticipation.__init__
    patch.setattr(RandomParticipation, "__init__", lambda self, **given: init(self, **{**given, "at_least": False}))


def attempts_are_counted_once(patch: Patch) -> None:
    counted = releases.of_plan

    def once(asked: Plan) -> Iterator[Release]:
        return (each._replace(times=1) for each in counted(asked))

    patch.setattr(releases, "of_plan", once)


def a_group_is_one_user(patch: Patch) -> None:
    patch.setattr(evaluation, "_of_group", evaluation._one_user)


plan = partial(table_of, delta="1/10")
PLANTED: list[tuple[Callable[[Patch], None], dict[str, Any], dict[str, Any]]] = [
    (a_coin_for_each_question, plan(BITS, {**BITS, "name": "p"}, rate="1/4"), {}),
    (a_coin_for_each_question, plan(BITS, rate="1/4", batch="b", repeat=2), {}),
    (a_coin_for_each_question, plan(*FOUR_FAKES, rate="1/10", delta="1/50", neighbours="add-remove"), {}),
    (one_value_changes_one_answer, plan({**BITS, "column": "a"}, {**BITS, "name": "p", "column": "a"}, relation="one-value"), {}),
    (more_users_hide_better, plan(BITS, rate="1/4", least=2, delta="1/20"), {"users": 4}),
    (attempts_are_counted_once, plan(BITS, rate="1/2", repeat=3, eligible=2), {}),
    (attempts_are_counted_once, plan(FEW, repeat=2, delta="1/100"), {}),
    (a_group_is_one_user, {**plan(FEW, delta="1/20"), "group": 2}, {}),
]
"""What is planted, the plan that is certified, and what of it is otherwise than planned where that is within the plan."""


@pytest.mark.parametrize(("planted", "table", "otherwise"), PLANTED)
def test_it_is_noticed(planted: Callable[[Patch], None], table: dict[str, Any], otherwise: dict[str, Any], monkeypatch: Patch) -> None:
    on_coarse_grids(monkeypatch)
    delta, (round_,) = Fraction(table["target"]["delta"]), table["rounds"]
    meant = {**table, "rounds": [{**round_, **otherwise}]}

    def certified() -> Fraction:
        for kept in (releases.single, releases._together, releases._grid, releases._measured):
            kept.cache_clear()
        return exp_bounds(evaluate(parsed(table), lower=False).upper, bits=96)[1]

    assert worst(meant, certified()) <= delta
    planted(monkeypatch)
    assert worst(meant, certified()) > delta
