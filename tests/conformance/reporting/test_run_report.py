"""Reports of a run: as written, printed, compared with another run, and side by side in a matrix."""

import re
import xml.etree.ElementTree as Tree
from pathlib import Path
from typing import Any

import pytest
from commands import output_of
from harnesses import fake

from shuffleproof.conformance import stored_json
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting import report
from shuffleproof.conformance.reporting.matrix import badge, badges, difference, matrix
from shuffleproof.conformance.reporting.report import CaseResult, Report, exit_code
from shuffleproof.conformance.running.runner import run
from shuffleproof.conformance.running.selection import Selection
from shuffleproof.report.conform import matrix_page
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


FINE = ("conforms", "loose", "unsupported", "skipped")
BAD = ("refused", "unskipped", "mismatch", "unsound", "protocol", "timed-out", "crashed")


def report_difference(verdict: str | None) -> dict[str, object]:
    return {"cases": [] if verdict is None else [{"id": "x", "verdict": verdict, "detail": "because"}]}


@pytest.mark.parametrize("new", BAD)
@pytest.mark.parametrize("old", [*FINE, None])
def test_what_speaks_against_it_now_and_did_not_is_worse(old: str | None, new: str) -> None:
    found = difference(report_difference(old), report_difference(new))
    assert [change.id for change in found.worse] == ["x"]
    assert found.exit_code == 1


@pytest.mark.parametrize(
    ("old", "new", "kind", "code"),
    [
        ("unsound", "conforms", "fixed", 0),
        ("crashed", "loose", "fixed", 0),
        ("unsound", "unsupported", "changed", 0),
        ("unsound", "mismatch", "changed", 0),
        ("mismatch", "unsound", "worse", 1),
        ("conforms", "loose", "changed", 0),
        ("unsound", None, "gone", 3),
        ("conforms", None, "gone", 3),
    ],
)
def test_every_other_change_has_its_kind(old: str, new: str | None, kind: str, code: int) -> None:
    found = difference(report_difference(old), report_difference(new))
    assert {name: len(getattr(found, name)) for name in ("worse", "fixed", "changed", "gone")} == {
        name: int(name == kind) for name in ("worse", "fixed", "changed", "gone")
    }
    assert found.exit_code == code


def test_what_is_the_same_is_no_change() -> None:
    for verdict in (*FINE, *BAD):
        found = difference(report_difference(verdict), report_difference(verdict))
        assert (found.worse, found.fixed, found.changed, found.gone) == ((), (), (), ())


def test_the_command_line_says_what_got_worse(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    paths = [tmp_path / "old.json", tmp_path / "new.json"]
    for path, bug in zip(paths, ("none", "weight-below-slope"), strict=True):
        report.write(run(connect=fake(f"planted {bug}"), only=Selection(operations=["threshold"])), path)
    for order, code, told in ((paths, 1, "worse: threshold"), (paths[::-1], 0, "fixed: threshold")):
        assert told in output_of(capsys, "conform", "diff", *map(str, order), code=code)


def report_matrix(name: str, *verdicts: tuple[str, str, str]) -> dict[str, Any]:
    rest = {"input": {"method": "clones", "n": "2"}, "detail": "", "value": "0", "claim": "upper", "expected": "1", "seconds": None}
    cases = [
        {**rest, "id": f"{operation} {place}", "operation": operation, "verdict": verdict, "flags": [flag]}
        for place, (operation, verdict, flag) in enumerate(verdicts)
    ]
    return {"implementation": {"name": name, "version": "1", "language": "c"}, "suite": "all", "cases": cases}


GOOD = report_matrix("<good>", ("delta", "conforms", "TIE"), ("delta", "loose", "GRID"), ("epsilon", "conforms", "TIE"))
BAD_MATRIX = report_matrix("bad", ("delta", "unsound", "TIE"), ("delta", "conforms", "GRID"), ("epsilon", "unsupported", "TIE"))


def test_rows_are_operations_or_flags_and_columns_are_implementations() -> None:
    found = matrix([GOOD, BAD_MATRIX, BAD_MATRIX])
    assert found.columns == ("<good> 1", "bad 1 (1)", "bad 1 (2)")
    texts = {name: [cell.text if cell else None for cell in cells] for name, cells in found.rows.items()}
    assert texts == {
        "delta of clones": ["2 of 2, 1 loose", "1 of 2, wrong", "1 of 2, wrong"],
        "epsilon of clones": ["1 of 1", "not answered", "not answered"],
    }
    flags = {name: [cell.colour if cell else None for cell in cells] for name, cells in matrix([GOOD, BAD_MATRIX], by="flag").rows.items()}
    assert flags == {"GRID": ["green", "green"], "TIE": ["green", "red"]}
    assert [cell.colour for cell in found.totals] == ["green", "red", "red"]


def test_a_badge_is_svg_whatever_the_implementation_is_called(tmp_path: Path) -> None:
    found = matrix([GOOD, BAD_MATRIX])
    written = badges(found, tmp_path)
    assert [path.name for path in written] == ["good-1.svg", "bad-1.svg"]
    for path in written:
        Tree.parse(path)
    assert "<script" not in badge("<script>", found.totals[0])


def test_the_page_says_who_fails_and_runs_nothing() -> None:
    page = matrix_page(matrix([GOOD, BAD_MATRIX]), matrix([GOOD, BAD_MATRIX], by="flag"))
    assert "&lt;good&gt; 1" in page
    assert '<span class="red">1 of 2, wrong</span>' in page


@pytest.mark.parametrize("verdict", ["crashed", "refused", "mismatch"])
def test_every_failure_counts_against_it(verdict: str) -> None:
    (total,) = matrix([report_matrix("x", ("delta", verdict, "TIE"))]).totals
    assert (total.against, total.sound) == (1, 0)


def reported(*verdicts: Verdict) -> Report:
    results = tuple(
        CaseResult(id=f"delta n={at}", operation="delta", given={}, verdict=verdict, detail="\x1b[2J" + "9" * 300, expected="0", flags=())
        for at, verdict in enumerate(verdicts)
    )
    about = {"name": "x", "version": "1", "language": "Python"}
    return Report(connect="py:x:y", suite="smoke", implementation=about, vectors={}, seed=1, digits=9, results=results)


def test_a_report_prints_in_a_few_short_lines() -> None:
    found = reported(Verdict.CONFORMS, *[Verdict.UNSOUND] * 12)
    lines = str(found).splitlines()
    assert lines[0] == "x 1, suite smoke, 13 cases: 1 conforms, 12 unsound"
    assert lines[1].startswith("  unsound: delta n=1: ")
    assert lines[-1] == "  and 2 more in `results`"
    assert max(map(len, lines)) < 200
    assert "\x1b" not in str(found)
    assert repr(found) == "<Report of x, suite smoke: 1 conforms, 12 unsound>"
    assert repr(found.results[1]) == "<CaseResult unsound: delta n=1>"
    assert str(reported(Verdict.LOOSE)) == "x 1, suite smoke, 1 case: 1 loose"
