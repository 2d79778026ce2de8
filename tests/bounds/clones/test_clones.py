"""The clones pair in exact and ball arithmetic, and Theorem 3.1's closed form: agreement, ends of every range, what must be refused."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, strategies as st
from strategies import examples

import shuffleproof.spec.bounds.clones.clones as exact
import shuffleproof.spec.bounds.clones.clones_closed_form as mpmath_form
from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


@pytest.mark.parametrize(
    ("n", "exp_epsilon0", "exp_epsilon", "delta"),
    [(1, 3, 1, "1/2"), (1, 3, 2, "1/4"), (2, 4, 1, "21/40"), (2, 4, 2, "7/20"), (3, 1, 1, "0"), (2, 4, 4, "0"), (2, 4, 5, "0")],
)
def test_values_worked_out_by_hand(n, exp_epsilon0, exp_epsilon, delta):
    """n = 1: D = (T - E)/(T + 1). n = 2, T = 4: C is 0 with probability 3/4, where D = (4 - E)/5, else 1, where D is half of that."""
    found = exact.delta(n=n, epsilon0=f"ln {exp_epsilon0}", epsilon=f"ln {exp_epsilon}")
    assert found.lower == found.upper == Fraction(delta)


@pytest.mark.parametrize("epsilon0", [1, 4, "1e-9", "ln 3", 50, 700])
@pytest.mark.parametrize("n", [1, 2, 1000, 10**6])
@pytest.mark.parametrize("delta", ["1e-300", "1e-6", "1/2"])
def test_every_corner_of_the_range_is_answered_and_certified(n, epsilon0, delta):
    found = clones.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=10)
    assert found.side in ("enclosure", "exact")
    local = parse_epsilon(epsilon0)
    assert found.upper <= local.bounds(bits=64)[1] * (1 + Fraction(1, 10**12))  # decimals are rounded up, past epsilon0 if need be
    if found.exact is None:
        upper_delta = clones.delta(n=n, epsilon0=epsilon0, epsilon=found.upper, digits=5)
        lower_delta = clones.delta(n=n, epsilon0=epsilon0, epsilon=found.lower, digits=25)
        assert upper_delta.lower <= Fraction(delta)
        assert lower_delta.upper > Fraction(delta)


def test_a_target_that_equals_delta_at_zero_is_not_decided_but_bounded():
    """n = 2, T = 4: delta(0) is 21/40 exactly, which ball arithmetic cannot tell from the target."""
    found = clones.epsilon(n=2, epsilon0="ln 4", delta="21/40")
    assert found.side == "upper"
    assert found.lower == 0
    assert 0 < found.upper < Fraction(1, 10**25)
    assert exact.epsilon(n=2, epsilon0="ln 4", delta="21/40").exact == "0"


def test_more_digits_nest_inside_fewer():
    wide = clones.epsilon(n=10**5, epsilon0=1, delta="1e-6", digits=8)
    narrow = clones.epsilon(n=10**5, epsilon0=1, delta="1e-6", digits=60)
    assert wide.lower <= narrow.lower < narrow.upper <= wide.upper
    assert narrow.upper - narrow.lower <= narrow.upper / 10**60


@given(st.integers(1, 2000), st.integers(1, 2000), st.integers(0, 60), st.integers(0, 60))
@examples(100)
def test_more_users_or_a_smaller_epsilon_move_delta_the_right_way(n, other_n, tenths, other_tenths):
    few, many = sorted((n, other_n))
    small, large = sorted((Fraction(tenths, 20), Fraction(other_tenths, 20)))
    assert (
        clones.delta(n=many, epsilon0=3, epsilon=large, digits=12).lower <= clones.delta(n=few, epsilon0=3, epsilon=small, digits=12).upper
    )


def test_a_value_too_small_to_write_is_an_upper_bound_of_its_own_kind():
    found = clones.delta(n=10**8, epsilon0=1, epsilon="0.9", digits=5)
    assert (found.side, found.lower) == ("upper", 0)
    assert 0 < found.upper < Fraction(1, 10**1000)


def test_exact_arithmetic_refuses_what_it_cannot_do():
    with pytest.raises(UnsupportedError):
        exact.delta(n=10, epsilon0=1, epsilon=0)
    with pytest.raises(ResourceLimitError):
        exact.epsilon(n=10**6, epsilon0="ln 3", delta="1e-6")
    with pytest.raises(ResourceLimitError):
        clones.delta(n=10**18, epsilon0=1, epsilon="1e-9")


@pytest.mark.parametrize(
    ("n", "epsilon0", "delta"), [(1000, "1e-9", "1e-11"), (10, 40, "1/2"), (1000, 700, "1/2"), (24, "ln 203/3", "6e-21")]
)
@pytest.mark.parametrize("digits", [12, 40])
def test_roots_near_either_end_of_the_range_are_found(n, epsilon0, delta, digits):
    """Near 0 both masses nearly cancel; far below e^epsilon0 the mass Q(S) is tiny; near epsilon0 ln delta falls without bound."""
    assert clones.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=digits).side == "enclosure"


local = st.fractions(min_value=Fraction(0), max_value=Fraction(8), max_denominator=1000)


@examples(200)
@given(st.integers(1, 10**9), local, st.integers(1, 40))
def test_both_evaluations_agree_on_value_and_on_refusal(n, epsilon0, power):
    """FMT21, Theorem 3.1, equation (1)."""
    delta = Fraction(1, 10**power)
    try:
        certified = clones.epsilon_closed_form(n=n, epsilon0=epsilon0, delta=delta, digits=25)
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
        closed = clones.epsilon_closed_form(n=n, epsilon0=epsilon0, delta=delta)
    except RegimeError:
        assume(False)
    assert clones.epsilon(n=n, epsilon0=epsilon0, delta=delta).lower <= closed.upper


def test_it_can_exceed_epsilon0_itself():
    """In a sliver of its range the closed form is weaker than local privacy: n = 20, epsilon0 = 1/10, delta = 1."""
    assert clones.epsilon_closed_form(n=20, epsilon0="0.1", delta=1).lower > Fraction(1, 10)


@pytest.mark.parametrize("form", [clones.epsilon_closed_form, mpmath_form.epsilon])
@pytest.mark.parametrize(("n", "epsilon0", "delta"), [(1000, 4, "1e-6"), (100, 700, "1e-6"), (10, 0, 1), (100, 1, 0), (11, 0, 1)])
def test_outside_its_condition_it_refuses_and_says_what_to_use(form, n, epsilon0, delta):
    with pytest.raises(RegimeError, match=r"FMT21\.Thm3\.1 needs eps0 <= .*clones"):
        form(n=n, epsilon0=epsilon0, delta=delta)


def test_at_epsilon0_zero_the_bound_is_zero():
    """T = 1 makes every factor vanish; n = 12 is the first with 16 ln 2 <= n."""
    assert clones.epsilon_closed_form(n=12, epsilon0=0, delta=1).exact == "0"


@pytest.mark.parametrize("epsilon0", ["1e-9", "1e-300", "1e-9999"])
def test_a_tiny_epsilon0_loses_no_digits(epsilon0):
    certified = clones.epsilon_closed_form(n=10**4, epsilon0=epsilon0, delta="1e-6", digits=25)
    estimate = mpmath_form.epsilon(n=10**4, epsilon0=epsilon0, delta="1e-6", digits=20)
    assert estimate.lower <= certified.lower <= certified.upper <= estimate.upper
