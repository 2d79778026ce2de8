"""`shuffleproof audit`, as somebody types it."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import ended
from test_json_reference import RECORD, unknown

LAW = '{"format": "shuffleproof-law-1", "inputs": {"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}}}'


@pytest.fixture
def law(tmp_path: Path) -> str:
    path = tmp_path / "law.json"
    path.write_text(LAW, "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ((), 0, "e^epsilon0       3"),
        (("--eps0", "ln 3"), 0, "supported: one report is ln 3-DP"),
        (("--eps0", "1"), 1, "contradicted: one report is 1-DP"),
        (("--rounding", "0.001", "--eps0", "ln 3"), 3, "undecided"),
        (("-n", "2", "--eps", "0", "--delta", "1/4"), 1, "contradicted"),
        (("-n", "2", "--eps", "ln 3/2", "--delta", "9/32"), 0, "supported"),
        (("-n", "20000", "--eps", "0.1", "--delta", "1e-6"), 0, "optimal pair"),
    ],
)
def test_a_law_is_judged(capsys: pytest.CaptureFixture[str], law: str, options: tuple[str, ...], code: int, words: str) -> None:
    found, out, err = ended(capsys, "audit", "law", law, *options)
    assert (found, err) == (code, "")
    assert words in out


def test_a_law_as_json(capsys: pytest.CaptureFixture[str], law: str) -> None:
    code, out, _ = ended(capsys, "audit", "law", law, "--eps0", "ln 3", "-n", "3", "--eps", "0", "--format", "json")
    content: dict[str, Any] = json.loads(out)
    assert code == 0
    assert content["local"]["exp_epsilon"] == {"lower": "3", "upper": "3"}
    assert content["shuffled"]["delta"]["lower"] == content["shuffled"]["delta"]["upper"]
    assert content["claims"] == [{"claim": "one report is ln 3-DP", "law": "supported"}]


@pytest.mark.parametrize(
    "options",
    [
        ("-n", "2"),
        ("--delta", "0.1"),
        ("--eps0", "-1"),
        ("-n", "0", "--eps", "1"),
        ("--rounding", "x"),
        ("-n", "2", "--eps", "0", "--delta", "2"),
    ],
)
def test_a_wrong_question_about_a_law_is_refused(capsys: pytest.CaptureFixture[str], law: str, options: tuple[str, ...]) -> None:
    code, out, err = ended(capsys, "audit", "law", law, *options)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def samples(folder: Path, ones: tuple[int, int], total: int = 2000) -> str:
    """Outputs 1 so often on either side, spread evenly."""
    path = folder / "outputs.csv"
    rows = [f"{side},{int(at * count % total < count)}" for side, count in zip("xy", ones, strict=True) for at in range(total)]
    path.write_text("\n".join(["side,output", *rows]) + "\n", "utf-8")
    return str(path)


def test_samples_that_show_a_violation_end_with_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = ended(capsys, "audit", "samples", samples(tmp_path, (1800, 200)), "--eps", "1", "--delta", "1e-6")
    assert code == 1
    assert out.startswith("violation shown")
    code, out, _ = ended(capsys, "audit", "samples", samples(tmp_path, (1800, 200)), "--eps", "1", "--delta", "1e-6", "--format", "json")
    assert code == 1
    assert json.loads(out)["verdict"] == "violation shown"


def test_samples_that_show_none_are_not_called_private(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = ended(capsys, "audit", "samples", samples(tmp_path, (1100, 900)), "--eps", "1", "--delta", "1e-6")
    assert code == 0
    assert out.startswith("none found")
    assert "does not say that the mechanism is private" in out


@pytest.mark.parametrize("options", [("--eps", "1"), ("--eps", "x", "--delta", "0"), ("--eps", "1", "--delta", "0", "--level", "0")])
def test_a_wrong_question_about_samples_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, options: tuple[str, ...]) -> None:
    code, out, err = ended(capsys, "audit", "samples", samples(tmp_path, (1, 1)), *options)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize(("claimed", "code"), [(("1",), 2), (("1", "0"), 1)])
def test_rows_beside_one_that_cannot_be_read_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], claimed: tuple[str, ...], code: int
) -> None:
    """Mutants: the first row that cannot be read ends it; an impossible or unreadable row outweighed by another one."""
    path = tmp_path / "claims.csv"
    path.write_text("n,eps0,delta,epsilon\n9,1,half,1\n" + "".join(f"9,1,1e-2,{epsilon}\n" for epsilon in claimed), "utf-8")
    found, out, _ = ended(capsys, "audit", "claims", str(path))
    assert found == code
    assert "line 2: not judged: line 2, delta = half" in out
    assert out.splitlines()[-1].startswith(f"{1 + len(claimed)} claims: 1 not judged, 1 sound")
    found, out, _ = ended(capsys, "audit", "claims", str(path), "--format", "json")
    rows: list[dict[str, Any]] = json.loads(out)
    assert found == code
    assert list(rows[0]) == ["line", "refused"]
    assert [row["line"] for row in rows] == list(range(2, 3 + len(claimed)))
    assert list(unknown(rows, RECORD["audit claims"] or "")) == []
