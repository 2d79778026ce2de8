"""The stronger clones pair: three engines that agree, a case of the optimal pair, never above the clones pair."""

from fractions import Fraction
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, exponentials, logarithm, shares

from shuffleproof.impl.ball.bounds.clones import clones as ball_clones
from shuffleproof.impl.ball.bounds.clones import clones_sums
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones as ball
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.impl.fast.bounds.clones import clones_constants
from shuffleproof.impl.fast.bounds.clones.clones import stronger_clones as fast
from shuffleproof.spec.bounds.clones import clones as exact_clones
from shuffleproof.spec.bounds.clones.clones import stronger_clones as exact
from shuffleproof.spec.bounds.variation_ratio import optimal_pair
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UnsupportedError


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
    stronger, clones = (hockey_stick(*room.dominating_pair(n=n, exp_epsilon0=T), exp_epsilon=E) for room in (exact, exact_clones))
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
        stronger, clones = engine.epsilon(n=n, epsilon0=epsilon0, delta="1e-12"), ball_clones.epsilon(n=n, epsilon0=epsilon0, delta="1e-12")
        assert stronger.lower <= clones.upper


@pytest.mark.parametrize("engine", [exact, ball, fast])
@pytest.mark.parametrize("n", [1, 2, 60])
def test_delta_zero_gives_exactly_epsilon0_and_delta_one_gives_zero(engine: ModuleType, n: int) -> None:
    assert engine.epsilon(n=n, epsilon0="ln 3", delta=0).exact == "ln 3"
    assert engine.epsilon(n=n, epsilon0="ln 3", delta=1).exact == "0"
    assert engine.epsilon(n=n, epsilon0=0, delta="1e-300").exact == "0"
    assert engine.delta(n=n, epsilon0=0, epsilon=0).exact == "0"


@pytest.mark.parametrize("engine", [exact, ball, fast])
@pytest.mark.parametrize("change", [{"n": 0}, {"epsilon0": -1}, {"delta": "1.5"}])
def test_bad_input_names_the_parameter(engine: ModuleType, change: dict[str, object]) -> None:
    with pytest.raises(DomainError) as caught:
        engine.epsilon(**{"n": 10, "epsilon0": "ln 3", "delta": "1e-6", **change})
    assert [caught.value.parameter] == list(change)


def test_engines_refuse_what_they_cannot_do() -> None:
    with pytest.raises(UnsupportedError):
        exact.delta(n=10, epsilon0=1, epsilon=0)
    with pytest.raises(ResourceLimitError):
        exact.epsilon(n=301, epsilon0="ln 3", delta="1e-6")
    with pytest.raises(ResourceLimitError):
        ball.delta(n=10**18, epsilon0=1, epsilon="1e-9")
    with pytest.raises(UnsupportedError, match="n up to"):
        fast.epsilon(n=10**9 + 1, epsilon0=1, delta="1e-6")


def test_a_result_says_whose_number_it_is_and_whom_it_covers() -> None:
    for engine in (exact, ball, fast):
        bound = engine.epsilon(n=12, epsilon0="ln 3", delta="1/100")
        assert (bound.method, bound.statement, bound.claim_side) == ("stronger-clones", "BEYOND.CorF2", "upper")
        assert bound.value_of == "epsilon of the stronger clones pair"
        assert "no report is more than e^eps0 times as likely from one user as from another" in bound.claim
        assert "BEYOND Corollary F2" in str(bound)


@pytest.mark.parametrize("factor", [1, 3])
def test_other_odds_would_be_caught(factor: int) -> None:
    """The clones pair's odds are above the truth, odds of 3/(T - 1) below it: both are outside the exact value's ball."""
    truth = PrivacyProfile(*exact.dominating_pair(n=40, exp_epsilon0=Fraction(4))).delta(exp_epsilon=Fraction(2))
    with precision(128):
        epsilon0, epsilon = logarithm(Fraction(4)), logarithm(Fraction(2))
        found = clones_sums.evaluate(n=40, odds_factor=factor, epsilon0=epsilon0, epsilon=epsilon, bits=128, spread=60.0)
    assert not found.lower <= truth <= found.upper
    assert (found.upper < truth) == (factor == 3)


def test_a_float64_closed_form_with_the_wrong_odds_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = exact.delta(n=3, epsilon0="ln 4", epsilon="ln 3.9")
    assert fast.delta(n=3, epsilon0="ln 4", epsilon="ln 3.9").lower <= truth.lower
    original = clones_constants.LocalConstants.at
    monkeypatch.setattr(clones_constants.LocalConstants, "at", lambda epsilon0, odds_factor: original(epsilon0, odds_factor=3))
    assert fast.delta(n=3, epsilon0="ln 4", epsilon="ln 3.9").upper < truth.lower
