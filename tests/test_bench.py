"""The benchmarks themselves: what is compared computes the same thing, and a run can be gone on with."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from shuffleproof.impl.fast.bounds import clones

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench import __main__ as bench
from bench import bounds, picture, straightforward
from bench.measuring import Row, Seconds, in_turns

ONE = Seconds(1.0, 0.5, 2.0, 3)


def test_the_straightforward_code_computes_the_clones_bound() -> None:
    found = straightforward.epsilon(n=500, epsilon0=1.0, delta_target=1e-6)
    assert found == pytest.approx(clones.epsilon(n=500, epsilon0=1, delta="1e-6").upper_float, rel=1e-8)


def test_the_masses_given_to_the_accountant_are_the_clones_pair() -> None:
    pytest.importorskip("dp_accounting")
    P, Q = bounds._log_masses(40)
    truth = clones.delta(n=40, epsilon0=1, epsilon=bounds._AT).upper_float
    assert truth < bounds._accounted(P, Q) < 1.01 * truth


def test_ratios_say_how_many_times_slower_the_other_is() -> None:
    row = Row("x", ONE, Seconds(10.0, 8.0, 12.0, 3), "peer")
    assert row.ratio == 10
    assert "10 times ours (4 to 24)" in str(row)
    assert [seconds.runs for seconds in in_turns(lambda: None, lambda: None, runs=2)] == [2, 2]


def test_a_comparison_that_fails_is_a_row_and_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = []

    def good(*, quick: bool):  # type: ignore[no-untyped-def]
        calls.append("good")
        yield Row("certified epsilon, 12 digits, eps0 = 1, n = 10^3", ONE, target="now", met=not quick)

    def bad(*, quick: bool):  # type: ignore[no-untyped-def]
        calls.append("bad")
        yield Row("half", ONE)
        raise ValueError("no peer")

    monkeypatch.setattr(bench, "COMPARISONS", (good, bad))
    arguments = ["bench", "--quick", "-o", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert bench.main() == 1
    rows = json.loads((tmp_path / "quick.json").read_text("utf-8"))["rows"]
    assert [row.get("failed") for row in rows] == [None, None, "ValueError: no peer"]
    assert (tmp_path / "cost.svg").read_text("utf-8").startswith("<?xml")
    monkeypatch.setattr(sys, "argv", [*arguments, "--resume"])
    assert bench.main() == 1
    assert calls == ["good", "bad", "bad"]
    assert "missed: certified epsilon" in capsys.readouterr().out


def test_the_plot_needs_points(tmp_path: Path) -> None:
    picture.draw([{"name": "something else"}], tmp_path / "cost.svg")
    assert not (tmp_path / "cost.svg").exists()
