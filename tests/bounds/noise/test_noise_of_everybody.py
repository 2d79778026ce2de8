"""Noise in parts (coins, discrete Gaussians, Laplace) and fake users: engines against each other, calibrations, the ends of the domain."""

from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet
from seeded_bits import Seeded

from shuffleproof import BinomialSum, DiscreteGaussianSum, FakeUsers, Histogram, LaplaceSum, ZeroSum, calibrate
from shuffleproof.impl.ball import discrete_gaussian as line
from shuffleproof.impl.ball.bounds.noise import binomial_sum as coins_ball
from shuffleproof.impl.ball.bounds.noise import discrete_gaussian_sum as gauss_ball
from shuffleproof.impl.ball.bounds.noise import fake_users as ball_fakes
from shuffleproof.impl.ball.bounds.noise import fake_users as fakes_ball
from shuffleproof.impl.ball.bounds.noise import laplace_sum as ball
from shuffleproof.impl.fast.bounds.noise import binomial_sum as coins_fast
from shuffleproof.impl.fast.bounds.noise import discrete_gaussian_sum as gauss_fast
from shuffleproof.impl.fast.bounds.noise import fake_users as fakes_fast
from shuffleproof.impl.fast.bounds.noise import laplace_sum as fast
from shuffleproof.impl.release.polya import noise_of, polya
from shuffleproof.spec.bounds.noise import binomial_sum as coins_exact
from shuffleproof.spec.bounds.noise import discrete_gaussian_sum as gauss_exact
from shuffleproof.spec.bounds.noise import fake_users as exact_fakes
from shuffleproof.spec.bounds.noise import laplace_sum as exact
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.relation import Relation


def test_fake_users_in_floats_and_in_balls_agree_on_epsilon_far_out() -> None:
    asked: dict[str, Any] = {"n": 1, "fakes": 10**4, "p": "1/3"}
    for delta in ("1/10", "1e-9", "1e-90"):
        assert meet(fakes_ball.epsilon(**asked, delta=delta, digits=8), fakes_fast.epsilon(**asked, delta=delta))


def test_one_discrete_gaussian_is_that_of_the_line_and_many_are_nearly_one() -> None:
    asked: dict[str, Any] = {"sensitivity": 3, "epsilon": 1}
    alone = line.delta(**asked, variance=16, relation=Relation.REPLACE_ONE)
    assert meet(alone, gauss_ball.delta(**asked, n=1, variance=16))
    many = gauss_ball.delta(**asked, n=16, variance=1)
    assert abs(many.upper / alone.upper - 1) < Fraction(1, 1000)
    little = gauss_ball.delta(**asked, n=160, variance="1/10")  # each user's noise is nearly always 0
    assert little.lower > 2 * alone.upper


def test_discrete_gaussians_in_floats_and_in_balls_agree() -> None:
    for n, s, variance, delta in ((10**6, 100, 4, "1e-9"), (1, 1, 1, "1e-6"), (30, 3, "1/2", "1e-4")):
        asked: dict[str, Any] = {"n": n, "sensitivity": s, "variance": variance}
        assert meet(gauss_ball.delta(**asked, epsilon="1/4", digits=6), gauss_fast.delta(**asked, epsilon="1/4"))
        found = gauss_fast.epsilon(**asked, delta=delta)
        assert gauss_ball.delta(**asked, epsilon=found.upper, digits=6).lower <= Fraction(delta)
        assert gauss_ball.delta(**asked, epsilon=found.lower, digits=6).upper >= Fraction(delta)


def test_a_coin_from_each_user_is_the_zero_sum() -> None:
    one, other = BinomialSum(n=50, sensitivity=1, coins=1, p="9/10"), ZeroSum(n=50, p="9/10")
    assert one.delta(epsilon=1).upper.upper == other.delta(epsilon=1).upper.upper


def test_calibrations_are_certified_on_both_sides() -> None:
    target: dict[str, Any] = {"epsilon": 1, "delta": "1e-6"}
    coins = calibrate.binomial_sum(n=10, **target)
    assert (coins.settings["coins"], coins.fails_at) == ("8", 7)
    assert calibrate.fake_users(n=3, **target).fails_at == 147
    found = calibrate.discrete_gaussian_sum(n=100, sensitivity=10, **target)
    assert found.value is not None
    assert found.fails_at is not None
    for variance, met in ((found.value, True), (found.fails_at, False)):
        least = DiscreteGaussianSum(n=100, sensitivity=10, variance=variance).delta(epsilon=1).upper
        assert (least.upper <= Fraction(1, 10**6)) is met
        assert (least.lower <= Fraction(1, 10**6)) is met
    for each in (calibrate.binomial_sum, calibrate.discrete_gaussian_sum, calibrate.fake_users):
        with pytest.raises(DomainError, match="delta"):
            each(n=3, epsilon=1, delta=0)


@pytest.mark.parametrize("engine", [coins_exact, coins_ball, coins_fast])
def test_ends_of_the_domain_of_coins(engine: Any) -> None:
    asked: dict[str, Any] = {"n": 2, "sensitivity": 3, "coins": 1, "p": "1/2"}
    assert engine.delta(**asked, epsilon="ln 5").upper == 1  # three is more than two coins hide
    for wrong in ({"sensitivity": 1, "p": 1}, {"sensitivity": 3}, {"sensitivity": 1}):
        with pytest.raises(RegimeError):
            engine.epsilon(**{**asked, **wrong}, delta="1/5")


@pytest.mark.parametrize("engine", [gauss_exact, gauss_ball, gauss_fast])
def test_ends_of_the_domain_of_discrete_gaussians(engine: Any) -> None:
    asked: dict[str, Any] = {"n": 1, "sensitivity": 1, "variance": 1}
    with pytest.raises(RegimeError):
        engine.epsilon(**asked, delta=0)


def test_what_an_engine_does_not_carry_is_refused() -> None:
    with pytest.raises(ResourceLimitError):
        coins_exact.delta(n=201, sensitivity=1, coins=1, p="1/2", epsilon=0)
    with pytest.raises(ResourceLimitError):
        gauss_exact.delta(n=13, sensitivity=1, variance=1, epsilon=0)
    with pytest.raises(ResourceLimitError):  # before 40,000 waves to 20,000 bits each are computed
        gauss_ball.epsilon(n=5250, sensitivity=412888, variance=110, delta="1e-300")
    for variance in ("1/10", "1/2"):
        with pytest.raises(UnsupportedError):
            gauss_fast.delta(n=10**6, sensitivity=1, variance=variance, epsilon=0)


def test_a_sensitivity_of_nearly_all_coins_is_answered_though_the_cut_lies_far_above_their_mean() -> None:
    asked: dict[str, Any] = {"sensitivity": 5 * 10**11 - 1, "coins": 5, "p": "1/50"}  # term by term from the mean would be refused
    assert coins_ball.delta(n=10**11, **asked, epsilon=1, digits=6).lower > 1 - Fraction(1, 10**6)


@pytest.mark.parametrize("T", [Fraction(4) ** 70, Fraction(10**6 + 1, 10**6) ** 2])
def test_the_lower_end_is_not_above_a_delta_close_to_1_or_to_0(T: Fraction) -> None:
    asked: dict[str, Any] = {"n": 1, "sensitivity": 2, "epsilon0": Epsilon(None, T), "epsilon": 0}
    found, truth = fast.delta(**asked), exact.delta(**asked).upper
    assert found.lower <= truth <= found.upper
    assert any("math.exp" in line for line in found.rests_on)


def test_without_delta_it_costs_epsilon0_and_with_it_less() -> None:
    one = LaplaceSum(n=100, sensitivity=10, epsilon0=1)
    assert one.epsilon(delta=0).upper.exact == "1"
    found = one.epsilon(delta="1e-2")
    assert Fraction(9, 10) < found.lower.lower <= found.upper.upper < 1


def test_what_an_engine_does_not_carry_is_refused_laplace() -> None:
    with pytest.raises(UnsupportedError, match="irrational"):
        exact.delta(n=1, sensitivity=2, epsilon0="ln 3", epsilon=0)
    with pytest.raises(ResourceLimitError):
        exact.delta(n=1, sensitivity=101, epsilon0="ln 3", epsilon=0)
    with pytest.raises(UnsupportedError):
        fast.delta(n=1, sensitivity=1, epsilon0=701, epsilon=0)
    assert ball.epsilon(n=1, sensitivity=10**18, epsilon0=700, delta="1e-300").upper <= 700 * (1 + Fraction(1, 10**12))


def test_parts_are_drawn_from_their_law_and_add_up_to_discrete_laplace_noise() -> None:
    """Frequencies within five standard deviations of a part's masses, and the variance 2 a/(1 - a)^2 of all parts together, twice over."""
    source, runs = Seeded(11), 3000
    share = exact.part(share=Fraction(1, 3), alpha=Fraction(3678794412, 10**10), terms=3)
    zero = float(1 - Fraction(3678794412, 10**10)) ** (1 / 3)
    drawn = [polya(share="1/3", scale=1, source=source) for _ in range(runs)]
    for k, mass in enumerate(share):
        p = zero * float(mass)
        assert abs(drawn.count(k) - runs * p) <= 5 * (runs * p * (1 - p)) ** 0.5
    a = 0.36787944
    noise = [noise_of(users=7, honest=4, scale=1, source=source) for _ in range(runs)]
    wanted = 7 / 4 * 2 * a / (1 - a) ** 2
    assert abs(sum(x * x for x in noise) / runs - wanted) <= 0.2 * wanted
    assert abs(sum(noise)) <= 5 * (runs * wanted) ** 0.5


@pytest.mark.parametrize("given", [{"share": 0}, {"share": 2}, {"scale": 0}])
def test_a_wrong_part_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        polya(**{"share": "1/2", "scale": 1, **given}, source=Seeded(1))


def test_it_is_the_histogram_with_so_many_users_and_forgets_how_many_there_are() -> None:
    known = Histogram(n=300, p="1/2").epsilon(delta="1e-6").upper.upper
    for n in (1, 10**9):
        found = FakeUsers(n=n, fakes=300, p="1/2").epsilon(delta="1e-6").upper.upper
        assert float(found) == pytest.approx(float(known), rel=1e-8)


@pytest.mark.parametrize("engine", [exact_fakes, ball_fakes])
def test_ends_of_the_domain_fakes(engine: Any) -> None:
    assert engine.delta(n=1, fakes=3, p=0, epsilon=0).upper == 1
    with pytest.raises(RegimeError, match=r"BEYOND\.fake-users.*p\^f"):
        engine.epsilon(n=1, fakes=2, p="1/2", delta="1e-9")


def test_exact_arithmetic_has_a_limit() -> None:
    with pytest.raises(ResourceLimitError, match="ball"):
        exact_fakes.delta(n=1, fakes=61, p="1/2", epsilon=0)
