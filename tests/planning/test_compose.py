"""`shuffleproof compose`: rows, sides and refusals."""

import json
from fractions import Fraction

import numpy as np
import pytest
from commands import ended, output_of
from scipy import stats

import shuffleproof as sp
from shuffleproof.accounting import profile_by_chords
from shuffleproof.impl.ball.bounds.variation_ratio import three_counts_sums
from shuffleproof.impl.ball.numeric import budget
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.planning import composition
from shuffleproof.planning.composed import Row
from shuffleproof.planning.composition import compose
from shuffleproof.planning.one_round import DistributionRound, OneRound, PlaceRound
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.composition import composed
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UndecidedError
from shuffleproof.spec.vocabulary.methods.clones import STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter


def test_every_certified_row_is_ordered_as_theory_says() -> None:
    rows = {row.name: row for row in compose(n=100_000, epsilon0=1, rounds=64, delta="1e-6", engine="fast", cells=48, library=True)}
    epsilons = {name: row.epsilon for name, row in rows.items()}
    assert all(value is not None for value in epsilons.values())
    values = [float(value or 0) for value in epsilons.values()]
    basic, advanced, optimal, renyi, grid, one_by_first_arrival, first_arrival, library = values
    assert first_arrival < grid < renyi < optimal < advanced < basic
    assert 0.85 * basic < one_by_first_arrival < 0.9 * basic
    assert first_arrival < 0.9 * grid
    assert library == pytest.approx(grid, rel=1e-3)
    assert [row.standing for row in rows.values()] == ["sound"] * 7 + ["estimate"]


def test_one_round_on_the_grid_is_the_bound_itself() -> None:
    rows = {row.name: row.epsilon for row in compose(n=2000, epsilon0=1, engine="fast", rounds=1, delta="1e-5", cells=64)}
    clones = sp.epsilon(n=2000, epsilon0=1, delta="1e-5", method="stronger-clones")
    grid, basic = rows["the pair itself, on a grid"], rows["basic composition"]
    assert clones.lower <= grid <= clones.upper * 1001 / 1000
    assert clones.lower <= basic <= clones.upper * (1 + Fraction(1, 10**8))
    assert rows["basic composition of first-arrival"] == sp.epsilon(n=2000, epsilon0=1, delta="1e-5").upper


def test_the_command_line_prints_what_is_certified(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compose", "-n", "500", "--eps0", "ln 3", "--rounds", "4", "--delta", "1e-4", "--dp-accounting"]
    text = output_of(capsys, *arguments)
    assert (text.count("certified  "), text.count("sound  ")) == (5, 2)
    assert "UNCERTIFIED" in text
    found = json.loads(output_of(capsys, *arguments, "--format", "json"))
    assert found["least_upper"] == min((row["upper"] for row in found["rows"] if row["standing"] != "estimate"), key=float)
    assert "estimate" in found["rows"][-1]
    assert "upper" not in found["rows"][-1]


def test_numbers_of_rounds_may_come_one_after_the_other() -> None:
    with pytest.raises(DomainError, match=r"^rounds = 0: must be"):
        compose(n=10, epsilon0=1, rounds=iter([0]), delta="1e-6")


PAIR: dict[str, Number] = {"p": 4, "beta": "1/2", "q": 4}


def by_name(rows: list[Row]) -> dict[str, Fraction]:
    """The rows that have an answer."""
    return {row.name: row.epsilon for row in rows if row.epsilon is not None}


def test_the_optimal_pair_has_every_row_and_theory_orders_them() -> None:
    rows = compose(n=100_000, randomizer="krr", k=10, epsilon0=1, rounds=64, delta="1e-6", cells=48, library=True)
    assert [row.standing for row in rows] == ["sound"] * 3 + ["certified"] + ["sound"] * 3 + ["estimate"]
    assert rows[-2].epsilon is None  # the whole distribution says no more of ten items and as many users
    values = {name: epsilon for name, epsilon in by_name(rows).items() if "whole distribution" not in name}
    basic, advanced, optimal, renyi, grid, library = values.values()
    assert grid < renyi < optimal < advanced < basic
    assert library == pytest.approx(float(grid), rel=1e-3)
    everybody = by_name(compose(n=100_000, epsilon0=1, rounds=64, delta="1e-6", method="clones", engine="fast", cells=48, library=True))
    assert all(2 * values[name] < everybody[name] for name in values)


def test_one_round_of_the_optimal_pair_on_the_grid_is_the_bound_itself() -> None:
    truth = sp.epsilon(n=120, method="optimal-pair", delta="1e-5", **PAIR)
    for engine in ("ball", "fast"):
        found = by_name(compose(n=120, rounds=1, delta="1e-5", method="optimal-pair", engine=engine, cells=64, **PAIR))
        assert truth.lower <= found["the pair itself, on a grid"] <= truth.upper * 1002 / 1000
        assert truth.lower <= found["basic composition"] <= truth.upper * (1 + Fraction(1, 10**6))


@pytest.mark.parametrize("own", [PAIR, {"p": "infinity", "beta": "1/3", "q": "4/3"}], ids=("p = 4", "p infinite"))
def test_no_row_is_below_the_exact_composition(own: dict[str, Number]) -> None:
    """n = 3, two rounds, as products of the enumerated pair."""
    delta = Fraction(1, 4)
    pair = dominating_pair(
        n=3, parameters=Parameters(**{name: None if value == "infinity" else Fraction(value) for name, value in own.items()})
    )
    truth = PrivacyProfile(*composed([pair, pair])).exp_epsilon(delta=delta)
    rows = compose(n=3, rounds=2, delta=delta, method="optimal-pair", cells=64, library=True, **own)
    silent = {row.name for row in rows if row.epsilon is None}
    assert {row.engine for row in rows} == {"ball", None}
    assert silent <= {"Renyi divergences", "advanced composition", "optimal composition"}
    assert not silent or own["p"] == "infinity"
    assert all(row.epsilon >= log_bounds(truth, bits=80)[0] for row in rows if row.standing != "estimate" and row.epsilon is not None)


def test_an_infinite_ratio_is_composed_where_it_can_be_and_refused_where_not() -> None:
    infinite: dict[str, Number] = {"p": "infinity", "beta": "1/2", "q": 2}
    rows = {row.name: row for row in compose(n=60, rounds=3, delta="1e-6", method="optimal-pair", cells=32, **infinite)}
    assert rows["Renyi divergences"].epsilon is None
    assert "infinite" in rows["Renyi divergences"].says
    assert rows["the pair itself, on a grid"].epsilon is not None
    with pytest.raises(RegimeError, match="gives its input away"):
        compose(n=10, rounds=3, delta="1e-6", method="optimal-pair", **infinite)
    with pytest.raises(RegimeError, match="gives its input away"):
        compose(n=1, rounds=2, delta="1/2", method="optimal-pair", p="infinity", beta=1, q=2)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"epsilon0": 1, **one} for one in ({"delta": 0}, {"delta": 1}, {"delta": "x"}, {"rounds": 0}, {"rounds": 10**7}, {"n": 0})),
        {"epsilon0": 0},
        {"epsilon0": 1, "method": "binary-rr-pair"},
        {"method": "optimal-pair", "p": 3, "beta": "1/2"},
        {"method": "optimal-pair", **PAIR, "epsilon0": 1},
        {"method": "optimal-pair", **PAIR, "beta": 0},
        {"method": "optimal-pair", **PAIR, "p": 1},
        {"randomizer": "krr", "epsilon0": 1},
        {"randomizer": "krr", "k": 3, "epsilon0": 0},
        {"randomizer": "krr", "k": 3},
        {"randomizer": "nobody", "epsilon0": 1},
        {"epsilon0": 1, "k": 3},
        {"method": "clones"},
    ],
)
def test_bad_input_is_refused_before_any_work(wrong: dict[str, object]) -> None:
    with pytest.raises(DomainError):
        compose(**{"n": 10**9, "rounds": 10, "delta": "1e-6", **wrong})  # type: ignore[arg-type]


def test_the_command_line_composes_a_randomizer(capsys: pytest.CaptureFixture[str]) -> None:
    def ran(*arguments: str) -> tuple[object, str]:
        return ended(capsys, "compose", "-n", "40", "--rounds", "3", "--delta", "1e-4", *arguments)[:2]

    code, text = ran("--randomizer", "krr", "--k", "4", "--eps0", "ln 3")
    assert not code
    assert "3 adaptive rounds of the randomizer k-rr" in text
    assert text.count("certified  ") == 7
    code, text = ran("--method", "optimal-pair", "--p", "3", "--beta", "1/3", "--q", "3", "--format", "json")
    found = json.loads(text)
    assert (found["method"], found["p"], found["beta"], found["q"]) == ("optimal-pair", "3", "1/3", "3")
    assert {row["statement"] for row in found["rows"]} >= {"BEYOND.Envelope", "FMT21.Sec6.1.conversion"}
    assert ran("--method", "optimal-pair", "--p", "3")[0] == 2
    assert ran()[0] == 2


def test_the_whole_distribution_of_two_items_composes_below_the_pair_and_above_one_round() -> None:
    """At one round the certified epsilon of the worst dataset is a lower bound, and the grid is near it."""
    alone = sp.shuffled(sp.KRR(k=2, epsilon0=1), n=300).epsilon(delta="1e-6")
    once = by_name(compose(n=300, epsilon0=1, randomizer="krr", k=2, rounds=1, delta="1e-6", engine="fast", cells=64))
    grid = once["the whole distribution, on a grid"]
    assert alone.lower.lower <= grid <= alone.upper.upper * Fraction(103, 100)
    many = compose(n=300, epsilon0=1, randomizer="krr", k=2, rounds=20, delta="1e-6", engine="fast", cells=48)
    rows = by_name(many)
    assert many.bound.method.endswith("the whole distribution, on a grid")
    assert rows["the whole distribution, on a grid"] < Fraction(9, 10) * rows["the pair itself, on a grid"]
    assert sp.shuffled(sp.KRR(k=2, epsilon0=1), n=300).rounds(20).epsilon(delta="1e-6").upper.statement == "BEYOND.Envelope"


@pytest.mark.deep  # a dozen values of first-arrival at 1000 users
def test_another_place_composes_above_what_two_rounds_of_a_dataset_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """Binary response, everybody else holds one item: two numbers of ones, independent, by their exact distributions in floats."""
    monkeypatch.setattr(profile_by_chords, "OF_ROUNDS", (8, 3.0))  # fewer than usual, so looser
    n, asked = 1000, {"n": 1000, "epsilon0": 1, "rounds": 2, "delta": "1e-3"}
    together = compose(**asked, method="another-place-for-all", cells=64)  # type: ignore[arg-type]
    found = by_name(together)["the pair itself, on a grid"]
    flip = 1 / (1 + np.e)
    others = stats.binom.pmf(np.arange(n), n - 1, flip)
    P, Q = (np.convolve(others, [1 - keep, keep]) for keep in (1 - flip, flip))

    def truth(epsilon: float) -> float:
        losses = np.outer(P, P) - np.exp(epsilon) * np.outer(Q, Q)
        return float(losses[losses > 0].sum())

    assert truth(float(found)) < 1e-3 < truth(0.75 * float(found))
    assert together.bound.upper == found
    assert "adaptive sequences of eps0-DP local randomizers" in together.bound.claim
    assert {row.standing for row in together} == {"sound"}
    with pytest.raises(DomainError, match="float64 alone"):
        compose(**asked, method="another-place-for-all", engine="ball")  # type: ignore[arg-type]
    beyond = compose(**{**asked, "epsilon0": 800}, method="another-place-for-all")  # type: ignore[arg-type]
    assert not by_name(beyond)
    assert all("epsilon0" in row.says and "ball" not in row.says for row in beyond)


def test_a_whole_distribution_composes_in_another_users_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_by_chords, "OF_ROUNDS", (6, 3.0))
    found = compose(n=10**6, epsilon0=1, randomizer="hash", buckets=2, family="uniform", rounds=9, delta="1e-6", engine="fast", cells=24)
    rows = by_name(found)
    assert found.bound.method == "randomizer-pair, the whole distribution, on a grid"
    assert 1.6 * rows["the whole distribution, on a grid"] < rows["the pair itself, on a grid"]
    assert rows["the whole distribution, on a grid"] < rows["basic composition of the whole distribution"]


def test_hashing_with_no_functions_named_is_about_the_worst_family_on_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """One round of uniform functions has a smaller epsilon than what datasets reach with functions that keep items apart."""
    monkeypatch.setattr(profile_by_chords, "OF_ROUNDS", (6, 3.0))
    asked: dict[str, object] = {"n": 3000, "epsilon0": 1, "randomizer": "hash", "buckets": 2, "delta": "1e-4", "engine": "fast", "cells": 8}
    found = compose(**asked, rounds=1)  # type: ignore[arg-type]
    assert found.inputs["family"] == "any"
    assert found.below.lower <= found.bound.upper < found.below.lower * Fraction(101, 100)
    assert "with any hash functions" in found.bound.claim
    assert compose(**asked, rounds=1, family="uniform").bound.upper < found.below.lower  # type: ignore[arg-type]


def test_settings_that_imply_epsilon0_need_none() -> None:
    asked: dict[str, object] = {
        "n": 50,
        "randomizer": "unary",
        "p_own": "3/4",
        "p_other": "1/4",
        "rounds": 2,
        "delta": "1e-3",
        "engine": "ball",
    }
    assert compose(**asked, cells=8).inputs["eps0"] == "ln 9"  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="which p_own and p_other imply"):
        compose(**asked, epsilon0=1)  # type: ignore[arg-type]


def test_chords_between_values_are_kept_beyond_the_last_one_and_refuse_what_is_no_profile() -> None:
    from shuffleproof.impl.ball.privacy_loss import epsilon_on_chords, on_chords

    points = [(Fraction(0), Fraction(1, 2)), (Fraction(1), Fraction(3, 4)), (Fraction(2), Fraction(1, 8))]
    uppers = on_chords(points, step=Fraction(1, 2), cells=6)
    assert uppers[:3] == [Fraction(1, 2)] * 3  # a larger value further out says nothing
    assert Fraction(1, 2) > uppers[3] > Fraction(5, 16)  # straight in e^epsilon, not in epsilon
    assert all(0 <= upper - Fraction(1, 8) < Fraction(1, 10**60) for upper in uppers[4:])
    assert on_chords(points, step=Fraction(700), cells=1)[1] == Fraction(1, 8)
    there = [epsilon_on_chords([points[0], points[2]], delta=Fraction(each)) for each in ("3/4", "1/2", "1/3", "1/8", "1/9")]
    assert [there[0], there[1], there[4]] == [0, 0, None]
    assert there[2] is not None
    assert there[3] is not None
    assert abs(Fraction(1, 3) - on_chords([points[0], points[2]], step=there[2], cells=1)[1]) < Fraction(1, 10**60)
    assert 0 <= 2 - there[3] < Fraction(1, 10**60)
    with pytest.raises(DomainError):
        on_chords(points[1:], step=Fraction(1, 2), cells=1)
    with pytest.raises(DomainError):
        on_chords([points[1], points[0]], step=Fraction(1, 2), cells=1)


def test_a_round_that_is_too_much_for_balls_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []

    def answer(**of: object) -> None:
        asked.append(of)
        raise ResourceLimitError(what="certified sums", needed="more steps", limit="20")

    monkeypatch.setattr("shuffleproof.planning.one_round.answer_by", answer)
    rows = list(sp.compose(n=10**12, epsilon0=1, rounds=10, delta="1e-300"))
    assert [each["method"] for each in asked] == ["stronger-clones", "first-arrival"]
    assert [row.epsilon for row in rows] == [None] * 7


def test_gaussian_noise_composes_by_the_smaller_of_its_methods(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(profile_by_chords, "OF_ROUNDS", (6, 3.0))
    asked = {"sigma": 1, "rounds": 3, "delta": "1e-6"}
    many = compose(n=10**5, **asked, cells=24)  # type: ignore[arg-type]
    monkeypatch.setattr(profile_by_chords, "OF_ROUNDS", (2, 3.0))
    few, of_blanket = (compose(n=2, **asked, method=each, cells=24) for each in (None, "gaussian-blanket"))  # type: ignore[arg-type]
    assert few.bound.upper <= of_blanket.bound.upper
    assert many.method == "gaussian-place"
    alone = sp.shuffled(sp.Gaussian(sigma=1), n=10**5).epsilon(delta="1e-6")
    assert alone.lower.lower < many.bound.upper < 3 * alone.upper.upper
    assert {row.standing for row in many} == {"sound"}
    assert "adds N(0, sigma^2) with sigma = 1" in many.bound.claim
    assert many.inputs["sigma"] == "1"
    with pytest.raises(DomainError, match="takes sigma"):
        compose(n=10, epsilon0=1, **asked)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="from 1/10"):
        compose(n=10, **{**asked, "sigma": "0.01"})  # type: ignore[arg-type]
    typed: list[dict[str, object]] = []
    monkeypatch.setattr("shuffleproof.planning.composition.compose", lambda **given: typed.append(given) or many)
    told = json.loads(output_of(capsys, "compose", "--sigma", "1", "-n", "100000", "--rounds", "3", "--delta", "1e-6", "--format", "json"))
    assert (told["method"], told["sigma"]) == ("gaussian-place", "1")
    assert typed == [{"n": "100000", "sigma": "1", "rounds": "3", "delta": "1e-6", "method": None, "library": False}]


def test_a_grid_on_which_every_loss_is_infinite_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where delta is 1 at every epsilon that is asked."""
    monkeypatch.setattr(
        "shuffleproof.planning.one_round.profile", lambda *_, **__: ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(1)))
    )
    found = compose(n=2, sigma=1, rounds=3, delta="1e-6", method="gaussian-place", cells=24)
    rows = {row.name: row.epsilon for row in found}
    assert rows["the pair itself, on a grid"] is None
    assert found.least.name.endswith(" composition")


def test_a_round_of_too_many_users_is_refused_before_its_sums_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: no look ahead before a walk in floats, or before the first of a grid's points (half a minute, and minutes)."""
    monkeypatch.setattr(three_counts_sums, "_one_walk", None)
    one = OneRound(method=STRONGER_CLONES, n=10**12, epsilon0=epsilon0_parameter("ln 3"), cells=128)
    with one_answer():
        for delta in (Fraction(1, 10**300), Fraction(1, 10**9)):
            with pytest.raises(ResourceLimitError, match="certified sums for n"):
                one.epsilon(delta)
        with pytest.raises(ResourceLimitError, match="a grid of certified sums"):
            one.profile(rounds=1, delta=Fraction(1, 10**6), cells=128)


def test_balls_are_asked_for_a_grid_where_they_take_less_than_a_minute() -> None:
    local = epsilon0_parameter(1)
    engines = {n: OneRound(method=STRONGER_CLONES, n=n, epsilon0=local, cells=128).engine for n in (10**7, 10**9, 10**10)}
    assert engines == {10**7: "ball", 10**9: "fast", 10**10: "ball"}


def test_all_ways_of_composing_cost_together_what_one_answer_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST", 2_000)
    monkeypatch.setattr(composition, "rounds_below", lambda *_, **__: None)
    rows = {row.name: row for row in compose(n=50, epsilon0=1, rounds=2, delta="1e-2", method="stronger-clones", cells=64)}
    assert rows["basic composition"].epsilon is not None
    assert "steps in all" in rows["the pair itself, on a grid"].says


def test_the_whole_distribution_takes_part_where_one_way_to_it_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """At epsilon0 of thousands balls are undecided: that is said in a row, and is no end of the others."""

    def undecided(*_: object) -> bool:
        raise UndecidedError(quantity="delta", enclosure=("0", "1"), precision=1)

    monkeypatch.setattr(PlaceRound, "gains_on", undecided)
    own: dict[str, Number | Epsilon] = {"randomizer": "hadamard", "k": 3, "blocks": 4, "epsilon0": 9800}
    law = DistributionRound.where_cheap(n=573, own=own, epsilon0=epsilon0_parameter(9800), delta=Fraction(1, 10**8))
    assert isinstance(law, PlaceRound)
