"""Algorithms 3 and 4 of LSZKG22 as specified: f_C by its sum, its inverse, the clamp, and the vector extension."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf, nsum
from strategies import examples

from shuffleproof.spec.protocols import debiasing
from shuffleproof.spec.vocabulary.errors import DomainError

F = Fraction

thresholds = st.fractions(min_value=F(1, 3), max_value=12, max_denominator=3)
rates = st.fractions(min_value=0, max_value=20, max_denominator=7)


@examples(30)
@given(rates, thresholds)
def test_f_is_the_expected_clipped_count(rate, C) -> None:
    with mp.workdps(25):
        l_ = mpf(rate.numerator) / rate.denominator
        direct = sum(min(mpf(k), mpf(C.numerator) / C.denominator) * mp.exp(-l_) * l_**k / mp.factorial(k) for k in range(120))
        assert abs(debiasing.f(rate, C=C) - direct) < mpf(10) ** -20


@examples(30)
@given(rates, thresholds)
def test_the_inverse_undoes_f(rate, C) -> None:
    with mp.workdps(30):
        y = debiasing.f(rate, C=C)
        slope = debiasing.f_prime(rate, C=C)
        assert abs(debiasing.inverse(y, C=C) - mpf(rate.numerator) / rate.denominator) <= mpf(10) ** -27 * (1 + rate) / slope


def test_the_polynomial_is_exact() -> None:
    """f_2(1) = 2 - 3/e."""
    assert debiasing.value(debiasing.deficit_polynomial(2), at=F(1)) == 3
    assert debiasing.value(debiasing.tail_polynomial(2), at=F(1)) == 2
    with mp.workdps(30):
        assert abs(debiasing.f(1, C=F(2)) - (2 - 3 / mp.e)) < mpf(10) ** -28
        assert abs(debiasing.f_prime(1, C=F(2)) - 2 / mp.e) < mpf(10) ** -28
        assert abs(debiasing.f_second(1, C=F(2)) + 1 / mp.e) < mpf(10) ** -28
        assert nsum(lambda k: 1 / mp.factorial(k), [0, mp.inf]) == pytest.approx(mp.e)


@pytest.mark.parametrize("y", [F(-1, 2), F(2), F(5)])
def test_values_that_f_does_not_take_are_refused_or_clamped(y) -> None:
    """LSZKG22.Alg4.defined."""
    with pytest.raises(DomainError):
        debiasing.inverse(y, C=F(2))
    assert 0 <= debiasing.inverse_clamped(y, C=F(2), largest=F(5, 3)) <= mpf(5) / 3


def test_algorithm_4_on_three_users() -> None:
    with mp.workdps(20):
        found = debiasing.debiased_mean([F(0), F(1), F(9)], n=3, C=F(2), largest=F(5), noise=F(0))
        assert abs(debiasing.f(found, C=F(2)) - 1) < mpf(10) ** -17
    assert debiasing.clipped_mean([F(0), F(1), F(9)], n=3, C=F(2), noise=F(3)) == 2
    with pytest.raises(DomainError):
        debiasing.clipped_mean([], n=0, C=F(2), noise=F(0))


@pytest.mark.parametrize("call", [lambda: debiasing.f(-1, C=F(2)), lambda: debiasing.f(1, C=F(-1)), lambda: debiasing.inverse(0, C=F(0))])
def test_outside_the_domain(call) -> None:
    with pytest.raises(DomainError):
        call()


def test_the_clipped_vector_has_a_closed_form_inverse() -> None:
    """LSZKG22.Sec5.extension-clipped."""
    with mp.workdps(30):
        y = debiasing.clipped_expectation((F(1), F(2), F(0)), C=F(3, 2))
        found = debiasing.clipped_expectation_inverse(y, C=F(3, 2))
        assert max(abs(a - b) for a, b in zip(found, (1, 2, 0), strict=True)) < mpf(10) ** -27
    assert debiasing.clipped_expectation_inverse((0, 0), C=F(1)) == (0, 0)
