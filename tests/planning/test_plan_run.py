"""Plans on data: the three plans of the guide checked, held on simulated users, and what their estimates are worth."""

import random
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import output_of
from seeded_bits import Seeded

from shuffleproof.planning.plan.reading import parsed, read
from shuffleproof.planning.plan.schema import Plan
from shuffleproof.run.plan_release import _answer, release
from shuffleproof.run.question_draws import coordinate_of
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "plans"


def of_guide(name: str, round_: str, **changes: Any) -> Plan:
    """A plan of the guide with one of its rounds alone, held once: fewer users and a weaker target, so that it takes no time."""
    content = tomllib.loads((GUIDE / f"{name}.toml").read_text("utf-8"))
    (chosen,) = (each for each in content["rounds"] if each["name"] == round_)
    changed = {**chosen, "repeat": 1, "participations": 1, "dishonest": 0, "same_users": False, **changes}
    return parsed({**content, "target": {"epsilon": 5, "delta": "1e-4"}, "rounds": [changed]})


def written(path: Path, columns: dict[str, list[str]]) -> str:
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(row) for row in rows)]) + "\n", "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("name", "round_", "column", "answers"),
    [
        ("weekly-bit", "every week", "work", {"0": 1400, "1": 600}),
        ("open-domain", "home pages", "address", {"example.org": 900, "example.com": 100, "elsewhere": 1000}),
        ("two-countries", "second country", "five answers", {"never": 200, "often": 1000, "always": 800}),
    ],
)
def test_a_plan_of_the_guide_is_held_on_simulated_users(
    name: str, round_: str, column: str, answers: dict[str, int], tmp_path: Path
) -> None:
    held = [item for item, number in answers.items() for _ in range(number)]
    random.Random(5).shuffle(held)
    plan = of_guide(name, round_, users=2000)
    found = release(plan, round_=round_, data=written(tmp_path / "data.csv", {column: held}), source=Seeded(7))
    assert (found.reports, found.evaluation.met) == (2000, True)
    (answer,) = found.answers
    assert ("hashed" in answer.utility.of) == (name == "open-domain")
    for item, estimate in answer.estimates:
        assert abs(estimate - answers.get(item, 0)) <= 5 * answer.utility.error


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "round_", "column", "answers"),
    [
        ("weekly-bit", "every week", "work", {"0": 194_000, "1": 6000}),
        ("open-domain", "home pages", "address", {"example.org": 20_000, "example.com": 5000, "elsewhere": 75_000}),
        ("two-countries", "first country", "five answers", {"never": 5000, "seldom": 4000, "always": 3000}),
        ("two-countries", "second country", "five answers", {"never": 200, "often": 3000, "always": 1800}),
    ],
)
def test_the_plans_of_the_guide_are_held_as_they_are_written(
    name: str, round_: str, column: str, answers: dict[str, int], tmp_path: Path
) -> None:
    """Checked against their own targets, then held on as many users as they plan for, several times."""
    held = [item for item, number in answers.items() for _ in range(number)]
    plan, data, source = read(GUIDE / f"{name}.toml"), written(tmp_path / "data.csv", {column: held}), Seeded(11)
    chosen = next(each for each in plan.rounds if each.name == round_)
    found = release(plan, round_=round_, data=data, source=source)
    assert (found.reports, found.evaluation.met) == (chosen.users, True)
    drawn = [found.answers[0].estimates, *(_answer(chosen, chosen.questions[0], held, len(held), source).estimates for _ in range(30))]
    (known,) = (answer.utility for answer in found.answers)
    for estimates in zip(*drawn, strict=True):
        off = [float(value - answers.get(item, 0)) for item, value in estimates]
        assert abs(np.mean(off)) <= 4 * float(known.error) / np.sqrt(len(off))
        assert np.std(off) <= 1.5 * float(known.error)


def test_estimates_are_unbiased_and_as_far_off_as_is_certified(tmp_path: Path) -> None:
    """A survey of three answers, many times: mean and spread of what is released; a stranger's answer counts as the first."""
    plan = of_guide("two-countries", "second country", users=60, questions=[{"name": "x", "randomizer": "krr", "k": 3, "epsilon0": 1}])
    data = written(tmp_path / "x.csv", {"x": ["1"] * 10 + ["2"] * 45 + ["no item"] * 5})
    source = Seeded(1)
    drawn = []
    for _ in range(60):
        (answer,) = _without_the_certificate(plan, data, source)
        drawn.append([float(value) for _, value in answer.estimates])
    mean, spread = np.mean(drawn, axis=0), np.std(drawn, axis=0)
    assert np.allclose(mean, [15, 45, 0], atol=4 * float(answer.utility.error) / np.sqrt(60))
    assert (spread <= 1.4 * float(answer.utility.error)).all()


def _without_the_certificate(plan: Plan, data: str, source: Any) -> Any:
    (round_,) = plan.rounds
    held = Path(data).read_text("utf-8").split("\n")[1:-1]
    return [_answer(round_, question, held, len(held), source) for question in round_.questions]


@pytest.mark.parametrize(
    ("question", "truth"),
    [
        ({"protocol": "bit-sum", "lam": 500}, {"1": 300}),
        ({"protocol": "zero-sum", "p": "0.9"}, {"1": 300}),
        ({"protocol": "fake-users", "fakes": 300, "p": "1/2", "items": ["1", "0", "2"]}, {"1": 300, "0": 700, "2": 0}),
        ({"protocol": "laplace-sum", "sensitivity": 1, "epsilon0": "1/2"}, {"sum": 300}),
        ({"protocol": "binomial-sum", "sensitivity": 1, "coins": 2, "p": "1/2"}, {"sum": 300}),
        ({"protocol": "discrete-gaussian-sum", "sensitivity": 1, "variance": 1}, {"sum": 300}),
        ({"protocol": "split-and-mix", "messages": 9, "modulus": 4096, "sensitivity": 1, "epsilon0": "1/2"}, {"sum": 300}),
        ({"protocol": "histogram", "p": "0.9", "items": ["1", "0", "2"]}, {"1": 300, "0": 700, "2": 0}),
        ({"randomizer": "rappor", "epsilon0": 4, "view": "estimate", "coordinates": 4}, None),
        ({"randomizer": "asymmetric-rappor", "epsilon0": 4, "view": "sums", "coordinates": 4}, None),
    ],
)
def test_protocols_are_held_too_and_at_random_participation(question: dict[str, Any], truth: dict[str, int] | None, tmp_path: Path) -> None:
    data = written(tmp_path / "x.csv", {"x": ["1"] * 300 + ["0"] * 700})
    at_random = ({"rate": "1/2", "least": 400},) if question.get("protocol") in ("bit-sum", "zero-sum", "histogram") else ()
    for rate in ({}, *at_random):
        plan = of_guide("two-countries", "second country", users=1000, questions=[{"name": "x", **question}], **rate)
        found = release(plan, round_="second country", data=data, source=Seeded(3))
        assert (found.reports == 1000) == (not rate)
        (answer,) = found.answers
        wanted = truth or {str(at): 300 * (coordinate_of("1", 4) == at) + 700 * (coordinate_of("0", 4) == at) for at in range(4)}
        assert {item for item, _ in answer.estimates} == set(wanted)
        assert all(abs(value - wanted[item]) <= 5 * answer.utility.error for item, value in answer.estimates)


def test_what_lies_below_a_threshold_is_not_shown(tmp_path: Path) -> None:
    data = written(tmp_path / "x.csv", {"x": ["a"] * 400})
    question = {"name": "x", "randomizer": "rappor", "epsilon0": 6, "view": "thresholded-sums", "coordinates": 8, "threshold": 200}
    plan = of_guide("two-countries", "second country", users=400, questions=[question])
    (answer,) = release(plan, round_="second country", data=data, source=Seeded(4)).answers
    assert [item for item, _ in answer.estimates] == [str(coordinate_of("a", 8))]


def test_nothing_is_released_that_the_plan_does_not_cover(tmp_path: Path) -> None:
    data = written(tmp_path / "x.csv", {"x": ["1"] * 100})
    question = {"name": "x", "randomizer": "krr", "k": 2, "epsilon0": 1}
    plan = of_guide("two-countries", "second country", users=100, questions=[question])
    with pytest.raises(DomainError, match="round"):
        release(plan, round_="third", data=data)
    with pytest.raises(DomainError, match="at least users = 101"):
        release(of_guide("two-countries", "second country", users=101, questions=[question]), round_="second country", data=data)
    hard = parsed({**plan.content, "target": {"epsilon": "1/1000", "delta": "1e-9"}})
    with pytest.raises(RegimeError, match="nothing was read"):
        release(hard, round_="second country", data="no such file")
    seldom = of_guide("two-countries", "second country", users=100, questions=[question], rate="1/1000", least=50)
    with pytest.raises(RegimeError, match="the batch is dropped"):
        release(seldom, round_="second country", data=data)
    for wrong, error in (
        ({"name": "x", "randomizer": "any", "epsilon0": 1}, UnsupportedError),
        ({"name": "x", "randomizer": "rappor", "epsilon0": 1}, DomainError),
        ({"name": "x", "protocol": "histogram", "p": "0.9"}, DomainError),
    ):
        with pytest.raises(error):
            release(of_guide("two-countries", "second country", users=100, questions=[wrong]), round_="second country", data=data)


def test_the_command_releases_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path / "x.csv", {"x": ["1"] * 60 + ["2"] * 40})
    plan = 'relation = "one-user"\n[target]\nepsilon = 2\ndelta = "1e-2"\n[[rounds]]\nname = "r"\nusers = 100\n'
    (tmp_path / "p.toml").write_text(plan + '[[rounds.questions]]\nname = "x"\nrandomizer = "krr"\nk = 2\nepsilon0 = 1\n', "utf-8")
    assert "r: 100 reports" in output_of(capsys, "plan", "run", str(tmp_path / "p.toml"), "--round", "r", "--data", str(tmp_path / "x.csv"))


@pytest.mark.parametrize(
    "changes", [{"items": ["a", "a", "b"]}, {"items": ["a"]}, {"items": "ab"}, {"coordinates": -1}, {"threshold": "much"}]
)
def test_what_a_run_would_need_is_checked_before(changes: dict[str, Any]) -> None:
    with pytest.raises(DomainError, match=next(iter(changes))):
        of_guide("two-countries", "second country", questions=[{"name": "x", "randomizer": "krr", "k": 3, "epsilon0": 1, **changes}])


def test_memoized_reports_of_users_who_change_are_not_drawn_again(tmp_path: Path) -> None:
    memoized = of_guide("weekly-bit", "every week", repeat=26, participations=26, same_users=True, users=300)
    data = written(tmp_path / "data.csv", {"work": ["0"] * 300})
    assert release(memoized, round_="every week", data=data, source=Seeded(5)).answers[0].rounds == 26
    plan = of_guide("weekly-bit", "every week", repeat=26, participations=26)
    with pytest.raises(UnsupportedError, match="remember"):
        release(plan, round_="every week", data=str(tmp_path / "none.csv"))


@pytest.mark.parametrize("times", [{"repeat": 2}, {"rounds": 2}])
def test_coins_of_a_batch_are_not_tossed_again(times: dict[str, int]) -> None:
    """Its certificate is of one coin: at two coins of two users the divergence would be 0.149, where 0.1 is certified."""
    asked = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 9"}
    each = {"users": 2, "repeat": times.get("repeat", 1), "rate": "1/10", "batch": "panel", "questions": [asked]}
    rounds = [{"name": f"r{at}", **each} for at in range(times.get("rounds", 1))]
    plan = parsed({"relation": "one-user", "target": {"epsilon": 1, "delta": "1/10"}, "rounds": rounds})
    with pytest.raises(UnsupportedError, match="tossed again") as refused:
        release(plan, round_="r0", data="none.csv")
    assert all(key in str(refused.value) for key in ("rate", "batch"))


def test_a_little_less_than_e_to_epsilon0_is_drawn() -> None:
    from shuffleproof.run.question_draws import kept

    plan = of_guide("two-countries", "second country")
    question = plan.rounds[0].questions[0]
    assert Fraction(7389055, 10**6) < kept(question) < Fraction(7389057, 10**6)
    assert kept(question, half=True) ** 2 <= kept(question) + Fraction(1, 10**5)


def test_where_neighbours_differ_in_who_is_there_nothing_tells_how_many(tmp_path: Path) -> None:
    question = {"name": "x", "protocol": "fake-users", "fakes": 300, "p": "1/2", "items": ["1", "0"]}
    content = {"relation": "one-user", "neighbours": "add-remove", "target": {"epsilon": 5, "delta": "1e-4"}}
    plan = parsed({**content, "rounds": [{"name": "r", "users": 1000, "questions": [question]}]})
    at_random = parsed({**content, "rounds": [{"name": "r", "users": 1000, "rate": "1/2", "questions": [question]}]})
    few = release(at_random, round_="r", data=written(tmp_path / "few.csv", {"x": ["1"] * 3}), source=Seeded(3))
    assert few.reports is None
    for rows in (0, 1, 3, 2000):
        found = release(plan, round_="r", data=written(tmp_path / "x.csv", {"x": ["1"] * rows}), source=Seeded(3))
        (answer,) = found.answers
        assert (found.reports, answer.utility.users) == (None, 1000)


def test_numbers_and_vectors_with_settings_of_their_own_are_released(tmp_path: Path) -> None:
    """The piecewise mechanism, the square wave and unary encoding with p and q: estimates are within five standard deviations."""
    questions = [
        {"name": "a", "randomizer": "piecewise", "epsilon0": 2, "column": "a"},
        {"name": "b", "randomizer": "square-wave", "epsilon0": 2, "column": "b"},
        {"name": "c", "randomizer": "unary", "p_other": "1/4", "epsilon0": "ln 9", "coordinates": 16, "column": "c", "items": ["red"]},
    ]
    round_ = {"name": "r", "users": 1000, "repeat": 1, "participations": 1, "dishonest": 0, "questions": questions}
    target = {"epsilon": 5, "delta": "1e-4"}
    plan = parsed({"relation": "one-value", "neighbours": "replace-one", "target": target, "rounds": [round_]})
    data = {"a": ["0.5"] * 999 + ["none"], "b": ["0.25"] * 1000, "c": ["red"] * 400 + ["blue"] * 600}
    found = release(plan, round_="r", data=written(tmp_path / "data.csv", data), source=Seeded(3))
    (_, a), (_, b), (_, c) = (answer.estimates[0] for answer in found.answers)
    assert abs(a - Fraction(999, 2)) < 5 * 1000**0.5 * 1.2  # C = 2.16, its variance below C^2/3
    assert abs(b - 250) < 5 * 1000**0.5 * 1.2
    assert abs(c - 400) < 5 * (1000 * 3 / 16) ** 0.5 * 2
