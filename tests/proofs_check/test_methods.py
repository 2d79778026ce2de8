"""The four ways of checking: each can say no, and says how much it looked at."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import arb, ctx
from hypothesis import given, settings, strategies as st
from strategies import examples

from shuffleproof.proofs_check.ledger import Budget, Status
from shuffleproof.proofs_check.ledger.methods import exhaustive, interval, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import adaptive_steps, described, distributions, exp_epsilon0s, randomizers
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed, enough_users
from shuffleproof.spec.vocabulary.errors import UnsupportedError

T, s = sympy.symbols("T s")
QUICK = Budget()


def test_an_enumeration_counts_and_stops_at_the_first_failure() -> None:
    found = exhaustive.for_all(range(10), holds=lambda k: k < 7)
    assert (found.cases, found.counterexample, found.holds) == (8, 7, False)
    assert not exhaustive.for_all([], holds=lambda k: True).holds


def test_an_enumeration_keeps_the_least_slack_and_its_case() -> None:
    found = exhaustive.least_slack(range(10), slack=lambda k: Fraction((k - 4) ** 2 + 1))
    assert (found.slack, found.worst, found.holds) == (1, 4, True)
    assert exhaustive.least_slack([3], slack=lambda k: Fraction(0)).holds
    assert not exhaustive.least_slack([3], slack=lambda k: Fraction(0), strict=True).holds


@pytest.mark.parametrize(
    ("shares", "status", "cases"),
    [
        ([Fraction(1, 2), arb(1)], Status.CERTIFIED, 2),
        ([arb(1, 0.1), Fraction(1, 2)], Status.OPEN, 2),  # it may be above
        ([arb(1, 0.1), (Fraction(2), Fraction(3)), Fraction(1, 2)], Status.REFUTED, 2),
        ([Fraction(1, 2), Fraction(-1), Fraction(1)], Status.REFUTED, 2),
    ],
)
def test_a_share_above_what_is_claimed_refutes_and_one_that_may_be_leaves_it_open(shares: Any, status: Status, cases: int) -> None:
    found = at_most_claimed(enumerate(shares), domain="listed", slack="at most {} of it")
    assert (found.status, found.cases) == (status, cases)
    assert found.slack == ("at most 1 of it (1)" if status is Status.CERTIFIED else None)


@pytest.mark.parametrize(("claimed", "status"), [(10, Status.CERTIFIED), (7, Status.OPEN), (4, Status.REFUTED)])
def test_claimed_users_are_enough_or_too_few_or_not_known_to_be_either(claimed: int, status: Status) -> None:
    assert enough_users([("here", arb(claimed), 8, 5)], domain="one point").status is status


def test_a_search_becomes_a_verdict_and_a_counterexample_a_refutation() -> None:
    fine = exhaustive.least_slack(range(3), slack=lambda k: Fraction(k + 1, 2))
    verdict = fine.verdict(domain="k < 3", witness=str)
    assert (verdict.status, verdict.cases, verdict.slack) == (Status.EXHAUSTED, 3, "0.5")
    assert fine.verdict(domain="k < 3", witness=str, claims=Status.CERTIFIED).status is Status.CERTIFIED
    for too_much in (Status.PROVED, Status.FORMAL):
        with pytest.raises(ValueError, match="a search cannot show"):
            fine.verdict(domain="k < 3", witness=str, claims=too_much)
    failing = exhaustive.for_all(range(3), holds=lambda k: k < 2)
    verdict = failing.verdict(domain="k < 3", witness=lambda k: f"k = {k}")
    assert (verdict.status, verdict.witness) == (Status.REFUTED, "k = 2")


def test_identities_are_decided_as_rational_functions() -> None:
    assert symbolic.are_identical((T**2 - 1) / (T - 1), T + 1)
    assert not symbolic.are_identical((T**2 - 1) / (T - 1), T + 1 + sympy.Rational(1, 10**30))
    with pytest.raises(UnsupportedError):
        symbolic.is_zero(sympy.exp(T) - 1)


def test_signs_are_proved_by_coefficients_or_not_at_all() -> None:
    assert symbolic.is_nonnegative(T**2 - 1, at_least={T: 1})
    assert not symbolic.is_nonnegative(T**2 - 1, at_least={T: 1}, strict=True)
    assert symbolic.is_nonnegative(T**2, at_least={T: 1}, strict=True)
    assert not symbolic.is_nonnegative(T - 2, at_least={T: 1})
    assert not symbolic.is_nonnegative(1 / (T - 1) - 1, at_least={T: 1})  # a pole at the end of the range
    assert symbolic.is_nonnegative(s * (1 - s) + (T - 1), at_least={T: 1}, between={s: (0, 1)})
    assert not symbolic.is_nonnegative(Fraction(1, 2) - s, between={s: (0, 1)})
    with pytest.raises(ValueError, match="no range"):
        symbolic.is_nonnegative(T + s, at_least={T: 1})


def test_intervals_answer_yes_no_and_undecided() -> None:
    def above(margin: Fraction) -> Any:
        return lambda x, y: x * x + y * y - x * y + interval.ball(margin)

    box = [(-1, 1), (-1, 1)]
    yes = interval.prove_on_box(above(Fraction(1, 10)), box=box)
    assert yes.holds
    assert yes.boxes > 1
    assert yes.slack is not None
    no = interval.prove_on_box(above(Fraction(-1, 10)), box=box)
    assert (no.outcome, no.point is not None) == ("no", True)
    assert interval.prove_on_box(above(Fraction(0)), box=box).outcome == "no"  # zero at the origin is not positive
    undecided = interval.prove_on_box(above(Fraction(0)), box=box, strict=False, most_boxes=50)
    assert (undecided.outcome, undecided.holds) == ("undecided", False)


def test_the_slack_of_an_interval_proof_is_a_lower_bound() -> None:
    proof = interval.prove_on_box(lambda x: x * x - x + 1, box=[(0, 1)])
    assert proof.slack is not None
    assert Fraction(proof.slack) <= Fraction(3, 4)


def test_intervals_leave_the_precision_as_it_was_and_nan_is_undecided() -> None:
    before = ctx.prec
    proof = interval.prove_on_box(lambda x: (x - 1).log(), box=[(0, 1)], precision=200, most_boxes=30)
    assert proof.outcome == "undecided"
    assert ctx.prec == before
    assert interval.is_positive(arb("nan")) is None
    assert [interval.is_positive(arb(x)) for x in (1, 0, -1)] == [True, False, False]


def test_random_cases_are_reproducible_counted_and_shrunk() -> None:
    def search() -> sampled.Sample[int]:
        return sampled.least_slack(st.integers(0, 10**6), slack=lambda k: Fraction(500 - k), budget=QUICK, quick=100, full=100)

    found = search()
    assert (found.counterexample, found.slack) == (501, -1)
    assert found == search()
    fine = sampled.for_all(st.integers(0, 5), holds=lambda k: k < 6, budget=Budget(seed=3), quick=40, full=40)
    assert fine.holds
    assert 0 < fine.cases <= 40


def test_an_error_in_a_check_is_not_a_counterexample() -> None:
    with pytest.raises(ZeroDivisionError):
        sampled.for_all(st.integers(0, 5), holds=lambda k: 1 // k > 0, budget=QUICK, quick=20, full=20)


@examples(150)
@given(st.data())
def test_drawn_randomizers_are_exactly_private(data: st.DataObject) -> None:
    exp_epsilon0 = data.draw(exp_epsilon0s())
    level = data.draw(randomizers(exp_epsilon0=exp_epsilon0)).exp_epsilon0()
    assert level is not None
    assert level <= exp_epsilon0


@examples(50)
@given(st.data())
def test_drawn_adaptive_steps_depend_on_the_past_deterministically(data: st.DataObject) -> None:
    steps = data.draw(adaptive_steps(n=3, exp_epsilon0=Fraction(2)))
    for i, history in ((0, ()), (1, (0,)), (1, (1,)), (2, (1, 0))):
        assert steps.sequence[i](history) is steps.at(i, history)
        assert described(steps.at(i, history)) in repr(steps)


def test_the_strategies_reach_the_corners_often() -> None:
    reached = {"ratio exactly e^eps0": 0, "a message nobody sends": 0, "all inputs alike": 0, "one input against two": 0, "adaptive": 0}
    total = 600

    @settings(max_examples=total, database=None, derandomize=True, deadline=None)
    @given(randomizers(exp_epsilon0=Fraction(3)), adaptive_steps(n=2, exp_epsilon0=Fraction(3)), distributions(outputs=2))
    def draw(randomizer: Any, steps: Any, law: Any) -> None:
        rows = [randomizer.distribution(x) for x in range(3)]
        reached["ratio exactly e^eps0"] += randomizer.exp_epsilon0() == 3
        reached["a message nobody sends"] += len(randomizer.messages) < 3
        reached["all inputs alike"] += rows[0] == rows[1] == rows[2]
        reached["one input against two"] += any(rows[0][y] == rows[1][y] == 3 * rows[2][y] > 0 for y in range(3))
        reached["adaptive"] += steps.at(1, (0,)) is not steps.at(1, (1,))

    draw()
    assert min(reached.values()) >= total // 30, reached  # one in 20 is expected of the rarest
