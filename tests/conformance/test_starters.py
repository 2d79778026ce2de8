"""The starters: complete, short, and right; those whose language is on this machine are run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shuffleproof.command_line import program
from shuffleproof.conformance import starters
from shuffleproof.conformance.report import Report
from shuffleproof.conformance.runner import run

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
def test_a_starter_is_at_most_60_lines(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        program.main(["conform", "starter", language])
    assert end.value.code == 0
    printed = capsys.readouterr().out
    assert printed == starters.text(language)
    assert len(printed.splitlines()) <= 60
