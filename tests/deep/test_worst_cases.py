"""The walk of extreme parameters: it asks every method, and it notices what hangs and what is at fault."""

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.methods import METHODS

sys.path.insert(0, str(Path(__file__).parent))
import worst_cases


def test_the_walk_asks_every_method_and_always_the_same() -> None:
    asked = [worst_cases.case(number, 0) for number in range(1200)]
    assert {question["method"] for question in asked if "method" in question} == set(METHODS)
    assert len({tuple(question["command"][:2]) for question in asked if "command" in question}) > 15
    assert asked[:5] == [worst_cases.case(number, 0) for number in range(5)]


def test_what_was_found_is_counted_and_the_hostile_are_drawn() -> None:
    state = worst_cases.after(worst_cases.fresh(), {"command": ["bound"]}, "FAULT 70: internal error", 0.1)
    state = worst_cases.after(state, {"command": ["bound"]}, "2: refused", 30.0)
    assert (state["next"], state["refused"], state["slowest"], len(state["wrong"]), len(state["slow"])) == (2, 1, 30.0, 1, 1)
    commands = [worst_cases.case(number, 0) for number in range(1, 2400, 2)]
    assert {word for asked in commands for word in asked["command"]} >= set(worst_cases.worst_commands.HOSTILE)
    assert any(nested in asked.get("file", "") for nested in worst_cases.worst_commands.NESTED for asked in commands)


def test_a_question_beyond_the_watch_and_a_fault_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: a question of some seconds under a watch of half a second, and one that no engine of ours can be asked."""
    slow: dict[str, Any] = {"quantity": "epsilon", "method": "clones", "engine": "ball", "digits": 100}
    slow["parameters"] = {"n": "1000000000", "epsilon0": "1", "delta": "1e-6"}
    questions = [{"quantity": "delta", "nonsense": "1"}, slow]
    monkeypatch.setattr(worst_cases, "SECONDS", 0.5)
    monkeypatch.setattr(worst_cases, "case", lambda number, _seed: questions[number])
    found = []
    for _, said, _ in worst_cases.walked(0, 0, time.monotonic() + 300):
        found.append(said.split()[0])
        if len(found) == 2:
            break
    assert found == ["FAULT", "HANGS"]
