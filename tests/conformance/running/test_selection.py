"""Which cases are asked, and the lines that ask one of them again."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as Tree
from pathlib import Path

import pytest

from shuffleproof.command_line import program
from shuffleproof.conformance import stored_json, vectors
from shuffleproof.conformance.catalogue.inputs import apart
from shuffleproof.conformance.reporting import junit
from shuffleproof.conformance.running.runner import run
from shuffleproof.conformance.running.selection import Selection
from shuffleproof.pytest_plugin import node_id
from shuffleproof.report import conform
from shuffleproof.spec.vocabulary.errors import DomainError

CASES = vectors.suite_cases("all")
UNSOUND = f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.unsound"
ONE = "delta clones n=1 epsilon0=ln 3 epsilon=0"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        program.main(["conform", "run", "-i", UNSOUND, *arguments])
    assert isinstance(end.value.code, int)
    return end.value.code, *capsys.readouterr()


def test_nothing_said_selects_everything() -> None:
    assert Selection().of(CASES) == CASES


@pytest.mark.parametrize("case", CASES[::60], ids=lambda case: case.id)
def test_an_id_selects_its_case_alone(case: vectors.Case) -> None:
    assert Selection(ids=[case.id]).of(CASES) == (case,)


def test_all_words_must_occur_in_operation_id_or_flags() -> None:
    found = Selection(words="TIE Clones").of(CASES)
    assert found
    assert all("TIE" in case.flags or "tie" in case.id.lower() for case in found)
    assert all("clones" in case.id for case in found)
    assert len(found) < len(Selection(words="clones").of(CASES))


def test_operation_and_method_select_together() -> None:
    found = Selection(operations=["delta"], methods=["zero-sum"]).of(CASES)
    assert found == tuple(case for case in CASES if case.operation == "delta" and case.given["method"] == "zero-sum")
    assert found


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (Selection(ids=[f"{ONE}0"]), ONE),
        (Selection(operations=["epsilom"]), "did you mean 'epsilon'"),
        (Selection(methods=["clone"]), "did you mean 'clones'"),
    ],
)
def test_a_name_that_there_is_not_is_told_with_the_nearest(wrong: Selection, told: str) -> None:
    with pytest.raises(DomainError, match=told):
        wrong.of(CASES)


def test_the_command_line_selects_and_names_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--operation", "renyi", "-k", "no such words")[0] == 5
    code, _, told = printed(capsys, "--method", "clone")
    assert code == 2
    assert "--method clone" in told
    assert printed(capsys, "--case", "no such id")[0] == 2


def test_inputs_that_are_shown_as_one_come_apart_again() -> None:
    for case in CASES:
        assert apart(case.given) == tuple(dict(given) for given in case.inputs or (case.given,)), case.id


def test_every_case_has_a_test_id_of_its_own_that_needs_no_quotes() -> None:
    ids = [node_id(case.id) for case in CASES]
    assert len(set(ids)) == len(ids)
    assert all(set(name) & set(" ()[];,=*?'\"$&|<>~#!") == set() for name in ids)


def test_every_row_of_every_report_says_how_to_ask_again() -> None:
    """The lines are run: the harness answers as it did, and a line whose number was changed gets another answer."""
    related = next(case for case in CASES if case.operation == "delta" and case.inputs)
    report = run(connect=UNSOUND, only=Selection(ids=[ONE, related.id])).as_json()
    assert stored_json.violation(report, schema="report") is None
    for row in report["cases"]:
        asked = subprocess.run(row["reproduce"]["by_hand"], shell=True, capture_output=True, text=True, check=True, timeout=60)
        answers = [json.loads(line) for line in asked.stdout.splitlines()][2:]
        assert [answer["seq"] for answer in answers] == list(range(1, len(apart(row["input"])) + 1))
        if row["id"] == ONE:
            assert answers == [{"seq": 1, "claim": row["claim"], "value": row["value"]}]
        assert row["id"] in row["reproduce"]["by_the_kit"]
    lines = [line for row in report["cases"] for line in row["reproduce"].values()]
    rows = Tree.fromstring(junit.junit(report)).iter("system-out")
    assert [
        line for line in lines if not any(line in (row.text or "") for row in Tree.fromstring(junit.junit(report)).iter("system-out"))
    ] == []
    assert len(list(rows)) == len(report["cases"])
    every_case = conform.page(report, code=1).partition("<h2>Every case")[2]
    assert len(re.findall("<pre[^>]*>printf ", every_case)) == len(report["cases"])


def test_the_kits_own_line_finds_the_same_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, text, _ = printed(capsys, "--case", ONE, "--report", str(tmp_path / "r.json"))
    (row,) = json.loads((tmp_path / "r.json").read_text())["cases"]
    assert code == 1
    assert row["verdict"] == "unsound"
    assert all(f"$ {line}" in text for line in row["reproduce"].values())
    again = row["reproduce"]["by_the_kit"].replace("shuffleproof ", f"{sys.executable} -m shuffleproof ", 1)
    ran = subprocess.run(again, shell=True, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (code, text)
