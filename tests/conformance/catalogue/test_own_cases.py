"""Cases of somebody's own: their truth is computed, and they are judged as stored vectors are."""

import json
import sys
from pathlib import Path

import pytest

from shuffleproof.command_line import program
from shuffleproof.conformance import vectors
from shuffleproof.conformance.catalogue import own_cases
from shuffleproof.conformance.catalogue.truth import truth
from shuffleproof.conformance.judging.quantity import compare
from shuffleproof.spec.vocabulary.errors import DomainError

FAST = [case for case in vectors.suite_cases("smoke") if case.expected.kind != "relation"]
UNSOUND = f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.unsound"


@pytest.mark.parametrize("case", FAST, ids=lambda case: case.id)
def test_the_truth_computed_now_is_the_stored_one(case: vectors.Case) -> None:
    """Of every kind of question: refusals are refusals, numbers and laws enclose or equal what is stored."""
    found = truth(case.operation, case.given)
    assert (found.kind == "refusal") == (case.expected.kind == "refusal")
    if found.lower is not None and case.expected.lower is not None:
        assert found.upper is not None
        assert case.expected.upper is not None
        assert compare(found.lower, case.expected.upper) <= 0 <= compare(found.upper, case.expected.lower)
    elif found.law is not None:
        assert found.law.keys() == case.expected.law.keys()
        for y, (low, high) in found.law.items():
            assert low <= case.expected.law[y][1]
            assert high >= case.expected.law[y][0]
    else:
        assert found.kind == "refusal"


def test_a_wrong_truth_would_be_noticed() -> None:
    """The neighbour of a question has another truth, and what compares them says so."""
    asked = {"method": "clones", "n": "10", "epsilon0": "ln 3", "delta": "1/100"}
    one, other = truth("epsilon", asked), truth("epsilon", {**asked, "n": "11"})
    assert one.lower is not None
    assert other.upper is not None
    assert compare(one.lower, other.upper) > 0


CSV = """operation,method,n,epsilon0,epsilon,delta,p,q,exp_epsilon
delta,clones,7,ln 3,ln 2,,,,
epsilon,clones,1000,1,,1e-6,,,
delta,clones,0,ln 3,ln 2,,,,
hockey_stick,,,,,,"3/4,1/4","1/4,3/4",2
"""


def test_csv_and_json_are_the_same_cases(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(CSV)
    cases = own_cases.read(tmp_path / "own.csv")
    own_cases.write(tmp_path / "own.json", cases)
    again = own_cases.read(tmp_path / "own.json")
    assert [(case.id, case.given, case.expected) for case in again] == [(case.id, case.given, case.expected) for case in cases]
    assert [case.expected.kind for case in cases] == ["exact", "enclosure", "refusal", "exact"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "operation,method,m\ndelta,clones,3\n", "columns"),
        ("a.csv", 'operation,method,n\ndelta,"clones,3\ndelta,clones,4\n', "line 2 = a quotation mark"),
        ("a.csv", "method,n\nclones,3\n", "column operation"),
        ("a.csv", "operation,method,n\ndelta,clones,3\n", "line 2"),
        ("a.csv", "operation,method,n,epsilon0,epsilon\ndelta,clone,3,1,1\n", "clones"),
        ("a.csv", "operation,method,n,epsilon0,epsilon\nbeta,clones,3,1,1\n", "delta"),
        ("a.csv", CSV + CSV.splitlines()[1] + "\n", "second"),
        ("a.csv", "operation\n", "a case in it"),
        ("a.json", "{}", "a list"),
        ("a.json", '[{"operation": "delta"}]', "case 1"),
        ("a.json", '[{"operation": "delta", "input": {"n": 0.5}}]', "numbers that matter are strings"),
        ("none.csv", None, "No such file"),
    ],
)
def test_what_cannot_be_asked_is_said_with_its_place(tmp_path: Path, name: str, text: str | None, told: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(DomainError, match=told):
        own_cases.read(tmp_path / name)


def test_own_cases_are_judged_one_sidedly(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A harness that is below the truth by one part in 10^9 is unsound; the report says how the file is asked again."""
    (tmp_path / "own.csv").write_text("operation,method,n,epsilon0,epsilon\ndelta,clones,7,ln 3,ln 2\ndelta,clones,8,ln 3,ln 2\n")
    with pytest.raises(SystemExit) as end:
        program.main(["conform", "run", "-i", UNSOUND, "--cases", str(tmp_path / "own.csv"), "-k", "n=7", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert end.value.code == 1
    (row,) = report["cases"]
    assert row["verdict"] == "unsound"
    assert f"--cases {tmp_path / 'own.csv'} --case 'delta clones n=7" in row["reproduce"]["by_the_kit"]


def test_a_wrong_answer_that_a_fresh_process_gives_rightly_is_said_to_be_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A table kept without the number of users: whichever of the two is asked second is wrong, and neither alone."""
    path = tmp_path / "own.csv"
    path.write_text("operation,method,n,epsilon0,epsilon\ndelta,clones,2,ln 3,0\ndelta,clones,3,ln 3,0\n", "utf-8")
    for bug, says in (("stale-by-n", 1), ("one-user-less", 0)):
        harness = f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.planted {bug}"
        with pytest.raises(SystemExit) as end:
            program.main(["conform", "run", "-i", harness, "--cases", str(path)])
        assert end.value.code == 1
        assert capsys.readouterr().out.count("a fresh process answers this rightly") == says
