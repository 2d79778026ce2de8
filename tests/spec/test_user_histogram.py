"""LSZKG22's specified objects: clipping, sensitivities, errors, the Gaussian's calibration, debiasing; what they refuse."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from mpmath import mp, mpf, nsum, quad, sqrt

from shuffleproof.spec.bounds.noise import gaussian
from shuffleproof.spec.protocols import debiasing, thresholds
from shuffleproof.spec.protocols.thresholds import User
from shuffleproof.spec.protocols.user_histogram import (
    clip,
    clipped_sum,
    clipping_bias,
    expected_error_gaussian,
    expected_error_laplace,
    gaussian_scale,
    laplace_scale,
    norm,
    relative_loss,
    sensitivity_squared,
)
from shuffleproof.spec.protocols.user_histogram_grid import clip_to_grid, discrete_laplace_mass, sum_on_grid
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError
from shuffleproof.spec.vocabulary.scope import Relation

F = Fraction

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE_ONE


def test_clipping_by_hand() -> None:
    assert clip((3, 1), p=1, C=F(2)) == (F(3, 2), F(1, 2))
    assert clip((3, 4), p=2, C=F(5, 2)) == (F(3, 2), F(2))
    assert clip((0, 0), p=2, C=F(0)) == (0, 0)
    assert clip((1, 1), p=2, C=F(3)) == (1, 1)


def test_an_irrational_norm_is_refused_exactly_where_it_is_needed() -> None:
    with pytest.raises(UnsupportedError):
        clip((1, 1), p=2, C=F(1))
    assert clip_to_grid((1, 1), p=2, C=F(1), unit=F(1, 1000)) == (707, 707)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: clip((-1, 0), p=1, C=F(1)),
        lambda: clip((1,), p=1, C=F(-1)),
        lambda: norm((1,), p=3),
        lambda: clipped_sum([(1, 2), (1,)], d=2, p=1, C=F(1)),
        lambda: sum_on_grid([(1, 2), (1,)], d=2, p=1, C=F(1), unit=F(1)),
        lambda: relative_loss((F(1),), truth=(F(0),)),
        lambda: thresholds.minimiser([], T=F(0)),
        lambda: thresholds.minimiser([], T=F(-1)),
        lambda: debiasing.clipped_mean([], n=0, C=F(2), noise=F(0)),
        lambda: debiasing.f(-1, C=F(2)),
        lambda: debiasing.f(1, C=F(-1)),
        lambda: debiasing.inverse(0, C=F(0)),
    ],
)
def test_what_is_no_histogram_threshold_slope_or_rate_is_refused(bad) -> None:
    with pytest.raises(DomainError):
        bad()


def test_the_relation_decides_the_sensitivity() -> None:
    """LSZKG22.Alg1.sensitivity: C, 2C, sqrt(2) C, and C for one element."""
    assert [sensitivity_squared(p=p, d=d, relation=r, C=F(3)) for r in (ADD, REPLACE) for p in (1, 2) for d in (1, 2)] == [
        *(9, 9, 9, 9),
        *(9, 36, 9, 18),
    ]
    assert laplace_scale(d=2, relation=REPLACE, C=F(3), epsilon=F(2)) == 3
    assert gaussian_scale(d=2, relation=REPLACE, C=F(3), multiplier=mpf(2)) == 2 * sqrt(mpf(18))


@given(st.integers(-30, 30), st.fractions(min_value=F(1, 10), max_value=F(9, 10), max_denominator=10))
def test_one_step_changes_the_discrete_laplace_mass_by_the_ratio(z, ratio) -> None:
    here, there = discrete_laplace_mass(z, ratio=ratio), discrete_laplace_mass(z - 1, ratio=ratio)
    assert here / there in (ratio, 1 / ratio)


def test_expected_errors_against_integration() -> None:
    """E|b + Z| for Laplace and Gaussian noise, by mpmath's quadrature."""
    data = [(4, 0), (1, 2)]
    bias = clipping_bias(data, d=2, p=1, C=F(2))
    with mp.workdps(20):
        beta, sigma = mpf(3) / 2, mpf(2)
        laplace = sum(quad(lambda z, b=b: abs(b + z) * mp.exp(-abs(z) / beta) / (2 * beta), [-80, -b, 0, 80]) for b in map(float, bias))
        gauss = sum(quad(lambda z, b=b: abs(b + z) * mp.npdf(z, 0, sigma), [-40, -b, 0, 40]) for b in map(float, bias))
        assert abs(expected_error_laplace(bias, scale=F(3, 2)) - laplace) < mpf(10) ** -10
        assert abs(expected_error_gaussian(bias, scale=sigma) - gauss) < mpf(10) ** -10


def test_without_noise_the_error_is_the_bias() -> None:
    bias = clipping_bias([(4, 0)], d=2, p=1, C=F(1))
    assert expected_error_laplace(bias, scale=F(0)) == expected_error_gaussian(bias, scale=F(0)) == 3


def test_relative_loss_by_hand() -> None:
    assert relative_loss((F(1), F(0)), truth=(F(2), F(2))) == F(3, 4)


def test_the_gaussian_flavour_takes_rational_norms_only() -> None:
    assert thresholds.user((3, 4), p=2) == User(F(5), F(7, 5))
    assert thresholds.user((0, 0), p=2) == User(F(0), F(0))
    with pytest.raises(UnsupportedError):
        thresholds.user((1, 1), p=2)


def test_algorithm_2_and_the_descent_keep_to_their_interval() -> None:
    data = [User(F(5), F(3)), User(F(2), F(1))]
    for noise in (F(-100), F(0), F(100)):
        C = thresholds.private_threshold(data, T=F(1), W=F(1), lam=F(1), B=F(3), noise=noise)
        assert 0 <= C <= 3
    path = thresholds.noisy_descent(data, T=F(1), W=F(1), B=F(3), step=F(1), noise=[F(9), F(-9), F(0)])
    assert path == (F(3, 2), F(0), F(3))


def test_the_analytic_calibration_is_the_root_of_the_profile() -> None:
    """Balle and Wang, 2018; kg(1, 1e-5) = 3.7306 beside the classical 4.8448 that eps = 1 does not permit."""
    with mp.workdps(25):
        k = gaussian.multiplier(epsilon=1, delta="1e-5")
        assert abs(k - mpf("3.7306316348")) < mpf(10) ** -9
        assert abs(gaussian.hockey_stick(epsilon=1, mu=1 / k) - mpf("1e-5")) < mpf(10) ** -24
        with pytest.raises(RegimeError):
            gaussian.classical_multiplier(epsilon=1, delta="1e-5")
        assert gaussian.classical_multiplier(epsilon="0.5", delta="1e-5") == pytest.approx(2 * 4.844805, rel=1e-6)
        assert gaussian.composed_multiplier(steps=4, epsilon=1, delta="1e-5") == 2 * k


def test_a_sampled_step_has_the_renyi_divergence_of_its_definition() -> None:
    """ln E(P/Q)^alpha/(alpha - 1), Q = N(0, z^2), by mpmath's quadrature; rate 1: alpha/(2 z^2); rate 0: nothing."""
    with mp.workdps(20):
        for order, q, z in ((4, mpf(1), 2), (4, mpf(0), 2), (2, mpf(1) / 10, 1), (3, mpf(1) / 2, 2), (5, mpf(1) / 100, 1)):

            def term(x: mpf, order: int = order, q: mpf = q, z: int = z) -> mpf:
                return (1 - q + q * mp.exp((2 * x - 1) / (2 * mpf(z) ** 2))) ** order * mp.npdf(x, 0, z)

            direct = mp.log(quad(term, [-12 * z, 0, order, order + 12 * z])) / (order - 1)
            assert abs(gaussian.subsampled_renyi(order=order, rate=q, noise_multiplier=z) - direct) < mpf(10) ** -15


def test_the_polynomial_is_exact() -> None:
    """f_2(1) = 2 - 3/e."""
    assert debiasing.value(debiasing.deficit_polynomial(2), at=F(1)) == 3
    assert debiasing.value(debiasing.tail_polynomial(2), at=F(1)) == 2
    with mp.workdps(30):
        assert abs(debiasing.f(1, C=F(2)) - (2 - 3 / mp.e)) < mpf(10) ** -28
        assert abs(debiasing.f_prime(1, C=F(2)) - 2 / mp.e) < mpf(10) ** -28
        assert abs(debiasing.f_second(1, C=F(2)) + 1 / mp.e) < mpf(10) ** -28
        assert nsum(lambda k: 1 / mp.factorial(k), [0, mp.inf]) == pytest.approx(mp.e)


def test_algorithm_4_on_three_users() -> None:
    with mp.workdps(20):
        found = debiasing.debiased_mean([F(0), F(1), F(9)], n=3, C=F(2), largest=F(5), noise=F(0))
        assert abs(debiasing.f(found, C=F(2)) - 1) < mpf(10) ** -17
    assert debiasing.clipped_mean([F(0), F(1), F(9)], n=3, C=F(2), noise=F(3)) == 2


def test_the_inverse_of_nothing_is_nothing() -> None:
    assert debiasing.clipped_expectation_inverse((0, 0), C=F(1)) == (0, 0)
