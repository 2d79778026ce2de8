"""A randomizer judged by its distribution: exact where that is exact, sound for every distribution within the rounding where it is not."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st
from strategies import examples, rows

from shuffleproof.conformance.audit import distribution as auditing, distribution_file, shuffled
from shuffleproof.conformance.audit.distribution import Support
from shuffleproof.conformance.audit.distribution_file import RoundedDistribution
from shuffleproof.impl.ball.numeric import budget
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

TERNARY = (
    '{"format": "shuffleproof-law-1", "inputs": {"0": {"a": "1/2", "b": "1/4", "c": "1/4"}, "1": {"a": "1/4", "b": "1/2", "c": "1/4"}}}'
)


def stored(folder: Path, text: str, name: str = "law.json") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def distributions() -> st.SearchStrategy[RoundedDistribution]:
    return rows().map(
        lambda drawn: RoundedDistribution(
            inputs=tuple("xyz"[: len(drawn)]), outcomes=tuple("abc"[: len(drawn[0])]), rows=tuple(map(tuple, drawn)), rounding=Fraction(0)
        )
    )


def specified(law: RoundedDistribution) -> LocalRandomizer[str, str]:
    return LocalRandomizer(
        law.inputs, {x: Distribution(dict(zip(law.outcomes, row, strict=True))) for x, row in zip(law.inputs, law.rows, strict=True)}
    )


@examples(40)
@given(distribution=distributions())
def test_the_local_epsilon_of_an_exact_distribution_is_exact(distribution: RoundedDistribution) -> None:
    found = auditing.local(distribution)
    assert found.exp_epsilon.lower == found.exp_epsilon.upper == specified(distribution).exp_epsilon0()
    assert found.total_variation.lower == found.total_variation.upper


@examples(15)
@given(distribution=distributions(), n=st.integers(1, 3), exp_epsilon=st.fractions(1, 3, max_denominator=4))
def test_the_shuffled_delta_covers_every_neighbouring_pair(distribution: RoundedDistribution, n: int, exp_epsilon: Fraction) -> None:
    found = shuffled.shuffled(distribution, n=n, epsilon=parse_epsilon(f"ln {exp_epsilon}"))
    randomizer = specified(distribution)
    reached = [
        PrivacyProfile(shuffled_distribution(randomizer, [*others, x]), shuffled_distribution(randomizer, [*others, y])).delta(
            exp_epsilon=exp_epsilon
        )
        for others in ([z] * (n - 1) for z in distribution.inputs)
        for x in distribution.inputs
        for y in distribution.inputs
    ]
    assert found.delta.lower == found.delta.upper >= max(reached)


@examples(15)
@given(distribution=distributions(), n=st.integers(1, 4), epsilon=st.sampled_from(["0", "0.1", "ln 3/2"]))
def test_what_is_certified_for_many_users_holds_where_it_can_be_exhausted(distribution: RoundedDistribution, n: int, epsilon: str) -> None:
    """The optimal pair's side lies above the truth, and the homogeneous datasets' side below it."""
    order = parse_epsilon(epsilon)
    upper = max(shuffled._upper(parameters, n, order) for parameters in set(shuffled._parameters(distribution)))
    lower, _ = shuffled._lower(distribution, n, order)
    truth = shuffled.shuffled(distribution, n=n, epsilon=order).delta
    assert lower <= truth.upper
    assert upper >= truth.lower


@examples(60)
@given(distribution=distributions(), data=st.data())
def test_a_rounded_distribution_is_judged_for_every_distribution_within_the_rounding(
    distribution: RoundedDistribution, data: st.DataObject
) -> None:
    """Rounding to two places: the truth lies inside every interval, and no verdict is against it."""
    rounded = tuple(tuple(Fraction(round(p * 100), 100) for p in row) for row in distribution.rows)
    blurred = replace(distribution, rows=rounded, rounding=Fraction(1, 200))
    exact, found = auditing.local(distribution), auditing.local(blurred)
    for name in ("exp_epsilon", "total_variation", "blanket"):
        truth, interval = getattr(exact, name).upper, getattr(found, name)
        if truth is None:
            assert interval.upper is None
        else:
            assert interval.lower is None or interval.lower <= truth
            assert interval.upper is None or truth <= interval.upper
    limit = data.draw(st.fractions(1, 8, max_denominator=8))
    verdict = auditing.local_claim(found, parse_epsilon(f"ln {limit}"))
    assume(verdict is not Support.UNDECIDED)
    assert verdict is auditing.local_claim(exact, parse_epsilon(f"ln {limit}"))


def test_a_claim_that_holds_with_equality_is_supported(tmp_path: Path) -> None:
    found = auditing.local(distribution_file.read(stored(tmp_path, TERNARY)))
    assert auditing.local_claim(found, parse_epsilon("ln 2")) is Support.SUPPORTED
    assert auditing.local_claim(found, parse_epsilon("0.6931")) is Support.CONTRADICTED
    assert auditing.local_claim(found, parse_epsilon("0.6932")) is Support.SUPPORTED
    assert found.blanket.lower == Fraction(3, 4)


def test_a_rounded_distribution_can_leave_a_claim_undecided(tmp_path: Path) -> None:
    text = "input,outcome,probability\n0,a,0.7311\n0,b,0.2689\n1,a,0.2689\n1,b,0.7311\n"
    found = auditing.local(distribution_file.read(stored(tmp_path, text, "distribution.csv"), rounding="5e-5"))
    assert auditing.local_claim(found, parse_epsilon("1")) is Support.UNDECIDED
    assert auditing.local_claim(found, parse_epsilon("1.001")) is Support.SUPPORTED
    assert auditing.local_claim(found, parse_epsilon("0.999")) is Support.CONTRADICTED


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        ("", "law.json", "FILE"),
        ("[]", "law.json", "FILE"),
        ('{"format": "shuffleproof-law-1", "inputs": {}}', "law.json", "FILE"),
        (TERNARY.replace('"1/4"', "0.25"), "law.json", "FILE"),
        (TERNARY.replace('"a": "1/2"', '"a": "1/2", "a": "1/2"'), "law.json", "FILE"),
        (TERNARY.replace("1/2", "nan"), "law.json", "probability of 'a' at input '0'"),
        (TERNARY.replace("1/2", "-1/2"), "law.json", "probability of 'a' at input '0'"),
        (TERNARY.replace("1/2", "0.5000001"), "law.json", "sum of the distribution at input '0'"),
        ("a,b,c\n", "distribution.csv", "FILE"),
        ("input,outcome,probability\n", "distribution.csv", "FILE"),
        ("input,outcome,probability\n0,a\n", "distribution.csv", "line 2"),
        ("input,outcome,probability\n0,a,1\n", "distribution.csv", "FILE"),
        ('input,outcome,probability\n0,"a,1\n', "distribution.csv", "line 2"),
        ("input,outcome,probability\n0," + "a" * 1000 + ",2\n", "distribution.csv", f"probability of '{'a' * 39}…' at input '0'"),
        ("input,outcome,probability\n0,a,1/2\n0,a,1/2\n", "distribution.csv", "line 3"),
        (TERNARY, "law.txt", "FILE"),
    ],
)
def test_what_is_no_distribution_is_refused_by_its_place(tmp_path: Path, text: str, name: str, place: str) -> None:
    with pytest.raises(DomainError) as refused:
        distribution_file.read(stored(tmp_path, text, name))
    assert refused.value.parameter.removeprefix(f"{tmp_path / name}, ") == place


def test_a_rounding_that_does_not_explain_the_sum_is_refused(tmp_path: Path) -> None:
    text = "input,outcome,probability\n0,a,0.73\n0,b,0.26\n1,a,0.5\n1,b,0.5\n"
    with pytest.raises(DomainError, match="sum"):
        distribution_file.read(stored(tmp_path, text, "distribution.csv"), rounding="0.004")
    assert distribution_file.read(stored(tmp_path, text, "distribution.csv"), rounding="0.005").rounding == Fraction(1, 200)
    with pytest.raises(DomainError, match="rounding"):
        distribution_file.read(stored(tmp_path, text, "distribution.csv"), rounding="-1")


def test_a_file_without_end_or_of_bytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = tmp_path / "distribution.csv"
    endless.symlink_to("/dev/zero")
    monkeypatch.setattr(distribution_file, "_LARGEST_FILE", 1000)
    with pytest.raises(DomainError, match="at most 1000 bytes"):
        distribution_file.read(endless)
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"input,outcome,probability\n\xff")
    with pytest.raises(DomainError, match="FILE = byte 26: must be CSV in UTF-8"):
        distribution_file.read(binary)


def test_many_inputs_and_outcomes_are_judged_in_bounded_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not every pair is compared, the one triple of parameters lies above that of every pair."""
    shares = [Fraction(at, 60) for at in range(10, 40)]
    law = RoundedDistribution(
        inputs=tuple(map(str, shares)), outcomes=("a", "b"), rows=tuple((p, 1 - p) for p in shares), rounding=Fraction(0)
    )
    exact = list(shuffled._parameters(law))
    monkeypatch.setattr(shuffled, "_MOST_COMPARISONS", 100)
    (coarse,) = shuffled._parameters(law)
    assert all(shuffled._above(coarse, one) for one in exact)
    assert not shuffled._above(exact[0], coarse)
    needed = shuffled._needed(iter(exact))
    assert len(needed) <= shuffled._MOST_PARAMETERS
    assert all(any(shuffled._above(kept, one) for kept in needed) for one in exact)
    wide = RoundedDistribution(
        inputs=("x", "y"), outcomes=tuple(map(str, range(20_000))), rows=((Fraction(1, 20_000),) * 20_000,) * 2, rounding=Fraction(0)
    )
    assert shuffled.shuffled(wide, n=50, epsilon=parse_epsilon("0.1")).delta.upper == 0


def test_a_distribution_that_would_take_too_long_is_over_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    law = RoundedDistribution(inputs=("x", "y"), outcomes=("a", "b"), rows=((Fraction(1, 2), Fraction(1, 2)),) * 2, rounding=Fraction(0))
    assert [distance for _, _, distance in auditing.distances(law)] == [0]
    monkeypatch.setattr(auditing, "_MOST_COMPARISONS", 1)
    with pytest.raises(ResourceLimitError):
        auditing.local(law)


@examples(30)
@given(distribution=distributions())
def test_long_denominators_are_compared_as_they_are(distribution: RoundedDistribution) -> None:
    with pytest.MonkeyPatch.context() as patch:
        short = list(auditing.distances(distribution))
        patch.setattr(auditing, "_SHORT", 0)
        assert auditing.common_denominator(distribution.rows) is None
        assert list(auditing.distances(distribution)) == short


TEN = RoundedDistribution(
    inputs=("x", "y"),
    outcomes=tuple(map(str, range(10))),
    rows=(tuple(Fraction(9 + i, 135) for i in range(10)), tuple(Fraction(18 - i, 135) for i in range(10))),
    rounding=Fraction(0),
)


def test_ten_outcomes_and_a_thousand_users_are_known_from_both_sides() -> None:
    """Neither all datasets nor one exact distribution of so many users are affordable: the whole distribution speaks, on a grid."""
    found = shuffled.shuffled(TEN, n=1000, epsilon=parse_epsilon("1/50"))
    assert found.delta.at_most(found.delta.lower * Fraction(99, 100)) is Support.CONTRADICTED
    assert found.delta.at_most(found.delta.upper) is Support.SUPPORTED
    assert found.delta.upper < 2 * found.delta.lower
    assert "any-law-below" in found.how_lower


def test_a_whole_distribution_that_costs_more_than_one_answer_may_is_left_to_its_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST", 10_000)  # of the 100,000 units that these grids take, and the pair's sums 2,000
    found = shuffled.shuffled(TEN, n=1000, epsilon=parse_epsilon("1/50"))
    assert "ThmF3" in found.how_upper
    assert "any-law-below" not in found.how_lower


def test_rounded_probabilities_contradict_what_no_distribution_within_the_rounding_keeps() -> None:
    rounded = replace(TEN, rounding=Fraction(1, 10**9))
    exact, found = (shuffled.shuffled(law, n=1000, epsilon=parse_epsilon("1/50")) for law in (TEN, rounded))
    assert 0 < found.delta.lower < exact.delta.lower
    nothing = shuffled.shuffled(replace(TEN, rounding=Fraction(1, 10**4)), n=1000, epsilon=parse_epsilon("1/50"))
    assert nothing.delta.lower == 0
    assert "rounding" in nothing.how_lower


@examples(5)
@given(distribution=distributions(), n=st.integers(2, 3), exp_epsilon=st.fractions(1, 3, max_denominator=4))
def test_where_not_everything_is_affordable_the_ends_hold_the_truth(
    distribution: RoundedDistribution, n: int, exp_epsilon: Fraction
) -> None:
    """All datasets say what lies between: without them, and written with a rounding that the truth keeps."""
    epsilon = parse_epsilon(f"ln {exp_epsilon}")
    truth = shuffled._exhausted(distribution, n, epsilon).delta.lower
    for law in (distribution, replace(distribution, rounding=Fraction(1, 10**6))):
        assert shuffled._lower_side(law, n, epsilon)[0] <= truth <= shuffled._upper_side(law, n, epsilon)[0]
