"""The long comparison: it asks always the same, it notices what contradicts itself and makes it simple, it goes on and is reported."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.report.texts import long_comparison_line
from shuffleproof.verification import long_comparison

sys.path.insert(0, str(Path(__file__).parent))
import soak

FRESH = soak.fresh("", 1)


def test_a_run_goes_on_where_the_last_one_ended() -> None:
    once = soak.soaked(FRESH, 0.3)
    again = soak.soaked(once, 0.1)
    assert once["failures"] == again["failures"] == []
    assert again["next"] > once["next"] == sum(once["asked"].values()) + sum(once["refused"].values()) > 0
    assert soak.drawn(7, 1) == soak.drawn(7, 1) != soak.drawn(7, 2)


def test_other_code_goes_on_with_new_questions_after_those_that_were_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: an engine that is wrong, and one that breaks down."""
    before = {**FRESH, "next": 90, "asked": {"monotone": 80}, "failures": ["wrong"], "failed": [5], "seconds": 7200.0}
    state = soak.continued(before, "new")
    assert state["earlier"] == {"comparisons": 80, "seconds": 7200.0}
    assert (state["seconds"], state["failures"], state["again"], soak.continued(state, "new")) == (0.0, [], [5], state)
    seen: list[str] = []

    def broken(kind: str, _asked: soak.Question) -> str | None:
        seen.append(kind)
        if len(seen) == 1:
            return "it is wrong"
        raise ZeroDivisionError("and breaks down")

    monkeypatch.setattr(soak, "contradiction", broken)
    monkeypatch.setattr(soak, "simplest", lambda _, asked: asked)
    found = soak.soaked(state, 0.001)
    assert (found["again"], found["failed"][:2]) == ([], [5, 90])
    assert "ZeroDivisionError: and breaks down" in found["failures"][0]
    assert seen[0] == soak.drawn(5, 1)[0]


def test_methods_in_the_wrong_order_are_noticed_and_made_simple() -> None:
    kind, asked = next((kind, asked) for kind, asked in (soak.drawn(n, 1) for n in range(2, 400, 4)) if asked["engine"] == "ball")
    asked = {**asked, "methods": ("binary-rr-pair", "clones"), "given": {**asked["given"], "n": 300}}
    assert soak.contradiction(kind, asked) is not None
    least = soak.simplest(kind, asked)
    assert least["given"]["n"] < 300
    assert "binary-rr-pair is below clones" in soak.one_line(kind, least, str(soak.contradiction(kind, least)))


@pytest.mark.parametrize("by", ["n", "central", "epsilon0"])
def test_a_bound_that_goes_the_wrong_way_is_noticed(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"quantity": "epsilon", "engine": "ball", "given": {"n": 50, "epsilon0": soak.Fraction(1), "delta": soak.Fraction(1, 100)}}
    asked |= {"methods": ("clones",), "by": by, "factor": soak.Fraction(3), "k": 3, "randomizer": {}}
    assert soak.contradiction("monotone", asked) is None
    truth = soak.value
    monkeypatch.setattr(soak, "value", lambda *given, **changed: _turned(truth(*given, **changed)))
    assert soak.contradiction("monotone", asked) is not None


def _turned(bound: Any) -> Any:
    return replace(bound, lower=1 / bound.upper, upper=1 / bound.lower)


def test_what_is_recorded_is_reported_with_the_code_that_it_is_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_comparison, "_RECORD", tmp_path / "soak.json")
    assert long_comparison.recorded() is None
    long_comparison.record({**FRESH, "code": long_comparison.code(), "asked": {"monotone": 3}, "seconds": 7200.0})
    found = long_comparison.recorded()
    assert found is not None
    assert long_comparison_line(found) == "3 comparisons (3 monotone), no contradiction; recorded, 2.00 hours of processor, of this code"
    stored = json.loads((tmp_path / "soak.json").read_text("utf-8"))
    (tmp_path / "soak.json").write_text(json.dumps({**stored, "code": "other", "failures": ["wrong"]}), "utf-8")
    found = long_comparison.recorded()
    assert found is not None
    assert "1 contradictions" in long_comparison_line(found)
    assert long_comparison_line(found).endswith("of engines that were changed since")
    long_comparison.record({**stored, "earlier": {"comparisons": 80, "seconds": 3600.0}})
    found = long_comparison.recorded()
    assert found is not None
    assert long_comparison_line(found).endswith(", of this code; 80 comparisons of earlier code in 1.00 hours")
