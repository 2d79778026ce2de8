"""Refusals of a plan name the line; where each key of a TOML file stands is found without being told by tomllib."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.places import line_of, lines
from shuffleproof.planning.plan.schema import EXAMPLE, read
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
