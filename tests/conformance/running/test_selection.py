"""Which cases a run selects, what harnesses to start from are there, and output that comes too fast."""

import json
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as Tree
from pathlib import Path

import pytest
from commands import Ended, ended, output_of
from harnesses import fake

from shuffleproof.conformance import starters, stored_json, vectors
from shuffleproof.conformance.catalogue.inputs import apart
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting import junit
from shuffleproof.conformance.reporting.report import Report
from shuffleproof.conformance.running import output_rate, runner
from shuffleproof.conformance.running.output_rate import OutputRate
from shuffleproof.conformance.running.protocol import parse_greeting, run_message
from shuffleproof.conformance.running.runner import Options, run
from shuffleproof.conformance.running.selection import Selection
from shuffleproof.pytest_plugin import node_id
from shuffleproof.report import conform
from shuffleproof.spec.vocabulary.errors import DomainError

CASES = vectors.suite_cases("all")
UNSOUND = fake("unsound")
ONE = "delta clones n=1 epsilon0=ln 3 epsilon=0"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    return ended(capsys, "conform", "run", "-i", UNSOUND, *arguments)


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
    rows = [row.text or "" for row in Tree.fromstring(junit.junit(report)).iter("system-out")]
    assert [line for line in lines if not any(line in row for row in rows)] == []
    assert len(rows) == len(report["cases"])
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


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that is moved by hand."""
    now = [1000.0]
    monkeypatch.setattr("shuffleproof.conformance.running.output_rate.time.monotonic", lambda: now[0])
    return now


def test_what_leaves_the_window_no_longer_counts(clock: list[float]) -> None:
    rate = OutputRate()
    rate.add(rate.most)
    assert not rate.exceeded
    rate.add(1)
    assert rate.exceeded
    clock[0] += rate.seconds / 2
    assert rate.exceeded
    clock[0] += rate.seconds
    assert not rate.exceeded


def test_a_steady_rate_below_the_limit_is_never_too_fast_and_one_above_it_is(clock: list[float]) -> None:
    for share, too_fast in ((0.9, False), (1.1, True)):
        rate, seen = OutputRate(), False
        for _ in range(1000):
            rate.add(int(share * rate.most / 200))
            seen = seen or rate.exceeded
            clock[0] += rate.seconds / 200
        assert seen is too_fast
        assert len(rate._slots) < 100, "what is kept is bounded"
        clock[0] += 100


def test_a_pause_lasts_until_the_window_is_half_empty(clock: list[float]) -> None:
    rate = OutputRate()
    assert rate.pause == 0
    rate.add(rate.most // 2)
    assert rate.pause == 0
    clock[0] += 1
    rate.add(rate.most)
    pause = rate.pause
    assert rate.seconds <= pause <= 1.1 * rate.seconds
    clock[0] += pause
    assert rate.pause == 0
    assert not rate.exceeded


def test_gushing_is_stopped_and_restarts_do_not_make_it_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 MiB for an answer is within the cap of a request; at 8 MiB within 0.4 s every third answer or so is too much."""
    monkeypatch.setattr(output_rate, "MOST_OUTPUT_OF_A_WINDOW", 8 << 20)
    monkeypatch.setattr(output_rate, "WINDOW_SECONDS", 0.4)
    arrived: list[tuple[float, int]] = []
    add = OutputRate.add

    def counted(rate: OutputRate, written: int) -> None:
        arrived.append((time.monotonic(), written))
        add(rate, written)

    monkeypatch.setattr(OutputRate, "add", counted)
    names = [case.id for case in vectors.suite_cases("fmt21") if case.id.startswith("delta clones n=3 epsilon0=ln 3")]
    report = runner.run(connect=fake("broken gushing"), suite="fmt21", only=Selection(ids=names), options=Options(deadline=20))
    stopped = [result for result in report.results if result.verdict is Verdict.PROTOCOL]
    assert report.summary.keys() == {"conforms", "protocol"}
    assert {result.detail for result in stopped} == {"too fast: more than 8388608 bytes within 0.4 s"}
    for begun, _ in arrived[::50]:
        assert sum(written for at, written in arrived if begun <= at < begun + 0.4) <= (8 << 20) + (2 << 16)


def test_an_honest_harness_is_far_below_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smoke suite as fast as it goes, under a hundredth of the limit."""
    monkeypatch.setattr(output_rate, "MOST_OUTPUT_OF_A_WINDOW", output_rate.MOST_OUTPUT_OF_A_WINDOW // 100)
    assert runner.run(connect=fake("planted none"), suite="smoke").exit_code == 0


CASES_STARTERS = 30
"""A suite that asks less than that would not have tested a starter."""


def connection(language: str, folder: Path) -> str:
    """How the runner reaches a starter; skips where its language is missing."""
    source = starters.path(language)
    if language == "python":
        return f"cmd:{sys.executable} {source}"
    program = shutil.which({"javascript": "node", "cpp": "c++", "rust": "rustc", "go": "go", "julia": "julia", "r": "Rscript"}[language])
    if program is None:
        pytest.skip(f"no toolchain for {language} on the PATH")
    if language in ("javascript", "julia", "r"):
        return f"cmd:{program} {source}"
    options = {"cpp": ["-std=c++17", "-O1"], "rust": ["-O"], "go": ["build"]}[language]
    subprocess.run([program, *options, "-o", str(folder / "harness"), str(source)], check=True)
    return f"cmd:{folder / 'harness'}"


@pytest.mark.parametrize("language", starters.available())
def test_a_starter_conforms_in_everything_it_declares(language: str, tmp_path: Path) -> None:
    report: Report = run(connect=connection(language, tmp_path), suite="fmt21")
    assert report.exit_code == 0
    assert set(report.summary) <= {"conforms", "unsupported"}
    assert report.summary["conforms"] >= CASES_STARTERS


def test_a_starter_that_is_wrong_is_found(tmp_path: Path) -> None:
    """The cases a starter is asked do tell: one wrong line, and it no longer conforms."""
    wrong = tmp_path / "harness.py"
    text = starters.text("python")
    assert text.count("T + k - 1)") == 1
    wrong.write_text(text.replace("T + k - 1)", "T + k)"), "utf-8")
    assert run(connect=f"cmd:{sys.executable} {wrong}", suite="fmt21").exit_code == 1


@pytest.mark.parametrize("language", starters.available())
def test_a_starter_is_at_most_75_lines(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = output_of(capsys, "conform", "starter", language)
    assert printed == starters.text(language)
    assert len(printed.splitlines()) <= 75


def test_the_starter_that_has_not_been_run_says_so_and_reads_as_it_must() -> None:
    """No toolchain for Julia is to be had: its blocks are closed, its messages are the protocol's, and its patterns find what is asked."""
    text = starters.text("julia")
    assert "not run" in text.splitlines()[1]
    opened = re.findall(r"^ *(?:function|if|for|while|begin|let)\b(?!.*\bend$)", text, flags=re.MULTILINE)
    assert len(opened) == len(re.findall(r"^ *end$", text, flags=re.MULTILINE)) >= 4
    (greeting,) = re.findall(r'const GREETING = """(.*?)"""', text, flags=re.DOTALL)
    told = parse_greeting(greeting.replace("\\\n", "").encode(), implementation="julia")
    assert told.operations == ("randomizer_law",)
    assert all(f'"{cmd}"' in text for cmd in ("start", "configure", "stop"))
    (key,) = re.findall(r'Regex\("(.*)"\), line', text)
    line = run_message(
        seq=7, operation="randomizer_law", given={"randomizer": "k-rr", "k": "3", "epsilon0": "ln 7/3", "input": "0"}
    ).decode()
    for name, value in (("k", "3"), ("epsilon0", "ln 7/3"), ("seq", "7"), ("cmd", "run")):
        found = re.search(key.replace('\\"', '"').replace("$key", name), line)
        assert (found[1] or found[2]) == value
    (logarithm,) = re.findall(r'match\(r"(.*)", text\)', text)
    matched = re.match(logarithm, "ln 7/3")
    assert matched.groups() == ("7", "3")
