"""Certificates of plans against what plans mean: drawn plans of a few users, all features together, by exact enumeration."""

import itertools
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from drawn_plans import HOMOGENEOUS, LARGEST, ROUNDING, compare, drawn_plan, how_many_homogeneous, on_coarse_grids, readings, size, worst

from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.schema import parsed
from shuffleproof.spec.plans import meaning, reading
from shuffleproof.spec.plans.meaning import Coin
from shuffleproof.spec.plans.reading import meanings
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import ShuffleproofError

COMPARED = 75
"""Plans of a block whose certificates are compared: 300 in all."""


@pytest.mark.parametrize("block", range(4))
def test_certificates_of_drawn_plans_hold(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of plans and of combinations of features are printed: `pytest -s` shows them."""
    on_coarse_grids(monkeypatch)
    outcomes, combinations = Counter[str](), set[frozenset[str]]()
    for number in itertools.count(2000 * block):
        outcome, features = compare(number)
        outcomes[outcome.partition(":")[0]] += 1
        combinations |= {features} if outcome == "held" else set()
        if outcomes["held"] == COMPARED:
            break
    print(f"{dict(outcomes)}, {len(combinations)} combinations of features")
    assert len(combinations) > COMPARED // 2


def test_a_column_of_two_questions_holds_what_both_can_be_asked_about() -> None:
    asked = [{"name": f"q{k}", "column": "a", "randomizer": "krr", "k": k, "epsilon0": "ln 3"} for k in (2, 3)]
    target = {"epsilon": 1, "delta": "1/100"}
    for order in (asked, asked[::-1]):
        table = {"relation": "one-user", "target": target, "rounds": [{"name": "r", "users": 2, "questions": order}]}
        assert worst(table, Fraction(2)) > Fraction(1, 100)


def test_who_is_in_a_round_without_overlap_alone_is_enumerated() -> None:
    asked = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 3"}
    rounds = [{"name": name, "users": 1, "questions": [asked], **overlap} for name, overlap in (("r", {"overlap": 0}), ("s", {}))]
    found = list(meanings({"relation": "one-user", "rounds": rounds}))
    assert sorted([0 in each.lists[0] for each in plan.rounds] for plan in found) == [[False, True], [True, False]]


def test_two_coins_for_two_questions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A meaning in which each attempt of a batch has coins of its own gives other divergences."""
    asked = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 9"}
    table = {
        "relation": "one-user",
        "target": {"epsilon": 1, "delta": "1/100"},
        "rounds": [{"name": "r", "users": 2, "repeat": 2, "rate": "1/4", "batch": "b", "questions": [asked]}],
    }
    as_meant = worst(table, Fraction(3))

    def own_coin(self: meaning.Round, user: int, attempt: int) -> Coin:
        return user, self.name, attempt

    monkeypatch.setattr(meaning.Round, "coin", own_coin)
    assert worst(table, Fraction(3)) < as_meant


def reached(table: dict[str, Any]) -> bool:
    """Whether homogeneous neighbours have the delta of the plan just below its lower bound."""
    found = evaluate(parsed(table))
    assert found.lower > 0
    E = max(Fraction(1), exp_bounds(found.lower, bits=96)[0] * (1 - ROUNDING))
    delta = Fraction(table["target"]["delta"])
    return any(worst(one, E, until=delta) > delta for one in readings(table))


@pytest.mark.parametrize("block", range(1))
def test_lower_bounds_of_drawn_plans_are_reached(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a pair of datasets whose other users hold one value, among all of these."""
    monkeypatch.setattr(reading, "MODULUS", 60)  # what is lost of the Laplace noise is then below what rounding may lose
    found = 0
    for seed in itertools.count(2000 * block + 1000):
        table = drawn_plan(random.Random(seed))
        # Of more users than planned, and of questions on one column with other domains, these pairs are not the worst ones.
        more_users = any("least" in each and "exactly" not in each for each in table["rounds"])
        shared = any(len({one["column"] for one in each["questions"]}) < len(each["questions"]) for each in table["rounds"])
        if more_users or shared or size(table) > LARGEST or how_many_homogeneous(table) > HOMOGENEOUS:
            continue
        try:
            lower = evaluate(parsed(table)).lower
        except ShuffleproofError:
            continue
        if lower:
            assert reached(table), f"seed {seed}: {float(lower)} is not reached: {table}"
            found += 1
        if found == 12:
            break
