"""Refusals of a plan name the line; where each key of a TOML file stands is found without being told by tomllib."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shuffleproof.planning.plan.evaluation import Evaluation, evaluate
from shuffleproof.planning.plan.places import line_of, lines
from shuffleproof.planning.plan.schema import EXAMPLE, parsed, read
from shuffleproof.spec.vocabulary.errors import DomainError

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
    (tmp_path / "plan.toml").write_text(EXAMPLE.replace('delta = "1e-6"', "delta = 0.000_001").replace("# rate = 0.1 ", "rate = 0.3"))
    found = read(tmp_path / "plan.toml")
    assert (found.delta, found.rounds[0].rate) == (Fraction(1, 10**6), Fraction(3, 10))


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
