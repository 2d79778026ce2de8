"""Theorem 3.1's closed form: certified and in mpmath, inside its condition and refused outside it."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import examples

import shuffleproof.spec.bounds.clones.clones_closed_form as mpmath_form
from shuffleproof.impl.ball.bounds.clones import clones, clones_closed_form
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError

local = st.fractions(min_value=Fraction(0), max_value=Fraction(8), max_denominator=1000)


@examples(200)
@given(st.integers(1, 10**9), local, st.integers(1, 40))
def test_both_evaluations_agree_on_value_and_on_refusal(n, epsilon0, power):
    """FMT21, Theorem 3.1, equation (1)."""
    delta = Fraction(1, 10**power)
    try:
        certified = clones_closed_form.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=25)
    except RegimeError:
        with pytest.raises(RegimeError):
            mpmath_form.epsilon(n=n, epsilon0=epsilon0, delta=delta)
        return
    estimate = mpmath_form.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=20)
    assert estimate.lower <= certified.lower
    assert certified.upper <= estimate.upper
    assert (certified.claim_side, estimate.claim_side, estimate.side) == ("upper", "none", "estimate")


@examples(60)
@given(st.integers(100, 10**7), local, st.integers(0, 30))
def test_the_closed_form_is_never_below_the_pair_it_bounds(n, epsilon0, power):
    """FMT21, Lemma 3.5."""
    delta = Fraction(1, 10**power)
    try:
        closed = clones_closed_form.epsilon(n=n, epsilon0=epsilon0, delta=delta)
    except RegimeError:
        assume(False)
    assert clones.epsilon(n=n, epsilon0=epsilon0, delta=delta).lower <= closed.upper


def test_it_can_exceed_epsilon0_itself():
    """In a sliver of its range the closed form is weaker than local privacy: n = 20, epsilon0 = 1/10, delta = 1."""
    assert clones_closed_form.epsilon(n=20, epsilon0="0.1", delta=1).lower > Fraction(1, 10)


@pytest.mark.parametrize("form", [clones_closed_form, mpmath_form])
@pytest.mark.parametrize(("n", "epsilon0", "delta"), [(1000, 4, "1e-6"), (100, 700, "1e-6"), (10, 0, 1), (100, 1, 0), (11, 0, 1)])
def test_outside_its_condition_it_refuses_and_says_what_to_use(form, n, epsilon0, delta):
    with pytest.raises(RegimeError, match=r"FMT21\.Thm3\.1 needs eps0 <= .*clones"):
        form.epsilon(n=n, epsilon0=epsilon0, delta=delta)


@pytest.mark.parametrize("form", [clones_closed_form, mpmath_form])
def test_bad_input_is_a_domain_error(form):
    for change in ({"n": 0}, {"epsilon0": -1}, {"delta": 2}, {"digits": 0}):
        with pytest.raises(DomainError):
            form.epsilon(**{"n": 1000, "epsilon0": 1, "delta": "1e-6", **change})


def test_at_epsilon0_zero_the_bound_is_zero():
    """T = 1 makes every factor vanish; n = 12 is the first with 16 ln 2 <= n."""
    assert clones_closed_form.epsilon(n=12, epsilon0=0, delta=1).exact == "0"


@pytest.mark.parametrize("epsilon0", ["1e-9", "1e-300", "1e-9999"])
def test_a_tiny_epsilon0_loses_no_digits(epsilon0):
    certified = clones_closed_form.epsilon(n=10**4, epsilon0=epsilon0, delta="1e-6", digits=25)
    estimate = mpmath_form.epsilon(n=10**4, epsilon0=epsilon0, delta="1e-6", digits=20)
    assert estimate.lower <= certified.lower <= certified.upper <= estimate.upper
