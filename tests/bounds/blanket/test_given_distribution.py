"""Finite distributions that users give: exact and float64 answers, zeros, single outcomes, and what is refused."""

import json
import math
import random
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from enclosures import meet

import shuffleproof as sp
from shuffleproof.command_line.bound import bound
from shuffleproof.impl.ball.bounds.blanket import given_distribution as ball
from shuffleproof.impl.fast.bounds.blanket import given_distribution as fast, one_sum, one_sum_profile
from shuffleproof.impl.fast.bounds.k_rr import binary_rr_exhaustive
from shuffleproof.impl.fast.bounds.lower import leaking_response as leaking
from shuffleproof.impl.fast.bounds.swap import given_distribution_places as places
from shuffleproof.mechanisms.distributions import (
    ask,
    clipped_laplace,
    k_rr_by_item,
    normalized,
    of_text,
    read,
    staircase,
    truncated_gaussian,
    whole,
)
from shuffleproof.spec.bounds.blanket import given_distribution as exact
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.given_distribution import GivenDistribution
from shuffleproof.spec.vocabulary.numerals import Epsilon, exact_fraction


def _distribution(*rows: list[int]) -> GivenDistribution:
    return GivenDistribution(tuple(map(str, range(len(rows)))), tuple(tuple(Fraction(w, sum(row)) for w in row) for row in rows))


def _drawn(drawn: random.Random) -> GivenDistribution:
    outcomes = drawn.randint(1, 4)
    return _distribution(
        *([drawn.choice([0, 1, 2, 9]) for _ in range(outcomes - 1)] + [drawn.choice([1, 50])] for _ in range(drawn.randint(2, 3)))
    )


def _truth(law: GivenDistribution, n: int, E: Fraction) -> Fraction:
    laws = {x: Distribution(dict(enumerate(row))) for x, row in zip(law.inputs, law.rows, strict=True)}
    randomizer = LocalRandomizer(law.inputs, laws)
    return max(
        hockey_stick(shuffled_distribution(randomizer, (x, *others)), shuffled_distribution(randomizer, (z, *others)), exp_epsilon=E)
        for others in combinations_with_replacement(law.inputs, n - 1)
        for x, z in permutations(law.inputs, 2)
    )


def test_both_sides_hold_for_all_datasets_of_random_distributions() -> None:
    drawn = random.Random(7)
    for _ in range(12):
        law, n, E = _drawn(drawn), drawn.randint(1, 3), Fraction(drawn.choice([2, 3, 9, 200]), 2)
        asked: dict[str, Any] = {"n": n, "distribution": law, "epsilon": f"ln {E}"}
        truth = _truth(law, n, E)
        for engine in (exact, fast):
            above, below = engine.delta(**asked), engine.delta(**asked, view="below")
            assert below.lower <= truth <= above.upper
            assert engine is fast or below.lower == truth  # of few users every dataset is gone through
        assert fast.delta(**asked).lower <= exact.delta(**asked).upper <= fast.delta(**asked).upper


@pytest.mark.parametrize(("n", "E", "alike"), [(3, "3/2", "0.0436"), (4, "13/10", "0.0541")])
@pytest.mark.parametrize("rows", list(permutations(([4, 3, 4], [3, 4, 1], [3, 3, 1]))))
def test_of_few_users_the_lower_side_is_the_truth_where_a_mixed_dataset_is_the_worst(
    rows: tuple[list[int], ...], n: int, E: str, alike: str
) -> None:
    """Others hold two inputs then, of four users one of them twice; alike: delta where all others hold one input, at most."""
    law = _distribution(*rows)
    found = exact.delta(n=n, distribution=law, epsilon=f"ln {E}", view="below")
    assert found.lower == _truth(law, n, Fraction(E)) > Fraction(alike)


@pytest.mark.parametrize("seed", range(3))
def test_the_largest_of_many_pairs_is_found_without_summing_those_that_are_far_below(seed: int) -> None:
    drawn = random.Random(seed)
    law = _distribution(*([drawn.randint(0 if seed == 2 and i < 2 else 1, 9) for _ in range(5)] for i in range(6)))
    for n, epsilon in ((3, Fraction(1, 3)), (40, Fraction(1, 5)), (2000, Fraction(1, 50))):
        profile = one_sum_profile._Profile(fast._above(law), n)
        given = Epsilon(epsilon, None)
        losses, beside = profile.losses(given), profile.beside(given)
        every = profile._sides(losses, beside, range(len(losses)), one_sum_profile.LENGTH)
        low, high = profile.sides(given, one_sum_profile.LENGTH)
        assert low == max(low for low, _ in every) <= max(high for _, high in every) <= high * (1 + 1e-12)
        for each, (at_least, _), (given_away, _) in zip(losses, every, beside, strict=True):
            assert one_sum.by_tilts(each, n) >= (at_least - float(given_away)) * (1 - 1e-9)


def test_epsilons_of_both_engines_agree() -> None:
    drawn = random.Random(8)
    for delta in ("0", "1e-6", "0.1", "0.9"):
        law = _drawn(drawn)
        asked: dict[str, Any] = {"n": drawn.randint(1, 4), "distribution": law, "delta": delta}
        if law.given_away > Fraction(delta):
            for engine in (exact, fast):
                with pytest.raises(RegimeError, match="never sends"):
                    engine.epsilon(**asked)
            continue
        one, other = exact.epsilon(**asked), fast.epsilon(**asked)
        assert meet(other, one)
        assert fast.epsilon(**asked, view="below").lower <= one.upper


def test_balls_enclose_the_exact_values_and_agree_with_float64() -> None:
    drawn = random.Random(9)
    for E in ("0", "ln 1.5", "ln 9"):
        law, n = _drawn(drawn), drawn.randint(1, 4)
        found, truth = ball.delta(n=n, distribution=law, epsilon=E, digits=3), exact.delta(n=n, distribution=law, epsilon=E)
        assert found.lower <= truth.upper <= found.upper
        assert (
            ball.delta(n=n, distribution=law, epsilon=E, view="below", digits=3).lower
            <= exact.delta(n=n, distribution=law, epsilon=E, view="below").upper
        )
    law = _distribution([2, 1, 1], [1, 2, 1], [1, 1, 1])
    for view in ("above", "below"):
        asked: dict[str, Any] = {"n": 1000, "distribution": law, "delta": "1e-6", "view": view}
        one, other = ball.epsilon(**asked, digits=3), fast.epsilon(**asked)
        assert meet(one, other)


def test_what_another_input_never_sends_is_given_away_for_every_epsilon() -> None:
    law = _distribution([1, 3, 0], [1, 2, 1])
    for epsilon in ("1", "100"):
        assert fast.delta(n=1000, distribution=law, epsilon=epsilon).lower >= Fraction(1, 4) * Fraction(999999, 1000000)
    assert exact.delta(n=2, distribution=law, epsilon="ln 100").upper == Fraction(1, 4)


def test_one_outcome_says_nothing() -> None:
    law = _distribution([1], [5])
    assert fast.epsilon(n=10, distribution=law, delta=0).upper == 0
    assert exact.delta(n=10, distribution=law, epsilon=0).upper == 0


@pytest.mark.parametrize(("n", "delta"), [(1, "0"), (10**9, "0"), (1, "1e-300"), (2, "1e-300"), (10**9, "1")])
def test_extreme_parameters_of_a_given_distribution_are_answered(n: int, delta: str) -> None:
    law = _distribution([10**9, 1, 1], [1, 10**9, 1], [3, 3, 3])
    upper, lower = fast.epsilon(n=n, distribution=law, delta=delta), fast.epsilon(n=n, distribution=law, delta=delta, view="below")
    assert 0 <= lower.lower <= upper.upper <= 21


def test_an_upper_end_where_delta_is_next_to_nothing_is_not_below_the_truth_by_what_a_logarithm_is_rounded() -> None:
    for E in range(2, 12):
        found = fast.epsilon(n=1, distribution=_distribution([E, 1], [1, E]), delta="1e-300")
        assert Epsilon(found.upper, None) >= Epsilon(None, E - (E + 1) * Fraction(1, 10**300))


@pytest.mark.parametrize("engine", [fast, ball])
def test_at_delta_zero_a_pair_of_datasets_need_not_reach_the_ratio_of_all_inputs(engine: Any) -> None:
    law = _distribution([50, 25, 25], [25, 50, 25], [30, 30, 40])
    above, below = engine.epsilon(n=3, distribution=law, delta=0), engine.epsilon(n=3, distribution=law, delta=0, view="below")
    assert (above.side, above.upper_float) == ("exact", math.nextafter(math.log(2), 1))
    assert below.side != "exact"
    assert below.lower == 0 < above.upper <= below.upper
    assert engine.epsilon(n=3, distribution=law, delta=1, view="below").side == "exact"


def test_bad_distributions_are_refused() -> None:
    half = Fraction(1, 2)
    for rows, wanted in (
        (((half, half), (Fraction(3, 2), -half)), "at least 0"),
        (((half, half), (half, Fraction(1, 4))), "sum of the distribution"),
        (((half, half), (Fraction(1),)), "2 probabilities"),
        (((half, half),), "two inputs"),
    ):
        with pytest.raises(DomainError, match=wanted):
            GivenDistribution(tuple(map(str, range(len(rows)))), rows)
    with pytest.raises(DomainError):
        sp.FromDistribution([["nan", "1/2"], ["1/2", "1/2"]])


def test_distributions_with_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "LARGEST_WORK", 5)
    with pytest.raises(ResourceLimitError, match="pairs of inputs"):
        fast.epsilon(n=10, distribution=_distribution([1, 2], [3, 5], [8, 13]), delta="1e-6")


def test_an_object_from_a_distribution_is_bracketed_by_everything_it_says() -> None:
    survey = sp.shuffled(sp.FromDistribution([["1/2", "1/4", "1/8", "1/8"], ["1/8", "1/8", "1/4", "1/2"], ["1/4"] * 4]), n=10_000)
    found = survey.epsilon(delta="1e-6")
    assert found.upper.method == "another-place"
    assert found.lower.method == "homogeneous"
    blanket, pair = (survey.epsilon(delta="1e-6", method=method).upper for method in ("blanket", "optimal-pair"))
    assert pair > blanket > found.upper.upper
    few = sp.shuffled(survey.randomizer, n=300).epsilon(delta="1e-6")
    assert few.upper.method == "blanket"
    with pytest.raises(UnsupportedError, match="float64 alone"):
        survey.epsilon(delta="1e-6", method="another-place", engine="ball")
    rounded = read([["0.67", "0.33"], ["0.33", "0.67"]], rounding="0.005")
    with pytest.raises(RegimeError, match="exact probabilities"):
        ask(rounded, "epsilon", n=10, central="1e-6", method="blanket")


def test_a_file_is_bracketed_on_the_command_line(tmp_path: Any) -> None:
    path = tmp_path / "distribution.csv"
    path.write_text("input,outcome,probability\nno,a,3/4\nno,b,1/4\nyes,a,1/4\nyes,b,3/4\n")
    told = CliRunner().invoke(bound, ["delta", "--distribution", str(path), "-n", "5", "--eps", "ln 1.5"])
    assert told.exit_code == 0
    assert "0.11865234 <= delta" in told.output
    refused = CliRunner().invoke(bound, ["delta", "--distribution", str(path), "-n", "5", "--eps", "1", "--eps0", "2"])
    assert refused.exit_code != 0


def test_a_distribution_in_floats_is_divided_by_its_sums() -> None:
    rows = [[0.1, 0.2, 0.7], [0.2, 0.1, 0.7]]
    with pytest.raises(DomainError, match="normalize=True"):
        sp.FromDistribution(rows)
    law = normalized(rows)
    assert all(sum(row.values()) == 1 for row in law.values())
    assert law["0"]["0"] / law["0"]["1"] == Fraction(1, 2)
    assert sp.shuffled(sp.FromDistribution(law), n=10**5).epsilon(delta="1e-6").lower is not None
    for wrong, told in (([[0.1, 0.2], [0.5, 0.5]], "of 1"), ([[0.5, 0.5], [1.5, -0.5]], "in \\[0, 1"), ([[math.nan, 1], [1, 0]], "number")):
        with pytest.raises(DomainError, match=told):
            normalized(wrong)
    with pytest.raises(DomainError, match="within"):
        normalized(rows, within=1)


def test_rounded_probabilities_of_a_file_are_bounded_on_the_command_line(tmp_path: Any) -> None:
    path = tmp_path / "distribution.csv"
    path.write_text("input,outcome,probability\nno,a,0.67\nno,b,0.33\nyes,a,0.33\nyes,b,0.67\n")
    asked = ["delta", "--distribution", str(path), "-n", "100", "--eps", "ln 1.5"]
    exact, rounded = (CliRunner().invoke(bound, [*asked, *more, "--format", "json"]) for more in ([], ["--rounding", "0.005"]))
    assert Fraction(json.loads(exact.output)["upper"]["upper"]) < Fraction(json.loads(rounded.output)["upper"])
    without = CliRunner().invoke(bound, ["delta", "-n", "9", "--eps", "1", "--eps0", "2", "--rounding", "0.1"])
    assert isinstance(without.exception, DomainError)


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("clipped-laplace:levels=5,eps0=1", clipped_laplace(levels=5, epsilon0=1)),
        ("truncated-gaussian:levels=3,sigma=2,beyond=1", truncated_gaussian(levels=3, sigma=2, beyond=1)),
        ("staircase:levels=4, eps0=ln 3/2, high=2", staircase(levels=4, epsilon0="ln 3/2", high=2)),
        ("krr-by-item:eps0=1,eps0=ln 3", k_rr_by_item(epsilons=[1, "ln 3"])),
        ("distribution.csv", None),
    ],
)
def test_distributions_have_names_on_the_command_line(text: str, law: object) -> None:
    assert of_text(text) == law


@pytest.mark.parametrize(
    "text", ["staircase:", "staircase:levels=5,eps0=1", "staircase:step=5", "clipped-laplace:levels=5,levels=6,eps0=1"]
)
def test_a_distribution_that_is_named_without_what_it_needs_is_refused(text: str) -> None:
    told = CliRunner().invoke(bound, ["delta", "--distribution", text, "-n", "5", "--eps", "1"])
    assert isinstance(told.exception, DomainError)
    assert told.exception.parameter == "distribution"


@pytest.mark.parametrize(
    ("law", "most"),
    [
        (clipped_laplace(levels=5, epsilon0=1), math.exp(1)),
        (truncated_gaussian(levels=3, sigma=2, beyond=1), math.exp(1)),
        (staircase(levels=4, epsilon0=1, high=2, beyond=4), math.exp(2)),
        (k_rr_by_item(epsilons=[1, 2, "ln 3"]), math.exp(2)),
    ],
)
def test_noise_on_levels_has_exact_distributions_within_its_ratio(law: dict[str, dict[str, Fraction]], most: float) -> None:
    assert all(sum(row.values()) == 1 for row in law.values())
    assert 1 < float(exact_fraction(sp.FromDistribution(law).p, parameter="p")) <= most


def test_clipped_laplace_noise_is_as_private_as_it_says_and_no_more() -> None:
    law = clipped_laplace(levels=5, epsilon0=1)
    assert law["0"]["0"] / law["4"]["0"] == pytest.approx(math.e, rel=1e-12)
    assert law["0"]["0"] / law["4"]["0"] <= Fraction(271828182845904524, 10**17)


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda: clipped_laplace(levels=1, epsilon0=1), "levels"),
        (lambda: clipped_laplace(levels=3, epsilon0=0), "epsilon0"),
        (lambda: truncated_gaussian(levels=3, sigma=0), "sigma"),
        (lambda: truncated_gaussian(levels=3, sigma=1, beyond=-1), "beyond"),
        (lambda: staircase(levels=3, epsilon0=1, high=3), "high"),
        (lambda: k_rr_by_item(epsilons=[1]), "^epsilons = 1: must be two items"),
    ],
)
def test_noise_outside_its_domain_is_refused(make: Any, wanted: str) -> None:
    with pytest.raises(DomainError, match=wanted):
        make()


def test_rows_of_an_array_have_one_length() -> None:
    with pytest.raises(DomainError, match="distribution at input '1' = 3: must be 2 probabilities"):
        sp.FromDistribution([[0.5, 0.5], [0.5, 0.25, 0.25]])


def test_a_direction_whose_losses_leave_the_floats_is_not_passed_over() -> None:
    """One direction is worth 9/10, but e^epsilon times a likelihood ratio overflows in it; the other is worth 1/1000."""
    first, second = (Fraction(1, 10**157), Fraction(1, 1000)), (Fraction(9, 10), Fraction(1, 10**163))
    law = GivenDistribution(("first", "second"), tuple((*row, 1 - sum(row)) for row in (first, second)))
    assert fast.delta(n=1, distribution=law, epsilon=340).lower > Fraction(89, 100)
    for n in (1, 2):
        with pytest.raises(UnsupportedError, match="leave the range of floats"):
            fast.delta(n=n, distribution=law, epsilon=345)


@pytest.mark.parametrize("n", [1, 2, 1000])
def test_beyond_the_floats_the_response_that_leaks_is_refused_or_bounded(n: int) -> None:
    assert leaking.delta(n=n, epsilon0=690, delta0="1e-9", epsilon=1).lower > Fraction(9, 10)
    with pytest.raises(UnsupportedError, match="leave the range of floats"):
        leaking.delta(n=n, epsilon0=690, delta0="1e-9", epsilon=689)


@pytest.mark.parametrize(
    ("law", "most"),
    [
        (clipped_laplace(levels=5, epsilon0=3), 1.04),
        (truncated_gaussian(levels=5, sigma="2/3", beyond=2), 1.05),
        (staircase(levels=5, epsilon0=3, high=2, beyond=4), 1.03),
        (k_rr_by_item(epsilons=[1, 1, 2, 3]), 1.03),
    ],
)
def test_brackets_of_given_distributions_close_in_another_users_place(law: dict[str, dict[str, Fraction]], most: float) -> None:
    given = whole(read(law))
    reached = fast.epsilon(n=10**4, distribution=given, delta="1e-6", view="below").lower
    found = places.epsilon(n=10**4, distribution=given, delta="1e-6")
    assert reached < found.upper < reached * Fraction(most) < fast.epsilon(n=10**4, distribution=given, delta="1e-6").upper
    assert Fraction(8, 10**7) < fast.delta(n=10**4, distribution=given, epsilon=reached, view="below").upper <= Fraction(1001, 10**9)
    assert places.delta(n=10**4, distribution=given, epsilon=found.upper).upper <= Fraction(101, 10**8)


@pytest.mark.parametrize(("n", "epsilon"), [(300, "0.1"), (1500, "0.09")])
def test_in_another_users_place_no_dataset_of_two_items_is_above(n: int, epsilon: str) -> None:
    truth = binary_rr_exhaustive.delta(n=n, k=2, epsilon0="ln 3", epsilon=epsilon)
    assert truth.upper <= places.delta(n=n, distribution=_distribution([3, 1], [1, 3]), epsilon=epsilon).upper < 2 * truth.upper


def test_what_leaks_is_given_away_once_in_another_users_place() -> None:
    leak = Fraction(1, 10**8)
    rows = [[leak * (x == y) for y in range(3)] + [(1 - leak) * Fraction(3 if x == y else 1, 5) for y in range(3)] for x in range(3)]
    law = GivenDistribution(("0", "1", "2"), tuple(map(tuple, rows)))
    below, above = (
        leaking.epsilon(n=10**4, epsilon0="ln 3", delta0=leak, delta="1e-6"),
        places.epsilon(n=10**4, distribution=law, delta="1e-6"),
    )
    assert below.lower < above.upper < below.lower * Fraction(103, 100)
    assert places.delta(n=10**4, distribution=law, epsilon=2).upper == leak
    with pytest.raises(RegimeError, match="never sends"):
        places.epsilon(n=10**4, distribution=law, delta="1e-9")


def test_a_distribution_of_many_inputs_is_answered_by_its_blanket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "LARGEST_WORK", 5)
    survey = sp.shuffled(sp.FromDistribution([["1/9", "3/9", "5/9"], ["3/9", "1/9", "5/9"]]), n=2000)
    assert survey.epsilon(delta="1e-6").upper.method == "blanket"


def test_the_ends_of_the_domain_in_another_users_place() -> None:
    law = _distribution([10**9, 1, 1], [1, 10**9, 1], [3, 3, 3])
    for n, delta in ((1, "1e-6"), (2, "1e-300"), (10**9, "0")):
        assert 20 < places.epsilon(n=n, distribution=law, delta=delta).upper <= 21
    three: dict[str, Any] = {"n": 10**9, "distribution": _distribution([3, 1], [1, 3]), "delta": "1e-300"}
    assert 1 < places.epsilon(**three).upper / fast.epsilon(**three, view="below").lower < Fraction(101, 100)
    assert places.epsilon(n=9, distribution=_distribution([1], [5]), delta=0).upper == 0
    assert places.epsilon(n=9, distribution=law, delta=1).upper == 0
    for wrong in (_distribution([10**300, 1], [1, 1]), _distribution([10**120, 1], [1, 1])):
        with pytest.raises(UnsupportedError, match="too unlike"):
            places.epsilon(n=9, distribution=wrong, delta="1e-6")


def test_rounds_of_a_given_distribution_use_all_that_it_says() -> None:
    survey = sp.shuffled(sp.FromDistribution([["3/4", "1/4"], ["1/4", "3/4"]]), n=10**5).rounds(3)
    found = survey._by_whole_distribution("1e-6", survey.one.epsilon(delta="1e-6").upper)
    assert found.method == "another-place, grid"
    assert found.upper < Fraction(208, 10**4)  # the optimal pair has 0.0255


def test_one_triple_stands_for_that_of_the_inputs_in_reverse_where_these_have_the_same_columns() -> None:
    even, uneven = _distribution([4, 2, 1], [2, 3, 2], [1, 2, 4]), _distribution([4, 2, 1], [2, 3, 2], [1, 3, 3])
    assert sum(map(len, places.OfDistribution(even).groups)) == 9
    assert sum(map(len, places.OfDistribution(uneven).groups)) == 18
    rows = [[Fraction(p) for p in row] for row in even.rows]
    loss_types = places.OfDistribution(even)
    for x, z, k in product(range(3), repeat=3):
        if x == z:
            continue
        losses = [(float(m), float((a - Fraction(3, 2) * b) / m)) for a, b, m in zip(rows[x], rows[z], rows[k], strict=True)]
        assert any(
            all(
                sum(m * max(0.0, at - t) for m, at in losses) <= float((mass * np.maximum(at - t, 0.0)).sum()) + 1e-12
                for t in np.linspace(-3.0, 3.0, 61)
            )
            for ((mass, at, _),) in loss_types.atoms(1.5, 1.0)
        )


def test_too_many_users_are_refused_before_any_method_is_asked() -> None:
    coin = sp.FromDistribution([["1/2", "1/2"], ["1/4", "3/4"]])
    assert sp.shuffled(coin, n=10**9).n == 10**9
    for n in (10**9 + 1, 10**18):
        with pytest.raises(DomainError, match=rf"^n = {n}: must be an integer from 1 to 1e\+09$"):
            sp.shuffled(coin, n=n)
