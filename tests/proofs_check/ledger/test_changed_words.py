"""The page of words that changed is what the records in git say, as of the commit that wrote it."""

import subprocess
from pathlib import Path

import pytest

from shuffleproof.report import changed_words

PAGE = Path(__file__).parents[3] / "docs" / "decisions" / "007-words-that-changed.md"


def test_the_page_is_made_from_the_records() -> None:
    asked = ["git", "-C", str(PAGE.parent), "log", "-1", "--format=%H", "--", PAGE.name]
    commit = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    known = ["git", "-C", str(PAGE.parent), "cat-file", "-e", changed_words.BEFORE]
    if not commit or subprocess.run(known, capture_output=True, check=False).returncode:
        pytest.skip("the history of the records is not here")
    assert changed_words.page(commit) == PAGE.read_text("utf-8")
