"""The stronger clones pair in three engines, and (epsilon0, delta0)-DP randomizers: clipping, the price of delta0, what is refused."""

from fractions import Fraction
from itertools import pairwise

import pytest
from enclosures import meet
from hypothesis import given, strategies as st
from strategies import examples, exponentials, logarithm, shares

import shuffleproof.spec.bounds.clones.approx_clones as exact_printed
import shuffleproof.spec.bounds.clones.approx_clones_closed_form as estimated_form
from shuffleproof.impl.ball.bounds.clones import approx_clones, clones
from shuffleproof.impl.ball.bounds.clones.approx_clones import stronger_approx_clones
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones as ball
from shuffleproof.impl.ball.bounds.variation_ratio import three_counts_sums
from shuffleproof.impl.ball.numeric.arithmetic import ball as ball_of, precision
from shuffleproof.impl.fast.bounds.clones import clones_constants
from shuffleproof.impl.fast.bounds.clones.clones import stronger_clones as fast
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions
from shuffleproof.spec.bounds.clones import clones as exact_clones
from shuffleproof.spec.bounds.clones.clones import stronger_clones as exact
from shuffleproof.spec.bounds.variation_ratio import optimal_pair
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.clipping import clipped, clipped_randomizer, deletion_delta
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError


@examples(60)
@given(st.integers(1, 8), exponentials().filter(lambda T: T > 1))
def test_it_is_the_optimal_pair_of_pure_local_privacy(n: int, T: Fraction) -> None:
    """BEYOND.CorF2: p = q = e^eps0 and the largest beta there is, (T - 1)/(T + 1), leave no third count."""
    parameters = optimal_pair.Parameters(T, Fraction(1), T)
    for ours, general in zip(
        exact.dominating_pair(n=n, exp_epsilon0=T), optimal_pair.dominating_pair(n=n, parameters=parameters), strict=True
    ):
        assert general == ours.map(lambda counts: (*counts, 0))


@examples(150)
@given(st.integers(1, 16), exponentials(), shares)
def test_it_is_never_above_the_clones_pair(n: int, T: Fraction, share: Fraction) -> None:
    E = 1 + (T - 1) * share
    stronger, clones = (hockey_stick(*module.dominating_pair(n=n, exp_epsilon0=T), exp_epsilon=E) for module in (exact, exact_clones))
    assert stronger <= clones


@pytest.mark.parametrize(
    ("n", "T", "E", "delta"),
    [(1, 4, "2", "2/5"), (2, 4, "1", "12/25"), (3, 4, "3/2", "8/25"), (3, 4, "37/10", "24/625"), (3, 4, "4", "0"), (3, 1, "1", "0")],
)
def test_values_worked_out_by_hand(n: int, T: int, E: str, delta: str) -> None:
    found = exact.delta(n=n, epsilon0=f"ln {T}", epsilon=f"ln {E}")
    assert found.lower == found.upper == Fraction(delta)


def test_binary_randomized_response_attains_it() -> None:
    """T = 4, n = 2: shuffled 2RR on (0, 0) and (1, 0) has 12/25 at E = 1."""
    from shuffleproof.spec.bounds.lower.binary_rr import pair

    assert hockey_stick(*pair(n=2, exp_epsilon0=Fraction(4)), exp_epsilon=Fraction(1)) == Fraction(12, 25)


@pytest.mark.parametrize("n", [1, 10**4, 10**7])
@pytest.mark.parametrize("epsilon0", ["1e-9", "1", "ln 3", "8", "700"])
def test_more_clones_give_a_smaller_epsilon_at_any_size(n: int, epsilon0: str) -> None:
    for engine in (ball, fast):
        stronger, plain = (each.epsilon(n=n, epsilon0=epsilon0, delta="1e-12") for each in (engine, clones))
        assert stronger.lower <= plain.upper


def test_engines_refuse_what_they_cannot_do() -> None:
    with pytest.raises(UnsupportedError):
        exact.delta(n=10, epsilon0=1, epsilon=0)
    with pytest.raises(ResourceLimitError):
        exact.epsilon(n=301, epsilon0="ln 3", delta="1e-6")
    with pytest.raises(ResourceLimitError):
        ball.delta(n=10**18, epsilon0=1, epsilon="1e-9")
    with pytest.raises(UnsupportedError, match="n up to"):
        fast.epsilon(n=10**9 + 1, epsilon0=1, delta="1e-6")


@pytest.mark.parametrize("factor", [1, 3])
def test_other_odds_would_be_caught(factor: int) -> None:
    """The clones pair's odds are above the truth, odds of 3/(T - 1) below it: both are outside the exact value's ball."""
    truth = PrivacyProfile(*exact.dominating_pair(n=40, exp_epsilon0=Fraction(4))).delta(exp_epsilon=Fraction(2))
    with precision(128):
        pair = clones.counted(40, factor, logarithm(Fraction(4)))
        found = three_counts_sums.evaluate(pair, E=ball_of(2), E_minus_1=ball_of(1), bits=128, spread=60.0)
    assert not found.lower <= truth <= found.upper
    assert (found.upper < truth) == (factor == 3)


def test_a_float64_closed_form_with_the_wrong_odds_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = exact.delta(n=3, epsilon0="ln 4", epsilon="ln 3.9")
    assert fast.delta(n=3, epsilon0="ln 4", epsilon="ln 3.9").lower <= truth.lower
    original = clones_constants.LocalConstants.at
    monkeypatch.setattr(clones_constants.LocalConstants, "at", lambda epsilon0, odds_factor: original(epsilon0, odds_factor=3))
    assert fast.delta(n=3, epsilon0="ln 4", epsilon="ln 3.9").upper < truth.lower


ENGINES = ((exact_printed, approx_clones), (exact_printed.stronger_approx_clones, stronger_approx_clones))
orders = st.one_of(st.fractions(min_value=1, max_value=8, max_denominator=8), st.sampled_from([Fraction(1001, 1000), Fraction(500)]))


@given(distributions(outputs=4), distributions(outputs=4), orders)
def test_clipping_is_private_and_moves_no_more_than_it_must(law, reference, T):
    """FMT21, Lemma 3.7; no distribution within [reference/T, T reference] is nearer."""
    near = clipped(law, reference, exp_epsilon=T)
    assert all(reference[y] / T <= near[y] <= T * reference[y] for y in range(4))
    forward, backward = hockey_stick(law, reference, exp_epsilon=T), hockey_stick(reference, law, exp_epsilon=T)
    assert total_variation(law, near) == max(forward, backward / T)


def test_clipping_by_hand():
    """T = 2 against the uniform distribution on two messages: 1 is cut to 2/2 and nothing is raised; 3/4 against 1/4 is within already."""
    fair, sure = Distribution.uniform((0, 1)), Distribution.point(0)
    assert clipped(sure, fair, exp_epsilon=Fraction(2)) == Distribution({0: Fraction(3, 4), 1: Fraction(1, 4)})
    biased = Distribution({0: Fraction(3, 4), 1: Fraction(1, 4)})
    assert clipped(biased, fair, exp_epsilon=Fraction(2)) == biased
    randomizer = LocalRandomizer((0, 1), {0: sure, 1: fair})
    assert deletion_delta(randomizer, fair, exp_epsilon=Fraction(2)) == Fraction(1, 2)
    assert clipped_randomizer(randomizer, fair, exp_epsilon=Fraction(2)).exp_epsilon0() == 2
    with pytest.raises(DomainError):
        clipped(sure, fair, exp_epsilon=Fraction(1, 2))


def test_without_delta0_it_is_the_clones_bound():
    for printed, balls in ENGINES:
        given = {"n": 6, "epsilon0": "ln 3", "delta": "1/50"}
        assert printed.epsilon(**given, delta0=0).exact == exact_clones.epsilon(**given).exact
        ours, theirs = balls.epsilon(n=10**5, epsilon0=1, delta0=0, delta="1e-6"), clones.epsilon(n=10**5, epsilon0=1, delta="1e-6")
        assert meet(ours, theirs)


def test_delta_does_not_rise_with_epsilon_though_the_formula_does():
    """(e^eps + 1)(1 + e^-eps0/2) n delta0 grows; what holds at a smaller epsilon holds at a larger one."""
    for _, balls in ENGINES:
        deltas = [balls.delta(n=10**4, epsilon0=2, delta0="1e-12", epsilon=e) for e in ("0.05", "0.1", "0.2", "0.5", "1", "1.9")]
        assert all(left.upper >= right.lower for left, right in pairwise(deltas))
        assert deltas[3].lower <= deltas[-1].upper
        assert balls.delta(n=10**4, epsilon0=2, delta0="1e-12", epsilon=2).upper == Fraction(1, 10**12)


@given(st.integers(1, 12), orders, shares)
@examples(30)
def test_the_stronger_price_is_never_larger(n, T, share):
    given = {"n": n, "epsilon0": logarithm(T), "delta0": Fraction(1, 1000), "epsilon": logarithm(1 + (T - 1) * share)}
    assert exact_printed.stronger_approx_clones.delta(**given).lower <= exact_printed.delta(**given).lower


def test_both_ends_are_certified_for_a_million_users():
    for _, balls in ENGINES:
        found = balls.epsilon(n=10**6, epsilon0=2, delta0="1e-13", delta="1e-6")
        assert balls.delta(n=10**6, epsilon0=2, delta0="1e-13", epsilon=found.upper).upper <= Fraction("1e-6")
        assert balls.delta(n=10**6, epsilon0=2, delta0="1e-13", epsilon=found.lower).lower > Fraction("1e-6")
    assert stronger_approx_clones.epsilon(n=10**6, epsilon0=2, delta0="4e-13", delta="1e-6").upper < Fraction("0.0135")
    assert approx_clones.epsilon(n=10**6, epsilon0=2, delta0="4e-13", delta="1e-6").lower > Fraction("0.015")


def test_where_nothing_is_gained_epsilon_is_epsilon0():
    for _, balls in ENGINES:
        assert balls.epsilon(n=10**6, epsilon0=2, delta0="1e-7", delta="1e-6").exact == "2"
        assert balls.epsilon(n=10**4, epsilon0=8, delta0="1e-7", delta="1e-6").exact == "8"
        assert balls.delta(n=100, epsilon0=2, delta0="1/2", epsilon=1).exact in ("1", None)


def test_the_closed_form_spends_delta_well():
    """FMT21, Theorem 3.8: equation (1) at the largest delta' with delta' + (e^eps + 1)(1 + e^-eps0/2) n delta0 <= delta."""
    for n, epsilon0, delta0 in ((10**6, 2, "1e-16"), (10**6, "ln 7", "4e-13"), (10**4, 1, "1e-11"), (10**4, 1, 0)):
        found = approx_clones.epsilon_closed_form(n=n, epsilon0=epsilon0, delta0=delta0, delta="1e-6", digits=25)
        estimate = estimated_form.epsilon(n=n, epsilon0=epsilon0, delta0=delta0, delta="1e-6", digits=25)
        assert meet(found, estimate)
        assert approx_clones.epsilon(n=n, epsilon0=epsilon0, delta0=delta0, delta="1e-6").upper < found.lower
    plain = clones.epsilon_closed_form(n=10**4, epsilon0=1, delta="1e-6", digits=25)
    assert meet(found, plain)
    for form in (approx_clones.epsilon_closed_form, estimated_form.epsilon):
        for bad in ({"delta0": "1e-9"}, {"epsilon0": 8}, {"delta": 0, "delta0": 0}):
            with pytest.raises(RegimeError, match="approximate-clones"):
                form(**{"n": 10**4, "epsilon0": 1, "delta0": "1e-12", "delta": "1e-6", **bad})


def test_bad_input_is_refused_before_any_work():
    for printed, _ in ENGINES:
        with pytest.raises(UnsupportedError, match="irrational"):
            printed.delta(n=3, epsilon0=1, delta0=0, epsilon=0)
        with pytest.raises(ResourceLimitError):
            printed.delta(n=1000, epsilon0="ln 2", delta0=0, epsilon=0)
