"""All (eps0, delta0)-DP randomizers together: delta0 is paid once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import shuffleproof as sp
from shuffleproof.impl.fast.bounds.lower import leaking_response
from shuffleproof.impl.fast.bounds.swap import another_place
from shuffleproof.impl.fast.bounds.swap import another_place_approximate as approximate
from shuffleproof.spec.bounds.swap import another_place_approximate as exact
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError

MANY: dict[str, Any] = {"n": 10**6, "epsilon0": 1, "delta0": "1e-8"}


def test_the_bracket_of_randomizers_that_leak_closes() -> None:
    assert leaking_response.delta(**MANY, epsilon="0.003082").lower > Fraction(1, 10**6)
    assert approximate.delta(**MANY, epsilon="0.003084").upper < Fraction(1, 10**6)


def test_without_leaks_it_is_the_number_of_purely_private_randomizers() -> None:
    asked: dict[str, Any] = {"n": 10**4, "epsilon0": 1, "epsilon": "0.04"}
    assert approximate.delta(**asked, delta0=0).upper == another_place.delta(**asked).upper
    nearly = approximate.delta(**asked, delta0="1e-300").upper
    assert 0 <= nearly - another_place.delta(**asked).upper < nearly / 10**6


def test_more_leaks_are_never_better() -> None:
    found = [
        approximate.delta(n=3000, epsilon0=1, delta0=leak, epsilon="0.1").upper for leak in (0, "1e-9", "1e-6", "1e-4", "1e-2", "1/4", 1)
    ]
    assert found == sorted(found)
    assert found[-1] == 1


def test_users_beyond_those_that_leaks_let_hide_change_nothing() -> None:
    leaky: dict[str, Any] = {"epsilon0": 1, "delta0": "1e-5", "epsilon": "0.05"}
    few, enough, more = (approximate.delta(n=n, **leaky).upper for n in (30_000, 10**5, 10**9))
    assert Fraction(1, 10**5) < more == enough < few < Fraction(1, 1000)


def test_the_ends_of_its_domain() -> None:
    few: dict[str, Any] = {"n": 1, "epsilon0": 1, "delta0": "1e-9"}
    assert 1 <= approximate.epsilon(**few, delta="1e-6").upper < 1 + Fraction(1, 10**15)
    assert approximate.epsilon(**{**few, "n": 2}, delta="1e-6").upper >= 1
    assert approximate.epsilon(**MANY, delta="1e-8").exact == "1"
    assert approximate.epsilon(**MANY, delta=1).upper == approximate.epsilon(**{**MANY, "epsilon0": 0}, delta="1e-6").upper == 0
    assert approximate.delta(**MANY, epsilon=1).upper == approximate.delta(**{**MANY, "epsilon0": 0}, epsilon=0).upper == Fraction(1, 10**8)
    assert approximate.delta(n=10, epsilon0=1, delta0="1/3", epsilon="0.5").upper == 1
    assert approximate.epsilon(n=10**6, epsilon0=690, delta0="1e-9", delta="1e-6").upper >= 690
    assert approximate.epsilon(n=10**6, epsilon0="1e-9", delta0="1e-9", delta="1e-6").upper <= Fraction(1, 10**9)
    with pytest.raises(RegimeError, match="delta0"):
        approximate.epsilon(**MANY, delta="1e-9")
    with pytest.raises(UnsupportedError, match="delta - delta0"):
        approximate.epsilon(**{**MANY, "delta0": "1e-6"}, delta=Fraction(1, 10**6) + Fraction(1, 10**301))
    with pytest.raises(UnsupportedError):
        approximate.delta(**{**MANY, "n": 10**9 + 1}, epsilon="0.5")
    with pytest.raises(DomainError, match="delta0"):
        exact.kinds(exp_epsilon0=Fraction(2), delta0=Fraction(1, 3), exp_epsilon=Fraction(1))
    with pytest.raises(DomainError, match="share"):
        exact.delta(others=3, exp_epsilon0=Fraction(2), delta0=Fraction(1, 10), share=Fraction(7, 20), exp_epsilon=Fraction(1))


def test_objects_ask_it_by_name_and_say_that_it_is_not_for_adaptive_ones() -> None:
    reports = sp.shuffled(sp.ApproximateRandomizer(epsilon0=1, delta0="1e-8"), n=10**4)
    found = reports.epsilon(delta="1e-6", method="another-place-for-all-approximate")
    assert found.upper < Fraction("0.0384")
    assert "not adaptive" in found.claim
