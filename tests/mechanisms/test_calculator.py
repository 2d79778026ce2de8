"""What the calculator's page asks of Python: brackets with the digits asked for, and commands that give the same."""

import json
import shlex
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import flint
import pytest
from click.testing import CliRunner

from shuffleproof.command_line.verbs import shuffleproof
from shuffleproof.ledger import weakest

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from site_check import QUESTIONS, REFUSED, differences, of_calculator

ANSWERS = of_calculator("answers")


def asked(**question: str) -> dict:
    return json.loads(ANSWERS.answered(json.dumps(question)))


@pytest.mark.parametrize("given", QUESTIONS, ids=lambda given: given["randomizer"])
def test_the_commands_beside_an_answer_give_the_same_number(given: dict[str, str]) -> None:
    found = asked(ask="bracket", **given)["answer"]
    assert Fraction(found["sides"]["lower"]["value"]) <= Fraction(found["sides"]["upper"]["value"])
    for side in found["sides"].values():
        program, *words = shlex.split(side["command"])
        assert program == "shuffleproof"
        assert CliRunner().invoke(shuffleproof, words).output.splitlines()[0] == side["line"]


def test_the_python_beside_an_answer_gives_the_same_bracket() -> None:
    import shuffleproof as sp

    found = asked(ask="bracket", **QUESTIONS[3])["answer"]
    again = eval(found["python"], {"sp": sp})
    assert [str(again.upper), str(again.lower)] == [found["sides"][side]["line"] for side in ("upper", "lower")]
    assert [weakest(side["statements"]) for side in found["sides"].values()] == [side["status"] for side in found["sides"].values()]


def test_the_upper_end_says_for_whom_it_holds() -> None:
    scopes = [asked(ask="bracket", **QUESTIONS[at])["answer"]["sides"]["upper"]["scope"] for at in (0, 3)]
    assert scopes[0].startswith("every adaptive sequence of eps0-DP randomizers")
    assert scopes[1].startswith("this mechanism")


def test_a_point_of_the_curve_holds_the_answer_between_its_ends_and_asks_its_methods_alone() -> None:
    sides = asked(ask="bracket", **QUESTIONS[3])["answer"]["sides"]
    methods = {end: side["method"] for end, side in sides.items()}
    low, high = asked(ask="point", **QUESTIONS[3], **methods)["answer"]
    assert Fraction(low) <= Fraction(sides["lower"]["value"]) <= Fraction(sides["upper"]["value"]) <= Fraction(high)
    assert asked(ask="point", **QUESTIONS[3], upper=methods["upper"])["answer"] == [None, high]


def test_a_refusal_is_an_answer_that_names_the_parameter() -> None:
    assert "n" in asked(ask="bracket", **REFUSED)["refused"]
    assert "digits" in asked(ask="bracket", **{**REFUSED, "n": "10", "digits": "1000"})["refused"]


def test_answers_that_differ_are_noticed() -> None:
    assert differences([{"answer": "0.1"}], [{"answer": "0.2"}])
    assert differences([1], [])
    assert not differences([{"answer": "0.1"}], [{"answer": "0.1"}])


WHERE_ONLY_FLINT_IS = """
import json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "shuffleproof", "flint", "answers"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
sys.path[:0] = [sys.argv[1], sys.argv[3]]
import answers
for question in json.loads(sys.argv[2]):
    print(answers.answered(json.dumps(question)))
"""


def test_the_page_has_only_python_and_flint(tmp_path: Path) -> None:
    """And what is packed for it: it says the same, and the same status as the ledger, which is not packed."""
    asks = [{"ask": "bracket", **given} for given in (QUESTIONS[0], REFUSED)]
    of_calculator("build").packed(tmp_path / "parts.zip")
    with zipfile.ZipFile(tmp_path / "parts.zip") as parts:
        parts.extractall(tmp_path)
    command = [sys.executable, "-I", "-S", "-c", WHERE_ONLY_FLINT_IS, str(tmp_path), json.dumps(asks), str(Path(flint.__file__).parents[1])]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines() == [ANSWERS.answered(json.dumps(each)) for each in asks], done.stderr
