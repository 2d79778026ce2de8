"""The benchmarks themselves: what is compared computes the same thing, and a run can be gone on with."""

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from shuffleproof.impl.fast.bounds.clones import clones
from shuffleproof.planning.sweep.points import grid

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench import __main__ as bench, bounds, picture, scaling, straightforward
from bench.measuring import Row, Seconds, in_turns, short

ONE = Seconds(1.0, 0.5, 2.0, 3)


def test_the_straightforward_code_computes_the_clones_bound() -> None:
    found = straightforward.epsilon(n=500, epsilon0=1.0, delta_target=1e-6)
    assert found == pytest.approx(clones.epsilon(n=500, epsilon0=1, delta="1e-6").upper_float, rel=1e-8)


def test_the_masses_given_to_the_accountant_are_the_clones_pair() -> None:
    pytest.importorskip("dp_accounting")
    P, Q = bounds._log_masses(40)
    truth = clones.delta(n=40, epsilon0=1, epsilon=bounds._AT).upper_float
    assert truth < bounds._accounted(P, Q) < 1.01 * truth


def test_published_code_is_compared_where_it_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    known = clones.epsilon(n=1000, epsilon0=1, delta="1e-6")
    for each in ("ball", "stronger"):
        monkeypatch.setattr(bounds, each, SimpleNamespace(epsilon=lambda **_: known))
    monkeypatch.setitem(sys.modules, "unifiedamplification", None)
    monkeypatch.setitem(sys.modules, "computeamplification", SimpleNamespace(numericalanalysis=lambda *_: 2 * known.upper_float))
    rows = list(bounds.against_published_code(quick=True))
    assert [row.against for row in rows] == ["computeamplification, 10 halvings"] * 3 + [""] * 3
    assert [row.facts["excess"] for row in rows[:3]] == pytest.approx([1.0] * 3)
    assert all("not compared: no module unifiedamplification" in str(row) for row in rows[3:])


def test_ratios_say_how_many_times_slower_the_other_is() -> None:
    row = Row("x", ONE, Seconds(10.0, 8.0, 12.0, 3), "peer")
    assert row.ratio == 10
    assert "10 times ours (4 to 24)" in str(row)
    assert [seconds.runs for seconds in in_turns(lambda: None, lambda: None, runs=2)] == [2, 2]


def test_a_second_peer_of_the_same_work_is_a_line_of_its_own() -> None:
    first, second = Row("x", ONE, ONE, "this"), Row("x", ONE, Seconds(1000.0, 1000.0, 1000.0, 1), "that")
    assert second.beside(first) == "    that: 1,000 s (one run): 1,000 times ours (500 to 2,000)"
    assert second.beside(None).startswith("x: 1 s (500 ms to 2 s, 3 runs)\n")
    assert Row("y", ONE).beside(first).startswith("y: ")


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


def test_sweeps_without_dask_are_compared_and_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setattr(scaling, "named_executor", threads)
    monkeypatch.setattr(scaling, "_points", lambda side, turn: grid(n=["100", "200"], epsilon0=["1"], central=["1e-6"]))
    rows = list(scaling.sweeps(quick=True))
    assert [row.against for row in rows] == [scaling.ONE, "", scaling.ONE, ""]
    assert all("dask is not installed" in str(row) for row in rows[1::2])
    assert "2 points" in rows[0].note
    assert rows[0].facts["one"] == rows[0].peer.median  # type: ignore[union-attr]
    picture.draw([row.as_json() for row in rows], tmp_path / "cost.png")
    assert (tmp_path / "cost.png").read_bytes().startswith(b"\x89PNG")


@contextmanager
def threads(name: str, *, workers: int) -> Iterator[Callable[[], Executor]]:
    with ThreadPoolExecutor(1) as executor:  # one: flint's precision belongs to the process
        yield lambda: executor


def test_points_that_do_not_come_back_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "run", lambda *_, **__: iter([[{}]]))
    with pytest.raises(RuntimeError, match="1 of 40 points"):
        scaling._elapsed("fast", scaling._points(10, 0), ThreadPoolExecutor(1), workers=1)


def test_turns_have_points_of_their_own() -> None:
    assert not set(scaling._points(10, 0)) & set(scaling._points(10, 1))


def test_the_projection_is_what_the_sample_costs() -> None:
    certified, fast = scaling.projection(quick=True)
    for row in (certified, fast):
        assert row.facts["projected_hours"] == pytest.approx(row.facts["seconds_a_point"] * 10**6 / 200 / 3600)
        assert "1,000,000" in str(row)


def test_seconds_are_shown_in_units_that_suit_them() -> None:
    assert [short(x) for x in (2.5, 0.0025, 2.5e-6, 2.5e-8)] == ["2.5 s", "2.5 ms", "2.5 us", "25 ns"]


def test_the_plot_needs_points(tmp_path: Path) -> None:
    picture.draw([{"name": "something else"}], tmp_path / "cost.svg")
    assert not (tmp_path / "cost.svg").exists()
