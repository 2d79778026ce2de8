"""What a plan's words mean where they could mean two things: a sentence of the guide, and what the executable meaning does."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.planning.plan.schema import parsed
from shuffleproof.spec.plans.meaning import Held, Plan, view
from shuffleproof.spec.plans.questions import bit_sum, unary, with_noise_bits
from shuffleproof.spec.plans.reading import changes, meanings, own_values
from shuffleproof.spec.vocabulary.errors import DomainError

GUIDE = " ".join((Path(__file__).parents[2] / "docs" / "guides" / "plan-a-deployment.md").read_text("utf-8").split())
BITS = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 3"}
MEMOISED = {**BITS, "memoised": True}


def plan(*questions: dict[str, Any], relation: str = "one-user", other: dict[str, Any] | None = None, **own: Any) -> dict[str, Any]:
    rounds = [{"name": "r", "users": 2, "questions": list(questions or (BITS,)), **own}]
    rounds += [{"name": "s", "users": 2, "questions": [BITS], **other}] if other is not None else []
    return {"relation": relation, "target": {"epsilon": 1, "delta": "1/100"}, "rounds": rounds}


def said(sentence: str) -> None:
    assert sentence in GUIDE


def meant(table: dict[str, Any]) -> Plan:
    parsed(table)
    return next(iter(meanings(table)))


def held_by_all(meaning: Plan, values: list[int]) -> Held:
    """In every attempt, the next of these values, of everybody."""
    return {
        (user, each.name, attempt, question.column): values[attempt]
        for each in meaning.rounds
        for attempt, users in enumerate(each.lists)
        for user in users
        for question in each.questions
    }


def test_a_memoised_report_does_not_follow_the_value() -> None:
    said("sent again every later time, whatever the value has become. It does not follow the value")
    meaning = meant(plan(MEMOISED, repeat=2, same_users=True))
    law = view(meaning, held_by_all(meaning, [0, 1]))
    assert all(seen[1] == seen[3] for seen in law.support)
    assert law == view(meaning, held_by_all(meaning, [0, 0]))


def test_who_misses_a_memoised_attempt_is_not_covered() -> None:
    said("a user who misses one of these attempts is not covered")
    with pytest.raises(DomainError, match="participations"):
        parsed(plan(MEMOISED, repeat=2, same_users=True, participations=1))


def test_a_memoised_question_in_two_rounds_is_refused() -> None:
    said("| `memoised` under one question name in two rounds | whether both are one report is not said |")
    with pytest.raises(DomainError, match="one report"):
        parsed(plan(MEMOISED, other={"questions": [MEMOISED]}))


def test_one_value_is_what_all_questions_on_a_column_read() -> None:
    said(
        "neighbours differ in one value of one `column` in one attempt of one round. All questions of the round that read the column change"
    )
    table = plan({**BITS, "column": "a"}, {**BITS, "name": "p", "column": "a"}, relation="one-value", repeat=2)
    meaning = meant(table)
    assert changes(table, meaning) == [((0, "r", 0, "a"),), ((0, "r", 1, "a"),)]
    assert set(own_values(table, meaning)) == {(0, "r", 0, "a"), (0, "r", 1, "a")}


def test_without_overlap_nobody_is_on_two_lists() -> None:
    said("with `overlap = 0` nobody who is on this round's list, coin or not, is on another one's")
    for meaning in meanings(plan(rate="1/2", overlap=0, other={"rate": "1/2"})):
        assert sum(0 in each.lists[0] for each in meaning.rounds) == 1


def test_a_dropped_batch_uses_up_an_attempt() -> None:
    said("an attempt with fewer than `least` reports is dropped, and uses up one of the round's `repeat` attempts")
    meaning = meant(plan(rate="1/2", least=2, repeat=2))
    shown = {len(seen) for seen in view(meaning, held_by_all(meaning, [0, 0])).support}
    assert shown == {2, 3, 4}  # how many came is shown twice, and reports of none, one or both attempts


def test_a_batch_is_those_who_came() -> None:
    said("a batch is those who came")
    meaning = meant(plan(rate="1/2", batch="b", repeat=2))
    assert all(seen[0] == seen[len(seen) // 2] for seen in view(meaning, held_by_all(meaning, [0, 0])).support)


def test_of_one_item_alone_users_may_hold_another() -> None:
    said("users may hold something else, and of the others nothing is seen")
    meaning = meant(plan({"name": "h", "protocol": "histogram", "p": "1/2", "items": ["x"]}))
    assert meaning.rounds[0].questions[0].domain == (0, 1)
    nobody = view(meaning, held_by_all(meaning, [1]))
    assert {len(seen[1][0]) for seen in nobody.support} == {1}
    assert with_noise_bits(1, bins=2, p=Fraction(1, 2)) != with_noise_bits(None, bins=2, p=Fraction(1, 2))


def test_what_is_deleted_is_nothing() -> None:
    said("the report of an item drawn at random, a vector without an item for RAPPOR, no item in a histogram")
    T = Fraction(3)
    assert unary(None, coordinates=1, own=Fraction(1, 2), other=1 / (T + 1))[(1,)] == 1 / (T + 1)
    assert with_noise_bits(None, bins=1, p=Fraction(1, 4))[(1,)] == Fraction(1, 4)
    assert bit_sum(None, coin=Fraction(1, 2)) == bit_sum(0, coin=Fraction(1, 2))
