"""Other users hidden in groups: never below what datasets reach, below the blanket for many users."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from shuffleproof.impl.fast.bounds.blanket import any_law
from shuffleproof.impl.fast.bounds.swap import hidden_groups
from shuffleproof.spec.bounds.swap import hidden_groups as exact
from shuffleproof.spec.randomizers.laplace import Laplace
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer

_QUARTERS = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}
_EVEN = {0: Fraction(1, 2), 1: Fraction(1, 2)}


def test_two_users_of_opposite_items_hide_together_more_often_than_each_alone() -> None:
    first, second = _QUARTERS
    assert exact.hidden([first], _EVEN) == Fraction(1, 2)
    assert exact.hidden([first, second], _EVEN) == Fraction(3, 4)


def test_who_is_hidden_as_draws_of_a_law_of_their_own_is_always_hidden() -> None:
    first, second = _QUARTERS
    alone = exact.delta(first=first, second=second, target=first, groups=[[first]] * 3, exp_epsilon=Fraction(3, 2))
    assert alone == exact.among_alike(hidden_users=3, first=first, second=second, target=first, exp_epsilon=Fraction(3, 2))


def test_plain_reports_among_unlike_ones_cost_nothing_where_all_are_plain() -> None:
    values = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)]
    assert exact.among_unlike(values, Fraction(1)) == values
    assert exact.among_unlike(values, Fraction(1, 2)) == [Fraction(1, 2), Fraction(7, 18), Fraction(62, 225)]


@pytest.mark.parametrize("randomizer", [LocalHashing(buckets=2), AsymmetricRAPPOR(k=2)])
def test_it_lies_between_what_datasets_reach_and_the_blanket(randomizer: NamedRandomizer) -> None:
    asked: dict[str, Any] = {"n": 10**5, "randomizer": randomizer, "epsilon0": 1, "epsilon": "0.008"}
    assert any_law.delta(**asked, view="below").lower < hidden_groups.delta(**asked).upper < any_law.delta(**asked).lower


def test_a_number_of_hidden_users_is_not_above_its_mean_and_grows_with_the_probability_left() -> None:
    found = [hidden_groups.at_least_hidden(10_000, 0.3, level, largest=2) for level in (0.4, 3.0, 30.0)]
    assert 3000 > found[0] > found[1] > found[2] > 0
    assert hidden_groups.at_least_hidden(0, 1.0, 1.0, largest=3) == 0
    assert hidden_groups.told_by_unlike(1.0, 5.0) == 0 < hidden_groups.told_by_unlike(0.5, 5.0)


def test_a_delta_below_the_floats_is_not_said_to_be_0() -> None:
    for n, epsilon0, epsilon in ((10**5, "1", "0.3"), (10**6, "0.1", "0.09")):
        assert (
            0 < hidden_groups.delta(n=n, randomizer=AsymmetricRAPPOR(k=2), epsilon0=epsilon0, epsilon=epsilon).upper < Fraction(1, 10**300)
        )


@pytest.mark.parametrize(("randomizer", "epsilon0", "delta"), [(RAPPOR(), 690, "1e-6"), (AsymmetricRAPPOR(k=2), "1e-300", "1e-250")])
def test_where_floats_say_nothing_the_answer_is_that_of_one_report(randomizer: NamedRandomizer, epsilon0: int | str, delta: str) -> None:
    assert hidden_groups.epsilon(n=10**9, randomizer=randomizer, epsilon0=epsilon0, delta=delta).upper >= Fraction(epsilon0)


def test_the_ends_of_its_domain() -> None:
    rappor = RAPPOR()
    assert hidden_groups.epsilon(n=1, randomizer=rappor, epsilon0=1, delta="1e-6").upper == 1
    assert hidden_groups.epsilon(n=9, randomizer=rappor, epsilon0=1, delta=1).upper == 0
    assert hidden_groups.epsilon(n=10**6, randomizer=rappor, epsilon0=1, delta="0.5").upper == 0
    assert hidden_groups.epsilon(n=9, randomizer=rappor, epsilon0="ln 3", delta=0).exact == "ln 3"
    assert hidden_groups.delta(n=9, randomizer=rappor, epsilon0=1, epsilon=1).upper == 0
    with pytest.raises(UnsupportedError, match="laplace"):
        hidden_groups.epsilon(n=9, randomizer=Laplace(), epsilon0=1, delta="1e-6")
    with pytest.raises(UnsupportedError, match="1e-300"):
        hidden_groups.epsilon(n=9, randomizer=rappor, epsilon0=1, delta="1e-301")
    with pytest.raises(UnsupportedError, match="blanket"):
        hidden_groups.epsilon(n=9, randomizer=AsymmetricRAPPOR(k=2), epsilon0=690, delta="1e-6")
    with pytest.raises(DomainError, match="at least 1"):
        exact.delta(first=_EVEN, second=_EVEN, target=_EVEN, groups=[], exp_epsilon=Fraction(1, 2))
