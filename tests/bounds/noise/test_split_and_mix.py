"""Sums by shares that are mixed: three engines, many users, what is refused, and shares that are drawn."""

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from shuffleproof import SplitAndMix, calibrate
from shuffleproof.impl.ball.bounds.noise import split_and_mix as ball
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.fast.bounds.noise import split_and_mix as fast
from shuffleproof.impl.release.entropy import OperatingSystem
from shuffleproof.impl.release.shares import mixed, split, total
from shuffleproof.report.calibrations import text
from shuffleproof.spec.bounds.noise import split_and_mix as exact
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, UnsupportedError


@pytest.mark.parametrize(("n", "messages", "modulus"), [(161, 12, 2**20), (10**6, 8, 2**40), (1000, 25, 2**64)])
def test_many_users_by_the_bound_beyond_what_is_computed(n: int, messages: int, modulus: int) -> None:
    """The first split, of one user, is most of it: u(1) q in E[q^(c - 1)]."""
    ways = 1
    for i in range(messages):
        ways = ways * (n * messages - i) // 1
    factorial = 1
    for i in range(1, messages + 1):
        factorial *= i
    leading = float(Fraction(modulus * n**2 * factorial, ways)) ** 0.5 / 2
    found = ball.distance(n=n, messages=messages, modulus=modulus, digits=6)[1]
    assert leading * 0.99 < float(found) < leading * 1.01
    assert float(found) < fast._apart(n, messages, modulus) * (1 + 1e-6) < leading * 1.01


def test_calibration_finds_the_fewest_messages() -> None:
    found = calibrate.split_and_mix(n=1000, modulus=2**32, epsilon=1, delta="1e-6")
    messages = int(found.settings["messages"])
    asked: dict[str, Any] = {"n": 1000, "modulus": 2**32, "sensitivity": 1, "epsilon0": 1}
    assert SplitAndMix(**asked, messages=messages).delta(epsilon=1).upper.upper <= Fraction(1, 10**6)
    assert SplitAndMix(**asked, messages=messages - 1).delta(epsilon=1).upper.upper > Fraction(1, 10**6)


@pytest.mark.parametrize("engine", [exact, ball, fast])
def test_ends_of_the_domain(engine: Any) -> None:
    asked: dict[str, Any] = {"n": 2, "messages": 3, "modulus": 4, "sensitivity": 1, "epsilon0": "ln 2"}
    with pytest.raises(RegimeError):
        engine.epsilon(**asked, delta="1/10")
    assert engine.epsilon(**{**asked, "n": 1}, delta=0).upper >= Fraction(6931, 10**4)  # one user's shares show their sum alone


def test_binomial_coefficients_of_millions_of_bits_are_left_to_balls() -> None:
    asked: dict[str, Any] = {"n": 2, "messages": 10**8, "modulus": 2, "sensitivity": 1, "epsilon0": "ln 3", "epsilon": 0}
    with pytest.raises(ResourceLimitError, match="use engine 'ball'"):
        exact.delta(**asked)


def test_too_few_messages_are_refused() -> None:
    asked: dict[str, Any] = {"n": 10**4, "messages": 4, "modulus": 2**30, "sensitivity": 1, "epsilon0": 1, "epsilon": 1}
    with pytest.raises(ResourceLimitError):
        ball.delta(**asked)
    with pytest.raises(UnsupportedError):
        fast.delta(**asked)


def test_shares_are_drawn_with_their_sum_and_mixed() -> None:
    source = OperatingSystem()
    shares = split(7, messages=4, modulus=10, source=source)
    assert (len(shares), sum(shares) % 10) == (4, 7)
    everybody = mixed([3, -5, 1], messages=6, modulus=2**20, source=source)
    assert len(everybody) == 18
    assert everybody == sorted(everybody)
    assert total(everybody, modulus=2**20) == -1


def test_few_shares_of_a_large_modulus_are_shown_where_the_induction_begins_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 shares modulo 256: 160 users leave it open, 320 do not; the bound of 400 users is above what is computed for them all."""
    shown = ball.distance(n=400, messages=3, modulus=256, digits=6)[1]
    monkeypatch.setattr(ball, "COMPUTED_TO", 400)
    ball._apart.cache_clear()
    low, high = ball.distance(n=400, messages=3, modulus=256, digits=6)
    ball._apart.cache_clear()
    assert low <= high <= shown <= high * Fraction(11, 10)
    monkeypatch.undo()
    monkeypatch.setattr(ball, "_KNOWN_TO", (160,))
    with pytest.raises(ResourceLimitError, match="more than 3 messages"):
        ball.distance(n=400, messages=3, modulus=256, digits=6)


def test_the_published_number_of_shares_is_told_as_recalled_and_is_no_guarantee() -> None:
    found = calibrate.split_and_mix(n=1000, modulus=2**32, epsilon=1, delta="1e-6")
    assert (found.value, found.paper.upper, found.paper.recalled) == (9, 11, True)
    assert found.statement == "BEYOND.split-and-mix"
    assert "the published number, as recalled (BEYOND.BBGN20-messages): 11" in text(found)
    few = calibrate.split_and_mix(n=18, modulus=2**8, epsilon=1, delta="1e-3").paper
    assert (few.upper, few.fails) == (None, "n = 18 is below 19")


def test_many_messages_take_stirlings_series_and_no_binomial_coefficient_that_is_not_needed() -> None:
    with precision(200):
        assert ball._rising(arb(3), 7, 5000).overlaps(
            ball._rising(ball._rising(arb(3), 7, 2000), 2007, 2000) * ball._rising(arb(1), 4007, 1000)
        )
        assert ball._rising(arb(1), 10**15, 10**12) > 1
    asked: list[int] = []
    choose = fast._choose.__wrapped__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast, "_choose", lambda n, k: asked.append(k) or choose(n, k))
        small = [fast._u(60, k, 40) for k in range(1, 60)]
    assert max(asked) < 1600
    for k, found in enumerate(small, 1):
        truth = Fraction(math.comb(60, k) ** 2, math.comb(2400, 40 * k))
        assert truth <= Fraction(found) <= truth * (1 + Fraction(1, 10**15)) + Fraction(1, 10**299)
