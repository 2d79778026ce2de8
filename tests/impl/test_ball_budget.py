"""What one certified answer may cost, where its search begins, and roots that it must find; nothing hangs that used to."""

import math
from fractions import Fraction
from functools import partial

import pytest
from enclosures import meet
from flint import arb
from hypothesis import given, strategies as st

from shuffleproof.bounds import answer
from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_search import initial_guess
from shuffleproof.impl.ball.numeric import binomial, budget
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import _by_fraction, lower_tail_over_mass
from shuffleproof.impl.ball.numeric.budget import one_answer, spend
from shuffleproof.impl.ball.numeric.results import Evaluation, refined
from shuffleproof.planning import comparison
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter, probability

LARGE: dict[str, Number] = {"n": 10**9, "epsilon0": "0.493", "randomizer": "krr", "k": 3, "delta": "1e-30"}
ONCE_SLOW: dict[str, Number] = {"n": 57_445, "epsilon0": "0.493", "randomizer": "krr", "k": 3, "delta": "1e-6"}


def test_what_is_spent_inside_one_answer_adds_up() -> None:
    with one_answer():
        spend(budget.MOST / 2, each=1, bits=0, what="half")
        with one_answer(), pytest.raises(ResourceLimitError, match="in all"):
            spend(budget.MOST / 2 + 1, each=1, bits=0, what="more than the other half")
    with one_answer():
        spend(budget.MOST, each=1, bits=0, what="all of another answer")


def test_a_single_evaluation_has_its_own_limit_and_no_other() -> None:
    spend(100 * budget.MOST, each=1, bits=0, what="on its own")


def test_tails_are_paid_for_while_they_are_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    """And refused before they are, where it is known that they are long and the hypergeometric function would take minutes."""
    with one_answer(times=1e-3), pytest.raises(ResourceLimitError, match=r"tail sums .* ask for this one alone"):
        lower_tail_over_mass(10**12, 5 * 10**11, against=1, bits=1000)
    monkeypatch.setattr(binomial, "_MANY_TERMS", 1e99)
    with one_answer(times=1e-3), pytest.raises(ResourceLimitError, match=r"tail sums .* ask for this one alone"):
        lower_tail_over_mass(10**12, 5 * 10**11, against=1, bits=100)


def test_short_tails_are_paid_for_too() -> None:
    """A sum over counts asks for one at each of them: thousands that cost nothing took minutes (k-RR's lower bound at eps0 = 700)."""
    with one_answer(times=1e-3), pytest.raises(ResourceLimitError, match="tail sums"):
        [lower_tail_over_mass(1000, 500, against=1, bits=100) for _ in range(1000)]


def test_a_tail_has_the_bits_asked_for_whatever_the_precision_around_it() -> None:
    """Mutant: the library's function at the precision of its caller, of which it loses as many bits as n has."""
    with precision(100):
        assert lower_tail_over_mass(10**12, 5 * 10**11, against=1, bits=100).rel_accuracy_bits() >= 95


@pytest.mark.parametrize(("n", "c", "against"), [(10**9, 5 * 10**8, 1), (10**9, 5 * 10**8 - 60_000, 1), (10**10, 10**9 - 10**5, 9)])
def test_long_tails_are_the_same_by_three_routes(n: int, c: int, against: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with precision(160):
        fraction = _by_fraction(n, c, arb(against), 120)
        monkeypatch.setattr(binomial, "_OF_A_STEP", math.inf)
        quick = lower_tail_over_mass(n, c, against=against, bits=120)
        monkeypatch.setattr(binomial, "_MANY_TERMS", 1e99)
        summed = lower_tail_over_mass(n, c, against=against, bits=120)
        assert quick.overlaps(summed)
        assert fraction.overlaps(quick)
        assert fraction.overlaps(summed)
        assert min(each.rel_accuracy_bits() for each in (fraction, quick, summed)) >= 110


@given(
    st.integers(3, 40), st.data(), st.fractions(min_value=Fraction(1, 30), max_value=30, max_denominator=30), st.sampled_from([8, 40, 200])
)
def test_the_continued_fraction_encloses_the_sum(n: int, data: st.DataObject, against: Fraction, bits: int) -> None:
    """From the first convergents on, as far as the count is below the mean. Mutant: one convergent in place of two."""
    c = data.draw(st.integers(2, n - 1))
    term = total = Fraction(1)
    for k in range(c, 0, -1):
        term *= against * k / (n - k + 1)
        total += term
    with precision(bits + 10):
        found = _by_fraction(n, c, ball(against), bits)
        assert (found is None) == (against * c >= n - c + 1)
        if found is not None:
            assert lower_end(found) <= total <= upper_end(found)
            assert found.rel_accuracy_bits() >= bits - 4


def test_methods_side_by_side_cost_together_what_one_answer_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what float64 could take over; each of them is asked alone for what it takes."""
    spent: list[float] = []
    monkeypatch.setattr(comparison, "one_answer", lambda *, times: spent.append(times) or one_answer(times=times / 10**4))
    found = comparison.compare(n=10**12, epsilon0=1, delta="1e-9")
    assert sum(spent) == pytest.approx(1)
    assert [row.method for row in found if row.bound is not None] == ["clones-closed-form"]
    in_floats_only = [row for row in found if "float64 alone" in (row.why_not or "")]
    assert [row.method for row in in_floats_only] == ["first-arrival", "adaptive-pair"]
    assert all("of several" in (row.why_not or "of several") for row in found if row not in in_floats_only)


def test_long_numbers_cost_more() -> None:
    with one_answer(), pytest.raises(ResourceLimitError):
        spend(budget.MOST / 2, each=1, bits=10_000, what="long numbers")


def test_a_search_that_would_take_minutes_is_refused_before_it_begins() -> None:
    with pytest.raises(ResourceLimitError, match="certified sums"):
        answer(quantity="epsilon", parameters=LARGE, method="randomizer-pair", engine="ball")


def test_float64_answers_where_that_search_is_refused() -> None:
    found = answer(quantity="epsilon", parameters=LARGE, method="randomizer-pair")
    assert found.bound.engine == "fast"
    assert found.handed_over is not None


def test_a_search_that_once_took_minutes_is_answered() -> None:
    found = answer(quantity="epsilon", parameters=ONCE_SLOW, method="randomizer-pair", engine="ball")
    assert found.bound.upper < 0.0058


def test_searches_refuse_what_their_evaluations_cost_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST", 1000)
    given = {"n": 10**6, "epsilon0": "1", "delta": "1e-6"}
    for method, more in (("clones", {}), ("k-rr-clones", {"k": 3}), ("randomizer-pair", {"randomizer": "laplace"})):
        with pytest.raises(ResourceLimitError):
            answer(quantity="epsilon", parameters={**given, **more}, method=method, engine="ball")


def test_a_window_that_leaves_out_far_too_much_is_widened_at_once() -> None:
    """By fifteen at a time, precision and cost would rise by half forty times over."""
    asked: list[float] = []

    def attempt(bits: int, spread: float) -> Evaluation:
        asked.append(spread)
        half, left_out = Fraction(1, 2), Fraction(2) ** round((600 - spread) / math.log(2))
        return Evaluation(arb(2), arb(0.5), arb(0.25), half, half + left_out, bits)

    assert refined(attempt, digits=9, bits=64, spread=30.0).upper < 0.500001
    assert len(asked) == 2


def delta_at(method, n, epsilon0, epsilon):
    return method.delta(n=n, epsilon0=epsilon0, epsilon=Epsilon(epsilon, None), digits=90)


@pytest.mark.parametrize(
    ("method", "n", "epsilon0", "delta", "digits"),
    [
        (binary_rr, 119, 1, "1e-17", 1),
        (clones, 80, "ln 5/4", Fraction(142016723974317, 15625 * 10**27), 1),
        (clones, 185, "ln 1.0000000001", Fraction(57, 25 * 10**64), 1),
        (binary_rr, 1, "ln 2", Fraction(10**25 - 1, 3 * 10**25), 1),
        (binary_rr, 1, "0.5", Fraction(2449186624037091292778011, 10**25), 15),
        (binary_rr, 2, Fraction(89130017737487236882089182057493, 81129638414606681695789005144064), "3/8", 15),
    ],
)
def test_it_is_found_and_both_ends_hold(method, n, epsilon0, delta, digits):
    """Profiles are piecewise linear in e^epsilon: with few digits a corner lies between the ends; beside 0 a tiny slope must be seen."""
    found = method.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=digits)
    assert found.side == "enclosure"
    assert found.upper - found.lower <= found.upper / 10**digits
    assert delta_at(method, n, epsilon0, found.upper).upper <= Fraction(delta) < delta_at(method, n, epsilon0, found.lower).lower


@pytest.mark.parametrize("method", [clones, binary_rr])
@pytest.mark.parametrize("digits", [1, 5])
def test_no_delta_exceeds_1(method, digits):
    assert method.delta(n=3, epsilon0=50, epsilon=0, digits=digits).upper <= 1


def found(n: int, epsilon0: str, delta: str) -> tuple[Fraction, int, bool]:
    local, target = epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    return initial_guess(partial(clones.counted, n, 1, local), n, local, target)


@pytest.mark.parametrize(
    ("n", "epsilon0", "delta"), [(10**5, "1", "1e-8"), (10**7, "4", "1e-8"), (10**6, "0.5", "1e-6"), (10**6, "ln 3", "1e-30")]
)
def test_the_digits_that_are_promised_are_right(n: int, epsilon0: str, delta: str) -> None:
    root, digits, _ = found(n, epsilon0, delta)
    truth = clones.epsilon(n=n, epsilon0=epsilon0, delta=delta, digits=15).upper
    assert digits == 9
    assert abs(root - truth) * 10**digits <= 3 * truth


@pytest.mark.parametrize("where", [lambda truth: truth * 2, lambda truth: truth * Fraction(10**9 + 1, 10**9), lambda truth: truth / 10**6])
def test_a_wrong_guess_costs_time_and_nothing_else(monkeypatch: pytest.MonkeyPatch, where) -> None:  # type: ignore[no-untyped-def]
    honest = clones.epsilon(n=2000, epsilon0=1, delta="1e-6", digits=25)
    monkeypatch.setattr(clones, "initial_guess", lambda *_: (where(honest.upper), 9, True))
    misled = clones.epsilon(n=2000, epsilon0=1, delta="1e-6", digits=12)
    assert meet(misled, honest)
    assert (misled.upper - misled.lower) * 10**12 <= misled.upper


@pytest.mark.parametrize(("epsilon0", "delta"), [("700", "1e-6"), ("1e-12", "1e-20")])
def test_where_floats_do_not_do_the_guess_promises_nothing(epsilon0: str, delta: str) -> None:
    root, digits, positive = found(1000, epsilon0, delta)
    assert 0 < root < Fraction(epsilon0)
    assert (digits, positive) in ((0, False), (4, True))
