"""Certified debiasing: f_C and its inverse against mpmath, the error of Algorithm 4 against a simulation by quadrature, and refusals."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf, quad
from strategies import examples

from shuffleproof.impl.ball import debiasing
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.spec.protocols import debiasing as specified
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError

F = Fraction

thresholds = st.fractions(min_value=F(1, 5), max_value=150, max_denominator=5)


@examples(30)
@given(thresholds, st.fractions(min_value=F(1, 10**6), max_value=1 - F(1, 10**6), max_denominator=10**6))
def test_the_inverse_has_fifty_digits(C, share) -> None:
    y = C * share
    low, high = debiasing.inverse(y=y, C=C)
    assert high - low <= high / 10**50
    assert debiasing.expectation(rate=low, C=C, digits=90).lower <= y <= debiasing.expectation(rate=high, C=C, digits=90).upper


def test_both_ways_of_computing_f_meet() -> None:
    """The polynomial up to C = 64, one tail beyond, between integers too."""
    for C, rate in ((F(64), F(60)), (F(65), F(60)), (F(129, 2), F(70)), (F(300), F(299)), (F(300), F(310))):
        found = debiasing.expectation(rate=rate, C=C, digits=30)
        with mp.workdps(45):
            reference = specified.f(rate, C=C)
            assert abs(mpf(found.upper.numerator) / found.upper.denominator - reference) < mpf(10) ** -28 * reference


def test_a_large_threshold_takes_a_moment_only() -> None:
    low, high = debiasing.inverse(y=10**6 - 2, C=10**6, digits=20)
    assert 1_002_503 < low <= high < 1_002_504


def test_ends_of_the_domain() -> None:
    assert debiasing.inverse(y=0, C=3) == (0, 0)
    assert debiasing.expectation(rate=0, C=3) == (0, 0)
    for y, C in ((-1, 2), (2, 2), (1, 0), (1, 10**6 + 1)):
        with pytest.raises(DomainError):
            debiasing.inverse(y=y, C=C)
    with pytest.raises(DomainError):
        debiasing.expectation(rate=-1, C=2)


def _by_quadrature(rates, C, epsilon, largest):
    """E(psi(y) - lbar)^2 straight from the law of y, in mpmath."""
    n, lbar = len(rates), sum(rates, F(0)) / len(rates)
    law = {0: mpf(1)}
    for rate in rates:
        l_ = mpf(rate.numerator) / rate.denominator
        masses = [mp.exp(-l_) * l_**k / mp.factorial(k) for k in range(C)]
        masses.append(1 - sum(masses))
        law = {t: sum(law.get(t - k, 0) * m for k, m in enumerate(masses)) for t in range(max(law) + C + 1)}
    b, target = mpf(C) / mpf(epsilon), mpf(lbar.numerator) / lbar.denominator
    top = specified.f(largest, C=F(C))
    total = mpf(0)
    for k, weight in law.items():

        def density(y, k=k):
            return n * mp.exp(-abs(n * y - k) / b) / (2 * b)

        below = mp.exp(-mpf(k) / b) / 2
        above = mp.exp(-(n * top - k) / b) / 2 if n * top >= k else 1 - mp.exp((n * top - k) / b) / 2
        cuts = sorted({mpf(0), top, *([mpf(k) / n] if 0 < mpf(k) / n < top else [])})
        inner = quad(lambda y, d=density: d(y) * (specified.inverse(y, C=F(C)) - target) ** 2, cuts)
        total += weight * (below * target**2 + inner + above * (mpf(largest.numerator) / largest.denominator - target) ** 2)
    return total


def test_the_error_of_algorithm_4_against_direct_integration() -> None:
    """No formula in common: the law of y, the inverse under the integral, and its two atoms."""
    with mp.workdps(12):
        for rates, C, epsilon, largest in (([F(1, 2), F(2)], 2, 2, F(5, 3)), ([F(1)], 1, 1, F(2))):
            low, high = debiasing.debiased_error(rates=rates, C=C, epsilon=F(epsilon), largest=largest)
            reference = _by_quadrature(rates, C, epsilon, largest)
            assert abs(mpf(low.numerator) / low.denominator - reference) < mpf(10) ** -7
            assert low <= high


def test_the_error_of_the_clipped_mean_by_hand() -> None:
    """One user with rate 0: only the noise is left, 2 (C/eps)^2."""
    low, high = debiasing.clipped_error(rates=[F(0)], C=3, epsilon=F(2))
    assert low <= F(9, 2) <= high


def test_the_law_of_the_clipped_sum_sums_to_one() -> None:
    with precision(100):
        law = debiasing.clipped_law([F(1), F(2), F(1, 3)], C=3)
        total = sum(law)
        assert len(law) == 10
        assert abs(total - 1) < 1e-25


def test_refusals() -> None:
    with pytest.raises(DomainError):
        debiasing.debiased_error(rates=[], C=1, epsilon=F(1), largest=F(1))
    with pytest.raises(DomainError):
        debiasing.debiased_error(rates=[F(1)], C=1, epsilon=F(0), largest=F(1))
    with pytest.raises(DomainError):
        debiasing.debiased_error(rates=[F(1)], C=1, epsilon=F(1), largest=F(0))
    with pytest.raises(DomainError):
        debiasing.clipped_error(rates=[F(-1)], C=1, epsilon=F(1))
    with pytest.raises(ResourceLimitError):
        debiasing.debiased_error(rates=[F(1)] * 3000, C=2, epsilon=F(1), largest=F(1))
