"""Composition: the product pair against brute force; basic, advanced, optimal and Renyi composition, exact and certified."""

import math
from fractions import Fraction

import pytest
from enclosures import deltas_on_grid
from hypothesis import given, strategies as st
from strategies import distributions, examples

from shuffleproof.impl.ball import composition as ball, privacy_loss
from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.composition import (
    advanced_composition,
    basic_composition,
    by_likelihood_ratio,
    composed,
    optimal_composition,
    optimal_composition_delta,
    renyi_composition,
    renyi_to_delta,
)
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, product
from shuffleproof.spec.vocabulary.elementary import exp_bounds, log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError

ratios = st.fractions(Fraction(1), Fraction(5), max_denominator=12)
shares = st.fractions(Fraction(0), Fraction(1, 3), max_denominator=30)
rounds_drawn = st.integers(1, 6)


def worst(T: Fraction, delta: Fraction) -> tuple[Distribution[str], Distribution[str]]:
    """The pair that dominates every (epsilon, delta)-DP mechanism: with probability delta everything is revealed."""
    p = {"only p": delta, "likely": (1 - delta) * T / (T + 1), "unlikely": (1 - delta) / (T + 1)}
    q = {"only q": delta, "likely": (1 - delta) / (T + 1), "unlikely": (1 - delta) * T / (T + 1)}
    return Distribution(p), Distribution(q)


@examples(30)
@given(T=ratios, delta=shares, rounds=rounds_drawn, total=st.fractions(Fraction(0), Fraction(1), max_denominator=40))
def test_optimal_epsilon_inverts_the_profile(T: Fraction, delta: Fraction, rounds: int, total: Fraction) -> None:
    assert optimal_composition(exp_epsilon=T, delta=delta, rounds=rounds, total_delta=total) == PrivacyProfile(
        *composed([worst(T, delta)] * rounds)
    ).exp_epsilon(delta=total)


@examples(25)
@given(
    epsilon=st.fractions(Fraction(1, 50), Fraction(2), max_denominator=50),
    rounds=st.integers(1, 40),
    total=st.fractions(Fraction(1, 1000), Fraction(1, 2)),
)
def test_certified_optimal_composition_is_just_above_the_exact_one(epsilon: Fraction, rounds: int, total: Fraction) -> None:
    found = ball.optimal(epsilon=epsilon, delta=Fraction(0), rounds=rounds, total_delta=total)
    T = exp_bounds(epsilon, bits=200)[0]
    truth = optimal_composition(exp_epsilon=T, delta=Fraction(0), rounds=rounds, total_delta=total)
    lower = log_bounds(truth, bits=200)[0]
    assert lower <= found <= lower + Fraction(1, 10**25)
    advanced = ball.advanced(epsilon=epsilon, delta=Fraction(0), rounds=rounds, total_delta=total)
    assert found <= advanced + Fraction(1, 10**25)
    said, spent = advanced_composition(epsilon=epsilon, delta=Fraction(0), rounds=rounds, slack=total)
    assert spent == total
    assert float(said) == pytest.approx(float(advanced))


def test_certified_conversion_agrees_with_the_exact_one() -> None:
    tau, order, delta = Fraction(1, 5), Fraction(7), Fraction(1, 1000)
    epsilon, best = ball.by_renyi(divergences=[(order, tau)], rounds=3, delta=delta)
    assert best == order
    moment, E = math.exp(6 * 0.6), math.exp(float(epsilon))
    assert moment / E**6 * (6 / 7) ** 6 / 7 == pytest.approx(float(delta))


def test_what_is_cut_off_is_still_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    step, delta = Fraction(1, 50), Fraction(1, 20)
    measure = privacy_loss.on_grid(deltas_on_grid(*dominating_pair(n=3, exp_epsilon0=Fraction(3)), step=step, cells=60), step=step)
    whole = privacy_loss.epsilon_of(privacy_loss.composed(measure, rounds=5, delta=delta), step=step, delta=delta)
    monkeypatch.setattr(privacy_loss, "_CUT", Fraction(2))
    shorter = privacy_loss.composed(measure, rounds=5, delta=delta)
    coarse = privacy_loss.epsilon_of(shorter, step=step, delta=delta)
    assert whole <= coarse < whole + Fraction(1)
    cut = privacy_loss._times(measure, measure, 2**privacy_loss.BITS // 4)
    assert cut.infinite > 2**privacy_loss.BITS // 1000
    assert cut.total >= privacy_loss._times(measure, measure, 0).total - 2**20


def test_a_grid_that_is_doubled_is_above_and_near_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: odd masses go down, or in equal parts; the step stays as it was; shares are rounded down."""
    step, delta = Fraction(1, 200), Fraction(1, 20)
    measure = privacy_loss.on_grid(deltas_on_grid(*dominating_pair(n=3, exp_epsilon0=Fraction(3)), step=step, cells=240), step=step)
    for rounds in (2, 3, 7, 12):
        whole = privacy_loss.composed(measure, rounds=rounds, delta=delta, step=step)
        with monkeypatch.context() as changed:
            changed.setattr(privacy_loss, "_WIDE", 500)
            doubled = privacy_loss.composed(measure, rounds=rounds, delta=delta, step=step)
        assert doubled.doubled >= 1 > whole.doubled
        for epsilon in (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(2), Fraction(7, 2), Fraction(6)):
            less, more = (privacy_loss.delta_of(each, step=step, epsilon=epsilon) for each in (whole, doubled))
            assert less <= more <= less + Fraction(1, 2000)
        first, second = (privacy_loss.epsilon_of(each, step=step, delta=delta) for each in (whole, doubled))
        assert first is not None
        assert second is not None
        assert first <= second < first + Fraction(1, 500)
    once = privacy_loss._doubled(measure, step)
    assert all(
        privacy_loss.delta_of(measure, step=step, epsilon=x) <= privacy_loss.delta_of(once, step=step, epsilon=x)
        for x in (Fraction(k, 300) for k in range(300))
    )


def test_infinite_loss_beyond_delta_has_no_epsilon() -> None:
    measure = privacy_loss.on_grid([(Fraction(1, 2), Fraction(1, 2)), (Fraction(2, 5), Fraction(2, 5))], step=Fraction(1, 10))
    assert privacy_loss.epsilon_of(measure, step=Fraction(1, 10), delta=Fraction(1, 3)) is None


@pytest.mark.parametrize(
    "asked",
    [
        lambda: optimal_composition(exp_epsilon=Fraction(1, 2), delta=Fraction(0), rounds=2, total_delta=Fraction(0)),
        lambda: optimal_composition_delta(exp_epsilon=Fraction(2), delta=Fraction(2), rounds=2, exp_total=Fraction(2)),
        lambda: advanced_composition(epsilon=Fraction(1), delta=Fraction(0), rounds=0, slack=Fraction(1)),
        lambda: advanced_composition(epsilon=Fraction(1), delta=Fraction(0), rounds=1, slack=Fraction(0)),
        lambda: renyi_to_delta(moment=Fraction(2), order=1, exp_epsilon=Fraction(2)),
        lambda: renyi_composition([Fraction(1, 2)]),
        lambda: ball.optimal(epsilon=Fraction(1), delta=Fraction(1, 2), rounds=4, total_delta=Fraction(1, 10)),
        lambda: ball.by_renyi(divergences=[], rounds=4, delta=Fraction(1, 10)),
        lambda: ball.advanced(epsilon=Fraction(-1), delta=Fraction(0), rounds=4, total_delta=Fraction(1, 10)),
    ],
)
def test_bad_input_is_refused(asked: object) -> None:
    with pytest.raises(DomainError):
        asked()  # type: ignore[operator]


def test_some_deltas_cannot_be_reached() -> None:
    assert optimal_composition(exp_epsilon=Fraction(2), delta=Fraction(1, 2), rounds=3, total_delta=Fraction(1, 2)) is None


orders = st.fractions(min_value=Fraction(1), max_value=Fraction(20), max_denominator=20)


@given(distributions(3, parts=12), distributions(3, parts=12), orders)
def test_the_likelihood_ratio_keeps_every_hockey_stick_divergence(p, q, exp_epsilon):
    P, Q = by_likelihood_ratio(p, q)
    assert hockey_stick(P, Q, exp_epsilon=exp_epsilon) == hockey_stick(p, q, exp_epsilon=exp_epsilon)
    assert hockey_stick(Q, P, exp_epsilon=exp_epsilon) == hockey_stick(q, p, exp_epsilon=exp_epsilon)


@given(distributions(3, parts=12), distributions(3, parts=12), distributions(3, parts=12), distributions(3, parts=12), orders)
def test_the_composed_pair_is_the_product_pair(p, q, other_p, other_q, exp_epsilon):
    P, Q = composed([(p, q), (other_p, other_q)])
    direct = PrivacyProfile(product(p, other_p), product(q, other_q))
    assert PrivacyProfile(P, Q).delta(exp_epsilon=exp_epsilon) == direct.delta(exp_epsilon=exp_epsilon)


@given(distributions(3, parts=12), distributions(3, parts=12), distributions(3, parts=12), distributions(3, parts=12), orders, orders)
def test_basic_composition_holds_for_the_composed_pair(p, q, other_p, other_q, first, second):
    exp_epsilon, delta = basic_composition(
        [(first, PrivacyProfile(p, q).delta(exp_epsilon=first)), (second, PrivacyProfile(other_p, other_q).delta(exp_epsilon=second))]
    )
    assert PrivacyProfile(*composed([(p, q), (other_p, other_q)])).delta(exp_epsilon=exp_epsilon) <= delta


def test_nothing_composed_reveals_nothing_and_bad_guarantees_are_refused():
    assert composed([]) == (Distribution.point(Fraction(1)), Distribution.point(Fraction(1)))
    assert basic_composition([]) == (1, 0)
    for bad in ((Fraction(1, 2), Fraction(0)), (Fraction(2), Fraction(-1)), (Fraction(2), Fraction(2))):
        with pytest.raises(DomainError):
            basic_composition([bad])
