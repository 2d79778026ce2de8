"""The privacy blanket of k-ary randomized response: exact, certified, its closed forms, and the bracket with the lower bound."""

from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, logarithm, shares

import shuffleproof
import shuffleproof.spec.bounds.k_rr.k_rr_blanket as exact
import shuffleproof.spec.bounds.k_rr.k_rr_exhaustive as exhaustive
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.bounds.k_rr import k_rr_pairs
from shuffleproof.impl.ball.bounds.k_rr.k_rr_blanket_closed_forms import delta as closed_delta
from shuffleproof.impl.ball.bounds.k_rr.k_rr_blanket_closed_forms import epsilon as closed_epsilon
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.randomizers import named

orders = st.fractions(min_value=Fraction(11, 10), max_value=12, max_denominator=20)
FORMS = ("hoeffding", "bennett")


@examples(25)
@given(st.integers(1, 4), st.integers(2, 5), orders, shares)
def test_no_neighbouring_datasets_exceed_it(n: int, k: int, T: Fraction, share: Fraction) -> None:
    own = {"n": n, "k": k, "epsilon0": logarithm(T), "epsilon": logarithm(1 + (T - 1) * share)}
    assert exhaustive.delta(**own).upper <= exact.delta(**own).lower


def test_one_user_has_the_randomizer_itself() -> None:
    """n = 1: delta = (T - E)/(T + k - 1)."""
    assert exact.delta(n=1, k=7, epsilon0="ln 4", epsilon="ln 2").lower == Fraction(2, 10)
    assert exact.epsilon(n=5, k=7, epsilon0="ln 4", delta=0).exact == "ln 4"


def test_two_categories_give_the_stronger_clones() -> None:
    for n, local, delta in ((10, "ln 3", "1e-2"), (10**4, 2, "1e-8")):
        ours, theirs = (
            k_rr_pairs.BLANKET.epsilon(n=n, k=2, epsilon0=local, delta=delta),
            stronger_clones.epsilon(n=n, epsilon0=local, delta=delta),
        )
        assert meet(ours, theirs)


@pytest.mark.parametrize(("n", "k", "local", "ratio"), [(10**3, 10, 1, "1.0004"), (10**4, 10, 3, "1.00003"), (10**4, 100, 5, "1.000005")])
def test_the_bracket_of_k_ary_response_is_narrow(n: int, k: int, local: int, ratio: str) -> None:
    own: dict[str, Any] = {"n": n, "epsilon0": local, "delta": "1e-6"}
    upper = k_rr_pairs.BLANKET.epsilon(**own, k=k, digits=8).upper
    lower = k_rr_pairs.HOMOGENEOUS.epsilon(**own, k=k, digits=8).lower
    assert 1 < upper / lower < Fraction(ratio)
    assert upper < optimal_parameters.epsilon(randomizer=named("krr", k=k), **own, digits=5).upper if n < 10**4 else True


@examples(30)
@given(st.sampled_from(FORMS), st.integers(1, 12), st.integers(2, 9), orders, shares)
def test_closed_forms_are_above_the_exact_sum(form: str, n: int, k: int, T: Fraction, share: Fraction) -> None:
    own = {"n": n, "k": k, "epsilon0": logarithm(T), "epsilon": logarithm(1 + (T - 1) * share)}
    assert exact.delta(**own).upper <= closed_delta(**own, form=form).upper


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("n", "k", "local", "delta"), [(10**3, 2, 1, "1e-6"), (10**6, 10, "0.1", "1e-8"), (10**9, 100, 3, "1e-10")])
def test_a_closed_forms_epsilon_is_certified_and_the_least_nearby(form: str, n: int, k: int, local: str, delta: str) -> None:
    found = closed_epsilon(n=n, k=k, epsilon0=local, delta=delta, form=form, digits=10)
    assert found.side == "upper"
    assert closed_delta(n=n, k=k, epsilon0=local, epsilon=found.upper, form=form).upper <= Fraction(delta)
    just_below = found.upper * (1 - Fraction(1, 10**8))
    assert closed_delta(n=n, k=k, epsilon0=local, epsilon=just_below, form=form).lower > Fraction(delta)


def test_the_closed_forms_at_the_ends() -> None:
    for form in FORMS:
        assert closed_delta(n=9, k=3, epsilon0=1, epsilon=0, form=form).exact == "1"
        assert closed_delta(n=9, k=3, epsilon0=1, epsilon=1, form=form).exact == "0"
        assert closed_epsilon(n=9, k=3, epsilon0=1, delta=0, form=form).exact == "1"
        assert closed_epsilon(n=9, k=3, epsilon0=1, delta=1, form=form).exact == "0"
        assert closed_epsilon(n=2, k=3, epsilon0=5, delta="1e-9", form=form).exact == "5"


def test_bad_input_is_refused() -> None:
    for given_parameters in ({"k": 1}, {"n": 0}, {"epsilon0": -1}, {"delta": 2}):
        for method in ("k-rr-blanket", "k-rr-blanket-hoeffding"):
            with pytest.raises(DomainError):
                shuffleproof.epsilon(**{"n": 9, "k": 3, "epsilon0": 1, "delta": "1e-3", **given_parameters}, method=method)
    with pytest.raises(ResourceLimitError):
        exact.delta(n=31, k=3, epsilon0="ln 2", epsilon=0)
