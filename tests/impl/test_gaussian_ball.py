"""Gaussian noise in ball arithmetic: continuous, discrete on a fine grid, and integer noise."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from mpmath import mp, mpf
from strategies import examples

from shuffleproof.impl.ball import discrete_gaussian, fine_discrete_gaussian as fine, gaussian, subsampled_gaussian
from shuffleproof.impl.ball.gaussian import discrete_gaussian_variance, noise_multiplier
from shuffleproof.impl.ball.integer_noise import gaussian_cdf, laplace_cdf
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.spec.bounds.noise import gaussian as specified
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError
from shuffleproof.spec.vocabulary.scope import Relation

F = Fraction
ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE_ONE
epsilons = st.fractions(min_value=0, max_value=12, max_denominator=8)
multipliers = st.fractions(min_value=F(1, 10), max_value=40, max_denominator=10)


def _mpf(x: Fraction):
    return mpf(x.numerator) / x.denominator


@examples(60)
@given(epsilons, multipliers)
def test_the_profile_is_enclosed(epsilon, k) -> None:
    found = gaussian.delta(noise_multiplier=k, epsilon=epsilon, relation=REPLACE)
    with mp.workdps(40):
        reference = specified.hockey_stick(epsilon=_mpf(epsilon), mu=1 / _mpf(k))
        assert _mpf(found.lower) <= reference * (1 + mpf(10) ** -30)
        assert reference * (1 - mpf(10) ** -30) <= _mpf(found.upper)


@examples(30)
@given(epsilons, st.integers(1, 40))
def test_the_calibration_meets_its_target_and_what_fails_fails(epsilon, power) -> None:
    delta = F(1, 10**power)
    found = gaussian.noise_multiplier(epsilon=epsilon, delta=delta, digits=8)
    assert gaussian.delta(noise_multiplier=found.value, epsilon=epsilon, relation=ADD).upper <= delta
    assert gaussian.delta(noise_multiplier=found.fails_at, epsilon=epsilon, relation=ADD).lower > delta
    assert found.value - found.fails_at <= found.value / 10**8


@examples(25)
@given(multipliers, st.integers(1, 40))
def test_epsilon_inverts_delta(k, power) -> None:
    delta = F(1, 10**power)
    found = gaussian.epsilon(noise_multiplier=k, delta=delta, relation=ADD)
    assert gaussian.delta(noise_multiplier=k, epsilon=found.upper, relation=ADD).lower <= delta
    if found.lower > 0:
        assert gaussian.delta(noise_multiplier=k, epsilon=found.lower, relation=ADD).upper >= delta


def test_results_name_their_relation_and_have_no_default() -> None:
    assert gaussian.delta(noise_multiplier=1, epsilon=1, relation=ADD).relation is ADD
    assert gaussian.epsilon(noise_multiplier=1, delta="1e-5", relation=REPLACE).relation is REPLACE
    with pytest.raises(TypeError):
        gaussian.delta(noise_multiplier=1, epsilon=1)  # type: ignore[call-arg]


def test_extreme_noise_has_an_answer() -> None:
    assert gaussian.delta(noise_multiplier="1e400", epsilon=1, relation=ADD).upper < F(1, 10**1000)
    assert gaussian.delta(noise_multiplier="1e-400", epsilon=1, relation=ADD).upper <= 1
    assert gaussian.epsilon(noise_multiplier=1000, delta="0.1", relation=ADD).exact == "0"
    assert gaussian.discrete_gaussian_delta(sensitivity_squared=1, variance="1e-400", epsilon=1, relation=ADD).upper == 1
    assert gaussian.discrete_gaussian_delta(sensitivity_squared=1, variance="1e400", epsilon=0, relation=ADD).upper < F(1, 10**150)


def test_the_classical_calibration_is_rounded_up_and_keeps_to_its_range() -> None:
    assert float(gaussian.classical_noise_multiplier(epsilon="1/2", delta="1e-5")) == pytest.approx(2 * math.sqrt(2 * math.log(1.25e5)))
    for epsilon in (0, 1, 3):
        with pytest.raises(RegimeError):
            gaussian.classical_noise_multiplier(epsilon=epsilon, delta="1e-5")


def test_steps_compose_with_the_square_root() -> None:
    single = gaussian.noise_multiplier(epsilon=1, delta="1e-5").value
    assert single * 10 <= gaussian.composed_noise_multiplier(steps=100, epsilon=1, delta="1e-5") < single * 10 + F(1, 10**9)


@examples(25)
@given(st.integers(1, 30), epsilons, st.integers(1, 30))
def test_the_discrete_variance_meets_its_target_on_the_line(squared_root, epsilon, power) -> None:
    delta = F(1, 10**power)
    variance = gaussian.discrete_gaussian_variance(sensitivity_squared=squared_root**2, epsilon=epsilon, delta=delta)
    assert (
        gaussian.discrete_gaussian_delta(sensitivity_squared=squared_root**2, variance=variance, epsilon=epsilon, relation=ADD).upper
        <= delta
    )
    if variance < 10**6:
        assert discrete_gaussian.delta(sensitivity=squared_root, variance=variance, epsilon=epsilon, relation=ADD, digits=4).upper <= delta


def test_two_dimensions_by_enumeration() -> None:
    """The shift (1, 1) has squared length 2; every shift of that length is covered by one bound."""
    variance = F(9)
    bound = gaussian.discrete_gaussian_delta(sensitivity_squared=2, variance=variance, epsilon="1/2", relation=REPLACE).upper
    masses = {x: math.exp(-x * x / 18) for x in range(-40, 41)}
    whole = sum(masses.values())
    total = 0.0
    for x, p in masses.items():
        for y, q in masses.items():
            total += max(0.0, p * q - math.exp(0.5) * masses.get(x - 1, 0.0) * masses.get(y - 1, 0.0))
    assert total / whole**2 <= float(bound)


def test_the_laplace_scale_is_exact_where_it_can_be() -> None:
    assert gaussian.discrete_laplace_scale(sensitivity=5, epsilon=2) == F(5, 2)
    scale = gaussian.discrete_laplace_scale(sensitivity=5, epsilon="ln 3")
    assert 5 / math.log(3) <= float(scale) < 5 / math.log(3) + 1e-9
    with precision(200):
        assert ball(scale) >= ball(5) / ball(3).log()


def test_sampling_is_analysed_for_add_remove_only() -> None:
    settings_ = {"steps": 100, "rate": "0.01", "noise_multiplier": 1, "delta": "1e-5"}
    found = subsampled_gaussian.epsilon(**settings_, relation=ADD)
    assert found.side == "upper"
    assert 0 < found.upper < 3
    with pytest.raises(DomainError):
        subsampled_gaussian.epsilon(**settings_, relation=REPLACE)


def test_sampling_everybody_is_not_better_than_the_exact_composition() -> None:
    whole = subsampled_gaussian.epsilon(steps=4, rate=1, noise_multiplier=10, delta="1e-6", relation=ADD)
    exact = gaussian.epsilon(noise_multiplier=5, delta="1e-6", relation=ADD)
    assert exact.upper <= whole.upper <= exact.upper * F(6, 5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: gaussian.delta(noise_multiplier=0, epsilon=1, relation=ADD),
        lambda: gaussian.delta(noise_multiplier=1, epsilon=-1, relation=ADD),
        lambda: gaussian.discrete_gaussian_variance(sensitivity_squared=0, epsilon=1, delta="1e-5"),
        lambda: gaussian.discrete_laplace_scale(sensitivity=1, epsilon=0),
        lambda: discrete_gaussian.delta(sensitivity="1/2", variance=1, epsilon=1, relation=ADD),
        lambda: discrete_gaussian.delta(sensitivity=1, variance=0, epsilon=1, relation=ADD),
    ],
)
def test_outside_the_domain(call) -> None:
    with pytest.raises(DomainError):
        call()


def test_a_variance_beyond_the_floats_is_found() -> None:
    for epsilon in (0, "1e-310"):
        variance = gaussian.discrete_gaussian_variance(sensitivity_squared=1, epsilon=epsilon, delta="1e-300")
        assert 10**598 < variance < 10**600


def test_pure_privacy_and_none_at_all_are_refused() -> None:
    for delta in (0, 1):
        with pytest.raises(RegimeError):
            gaussian.noise_multiplier(epsilon=1, delta=delta)
        with pytest.raises(RegimeError):
            gaussian.discrete_gaussian_variance(sensitivity_squared=1, epsilon=1, delta=delta)
    with pytest.raises(RegimeError):
        gaussian.epsilon(noise_multiplier=1, delta=0, relation=ADD)
    with pytest.raises(ResourceLimitError):
        discrete_gaussian.delta(sensitivity=1, variance="1e10", epsilon=1, relation=ADD)


@pytest.mark.parametrize("x", [-7, -1, 0, 1, 4])
def test_laplace_noise_is_exact_and_adds_up(x: int) -> None:
    """P(S <= x) by conditioning on the first term: the second's distribution function, weighed, within what is cut off."""
    alpha, reach = Fraction(1, 3), 60
    one = laplace_cdf(epsilon="ln 3", terms=1, x=x)
    assert one.lower == one.upper == (alpha**-x / (1 + alpha) if x < 0 else 1 - alpha ** (x + 1) / (1 + alpha))
    two = laplace_cdf(epsilon="ln 3", terms=2, x=x)
    mass = {z: (1 - alpha) / (1 + alpha) * alpha ** abs(z) for z in range(-reach, reach + 1)}
    summed = sum(mass[z] * laplace_cdf(epsilon="ln 3", terms=1, x=x - z).lower for z in mass)
    assert two.lower == two.upper
    assert 0 <= two.lower - summed <= 4 * alpha ** (reach + 1)


@pytest.mark.parametrize("terms", [1, 2])
@pytest.mark.parametrize("variance", ["1/4", "3", "17/2"])
def test_gaussian_noise_is_what_floats_add_up_to(terms: int, variance: str) -> None:
    weights = {z: math.exp(-z * z / (2 * float(Fraction(variance)))) for z in range(-60, 61)}
    total = sum(weights.values())
    for x in (-4, 0, 3):
        found = gaussian_cdf(variance=variance, terms=terms, x=x)
        if terms == 1:
            near = sum(weight for z, weight in weights.items() if z <= x) / total
        else:
            near = sum(a * b for z, a in weights.items() for y, b in weights.items() if z + y <= x) / total**2
        assert found.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**18))
        assert float(found.lower) == pytest.approx(near, rel=1e-12)


@pytest.mark.parametrize("noise", [laplace_cdf, gaussian_cdf])
@pytest.mark.parametrize("terms", [1, 2])
def test_noise_is_symmetric(noise: object, terms: int) -> None:
    """P(S <= -x - 1) = 1 - P(S <= x), between the ends."""
    scale = {"epsilon": "1/2"} if noise is laplace_cdf else {"variance": "5/2"}
    for x in (0, 2):
        left, right = (noise(**scale, terms=terms, x=at) for at in (-x - 1, x))  # type: ignore[operator]
        assert left.lower + right.lower <= 1 <= left.upper + right.upper


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
