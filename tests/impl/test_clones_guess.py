"""The floats that guess for the certified search: usually right to the digits they promise, and without any say in the answer."""

from fractions import Fraction

import pytest
from enclosures import meet

from shuffleproof.impl.ball.bounds.clones import clones, clones_guess
from shuffleproof.impl.ball.bounds.clones.clones_guess import initial_guess
from shuffleproof.spec.vocabulary.numerals import epsilon0_parameter, probability

GUESS = Fraction(1, 3)


def found(n: int, epsilon0: str, delta: str) -> tuple[Fraction, int]:
    local, target = epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    return initial_guess(n=n, odds_factor=1, epsilon0=local, delta=target, guess=GUESS)


@pytest.mark.parametrize(
    ("n", "epsilon0", "delta"),
    [(10**4, "1", "1e-8"), (10**6, "4", "1e-8"), (10**6, "0.5", "1e-4"), (10**6, "ln 3", "1e-30"), (300, "1", "1e-6")],
)
def test_the_digits_that_are_promised_are_right(n: int, epsilon0: str, delta: str) -> None:
    root, digits = found(n, epsilon0, delta)
    truth = clones.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=15).upper
    assert 8 <= digits <= 9
    assert abs(root - truth) * 10**digits <= 3 * truth


@pytest.mark.parametrize("where", [lambda truth: truth * 2, lambda truth: truth * Fraction(10**9 + 1, 10**9), lambda truth: truth / 10**6])
def test_a_wrong_guess_costs_time_and_nothing_else(monkeypatch: pytest.MonkeyPatch, where) -> None:  # type: ignore[no-untyped-def]
    honest = clones.epsilon(n=2000, epsilon0=1, delta="1e-6", digits=25)
    monkeypatch.setattr(clones, "initial_guess", lambda **_: (where(honest.upper), 9))
    misled = clones.epsilon(n=2000, epsilon0=1, delta="1e-6", digits=12)
    assert meet(misled, honest)
    assert (misled.upper - misled.lower) * 10**12 <= misled.upper


def test_no_walk_where_the_search_begins_at_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """delta(0) is about 0.00061 here."""
    monkeypatch.setattr(clones_guess, "_profile", lambda *_: pytest.fail("a walk"))
    for delta in ("0.0005", "0.00035"):
        assert found(10**6, "1", delta) == (GUESS, 0)
    assert clones.epsilon(n=10**6, epsilon0=1, delta="0.0007", digits=6).upper == 0


@pytest.mark.parametrize(("epsilon0", "delta"), [("700", "1e-6"), ("1e-12", "1e-20")])
def test_floats_that_do_not_do_leave_the_guess(epsilon0: str, delta: str) -> None:
    assert found(1000, epsilon0, delta) == (GUESS, 0)
