"""A line on a terminal for what takes long, and nothing without one."""

import io
import re
import sys
import time

import pytest

from shuffleproof.command_line import waiting
from shuffleproof.spec.vocabulary import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """To be called by a test itself: between a fixture and a test, pytest takes stderr back."""
    terminal = Terminal()
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(waiting, "_PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "_EVERY", 0.01)
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def shown(terminal: Terminal) -> None:
    deadline = time.monotonic() + 60
    while "at work" not in terminal.getvalue():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_terminal_is_told_that_work_goes_on_and_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    with waiting.sign_of_life("this"):
        shown(terminal)
    assert terminal.getvalue().startswith("\r\x1b[Kthis: at work for 0 s")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_the_answer_ends_the_line_before_it_is_written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = at_a_terminal(monkeypatch)
    before = sys.stdout
    with waiting.sign_of_life("this"):
        shown(terminal)
        print("answer")
        assert terminal.getvalue().endswith("\r\x1b[K")
    assert sys.stdout is before
    assert capsys.readouterr().out == "answer\n"


def test_a_bar_ends_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    with waiting.sign_of_life("this"):
        shown(terminal)
        waiting.hush()
        assert terminal.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize("ci", [True, False])
def test_without_a_terminal_or_in_a_ci_nothing_is_shown(monkeypatch: pytest.MonkeyPatch, ci: bool) -> None:
    monkeypatch.setattr(waiting, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal() if ci else io.StringIO())
    monkeypatch.setenv("CI", "1" if ci else "")
    with waiting.sign_of_life("this"):
        time.sleep(0.05)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_what_is_left_is_told_from_the_steps_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    with waiting.sign_of_life("this"):
        for _ in progress.steps(range(4), of="parts"):
            for _ in progress.steps((1, 2), of="halves"):
                until = time.monotonic() + 60
                seen = terminal.getvalue().count("left")
                while progress.progress().share and terminal.getvalue().count("left") == seen:  # type: ignore[union-attr]
                    assert time.monotonic() < until
                    time.sleep(0.01)
    told = terminal.getvalue()
    assert re.search(r", 0 of 4 parts, 1 of 2 halves, about \d+ s left", told)  # half of the first is done
    assert re.search(r", 3 of 4 parts, 1 of 2 halves, about \d+ s left \(Ctrl-C ends it\)", told)
    assert progress.progress() is None


def test_an_answer_that_may_only_cost_so_much_says_how_much_more_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    progress.within_limit(0.5)
    with waiting.sign_of_life("this"):
        shown(terminal)
    progress.within_limit(0.0)
    assert ", at most about 1 s more (Ctrl-C ends it)" in terminal.getvalue()
