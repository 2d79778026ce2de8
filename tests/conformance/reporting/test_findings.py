"""Findings of a report, and every form it is written in."""

import json
import sys
import xml.etree.ElementTree as Tree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from commands import ended, output_of
from harnesses import fake

from shuffleproof.conformance import vectors
from shuffleproof.conformance.reporting import junit
from shuffleproof.conformance.reporting.conditions import condition
from shuffleproof.conformance.reporting.findings import Severity, findings, severity
from shuffleproof.conformance.reporting.measures import looseness, timings
from shuffleproof.conformance.running import runner
from shuffleproof.conformance.running.runner import Options
from shuffleproof.report import conform


def case(verdict: str, *, value: str = "0.5", off: str | None = None, **given: str) -> dict[str, Any]:
    name = " ".join(given.values())
    about = {"claim": "upper", "detail": "", "expected": "1", "ratio": None, "flags": ["TIE"], "seconds": "0.01"}
    told = {"off": off} if off is not None else {}
    return {"id": f"epsilon {name}", "operation": "epsilon", "input": given, "verdict": verdict, "value": value, **about, **told}


def test_answers_of_zero_for_few_users_are_found_with_their_condition() -> None:
    """Beside another fault of the same method, which is less severe."""
    zeros = [case("unsound", value="0.0", off="1", method="clones", n=str(n), epsilon0="1") for n in (1, 10, 100)]
    fine = [case("conforms", method="clones", n=str(n), epsilon0="1") for n in (101, 1000)]
    digits = [case("unsound", off="1e-16", method="clones", n=n, epsilon0="40") for n in ("5000", "70000")]
    other = [case("unsound", off="1e-6", method="k-rr", n="7", epsilon0="1")]
    found = findings([*digits, *other, *fine, *zeros])
    assert [(each.severity.value, each.title) for each in found] == [
        ("wrong", "epsilon of clones: answers 0 whenever n <= 100"),
        ("numeric", "epsilon of k-rr: claims too much"),
        ("rounding", "epsilon of clones: answers 1/2 whenever n >= 5000"),
    ]
    assert (len(found[0].cases), found[0].judged, found[0].flags) == (3, 7, {"TIE": 3})


@pytest.mark.parametrize(
    ("failing", "fine", "says"),
    [
        ([{"epsilon0": "37"}, {"epsilon0": "700"}], [{"epsilon0": "12"}], "epsilon0 >= 37"),
        ([{"delta": "1e-9"}, {"delta": "0"}], [{"delta": "1e-6"}], "delta <= 1e-9"),
        ([{"n": "3"}, {"n": "5"}, {"n": "9"}], [{"n": "2"}, {"n": "4"}, {"n": "10"}], "n is odd"),
        ([{"p": "1/2"}, {"p": "1/3"}, {"p": "2/7"}], [{"p": "0.4"}, {"p": "0.1"}, {"p": "0.9"}], "p has a / in it"),
        ([{"n": "7", "epsilon0": x} for x in ("1", "2", "3")], [{"n": "7", "epsilon0": "1/2"}, {"n": "8", "epsilon0": "2"}], None),
        ([{"x": "a"}], [{"x": "b"}], ""),
        ([{"n": "1"}, {"n": "3"}], [{"n": "1"}, {"n": "3"}], ""),
    ],
)
def test_a_condition_holds_for_failing_inputs_and_for_no_other(
    failing: list[dict[str, str]], fine: list[dict[str, str]], says: str | None
) -> None:
    found = condition(failing, fine)
    if says == "":
        assert found is None
        return
    assert not any(found.holds(given) for given in fine)
    assert sum(map(found.holds, failing)) == found.failing == len(failing)
    assert says is None or found.says == says


def test_what_holds_for_a_few_of_many_is_not_called_their_condition() -> None:
    scattered = [case("unsound", off="0.1", method="clones", n=str(n)) for n in (1, 2, 30, 500, 7000, 90000)]
    between = [case("conforms", method="clones", n=str(n)) for n in (3, 50, 700, 8000)]
    (found,) = findings([*scattered, *between])
    assert found.condition is None
    assert found.title == "epsilon of clones: answers 1/2"


@pytest.mark.parametrize(
    ("verdict", "off", "bad"),
    [
        ("unsound", "0.2", Severity.WRONG),
        ("mismatch", None, Severity.WRONG),
        ("unsound", "9.99e-4", Severity.NUMERIC),
        ("unsound", "1e-12", Severity.NUMERIC),
        ("unsound", "9.99e-13", Severity.ROUNDING),
        ("crashed", None, Severity.BROKEN),
        ("refused", None, Severity.DECLINED),
        ("loose", None, None),
        ("conforms", None, None),
    ],
)
def test_severities_part_at_a_thousandth_and_at_1e_12(verdict: str, off: str | None, bad: Severity | None) -> None:
    assert severity(case(verdict, off=off, n="1")) is bad


def test_looseness_and_growth_are_numbers() -> None:
    rows = [
        {**case("loose", method="clones", n=str(10**e), epsilon0="1"), "ratio": str(2**e), "seconds": f"{10**e / 1e4:f}"} for e in range(5)
    ]
    rows[0] |= {"ratio": "infinite"}
    (loose,) = looseness([*rows, case("conforms", method="clones", n="7", epsilon0="1")])
    assert (loose.claims, loose.loose, loose.infinite, loose.median, loose.worst, loose.bits) == (6, 5, 1, 4, 16, 4)
    assert len(loose.points) == 4
    (timed,) = timings(rows)
    assert timed.growth == pytest.approx(1)
    assert timed.worst_case == rows[-1]["id"]


_HARNESS = """
import json, sys, time
time.sleep(0.3)
for line in sys.stdin:
    ask = json.loads(line)
    if ask["cmd"] == "start":
        can = {"operations": ["randomizer_law"], "randomizers": ["binary-rr"]}
        print(json.dumps({"version": 1, "implementation": {"name": "x", "version": "1", "language": "p"}, "capabilities": can}), flush=True)
    elif ask["cmd"] == "configure":
        print('{"configured": true}', flush=True)
    elif ask["cmd"] == "run" and ask["input"]["epsilon0"] == "ln 3":
        for number in range(300):
            print("frame", number, file=sys.stderr)
        print("TypeError: x is not a function\\n\\nNode.js v20", file=sys.stderr, flush=True)
        sys.exit(1)
    elif ask["cmd"] == "run":
        print(json.dumps({"seq": ask["seq"], "unsupported": "no"}), flush=True)
"""


def test_stderr_is_kept_in_full_and_times_are_without_starting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each crash is followed by a start of 0.3 s, which no answer is charged with; the journal shows what the report does."""
    (tmp_path / "harness.py").write_text(_HARNESS)
    connect, journal = f"cmd:{sys.executable} -S -E {tmp_path / 'harness.py'}", tmp_path / "journal"
    asked = [each for each in runner.vectors.suite_cases("smoke") if each.operation == "randomizer_law" and len(each.given) == 3]
    digests = {"randomizer_law.json": "0" * 64}
    report = runner.run_cases(asked, connect=connect, suite="smoke", digests=digests, options=Options(resume=journal))
    (crashed,) = [result for result in report.results if result.verdict.value == "crashed"]
    assert crashed.stderr.splitlines()[0] == "frame 0"
    assert "its stderr says: 'TypeError: x is not a function'" in crashed.detail
    assert max(result.seconds or 0 for result in report.results) < 0.3
    assert report.about.keys() == {"kit", "python", "platform", "date", "deadline"}
    shown = runner.from_journal(journal)
    assert {result.id: result.verdict for result in shown.results} == {result.id: result.verdict for result in report.results}
    assert (shown.connect, shown.unasked, shown.vectors) == (connect, 0, digests)
    again = runner.run_cases(asked, connect=connect, suite="smoke", digests=digests, options=Options(resume=journal, deadline=7))
    assert [part["deadline"] for part in again.earlier] == ["30"]
    text = output_of(capsys, "conform", "show", str(journal), code=4)
    assert "broken: randomizer_law of binary-rr: crashes" in text
    assert "| TypeError: x is not a function" in text
    assert "answers are of an earlier run" in text


HOSTILE = '<script>alert("x")</script>]]>&\x00\x1b'


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """An unsound harness's report, with an answer that would like to be a program."""
    stored = runner.run(connect=fake("unsound"), suite="smoke").as_json()
    stored["cases"][0] |= {"verdict": "crashed", "detail": HOSTILE, "value": {"0": HOSTILE}, "claim": "law"}
    stored["cases"][1] |= {"verdict": "skipped", "detail": "listed"}
    stored["implementation"]["name"] = HOSTILE
    return stored


def test_junit_counts_what_the_report_counts(report: dict[str, Any]) -> None:
    suite = Tree.fromstring(junit.junit(report))[0]
    verdicts = [case["verdict"] for case in report["cases"]]
    assert suite.get("tests") == str(len(verdicts)) == str(len(suite.findall("testcase")))
    assert suite.get("errors") == "1" == str(len(suite.findall("testcase/error")))
    assert suite.get("failures") == str(verdicts.count("unsound")) == str(len(suite.findall("testcase/failure"))) != "0"
    assert suite.get("skipped") == str(verdicts.count("unsupported") + 1)
    assert [case.get("name") for case in suite.findall("testcase")] == [case["id"] for case in report["cases"]]
    assert "alert" in (suite.findall("testcase/error")[0].get("message") or "")


class Tags(HTMLParser):
    """Counts scripts and rows."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.addresses += [value or "" for name, value in attributes if name in ("src", "href")]


def test_the_page_holds_every_case_and_nothing_that_runs(report: dict[str, Any]) -> None:
    html, tags = conform.page(report, code=4), Tags()
    tags.feed(html)
    assert tags.seen.count("script") == 1
    assert html.partition("<h2>Every case")[2].count("<tr>") == 1 + len(report["cases"])
    assert [address for address in tags.addresses if not address.startswith("data:image/")] == []  # its icon is in the page
    assert "default-src 'none'" in html
    in_order = [html.index(f"{verdict}</span></td>") for verdict in ("unsound", "conforms", "unsupported")]
    assert in_order == sorted(in_order)


@pytest.mark.parametrize(("jobs", "form"), [("2", "xml"), ("1", "html")])
def test_the_command_line_writes_all_forms(capsys: pytest.CaptureFixture[str], tmp_path: Path, jobs: str, form: str) -> None:
    skip = tmp_path / "skip"
    skip.write_text("\n".join(case.id for case in vectors.suite_cases("smoke") if case.operation != "delta"))
    arguments = ["conform", "run", "-i", fake("loose"), "--suite", "smoke"]
    arguments += ["--jobs", jobs, "--skip", str(skip), "--resume", str(tmp_path / "journal")]
    arguments += ["--report", str(tmp_path / "r.json"), "--report", str(tmp_path / f"r.{form}"), "--format", "json"]
    printed = json.loads(output_of(capsys, *arguments))
    told = ("exit_code", "findings", "looseness", "timings", "right_alone")
    assert json.loads((tmp_path / "r.json").read_text()) == {key: value for key, value in printed.items() if key not in told}
    assert "loose" in (tmp_path / f"r.{form}").read_text()
    output_of(capsys, "conform", "show", str(tmp_path / "r.json"), "--report", str(tmp_path / f"again.{form}"))
    assert (tmp_path / f"again.{form}").read_bytes() == (tmp_path / f"r.{form}").read_bytes()


@pytest.mark.parametrize(
    "wrong", [["--report", "r.txt"], ["--report", "no/such/folder/r.json"], ["--skip-must-fail"], ["--jobs", "0"], ["--skip", "nothing"]]
)
def test_what_cannot_be_done_is_said_before_anything_is_asked(capsys: pytest.CaptureFixture[str], wrong: list[str]) -> None:
    code, _, err = ended(capsys, "conform", "run", "-i", "cmd:false", "--suite", "smoke", *wrong)
    assert (code, err.count("\n")) == (2, 1)
