"""The report of `verify`: whole or not at all, refused when changed, readable without anything else."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from commands import ended, output_of

from shuffleproof.conformance import stored_json
from shuffleproof.report import stored as report
from shuffleproof.report.pages import PAGES, report_pages
from shuffleproof.report.terminal import print_report
from shuffleproof.report.texts import judged_again
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError

ROW: dict[str, Any] = {
    "id": "FMT21.Thm3.1",
    "paper": "FMT21",
    "status": "refuted",
    "where": "Section 3",
    "says": "for all x < y & <script>alert(1)</script>",
    "range": "n >= 1",
    "provenance": "text",
    "kind": "misprint",
    "own_status": "refuted",
    "governs": ["spec.bounds.clones.clones"],
    "domain": "x in {1, 2}",
    "cases": 2,
    "slack": None,
    "witness": "x = 2 > y",
    "corrected": "for all x <= y",
    "note": None,
    "rests_on": ["Fraction"],
    "grounds": [{"kind": "row", "id": "FMT21.Lem3.5", "status": "argued", "as": "corrected"}],
    "chain": [{"id": "FMT21.Thm3.1", "status": "proved"}, {"id": "FMT21.Lem3.5", "status": "argued"}],
    "unreached": ["section3.check+4"],
    "mutants": [{"change": "x > y", "killed": True, "found": "refuted", "generated": False}],
    "recorded": "refuted",
    "seconds": "0.10",
}
CASE = {
    "id": "epsilon clones n=2",
    "operation": "epsilon",
    "input": {"method": "clones", "n": "2"},
    "verdict": "unsound",
    "detail": "1e-9 (relative) below the truth",
    "claim": "upper",
    "value": "0.5",
    "expected": "[0.6, 0.7]",
    "ratio": None,
    "flags": [],
    "seconds": "0.001",
}
TARGET: dict[str, Any] = {
    "target": "py:x:y",
    "failed": None,
    "exit_code": 1,
    "seconds": "1.00",
    "implementation": {"name": "x", "version": "1", "language": "Python"},
    "suite": "fmt21",
    "summary": {"conforms": 3, "unsound": 1},
    "cases": [CASE],
}
CONTENT: dict[str, Any] = {
    "format": report.FORMAT,
    "shuffleproof": "0.1.0",
    "python": "3.11.7",
    "system": "Linux x86_64",
    "started": "2021-09-11T00:00:00+00:00",
    "seconds": "60.00",
    "depth": "quick",
    "seed": "1",
    "exit_code": 0,
    "problems": [],
    "ledger": [ROW],
    "cross_checks": [
        {"name": "a", "says": "b", "cases": 5, "refused": 1, "refused_share": "0.167", "widest": "1e-15", "failures": [], "seconds": "1.00"}
    ],
    "tables": [
        {
            "name": "t",
            "title": "a <table>",
            "columns": ["n", "value"],
            "rows": [["2", "0.5"], ["10", "<0.25"]],
            "notes": ["a note"],
            "failed": None,
            "seconds": "1.00",
        },
        {"name": "u", "title": "another", "columns": [], "rows": [], "notes": [], "failed": "ValueError: broken", "seconds": "1.00"},
    ],
    "engines": [TARGET],
    "third_party": [{"target": "absent", "failed": "cannot be installed: no such version", "exit_code": 4, "seconds": "0"}],
}


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    report.prepare(tmp_path / "new" / "folder")
    report.write(tmp_path / "new" / "folder", CONTENT)
    assert report.read(tmp_path / "new" / "folder") == CONTENT
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == [
        "checks.html",
        "errata.html",
        "index.html",
        "papers",
        "readings.html",
        "report.json",
        "shipped.html",
        "statements",
        "tables.html",
    ]
    assert [path.name for path in (tmp_path / "new" / "folder" / "statements").iterdir()] == ["FMT21.Thm3.1.html"]


DAMAGE: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[: len(text) // 2],
    "changed": lambda text: text.replace('"proved"', '"refuted"').replace("3.11.7", "3.11.8"),
    "empty": lambda text: "",
    "another format": lambda text: stored_json.rendered({"format": "something else"}).decode(),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_report_is_refused_with_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[str], str]
) -> None:
    report.write(tmp_path, CONTENT)
    path = tmp_path / report.JSON_NAME
    path.write_text(damage(path.read_text("utf-8")), "utf-8")
    with pytest.raises(IntegrityError):
        report.read(tmp_path)
    code, out, err = ended(capsys, "verify", "--show", str(tmp_path))
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_folder_that_cannot_be_made_is_refused_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DomainError, match="report"):
        report.prepare(tmp_path / "file")
    code, _, err = ended(capsys, "verify", "--report", str(tmp_path / "file"))
    assert (code, err.count("\n")) == (2, 1)


def test_a_write_that_fails_leaves_the_earlier_report(tmp_path: Path) -> None:
    report.write(tmp_path, CONTENT)
    with pytest.raises(ValueError, match="JSON"):
        report.write(tmp_path, {**CONTENT, "seconds": float("nan")})
    assert report.read(tmp_path) == CONTENT
    assert len(list(tmp_path.iterdir())) == 9


def test_an_earlier_report_is_shown_with_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report.write(tmp_path, {**CONTENT, "exit_code": 1, "problems": ["a mutant survives"]})
    assert "a mutant survives" in output_of(capsys, "verify", "--show", str(tmp_path), code=1)
    assert json.loads(output_of(capsys, "verify", "--show", str(tmp_path), "--format", "json", code=1))["problems"] == ["a mutant survives"]


def test_the_text_is_a_page_with_the_verdict_first(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(CONTENT)
    text = capsys.readouterr().out
    for words in ("Every promise of our own holds", "FMT21.Thm3.1", "1 refuted", "1 of 1 mutants killed"):
        assert words in text
    assert text.startswith("Every promise")
    assert text.count("\n") < 25
    assert "x 1: 3 conforms, 1 unsound" in text
    assert "absent: not judged: cannot be installed" in text
    assert "1 more refused (0.167 of all)" in text


class Tags(HTMLParser):
    """What a page is made of, and whether its tags are balanced."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        icon = tag == "link" and given["rel"] == "icon" and (given["href"] or "").startswith("data:image/svg+xml;base64,")
        if not icon:
            self.seen.add(tag)
            self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br", "input", "link"):
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


PAGES_MADE = report_pages(CONTENT)  # type: ignore[arg-type]  # as JSON gives it back


@pytest.mark.parametrize("name", PAGES_MADE)
def test_a_page_is_self_contained_and_balanced(name: str) -> None:
    tags = Tags()
    tags.feed(PAGES_MADE[name])
    assert tags.opened == []
    top = name.startswith(("statements/", "papers/"))
    others = {address.removeprefix("../").partition("#")[0] for address in tags.addresses if not address.startswith("#")}
    assert {file for file, _ in PAGES} <= others <= set(PAGES_MADE)
    assert all(address.startswith("../") == top for address in tags.addresses if not address.startswith("#"))
    assert tags.seen.isdisjoint({"link", "img", "iframe"})


@pytest.mark.parametrize("name", PAGES_MADE)
def test_no_script_can_run_but_the_one_that_sorts(name: str) -> None:
    """The policy names the hash of the one script; what a hostile harness answered stays text."""
    html = PAGES_MADE[name]
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert len(scripts) == 1
    hashed = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hashed}'" in html
    assert not re.search(r"<[^>]+ on[a-z]+=", html)


def test_the_pages_tell_what_was_found_escaped() -> None:
    html = PAGES_MADE["index.html"]
    assert "&lt;script&gt;" in html
    for words in ("FMT21.Thm3.1", "unsound", "cannot be installed", "x = 2 &gt; y", "killed"):
        assert words in html
    for name in ("errata.html", "statements/FMT21.Thm3.1.html"):
        for words in ("FMT21.Thm3.1", "x = 2 &gt; y", "for all x ≤ y", "refuted"):
            assert words in PAGES_MADE[name]
    for words in ("a &lt;table&gt;", "&lt;0.25", "a note", "ValueError: broken"):
        assert words in PAGES_MADE["tables.html"]


def test_the_ledger_comes_first_and_what_was_found_in_packages_is_folded() -> None:
    html = PAGES_MADE["index.html"]
    assert html.index('id="ledger"') < html.index('id="engines"') < html.index('id="third-party"')
    before = html[: html.index("with a finding</summary>")]
    assert before.endswith("1 case ")
    assert html.index("with a finding</summary>") < html.index("the truth")


def test_a_number_of_hundreds_of_digits_is_cut_on_the_page() -> None:
    nines = "0." + "9" * 300
    case = {**CASE, "detail": f"far below the truth, {nines}", "expected": nines}
    html = report_pages({**CONTENT, "third_party": [{**TARGET, "cases": [case]}]})["index.html"]
    shown = re.sub(r"<details><summary>([^<]*)</summary>[^<]*</details>", r"\1", html)
    assert "9" * 60 not in shown


def test_every_finding_on_a_target_has_the_command_that_finds_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    named = {**TARGET, "target": "autodp-accountant"}
    page = report_pages({**CONTENT, "third_party": [named]})["index.html"]
    again = {"shuffleproof conform run -i py:x:y", "shuffleproof conform third-party autodp-accountant"}
    for command in again:
        assert page.count(command) == 2  # beside the name, and with the one case that does not conform
    print_report({**CONTENT, "third_party": [named]})
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert {f"again: {command}" for command in again} <= set(lines)


def test_a_connection_with_spaces_is_quoted_in_its_command() -> None:
    assert judged_again({"target": "cmd:./a b"}, "run -i") == "shuffleproof conform run -i 'cmd:./a b'"


def test_the_page_says_which_promises_are_broken() -> None:
    html = report_pages({**CONTENT, "problems": ["a mutant survives"]})["index.html"]
    assert "1 of our own promises broken" in html
    assert "a mutant survives" in html


def test_what_is_a_reading_is_no_erratum() -> None:
    reading = {**ROW, "id": "FMT21.Thm3.1-read", "kind": "reading"}
    recalled = {**ROW, "id": "FMT21.Thm3.1-recalled", "provenance": "recalled"}
    pages = report_pages({**CONTENT, "ledger": [ROW, reading, recalled]})  # type: ignore[typeddict-item]
    assert 'id="FMT21.Thm3.1"' in pages["errata.html"]
    for row in (reading, recalled):
        assert f'id="{row["id"]}"' not in pages["errata.html"]
        assert f'id="{row["id"]}"' in pages["readings.html"]


def test_what_the_checks_leave_is_told_on_a_page_of_its_own() -> None:
    changed = [{"part": "constant", "was": "8", "is_now": "202/25", "holds": "proved", "weaker": True}]
    row = {
        **ROW,
        "missing": "the limit",
        "not_falsified": "it accompanies",
        "number_mutants": changed,
        "number_mutants_in_all": 2,
        "slack": "0.3 of it",
    }
    html = report_pages({**CONTENT, "ledger": [row]})["checks.html"]  # type: ignore[typeddict-item]
    for words in (
        "section3.check+4",
        "it accompanies",
        "the limit",
        "202/25",
        "proved, weaker",
        "0.3 of it",
        "1 statements have numbers",
        "Of 2 changed",
    ):
        assert words in html


def test_a_papers_page_accounts_for_every_section() -> None:
    html = report_pages({**CONTENT, "ledger": [ROW]})["papers/FMT21.html"]  # type: ignore[typeddict-item]
    for words in ("3 Improved Guarantees", '<a href="#FMT21.Thm3.1">', "Figure 1 draws Lemma 3.3", "G Implementation of 2RR"):
        assert words in html


def test_the_weightiest_erratum_comes_first_and_says_what_depends_on_it() -> None:
    light = {**ROW, "id": "FMT21.Alg1", "kind": "false"}
    misprint = {**ROW, "id": "FMT21.Alg2", "weight": "a bound that is computed from it is too small"}
    part = {**misprint, "id": "FMT21.Alg3", "kind": "false in part"}
    html = report_pages({**CONTENT, "ledger": [ROW, light, misprint, part]})["errata.html"]  # type: ignore[typeddict-item]
    assert re.findall(r'<article id="FMT21\.(\w+)', html)[:3] == ["Alg3", "Alg2", "Alg1"]
    assert "a bound that is computed from it is too small" in html


def test_a_statement_links_what_it_rests_on_and_what_rests_on_it() -> None:
    below = {**ROW, "id": "FMT21.Def2.2", "status": "proved", "rests_on": []}
    above = {**ROW, "rests_on": ["FMT21.Def2.2", "Fraction"], "source": "def check() -> None:\n    <b>"}
    pages = report_pages({**CONTENT, "ledger": [below, above]})  # type: ignore[typeddict-item]
    assert 'href="../statements/FMT21.Def2.2.html"' in pages["statements/FMT21.Thm3.1.html"]
    assert 'href="../statements/FMT21.Thm3.1.html"' in pages["statements/FMT21.Def2.2.html"]
    assert "def check() -&gt; None:\n    &lt;b&gt;" in pages["statements/FMT21.Thm3.1.html"]


def test_control_characters_never_reach_a_page_nor_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    case = {**CASE, "detail": "\x1b[2J cleared"}
    target = {**TARGET, "implementation": {**TARGET["implementation"], "name": "\x1b]0;title\x07"}, "cases": [case]}
    content = {**CONTENT, "engines": [target], "third_party": [{**CONTENT["third_party"][0], "failed": "\x1b[31m"}]}
    assert "\x1b" not in report_pages(content)["index.html"]  # type: ignore[arg-type]
    print_report(content)
    assert "\x1b" not in capsys.readouterr().out
