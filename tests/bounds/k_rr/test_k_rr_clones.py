"""Shuffled k-ary randomized response: pairs and the privacy blanket, exact and certified at any n, closed forms, datasets, refusals."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from enclosures import meet
from hypothesis import given, strategies as st
from strategies import examples, logarithm, shares

import shuffleproof.spec.bounds.k_rr.k_rr_blanket as exact
import shuffleproof.spec.bounds.k_rr.k_rr_clones as exact_clones
import shuffleproof.spec.bounds.k_rr.k_rr_closed_form as estimated_form
import shuffleproof.spec.bounds.k_rr.k_rr_exhaustive as exhaustive
import shuffleproof.spec.bounds.k_rr.k_rr_pair as exact_pair
from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.bounds.k_rr import k_rr_closed_forms, k_rr_pairs
from shuffleproof.impl.ball.bounds.k_rr.k_rr_closed_forms import delta as closed_delta, epsilon as closed_epsilon
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters, three_counts_chains
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import window_of
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_sums import evaluate
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.randomizers import named

local_orders = st.one_of(
    st.fractions(min_value=Fraction(11, 10), max_value=12, max_denominator=20), st.sampled_from([Fraction(1001, 1000), Fraction(1000)])
)


@examples(20)
@given(st.integers(1, 3), st.integers(2, 5), local_orders)
def test_epsilon_is_found_where_delta_is_the_floor_of_the_pair(n, k, T):
    """q (1 - 2p)^(n - 1), the probability that the counts give user 1 away: from the largest finite ratio on delta falls no further."""
    p, q = exact_clones.k_rr_parameters(k=k, exp_epsilon0=T)
    floor = q * (1 - 2 * p) ** (n - 1)
    for delta in (floor, floor * (1 - Fraction(1, 10**30)), floor * (1 + Fraction(1, 10**30))):
        truth = exact_clones.epsilon(n=n, k=k, epsilon0=logarithm(T), delta=delta)
        found = k_rr_pairs.CLONES.epsilon(n=n, k=k, epsilon0=logarithm(T), delta=delta)
        assert meet(found, truth)


def test_next_to_its_floor_delta_is_above_the_target_at_the_lower_end():
    """The last ratio has a probability of e^-3200 or so. Mutant: that ratio, where no more than 4,200 bits tell delta from its floor."""
    n = k = 450
    p, q = exact_clones.k_rr_parameters(k=k, exp_epsilon0=Fraction(500))
    delta = q * (1 - 2 * p) ** (n - 1) * (1 + Fraction(1, 2**4300))
    found = k_rr_pairs.CLONES.epsilon(n=n, k=k, epsilon0=logarithm(Fraction(500)), delta=delta, digits=6)
    below = k_rr_pairs.CLONES.delta(n=n, k=k, epsilon0=logarithm(Fraction(500)), epsilon=found.lower, digits=1000)
    assert below.lower > delta
    assert found.lower > found.upper * Fraction(4, 5)


@pytest.mark.parametrize("epsilon0", [1, 3])
@pytest.mark.parametrize("engine", [k_rr_pairs.CLONES, k_rr_pairs.HOMOGENEOUS])
def test_thirty_digits_for_a_hundred_thousand_users(engine, epsilon0):
    """The profile at n = 10^5, k = 10, where delta is about 10^-6."""
    central = {
        (k_rr_pairs.CLONES, 1): "0.007",
        (k_rr_pairs.HOMOGENEOUS, 1): "0.0066",
        (k_rr_pairs.CLONES, 3): "0.058",
        (k_rr_pairs.HOMOGENEOUS, 3): "0.055",
    }[engine, epsilon0]
    found = engine.delta(n=10**5, k=10, epsilon0=epsilon0, epsilon=central, digits=30)
    assert (found.upper - found.lower) * 10**30 <= found.upper
    assert Fraction("9e-7") < found.lower < Fraction("1.4e-6")


def test_an_epsilon_is_certified_at_both_ends():
    for engine in (k_rr_pairs.CLONES, k_rr_pairs.HOMOGENEOUS):
        found = engine.epsilon(n=400, k=8, epsilon0=2, delta="1e-6", digits=10)
        assert engine.delta(n=400, k=8, epsilon0=2, epsilon=found.upper).upper <= Fraction("1e-6")
        assert engine.delta(n=400, k=8, epsilon0=2, epsilon=found.lower).lower > Fraction("1e-6")


def test_a_windowed_sum_agrees_with_a_whole_one():
    """n = 300 with a window of everything, and with one of 10 digits."""
    with precision(256):
        for make in (k_rr_pairs.CLONES.make, k_rr_pairs.HOMOGENEOUS.make):
            pair = make(300, 12, logarithm(Fraction(5)))
            E, more = 1 + Fraction(3, 10), Fraction(3, 10)
            whole, narrow = (evaluate(pair, E=ball(E), E_minus_1=ball(more), bits=256, spread=spread) for spread in (3000.0, 35.0))
            assert narrow.lower <= whole.lower <= whole.upper <= narrow.upper
            assert (narrow.upper - narrow.lower) * 10**10 <= narrow.upper
            assert window_of(pair, ball(more), spread=3000.0).c == (0, 300)


@pytest.mark.parametrize("wrong", [None, "of_none", "drop", "fall", "odds", "of_two", "over_s"])
def test_a_wrong_step_of_a_chain_would_be_caught(wrong, monkeypatch):
    """Where the line falls by less than 1 from one count to the next, by many, and does not begin at 0."""
    before = three_counts_chains.Chains.of

    def changed(*given_: Any, bits: int) -> three_counts_chains.Chains:
        chains = before(*given_, bits=bits)
        value = getattr(chains, wrong)
        return replace(chains, **{wrong: value * 11 // 10 if isinstance(value, int) else value * 11 / 10})

    if wrong:
        monkeypatch.setattr(three_counts_chains.Chains, "of", changed)
    meets = [
        meet(engine.delta(n=n, k=k, epsilon0=e0, epsilon=e), truth.delta(n=n, k=k, epsilon0=e0, epsilon=e))
        for engine, truth, k in ((k_rr_pairs.CLONES, exact_clones, 3), (k_rr_pairs.HOMOGENEOUS, exact_pair, 4))
        for n, e0, e in ((10, "ln 2", "ln 5/4"), (12, "ln 9", "ln 2"))
    ]
    assert all(meets) == (wrong is None)


def test_more_categories_help_until_they_outnumber_the_users():
    """FMT21, section 4.1: the bound falls in k, but not for k far above n, where the pair runs out of clones; the datasets' pair does."""
    bounds = [k_rr_pairs.CLONES.delta(n=10**3, k=k, epsilon0=2, epsilon="0.2", digits=5) for k in (2, 3, 10, 30, 3000)]
    assert all(left.lower > right.upper for left, right in pairwise(bounds[:4]))
    assert bounds[4].lower > bounds[3].upper
    datasets = [k_rr_pairs.HOMOGENEOUS.delta(n=10**3, k=k, epsilon0=2, epsilon="0.2", digits=5) for k in (3, 10, 100, 3000)]
    assert all(left.lower > right.upper for left, right in pairwise(datasets))


def test_k_rr_is_better_than_the_clones_pair_where_k_is_large_and_moderate():
    ours = k_rr_pairs.CLONES.epsilon(n=2000, k=20, epsilon0=3, delta="1e-6", digits=5)
    assert ours.upper < clones.epsilon(n=2000, epsilon0=3, delta="1e-6", digits=5).lower


def test_extreme_parameters_are_answered():
    for engine in (k_rr_pairs.CLONES, k_rr_pairs.HOMOGENEOUS):
        for case in ({"n": 1, "k": 3, "epsilon0": 40}, {"n": 50, "k": 10**12, "epsilon0": 800}, {"n": 10**4, "k": 5, "epsilon0": "1e-12"}):
            found = engine.delta(**case, epsilon="1e-30", digits=8)
            assert (found.upper - found.lower) * 10**8 <= found.upper
        deep = engine.epsilon(n=500, k=6, epsilon0=1, delta="1e-200", digits=8)
        assert deep.lower <= 1
        assert engine.delta(n=500, k=6, epsilon0=1, epsilon=0).lower > 0


def test_the_closed_form_is_certified_and_above_the_numerical_bound():
    """FMT21, Corollary 4.2, equation (11)."""
    for n, k, epsilon0 in ((10**5, 10, 1), (10**6, 3, 4), (10**4, 100, "1/2")):
        found = k_rr_closed_forms.epsilon_of_clones(n=n, k=k, epsilon0=epsilon0, delta="1e-6", digits=25)
        estimate = estimated_form.epsilon(n=n, k=k, epsilon0=epsilon0, delta="1e-6", digits=25)
        assert estimate.side == "estimate"
        assert meet(found, estimate)
    assert k_rr_pairs.CLONES.epsilon(n=10**4, k=100, epsilon0="1/2", delta="1e-6", digits=6).upper < found.lower


def test_the_closed_form_refuses_what_the_printed_condition_would_let_in():
    """FMT21.Cor4.2: e^eps0 = 2, k = 4e7, n = 2970, delta = 1e-40 meets 16 e^eps0 ln(2/delta) <= n; the formula is below the truth."""
    given = {"n": 2970, "k": 4 * 10**7, "epsilon0": "ln 2", "delta": "1e-40"}
    for form in (k_rr_closed_forms.epsilon_of_clones, estimated_form.epsilon):
        with pytest.raises(RegimeError, match=r"FMT21.Cor4.2-condition needs n >= 2.515"):
            form(**given)
        with pytest.raises(RegimeError, match="k-rr-clones"):
            form(n=10, k=3, epsilon0=1, delta=0)
    order = 1 + Fraction("0.00136")  # equation (11) is about 1 + 0.001355
    assert k_rr_pairs.HOMOGENEOUS.delta(n=2970, k=4 * 10**7, epsilon0="ln 2", epsilon=logarithm(order), digits=3).lower > Fraction("1e-30")


def test_bad_input_is_refused_before_any_work():
    with pytest.raises(DomainError, match="from 3 to"):
        k_rr_pairs.HOMOGENEOUS.delta(n=3, k=2, epsilon0="ln 2", epsilon=0)
    for module in (exact_clones, exact_pair, exhaustive):
        with pytest.raises(UnsupportedError, match="irrational"):
            module.delta(n=3, k=4, epsilon0=1, epsilon=0)
        with pytest.raises(ResourceLimitError):
            module.delta(n=1000, k=4, epsilon0="ln 2", epsilon=0)
    with pytest.raises(ResourceLimitError):
        exact.delta(n=31, k=3, epsilon0="ln 2", epsilon=0)
    with pytest.raises(ResourceLimitError, match="steps"):
        k_rr_pairs.CLONES.delta(n=10**9, k=10, epsilon0=3, epsilon=1)


orders = st.fractions(min_value=Fraction(11, 10), max_value=12, max_denominator=20)
FORMS = ("hoeffding", "bennett")


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
