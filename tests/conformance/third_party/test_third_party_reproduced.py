"""A finding on a third-party package is one only if the command beside it finds it again in an environment made for the purpose."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.deep


def judged(name: str, cache: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """What the command of the report ends with and prints, with an empty cache of environments."""
    command = [sys.executable, "-m", "shuffleproof", "conform", "third-party", name, "--format", "json", *options]
    done = subprocess.run(command, env={**os.environ, "SHUFFLEPROOF_CACHE": str(cache)}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(("name", "verdict"), [("opendp", "mismatch"), ("autodp-accountant", "unsound"), ("autodp-fourier", "mismatch")])
def test_a_finding_is_found_again_from_a_clean_environment(tmp_path: Path, name: str, verdict: str) -> None:
    code, report = judged(name, tmp_path)
    assert code == 1
    assert len([folder for folder in (tmp_path / "environments").iterdir() if (folder / "environment.json").exists()]) == 1
    found = {case["id"] for case in report["cases"] if case["verdict"] == verdict}
    assert found
    again, other = judged(name, tmp_path, "--jobs", "2", "--seed", "7")
    assert again == 1
    assert {case["id"] for case in other["cases"] if case["verdict"] == verdict} == found
    assert other["seed"] == "7"


def test_a_suite_without_anything_to_ask_is_exit_code_5(tmp_path: Path) -> None:
    code, report = judged("autodp-accountant", tmp_path, "--suite", "fmt21")
    assert code == 5
    assert set(report["summary"]) == {"unsupported"}
