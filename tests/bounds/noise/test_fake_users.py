"""Histograms with fake users: exact arithmetic and balls, and how many users there are does not matter."""

from fractions import Fraction
from typing import Any

import pytest

from shuffleproof import FakeUsers, Histogram
from shuffleproof.impl.ball.bounds.noise import fake_users as ball
from shuffleproof.spec.bounds.noise import fake_users as exact
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError


def test_it_is_the_histogram_with_so_many_users_and_forgets_how_many_there_are() -> None:
    known = Histogram(n=300, p="1/2").epsilon(delta="1e-6").upper.upper
    for n in (1, 10**9):
        found = FakeUsers(n=n, fakes=300, p="1/2").epsilon(delta="1e-6").upper.upper
        assert float(found) == pytest.approx(float(known), rel=1e-8)


@pytest.mark.parametrize("engine", [exact, ball])
def test_ends_of_the_domain(engine: Any) -> None:
    assert engine.delta(n=1, fakes=3, p=0, epsilon=0).upper == 1
    with pytest.raises(RegimeError, match=r"BEYOND\.fake-users.*p\^f"):
        engine.epsilon(n=1, fakes=2, p="1/2", delta="1e-9")
    for wrong in ({"fakes": 0}, {"n": 0}, {"p": 2}):
        with pytest.raises(DomainError, match=next(iter(wrong))):
            engine.delta(**{"n": 3, "fakes": 3, "p": Fraction(1, 2), **wrong}, epsilon=0)


def test_exact_arithmetic_has_a_limit() -> None:
    with pytest.raises(ResourceLimitError, match="ball"):
        exact.delta(n=1, fakes=61, p="1/2", epsilon=0)
