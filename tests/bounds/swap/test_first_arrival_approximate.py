"""Adaptive sequences of (eps0, delta0)-DP randomizers: delta0 is paid once."""

from fractions import Fraction
from typing import Any

import pytest

import shuffleproof as sp
from shuffleproof.impl.fast.bounds.lower import leaking_response
from shuffleproof.impl.fast.bounds.swap import first_arrival, first_arrival_approximate as approximate
from shuffleproof.spec.bounds.swap import first_arrival_approximate as exact
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError

MANY: dict[str, Any] = {"n": 10**6, "epsilon0": 1, "delta0": "1e-8"}


def test_the_bracket_of_randomizers_that_leak_closes() -> None:
    assert leaking_response.delta(**MANY, epsilon="0.003082").lower > Fraction(1, 10**6)
    assert approximate.delta(**MANY, epsilon="0.003084").upper < Fraction(1, 10**6)


def test_without_leaks_it_is_the_number_of_purely_private_randomizers() -> None:
    asked: dict[str, Any] = {"n": 10**6, "epsilon0": 1, "epsilon": "0.003"}
    purely = first_arrival.delta(**asked).upper
    assert approximate.delta(**asked, delta0=0).upper == purely
    nearly = approximate.delta(**asked, delta0="1e-300").upper
    assert abs(nearly - purely) < purely / 1000


@pytest.mark.parametrize("n", [60, 100])
def test_no_more_users_hide_a_report_than_there_are(n: int) -> None:
    """Mutant: a pool of n + 1 users, who reach less."""
    asked: dict[str, Any] = {"epsilon0": 1, "epsilon": "0.2"}
    purely, of_more = (first_arrival.delta(**asked, n=users).upper for users in (n, n + 1))
    nearly = approximate.delta(**asked, n=n, delta0="1e-300").upper
    assert of_more < nearly * Fraction(99, 100)
    assert abs(nearly - purely) < purely / 1000


def test_more_leaks_are_never_better() -> None:
    found = [
        approximate.delta(n=10**5, epsilon0=1, delta0=leak, epsilon="0.01").upper
        for leak in (0, "1e-9", "1e-6", "4e-6", "1e-4", "1e-2", "1/4", 1)
    ]
    assert found == sorted(found)
    assert found[-1] == 1


def test_users_beyond_those_that_leaks_let_hide_change_nothing() -> None:
    leaky: dict[str, Any] = {"epsilon0": 1, "delta0": "1e-5", "epsilon": "0.05"}
    few, enough, more = (approximate.delta(n=n, **leaky).upper for n in (30_000, 10**5, 10**9))
    assert Fraction(1, 10**5) < more == enough < few < Fraction(1, 1000)


def test_the_ends_of_its_domain() -> None:
    few: dict[str, Any] = {"n": 1, "epsilon0": 1, "delta0": "1e-9"}
    assert Fraction("0.9999") <= approximate.epsilon(**few, delta="1e-6").upper < 1 + Fraction(1, 10**15)
    assert approximate.epsilon(**{**few, "n": 2}, delta="1e-6").upper >= Fraction("0.9999")
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
        exact.delta(n=3, T=Fraction(2), delta0=Fraction(1, 3), exp_epsilon=Fraction(1), levels=[Fraction(1, 100)])


def test_objects_ask_it_without_being_told_and_its_former_name_is_understood() -> None:
    reports = sp.shuffled(sp.ApproximateRandomizer(epsilon0=1, delta0="1e-8"), n=10**6)
    found = reports.epsilon(delta="1e-6", method="another-place-for-all-approximate")
    assert found.upper < Fraction("0.003084")
    assert "adaptive" in found.claim
    assert reports.epsilon(delta="1e-6").upper.method == found.method == "first-arrival-approximate"


@pytest.mark.parametrize(("T", "limit", "thinned"), [(2, "7/20", True), (4, "637/10340", False)])
def test_a_level_takes_less_than_omega_has(T: int, limit: str, thinned: bool) -> None:
    """Thinned (1 - N delta0)/T; else (T - 1 - 2 T N delta0 - 2 delta0/(1 - 2 delta0))/(T'^2 - 1), T' = T/(1 - 3 delta0)."""
    asked: dict[str, Any] = {"T": Fraction(T), "delta0": Fraction(1, 10), "exp_epsilon": Fraction(1), "thinned": thinned}
    users, most = 4 if thinned else 2, Fraction(limit)
    assert exact.delta(**asked, n=users, levels=[most * Fraction(999, 1000)]) > Fraction(1, 10)
    with pytest.raises(DomainError, match=rf"share.*\[0, {limit}\)"):
        exact.delta(**asked, n=users, levels=[most])


@pytest.mark.parametrize("E", [Fraction(1), Fraction(2), Fraction(4)])
def test_of_one_user_or_two_without_leaks_one_report_is_revealed_whatever_the_level(E: Fraction) -> None:
    """By whoever is not hidden, and by one loss of whoever is: (T - E)/(T + 1) both; leaks are paid beside it."""
    asked: dict[str, Any] = {"T": Fraction(3), "exp_epsilon": E}
    for n, level in ((1, "1/5"), (2, "1/5"), (2, "1/10")):
        assert exact.delta(**asked, n=n, delta0=Fraction(0), levels=[Fraction(level)]) == max(3 - E, Fraction(0)) / 4
    assert exact.delta(**asked, n=9, delta0=Fraction(1, 20)) == Fraction(1, 20) + max(3 - E, Fraction(0)) / 4


def test_of_three_distributions_some_is_revealed_some_leaks_and_the_rest_is_close() -> None:
    """T = 2, in 20ths: each bound on what is kept counts at one report."""
    rows = {"a": (6, 2, 4), "b": (6, 5, 2), "c": (4, 7, 3), "d": (1, 4, 3), "e": (3, 2, 8)}  # a leaks, and b is revealed beyond 2 times 2
    first, second, other = ({y: Fraction(row[i], 20) for y, row in rows.items()} for i in range(3))
    found = exact.parts(first, second, other, exp_epsilon0=Fraction(2))
    leaks, rest = ({y: tuple(20 * x for x in row) for y, row in part.items()} for part in (found.leaks, found.rest))
    assert (20 * found.given_away, leaks) == (2, {"a": (2, 0, 1)})
    assert rest == {"a": (4, 2, 3), "b": (4, 4, 2), "c": (4, 6, 3), "d": (1, 2, 2), "e": (3, 2, 4)}
