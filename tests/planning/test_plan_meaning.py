"""Certificates of plans against what plans mean, and refusals of several keys together: drawn plans of a few users, by enumeration."""

import itertools
import random
import re
from collections import Counter
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from drawn_plans import HOMOGENEOUS, LARGEST, ROUNDING, compare, drawn_plan, how_many_homogeneous, on_coarse_grids, readings, size, worst
from plan_tables import BITS, table_of

from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.reading import parsed
from shuffleproof.spec.plans import meaning, reading
from shuffleproof.spec.plans.meaning import Coin
from shuffleproof.spec.plans.reading import meanings
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, ShuffleproofError

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
    for order in (asked, asked[::-1]):
        assert worst(table_of(*order), Fraction(2)) > Fraction(1, 100)


def test_who_is_in_a_round_without_overlap_alone_is_enumerated() -> None:
    found = list(meanings(table_of(users=1, overlap=0, other={})))
    assert sorted([0 in each.lists[0] for each in plan.rounds] for plan in found) == [[False, True], [True, False]]


def test_two_coins_for_two_questions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A meaning in which each attempt of a batch has coins of its own gives other divergences."""
    table = table_of({**BITS, "epsilon0": "ln 9"}, repeat=2, rate="1/4", batch="b")
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


GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "plan-a-deployment.md").read_text("utf-8")
FAKES = {"name": "f", "protocol": "fake-users", "fakes": 100, "p": "1/2"}
AT_RANDOM = {"rate": "1/2"}
plan = partial(table_of, users=10)
REFUSED = {
    "`rate` with `participations` below `repeat`": [plan(**AT_RANDOM, repeat=3, participations=2)],
    "`batch`, or `same_users`, with `participations` or `eligible` below `repeat`": [
        plan(batch="b", repeat=2, participations=1),
        plan(same_users=True, repeat=2, participations=1),
        plan(**AT_RANDOM, batch="b", repeat=2, eligible=1),
    ],
    "`memoised` with `rate` and `repeat` above 1, beside a fresh question, without `batch`": [
        plan(BITS, {**BITS, "name": "m", "memoised": True}, **AT_RANDOM, repeat=2)
    ],
    "`memoised` under one question name in two rounds": [
        plan({**BITS, "memoised": True}, other={"questions": [{**BITS, "memoised": True}]})
    ],
    "`batch` with rounds that differ in `rate`, `users`, `dishonest`, `least` or `exactly`": [
        plan(**AT_RANDOM, batch="b", other={"batch": "b", **AT_RANDOM, **change})
        for change in ({"rate": "1/3"}, {"users": 11}, {"dishonest": 1}, {"least": 3})
    ]
    + [plan(**AT_RANDOM, batch="b", least=3, other={"batch": "b", **AT_RANDOM, "least": 3, "exactly": True})],
    "`batch` in two rounds, with `overlap = 0`": [plan(batch="b", overlap=0, other={"batch": "b"})],
    "a protocol with `memoised`": [plan({**FAKES, "memoised": True})],
    "`rate = 1` with `least`; `least` without `rate`; `exactly` without `least`": [
        plan(rate=1, least=2),
        plan(least=2),
        plan(**AT_RANDOM, exactly=True),
    ],
    "`eligible` without `rate`": [plan(repeat=2, eligible=1)],
    '`rate` with `same_users`, or with `released = "when full"`': [
        plan(**AT_RANDOM, same_users=True),
        plan(**AT_RANDOM, released="when full"),
    ],
    '`neighbours = "add-remove"` with `least`, `released = "when full"`, or anything but `fake-users`': [
        plan(FAKES, neighbours="add-remove", **AT_RANDOM, least=2),
        plan(FAKES, neighbours="add-remove", released="when full"),
        plan(neighbours="add-remove"),
    ],
    "a `view` of sums of anything but RAPPOR, symmetric or not, and k-RR": [plan({**BITS, "randomizer": "subset", "d": 1, "view": "sums"})],
    "a `threshold` below 0": [plan({**FAKES, "threshold": -1})],
}
"""The guide's rows, and plans that each of them refuses."""
ONE_EACH = [(row, table) for row, tables in REFUSED.items() for table in tables]


def rows() -> list[str]:
    """The first cells of the guide's table of what is refused together."""
    table = GUIDE.partition("### What is refused together")[2].partition("###")[0]
    return [cell.strip() for cell in re.findall(r"^\| (.+?) \| .+ \|$", table, re.M)[1:]]


def test_the_guides_table_is_complete() -> None:
    assert [row for row in rows() if not set(row) <= {":", "-"}] == list(REFUSED)


@pytest.mark.parametrize(("row", "table"), ONE_EACH)
def test_it_is_refused_by_a_key_of_its_row(row: str, table: dict[str, Any]) -> None:
    """Beside it another one that the row quotes is named."""
    with pytest.raises(DomainError) as refused:
        parsed(table)
    key = refused.value.parameter.rpartition(".")[2]
    assert key in re.findall(r"\w+", row)
    beside = set(re.findall(r"`(\w+)", row)) - {key}
    assert not beside or beside & set(re.findall(r"\w+", refused.value.requirement))


def test_without_one_of_these_keys_it_is_a_plan() -> None:
    for table in (plan(), plan(FAKES), plan(**AT_RANDOM), plan(FAKES, neighbours="add-remove"), plan(other={"batch": "b"}, batch="b")):
        parsed(table)


def test_what_drawn_plans_are_refused_for_is_in_the_table() -> None:
    """Of a thousand drawn plans, those that are no plans: what they are refused for is a key of the table."""
    keys, found = set(re.findall(r"\w+", " ".join(REFUSED))), set[str]()
    for number in range(1000):
        try:
            parsed(drawn_plan(random.Random(number)))
        except DomainError as refused:
            found.add(refused.parameter.rpartition(".")[2])
    assert found
    assert found <= keys
