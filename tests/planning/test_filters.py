"""Filters: what is admitted fits, what does not fit is refused and costs nothing."""

from fractions import Fraction
from typing import Any

import pytest

from shuffleproof import AnyRandomizer, CoordinateSums, Filter, PlanFilter, RandomParticipation, UserHistogram, shuffled
from shuffleproof.planning.plan.schema import parsed
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError
from shuffleproof.spec.vocabulary.relation import Relation

SURVEY = shuffled(AnyRandomizer(epsilon0="ln 3"), n=200)
LOSS = SURVEY.epsilon(delta="1e-6").upper.upper


def test_a_filter_adds_up_and_stops_at_its_budget() -> None:
    budget = Filter(epsilon=LOSS * Fraction(5, 2), delta="1e-5")
    assert [budget.admit(SURVEY, delta="1e-6").epsilon for _ in range(2)] == [LOSS, 2 * LOSS]
    before = budget.spent
    with pytest.raises(RegimeError, match="nothing was taken"):
        budget.admit(SURVEY, delta="1e-6")
    assert budget.spent == before
    assert (before.releases, before.delta) == (2, Fraction(2, 10**6))


def test_a_share_of_delta_beyond_the_budget_is_refused() -> None:
    with pytest.raises(RegimeError, match=r"BEYOND\.filter-basic"):
        Filter(epsilon=5, delta="1e-6").admit(SURVEY, delta="2e-6")


def test_exactly_the_budget_is_admitted() -> None:
    assert Filter(epsilon=LOSS, delta="1e-6").admit(SURVEY, delta="1e-6").epsilon == LOSS


def test_divergences_of_one_order_add_up_and_are_turned_into_epsilon_once() -> None:
    budget = Filter(epsilon=1, delta="1e-4", by="renyi", order=16)
    one, two = budget.admit(SURVEY).epsilon, budget.admit(SURVEY).epsilon
    step = SURVEY.renyi(order=16).upper.upper
    assert step * Fraction(99, 100) <= two - one <= step * Fraction(101, 100)
    with pytest.raises(RegimeError):
        [budget.admit(SURVEY) for _ in range(10**3)]
    with pytest.raises(DomainError, match="left out"):
        budget.admit(SURVEY, delta="1e-9")


def test_releases_about_other_neighbouring_datasets_do_not_add_up() -> None:
    users = UserHistogram(threshold=1, domain_size=4, sigma=100, relation=Relation.ADD_REMOVE)
    dropped = CoordinateSums(n=200, epsilon0=1, changed=1)
    seldom = RandomParticipation(one=CoordinateSums(n=200, epsilon0=1), rate="1/2", change="deletion")
    for first, second in ((SURVEY, users), (users, SURVEY), (SURVEY, dropped), (dropped, users), (SURVEY, seldom)):
        budget = Filter(epsilon=9, delta="1e-4")
        before = budget.admit(first, delta="1e-6")
        with pytest.raises(DomainError, match="neighbouring datasets"):
            budget.admit(second, delta="1e-6")
        assert budget.spent == before


@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ({"by": "pld"}, "by"),
        ({"by": "renyi"}, "order"),
        ({"order": 2}, "order"),
        ({"by": "renyi", "order": 2, "delta": 0}, "delta"),
        ({"delta": 1}, "delta"),
        ({"epsilon": -1}, "epsilon"),
    ],
)
def test_a_wrong_filter_is_refused(given: dict[str, Any], parameter: str) -> None:
    with pytest.raises(DomainError, match=parameter):
        Filter(**{"epsilon": 1, "delta": "1e-6", **given})


def test_a_plan_is_held_in_any_order_and_no_more_often_than_planned() -> None:
    question = {"name": "q", "randomizer": "any", "epsilon0": 1}
    rounds = [{"name": name, "users": 1000, "questions": [question]} for name in ("a", "b")]
    content = {"relation": "one-value", "target": {"epsilon": 1, "delta": "1e-6"}, "rounds": rounds}
    held = PlanFilter(parsed(content))
    assert held.hold("b") == 0
    assert held.left == {"a": 1, "b": 0}
    for wrong in ("b", "c"):
        with pytest.raises(DomainError, match="round"):
            held.hold(wrong)
    with pytest.raises(RegimeError, match=r"BEYOND\.filter-planned"):
        PlanFilter(parsed({**content, "target": {"epsilon": "1e-3", "delta": "1e-6"}}))
