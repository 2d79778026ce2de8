"""Renyi divergences by whole laws, between the truth and the optimal pair's; and reports told in pairs, which say less than the blanket."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from commands import output_of

import shuffleproof as sp
from shuffleproof.accounting import renyi_of_laws
from shuffleproof.impl.ball.renyi_of_profile import renyi
from shuffleproof.spec.bounds.blanket import paired_reports
from shuffleproof.spec.bounds.blanket.one_sum import kinds, profile
from shuffleproof.spec.randomizers.exact import exact_law
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError

ENDS = ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0)))
"""Nothing is known but that it is 1-DP."""


@pytest.mark.parametrize("order", [Fraction(1001, 1000), Fraction(2), Fraction(64)])
def test_without_a_profile_it_is_binary_response_and_below_epsilon(order: Fraction) -> None:
    a, T = float(order), math.e
    truth = math.log((T**a + T ** (1 - a)) / (1 + T)) / (a - 1)
    assert float(renyi(ENDS, order=order)) == pytest.approx(truth, rel=1e-9)
    assert renyi(ENDS, order=order) <= 1


def test_a_huge_epsilon_and_a_tiny_one() -> None:
    for local in (Fraction(700), Fraction(1, 10**9)):
        assert 0 < renyi(((Fraction(0), Fraction(1)), (local, Fraction(0))), order=Fraction(2)) <= local


@pytest.mark.parametrize(
    "points",
    [ENDS[:1], (*ENDS[:1], (Fraction(1), Fraction(1, 10))), (ENDS[1], ENDS[0]), ((Fraction(0), Fraction(2)), ENDS[1])],
    ids=["one point", "not ended", "falling", "above 1"],
)
def test_points_that_are_no_profile_are_refused(points: tuple[tuple[Fraction, Fraction], ...]) -> None:
    with pytest.raises(DomainError):
        renyi(points, order=Fraction(2))


def test_a_whole_law_beats_the_pair_and_says_on_what_it_rests(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(renyi_of_laws, "OF_RENYI", (8, 2.0))  # fewer than usual, so looser
    survey = sp.shuffled(sp.LocalHashing(buckets=4, epsilon0=3, family="uniform"), n=10_001)
    bound, three = survey.renyi(order=2).upper, survey.rounds(3).renyi(order=2).upper
    assert (bound.method, bound.statement, bound.side) == ("another-place, chords", "BEYOND.Renyi-chords", "upper")
    assert 1.5 * bound.upper < survey.renyi(order=2, method="randomizer-pair").upper
    assert (three.upper, three.side) == (3 * bound.upper, "upper")
    asked = ["--randomizer", "hash", "--buckets", "4", "--family", "uniform", "-n", "10001", "--eps0", "3", "--order", "2"]
    found = json.loads(output_of(capsys, "bound", "renyi", *asked, "--format", "json"))
    assert (found["method"], Fraction(found["upper"]) >= bound.upper) == ("another-place, chords", True)
    assert Fraction(found["upper"]) < bound.upper * (1 + Fraction(1, 10**6))


def test_no_chords_where_the_pair_is_as_good_or_nothing_is_known() -> None:
    assert renyi_of_laws.renyi(sp.shuffled(sp.KRR(k=10, epsilon0=1), n=10**6), order=2) is None  # the pair is as good
    assert renyi_of_laws.renyi(sp.shuffled(sp.Laplace(epsilon0=0), n=1000), order=2) is None
    assert renyi_of_laws.renyi(sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=1000), order=2) is None


def test_a_law_from_a_file_has_them_and_where_an_outcome_gives_its_input_away_they_are_infinite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    law = tmp_path / "law.csv"
    law.write_text("input,outcome,probability\nno,a,3/4\nno,b,1/4\nyes,a,1/4\nyes,b,3/4\n")
    assert "renyi <= " in output_of(capsys, "bound", "renyi", "--law", str(law), "-n", "5", "--order", "2")
    with pytest.raises(RegimeError, match="infinite"):
        sp.shuffled(sp.FromLaw({"no": {"a": 1}, "yes": {"a": "1/2", "b": "1/2"}}), n=100).renyi(order=2)


_QUARTERS = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}


def test_a_third_item_of_another_user_hides_more_in_pairs_than_the_blanket_says() -> None:
    randomizer = exact_law(RAPPOR(k=3), Fraction(9, 4))
    first, second, third = ({y: randomizer.law(x)[y] for y in randomizer.messages} for x in randomizer.domain)
    cover = {y: min(first[y], second[y], third[y]) for y in randomizer.messages}
    for E in (Fraction(1), Fraction(3, 2)):
        told = paired_reports.delta(n=2, first=first, second=second, cover=cover, others=[third], exp_epsilon=E)
        assert told < profile(n=2, kinds=kinds(first, second, cover)).delta(exp_epsilon=E)


def test_binary_response_gains_nothing_from_pairs() -> None:
    first, second = _QUARTERS
    cover = {0: Fraction(1, 4), 1: Fraction(1, 4)}
    told = paired_reports.delta(n=4, first=first, second=second, cover=cover, others=[first, second], exp_epsilon=Fraction(3, 2))
    assert told == profile(n=4, kinds=kinds(first, second, cover)).delta(exp_epsilon=Fraction(3, 2))


def test_the_least_law_above_two_has_their_mean_and_is_above_both() -> None:
    one = ((Fraction(1, 2), Fraction(-1)), (Fraction(1, 2), Fraction(1)))
    other = ((Fraction(2, 3), Fraction(-1, 2)), (Fraction(1, 3), Fraction(1)))
    found = paired_reports.least_above([one, other])
    assert sum(mass for mass, _ in found) == 1
    assert sum(mass * x for mass, x in found) == 0
    for law in (one, other):
        for t in (Fraction(k, 4) for k in range(-8, 9)):
            height = sum((mass * max(x - t, Fraction(0)) for mass, x in law), Fraction(0))
            assert height <= sum((mass * max(x - t, Fraction(0)) for mass, x in found), Fraction(0))


def test_a_cover_that_another_user_may_fall_below_is_refused() -> None:
    first, second = _QUARTERS
    with pytest.raises(DomainError, match="at most every other"):
        paired_reports.delta(
            n=2, first=first, second=second, cover={0: Fraction(1, 2), 1: Fraction(1, 4)}, others=[second], exp_epsilon=Fraction(1)
        )
    with pytest.raises(DomainError, match="at least 2"):
        paired_reports.delta(n=1, first=first, second=second, cover={}, others=[second], exp_epsilon=Fraction(1))
