"""Noise in parts (coins, discrete Gaussians, Laplace), shares that are mixed, fake users: engines, calibrations, ends of the domain."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet
from flint import arb
from seeded_bits import Seeded

from shuffleproof import BinomialSum, DiscreteGaussianSum, FakeUsers, Histogram, LaplaceSum, SplitAndMix, ZeroSum, calibrate
from shuffleproof.impl.ball import discrete_gaussian as line
from shuffleproof.impl.ball.bounds.noise import (
    binomial_sum as coins_ball,
    discrete_gaussian_sum as gauss_ball,
    fake_users as fakes_ball,
    laplace_sum as ball,
    split_and_mix as ball_shares,
)
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.fast.bounds.noise import (
    binomial_sum as coins_fast,
    discrete_gaussian_sum as gauss_fast,
    fake_users as fakes_fast,
    laplace_sum as fast,
    split_and_mix as fast_shares,
)
from shuffleproof.impl.release.entropy import OperatingSystem
from shuffleproof.impl.release.integer_noise import noise_of, polya
from shuffleproof.impl.release.shares import mixed, split, total
from shuffleproof.report.calibrations import text
from shuffleproof.spec.bounds.noise import (
    binomial_sum as coins_exact,
    discrete_gaussian_sum as gauss_exact,
    fake_users as exact_fakes,
    laplace_sum as exact,
    split_and_mix as exact_shares,
)
from shuffleproof.spec.distribution import Distribution, convolution, hockey_stick
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.scope import Relation


def test_a_refusal_for_fake_users_names_the_delta_of_every_large_epsilon() -> None:
    least = exact_fakes.delta(n=9, fakes=2, p="1/3", epsilon="ln 1000000").exact
    assert Fraction(least or 0) == Fraction(41, 81)
    with pytest.raises(RegimeError, match=r"= 0\.506173, got delta = 1/2"):
        exact_fakes.epsilon(n=9, fakes=2, p="1/3", delta="1/2")


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


def test_parts_are_drawn_from_their_distribution_and_add_up_to_discrete_laplace_noise() -> None:
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


@pytest.mark.parametrize("engine", [exact_fakes, fakes_ball])
def test_ends_of_the_domain_fakes(engine: Any) -> None:
    assert engine.delta(n=1, fakes=3, p=0, epsilon=0).upper == 1
    with pytest.raises(RegimeError, match=r"BEYOND\.fake-users.*p\^f"):
        engine.epsilon(n=1, fakes=2, p="1/2", delta="1e-9")


def test_exact_arithmetic_has_a_limit() -> None:
    with pytest.raises(ResourceLimitError, match="ball"):
        exact_fakes.delta(n=1, fakes=61, p="1/2", epsilon=0)


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
    found = ball_shares.distance(n=n, messages=messages, modulus=modulus, digits=6)[1]
    assert leading * 0.99 < float(found) < leading * 1.01
    assert float(found) < fast_shares._apart(n, messages, modulus) * (1 + 1e-6) < leading * 1.01


def test_calibration_finds_the_fewest_messages() -> None:
    found = calibrate.split_and_mix(n=1000, modulus=2**32, epsilon=1, delta="1e-6")
    messages = int(found.settings["messages"])
    asked: dict[str, Any] = {"n": 1000, "modulus": 2**32, "sensitivity": 1, "epsilon0": 1}
    assert SplitAndMix(**asked, messages=messages).delta(epsilon=1).upper.upper <= Fraction(1, 10**6)
    assert SplitAndMix(**asked, messages=messages - 1).delta(epsilon=1).upper.upper > Fraction(1, 10**6)


@pytest.mark.parametrize("engine", [exact_shares, ball_shares, fast_shares])
def test_ends_of_the_domain(engine: Any) -> None:
    asked: dict[str, Any] = {"n": 2, "messages": 3, "modulus": 4, "sensitivity": 1, "epsilon0": "ln 2"}
    with pytest.raises(RegimeError):
        engine.epsilon(**asked, delta="1/10")
    assert engine.epsilon(**{**asked, "n": 1}, delta=0).upper >= Fraction(6931, 10**4)  # one user's shares show their sum alone


def test_binomial_coefficients_of_millions_of_bits_are_left_to_balls() -> None:
    asked: dict[str, Any] = {"n": 2, "messages": 10**8, "modulus": 2, "sensitivity": 1, "epsilon0": "ln 3", "epsilon": 0}
    with pytest.raises(ResourceLimitError, match="use engine 'ball'"):
        exact_shares.delta(**asked)


def test_too_few_messages_are_refused() -> None:
    asked: dict[str, Any] = {"n": 10**4, "messages": 4, "modulus": 2**30, "sensitivity": 1, "epsilon0": 1, "epsilon": 1}
    with pytest.raises(ResourceLimitError):
        ball_shares.delta(**asked)
    with pytest.raises(UnsupportedError):
        fast_shares.delta(**asked)


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
    shown = ball_shares.distance(n=400, messages=3, modulus=256, digits=6)[1]
    monkeypatch.setattr(ball_shares, "COMPUTED_TO", 400)
    ball_shares._apart.cache_clear()
    low, high = ball_shares.distance(n=400, messages=3, modulus=256, digits=6)
    ball_shares._apart.cache_clear()
    assert low <= high <= shown <= high * Fraction(11, 10)
    monkeypatch.undo()
    monkeypatch.setattr(ball_shares, "_KNOWN_TO", (160,))
    with pytest.raises(ResourceLimitError, match="more than 3 messages"):
        ball_shares.distance(n=400, messages=3, modulus=256, digits=6)


def test_the_published_number_of_shares_is_told_as_recalled_and_is_no_guarantee() -> None:
    found = calibrate.split_and_mix(n=1000, modulus=2**32, epsilon=1, delta="1e-6")
    assert (found.value, found.paper.upper, found.paper.recalled) == (9, 11, True)
    assert found.statement == "BEYOND.split-and-mix"
    assert "the published number, as recalled (BEYOND.BBGN20-messages): 11" in text(found)
    few = calibrate.split_and_mix(n=18, modulus=2**8, epsilon=1, delta="1e-3").paper
    assert (few.upper, few.fails) == (None, "n = 18 is below 19")


def test_a_calibration_for_which_no_paper_is_followed_names_none_and_claims_nothing_of_more_noise() -> None:
    found = calibrate.discrete_gaussian_sum(n=100, sensitivity=10, epsilon=1, delta="1e-6")
    assert "paper" not in text(found)
    assert "does not apply" not in " ".join(found.notes)
    assert "nothing is claimed of more" in text(found)
    with pytest.raises(ValueError, match="paper's noise"):
        replace(found.paper, statement="BEYOND.discrete-gaussian-sum")


def test_many_messages_take_stirlings_series_and_no_binomial_coefficient_that_is_not_needed() -> None:
    with precision(200):
        assert ball_shares._rising(arb(3), 7, 5000).overlaps(
            ball_shares._rising(ball_shares._rising(arb(3), 7, 2000), 2007, 2000) * ball_shares._rising(arb(1), 4007, 1000)
        )
        assert ball_shares._rising(arb(1), 10**15, 10**12) > 1
    asked: list[int] = []
    choose = fast_shares._choose.__wrapped__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_shares, "_choose", lambda n, k: asked.append(k) or choose(n, k))
        small = [fast_shares._u(60, k, 40) for k in range(1, 60)]
    assert max(asked) < 1600
    for k, found in enumerate(small, 1):
        truth = Fraction(math.comb(60, k) ** 2, math.comb(2400, 40 * k))
        assert truth <= Fraction(found) <= truth * (1 + Fraction(1, 10**15)) + Fraction(1, 10**299)


@pytest.mark.parametrize(("listed", "far", "E"), [((5, 1), 2, 1), ((5, 5, 5), -3, 2)])
def test_what_lies_beyond_the_listed_masses_counts_for_each_of_three_users(listed: tuple[int, ...], far: int, E: int) -> None:
    """Noises of 16ths, all but one outcome of which are listed: lost below, and revealed above."""
    noise = Distribution.over(16, {**dict(enumerate(listed)), far: 16 - sum(listed)})
    masses = tuple(x * gauss_exact.UNIT // 16 for x in listed)
    law = gauss_exact.total(gauss_exact.Masses(0, masses, masses, gauss_exact.UNIT - sum(masses)), 3)
    low, high = gauss_exact.hockey_stick(law, shift=1, exp_epsilon=(Fraction(E), Fraction(E)))
    whole = convolution(noise, noise, noise)
    assert low <= hockey_stick(whole, whole.map(lambda x: x + 1), exp_epsilon=Fraction(E)) <= high


@pytest.mark.parametrize("variance", [Fraction(1, 2), Fraction(10), Fraction(30)])
def test_masses_of_a_discrete_gaussian_are_enclosed_and_so_is_what_lies_beyond_them(variance: Fraction) -> None:
    law, unit = gauss_exact.one(variance), gauss_exact.UNIT
    weights = [exp_bounds(-Fraction(x * x) / (2 * variance), bits=300)[0] for x in range(-2 * law.first)]  # the rest is below e^-200
    total = 2 * sum(weights) - 1
    for x, low, high in zip(range(law.first, 1 - law.first), law.low, law.high, strict=True):
        assert low <= weights[abs(x)] / total * unit <= high
    assert 2 * sum(weights[1 - law.first :]) / total * unit <= law.beyond


@pytest.mark.parametrize(("n", "messages", "modulus"), [(1, 3, 4), (2, 3, 4), (5, 4, 2**20), (3, 1, 16)])
def test_the_distance_of_shares_lies_between_two_neighbouring_rationals(n: int, messages: int, modulus: int) -> None:
    low, high = exact_shares.distance(n=n, messages=messages, modulus=modulus)
    square = min((exact_shares.components_moment(n=n, messages=messages, modulus=modulus) - 1) / 4, Fraction(1))
    assert low**2 <= square <= high**2
    assert (high - low) * 2**200 == (0 < square < 1)


@pytest.mark.parametrize(("modulus", "alpha"), [(1, "1/2"), (2, "9/10"), (5, "1/3")])
def test_noise_modulo_q_is_discrete_laplace_noise_of_all_integers_that_are_the_same(modulus: int, alpha: str) -> None:
    a, found = Fraction(alpha), exact_shares.noise_modulo(modulus, alpha=Fraction(alpha))
    for y in range(modulus):
        near = (1 - a) / (1 + a) * sum(a ** abs(z) for z in range(y - 200 * modulus, 201 * modulus, modulus))
        assert near <= found[y] <= near + 2 * a ** (199 * modulus)


@pytest.mark.parametrize(
    ("n", "modulus", "security", "messages"), [(10**4, 2**32, 2**40, 12), (19, 4, 1, 3), (19, 2**32, 1, 14), (1000, 2**8, 10, 4)]
)
def test_the_published_number_of_shares_is_the_formula_rounded_up(n: int, modulus: int, security: int, messages: int) -> None:
    assert math.ceil((2 * math.log2(security) + math.log2(modulus)) / (math.log2(n) - math.log2(math.e)) + 2) == messages
    assert exact_shares.recalled_messages(n=n, modulus=modulus, security=Fraction(security)) == messages
    with pytest.raises(DomainError, match="at least 19"):
        exact_shares.recalled_messages(n=18, modulus=modulus, security=Fraction(security))
