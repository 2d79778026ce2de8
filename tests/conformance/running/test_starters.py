"""The starters: complete, short, and right; those whose language is on this machine are run."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shuffleproof.command_line import program
from shuffleproof.conformance import starters
from shuffleproof.conformance.reporting.report import Report
from shuffleproof.conformance.running.protocol import parse_greeting, run_message
from shuffleproof.conformance.running.runner import run

CASES = 30
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
    assert report.summary["conforms"] >= CASES


def test_a_starter_that_is_wrong_is_found(tmp_path: Path) -> None:
    """The cases a starter is asked do tell: one wrong line, and it no longer conforms."""
    wrong = tmp_path / "harness.py"
    text = starters.text("python")
    assert text.count("T + k - 1)") == 1
    wrong.write_text(text.replace("T + k - 1)", "T + k)"), "utf-8")
    assert run(connect=f"cmd:{sys.executable} {wrong}", suite="fmt21").exit_code == 1


@pytest.mark.parametrize("language", starters.available())
def test_a_starter_is_at_most_75_lines(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        program.main(["conform", "starter", language])
    assert end.value.code == 0
    printed = capsys.readouterr().out
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
