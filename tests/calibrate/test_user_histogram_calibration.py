"""The noise of the user-level histogram from both sides."""

import json
import math
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner

from shuffleproof.command_line.calibrate import calibrate as group
from shuffleproof.impl.ball import gaussian
from shuffleproof.impl.ball.calibration import user_histogram as subject
from shuffleproof.impl.ball.calibration.user_histogram import calibrate
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError
from shuffleproof.spec.vocabulary.relation import Relation

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
    found = calibrate(threshold=10, domain_size=d, relation=relation, epsilon=epsilon, delta=delta)
    assert found.value is not None
    assert found.relative_distance < Fraction(3, 10**12)
    assert delta_at(found.value, squared=squared, epsilon=epsilon, above=True) <= Fraction(delta)
    assert delta_at(found.fails_at, squared=squared, epsilon=epsilon, above=False) > Fraction(delta)
    (discrete,) = found.also_meets.values()
    assert discrete > found.fails_at


def test_laplace_noise_is_the_sensitivity_over_epsilon() -> None:
    assert calibrate(threshold=10, domain_size=5, relation=ADD_REMOVE, epsilon="1/2").value == 20
    assert calibrate(threshold=10, domain_size=5, relation=REPLACE, epsilon="1/2").value == 40
    assert calibrate(threshold=10, domain_size=1, relation=REPLACE, epsilon="1/2").value == 20
    found = calibrate(threshold=1, domain_size=2, relation=ADD_REMOVE, epsilon="ln 3")
    # e^(1/value) <= 3 < e^(1/fails_at)
    assert found.fails_at < Fraction("0.910239226626837393614240165736107000612") <= found.value
    assert found.value - found.fails_at < Fraction(2, 10**12)


def test_the_classical_noise_stands_beside_it_where_it_holds() -> None:
    found = calibrate(threshold=1, domain_size=2, relation=ADD_REMOVE, epsilon="0.5", delta="1e-6")
    assert found.paper.lower > found.value
    assert calibrate(threshold=1, domain_size=2, relation=ADD_REMOVE, epsilon="2", delta="1e-6").paper.fails is not None


def test_half_the_sensitivity_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that forgets that two users' histograms can differ at once."""
    monkeypatch.setattr(subject, "count", lambda *_, **__: 1)
    wrong = calibrate(threshold=10, domain_size=9, relation=REPLACE, epsilon="0.5", delta="1e-6").value
    assert wrong is not None
    assert delta_at(wrong, squared=200, epsilon="0.5", above=False) > Fraction(1, 10**6)


@pytest.mark.parametrize(
    "wrong", [{"threshold": 0}, {"domain_size": 0}, {"epsilon": "-1"}, {"delta": "2"}, {"delta": None, "epsilon": 0}, {"threshold": "nan"}]
)
def test_what_lies_outside_is_refused(wrong: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"threshold": 1, "domain_size": 2, "relation": REPLACE, "epsilon": 1, "delta": "1e-6", **wrong}
    with pytest.raises(DomainError):
        calibrate(**asked)


def test_a_delta_of_zero_belongs_to_laplace_noise() -> None:
    with pytest.raises(RegimeError):
        calibrate(threshold=1, domain_size=2, relation=REPLACE, epsilon=1, delta=0)


def test_the_command_prints_both_sides() -> None:
    asked = ["user-histogram", "--threshold", "10", "--domain-size", "1000", "--relation", "replace", "--eps", "1", "--delta", "1e-6"]
    text = CliRunner().invoke(group, asked, standalone_mode=False).stdout
    assert "certified to meet the target" in text
    assert "is certified not to meet it" in text
    record = json.loads(CliRunner().invoke(group, [*asked, "--format", "json"], standalone_mode=False).stdout)
    assert (record["protocol"], record["relation"], record["C"], record["d"]) == ("user-histogram", "replace-one", "10", "1000")
