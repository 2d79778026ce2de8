"""What one secret coin decides is composed and amplified once; what has no theorem is refused, naming the keys."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from shuffleproof import KRR, CoordinateSums, Filter, Histogram, shuffled
from shuffleproof.one_coin import OneCoin
from shuffleproof.participation import RandomParticipation
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.schema import Plan, parsed
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError
from shuffleproof.spec.vocabulary.relation import Relation

LAPLACE = {"protocol": "laplace-sum", "sensitivity": 1}
FLIPS = {"randomizer": "krr", "k": 2}


def several(
    *questions: dict[str, Any], delta: str = "1e-6", relation: str = "one-user", neighbours: str = "replace-one", **own: Any
) -> Plan:
    asked = [{"name": f"question {at}", **each} for at, each in enumerate(questions)]
    target = {"epsilon": 1, "delta": delta}
    return parsed(
        {"relation": relation, "neighbours": neighbours, "target": target, "rounds": [{"name": "round", "questions": asked, **own}]}
    )


@pytest.mark.parametrize(
    ("plan", "truth"),
    [
        (several(*[{**LAPLACE, "epsilon0": 1}] * 5, users=10_000, rate="1/100", least=10), 1.0334),
        (several(*[{**FLIPS, "epsilon0": 3}] * 2, users=20, rate="1/10", delta="0.01"), 2.3757),
        (several(*[{**FLIPS, "epsilon0": 3}] * 2, users=20, rate="1/10", delta="0.01", relation="one-value"), 1.6962),
        # more users than planned reach the least number of reports more often: 1,000 and 1,100 rows
        (several({**LAPLACE, "epsilon0": 2}, users=100, rate="1/10", least=50), 0.4355),
        (several({**LAPLACE, "epsilon0": 1}, users=1_000, rate="1/10", least=150), 0.168),
    ],
)
def test_a_certificate_is_above_what_was_reached(plan: Plan, truth: float) -> None:
    assert evaluate(plan).upper >= Fraction(truth).limit_denominator(10**5)


def test_several_attempts_of_a_batch_share_one_coin() -> None:
    asked = {**FLIPS, "epsilon0": 1}
    twice = evaluate(several(asked, asked, users=30, rate="1/4", delta="1e-3")).upper
    assert evaluate(several(asked, users=30, rate="1/4", repeat=2, batch="panel", delta="1e-3")).upper == twice


def test_a_memoised_report_of_a_batch_is_released_once() -> None:
    asked = {**FLIPS, "epsilon0": 1, "memoised": True}
    once = evaluate(several(asked, users=30, rate="1/4", delta="1e-3")).upper
    assert evaluate(several(asked, users=30, rate="1/4", repeat=9, batch="panel", delta="1e-3")).upper == once


def test_several_fake_users_questions_are_composed_before_the_coin() -> None:
    asked = {"protocol": "fake-users", "fakes": 100, "p": "1/2"}
    four = evaluate(several(*[asked] * 4, users=100, rate="1/10", neighbours="add-remove")).upper
    alone = evaluate(several(*[asked] * 4, users=100, neighbours="add-remove")).upper
    one = evaluate(several(asked, users=100, rate="1/10", neighbours="add-remove")).upper
    assert 2 * one < four < alone


def test_questions_on_one_value_change_together() -> None:
    asked = {**FLIPS, "epsilon0": 1, "column": "answer"}
    own = [{**asked, "column": name} for name in ("first", "second")]
    together = evaluate(several(asked, asked, users=500, relation="one-value")).upper
    assert evaluate(several(*own, users=500, relation="one-value")).upper < together
    assert together == evaluate(several(asked, asked, users=500)).upper


@pytest.mark.parametrize(
    ("keys", "plan"),
    [
        (("participations", "rate"), {"users": 20, "rate": "1/10", "repeat": 3, "participations": 2}),
        (("participations", "batch"), {"users": 20, "batch": "panel", "repeat": 3, "participations": 2}),
        (("eligible", "batch"), {"users": 20, "rate": "1/10", "batch": "panel", "repeat": 3, "eligible": 2}),
        (("eligible", "rate"), {"users": 20, "repeat": 3, "eligible": 2}),
        (("least", "rate"), {"users": 20, "rate": 1, "least": 2}),
    ],
)
def test_a_combination_without_a_theorem_is_refused(keys: tuple[str, str], plan: dict[str, Any]) -> None:
    with pytest.raises(DomainError) as refused:
        several({**FLIPS, "epsilon0": 1}, **plan)
    assert keys[0] in refused.value.parameter
    assert keys[1] in refused.value.requirement


def test_a_fresh_question_beside_a_memoised_one_is_refused_where_coins_are_tossed_again() -> None:
    memoised = {**FLIPS, "epsilon0": 1, "memoised": True}
    with pytest.raises(DomainError, match="memoised") as refused:
        several(memoised, {**FLIPS, "epsilon0": 1}, users=20, rate="1/20", repeat=100)
    assert "rate" in refused.value.requirement
    # alone it counts with its local epsilon0, and needs no secret coin
    assert evaluate(several(memoised, users=20, rate="1/20", repeat=100, delta="0.01")).upper >= 1


def test_a_batch_has_one_rate() -> None:
    rounds = [
        {"name": name, "users": 20, "rate": rate, "batch": "panel", "questions": [{**FLIPS, "epsilon0": 1}]}
        for name, rate in (("first", "1/10"), ("second", "1/5"))
    ]
    with pytest.raises(DomainError, match="one coin decides"):
        parsed({"relation": "one-user", "target": {"epsilon": 1, "delta": "1e-6"}, "rounds": rounds})


def test_a_memoised_name_belongs_to_one_round() -> None:
    rounds = [
        {"name": name, "users": 20, "questions": [{**FLIPS, "name": "bit", "epsilon0": 1, "memoised": True}]}
        for name in ("first", "second")
    ]
    with pytest.raises(DomainError, match="whether both are one report"):
        parsed({"relation": "one-user", "target": {"epsilon": 1, "delta": "1e-6"}, "rounds": rounds})


def test_one_coin_needs_releases_of_one_sample() -> None:
    few, many = (RandomParticipation(one=shuffled(KRR(k=2, epsilon0=1), n=n), rate="1/10") for n in (20, 30))
    with pytest.raises(DomainError, match="same users"):
        OneCoin(parts=((few, 1), (many, 1)))


@pytest.mark.parametrize(
    "asked",
    [
        {"protocol": "histogram", "p": "1/2", "items": ["x"]},
        {"protocol": "fake-users", "fakes": 50, "p": "1/2", "items": ["x"]},
        {"randomizer": "rappor", "epsilon0": 2, "view": "sums", "coordinates": 1, "items": ["x"]},
    ],
)
def test_no_lower_bound_is_claimed_of_more_than_is_released(asked: dict[str, Any]) -> None:
    assert evaluate(several(asked, users=100)).lower == 0


def test_a_negative_threshold_is_refused() -> None:
    with pytest.raises(DomainError, match="threshold"):
        several({"protocol": "histogram", "p": "1/2", "threshold": -1}, users=100)


def test_deletion_is_a_relation_of_its_own() -> None:
    dropped = CoordinateSums(n=1000, epsilon0=2, changed=1)
    assert dropped.neighbours() is dropped.epsilon(delta="1e-6").upper.relation is Relation.DELETION
    assert "; deletion; " in str(dropped.epsilon(delta="1e-6").upper)
    sampled = RandomParticipation(one=Histogram(n=1000, p="1/2"), rate="1/2", change="deletion")
    assert sampled.neighbours() is sampled.epsilon(delta="1e-6").upper.relation is Relation.DELETION
    assert CoordinateSums(n=1000, epsilon0=2).epsilon(delta="1e-6").upper.relation is Relation.REPLACE_ONE


def test_bridges_refuse_deletion() -> None:
    opendp = pytest.importorskip("opendp.prelude")
    pytest.importorskip("dp_accounting")
    from shuffleproof.accounting import ShuffledDpEvent, ShuffledPldAccountant

    dropped = CoordinateSums(n=1000, epsilon0=2, changed=1)
    with pytest.raises(UnsupportedError, match="deletion"):
        dropped.to_opendp(sum, delta="1e-6", input_domain=opendp.vector_domain(opendp.atom_domain(T=int)))
    assert not ShuffledPldAccountant().supports(ShuffledDpEvent(dropped))


def test_a_filter_takes_many_rounds_and_one_relation() -> None:
    survey = shuffled(KRR(k=2, epsilon0=1), n=10_000)
    budget = Filter(epsilon=1, delta="1e-6")
    spent = budget.admit(survey.rounds(3), delta="1e-7")
    assert spent.releases == 3
    assert spent.epsilon == survey.rounds(3).epsilon(delta="1e-7").upper.upper
    with pytest.raises(DomainError, match="deletion"):
        budget.admit(CoordinateSums(n=1000, epsilon0=2, changed=1), delta="1e-7")
    by_renyi = Filter(epsilon=3, delta="1e-6", by="renyi", order=8)
    assert by_renyi.admit(survey.rounds(2)).releases == 2


def test_more_users_than_planned_are_covered_unless_the_plan_says_exactly() -> None:
    asked = {**LAPLACE, "epsilon0": 2}
    exact = evaluate(several(asked, users=100, rate="1/10", least=50, exactly=True))
    assert exact.upper == 0  # at most one in 10^20 batches of a hundred users reaches fifty reports
    assert evaluate(several(asked, users=100, rate="1/10", least=50)).upper > exact.upper
    with pytest.raises(DomainError, match="exactly"):
        several(asked, users=100, rate="1/10", exactly=True)


def test_questions_on_one_column_are_counted_once_from_below() -> None:
    """The pairs that are worst for two questions need not be one pair of datasets."""
    asked = {**FLIPS, "epsilon0": 1, "column": "answer"}
    alone = evaluate(several(asked, users=500)).lower
    assert evaluate(several(asked, {**asked, "k": 3}, users=500)).lower >= alone
    apart = [{**asked, "column": name} for name in ("first", "second")]
    assert evaluate(several(asked, asked, users=500)).lower == alone < evaluate(several(*apart, users=500)).lower
