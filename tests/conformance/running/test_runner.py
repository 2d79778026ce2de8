"""The runner: nothing is lost and nothing is asked twice, whatever dies, in whatever order, by however many processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from harnesses import PYTHONPATH, a_case, answered, bad, counting, fake

from shuffleproof.conformance import vectors
from shuffleproof.conformance.judging.judge import FAMILY_WISE_ERROR, Verdict
from shuffleproof.conformance.reporting.report import CaseResult, Report
from shuffleproof.conformance.running import conversation, runner
from shuffleproof.conformance.running.asking import Work
from shuffleproof.conformance.running.runner import Options
from shuffleproof.conformance.running.selection import Selection
from shuffleproof.conformance.vectors import Case, Expected
from shuffleproof.spec.vocabulary.errors import DomainError, HarnessStartError, IntegrityError


def made(number: int) -> tuple[Case, ...]:
    """Cases whose right answer is the epsilon0 they are asked with."""
    one = vectors.parse_quantity("1")
    return tuple(
        a_case(
            id=f"case {i}",
            operation="epsilon",
            given={"method": "clones", "n": str(i), "epsilon0": "1", "delta": "0"},
            expected=Expected(kind="exact", lower=one, upper=one, shown="1"),
        )
        for i in range(1, number + 1)
    )


def ask(connect: str, number: int, *, options: Options | None = None, seen: list[CaseResult] | None = None) -> Report:
    """Ask that many cases; everything must conform."""
    report = runner.run_cases(
        made(number), connect=connect, suite="made", digests={}, on_result=None if seen is None else seen.append, options=options
    )
    assert [result.id for result in report.results] == [f"case {i}" for i in range(1, number + 1)]
    return report


def test_a_crash_is_held_against_a_case_only_if_a_fresh_process_crashes_on_it(tmp_path: Path) -> None:
    report = ask(counting(tmp_path / "log", 2), 9)
    assert report.summary == {"conforms": 9}
    assert report.replayed == 4


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_case_is_asked_once_and_reported_in_stored_order(tmp_path: Path, jobs: int) -> None:
    seen: list[CaseResult] = []
    report = ask(counting(tmp_path / "log"), 40, options=Options(jobs=jobs), seen=seen)
    assert report.summary == {"conforms": 40}
    assert answered(tmp_path / "log") == Counter(range(1, 41))
    assert sorted(seen, key=lambda result: int(result.id[5:])) == list(report.results)


def test_the_seed_shuffles_and_a_case_keeps_its_number(tmp_path: Path) -> None:
    orders = []
    for seed in (1, 2, 1):
        log = tmp_path / f"log{len(orders)}"
        ask(counting(log), 30, options=Options(seed=seed))
        orders.append([int(line) for line in log.read_text().split()])
    assert orders[0] == orders[2] != orders[1]
    assert sorted(orders[0]) == list(range(1, 31)) != orders[0]


def soak(tmp_path: Path, *, requests: int, every: int, jobs: int = 1, resume: Path | None = None) -> None:
    """A harness that dies on every so many requests of its process: each case is answered exactly once all the same."""
    report = ask(counting(tmp_path / "log", every), requests, options=Options(jobs=jobs, resume=resume))
    assert report.summary == {"conforms": requests}
    assert answered(tmp_path / "log") == Counter(range(1, requests + 1))
    assert requests // every - jobs <= report.replayed <= requests // every


def test_soak_in_short(tmp_path: Path) -> None:
    soak(tmp_path, requests=1000, every=100, resume=tmp_path / "journal")


@pytest.mark.deep
@pytest.mark.parametrize("jobs", [1, 2])
def test_soak(tmp_path: Path, jobs: int) -> None:
    soak(tmp_path, requests=100_000, every=1000, jobs=jobs)


CODE = """
import sys
from pathlib import Path
from harnesses import counting
from test_runner import ask
from shuffleproof.conformance.running.runner import Options

folder, every = Path(sys.argv[1]), int(sys.argv[2])
ask(counting(folder / "log", every, 0.002), 300, options=Options(jobs=int(sys.argv[3]), resume=folder / "journal"))
print("done")
"""


@pytest.mark.parametrize(("every", "jobs"), [(0, 1), (25, 1), (25, 2)])
def test_a_run_killed_by_force_goes_on_where_it_was(tmp_path: Path, every: int, jobs: int) -> None:
    """kill -9 several times: in the end every case has its result, and none whose result was kept has been asked again."""
    command = [sys.executable, "-c", CODE, str(tmp_path), str(every), str(jobs)]
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    journal, kills, kept = tmp_path / "journal", 0, 0
    for goal in (60, 180):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
        until = time.monotonic() + 30
        while time.monotonic() < until and (not journal.exists() or journal.read_bytes().count(b"\n") < goal):
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
        now = journal.read_bytes().count(b"\n")
        assert kept < now < 300
        kept = now
    finished = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    assert finished.stdout == "done\n"
    times = answered(tmp_path / "log")
    assert set(times) == set(range(1, 301))
    assert sum(times.values()) <= 300 + kills * jobs, "at most what was under way at each kill was asked again"
    before = (tmp_path / "log").read_bytes()
    assert ask(counting(tmp_path / "log", every, 0.002), 300, options=Options(resume=journal)).summary == {"conforms": 300}
    assert (tmp_path / "log").read_bytes() == before, "a finished run asks nothing"


def test_a_torn_last_line_is_dropped_and_other_damage_is_not(tmp_path: Path) -> None:
    log, journal = tmp_path / "log", tmp_path / "journal"
    ask(counting(log), 10, options=Options(resume=journal))
    whole = journal.read_bytes()
    for cut in (1, 40, len(whole.splitlines()[-1]) - 1):
        log.unlink()
        journal.write_bytes(whole[:-cut])
        assert ask(counting(log), 10, options=Options(resume=journal)).summary == {"conforms": 10}
        assert sum(answered(log).values()) == 1
        assert journal.read_bytes().count(b"\n") == whole.count(b"\n") + 1  # and that the run was taken up
        asked = log.read_text()
        assert ask(counting(log), 10, options=Options(resume=journal)).summary == {"conforms": 10}  # what was cut off is gone
        assert log.read_text() == asked
    journal.write_bytes(whole.replace(b'"conforms"', b'"mismatch"', 1))
    with pytest.raises(IntegrityError, match="line 2: content and digest differ"):
        ask(counting(log), 10, options=Options(resume=journal))
    journal.write_bytes(whole.splitlines(keepends=True)[1])
    with pytest.raises(IntegrityError, match="does not begin a journal"):
        ask(counting(log), 10, options=Options(resume=journal))


def test_the_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    log, journal = tmp_path / "log", tmp_path / "journal"
    ask(counting(log), 5, options=Options(resume=journal))
    for other in (Options(resume=journal, seed=1), Options(resume=journal, digits=5), Options(resume=journal, skip={"case 1"})):
        with pytest.raises(DomainError, match="the journal of this run"):
            ask(counting(log), 5, options=other)
    with pytest.raises(DomainError, match="its cases is"):
        ask(counting(log), 6, options=Options(resume=journal))
    with pytest.raises(DomainError, match="a file that can be written"):
        ask(counting(log), 5, options=Options(resume=tmp_path))


def test_a_journal_serves_one_run_at_a_time(tmp_path: Path) -> None:
    def again(_: CaseResult) -> None:
        with pytest.raises(DomainError, match="one run at a time"):
            ask(counting(tmp_path / "log"), 5, options=Options(resume=tmp_path / "journal"))

    resumed = Options(resume=tmp_path / "journal")
    runner.run_cases(made(1), connect=counting(tmp_path / "log"), suite="made", digests={}, on_result=again, options=resumed)


def test_interruption_with_several_processes_leaves_none(tmp_path: Path) -> None:
    def stop(result: CaseResult) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run_cases(
            made(50), connect=counting(tmp_path / "log", 0, 0.05), suite="made", digests={}, on_result=stop, options=Options(jobs=3)
        )
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path / "log") not in listed


def test_several_processes_that_never_answer_are_given_up() -> None:
    report = ask(bad("exit"), 40, options=Options(jobs=2))
    asked = [result for result in report.results if result.seconds is not None]
    assert report.summary == {"crashed": 40}
    assert len(asked) == 2 * (runner.RESTARTS + 1)
    assert all("not asked: given up after 5 restarts" in result.detail for result in report.results if result.seconds is None)


def test_output_of_a_run_is_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "MOST_OUTPUT_OF_A_RUN", 1000)
    report = ask(counting(tmp_path / "log"), 100)
    assert report.summary.keys() == {"conforms", "protocol"}
    assert report.summary["conforms"] < 30
    details = {result.detail for result in report.results if result.verdict is Verdict.PROTOCOL}
    assert details == {"not asked: given up: more than 1000 bytes in one run"}


def test_what_is_given_up_is_tried_again_when_the_run_is_taken_up(tmp_path: Path) -> None:
    report = ask(counting(tmp_path / "log", 1), 10, options=Options(resume=tmp_path / "journal"))
    assert report.summary == {"crashed": 10}
    with pytest.raises(HarnessStartError):
        ask("cmd:false", 10, options=Options(resume=tmp_path / "journal"))
    report = ask(counting(tmp_path / "log", 0), 10, options=Options(resume=tmp_path / "journal"))
    assert report.summary == {"conforms": 10}


def test_only_some_cases_are_asked() -> None:
    names = {case.id for case in vectors.suite_cases("smoke") if case.operation == "delta"}
    report = runner.run(connect=fake("loose"), suite="smoke", only=Selection(ids=names))
    assert {result.id for result in report.results} == names
    with pytest.raises(DomainError, match="no such case"):
        runner.run(connect=fake("loose"), suite="smoke", only=Selection(ids={"no such case"}))


def test_listed_cases_are_left_out_or_must_fail(tmp_path: Path) -> None:
    """Lists of known failures do not rot: one that conforms is complained about."""
    cases = made(3)
    wrong = Expected(kind="exact", lower=vectors.parse_quantity("2"), upper=vectors.parse_quantity("2"), shown="2")
    cases = (*cases[:2], Case(**{**vars(cases[2]), "expected": wrong}))

    def verdicts(**options: object) -> tuple[list[Verdict], int]:
        connect = counting(tmp_path / "log")
        report = runner.run_cases(cases, connect=connect, suite="made", digests={}, options=Options(**options))  # type: ignore[arg-type]
        return [result.verdict for result in report.results], report.exit_code

    assert verdicts() == ([Verdict.CONFORMS, Verdict.CONFORMS, Verdict.UNSOUND], 1)
    assert verdicts(skip={"case 3"}) == ([Verdict.CONFORMS, Verdict.CONFORMS, Verdict.SKIPPED], 0)
    assert verdicts(skip={"case 3"}, skip_must_fail=True) == ([Verdict.CONFORMS, Verdict.CONFORMS, Verdict.SKIPPED], 0)
    assert verdicts(skip={"case 2", "case 3"}, skip_must_fail=True) == ([Verdict.CONFORMS, Verdict.UNSKIPPED, Verdict.SKIPPED], 1)
    assert verdicts(skip={"case 1", "case 2", "case 3"}) == ([Verdict.SKIPPED] * 3, 5)


def test_a_list_of_skips_is_read_strictly(tmp_path: Path) -> None:
    from shuffleproof.conformance.running.selection import known_to_fail

    path = tmp_path / "skips"
    path.write_text("# known\n\ncase 1 # overflow\n  case 2\n")
    assert known_to_fail(path, known={"case 1", "case 2", "case 3"}) == {"case 1", "case 2"}
    for text, reason in (("case 4\n", "line 1 = case 4: must be the id"), ("case 1\ncase 1\n", "line 2 = case 1: must be listed once")):
        path.write_text(text)
        with pytest.raises(DomainError, match=reason):
            known_to_fail(path, known={"case 1"})
    with pytest.raises(DomainError, match="a file of case ids"):
        known_to_fail(tmp_path / "nothing", known=())


def test_the_journal_says_what_it_is(tmp_path: Path) -> None:
    ask(counting(tmp_path / "log"), 1, options=Options(resume=tmp_path / "journal"))
    first, second = (json.loads(line) for line in (tmp_path / "journal").read_text().splitlines())
    assert first["format"] == "shuffleproof-journal-1"
    assert first["run"]["implementation"] == {"name": "counting", "version": "1", "language": "python"}
    assert second["result"]["id"] == "case 1"


def test_the_error_of_a_run_is_split_over_the_cases_that_samples_can_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    law = {"0": (Fraction(3, 4), Fraction(3, 4)), "1": (Fraction(1, 4), Fraction(1, 4))}
    cases = tuple(replace(case, expected=Expected(kind="law", distribution=law, shown="a distribution")) for case in made(5))
    errors: list[Fraction] = []

    def asked(_first: object, _others: object, work: Work) -> Iterator[CaseResult]:
        errors.append(work.error)
        return iter(())

    monkeypatch.setattr(runner, "events", asked)
    for chosen in (cases, (*cases, *made(1)), made(3)):
        runner.run_cases(chosen, connect=counting(tmp_path / "log"), suite="made", digests={})
    assert errors == [FAMILY_WISE_ERROR / 5, FAMILY_WISE_ERROR / 5, FAMILY_WISE_ERROR]
