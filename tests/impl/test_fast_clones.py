"""The float64 clones bound: sound sides against exact rationals and against balls, and mutants that must be noticed."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

import pytest
from enclosures import meet

from shuffleproof.impl.ball.bounds.clones import clones as ball
from shuffleproof.impl.fast.bounds.clones import clones as fast, clones_constants, clones_mixture, clones_profile
from shuffleproof.impl.fast.numeric.results import SURE
from shuffleproof.spec.bounds.clones import clones as exact
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.methods.clones import CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, parse_epsilon
from shuffleproof.verification import cross_checks
from shuffleproof.verification.drawn_parameters import large

DEEP = pytest.mark.deep
WIDEST_DELTA = 1e-9


@dataclass(frozen=True)
class Case:
    n: int
    epsilon0: str
    epsilon: str
    truth: tuple[Fraction, Fraction]


def contains(case: Case) -> bool:
    bound = fast.delta(n=case.n, epsilon0=case.epsilon0, epsilon=case.epsilon)
    return bound.lower <= case.truth[1] and case.truth[0] <= bound.upper


def with_truth(n: int, epsilon0: str, epsilon: str) -> Case:
    certified = ball.delta(n=n, epsilon0=epsilon0, epsilon=epsilon, digits=20)
    return Case(n, epsilon0, epsilon, (certified.lower, certified.upper))


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Windows narrow and wide, thresholds that are integers (eps = 0), r from 1 to 10^4, delta from 0.3 down to 1e-250."""
    return [
        with_truth(n, epsilon0, epsilon)
        for n, epsilon0, epsilon in (
            (30, "1", "0"),
            (30, "ln 3", "ln 2"),
            (30, "1", "0.9"),
            (300, "0.01", "0.004"),
            (300, "5", "3"),
            (1000, "1", "0.1"),
            (1000, "1", "0.9"),
            (20_000, "0.2", "0.01"),
            (20_000, "3", "2.5"),
            (20_000, "6", "0"),
            (200_000, "0.5", "0.01"),
            (200_000, "7", "6.9"),
            (200_000, "10", "1"),
            (500_000, "1", "0.03"),
        )
    ]


SETS = [(11, 250, 10**5), (12, 12, 10**9), pytest.param(13, 8_000, 10**5, marks=DEEP), pytest.param(14, 200, 10**9, marks=DEEP)]


@pytest.mark.parametrize(("seed", "count", "most_users"), SETS)
@pytest.mark.parametrize("quantity", ["delta", "epsilon"])
def test_float64_agrees_with_balls_and_is_never_refused(quantity: Quantity, seed: int, count: int, most_users: int) -> None:
    """eps0 up to 700, delta down to 1e-300, epsilon near both ends: every end is certified by balls."""
    draw, width = random.Random(seed), Fraction(1, 10**6) if quantity == "epsilon" else Fraction(WIDEST_DELTA)
    for _ in range(count):
        asked = large(draw, CLONES, quantity)
        asked["n"] = min(asked["n"], 1 + asked["n"] % most_users)
        found = cross_checks.fast_against_ball(("clones", quantity, asked))
        assert (found.faults, found.refused) == ((), False), asked
        if found.judged.lower > 0:
            assert found.judged.upper - found.judged.lower <= width * found.judged.upper, asked
        elif quantity == "delta":
            assert found.judged.upper <= Fraction(SURE), asked


def mutate_left_tail(monkeypatch: pytest.MonkeyPatch, name: str = "_left_tail") -> None:
    monkeypatch.setattr(clones_profile, "_FIRST_SPREAD", 3.0)
    monkeypatch.setattr(clones_profile, name, lambda *arguments: 0.0)


def mutate_right_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    mutate_left_tail(monkeypatch, "_right_tail")


def mutate_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """With tails so thin that they cannot hide it."""
    monkeypatch.setattr(clones_profile, "_FIRST_SPREAD", 60.0)
    monkeypatch.setattr(clones_profile, "_SERIES_SPREAD", 60.0)
    monkeypatch.setattr(clones_profile, "accumulated", lambda roundings: 0.0)


def mutate_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first 31 bits of rho."""

    def cut_off(first: int, length: int, rho: Decimal) -> tuple[clones_mixture.Floats, clones_mixture.Floats]:
        return original_thresholds(first, length, Decimal(int(rho * 2**31)) / 2**31)

    monkeypatch.setattr(clones_profile, "thresholds", cut_off)


def mutate_last_inner_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """A series cut off without a word."""
    monkeypatch.setattr(clones_profile, "_SERIES_SPREAD", 4.0)
    monkeypatch.setattr(clones_profile, "_last_inner_sum", lambda *arguments: replace(original_last_inner_sum(*arguments), slack=0.0))


def mutate_single_atom(monkeypatch: pytest.MonkeyPatch) -> None:
    """The closed form where two atoms count."""
    original = clones_constants.ClonesConstants.single_atom
    monkeypatch.setattr(clones_constants.ClonesConstants, "single_atom", lambda self, *, m: original(replace(self, rho=self.rho / 2), m=m))


def mutate_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    original = clones_mixture.Mixture.around
    monkeypatch.setattr(clones_profile.Mixture, "around", lambda *, odds, **rest: original(odds=odds * (1 + 2.0**-44), **rest))


original_thresholds = clones_profile.thresholds
original_last_inner_sum = clones_profile._last_inner_sum
MUTANTS = [mutate_left_tail, mutate_right_tail, mutate_rounding, mutate_thresholds, mutate_last_inner_sum, mutate_single_atom, mutate_odds]


def test_every_case_is_enclosed(cases: list[Case]) -> None:
    assert [case for case in cases if not contains(case)] == []


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_are_noticed(mutant: Callable[[pytest.MonkeyPatch], None], cases: list[Case], monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    assert [case for case in cases if not contains(case)] != []


@pytest.mark.parametrize("epsilon0", ["ln 3", "1", "700", "1e-200"])
def test_pure_differential_privacy_is_not_improved_by_shuffling(epsilon0: str) -> None:
    bound = fast.epsilon(n=10**9, epsilon0=epsilon0, delta=0)
    assert bound.exact == str(parse_epsilon(epsilon0))
    assert parse_epsilon(epsilon0) <= Epsilon(bound.upper, None)


def test_delta_one_needs_no_epsilon_and_large_deltas_neither() -> None:
    assert fast.epsilon(n=5, epsilon0=700, delta=1).exact == "0"
    assert fast.epsilon(n=10**9, epsilon0=1, delta="1e-3").exact == "0"


def test_a_delta_that_cannot_be_told_from_delta_of_zero_gives_an_upper_side_only() -> None:
    at_zero = ball.delta(n=10**6, epsilon0=1, epsilon=0, digits=25)
    bound = fast.epsilon(n=10**6, epsilon0=1, delta=at_zero.lower)
    assert (bound.side, bound.lower) == ("upper", 0)
    assert 0 < bound.upper < Fraction(1, 10**10)
    assert ball.delta(n=10**6, epsilon0=1, epsilon=bound.upper, digits=20).upper <= at_zero.lower


@pytest.mark.parametrize("epsilon0", ["1", "4", "700", "ln 3", "1e-9"])
def test_the_smallest_deltas_give_an_epsilon_just_below_the_local_one(epsilon0: str) -> None:
    bound = fast.epsilon(n=4, epsilon0=epsilon0, delta="1e-300")
    assert Epsilon(bound.lower, None) < parse_epsilon(epsilon0) <= Epsilon(bound.upper, None)
    assert bound.upper - bound.lower <= Fraction(1, 10**9) * bound.upper


def test_deltas_below_the_range_are_enclosed_from_above() -> None:
    bound = fast.delta(n=10**9, epsilon0="0.1", epsilon="0.09")
    assert (bound.lower, bound.upper) == (0, Fraction(SURE))


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**400), Fraction(1) - Fraction(1, 10**400), Fraction(1) - Fraction(1, 10**20)])
def test_epsilon_far_nearer_to_an_end_than_floats_are(epsilon: Fraction) -> None:
    for n in (10, 10**5):
        bound, certified = (engine.delta(n=n, epsilon0=1, epsilon=epsilon) for engine in (fast, ball))
        assert meet(bound, certified)


@pytest.mark.parametrize(
    ("n", "epsilon0", "delta", "word"),
    [(10**9 + 1, 1, "1e-6", "n up to"), (10, "701", "1e-6", "700"), (10, "1e-201", "1e-6", "1e-200"), (10, 1, "1e-301", "1e-300")],
)
def test_outside_its_range_the_engine_refuses_and_names_the_other(n: int, epsilon0: Number, delta: str, word: str) -> None:
    with pytest.raises(UnsupportedError, match=word) as refusal:
        fast.epsilon(n=n, epsilon0=epsilon0, delta=delta)
    assert refusal.value.advice == 'use engine "ball"'
    if delta == "1e-6":
        with pytest.raises(UnsupportedError, match=word):
            fast.delta(n=n, epsilon0=epsilon0, epsilon=0)


def test_a_result_says_what_it_is_and_what_it_rests_on() -> None:
    bound = fast.epsilon(n="1e4", epsilon0="1", delta="1e-6")
    assert (bound.quantity, bound.engine, bound.side, bound.claim_side) == ("epsilon", "fast", "enclosure", "upper")
    assert (bound.method, bound.statement, bound.value_of) == ("clones", "FMT21.Thm3.2", "epsilon of the clones pair")
    assert bound.inputs == {"n": "1e4", "eps0": "1", "delta": "1e-6"}
    assert any("IEEE 754" in line for line in bound.rests_on)
    assert any("ln and exp" in line for line in bound.rests_on)
    assert Fraction(bound.upper_float) == bound.upper


def test_a_profile_gives_the_same_sides_whatever_was_asked_before() -> None:
    """The window of masses that is kept between evaluations changes no side by more than the error it counts."""
    profile = clones_profile.ClonesProfile(n=10**5, odds_factor=1, epsilon0=parse_epsilon(2))
    for text in ("0.1", "0.02", "0.13", "0", "0.19", "0.05"):
        again = profile.delta(parse_epsilon(text))
        fresh = fast.delta(n=10**5, epsilon0=2, epsilon=text)
        assert Fraction(again[0]) <= fresh.upper
        assert fresh.lower <= Fraction(again[1])
        assert again[1] - again[0] <= WIDEST_DELTA * again[1]


@pytest.mark.parametrize(
    ("epsilon0", "delta"), [("ln 125000001/125000000", "1/250000001"), ("ln 27/25", 1 / 26), ("ln 1.0000000001", "1/20000000000")]
)
def test_a_target_beside_delta_at_zero_is_answered(epsilon0: str, delta: Number) -> None:
    """n = 1: delta(0) = (T - 1)/(T + 1), which these are, or very nearly."""
    bound = fast.epsilon(n=1, epsilon0=epsilon0, delta=delta)
    truth = exact.epsilon(n=1, epsilon0=epsilon0, delta=delta)
    assert 0 <= bound.lower <= truth.upper
    assert truth.lower <= bound.upper < Fraction(1, 10**12)


EXTREMES = [
    (n, epsilon0, position)
    for n in (1, 2, 3, 10, 1000, 10**6)
    for epsilon0 in ("1e-6", "0.1", "1", "4", "20")
    for position in ("0", "1e-18", "0.001", "0.01", "0.3", "0.9", "0.9999999", "scale", "far")
]


def placed(n: int, epsilon0: str, position: str) -> Fraction:
    """An epsilon below epsilon0: a part of it, or at the scale of e^(eps0/2)/sqrt(n), where delta is moderate or small."""
    if position not in ("scale", "far"):
        return Fraction(position) * Fraction(epsilon0)
    scale = math.exp(float(epsilon0) / 2) * -math.expm1(-float(epsilon0)) / math.sqrt(n) * (3 if position == "scale" else 25)
    return Fraction(min(scale, 0.99 * float(epsilon0)))


def test_sides_contain_balls_of_25_digits_at_extreme_parameters() -> None:
    for n, epsilon0, position in EXTREMES[::2]:
        epsilon = placed(n, epsilon0, position)
        found = fast.delta(n=n, epsilon0=epsilon0, epsilon=epsilon)
        if found.lower > 0 or n <= 1000:  # balls take seconds for what is below 10^-1000
            certified = ball.delta(n=n, epsilon0=epsilon0, epsilon=epsilon, digits=25)
            assert found.lower <= certified.lower, (n, epsilon0, position)
            assert certified.upper <= found.upper, (n, epsilon0, position)
