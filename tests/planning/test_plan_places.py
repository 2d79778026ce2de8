"""Plans as they are read: the line that a refusal names, readings of their meaning; and filters, which admit what fits."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from plan_tables import BITS, table_of

from shuffleproof import AnyRandomizer, CoordinateSums, Filter, PlanFilter, RandomParticipation, UserHistogram, shuffled
from shuffleproof.planning.plan.answer import Evaluation
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.reading import parsed, read
from shuffleproof.planning.plan.schema import EXAMPLE
from shuffleproof.planning.plan.toml_tables import line_of, lines
from shuffleproof.spec.plans.meaning import Held, Plan, view
from shuffleproof.spec.plans.questions import bit_sum, unary, with_noise_bits
from shuffleproof.spec.plans.reading import changes, meanings, own_values
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.scope import Relation

VALUES = ("1", '"r = 2 # [no]"', "'it'", '"""\n[[rounds]]\na = 3\n"""', "'''\nb = 1'''", "[1,\n  # ] = \n  2]", "{ c = [1] }")
KEYS = ("name", '"a b"', "'q'", "d.e")


@st.composite
def written(draw: st.DrawFn) -> tuple[str, dict[str, int]]:
    """A TOML file, and the line of each of its tables and keys."""
    rows, places, line = list[str](), dict[str, int](), 1

    def add(row: str, place: str = "") -> None:
        nonlocal line
        if place:
            places[place] = line
        rows.append(row)
        line += row.count("\n") + 1

    def keys(table: str) -> None:
        for key in draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=3)):
            inside = key.strip("\"'")
            comment = draw(st.sampled_from(("", " # x = 1")))
            add(f"{draw(st.sampled_from(('', '  ')))}{key} = {draw(st.sampled_from(VALUES))}{comment}", f"{table}.{inside}".lstrip("."))
            for _ in range(draw(st.integers(0, 1))):
                add(draw(st.sampled_from(("", "# [[rounds]]"))))

    keys("")
    for at in range(1, draw(st.integers(0, 3)) + 1):
        add("[[rounds]]", f"rounds[{at}]")
        keys(f"rounds[{at}]")
        for asked in range(1, draw(st.integers(0, 2)) + 1):
            add("  [[ rounds . questions ]]", f"rounds[{at}].questions[{asked}]")
            keys(f"rounds[{at}].questions[{asked}]")
    add("[target]", "target")
    keys("target")
    return "\n".join(rows), places


@given(written())
@settings(max_examples=60, deadline=None)
def test_every_key_of_a_file_is_found_on_its_line(drawn: tuple[str, dict[str, int]]) -> None:
    text, places = drawn
    tomllib.loads(text)
    assert dict(lines(text)) == places


def test_a_key_that_is_not_written_is_on_the_line_of_its_table() -> None:
    known = lines('rounds = [{ name = "r" }]\n[target]\nepsilon = 1')
    assert line_of("target.delta", known) == 2
    assert line_of("rounds[1].users", known) == 1
    assert line_of("relation", known) is None


@pytest.mark.parametrize(
    ("written", "instead", "named"),
    [
        ("users =", "usrs =", "usrs ="),
        ('delta = "1e-6"', 'delta = "2"', 'delta = "2"'),
        ("[[rounds]]", "[[rounds]]\noverlap = 2", "overlap = 2"),
    ],
)
def test_a_refusal_names_the_line(tmp_path: Path, written: str, instead: str, named: str) -> None:
    assert written in EXAMPLE
    file = tmp_path / "plan.toml"
    file.write_text(EXAMPLE.replace(written, instead, 1), "utf-8")
    with pytest.raises(DomainError) as refused:
        evaluate(read(file))
    line = next(at for at, row in enumerate(file.read_text("utf-8").splitlines(), start=1) if row.startswith(named))
    assert refused.value.line == line
    assert str(refused.value).startswith(f"line {line}: ")


def test_a_decimal_of_a_file_is_what_is_written(tmp_path: Path) -> None:
    changed = EXAMPLE.replace('delta = "1e-6"', "delta = 0.000_001").replace("epsilon = 1\n", "epsilon = 0.1\n")
    (tmp_path / "plan.toml").write_text(changed.replace("# rate = 0.1 ", "rate = 0.3"))
    found = read(tmp_path / "plan.toml")
    assert (found.delta, found.epsilon, found.rounds[0].rate) == (Fraction(1, 10**6), parse_epsilon("1/10"), Fraction(3, 10))


@pytest.mark.parametrize(("wrong", "meant"), [("n = 1000", "users"), ("rounds = 52", "repeat"), ("eps0 = 1", "epsilon0")])
def test_a_key_as_the_command_line_calls_it_is_told_its_name(tmp_path: Path, wrong: str, meant: str) -> None:
    before = "epsilon0 = 2" if meant == "epsilon0" else "users ="
    (tmp_path / "plan.toml").write_text(EXAMPLE.replace(before, f"{wrong}\n{before}", 1))
    with pytest.raises(DomainError, match=f"= {wrong.split()[0]}: must be written {meant} in a plan"):
        read(tmp_path / "plan.toml")


def test_what_is_hardly_meant_is_told() -> None:
    def warned(delta: object, **changes: object) -> str:
        round_ = {"name": "r", "users": 1000, "questions": [{"name": "q", "randomizer": "krr", "k": 4, "epsilon0": 1}], **changes}
        target = {"epsilon": 1, "delta": delta}
        content = {"relation": "one-user", "target": target, "rounds": [round_]}
        return " ".join(Evaluation(plan=parsed(content), parts=(), upper=Fraction(1), lower=Fraction(0), statement="").warnings)

    assert warned("1/1000") == warned("1/1000", rate="3/10", least=300) == ""
    assert "above one over the 1,000 users of r" in warned("0.0011")
    assert "at least half of its batches are dropped: 300 of 1,000" in warned("1/1000", rate="3/10", least=301)


GUIDE = " ".join((Path(__file__).parents[2] / "docs" / "guides" / "plan-a-deployment.md").read_text("utf-8").split())
MEMOISED = {**BITS, "memoised": True}


def said(sentence: str) -> None:
    assert sentence in GUIDE


def meant(table: dict[str, Any]) -> Plan:
    parsed(table)
    return next(iter(meanings(table)))


def held_by_all(meaning: Plan, values: list[int]) -> Held:
    """In every attempt, the next of these values, of everybody."""
    return {
        (user, each.name, attempt, question.column): values[attempt]
        for each in meaning.rounds
        for attempt, users in enumerate(each.lists)
        for user in users
        for question in each.questions
    }


def test_a_memoised_report_does_not_follow_the_value() -> None:
    said("sent again every later time, whatever the value has become. It does not follow the value")
    meaning = meant(table_of(MEMOISED, repeat=2, same_users=True))
    law = view(meaning, held_by_all(meaning, [0, 1]))
    assert all(seen[1] == seen[3] for seen in law.support)
    assert law == view(meaning, held_by_all(meaning, [0, 0]))


def test_who_misses_a_memoised_attempt_is_not_covered() -> None:
    said("a user who misses one of these attempts is not covered")
    with pytest.raises(DomainError, match="participations"):
        parsed(table_of(MEMOISED, repeat=2, same_users=True, participations=1))


def test_a_memoised_question_in_two_rounds_is_refused() -> None:
    said("| `memoised` under one question name in two rounds | whether both are one report is not said |")
    with pytest.raises(DomainError, match="one report"):
        parsed(table_of(MEMOISED, other={"questions": [MEMOISED]}))


def test_one_value_is_what_all_questions_on_a_column_read() -> None:
    said(
        "neighbours differ in one value of one `column` in one attempt of one round. All questions of the round that read the column change"
    )
    table = table_of({**BITS, "column": "a"}, {**BITS, "name": "p", "column": "a"}, relation="one-value", repeat=2)
    meaning = meant(table)
    assert changes(table, meaning) == [((0, "r", 0, "a"),), ((0, "r", 1, "a"),)]
    assert set(own_values(table, meaning)) == {(0, "r", 0, "a"), (0, "r", 1, "a")}


def test_without_overlap_nobody_is_on_two_lists() -> None:
    said("with `overlap = 0` nobody who is on this round's list, coin or not, is on another one's")
    for meaning in meanings(table_of(rate="1/2", overlap=0, other={"rate": "1/2"})):
        assert sum(0 in each.lists[0] for each in meaning.rounds) == 1


def test_a_dropped_batch_uses_up_an_attempt() -> None:
    said("an attempt with fewer than `least` reports is dropped, and uses up one of the round's `repeat` attempts")
    meaning = meant(table_of(rate="1/2", least=2, repeat=2))
    shown = {len(seen) for seen in view(meaning, held_by_all(meaning, [0, 0])).support}
    assert shown == {2, 3, 4}  # how many came is shown twice, and reports of none, one or both attempts


def test_a_batch_is_those_who_came() -> None:
    said("a batch is those who came")
    meaning = meant(table_of(rate="1/2", batch="b", repeat=2))
    assert all(seen[0] == seen[len(seen) // 2] for seen in view(meaning, held_by_all(meaning, [0, 0])).support)


def test_of_one_item_alone_users_may_hold_another() -> None:
    said("users may hold something else, and of the others nothing is seen")
    meaning = meant(table_of({"name": "h", "protocol": "histogram", "p": "1/2", "items": ["x"]}))
    assert meaning.rounds[0].questions[0].domain == (0, 1)
    nobody = view(meaning, held_by_all(meaning, [1]))
    assert {len(seen[1][0]) for seen in nobody.support} == {1}
    assert with_noise_bits(1, bins=2, p=Fraction(1, 2)) != with_noise_bits(None, bins=2, p=Fraction(1, 2))


def test_what_is_deleted_is_nothing() -> None:
    said("the report of an item drawn at random, a vector without an item for RAPPOR, no item in a histogram")
    T = Fraction(3)
    assert unary(None, coordinates=1, own=Fraction(1, 2), other=1 / (T + 1))[(1,)] == 1 / (T + 1)
    assert with_noise_bits(None, bins=1, p=Fraction(1, 4))[(1,)] == Fraction(1, 4)
    assert bit_sum(None, coin=Fraction(1, 2)) == bit_sum(0, coin=Fraction(1, 2))


SURVEY = shuffled(AnyRandomizer(epsilon0="ln 3"), n=200)
LOSS = SURVEY.epsilon(delta="1e-6").upper.upper


def test_a_filter_adds_up_and_stops_at_its_budget() -> None:
    budget = Filter(epsilon=LOSS * Fraction(5, 2), delta="1e-5")
    assert [budget.admit(SURVEY, delta="1e-6").epsilon for _ in range(2)] == [LOSS, 2 * LOSS]
    before = budget.spent
    with pytest.raises(RegimeError, match="nothing was taken"):
        budget.admit(SURVEY, delta="1e-6")
    assert budget.spent == before
    assert (before.releases, before.delta) == (2, Fraction(2, 10**6))


def test_a_share_of_delta_beyond_the_budget_is_refused() -> None:
    with pytest.raises(RegimeError, match=r"BEYOND\.filter-basic"):
        Filter(epsilon=5, delta="1e-6").admit(SURVEY, delta="2e-6")


def test_exactly_the_budget_is_admitted() -> None:
    assert Filter(epsilon=LOSS, delta="1e-6").admit(SURVEY, delta="1e-6").epsilon == LOSS


def test_divergences_of_one_order_add_up_and_are_turned_into_epsilon_once() -> None:
    budget = Filter(epsilon=1, delta="1e-4", by="renyi", order=16)
    one, two = budget.admit(SURVEY).epsilon, budget.admit(SURVEY).epsilon
    step = SURVEY.renyi(order=16).upper.upper
    assert step * Fraction(99, 100) <= two - one <= step * Fraction(101, 100)
    with pytest.raises(RegimeError):
        [budget.admit(SURVEY) for _ in range(10**3)]
    with pytest.raises(DomainError, match="left out"):
        budget.admit(SURVEY, delta="1e-9")


def test_releases_about_other_neighbouring_datasets_do_not_add_up() -> None:
    users = UserHistogram(threshold=1, domain_size=4, sigma=100, relation=Relation.ADD_REMOVE)
    dropped = CoordinateSums(n=200, epsilon0=1, changed=1)
    seldom = RandomParticipation(one=CoordinateSums(n=200, epsilon0=1), rate="1/2", change="deletion")
    for first, second in ((SURVEY, users), (users, SURVEY), (SURVEY, dropped), (dropped, users), (SURVEY, seldom)):
        budget = Filter(epsilon=9, delta="1e-4")
        before = budget.admit(first, delta="1e-6")
        with pytest.raises(DomainError, match="neighbouring datasets"):
            budget.admit(second, delta="1e-6")
        assert budget.spent == before


@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ({"by": "pld"}, "by"),
        ({"by": "renyi"}, "order"),
        ({"order": 2}, "order"),
        ({"by": "renyi", "order": 2, "delta": 0}, "delta"),
        ({"delta": 1}, "delta"),
        ({"epsilon": -1}, "epsilon"),
    ],
)
def test_a_wrong_filter_is_refused(given: dict[str, Any], parameter: str) -> None:
    with pytest.raises(DomainError, match=parameter):
        Filter(**{"epsilon": 1, "delta": "1e-6", **given})


def test_a_plan_is_held_in_any_order_and_no_more_often_than_planned() -> None:
    question = {"name": "q", "randomizer": "any", "epsilon0": 1}
    rounds = [{"name": name, "users": 1000, "questions": [question]} for name in ("a", "b")]
    content = {"relation": "one-value", "target": {"epsilon": 1, "delta": "1e-6"}, "rounds": rounds}
    held = PlanFilter(parsed(content))
    assert held.hold("b") == 0
    assert held.left == {"a": 1, "b": 0}
    for wrong in ("b", "c"):
        with pytest.raises(DomainError, match="round"):
            held.hold(wrong)
    with pytest.raises(RegimeError, match=r"BEYOND\.filter-planned"):
        PlanFilter(parsed({**content, "target": {"epsilon": "1e-3", "delta": "1e-6"}}))
