"""The calibrated bit sum: exact profiles agree at both ends for few users, the paper's conditions are told, and the table is computed."""

import json
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strategies import central_orders, examples, logarithm

import shuffleproof.spec.bounds.sums.bit_sum as exact
from shuffleproof.command_line.calibrate import calibrate as group
from shuffleproof.figures import calibration_tables
from shuffleproof.figures.registry import entry
from shuffleproof.impl.ball.bounds.sums import bit_sum as profile
from shuffleproof.impl.ball.calibration.bit_sum import calibrate
from shuffleproof.spec.protocols.bit_sum import mean_squared_error
from shuffleproof.spec.vocabulary.errors import DomainError


@examples(30)
@given(
    st.integers(1, 8),
    central_orders,
    st.fractions(min_value=Fraction(1, 100), max_value=Fraction(3, 5), max_denominator=100),
    st.sampled_from([1, 4]),
)
def test_exact_profiles_agree_at_both_ends(n, order, delta, power):
    target = delta**power
    found = calibrate(n=n, epsilon=logarithm(order), delta=target)
    assert exact.worst_ones(n=n, lam=found.value, exp_epsilon=order)[0] <= target
    assert found.fails_at is not None
    assert exact.worst_ones(n=n, lam=found.fails_at, exp_epsilon=order)[0] > target
    assert found.relative_distance <= Fraction(1, 10**5)


@pytest.mark.parametrize(("n", "epsilon", "delta"), [(1000, "0.5", "1e-6"), (1000, "1", "1e-9"), (10**5, "0.5", "1e-9")])
def test_the_ends_are_within_five_percent_and_certified(n, epsilon, delta):
    found = calibrate(n=n, epsilon=epsilon, delta=delta)
    assert found.value / found.fails_at < Fraction(105, 100)
    assert profile.delta(n=n, lam=found.value, epsilon=epsilon, digits=6).upper <= Fraction(delta)
    assert profile.delta(n=n, lam=found.fails_at, epsilon=epsilon, digits=9).lower > Fraction(delta)
    low, high = found.certified["root mean squared error at value"]
    assert low**2 <= mean_squared_error(n=n, lam=found.value) <= high**2


def test_the_papers_lambda_is_far_more_than_is_needed_where_its_lemma_applies():
    found = calibrate(n=10**5, epsilon="0.5", delta="1e-6")
    assert found.paper.lower == pytest.approx(64 * 15.2018 * 4, rel=1e-3)
    low, high = found.certified["ratio of the paper's error to that at value"]
    assert Fraction(478, 100) < low <= high < Fraction(479, 100)
    assert found.paper.delta[1] < Fraction(1, 10**80)
    second = calibrate(n=1000, epsilon="0.95", delta="1e-6").paper  # the second branch, where the randomizers are private by themselves
    assert second.lower == pytest.approx(629.29, rel=1e-4)
    assert second.delta == (0, 0)


@pytest.mark.parametrize(
    ("n", "epsilon", "delta", "fails"),
    [
        (1000, "0.5", "1e-6", "it needs eps > sqrt(3456) ln(4/delta)/n = 0.8937 (eps is 1.788 times too small)"),
        (10**5, "1", "1e-6", "it needs eps < 1 (eps is 1)"),
        (10**5, "1.5", "1e-6", "it needs eps < 1 (eps is 0.5 above)"),
        (20, "0.1", "1e-9", "n >= 14 ln(4/delta) = 309.6 (n is 289.6 too small)"),
        (20, "0", "1e-9", "eps is 0"),
        (20, "0.1", "0", "it needs delta in (0, 1)"),
    ],
)
def test_where_the_lemma_does_not_apply_the_condition_is_told(n, epsilon, delta, fails):
    paper = calibrate(n=n, epsilon=epsilon, delta=delta, closeness=Fraction(1, 100)).paper
    assert paper.lower is None
    assert fails in paper.fails


def test_extremes():
    free = calibrate(n=10, epsilon=0, delta=1)
    assert (free.value, free.fails_at) == (0, None)
    everything = calibrate(n=10, epsilon=0, delta=0)
    assert everything.value == 10
    assert everything.fails_at < 10
    local = calibrate(n=10, epsilon="ln 3", delta=0)
    assert local.value == 5
    assert exact.worst_ones(n=10, lam=local.fails_at, exp_epsilon=Fraction(3))[0] > 0
    tiny = calibrate(n=10, epsilon="ln 3", delta="1e-300")
    assert tiny.fails_at < tiny.value <= 5
    far = calibrate(n=10, epsilon=700, delta="1e-6")
    assert 0 < far.fails_at < far.value < Fraction(1, 10**300)
    beyond = calibrate(n=1000, epsilon=9000, delta="1e-6")
    assert 0 < beyond.fails_at < beyond.value < Fraction(1, 10**3900)
    loose = calibrate(n=10, epsilon=1, delta=1 - Fraction(1, 10**20))
    assert exact.worst_ones(n=10, lam=loose.value, exp_epsilon=Fraction(2719, 1000))[0] <= 1 - Fraction(1, 10**20)
    assert loose.fails_at < loose.value < Fraction(1, 10**18)
    alone = calibrate(n=1, epsilon=0, delta="1/4")  # delta = 1 - lambda there
    assert alone.fails_at < Fraction(3, 4) <= alone.value


@pytest.mark.parametrize("changed", [{"n": 0}, {"delta": "1.5"}, {"epsilon": -1}, {"delta": "nan"}])
def test_what_is_outside_the_domain_is_refused(changed):
    with pytest.raises(DomainError):
        calibrate(**({"n": 10, "epsilon": 1, "delta": "1e-6"} | changed))


def test_the_command_prints_both_sides_and_the_papers_noise():
    shown = CliRunner().invoke(group, ["bit-sum", "-n", "100000", "--eps", "0.5", "--delta", "1e-6"], standalone_mode=False)
    assert re.search(r"^lambda = 179\.9\d* \(bit-sum, CSUZZ19", shown.output)
    assert "is certified not to meet it" in shown.output
    assert "the paper's noise (CSUZZ19.Lem4.8): 3891.66" in shown.output
    arguments = ["bit-sum", "-n", "1000", "--eps", "1", "--delta", "1e-9", "--format", "json"]
    record = json.loads(CliRunner().invoke(group, arguments, standalone_mode=False).output)
    assert record["protocol"] == "bit-sum"
    assert record["papers_value"] is None
    assert record["expected_noise"] == record["value"]
    assert Fraction(record["fails_at"]) < Fraction(record["value"])


def test_the_table_is_computed_row_by_row(monkeypatch):
    monkeypatch.setattr(calibration_tables, "USERS", ("1e3", "1e5"))
    monkeypatch.setattr(calibration_tables, "EPSILONS", ("0.5",))
    table = calibration_tables.bit_sum()
    assert entry("bit-sum-calibration").made_by == "calibration_tables:bit_sum"
    rows = {(row[0], row[2]): dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert len(rows) == 4
    for row in rows.values():
        assert Fraction(row["enough"]) / Fraction(row["not enough"]) <= Fraction(row["ratio"]) < Fraction(1003, 1000)
    assert "1.788 times too small" in rows["1e3", "1e-6"]["why not"]
    assert rows["1e5", "1e-6"]["Lemma 4.8"] == "3891.66"
    assert Fraction("4.7") < Fraction(rows["1e5", "1e-6"]["its error over ours"]) < Fraction("4.8")
