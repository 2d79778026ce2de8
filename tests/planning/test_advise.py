"""`shuffleproof advise`: every number in the table is an upper bound, at a setting that meets the target."""

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from commands import ended
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.bounds import answer
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair, optimal_parameters
from shuffleproof.impl.ball.calibration import frequency as clones_calibration, histogram as two_bins
from shuffleproof.impl.fast.bounds.variation_ratio import optimal_parameters as optimal_parameters_fast
from shuffleproof.impl.release import accuracy
from shuffleproof.planning.advise import frequencies, local, noise, sums
from shuffleproof.planning.advise.advice import advise
from shuffleproof.planning.advise.choice import Advice, Choice, considered, ranked
from shuffleproof.planning.advise.local import Target
from shuffleproof.proofs_check.papers.csuzz19.lower_bounds.section6_coordinates import two_entries
from shuffleproof.spec.bounds.sums import bit_sum as bit_sum_profile
from shuffleproof.spec.protocols import bit_sum, frequency, histogram, zero_sum
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.numerals import decimal_text, parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import named

ONE = Fraction(1)
advice = functools.cache(advise)
OF_TWENTY: dict[str, dict[str, int]] = {"krr": {"k": 20}, "rappor": {}, "asymmetric-rappor": {}}
SMALL = {"n": 2000, "epsilon": 1, "delta": "1e-6"}


def of(choices: Sequence[Choice], name: str) -> Choice:
    return next(each for each in choices if each.name == name)


def error(choice: Choice) -> Fraction:
    assert choice.error is not None
    return choice.error


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    return ended(capsys, "advise", *arguments)[:2]


def test_one_message_randomizers_meet_the_target_at_their_epsilon0_and_have_that_error() -> None:
    """Asked again: the bound named in the row at the row's own setting, and the exact error a little below and above the epsilon0."""
    found = advice(task="frequencies", k=20, **SMALL).choices
    for name, short in (("k-rr", "krr"), ("rappor", "rappor"), ("hadamard", "hadamard"), ("k-subset", "subset")):
        row = of(found, name)
        epsilon0 = Fraction(row.settings["epsilon0"])
        own = {"k": 20}
        if name == "hadamard":
            own["blocks"] = int(row.settings["blocks"])
        if name == "k-subset":
            own["d"] = int(row.settings["subset_size"])
        if row.statement == local.OWN_PARAMETERS:
            reached = optimal_parameters.delta(n=2000, randomizer=named(short, **own), epsilon0=epsilon0, epsilon=1, digits=8)
        elif short == "krr":
            assert row.statement == local.distribution_of(named(short, **own))
            reached = answer(
                quantity="delta", parameters={"n": 2000, "k": 20, "epsilon0": epsilon0, "epsilon": 1}, method="k-rr-blanket", digits=8
            ).bound
        elif row.statement == local.distribution_of(named(short, **own)):
            parameters = {"n": 2000, "randomizer": short, **own, "epsilon0": epsilon0, "epsilon": 1}
            reached = answer(quantity="delta", parameters=parameters, method="blanket", engine="fast").bound
        else:
            reached = stronger_clones.delta(n=2000, epsilon0=epsilon0, epsilon=1, digits=8)
        assert reached.upper <= Fraction(1, 10**6)
        assert row.messages == 1
    row = of(found, "k-rr")
    T = parse_epsilon(row.settings["epsilon0"]).exp_bounds(bits=128)[0]
    exact = frequency.support_error(k=20, own=T / (T + 19), other=1 / (T + 19), n=2000)
    assert exact * (1 - Fraction(1, 10**12)) <= error(row) <= exact * (1 + Fraction(1, 10**12))


def test_a_randomizers_own_parameters_allow_more_than_epsilon0_alone() -> None:
    target = Target(2000, parse_epsilon(1), Fraction(1, 10**6))
    known = local.for_any(target)
    own = local.for_one(target, randomizer=named("asymmetric-rappor"), known=known)
    assert own.epsilon0 > known * Fraction(11, 10)
    assert own.standing == "certified"
    more = replace(own, epsilon0=own.epsilon0 * Fraction(101, 100))
    assert not local.meets(target, more, randomizer=named("asymmetric-rappor"))


def test_an_epsilon0_is_never_taken_where_the_bound_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(**_: object) -> None:
        raise ResourceLimitError(what="the pair", needed="more", limit="less")

    monkeypatch.setattr(optimal_parameters, "delta", refuses)
    target = Target(2000, parse_epsilon(1), Fraction(1, 10**6))
    found = local.for_one(target, randomizer=named("rappor"), known=Fraction(3))
    assert found.standing == "sound", "float64 alone has answered"
    assert local.confirmed(target, found, randomizer=named("rappor")) == found
    monkeypatch.setattr(optimal_parameters_fast, "delta", refuses)
    assert local.for_one(target, randomizer=named("rappor"), known=Fraction(3)) is None


def test_noise_for_many_users_is_a_millionth_more_than_the_least_and_confirmed_by_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: float64's word alone; the profile of fewer clones."""
    target = Target(10**7, parse_epsilon(1), Fraction(1, 10**6))
    found = frequencies._noise_by_pairs(target)
    least = two_bins.calibrate(n=10**7, epsilon=1, delta="1e-6").value
    assert least <= found <= least * (1 + Fraction(2, 10**6))
    any_randomizer = clones_calibration.calibrate(randomizer="k-rr", n=10**7, k=2, epsilon=1, delta="1e-6")
    assert any_randomizer.value * (1 - Fraction(1, 10**7)) <= local.for_any(target) <= any_randomizer.fails_at
    decided = optimal_pair.delta
    monkeypatch.setattr(optimal_pair, "delta", lambda **asked: replace(decided(**asked), upper=ONE))
    assert frequencies._noise_by_pairs(target) is None, "balls do not confirm it"


def test_small_numbers_of_users_get_what_balls_alone_find() -> None:
    target = Target(1000, parse_epsilon(1), Fraction(1, 10**6))
    known = local.for_any(target)
    found = {name: local.for_one(target, randomizer=named(name, **own), known=known) for name, own in OF_TWENTY.items()}
    assert {name: (decimal_text(one.epsilon0, digits=6, direction="down"), one.standing) for name, one in found.items() if one} == {
        "krr": ("3.53268", "certified"),
        "rappor": ("3.46043", "certified"),
        "asymmetric-rappor": ("3.69525", "certified"),
    }


def test_whole_distributions_allow_more_than_the_three_parameters_and_say_what_they_rest_on() -> None:
    """By float64, confirmed by balls for k-ary response; two items over all datasets."""
    target = Target(1000, parse_epsilon(1), Fraction(1, 10**6))
    known = Fraction("3.53268")
    more = local.by_distribution(target, randomizer=named("krr", k=20), known=known)
    assert more.epsilon0 > known * Fraction(102, 100)
    asked = {"n": 1000, "k": 20, "epsilon0": more.epsilon0, "epsilon": 1}
    assert answer(quantity="delta", parameters=asked, method="k-rr-blanket").bound.upper <= target.delta
    two = named("subset", k=2, d=1)
    found = local.by_distribution(target, randomizer=two, known=local.for_any(target))
    asked = {"n": 1000, "k": 2, "epsilon0": found.epsilon0, "epsilon": 1}
    assert answer(quantity="delta", parameters=asked, method="k-rr-exhaustive", engine="ball", digits=3).bound.upper <= target.delta
    assert (local.distribution_of(two), local.distribution_of(named("krr", k=20))) == ("FMT21.Sec4.1.all-pairs", "BEYOND.any-law-above")
    assert local.by_distribution(target, randomizer=named("krr", k=20), known=more.epsilon0) is None


@pytest.mark.parametrize(("epsilon", "how", "engine"), [("0.01", "sound", "fast"), ("1", "certified", "auto")])
def test_a_million_users_get_the_larger_epsilon0_of_the_pair(epsilon: str, how: str, engine: str) -> None:
    """Asked of the method itself: met at the epsilon0 of the row, missed at one that is 1 % larger, and nowhere near it by the clones."""
    target = Target(10**6, parse_epsilon(epsilon), Fraction(1, 10**6))
    known = local.for_any(target)
    row = frequencies._own(target, "k-rr", 20, ONE, known)
    assert (row.statement, row.standing) == (local.OWN_PARAMETERS, how)
    epsilon0 = Fraction(row.settings["epsilon0"])
    assert epsilon0 > known * (Fraction(5, 4) if how == "sound" else 1)

    def reached(at: Fraction) -> Bound:
        asked = {"n": 10**6, "randomizer": "krr", "k": 20, "epsilon0": at, "delta": "1e-6"}
        return answer(quantity="epsilon", method="randomizer-pair", parameters=asked, engine=engine).bound

    assert reached(epsilon0).upper <= Fraction(epsilon)
    assert reached(epsilon0 * Fraction(10001, 10000)).lower > Fraction(epsilon), "it is the largest, to a ten-thousandth"
    more = local.Allowed(epsilon0 * Fraction(101, 100), "sound")
    assert not local.meets(target, more, randomizer=named("krr", k=20))
    T = parse_epsilon(epsilon0).exp_bounds(bits=128)[0]
    assert error(row) >= frequency.support_error(k=20, own=T / (T + 19), other=1 / (T + 19), n=10**6) * (1 - Fraction(1, 10**12))


def test_a_setting_that_only_floats_have_checked_says_so() -> None:
    sure = Choice(name="bit sum", statement="CSUZZ19.Def3.4.bit-sum", error=ONE, messages=1, bits=1)
    floats = replace(sure, name="k-rr", statement=local.OWN_PARAMETERS, standing="sound")
    both, alone = (Advice(task="t", measure="error", choices=each, inputs={}) for each in ((sure, floats), (sure,)))
    header, *rows = str(both).splitlines()[1:]
    assert header.endswith('certified to meet the target, or sound in float64 where it says "sound":')
    assert [row.endswith(", sound") for row in rows] == [False, True]
    assert "sound" not in str(alone)
    record = json.loads(json.dumps(both.as_json()))
    assert [each["standing"] for each in record["choices"]] == ["certified", "sound"]


def test_the_size_of_the_subsets_follows_the_larger_epsilon0() -> None:
    """A larger epsilon0 makes smaller subsets best, which allow a larger one still."""
    target = Target(10**8, parse_epsilon("0.01"), Fraction(1, 10**6))
    row = frequencies._own(target, "k-subset", 1000, ONE, local.for_any(target))
    size, epsilon0 = int(row.settings["subset_size"]), Fraction(row.settings["epsilon0"])
    asked_for = {"randomizer": named("subset", k=1000, d=size)}
    assert local.meets(target, local.Allowed(epsilon0, "sound"), randomizer=named("subset", k=1000, d=size))
    larger = optimal_parameters_fast.delta(n=10**8, epsilon0=epsilon0 * Fraction(1001, 1000), epsilon="0.01", **asked_for)
    assert larger.lower > target.delta


@examples(40)
@given(n=st.integers(1, 9), numerator=st.integers(1, 8))
def test_the_zero_sums_error_bound_holds_on_every_dataset_and_the_unbiased_one_is_exact(n: int, numerator: int) -> None:
    """Against the exact distribution of the analyzer's output for every number of ones."""
    g = Fraction(numerator, 16)
    m, p = n * g, 1 - g
    bound = 2 * m * (1 - g) + m**2
    for ones in range(n + 1):
        law = zero_sum.estimate_distribution(n=n, p=p, ones=ones)
        assert sum(weight * (n * value - ones) ** 2 for value, weight in law.items()) <= bound
        sent = zero_sum.messages_distribution(n=n, p=p, ones=ones)
        assert sum(weight * (y - n * p - ones) ** 2 for y, weight in sent.items()) == m * (1 - g)


def test_the_thresholded_error_is_not_that_of_the_unbiased_estimate() -> None:
    """What the bound is for: with m = 4 expected missing messages, a count of 3 is off by far more than the variance."""
    n, p = 8, Fraction(1, 2)
    law = zero_sum.estimate_distribution(n=n, p=p, ones=3)
    assert sum(weight * (n * value - 3) ** 2 for value, weight in law.items()) > n * p * (1 - p)


def test_histogram_rows_bound_the_exact_distribution_of_the_protocol() -> None:
    target = Target(4, parse_epsilon(2), Fraction(1, 4))
    found = frequencies.choices(target, k=2, unit=Fraction(16))
    own, unbiased = of(found, "P^hist"), of(found, "P^hist, unbiased")
    g = Fraction(own.settings["n (1 - p)"]) / 4
    for ones in range(5):
        dataset = [1] * ones + [2] * (4 - ones)
        law = histogram.estimates_distribution(dataset, d=2, p=1 - g)
        truth = histogram.counts(dataset, d=2)
        assert sum(w * sum((4 * e - c) ** 2 for e, c in zip(each, truth, strict=True)) for each, w in law.items()) <= error(own)
    assert error(unbiased) == 2 * 4 * g * (1 - g)
    assert (own.messages, own.expected_messages, own.bits) == (3, 1 + 2 * (1 - g), 1)


def test_bit_sums_of_all_bins_meet_the_target_exactly_and_have_that_error() -> None:
    """The exact least delta over all neighbours at the whole epsilon, two bins changed, at the lambda of eps/2 and delta/2."""
    target = Target(6, parse_epsilon("ln 9"), Fraction(1, 4))
    row = of(frequencies.choices(target, k=3, unit=Fraction(36)), "bit sum of every bin")
    lam = Fraction(row.settings["lambda"])
    assert two_entries(n=6, lam=lam, order=Fraction(9)) <= target.delta
    assert bit_sum_profile.worst_ones(n=6, lam=lam, exp_epsilon=Fraction(3))[0] <= target.delta / 2
    assert bit_sum_profile.worst_ones(n=6, lam=lam * Fraction(9, 10), exp_epsilon=Fraction(3))[0] > target.delta / 2
    assert error(row) == 3 * bit_sum.mean_squared_error(n=6, lam=lam)
    assert (row.messages, row.expected_messages, row.bits) == (3, 3, 3)


def test_bit_sums_of_all_bins_that_say_nothing_are_excluded() -> None:
    target = Target(3, parse_epsilon("1/100"), Fraction(1, 10**9))
    row = of(frequencies.choices(target, k=3, unit=ONE), "bit sum of every bin")
    assert row.error is None or error(row) > 1
    nothing = of(frequencies.choices(Target(2, parse_epsilon(0), Fraction(1, 10**9)), k=2, unit=ONE), "bit sum of every bin")
    assert nothing.excluded is not None


def test_why_the_user_level_protocol_is_not_among_them(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--task", "histogram", "-n", "500", "--d", "4", "--eps", "1", "--delta", "1e-4"]
    _, text = asked(capsys, *arguments)
    assert text.strip().splitlines()[-1].startswith("  not among these: LSZKG22's protocol, which does another task")
    (row,) = (line for line in text.splitlines() if line.startswith("  bit sum of every bin"))
    assert "; 4 messages of 3 bits; trusts a shuffler; lambda = " in row
    _, printed = asked(capsys, *arguments, "--format", "json")
    assert "run user-histogram" in json.loads(printed)["left_out"]
    _, printed = asked(capsys, "--task", "bit-sum", "-n", "500", "--eps", "1", "--delta", "1e-4", "--format", "json")
    assert json.loads(printed)["left_out"] is None


def test_counts_are_frequencies_times_n() -> None:
    target = Target(200, parse_epsilon(2), Fraction(1, 1000))
    for share, total in zip(
        frequencies.choices(target, k=3, unit=ONE), frequencies.choices(target, k=3, unit=Fraction(40000)), strict=True
    ):
        assert (share.name, error(share) * 40000) == (total.name, error(total))


def test_the_bit_sums_error_is_the_exact_one_of_its_lambda() -> None:
    row = of(advice(task="bit-sum", **SMALL).choices, "bit sum")
    lam = Fraction(row.settings["lambda"])
    assert error(row) == bit_sum.mean_squared_error(n=2000, lam=lam)
    T = parse_epsilon(row.settings["epsilon0"]).exp_bounds(bits=64)[0]
    assert (4000 - lam) / lam <= T, "the randomizer is epsilon0-DP with the epsilon0 that is shown"


def test_randomized_responses_error_is_the_bit_sums_at_the_lambda_with_that_epsilon0() -> None:
    for T in (2, 3, 17):
        exact = bit_sum.mean_squared_error(n=100, lam=Fraction(200, T + 1))
        assert accuracy.randomized_response_error(n=100, epsilon0=parse_epsilon(f"ln {T}")) == exact


def test_the_bit_sum_by_its_own_profile_beats_it_as_any_randomizer() -> None:
    found = advice(task="bit-sum", **SMALL)
    assert error(of(found.choices, "bit sum")) < error(of(found.choices, "randomized response, as any randomizer"))
    assert (found.best.name, found.best.trust) == ("split and mix", "a shuffler")
    few = next(each for each in found.choices if each.trust == "a shuffler" and (each.messages or 9) <= 2)
    assert few.name == "zero sum, unbiased"
    central, parts = (error(of(found.choices, f"discrete Laplace noise{name}")) for name in (", central", " in parts"))
    assert central == parts <= error(found.best)
    assert error(of(found.choices, "discrete Gaussians from everybody")) < error(of(found.choices, "binomial noise, secure aggregation"))


def test_the_real_sum_takes_as_many_bits_as_rounding_needs() -> None:
    found = advice(task="real-sum", n=300, epsilon=1, delta="1e-4")
    best = next(each for each in found.choices if each.statement == sums.REAL_SUM)
    assert best.name.startswith("real sum, ")
    assert best.messages in sums.runs_to_try(Target(300, parse_epsilon(1), Fraction(1, 10**4)))
    assert of(found.choices, "real sum, tagged").excluded is not None
    assert error(of(found.choices, "Laplace noise")) < error(of(found.choices, "Laplace noise, without shuffling")) == 600


def test_at_a_large_delta_gaussian_noise_is_guessed_by_its_total_variation() -> None:
    """2 Phi(1/(2 sigma)) - 1 <= delta at the guess, whatever epsilon is; elsewhere the guess is that of small tails."""
    for delta in (Fraction(1, 2), Fraction(1, 10)):
        deviation = math.sqrt(noise.about(Target(100, parse_epsilon("1e-3"), delta)))
        assert math.erf(1 / (2 * math.sqrt(2) * deviation)) <= delta
        assert deviation < 10
    assert noise.about(Target(100, parse_epsilon(1), Fraction(1, 10**6))) > 28


def test_very_many_users_get_as_many_bits_as_they_need_or_as_any_bound_takes() -> None:
    assert sums.runs_to_try(Target(10**8, parse_epsilon(1), Fraction(1, 10**6))) == (1, 2048, 4096)
    assert sums.runs_to_try(Target(10**9 - 1, parse_epsilon(4), Fraction(1, 10**6))) == (1, 10_000)
    assert sums.runs_to_try(Target(1000, parse_epsilon(1), Fraction(1, 10**6))) == (1, 8, 16)
    assert of(sums.of_numbers(Target(300, parse_epsilon(1), Fraction(1, 10**4))), "real sum, 8 bits a user").note is None


def test_errors_are_printed_so_that_no_zeros_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    _, text = asked(capsys, "--task", "frequencies", "-n", "20000", "--k", "3", "--eps", "2", "--delta", "1e-4")
    (row,) = (line for line in text.splitlines() if line.startswith("  k-rr "))
    shown = row.split("<= ")[1].split(";")[0]
    exact = error(of(advice(task="frequencies", n=20000, epsilon=2, delta="1e-4", k=3).choices, "k-rr"))
    assert "e-" in shown
    assert exact <= Fraction(shown) <= exact * Fraction(10001, 10000)


def test_a_limit_on_messages_excludes_with_its_reason() -> None:
    free, limited = (advice(task="histogram", d=50, most_messages=most, **SMALL) for most in (None, 1))
    assert (free.best.name, limited.best.messages) == ("split and mix", 1)
    few = next(each for each in free.choices if each.trust == "a shuffler" and (each.messages or 99) <= 51)
    assert few.name == "P^hist, unbiased"
    assert of(limited.choices, "P^hist").excluded == "it may send 51 messages a user; at most 1 are allowed"
    assert [each.excluded is None for each in limited.choices] == sorted((each.excluded is None for each in limited.choices), reverse=True)


def test_the_order_is_by_error_and_a_choice_without_one_needs_a_reason() -> None:
    row = Choice(name="a", statement="s", error=ONE, messages=1)
    assert [each.name for each in ranked([row, replace(row, name="b", error=ONE / 2)], most_messages=None)] == ["b", "a"]
    with pytest.raises(ValueError, match="a choice has an error"):
        Choice(name="a", statement="s")

    def fails() -> list[Choice]:
        raise ResourceLimitError(what="sums", needed="much", limit="less")

    (excluded,) = considered("c", "s", fails)
    assert "less" in (excluded.excluded or "")


def test_unattainable_targets_leave_the_choices_that_need_no_shuffling() -> None:
    """Two users and a tiny delta: no noise of the zero sum is enough; at epsilon 0 nothing can be sent without shuffling either."""
    found = advice(task="bit-sum", n=2, epsilon="0.1", delta="1e-12")
    assert "the target fails at n/2" in (of(found.choices, "zero sum").excluded or "")
    nothing = advice(task="bit-sum", n=1, epsilon=0, delta="1e-12")
    assert of(nothing.choices, "randomized response, without shuffling").excluded is not None


def test_the_command_line_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--task", "frequencies", "-n", "2000", "--k", "20", "--eps", "1", "--delta", "1e-6"]
    code, text = asked(capsys, *arguments)
    assert code == ExitCode.ANSWERED
    assert text.startswith("frequencies: ")
    code, printed = asked(capsys, *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(printed)
    assert found["advice"] == next(row["name"] for row in found["choices"] if row["trust"] == "a shuffler")
    errors = [Fraction(row["error_at_most"]) for row in found["choices"] if row["excluded"] is None]
    assert errors == sorted(errors)
    exact = {each.name: each.error for each in advice(task="frequencies", k=20, **SMALL).choices}
    assert all(Fraction(row["error_at_most"]) >= (exact[row["name"]] or 0) for row in found["choices"])


def test_nothing_to_advise_is_a_negative_answer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "of_bits", lambda _target: [Choice(name="bit sum", statement="s", excluded="too many terms")])
    code, text = asked(capsys, "--task", "bit-sum", "-n", "1", "--eps", "0", "--delta", "1e-9")
    assert code == ExitCode.NEGATIVE
    assert "nothing that is known here meets the target" in text
    assert "excluded: too many terms" in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"task": "median"},
        {"task": "frequencies"},
        {"task": "frequencies", "k": 1},
        {"task": "frequencies", "k": 2, "d": 2},
        {"task": "histogram", "k": 2},
        {"task": "bit-sum", "k": 2},
        {"task": "bit-sum", "n": 0},
        {"task": "bit-sum", "n": 10**9 + 1},
        {"task": "bit-sum", "delta": 0},
        {"task": "bit-sum", "delta": 1},
        {"task": "bit-sum", "epsilon": -1},
        {"task": "bit-sum", "most_messages": 0},
    ],
)
def test_bad_input_is_refused_before_any_work(wrong: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        advice(**({"n": 10, "epsilon": 1, "delta": "1e-6"} | wrong))


def test_the_search_ends_close_to_the_target_in_a_few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target(2000, parse_epsilon(1), Fraction(1, 10**6))
    known = local.for_any(target)
    asked_at: list[Fraction] = []
    decide = local._excess

    def counted(target: Target, *, epsilon0: Fraction, **named: Any) -> float:
        asked_at.append(epsilon0)
        return decide(target, epsilon0=epsilon0, **named)

    monkeypatch.setattr(local, "_excess", counted)
    own = local.for_one(target, randomizer=named("krr", k=100), known=known)
    assert len(asked_at) <= 8
    reached = optimal_parameters.delta(n=2000, randomizer=named("krr", k=100), epsilon0=own.epsilon0, epsilon=1, digits=8)
    assert Fraction(9, 10**7) < reached.upper <= Fraction(1, 10**6)


def test_what_is_not_shuffled_stands_beside_and_is_not_advised() -> None:
    """Discrete Laplace and binomial noise under secure aggregation, with who is trusted; their errors are those of their distributions."""
    found = advice(task="bit-sum", n=500, epsilon=1, delta="1e-4")
    assert found.best.trust == "a shuffler"
    other = {each.name: each for each in found.choices if each.trust == "a secure aggregation"}
    laplace, binomial = other["discrete Laplace noise in parts"], other["binomial noise, secure aggregation"]
    a = math.exp(-float(laplace.settings["epsilon0"]))
    assert float(laplace.error) == pytest.approx(2 * a / (1 - a) ** 2)
    (shuffled,) = (each for each in found.choices if each.name == "zero sum, unbiased")
    assert binomial.error == shuffled.error
    assert (binomial.messages, shuffled.messages) == (1, 2)


def test_noise_of_everybody_meets_the_target_at_its_own_setting_for_bits_numbers_and_bins() -> None:
    """Asked again of each method; a number is rounded to the grid, which adds at most n/(4 scale^2), and a bin gets half of the target."""
    n, per_bin = 400, {"epsilon": "1/2", "delta": Fraction(1, 20000)}
    whole = {"epsilon": 1, "delta": Fraction(1, 10000)}
    of_task = {name: advice(task=name, n=n, epsilon=1, delta="1e-4").choices for name in ("bit-sum", "real-sum")}
    of_task["histogram"] = advice(task="histogram", n=n, epsilon=1, delta="1e-4", d=3).choices
    for task, found in of_task.items():
        goal, bins = (per_bin, 3) if task == "histogram" else (whole, 1)
        rounding = Fraction(n, 4) if task == "real-sum" else Fraction(0)
        own = {key: key for key in ("epsilon0", "variance", "coins", "p", "messages")} | {"messages for each bin": "messages"}
        for name, method in (
            ("discrete Laplace noise in parts", "laplace-sum"),
            ("split and mix", "split-and-mix"),
            ("discrete Gaussians from everybody", "discrete-gaussian-sum"),
            *([("coins from everybody", "binomial-sum")] if task != "histogram" else []),
        ):
            row = of(found, name)
            parameters = {own[key]: row.settings[key] for key in own if key in row.settings}
            if "modulus" in row.settings:
                parameters["modulus"] = str(2 ** int(row.settings["modulus"].removeprefix("2^")))
            scale = Fraction(row.settings.get("scale", "1"))
            asked = {"n": n, "sensitivity": int(scale), **parameters, "epsilon": goal["epsilon"]}
            reached = answer(quantity="delta", method=method, parameters=asked, engine="ball", digits=6).bound
            assert reached.upper <= goal["delta"], (task, name)
            a = math.exp(-float(Fraction(row.settings.get("epsilon0", "1")) / scale))
            noise = {"laplace-sum": 2 * a / (1 - a) ** 2, "split-and-mix": 2 * a / (1 - a) ** 2}.get(method)
            if method == "binomial-sum":
                noise = n * int(row.settings["coins"]) / 4
            if method == "discrete-gaussian-sum":
                noise = float(n * Fraction(row.settings["variance"]))
            assert float(error(row)) == pytest.approx(bins * (noise + float(rounding)) / float(scale) ** 2, rel=1e-9)
    split = of(of_task["histogram"], "split and mix")
    assert split.messages == 3 * int(split.settings["messages for each bin"])


def test_few_fake_users_are_the_fewest_and_their_noise_is_that_of_their_coins() -> None:
    found = advice(task="histogram", n=400, epsilon=1, delta="1e-4", d=3).choices
    row = of(found, "P^hist, few fake users")
    fakes = int(row.settings["fakes"])
    asked = {"n": 400, "p": "1/2", "epsilon": 1}
    more, fewer = (answer(quantity="delta", method="fake-users", parameters={**asked, "fakes": each}).bound for each in (fakes, fakes - 1))
    assert more.upper <= Fraction(1, 10000) < fewer.lower
    assert error(row) == Fraction(3 * fakes, 4)
    assert (row.trust, row.messages) == ("a shuffler that adds messages", 1)
    summed, shuffled = of(found, "binomial noise, secure aggregation"), of(found, "P^hist, unbiased")
    assert (summed.error, summed.messages, summed.bits) == (shuffled.error, 1, 3 * 10)


def test_noise_that_nobody_certifies_within_seconds_is_excluded_with_its_reason() -> None:
    loose = Target(5, parse_epsilon(1000), Fraction(1, 10**6))
    rows = {each.name: each.excluded for each in noise.of_everybody(loose, noise.BITS)}
    assert rows["discrete Laplace noise in parts"] is None
    assert "above epsilon = 50" in (rows["discrete Gaussians from everybody"] or "")
    tight = Target(5, parse_epsilon("1e-9"), Fraction(1, 10**6))
    rows = {each.name: each.excluded for each in noise.of_everybody(tight, noise.BITS)}
    assert "a variance of each user above 10^9" in (rows["coins from everybody"] or "")
    (row,) = (each for each in frequencies.choices(tight, k=2, unit=ONE) if each.name == "P^hist, few fake users")
    assert "not searched here" in (row.excluded or "")
