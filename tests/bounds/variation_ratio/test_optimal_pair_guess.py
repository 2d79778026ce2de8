"""Where the certified search for the optimal pair's epsilon begins, beyond the floats too: it decides nothing, but it saves evaluations."""

import math
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from enclosures import meet
from flint import arb
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.impl.ball.bounds.k_rr import k_rr_pairs
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair, three_counts, three_counts_search
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_masses import Masses
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_search import initial_guess
from shuffleproof.impl.ball.numeric.arithmetic import precision
from shuffleproof.spec.bounds.variation_ratio import optimal_pair as exact
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number

K_RR: dict[str, Any] = {"p": "2.7182818284590453", "beta": "0.14664427", "q": "2.7182818284590453"}


def evaluations(monkeypatch: pytest.MonkeyPatch, **given_: Any) -> tuple[int, Bound]:
    done, evaluate = [], three_counts_search.evaluate

    def counted(*pair: Any, **named: Any) -> Any:
        done.append(named["E"])
        return evaluate(*pair, **named)

    with monkeypatch.context() as patched:
        patched.setattr(three_counts_search, "evaluate", counted)
        found = optimal_pair.epsilon(**given_)
    return len(done), found


def test_one_to_three_evaluations_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for n, delta, digits in ((500, "1e-6", 8), (500, "1e-12", 8), (1500, "1e-4", 8)):
        assert evaluations(monkeypatch, n=n, **K_RR, delta=delta, digits=digits)[0] <= 3
    assert evaluations(monkeypatch, n=6000, **K_RR, delta="1e-6", digits=9)[0] == 1
    assert evaluations(monkeypatch, n=500, **K_RR, delta="1e-6", digits=9)[0] == 3
    right = evaluations(monkeypatch, n=6000, **K_RR, delta="1e-6", digits=12)[1].upper
    for believed, asked in ((4, 3), (9, 2)):  # a start that is right to six digits: a step of Newton's or two, then both ends
        monkeypatch.setattr(optimal_pair, "initial_guess", lambda *_, good=believed: (right * (1 + Fraction(1, 10**6)), good, True))
        assert evaluations(monkeypatch, n=6000, **K_RR, delta="1e-6", digits=9)[0] == asked


@pytest.mark.parametrize("first", [(Fraction(1, 2), 4, True), (Fraction(1, 1000), 9, True), (Fraction(99, 100), 0, False)])
def test_a_wrong_start_changes_nothing(first: tuple[Fraction, int, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    _, right = evaluations(monkeypatch, n=200, **K_RR, delta="1e-6", digits=8)
    monkeypatch.setattr(optimal_pair, "initial_guess", lambda *_: first)
    _, found = evaluations(monkeypatch, n=200, **K_RR, delta="1e-6", digits=8)
    assert meet(found, right)
    assert found.upper - found.lower <= found.upper / 10**8


@examples(40)
@given(
    st.integers(1, 400),
    st.fractions(min_value=Fraction(11, 10), max_value=200, max_denominator=10),
    st.fractions(min_value=Fraction(1, 100), max_value=1, max_denominator=100),
    st.fractions(min_value=Fraction(11, 10), max_value=200, max_denominator=10),
    st.sampled_from(["0.9", "0.3", "0.01", "1e-6", "1e-30"]),
)
def test_a_root_of_0_is_never_ruled_out_wrongly(n: int, p: Fraction, beta: Fraction, q: Fraction, delta: str) -> None:
    pair = optimal_pair.Pair.of(n=n, p=p, beta=beta, q=q)
    if pair.masses is None:
        return
    guess, _, positive = initial_guess(partial(pair.masses.counted, n), n, pair.top, Fraction(delta))
    assert 0 < guess < pair.top.bounds(bits=64)[1]
    if positive:
        assert optimal_pair.delta(n=n, p=p, beta=beta, q=q, epsilon=0, digits=4).lower > Fraction(delta)


@pytest.mark.parametrize(("p", "q"), [(10**320, 5), (3, 10**400), ("1.0000001", 2)])
def test_parameters_beyond_floats_start_somewhere(p: Number, q: Number) -> None:
    pair = optimal_pair.Pair.of(n=10**5, p=Fraction(p), beta=Fraction(1, 10), q=Fraction(q))
    assert pair.masses is not None
    guess, _, _ = initial_guess(partial(pair.masses.counted, pair.n), pair.n, pair.top, Fraction(1, 10**6))
    assert Epsilon(Fraction(0), None) < Epsilon(guess, None) < pair.top


@pytest.mark.parametrize(("p", "beta"), [("1e400", "1"), ("3", "1/2")])
def test_parameters_beyond_the_range_of_floats_are_answered(p: str, beta: str) -> None:
    for delta in ("1e-500", "1e-6"):
        assert meet(*(engine.epsilon(n=3, p=p, beta=beta, q="1e400", delta=delta) for engine in (optimal_pair, exact)))
    assert meet(*(engine.renyi(n=3, p=p, beta=beta, q="1e400", order=2) for engine in (optimal_pair, exact)))


def test_where_few_bits_do_not_tell_epsilon_from_ln_p_more_are_taken() -> None:
    """theta A was a ball without an end there, and the window's counts no numbers."""
    given: dict[str, Any] = {"n": 2, "p": "1.00000001", "beta": "1/2", "q": "1e200"}
    found = optimal_pair.delta(**given, epsilon="9.999985e-9", digits=4)
    above, below = (exact.delta(**given, epsilon=f"ln 1.00000000{digits}").upper for digits in ("9999985", "9999986"))
    assert below < found.upper
    assert found.lower < above
    assert found.upper < found.lower * Fraction(1001, 1000)


def test_a_root_next_to_epsilon0_asks_no_sum_for_more_digits_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps were a small part of epsilon, and a large one of what is left to epsilon0: more digits were asked for with each, 33 at last."""
    asked, enclose = [], three_counts_search.enclose

    def counted(*given_: Any, **named: Any) -> Any:
        asked.append(given_[3])
        return enclose(*given_, **named)

    monkeypatch.setattr(three_counts_search, "enclose", counted)
    found = k_rr_pairs.HOMOGENEOUS.epsilon(n=100, k=4, epsilon0=25, delta="1e-60")
    assert Fraction("24.9999999997823") < found.lower < Fraction("24.9999999997824")
    assert max(asked) <= 25


def test_a_sum_is_not_begun_with_so_few_bits_that_it_would_be_taken_again() -> None:
    masses = Masses.of(x=Fraction(1, 3), beta=Fraction(1, 7), q=Fraction(3))
    with precision(256):
        asked: dict[str, Any] = {"E": arb(4) / 3, "E_minus_1": arb(1) / 3, "spread": 52.0}
        window = three_counts.window_of(masses.counted(3000), asked["E_minus_1"], spread=52.0)
        asked["bits"] = math.ceil(window.cancelled) + 30
        assert three_counts_search.evaluate(masses.counted(3000), **asked).lower > 0
        with pytest.raises(UndecidedError):
            three_counts_search.evaluate(masses.counted(3000), **asked, digits=19)
