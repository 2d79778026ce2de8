"""Plans: what is counted, against answers of the objects; what cannot be is refused with its place."""

import math
import tomllib
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from commands import output_of

from shuffleproof import AnyRandomizer, AsymmetricCoordinateSums, BitSum, CoordinateSums, RealSum, ZeroSum, shuffled
from shuffleproof.accounting import profile_by_chords
from shuffleproof.command_line import plan as plan_command
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.planning.composition import compose
from shuffleproof.planning.plan import evaluation, limits
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.limits import largest_epsilon0, least_users, most_repeats, require_askable
from shuffleproof.planning.plan.reading import parsed, read
from shuffleproof.planning.plan.schema import EXAMPLE, Plan
from shuffleproof.planning.plan.utility import Utility, utility
from shuffleproof.report.plan_page import page
from shuffleproof.spec.vocabulary.errors import DomainError, ShuffleproofError, UnsupportedError

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "plans"
QUESTION = {"name": "q", "randomizer": "any", "epsilon0": 1}
ROUND = {"name": "r", "users": 1000, "questions": [QUESTION]}
CONTENT: dict[str, Any] = {"relation": "one-user", "target": {"epsilon": 1, "delta": "1e-6"}, "rounds": [ROUND]}
ALONE = shuffled(AnyRandomizer(epsilon0=1), n=1000).epsilon(delta="1e-6")


@pytest.fixture(autouse=True)
def _few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take fewer points of a profile by first arrival than usual, which is looser: each takes half a second."""
    monkeypatch.setattr(profile_by_chords, "OF_SLOW", (4, 2.0))


def plan(**changes: Any) -> Plan:
    """The plan of one round and one question, with other entries in the round."""
    return parsed({**CONTENT, "rounds": [{**ROUND, **changes}]})


def test_one_round_of_one_question_is_the_objects_answer() -> None:
    found = evaluate(plan())
    assert found.upper == ALONE.upper.upper
    assert found.lower == ALONE.lower.lower
    assert found.met is True


def test_many_rounds_lose_more_than_one_from_below_too() -> None:
    found = evaluate(plan(repeat=9, participations=9, questions=[{**QUESTION, "randomizer": "krr", "k": 4}]))
    alone = evaluate(plan(questions=[{**QUESTION, "randomizer": "krr", "k": 4}]))
    assert 2 * alone.lower < found.lower <= found.upper <= found.lower * Fraction("1.01")


def test_colluding_users_hide_nobody() -> None:
    assert evaluate(plan(users=1200, dishonest=200)).upper == ALONE.upper.upper
    assert evaluate(plan(dishonest=200)).upper > ALONE.upper.upper


@pytest.mark.parametrize("question", [{"protocol": "bit-sum", "lam": 100}, {"protocol": "real-sum", "lam": 100, "r": 2}])
def test_colluding_users_take_their_coins_with_them(question: dict[str, Any]) -> None:
    """1000 users toss a coin with probability 1/10 each: the 100 honest ones toss 10 coins, not 100, and their bits are not all hidden."""
    found = evaluate(plan(dishonest=900, questions=[question]))
    honest = BitSum(n=100, lam=10) if question["protocol"] == "bit-sum" else RealSum(n=100, lam=10, r=2, view="untagged")
    assert found.upper == honest.epsilon(delta="1e-6").upper.upper
    assert found.lower > evaluate(plan(questions=[question])).upper


def test_many_rounds_are_composed_and_never_below_one() -> None:
    many = evaluate(plan(repeat=4))
    composed = compose(n=1000, epsilon0=1, method="first-arrival", rounds=4, delta="1e-6").bound.upper
    assert ALONE.upper.upper < many.upper
    assert float(many.upper) == pytest.approx(float(composed), rel=0.02)
    assert evaluate(plan(repeat=4, participations=1)).upper == ALONE.upper.upper


def test_two_questions_are_two_releases() -> None:
    two = evaluate(plan(questions=[QUESTION, {**QUESTION, "name": "other"}]))
    assert float(two.upper) == pytest.approx(float(evaluate(plan(repeat=2)).upper), rel=1e-2)
    assert [part.question for part in two.parts] == ["q", "other"]


_DISTRIBUTION = "input,outcome,probability\nno,a,3/4\nno,b,1/4\nyes,a,1/4\nyes,b,1/4\nyes,c,1/2\n"


def test_rounds_of_different_randomizers_compose_by_their_whole_distributions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution of which one outcome comes from one input alone has no likelihood ratio, and is given away with its probability."""
    monkeypatch.setattr(profile_by_chords, "OF_ROUNDS", (6, 3.0))  # fewer than usual, so looser
    (tmp_path / "distribution.csv").write_text(_DISTRIBUTION.replace("yes,b,1/4\nyes,c,1/2", "yes,b,3/4"))
    reports = {"name": "weekly", "users": 10**6, "repeat": 4, "questions": [{"randomizer": "rappor", "epsilon0": 2}]}
    bits = {"name": "daily", "users": 10**5, "repeat": 9, "questions": [{"randomizer": "law", "law": "distribution.csv"}]}
    found = evaluate(parsed({**CONTENT, "rounds": [reports, bits]}, folder=tmp_path))
    alone = [part.whole for part in found.parts]
    assert max(alone) < found.upper < sum(alone)
    pair = compose(n=10**6, randomizer="rappor", epsilon0=2, rounds=4, delta="1e-6", engine="fast", cells=24).rows[4]
    assert pair.name == "the pair itself, on a grid"
    assert 1.05 * alone[0] < pair.epsilon
    (tmp_path / "distribution.csv").write_text(_DISTRIBUTION)
    with pytest.raises(ShuffleproofError):
        evaluate(parsed({**CONTENT, "rounds": [reports, bits]}, folder=tmp_path))


def test_gaussian_noise_is_planned_with_its_error_and_no_epsilon0_of_its_own() -> None:
    noise = {"name": "height", "randomizer": "gaussian", "sigma": "1/2"}
    given = plan(questions=[noise])
    error = utility(given.rounds[0], given.rounds[0].questions[0])
    assert error.error == pytest.approx(math.sqrt(1000) / 2)
    with pytest.raises(DomainError, match="epsilon0 of its own"):
        largest_epsilon0(given, "height")
    with pytest.raises(DomainError, match="sigma"):
        plan(questions=[{**noise, "sigma": 0}])
    with pytest.raises(DomainError, match="sigma"):
        plan(questions=[{**noise, "epsilon0": 1}])


@pytest.mark.deep
def test_rounds_of_gaussian_noise_compose() -> None:
    noise = {"name": "height", "randomizer": "gaussian", "sigma": 1}
    once, many = (evaluate(plan(users=10**4, repeat=repeat, questions=[noise])) for repeat in (1, 4))
    assert once.upper < many.upper < 4 * once.upper
    assert many.upper == pytest.approx(0.0978, rel=0.01)


def test_for_one_value_the_worst_release_counts_once() -> None:
    content = {
        **CONTENT,
        "relation": "one-value",
        "rounds": [{**ROUND, "repeat": 52, "questions": [QUESTION, {**QUESTION, "name": "worst", "epsilon0": 2}]}],
    }
    worst = shuffled(AnyRandomizer(epsilon0=2), n=1000).epsilon(delta="1e-6").upper.upper
    assert evaluate(parsed(content)).upper == worst


def test_a_memoized_report_counts_once_for_the_same_users_and_locally_for_others() -> None:
    memoized = {**QUESTION, "memoised": True}
    assert evaluate(plan(repeat=52, same_users=True, questions=[memoized])).upper == ALONE.upper.upper
    changing = evaluate(plan(repeat=52, questions=[memoized]))
    assert changing.upper == 1
    assert changing.parts[0].once is None
    with pytest.raises(DomainError, match="csv"):
        plan(questions=[{"name": "q", "randomizer": "law", "law": "x", "memoised": True}])


def test_a_target_is_met_missed_or_undecided() -> None:
    def met(epsilon: object) -> bool | None:
        return evaluate(parsed({**CONTENT, "target": {"epsilon": epsilon, "delta": "1e-6"}})).met

    assert met(ALONE.upper.upper) is True
    assert met(ALONE.lower.lower) is None
    assert met(ALONE.lower.lower - Fraction(1, 10**20)) is False


def test_a_plan_that_is_not_certified_says_what_to_change() -> None:
    weak = {**QUESTION, "name": "weak", "epsilon0": "1/10"}

    def advice(epsilon: object, **changes: Any) -> str | None:
        return evaluate(parsed({**CONTENT, "target": {"epsilon": epsilon, "delta": "1e-6"}, "rounds": [{**ROUND, **changes}]})).advice

    assert advice(1) is None
    told = advice("0.01", questions=[weak, QUESTION])
    assert "r, q: one release of it alone is more than the target" in told
    assert "--most-repeats" not in told  # fewer rounds do not help
    told = advice("0.3", repeat=9, participations=9)
    assert '--least-users "r", --least-noise "q", --most-repeats "r"' in told
    bits = advice("0.01", questions=[{"protocol": "bit-sum", "lam": 100}])
    assert bits is not None
    assert "--least-noise" not in bits  # a protocol has no epsilon0
    # One user's release loses more at the smaller delta of a pair; of two users at the target's delta nothing that high is known.
    pair = evaluate(parsed({**CONTENT, "group": 2, "target": {"epsilon": ALONE.upper.upper, "delta": "1e-6"}}))
    assert pair.met is None
    assert pair.advice is not None
    assert "alone is more than the target" not in pair.advice


def test_the_most_repeats_meet_the_target_and_no_more_are_claimed() -> None:
    given = parsed({**CONTENT, "target": {"epsilon": "0.25", "delta": "1e-6"}, "rounds": [{**ROUND, "repeat": 2}]})
    found = most_repeats(given, "r")
    assert evaluate(plan(repeat=found)).upper <= Fraction("0.25")
    assert evaluate(plan(repeat=found + 1)).upper > Fraction("0.25") or found == 4
    with pytest.raises(DomainError, match="round"):
        most_repeats(given, "s")
    with pytest.raises(UnsupportedError):
        most_repeats(plan(repeat=4, participations=1), "r")


@pytest.mark.parametrize("epsilon", [1e-300, 700.0, 1e4])
def test_a_group_of_which_each_loses_much_has_no_delta_and_no_fault(epsilon: float) -> None:
    """Mutant: e^epsilon as a float64, which overflows from 710 on."""
    of_many = replace(parsed(CONTENT), group=1000)
    assert (evaluation._small_enough(of_many, epsilon, at=Fraction(1, 10**9)) is None) == (epsilon > 1)


def test_names_that_a_plan_does_not_have_are_told_before_it_is_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "evaluate", None)
    names: dict[str, str | None] = {"most_repeats": None, "least_users": None, "least_noise": None}
    require_askable(plan(), **names)
    require_askable(plan(), most_repeats="r", least_users="r", least_noise="q")
    for name in names:
        with pytest.raises(DomainError, match="one of"):
            require_askable(plan(), **{**names, name: "s"})
    with pytest.raises(UnsupportedError):
        require_askable(plan(repeat=4, participations=1), **{**names, "most_repeats": "r"})


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"users": 0}, r"rounds\[1\]\.users"),
        ({"users": 10, "dishonest": 10}, "dishonest"),
        ({"repeat": 3, "participations": 4}, "participations"),
        ({"questions": [{"protocol": "bit-sum", "lam": 1001}], "dishonest": 10}, r"questions\[1\]\.lam = 1001"),
        ({"questions": []}, "questions"),
        ({"questions": [{"name": "q"}]}, "randomizer or a protocol"),
        ({"questions": [{"randomizer": "kr"}]}, "k-rr"),
        ({"questions": [{"randomizer": "krr", "epsilon0": 1}]}, r"questions\[1\]\.k"),
        ({"questions": [{"randomizer": "krr", "k": 1, "epsilon0": 1}]}, r"questions\[1\]\.k"),
        ({"questions": [{"randomizer": "any", "epsilon0": -1}]}, "epsilon0"),
        ({"questions": [{"randomizer": "any", "epsilon0": 1, "k": 3}]}, "left out"),
        ({"questions": [{"protocol": "zero-sum", "p": 2}]}, r"questions\[1\]\.p"),
        ({"overlap": 2}, "overlap"),
        ({"same_users": "yes"}, "same_users"),
        ({"rate": 0}, "rate"),
        (
            {"questions": [{"randomizer": "any", "epsilon0": 1}, {"randomizer": "any", "epsilon0": 2}]},
            r"questions\[2\]\.name = any: .*of its own",
        ),
        ({"questions": [{"name": " ", "randomizer": "any", "epsilon0": 1}]}, r"questions\[1\]\.name"),
        ({"questions": [{"name": 7, "randomizer": "any", "epsilon0": 1}]}, r"questions\[1\]\.name = 7: must be text"),
        ({"released": "daily"}, "when full"),
        ({"overlap": "-1/2"}, "overlap"),
        ({"questions": [{**QUESTION, "randomizer": "rappor", "view": "sum"}]}, "sums"),
        ({"questions": [{**QUESTION, "randomizer": "hadamard", "k": 4, "view": "sums"}]}, "messages"),
        ({"questions": [{"protocol": "bit-sum", "lam": 10, "view": "sums"}]}, "one view"),
    ],
)
def test_a_wrong_round_is_refused_with_its_place(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(DomainError, match=place):
        plan(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"relation": "two-users"},
        {"target": {"epsilon": 1}},
        {"target": {"epsilon": 1, "delta": 0}},
        {"rounds": []},
        {"more": 1},
        {"rounds": [ROUND, ROUND]},
        {"neighbours": "add-remove"},
        {"group": 0},
    ],
)
def test_a_wrong_plan_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        parsed({**CONTENT, **changes})


@pytest.mark.parametrize("key", ["users", "repeat", "participations", "name", "randomizer", "k"])
def test_an_integer_in_base_16_that_is_too_long_to_print_is_refused_by_its_line(key: str, tmp_path: Path) -> None:
    """Mutant: a message that repeats what was given. The interpreter reads such digits, whatever their number, and prints none of them."""
    file, (before, after) = tmp_path / "plan.toml", EXAMPLE.split(f"{key} = ", maxsplit=1)
    file.write_text(f"{before}{key} = 0x{'f' * 10_000} #{after}", "utf-8")
    with pytest.raises(DomainError, match=rf"^line {before.count(chr(10)) + 1}: .*{key} = an integer of too many digits to print: must be"):
        read(file)


def test_a_round_that_reuses_a_batch_is_refused_with_what_to_change() -> None:
    again = [{**ROUND, "batch": "May"}, {**ROUND, "name": "s", "batch": "May", "overlap": 0}]
    with pytest.raises(DomainError, match=r"rounds\[2\]\.overlap = .?0.?: must be above 0, or a batch of its own: r asks"):
        parsed({**CONTENT, "rounds": again})
    assert evaluate(parsed({**CONTENT, "rounds": [{**each, "overlap": 1} for each in again]})).upper > ALONE.upper.upper


def test_rounds_without_overlap_compose_in_parallel() -> None:
    apart = evaluate(parsed({**CONTENT, "rounds": [ROUND, {**ROUND, "name": "s", "overlap": 0}]}))
    assert apart.upper == ALONE.upper.upper
    assert [part.round for part in apart.parts] == ["r", "s"]
    less = {**ROUND, "name": "s", "users": 900, "overlap": 0}
    assert evaluate(parsed({**CONTENT, "rounds": [ROUND, less]})).upper == evaluate(plan(users=900)).upper


def test_random_participation_of_all_users_hides_better_than_the_same_number_who_are_known() -> None:
    known = evaluate(plan(users=500))
    hidden = evaluate(plan(rate="1/2", dishonest=0))
    assert hidden.upper < known.upper
    assert evaluate(plan(rate="1/2", dishonest=200)).upper > hidden.upper
    assert evaluate(plan(rate="1/2", least=450)).upper <= hidden.upper


@pytest.mark.parametrize(
    ("question", "neighbours"),
    [
        pytest.param({"randomizer": "rappor", "epsilon0": 4, "view": "sums"}, "replace-one", marks=pytest.mark.deep),
        pytest.param({"randomizer": "asymmetric-rappor", "epsilon0": 2, "view": "thresholded-sums"}, "deletion", marks=pytest.mark.deep),
        pytest.param({"protocol": "histogram", "p": "1/2"}, "deletion", marks=pytest.mark.deep),
        ({"protocol": "laplace-sum", "sensitivity": 1, "epsilon0": 1}, "replace-one"),
        ({"protocol": "fake-users", "fakes": 200, "p": "1/2"}, "add-remove"),
    ],
)
def test_random_participation_is_known_of_sums_and_protocols(question: dict[str, Any], neighbours: str) -> None:
    at_random: dict[str, Any] = {"rate": "1/8"} if neighbours == "add-remove" else {"rate": "1/8", "least": 80}
    found, everybody = (
        parsed({**CONTENT, "neighbours": neighbours, "rounds": [{**ROUND, **rate, "questions": [{"name": "q", **question}]}]})
        for rate in (at_random, {})
    )
    assert isinstance(found.rounds[0].questions[0].mechanism, RandomParticipation)
    assert evaluate(found).upper < evaluate(everybody).upper


def test_deletion_is_bounded_by_replacement_and_is_less_for_sums_and_histograms() -> None:
    def both(question: dict[str, Any]) -> tuple[Any, Any]:
        content = {**CONTENT, "rounds": [{**ROUND, "questions": [question]}]}
        return evaluate(parsed(content)), evaluate(parsed({**content, "neighbours": "deletion"}))

    replaced, deleted = both(QUESTION)
    assert (deleted.upper, deleted.lower) == (replaced.upper, 0)
    for question in (
        {"randomizer": "rappor", "epsilon0": 2, "view": "sums"},
        {"randomizer": "asymmetric-rappor", "epsilon0": 2, "view": "sums"},
        {"protocol": "histogram", "p": "0.9"},
    ):
        replaced, deleted = both(question)
        assert deleted.upper < replaced.upper
        assert deleted.lower > 0


def test_users_are_added_or_removed_where_the_shuffler_adds_all_the_noise() -> None:
    question = {"protocol": "fake-users", "fakes": 500, "p": "1/2"}
    asked = {**CONTENT, "neighbours": "add-remove", "rounds": [{**ROUND, "questions": [question]}]}
    assert evaluate(parsed(asked)).upper == ZeroSum(n=500, p="1/2").epsilon(delta="1e-6").upper.upper
    for other, why in ((QUESTION, "messages"), ({"protocol": "laplace-sum", "sensitivity": 1, "epsilon0": 1}, "noise that the user adds")):
        with pytest.raises(DomainError, match=why):
            parsed({**asked, "rounds": [{**ROUND, "questions": [other]}]})


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ({"protocol": "laplace-sum", "sensitivity": 1, "epsilon0": 1}, "the sum over all users"),
        ({"protocol": "binomial-sum", "sensitivity": 1, "coins": 2, "p": "1/2"}, "the sum over all users"),
        ({"protocol": "discrete-gaussian-sum", "sensitivity": 1, "variance": 1}, "the sum over all users"),
        ({"protocol": "split-and-mix", "sensitivity": 1, "epsilon0": 1, "messages": 9, "modulus": 2**16}, "the shuffled shares"),
        ({"protocol": "fake-users", "fakes": 9, "p": "1/2"}, "those of fake users among them"),
        ({"protocol": "zero-sum", "p": "0.9"}, "the shuffled messages of the question by themselves"),
    ],
)
@pytest.mark.parametrize("rate", [{}, {"rate": "1/2", "least": 100}])
def test_a_plan_names_the_view_that_its_protocol_is_private_in(question: dict[str, Any], seen: str, rate: dict[str, Any]) -> None:
    """Noise in parts hides nothing but the sum: who sees the messages is promised nothing."""
    content = {**CONTENT, "rounds": [{**ROUND, **rate, "questions": [{"name": "q", **question}]}]}
    assert seen in parsed(content).rounds[0].questions[0].view


@pytest.mark.parametrize(("kind", "mechanism"), [("rappor", CoordinateSums), ("asymmetric-rappor", AsymmetricCoordinateSums)])
def test_the_estimate_of_one_item_says_what_one_coordinate_says(kind: str, mechanism: type[CoordinateSums]) -> None:
    asked = {"randomizer": kind, "epsilon0": 2, "view": "estimate", "items": ["x"]}
    one = evaluate(plan(questions=[asked]))
    share = 1 if kind == "rappor" else 2  # a symmetric bit has half of epsilon0
    alone = mechanism(n=1000, epsilon0=share, changed=1).epsilon(delta="1e-6")
    assert (one.upper, one.lower) == (alone.upper.upper, alone.lower.lower)
    assert "one item" in one.parts[0].view
    both = evaluate(plan(questions=[{**asked, "items": ["x", "y"]}]))
    assert both.upper == evaluate(plan(questions=[{**asked, "view": "sums"}])).upper > one.upper
    assert both.lower == 0  # both may be hashed to one coordinate
    assert evaluate(plan(questions=[{**asked, "view": "thresholded-sums"}])).lower == 0


def test_an_answer_names_every_step_from_single_releases_to_its_epsilon() -> None:
    """Mutants: the grid's method or the sum left out, groups, views of one item, memoised reports beside others."""

    def named(**changes: Any) -> set[str]:
        return set(evaluate(parsed({**CONTENT, **changes}), lower=False).statements)

    bits = {"name": "bits", "randomizer": "krr", "k": 2, "epsilon0": 1}
    assert not {"BEYOND.Envelope", "BEYOND.groups"} & named()
    assert "BEYOND.groups" in named(group=2)
    assert {"BEYOND.Envelope", "BEYOND.coordinate-sums"} <= named(rounds=[{**ROUND, "repeat": 3, "questions": [bits]}])
    changed = [bits, {**bits, "name": "again", "column": "bits"}]
    assert "BEYOND.Envelope" in named(relation="one-value", rounds=[{**ROUND, "questions": changed}])
    one = {"randomizer": "rappor", "k": 3, "epsilon0": 1, "view": "estimate", "items": ["x"], "coordinates": 8}
    assert "BEYOND.views-of-sums" in named(rounds=[{**ROUND, "questions": [one]}])
    kept = {**bits, "name": "kept", "memoised": True}
    assert "FMT21.Sec6.1.basic" in named(rounds=[{**ROUND, "repeat": 3, "questions": [bits, kept]}])


def test_a_group_pays_for_each_of_its_users_and_its_delta() -> None:
    three = evaluate(parsed({**CONTENT, "group": 3}))
    assert three.alone is not None
    epsilon, delta = three.alone
    assert three.upper == 3 * epsilon
    E = Fraction(math.exp(epsilon)) * (1 + Fraction(1, 10**12))
    assert delta * (1 + E + E**2) <= Fraction("1e-6")
    assert epsilon == shuffled(AnyRandomizer(epsilon0=1), n=1000).epsilon(delta=delta).upper.upper


def test_a_name_that_two_questions_have_is_no_question_and_no_other_is_meant() -> None:
    """Mutant: "did you mean" what was written."""
    twice = parsed({**CONTENT, "rounds": [ROUND, {**ROUND, "name": "s"}]})
    with pytest.raises(DomainError, match=r"q: must be one of r: q, s: q$"):
        require_askable(twice, most_repeats=None, least_users=None, least_noise="q")


@pytest.mark.parametrize(
    ("name", "trials", "told"),
    [
        ("least_users", ["1234567891", "987654321", "9"], "987654321 users are enough to meet the target"),
        ("largest_epsilon0", ["1/3", "1/2", "2"], "epsilon0 up to 0.5 meets the target"),
        ("most_repeats", ["1", "7", "9"], "repeat up to 7 meets the target"),
    ],
)
def test_of_a_search_that_is_ended_the_best_number_that_was_tried_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, trials: list[str], told: str
) -> None:
    """Mutants: users in eight digits, rounded down, which nobody tried; "within 1 %" of a search that did not end; the last trial."""

    def interrupted(*_: object, on_trial: limits.OnTrial) -> None:
        for number in trials:
            on_trial(Fraction(number), number != trials[-1])
        raise KeyboardInterrupt

    monkeypatch.setattr(limits, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        plan_command._searched(parsed(CONTENT), "least_noise" if name == "largest_epsilon0" else name, "r", told=True)
    assert capsys.readouterr().out == f"  r: ended before the search did; so far {told}\n"


def test_the_least_users_and_the_least_noise_meet_the_target() -> None:
    given = parsed({**CONTENT, "target": {"epsilon": "0.25", "delta": "1e-6"}})
    users, local = least_users(given, "r"), largest_epsilon0(given, "q")
    assert evaluate(plan(users=users)).upper <= Fraction("0.25") < evaluate(plan(users=users * 97 // 100)).upper
    asked = {**QUESTION, "epsilon0": local}
    assert evaluate(plan(questions=[asked])).upper <= Fraction("0.25")
    assert evaluate(plan(questions=[{**asked, "epsilon0": local * Fraction(102, 100)}])).upper > Fraction("0.25")
    assert largest_epsilon0(parsed({**CONTENT, "target": {"epsilon": "1e-9", "delta": "1e-6"}}), "r: q") is None
    tiny = {"epsilon": "1e-400", "delta": "1e-6"}  # Mutant: the quotient as a float, which overflows
    assert largest_epsilon0(parsed({**CONTENT, "target": tiny}), "r: q") is None
    for wrong, parameter in ((least_users, "round"), (largest_epsilon0, "question")):
        with pytest.raises(DomainError, match=parameter):
            wrong(given, "none")


@pytest.mark.parametrize(
    ("question", "variance"),
    [
        ({"randomizer": "krr", "k": 2, "epsilon0": "ln 3"}, Fraction(750)),  # n T/(T - 1)^2
        ({"randomizer": "rappor", "epsilon0": "ln 9"}, Fraction(750)),
        ({"randomizer": "asymmetric-rappor", "epsilon0": "ln 3"}, Fraction(4000)),  # n ((T + 1)/(T - 1))^2
        ({"randomizer": "asymmetric-rappor", "epsilon0": "ln 3", "view": "sums"}, Fraction(4000)),
        ({"protocol": "bit-sum", "lam": 500}, Fraction(750)),
        ({"protocol": "zero-sum", "p": "3/4"}, Fraction(1000 * 3, 16)),
        ({"randomizer": "any", "epsilon0": 1}, None),
    ],
)
def test_the_error_of_an_estimate_is_certified_from_above(question: dict[str, Any], variance: Fraction | None) -> None:
    def of(**changes: Any) -> Utility | None:
        (round_,) = plan(questions=[question], **changes).rounds
        return utility(round_, round_.questions[0])

    known = of()
    assert (known is None) == (variance is None)
    if known is not None and variance is not None:
        assert variance <= known.error**2 <= variance * Fraction(10**6 + 1, 10**6)
    taking = None if "view" in question else of(rate="1/2")
    if taking is not None and variance is not None:
        assert 2 * variance + 1000 <= taking.error**2 <= (2 * variance + 1000) * Fraction(10**6 + 1, 10**6)


def test_a_decimal_is_no_name(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(EXAMPLE.replace('name = "crashed today"', "name = 1.5"), "utf-8")
    with pytest.raises(DomainError, match=r"^line \d+: rounds\[1\]\.questions\[1\]\.name = 1\.5: must be text, in quotation marks"):
        read(tmp_path / "plan.toml")


@pytest.mark.parametrize("relation", ["one-user", "one-value"])
def test_a_page_says_what_proves_it_where_nothing_is_amplified_too(relation: str) -> None:
    """A memoised report among other users each week counts with its local epsilon; where the same users come, it is amplified."""
    question = {"name": "q", "randomizer": "k-rr", "k": 2, "epsilon0": 1, "memoised": True, "column": "c"}
    of_round: dict[str, Any] = {"name": "r", "users": 1000, "repeat": 2, "questions": [question]}
    asked: dict[str, Any] = {"relation": relation, "target": {"epsilon": 1, "delta": "1e-6"}}
    for more, said in (
        ({"participations": 2}, "takes part in at most 2 of the 2 attempts"),
        ({"same_users": True}, "a user who misses one is not covered by this promise"),
    ):
        shown = page(evaluate(parsed({**asked, "rounds": [{**of_round, **more}]})), command="none")
        assert said in shown
        assert ("of which the weakest are" in shown) is ("same_users" in more)
        assert ("nothing is amplified" in shown) is ("same_users" not in more)


def test_the_command_says_it_and_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "plan.toml", tmp_path / "plan.html"
    text = 'relation = "one-user"\n[target]\nepsilon = {}\ndelta = "1e-6"\n[[rounds]]\nname = "<r>"\nusers = 1000\n'
    text += '[[rounds.questions]]\nname = "q"\nrandomizer = "any"\nepsilon0 = 1\n'
    out = ""
    for epsilon, code in ((1, 0), ('"0.01"', 1), ('"0.1307"', 3)):
        path.write_text(text.format(epsilon), "utf-8")
        out += output_of(capsys, "plan", "check", str(path), "--report", str(page), code=code)
    shown = unescape(page.read_text("utf-8"))
    for said in (
        "<r>",
        "1e-6",
        "a shuffler, which sees all messages",
        "epsilon = 1 (at most 2.719 times)",
        "at least 1,000 users take part in every attempt",
        "plan check",
    ):
        assert said in shown
    assert "0.1308" in out
    assert '--least-users "<r>"' in out
    path.write_text("relation = ", "utf-8")
    output_of(capsys, "plan", "check", str(path), code=2)
    with pytest.raises(DomainError, match="FILE"):
        read(tmp_path / "none.toml")


def test_released_sums_are_composed_coordinate_by_coordinate() -> None:
    sums = {"name": "sites", "randomizer": "rappor", "epsilon0": "3", "view": "sums"}
    one, many = (evaluate(plan(users=2000, repeat=repeat, participations=repeat, questions=[sums])) for repeat in (1, 4))
    whole = evaluate(plan(users=2000, repeat=4, participations=4, questions=[{**sums, "view": "messages"}]))
    alone = CoordinateSums(n=2000, epsilon0=3).epsilon(delta=one.plan.delta)
    assert one.upper == alone.upper.upper
    assert alone.upper.upper < many.upper < 4 * alone.upper.upper
    assert many.upper < whole.upper
    assert "sums" in many.parts[0].view
    for view, reached in (("estimate", one.lower), ("thresholded-sums", 0)):  # a threshold hides what the sums reach
        less = evaluate(plan(users=2000, questions=[{**sums, "view": view}]))
        assert (less.upper, less.lower) == (one.upper, reached)
    assert one.lower > 0


@pytest.mark.parametrize("name", ["weekly-bit", "open-domain", pytest.param("two-countries", marks=pytest.mark.deep)])
def test_the_plans_of_the_guide_meet_their_targets(name: str) -> None:
    assert evaluate(read(GUIDE / f"{name}.toml")).met is True


def test_the_open_domain_is_not_certified_where_whole_vectors_are_seen() -> None:
    content = tomllib.loads((GUIDE / "open-domain.toml").read_text("utf-8"))
    content["rounds"][0]["questions"][0]["view"] = "messages"
    assert evaluate(parsed(content)).met is not True
