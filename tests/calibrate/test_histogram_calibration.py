"""The calibrated histogram: everything from the value to n/2 meets the target for two bins, fails_at does not."""

import json
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from strategies import central_orders, examples, logarithm

import shuffleproof.spec.bounds.noise.histogram as exact
from shuffleproof.command_line.calibrate import calibrate as group
from shuffleproof.impl.ball.bounds.noise import histogram as profile
from shuffleproof.impl.ball.calibration.histogram import COMPOSITION, TwoBins, calibrate
from shuffleproof.impl.ball.calibration.zero_sum import calibrate as calibrate_one_bin
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.vocabulary.errors import DomainError, UndecidedError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

HALF = Fraction(1, 2)


def delta_at(n, p, order):
    return PrivacyProfile(*exact.pair(n=n, p=p)).delta(exp_epsilon=order)


@examples(25)
@given(st.integers(1, 8), central_orders, st.integers(0, 10), st.integers(1, 60))
def test_all_noise_from_the_value_on_meets_the_target_and_fails_at_does_not(n, order, power, part):
    """Against exact rationals, between delta at n/2 and 1."""
    least = delta_at(n, HALF, order)
    delta = least + (1 - least) * Fraction(part, 61) / 4**power
    found = calibrate(n=n, epsilon=logarithm(order), delta=delta)
    noise = [found.value + (Fraction(n, 2) - found.value) * Fraction(i, 12) for i in range(13)]
    assert [m for m in noise if delta_at(n, 1 - m / n, order) > delta] == []
    assert delta_at(n, 1 - found.fails_at / n, order) > delta
    assert found.relative_distance <= Fraction(1, 10**9)
    composed = found.also_meets[COMPOSITION]
    assert composed is None or composed >= found.value * (1 - Fraction(1, 10**12))


@examples(15)
@given(st.integers(1, 8), central_orders, st.integers(1, 60))
def test_a_target_that_fails_at_half_is_unattainable(n, order, part):
    found = calibrate(n=n, epsilon=logarithm(order), delta=delta_at(n, HALF, order) * Fraction(part, 61))
    assert (found.value, found.fails_at) == (None, None)
    assert found.certified["delta at n/2"][0] <= delta_at(n, HALF, order) <= found.certified["delta at n/2"][1]


def test_a_tie_at_half_is_decided_in_rationals():
    assert calibrate(n=3, epsilon="ln 2", delta=delta_at(3, HALF, Fraction(2))).value == Fraction(3, 2)
    assert calibrate(n=1, epsilon=0, delta="3/4").value == HALF
    assert calibrate(n=3, epsilon="ln 2", delta=delta_at(3, HALF, Fraction(2)) * Fraction(999, 1000)).value is None


@pytest.mark.parametrize(
    ("n", "epsilon", "delta"), [(10**5, 1, "1e-6"), (10**7, 1, "1e-6"), (10**6, "0.05", "1e-9"), (3000, "ln 2", "1e-20")]
)
def test_large_n(n, epsilon, delta):
    """One bin needs less, basic composition more; the profile agrees at both ends and beyond."""
    found = calibrate(n=n, epsilon=epsilon, delta=delta)
    assert calibrate_one_bin(n=n, epsilon=epsilon, delta=delta).value < found.value < found.also_meets[COMPOSITION]
    assert profile.delta(n=n, p=1 - found.value / n, epsilon=epsilon).lower <= Fraction(delta)
    assert profile.delta(n=n, p=1 - found.fails_at / n, epsilon=epsilon).upper > Fraction(delta)
    for factor in (Fraction(101, 100), Fraction(2)):
        assert profile.delta(n=n, p=1 - factor * found.value / n, epsilon=epsilon, digits=6).upper <= Fraction(delta)


def test_the_papers_noise_stands_beside_the_calibrated_one():
    """BC20, Theorem 3.2 for (1, 1e-6), that is (1/2, 5e-7) in each bin: n (1 - p) = 200 ln(4e6) = 3040.4 against 42.66."""
    found = calibrate(n=10**5, epsilon=1, delta="1e-6")
    assert float(found.value) == pytest.approx(42.66355650188)
    assert float(found.also_meets[COMPOSITION]) == pytest.approx(96.76963811349)
    assert float(found.paper.lower) == pytest.approx(3040.36098382)
    assert found.paper.delta[1] < Fraction(1, 10**277)


@pytest.mark.parametrize("relative", ["0.05", "1e-4"])
@pytest.mark.parametrize(("n", "epsilon"), [(200, "0.2"), (60, "ln 3/2")])
def test_targets_just_above_the_least_attainable_one(n, epsilon, relative):
    """The larger profile is of no use there: the certificate goes step by step."""
    order = parse_epsilon(epsilon)
    delta = TwoBins(n, order, HALF).delta_at(HALF)[1] * (1 + Fraction(relative))
    found = calibrate(n=n, epsilon=epsilon, delta=delta)
    for step in range(9):
        m = found.value + (Fraction(n, 2) - found.value) * Fraction(step, 8)
        assert profile.delta(n=n, p=1 - m / n, epsilon=epsilon).lower <= delta


def test_a_start_that_fails_is_not_certified():
    two = TwoBins(40, logarithm(Fraction(2)), Fraction(1, 10))
    good, bad = (m / 40 for m in two.least_noise(40, enough=HALF))
    two.certify_from(good)
    with pytest.raises(UndecidedError):
        two.certify_from(bad)


def test_steps_stop_where_the_profile_is_above_the_target():
    """From the right they may not pass a point that fails: they stop with an error instead."""
    order, n = Fraction(2), 12
    two = TwoBins(n, logarithm(order), (delta_at(n, Fraction(1, 5), order) + delta_at(n, Fraction(1, 4), order)) / 2)
    at = HALF
    for _ in range(500):
        try:
            nearer = two._one_step(Fraction(1, 100), at)
        except UndecidedError:
            return
        assert delta_at(n, at, order) <= two.delta
        assert nearer < at
        at = nearer
    pytest.fail("never stopped")


@examples(30)
@given(st.integers(2, 6), st.fractions(min_value=Fraction(1, 20), max_value=HALF, max_denominator=20), central_orders)
def test_the_mean_total_of_the_best_event_is_bounded(n, g, order):
    """moment is the sum of (P - E Q)^+ (u + v - 1), from above and closely; the exact pair has n - 1 more users in its second bin."""
    if order >= n * n:
        return
    p, q = exact.pair(n=n, p=g)
    expected = sum((max(Fraction(0), p[y] - order * q[y]) * (sum(y) - n) for y in p.support), Fraction(0))
    _, moment = profile.with_moment(n, g, logarithm(order), digits=20)
    assert expected <= moment <= expected * (1 + Fraction(1, 10**9)) + Fraction(1, 10**12)


@examples(20)
@given(st.integers(2, 8), st.fractions(min_value=Fraction(1, 20), max_value=HALF, max_denominator=20), central_orders)
def test_pairs_of_noise_revealed_tell_no_less(n, g, order):
    """BC20.Thm3.2-paired."""
    assert TwoBins(n, logarithm(order), HALF)._paired(g) >= delta_at(n, g, order)


@pytest.mark.parametrize(
    ("asked", "condition"),
    [
        (
            {"n": 1000, "epsilon": 1, "delta": "1e-6"},
            r"ln\(2/delta\) = 6080.722; n = 1000 is 5081 too few \(each bin gets eps/2 and delta/2\)",
        ),
        ({"n": 10**5, "epsilon": 3, "delta": "1e-6"}, r"eps in \(0, 1\]; eps is 0.5 above 1 \(each bin"),
        ({"n": 10**5, "epsilon": 1, "delta": "1e-6", "dishonest": 7}, "7 of the 100000 users send none"),
    ],
)
def test_where_the_theorem_does_not_apply_the_condition_is_named(asked, condition):
    found = calibrate(**asked)
    assert found.paper.lower is None
    assert re.search(condition, found.paper.fails)


def test_silent_users_take_their_noise_with_them():
    found, alone = calibrate(n=5000, epsilon=1, delta="1e-6", dishonest=4000), calibrate(n=1000, epsilon=1, delta="1e-6")
    assert float(found.value / 5000) == pytest.approx(float(alone.value / 1000), rel=1e-9)


def test_json_and_exit_codes():
    done = CliRunner().invoke(group, ["histogram", "-n", "1e5", "--eps", "1", "--delta", "1e-6", "--format", "json"], standalone_mode=False)
    record = json.loads(done.stdout)
    assert done.return_value == 0
    assert record["protocol"] == "histogram"
    assert Fraction(record["fails_at"]) < Fraction(record["value"]) < Fraction(record["also_meets"][COMPOSITION])
    refused = CliRunner().invoke(group, ["histogram", "-n", "10", "--eps", "1", "--delta", "1e-6"], standalone_mode=False)
    assert refused.return_value == 1
    assert "nothing meets the target" in refused.stdout


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 0, "epsilon": 1, "delta": 0},
        {"n": 10**9, "epsilon": 1, "delta": 0},
        {"n": 2, "epsilon": 1, "delta": "-1"},
        {"n": 2, "epsilon": 1, "delta": 0, "dishonest": 2},
    ],
)
def test_what_lies_outside_its_domain_is_refused(asked):
    with pytest.raises(DomainError):
        calibrate(**asked)
