"""The report of a run: counted, sealed, written whole, and its exit code."""

import re
from pathlib import Path

import pytest

from shuffleproof.conformance import stored_json
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting import report
from shuffleproof.conformance.reporting.report import CaseResult, Report, exit_code
from shuffleproof.spec.vocabulary.errors import IntegrityError


def result(verdict: Verdict, number: int) -> CaseResult:
    return CaseResult(
        id=f"case {number}",
        operation="epsilon",
        given={"method": "clones", "n": "2", "epsilon0": "1", "delta": "0"},
        verdict=verdict,
        detail="because",
        claim="upper",
        value="0.5",
        expected="1",
        ratio="2" if verdict is Verdict.LOOSE else None,
        flags=("TIE",),
        seconds=0.25,
    )


def a_report(*verdicts: Verdict) -> Report:
    return Report(
        connect="cmd:x",
        suite="smoke",
        implementation={"name": "x", "version": "1", "language": "c"},
        vectors={"epsilon.json": "0" * 64},
        seed=12345,
        digits=12,
        results=tuple(result(verdict, number) for number, verdict in enumerate(verdicts)),
    )


ALL = a_report(*Verdict, Verdict.CONFORMS)


def test_the_summary_counts_every_verdict() -> None:
    assert ALL.summary == {"conforms": 2, **{verdict.value: 1 for verdict in Verdict if verdict is not Verdict.CONFORMS}}
    assert a_report(Verdict.LOOSE).summary == {"loose": 1}


def test_a_report_is_read_back_as_written(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    report.write(ALL, path)
    assert report.read(path) == ALL.as_json()
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]


def test_a_truncated_report_is_refused_at_every_length(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    report.write(ALL, path)
    whole = path.read_bytes()
    for length in [0, 1, *range(2, len(whole), 211), len(whole) - 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(IntegrityError, match=re.escape(str(path))):
            report.read(path)


@pytest.mark.parametrize(
    "change", [('"conforms": 2', '"conforms": 3'), ('"unsound"', '"conforms"'), ('"0.5"', '"0.6"'), ("12345", "12346")]
)
def test_a_changed_report_is_refused(tmp_path: Path, change: tuple[str, str]) -> None:
    path = tmp_path / "report.json"
    report.write(ALL, path)
    path.write_text(path.read_text().replace(*change, 1))
    with pytest.raises(IntegrityError):
        report.read(path)


def test_a_summary_that_does_not_count_the_cases_is_refused_even_when_sealed(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    content = {key: value for key, value in ALL.as_json().items() if key != "digest"}
    content["summary"] = {"conforms": len(ALL.results)}
    stored_json.write(path, {**content, "digest": stored_json.digest(content)})
    with pytest.raises(IntegrityError, match="does not count the cases"):
        report.read(path)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], 5),
        (["unsupported"], 5),
        (["conforms"], 0),
        (["conforms", "loose", "unsupported"], 0),
        (["conforms", "unsound"], 1),
        (["mismatch"], 1),
        (["refused", "loose"], 1),
        (["unsound", "crashed"], 4),
        (["timed-out", "conforms"], 4),
        (["protocol"], 4),
        (["unsupported", "crashed"], 4),
    ],
)
def test_the_worst_verdict_gives_the_exit_code(verdicts: list[str], code: int) -> None:
    assert exit_code(Verdict(verdict) for verdict in verdicts) == code
    assert a_report(*(Verdict(verdict) for verdict in verdicts)).exit_code == code
