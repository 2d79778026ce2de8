"""The optimal pair in exact arithmetic: values by hand, clipping, infinite p, monotonicity, and what must be refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shuffleproof.spec.bounds import optimal_pair as exact
from shuffleproof.spec.bounds.optimal_pair import INFINITE, Parameters
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.numerals import Number


@pytest.mark.parametrize(
    ("n", "p", "beta", "q", "epsilon", "delta"),
    [
        (3, 4, "1/2", 4, "ln 37/10", "361/11520"),
        (3, 4, "1/2", 4, 0, "13/36"),
        (3, 4, "1/2", 4, "ln 2", "361/1728"),
        (2, 2, "1/4", 3, "ln 3/2", "3/32"),
        (3, 10, "1/4", "3/2", "ln 4", "361/17496"),
        (3, INFINITE, "1/2", 2, "ln 2", "5/32"),
        (3, 4, "1/2", 4, "ln 4", "0"),
        (1, INFINITE, "1/3", 9, "ln 1000", "1/3"),
    ],
)
def test_values_worked_out_by_hand(n: int, p: Number, beta: str, q: Number, epsilon: Number, delta: str) -> None:
    found = exact.delta(n=n, p=p, beta=beta, q=q, epsilon=epsilon)
    assert found.lower == found.upper == Fraction(delta)
    assert (found.method, found.statement, found.claim_side) == ("optimal-pair", "BEYOND.ThmF3", "upper")
    assert found.inputs == {"n": str(n), "p": str(p), "beta": beta, "q": str(q), "eps": str(epsilon)}


parameters = st.builds(
    Parameters,
    st.none() | st.fractions(min_value=1, max_value=20, max_denominator=6),
    st.fractions(min_value=0, max_value=1, max_denominator=12),
    st.fractions(min_value=1, max_value=20, max_denominator=6),
)
orders = st.fractions(min_value=0, max_value=25, max_denominator=8)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), parameters, orders)
def test_both_directions_are_the_same(n: int, given_parameters: Parameters, E: Fraction) -> None:
    P, Q = exact.dominating_pair(n=n, parameters=given_parameters)
    assert hockey_stick(P, Q, exp_epsilon=E) == hockey_stick(Q, P, exp_epsilon=E)
    assert P.map(lambda counts: (counts[1], counts[0], counts[2])) == Q


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), parameters, st.sampled_from(["p", "beta", "q", "n"]), orders)
def test_rounding_p_beta_and_q_up_and_n_down_is_safe(n: int, smaller: Parameters, which: str, E: Fraction) -> None:
    larger = {
        "p": Parameters(None if smaller.p is None else smaller.p + 1, smaller.beta, smaller.q),
        "beta": Parameters(smaller.p, min(Fraction(1), smaller.beta + Fraction(1, 7)), smaller.q),
        "q": Parameters(smaller.p, smaller.beta, smaller.q + 1),
        "n": smaller,
    }[which]
    below = hockey_stick(*exact.dominating_pair(n=n + (which == "n"), parameters=smaller), exp_epsilon=E)
    assert below <= hockey_stick(*exact.dominating_pair(n=n, parameters=larger), exp_epsilon=E)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), parameters, st.fractions(min_value=0, max_value=1, max_denominator=40))
def test_epsilon_is_the_least_that_reaches_delta(n: int, given_parameters: Parameters, delta: Fraction) -> None:
    p: Number = INFINITE if given_parameters.p is None else given_parameters.p
    P, Q = exact.dominating_pair(n=n, parameters=given_parameters)
    try:
        bound = exact.epsilon(n=n, p=p, beta=given_parameters.beta, q=given_parameters.q, delta=delta)
    except RegimeError:
        assert sum(weight for counts, weight in P.items() if not Q[counts]) > delta
        return
    assert bound.exact is not None
    E = Fraction(bound.exact.removeprefix("ln ")) if bound.exact != "0" else Fraction(1)
    assert hockey_stick(P, Q, exp_epsilon=E) <= delta
    assert E == 1 or hockey_stick(P, Q, exp_epsilon=E * Fraction(999, 1000)) > delta


def test_beta_is_clipped_by_p_and_by_q() -> None:
    assert Parameters(Fraction(4), Fraction(1), Fraction(4)).clipped_beta() == Fraction(3, 5)
    assert Parameters(Fraction(4), Fraction(1), Fraction(5, 4)).clipped_beta() == Fraction(1, 4)
    assert Parameters(None, Fraction(1), Fraction(4)).clipped_beta() == 1
    assert Parameters(Fraction(1), Fraction(1), Fraction(4)).clipped_beta() == 0


def test_infinite_p_is_the_limit_and_no_finite_one_stands_in_for_it() -> None:
    E = Fraction(2)
    infinite, large = (
        hockey_stick(*exact.dominating_pair(n=3, parameters=Parameters(p, Fraction(1, 2), Fraction(2))), exp_epsilon=E)
        for p in (None, Fraction(10**9))
    )
    assert 0 < infinite - large < Fraction(1, 10**7)


def test_no_epsilon_is_enough_where_the_special_report_gives_itself_away() -> None:
    """n = 2, p infinite, beta = 1/2, q = 2: a alone is seen with probability 1/2 (1 - 1/4 - 1/4) = 1/4."""
    with pytest.raises(RegimeError, match="1/4"):
        exact.epsilon(n=2, p=INFINITE, beta="1/2", q=2, delta="1/5")
    assert exact.epsilon(n=2, p=INFINITE, beta="1/2", q=2, delta="1/4").claim_side == "upper"


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"n": 0}, "n"),
        ({"p": "1/2"}, "p"),
        ({"p": "nan"}, "p"),
        ({"p": float("inf")}, "p"),
        ({"beta": 2}, "beta"),
        ({"beta": "-1e-9"}, "beta"),
        ({"q": "0.9"}, "q"),
        ({"delta": 2}, "delta"),
    ],
)
def test_bad_input_names_the_parameter(change: dict[str, Number], parameter: str) -> None:
    with pytest.raises(DomainError) as caught:
        exact.epsilon(**{"n": 3, "p": 4, "beta": "1/2", "q": 4, "delta": "1e-6", **change})
    assert caught.value.parameter == parameter


def test_exact_arithmetic_refuses_what_it_cannot_do() -> None:
    with pytest.raises(UnsupportedError):
        exact.delta(n=3, p=4, beta="1/2", q=4, epsilon=1)
    with pytest.raises(ResourceLimitError):
        exact.delta(n=41, p=4, beta="1/2", q=4, epsilon=0)
