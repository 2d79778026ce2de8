"""The optimal pair, in exact and ball arithmetic: values by hand, agreement, clipping, infinite p, monotonicity, what must be refused."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from enclosures import meet
from flint import arb
from hypothesis import given, strategies as st
from strategies import examples, optimal_pairs

from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair as ball, three_counts, three_counts_chains, three_counts_sums
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_masses import Masses
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import Window
from shuffleproof.impl.ball.numeric.arithmetic import ball as ball_of, precision
from shuffleproof.impl.fast.bounds.variation_ratio import optimal_pair as fast
from shuffleproof.spec.bounds.variation_ratio import optimal_pair as exact
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import INFINITE, Number, parse_epsilon


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
    certified = ball.delta(n=n, p=p, beta=beta, q=q, epsilon=epsilon)
    assert certified.lower <= found.lower <= certified.upper
    assert (certified.inputs, certified.claim) == (found.inputs, found.claim)


orders = st.fractions(min_value=0, max_value=25, max_denominator=8)


@pytest.mark.parametrize(("n", "epsilon0", "delta"), [(1000, 3, "1e-6"), (10**6, 40, "1e-10"), (300_000, 4, "1e-12")])
def test_the_largest_beta_gives_the_stronger_clones_at_any_n(n: int, epsilon0: int, delta: str) -> None:
    """T is rounded up and down: the optimal pair of either encloses the irrational one's number."""
    low, high = parse_epsilon(epsilon0).exp_bounds(bits=120)
    smaller, larger = (ball.epsilon(n=n, p=T, beta=1, q=T, delta=delta, digits=20) for T in (low, high))
    stronger = stronger_clones.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=25)
    assert smaller.lower <= stronger.upper
    assert stronger.lower <= larger.upper
    assert larger.upper - smaller.lower <= stronger.upper / 10**18


@pytest.mark.parametrize(
    ("n", "p", "beta", "q", "delta"),
    [
        (50, "1.000000001", "1e-10", 2, "1e-12"),
        (8, 1 + Fraction(1, 10**400), "1e-402", 2, "1e-404"),
        (8, "1e300", "0.999", 3, "1e-3"),
        (100, "1e300", "0.5", "1e20", "1e-2"),
        (1000, 3, "1e-30", 3, "1e-40"),
        (1000, 3, "1/2", "3/2", "1e-10"),
        (10**6, 3, 1, 3, "1e-10"),
        (100, INFINITE, "1e-9", "1.000000001", "1e-12"),
        (1000, INFINITE, 1, 2, "1e-300"),
    ],
)
def test_corners_of_the_range_are_answered_and_certified(n: int, p: Number, beta: Number, q: Number, delta: str) -> None:
    found = ball.epsilon(n=n, p=p, beta=beta, q=q, delta=delta)
    assert found.side == "enclosure"
    assert ball.delta(n=n, p=p, beta=beta, q=q, epsilon=found.upper, digits=10).lower <= Fraction(delta)
    assert ball.delta(n=n, p=p, beta=beta, q=q, epsilon=found.lower, digits=25).upper > Fraction(delta)


def test_k_ary_response_gains_from_its_total_variation() -> None:
    """k = 100, e^eps0 = 20, n = 10^4: less than half of what all randomizers with this eps0 must allow for."""
    T = Fraction(20)
    own = ball.epsilon(n=10**4, p=T, beta=(T - 1) / (T + 99), q=T, delta="1e-6", digits=6)
    assert 2 * own.upper < stronger_clones.epsilon(n=10**4, epsilon0="ln 20", delta="1e-6").lower
    assert ball.delta(n=10**4, p=T, beta=(T - 1) / (T + 99), q=T, epsilon=own.upper, digits=6).lower <= Fraction(1, 10**6)


def truth_and_ends(n: int, drawn: Parameters, E: Fraction, *, spread: float) -> tuple[Fraction, Fraction, Fraction]:
    """The exact value, and what the sums enclose it by."""
    truth = hockey_stick(*exact.dominating_pair(n=n, parameters=drawn), exp_epsilon=E)
    masses = Masses.of(x=Fraction(0) if drawn.p is None else 1 / drawn.p, beta=drawn.clipped_beta(), q=drawn.q)
    with precision(128):
        found = three_counts_sums.evaluate(masses.counted(n), E=ball_of(E), E_minus_1=ball_of(E - 1), bits=128, spread=spread)
    return truth, found.lower, found.upper


def below_the_truth(n: int, drawn: Parameters, E: Fraction, *, spread: float) -> bool:
    """Whether the sums' upper end falls below the exact value; the lower end never exceeds it."""
    truth, lower, upper = truth_and_ends(n, drawn, E, spread=spread)
    assert lower <= truth
    return upper < truth


def missed(n: int, drawn: Parameters, E: Fraction) -> bool:
    """Whether the exact value is outside."""
    truth, lower, upper = truth_and_ends(n, drawn, E, spread=40.0)
    return not lower <= truth <= upper


WITHOUT_D = (14, Parameters(Fraction(4), Fraction(3, 5), Fraction(4)), Fraction(2))
CASES = [
    (14, Parameters(Fraction(4), Fraction(1, 2), Fraction(4)), Fraction(2)),
    (14, Parameters(None, Fraction(1, 3), Fraction(2)), Fraction(3, 2)),
]


def test_with_its_tails_any_window_is_sound_and_without_them_it_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(below_the_truth(*case, spread=spread) for case in (WITHOUT_D, *CASES) for spread in (0.1, 1.0, 40.0))
    monkeypatch.setattr(three_counts, "_chernoff", lambda n, k, share, rest: arb(0))
    assert below_the_truth(*WITHOUT_D, spread=0.1)


def test_with_thresholds_too_low_the_sums_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    scaled = three_counts_sums.scaled
    monkeypatch.setattr(three_counts_sums, "scaled", lambda x, scale: scaled(x * 0.9, scale))
    assert below_the_truth(*WITHOUT_D, spread=60.0)


@pytest.mark.parametrize(
    "narrower", [{"chains": (1, 3)}, {"chains": (9, 14)}, {"chains": (6, 6)}, {"half": -4}, {"half": 0, "chains": (3, 5)}]
)
def test_chains_that_are_left_out_are_counted(narrower: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the first chain, above the last one, and where a chain ends early."""
    before = three_counts_sums.affordable_window

    def narrowed(*given_: Any, spread: float) -> Window:
        return replace(before(*given_, spread=spread), **narrower)

    monkeypatch.setattr(three_counts_sums, "affordable_window", narrowed)
    assert not any(below_the_truth(*case, spread=40.0) for case in CASES)
    monkeypatch.setattr(Window, "left_out", lambda *_: arb(0))
    assert any(below_the_truth(*case, spread=40.0) for case in CASES)


@pytest.mark.parametrize("wrong", ["s", "rest", "odds", "of_c", "of_k", "of_two", "over_s", "over_rest", "hidden", "rise", "fall"])
def test_a_wrong_step_of_a_chain_would_be_caught(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = three_counts_chains.Chains.of

    def changed(*given_: Any, bits: int) -> three_counts_chains.Chains:
        law = before(*given_, bits=bits)
        value = getattr(law, wrong)
        return replace(law, **{wrong: value * 11 // 10 if isinstance(value, int) else value * 11 / 10})

    monkeypatch.setattr(three_counts_chains.Chains, "of", changed)
    assert any(missed(*case) for case in CASES)


@pytest.mark.parametrize("n", [10**4, 10**6])
def test_many_users_agree_with_floats(n: int) -> None:
    """k-RR with k = 10 at e^eps0 = 3: two engines that share no computing code."""
    own = {"n": n, "p": 3, "beta": "1/6", "q": 3, "delta": "1e-6"}
    certified, floats = ball.epsilon(**own, digits=7), fast.epsilon(**own)
    assert meet(certified, floats)
    assert certified.upper - certified.lower <= certified.upper / 10**7


def test_a_wrong_mass_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Masses.of

    def changed(**given_parameters: Fraction) -> Masses:
        masses = original(**given_parameters)
        more = masses.either / 100
        return Masses(masses.x, masses.q, masses.either + more, masses.d, masses.none - more)

    monkeypatch.setattr(Masses, "of", changed)
    assert any(below_the_truth(*case, spread=60.0) for case in CASES)


@examples(60)
@given(st.integers(1, 5), optimal_pairs, orders)
def test_both_directions_are_the_same(n: int, given_parameters: Parameters, E: Fraction) -> None:
    P, Q = exact.dominating_pair(n=n, parameters=given_parameters)
    assert hockey_stick(P, Q, exp_epsilon=E) == hockey_stick(Q, P, exp_epsilon=E)
    assert P.map(lambda counts: (counts[1], counts[0], counts[2])) == Q


@examples(60)
@given(st.integers(1, 4), optimal_pairs, st.sampled_from(["p", "beta", "q", "n"]), orders)
def test_rounding_p_beta_and_q_up_and_n_down_is_safe(n: int, smaller: Parameters, which: str, E: Fraction) -> None:
    larger = {
        "p": Parameters(None if smaller.p is None else smaller.p + 1, smaller.beta, smaller.q),
        "beta": Parameters(smaller.p, min(Fraction(1), smaller.beta + Fraction(1, 7)), smaller.q),
        "q": Parameters(smaller.p, smaller.beta, smaller.q + 1),
        "n": smaller,
    }[which]
    below = hockey_stick(*exact.dominating_pair(n=n + (which == "n"), parameters=smaller), exp_epsilon=E)
    assert below <= hockey_stick(*exact.dominating_pair(n=n, parameters=larger), exp_epsilon=E)


@examples(30)
@given(st.integers(1, 4), optimal_pairs, st.fractions(min_value=0, max_value=1, max_denominator=40))
def test_epsilon_is_the_least_that_reaches_delta(n: int, given_parameters: Parameters, delta: Fraction) -> None:
    p: Number = INFINITE if given_parameters.p is None else given_parameters.p
    P, Q = exact.dominating_pair(n=n, parameters=given_parameters)
    try:
        bound = exact.epsilon(n=n, p=p, beta=given_parameters.beta, q=given_parameters.q, delta=delta)
    except RegimeError:
        assert sum(weight for counts, weight in P.items() if not Q[counts]) > delta
        return
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
    with pytest.raises(RegimeError, match=r"0\.25"):
        ball.epsilon(n=2, p=INFINITE, beta="1/2", q=2, delta="1/5")
    for engine in (exact, ball):
        assert engine.epsilon(n=2, p=INFINITE, beta="1/2", q=2, delta="1/4").exact == "ln 2"
    assert ball.delta(n=2, p=INFINITE, beta="1/2", q=2, epsilon="ln 2").lower == Fraction(1, 4)


def test_engines_refuse_what_they_cannot_do() -> None:
    with pytest.raises(ResourceLimitError, match="steps"):
        ball.epsilon(n=10**9, p=3, beta="1/4", q=3, delta="1e-300")
    with pytest.raises(ResourceLimitError, match="steps"):
        ball.delta(n=10**9, p=3, beta="1/4", q=3, epsilon="0.01")
    with pytest.raises(UnsupportedError):
        exact.delta(n=3, p=4, beta="1/2", q=4, epsilon=1)
    with pytest.raises(ResourceLimitError):
        exact.delta(n=41, p=4, beta="1/2", q=4, epsilon=0)
