"""CSUZZ19, Claim 4.6 as a number: rounded up, refused outside its condition, above the certified truth."""

from fractions import Fraction

import mpmath
import pytest

from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.impl.ball.bounds.sums.bit_sum_closed_form import epsilon_of_binary_rr
from shuffleproof.spec.vocabulary.errors import RegimeError


@pytest.mark.parametrize(("n", "epsilon0"), [(10**4, "1"), (10**6, "1"), (10**6, "4"), (10**9, "8")])
def test_it_is_the_formula_rounded_up_and_above_one_pair(n: int, epsilon0: str) -> None:
    found = epsilon_of_binary_rr(n=n, epsilon0=epsilon0, delta="1e-6")
    with mpmath.workdps(80):
        lam = 2 * mpmath.mpf(n) / (mpmath.exp(epsilon0) + 1)
        g = lam - mpmath.sqrt(2 * lam * mpmath.log(2 * 10**6))
        printed = mpmath.sqrt(32 * mpmath.log(4 * 10**6) / g) * (1 - g / n)
        above = (mpmath.mpf(found.numerator) / found.denominator) / printed - 1
    assert 0 <= above < mpmath.mpf(10) ** -30
    assert found > binary_rr.epsilon(n=n, epsilon0=epsilon0, delta="1e-6", digits=6).upper


@pytest.mark.parametrize(("n", "epsilon0", "delta"), [(10**4, "8", "1e-6"), (1, "0", "1/2"), (10**6, "1", 0), (10**6, "1", 1)])
def test_outside_its_condition_it_is_refused(n: int, epsilon0: str, delta: str | int) -> None:
    with pytest.raises(RegimeError, match=r"Clm4\.6"):
        epsilon_of_binary_rr(n=n, epsilon0=epsilon0, delta=delta)


def test_the_condition_is_certified_not_rounded() -> None:
    """Just inside: lambda is a hair above 14 ln(4/delta)."""
    assert epsilon_of_binary_rr(n=214, epsilon0=0, delta="1e-6") > Fraction(0)
    with pytest.raises(RegimeError):
        epsilon_of_binary_rr(n=212, epsilon0=0, delta="1e-6")
