"""Least noise of the bit sum, of the real sum and of histograms of users: it meets its target, and less does not."""

import json
import math
import re
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from strategies import central_orders, examples, logarithm

import shuffleproof.spec.bounds.sums.bit_sum as exact
import shuffleproof.spec.bounds.sums.real_sum as exact_real
from shuffleproof.command_line.calibrate import calibrate as group
from shuffleproof.figures import calibration_tables
from shuffleproof.figures.registry import entry
from shuffleproof.impl.ball import gaussian
from shuffleproof.impl.ball.bounds.sums import bit_sum as profile
from shuffleproof.impl.ball.calibration import user_histogram as subject
from shuffleproof.impl.ball.calibration.bit_sum import calibrate
from shuffleproof.impl.ball.calibration.real_sum import calibrate as calibrate_real, worst_mean_squared_error
from shuffleproof.impl.ball.calibration.user_histogram import calibrate as calibrate_users
from shuffleproof.spec.protocols import real_sum as protocol
from shuffleproof.spec.protocols.bit_sum import mean_squared_error
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError
from shuffleproof.spec.vocabulary.scope import Relation


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


@pytest.mark.parametrize("view", ["untagged", "tagged"])
@pytest.mark.parametrize(("n", "epsilon", "delta"), [(1, "ln 2", "1e-3"), (3, "ln 2", "1/20"), (3, "ln 4", "1e-6")])
def test_exact_profiles_agree_at_both_ends_real(n, epsilon, delta, view):
    found = calibrate_real(n=n, epsilon=epsilon, delta=delta, view=view, runs=(1, 2, 3))
    for row in found.rows:
        at_value, at_fails = (getattr(exact_real, view).delta(n=n, lam=lam, r=row.r, epsilon=epsilon) for lam in (row.value, row.fails_at))
        assert at_value.upper <= Fraction(delta) < at_fails.lower


@pytest.mark.parametrize("r", [1, 2, 5])
def test_the_worst_error_is_that_of_the_specification_and_is_attained(r):
    n, lam = 4, Fraction(3, 2)
    assert worst_mean_squared_error(n, lam, r) == protocol.worst_mean_squared_error(n=n, lam=lam, r=r)
    attained = protocol.mean_squared_error((Fraction(1, 2 * r),) * n, lam=lam, r=r)
    assert worst_mean_squared_error(n, lam, r) == attained


def test_more_bits_help_until_the_noise_takes_over():
    found = calibrate_real(n=300, epsilon="1", delta="1e-6", view="untagged", runs=(1, 4, 16, 64), closeness=Fraction(1, 1000))
    errors = {row.r: row.error for row in found.rows}
    assert found.best == min(errors, key=errors.get)
    assert errors[1] > 4 * errors[16]
    for row in found.rows:
        assert row.value / row.fails_at < Fraction(102, 100)
        assert row.error_at_fails_at <= row.error
    assert found.calibration.settings["r"] == str(found.best)
    assert found.calibration.paper.lower is None


def test_tagged_asks_for_a_little_more_than_untagged():
    untagged, tagged = (
        calibrate_real(n=1000, epsilon="1", delta="1e-6", view=view, runs=(4,), closeness=Fraction(1, 1000)).rows[0]
        for view in ("untagged", "tagged")
    )
    assert tagged.fails_at >= untagged.fails_at
    assert untagged.value < tagged.value < untagged.value * Fraction(104, 100)


def test_where_there_is_little_noise_a_tagged_dataset_is_what_fails():
    untagged, tagged = (calibrate_real(n=1000, epsilon="5", delta="1e-3", view=view, runs=(8,)).rows[0] for view in ("untagged", "tagged"))
    assert tagged.fails_at > untagged.value * Fraction(11, 10)
    assert tagged.value < tagged.fails_at * Fraction(105, 100)


def test_the_papers_lambda_applies_to_many_users():
    found = calibrate_real(n=10**7, epsilon="0.9", delta="1e-6", view="untagged", runs=(1,), closeness=Fraction(1, 100)).calibration
    assert found.paper.lower > 50 * found.value


def test_a_decision_that_is_not_certain_is_said_to_be_none():
    sure = calibrate_real(n=3, epsilon="ln 2", delta="1/20", view="untagged", runs=(1, 3))
    assert sure.decided
    same = calibrate_real(n=10, epsilon=0, delta=0, view="untagged", runs=(1, 2))
    assert same.calibration.value == 10
    assert all(row.error is None for row in same.rows)
    assert not same.decided


@pytest.mark.parametrize("changed", [{"runs": (0,)}, {"runs": ()}, {"view": "both"}, {"n": 0}, {"view": "tagged", "runs": (1000,)}])
def test_what_is_outside_the_domain_is_refused_real(changed):
    with pytest.raises(DomainError):
        calibrate_real(**({"n": 10, "epsilon": 1, "delta": "1e-6", "view": "untagged", "runs": (1,)} | changed))


def test_the_command_lists_every_number_of_bits():
    arguments = ["real-sum", "-n", "100", "--eps", "1", "--delta", "1e-3", "--view", "untagged", "--r", "1", "--r", "4"]
    shown = CliRunner().invoke(group, arguments, standalone_mode=False).output
    assert "r = 4 is certainly the best of these" in shown
    record = json.loads(CliRunner().invoke(group, [*arguments, "--format", "json"], standalone_mode=False).output)
    assert record["best_r"] == 4
    assert [row["r"] for row in record["rows"]] == [1, 4]
    assert record["view"] == "untagged"
    assert Fraction(record["rows"][1]["fails_at"]) < Fraction(record["rows"][1]["value"])


ADD_REMOVE, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE_ONE


def delta_at(sigma: Fraction, *, squared: int, epsilon: str, above: bool) -> Fraction:
    """One side of the Gaussian's delta at sigma for an l2 sensitivity with this square, whose root is rounded against the test."""
    down = Fraction(math.isqrt(int(sigma**2 / squared * 10**60)), 10**30)
    multiplier = down if above else down + Fraction(1, 10**30)
    found = gaussian.delta(noise_multiplier=multiplier, epsilon=epsilon, relation=ADD_REMOVE, digits=20)
    return found.upper if above else found.lower


@pytest.mark.parametrize(("relation", "d", "squared"), [(ADD_REMOVE, 9, 100), (REPLACE, 9, 200), (REPLACE, 1, 100), (ADD_REMOVE, 1, 100)])
@pytest.mark.parametrize(("epsilon", "delta"), [("0.5", "1e-6"), ("ln 3", "0.1"), ("0", "1e-3"), ("20", "1e-12")])
def test_value_meets_the_target_and_a_little_less_does_not(relation: Relation, d: int, squared: int, epsilon: str, delta: str) -> None:
    found = calibrate_users(threshold=10, domain_size=d, relation=relation, epsilon=epsilon, delta=delta)
    assert found.value is not None
    assert found.relative_distance < Fraction(3, 10**12)
    assert delta_at(found.value, squared=squared, epsilon=epsilon, above=True) <= Fraction(delta)
    assert delta_at(found.fails_at, squared=squared, epsilon=epsilon, above=False) > Fraction(delta)
    (discrete,) = found.also_meets.values()
    assert discrete > found.fails_at


def test_laplace_noise_is_the_sensitivity_over_epsilon() -> None:
    assert calibrate_users(threshold=10, domain_size=5, relation=ADD_REMOVE, epsilon="1/2").value == 20
    assert calibrate_users(threshold=10, domain_size=5, relation=REPLACE, epsilon="1/2").value == 40
    assert calibrate_users(threshold=10, domain_size=1, relation=REPLACE, epsilon="1/2").value == 20
    found = calibrate_users(threshold=1, domain_size=2, relation=ADD_REMOVE, epsilon="ln 3")
    # e^(1/value) <= 3 < e^(1/fails_at)
    assert found.fails_at < Fraction("0.910239226626837393614240165736107000612") <= found.value
    assert found.value - found.fails_at < Fraction(2, 10**12)


def test_the_classical_noise_stands_beside_it_where_it_holds() -> None:
    found = calibrate_users(threshold=1, domain_size=2, relation=ADD_REMOVE, epsilon="0.5", delta="1e-6")
    assert found.paper.lower > found.value
    assert calibrate_users(threshold=1, domain_size=2, relation=ADD_REMOVE, epsilon="2", delta="1e-6").paper.fails is not None


def test_half_the_sensitivity_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that forgets that two users' histograms can differ at once."""
    right = subject._gaussian
    monkeypatch.setattr(subject, "_gaussian", lambda squared, *rest: right(squared / 2, *rest))
    wrong = calibrate_users(threshold=10, domain_size=9, relation=REPLACE, epsilon="0.5", delta="1e-6").value
    assert wrong is not None
    assert delta_at(wrong, squared=200, epsilon="0.5", above=False) > Fraction(1, 10**6)


@pytest.mark.parametrize(
    "wrong", [{"threshold": 0}, {"domain_size": 0}, {"epsilon": "-1"}, {"delta": "2"}, {"delta": None, "epsilon": 0}, {"threshold": "nan"}]
)
def test_what_lies_outside_is_refused(wrong: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"threshold": 1, "domain_size": 2, "relation": REPLACE, "epsilon": 1, "delta": "1e-6", **wrong}
    with pytest.raises(DomainError):
        calibrate_users(**asked)


def test_a_delta_of_zero_belongs_to_laplace_noise() -> None:
    with pytest.raises(RegimeError):
        calibrate_users(threshold=1, domain_size=2, relation=REPLACE, epsilon=1, delta=0)


def test_the_command_prints_both_sides() -> None:
    asked = ["user-histogram", "--threshold", "10", "--domain-size", "1000", "--relation", "replace", "--eps", "1", "--delta", "1e-6"]
    text = CliRunner().invoke(group, asked, standalone_mode=False).stdout
    assert "certified to meet the target" in text
    assert "is certified not to meet it" in text
    record = json.loads(CliRunner().invoke(group, [*asked, "--format", "json"], standalone_mode=False).stdout)
    assert (record["protocol"], record["relation"], record["C"], record["d"]) == ("user-histogram", "replace-one", "10", "1000")
