"""Certificates that earlier versions made, planted again: each is below what a plan means, and the comparison with the meaning says so."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest
from drawn_plans import on_coarse_grids, worst

from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.planning.plan import evaluation, schema
from shuffleproof.planning.plan.evaluation import Counted, evaluate
from shuffleproof.planning.plan.schema import parsed
from shuffleproof.spec.vocabulary.elementary import exp_bounds

Patch = pytest.MonkeyPatch
BITS = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 9"}
FAKES = {"name": "q", "protocol": "fake-users", "fakes": 2, "p": "1/2", "items": ["x"]}
FOUR_FAKES = [{**FAKES, "fakes": 6, "name": f"q{at}", "column": "a"} for at in range(4)]
FEW = {**BITS, "epsilon0": "ln 2"}


def plan(*questions: dict[str, Any], delta: str = "1/10", relation: str = "one-user", group: int = 1, **own: Any) -> dict[str, Any]:
    rounds = [{"name": "r", "users": 2, "questions": list(questions or (BITS,)), **own}]
    return {"relation": relation, "neighbours": "replace-one", "group": group, "target": {"epsilon": 1, "delta": delta}, "rounds": rounds}


def a_coin_for_each_question(patch: Patch) -> None:
    def released(counted: Sequence[Counted]) -> list[tuple[Mechanism, int]]:
        return [(question.mechanism, times) for _, question, times, _ in counted]

    patch.setattr(evaluation, "_released", released)


def one_value_changes_one_answer(patch: Patch) -> None:
    patch.setattr(evaluation, "_one_value", lambda _, every, parts: max(part.whole for part in parts))


def more_users_hide_better(patch: Patch) -> None:
    init = RandomParticipation.__init__
    patch.setattr(RandomParticipation, "__init__", lambda self, **given: init(self, **{**given, "at_least": False}))


def attempts_are_counted_once(patch: Patch) -> None:
    counted = evaluation._counted

    def once(asked: schema.Plan) -> Iterator[Counted]:
        return ((round_, question, 1, amplified) for round_, question, _, amplified in counted(asked))

    patch.setattr(evaluation, "_counted", once)


def a_group_is_one_user(patch: Patch) -> None:
    patch.setattr(evaluation, "_of_group", evaluation._one_user)


PLANTED: list[tuple[Callable[[Patch], None], dict[str, Any], dict[str, Any]]] = [
    (a_coin_for_each_question, plan(BITS, {**BITS, "name": "p"}, rate="1/4"), {}),
    (a_coin_for_each_question, plan(rate="1/4", batch="b", repeat=2), {}),
    (a_coin_for_each_question, {**plan(*FOUR_FAKES, rate="1/10", delta="1/50"), "neighbours": "add-remove"}, {}),
    (one_value_changes_one_answer, plan({**BITS, "column": "a"}, {**BITS, "name": "p", "column": "a"}, relation="one-value"), {}),
    (more_users_hide_better, plan(rate="1/4", least=2, delta="1/20"), {"users": 4}),
    (attempts_are_counted_once, plan(rate="1/2", repeat=3, eligible=2), {}),
    (attempts_are_counted_once, plan(FEW, repeat=2, delta="1/100"), {}),
    (a_group_is_one_user, plan(FEW, group=2, delta="1/20"), {}),
]
"""What is planted, the plan that is certified, and what of it is otherwise than planned where that is within the plan."""


@pytest.mark.parametrize(("planted", "table", "otherwise"), PLANTED)
def test_it_is_noticed(planted: Callable[[Patch], None], table: dict[str, Any], otherwise: dict[str, Any], monkeypatch: Patch) -> None:
    on_coarse_grids(monkeypatch)
    delta, (round_,) = Fraction(table["target"]["delta"]), table["rounds"]
    meant = {**table, "rounds": [{**round_, **otherwise}]}

    def certified() -> Fraction:
        for kept in (evaluation._single, evaluation._together, evaluation._grid, evaluation._measured):
            kept.cache_clear()
        return exp_bounds(evaluate(parsed(table), lower=False).upper, bits=96)[1]

    assert worst(meant, certified()) <= delta
    planted(monkeypatch)
    assert worst(meant, certified()) > delta
