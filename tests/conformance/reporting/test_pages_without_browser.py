"""What is checked of the reports' pages without a browser: their structure, their policy, and the script that sorts."""

import importlib.util
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.report.pages import PAGES, tables_page
from shuffleproof.report.texts import MEANINGS, printable, shortened

NODE = shutil.which("node")


def loaded() -> ModuleType:
    """tests/browser_check.py, which is a script and no package's module."""
    spec = importlib.util.spec_from_file_location("browser_check", Path(__file__).parents[2] / "browser_check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check = loaded()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a run in which every answer looks like HTML."""
    made: Path = check.conform_page(tmp_path_factory.mktemp("kept"))
    return made.read_text("utf-8")


def test_a_page_full_of_other_peoples_html_is_whole_and_runs_nothing(page: str) -> None:
    assert check.misread(page) == []
    assert "<img" not in page
    assert "\x1b" not in page
    for verdict in ("unsound", "mismatch", "refused", "crashed", "timed-out", "protocol", "loose", "conforms", "unsupported"):
        assert f"{verdict}</span></td>" in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda page: page.replace("</td></tr>", "</tr>", 1), "not balanced"),
        (lambda page: page.replace("</tbody>", "<tr><td>alone</td></tr></tbody>", 1), "a row of 1 cells in a table of "),
        (lambda page: page.replace("<h1>", '<h1 onclick="run()">'), "runs or loads something: h1"),
        (lambda page: page.replace("<h1>", '<img src="x"><h1>'), "runs or loads something: img"),
        (lambda page: page.replace("<h1>", '<a href="https://elsewhere">x</a><h1>'), "an address elsewhere: a"),
        (lambda page: page.replace("<h1>", "<script>run()</script><h1>"), "the policy"),
        (lambda page: page.replace("const order", "let order"), "the policy"),
        (lambda page: page.replace("default-src 'none'", "default-src *"), "the policy"),
        (lambda page: page.replace("</html>", "<b>"), "never closed"),
        (lambda page: page.replace("h1>", "h2>"), "0 titles"),
    ],
)
def test_a_damaged_page_is_complained_about(page: str, damage: Callable[[str], str], complaint: str) -> None:
    damaged = damage(page)
    assert damaged != page
    assert any(complaint in line for line in check.misread(damaged))


def test_without_a_browser_the_pages_are_read_and_it_says_so(
    tmp_path: Path, page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def conform_page(folder: Path) -> Path:
        (folder / "conform.html").write_text(page, "utf-8")
        return folder / "conform.html"

    monkeypatch.setattr(check, "conform_page", conform_page)
    monkeypatch.setattr(check.shutil, "which", lambda name: None)
    for name, _ in PAGES:
        (tmp_path / name).write_text(tables_page([]), "utf-8")
    assert check.main(tmp_path, tmp_path / "kept") == check.NO_BROWSER
    assert f"no Chromium on the PATH: {len(PAGES) + 1} pages were read, and not opened in a browser" in capsys.readouterr().out
    (tmp_path / "errata.html").unlink()
    assert check.main(tmp_path, tmp_path / "kept") == 1


# The few parts of a browser that the script uses. A table is a list of rows of texts; prints the column after each click.
BROWSER = """
class Head {
  constructor() { this.childNodes = []; this.set = {}; }
  append(button) { this.button = button; }
  getAttribute(name) { return this.set[name]; }
  setAttribute(name, value) { this.set[name] = value; }
  removeAttribute(name) { delete this.set[name]; }
}
const texts = JSON.parse(process.argv[1]), width = texts[0].length;
let rows = texts.map(row => ({ cells: row.map(text => ({ innerText: text })) }));
const heads = Array.from({ length: width }, () => new Head());
const body = { get rows() { return rows; }, append(...sorted) { rows = sorted; } };
globalThis.document = {
  querySelectorAll: () => [{ tHead: { rows: [{ cells: heads }] }, tBodies: [body] }],
  createElement: () => ({ append() {}, addEventListener(_, listener) { this.click = listener; } }),
};
new Function(require("fs").readFileSync(0, "utf8"))();
const told = [];
heads.forEach((head, column) => {
  for (let click = 0; click < 2; click += 1) {
    head.button.click();
    told.push([head.set["aria-sort"], rows.map(row => row.cells[column].innerText)]);
  }
  if (heads.filter(other => "aria-sort" in other.set).length !== 1) throw new Error("one column is sorted by");
});
console.log(JSON.stringify(told));
"""


def clicked(script: str, rows: list[list[str]]) -> list[tuple[str, list[str]]]:
    """What each click on each head, twice, does to its column."""
    assert NODE is not None
    done = subprocess.run([NODE, "-e", BROWSER, json.dumps(rows)], input=script, capture_output=True, text=True, check=True)
    return [(direction, column) for direction, column in json.loads(done.stdout)]


@pytest.mark.skipif(NODE is None, reason="no node on the PATH")
def test_the_script_sorts_numbers_as_numbers_and_texts_with_their_digits_in_order(page: str) -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    rows = [["n=10", "1,000"], ["n=9", "2e-3"], ["a", "-5"], ["N=10 b", "30.5"]]
    ordered = [["a", "n=9", "n=10", "N=10 b"], ["-5", "2e-3", "30.5", "1,000"]]
    assert clicked(script, rows) == [
        (direction, column if direction == "ascending" else column[::-1]) for column in ordered for direction in ("ascending", "descending")
    ]
    wrong = script.replace("numeric: true", "numeric: false")
    assert wrong != script
    assert clicked(wrong, rows) != clicked(script, rows)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("[2.82403457667272288123e-641, 0.5]", "[2.8240345766…e-641, 0.5]"),
        ("1: 123456789012345678901234567890,", "1: 1.23456789012…e+29,"),
        ("ln 1000000000000/3000000000001", "ln ≈0.333333333333"),
        ("1000000000000/0000000000000", "1000000000000/00000…"),
        ("12345678901234567890/" + "1" * 5000, "1234567890123456789…"),
        ("\x1b[31m red\n", "\\x1b[31m red\\n"),
        ("x" * 30 + ";", "x" * 18 + "…;"),
        ("short, 3/4", "short, 3/4"),
    ],
)
def test_what_is_cut_keeps_its_size(text: str, short: str) -> None:
    assert shortened(text, longest=40, longest_word=20) == short
    assert printable(short) == short


def test_a_long_text_is_cut() -> None:
    assert shortened("word " * 20, longest=20, longest_word=20) == "word word word word…"


def test_the_page_has_a_meaning_for_every_verdict(page: str) -> None:
    assert list(MEANINGS) == sorted(Verdict, key=list(MEANINGS).index)
    for verdict in ("unsound", "unsupported"):
        assert f"<dt>{verdict}</dt><dd>{MEANINGS[verdict]}</dd>" in page
