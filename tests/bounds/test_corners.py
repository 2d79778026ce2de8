"""Corners of the parameters at which an engine once left Python's own error or a warning, or took minutes to refuse."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import shuffleproof as sp
from shuffleproof.bounds import answer
from shuffleproof.impl.fast.bounds.blanket import one_sum_contour
from shuffleproof.spec.vocabulary.numerals import Number

Parameters = dict[str, Number]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("method", "quantity", "engine", "parameters"),
    [
        pytest.param("another-place", "delta", "fast", {"n": 4, "epsilon0": 1000, "randomizer": "rappor", "epsilon": 1}, id="e^epsilon0"),
        pytest.param(
            "another-place", "epsilon", "fast", {"n": 4, "epsilon0": 1000, "randomizer": "rappor", "delta": "0.5"}, id="and inverse"
        ),
        pytest.param("clones", "epsilon", "ball", {"n": 10**18, "epsilon0": "ln 2", "delta": "1e-300"}, id="steps to a tilt of 1e-9"),
        pytest.param("first-arrival", "epsilon", "fast", {"n": 10**18, "epsilon0": "1e-300", "delta": "1e-6"}, id="roundings of 1e18"),
        pytest.param("discrete-gaussian-sum", "epsilon", "exact", {"n": 2, "sensitivity": 10**9, "variance": 1, "delta": "1e-9"}, id="far"),
        pytest.param("discrete-gaussian-sum", "delta", "exact", {"n": 1, "sensitivity": 1, "variance": "1e-9", "epsilon": 0}, id="e^-1e9"),
        pytest.param("blanket", "delta", "ball", {"n": 10**12, "epsilon0": 1, "randomizer": "laplace", "epsilon": "0.1"}, id="e^-4e9"),
        pytest.param("blanket", "delta", "ball", {"n": 3, "epsilon0": 10000, "randomizer": "rappor", "epsilon": "9999.5"}, id="e^20000"),
    ],
)
def test_what_no_engine_reaches_is_refused(method: str, quantity: str, engine: str, parameters: Parameters) -> None:
    with pytest.raises((sp.UnsupportedError, sp.ResourceLimitError, sp.UndecidedError)):
        answer(quantity=quantity, method=method, engine=engine, parameters=parameters, hand_over=False)


@pytest.mark.filterwarnings("error")
def test_masses_of_the_least_floats_are_summed() -> None:
    found = sp.delta(n=10**6, epsilon0="709.5", delta0=0, epsilon=0, method="leaking-response", engine="fast")
    assert Fraction(999_999, 1_000_000) < found.lower <= 1


def test_the_search_for_epsilon_begins_at_0_where_that_is_the_root() -> None:
    found = sp.epsilon(n=25910, epsilon0="1e-12", delta="1e-6", method="first-arrival", engine="fast")
    assert found.upper == 0


@pytest.mark.parametrize("n", [3, 100])
def test_losses_of_either_sign_are_summed_in_balls_however_far_apart_they_are(n: int) -> None:
    """A report of one's own is hidden by nobody: it costs 1 - e^(epsilon - epsilon0). The tilt was sought where the largest losses are."""
    given = {"n": n, "epsilon0": 700, "randomizer": "rappor", "epsilon": "699.5"}
    found = answer(quantity="delta", method="blanket", engine="ball", parameters=given, digits=2).bound
    assert Fraction("0.3933") < found.lower < Fraction("0.3934693") < found.upper < Fraction("0.3936")


def test_noise_without_bounds_has_no_epsilon_at_delta_0_whoever_takes_part() -> None:
    """It was asked at ever larger ones."""
    with pytest.raises(sp.RegimeError):
        sp.RandomParticipation(one=sp.shuffled(sp.Gaussian(sigma=3), n=2), rate="1/10").epsilon(delta=0)


def test_noise_is_calibrated_for_a_delta_next_to_1() -> None:
    """1 - delta is what counts there: digits of delta did not show it, and the search for what fails went on for ever."""
    target: dict[str, Any] = {"n": 1000, "epsilon": "0.05", "delta": "0.9999999999999999"}
    of_sum, of_reports = sp.calibrate.laplace_sum(**target), sp.calibrate.frequency(randomizer="k-rr", k=4, **target)
    assert 37.5 < float(of_sum.settings["epsilon0"]) < 37.6
    assert 43 < of_reports.value < 44


@pytest.mark.filterwarnings("error")
def test_a_mass_that_leaves_the_floats_adds_nothing_to_a_chi_square_that_does() -> None:
    found = sp.shuffled(sp.AsymmetricRAPPOR(epsilon0=690), n=4).delta(epsilon="ln 2", method="homogeneous")
    assert Fraction(49, 100) < found.lower <= Fraction(1, 2)


@pytest.mark.filterwarnings("error")
def test_losses_of_which_the_tilt_leaves_the_floats_with_its_fourth_power_are_not_summed_along_a_line() -> None:
    at = np.array([-2e90, 1e90])
    assert one_sum_contour.sides(np.array([0.5, 0.5]), at, at, error=0.0, n=5172) is None
