"""The report as JUnit XML and as a page: everything in it is text, whatever a harness has answered."""

import json
import sys
import xml.etree.ElementTree as Tree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.command_line import program
from shuffleproof.conformance import vectors
from shuffleproof.conformance.reporting import junit
from shuffleproof.conformance.running import runner
from shuffleproof.report import conform

HOSTILE = '<script>alert("x")</script>]]>&\x00\x1b'


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """An unsound harness's report, with an answer that would like to be a program."""
    stored = runner.run(connect=f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.unsound", suite="smoke").as_json()
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
    arguments = ["conform", "run", "-i", f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.loose", "--suite", "smoke"]
    arguments += ["--jobs", jobs, "--skip", str(skip), "--resume", str(tmp_path / "journal")]
    arguments += ["--report", str(tmp_path / "r.json"), "--report", str(tmp_path / f"r.{form}"), "--format", "json"]
    with pytest.raises(SystemExit) as end:
        program.main(arguments)
    assert end.value.code == 0
    printed = json.loads(capsys.readouterr().out)
    told = ("exit_code", "findings", "looseness", "timings", "right_alone")
    assert json.loads((tmp_path / "r.json").read_text()) == {key: value for key, value in printed.items() if key not in told}
    assert "loose" in (tmp_path / f"r.{form}").read_text()
    with pytest.raises(SystemExit) as end:
        program.main(["conform", "show", str(tmp_path / "r.json"), "--report", str(tmp_path / f"again.{form}")])
    assert end.value.code == 0
    assert (tmp_path / f"again.{form}").read_bytes() == (tmp_path / f"r.{form}").read_bytes()


@pytest.mark.parametrize(
    "wrong", [["--report", "r.txt"], ["--report", "no/such/folder/r.json"], ["--skip-must-fail"], ["--jobs", "0"], ["--skip", "nothing"]]
)
def test_what_cannot_be_done_is_said_before_anything_is_asked(capsys: pytest.CaptureFixture[str], wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        program.main(["conform", "run", "-i", "cmd:false", "--suite", "smoke", *wrong])
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
