"""The plugin for other people's test suites: each case a test, told in the judge's words."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from shuffleproof.conformance.vectors import suite_cases


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
    ran = outcome(
        folder, f"--shuffleproof-target=cmd:{sys.executable} -m shuffleproof.conformance.fakes.unsound", "--shuffleproof-suite=smoke"
    )
    assert ran.returncode == 1, ran.stdout
    assert "unsound: " in ran.stdout
    assert "Traceback" not in ran.stdout


def test_selection_by_name_works(folder: Path) -> None:
    ran = outcome(
        folder,
        "--shuffleproof-target=py:shuffleproof.verification.own_harness:fast",
        "--shuffleproof-suite=smoke",
        "-k",
        "randomizer_law and epsilon0",
    )
    assert ran.returncode == 0, ran.stdout
    assert "deselected" in ran.stdout


def test_only_the_selected_cases_are_asked(folder: Path) -> None:
    log = folder / "log"
    target = f"--shuffleproof-target=cmd:{sys.executable} -S -E {Path(__file__).with_name('counting_harness.py')} {log} 0"
    ran = outcome(folder, target, "-k", "stronger-clones")
    asked = [case for case in suite_cases("all") if case.operation == "epsilon" and case.given["method"] == "stronger-clones"]
    assert len(log.read_text().split()) == len(asked) > 0, ran.stdout
    assert "deselected" in ran.stdout


def test_ids_can_be_pasted_and_what_failed_runs_again(folder: Path) -> None:
    target = f"--shuffleproof-target=cmd:{sys.executable} -m shuffleproof.conformance.fakes.unsound"
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
