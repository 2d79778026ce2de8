"""Renyi divergences by whole distributions, between the truth and the optimal pair's; and reports revealed in pairs, which say less."""

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from commands import ended, output_of

import shuffleproof as sp
from shuffleproof.accounting import renyi_of_distributions
from shuffleproof.impl.ball import renyi_of_powers
from shuffleproof.impl.ball.renyi_of_profile import Ends, divergence
from shuffleproof.spec.bounds.blanket import paired_reports
from shuffleproof.spec.bounds.blanket.one_sum import loss_types, profile
from shuffleproof.spec.distribution import Distribution, renyi_moment
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.randomizers.exact import exact_distribution
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError

LOCAL = Fraction(1)


def _of_one_report(epsilon: Fraction) -> tuple[Ends, Ends]:
    """Of binary response the profile is a line: (T - E)/(T + 1)."""
    value = Fraction((math.e - math.exp(epsilon)) / (math.e + 1))
    return (value, value), (value, value)


@pytest.mark.parametrize("order", [Fraction(1001, 1000), Fraction(2), Fraction(64)])
def test_a_profile_that_is_a_line_gives_binary_response(order: Fraction) -> None:
    a, T = float(order), math.e
    truth = math.log((T**a + T ** (1 - a)) / (1 + T)) / (a - 1)
    found = divergence(_of_one_report, order=order, start=(Fraction(0), LOCAL / 2, LOCAL), tolerance=1e-3, most=9)
    assert (float(found.lower), float(found.upper)) == pytest.approx((truth, truth), rel=1e-9)


@pytest.mark.parametrize(("local", "order"), [(Fraction(700), 2), (Fraction(700), 200), (Fraction(1, 10**9), 2), (Fraction(30), 10**6)])
def test_a_huge_epsilon_and_a_tiny_one(local: Fraction, order: int) -> None:
    def profile(epsilon: Fraction) -> tuple[Ends, Ends]:
        value = Fraction(1, 2) * (1 - epsilon / local)
        return (value, value), (value, value)

    found = divergence(profile, order=Fraction(order), start=(Fraction(0), local / 2, local), tolerance=1e-3, most=40)
    assert 0 <= found.lower <= found.upper <= 2 * local


@pytest.mark.parametrize("start", [(0,), (1, 2), (0, 1, 1)], ids=["one point", "not from 0", "not rising"])
def test_points_that_are_no_profile_are_refused(start: tuple[int, ...]) -> None:
    with pytest.raises(DomainError):
        divergence(_of_one_report, order=Fraction(2), start=[Fraction(each) for each in start], tolerance=1e-3, most=9)


@pytest.mark.parametrize("order", ["1.5", "2", "100"])
@pytest.mark.parametrize(
    ("randomizer", "n", "ratio"),
    [
        (sp.KRR(k=3, epsilon0=1), 10**5, "1.002"),
        (sp.KRR(k=50, epsilon0=3), 1000, "1.003"),
        (sp.Hadamard(k=16, epsilon0=3), 1000, "1.003"),
        (sp.KRR(k=10, epsilon0=1), 10**6, "1.002"),
    ],
    ids=str,
)
def test_brackets_are_close_at_every_order(randomizer: sp.mechanisms.randomizers.Randomizer, n: int, ratio: str, order: str) -> None:
    found = sp.shuffled(randomizer, n=n).renyi(order=order)
    assert found.lower is not None
    assert (found.upper.statement, found.lower.statement) == ("BEYOND.Renyi-chords", "BEYOND.Renyi-chords")
    assert 1 <= found.ratio <= Fraction(ratio)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("order", [2, 5])
def test_few_users_are_bracketed_around_the_worst_of_all_datasets(n: int, order: int) -> None:
    law = {"no": {"a": "3/4", "b": "1/8", "c": "1/8"}, "yes": {"a": "3/8", "b": "1/4", "c": "3/8"}}
    randomizer = LocalRandomizer((0, 1), {i: Distribution({y: Fraction(p) for y, p in row.items()}) for i, row in enumerate(law.values())})
    moments = [
        renyi_moment(*(shuffled_distribution(randomizer, (x, *rest)) for x in pair), order=order)
        for rest in product((0, 1), repeat=n - 1)
        for pair in ((0, 1), (1, 0))
    ]
    truth = math.log(max(each for each in moments if each)) / (order - 1)
    found = sp.shuffled(sp.FromDistribution(law), n=n).renyi(order=order)
    assert found.lower is not None
    assert float(found.lower.lower) * (1 - 1e-12) <= truth <= float(found.upper.upper) * (1 + 1e-12)
    assert float(found.lower.lower) >= 0.75 * truth


def test_a_whole_distribution_beats_the_pair_and_says_on_what_it_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renyi_of_distributions, "_MOST", 10)  # fewer than usual, so looser
    survey = sp.shuffled(sp.LocalHashing(buckets=4, epsilon0=3, family="uniform"), n=10_001)
    bound, three = survey.renyi(order=2).upper, survey.rounds(3).renyi(order=2).upper
    assert (bound.method, bound.statement, bound.side) == ("another-place, chords", "BEYOND.Renyi-chords", "upper")
    assert 1.5 * bound.upper < survey.renyi(order=2, method="randomizer-pair").upper
    assert (three.upper, three.side) == (3 * bound.upper, "upper")


@pytest.mark.parametrize(
    ("typed", "randomizer", "n"),
    [
        ("--randomizer k-rr --k 3 --eps0 1", sp.KRR(k=3, epsilon0=1), 10**5),
        ("--eps0 1/2", sp.AnyRandomizer(epsilon0="1/2"), 10**5),
        ("--sigma 1", sp.Gaussian(sigma=1), 1),
    ],
)
def test_the_command_line_answers_with_the_bracket(
    typed: str,
    randomizer: sp.mechanisms.randomizers.Randomizer,
    n: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for few in ("_MOST", "_MOST_SLOW", "_MOST_QUICK"):
        monkeypatch.setattr(renyi_of_distributions, few, 8)  # fewer points than usual, so looser
    asked = ("bound", "renyi", *typed.split(), "-n", str(n), "--order", "3")
    found = sp.shuffled(randomizer, n=n).renyi(order=3)
    assert found.lower is not None
    first, *notes = output_of(capsys, *asked).splitlines()
    assert first == str(found)
    assert [line.split(":")[0].strip() for line in notes if "rests on" not in line] == ["upper", "lower"]
    told = json.loads(output_of(capsys, *asked, "--format", "json"))
    assert (told["method"], told["below"]["method"]) == (found.upper.method, found.lower.method)
    assert Fraction(told["upper"]) >= found.upper.upper >= found.lower.lower >= Fraction(told["below"]["lower"])


def test_the_command_line_leaves_nothing_out_of_what_was_typed(capsys: pytest.CaptureFixture[str]) -> None:
    """What says too much, or too little, about the reports is refused by its option."""
    for typed, option in (
        ("--eps0 1 --sigma 1", "--sigma"),
        ("--randomizer k-rr --k 3 --eps0 1 --lambda 3", "--lambda"),
        ("--k 3", "--randomizer"),
    ):
        code, text, error = ended(capsys, "bound", "renyi", "-n", "100", "--order", "2", *typed.split())
        assert (code, text) == (2, "")
        assert error.startswith(f"shuffleproof: {option}")


@pytest.mark.parametrize(("sigma", "n"), [("1/3", 10), (2, 1000)])
@pytest.mark.parametrize("order", [2, 50])
def test_gaussian_noise_has_a_bracket_between_one_report_and_that_less_ln_n(sigma: str | int, n: int, order: int) -> None:
    found, one = sp.shuffled(sp.Gaussian(sigma=sigma), n=n).renyi(order=order), Fraction(order) / (2 * Fraction(sigma) ** 2)
    assert found.lower is not None
    assert "BEYOND.Renyi-one-report" in found.upper.statements
    assert (
        max(0.0, float(one) - math.log(n)) <= float(found.lower.lower) * (1 + 1e-9) <= float(found.upper.upper) <= float(one) * (1 + 1e-9)
    )


@pytest.mark.parametrize(("sigma", "n", "order", "within"), [(1, 1000, 32, 1.0033), ("1/2", 10**4, 8, 1.0026), ("1/3", 10**6, 3, 1.03)])
def test_powers_of_a_mean_leave_little_between_both_sides_of_gaussian_noise(sigma: str | int, n: int, order: int, within: float) -> None:
    found = sp.shuffled(sp.Gaussian(sigma=sigma), n=n).renyi(order=order)
    assert found.upper.statement == "BEYOND.Renyi-powers"
    assert 1 < found.ratio < within


def test_orders_between_integers_lie_between_these() -> None:
    asked: dict[str, Any] = {"sigma": Fraction(1), "n": 1000}
    values = [renyi_of_powers.above(**asked, order=Fraction(order)) for order in ("31", "63/2", "32")]
    assert values == sorted(values)
    assert renyi_of_powers.below(**asked, order=Fraction(63, 2)) == renyi_of_powers.below(**asked, order=Fraction(31))
    assert renyi_of_powers.above(sigma=Fraction(1), n=1, order=Fraction(5)) == Fraction(5, 2)


def test_one_report_with_gaussian_noise_is_bracketed_around_its_own_divergence() -> None:
    found = sp.shuffled(sp.Gaussian(sigma=1), n=1).renyi(order=2)
    assert found.lower is not None
    assert found.lower.lower <= 1 <= found.upper.upper
    assert found.ratio <= Fraction("1.02")


def test_without_a_profile_methods_answer() -> None:
    assert renyi_of_distributions.renyi_above(sp.shuffled(sp.Laplace(epsilon0=0), n=1000), order=2) is None
    assert renyi_of_distributions.renyi_above(sp.shuffled(sp.KRR(k=10, epsilon0=1), n=10**12), order=2) is None
    assert sp.shuffled(sp.KRR(k=3, epsilon0=700), n=2).renyi(order=2).upper.upper <= 701
    assert sp.shuffled(sp.AnyRandomizer(epsilon0=3), n=100).renyi(order=100).upper.method == "stronger-clones"


def test_a_distribution_from_a_file_has_them_and_where_an_outcome_gives_its_input_away_they_are_infinite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    law = tmp_path / "distribution.csv"
    law.write_text("input,outcome,probability\nno,a,3/4\nno,b,1/4\nyes,a,1/4\nyes,b,3/4\n")
    assert " <= Renyi divergence <= " in output_of(capsys, "bound", "renyi", "--distribution", str(law), "-n", "5", "--order", "2")
    with pytest.raises(RegimeError, match="infinite"):
        sp.shuffled(sp.FromDistribution({"no": {"a": 1}, "yes": {"a": "1/2", "b": "1/2"}}), n=100).renyi(order=2)


_QUARTERS = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}


def test_a_third_item_of_another_user_hides_more_in_pairs_than_the_blanket_says() -> None:
    randomizer = exact_distribution(RAPPOR(k=3), Fraction(9, 4))
    first, second, third = ({y: randomizer.distribution(x)[y] for y in randomizer.messages} for x in randomizer.domain)
    cover = {y: min(first[y], second[y], third[y]) for y in randomizer.messages}
    for E in (Fraction(1), Fraction(3, 2)):
        told = paired_reports.delta(n=2, first=first, second=second, cover=cover, others=[third], exp_epsilon=E)
        assert told < profile(n=2, loss_types=loss_types(first, second, cover)).delta(exp_epsilon=E)


def test_binary_response_gains_nothing_from_pairs() -> None:
    first, second = _QUARTERS
    cover = {0: Fraction(1, 4), 1: Fraction(1, 4)}
    told = paired_reports.delta(n=4, first=first, second=second, cover=cover, others=[first, second], exp_epsilon=Fraction(3, 2))
    assert told == profile(n=4, loss_types=loss_types(first, second, cover)).delta(exp_epsilon=Fraction(3, 2))


def test_the_least_distribution_above_two_has_their_mean_and_is_above_both() -> None:
    one = ((Fraction(-1), Fraction(1, 2)), (Fraction(1), Fraction(1, 2)))
    other = ((Fraction(-1, 2), Fraction(2, 3)), (Fraction(1), Fraction(1, 3)))
    found = paired_reports.least_above([one, other])
    assert sum(mass for _, mass in found) == 1
    assert sum(mass * x for x, mass in found) == 0
    for law in (one, other):
        for t in (Fraction(k, 4) for k in range(-8, 9)):
            height = sum((mass * max(x - t, Fraction(0)) for x, mass in law), Fraction(0))
            assert height <= sum((mass * max(x - t, Fraction(0)) for x, mass in found), Fraction(0))


def test_a_cover_that_another_user_may_fall_below_is_refused() -> None:
    first, second = _QUARTERS
    with pytest.raises(DomainError, match="at most every other"):
        paired_reports.delta(
            n=2, first=first, second=second, cover={0: Fraction(1, 2), 1: Fraction(1, 4)}, others=[second], exp_epsilon=Fraction(1)
        )
    with pytest.raises(DomainError, match="at least 2"):
        paired_reports.delta(n=1, first=first, second=second, cover={}, others=[second], exp_epsilon=Fraction(1))
