"""A run with relations: every question is asked once, whatever dies, and each relation is judged once, also when the run is taken up."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from harnesses import PYTHONPATH, a_case, answered, counting, fake

from shuffleproof.conformance import lint, stored_json, vectors
from shuffleproof.conformance.catalogue import generate
from shuffleproof.conformance.catalogue.question import related
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting import junit, report
from shuffleproof.conformance.reporting.report import CaseResult, Report
from shuffleproof.conformance.running import runner
from shuffleproof.conformance.running.runner import Options
from shuffleproof.conformance.running.selection import Selection
from shuffleproof.conformance.vectors import Case, Expected
from shuffleproof.report import conform
from shuffleproof.spec.vocabulary.errors import IntegrityError

PACKAGED = vectors.load_all()
RELATIONS, EACH = 20, 3
QUESTIONS = RELATIONS * EACH


def made(number: int = RELATIONS) -> tuple[Case, ...]:
    """Relations whose answers, the epsilon0 they are asked with, do not increase."""
    return tuple(
        a_case(
            id=f"relation {i}",
            operation="epsilon",
            given={"method": "clones"},
            inputs=tuple({"method": "clones", "n": f"{i}", "epsilon0": str(9 - place), "delta": "0"} for place in range(EACH)),
            expected=Expected(kind="relation", relation="nonincreasing", because="it is", shown="nonincreasing: it is"),
            relative_tolerance=Fraction(1, 10**9),
        )
        for i in range(1, number + 1)
    )


def ask(connect: str, *, options: Options | None = None, seen: list[CaseResult] | None = None, cases: tuple[Case, ...] = ()) -> Report:
    return runner.run_cases(
        cases or made(), connect=connect, suite="made", digests={}, on_result=None if seen is None else seen.append, options=options
    )


@pytest.mark.parametrize(("every", "jobs"), [(0, 1), (7, 1), (11, 3)])
def test_every_question_is_asked_once_and_every_relation_judged_once(tmp_path: Path, every: int, jobs: int) -> None:
    seen: list[CaseResult] = []
    found = ask(counting(tmp_path / "log", every), options=Options(jobs=jobs), seen=seen)
    assert found.summary == {"conforms": RELATIONS}, [result.detail for result in found.results]
    assert answered(tmp_path / "log") == Counter(range(1, QUESTIONS + 1))
    assert sorted(seen, key=lambda result: int(result.id[9:])) == list(found.results)
    assert found.results[0].value == {"1": "9", "2": "8", "3": "7"}


def test_the_questions_of_a_relation_are_shuffled_among_the_others(tmp_path: Path) -> None:
    ask(counting(tmp_path / "log"))
    order = [int(line) for line in (tmp_path / "log").read_text().split()]
    neighbours = sum(abs(a - b) == 1 and (a - 1) // EACH == (b - 1) // EACH for a, b in pairwise(order))
    assert neighbours < QUESTIONS // 6


CODE = """
import sys
from pathlib import Path
from harnesses import counting
from test_relations_run import ask
from shuffleproof.conformance.running.runner import Options

folder = Path(sys.argv[1])
ask(counting(folder / "log", 25, 0.008), options=Options(jobs=int(sys.argv[2]), resume=folder / "journal"))
print("done")
"""


def test_a_run_killed_in_the_middle_of_relations_goes_on(tmp_path: Path) -> None:
    jobs = 2
    command, journal = [sys.executable, "-c", CODE, str(tmp_path), str(jobs)], tmp_path / "journal"
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    until = time.monotonic() + 30
    while time.monotonic() < until and (not journal.exists() or journal.read_bytes().count(b"\n") < QUESTIONS // 2):
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert journal.read_bytes().count(b"\n") < QUESTIONS
    finished = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    assert finished.stdout == "done\n"
    times = answered(tmp_path / "log")
    assert set(times) == set(range(1, QUESTIONS + 1))
    assert sum(times.values()) <= QUESTIONS + jobs
    before = (tmp_path / "log").read_bytes()
    assert ask(counting(tmp_path / "log", 25, 0.008), options=Options(resume=journal)).summary == {"conforms": RELATIONS}
    assert (tmp_path / "log").read_bytes() == before, "a finished run asks nothing, and judges the relations all the same"


def test_relations_are_skipped_and_held_to_failing_as_wholes(tmp_path: Path) -> None:
    first, second, *_ = made()
    second = replace(second, expected=replace(second.expected, relation="equal"))

    def verdicts(**options: object) -> list[Verdict]:
        asked = Options(resume=tmp_path / str(len(list(tmp_path.iterdir()))), **options)  # type: ignore[arg-type]
        once = [result.verdict for result in ask(counting(tmp_path / "log"), cases=(first, second), options=asked).results]
        again = [result.verdict for result in ask(counting(tmp_path / "log"), cases=(first, second), options=asked).results]
        assert once == again
        return once

    assert verdicts() == [Verdict.CONFORMS, Verdict.LOOSE]
    assert verdicts(skip={second.id}) == [Verdict.CONFORMS, Verdict.SKIPPED]
    assert verdicts(skip={first.id, second.id}, skip_must_fail=True) == [Verdict.UNSKIPPED, Verdict.UNSKIPPED]


def test_all_reports_show_a_relation_that_is_broken(tmp_path: Path) -> None:
    names = {case.id for case in vectors.suite_cases("finite") if case.expected.kind == "relation" and case.operation == "renyi"}
    found = runner.run(connect=fake("planted simulated-renyi"), suite="finite", only=Selection(ids=names))
    broken = [result for result in found.results if result.verdict is Verdict.MISMATCH]
    assert broken
    assert found.exit_code == 1
    report.write(found, tmp_path / "r.json")
    stored = report.read(tmp_path / "r.json")
    texts = junit.junit(stored).decode(), conform.page(stored, code=1)
    for text in texts:
        assert "contradict each other" in text
        assert "is convex in the order" in text


ONE_RANDOMIZER = """
from shuffleproof.conformance.fakes import planted

planted.CAPABILITIES["randomizers"] = ["binary-rr"]
planted.main()
"""


def test_a_harness_that_declares_one_of_two_randomizers_is_not_asked_for_both(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(ONE_RANDOMIZER)
    cases = {case.id for case in vectors.suite_cases("fmt21") if case.expected.kind == "relation" and case.operation == "randomizer_law"}
    found = runner.run(connect=f"cmd:{sys.executable} {tmp_path / 'one.py'} none", suite="fmt21", only=Selection(ids=cases))
    assert found.summary == {"unsupported": len(cases)}
    assert {result.detail for result in found.results} == {"not declared by the harness"}


def test_a_relation_that_our_own_answers_do_not_satisfy_is_not_written() -> None:
    for name, text in (
        ("nondecreasing", "method=clones; n=5; epsilon0=ln 3; epsilon=ln 6/5 ~ ln 7/5"),
        ("equal", "method=clones; n=5; epsilon0=1; epsilon=1/2 ~ 0.500000001"),
        ("nonincreasing", "method=clones; n=1; epsilon0=1; epsilon=0.3 ~ 0.3 ~ 0.2"),
    ):
        with pytest.raises(generate.GenerationError, match="do not satisfy it"):
            generate._case("delta", related(name, text, because="of nothing"), lambda _: None)
    concave = related("convex", "C=7; rate=3 ~ 4 ~ 5", because="of nothing")
    with pytest.raises(generate.GenerationError, match="do not satisfy it"):
        generate._case("debias", concave, lambda _: None)


def stored_with(folder: Path, change: dict[str, object], *, operation: str = "hockey_stick", drop: str = "") -> Path:
    """A file with one relation, changed."""
    content = next(dict(file.content) for file in PACKAGED if file.content["operation"] == operation)
    group = next(dict(group) for group in content["groups"] if group["name"].endswith("relations"))
    case = {**next(case for case in group["cases"] if operation != "hockey_stick" or case["expected"]["relation"] == "convex"), **change}
    case.pop(drop, None)
    group["cases"] = [case]
    flags = {flag: text for flag, text in content["flags"].items() if flag in case["flags"]}
    stored_json.write(folder / f"{operation}.json", vectors.sealed({**content, "groups": [group], "flags": flags}))
    return folder / f"{operation}.json"


def test_the_schema_of_a_relation_is_closed(tmp_path: Path) -> None:
    assert vectors.load(stored_with(tmp_path, {})).cases[0].expected.kind == "relation"
    exact = {"kind": "exact", "value": "1"}
    good = json.loads(stored_with(tmp_path, {}).read_text())["groups"][0]["cases"][0]
    for change, drop in (
        ({"expected": exact}, ""),
        ({"input": good["inputs"][0]}, ""),
        ({"input": good["inputs"][0], "expected": good["expected"]}, "inputs"),
        ({"inputs": good["inputs"][:1]}, ""),
        ({"expected": {**good["expected"], "relation": "concave"}}, ""),
        ({"expected": {**good["expected"], "value": "1"}}, ""),
        ({"expected": {key: value for key, value in good["expected"].items() if key != "at"}}, ""),
    ):
        with pytest.raises(IntegrityError):
            vectors.load(stored_with(tmp_path, change, drop=drop))


def test_lint_finds_relations_that_make_no_sense(tmp_path: Path) -> None:
    because = {"kind": "relation", "because": "it is"}

    def found(change: dict[str, object], **rest: str) -> str:
        path = stored_with(tmp_path, change, **rest)
        messages = "\n".join(str(finding) for finding in lint.lint(tmp_path))
        path.unlink()
        return messages

    assert found({}) == ""
    assert "must increase, one for each input" in found({"expected": {**because, "relation": "convex", "at": ["2", "1", "3", "4", "5"]}})
    assert "must increase, one for each input" in found({"expected": {**because, "relation": "convex", "at": ["1", "2", "3"]}})
    assert "does not suit distributions" in found({"expected": {**because, "relation": "nonincreasing"}}, operation="shuffle_law")
    assert "input has the keys" in found({"inputs": [{"p": "1", "q": "1", "exp_epsilon": "1"}, {"p": "1"}]})
