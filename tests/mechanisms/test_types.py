"""A user's file under mypy --strict: what is right is accepted, what is wrong is reported where it stands."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
USERS_FILE = Path(__file__).with_name("users_file_for_types.py")


@pytest.mark.deep
def test_a_users_file_is_checked_strictly(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    package = tmp_path / "tree" / "shuffleproof"
    package.mkdir(parents=True)
    for part in (*(TOP / "shuffleproof").iterdir(), *(TOP / room for room in ("spec", "impl", "proofs_check"))):
        if part.name != "__pycache__":
            (package / part.name).symlink_to(part)
    imports = ["--ignore-missing-imports", "--follow-imports", "silent"]
    settings = ["--strict", *imports, "--config-file", "", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *settings, "--no-error-summary", str(USERS_FILE)],
        env={**os.environ, "MYPYPATH": str(tmp_path / "tree")},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    reported = {int(line) for line in re.findall(rf"{re.escape(USERS_FILE.name)}:(\d+): error", done.stdout)}
    wrong = {number for number, line in enumerate(USERS_FILE.read_text("utf-8").splitlines(), start=1) if line.endswith("# wrong")}
    assert reported == wrong, done.stdout + done.stderr
