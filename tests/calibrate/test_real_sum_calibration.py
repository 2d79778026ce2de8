"""The calibrated real sum: exact profiles agree at both ends in both views, and the best number of bits has the smallest worst error."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

import shuffleproof.spec.bounds.sums.real_sum as exact
from shuffleproof.command_line.calibrate import calibrate as group
from shuffleproof.impl.ball.calibration.real_sum import calibrate, worst_mean_squared_error
from shuffleproof.spec.protocols import real_sum as protocol
from shuffleproof.spec.vocabulary.errors import DomainError


@pytest.mark.parametrize("view", ["untagged", "tagged"])
@pytest.mark.parametrize(("n", "epsilon", "delta"), [(1, "ln 2", "1e-3"), (3, "ln 2", "1/20"), (3, "ln 4", "1e-6")])
def test_exact_profiles_agree_at_both_ends(n, epsilon, delta, view):
    found = calibrate(n=n, epsilon=epsilon, delta=delta, view=view, runs=(1, 2, 3))
    for row in found.rows:
        at_value, at_fails = (exact.delta(n=n, lam=lam, r=row.r, epsilon=epsilon, view=view) for lam in (row.value, row.fails_at))
        assert at_value.upper <= Fraction(delta) < at_fails.lower


@pytest.mark.parametrize("r", [1, 2, 5])
def test_the_worst_error_is_that_of_the_specification_and_is_attained(r):
    n, lam = 4, Fraction(3, 2)
    assert worst_mean_squared_error(n, lam, r) == protocol.worst_mean_squared_error(n=n, lam=lam, r=r)
    attained = protocol.mean_squared_error((Fraction(1, 2 * r),) * n, lam=lam, r=r)
    assert worst_mean_squared_error(n, lam, r) == attained


def test_more_bits_help_until_the_noise_takes_over():
    found = calibrate(n=300, epsilon="1", delta="1e-6", view="untagged", runs=(1, 4, 16, 64), closeness=Fraction(1, 1000))
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
        calibrate(n=1000, epsilon="1", delta="1e-6", view=view, runs=(4,), closeness=Fraction(1, 1000)).rows[0]
        for view in ("untagged", "tagged")
    )
    assert tagged.fails_at >= untagged.fails_at
    assert untagged.value < tagged.value < untagged.value * Fraction(104, 100)


def test_where_there_is_little_noise_a_tagged_dataset_is_what_fails():
    untagged, tagged = (calibrate(n=1000, epsilon="5", delta="1e-3", view=view, runs=(8,)).rows[0] for view in ("untagged", "tagged"))
    assert tagged.fails_at > untagged.value * Fraction(11, 10)
    assert tagged.value < tagged.fails_at * Fraction(105, 100)


def test_the_papers_lambda_applies_to_many_users():
    found = calibrate(n=10**7, epsilon="0.9", delta="1e-6", view="untagged", runs=(1,), closeness=Fraction(1, 100)).calibration
    assert found.paper.lower > 50 * found.value


def test_a_decision_that_is_not_certain_is_said_to_be_none():
    sure = calibrate(n=3, epsilon="ln 2", delta="1/20", view="untagged", runs=(1, 3))
    assert sure.decided
    same = calibrate(n=10, epsilon=0, delta=0, view="untagged", runs=(1, 2))
    assert same.calibration.value == 10
    assert all(row.error is None for row in same.rows)
    assert not same.decided


@pytest.mark.parametrize("changed", [{"runs": (0,)}, {"runs": ()}, {"view": "both"}, {"n": 0}, {"view": "tagged", "runs": (1000,)}])
def test_what_is_outside_the_domain_is_refused(changed):
    with pytest.raises(DomainError):
        calibrate(**({"n": 10, "epsilon": 1, "delta": "1e-6", "view": "untagged", "runs": (1,)} | changed))


def test_the_command_lists_every_number_of_bits():
    arguments = ["real-sum", "-n", "100", "--eps", "1", "--delta", "1e-3", "--view", "untagged", "--r", "1", "--r", "4"]
    shown = CliRunner().invoke(group, arguments, standalone_mode=False).output
    assert "r = 4 is certainly the best of these" in shown
    record = json.loads(CliRunner().invoke(group, [*arguments, "--format", "json"], standalone_mode=False).output)
    assert record["best_r"] == 4
    assert [row["r"] for row in record["rows"]] == [1, 4]
    assert record["view"] == "untagged"
    assert Fraction(record["rows"][1]["fails_at"]) < Fraction(record["rows"][1]["value"])
