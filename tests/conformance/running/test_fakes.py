"""Implementations with planted faults, and the plugin for pytest, which run the kit."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from harnesses import PYTHONPATH, bad, counting, fake

from shuffleproof.conformance import vectors
from shuffleproof.conformance.fakes.enumeration import clones_delta
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting.report import CaseResult, Report
from shuffleproof.conformance.running import runner
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.conformance.running.runner import Options
from shuffleproof.conformance.vectors import suite_cases
from shuffleproof.spec.vocabulary.errors import DomainError, HarnessStartError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


def run(name: str, *, suite: str = "smoke", deadline: float = 20) -> tuple[Report, list[CaseResult]]:
    """The report, and the results that were asked for and have a positive truth (the fakes answer n <= 40 only)."""
    streamed: list[CaseResult] = []
    report = runner.run(connect=fake(name), suite=suite, options=Options(deadline=deadline), on_result=streamed.append)
    assert sorted(streamed, key=lambda result: result.id) == sorted(report.results, key=lambda result: result.id)
    assert len(report.results) == vectors.suites()[suite]
    assert not children_named(name)
    return report, [result for result in report.results if result.seconds is not None and result.verdict is not Verdict.UNSUPPORTED]


def children_named(name: str) -> list[str]:
    listed = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in listed if f"conformance.fakes.{name}" in line and line.split()[0] == str(os.getpid())]


def answered_with(results: list[CaseResult], *verdicts: Verdict) -> bool:
    return bool(results) and {result.verdict for result in results} == set(verdicts)


def test_the_truth_of_the_fakes_is_the_truth_of_the_vectors() -> None:
    """Their enumeration gives the exact value of every vector in their reach."""
    compared = 0
    for case in vectors.suite_cases("fmt21"):
        given, expected = case.given, case.expected
        if case.operation != "delta" or given["method"] != "clones" or expected.lower is None or expected.kind != "exact":
            continue
        local, central = parse_epsilon(given["epsilon0"]).exp, parse_epsilon(given["epsilon"]).exp
        if local is not None and central is not None:
            assert clones_delta(n=int(given["n"]), exp_epsilon0=local, exp_epsilon=central) == expected.lower.rational
            compared += 1
    assert compared >= 25


def test_unsound_by_one_part_in_a_billion() -> None:
    report, asked = run("unsound")
    positive = [result for result in asked if result.value != "0" and result.claim == "upper"]
    assert answered_with(positive, Verdict.UNSOUND)
    assert "1e-9 (relative) below the truth" in positive[0].detail
    assert report.exit_code == 1


def test_loose_by_a_factor_of_two() -> None:
    report, asked = run("loose")
    positive = [result for result in asked if result.value != "0" and result.claim == "upper"]
    assert answered_with(positive, Verdict.LOOSE)
    assert {result.ratio for result in positive} == {"2"}
    assert report.exit_code == 0


def test_crashing() -> None:
    report, asked = run("broken crashing", suite="fmt21")
    assert answered_with(asked, Verdict.CRASHED, Verdict.CONFORMS)
    assert report.exit_code == 4
    for result in asked:
        if result.verdict is Verdict.CRASHED:
            assert "exited with status 3" in result.detail
            assert "about to divide by zero" in result.detail


def test_hanging() -> None:
    report, asked = run("broken hanging", deadline=1)
    assert answered_with(asked, Verdict.TIMED_OUT, Verdict.CONFORMS)
    assert all(1 <= (result.seconds or 0) < 5 for result in asked if result.verdict is Verdict.TIMED_OUT)
    assert report.exit_code == 4


def test_flooding() -> None:
    report, asked = run("broken flooding", suite="fmt21")
    assert answered_with(asked, Verdict.PROTOCOL, Verdict.CONFORMS)
    assert report.summary["protocol"] >= 10
    assert report.exit_code == 4


def test_a_harness_that_never_answers_is_given_up() -> None:
    report = runner.run(connect=bad("exit"), suite="fmt21", options=Options(deadline=5))
    crashed = [result for result in report.results if result.verdict is Verdict.CRASHED]
    assert len([result for result in crashed if result.seconds is not None]) == runner.RESTARTS + 1
    assert all("not asked: given up after 5 restarts" in result.detail for result in crashed if result.seconds is None)
    assert report.summary.keys() == {"crashed", "unsupported"}


def test_what_does_not_start_raises() -> None:
    with pytest.raises(HarnessStartError, match="did not greet"):
        runner.run(connect=f"cmd:{sys.executable} -S -c pass", suite="smoke")
    with pytest.raises(HarnessStartError, match="No module named 'nowhere'"):
        runner.run(connect="py:nowhere:factory", suite="smoke")
    with pytest.raises(DomainError, match="suite"):
        runner.run(connect=fake("loose"), suite="nothing")
    for wrong in ({"seed": -1}, {"digits": 0}, {"deadline": 0}, {"jobs": 0}):
        with pytest.raises(DomainError):
            runner.run(connect=fake("loose"), suite="smoke", options=Options(**wrong))  # type: ignore[arg-type]


class Sampler:
    """A Python harness with a printing habit: samples for binary-rr, refusals, and one exception."""

    about = {"name": "sampler", "version": "1", "language": "Python"}  # noqa: RUF012
    capabilities = {"operations": ["randomizer_law", "delta"], "randomizers": ["binary-rr"], "methods": []}  # noqa: RUF012
    seed = 0

    def configure(self, *, seed: int, digits: int) -> None:
        self.seed = seed

    def run(self, operation: str, given: dict[str, str]) -> Answer:
        print("this must not reach the protocol")
        if given["epsilon0"] == "800":
            raise OverflowError("math range error")
        if given["epsilon0"] == "ln 3" and given["input"] in ("0", "1"):
            common = str(75_000 + self.seed % 10)
            return Answer(claim="samples", table={given["input"]: common, str(1 - int(given["input"])): "25000"})
        return Answer(claim="unsupported", reason="only ln 3")


def test_a_harness_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    report = runner.run(connect="py:test_fakes:Sampler", suite="fmt21", options=Options(deadline=20))
    verdicts = {result.id: result.verdict for result in report.results}
    assert verdicts["randomizer_law binary-rr epsilon0=ln 3 input=0"] is Verdict.CONFORMS
    crashed = [result for result in report.results if result.verdict is Verdict.CRASHED]
    assert [result.given["epsilon0"] for result in crashed] == ["800"]
    assert "OverflowError: math range error" in crashed[0].detail
    assert verdicts["delta clones n=1 epsilon0=ln 3 epsilon=0"] is Verdict.UNSUPPORTED
    assert report.implementation == Sampler.about


def test_smoke_asks_one_question_for_each_declared_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    report = runner.smoke("py:test_fakes:Sampler")
    assert [(result.operation, result.verdict) for result in report.results] == [("randomizer_law", Verdict.CONFORMS)]
    assert runner.smoke(fake("unsound")).summary == {"unsound": 1}


def outcome(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """pytest run in a folder of its own, where the installed entry point loads the plugin."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n", "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    return tmp_path


def test_cases_stand_beside_ones_own_tests(folder: Path) -> None:
    ran = outcome(folder, "--shuffleproof-target=py:shuffleproof.verification.own_harness:ball", "--shuffleproof-suite=smoke")
    assert ran.returncode == 0, ran.stdout
    passed, skipped = (int((re.search(rf"(\d+) {word}", ran.stdout) or ["", "0"])[1]) for word in ("passed", "skipped"))
    assert passed + skipped == 1 + len(suite_cases("smoke"))
    assert passed > 20


def test_a_wrong_implementation_fails_in_the_judges_words(folder: Path) -> None:
    ran = outcome(folder, f"--shuffleproof-target={fake('unsound')}", "--shuffleproof-suite=smoke")
    assert ran.returncode == 1, ran.stdout
    assert "unsound: " in ran.stdout
    assert "Traceback" not in ran.stdout


def test_selection_by_name_works(folder: Path) -> None:
    target = "--shuffleproof-target=py:shuffleproof.verification.own_harness:fast"
    ran = outcome(folder, target, "--shuffleproof-suite=smoke", "-k", "randomizer_law and epsilon0")
    assert ran.returncode == 0, ran.stdout
    assert "deselected" in ran.stdout


def test_only_the_selected_cases_are_asked(folder: Path) -> None:
    log = folder / "log"
    ran = outcome(folder, f"--shuffleproof-target={counting(log)}", "-k", "stronger-clones")
    asked = [case for case in suite_cases("all") if case.operation == "epsilon" and case.given["method"] == "stronger-clones"]
    assert len(log.read_text().split()) == len(asked) > 0, ran.stdout
    assert "deselected" in ran.stdout


def test_ids_can_be_pasted_and_what_failed_runs_again(folder: Path) -> None:
    target = f"--shuffleproof-target={fake('unsound')}"
    one = "shuffleproof::delta-clones-n-1-epsilon0-ln-3-epsilon-0"
    command = [sys.executable, "-m", "pytest", "-q", "-rf", target]
    first = subprocess.run([*command, one], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert first.returncode == 1, first.stdout
    assert f"FAILED {one}" in first.stdout
    assert "1 failed" in first.stdout
    assert "passed" not in first.stdout
    assert "| " in first.stdout
    again = subprocess.run([*command, "--lf"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert f"FAILED {one}" in again.stdout
    assert re.search(r"1 failed, \d+ deselected", again.stdout), again.stdout


def test_a_pasted_id_that_there_is_not_is_a_usage_error_with_the_nearest(folder: Path) -> None:
    ran = outcome(folder, "--shuffleproof-target=cmd:false", "shuffleproof::delta-clones-n-1-epsilon0-ln-3-epsilon-00")
    assert ran.returncode == 4
    assert "shuffleproof::delta-clones-n-1-epsilon0-ln-3-epsilon-0\n" in ran.stderr + ran.stdout


def test_a_harness_that_does_not_start_is_started_once(folder: Path) -> None:
    ran = outcome(folder, "--shuffleproof-target=cmd:false", "--shuffleproof-suite=smoke")
    assert ran.returncode == 1
    assert " failed, 1 passed" in ran.stdout


def test_an_unknown_suite_is_a_usage_error(folder: Path) -> None:
    ran = outcome(folder, "--shuffleproof-target=py:shuffleproof.verification.own_harness:ball", "--shuffleproof-suite=absent")
    assert ran.returncode == 4
    assert "absent" in ran.stderr + ran.stdout


def test_without_the_option_nothing_is_added(folder: Path) -> None:
    assert "1 passed" in outcome(folder).stdout
