"""The page of words that changed is what the records in git say."""

import subprocess
from pathlib import Path

import pytest

from shuffleproof.report import changed_words

PAGE = Path(__file__).parents[3] / "docs" / "decisions" / "007-words-that-changed.md"


def test_the_page_is_made_from_the_records() -> None:
    known = ["git", "-C", str(PAGE.parent), "cat-file", "-e", changed_words.BEFORE]
    if subprocess.run(known, capture_output=True, check=False).returncode:
        pytest.skip("the history of the records is not here")
    assert changed_words.page() == PAGE.read_text("utf-8")
