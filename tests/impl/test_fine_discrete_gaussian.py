"""The discrete Gaussian against the rounded one, by summing both laws; and its calibration against the exact profile on the line."""

from fractions import Fraction

import pytest
from mpmath import erfc, exp, mp, mpf, pi, sqrt

from shuffleproof.impl.ball import fine_discrete_gaussian as fine
from shuffleproof.impl.ball.gaussian import discrete_gaussian_variance, noise_multiplier
from shuffleproof.spec.bounds.noise.gaussian import hockey_stick
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError


def laws(sigma: float) -> tuple[dict[int, mpf], dict[int, mpf]]:
    """(rounded, discrete) masses out to where nothing is left."""
    reach = int(14 * sigma) + 14
    density = {k: exp(-(mpf(k) ** 2) / (2 * mpf(sigma) ** 2)) / (sqrt(2 * pi) * sigma) for k in range(-reach, reach + 1)}
    total = sum(density.values())

    def above(x: mpf) -> mpf:
        return erfc(x / (sigma * sqrt(mpf(2)))) / 2

    return {k: above(k - mpf("0.5")) - above(k + mpf("0.5")) for k in density}, {k: mass / total for k, mass in density.items()}


@pytest.mark.parametrize("sigma", [0.05, 0.2, 0.5, 1.0, 3.0, 20.0])
def test_the_distance_to_the_rounded_gaussian_is_bounded(sigma: float) -> None:
    """From sigma = 1/2 on a bound fifteen times smaller would fail."""
    with mp.workdps(40):
        rounded, discrete = laws(sigma)
        distance = sum(abs(rounded[k] - discrete[k]) for k in rounded) / 2
    bound = float(fine.distance_bound(variance=Fraction(sigma) ** 2))
    assert distance <= bound
    assert sigma < 0.5 or distance > bound / 15


@pytest.mark.parametrize("sigma", [1.0, 4.0, 25.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 2.0])
def test_the_profile_on_the_line_is_below_the_bound(sigma: float, epsilon: float) -> None:
    """Without the second term it would not always be: at some eps the discrete profile is above the continuous one."""
    with mp.workdps(30):
        _, law = laws(sigma)
        for shift in (1, 3):
            exact = sum(max(mpf(0), mass - exp(epsilon) * law.get(k - shift, mpf(0))) for k, mass in law.items())
            continuous = hockey_stick(epsilon=epsilon, mu=mpf(shift) / sigma)
            assert exact <= continuous + (1 + exp(epsilon)) / (8 * mpf(sigma) ** 2)


def test_some_discrete_profile_is_above_the_continuous_one() -> None:
    with mp.workdps(30):
        _, law = laws(1.0)
        excesses = []
        for tenths in range(20):
            epsilon = mpf(tenths) / 10
            exact = sum(max(mpf(0), mass - exp(epsilon) * law.get(k - 1, mpf(0))) for k, mass in law.items())
            excesses.append(exact - hockey_stick(epsilon=epsilon, mu=1))
    assert max(excesses) > 1e-3


def test_on_a_fine_grid_it_needs_hardly_more_than_continuous_noise() -> None:
    squared = 2 << 48
    found = fine.variance(sensitivity_squared=squared, dimension=10**5, epsilon=1, delta="1e-6")
    continuous = noise_multiplier(epsilon=1, delta="1e-6").value ** 2 * squared
    assert continuous < found < continuous * Fraction(1001, 1000)
    assert found < Fraction(9, 10) * discrete_gaussian_variance(sensitivity_squared=squared, epsilon=1, delta="1e-6")


def test_coarse_grids_and_bad_parameters_are_refused() -> None:
    with pytest.raises(RegimeError, match="finer grid"):
        fine.variance(sensitivity_squared=100, dimension=10, epsilon=1, delta="1e-6")
    with pytest.raises(RegimeError, match="finer grid"):
        fine.variance(sensitivity_squared=1 << 40, dimension=10**9, epsilon=1, delta="1e-6")
    for wrong in ({"sensitivity_squared": 0}, {"dimension": 0}, {"epsilon": -1}, {"delta": "2"}):
        with pytest.raises(DomainError):
            fine.variance(**{"sensitivity_squared": 1 << 50, "dimension": 2, "epsilon": 1, "delta": "1e-6", **wrong})  # type: ignore[arg-type]
    with pytest.raises(DomainError):
        fine.distance_bound(variance=0)
