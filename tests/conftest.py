"""How hypothesis runs here: no deadlines (certified arithmetic varies), the same examples each time unless HYPOTHESIS_PROFILE=deep."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

import shuffleproof

HERE = Path(__file__).resolve().parents[1]
RUNS = Path(shuffleproof.__file__).resolve().parents[1]


def pytest_configure() -> None:
    """Stop where the tests of one checkout would run another one's code."""
    if (RUNS / "pyproject.toml").exists() and RUNS != HERE:
        pytest.exit(f"the tests of {HERE} would run the code of {RUNS}: run python -m pytest there, or install this one", returncode=4)


LONG = {line for line in (HERE / "tests" / "long_tests.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what tests/long_tests.txt names, before anything is selected by its marks."""
    for item in items:
        if item.nodeid in LONG:
            item.add_marker(pytest.mark.long)


if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # Started in the background by a shell without job control: programs under test would inherit it, and some are to be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("deep", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
