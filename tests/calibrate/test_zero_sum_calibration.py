"""The calibrated zero sum: everything from the value to n/2 meets the target, fails_at does not, and nothing smaller would do."""

import json
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from strategies import central_orders, examples, logarithm

import shuffleproof.spec.bounds.noise.zero_sum as exact
from shuffleproof.command_line.calibrate import calibrate as group
from shuffleproof.impl.ball.bounds.noise import zero_sum as profile
from shuffleproof.impl.ball.calibration import zero_sum as subject, zero_sum_peaks
from shuffleproof.impl.ball.calibration.zero_sum import ZeroSum, calibrate
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


def delta_at(n, p, order):
    return PrivacyProfile(*exact.pair(n=n, p=p)).delta(exp_epsilon=order)


def peaks_between(n, order, low, high):
    """Every local maximum of either direction for n (1 - p) in [low, high]: h_t, and 1 - h_t."""
    places = [t * order / (n - t + t * order) for t in range(1, n)]
    return [n * g for h in places for g in (h, 1 - h) if low <= n * g <= high]


def violations(n, order, delta, value, *, grid=40):
    """Noise from value to n/2 whose exact profile is above delta: a grid, and every place where a direction may peak."""
    half = Fraction(n, 2)
    noise = [value + (half - value) * Fraction(i, grid) for i in range(grid + 1)] + peaks_between(n, order, value, half)
    return [m for m in noise if delta_at(n, 1 - m / n, order) > delta]


@examples(60)
@given(st.integers(1, 14), central_orders, st.integers(0, 12), st.integers(1, 60))
def test_all_noise_from_the_value_on_meets_the_target_and_fails_at_does_not(n, order, power, part):
    """Against exact rationals, between delta at n/2 and 1."""
    least = delta_at(n, Fraction(1, 2), order)
    delta = least + (1 - least) * Fraction(part, 61) / 4**power
    found = calibrate(n=n, epsilon=logarithm(order), delta=delta)
    assert violations(n, order, delta, found.value) == []
    assert found.fails_at < found.value
    assert delta_at(n, 1 - found.fails_at / n, order) > delta
    assert found.relative_distance <= Fraction(1, 10**9)
    low, high = found.certified["delta at value"]
    assert low <= delta_at(n, 1 - found.value / n, order) <= high <= delta


@examples(40)
@given(st.integers(1, 14), central_orders, st.integers(1, 60))
def test_a_target_that_fails_at_half_is_unattainable(n, order, part):
    delta = delta_at(n, Fraction(1, 2), order) * Fraction(part, 61)
    found = calibrate(n=n, epsilon=logarithm(order), delta=delta)
    assert found.value is None
    assert found.fails_at is None
    low, high = found.certified["delta at n/2"]
    assert delta < low <= delta_at(n, Fraction(1, 2), order) <= high


def test_the_end_point_alone_is_not_enough():
    """n = 3, e^eps = 2: p = 0.605 meets 0.23 and p = 1/2 does not. A calibration that looks only at its own p would return 1.185."""
    order, delta = Fraction(2), Fraction(23, 100)
    assert delta_at(3, Fraction("0.605"), order) <= delta
    assert violations(3, order, delta, 3 * (1 - Fraction("0.605"))) != []
    assert calibrate(n=3, epsilon="ln 2", delta=delta).value is None


@pytest.mark.parametrize(("n", "order"), [(12, Fraction(3)), (12, Fraction(5, 4)), (9, Fraction(2))])
def test_a_peak_between_is_seen(n, order):
    """Targets just below a peak that is followed by a valley: the valley meets them, the value lies beyond the peak."""
    seen = 0
    for t in range(1, n // 2):
        peak = t * order / (n - t + t * order)
        if peak > Fraction(1, 2):
            break
        height = delta_at(n, 1 - peak, order)
        valley = t * order / (n + 1 - t + t * order)
        delta = height * Fraction(999, 1000)
        if delta_at(n, 1 - valley, order) <= delta and delta_at(n, Fraction(1, 2), order) <= delta:
            seen += 1
            assert calibrate(n=n, epsilon=logarithm(order), delta=delta).value > n * peak
            assert violations(n, order, delta, n * valley) != []
    assert seen > 0


def test_a_tie_at_half_is_decided_in_rationals():
    """delta(n/2) = 1/4 exactly at n = 3, e^eps = 2, and (1 - g)^n = 3/4 exactly at n = 1."""
    found = calibrate(n=3, epsilon="ln 2", delta="1/4")
    assert float(found.value) == pytest.approx(1.110118425158)
    assert violations(3, Fraction(2), Fraction(1, 4), found.value) == []
    assert calibrate(n=1, epsilon=0, delta="3/4").value == Fraction(1, 4)
    assert calibrate(n=2, epsilon=700, delta="1/4").value == 1


@pytest.mark.parametrize(
    ("n", "epsilon", "delta"),
    [(10**5, 1, "1e-6"), (10**7, "0.01", "1e-6"), (10**5, "0.05", "1e-12"), (50000, "ln 2", "1e-300"), (1000, 700, "1e-9")],
)
def test_the_two_ends_against_the_profile_by_its_own_engine(n, epsilon, delta):
    found = calibrate(n=n, epsilon=epsilon, delta=delta)
    assert profile.delta(n=n, p=1 - found.value / n, epsilon=epsilon).lower <= Fraction(delta)
    assert profile.delta(n=n, p=1 - found.fails_at / n, epsilon=epsilon).upper > Fraction(delta)
    assert found.relative_distance <= Fraction(1, 10**9)
    for step in range(1, 12):
        m = found.value + (Fraction(n, 2) - found.value) * Fraction(step, 11) ** 3
        assert profile.delta(n=n, p=1 - m / n, epsilon=epsilon, digits=6).upper <= Fraction(delta)


def test_the_papers_noise_stands_beside_the_calibrated_one():
    """BC20, Theorem 3.1 at n = 10^5, eps = 1, delta = 1e-6: 725.43 against 34.07."""
    found = calibrate(n=10**5, epsilon=1, delta="1e-6")
    assert float(found.value) == pytest.approx(34.06797168273)
    assert float(found.paper.lower) == pytest.approx(725.432886927)
    assert found.paper.delta[1] < Fraction(1, 10**87)
    p = 1 - found.paper.upper.limit_denominator(10**15) / 10**5
    assert profile.delta(n=10**5, p=p, epsilon=1).upper < Fraction(1, 10**87)


@pytest.mark.parametrize(
    ("asked", "condition"),
    [
        ({"n": 1000, "epsilon": 1, "delta": "1e-6"}, r"n >= \(100/eps\^2\) ln\(2/delta\) = 1450.8658; n = 1000 is 450.9 too few"),
        ({"n": 10**5, "epsilon": "3/2", "delta": "1e-6"}, r"eps in \(0, 1\]; eps is 0.5 above 1"),
        ({"n": 10**5, "epsilon": 0, "delta": "1/2"}, r"eps in \(0, 1\]; eps is 0"),
        ({"n": 10**5, "epsilon": 1, "delta": "1e-6", "dishonest": 7}, "7 of the 100000 users send none"),
        ({"n": 10**5, "epsilon": 1, "delta": 0}, r"delta in \(0, 1\]; delta is 0"),
    ],
)
def test_where_the_theorem_does_not_apply_the_condition_is_named(asked, condition):
    found = calibrate(**asked)
    assert found.paper.lower is None
    assert re.search(condition, found.paper.fails)


@examples(25)
@given(st.integers(2, 12), st.data(), central_orders, st.integers(1, 60))
def test_silent_users_take_their_noise_with_them(n, data, order, part):
    """With k of n users silent the noise is Bin(n - k, p): the same p is needed as for n - k users."""
    silent = data.draw(st.integers(1, n - 1))
    left = n - silent
    least = delta_at(left, Fraction(1, 2), order)
    delta = least + (1 - least) * Fraction(part, 61)
    found = calibrate(n=n, epsilon=logarithm(order), delta=delta, dishonest=silent)
    alone = calibrate(n=left, epsilon=logarithm(order), delta=delta)
    assert float(found.value / n) == pytest.approx(float(alone.value / left), rel=1e-9)
    assert delta_at(left, 1 - found.value / n, order) <= delta < delta_at(left, 1 - found.fails_at / n, order)
    assert found.inputs["dishonest"] == str(silent)


def test_every_target_of_one_is_met_without_noise():
    found = calibrate(n=10, epsilon=0, delta=1)
    assert (found.value, found.fails_at, found.settings) == (0, None, {"p": "1"})


@examples(80)
@given(st.integers(1, 25), st.integers(1, 25), central_orders)
def test_peaks_fall_in_both_counts(a, b, order):
    """BC20.Thm3.1-envelope, on which blocks of peaks rest."""
    height = lambda a, b: zero_sum_peaks._exactly(a + b, a, zero_sum_peaks.peak_odds(a, b), logarithm(order))  # noqa: E731
    assert height(a, b) >= max(height(a + 1, b), height(a, b + 1))


@examples(60)
@given(st.integers(1, 30), st.fractions(min_value=Fraction(1, 40), max_value=Fraction(39, 40), max_denominator=40), central_orders)
def test_the_active_threshold_attains_the_divergence(n, g, order):
    t = zero_sum_peaks.active(n, g / (1 - g), logarithm(order))
    pair = exact.pair(n=n, p=g)
    best = zero_sum_peaks._exactly(n, t, zero_sum_peaks.odds_of(g), logarithm(order))
    assert best == sum((max(Fraction(0), pair[0][y] - order * pair[1][y]) for y in range(n + 2)), Fraction(0))
    low, high = zero_sum_peaks.enclosed(n, t, zero_sum_peaks.odds_of(g), logarithm(order))
    assert low <= best <= high
    assert high - low <= Fraction(1, 10**30)


@examples(40)
@given(st.integers(2, 60), central_orders, st.integers(0, 40), st.sampled_from([1, -1]))
def test_the_search_stops_at_the_first_peak_that_is_too_high(n, order, power, step):
    delta = Fraction(9, 10) ** (3 * power)
    epsilon = logarithm(order)
    start = ZeroSum(n, epsilon, delta)._last_peak_up_to_half()
    start += step == 1
    heights = {t: zero_sum_peaks._exactly(n, t, zero_sum_peaks.peak_odds(t, n - t), epsilon) for t in range(1, n)}
    expected = next((t for t in range(start, 0 if step < 0 else n, step) if heights[t] > delta), 0 if step < 0 else n)
    assert zero_sum_peaks.highest_before(n, start, epsilon, delta=delta, step=step) == expected


def test_json_has_what_it_promises_and_an_unattainable_target_ends_with_one():
    done = CliRunner().invoke(group, ["zero-sum", "-n", "1e5", "--eps", "1", "--delta", "1e-6", "--format", "json"], standalone_mode=False)
    record = json.loads(done.stdout)
    assert done.return_value == 0
    assert record["protocol"] == "zero-sum"
    assert record["parameter"] == "n (1 - p)"
    assert Fraction(record["fails_at"]) < Fraction(record["value"]) == Fraction(record["expected_noise"])
    assert Fraction(record["settings"]["p"]) == 1 - Fraction(record["value"]) / 10**5
    assert Fraction(record["relative_distance"]) <= Fraction(1, 10**9)
    assert (record["n"], record["eps"], record["delta"]) == ("1e5", "1", "1e-6")
    assert float(record["papers_value"]) == pytest.approx(725.432886927)
    refused = CliRunner().invoke(group, ["zero-sum", "-n", "10", "--eps", "1", "--delta", "1e-6"], standalone_mode=False)
    assert refused.return_value == 1
    assert "nothing meets the target" in refused.stdout
    assert "n = 10 is" in refused.stdout


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 0, "epsilon": 1, "delta": "1e-6"},
        {"n": 10, "epsilon": -1, "delta": "1e-6"},
        {"n": 10, "epsilon": 1, "delta": 2},
        {"n": 10, "epsilon": 1, "delta": "nan"},
        {"n": 10, "epsilon": 1, "delta": "1e-6", "dishonest": 10},
        {"n": 10, "epsilon": 1, "delta": "1e-6", "dishonest": -1},
    ],
)
def test_what_lies_outside_its_domain_is_refused(asked):
    with pytest.raises(DomainError):
        calibrate(**asked)


def test_an_irrational_order_is_no_different():
    found = calibrate(n=12, epsilon="0.7", delta="0.1")
    low, high = parse_epsilon("0.7").exp_bounds(bits=100)
    assert delta_at(12, 1 - found.value / 12, low) <= Fraction(1, 10) * (1 + Fraction(1, 10**20))
    assert delta_at(12, 1 - found.fails_at / 12, high) > Fraction(1, 10) * (1 - Fraction(1, 10**20))
    assert violations(12, high, Fraction(1, 10), found.value) == []


@pytest.mark.parametrize(("n", "order", "delta"), [(3, Fraction(2), Fraction(23, 100)), (9, Fraction(2), Fraction(166, 1000))])
def test_a_calibration_that_passes_over_no_peaks_is_caught(monkeypatch, n, order, delta):
    """The mutant looks at its own end point only: it answers, and the exact profile between its answer and n/2 is above delta."""
    monkeypatch.setattr(ZeroSum, "half_meets", lambda self: True)
    monkeypatch.setattr(subject, "highest_before", lambda N, start, epsilon, *, delta, step: 0 if step < 0 else N)
    wrong = calibrate(n=n, epsilon=logarithm(order), delta=delta).value
    assert delta_at(n, 1 - wrong / n, order) <= delta
    assert violations(n, order, delta, wrong) != []
