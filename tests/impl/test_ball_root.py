"""Roots that the certified search must find: beside 0, and beside a corner of the profile."""

from fractions import Fraction

import pytest

from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.spec.vocabulary.numerals import Epsilon


def delta_at(method, n, epsilon0, epsilon):
    return method.delta(n=n, epsilon0=epsilon0, epsilon=Epsilon(epsilon, None), digits=90)


@pytest.mark.parametrize(
    ("method", "n", "epsilon0", "delta", "digits"),
    [
        (binary_rr, 119, 1, "1e-17", 1),
        (clones, 80, "ln 5/4", Fraction(142016723974317, 15625 * 10**27), 1),
        (clones, 185, "ln 1.0000000001", Fraction(57, 25 * 10**64), 1),
        (binary_rr, 1, "ln 2", Fraction(10**25 - 1, 3 * 10**25), 1),
        (binary_rr, 1, "0.5", Fraction(2449186624037091292778011, 10**25), 15),
        (binary_rr, 2, Fraction(89130017737487236882089182057493, 81129638414606681695789005144064), "3/8", 15),
    ],
)
def test_it_is_found_and_both_ends_hold(method, n, epsilon0, delta, digits):
    """Profiles are piecewise linear in e^epsilon: with few digits a corner lies between the ends; beside 0 a tiny slope must be seen."""
    found = method.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=digits)
    assert found.side == "enclosure"
    assert found.upper - found.lower <= found.upper / 10**digits
    assert delta_at(method, n, epsilon0, found.upper).upper <= Fraction(delta) < delta_at(method, n, epsilon0, found.lower).lower


@pytest.mark.parametrize("method", [clones, binary_rr])
@pytest.mark.parametrize("digits", [1, 5])
def test_no_delta_exceeds_1(method, digits):
    assert method.delta(n=3, epsilon0=50, epsilon=0, digits=digits).upper <= 1
