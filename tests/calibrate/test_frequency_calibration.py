"""Calibrated frequency estimation: the bracket around the largest epsilon0, the certified errors, and what the command prints."""

import json
import math
from fractions import Fraction
from typing import Any, get_args

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from strategies import examples

import shuffleproof
from shuffleproof.calibrate import AmplificationBound, FrequencyRandomizer
from shuffleproof.command_line.calibrate import calibrate as group
from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.calibration import frequency as subject
from shuffleproof.impl.ball.calibration.frequency import calibrate
from shuffleproof.impl.ball.calibration.prescriptions import prescribed
from shuffleproof.impl.ball.frequency import RANDOMIZERS, worst_errors
from shuffleproof.spec.bounds.clones.clones import stronger_clones as exact
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.protocols import frequency
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

orders = st.fractions(min_value=Fraction(11, 10), max_value=60, max_denominator=10)


def encloses(ends: tuple[Fraction, Fraction], value: Fraction) -> bool:
    return ends[0] <= value <= ends[1] and (ends[1] - ends[0]) * 10**14 <= ends[1]


@examples(25)
@given(st.integers(2, 7), orders)
def test_the_certified_errors_of_hadamard_response_are_the_worst_of_the_exact_ones(k: int, order: Fraction) -> None:
    """Over all datasets of one user, which the errors are means of; the number of blocks is the best power of two."""
    found = worst_errors(randomizer="hadamard", k=k, n=3, epsilon0=f"ln {order}")
    candidates = [1 << j for j in range((k - 1).bit_length() + 1)]
    totals = {B: frequency.hadamard_worst_error(k=k, blocks=B, exp_epsilon0=order, n=3) for B in candidates}
    assert encloses(found.squared_l2, min(totals.values()))
    B = int(found.settings["blocks"])
    estimator = frequency.hadamard(k=k, exp_epsilon0=order, blocks=B)
    assert encloses(found.squared_l2, max(estimator.squared_error([v]) for v in range(k)) / 3)
    assert encloses(found.per_item, max(max(estimator.variances([v])) for v in range(k)) / 3)
    assert len(estimator.randomizer.messages) <= 2**found.message_bits


@examples(25)
@given(st.integers(2, 6), orders)
def test_the_certified_errors_of_subset_selection_are_the_least_over_all_sizes(k: int, order: Fraction) -> None:
    found = worst_errors(randomizer="k-subset", k=k, n=2, epsilon0=f"ln {order}")
    supports = {d: frequency.subset_support(k=k, d=d, exp_epsilon0=order) for d in range(1, k)}
    errors = {d: frequency.support_error(k=k, own=g, other=h, n=2) for d, (g, h) in supports.items()}
    assert encloses(found.squared_l2, min(errors.values()))
    estimator = frequency.k_subset(k=k, d=int(found.settings["subset_size"]), exp_epsilon0=order)
    assert encloses(found.per_item, max(max(estimator.variances([v])) for v in range(k)) / 2)


@examples(15)
@given(st.integers(2, 5), st.fractions(min_value=Fraction(6, 5), max_value=8, max_denominator=5))
def test_the_certified_errors_of_the_others_are_the_exact_ones(k: int, root: Fraction) -> None:
    estimators = {
        "k-rr": frequency.k_rr(k=k, exp_epsilon0=root**2),
        "rappor": frequency.rappor(k=k, exp_half_epsilon0=root),
        "asymmetric-rappor": frequency.asymmetric_rappor(k=k, exp_epsilon0=root**2),
    }
    for name, estimator in estimators.items():
        found = worst_errors(randomizer=name, k=k, n=5, epsilon0=f"ln {root**2}")
        assert encloses(found.squared_l2, estimator.squared_error([0]) / 5)
        assert encloses(found.per_item, max(estimator.variances([0])) / 5)


@examples(12)
@given(st.integers(1, 25), st.fractions(min_value=1, max_value=4, max_denominator=5), st.integers(1, 40))
def test_value_meets_the_target_and_fails_at_does_not(n: int, order: Fraction, power: int) -> None:
    """Against exact rationals, at rational e^epsilon0 just below value and just above fails_at."""
    epsilon, delta = parse_epsilon(f"ln {order}"), Fraction(1, 2**power)
    found = calibrate(randomizer="k-rr", n=n, k=3, epsilon=epsilon, delta=delta)
    assert found.value < found.fails_at <= found.value * (1 + Fraction(1, 10**9))
    for epsilon0, meets in ((found.value, True), (found.fails_at, False)):
        low, high = parse_epsilon(epsilon0).exp_bounds(bits=80)
        profile = PrivacyProfile(*exact.dominating_pair(n=n, exp_epsilon0=low if meets else high))
        assert (profile.delta(exp_epsilon=order) <= delta) is meets


@pytest.mark.parametrize(("bound", "engine"), [("clones", clones), ("stronger-clones", stronger_clones)])
def test_the_bound_that_is_named_decides(bound: str, engine) -> None:
    found = calibrate(randomizer="hadamard", n=10**4, k=50, epsilon="0.3", delta="1e-6", bound=bound)
    assert engine.epsilon(n=10**4, epsilon0=found.value, delta="1e-6").lower <= Fraction(3, 10)
    assert engine.epsilon(n=10**4, epsilon0=found.fails_at, delta="1e-6").upper > Fraction(3, 10)
    assert found.delta_at_value[1] <= Fraction(1, 10**6) <= found.delta_at_fails_at[0]


@pytest.mark.parametrize(
    ("n", "epsilon", "delta"), [(1, "1", "1e-6"), (300, "ln 3", "0.5"), (10**4, "0.3", "1e-300"), (10**5, "2", "1e-9")]
)
@pytest.mark.parametrize("bound", ["clones", "stronger-clones"])
def test_a_few_steps_find_the_decimals_that_the_search_finds(
    n: int, epsilon: str, delta: str, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {"randomizer": "k-rr", "n": n, "k": 2, "epsilon": epsilon, "delta": delta, "bound": bound}
    quick = calibrate(**asked)
    monkeypatch.setattr(subject, "rough_epsilon0", lambda **_: math.inf)
    searched = calibrate(**asked)
    assert (quick.value, quick.fails_at) == (searched.value, searched.fails_at)


def test_the_stronger_bound_allows_a_larger_epsilon0_and_a_smaller_error() -> None:
    weak, strong = (
        calibrate(randomizer="hadamard", n=10**4, k=50, epsilon="0.3", delta="1e-6", bound=bound) for bound in ("clones", "stronger-clones")
    )
    assert weak.value < strong.value
    assert strong.errors.squared_l2[1] < weak.errors.squared_l2[0]


@pytest.mark.parametrize(
    ("n", "epsilon", "delta"),
    [
        (1, "0", "0.3"),
        (1, "0.5", "1e-300"),
        (10, "0", "0.999"),
        (10**5, "0", "1e-4"),
        (3, "20", "1e-6"),
        (10**6, "1e-6", "1e-9"),
        (2, "ln 3", "0.99999999"),
    ],
)
def test_targets_at_every_extreme_have_an_answer(n: int, epsilon: str, delta: str) -> None:
    found = calibrate(randomizer="hadamard", n=n, k=2, epsilon=epsilon, delta=delta)
    assert 0 < found.value < found.fails_at
    assert stronger_clones.delta(n=n, epsilon0=found.value, epsilon=epsilon, digits=30).upper <= Fraction(delta)
    assert stronger_clones.delta(n=n, epsilon0=found.fails_at, epsilon=epsilon, digits=30).lower > Fraction(delta)


@pytest.mark.parametrize(
    ("epsilon", "t", "printed", "corrected"),
    [
        ("0.001", 0.269, 0.269 / 16, 0.269 / 16),
        ("0.01", 2.690, None, 2.690 / 16),
        ("0.05", 13.452, 2 * math.log(1.3452), 13.452 / 16),
        ("0.5", 134.52, 2 * math.log(13.452), 2 * math.log(13.452)),
    ],
)
def test_theorem_52s_choice_as_printed_and_with_joined_branches(epsilon: str, t: float, printed: float | None, corrected: float) -> None:
    """t = epsilon sqrt(n/ln(1/delta)), n = 10^6, delta = 1e-6."""
    assert float(epsilon) * math.sqrt(10**6 / math.log(10**6)) == pytest.approx(t, rel=1e-3)
    found = prescribed(n=10**6, epsilon=parse_epsilon(epsilon), delta=Fraction(1, 10**6))
    assert float(found.corrected[0]) == pytest.approx(corrected, rel=1e-3)
    if printed is None:
        assert found.epsilon0 is None
        assert "below 0" in (found.fails or "")
    else:
        assert float(found.epsilon0[0]) == pytest.approx(printed, rel=1e-3)


@pytest.mark.parametrize("epsilon", ["0", "1", "ln 3"])
def test_theorem_52_is_for_epsilon_between_0_and_1(epsilon: str) -> None:
    found = prescribed(n=10**6, epsilon=parse_epsilon(epsilon), delta=Fraction(1, 10**6))
    assert found.epsilon0 is found.corrected is None
    assert "(0, 1)" in (found.fails or "")


def run(*options: str):
    return CliRunner().invoke(group, ["frequency", *options], standalone_mode=False)


TARGET = ("-n", "1e5", "-k", "1000", "--eps", "0.5", "--delta", "1e-6", "--bound", "stronger-clones")


def test_the_text_gives_the_answer_the_error_and_the_papers_choice() -> None:
    answer = run("--randomizer", "hadamard", *TARGET)
    assert answer.return_value == 0
    found = calibrate(randomizer="hadamard", n="1e5", k="1000", epsilon="0.5", delta="1e-6")
    assert answer.output.startswith("epsilon0 = 6.6036")
    assert str(float(found.value))[:10] in answer.output
    for part in (
        "every smaller epsilon0",
        "worst mean squared error",
        "with blocks = ",
        "the paper's choice (FMT21.Thm5.2): epsilon0 = 2.8956",
    ):
        assert part in answer.output


def test_json_carries_exact_ends_and_directed_errors() -> None:
    answer = run("--randomizer", "k-subset", *TARGET, "--format", "json")
    record = json.loads(answer.output)
    found = calibrate(randomizer="k-subset", n="1e5", k="1000", epsilon="0.5", delta="1e-6")
    assert Fraction(record["value"]) == found.value
    assert Fraction(record["fails_at"]) == found.fails_at
    for name, ends in (("worst_squared_l2_error", found.errors.squared_l2), ("worst_mean_squared_error_per_item", found.errors.per_item)):
        assert Fraction(record[name]["lower"]) <= ends[0] <= ends[1] <= Fraction(record[name]["upper"])
    assert record["parameter"] == "epsilon0"
    assert record["expected_noise"] == record["worst_squared_l2_error"]["upper"]
    assert record["papers_condition"] is None
    assert {"n": "1e5", "k": "1000", "eps": "0.5", "delta": "1e-6"}.items() <= record.items()


def test_where_the_printed_branch_is_negative_the_command_says_so() -> None:
    answer = run("--randomizer", "k-rr", "-n", "1e4", "-k", "10", "--eps", "0.05", "--delta", "1e-6")
    assert "below 0" in answer.output
    assert "branches joined" in answer.output


@pytest.mark.parametrize(
    "changed",
    [
        {"randomizer": "laplace"},
        {"n": 0},
        {"n": 10**10},
        {"k": 1},
        {"epsilon": -1},
        {"epsilon": 1001},
        {"delta": 0},
        {"delta": 1},
        {"bound": "best"},
    ],
)
def test_bad_parameters_are_refused_before_any_work(changed: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "crossing", lambda **_: pytest.fail("work was started"))
    given = {"randomizer": "hadamard", "n": 100, "k": 10, "epsilon": "0.5", "delta": "1e-6", **changed}
    with pytest.raises(DomainError):
        calibrate(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize("changed", [{"randomizer": "laplace"}, {"k": 1}, {"epsilon0": 0}, {"n": 0}])
def test_errors_need_an_informative_randomizer(changed: dict[str, object]) -> None:
    with pytest.raises(DomainError):
        worst_errors(**{"randomizer": "k-rr", "k": 5, "n": 10, "epsilon0": 1, **changed})  # type: ignore[arg-type]


def test_every_layer_knows_the_same_randomizers() -> None:
    assert get_args(FrequencyRandomizer)[:5] == tuple(RANDOMIZERS)
    assert set(get_args(AmplificationBound)) == {"best", *subject.BOUNDS}


@pytest.mark.parametrize(("randomizer", "k", "statement"), [("krr", 2, "FMT21.Sec4.1.all-pairs"), ("hadamard", 20, "BEYOND.any-law-above")])
def test_the_best_bound_allows_more_than_that_for_all_and_says_which_it_is(randomizer: Any, k: int, statement: str) -> None:
    given: dict[str, Any] = {"n": 1000, "k": k, "epsilon": "1", "delta": "1e-5"}
    everybodys = shuffleproof.calibrate.frequency(randomizer=randomizer, bound="stronger-clones", **given)
    best = shuffleproof.calibrate.frequency(randomizer=randomizer, **given)
    assert best.value > everybodys.value * Fraction(21, 20)
    assert best.value < best.fails_at < best.value * Fraction(101, 100)
    assert best.delta_at_value[1] <= Fraction(1, 10**5) < best.delta_at_fails_at[0]
    assert (best.statement, best.standing, everybodys.standing) == (statement, "sound", "certified")
    assert best.errors.squared_l2[1] < everybodys.errors.squared_l2[0]
